//! From a plan of steps to feet and body at a time.

mod body_over;
pub(crate) mod foot_at;

pub use body_over::BodyOver;
pub(crate) use body_over::{Dip, FeetLie};
pub(crate) use foot_at::{FootAt, support};
