//! The plane nearest to points, told as heights over the floor.

use glam::{DVec2, DVec3};

/// A plane that is not upright: its height over any place of the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    /// A point of it, metres: the mean of the points it was fitted to.
    pub middle: DVec3,
    /// How it rises along x and z: rise over run.
    pub slope: DVec2,
}

impl Plane {
    /// The plane nearest in height to weighted points, in least squares; `None` if they weigh nothing. A slope costs as much as
    /// points of standard deviation √`hold` (metres²) that lie level: where points hardly spread, it stays near 0. In `f64`,
    /// since differences of squares are small.
    #[must_use]
    pub(crate) fn fit(points: impl Iterator<Item = (DVec3, f64)> + Clone, hold: f64) -> Option<Self> {
        let weight: f64 = points.clone().map(|(_, w)| w).sum();
        if weight.is_nan() || weight <= 0.0 {
            return None;
        }
        let middle = points.clone().map(|(p, w)| p * w).sum::<DVec3>() / weight;
        let [mut xx, mut xz, mut zz, mut xy, mut zy] = [0.0; 5];
        for (p, w) in points {
            let d = p - middle;
            xx += w * d.x * d.x;
            xz += w * d.x * d.z;
            zz += w * d.z * d.z;
            xy += w * d.x * d.y;
            zy += w * d.z * d.y;
        }
        let (xx, xz, zz, xy, zy) = (xx / weight + hold, xz / weight, zz / weight + hold, xy / weight, zy / weight);
        let whole = xx * zz - xz * xz;
        let slope = match whole > 1e-12 {
            true => DVec2::new(xy * zz - zy * xz, zy * xx - xy * xz) / whole,
            false => DVec2::ZERO,
        };
        Some(Self { middle, slope })
    }

    /// Its height over a place (x, z), metres.
    #[must_use]
    pub(crate) fn height(&self, at: DVec2) -> f64 {
        self.middle.y + self.slope.dot(at - DVec2::new(self.middle.x, self.middle.z))
    }

    /// Its upward normal.
    #[must_use]
    pub(crate) fn normal(&self) -> DVec3 {
        DVec3::new(-self.slope.x, 1.0, -self.slope.y).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_slope_give_that_slope() {
        let at = |x: f64, z: f64| (DVec3::new(x, 0.5 + 0.2 * x - 0.1 * z, z), 1.0 + x);
        let points = [at(0.0, 0.0), at(0.1, 0.0), at(0.0, 0.3), at(0.1, 0.3)];
        let plane = Plane::fit(points.into_iter(), 0.0).unwrap();
        assert!((plane.height(DVec2::new(0.2, 0.1)) - 0.53).abs() < 1e-9, "{plane:?}");
        assert!((plane.normal() - DVec3::new(-0.2, 1.0, 0.1).normalize()).length() < 1e-9, "{plane:?}");
        let held = Plane::fit(points.into_iter(), 10.0).unwrap();
        assert!(held.slope.length() < 1e-3, "points that hardly spread tell no slope: {held:?}");
    }

    #[test]
    fn nothing_and_one_point_are_level_or_nothing() {
        assert_eq!(Plane::fit(std::iter::empty(), 0.0), None);
        let one = Plane::fit(std::iter::once((DVec3::new(1.0, 2.0, 3.0), 1.0)), 0.0).unwrap();
        assert_eq!((one.height(DVec2::ZERO), one.normal()), (2.0, DVec3::Y));
    }
}
