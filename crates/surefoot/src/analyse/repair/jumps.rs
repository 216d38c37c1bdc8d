//! Jumps: steps from one frame to the next after which a part of a body is elsewhere and stays there, spread over some frames.

use super::bridge::{Bridge, turns};
use crate::math::{Rigid, quat};
use crate::metrics::{Jump, find_jumps};
use crate::motion::Clip;
use crate::rig::{JointId, Skeleton};
use glam::{Vec3, Vec3A};
use std::ops::Range;

/// A jump is spread over this time before and after it, seconds: what is longer would be missed, what is shorter still jumps.
const SPREAD: f32 = 0.025;
/// How fast a joint comes and goes is seen over this time, seconds: one frame's noise is no speed.
const SEEN: f32 = 0.017;
/// Clips of fewer frames a second are left alone, Hz: what is between frames that far apart may be a movement.
const LEAST_RATE: f32 = 100.0;
/// Of all that a joint hangs from, what is out of line by this share of what is farthest out of line jumps with it.
const WITH: f32 = 0.25;
/// A body is gone over at most this often: spreading one jump may bare another.
const ROUNDS: usize = 3;

/// Spreads the jumps of a clip, but for those in which one of the joints jumps that are `kept`; whether there were any.
///
/// # Panics
/// If the clip was made for another skeleton.
pub(crate) fn spread_jumps(skeleton: &Skeleton, clip: &mut Clip, kept: &[JointId]) -> bool {
    if clip.rate() < LEAST_RATE {
        return false;
    }
    let mut any = false;
    for _ in 0..ROUNDS {
        let mut jumps = find_jumps(skeleton, clip);
        jumps.retain(|jump| !kept.contains(&jump.joint));
        let mut spread: Vec<(JointId, usize)> = Vec::new();
        for Jump { joint, frame, .. } in jumps {
            let off = skeleton.ancestry(joint).map(|above| (above, out_of_line(clip, above, frame)));
            let off: Vec<(JointId, f32)> = off.collect();
            let most = off.iter().map(|(_, off)| *off).fold(0.0, f32::max);
            let with = || off.iter().filter(|(_, off)| *off > WITH * most).map(|(above, _)| *above);
            // What legs hang from jumps with them: they would have to be led back to their feet.
            if with().any(|above| kept.contains(&above)) {
                continue;
            }
            any = true;
            for above in with() {
                let near = |(other, at): &(JointId, usize)| *other == above && at.abs_diff(frame) <= reach(clip);
                if !spread.iter().any(near) {
                    lead(clip, above, frame);
                    spread.push((above, frame));
                }
            }
        }
        if spread.is_empty() {
            break;
        }
    }
    any
}

/// Frames before and after a jump over which it is spread.
fn reach(clip: &Clip) -> usize {
    ((SPREAD * clip.rate()).round() as usize).max(2)
}

/// How far the step of a joint from a frame to the next is out of line with those before and after it: its turn, radians, and its
/// place's by the length of an arm, if it moves.
fn out_of_line(clip: &Clip, joint: JointId, frame: usize) -> f32 {
    let last = clip.frames() - 1;
    let step = |f: usize| {
        let [a, b] = [f.min(last - 1), f.min(last - 1) + 1].map(|f| clip.frame(f)[joint.index()]);
        let turn = quat::log((b.rotation * a.rotation.conjugate()).normalize());
        (turn, Vec3::from(b.translation - a.translation))
    };
    let (before, here, after) = (step(frame.saturating_sub(1)), step(frame), step(frame + 1));
    let turn = here.0 - 0.5 * (before.0 + after.0);
    let way = here.1 - 0.5 * (before.1 + after.1);
    turn.length() + way.length() / ARM
}

/// Metres: what is so far away from a joint that turns by a radian moves as far.
const ARM: f32 = 0.5;

/// Leads a joint smoothly from some frames before a jump to some after it.
fn lead(clip: &mut Clip, joint: JointId, frame: usize) {
    let (count, reach) = (clip.frames(), reach(clip));
    let pace = ((SEEN * clip.rate()).round() as usize).max(1);
    // From a frame too near to the clip's end nothing is seen of how it comes or goes.
    let start = if frame + 1 < reach + pace { 0 } else { frame + 1 - reach };
    let end = if frame + 1 + reach + pace >= count { count } else { frame + 1 + reach };
    let bad: Range<usize> = start..end;
    if bad.len() == count {
        return;
    }
    let track = turns(clip, joint);
    let places: Vec<Vec3A> = (0..count).map(|f| clip.frame(f)[joint.index()].translation).collect();
    let turn = Bridge::over_turns(&bad, &track, pace);
    let way = Bridge::over(&bad, count, pace, |f, from| Vec3::from(places[f] - places[from]));
    for f in bad {
        let translation = places[way.from] + Vec3A::from(way.at(f));
        clip.frame_mut(f)[joint.index()] = Rigid { rotation: turn.turn_at(f, &track), translation };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Joint;
    use glam::Quat;

    /// A body that goes ahead, with an arm that swings and is turned by so much from a frame on.
    fn body(rate: f32, leaps: usize, by: f32) -> (Skeleton, Clip) {
        let joint = |name: &str, parent, at: Vec3A| Joint::new(name, parent, Rigid::from_translation(at));
        let skeleton = Skeleton::new(vec![
            joint("hips", None, Vec3A::Y),
            joint("arm", Some(0), 0.5 * Vec3A::Y),
            joint("hand", Some(1), -0.6 * Vec3A::Y),
            joint("head", Some(0), 0.7 * Vec3A::Y),
        ])
        .unwrap();
        let mut clip = Clip::new(&skeleton, "body", rate, skeleton.rest().repeat(120)).unwrap();
        for f in 0..120 {
            let swing = 0.4 * (4.0 * f as f32 / rate).sin() + if f > leaps { by } else { 0.0 };
            clip.frame_mut(f)[1].rotation = Quat::from_rotation_x(swing);
            clip.roots_mut()[f].translation.z = 1.2 * f as f32 / rate;
        }
        (skeleton, clip)
    }

    #[test]
    fn a_step_that_stays_is_spread_and_nothing_else_moves() {
        for leaps in [1, 60, 117] {
            let (skeleton, before) = body(120.0, leaps, 0.3);
            assert!(leaps != 60 || !find_jumps(&skeleton, &before).is_empty());
            let mut clip = before.clone();
            let any = spread_jumps(&skeleton, &mut clip, &[]);
            assert_eq!(any, !find_jumps(&skeleton, &before).is_empty());
            assert_eq!(find_jumps(&skeleton, &clip), [], "{leaps}");
            for f in 0..120 {
                let moved = clip.frame(f) != before.frame(f);
                assert!(!moved || f.abs_diff(leaps) < 9, "frame {f} of a leap at {leaps}");
                assert_eq!([clip.frame(f)[0], clip.frame(f)[3]], [before.frame(f)[0], before.frame(f)[3]]);
            }
        }
    }

    #[test]
    fn motion_that_is_kept_or_slow_or_even_stays_to_the_bit() {
        let (skeleton, before) = body(120.0, 60, 0.3);
        let mut clip = before.clone();
        assert!(!spread_jumps(&skeleton, &mut clip, &[JointId(1), JointId(2)]) && clip == before);
        for (rate, by) in [(60.0, 0.3), (120.0, 0.0)] {
            let (skeleton, before) = body(rate, 60, by);
            let mut clip = before.clone();
            assert!(!spread_jumps(&skeleton, &mut clip, &[]) && clip == before, "{rate} Hz");
        }
    }
}
