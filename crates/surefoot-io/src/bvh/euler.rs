//! Rotations by axis, and the angles of a rotation.

use surefoot::glam::{DQuat, Quat};

/// The rotation by an angle (radians) about axis 0 x, 1 y or 2 z.
#[inline]
pub(super) fn about(axis: usize, angle: f32) -> Quat {
    let (sin, cos) = surefoot::math::single::sin_cos(0.5 * angle);
    match axis {
        0 => Quat::from_xyzw(sin, 0.0, 0.0, cos),
        1 => Quat::from_xyzw(0.0, sin, 0.0, cos),
        _ => Quat::from_xyzw(0.0, 0.0, sin, cos),
    }
}

/// Angles (radians) about z, y, x, in that order from the outside, whose product is `q`, nearest to `last`.
///
/// Two sets of angles make every rotation, each up to whole turns; the one nearest to the frame before gives curves
/// that an animator can edit.
pub(super) fn zyx(q: Quat, last: [f64; 3]) -> [f64; 3] {
    let q = q.as_dquat().normalize();
    let (x, y, z, w) = (q.x, q.y, q.z, q.w);
    // Column 0 of the matrix is (cy cz, cy sz, -sy).
    let (m00, m10, m20) = (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y));
    let cos_y = m00.hypot(m10);
    // Near gimbal lock z is anybody's choice: then the last one stands, and x makes up for it below.
    let turn_z = if cos_y > 1e-9 { m10.atan2(m00) } else { last[0] };
    let turn_y = (-m20).atan2(cos_y);
    // What is left after z and y are taken off is a turn about x, exact however close to the lock.
    let left = (DQuat::from_rotation_z(turn_z) * DQuat::from_rotation_y(turn_y)).conjugate() * q;
    let angles = [turn_z, turn_y, 2.0 * left.x.atan2(left.w)];
    use std::f64::consts::PI;
    let other = [angles[0] + PI, PI - angles[1], angles[2] + PI];
    let unwrap = |set: [f64; 3]| std::array::from_fn(|i| set[i] - 2.0 * PI * ((set[i] - last[i]) / (2.0 * PI)).round());
    let far = |set: &[f64; 3]| (0..3).map(|i| (set[i] - last[i]).powi(2)).sum::<f64>();
    let (a, b): ([f64; 3], [f64; 3]) = (unwrap(angles), unwrap(other));
    if far(&a) <= far(&b) { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use surefoot::math::quat::angle_between;

    fn product(a: [f64; 3]) -> Quat {
        about(2, a[0] as f32) * about(1, a[1] as f32) * about(0, a[2] as f32)
    }

    proptest! {
        #[test]
        fn angles_make_the_rotation(z in -4.0_f64..4.0, y in -4.0_f64..4.0, x in -4.0_f64..4.0, near in prop::array::uniform3(-7.0_f64..7.0)) {
            let q = product([z, y, x]);
            let angles = zyx(q, near);
            prop_assert!(angle_between(product(angles), q) < 2e-5, "{angles:?}");
        }

        #[test]
        fn curves_stay_continuous(z in -3.0_f64..3.0, y in -1.4_f64..1.4, x in -3.0_f64..3.0, turns in -3_i32..3) {
            let last = [z + f64::from(turns) * std::f64::consts::TAU, y, x];
            let next = zyx(product([z + 0.01, y + 0.01, x - 0.01]), last);
            prop_assert!((0..3).all(|i| (next[i] - last[i]).abs() < 0.02), "{last:?} {next:?}");
        }
    }

    #[test]
    fn gimbal_lock_is_a_rotation_too() {
        let product =
            |a: [f64; 3]| DQuat::from_rotation_z(a[0]) * DQuat::from_rotation_y(a[1]) * DQuat::from_rotation_x(a[2]);
        for power in 0..10 {
            for side in [-1.0, 1.0] {
                let y = side * (std::f64::consts::FRAC_PI_2 - 0.1 * 0.1_f64.powi(power));
                for (z, x) in [(0.3, 0.5), (2.0, -1.0), (0.0, 0.0), (-2.9, 3.0)] {
                    let q = product([z, y, x]).as_quat();
                    for last in [[0.1, 1.5, 0.2], [0.0; 3], [9.0, -1.5, 4.0]] {
                        let off = angle_between(product(zyx(q, last)).as_quat(), q).to_degrees();
                        assert!(off < 1e-3, "{off}° off at {y}, z {z}, x {x}");
                    }
                }
            }
        }
    }
}
