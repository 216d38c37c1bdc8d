//! How deep the skin of legs is in the ground: the least way out of it, upwards or aside.

use super::footing::OnGround;
use crate::motion::Take;
use crate::rig::{JointId, LegSkin, ModelPose, Pose, Rig};
use glam::Vec3A;
use std::ops::Range;

/// The deepest place of a part of the skin over a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Deepest {
    /// How deep, metres; 0 if nothing is in the ground.
    pub depth: f32,
    /// The joint that holds most of the skin there.
    pub joint: Option<JointId>,
    /// The frame.
    pub frame: usize,
}

/// How deep the skin of legs is in the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SkinDepth {
    /// Feet: ankles and what hangs from them.
    pub foot: Deepest,
    /// Legs above their feet.
    pub leg: Deepest,
}

/// Motions are looked at so often a second, Hz: skin that is in the ground for less is not seen.
const LOOKS: f32 = 30.0;
/// Ways aside that are tried, as shares of the way up, and in how many directions.
const ASIDE: [f32; 3] = [0.25, 0.5, 0.75];
const AROUND: usize = 8;

impl SkinDepth {
    /// Of frames of a take on its ground.
    pub(super) fn new(rig: &Rig, skin: &LegSkin, take: &Take, part: Range<usize>, ground: &OnGround<'_>) -> Self {
        let clip = &take.clip;
        let mut pose = Pose::rest(&rig.skeleton);
        let mut model = ModelPose::new(&rig.skeleton);
        let mut deepest = Self::default();
        let step = (clip.rate() / LOOKS).round().max(1.0) as usize;
        for frame in part.step_by(step) {
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(&rig.skeleton, &mut model);
            for point in skin.points() {
                let depth = way_out(clip.roots()[frame].transform_point(point.place(&model)), frame, ground);
                let of_part = if point.in_foot { &mut deepest.foot } else { &mut deepest.leg };
                if depth > of_part.depth {
                    *of_part = Deepest { depth, joint: Some(point.joint), frame };
                }
            }
        }
        deepest
    }
}

/// The least way out of the ground from a point, metres: straight up, or aside where a riser ends; 0 outside.
fn way_out(point: Vec3A, frame: usize, ground: &OnGround<'_>) -> f32 {
    let up = ground.depth(point, frame);
    if up < 1e-3 {
        return up;
    }
    let free = |share: &f32| {
        (0..AROUND).any(|k| {
            let (sin, cos) = crate::math::single::sin_cos(std::f32::consts::TAU * k as f32 / AROUND as f32);
            let aside = point + share * up * Vec3A::new(sin, 0.0, cos);
            ground.depth(aside, frame) <= 0.1 * up
        })
    };
    ASIDE.iter().find(|share| free(share)).map_or(up, |share| share * up)
}
