//! What characters walk on: the geometry of a world.

mod buckets;
mod floor_map;
mod grown_map;
mod labyrinth;
mod mesh;
mod polygon;

pub use floor_map::{Blocker, FloorMap, FloorMapError, Obstacle, ObstacleId, PolygonFault};
pub use grown_map::{GrownMap, GrownPiece, RadiusError, Region, SLACK};
pub use labyrinth::Labyrinth;
pub use mesh::{Group, MeshError, TriangleSoup};
