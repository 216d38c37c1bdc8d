//! FBX: bodies, takes and skins in, through ufbx.
//!
//! ufbx reads the file, brings it to metres and Y up, and evaluates its curves: pre-rotations, pivots, layers and the
//! file's own way of passing scale on are its work. What is made of that is the same as for glTF: joints are the
//! bones, what moves above them and every node between; scale is taken into translations; scale that changes or is
//! uneven on bones is refused by node.

mod interpret;
mod mesh;
mod scene;
mod takes;
mod tree;

pub use interpret::read;
