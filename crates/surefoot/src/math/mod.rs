//! Rigid transforms, rotations and floor geometry: the arithmetic under everything else.

mod banded;
pub(crate) mod digest;
mod filter;
pub mod floor;
mod functions;
mod plainer;
mod plane;
pub mod quat;
pub(crate) mod rigid;
mod scalar;

pub(crate) use banded::Banded;
pub(crate) use digest::Digest;
pub(crate) use filter::{bending_as, box_mean, window};
pub use floor::FloorPose;
pub use functions::{double, single};
pub use plainer::plainer;
pub(crate) use plane::Plane;
pub use rigid::Rigid;
pub use scalar::{sinc, smoothstep, wrap_angle};
