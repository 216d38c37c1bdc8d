//! The step of full Newton, as published: the whole Hessian by Cholesky, down the gradient where it is indefinite.

use super::Quadratic;
use super::dual::{factor, solve_factored};

/// Buffers of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Full {
    hessian: Vec<f64>,
}

impl Full {
    /// `Δ = -H⁻¹ g`, or `-g` where H is not positive definite; says which (true: Newton).
    pub(super) fn step(&mut self, sum: &Quadratic, freedoms: usize, step: &mut [f64]) -> bool {
        hessian(sum, freedoms, &mut self.hessian);
        sum.gradient(step);
        let definite = factor(&mut self.hessian, freedoms);
        if definite {
            solve_factored(&self.hessian, freedoms, &mut step[..freedoms]);
        }
        step.iter_mut().for_each(|step| *step = -*step);
        definite
    }
}

/// `H = JᵀJ + Σ r·∂²r + diag` of a sum of order Newton, both triangles.
pub(super) fn hessian(sum: &Quadratic, n: usize, out: &mut Vec<f64>) {
    out.clear();
    out.extend_from_slice(&sum.curvature);
    for i in 0..n {
        out[i * n + i] += sum.stiff[i];
    }
    for row in 0..sum.rows() {
        let row = sum.row(row);
        for i in (0..n).filter(|i| row[*i] != 0.0) {
            for (out, j) in out[i * n..(i + 1) * n].iter_mut().zip(row) {
                *out += row[i] * j;
            }
        }
    }
}
