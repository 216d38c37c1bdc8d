//! What objectives add up to at one configuration: energy, residuals with their Jacobian, and second derivatives.

use glam::DVec3;

/// How much of its derivatives an objective is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// The energy alone.
    Energy,
    /// Residuals with their Jacobian, and what acts on single freedoms.
    GaussNewton,
    /// That, and the curvature of the residuals: the whole Hessian.
    Newton,
}

/// The sum over objectives: `E = ½ Σ r² + Σ_j e_j(q_j)`, as far as its order asks.
#[derive(Clone, Debug)]
pub struct Quadratic {
    order: Order,
    freedoms: usize,
    /// Row length: freedoms, rounded up to whole fours, so that products run without a rest.
    pub(super) stride: usize,
    pub(super) energy: f64,
    /// Slopes and curvatures of what acts on single freedoms.
    pub(super) slope: Vec<f64>,
    pub(super) stiff: Vec<f64>,
    /// Residuals, and their Jacobian row by row, both scaled by the square root of their weight.
    pub(super) residuals: Vec<f64>,
    pub(super) jacobian: Vec<f64>,
    /// Which blocks of each three rows hold something, a bit each: most freedoms move only some of the effectors.
    filled: Vec<u64>,
    /// Freedoms in a block, a multiple of four.
    block: usize,
    /// `Σ r · ∂²r`, both triangles, where the order asks for it.
    pub(super) curvature: Vec<f64>,
}

/// Three rows of the Jacobian, to be filled in.
#[derive(Debug)]
pub struct Rows<'a> {
    scale: f64,
    stride: usize,
    rows: &'a mut [f64],
    filled: &'a mut u64,
    block: usize,
}

impl Quadratic {
    pub(super) fn new(freedoms: usize) -> Self {
        let stride = freedoms.next_multiple_of(4);
        Self {
            order: Order::Energy,
            freedoms,
            stride,
            energy: 0.0,
            slope: vec![0.0; stride],
            stiff: vec![0.0; stride],
            residuals: Vec::new(),
            jacobian: Vec::new(),
            filled: Vec::new(),
            block: 4 * stride.div_ceil(256).max(1),
            curvature: Vec::new(),
        }
    }

    /// Empties it. Buffers keep their room.
    pub(super) fn clear(&mut self, order: Order) {
        self.order = order;
        self.energy = 0.0;
        if order > Order::Energy {
            self.slope.fill(0.0);
            self.stiff.fill(0.0);
            self.residuals.clear();
            self.jacobian.clear();
            self.filled.clear();
        }
        if order == Order::Newton {
            self.curvature.clear();
            self.curvature.resize(self.freedoms * self.freedoms, 0.0);
        }
    }

    /// What is asked for.
    #[must_use]
    pub fn order(&self) -> Order {
        self.order
    }

    /// Adds `e(q_j)`: energy, slope and curvature of something that depends on one freedom only.
    pub fn add_single(&mut self, freedom: usize, energy: f64, slope: f64, curvature: f64) {
        self.energy += energy;
        if self.order > Order::Energy {
            self.slope[freedom] += slope;
            self.stiff[freedom] += curvature;
        }
    }

    /// Adds `½ w |r|²`. Gives the rows of `∂r/∂q` to be filled in, if they are asked for.
    pub fn add_vector(&mut self, weight: f64, residual: DVec3) -> Option<Rows<'_>> {
        self.energy += 0.5 * weight * residual.length_squared();
        if self.order == Order::Energy || weight <= 0.0 {
            return None;
        }
        let scale = weight.sqrt();
        self.residuals.extend_from_slice(&(residual * scale).to_array());
        let start = self.jacobian.len();
        self.jacobian.resize(start + 3 * self.stride, 0.0);
        self.filled.push(0);
        let filled = self.filled.last_mut()?;
        Some(Rows { scale, stride: self.stride, rows: &mut self.jacobian[start..], filled, block: self.block })
    }

    /// Adds a second derivative of the energy that rows do not hold: `w r · ∂²r/∂q_i∂q_j` for a pair of freedoms, given
    /// once. Only where the order asks for it.
    pub fn add_curvature(&mut self, i: u16, j: u16, value: f64) {
        let (i, j) = (usize::from(i), usize::from(j));
        self.curvature[i * self.freedoms + j] += value;
        if i != j {
            self.curvature[j * self.freedoms + i] += value;
        }
    }

    /// Number of residuals.
    pub(super) fn rows(&self) -> usize {
        self.residuals.len()
    }

    /// One row of the Jacobian.
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.jacobian[row * self.stride..(row + 1) * self.stride]
    }

    /// `Σ_j a_j J_j` over the entries of a row, a being a row of the same length that is zero where row `other` is.
    #[inline]
    pub(super) fn product(&self, a: &[f64], other: usize, row: usize) -> f64 {
        let mut blocks = self.filled[other / 3] & self.filled[row / 3];
        let b = self.row(row);
        let mut sums = [0.0; 4];
        // Four sums side by side, in the same order on every machine.
        while blocks != 0 {
            let start = blocks.trailing_zeros() as usize * self.block;
            blocks &= blocks - 1;
            let end = (start + self.block).min(self.stride);
            for (a, b) in a[start..end].chunks_exact(4).zip(b[start..end].chunks_exact(4)) {
                for lane in 0..4 {
                    sums[lane] += a[lane] * b[lane];
                }
            }
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// The gradient of the energy into `out`: `g = slopes + Jᵀ r`.
    pub(super) fn gradient(&self, out: &mut [f64]) {
        out.copy_from_slice(&self.slope);
        for (row, residual) in self.residuals.iter().enumerate() {
            for (out, j) in out.iter_mut().zip(self.row(row)) {
                *out += residual * j;
            }
        }
    }
}

impl Rows<'_> {
    /// How the residual changes with a freedom; adds to what is there.
    #[inline]
    pub fn add(&mut self, freedom: u16, column: DVec3) {
        let (j, stride) = (usize::from(freedom), self.stride);
        *self.filled |= 1 << (j / self.block);
        self.rows[j] += self.scale * column.x;
        self.rows[stride + j] += self.scale * column.y;
        self.rows[2 * stride + j] += self.scale * column.z;
    }
}
