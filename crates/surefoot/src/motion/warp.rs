//! Warps: one span of time laid over another so that events in it meet.

use crate::math::smoothstep;

/// A smooth, strictly increasing map of [0, length] onto itself.
///
/// Time runs as it is, plus an offset that goes from knot to knot with level ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Warp {
    /// (time, offset): times increase, the first and last offsets are 0.
    knots: Vec<(f32, f32)>,
}

/// The slowest and fastest a warp runs are 1 ∓ this.
const STRETCH: f32 = 0.5;

/// The steepest slope of a smoothstep over a unit.
const STEEPEST: f32 = 1.5;

impl Warp {
    /// A warp of [0, length] that takes the times `from` of the pairs (from, to) as near to `to` as can be without running
    /// backwards, or more than half as fast again or half as slow. Pairs outside the span are left out.
    #[must_use]
    pub(crate) fn new(length: f32, pairs: impl IntoIterator<Item = (f32, f32)>) -> Self {
        let inside = |pair: &(f32, f32)| pair.0 > 0.0 && pair.0 < length && pair.1.is_finite();
        let mut inner: Vec<(f32, f32)> = pairs.into_iter().filter(inside).map(|(from, to)| (from, to - from)).collect();
        inner.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut knots = vec![(0.0, 0.0)];
        knots.extend(inner);
        knots.push((length, 0.0));
        // Events at one moment share an offset; offsets may differ only as far as time allows, from both ends.
        let most = |a: (f32, f32), b: (f32, f32)| (b.0 - a.0).abs() * STRETCH / STEEPEST;
        for _ in 0..2 {
            for k in 1..knots.len() {
                let (before, now) = (knots[k - 1], knots[k]);
                knots[k].1 = now.1.clamp(before.1 - most(before, now), before.1 + most(before, now));
            }
            if let Some(last) = knots.last_mut() {
                last.1 = 0.0;
            }
            for k in (0..knots.len() - 1).rev() {
                let (now, after) = (knots[k], knots[k + 1]);
                knots[k].1 = now.1.clamp(after.1 - most(now, after), after.1 + most(now, after));
            }
            knots[0].1 = 0.0;
        }
        Self { knots }
    }

    /// Whether time runs as it is.
    pub(crate) fn is_level(&self) -> bool {
        self.knots.iter().all(|knot| knot.1 == 0.0)
    }

    /// Where time `t` goes; ends stay, times outside are held at the ends.
    #[must_use]
    pub(crate) fn at(&self, t: f32) -> f32 {
        let length = self.knots[self.knots.len() - 1].0;
        let t = t.clamp(0.0, length);
        let k = self.knots.partition_point(|knot| knot.0 <= t).clamp(1, self.knots.len() - 1);
        let (before, after) = (self.knots[k - 1], self.knots[k]);
        let span = after.0 - before.0;
        let share = if span > 0.0 { smoothstep((t - before.0) / span) } else { 1.0 };
        t + before.1 + (after.1 - before.1) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn events_meet_and_ends_stay() {
        let warp = Warp::new(12.0, [(4.0, 5.0), (8.0, 7.9)]);
        for (from, to) in [(0.0, 0.0), (4.0, 5.0), (8.0, 7.9), (12.0, 12.0), (-3.0, 0.0), (99.0, 12.0)] {
            assert!((warp.at(from) - to).abs() < 1e-5, "{from} goes to {}, not {to}", warp.at(from));
        }
        assert_eq!(Warp::new(12.0, []).at(3.25), 3.25, "nothing to meet: time as it is");
        assert_eq!(Warp::new(0.0, [(0.0, 1.0)]).at(0.0), 0.0, "an empty span");
    }

    proptest! {
        #[test]
        fn time_never_runs_backwards_nor_far_too_fast(
            pairs in prop::collection::vec((-1.0_f32..13.0, -3.0_f32..15.0), 0..6)
        ) {
            let warp = Warp::new(12.0, pairs);
            for k in 0..1200 {
                let rate = (warp.at(0.01 * (k + 1) as f32) - warp.at(0.01 * k as f32)) / 0.01;
                prop_assert!((1.0 - STRETCH - 0.01..=1.0 + STRETCH + 0.01).contains(&rate), "{rate} at {}", 0.01 * k as f32);
            }
            prop_assert!(warp.at(0.0) == 0.0 && warp.at(12.0) == 12.0);
        }
    }
}
