//! Bridges: a smooth way over frames that a capture got wrong, for one joint and for what turned back against it.

use super::RepairNote;
use crate::math::{Rigid, quat};
use crate::motion::Clip;
use crate::rig::{JointId, Skeleton};
use glam::{Quat, Vec3, Vec3A};
use std::ops::Range;

/// A smooth way over bad frames: a cubic between the good ones either side, or a straight line off one of them at
/// the clip's ends.
pub(super) struct Bridge {
    /// The good frame that values are relative to.
    pub(super) from: usize,
    start: f32,
    span: f32,
    end: Vec3,
    velocities: [Vec3; 2],
}

impl Bridge {
    /// Over rotations; speeds are those over `pace` frames.
    pub(super) fn over_turns(bad: &Range<usize>, track: &[Quat], pace: usize) -> Self {
        Self::over(bad, track.len(), pace, |f, from| quat::log(track[from].conjugate() * track[f]))
    }

    /// The rotation at a frame of a bridge over rotations.
    pub(super) fn turn_at(&self, frame: usize, track: &[Quat]) -> Quat {
        (track[self.from] * quat::exp(self.at(frame))).normalize()
    }

    /// `relative(f, from)` is the value of frame f as seen from frame `from`; speeds are those over `pace` frames.
    pub(super) fn over(bad: &Range<usize>, count: usize, pace: usize, relative: impl Fn(usize, usize) -> Vec3) -> Self {
        // Velocities from the steps just outside the gap; none where the clip ends.
        let before = bad.start.checked_sub(1);
        let after = (bad.end < count).then_some(bad.end);
        match (before, after) {
            (Some(a), Some(b)) => {
                let steps = pace as f32;
                let va = if a >= pace { (relative(a, a) - relative(a - pace, a)) / steps } else { Vec3::ZERO };
                let vb = if b + pace < count { (relative(b + pace, a) - relative(b, a)) / steps } else { Vec3::ZERO };
                Self { from: a, start: a as f32, span: (b - a) as f32, end: relative(b, a), velocities: [va, vb] }
            }
            (None, Some(b)) => {
                let v =
                    if b + pace < count { (relative(b + pace, b) - relative(b, b)) / pace as f32 } else { Vec3::ZERO };
                Self { from: b, start: b as f32, span: 0.0, end: Vec3::ZERO, velocities: [v, v] }
            }
            (Some(a), None) => {
                let v = if a >= pace { (relative(a, a) - relative(a - pace, a)) / pace as f32 } else { Vec3::ZERO };
                Self { from: a, start: a as f32, span: 0.0, end: Vec3::ZERO, velocities: [v, v] }
            }
            (None, None) => Self { from: 0, start: 0.0, span: 0.0, end: Vec3::ZERO, velocities: [Vec3::ZERO; 2] },
        }
    }

    pub(super) fn at(&self, frame: usize) -> Vec3 {
        let [va, vb] = self.velocities;
        let t = frame as f32 - self.start;
        if self.span == 0.0 {
            return va * t;
        }
        let (h, u) = (self.span, t / self.span);
        let (u2, u3) = (u * u, u * u * u);
        (u3 - 2.0 * u2 + u) * h * va + (3.0 * u2 - 2.0 * u3) * self.end + (u3 - u2) * h * vb
    }
}

/// A joint's rotations by frame.
pub(super) fn turns(clip: &Clip, joint: JointId) -> Vec<Quat> {
    (0..clip.frames()).map(|f| clip.frame(f)[joint.index()].rotation).collect()
}

/// Puts a joint on the way between the frames before and after some, if that makes its motion more even; `None` if it does
/// not, else what was put right with it. How fast it comes and goes is seen over `pace` frames.
///
/// A tracker that turns a joint wrongly turns what hangs from it back: hips against thighs. Where what hangs from a child moves
/// more evenly if it keeps its place, it is put right together with its parent; and where all of it moves more evenly as it
/// is, a joint above it was turned.
pub(super) fn bridge_turns(
    skeleton: &Skeleton,
    clip: &mut Clip,
    joint: JointId,
    frames: &Range<usize>,
    pace: usize,
) -> Option<Vec<TurnedBack>> {
    let track = turns(clip, joint);
    let bridge = Bridge::over_turns(frames, &track, pace);
    let before = unevenness(skeleton, clip, joint, frames);
    let set = |clip: &mut Clip, joint: JointId, rotations: &[Quat]| {
        for (f, rotation) in frames.clone().zip(rotations) {
            clip.frame_mut(f)[joint.index()].rotation = *rotation;
        }
    };
    let mended: Vec<Quat> = frames.clone().map(|f| bridge.turn_at(f, &track)).collect();
    set(clip, joint, &mended);
    let wrong: f32 = frames.clone().zip(&mended).map(|(f, mended)| quat::angle_between(track[f], *mended)).sum();
    let mut children: Vec<TurnedBack> = Vec::new();
    for child in skeleton.children(joint) {
        let Some(back) = turned_back(skeleton, clip, child, frames, wrong) else { continue };
        let own: Vec<Quat> = turns(clip, back)[frames.clone()].to_vec();
        let held = |(i, own): (usize, &Quat)| {
            let f = frames.start + i;
            let between = skeleton.ancestry(back).skip(1).take_while(|above| *above != joint);
            let between = between.fold(Quat::IDENTITY, |below, j| clip.frame(f)[j.index()].rotation * below);
            ((mended[i] * between).conjugate() * track[f] * between * *own).normalize()
        };
        let held: Vec<Quat> = own.iter().enumerate().map(held).collect();
        let path = turns(clip, back);
        let way = Bridge::over_turns(frames, &path, pace);
        let even: Vec<Quat> = frames.clone().map(|f| way.turn_at(f, &path)).collect();
        // As it was, in its old place in the world if that brings it nearer to its own way, or on that way: what moves most
        // evenly.
        let off = |rotations: &[Quat]| -> f32 {
            even.iter().zip(rotations).map(|(even, rotation)| quat::angle_between(*even, *rotation)).sum()
        };
        let nearer = off(&held) < off(&own);
        let mut uneven = |rotations: &[Quat]| {
            set(clip, back, rotations);
            unevenness(skeleton, clip, back, frames)
        };
        let (free, bridged) = (uneven(&own), uneven(&even));
        let kept = if nearer { uneven(&held) } else { f32::INFINITY };
        let best = if free <= kept.min(bridged) {
            &own
        } else if kept < bridged {
            &held
        } else {
            &even
        };
        set(clip, back, best);
        let turn = own.iter().zip(best).map(|(own, best)| quat::angle_between(*own, *best)).fold(0.0, f32::max);
        children.push(TurnedBack { joint: back, own, turn });
    }
    let better = unevenness(skeleton, clip, joint, frames) < before;
    if !better {
        set(clip, joint, &track[frames.clone()]);
        children.iter().for_each(|child| set(clip, child.joint, &child.own));
        return None;
    }
    children.retain(|child| child.turn > 0.0);
    Some(children)
}

/// A joint that was turned back against one that was turned wrongly.
pub(super) struct TurnedBack {
    joint: JointId,
    /// Its rotations as they were.
    own: Vec<Quat>,
    /// How far it was put right, radians.
    turn: f32,
}

/// Notes a joint that was mended after those that were put right with it.
pub(super) fn note_turns(
    notes: &mut Vec<RepairNote>,
    joint: JointId,
    turn: f32,
    with: Vec<TurnedBack>,
    frames: Range<usize>,
) {
    let spike = |joint: JointId, turn: f32| RepairNote::Spike { joint, frames: frames.clone(), turn };
    notes.extend(with.into_iter().map(|other| spike(other.joint, other.turn)));
    notes.push(spike(joint, turn));
}

/// The joint at the top of a chain that is turned back against what was turned by `wrong` radians in all: the first that is off
/// its own path, if there is one.
fn turned_back(skeleton: &Skeleton, clip: &Clip, top: JointId, frames: &Range<usize>, wrong: f32) -> Option<JointId> {
    let mut joint = top;
    loop {
        let track = turns(clip, joint);
        let way = Bridge::over_turns(frames, &track, 1);
        let off: f32 = frames.clone().map(|f| quat::angle_between(track[f], way.turn_at(f, &track))).sum();
        if off > 0.3 * wrong {
            return Some(joint);
        }
        let mut children = skeleton.children(joint);
        joint = children.next()?;
        if children.next().is_some() {
            return None;
        }
    }
}

/// How unevenly a joint and all that hangs from it move in some frames, in the world: the sum of squares of second differences
/// of their places, and of three points about the joint that tell how it is turned, m².
fn unevenness(skeleton: &Skeleton, clip: &Clip, top: JointId, frames: &Range<usize>) -> f32 {
    let around = frames.start.saturating_sub(2)..(frames.end + 2).min(clip.frames());
    let mut below: Vec<JointId> = vec![top];
    for joint in skeleton.joints().skip(top.index() + 1) {
        if skeleton.parent(joint).is_some_and(|parent| below.contains(&parent)) {
            below.push(joint);
        }
    }
    let points = below.len() + 3;
    let mut places: Vec<Vec3A> = Vec::with_capacity(points * around.len());
    let mut world = vec![Rigid::IDENTITY; skeleton.len()];
    for f in around {
        let locals = clip.frame(f);
        let above = skeleton.ancestry(top).fold(Rigid::IDENTITY, |below, joint| locals[joint.index()] * below);
        world[top.index()] = clip.roots()[f] * above;
        let size = locals[top.index()].translation.length().clamp(0.05, 0.3);
        let own = world[top.index()];
        places.extend([Vec3A::X, Vec3A::Y, Vec3A::Z].map(|axis| own.transform_point(size * axis)));
        places.push(own.translation);
        for joint in &below[1..] {
            let Some(parent) = skeleton.parent(*joint) else { continue };
            world[joint.index()] = world[parent.index()] * locals[joint.index()];
            places.push(world[joint.index()].translation);
        }
    }
    let bend = |i: usize| places[i - points] - 2.0 * places[i] + places[i + points];
    (points..places.len().saturating_sub(points)).map(|i| bend(i).length_squared()).sum()
}
