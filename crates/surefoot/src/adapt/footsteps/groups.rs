//! Which strides of the groups are blended: by how much the way bends, and how fast it is gone.

use super::fit::{Curve, Pull, Sample};
use super::{Mark, Midway, Score};
use crate::library::strides::{StrideKind, Strides};
use crate::math::smoothstep;

/// How strides of the groups are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct BlendGroups {
    /// How turns are smoothed: one control in so many strides.
    pub spacing: f32,
    /// Strides that it takes from running to walking.
    pub slow_down: f32,
}

impl Default for BlendGroups {
    fn default() -> Self {
        Self { spacing: 1.0, slow_down: 2.0 }
    }
}

/// Turns and speeds over the phases of a score.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GroupCurves {
    turn: Curve<1>,
    speeds: Vec<KnownSpeed>,
    slow_down: f32,
}

/// A speed that is known: 0 walking, 1 running.
#[derive(Clone, Copy, Debug, PartialEq)]
struct KnownSpeed {
    phase: f32,
    speed: f32,
}

/// Turns are looked at every so many strides.
const LOOK: f32 = 0.125;
/// They are told from places so many strides before and after: the way between the feet does not sway.
const APART: f32 = 0.25;
/// How much a curve of turns is pulled to being straight.
const STRAIGHT: f64 = 1e-6;

impl BlendGroups {
    /// Turns from the way between marks, speeds from what was planned.
    pub(crate) fn run(&self, strides: &Strides, score: &Score, marks: &[Mark]) -> GroupCurves {
        let phases: Vec<f32> = score.beats.iter().map(|beat| beat.phase).collect();
        let way = Midway::of_marks(marks, &phases, [false; 2]);
        let sample = |k: usize| {
            let time = LOOK * k as f32;
            // Who turns on the spot bends no way.
            let turns =
                score.spans.iter().find(|span| span.end > time).map(|span| strides.strides[span.stride].turns_on_spot);
            let turn = way.curvature(time, APART).filter(|_| turns != Some(true));
            Sample { time, value: [turn.unwrap_or(0.0)], weight: f32::from(u8::from(turn.is_some())) }
        };
        let samples: Vec<Sample<1>> = (0..=(score.end / LOOK) as usize).map(sample).collect();
        let turn = Curve::fit(&samples, (0.0, score.end), self.spacing.max(LOOK), Pull::Straight(STRAIGHT));
        let mut speeds = Vec::with_capacity(2 * score.spans.len());
        for span in &score.spans {
            let stride = &strides.strides[span.stride];
            match span.kind {
                StrideKind::Special => {
                    speeds.push(KnownSpeed { phase: span.start, speed: stride.entry_speed.clamp(0.0, 1.0) });
                    speeds.push(KnownSpeed { phase: span.end, speed: stride.exit_speed.clamp(0.0, 1.0) });
                }
                kind => {
                    let speed = if kind == StrideKind::Run { 1.0 } else { 0.0 };
                    speeds.push(KnownSpeed { phase: 0.5 * (span.start + span.end), speed });
                }
            }
        }
        GroupCurves { turn, speeds, slow_down: self.slow_down.max(1e-3) }
    }
}

impl GroupCurves {
    /// How much the way bends at a phase, 1/m, left positive.
    pub(crate) fn turn(&self, phase: f32) -> f32 {
        self.turn.at(phase)[0]
    }

    /// How fast it is gone at a phase: 0 walking, 1 running.
    pub(crate) fn speed(&self, phase: f32) -> f32 {
        let next = self.speeds.partition_point(|known| known.phase <= phase);
        let before = next.checked_sub(1).map(|k| self.speeds[k]);
        match (before, self.speeds.get(next)) {
            (Some(a), Some(b)) => speed_between([a.speed, b.speed], [phase - a.phase, b.phase - phase], self.slow_down),
            (Some(only), None) => only.speed,
            (None, Some(only)) => only.speed,
            (None, None) => 0.0,
        }
    }
}

/// The speed between two that are known, by how far they are away in strides; it takes `slow_down` strides from running to
/// walking. Where both are too near to walk between them it passes evenly from one to the other.
fn speed_between([s1, s2]: [f32; 2], [d1, d2]: [f32; 2], slow_down: f32) -> f32 {
    let (d, d0) = (d1 + d2, slow_down * (s1 + s2));
    if d0 <= 0.0 {
        return 0.0;
    }
    if d <= 0.0 {
        return s1.max(s2);
    }
    let even = (s1 * d2 + s2 * d1) / d;
    let dip = (s1 - d1 / slow_down).max(s2 - d2 / slow_down).max(0.0);
    let m = smoothstep((d - d0) / d0);
    (1.0 - m) * even + m * dip
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Rng, Seed};

    #[test]
    fn speeds_meet_their_ends_and_change_little_with_length() {
        let mut rng = Rng::new(Seed(3)).stream("speeds");
        for _ in 0..20_000 {
            let (ends, d) = ([rng.range(0.0, 1.0), rng.range(0.0, 1.0)], rng.range(0.01, 12.0));
            let at = |share: f32, d: f32| speed_between(ends, [share * d, (1.0 - share) * d], 2.0);
            assert!((at(0.0, d) - ends[0]).abs() < 1e-5 && (at(1.0, d) - ends[1]).abs() < 1e-5, "{ends:?} over {d}");
            let share = rng.range(0.0, 1.0);
            let changed = (at(share, 1.0001 * d) - at(share, d)).abs();
            assert!(changed < 1e-3, "{changed} at {share} of {d}, {ends:?}");
        }
        assert_eq!(speed_between([0.0, 0.0], [1.0, 1.0], 2.0), 0.0);
        assert_eq!(speed_between([0.4, 1.0], [0.0, 0.0], 2.0), 1.0);
    }

    /// As printed: evenly up to twice the way that slowing down takes, then down to a walk.
    #[test]
    fn the_printed_profile_jumps_where_this_one_does_not() {
        let printed = |[s1, s2]: [f32; 2], [d1, d2]: [f32; 2], sigma: f32| {
            let d = d1 + d2;
            if d < 2.0 * sigma * (s1 + s2) {
                (s1 * d2 + s2 * d1) / d
            } else {
                (s1 - d1 / sigma).max(s2 - d2 / sigma).max(0.0)
            }
        };
        let jump = |profile: &dyn Fn([f32; 2], [f32; 2], f32) -> f32| {
            let middle = |d: f32| profile([1.0, 1.0], [0.5 * d, 0.5 * d], 2.0);
            (0..1200)
                .map(|k| (middle(0.01 * (k + 1) as f32) - middle(0.01 * k as f32 + 1e-6)).abs())
                .fold(0.0, f32::max)
        };
        assert!(jump(&printed) > 0.9 && jump(&speed_between) < 0.01, "{} and {}", jump(&printed), jump(&speed_between));
    }
}
