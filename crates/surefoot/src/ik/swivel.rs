//! The swivel of a leg about the line from hip to ankle, in closed form.

use glam::{Quat, Vec3A};

/// A leg that reaches, which may still be turned about the line from its hip to its end. All in one space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Swivel {
    /// From hip to end, a unit vector.
    pub axis: Vec3A,
    /// The thigh as it is now.
    pub thigh: Quat,
    /// The thigh as it should be.
    pub wanted_thigh: Quat,
    /// How much that counts.
    pub hip_weight: f32,
    /// The last bone as it is now.
    pub shin: Quat,
    /// The foot, which does not swivel.
    pub foot: Quat,
    /// The foot in the last bone's space, as it should be.
    pub wanted_ankle: Quat,
    /// How much that counts.
    pub ankle_weight: f32,
}

impl Swivel {
    /// The turn about the axis by which thigh and shin come nearest to how they should be: the least of
    /// `wh |R - R_wanted|² + wa |ankle - ankle_wanted|²` over all angles φ. None where every angle is as good.
    ///
    /// With `A = wh R0 Rbᵀ + wa K0 B Fᵀ` the sum is `const - 2 tr(rot(φ) A)`, whose largest trace is at
    /// `tan φ = -u·a / (tr A - uᵀ A u)`, a the axial vector of A. For a turn `(v, w)` the numerator is `-4 w u·v`, the
    /// denominator `2 (w² - (u·v)²)`; the half angle's sine and cosine follow without the angle.
    #[must_use]
    pub(crate) fn turn(&self) -> Quat {
        let thigh = self.thigh * self.wanted_thigh.conjugate();
        let ankle = self.shin * self.wanted_ankle * self.foot.conjugate();
        let (mut y, mut x) = (0.0, 0.0);
        for (turn, weight) in [(thigh, self.hip_weight), (ankle, self.ankle_weight)] {
            let along = Vec3A::from(turn.xyz()).dot(self.axis);
            y -= 4.0 * weight * turn.w * along;
            x += 2.0 * weight * (turn.w * turn.w - along * along);
        }
        if y.abs() < 1e-6 && x.abs() < 1e-6 {
            return Quat::IDENTITY;
        }
        // tan(φ/2) = y / (r + x) = (r - x) / y, whichever loses no digits.
        let r = (x * x + y * y).sqrt();
        let (sin, cos) = if x > 0.0 { (y, r + x) } else { ((r - x) * y.signum(), y.abs()) };
        let scale = 1.0 / (sin * sin + cos * cos).sqrt();
        let v = self.axis * (scale * sin);
        Quat::from_xyzw(v.x, v.y, v.z, scale * cos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::quat;
    use crate::random::{Rng, Seed};
    use glam::{Mat3A, Vec3};

    #[test]
    fn no_angle_of_a_sweep_is_better() {
        let mut rng = Rng::new(Seed(8)).stream("swivel");
        for _ in 0..300 {
            let mut turn = || quat::exp(Vec3::new(rng.range(-2.0, 2.0), rng.range(-2.0, 2.0), rng.range(-2.0, 2.0)));
            let swivel = Swivel {
                axis: turn() * Vec3A::Y,
                thigh: turn(),
                wanted_thigh: turn(),
                hip_weight: 1.0,
                shin: turn(),
                foot: turn(),
                wanted_ankle: turn(),
                ankle_weight: 0.4,
            };
            let cost = |about: Quat| {
                let off = |a: Quat, b: Quat| {
                    let d = Mat3A::from_quat(a) - Mat3A::from_quat(b);
                    d.x_axis.length_squared() + d.y_axis.length_squared() + d.z_axis.length_squared()
                };
                off(about * swivel.thigh, swivel.wanted_thigh)
                    + 0.4 * off((about * swivel.shin).conjugate() * swivel.foot, swivel.wanted_ankle)
            };
            let found = cost(swivel.turn());
            let about = |i: i32| Quat::from_axis_angle(swivel.axis.into(), i as f32 * std::f32::consts::TAU / 2000.0);
            let swept = (0..2000).map(|i| cost(about(i))).fold(f32::INFINITY, f32::min);
            assert!(found <= swept + 1e-4, "{found} but {swept} is possible: {swivel:?}");
        }
    }
}
