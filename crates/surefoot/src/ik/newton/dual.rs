//! The step of damped Gauss-Newton in dual form: a system as large as the residuals, not as the freedoms.

use super::Quadratic;

/// Buffers of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Dual {
    /// `1 / B` by freedom.
    inverse: Vec<f64>,
    /// A row of J times that.
    scaled: Vec<f64>,
    /// `K = I + J B⁻¹ Jᵀ`, then its Cholesky factor: lower triangle, row by row.
    k: Vec<f64>,
    y: Vec<f64>,
}

impl Dual {
    /// Solves `(JᵀJ + B) Δ = -(Jᵀ r + s)` for the step, B being the curvatures of single freedoms plus `damping · D`, and s
    /// their slopes: `Δ = -B⁻¹ (s + Jᵀ K⁻¹ (r - J B⁻¹ s))`. `stiffness` is `D` by freedom.
    pub(super) fn step(&mut self, sum: &Quadratic, damping: f64, stiffness: &[f64], step: &mut [f64]) {
        let (rows, stride) = (sum.rows(), sum.stride);
        self.inverse.clear();
        self.inverse.extend(sum.stiff.iter().zip(stiffness).map(|(b, d)| 1.0 / (b + damping * d).max(1e-12)));
        self.k.clear();
        self.k.resize(rows * rows, 0.0);
        self.y.clear();
        self.scaled.resize(stride, 0.0);

        // K and y = r - J B⁻¹ s, a row at a time.
        for i in 0..rows {
            for ((scaled, j), inverse) in self.scaled.iter_mut().zip(sum.row(i)).zip(&self.inverse) {
                *scaled = j * inverse;
            }
            for j in 0..=i {
                self.k[i * rows + j] = sum.product(&self.scaled, i, j);
            }
            self.k[i * rows + i] += 1.0;
            self.y.push(sum.residuals[i] - dot(&self.scaled, &sum.slope));
        }
        // K is at least the identity, so a factor exists for all finite numbers.
        factor(&mut self.k, rows);
        solve_factored(&self.k, rows, &mut self.y);

        step.copy_from_slice(&sum.slope);
        for (i, y) in self.y.iter().enumerate() {
            for (step, j) in step.iter_mut().zip(sum.row(i)) {
                *step += y * j;
            }
        }
        for (step, inverse) in step.iter_mut().zip(&self.inverse) {
            *step *= -inverse;
        }
    }
}

/// The product of two rows, whose length is a multiple of four: four sums side by side.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// The Cholesky factor of a symmetric matrix in place (lower triangle, row by row); `false` where it is not positive
/// definite.
pub(super) fn factor(a: &mut [f64], n: usize) -> bool {
    for i in 0..n {
        let (above, row) = a.split_at_mut(i * n);
        for j in 0..i {
            let other = &above[j * n..j * n + j + 1];
            let mut sum = row[j];
            for k in 0..j {
                sum -= row[k] * other[k];
            }
            row[j] = sum * other[j];
        }
        let mut pivot = row[i];
        for k in 0..i {
            pivot -= row[k] * row[k];
        }
        if !(pivot > 1e-14 && pivot.is_finite()) {
            return false;
        }
        // The diagonal keeps its inverse: every use of it is a division.
        row[i] = 1.0 / pivot.sqrt();
    }
    true
}

/// Solves `L Lᵀ x = b` in place.
pub(super) fn solve_factored(l: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        let mut sum = x[i];
        for k in 0..i {
            sum -= l[i * n + k] * x[k];
        }
        x[i] = sum * l[i * n + i];
    }
    for i in (0..n).rev() {
        let solved = x[i] * l[i * n + i];
        x[i] = solved;
        for k in 0..i {
            x[k] -= l[i * n + k] * solved;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Rng, Seed};

    #[test]
    fn factors_solve_what_they_came_from() {
        let mut rng = Rng::new(Seed(3)).stream("cholesky");
        for n in 1..20 {
            let b: Vec<f64> = (0..n * n).map(|_| f64::from(rng.range(-1.0, 1.0))).collect();
            let mut a = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    a[i * n + j] = (0..n).map(|k| b[i * n + k] * b[j * n + k]).sum::<f64>() + f64::from(i == j);
                }
            }
            let wanted: Vec<f64> = (0..n).map(|_| f64::from(rng.range(-1.0, 1.0))).collect();
            let mut x: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[i * n + j] * wanted[j]).sum()).collect();
            assert!(factor(&mut a, n), "positive definite");
            solve_factored(&a, n, &mut x);
            assert!(x.iter().zip(&wanted).all(|(x, w)| (x - w).abs() < 1e-10), "{x:?} {wanted:?}");
        }
        assert!(!factor(&mut [1.0, 2.0, 2.0, 1.0], 2), "an indefinite one is told");
    }
}
