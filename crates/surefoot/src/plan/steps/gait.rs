//! Gaits: in which order feet step, and for which share of a cycle each stands.

use crate::character::LegOrder;
use crate::math::{single, smoothstep};
use crate::rig::GRAVITY;

/// The order in which feet step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum GaitPattern {
    /// Each side from back to front, the sides half a cycle apart: people, and beasts that walk.
    Walk,
    /// Neighbours by turns: diagonal pairs of a beast.
    Trot,
    /// Both sides by turns.
    Pace,
    /// Hind feet, then front feet, each pair shortly after one another.
    Gallop,
    /// Neighbours by turns with little time in the air: three feet of six, four of eight, nearly together.
    Tripod,
    /// One foot at a time, from back to front on one side, then on the other.
    Wave,
}

/// Feet of a tripod come down one after another, from back to front, each later than the one behind it by this share of a
/// cycle: insects' feet do not land as one.
const RIPPLE: f32 = 0.04;

impl GaitPattern {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Walk, Self::Trot, Self::Pace, Self::Gallop, Self::Tripod, Self::Wave];

    /// How much later than the first foot this one steps, as a share of the cycle in [0, 1).
    #[must_use]
    pub fn lag(self, leg: LegOrder) -> f32 {
        let (pairs, from_back) = (leg.pairs.max(1) as f32, leg.from_back as f32);
        let side = if leg.left { 0.0 } else { 0.5 };
        let by_turns = 0.5 * ((leg.from_back + usize::from(!leg.left)) % 2) as f32;
        let lag = match self {
            Self::Walk => 0.5 * from_back / pairs + side,
            Self::Trot => by_turns,
            Self::Tripod => by_turns + RIPPLE * from_back,
            Self::Pace => side,
            Self::Gallop => from_back / pairs + 0.2 * side,
            Self::Wave => 0.5 * from_back / pairs + side,
        };
        lag - lag.floor()
    }

    /// The share of a cycle for which a foot stands, of `legs` legs at a Froude number v²/(g h).
    #[must_use]
    pub fn duty(self, legs: usize, froude: f32) -> f32 {
        match self {
            Self::Walk => 0.66 - 0.1 * froude.min(1.0),
            Self::Trot | Self::Pace => 0.55 - 0.1 * froude.min(1.5),
            Self::Gallop => 0.4,
            Self::Tripod => 0.58 - 0.05 * froude.min(1.0),
            Self::Wave => (1.0 - 1.0 / legs.max(2) as f32).clamp(0.6, 0.85),
        }
    }
}

/// Which pattern is walked, by speed or always the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Gait {
    /// The pattern at every speed; without one, speed chooses.
    pub pattern: Option<GaitPattern>,
}

/// A pattern passes into the next over this share of the Froude number at which they change.
const PASSING: f32 = 0.3;

impl Gait {
    /// When each leg steps (its lag, a share of the cycle, passing smoothly between patterns) and the share of the cycle for
    /// which feet stand, at a Froude number v²/(g h). `lags` is filled by leg.
    ///
    /// # Panics
    /// If `lags` is shorter than `legs`.
    pub fn at(&self, legs: &[LegOrder], froude: f32, lags: &mut [f32]) -> f32 {
        let count = legs.len();
        let stages: &[(f32, GaitPattern)] = match (self.pattern, count) {
            (Some(pattern), _) => &[(0.0, pattern)],
            (None, 0..=2) => &[(0.0, GaitPattern::Walk), (0.6, GaitPattern::Trot)],
            (None, 3..=4) => &[(0.0, GaitPattern::Walk), (0.4, GaitPattern::Trot), (2.5, GaitPattern::Gallop)],
            (None, _) => &[(0.0, GaitPattern::Tripod)],
        };
        let (_, first) = stages[0];
        let mut duty = first.duty(count, froude);
        for (lag, leg) in lags.iter_mut().zip(legs) {
            *lag = first.lag(*leg);
        }
        for (from, pattern) in &stages[1..] {
            let share = smoothstep((froude / from - 1.0) / PASSING + 0.5);
            duty += share * (pattern.duty(count, froude) - duty);
            for (lag, leg) in lags.iter_mut().zip(legs) {
                // The short way round.
                let change = pattern.lag(*leg) - *lag;
                *lag += share * (change - change.round());
            }
        }
        duty
    }

    /// Cycles a second at a speed (m/s) for hips at a height (metres), after Alexander (1976): a stride is
    /// 2.3 h (v²/gh)^0.3 long. Slower than a stroll, steps become shorter rather than slower.
    #[must_use]
    pub fn rate(hip: f32, speed: f32) -> f32 {
        let froude = (speed * speed / (GRAVITY * hip)).max(0.04);
        (GRAVITY / hip).sqrt() / 2.3 * single::powf(froude, 0.2)
    }
}

/// How often feet go round in a walk that was drawn for a creature: others of its steps are as calm or as hasty.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Cadence {
    /// The speed at which that was drawn, m/s, > 0.
    pub speed: f32,
    /// Cycles a second at that speed, > 0.
    pub rate: f32,
}

impl Cadence {
    /// Cycles a second at a speed, m/s: fewer, with shorter steps, below the drawn one.
    #[must_use]
    pub fn at(&self, speed: f32) -> f32 {
        single::powf((speed / self.speed).clamp(0.2, 4.0), 0.35) * self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legs(pairs: usize) -> Vec<LegOrder> {
        [true, false]
            .into_iter()
            .flat_map(|left| (0..pairs).rev().map(move |from_back| LegOrder { left, from_back, pairs }))
            .collect()
    }

    #[test]
    fn patterns_are_what_they_are_called() {
        // Left front, left hind, right front, right hind.
        let lags = |pattern: GaitPattern| legs(2).into_iter().map(|leg| pattern.lag(leg)).collect::<Vec<_>>();
        assert_eq!(lags(GaitPattern::Walk), [0.25, 0.0, 0.75, 0.5]);
        assert_eq!(lags(GaitPattern::Trot), [0.5, 0.0, 0.0, 0.5]);
        assert_eq!(lags(GaitPattern::Pace), [0.0, 0.0, 0.5, 0.5]);
        let six: Vec<f32> = legs(3).into_iter().map(|leg| GaitPattern::Tripod.lag(leg)).collect();
        let tripods = [0.0, 0.5, 0.0, 0.5, 0.0, 0.5];
        let off = |k: usize| six[k] - tripods[k];
        assert!(
            (0..6).all(|k| (0.0..0.1).contains(&off(k))),
            "front and hind of a side with the middle of the other: {six:?}"
        );
        assert!(
            [[0, 2], [3, 5], [0, 4], [1, 3]].iter().all(|[a, b]| (off(*a) - off(*b)).abs() > 0.02),
            "not as one: {six:?}"
        );
        for pairs in 1..=4 {
            // A wave never has two feet in the air.
            let mut order: Vec<f32> = legs(pairs).into_iter().map(|leg| GaitPattern::Wave.lag(leg)).collect();
            order.sort_by(f32::total_cmp);
            let apart = 1.0 / (2 * pairs) as f32;
            assert!(order.windows(2).all(|two| (two[1] - two[0] - apart).abs() < 1e-6), "{order:?}");
        }
    }

    #[test]
    fn speed_changes_gait_without_a_jump() {
        let legs = legs(2);
        let (mut before, mut now) = ([0.0; 4], [0.0; 4]);
        let mut duty = Gait::default().at(&legs, 0.0, &mut before);
        for i in 1..4000 {
            let next = Gait::default().at(&legs, 1e-3 * i as f32, &mut now);
            let moved = now.iter().zip(before).map(|(a, b)| (a - b).abs()).fold((next - duty).abs(), f32::max);
            assert!(moved < 0.01, "{moved} at Froude {}", 1e-3 * i as f32);
            assert!((0.25..0.9).contains(&next), "{next}");
            (before, duty) = (now, next);
        }
    }

    #[test]
    fn people_step_as_often_as_people_do() {
        // 1.2 m/s with hips at 0.9 m: nearly one cycle a second.
        let rate = Gait::rate(0.9, 1.2);
        assert!((0.85..1.1).contains(&rate), "{rate}");
        assert!(Gait::rate(0.2, 0.4) > 1.5, "small ones trip along");
    }
}
