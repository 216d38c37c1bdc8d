//! Objectives on single freedoms: pull to the input pose, soft limits, inertia of angles.

use super::{Kinematics, Objective, Quadratic};

/// Pull towards the input pose: `½ w Σ D_j q_j²`, D being the freedoms' stiffness. The solver adds one of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regulariser {
    /// The weight, ≥ 0.
    pub weight: f64,
}

impl Objective for Regulariser {
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic) {
        for (j, (q, freedom)) in at.configuration().iter().zip(&at.problem.active).enumerate() {
            let w = self.weight * freedom.stiffness;
            sum.add_single(j, 0.5 * w * q * q, w * q, w);
        }
    }
}

/// Soft limits: nothing inside, growing with the third power in a margin before each limit.
///
/// On the value from rest, which is that of the input pose plus q; for joints with several hinges that is near the truth
/// for small turns only. The solver also cuts off what is beyond the limits at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Limiter {
    /// The weight, ≥ 0: the energy at a limit is 31 times that.
    pub weight: f64,
    /// The margin is `(high - low) / (2 s)`, s > 1.
    pub s: f64,
    /// Keep hinges without limits of their own within ±π from the input pose.
    pub whole_turns: bool,
}

impl Default for Limiter {
    fn default() -> Self {
        Self { weight: 1e-4, s: 8.0, whole_turns: true }
    }
}

impl Objective for Limiter {
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic) {
        use std::f64::consts::PI;
        for (j, (q, freedom)) in at.configuration().iter().zip(&at.problem.active).enumerate() {
            let (x, [low, high]) = match freedom.limits {
                Some(limits) => (q + at.moving.input_value[j], limits),
                None if freedom.hinge && self.whole_turns => (*q, [-PI, PI]),
                None => continue,
            };
            // l = (π u / m)³ with u the way into the margin.
            let m = (high - low) / (2.0 * self.s.max(1.0));
            let over = x - (high - m);
            let under = (low + m) - x;
            let (u, sign) = if over > under { (over, 1.0) } else { (under, -1.0) };
            if u > 0.0 {
                let c = (PI / m).powi(3) * self.weight;
                sum.add_single(j, c * u * u * u, sign * 3.0 * c * u * u, 6.0 * c * u);
            }
        }
    }
}

/// Inertia of angles: every freedom should go on as it went, `½ Σ w_j (q_j - (q'_j + v'_j Δt))²`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia<'a> {
    /// Where each freedom would be by its own velocity, as the problem's configuration.
    pub expected: &'a [f64],
    /// Weights by freedom; those that are not given are 0.
    pub weights: &'a [f64],
}

impl Objective for Inertia<'_> {
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic) {
        let all = at.configuration().iter().zip(self.expected).zip(self.weights);
        for (j, ((q, expected), w)) in all.enumerate() {
            let away = q - expected;
            sum.add_single(j, 0.5 * w * away * away, w * away, *w);
        }
    }
}
