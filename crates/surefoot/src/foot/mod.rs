//! What feet on the ground ask for, whoever moves them: how a sole lies, how far a body must go down, how high a swing goes.

mod anchor;
mod clearance;
mod leg_way;
mod lower;
mod outline;
mod put_down;

pub(crate) use anchor::{Anchor, BodyAt, LegAt, LegRests, STILL, hold_at, roll_of, stillest};
pub(crate) use clearance::clear_swings;
pub(crate) use leg_way::{LegWay, WayStep, calm_headings};
pub(crate) use lower::{Settle, drop_to_reach};
pub(crate) use outline::{outline_of_foot, outline_of_skin, under_of_skin};
pub(crate) use put_down::{PutDown, Sole, SolePlace};
