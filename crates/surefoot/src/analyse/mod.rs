//! What a clip shows: which limbs are legs, what is broken, who stands where and when, how it walks.

pub(crate) mod gait;
mod hovering;
mod known;
pub(crate) mod levelling;
mod long_feet;
pub(crate) mod parts;
pub(crate) mod repair;
pub(crate) mod rig;
mod runs;
pub(crate) mod stances;
mod stiff;
pub(crate) mod study;
pub(crate) mod treadmill;

pub(crate) use gait::Analyse;
pub(crate) use gait::Analysis;
pub(crate) use levelling::Levelling;
pub use levelling::turned;
pub(crate) use parts::Arm;
pub(crate) use parts::BodyParts;
pub(crate) use parts::FingerName;
pub(crate) use repair::Repair;
pub(crate) use repair::RepairNote;
pub(crate) use repair::{Repaired, UnderRepair, spread_jumps};
pub use rig::{RigError, check_rig, find_facing, find_leg, find_rig, find_skinned_rig, weigh_legs};
pub(crate) use stances::FindStances;
pub(crate) use stances::placed;
pub use stiff::stiffen;
pub(crate) use study::Cycle;
pub use study::{Studied, Study};
pub(crate) use treadmill::{Tread, Treadmill};
