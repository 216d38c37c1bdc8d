//! Limbs that were lost: they stand still to the last digit beside a body that goes on, and leap to where they are found again.

use super::bridge::{Bridge, turns};
use super::{RepairNote, UnderRepair, quick_frames};
use crate::math::quat;
use crate::rig::JointId;
use glam::Quat;
use std::ops::Range;

/// A joint that turns by less than this from frame to frame is written down again, radians: no capture is so still.
const SAME: f32 = 1e-5;
/// The shortest time for which a joint that stands still is lost, seconds.
const SHORTEST: f32 = 0.08;
/// Who turns by this much in a frame, radians, and as fast, rad/s (1800°/s), leaps: no limb is so fast.
const LEAPS: [f32; 2] = [0.26, 31.4];
/// A joint that was lost is found where it does not leap for this long, seconds: it may be found turned round at first.
const CALM: f32 = 0.1;
/// It is found within this time after it stood still, seconds.
const FOUND: f32 = 0.3;
/// A body that goes on does so by this much while a limb stands still, metres of a person.
const GOES_ON: f32 = 0.05;
/// Before its first frame that is known a limb goes back as fast as it moves there, for about this time, seconds.
const FADES: f32 = 0.03;

/// A time in which a joint stands still.
struct Lost {
    joint: JointId,
    /// The first frame has the last value that is known, unless the clip begins with it.
    frames: Range<usize>,
    leaps: bool,
}

/// Puts limbs that were lost on the way between where they were and where they are found; `person` is how
/// large the body is beside a person.
pub(super) fn mend(on: &mut UnderRepair<'_>, person: f32) {
    let rate = on.clip.rate();
    let leap = LEAPS[0].max(LEAPS[1] / rate);
    let mut lost: Vec<Lost> = Vec::new();
    let mut tracks: Vec<(Vec<Quat>, Vec<f32>)> = Vec::new();
    for joint in on.skeleton.joints() {
        let track = turns(on.clip, joint);
        let steps: Vec<f32> =
            (0..track.len()).map(|f| if f == 0 { 0.0 } else { quat::angle_between(track[f - 1], track[f]) }).collect();
        lost.extend(still(&steps, rate).into_iter().map(|frames| {
            let leaps = frames.end < steps.len() && steps[frames.end] > leap;
            Lost { joint, frames, leaps }
        }));
        tracks.push((track, steps));
    }
    let body = |frame: usize| on.clip.body(on.skeleton, frame).translation;
    let goes_on = |frames: &Range<usize>| body(frames.end - 1).distance(body(frames.start)) > GOES_ON * person;
    // A limb is lost as a whole, though only some of its joints leap.
    let of_one_limb = |a: &Lost, b: &Lost| {
        a.frames.end.abs_diff(b.frames.end) <= 1
            && (on.skeleton.ancestry(a.joint).any(|above| above == b.joint)
                || on.skeleton.ancestry(b.joint).any(|above| above == a.joint))
    };
    let is_lost = |one: &&Lost| {
        let leaps = one.leaps || lost.iter().any(|other| other.leaps && of_one_limb(one, other));
        leaps && one.frames.end < on.clip.frames() && goes_on(&one.frames)
    };
    let mut ways: Vec<(JointId, Range<usize>, f32, Vec<Quat>)> = Vec::new();
    for Lost { joint, frames, .. } in lost.iter().filter(is_lost) {
        let (track, steps) = &tracks[joint.index()];
        let found = found(steps, frames.end, leap, rate);
        let bad = if frames.start == 0 { 0..found } else { frames.start + 1..found };
        let way: Vec<Quat> = if frames.start == 0 {
            let fades = FADES * rate;
            let speed =
                track.get(found + 1).map(|next| quat::log(track[found].conjugate() * *next)).unwrap_or_default();
            let back = |f: usize| {
                let before = (found - f) as f32;
                (track[found] * quat::exp(-speed * (before / (1.0 + before / fades)))).normalize()
            };
            bad.clone().map(back).collect()
        } else {
            let bridge = Bridge::over_turns(&bad, track, quick_frames(rate));
            bad.clone().map(|f| bridge.turn_at(f, track)).collect()
        };
        let off = bad.clone().zip(&way).map(|(f, way)| quat::angle_between(track[f], *way)).fold(0.0, f32::max);
        ways.push((*joint, bad, off, way));
    }
    for (joint, bad, turn, way) in ways {
        for (f, rotation) in bad.clone().zip(way) {
            on.clip.frame_mut(f)[joint.index()].rotation = rotation;
        }
        on.notes.push(RepairNote::Spike { joint, frames: bad.start + on.offset..bad.end + on.offset, turn });
    }
}

/// Spans of frames in which a joint does not turn.
fn still(steps: &[f32], rate: f32) -> Vec<Range<usize>> {
    let shortest = ((SHORTEST * rate).round() as usize).max(3);
    let (mut found, mut start) = (Vec::new(), 0);
    for frame in 1..=steps.len() {
        if frame == steps.len() || steps[frame] > SAME {
            if frame - start > shortest {
                found.push(start..frame);
            }
            start = frame;
        }
    }
    found
}

/// The first frame from one on after which a joint does not leap for a while; the frame itself if there is none soon.
fn found(steps: &[f32], from: usize, leap: f32, rate: f32) -> usize {
    let [calm, soon] = [CALM, FOUND].map(|seconds| (seconds * rate).round() as usize);
    let rests = |f: usize| steps[f + 1..(f + 1 + calm).min(steps.len())].iter().all(|step| *step < leap);
    (from..(from + soon).min(steps.len())).find(|f| rests(*f)).unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use super::super::{Repair, Repaired};
    use crate::math::{Rigid, quat};
    use crate::motion::Clip;
    use crate::rig::{Joint, Skeleton};
    use glam::{Quat, Vec3A};

    /// A body that goes at 2 m/s, and its leg, which swings; in some frames it is as in another.
    fn runs(rate: f32, speed: f32, as_in: impl Fn(usize) -> usize) -> (Skeleton, Clip) {
        let down = |name: &str, parent| Joint::new(name, parent, Rigid::from_translation(-0.45 * Vec3A::Y));
        let hips = Joint::new("hips", None, Rigid::from_translation(0.9 * Vec3A::Y));
        let joints = vec![hips, down("knee", Some(0)), down("ankle", Some(1)), down("toe", Some(2))];
        let skeleton = Skeleton::new(joints).expect("in order");
        let mut clip = Clip::new(&skeleton, "run", rate, skeleton.rest().repeat(150)).expect("as many");
        for f in 0..150 {
            let frame = clip.frame_mut(f);
            frame[0].translation.z = speed * f as f32 / rate;
            frame[1].rotation = Quat::from_rotation_x(1.2 * (9.0 * as_in(f) as f32 / rate).sin());
            frame[2].rotation = Quat::from_rotation_x(0.1 * (9.0 * as_in(f) as f32 / rate).sin());
        }
        (skeleton, clip)
    }

    fn most(a: &Clip, b: &Clip) -> f32 {
        let off = |f: usize| quat::angle_between(a.frame(f)[1].rotation, b.frame(f)[1].rotation);
        (0..a.frames()).map(off).fold(0.0, f32::max)
    }

    #[test]
    fn a_leg_that_was_lost_is_led_to_where_it_is_found() {
        let lost = |f: usize| if (60..80).contains(&f) { 60 } else { f };
        let (skeleton, good) = runs(120.0, 2.0, |f| f);
        let (_, clip) = runs(120.0, 2.0, lost);
        let leap = quat::angle_between(clip.frame(79)[1].rotation, clip.frame(80)[1].rotation);
        let Repaired { clip: mended, notes } = Repair::default().run(&skeleton, &clip);
        assert!(leap > 0.5 && most(&good, &mended) < 0.15, "{leap}: {} rad off, {notes:?}", most(&good, &mended));
        let (_, clip) = runs(120.0, 2.0, |f| if f < 15 { 75 } else { f });
        let Repaired { clip: mended, notes } = Repair::default().run(&skeleton, &clip);
        let steps = (1..150).map(|f| quat::angle_between(mended.frame(f - 1)[1].rotation, mended.frame(f)[1].rotation));
        assert!(steps.fold(0.0, f32::max) < 0.12, "it does not leap: {notes:?}");
    }

    #[test]
    fn who_stands_still_is_left_alone() {
        // With all of the body, and without a leap.
        for (speed, as_in) in [
            (0.0, (|f| if (60..80).contains(&f) { 60 } else { f }) as fn(usize) -> usize),
            (2.0, |f| if f < 60 { f } else { f.max(80) - 20 }),
        ] {
            let (skeleton, clip) = runs(120.0, speed, as_in);
            let repaired = Repair::default().run(&skeleton, &clip);
            assert!(speed == 0.0 || repaired.notes.is_empty(), "{:?}", repaired.notes);
            let still = |clip: &Clip| clip.frame(62)[2].rotation == clip.frame(61)[2].rotation;
            assert!(still(&repaired.clip), "the ankle stays");
        }
    }
}
