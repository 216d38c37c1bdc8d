//! Functions of one number.

use std::f32::consts::TAU;

/// The angle `a` (radians) brought into [-π, π] by whole turns.
#[must_use]
pub fn wrap_angle(a: f32) -> f32 {
    let turns = a / TAU;
    // Most angles are within half a turn, and rounding is a call on many processors. Nothing is added so that -0 becomes 0, as below.
    if turns.abs() < 0.5 { a + 0.0 } else { a - TAU * turns.round() }
}

/// `x² (3 - 2x)` with x clamped to [0, 1]: from 0 to 1 with level ends.
#[must_use]
pub fn smoothstep(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// `sin x / x`, 1 at zero.
#[must_use]
pub fn sinc(x: f32) -> f32 {
    if x.abs() < 1e-3 { 1.0 - x * x / 6.0 } else { super::single::sin(x) / x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::PI;

    #[test]
    fn angles_wrap_to_half_a_turn_either_way() {
        for (a, wrapped) in
            [(0.0, 0.0), (3.5 * PI, -0.5 * PI), (-2.5 * PI, -0.5 * PI), (TAU, 0.0), (100.0 * TAU + 0.25, 0.25)]
        {
            assert!((wrap_angle(a) - wrapped).abs() < 1e-4, "wrap({a}) = {}, not {wrapped}", wrap_angle(a));
        }
        assert!(wrap_angle(PI).abs() <= PI, "π stays within the range");
        let rounded = |a: f32| a - TAU * (a / TAU).round();
        for a in (-4000..4000).map(|k| 1e-2 * k as f32).chain([-0.0, PI, -PI, f32::MIN_POSITIVE, 1e30]) {
            assert_eq!(wrap_angle(a).to_bits(), rounded(a).to_bits(), "the shortcut changes nothing at {a}");
        }
    }

    #[test]
    fn smoothstep_has_level_ends_and_is_clamped() {
        assert_eq!((smoothstep(-1.0), smoothstep(0.5), smoothstep(2.0)), (0.0, 0.5, 1.0));
        let slope = |x: f32| (smoothstep(x + 1e-3) - smoothstep(x - 1e-3)) / 2e-3;
        assert!(slope(0.0).abs() < 5e-3 && slope(1.0).abs() < 5e-3, "level at both ends");
    }

    #[test]
    fn sinc_is_continuous_where_the_series_takes_over() {
        assert_eq!(sinc(0.0), 1.0);
        assert!((sinc(0.999e-3) - sinc(1.001e-3)).abs() < 1e-6, "no step at the switch");
        assert!(sinc(PI).abs() < 1e-6, "zero at π");
    }
}
