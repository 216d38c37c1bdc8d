//! From a plan of steps to feet and body at a time.

mod airborne;
mod body_over;
mod carry_body;
pub(crate) mod foot_at;

pub(crate) use airborne::{Airborne, Flown};
pub use body_over::BodyOver;
pub(crate) use body_over::{Dip, FeetLie};
pub use carry_body::CarryBody;
pub(crate) use carry_body::{BLADE, Carried, spread};
pub(crate) use foot_at::{FootAt, support};
