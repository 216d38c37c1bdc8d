//! Rigid transforms, rotations and floor geometry: the arithmetic under everything else.

mod digest;
pub mod floor;
mod functions;
mod plainer;
pub mod quat;
mod rigid;
mod scalar;

pub use digest::Digest;
pub use floor::FloorPose;
pub use functions::{double, single};
pub use plainer::plainer;
pub use rigid::{Rigid, Twist};
pub use scalar::{sinc, smoothstep, wrap_angle};
