//! Inverse kinematics: joints from where their ends should be.

mod bend;
mod foot_place;
mod full_body;
mod leg_chain;
#[cfg(test)]
mod legs_tests;
mod newton;
mod swivel;
mod two_bone;

pub use foot_place::FootPlace;
pub use full_body::FullBody;
pub use leg_chain::{BendLeg, LegChain, LegEnd, LegGoal, LegOutcome};

pub use newton::{
    Aim, Carry, CentreOfMass, DerivativeError, Effector, End, Freedom, FreedomKind, IkProblem, IkReport, IkState,
    Inertia, Kinematics, Limiter, LookAt, Mass, Method, Miss, Objective, Order, Pole, Quadratic, Reach, Regulariser,
    Rows, SolveIk, derivative_error,
};
pub(crate) use swivel::Swivel;
pub use two_bone::{Bent, LegPose, TwoBone};
