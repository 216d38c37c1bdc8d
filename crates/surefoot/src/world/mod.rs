//! What characters walk on: the geometry of a world.

mod mesh;

pub use mesh::{Group, MeshError, TriangleSoup};
