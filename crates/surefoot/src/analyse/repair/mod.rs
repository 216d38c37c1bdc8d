//! Repair: capture glitches found and mended, without touching good fast motion.

mod bridge;
mod dropped;
mod jumps;
mod shake;
mod still;
mod stray;

use crate::math::{quat, window};
use crate::motion::Clip;
use crate::rig::{JointId, Scale, Skeleton};
use bridge::{Bridge, bridge_turns, note_turns, turns};
use glam::{Quat, Vec3, Vec3A};
pub(crate) use jumps::spread_jumps;
use shake::{calmed, shakes};
use std::ops::Range;

/// How glitches are told from motion. Distances and speeds are a person's ([`Scale`]).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Repair {
    /// Mend joints that leave their path for a moment.
    pub spikes: bool,
    /// Cut at places where the root jumps, keeping the longest part, and frozen frames at the ends.
    pub teleports: bool,
    /// Longest glitch that is mended, seconds, > 0. Clips with fewer than two frames in that time are not mended: whether
    /// one frame is a glitch or a drawn pose cannot be told.
    pub longest: f32,
    /// Least departure of a joint from its path for one frame, radians, > 0; 15 % more for each further frame.
    pub least_turn: f32,
    /// Longest time for which a joint may be turned away, all at once and all at once back, and is mended, seconds: markers
    /// that were taken for each other.
    pub longest_swap: f32,
    /// Least turn that is no movement if it takes no more than 25 ms, radians, > 0.
    pub least_swap: f32,
    /// A joint that goes to and fro faster than this is calmed, rad/s: ten times a second, no body does that. If `None`, none is.
    pub least_shake: Option<f32>,
    /// Least departure of the root from its path, metres, > 0.
    pub least_move: f32,
    /// Least distance by which a joint's place is off its path in a single frame, though no joint is turned far, metres, > 0.
    pub least_stray: f32,
    /// Speed of the root above which it does not move but jump, m/s.
    pub jump_speed: f32,
}

impl Default for Repair {
    fn default() -> Self {
        Self {
            spikes: true,
            teleports: true,
            longest: 0.045,
            least_turn: 16.0_f32.to_radians(),
            longest_swap: 0.3,
            least_swap: 45.0_f32.to_radians(),
            least_shake: None,
            least_move: 0.06,
            least_stray: 0.012,
            jump_speed: 18.0,
        }
    }
}

/// One thing that was repaired. Frames are those of the clip before it was cut.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum RepairNote {
    /// A joint was off its path and was put back on it.
    Spike {
        /// The joint.
        joint: JointId,
        /// The frames mended.
        frames: Range<usize>,
        /// How far off it was, radians.
        turn: f32,
    },
    /// A joint turns at once, farther than it can, and stays so: which side of it is right cannot be told, and it was left as it
    /// is.
    Turned {
        /// The joint.
        joint: JointId,
        /// The frames in which it turns.
        frames: Range<usize>,
        /// How far, radians.
        turn: f32,
    },
    /// The root was off its path and was put back on it.
    Hop {
        /// The frames mended.
        frames: Range<usize>,
        /// How far off it was, metres.
        distance: f32,
    },
    /// A joint's place was off its path for a frame, and all that it hangs from was put back on it.
    Stray {
        /// The joint.
        joint: JointId,
        /// The frame mended.
        frames: Range<usize>,
        /// How far off it was, metres.
        distance: f32,
    },
    /// The clip is frozen at its start or end: not one joint moves in these frames, which were cut.
    Frozen {
        /// The frames cut.
        frames: Range<usize>,
    },
    /// Nothing moved in these frames, and the body was then where it would have come to meanwhile: it was led over them.
    Dropped {
        /// The frames mended.
        frames: Range<usize>,
    },
    /// The root jumped; only one part of the clip was kept.
    Cut {
        /// The frames kept.
        kept: Range<usize>,
        /// Where it jumped first.
        jump: usize,
    },
    /// The floor was askew, and the whole clip was turned to make it level.
    Tilted {
        /// By how much, radians.
        tilt: f32,
    },
}

/// A mended clip and what was done to it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Repaired {
    /// The clip.
    pub clip: Clip,
    /// What was done, in order of time.
    pub notes: Vec<RepairNote>,
}

/// A joint is gone over at most this often: mending one glitch may bare another.
const ROUNDS: usize = 4;

impl Repair {
    /// Mends a clip.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn run(&self, skeleton: &Skeleton, clip: &Clip) -> Repaired {
        assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let mut clip = clip.clone();
        let mut notes = Vec::new();
        // Limits are for people; a giant's root moves farther in a frame.
        let scale = Scale::of_height(skeleton.height());
        // Frames too far apart to tell a glitch from a movement are left alone.
        let spikes = self.mends_spikes(&clip);
        // A hop that comes back is mended before anything is cut for it.
        if spikes {
            dropped::mend(&mut clip, scale.length(1.0), &mut notes);
            self.mend_hops(&mut clip, skeleton, scale, &mut notes);
        }
        let mut start = 0;
        if self.teleports {
            let kept = self.longest_part(skeleton, &clip, scale);
            if kept.len() < clip.frames() {
                let jump = if kept.start > 0 { kept.start } else { kept.end };
                notes.push(RepairNote::Cut { kept: kept.clone(), jump });
                clip = clip.trimmed(kept.clone());
                start = kept.start;
            }
            // The ends of a cycle are no ends.
            let moving = if clip.cycle().is_some() { 0..clip.frames() } else { moving_part(&clip) };
            for frozen in [0..moving.start, moving.end..clip.frames()].into_iter().filter(|frames| !frames.is_empty()) {
                notes.push(RepairNote::Frozen { frames: frozen.start + start..frozen.end + start });
            }
            start += moving.start;
            clip = if moving.len() < clip.frames() { clip.trimmed(moving) } else { clip };
        }
        if spikes {
            // What was cut at the start may have hidden a hop.
            if start > 0 {
                let from = notes.len();
                self.mend_hops(&mut clip, skeleton, scale, &mut notes);
                for note in &mut notes[from..] {
                    if let RepairNote::Hop { frames, .. } = note {
                        *frames = frames.start + start..frames.end + start;
                    }
                }
            }
            let mut on = UnderRepair { skeleton, clip: &mut clip, offset: start, notes: &mut notes };
            still::mend(&mut on, scale.length(1.0));
            for joint in skeleton.joints() {
                let mut turns = Turns::of(on.clip, joint);
                self.mend_swaps(&mut on, &mut turns);
                self.mend_shakes(&mut on, &mut turns);
                self.mend_spikes(&mut on, &mut turns);
                self.tell_turns(&mut on, &turns);
            }
            stray::mend(skeleton, &mut clip, scale.length(self.least_stray), start, &mut notes);
        }
        notes.sort_by_key(|note| match note {
            RepairNote::Spike { frames, .. }
            | RepairNote::Turned { frames, .. }
            | RepairNote::Hop { frames, .. }
            | RepairNote::Stray { frames, .. }
            | RepairNote::Dropped { frames }
            | RepairNote::Frozen { frames } => frames.start,
            RepairNote::Cut { .. } | RepairNote::Tilted { .. } => 0,
        });
        Repaired { clip, notes }
    }

    /// Puts single frames back on their path in which a joint's place is off it, though no joint is turned far.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    pub(crate) fn mend_strays(&self, skeleton: &Skeleton, clip: &mut Clip) {
        assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let least = Scale::of_height(skeleton.height()).length(self.least_stray);
        stray::mend(skeleton, clip, least, 0, &mut Vec::new());
    }

    fn mends_spikes(&self, clip: &Clip) -> bool {
        self.spikes && self.longest * clip.rate() > 2.0
    }

    /// Mends the spikes of one joint.
    pub(crate) fn mend_joint(&self, on: &mut UnderRepair<'_>, joint: JointId) {
        let mut turns = Turns::of(on.clip, joint);
        self.mend_spikes(on, &mut turns);
    }

    fn mend_spikes(&self, on: &mut UnderRepair<'_>, turns: &mut Turns) {
        // Mending one glitch may bare another; one that stays as it was is none.
        let mut before = 0..0;
        for _ in 0..ROUNDS {
            if !self.mends_spikes(on.clip) || !self.mend_turns(on, turns) {
                break;
            }
            let Some(RepairNote::Spike { frames, .. }) = on.notes.last() else { break };
            if before == *frames {
                on.notes.pop();
                break;
            }
            before = frames.clone();
        }
    }

    fn mend_hops(&self, clip: &mut Clip, skeleton: &Skeleton, scale: Scale, notes: &mut Vec<RepairNote>) {
        let pelvis = skeleton.pelvis();
        for joint in skeleton.roots().chain((skeleton.parent(pelvis).is_some()).then_some(pelvis)) {
            self.mend_moves(clip, joint, scale, notes);
        }
    }

    /// The longest run of frames without a jump of the root.
    fn longest_part(&self, skeleton: &Skeleton, clip: &Clip, scale: Scale) -> Range<usize> {
        let mut best = 0..0;
        let mut start = 0;
        for frame in 1..=clip.frames() {
            let jumps = frame < clip.frames() && {
                let step = clip.body(skeleton, frame).translation - clip.body(skeleton, frame - 1).translation;
                step.length() * clip.rate() > scale.length(self.jump_speed)
            };
            if jumps || frame == clip.frames() {
                if frame - start > best.len() {
                    best = start..frame;
                }
                start = frame;
            }
        }
        best
    }

    /// Mends the spikes of one joint, once; whether there were any.
    fn mend_turns(&self, on: &mut UnderRepair<'_>, turns: &mut Turns) -> bool {
        let glitches = self.glitches(&turns.steps, on.clip.rate(), self.least_turn, &|a, b| turns.between(a, b));
        let mut any = false;
        for (frames, off) in glitches {
            any |= on.bridge(turns.joint, &frames, off, 1);
        }
        if any {
            *turns = Turns::of(on.clip, turns.joint);
        }
        any
    }

    /// Mends times in which a joint is turned away all at once and all at once back.
    fn mend_swaps(&self, on: &mut UnderRepair<'_>, turns: &mut Turns) {
        let rate = on.clip.rate();
        let mut from = 0;
        while let Some((frames, turn)) = self.swap(turns, rate, from) {
            from = frames.end;
            if on.bridge(turns.joint, &frames, turn, quick_frames(rate)) {
                *turns = Turns::of(on.clip, turns.joint);
            }
        }
    }

    /// Calms a joint where it goes to and fro faster than a body can.
    fn mend_shakes(&self, on: &mut UnderRepair<'_>, turns: &mut Turns) {
        let Some(least) = self.least_shake else { return };
        let (joint, rate) = (turns.joint, on.clip.rate());
        let spans = shakes(turns, rate, least);
        for span in &spans {
            let (frames, calm) = calmed(&turns.track, rate, span);
            let off = |(f, calm): (usize, &Quat)| quat::angle_between(turns.track[f], *calm);
            let turn = frames.clone().zip(&calm).map(off).fold(0.0, f32::max);
            for (f, rotation) in frames.clone().zip(calm) {
                on.clip.frame_mut(f)[joint.index()].rotation = rotation;
            }
            on.notes.push(RepairNote::Spike { joint, frames: frames.start + on.offset..frames.end + on.offset, turn });
        }
        if !spans.is_empty() {
            *turns = Turns::of(on.clip, joint);
        }
    }

    /// The first time after a frame in which a joint is turned away, and how far, radians.
    fn swap(&self, turns: &Turns, rate: f32, from: usize) -> Option<(Range<usize>, f32)> {
        let quick = quick_frames(rate);
        let longest = (self.longest_swap * rate).round() as usize;
        let count = turns.track.len();
        let leaps = |f: usize, least: f32| turns.may_be(f - quick, f, least) && turns.between(f - quick, f) > least;
        (from + quick..count).filter(|f| leaps(*f, self.least_swap)).find_map(|leap| {
            let usual = turns.usual(leap, longest);
            if turns.between(leap - quick, leap) < OUT_OF_LINE * usual * quick as f32 {
                return None;
            }
            // It is still on its way where its steps are large.
            let moves = |f: usize| turns.steps[f] > 3.0 * usual + STEADY;
            let first = (from + 1..=leap - quick).rev().find(|f| !moves(*f)).unwrap_or(leap - quick);
            let back = (leap + 1..count.min(leap + longest)).find(|back| {
                let away = |f: usize| turns.between(first, f).min(turns.between(f, *back));
                let off = (leap..=(*back - quick).max(leap)).map(away).fold(f32::INFINITY, f32::min);
                leaps(*back, 0.6 * self.least_swap)
                    && off > 0.7 * self.least_swap
                    && turns.between(first, *back) < 0.4 * off
            })?;
            let last = (back..count.min(back + quick + 4)).find(|f| f + 1 >= count || !moves(f + 1)).unwrap_or(back);
            let turn = (first + 1..last).map(|f| turns.between(first, f)).fold(0.0, f32::max);
            // What is shorter is a spike.
            (last > first + 1 + (self.longest * rate).round() as usize).then_some((first + 1..last, turn))
        })
    }

    /// Tells of turns that are too quick to be movements and were not mended.
    fn tell_turns(&self, on: &mut UnderRepair<'_>, turns: &Turns) {
        let (rate, offset) = (on.clip.rate(), on.offset);
        let quick = quick_frames(rate);
        let mut told = 0;
        for f in quick..turns.track.len() {
            if !turns.may_be(f - quick, f, 1.5 * self.least_swap) {
                continue;
            }
            let turn = turns.between(f - quick, f);
            let wild = || turn > OUT_OF_LINE * turns.usual(f, quick) * quick as f32;
            if f >= told && turn > 1.5 * self.least_swap && wild() {
                on.notes.push(RepairNote::Turned {
                    joint: turns.joint,
                    frames: f - quick + 1 + offset..f + 1 + offset,
                    turn,
                });
                told = f + (self.longest_swap * rate) as usize;
            }
        }
    }

    fn mend_moves(&self, clip: &mut Clip, root: JointId, scale: Scale, notes: &mut Vec<RepairNote>) {
        let track: Vec<Vec3A> = (0..clip.frames()).map(|f| clip.frame(f)[root.index()].translation).collect();
        let distance = |a: usize, b: usize| (track[a] - track[b]).length();
        let steps: Vec<f32> = (0..track.len()).map(|f| if f == 0 { 0.0 } else { distance(f - 1, f) }).collect();
        for (frames, off) in self.glitches(&steps, clip.rate(), scale.length(self.least_move), &distance) {
            let mended = Bridge::over(&frames, track.len(), 1, |f, from| Vec3::from(track[f] - track[from]));
            for frame in frames.clone() {
                clip.frame_mut(frame)[root.index()].translation = track[mended.from] + Vec3A::from(mended.at(frame));
            }
            notes.push(RepairNote::Hop { frames, distance: off });
        }
    }

    /// Short spans in which a track leaves its path and comes back (or, at the clip's ends, does not start or end on
    /// it), with the greatest departure. `distance` measures between two frames, `steps` are those from each frame before.
    fn glitches(
        &self,
        steps: &[f32],
        rate: f32,
        least: f32,
        distance: &dyn Fn(usize, usize) -> f32,
    ) -> Vec<(Range<usize>, f32)> {
        let longest = ((self.longest * rate).round() as usize).max(1);
        let count = steps.len();
        // What a step around here usually is: the middle one over a quarter second either side.
        let around = |frame: usize, except: &Range<usize>| {
            let reach = ((0.25 * rate) as usize).max(4);
            let window = frame.saturating_sub(reach).max(1)..(frame + reach).min(count);
            let mut near: Vec<f32> = window.filter(|f| !except.contains(f)).map(|f| steps[f]).collect();
            near.sort_by(f32::total_cmp);
            near.get(near.len() / 2).copied().unwrap_or(0.0)
        };
        // How far a frame usually is from the middle of its neighbours: small in any smooth motion, however fast.
        let bend = |f: usize| {
            if f == 0 || f + 1 >= count { 0.0 } else { middle_off(steps[f], steps[f + 1], distance(f - 1, f + 1)) }
        };
        let bend_around = |frame: usize, except: &Range<usize>| {
            let reach = ((0.15 * rate) as usize).max(4);
            let window = frame.saturating_sub(reach).max(1)..(frame + reach).min(count);
            let mut near: Vec<f32> = window.filter(|f| *f + 1 < except.start || *f > except.end).map(bend).collect();
            near.sort_by(f32::total_cmp);
            near.get(near.len() * 3 / 4).copied().unwrap_or(f32::INFINITY)
        };
        let mut found: Vec<(Range<usize>, f32)> = Vec::new();
        let mut frame = 1;
        while frame < count {
            // A leap far beyond the usual opens a glitch; it closes where the path is taken up again.
            if steps[frame] < 0.2 * least {
                frame += 1;
                continue;
            }
            let close = (1..=longest).find_map(|length| {
                let end = frame + length;
                if end >= count {
                    return None;
                }
                // Farthest from the middle of the way that it takes up again, and by how much that way has gone on.
                let gap = distance(frame - 1, end);
                let strays = |f: usize| from_middle(distance, frame - 1, f, end);
                let off = (frame..end).map(strays).fold(0.0, f32::max);
                // Every frame of it is off: else a part of it is the glitch.
                if strays(frame).min(strays(end - 1)) < 0.35 * off {
                    return None;
                }
                // A quick movement strays farther from its chord the longer it lasts; so must a glitch.
                let longer = length as f32 - 1.0;
                let wild = || {
                    off > least * (1.0 + 0.15 * longer) && off > around(frame, &(frame..end + 1)) * (3.0 + 0.5 * longer)
                };
                // A lesser leap of a few frames is a glitch too if it towers over how much the path around it bends;
                // bends grow with the square of the span.
                let bend = || bend_around(frame, &(frame..end + 1)) * (0.5 * (length + 1) as f32).powi(2);
                let lone = || length <= LONE && off > 0.35 * least && off > 10.0 * bend();
                // What is usual is asked for last: it takes long to find.
                (gap < 0.7 * off && (wild() || lone())).then_some((frame..end, off))
            });
            if let Some((frames, off)) = close {
                frame = frames.end + 1;
                found.push((frames, off));
                continue;
            }
            // At the ends there is only one side: a leap of five times the usual from a few frames.
            let leaps = || steps[frame] > 5.0 * around(frame, &(frame..frame + 1));
            let wild = count > 8 && steps[frame] > 1.5 * least && leaps();
            // So is a lesser one that towers over all steps on its inner side; at slower rates it may be a movement.
            let towers = |inner: Range<usize>| {
                let most = inner.map(|f| steps[f]).fold(0.0, f32::max);
                count > 8 && rate >= QUICK_RATE && steps[frame] > 0.35 * least && steps[frame] > TOWERS * most
            };
            let reach = ((0.15 * rate) as usize).max(4);
            let near = frame.min(count - frame) <= longest.min(LONE);
            if frame <= longest && (wild || near && towers(frame + 1..(frame + reach).min(count))) {
                found.retain(|(frames, _)| frames.start >= frame);
                found.push((0..frame, steps[frame]));
            } else if count - frame <= longest && (wild || near && towers(frame.saturating_sub(reach).max(1)..frame)) {
                found.push((frame..count, steps[frame]));
                break;
            }
            frame += 1;
        }
        found
    }
}

/// Frames that a lesser leap lasts at most.
const LONE: usize = 3;

/// A lesser leap at an end of a clip is a glitch if it is this many times as far as any step after or before it: movements begin and
/// end over more than one frame.
const TOWERS: f32 = 4.0;

/// Lesser leaps at an end are looked for from this rate on, Hz.
const QUICK_RATE: f32 = 100.0;

/// A quick turn is a jump of the capture, and no movement, if it is this many times as far as is usual around it.
const OUT_OF_LINE: f32 = 5.0;

/// A joint that turns less than this from frame to frame is steady, radians.
const STEADY: f32 = 0.035;

/// Frames in 25 ms: the time in which a turn of a right angle is a jump.
fn quick_frames(rate: f32) -> usize {
    ((0.025 * rate).round() as usize).max(1)
}

/// A clip that is being mended, and what is noted of it.
pub(crate) struct UnderRepair<'a> {
    pub(crate) skeleton: &'a Skeleton,
    pub(crate) clip: &'a mut Clip,
    /// How many frames were cut before its first: frames of notes are so many more than the clip's.
    pub(crate) offset: usize,
    pub(crate) notes: &'a mut Vec<RepairNote>,
}

impl UnderRepair<'_> {
    /// Leads a joint over frames in which it is off by so much, radians, if that makes its motion more even; whether it does. How fast
    /// it comes and goes is seen over `pace` frames.
    fn bridge(&mut self, joint: JointId, frames: &Range<usize>, off: f32, pace: usize) -> bool {
        let Some(with) = bridge_turns(self.skeleton, self.clip, joint, frames, pace) else { return false };
        note_turns(self.notes, joint, off, with, frames.start + self.offset..frames.end + self.offset);
        true
    }
}

/// A joint's rotations by frame, and how far it turns from each to the next, radians.
struct Turns {
    joint: JointId,
    track: Vec<Quat>,
    steps: Vec<f32>,
}

impl Turns {
    fn of(clip: &Clip, joint: JointId) -> Self {
        let track = turns(clip, joint);
        let step = |f: usize| if f == 0 { 0.0 } else { quat::angle_between(track[f - 1], track[f]) };
        Self { joint, steps: (0..track.len()).map(step).collect(), track }
    }

    /// Whether the turn between two frames may be more than `least`: not if all steps from one to the other are less together,
    /// whatever rounding does.
    fn may_be(&self, a: usize, b: usize, least: f32) -> bool {
        self.steps[a + 1..=b].iter().sum::<f32>() > 0.99 * least
    }

    fn between(&self, a: usize, b: usize) -> f32 {
        quat::angle_between(self.track[a], self.track[b])
    }

    /// The middle step within so many frames of one, radians.
    fn usual(&self, frame: usize, reach: usize) -> f32 {
        let mut near = self.steps[window(frame, 2 * reach.max(8), self.steps.len())].to_vec();
        near.sort_by(f32::total_cmp);
        near[near.len() / 2]
    }
}

/// The clip without frozen ends: three or more frames there in which nothing at all changes, as a tracker leaves them
/// that has lost its subject. A clip that never moves is left as it is.
fn moving_part(clip: &Clip) -> Range<usize> {
    let same = |a: usize, b: usize| clip.frame(a) == clip.frame(b) && clip.roots()[a] == clip.roots()[b];
    let last = clip.frames() - 1;
    let head = (1..=last).take_while(|f| same(*f - 1, *f)).count();
    if head == last {
        return 0..clip.frames();
    }
    let tail = (1..=last).rev().take_while(|f| same(*f - 1, *f)).count();
    let start = if head >= 2 { head } else { 0 };
    start..if tail >= 2 { clip.frames() - tail } else { clip.frames() }
}

/// How far frame `f` is from the middle between frames `a` and `b`: the median of the triangle they make.
fn from_middle(distance: &dyn Fn(usize, usize) -> f32, a: usize, f: usize, b: usize) -> f32 {
    middle_off(distance(a, f), distance(f, b), distance(a, b))
}

/// The median of a triangle onto its side `gap`.
fn middle_off(to_a: f32, to_b: f32, gap: f32) -> f32 {
    (0.5 * (to_a * to_a + to_b * to_b) - 0.25 * gap * gap).max(0.0).sqrt()
}
