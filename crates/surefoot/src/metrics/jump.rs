//! Single frames that are out of line: what an eye sees as a snap.

use super::size::{size_of, span};
use crate::math::quat;
use crate::motion::Clip;
use crate::rig::{JointId, ModelPose, Pose, Skeleton};
use glam::{Quat, Vec3, Vec3A};

/// A step from one frame to the next that is out of line with the steps before and after it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Jump {
    /// The joint.
    pub joint: JointId,
    /// The frame that it jumps from.
    pub frame: usize,
    /// How far out of line it is.
    pub by: JumpBy,
    /// How many times as far as may be.
    pub over: f32,
}

/// How far a jump is out of line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum JumpBy {
    /// The joint turns, radians.
    Turn(f32),
    /// The joint's place, metres.
    Place(f32),
}

/// A turn that is less out of line than this is none, radians: 12°.
const LEAST_TURN: f32 = 12.0 * std::f32::consts::PI / 180.0;
/// A place that is less, metres, for a body whose joints span 1.5 m.
const LEAST_PLACE: f32 = 0.015;
/// Steps usually change; this many times as much is out of line.
const USUAL: f32 = 8.0;
/// Time either side over which what is usual is taken, seconds.
const AROUND: f32 = 0.3;
/// Joints that jump so soon after each other jump together, seconds.
const TOGETHER: f32 = 0.05;

/// All jumps of a clip, the farthest out of line first. Fingers, thumbs, controls and slots do not count: they are captured
/// badly or not at all.
///
/// # Panics
/// If the clip was made for another skeleton.
#[must_use]
pub fn find_jumps(skeleton: &Skeleton, clip: &Clip) -> Vec<Jump> {
    assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
    let joints: Vec<JointId> = skeleton.joints().filter(|joint| counts(skeleton.name(*joint))).collect();
    let frames = clip.frames();
    let (mut turns, mut places) = (vec![Vec::new(); joints.len()], vec![Vec::new(); joints.len()]);
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
    let mut spans = Vec::with_capacity(frames);
    let mut last: Vec<(Quat, Vec3A)> = Vec::new();
    for f in 0..frames {
        pose.locals.copy_from_slice(clip.frame(f));
        pose.to_model(skeleton, &mut model);
        let root = clip.roots()[f];
        let now: Vec<(Quat, Vec3A)> = joints
            .iter()
            .map(|joint| {
                let local = clip.frame(f)[joint.index()].rotation;
                let turn = if skeleton.parent(*joint).is_some() { local } else { root.rotation * local };
                (turn, root.transform_point(model[*joint].translation))
            })
            .collect();
        spans.push(span(now.iter().map(|(_, place)| place.y)));
        for (k, ((turn, place), (old_turn, old_place))) in now.iter().zip(&last).enumerate() {
            turns[k].push(quat::log((*turn * old_turn.conjugate()).normalize()));
            places[k].push(Vec3::from(*place - *old_place));
        }
        last = now;
    }
    // The height of a body that lies flat is no measure.
    let size = size_of(spans).max(0.7);
    let reach = ((AROUND * clip.rate()).round() as usize).max(1);
    let mut jumps = Vec::new();
    for (k, joint) in joints.iter().enumerate() {
        for (steps, least, by) in [
            (&turns[k], LEAST_TURN, JumpBy::Turn as fn(f32) -> JumpBy),
            (&places[k], LEAST_PLACE * size, JumpBy::Place),
        ] {
            jumps.extend(out_of_line(steps, least, reach).into_iter().map(|(frame, far, over)| Jump {
                joint: *joint,
                frame,
                by: by(far),
                over,
            }));
        }
    }
    jumps.sort_by(|a, b| b.over.total_cmp(&a.over));
    jumps
}

/// Seconds at which something jumps: joints that jump together count once.
#[must_use]
pub fn jump_moments(clip: &Clip, jumps: &[Jump]) -> Vec<f32> {
    let mut times: Vec<f32> = jumps.iter().map(|jump| jump.frame as f32 / clip.rate()).collect();
    times.sort_by(f32::total_cmp);
    let mut last = f32::NEG_INFINITY;
    times.retain(|time| *time - std::mem::replace(&mut last, *time) > TOGETHER);
    times
}

/// Whether a joint of this name counts.
fn counts(name: &str) -> bool {
    let name = name.to_lowercase();
    let little = ["finger", "thumb", "index", "control", "slot"].iter().any(|word| name.contains(word));
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    !little && !name.ends_with("_end") && !words.any(|word| word.ends_with("ik"))
}

/// Steps that are out of line: the frame, by how much, and how many times as much as may be.
fn out_of_line(steps: &[Vec3], least: f32, reach: usize) -> Vec<(usize, f32, f32)> {
    let change: Vec<f32> = steps.windows(2).map(|pair| (pair[1] - pair[0]).length()).collect();
    if change.len() < 4 {
        return Vec::new();
    }
    let far = |i: usize| {
        // Speeding up or down steadily is no jump.
        let bow = (steps[i] - 0.5 * (steps[i - 1] + steps[i + 1])).length();
        change[i - 1].min(change[i]).min(bow)
    };
    let mut found: Vec<(usize, f32, f32)> = Vec::new();
    for i in 1..steps.len() - 1 {
        let by = far(i);
        if by <= least {
            continue;
        }
        // At either end what comes after is told by what was before, and the other way round.
        let reach = reach.min((change.len() - 2) / 2);
        let last = change.len() - 1;
        let before = (1..=reach).map(|back| (i - 1).abs_diff(back));
        let after = (0..=reach).map(|on| last - last.abs_diff(i - 1 + on));
        let mut around: Vec<f32> = before.chain(after).map(|place| change[place]).collect();
        around.sort_by(f32::total_cmp);
        let may = least + USUAL * around[around.len() / 2];
        if by > may {
            match found.last_mut().filter(|last| i - last.0 <= 3) {
                Some(last) if by > last.1 => *last = (i, by, by / may),
                Some(_) => {}
                None => found.push((i, by, by / may)),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rigid;
    use crate::rig::Joint;

    /// A pole that nods and goes ahead evenly, `bent` by frame.
    fn pole(bent: impl Fn(usize) -> f32, ahead: impl Fn(usize) -> f32) -> (Skeleton, Clip) {
        let at = |y: f32| Rigid::from_translation(Vec3A::Y * y);
        let joints = vec![Joint::new("hips", None, at(1.0)), Joint::new("head", Some(0), at(0.6))];
        let skeleton = Skeleton::new(joints).unwrap();
        let frames = 120;
        let locals = (0..frames)
            .flat_map(|f| [at(1.0), Rigid { rotation: Quat::from_rotation_x(bent(f)), ..at(0.6) }])
            .collect();
        let mut clip = Clip::new(&skeleton, "pole", 60.0, locals).unwrap();
        for (f, root) in clip.roots_mut().iter_mut().enumerate() {
            root.translation.z = ahead(f);
        }
        (skeleton, clip)
    }

    #[test]
    fn one_frame_out_of_line_is_found_and_even_motion_is_none() {
        let nod = |f: usize| 0.3 * (0.1 * f as f32).sin();
        let walk = |f: usize| 0.02 * f as f32;
        let (skeleton, clip) = pole(nod, walk);
        assert_eq!(find_jumps(&skeleton, &clip), []);
        let (skeleton, clip) = pole(|f| nod(f) + if f > 60 { 0.7 } else { 0.0 }, walk);
        let jumps = find_jumps(&skeleton, &clip);
        assert!(jumps.iter().any(|jump| jump.frame == 60 && skeleton.name(jump.joint) == "head"), "{jumps:?}");
        assert_eq!(jump_moments(&clip, &jumps).len(), 1, "{jumps:?}");
        let (skeleton, clip) = pole(nod, |f| walk(f) + if f > 40 { 0.08 } else { 0.0 });
        let jumps = find_jumps(&skeleton, &clip);
        assert_eq!(jumps.len(), 2, "both joints move: {jumps:?}");
        assert!(jumps.iter().all(|jump| jump.frame == 40 && matches!(jump.by, JumpBy::Place(_))), "{jumps:?}");
        // Starting at once is fast, but no jump: it goes on.
        let (skeleton, clip) = pole(nod, |f| 0.05 * f.saturating_sub(30) as f32);
        assert_eq!(find_jumps(&skeleton, &clip), []);
    }

    #[test]
    fn what_is_usual_beside_an_end_is_told_by_the_frames_that_there_are() {
        // Still, but for one step, and busy from the eighth frame on.
        let busy = |f: usize| if f.is_multiple_of(2) { 0.2 } else { -0.2 };
        let ahead = |f: usize| if f == 2 { 1.0 } else { f32::from(f >= 8) * busy(f) };
        let steps: Vec<Vec3> = (0..24).map(|f| Vec3::Z * ahead(f)).collect();
        let back: Vec<Vec3> = steps.iter().rev().copied().collect();
        assert_eq!(out_of_line(&steps, 0.015, 8).iter().map(|jump| jump.0).collect::<Vec<_>>(), [2]);
        assert_eq!(out_of_line(&back, 0.015, 8).iter().map(|jump| jump.0).collect::<Vec<_>>(), [21]);
    }

    #[test]
    fn a_clip_of_few_frames_has_none() {
        let (skeleton, clip) = pole(|_| 0.0, |_| 0.0);
        for frames in 1..6 {
            assert_eq!(find_jumps(&skeleton, &clip.trimmed(0..frames)), []);
        }
    }
}
