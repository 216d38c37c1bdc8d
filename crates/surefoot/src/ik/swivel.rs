//! The swivel of a leg about the line from hip to ankle, in closed form.

use glam::{Mat3A, Quat, Vec3A};

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
    /// The angle, radians, by which thigh and shin should turn about the axis: the least of
    /// `wh |R - R_wanted|² + wa |ankle - ankle_wanted|²` over all angles. 0 where every angle is as good.
    ///
    /// With `A = wh R0 Rbᵀ + wa K0 B Fᵀ` the sum is `const - 2 tr(rot(φ) A)`, whose largest trace is at
    /// `tan φ = -u·a / (tr A - uᵀ A u)`, a the axial vector of A.
    #[must_use]
    pub(crate) fn angle(&self) -> f32 {
        let turn = Mat3A::from_quat(self.thigh * self.wanted_thigh.conjugate()) * self.hip_weight;
        let bend = Mat3A::from_quat(self.shin * self.wanted_ankle * self.foot.conjugate()) * self.ankle_weight;
        let a = turn + bend;
        let axial = Vec3A::new(a.y_axis.z - a.z_axis.y, a.z_axis.x - a.x_axis.z, a.x_axis.y - a.y_axis.x);
        let u = self.axis;
        let (y, x) = (-u.dot(axial), a.x_axis.x + a.y_axis.y + a.z_axis.z - u.dot(a * u));
        if y.abs() < 1e-6 && x.abs() < 1e-6 { 0.0 } else { crate::math::single::atan2(y, x) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::quat;
    use crate::random::{Rng, Seed};
    use glam::Vec3;

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
            let cost = |angle: f32| {
                let about = Quat::from_axis_angle(swivel.axis.into(), angle);
                let off = |a: Quat, b: Quat| {
                    let d = Mat3A::from_quat(a) - Mat3A::from_quat(b);
                    d.x_axis.length_squared() + d.y_axis.length_squared() + d.z_axis.length_squared()
                };
                off(about * swivel.thigh, swivel.wanted_thigh)
                    + 0.4 * off((about * swivel.shin).conjugate() * swivel.foot, swivel.wanted_ankle)
            };
            let found = cost(swivel.angle());
            let swept =
                (0..2000).map(|i| cost(i as f32 * std::f32::consts::TAU / 2000.0)).fold(f32::INFINITY, f32::min);
            assert!(found <= swept + 1e-4, "{found} but {swept} is possible: {swivel:?}");
        }
    }
}
