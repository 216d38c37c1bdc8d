//! How fast joints turn, before and after: legs that pop show here.

use crate::math::quat;
use crate::motion::Clip;
use crate::rig::{JointId, Skeleton};
use std::ops::Range;

/// A joint's top speed in a clip and in what was made of it, rad/s.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Pop {
    /// The joint.
    pub joint: JointId,
    /// Top speed in the source.
    pub before: f32,
    /// Top speed in the result.
    pub after: f32,
    /// Frame of the result's top speed.
    pub frame: usize,
}

/// A joint may turn this many times as fast as it did …
pub const POP_FACTOR: f32 = 1.2;
/// … and this much faster besides, rad/s: 60°/s.
pub const POP_MARGIN: f32 = std::f32::consts::FRAC_PI_3;

impl Pop {
    /// How much faster the joint turns than it may, rad/s; below 0 where it is within its limit.
    #[must_use]
    pub fn over(&self) -> f32 {
        self.after - (POP_FACTOR * self.before + POP_MARGIN)
    }
}

/// The joint that turns fastest beyond what its own speed in the source allows.
///
/// # Panics
/// If a clip was made for another skeleton.
#[must_use]
pub fn worst_pop(skeleton: &Skeleton, before: &Clip, after: &Clip) -> Pop {
    worst_pop_in(skeleton, before, after, 0..after.frames())
}

/// The same in a part of both clips, such as one round of a cycle: the steps that lead to its frames.
///
/// # Panics
/// If a clip was made for another skeleton.
#[must_use]
pub fn worst_pop_in(skeleton: &Skeleton, before: &Clip, after: &Clip, frames: Range<usize>) -> Pop {
    let top = |clip: &Clip, joint: JointId| {
        assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let at = |f: usize| clip.frame(f)[joint.index()].rotation;
        let steps = frames.start.max(1)..frames.end.min(clip.frames());
        let speeds = steps.map(|f| (quat::angle_between(at(f - 1), at(f)) * clip.rate(), f));
        speeds.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 0))
    };
    let pop = |joint| {
        let (speed, frame) = top(after, joint);
        Pop { joint, before: top(before, joint).0, after: speed, frame }
    };
    let worst = skeleton.joints().map(pop).max_by(|a, b| a.over().total_cmp(&b.over()));
    worst.expect("a skeleton has a joint")
}
