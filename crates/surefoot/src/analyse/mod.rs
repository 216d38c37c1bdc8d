//! What a clip shows: which limbs are legs, what is broken, who stands where and when, how it walks.

mod gait;
mod levelling;
mod repair;
mod rig;
mod stances;
mod stiff;
mod study;
mod treadmill;

pub use gait::{Analyse, Analysis, Flight};
pub use levelling::{Levelling, turned};
pub use repair::{Repair, RepairNote, Repaired};
pub use rig::{LegCandidate, RigError, check_rig, find_facing, find_leg, find_rig, find_skinned_rig, weigh_legs};
pub use stances::FindStances;
pub use stiff::stiffen;
pub use study::{Cycle, Studied, Study};
pub use treadmill::{Tread, Treadmill};
