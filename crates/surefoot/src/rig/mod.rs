//! What a character is: its skeleton, its poses, and which joint mirrors which.

mod mirror;
mod pose;
mod skeleton;

pub use mirror::{Mirror, MirrorError, Side};
pub use pose::{ModelPose, Pose};
pub use skeleton::{Joint, JointId, Skeleton, SkeletonError, SkeletonKey, Tip};
