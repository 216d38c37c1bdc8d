//! Seams: how much faster joints turn, and how much harder, where takes are joined than in the takes themselves.

use crate::math::quat;
use crate::motion::Clip;
use crate::rig::{JointId, Skeleton};
use std::ops::Range;

/// The greatest turn and change of turn of a joint in seams, against what 999 of 1000 frames of the sources do not exceed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Seams {
    /// Greatest angular speed over that of the sources; 1 means as fast as they get.
    pub speed: Worst,
    /// Greatest angular acceleration over that of the sources.
    pub acceleration: Worst,
}

/// Where something is worst.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Worst {
    /// How many times as much as in the sources.
    pub ratio: f32,
    /// The joint; of no meaning where the ratio is 0.
    pub joint: JointId,
    /// The frame.
    pub frame: usize,
}

/// Joints that hardly move are held against this share of what the liveliest joint does.
const LEAST: f32 = 0.05;

/// Share of frames that ordinary motion is made of.
const ORDINARY: f64 = 0.999;

/// Measures spans of frames of a clip against the clips it was made from, joint by joint. Clips of other rates are scaled to the
/// rate of the first.
///
/// # Panics
/// If a clip was made for another skeleton.
#[must_use]
pub fn measure_seams(skeleton: &Skeleton, sources: &[&Clip], clip: &Clip, seams: &[Range<usize>]) -> Seams {
    let mut own: Vec<[Vec<f32>; 2]> = vec![[Vec::new(), Vec::new()]; skeleton.len()];
    for source in sources {
        each(skeleton, source, 1..source.frames(), |joint, _, speed, acceleration| {
            own[joint.index()][0].push(speed);
            own[joint.index()][1].extend(acceleration);
        });
    }
    let ordinary = |values: &mut Vec<f32>| {
        if values.is_empty() {
            return 0.0;
        }
        let place = ((values.len() - 1) as f64 * ORDINARY).round() as usize;
        *values.select_nth_unstable_by(place, f32::total_cmp).1
    };
    let mut limits: Vec<[f32; 2]> = own.iter_mut().map(|own| own.each_mut().map(ordinary)).collect();
    for kind in 0..2 {
        let most = limits.iter().map(|limit| limit[kind]).fold(0.0, f32::max);
        limits.iter_mut().for_each(|limit| limit[kind] = limit[kind].max(LEAST * most).max(f32::MIN_POSITIVE));
    }
    let mut found = Seams::default();
    for seam in seams {
        each(skeleton, clip, seam.start.max(1)..seam.end.min(clip.frames()), |joint, frame, speed, acceleration| {
            let limit = limits[joint.index()];
            found.speed.see(speed / limit[0], joint, frame);
            if let Some(acceleration) = acceleration {
                found.acceleration.see(acceleration / limit[1], joint, frame);
            }
        });
    }
    found
}

impl Worst {
    fn see(&mut self, ratio: f32, joint: JointId, frame: usize) {
        if ratio > self.ratio {
            *self = Self { ratio, joint, frame };
        }
    }
}

/// Tells angular speed (rad/s) into each frame and, where there is a frame after it, angular acceleration (rad/s²) in it.
fn each(
    skeleton: &Skeleton,
    clip: &Clip,
    frames: Range<usize>,
    mut tell: impl FnMut(JointId, usize, f32, Option<f32>),
) {
    assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
    let rate = clip.rate();
    for frame in frames {
        let (before, now) = (clip.frame(frame - 1), clip.frame(frame));
        let after = (frame + 1 < clip.frames()).then(|| clip.frame(frame + 1));
        for joint in skeleton.joints() {
            let k = joint.index();
            let turn = quat::log(before[k].rotation.conjugate() * now[k].rotation);
            let change = after.map(|after| {
                let next = quat::log(now[k].rotation.conjugate() * after[k].rotation);
                (next - turn).length() * rate * rate
            });
            tell(joint, frame, turn.length() * rate, change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rigid;
    use crate::rig::Joint;
    use glam::{Quat, Vec3A};

    #[test]
    fn a_jump_is_seen_where_it_is_and_only_in_seams() {
        let at = Rigid::from_translation(Vec3A::Y);
        let skeleton = Skeleton::new(vec![Joint::new("a", None, at), Joint::new("b", Some(0), at)]).unwrap();
        let clip = |jump: f32| {
            let frame = |k: usize| {
                let turned = |angle: f32| Rigid { rotation: Quat::from_rotation_x(angle), ..at };
                let late = if k >= 20 { jump } else { 0.0 };
                [turned(0.02 * k as f32), turned(0.01 * k as f32 + late)]
            };
            Clip::new(&skeleton, "", 30.0, (0..40).flat_map(frame).collect()).unwrap()
        };
        let (even, jumps) = (clip(0.0), clip(0.05));
        let measured = |span: Range<usize>| measure_seams(&skeleton, &[&even], &jumps, &[span]);
        let none = measured(5..15);
        assert!((none.speed.ratio - 1.0).abs() < 1e-2, "{none:?}");
        let seen = measured(15..25);
        assert_eq!((seen.speed.joint, seen.speed.frame), (JointId(1), 20));
        assert!((seen.speed.ratio - 6.0).abs() < 0.1, "{seen:?}");
        assert!(seen.acceleration.ratio > 10.0 && [19, 20].contains(&seen.acceleration.frame), "{seen:?}");
        assert_eq!(measure_seams(&skeleton, &[], &jumps, &[]), Seams::default());
    }
}
