//! What feet on the ground ask for, whoever moves them: how a sole lies, how far a body must go down, how high a swing goes.

mod clearance;
mod lower;
mod put_down;

pub use clearance::Clearance;
pub(crate) use clearance::clear_swings;
pub(crate) use lower::{Settle, drop_to_reach};
pub(crate) use put_down::{PutDown, Sole, SolePlace};
