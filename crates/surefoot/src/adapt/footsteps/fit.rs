//! Smooth curves through values at times: uniform cubic B-splines by least squares, one alone or level upon level.

/// A uniform cubic B-spline of values of `N` numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve<const N: usize> {
    start: f32,
    spacing: f32,
    controls: Vec<[f32; N]>,
}

/// A value at a time; one of no weight is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample<const N: usize> {
    pub(super) time: f32,
    pub(super) value: [f32; N],
    pub(super) weight: f32,
}

/// What a curve is pulled to where samples do not tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pull {
    /// To zero.
    Zero(f64),
    /// To being straight.
    Straight(f64),
}

/// A row of a symmetric matrix of seven diagonals, from its own diagonal on.
type Row = [f64; 4];

impl<const N: usize> Curve<N> {
    /// The curve of least squares through samples between two times, with a control every `spacing`.
    pub(super) fn fit(samples: &[Sample<N>], (start, end): (f32, f32), spacing: f32, pull: Pull) -> Self {
        let count = ((end - start).max(0.0) / spacing).ceil() as usize + 4;
        let mut curve = Self { start, spacing, controls: vec![[0.0; N]; count] };
        let mut rows: Vec<Row> = vec![[0.0; 4]; count];
        let mut right: Vec<[f64; N]> = vec![[0.0; N]; count];
        match pull {
            Pull::Zero(pull) => rows.iter_mut().for_each(|row| row[0] += pull),
            Pull::Straight(pull) => {
                for i in 0..count - 2 {
                    for (a, x) in [1.0, -2.0, 1.0].into_iter().enumerate() {
                        for (b, y) in [1.0, -2.0, 1.0].into_iter().enumerate().skip(a) {
                            rows[i + a][b - a] += pull * x * y;
                        }
                    }
                }
                // A little to zero, so that nothing is left open.
                rows.iter_mut().for_each(|row| row[0] += 1e-3 * pull);
            }
        }
        for sample in samples.iter().filter(|sample| sample.weight > 0.0) {
            let (first, basis) = curve.basis(sample.time);
            let weight = f64::from(sample.weight);
            for a in 0..4 {
                let own = weight * f64::from(basis[a]);
                for b in a..4 {
                    rows[first + a][b - a] += own * f64::from(basis[b]);
                }
                for n in 0..N {
                    right[first + a][n] += own * f64::from(sample.value[n]);
                }
            }
        }
        solve(&mut rows, &mut right);
        for (control, right) in curve.controls.iter_mut().zip(&right) {
            *control = right.map(|x| x as f32);
        }
        curve
    }

    /// Its value at a time; before its start and after its end that of the end.
    pub(super) fn at(&self, time: f32) -> [f32; N] {
        let (first, basis) = self.basis(time);
        let mut value = [0.0; N];
        for (control, share) in self.controls[first..first + 4].iter().zip(basis) {
            for n in 0..N {
                value[n] += share * control[n];
            }
        }
        value
    }

    /// The first of the four controls that count at a time, and how much each does.
    fn basis(&self, time: f32) -> (usize, [f32; 4]) {
        let place = ((time - self.start) / self.spacing).clamp(0.0, (self.controls.len() - 3) as f32 - 1e-4);
        let first = place as usize;
        let u = place - first as f32;
        let (u2, u3, v) = (u * u, u * u * u, 1.0 - u);
        let middle = (3.0 * u3 - 6.0 * u2 + 4.0) / 6.0;
        let last = u3 / 6.0;
        let edge = v * v * v / 6.0;
        (first, [edge, middle, 1.0 - edge - middle - last, last])
    }
}

/// Solves a symmetric positive system of seven diagonals in place, as L D Lᵀ from one end to the other.
fn solve<const N: usize>(rows: &mut [Row], right: &mut [[f64; N]]) {
    let count = rows.len();
    for i in 0..count {
        let row = rows[i];
        for a in 1..4.min(count - i) {
            let share = row[a] / row[0];
            for b in a..4.min(count - i) {
                rows[i + a][b - a] -= share * row[b];
            }
            for n in 0..N {
                right[i + a][n] -= share * right[i][n];
            }
        }
    }
    for i in (0..count).rev() {
        for n in 0..N {
            let known: f64 = (1..4.min(count - i)).map(|a| rows[i][a] * right[i + a][n]).sum();
            right[i][n] = (right[i][n] - known) / rows[i][0];
        }
    }
}

/// How a curve is fitted level upon level: each through what all coarser ones have left over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Levels {
    /// Spacing of the coarsest, seconds.
    pub(super) coarsest: f32,
    /// How many there are, each half as wide as the one before.
    pub(super) count: usize,
    /// Samples a second, Hz.
    pub(super) rate: f32,
}

/// The pull to zero, by spacing and rate.
const PULL: f64 = 1e-3;

impl Levels {
    /// The curve at the time of each sample; it dies out away from those that have weight.
    pub(super) fn run<const N: usize>(&self, samples: &mut [Sample<N>]) -> Vec<[f32; N]> {
        let mut sum = vec![[0.0; N]; samples.len()];
        let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return sum };
        let span = (first.time, last.time);
        for level in 0..self.count {
            let spacing = self.coarsest / (1_u32 << level) as f32;
            let pull = Pull::Zero(PULL * f64::from(spacing * self.rate));
            let curve = Curve::fit(samples, span, spacing, pull);
            for (sample, sum) in samples.iter_mut().zip(&mut sum) {
                let value = curve.at(sample.time);
                for n in 0..N {
                    sample.value[n] -= value[n];
                    sum[n] += value[n];
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: Levels = Levels { coarsest: 1.2, count: 6, rate: 60.0 };

    fn samples(count: usize, at: impl Fn(f32) -> Option<f32>) -> Vec<Sample<1>> {
        let sample = |f: usize| {
            let time = f as f32 / 60.0;
            Sample { time, value: [at(time).unwrap_or(0.0)], weight: f32::from(u8::from(at(time).is_some())) }
        };
        (0..count).map(sample).collect()
    }

    #[test]
    fn nothing_known_is_nothing() {
        let found = LEVELS.run(&mut samples(600, |_| None));
        assert!(found.iter().all(|value| value[0] == 0.0));
        assert!(LEVELS.run::<2>(&mut []).is_empty());
    }

    #[test]
    fn one_contact_is_met_and_dies_out() {
        let within = |t: f32| (8.0..8.4).contains(&t);
        let found = LEVELS.run(&mut samples(1200, |t| within(t).then_some(0.05)));
        for (f, value) in found.iter().enumerate() {
            let t = f as f32 / 60.0;
            if within(t) {
                assert!((value[0] - 0.05).abs() < 2e-4, "{} at {t}", value[0]);
            }
            if !(3.2..13.2).contains(&t) {
                assert_eq!(value[0], 0.0, "at {t}");
            }
        }
        // Twice smooth: third differences are small.
        let bends: Vec<f32> = found.windows(3).map(|w| w[2][0] - 2.0 * w[1][0] + w[0][0]).collect();
        assert!(bends.windows(2).all(|w| (w[1] - w[0]).abs() < 2.5e-3), "no corner");
    }

    #[test]
    fn contacts_in_turn_are_met_to_a_millimetre() {
        let at =
            |t: f32| ((t % 0.58) < 0.4).then(|| if ((t / 0.58) as usize).is_multiple_of(2) { 0.05 } else { -0.05 });
        let mut all = samples(900, at);
        let found = LEVELS.run(&mut all);
        for (f, value) in found.iter().enumerate() {
            if let Some(wanted) = at(f as f32 / 60.0) {
                assert!((value[0] - wanted).abs() < 2e-3, "{} for {wanted}", value[0]);
            }
        }
    }

    #[test]
    fn a_straight_line_comes_through_and_gaps_are_bridged() {
        let all = samples(600, |t| (!(3.0..6.0).contains(&t)).then_some(0.2 * t - 1.0));
        let curve = Curve::fit(&all, (0.0, 10.0), 1.0, Pull::Straight(1e-6));
        for f in 0..590 {
            let t = f as f32 / 60.0;
            assert!((curve.at(t)[0] - (0.2 * t - 1.0)).abs() < 0.01, "{} at {t}", curve.at(t)[0]);
        }
    }
}
