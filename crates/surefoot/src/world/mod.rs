//! What characters walk on: ground with time, floors with obstacles, the geometry of a world, and what moves in it.

mod buckets;
mod combined;
#[cfg(feature = "mesh")]
mod connected;
#[cfg(feature = "navmesh")]
mod convex_mesh;
mod floor_ground;
mod floor_map;
mod floor_mesh;
mod ground;
mod ground_along;
mod grown_map;
mod heightfield;
mod labyrinth;
mod mesh;
mod mover;
mod polygon;
#[cfg(feature = "navmesh")]
mod route;
mod scene;
#[cfg(feature = "navmesh")]
mod standing_room;
#[cfg(feature = "mesh")]
mod surfaces;
mod survey;
mod terrain;
mod track;
#[cfg(feature = "navmesh")]
mod walk_mesh;

pub use combined::World;
#[cfg(feature = "navmesh")]
pub(crate) use convex_mesh::{ConvexMesh, merged};
pub use floor_map::{Blocker, FloorMap, FloorMapError, Obstacle, ObstacleId, PolygonFault};
pub use ground::{Ground, GroundHit, LevelGround, SurfaceId};
pub use ground_along::GroundAlong;
pub use grown_map::{GrownMap, GrownPiece, RadiusError, Region, SLACK};
pub use heightfield::{Heightfield, HeightfieldError};
pub use labyrinth::Labyrinth;
pub use mesh::{Group, MeshError, TriangleSoup};
pub use mover::{Mover, Outline};
#[cfg(feature = "navmesh")]
pub use route::NoRoute;
pub use scene::{Scene, SceneMesh, ScenePose};
#[cfg(feature = "navmesh")]
pub use standing_room::StandingRoom;
#[cfg(feature = "mesh")]
pub use surfaces::{MeshGround, MeshPoint};
pub use survey::{Body, Survey};
pub use terrain::Terrain;
pub use track::{Repeat, Track, TrackError};
#[cfg(feature = "navmesh")]
pub use walk_mesh::{Chart, ChartError, WalkMesh};
