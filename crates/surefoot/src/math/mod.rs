//! Rigid transforms, rotations and floor geometry: the arithmetic under everything else.

mod digest;
mod filter;
pub mod floor;
mod functions;
mod plainer;
mod plane;
pub mod quat;
mod rigid;
mod scalar;

pub use digest::Digest;
pub(crate) use filter::{box_mean, window};
pub use floor::FloorPose;
pub use functions::{double, single};
pub use plainer::plainer;
pub(crate) use plane::Plane;
pub use rigid::{Rigid, Twist};
pub use scalar::{sinc, smoothstep, wrap_angle};
