//! What feet on the ground ask for, whoever moves them: how a sole lies, how far a body must go down, how high a swing goes.

mod clearance;
mod lower;
mod outline;
mod put_down;

pub(crate) use clearance::clear_swings;
pub(crate) use lower::{Settle, drop_to_reach};
pub(crate) use outline::{outline_of_foot, outline_of_skin};
pub(crate) use put_down::{PutDown, Sole, SolePlace};
