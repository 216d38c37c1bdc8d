//! A turn, a move and a scale that is the same along every axis.

use crate::unit::Axes;
use surefoot::glam::{DMat3, DVec3, Mat3, Quat, Vec3};
use surefoot::math::Rigid;

/// Scale that differs from a uniform or a constant one by less than this share is an exporter's rounding.
pub(crate) const EVEN: f32 = 1e-3;

/// A turn, a move and a uniform scale: `a_from_b` takes b's point p to `rigid * (scale p)`.
#[derive(Clone, Copy)]
pub(crate) struct Similar {
    pub(crate) rigid: Rigid,
    pub(crate) scale: f32,
}

impl Similar {
    pub(crate) const IDENTITY: Self = Self { rigid: Rigid::IDENTITY, scale: 1.0 };

    pub(crate) fn then(self, b_from_c: Self) -> Self {
        let scaled = Rigid { translation: b_from_c.rigid.translation * self.scale, ..b_from_c.rigid };
        Self { rigid: self.rigid * scaled, scale: self.scale * b_from_c.scale }
    }
}

/// The one scale of all three axes, if it is one; negative where all three are, which mirrors.
pub(crate) fn even(scale: Vec3) -> Option<f32> {
    let sign = scale.x.signum();
    let (low, high) = ((sign * scale).min_element(), (sign * scale).max_element());
    (low > 0.0 && high <= low * (1.0 + EVEN)).then(|| (scale.x + scale.y + scale.z) / 3.0)
}

/// The signs of a scale as what they are: a turn, after which all scales have one sign, negative where it mirrors. Scaling is
/// first multiplying by `signs`, then turning by `turn`: two mirrors are half a turn about the third axis.
pub(crate) struct Signs {
    /// Factors of 1 and -1 that give all three scales one sign.
    pub(crate) signs: Vec3,
    /// The turn that does the rest.
    pub(crate) turn: Quat,
}

impl Signs {
    pub(crate) fn of(scale: Vec3) -> Self {
        let own = Vec3::from_array(scale.to_array().map(|scale| if scale < 0.0 { -1.0 } else { 1.0 }));
        let signs = own * own.element_product();
        let turn = match signs.to_array().map(|sign| sign < 0.0) {
            [false, true, true] => Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
            [true, false, true] => Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
            [true, true, false] => Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
            _ => Quat::IDENTITY,
        };
        Self { signs, turn }
    }
}

/// The mean of three scales, never 0.
pub(crate) fn mean_scale(scale: Vec3) -> f32 {
    let mean = scale.abs().element_sum() / 3.0;
    if mean > 1e-6 && mean.is_finite() { mean } else { 1.0 }
}

/// The unit quaternion along four numbers; `None` for zero and for what is not finite.
pub(crate) fn unit(xyzw: [f32; 4]) -> Option<Quat> {
    let length = xyzw.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
    (length.is_finite() && length > 1e-6).then(|| Quat::from_array(xyzw.map(|v| (f64::from(v) / length) as f32)))
}

/// Scale and turn of the columns of a matrix, and whether they are not at right angles; in f64 because exporters'
/// matrices are only nearly so. A mirrored one has a negative scale along x; a flat one is not turned.
pub(crate) fn decompose(axes: [DVec3; 3]) -> (DVec3, Quat, bool) {
    let mut scale = DVec3::from_array(axes.map(DVec3::length));
    let [x, y, z] = axes.map(DVec3::normalize_or_zero);
    let skew = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
    let flat = scale.min_element() <= 0.0;
    let mirrored = x.cross(y).dot(z) < 0.0;
    if mirrored {
        scale.x = -scale.x;
    }
    let turn = DMat3::from_cols(if mirrored { -x } else { x }, y, z);
    let q = surefoot::glam::DQuat::from_mat3(&turn).normalize();
    let rotation = unit([q.x as f32, q.y as f32, q.z as f32, q.w as f32]).filter(|_| !flat);
    (scale, rotation.unwrap_or(Quat::IDENTITY), skew > f64::from(EVEN))
}

/// Half a turn about our up: forward becomes backward.
pub(crate) fn half_turn() -> Rigid {
    Rigid::from_rotation(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0))
}

/// A change of axes as a turn.
pub(crate) fn turn_of(axes: Axes) -> Rigid {
    let [x, y, z] = Vec3::AXES.map(|axis| axes.apply(axis));
    Rigid::from_rotation(Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize())
}
