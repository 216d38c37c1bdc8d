//! Poses that minimise a sum of objectives, by Newton's method over the joints' freedoms.
//!
//! ```
//! use surefoot::glam::Vec3A;
//! use surefoot::ik::{Effector, End, Freedom, IkProblem, IkState, Reach, SolveIk};
//! use surefoot::math::Rigid;
//! use surefoot::rig::{Joint, JointId, ModelPose, Pose, Skeleton};
//!
//! // An arm of two bones that reaches for a point.
//! let bone = Rigid::from_translation(Vec3A::new(0.0, 0.0, 0.3));
//! let arm = Skeleton::new(vec![
//!     Joint::new("shoulder", None, Rigid::from_translation(Vec3A::Y)),
//!     Joint::new("elbow", Some(0), bone),
//!     Joint::new("hand", Some(1), bone),
//! ])?;
//! let hand = JointId(2);
//! let mut freedoms = Freedom::ball(JointId(0)).to_vec();
//! freedoms.push(Freedom::hinge(JointId(1), Vec3A::X));
//! let problem = IkProblem::new(&arm, &freedoms, &[Effector::place(hand)]);
//!
//! let mut state = IkState::new(&problem);
//! let mut pose = Pose::rest(&arm);
//! let target = Vec3A::new(0.2, 1.2, 0.35);
//! let report = SolveIk::default().run(&problem, &mut state, &[&Reach::new(hand, target)], &mut pose);
//! assert_eq!(report.end, End::Reached);
//!
//! let mut model = ModelPose::new(&arm);
//! pose.to_model(&arm, &mut model);
//! assert!((model[hand].translation - target).length() < 1e-3);
//! # Ok::<(), surefoot::rig::SkeletonError>(())
//! ```

mod aim;
pub(crate) mod derivatives;
mod dual;
pub(crate) mod freedom;
mod full;
pub(crate) mod kinematics;
pub(crate) mod objective;
pub(crate) mod place;
mod problem;
pub(crate) mod quadratic;
pub(crate) mod single;
pub(crate) mod solve;
#[cfg(test)]
mod tests;

pub use aim::{Aim, LookAt};
pub use freedom::Freedom;
pub(crate) use kinematics::Kinematics;
pub(crate) use objective::Miss;
pub use objective::Objective;
pub use place::{CentreOfMass, Pole, Reach};
pub use problem::{Effector, IkProblem};
pub(crate) use quadratic::{Order, Quadratic};
pub(crate) use single::Limiter;
pub(crate) use single::Regulariser;
pub use solve::{End, IkReport, IkState, SolveIk};
