//! Inverse kinematics: joints from where their ends should be.

mod newton;
mod two_bone;

pub use newton::{
    Aim, Carry, CentreOfMass, DerivativeError, Effector, End, Freedom, FreedomKind, IkProblem, IkReport, IkState,
    Inertia, Kinematics, Limiter, LookAt, Mass, Method, Miss, Objective, Order, Pole, Quadratic, Reach, Regulariser,
    Rows, SolveIk, derivative_error,
};
pub use two_bone::{Bent, LegPose, TwoBone};
