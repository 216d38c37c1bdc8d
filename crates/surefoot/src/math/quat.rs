//! Rotations: headings, logarithm and exponential, neighbours in sign.

use super::single;
use glam::{Quat, Vec3, Vec3A};

/// Below this share of a unit vector the left axis points up or down and a heading means nothing.
const VERTICAL: f32 = 0.05;

/// The heading ψ of a rotation (radians, left positive): the turn about +Y of its left axis `q · (1,0,0)`.
///
/// The left axis stays level while a body pitches forward or back, so bowing does not disturb the heading. `None`
/// where that axis stands upright (the body lies on its side); callers keep the last heading then.
#[must_use]
pub fn heading(rotation: Quat) -> Option<f32> {
    let left = rotation * Vec3::X;
    (left.x * left.x + left.z * left.z > VERTICAL * VERTICAL).then(|| single::atan2(-left.z, left.x))
}

/// The rotation by `heading` radians about +Y.
#[must_use]
pub fn from_heading(heading: f32) -> Quat {
    Quat::from_rotation_y(heading)
}

/// The turn about +X that takes +Z up (or down) a slope, rise over run: by its angle, without asking for it.
#[must_use]
pub(crate) fn about_left(slope: f32) -> Quat {
    let cos = 1.0 / (1.0 + slope * slope).sqrt();
    let half = (0.5 * (1.0 + cos)).sqrt();
    Quat::from_xyzw(-0.5 * slope * cos / half, 0.0, 0.0, half)
}

/// Splits `q = R_y(ψ) q'` into the heading ψ and the rest q', which has heading 0. `fallback` stands in where the
/// heading is undefined.
#[must_use]
pub fn split_heading(rotation: Quat, fallback: f32) -> (f32, Quat) {
    let psi = heading(rotation).unwrap_or(fallback);
    (psi, from_heading(-psi) * rotation)
}

/// The rotation vector of `q`: axis times angle, the angle in [0, π] radians.
#[must_use]
pub fn log(q: Quat) -> Vec3 {
    // q and -q are one rotation; the half with w >= 0 has the smaller angle.
    let q = if q.w < 0.0 { -q } else { q };
    let v = q.xyz();
    let sine = v.length();
    // angle / sin(angle/2) tends to 2 / w; below 1e-4 rad the series is exact to f32.
    let scale = if sine < 0.5e-4 { 2.0 / q.w } else { 2.0 * single::atan2(sine, q.w) / sine };
    v * scale
}

/// The rotation of a rotation vector (axis times angle, radians); the inverse of [`log`] up to a whole turn.
#[must_use]
pub fn exp(v: Vec3) -> Quat {
    let angle = v.length();
    let half = 0.5 * angle;
    let (sin, cos) = single::sin_cos(half);
    // sin(half) / angle tends to 1/2.
    let scale = if angle < 1e-4 { 0.5 - angle * angle / 48.0 } else { sin / angle };
    let axis = v * scale;
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos).normalize()
}

/// The angle between two rotations, radians in [0, π].
///
/// Accurate for small angles too, where the arc cosine of a dot product loses half the digits.
#[must_use]
pub fn angle_between(a: Quat, b: Quat) -> f32 {
    let d = a.conjugate() * b;
    2.0 * single::atan2(d.xyz().length(), d.w.abs())
}

/// The shortest turn that takes one unit vector to another; about `side` where they are opposite and every way is as short.
///
/// Exact for small turns too, of which glam's own takes half a milliradian for nothing.
#[must_use]
#[inline]
pub fn arc(from: Vec3A, to: Vec3A, side: Vec3A) -> Quat {
    let between = |from: Vec3A, to: Vec3A| {
        let v = from.cross(to);
        Quat::from_xyzw(v.x, v.y, v.z, 1.0 + from.dot(to)).normalize()
    };
    if from.dot(to) > -0.999 {
        return between(from, to);
    }
    // Half a turn about the side takes it to its opposite, and little is left.
    let side = (side - from * side.dot(from)).try_normalize().unwrap_or_else(|| from.any_orthonormal_vector());
    between(-from, to) * Quat::from_xyzw(side.x, side.y, side.z, 0.0)
}

/// `q` or `-q`, whichever lies nearer to `reference`. Both are the same rotation; blends need the near one.
#[must_use]
pub fn nearest_sign(reference: Quat, q: Quat) -> Quat {
    if reference.dot(q) < 0.0 { -q } else { q }
}

/// Interpolation along the straight line between two unit quaternions (the near way round), normalised.
///
/// Between neighbouring frames of a clip this is as good as slerp at a third of the cost: the angle it gives is
/// off by at most 0.04° where the frames are 30° apart.
#[must_use]
#[inline]
pub fn nlerp(a: Quat, b: Quat, x: f32) -> Quat {
    a.lerp(b, x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f32::consts::{FRAC_PI_2, PI};

    fn any_rotation() -> impl Strategy<Value = Quat> {
        (prop::array::uniform4(-1.0_f32..1.0))
            .prop_filter("not too short", |v| v.iter().map(|x| x * x).sum::<f32>() > 0.01)
            .prop_map(|[x, y, z, w]| Quat::from_xyzw(x, y, z, w).normalize())
    }

    proptest! {
        #[test]
        fn log_and_exp_are_inverse(q in any_rotation()) {
            let v = log(q);
            prop_assert!(v.length() <= PI + 1e-5, "angle {}", v.length());
            prop_assert!(angle_between(exp(v), q) < 2e-6);
        }

        #[test]
        fn exp_and_log_are_inverse_down_to_tiny_angles(axis in any_rotation(), size in -7.0_f32..0.49) {
            let v = axis * Vec3::X * 10.0_f32.powf(size);
            prop_assert!((log(exp(v)) - v).length() < 2e-6 * v.length().max(0.1), "{v}");
        }

        #[test]
        fn heading_adds_up_under_turns(q in any_rotation(), turn in -3.0_f32..3.0) {
            prop_assume!(heading(q).is_some());
            let turned = heading(from_heading(turn) * q).expect("still defined");
            prop_assert!(super::super::wrap_angle(turned - heading(q).unwrap() - turn).abs() < 1e-3);
        }

        #[test]
        fn split_heading_recomposes(q in any_rotation()) {
            let (psi, rest) = split_heading(q, 0.7);
            prop_assert!(angle_between(from_heading(psi) * rest, q) < 1e-5);
            if heading(q).is_some() {
                prop_assert!(heading(rest).unwrap().abs() < 1e-3);
            }
        }
    }

    #[test]
    fn slopes_are_turned_up_by_their_angle() {
        for slope in [-30.0, -1.0, -1e-3, 0.0, 0.2, 1.0, 1e4] {
            let turned = about_left(slope);
            let own = Quat::from_rotation_x(-f32::atan(slope));
            assert!(angle_between(turned, own) < 1e-6 && (turned.length() - 1.0).abs() < 1e-6, "{slope}: {turned}");
        }
    }

    #[test]
    fn arcs_lead_from_one_to_the_other_at_every_angle() {
        for i in 0..=1000 {
            let angle =
                if i < 500 { 10.0_f32.powf(0.01 * i as f32 - 5.0) } else { PI - 10.0_f32.powf(0.01 * i as f32 - 10.0) };
            for axis in [Vec3::X, Vec3::new(0.6, 0.8, 0.0)] {
                let from = Vec3A::from(axis.any_orthonormal_vector());
                let to = Quat::from_axis_angle(axis, angle) * from;
                let turned = arc(from, to, Vec3A::from(axis)) * from;
                assert!((turned - to).length() < 1e-5, "{angle}: {turned}, not {to}");
            }
        }
        let half = arc(Vec3A::Y, -Vec3A::Y, Vec3A::X);
        assert!((half * Vec3A::X - Vec3A::X).length() < 1e-6, "half a turn about the side: {half}");
    }

    #[test]
    fn a_left_turn_is_positive() {
        let forward = from_heading(FRAC_PI_2) * Vec3::Z;
        assert!((forward - Vec3::X).length() < 1e-6, "a quarter turn left looks along +X, the former left");
        assert!((heading(from_heading(0.3)).unwrap() - 0.3).abs() < 1e-6, "heading of a plain turn");
    }

    #[test]
    fn heading_survives_pitch_and_is_undefined_on_the_side() {
        let bowed = from_heading(0.4) * Quat::from_rotation_x(1.5);
        assert!((heading(bowed).unwrap() - 0.4).abs() < 1e-4, "bowing keeps the heading");
        assert_eq!(heading(Quat::from_rotation_z(FRAC_PI_2)), None);
        assert_eq!(split_heading(Quat::from_rotation_z(FRAC_PI_2), 0.25).0, 0.25);
    }

    #[test]
    fn nlerp_stays_within_the_stated_error() {
        let b = Quat::from_rotation_x(30.0_f32.to_radians());
        for i in 0..=20 {
            let x = i as f32 / 20.0;
            let off = angle_between(nlerp(Quat::IDENTITY, b, x), Quat::IDENTITY.slerp(b, x)).to_degrees();
            assert!(off < 0.04, "{off}° at {x}");
        }
    }
}
