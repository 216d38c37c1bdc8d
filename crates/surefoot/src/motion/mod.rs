//! What moves: clips of sampled poses, and where the character goes in them.

mod clip;
mod mirror;
mod root;
mod sample;
mod trajectory;

pub use clip::{Clip, ClipError};
pub use trajectory::Trajectories;
