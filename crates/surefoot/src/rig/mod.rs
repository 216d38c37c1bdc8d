//! What a character is: its skeleton, its legs, its skin, its poses, and which joint mirrors which.

mod leg;
mod leg_bones;
pub(crate) mod leg_skin;
mod many_legs;
mod mirror;
mod pose;
mod scale;
mod side;
pub(crate) mod skeleton;
pub(crate) mod skin;

pub use leg::{Foot, Leg, LegId, Rig};
pub(crate) use leg_bones::LegBones;
pub(crate) use leg_skin::FootSkin;
pub(crate) use leg_skin::LegSkin;
pub(crate) use leg_skin::SkinPoint;
pub use many_legs::ManyLegs;
pub use mirror::{Mirror, MirrorError};
pub use pose::{ModelPose, Pose};
pub(crate) use scale::GRAVITY;
pub use scale::Scale;
pub use side::Side;
pub(crate) use side::{split_sides, words};
pub(crate) use skeleton::SkeletonKey;
pub(crate) use skeleton::Tip;
pub use skeleton::{Joint, JointId, Skeleton, SkeletonError};
pub use skin::Skin;
