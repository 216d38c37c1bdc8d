//! What characters walk on: ground with time, floors with obstacles, the geometry of a world, and what moves in it.

mod area;
mod buckets;
#[cfg(feature = "mesh")]
mod columns;
mod combined;
#[cfg(feature = "mesh")]
mod connected;
#[cfg(feature = "navmesh")]
mod convex_mesh;
mod floor_ground;
pub(crate) mod floor_map;
mod floor_mesh;
mod ground;
pub(crate) mod ground_along;
pub(crate) mod grown_map;
mod heightfield;
pub(crate) mod labyrinth;
pub(crate) mod mesh;
mod mover;
mod polygon;
#[cfg(feature = "navmesh")]
pub(crate) mod route;
mod scene;
#[cfg(feature = "navmesh")]
pub(crate) mod standing_room;
#[cfg(feature = "mesh")]
pub(crate) mod surfaces;
pub(crate) mod survey;
mod terrain;
mod track;
#[cfg(feature = "navmesh")]
pub(crate) mod walk_mesh;

pub use area::Area;
pub use combined::World;
#[cfg(feature = "navmesh")]
pub(crate) use convex_mesh::{ConvexMesh, merged};
pub(crate) use floor_map::Blocker;
pub use floor_map::{FloorMap, FloorMapError, Obstacle, ObstacleId};
pub use ground::{Ground, GroundHit, LevelGround, SurfaceId};
pub(crate) use ground_along::GroundAlong;
pub use grown_map::GrownMap;
pub(crate) use grown_map::RadiusError;
pub(crate) use grown_map::Region;
pub use grown_map::SLACK;
pub use heightfield::{Heightfield, HeightfieldError};
pub use mesh::{MeshError, TriangleSoup};
pub use mover::{Mover, Outline};
#[cfg(feature = "navmesh")]
pub(crate) use route::NoRoute;
pub use scene::{Scene, SceneMesh, ScenePose};
#[cfg(feature = "navmesh")]
pub(crate) use standing_room::StandingRoom;
#[cfg(feature = "mesh")]
pub use surfaces::MeshGround;
pub use survey::{Body, Survey};
pub use terrain::Terrain;
pub use track::{Repeat, Track, TrackError};
#[cfg(feature = "navmesh")]
pub(crate) use walk_mesh::{Chart, ChartError, WalkMesh};
