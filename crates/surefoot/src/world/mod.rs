//! What characters walk on: ground with time, floors with obstacles, the geometry of a world, and what moves in it.

mod below;
mod buckets;
#[cfg(feature = "navmesh")]
mod convex_mesh;
mod floor_ground;
mod floor_map;
mod floor_mesh;
mod ground;
mod grown_map;
mod heightfield;
mod labyrinth;
mod mesh;
mod mover;
mod polygon;
#[cfg(feature = "navmesh")]
mod route;
#[cfg(feature = "mesh")]
mod stairs;
#[cfg(feature = "navmesh")]
mod standing_room;
#[cfg(feature = "mesh")]
mod surfaces;
mod survey;
mod terrain;
mod together;
mod track;
#[cfg(feature = "navmesh")]
mod walk_mesh;

pub use below::Below;
#[cfg(feature = "navmesh")]
pub(crate) use convex_mesh::{ConvexMesh, merged};
pub use floor_map::{Blocker, FloorMap, FloorMapError, Obstacle, ObstacleId, PolygonFault};
pub use ground::{Ground, GroundHit, Level, SurfaceId};
pub use grown_map::{GrownMap, GrownPiece, RadiusError, Region, SLACK};
pub use heightfield::{Heightfield, HeightfieldError};
pub use labyrinth::Labyrinth;
pub use mesh::{Group, MeshError, TriangleSoup};
pub use mover::{Mover, Outline};
#[cfg(feature = "navmesh")]
pub use route::NoRoute;
#[cfg(feature = "navmesh")]
pub use standing_room::StandingRoom;
#[cfg(feature = "mesh")]
pub use surfaces::{MeshGround, MeshPoint};
pub use survey::{Body, Survey};
pub use terrain::Terrain;
pub use together::World;
pub use track::{Repeat, Track, TrackError};
#[cfg(feature = "navmesh")]
pub use walk_mesh::{Chart, ChartError, WalkMesh};
