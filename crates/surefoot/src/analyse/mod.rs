//! What a clip shows: which limbs are legs, what is broken, who stands where and when, how it walks.

mod gait;
mod levelling;
mod limb;
mod repair;
mod rig;
mod sole;
mod stances;
mod stiff;
mod study;
mod treadmill;

pub use gait::{Analyse, Analysis, Flight};
pub use levelling::{Levelling, turned};
pub use repair::{Repair, RepairNote, Repaired};
pub use rig::{RigError, find_leg, find_rig, find_skinned_rig};
pub use stances::FindStances;
pub use stiff::stiffen;
pub use study::{Cycle, Studied, Study};
pub use treadmill::{Tread, Treadmill};
