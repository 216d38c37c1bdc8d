//! Inverse kinematics: joints from where their ends should be.

mod bend;
pub(crate) mod foot_place;
mod full_body;
pub(crate) mod leg_chain;
#[cfg(test)]
mod legs_tests;
pub(crate) mod newton;
mod swivel;
pub(crate) mod toes;
pub(crate) mod two_bone;

pub use full_body::FullBody;
pub use leg_chain::{BendLeg, LegChain, LegEnd, LegGoal};

pub use newton::{
    Aim, CentreOfMass, Effector, End, Freedom, IkProblem, IkReport, IkState, LookAt, Objective, Pole, Reach, SolveIk,
};
pub(crate) use swivel::Swivel;
pub(crate) use two_bone::LegPose;
pub use two_bone::TwoBone;
