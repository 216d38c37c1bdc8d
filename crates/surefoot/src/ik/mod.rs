//! Inverse kinematics: joints from where their ends should be.

mod two_bone;

pub use two_bone::{Bent, LegPose, TwoBone};
