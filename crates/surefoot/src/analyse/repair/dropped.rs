//! Frames that a tracker dropped: the whole body stands still to the last digit, and is then where it would have come to meanwhile.

use super::RepairNote;
use crate::math::{Rigid, quat};
use crate::motion::Clip;
use glam::{Vec3, Vec3A};
use std::ops::Range;

/// Frames that say the same as the one before them are dropped if there are so many one after the other: fewer may have been written
/// twice.
const LEAST: usize = 2;
/// And for no longer than this, seconds: what a body did in more time nobody knows.
const LONGEST: f32 = 0.1;
/// The leap after them is what the body goes in the time, within these shares of it.
const LEAPS: [f32; 2] = [0.6, 1.5];
/// A body that goes on less than this in the time, metres of a person, stands.
const GOES: f32 = 0.02;

/// Leads the whole body over frames that were dropped; `person` is how large the body is beside a person.
pub(super) fn mend(clip: &mut Clip, person: f32, notes: &mut Vec<RepairNote>) {
    let same = |f: usize| clip.frame(f - 1) == clip.frame(f) && clip.roots()[f - 1] == clip.roots()[f];
    let frames = clip.frames();
    let longest = (LONGEST * clip.rate()).round() as usize;
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut f = 1;
    while f < frames {
        let still = (f..frames).take_while(|f| same(*f)).count();
        if (LEAST..=longest).contains(&still) && leaps(clip, f - 1..f + still, person) {
            found.push(f..f + still);
        }
        f += still.max(1);
    }
    for dropped in found {
        lead(clip, &dropped);
        notes.push(RepairNote::Dropped { frames: dropped });
    }
}

/// The body in a frame: the root and all of its joints' own places, which a skeleton's root joint has.
fn place(clip: &Clip, f: usize) -> Vec3A {
    clip.roots()[f].transform_point(clip.frame(f)[0].translation)
}

/// Whether the body leaps after frames that are the same by what it goes on in as much time then.
fn leaps(clip: &Clip, same: Range<usize>, person: f32) -> bool {
    let (last, next) = (same.end - 1, same.end);
    let after = next + 2;
    if after >= clip.frames() {
        return false;
    }
    let leap = place(clip, next).distance(place(clip, last));
    let due = 0.5 * place(clip, after).distance(place(clip, next)) * same.len() as f32;
    due > GOES * person && (LEAPS[0] * due..LEAPS[1] * due).contains(&leap)
}

/// Leads every joint from the frame before some to the one after them, as fast at the end as it goes on there; at the beginning as fast
/// as it comes, if that is known.
fn lead(clip: &mut Clip, dropped: &Range<usize>) {
    let (from, to) = (dropped.start - 1, dropped.end);
    let span = (to - from) as f32;
    let joints = clip.frame(0).len();
    let track = |clip: &Clip, joint: Option<usize>, f: usize| match joint {
        Some(joint) => clip.frame(f)[joint],
        None => clip.roots()[f],
    };
    for joint in (0..joints).map(Some).chain([None]) {
        let first = track(clip, joint, from);
        let seen = |f: usize| {
            let now = track(clip, joint, f);
            (
                quat::log((first.rotation.conjugate() * now.rotation).normalize()),
                Vec3::from(now.translation - first.translation),
            )
        };
        let (end, next) = (seen(to), seen((to + 1).min(clip.frames() - 1)));
        let leaves = [next.0 - end.0, next.1 - end.1].map(|step| span * step);
        let comes = (from > 0).then(|| seen(from - 1)).map(|before| [before.0, before.1].map(|step| -span * step));
        let way: Vec<Rigid> = dropped
            .clone()
            .map(|f| {
                let u = (f - from) as f32 / span;
                let at = |k: usize, end: Vec3| match comes {
                    Some(comes) => cubic(u, comes[k], end, leaves[k]),
                    // Nothing is known of what came before: a parabola.
                    None => (2.0 * end - leaves[k]) * u + (leaves[k] - end) * u * u,
                };
                Rigid {
                    rotation: (first.rotation * quat::exp(at(0, end.0))).normalize(),
                    translation: first.translation + Vec3A::from(at(1, end.1)),
                }
            })
            .collect();
        for (f, at) in dropped.clone().zip(way) {
            match joint {
                Some(joint) => clip.frame_mut(f)[joint] = at,
                None => clip.roots_mut()[f] = at,
            }
        }
    }
}

/// The cubic from nothing to an end, with its speeds at both.
fn cubic(u: f32, comes: Vec3, end: Vec3, leaves: Vec3) -> Vec3 {
    let (u2, u3) = (u * u, u * u * u);
    (u3 - 2.0 * u2 + u) * comes + (3.0 * u2 - 2.0 * u3) * end + (u3 - u2) * leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Joint, Skeleton};
    use glam::Quat;

    /// A body that runs and nods, by frame.
    fn runner(rate: f32, time: impl Fn(usize) -> f32) -> Clip {
        let joint = |name: &str, parent| Joint::new(name, parent, Rigid::from_translation(0.9 * Vec3A::Y));
        let skeleton = Skeleton::new(vec![joint("hips", None), joint("head", Some(0))]).unwrap();
        let mut clip = Clip::new(&skeleton, "run", rate, skeleton.rest().repeat(60)).unwrap();
        for f in 0..60 {
            let t = time(f) / rate;
            clip.frame_mut(f)[1].rotation = Quat::from_rotation_x(0.4 * (6.0 * t).sin());
            clip.roots_mut()[f].translation = Vec3A::new(0.0, 0.0, 2.0 * t + 0.5 * t * t);
        }
        clip
    }

    #[test]
    fn a_body_is_led_over_frames_that_were_dropped() {
        let good = runner(120.0, |f| f as f32);
        for dropped in [1..6, 20..24] {
            let mut clip = runner(120.0, |f| if dropped.contains(&f) { (dropped.start - 1) as f32 } else { f as f32 });
            let mut notes = Vec::new();
            mend(&mut clip, 1.0, &mut notes);
            assert_eq!(notes, [RepairNote::Dropped { frames: dropped.clone() }]);
            for f in 0..60 {
                assert!(place(&clip, f).distance(place(&good, f)) < 2e-3, "{f}");
                assert!(quat::angle_between(clip.frame(f)[1].rotation, good.frame(f)[1].rotation) < 0.01, "{f}");
            }
        }
    }

    #[test]
    fn who_stands_or_leaps_from_standing_is_left_alone() {
        // He stands to the last digit and sets off; he stands for longer; and every frame is written twice.
        for time in [
            (|f| f.saturating_sub(5) as f32) as fn(usize) -> f32,
            |f| if (20..40).contains(&f) { 19.0 } else { f as f32 },
            |f| (f / 2 * 2) as f32,
        ] {
            let clip = runner(120.0, time);
            let (mut mended, mut notes) = (clip.clone(), Vec::new());
            mend(&mut mended, 1.0, &mut notes);
            assert!(notes.is_empty() && mended == clip, "{notes:?}");
        }
    }
}
