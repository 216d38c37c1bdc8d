//! Rigid transforms: a rotation and a translation, no scale.

use super::{quat, single};
use glam::{Mat3, Quat, Vec3, Vec3A};
use std::ops::Mul;

/// A rigid transform `a_from_b`: takes coordinates in space b to coordinates in space a by turning, then moving.
///
/// Transforms compose as their names cancel: `a_from_c = a_from_b * b_from_c`. The rotation is a unit quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rigid {
    /// Rotation, a unit quaternion.
    pub rotation: Quat,
    /// Translation, metres, in space a.
    pub translation: Vec3A,
}

/// The logarithm of a [`Rigid`]: one second of a steady screw motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist {
    /// Rotation vector, radians.
    pub angular: Vec3,
    /// Velocity of the origin at the start, metres.
    pub linear: Vec3,
}

impl Rigid {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, translation: Vec3A::ZERO };

    /// From its parts; `rotation` must be of unit length.
    #[must_use]
    #[inline]
    pub fn new(rotation: Quat, translation: Vec3A) -> Self {
        debug_assert!(
            (rotation.length_squared() - 1.0).abs() < 1e-3,
            "rotation must be a unit quaternion, is {rotation}"
        );
        Self { rotation, translation }
    }

    /// A move without a turn, metres.
    #[must_use]
    pub const fn from_translation(translation: Vec3A) -> Self {
        Self { rotation: Quat::IDENTITY, translation }
    }

    /// A turn without a move.
    #[must_use]
    pub const fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, translation: Vec3A::ZERO }
    }

    /// `b_from_a` of this `a_from_b`.
    #[must_use]
    #[inline]
    pub fn inverse(self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// A point of space b, in space a.
    #[must_use]
    #[inline]
    pub fn transform_point(self, point: Vec3A) -> Vec3A {
        self.rotation * point + self.translation
    }

    /// A direction of space b, in space a: turned, not moved.
    #[must_use]
    #[inline]
    pub fn transform_vector(self, vector: Vec3A) -> Vec3A {
        self.rotation * vector
    }

    /// Between `self` (x = 0) and `other` (x = 1): straight-line translation, normalised-linear rotation the near
    /// way round. Meant for neighbouring frames; x is not clamped.
    #[must_use]
    #[inline]
    pub fn lerp(self, other: Self, x: f32) -> Self {
        Self {
            rotation: quat::nlerp(self.rotation, other.rotation, x),
            translation: self.translation + (other.translation - self.translation) * x,
        }
    }

    /// The steady screw motion that leads from the identity to this transform in one second.
    #[must_use]
    pub fn log(self) -> Twist {
        let w = quat::log(self.rotation);
        let angle = w.length();
        let t = Vec3::from(self.translation);
        // linear = V⁻¹ t, V⁻¹ = 1 - ½[w] + k [w]², k = (1 - (angle/2) cot(angle/2)) / angle², series near zero.
        let k = if angle < 1e-2 {
            1.0 / 12.0 + angle * angle / 720.0
        } else {
            (1.0 - 0.5 * angle / single::tan(0.5 * angle)) / (angle * angle)
        };
        Twist { angular: w, linear: t - 0.5 * w.cross(t) + k * w.cross(w.cross(t)) }
    }

    /// Where one second of the steady screw motion `twist` leads; the inverse of [`Rigid::log`].
    #[must_use]
    pub fn exp(twist: Twist) -> Self {
        let (w, v) = (twist.angular, twist.linear);
        let angle = w.length();
        let a2 = angle * angle;
        // translation = V v, V = 1 + b [w] + c [w]², b = (1 - cos)/angle², c = (angle - sin)/angle³.
        let (b, c) = if angle < 1e-2 {
            (0.5 - a2 / 24.0, 1.0 / 6.0 - a2 / 120.0)
        } else {
            // 1 - cos = 2 sin²(angle/2) keeps the digits that the difference would lose.
            (2.0 * single::sin(0.5 * angle).powi(2) / a2, (angle - single::sin(angle)) / (a2 * angle))
        };
        Self { rotation: quat::exp(w), translation: Vec3A::from(v + b * w.cross(v) + c * w.cross(w.cross(v))) }
    }

    /// The mirror image in the plane x = 0: left and right exchanged.
    #[must_use]
    #[inline]
    pub fn mirrored(self) -> Self {
        let (q, t) = (self.rotation, self.translation);
        Self { rotation: Quat::from_xyzw(q.x, -q.y, -q.z, q.w), translation: Vec3A::new(-t.x, t.y, t.z) }
    }

    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.rotation.is_finite() && self.translation.is_finite()
    }

    /// The rotation as a matrix: its columns are the axes of space b in space a.
    #[must_use]
    pub fn axes(self) -> Mat3 {
        Mat3::from_quat(self.rotation)
    }
}

impl Default for Rigid {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Mul for Rigid {
    type Output = Self;

    #[inline]
    fn mul(self, b_from_c: Self) -> Self {
        Self {
            rotation: self.rotation * b_from_c.rotation,
            translation: self.rotation * b_from_c.translation + self.translation,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(a: Rigid, b: Rigid, tolerance: f32) -> bool {
        quat::angle_between(a.rotation, b.rotation) < tolerance && (a.translation - b.translation).length() < tolerance
    }

    fn any_rigid() -> impl Strategy<Value = Rigid> {
        (prop::array::uniform3(-3.0_f32..3.0), prop::array::uniform3(-10.0_f32..10.0))
            .prop_map(|(w, t)| Rigid::new(quat::exp(Vec3::from(w)), Vec3A::from(t)))
    }

    proptest! {
        // The axioms of a group, through one definition of "near".
        #[test]
        fn composition_is_associative(a in any_rigid(), b in any_rigid(), c in any_rigid()) {
            prop_assert!(near((a * b) * c, a * (b * c), 2e-5));
        }

        #[test]
        fn identity_and_inverse(a in any_rigid()) {
            prop_assert!(near(a * Rigid::IDENTITY, a, 1e-6) && near(Rigid::IDENTITY * a, a, 1e-6));
            prop_assert!(near(a * a.inverse(), Rigid::IDENTITY, 1e-5) && near(a.inverse() * a, Rigid::IDENTITY, 1e-5));
        }

        #[test]
        fn composing_is_transforming_twice(a in any_rigid(), b in any_rigid(), p in prop::array::uniform3(-5.0_f32..5.0)) {
            let p = Vec3A::from(p);
            prop_assert!(((a * b).transform_point(p) - a.transform_point(b.transform_point(p))).length() < 2e-5);
        }

        #[test]
        fn log_and_exp_are_inverse(a in any_rigid()) {
            // Near half a turn the axis is ill-defined; the transform itself must still come back.
            prop_assert!(near(Rigid::exp(a.log()), a, 2e-4), "{:?}", a.log());
        }

        #[test]
        fn half_of_a_screw_twice_is_the_whole(a in any_rigid()) {
            prop_assume!(quat::log(a.rotation).length() < 3.0);
            let Twist { angular, linear } = a.log();
            let half = Rigid::exp(Twist { angular: angular * 0.5, linear: linear * 0.5 });
            prop_assert!(near(half * half, a, 2e-4));
        }

        #[test]
        fn mirroring_twice_is_the_identity_and_respects_composition(a in any_rigid(), b in any_rigid()) {
            prop_assert_eq!(a.mirrored().mirrored(), a);
            prop_assert!(near((a * b).mirrored(), a.mirrored() * b.mirrored(), 2e-5));
        }
    }

    #[test]
    fn log_is_smooth_where_the_series_takes_over() {
        let at = |angle: f32| Rigid::new(Quat::from_rotation_y(angle), Vec3A::new(1.0, 2.0, 3.0)).log().linear;
        assert!((at(0.999e-2) - at(1.001e-2)).length() < 1e-4, "no step at the switch");
    }

    #[test]
    fn lerp_meets_both_ends_and_takes_the_near_way() {
        let a = Rigid::new(Quat::from_rotation_y(0.2), Vec3A::X);
        let b = Rigid::new(-Quat::from_rotation_y(0.4), Vec3A::Y);
        assert!(near(a.lerp(b, 0.0), a, 1e-6) && near(a.lerp(b, 1.0), b, 1e-6), "ends");
        assert!(
            (quat::heading(a.lerp(b, 0.5).rotation).unwrap() - 0.3).abs() < 1e-5,
            "the short way, despite the sign"
        );
    }
}
