//! How deep the skin of legs is in the ground: the least way out of it, upwards or aside.

use super::Footing;
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
const LOOKS: f32 = 60.0;
/// In how many directions a way out aside is sought.
const AROUND: usize = 8;
/// In so many steps up to the way up it is sought first, and halved so often then.
const STEPS: usize = 8;
const HALVES: usize = 4;
/// What is still to go up at the end of a way aside is no more than this, metres: the edge of a step is not met exactly.
const LEFT: f32 = 0.012;

/// How deep the skin of legs is in the ground over a motion; heel, ball and knees stand for it where there is none.
///
/// # Panics
/// If the take was made for another skeleton, or has not all of the frames.
#[must_use]
pub fn measure_skin_depth(
    rig: &Rig,
    skin: Option<&LegSkin>,
    take: &Take,
    footing: Footing<'_>,
    part: Range<usize>,
) -> SkinDepth {
    let bones;
    let skin = match skin {
        Some(skin) => skin,
        None => {
            bones = LegSkin::of_bones(rig);
            &bones
        }
    };
    SkinDepth::new(rig, skin, take, part, &OnGround::new(rig, take, footing))
}

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
pub(super) fn way_out(point: Vec3A, frame: usize, ground: &OnGround<'_>) -> f32 {
    let up = ground.depth(point, frame);
    if up < 1e-3 {
        return up;
    }
    let mut least = up;
    for k in 0..AROUND {
        let (sin, cos) = crate::math::single::sin_cos(std::f32::consts::TAU * k as f32 / AROUND as f32);
        let left = |far: f32| ground.depth(point + far * Vec3A::new(sin, 0.0, cos), frame);
        let step = up / STEPS as f32;
        let Some(first) = (1..STEPS).map(|k| k as f32 * step).find(|far| left(*far) < LEFT) else { continue };
        let (mut near, mut far) = (first - step, first);
        for _ in 0..HALVES {
            let middle = 0.5 * (near + far);
            if left(middle) < LEFT { far = middle } else { near = middle }
        }
        let aside = left(far);
        least = least.min((far * far + aside * aside).sqrt());
    }
    least
}
