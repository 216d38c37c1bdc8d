//! Gradient band weights: how much of each clip is in a motion of some velocity and turning rate.

use crate::math::{floor, single, wrap_angle};
use glam::{Vec2, Vec3};

/// How a clip moves: what weights are found by.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BandSample {
    /// Velocity in the character's own frame, m/s: x to its left, y ahead.
    pub velocity: Vec2,
    /// Turning rate, rad/s, left positive.
    pub turn_rate: f32,
}

/// Samples with what pairs of them have in common, worked out once.
///
/// Weights are continuous in velocity and turning rate, never negative, add up to one, and are one at a sample. Speeds and
/// directions are told apart (the polar form), so that standing still has little share in a diagonal walk.
#[derive(Clone, Debug, PartialEq)]
pub struct GradientBand {
    samples: Vec<BandSample>,
    /// By sample: its speed, and the heading of its velocity.
    polar: Vec<[f32; 2]>,
    /// One over the squared distance of each pair, polar and Cartesian; by `i * count + j` for i < j.
    pairs: Vec<[f32; 2]>,
    /// Which samples are one and the same: the first of its kind, and how many there are.
    same: Vec<(usize, f32)>,
    /// The slowest speed that is not standing, m/s.
    slowest: f32,
}

/// Slower than this a clip stands, m/s.
const RESTS: f32 = 0.02;
/// How much a direction counts beside relative speed.
const DIRECTION: f32 = 2.0;
/// How much a turning rate counts, seconds.
const TURNING: f32 = 1.0;
/// The share of the Cartesian weights, which keeps the sum from nothing everywhere.
const CARTESIAN: f32 = 0.02;
/// Samples nearer than this are one.
const SAME: f32 = 1e-4;

/// One motion that weights are asked for.
struct Query {
    velocity: Vec2,
    turn_rate: f32,
    speed: f32,
    /// How much directions count: not at all where nothing moves.
    certain: f32,
}

impl GradientBand {
    /// Weights over these samples, of which there must be one.
    ///
    /// # Panics
    /// If there is none, or one is not finite.
    #[must_use]
    pub fn new(samples: Vec<BandSample>) -> Self {
        assert!(!samples.is_empty(), "no sample to weigh");
        assert!(samples.iter().all(|s| s.velocity.is_finite() && s.turn_rate.is_finite()), "a sample is not finite");
        let polar: Vec<[f32; 2]> =
            samples.iter().map(|s| [s.velocity.length(), floor::heading_of(s.velocity)]).collect();
        let moving = polar.iter().map(|[speed, _]| *speed).filter(|speed| *speed > RESTS);
        let slowest = moving.fold(f32::INFINITY, f32::min);
        let count = samples.len();
        let first = |i: usize| (0..i).find(|j| (point(&samples[i]) - point(&samples[*j])).length() < SAME).unwrap_or(i);
        let firsts: Vec<usize> = (0..count).map(first).collect();
        let same = firsts.iter().map(|f| (*f, firsts.iter().filter(|other| *other == f).count() as f32)).collect();
        let mut pairs = vec![[0.0; 2]; count * count];
        for i in 0..count {
            for j in i + 1..count {
                let (a, b) = (&samples[i], &samples[j]);
                let turning = TURNING * TURNING * (a.turn_rate - b.turn_rate).powi(2);
                let [[speed_a, heading_a], [speed_b, heading_b]] = [polar[i], polar[j]];
                let between = 0.5 * (speed_a + speed_b);
                let distance = match [speed_a, speed_b].map(|speed| speed > RESTS) {
                    [true, true] => {
                        let angle = DIRECTION * wrap_angle(heading_a - heading_b);
                        ((speed_a - speed_b) / between).powi(2) + angle * angle + turning
                    }
                    _ => turning,
                };
                let cartesian = (point(a) - point(b)).length_squared();
                pairs[i * count + j] = [1.0 / distance.max(1e-12), 1.0 / cartesian.max(1e-12)];
            }
        }
        Self { samples, polar, pairs, same, slowest }
    }

    /// Its samples.
    #[must_use]
    pub fn samples(&self) -> &[BandSample] {
        &self.samples
    }

    /// The weights of a motion, one for each sample. What is not finite leaves them as they were. Allocates nothing.
    ///
    /// # Panics
    /// If `weights` has another length.
    pub fn run(&self, motion: BandSample, weights: &mut [f32]) {
        let count = self.samples.len();
        assert_eq!(weights.len(), count, "a weight for each sample");
        let BandSample { velocity, turn_rate } = motion;
        if !(velocity.is_finite() && turn_rate.is_finite()) {
            return;
        }
        let sooner = self.sooner(velocity.length());
        let velocity = sooner * velocity;
        let speed = velocity.length();
        let certain = if self.slowest.is_finite() { (speed / (0.1 * self.slowest)).min(1.0) } else { 0.0 };
        let query = Query { velocity, turn_rate, speed, certain };
        for (i, weight) in weights.iter_mut().enumerate() {
            let (first, times) = self.same[i];
            let [mut polar, mut cartesian] = [1.0_f32; 2];
            for j in (0..count).filter(|j| self.same[*j].0 == *j && *j != first) {
                let (low, high) = (first.min(j), first.max(j));
                let ramps = self.ramps(&query, low, high);
                let own = if low == first { ramps } else { ramps.map(|ramp| 1.0 - ramp) };
                polar = polar.min(own[0].clamp(0.0, 1.0));
                cartesian = cartesian.min(own[1].clamp(0.0, 1.0));
            }
            *weight = ((1.0 - CARTESIAN) * polar + CARTESIAN * cartesian) / times;
        }
        let sum: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }

    /// By how much faster a motion counts than it is, as a share: who goes more slowly than the slowest walk takes shorter steps rather
    /// than half stand. It gets going and stops as before.
    fn sooner(&self, speed: f32) -> f32 {
        let share = (speed / self.slowest).min(1.0);
        if self.slowest.is_finite() { 1.0 + share * (1.0 - share) } else { 1.0 }
    }

    /// How far a motion has come from sample j (0) to sample i (1), polar and Cartesian, for i < j.
    fn ramps(&self, query: &Query, i: usize, j: usize) -> [f32; 2] {
        let (a, b) = (&self.samples[i], &self.samples[j]);
        let [inverse, inverse_cartesian] = self.pairs[i * self.samples.len() + j];
        let here = point(&BandSample { velocity: query.velocity, turn_rate: query.turn_rate });
        let cartesian = 1.0 - (here - point(a)).dot(point(b) - point(a)) * inverse_cartesian;
        let [[speed_a, _], [speed_b, _]] = [self.polar[i], self.polar[j]];
        let turning = |from: &BandSample| TURNING * (query.turn_rate - from.turn_rate);
        let polar = match [speed_a, speed_b].map(|speed| speed > RESTS) {
            [true, true] => {
                let between = 0.5 * (speed_a + speed_b);
                let from = |k: usize, sample: &BandSample| {
                    let slower = (query.speed - self.polar[k][0]) / between;
                    let aside = query.certain * DIRECTION * self.angle(query, k);
                    slower * slower + aside * aside + turning(sample).powi(2)
                };
                0.5 + 0.5 * (from(j, b) - from(i, a)) * inverse
            }
            [false, false] => 0.5 + 0.5 * (turning(b).powi(2) - turning(a).powi(2)) * inverse,
            [true, false] => self.risen(query, i, j),
            [false, true] => 1.0 - self.risen(query, j, i),
        };
        [polar, cartesian]
    }

    /// How far a motion has come from a sample at rest to one that moves.
    fn risen(&self, query: &Query, moving: usize, rest: usize) -> f32 {
        let (a, b) = (&self.samples[moving], &self.samples[rest]);
        let apart = TURNING * (a.turn_rate - b.turn_rate);
        let aside = query.certain * self.angle(query, moving);
        let along = 4.0 * query.speed / self.polar[moving][0] + apart * TURNING * (query.turn_rate - b.turn_rate);
        along / (4.0 + aside * aside + apart * apart)
    }

    /// The angle between a motion and the direction of a sample, radians, unsigned.
    fn angle(&self, query: &Query, k: usize) -> f32 {
        if query.speed < 1e-9 {
            return 0.0;
        }
        wrap_angle(single::atan2(query.velocity.x, query.velocity.y) - self.polar[k][1]).abs()
    }
}

/// A sample as a point.
fn point(sample: &BandSample) -> Vec3 {
    Vec3::new(sample.velocity.x, sample.velocity.y, TURNING * sample.turn_rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(x: f32, z: f32, turn_rate: f32) -> BandSample {
        BandSample { velocity: Vec2::new(x, z), turn_rate }
    }

    fn weights(band: &GradientBand, at: BandSample) -> Vec<f32> {
        let mut weights = vec![0.0; band.samples().len()];
        band.run(at, &mut weights);
        weights
    }

    fn any_sample() -> impl Strategy<Value = BandSample> {
        (-4.0_f32..4.0, -4.0_f32..4.0, prop_oneof![Just(0.0_f32), -2.0_f32..2.0]).prop_map(|(x, z, o)| sample(x, z, o))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn weights_are_shares_and_exact_at_samples(mut set in prop::collection::vec(any_sample(), 2..7), at in any_sample(), rests: bool) {
            if rests {
                set[0] = sample(0.0, 0.0, 0.0);
            }
            let band = GradientBand::new(set.clone());
            let here = weights(&band, at);
            prop_assert!((here.iter().sum::<f32>() - 1.0).abs() < 1e-5 && here.iter().all(|w| *w >= 0.0), "{here:?}");
            for (i, own) in set.iter().enumerate() {
                // Samples that nearly coincide, or crawl, are told apart by rounding only.
                let alone = set.iter().enumerate().all(|(j, other)| i == j || (point(own) - point(other)).length() > 0.2);
                if alone && (own.velocity.length() > 0.2 || own.velocity == Vec2::ZERO) {
                    prop_assert!(weights(&band, *own)[i] > 0.999, "{:?} at {own:?}", weights(&band, *own));
                }
            }
            let near = BandSample { velocity: at.velocity + Vec2::splat(1e-6), ..at };
            for (a, b) in here.iter().zip(weights(&band, near)) {
                prop_assert!((a - b).abs() < 1e-3, "{here:?}");
            }
        }
    }

    #[test]
    fn nothing_jumps_opposite_a_sample_or_where_nothing_moves() {
        // Forward and right only: straight back is opposite one of them.
        let band = GradientBand::new(vec![sample(0.0, 1.4, 0.0), sample(-1.2, 0.0, 0.0), sample(0.0, 0.0, 0.0)]);
        let mut before: Option<Vec<f32>> = None;
        for k in 0..20_000 {
            let angle = std::f32::consts::TAU * k as f32 / 20_000.0;
            let now = weights(&band, sample(1.2 * angle.sin(), 1.2 * angle.cos(), 0.0));
            if let Some(before) = before.replace(now.clone()) {
                assert!(before.iter().zip(&now).all(|(a, b)| (a - b).abs() < 2e-3), "{before:?} {now:?} at {angle}");
            }
        }
        for along in [Vec2::X, Vec2::Y, -Vec2::Y] {
            let [a, b] = [1e-5, -1e-5].map(|far| weights(&band, BandSample { velocity: along * far, turn_rate: 0.0 }));
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-3), "{a:?} {b:?}");
        }
    }

    #[test]
    fn standing_has_little_share_in_a_diagonal() {
        let set = [(0.0, 0.0), (0.0, 1.4), (0.0, 4.0), (0.0, -1.0), (1.2, 0.0), (-1.2, 0.0)];
        let band = GradientBand::new(set.map(|(x, z)| sample(x, z, 0.0)).to_vec());
        let diagonal = 1.3 * std::f32::consts::FRAC_1_SQRT_2;
        let idle = weights(&band, sample(diagonal, diagonal, 0.0))[0];
        assert!(idle < 0.08, "{idle}");
        // Between walk and run it is linear in speed.
        let between = weights(&band, sample(0.0, 2.7, 0.0));
        assert!((between[1] - 0.5).abs() < 0.02 && (between[2] - 0.5).abs() < 0.02, "{between:?}");
        // One sample takes all, and equal samples share.
        assert_eq!(weights(&GradientBand::new(vec![sample(0.0, 1.0, 0.0)]), sample(3.0, 0.0, 1.0)), [1.0]);
        let twins = GradientBand::new(vec![sample(0.0, 1.0, 0.0), sample(0.0, 1.0, 0.0), sample(0.0, 3.0, 0.0)]);
        assert_eq!(weights(&twins, sample(0.0, 1.0, 0.0)), [0.5, 0.5, 0.0]);
    }

    #[test]
    fn who_goes_slowly_walks_rather_than_half_stands() {
        let band = GradientBand::new(vec![sample(0.0, 0.0, 0.0), sample(0.0, 2.0, 0.0)]);
        let walks = |speed: f32| weights(&band, sample(0.0, speed, 0.0))[1];
        assert!((0.8..0.9).contains(&walks(1.36)), "a third was the idle: {}", walks(1.36));
        assert!(walks(0.1) < 0.06, "it gets going as before");
        assert!((1..=100).all(|i| walks(0.02 * i as f32) >= walks(0.02 * (i - 1) as f32)), "never less for more");
    }

    #[test]
    fn what_is_no_number_changes_nothing() {
        let band = GradientBand::new(vec![sample(0.0, 0.0, 0.0), sample(0.0, 1.0, 0.0)]);
        let mut kept = [0.25, 0.75];
        band.run(sample(f32::NAN, 0.0, 0.0), &mut kept);
        band.run(sample(0.0, 0.0, f32::INFINITY), &mut kept);
        assert_eq!(kept, [0.25, 0.75]);
    }
}
