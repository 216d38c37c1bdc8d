//! What moves: clips of sampled poses, where the character goes in them, and where its feet stand.

mod clip;
mod cycle;
mod mirror;
mod ramp;
mod root;
mod sample;
pub mod stance;
mod take;
mod trajectory;
mod warp;

pub use clip::{Clip, ClipError};
pub use cycle::Loop;
pub(crate) use ramp::StepRamp;
pub use stance::{Footprint, Stance};
pub use take::Take;
pub use trajectory::Trajectories;
pub use warp::Warp;
