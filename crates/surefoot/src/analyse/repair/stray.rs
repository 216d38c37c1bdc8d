//! Strays: single frames in which a part of a body is somewhere else, though each of its joints is hardly turned.

use super::RepairNote;
use crate::math::{Rigid, quat, window};
use crate::motion::Clip;
use crate::rig::{JointId, ModelPose, Pose, Skeleton};
use glam::{Vec3, Vec3A};

/// A place that is this many times as far from the middle of its neighbours as is usual around it is none of its path.
const OUT_OF_LINE: f32 = 3.0;
/// What is usual is seen over this time either side, seconds.
const AROUND: f32 = 0.15;
/// The frames before and after one that strays bend the other way by half as much; by this share at least.
const BACK: f32 = 0.3;
/// Distances are told for clips of this many frames a second, Hz.
const MEANT_FOR: f32 = 100.0;
/// A body is gone over at most this often: putting back one frame may bare another.
const ROUNDS: usize = 4;

/// Puts frames back on their path in which a joint's place is off it by more than `least` metres, with all that it hangs from.
/// `offset` is how many frames were cut before the clip's first.
pub(super) fn mend(skeleton: &Skeleton, clip: &mut Clip, least: f32, offset: usize, notes: &mut Vec<RepairNote>) {
    for _ in 0..ROUNDS {
        let found = strays(skeleton, clip, least);
        if found.is_empty() {
            return;
        }
        for Stray { joint, frame, distance } in found {
            for above in skeleton.ancestry(joint) {
                put_back(clip, above, frame);
            }
            let frames = frame + offset..frame + offset + 1;
            notes.push(RepairNote::Stray { joint, frames, distance });
        }
    }
}

struct Stray {
    joint: JointId,
    frame: usize,
    /// From the middle of its neighbours, metres.
    distance: f32,
}

/// Frames in which places stray, one for each frame: the joint that is farthest off. No two of them are next to each other.
fn strays(skeleton: &Skeleton, clip: &Clip, least: f32) -> Vec<Stray> {
    let frames = clip.frames();
    // Frames that are farther apart are farther from the middle of their neighbours, by the square of the time between them.
    let least = least * (MEANT_FOR / clip.rate()).max(1.0).powi(2);
    let places = places(skeleton, clip);
    let reach = ((AROUND * clip.rate()).round() as usize).max(4);
    let mut worst: Vec<Option<Stray>> = (0..frames).map(|_| None).collect();
    for joint in skeleton.joints() {
        let at = |f: usize| places[f * skeleton.len() + joint.index()];
        let off = |f: usize| at(f) - 0.5 * (at(f - 1) + at(f + 1));
        for f in 2..frames.saturating_sub(2) {
            let here = off(f);
            let distance = here.length();
            let back = |other: usize| off(other).dot(here) < -BACK * distance * distance;
            if distance < least || !back(f - 1) || !back(f + 1) {
                continue;
            }
            let near = window(f, reach, frames).filter(|g| *g > 0 && *g + 1 < frames && g.abs_diff(f) > 1);
            let mut near: Vec<f32> = near.map(|g| off(g).length()).collect();
            near.sort_by(f32::total_cmp);
            let usual = near.get(near.len() * 3 / 4).copied().unwrap_or(f32::INFINITY);
            if distance > OUT_OF_LINE * usual && worst[f].as_ref().is_none_or(|other| other.distance < distance) {
                worst[f] = Some(Stray { joint, frame: f, distance });
            }
        }
    }
    // Of two neighbours the one that is farther off is looked at first.
    let mut found: Vec<Stray> = Vec::new();
    for stray in worst.into_iter().flatten() {
        match found.last_mut() {
            Some(last) if last.frame + 1 == stray.frame => {
                if last.distance < stray.distance {
                    *last = stray;
                }
            }
            _ => found.push(stray),
        }
    }
    found
}

/// Where joints are, by frame and joint, world.
fn places(skeleton: &Skeleton, clip: &Clip) -> Vec<Vec3A> {
    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::new(skeleton);
    let mut places = Vec::with_capacity(clip.frames() * skeleton.len());
    for f in 0..clip.frames() {
        pose.locals.copy_from_slice(clip.frame(f));
        pose.to_model(skeleton, &mut model);
        let root = clip.roots()[f];
        places.extend(skeleton.joints().map(|joint| root.transform_point(model[joint].translation)));
    }
    places
}

/// Puts a joint at a frame on the cubic through two frames before and two after.
fn put_back(clip: &mut Clip, joint: JointId, frame: usize) {
    let local = |f: usize| clip.frame(f)[joint.index()];
    let from = local(frame - 1);
    let turned = |f: usize| quat::log(from.rotation.conjugate() * local(f).rotation);
    let moved = |f: usize| local(f).translation - from.translation;
    // The middle of a cubic: four parts of either neighbour less one of either next, of six.
    let turn: Vec3 = (4.0 * turned(frame + 1) - turned(frame - 2) - turned(frame + 2)) / 6.0;
    let way: Vec3A = (4.0 * moved(frame + 1) - moved(frame - 2) - moved(frame + 2)) / 6.0;
    clip.frame_mut(frame)[joint.index()] =
        Rigid { rotation: (from.rotation * quat::exp(turn)).normalize(), translation: from.translation + way };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Joint;
    use glam::Quat;

    /// A leg of three joints that swings, with some of its turns.
    fn leg(rate: f32, off: impl Fn(usize) -> f32) -> (Skeleton, Clip) {
        let down = |name: &str, parent| Joint::new(name, parent, Rigid::from_translation(-0.45 * Vec3A::Y));
        let skeleton =
            Skeleton::new(vec![down("hip", None), down("knee", Some(0)), down("ankle", Some(1))]).expect("in order");
        let mut clip = Clip::new(&skeleton, "leg", rate, skeleton.rest().repeat(120)).expect("as many");
        for f in 0..120 {
            let swing = 0.4 * (6.0 * f as f32 / rate).sin();
            for joint in 0..2 {
                clip.frame_mut(f)[joint].rotation = Quat::from_rotation_x(swing + off(f));
            }
        }
        (skeleton, clip)
    }

    #[test]
    fn a_foot_that_strays_for_a_frame_is_put_back() {
        // Three degrees at hip and knee are 50 mm at the foot.
        let (skeleton, good) = leg(120.0, |_| 0.0);
        let (_, mut clip) = leg(120.0, |f| if f == 60 { 0.05 } else { 0.0 });
        let mut notes = Vec::new();
        mend(&skeleton, &mut clip, 0.012, 10, &mut notes);
        assert!(
            matches!(&notes[..], [RepairNote::Stray { joint, frames, distance }]
                if joint.index() == 2 && *frames == (70..71) && *distance > 0.03),
            "{notes:?}"
        );
        let (good, now) = (places(&skeleton, &good), places(&skeleton, &clip));
        let most = good.iter().zip(&now).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
        assert!(most < 1e-3, "{most} m off");
    }

    #[test]
    fn motion_is_left_alone() {
        // Even motion, a tremor of every frame, and a leg that stops at once.
        for (rate, off) in [
            (120.0, (|_| 0.0) as fn(usize) -> f32),
            (120.0, |f| if f % 2 == 0 { 0.03 } else { 0.0 }),
            (60.0, |f| 0.02 * (f.min(60) as f32)),
        ] {
            let (skeleton, mut clip) = leg(rate, off);
            let (before, mut notes) = (clip.clone(), Vec::new());
            mend(&skeleton, &mut clip, 0.012, 0, &mut notes);
            assert!(notes.is_empty() && clip == before, "{rate} Hz: {notes:?}");
        }
    }
}
