//! What characters walk on: ground with time, the geometry of a world, and what moves in it.

mod ground;
mod heightfield;
mod mesh;
mod mover;
mod together;
mod track;

pub use ground::{Ground, GroundHit, Level, SurfaceId};
pub use heightfield::{Heightfield, HeightfieldError};
pub use mesh::{Group, MeshError, TriangleSoup};
pub use mover::{Mover, Outline};
pub use together::World;
pub use track::{Repeat, Track, TrackError};
