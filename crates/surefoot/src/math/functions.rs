//! Functions whose last bits differ between platforms, in one place: with feature `libm` they are Rust's own everywhere.

macro_rules! functions {
    ($real:ty: $($name:ident($($x:ident),+) = $libm:ident;)+) => {
        $(
            #[doc = concat!("[`", stringify!($real), "::", stringify!($name), "`], the same on every platform with feature `libm`.")]
            #[inline]
            #[must_use]
            pub fn $name($($x: $real),+) -> $real {
                #[cfg(feature = "libm")]
                {
                    libm::$libm($($x),+)
                }
                #[cfg(not(feature = "libm"))]
                {
                    <$real>::$name($($x),+)
                }
            }
        )+

        /// Sine and cosine of an angle, radians.
        #[inline]
        #[must_use]
        pub fn sin_cos(x: $real) -> ($real, $real) {
            #[cfg(feature = "libm")]
            {
                (sin(x), cos(x))
            }
            #[cfg(not(feature = "libm"))]
            {
                x.sin_cos()
            }
        }
    };
}

/// For `f32`.
pub mod single {
    functions! { f32:
        sin(x) = sinf;
        cos(x) = cosf;
        tan(x) = tanf;
        asin(x) = asinf;
        acos(x) = acosf;
        atan(x) = atanf;
        atan2(y, x) = atan2f;
        hypot(x, y) = hypotf;
        exp(x) = expf;
        exp2(x) = exp2f;
        ln(x) = logf;
        powf(x, y) = powf;
    }
}

/// For `f64`.
pub mod double {
    functions! { f64:
        sin(x) = sin;
        cos(x) = cos;
        tan(x) = tan;
        asin(x) = asin;
        acos(x) = acos;
        atan(x) = atan;
        atan2(y, x) = atan2;
        hypot(x, y) = hypot;
        exp(x) = exp;
        exp2(x) = exp2;
        ln(x) = log;
        powf(x, y) = pow;
    }
}

#[cfg(test)]
mod tests {
    use super::{double, single};

    #[test]
    fn they_are_the_functions_of_their_names() {
        for i in -40_i16..40 {
            let (x, y) = (0.1 * f64::from(i), 1.5);
            let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} {b} at {x}");
            near(double::sin(x), x.sin());
            near(double::cos(x), x.cos());
            near(double::tan(0.3 * x), (0.3 * x).tan());
            near(double::asin(0.2 * x), (0.2 * x).asin());
            near(double::acos(0.2 * x), (0.2 * x).acos());
            near(double::atan(x), x.atan());
            near(double::atan2(x, y), x.atan2(y));
            near(double::hypot(x, y), x.hypot(y));
            near(double::exp(x), x.exp());
            near(double::exp2(x), x.exp2());
            near(double::ln(x.abs() + y), (x.abs() + y).ln());
            near(double::powf(x.abs(), y), x.abs().powf(y));
            assert_eq!(double::sin_cos(x), (double::sin(x), double::cos(x)));
            let s = single::sin_cos(x as f32);
            assert!((s.0 - x.sin() as f32).abs() < 1e-6 && (s.1 - x.cos() as f32).abs() < 1e-6, "{s:?}");
        }
    }
}
