//! Least squares whose unknowns touch only their neighbours in time.

/// The normal equations of a least-squares problem whose terms join unknowns that are less than `width` apart.
pub(crate) struct Banded {
    width: usize,
    /// The lower half of the matrix: row by row, from the diagonal back.
    rows: Vec<f64>,
    right: Vec<f64>,
}

impl Banded {
    /// Nothing asked for yet of so many unknowns.
    pub(crate) fn new(unknowns: usize, width: usize) -> Self {
        Self { width, rows: vec![0.0; unknowns * width], right: vec![0.0; unknowns] }
    }

    /// Asks, with a weight, for factors times unknowns to add up to a value. Unknowns are told by their numbers.
    pub(crate) fn ask(&mut self, weight: f64, factors: &[(usize, f64)], value: f64) {
        for (i, a) in factors {
            self.right[*i] += weight * a * value;
            for (j, b) in factors.iter().filter(|(j, _)| j <= i) {
                self.rows[i * self.width + (i - j)] += weight * a * b;
            }
        }
    }

    /// The unknowns that lack the least of what was asked for. Each must have been asked for by itself.
    pub(crate) fn solve(mut self) -> Vec<f64> {
        let (count, width) = (self.right.len(), self.width);
        // L D Lᵀ in place, in f64, for pulls are small.
        for i in 0..count {
            for back in (0..width.min(i + 1)).rev() {
                let j = i - back;
                let mut sum = self.rows[i * width + back];
                for k in i.saturating_sub(width - 1)..j {
                    if j - k < width {
                        sum -= self.rows[i * width + (i - k)] * self.rows[j * width + (j - k)] * self.rows[k * width];
                    }
                }
                self.rows[i * width + back] = if back == 0 { sum } else { sum / self.rows[j * width] };
            }
            let done: f64 =
                (i.saturating_sub(width - 1)..i).map(|k| self.rows[i * width + (i - k)] * self.right[k]).sum();
            self.right[i] -= done;
        }
        for i in (0..count).rev() {
            let after: f64 =
                (i + 1..(i + width).min(count)).map(|k| self.rows[k * width + (k - i)] * self.right[k]).sum();
            self.right[i] = self.right[i] / self.rows[i * width] - after;
        }
        self.right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked for: its weight, by which values it is told, and what it should be.
    type Term = (f64, Vec<(usize, f64)>, f64);

    #[test]
    fn no_other_values_are_nearer() {
        let terms: Vec<Term> = (0..20)
            .map(|i| {
                let factors = [(i, 1.0), (i + 1, -2.0 + 0.1 * i as f64), (i + 2, 1.5)];
                (1.0 + (i % 3) as f64, factors.to_vec(), (i * i % 7) as f64)
            })
            .chain((0..22).map(|i| (0.05, vec![(i, 1.0)], 0.0)))
            .collect();
        let mut system = Banded::new(22, 3);
        terms.iter().for_each(|(weight, factors, value)| system.ask(*weight, factors, *value));
        let best = system.solve();
        let cost = |at: &[f64]| -> f64 {
            let term = |(weight, factors, value): &Term| {
                let sum: f64 = factors.iter().map(|(i, a)| a * at[*i]).sum();
                weight * (sum - value) * (sum - value)
            };
            terms.iter().map(term).sum()
        };
        for place in 0..best.len() {
            for by in [0.01, -0.01] {
                let mut other = best.clone();
                other[place] += by;
                assert!(cost(&other) > cost(&best), "{place}, {by}");
            }
        }
    }
}
