//! From a plan of steps to feet and body at a time.

mod airborne;
pub(crate) mod body_over;
pub(crate) mod carry_body;
pub(crate) mod foot_at;

pub(crate) use airborne::{Airborne, Flown};
pub(crate) use body_over::BodyOver;
pub(crate) use body_over::{Dip, FeetLie};
pub(crate) use carry_body::CarryBody;
pub(crate) use carry_body::{BLADE, Carried, spread, swings, under_way};
pub(crate) use foot_at::{FootAt, support};
