//! The score of a plan: which stride is played at which phase, and how they pass into each other.

use super::GroupCurves;
use crate::library::strides::{StrideKind, Strides, TurnGroup, part_of_round};
use crate::math::smoothstep;
use crate::plan::footsteps::FootstepPlan;
use crate::rig::Side;

/// The most strides that are blended at a time.
pub(super) const MOST: usize = 12;

/// What is played when. Phases go on from stride to stride: whole numbers are right stances.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Score {
    pub(super) spans: Vec<ScoreSpan>,
    /// The middle of each print's stance.
    pub(crate) beats: Vec<Beat>,
    /// Its last phase.
    pub(crate) end: f32,
}

/// One stride of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScoreSpan {
    pub(super) stride: usize,
    pub(super) kind: StrideKind,
    /// Whether it is blended in the group of its kind.
    pub(super) grouped: bool,
    pub(super) start: f32,
    pub(super) end: f32,
    /// How long before and after its start the one before it passes into it, phases.
    pub(super) fade: f32,
}

/// The middle of a stance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Beat {
    pub(crate) phase: f32,
    pub(crate) side: Side,
    /// How many times as long as in the clips it takes around it, since the other foot rises or sinks by much as it swings.
    pub(super) slower: f32,
}

/// A foot that rises or sinks by more than this in a swing takes more time for it, legs' lengths.
const EASY: f32 = 0.1;
/// How many times as much time more a leg's length takes. On stairs of 17 cm people take 1.3 times as long as on level ground; here feet
/// that lie on edges would be seen to roll.
const SLOWER: f32 = 0.6;
/// The most: who is slower stands on the way.
const SLOWEST: f32 = 1.3;

/// A stride that is played, at which of its phases and how much of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Share {
    pub(super) stride: usize,
    pub(super) phase: f32,
    pub(super) weight: f32,
}

/// All strides that are played at a time; weights add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mix {
    shares: [Share; MOST],
    count: usize,
}

impl Mix {
    pub(super) fn shares(&self) -> &[Share] {
        &self.shares[..self.count]
    }

    fn add(&mut self, stride: usize, phase: f32, weight: f32) {
        if weight <= 1e-5 {
            return;
        }
        let same = |share: &&mut Share| share.stride == stride && (share.phase - phase).abs() < 1e-3;
        if let Some(share) = self.shares[..self.count].iter_mut().find(same) {
            share.weight += weight;
        } else if self.count < MOST {
            self.shares[self.count] = Share { stride, phase, weight };
            self.count += 1;
        }
    }

    fn normalise(&mut self) {
        let sum: f32 = self.shares().iter().map(|share| share.weight).sum();
        if sum > 0.0 {
            self.shares[..self.count].iter_mut().for_each(|share| share.weight /= sum);
        }
    }

    /// How long a round would take, seconds.
    pub(super) fn pace(&self, strides: &Strides) -> f32 {
        self.shares().iter().map(|share| share.weight * strides.strides[share.stride].pace_at(share.phase)).sum()
    }
}

impl Score {
    /// The score of a plan; strides pass into each other within `fade` seconds.
    pub(crate) fn new(strides: &Strides, plan: &FootstepPlan, fade: f32) -> Self {
        let mut spans: Vec<ScoreSpan> = Vec::with_capacity(plan.strides.len());
        let mut beats: Vec<Beat> = Vec::with_capacity(plan.prints.len());
        let mut special: Vec<bool> = Vec::with_capacity(plan.prints.len());
        let mut phase = 0.0;
        for planned in &plan.strides {
            let stride = &strides.strides[planned.stride];
            let end = phase + stride.rounds;
            let pace = stride.pace_at(0.0);
            let fade = match spans.last() {
                Some(last) => {
                    let before = &strides.strides[last.stride];
                    let shorter = stride.rounds.min(before.rounds);
                    (fade / (pace + before.pace_at(before.rounds - 1e-3))).min(0.45 * shorter)
                }
                None => 0.0,
            };
            spans.push(ScoreSpan {
                stride: planned.stride,
                kind: stride.kind,
                grouped: stride.grouped,
                start: phase,
                end,
                fade,
            });
            let prints = planned.last - planned.first;
            let known = if stride.is_cycle() { 2 } else { stride.plants.len() - 1 };
            // The print that two strides share is of both.
            if let Some(shared) = special.last_mut() {
                *shared |= stride.kind == StrideKind::Special;
            }
            for k in usize::from(!beats.is_empty())..=prints {
                let side = strides.side(plan.prints[planned.first + k].print.leg);
                let at = match stride.plants.get(k) {
                    Some(plant) if prints == known && plant.side == side => plant.phase,
                    // As many as a person put there, in even time.
                    _ => stride.rounds * k as f32 / prints.max(1) as f32,
                };
                beats.push(Beat { phase: phase + at, side, slower: 1.0 });
                special.push(stride.kind == StrideKind::Special);
            }
            phase = end;
        }
        let height = |k: usize| plan.prints[k].print.world_from_sole.translation.y;
        for k in 1..beats.len().min(plan.prints.len()).saturating_sub(1) {
            // Flights take the time that they take.
            if special[k - 1] || special[k] || special[k + 1] {
                continue;
            }
            let rise = (height(k + 1) - height(k - 1)).abs() / strides.rig.leg_length();
            beats[k].slower = (1.0 + SLOWER * (rise - EASY).max(0.0)).min(SLOWEST);
        }
        Self { spans, beats, end: phase }
    }

    /// How many times as long as in the clips it takes at a phase.
    pub(super) fn slower(&self, phase: f32) -> f32 {
        let next = self.beats.partition_point(|beat| beat.phase <= phase);
        let (Some(a), Some(b)) = (next.checked_sub(1).and_then(|k| self.beats.get(k)), self.beats.get(next)) else {
            return 1.0;
        };
        let share = (phase - a.phase) / (b.phase - a.phase).max(1e-6);
        a.slower + share * (b.slower - a.slower)
    }

    /// How long its strides take by themselves, seconds.
    pub(super) fn seconds(&self, strides: &Strides) -> f32 {
        self.spans.iter().map(|span| strides.strides[span.stride].seconds).sum()
    }

    /// What is played at a phase: as it was planned, or as curves say which of the groups.
    pub(super) fn mix(&self, strides: &Strides, curves: Option<&GroupCurves>, phase: f32) -> Mix {
        let mut mix = Mix { shares: [Share::default(); MOST], count: 0 };
        let here = self.spans.partition_point(|span| span.end <= phase).min(self.spans.len().max(1) - 1);
        let mut grouped = 0.0;
        for k in here.saturating_sub(1)..(here + 2).min(self.spans.len()) {
            let span = self.spans[k];
            let rise = if k == 0 { 1.0 } else { passed(phase - span.start, span.fade) };
            let fall = self.spans.get(k + 1).map_or(1.0, |next| 1.0 - passed(phase - next.start, next.fade));
            let weight = rise.min(fall);
            match curves {
                Some(_) if span.grouped => grouped += weight,
                _ if span.kind == StrideKind::Special => mix.add(span.stride, phase - span.start, weight),
                // The same stride twice is one.
                _ => mix.add(span.stride, part_of_round(phase), weight),
            }
        }
        if let (Some(curves), true) = (curves, grouped > 0.0) {
            let (turn, speed) = (curves.turn(phase), curves.speed(phase));
            // A body that has no runs walks, and the other way round.
            let speed = match (strides.walks.samples.is_empty(), strides.runs.samples.is_empty()) {
                (true, _) => 1.0,
                (_, true) => 0.0,
                _ => speed,
            };
            for (group, weight) in [(&strides.walks, 1.0 - speed), (&strides.runs, speed)] {
                add_group(&mut mix, group, turn, part_of_round(phase), weight * grouped);
            }
        }
        mix.normalise();
        mix
    }
}

fn add_group(mix: &mut Mix, group: &TurnGroup, turn: f32, phase: f32, weight: f32) {
    let Some(bracket) = group.bracket(turn) else { return };
    for (sample, share) in [(bracket.first, 1.0 - bracket.share), (bracket.second, bracket.share)] {
        let own = &group.samples[sample].strides;
        for stride in own {
            mix.add(*stride, phase, weight * share / own.len() as f32);
        }
    }
}

/// How much of what begins `off` ago is there, if it comes in from `fade` before to `fade` after.
fn passed(off: f32, fade: f32) -> f32 {
    if fade > 1e-6 { smoothstep(0.5 * off / fade + 0.5) } else { f32::from(u8::from(off >= 0.0)) }
}
