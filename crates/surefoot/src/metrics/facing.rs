//! Whether a body looks where it goes: walking sideways shows here.

use super::size::{size_of, span};
use super::travel::{STANDS, WAY, hann};
use crate::math::{floor, wrap_angle};
use crate::motion::Clip;
use crate::rig::{ModelPose, Pose, Rig, Side};
use glam::{Vec2, Vec3A};

/// The angle between where a body faces and where it goes, while it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FacingFigures {
    /// Angle that 95 of 100 frames do not exceed, radians.
    pub p95: f32,
    /// Share of the time over 45°.
    pub sideways: f32,
    /// The greatest, radians.
    pub most: f32,
    /// When, seconds.
    pub most_at: f32,
    /// Seconds in which it goes.
    pub going: f32,
}

/// Over how long facing is taken, seconds: hips turn with every step.
const FACING: f32 = 0.3;
/// Walking sideways begins here, radians: 45°.
const SIDEWAYS: f32 = std::f32::consts::FRAC_PI_4;

/// Measures where a body faces against where it goes. `None` for one without legs on both sides, or that never goes.
///
/// # Panics
/// If the clip was made for another skeleton.
#[must_use]
pub fn measure_facing(rig: &Rig, clip: &Clip) -> Option<FacingFigures> {
    let mut off = angles(rig, clip);
    let sideways = off.iter().filter(|(angle, _)| *angle > SIDEWAYS).count();
    off.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (most, frame) = *off.last()?;
    Some(FacingFigures {
        p95: most_of(&off),
        sideways: sideways as f32 / off.len() as f32,
        most,
        most_at: frame as f32 / clip.rate(),
        going: off.len() as f32 / clip.rate(),
    })
}

/// The angle between where bodies face and where they go that 95 of 100 frames of all these clips in which they go do not exceed,
/// radians; 0 where none goes.
///
/// # Panics
/// If a clip was made for another skeleton.
#[must_use]
pub(crate) fn facing_of_all<'a>(rig: &Rig, clips: impl Iterator<Item = &'a Clip>) -> f32 {
    let mut off: Vec<(f32, usize)> = clips.flat_map(|clip| angles(rig, clip)).collect();
    off.sort_by(|a, b| a.0.total_cmp(&b.0));
    if off.is_empty() { 0.0 } else { most_of(&off) }
}

/// Every so many frames tell how large a body is.
const SIZED: usize = 32;

/// What 95 of 100 do not exceed, of angles in order.
fn most_of(off: &[(f32, usize)]) -> f32 {
    off[((off.len() - 1) as f32 * 0.95).round() as usize].0
}

/// The angle between where a body faces and where it goes in every frame in which it goes, radians, and the frame; none for one
/// without legs on both sides.
fn angles(rig: &Rig, clip: &Clip) -> Vec<(f32, usize)> {
    let skeleton = &rig.skeleton;
    assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
    let of = |side: Side| rig.legs.iter().filter(move |leg| leg.side == Some(side)).map(|leg| leg.hip());
    let sides = [of(Side::Left).collect::<Vec<_>>(), of(Side::Right).collect::<Vec<_>>()];
    if sides.iter().any(Vec::is_empty) || clip.frames() < 2 {
        return Vec::new();
    }
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
    let chain = skeleton.chains_to(sides.iter().flatten().copied().chain([rig.body()]));
    let (mut places, mut ahead) = (Vec::new(), Vec::new());
    let mut spans = Vec::new();
    for f in 0..clip.frames() {
        // How large a body is takes all joints, and some frames tell it.
        let whole = f % SIZED == 0;
        if whole {
            pose.locals.copy_from_slice(clip.frame(f));
            pose.to_model(skeleton, &mut model);
        } else {
            model.compose_some(skeleton, clip.frame(f), &chain);
        }
        let world = |joint| clip.roots()[f].transform_point(model[joint].translation);
        places.push(floor::of_point(world(rig.body())));
        let [left, right] = sides
            .each_ref()
            .map(|hips| hips.iter().map(|hip| world(*hip)).fold(Vec3A::ZERO, |a, b| a + b) / hips.len() as f32);
        ahead.push(floor::of_point((left - right).cross(Vec3A::Y)).normalize_or_zero());
        if whole {
            spans.push(span(skeleton.joints().map(|joint| model[joint].translation.y)));
        }
    }
    let size = size_of(spans);
    let window = |seconds: f32| ((seconds * clip.rate()).round() as usize).max(1);
    let (places, ahead) = (hann(&places, window(WAY)), hann(&ahead, window(FACING)));
    let last = places.len() - 1;
    let mut off = Vec::new();
    for f in 0..=last {
        let (from, to) = (f.saturating_sub(1), (f + 1).min(last));
        let v = (places[to] - places[from]) * clip.rate() / (to - from) as f32;
        if v.length() > STANDS * size.sqrt() && ahead[f] != Vec2::ZERO {
            off.push((wrap_angle(floor::heading_of(v) - floor::heading_of(ahead[f])).abs(), f));
        }
    }
    off
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Rigid, quat};
    use crate::rig::{Foot, Joint, JointId, Leg, Skeleton};

    #[test]
    fn going_aside_is_seen_and_standing_is_not_counted() {
        let at = |x: f32, y: f32| Rigid::from_translation(Vec3A::new(x, y, 0.0));
        let joints = [("hips", None, at(0.0, 1.0)), ("l", Some(0), at(0.1, 0.0)), ("r", Some(0), at(-0.1, 0.0))];
        let joints = joints.into_iter().map(|(name, parent, rest)| Joint::new(name, parent, rest));
        let mut joints: Vec<Joint> = joints.collect();
        joints.push(Joint::new("head", Some(0), at(0.0, 0.6)));
        let skeleton = Skeleton::new(joints).unwrap();
        let (heel, ball) = (Vec3A::new(0.0, -0.08, -0.05), Vec3A::new(0.0, -0.08, 0.14));
        let leg = |joint: u16, side: Side| Leg {
            side: Some(side),
            chain: vec![JointId(joint); 3],
            hinges: vec![Vec3A::X],
            toe: None,
            shin: None,
            foot: Foot { heel, ball, up: Vec3A::Y, tip: None, length: 0.25, width: 0.08 },
        };
        let rig = Rig { skeleton, legs: vec![leg(1, Side::Left), leg(2, Side::Right)], mirror: None };
        let locals = || rig.skeleton.rest().to_vec();
        let clip = |aside: f32| {
            // Ahead for two seconds, aside for two, and then it stands for two.
            let (mut place, mut roots) = (Vec3A::ZERO, Vec::new());
            for f in 0..360 {
                roots.push(Rigid { rotation: quat::from_heading(0.5), translation: place });
                let heading = 0.5 + if f < 120 { 0.0 } else { aside };
                let speed = if f < 240 { 1.2 } else { 0.0 };
                place += quat::from_heading(heading) * Vec3A::Z * (speed / 60.0);
            }
            let all = (0..360).flat_map(|_| locals()).collect();
            let mut clip = Clip::new(&rig.skeleton, "aside", 60.0, all).unwrap();
            clip.roots_mut().copy_from_slice(&roots);
            clip
        };
        let straight = measure_facing(&rig, &clip(0.0)).unwrap();
        assert!(straight.p95 < 0.01 && straight.sideways == 0.0, "{straight:?}");
        assert!((straight.going - 4.0).abs() < 0.3, "{straight:?}");
        let aside = measure_facing(&rig, &clip(1.2)).unwrap();
        assert!((aside.p95 - 1.2).abs() < 0.01 && (aside.sideways - 0.5).abs() < 0.05, "{aside:?}");
        assert!(aside.most_at > 2.0, "{aside:?}");
        // Of 24 s in which it goes, 2 s aside are 8 %.
        let all =
            |of: f32| facing_of_all(&rig, [clip(0.0), clip(0.0), clip(of), clip(0.0), clip(0.0), clip(0.0)].iter());
        assert!(all(0.0) < 0.01 && (all(1.2) - 1.2).abs() < 0.05, "{} {}", all(0.0), all(1.2));
        assert_eq!(facing_of_all(&rig, std::iter::empty()), 0.0);
        assert!(measure_facing(&rig, &clip(0.0).trimmed(300..360)).is_none(), "it stands");
        assert!(measure_facing(&Rig { legs: Vec::new(), ..rig.clone() }, &clip(0.0)).is_none());
    }
}
