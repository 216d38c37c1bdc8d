//! The one path type: a line of points in space, measured along its length.

use crate::math::floor;
use crate::world::GrownMap;
use glam::{Vec2, Vec3};

/// A line through points, metres, Y up. Places on it are lengths from its start, `s`, in metres; what is outside
/// [0, length] is taken to the nearer end.
///
/// ```
/// use surefoot::glam::{Vec2, Vec3};
/// use surefoot::plan::Path;
///
/// let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 3.0), Vec2::new(4.0, 3.0)]);
/// assert_eq!(path.length(), 7.0);
/// assert_eq!(path.at(5.0), Vec3::new(2.0, 0.0, 3.0));
/// assert_eq!(path.heading(5.0), std::f32::consts::FRAC_PI_2); // to the left, +X
/// assert_eq!(path.nearest(Vec3::new(1.0, 0.0, 2.0)).s, 2.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Path {
    points: Vec<Vec3>,
    /// Length from the start to each point.
    lengths: Vec<f32>,
}

/// A place on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPlace {
    /// Length from the start, metres.
    pub s: f32,
    /// The point, metres.
    pub point: Vec3,
    /// How far it is from what was asked about, metres.
    pub distance: f32,
}

impl Path {
    /// Through these points; neighbours that are the same count once.
    ///
    /// # Panics
    /// If there is no point, or one is not finite.
    #[must_use]
    pub fn new(mut points: Vec<Vec3>) -> Self {
        assert!(!points.is_empty() && points.iter().all(|p| p.is_finite()), "a path has points, all finite");
        points.dedup();
        let mut total = 0.0_f64;
        // Thousands of short pieces add up in f64, so that s stays true to the millimetre.
        let mut lengths = Vec::with_capacity(points.len());
        lengths.push(0.0);
        for pair in points.windows(2) {
            total += f64::from(pair[0].distance(pair[1]));
            lengths.push(total as f32);
        }
        Self { points, lengths }
    }

    /// Through floor points (x, z) at height 0.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    #[must_use]
    pub fn on_floor(points: &[Vec2]) -> Self {
        Self::new(points.iter().map(|p| floor::at_height(*p, 0.0)).collect())
    }

    /// Its points, metres.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// The lengths from the start to each point, metres.
    #[must_use]
    pub fn lengths(&self) -> &[f32] {
        &self.lengths
    }

    /// Its whole length, metres.
    #[must_use]
    pub fn length(&self) -> f32 {
        self.lengths[self.lengths.len() - 1]
    }

    /// Where it starts, metres.
    #[must_use]
    pub fn start(&self) -> Vec3 {
        self.points[0]
    }

    /// Where it ends, metres.
    #[must_use]
    pub fn end(&self) -> Vec3 {
        self.points[self.points.len() - 1]
    }

    /// The piece that s lies on: the number of its first point.
    fn piece(&self, s: f32) -> usize {
        self.lengths.partition_point(|l| *l <= s).clamp(1, self.points.len().max(2) - 1) - 1
    }

    /// The point at s.
    #[must_use]
    pub fn at(&self, s: f32) -> Vec3 {
        let s = s.clamp(0.0, self.length());
        if self.points.len() == 1 {
            return self.points[0];
        }
        let i = self.piece(s);
        let t = (s - self.lengths[i]) / (self.lengths[i + 1] - self.lengths[i]).max(f32::MIN_POSITIVE);
        self.points[i].lerp(self.points[i + 1], t.clamp(0.0, 1.0))
    }

    /// The heading of travel at s, radians; at a corner that of the piece after it. Where the path goes straight up, or is
    /// one point, 0.
    #[must_use]
    pub fn heading(&self, s: f32) -> f32 {
        if self.points.len() == 1 {
            return 0.0;
        }
        let i = self.piece(s.clamp(0.0, self.length()));
        floor::heading_of(floor::of_point((self.points[i + 1] - self.points[i]).into()))
    }

    /// The place on the path nearest to a point; the first of several.
    #[must_use]
    pub fn nearest(&self, point: Vec3) -> PathPlace {
        self.nearest_after(point, 0.0)
    }

    /// The nearest place not before s: what a walker asks who does not want to be sent back where a path crosses
    /// itself.
    #[must_use]
    pub fn nearest_after(&self, point: Vec3, s: f32) -> PathPlace {
        let s = s.clamp(0.0, self.length());
        let start = self.at(s);
        let mut best = PathPlace { s, point: start, distance: start.distance(point) };
        let first = if self.points.len() == 1 { 0 } else { self.piece(s) };
        for i in first..self.points.len() - 1 {
            let (a, b) = (self.points[i], self.points[i + 1]);
            let along = b - a;
            let t = ((point - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let (on, s_on) = (a + along * t, self.lengths[i] + t * (self.lengths[i + 1] - self.lengths[i]));
            let distance = on.distance(point);
            if distance < best.distance && s_on >= s {
                best = PathPlace { s: s_on, point: on, distance };
            }
        }
        best
    }

    /// Points evenly along it, at most `spacing` metres apart, both ends kept. Corners are cut where no point falls on
    /// them.
    ///
    /// # Panics
    /// If `spacing` is not positive.
    #[must_use]
    pub fn resampled(&self, spacing: f32) -> Self {
        assert!(spacing > 0.0, "points must be some way apart, not {spacing} m");
        let count = (self.length() / spacing).ceil().max(1.0);
        let mut points: Vec<Vec3> = (0..count as usize).map(|i| self.at(self.length() * i as f32 / count)).collect();
        points.push(self.end());
        Self::new(points)
    }

    /// The least distance from the path to an obstacle or the floor's edge, metres: exact, of the map that is not grown.
    #[must_use]
    pub fn clearance(&self, map: &GrownMap) -> f32 {
        let floor: Vec<Vec2> = self.points.iter().map(|p| floor::of_point((*p).into())).collect();
        let alone = map.map().clearance(floor[0]);
        floor.windows(2).map(|pair| map.map().segment_clearance(pair[0], pair[1])).fold(alone, f32::min)
    }

    /// Whether every piece is free on a map.
    #[must_use]
    pub fn is_free(&self, map: &GrownMap) -> bool {
        let floor = |p: Vec3| floor::of_point(p.into());
        map.is_free(floor(self.start()))
            && self.points.windows(2).all(|pair| map.segment_is_free(floor(pair[0]), floor(pair[1])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_path() -> impl Strategy<Value = Path> {
        proptest::collection::vec((-9.0_f32..9.0, -1.0_f32..1.0, -9.0_f32..9.0), 1..20)
            .prop_map(|points| Path::new(points.into_iter().map(Vec3::from).collect()))
    }

    proptest! {
        #[test]
        fn places_on_it_are_found_again(path in any_path(), part in 0.0_f32..1.0) {
            let s = part * path.length();
            let place = path.nearest(path.at(s));
            prop_assert!(place.distance < 1e-4, "{place:?}");
            let after = path.nearest_after(path.at(s), s);
            prop_assert!((after.s - s).abs() < 1e-3, "{after:?} is not at {s}");
        }

        #[test]
        fn no_point_of_it_is_nearer_than_the_nearest(path in any_path(), p in (-9.0_f32..9.0, -9.0_f32..9.0)) {
            let p = Vec3::new(p.0, 0.0, p.1);
            let nearest = path.nearest(p);
            for i in 0..=100 {
                prop_assert!(path.at(path.length() * i as f32 / 100.0).distance(p) > nearest.distance - 1e-4);
            }
        }

        #[test]
        fn resampling_keeps_ends_and_spacing(path in any_path(), spacing in 0.05_f32..3.0) {
            let even = path.resampled(spacing);
            prop_assert_eq!((even.start(), even.end()), (path.start(), path.end()));
            prop_assert!(even.points().windows(2).all(|pair| pair[0].distance(pair[1]) < spacing + 1e-3));
            prop_assert!(even.length() < path.length() + 1e-3);
        }
    }

    #[test]
    fn one_point_is_a_path() {
        let path = Path::new(vec![Vec3::X, Vec3::X]);
        assert_eq!((path.length(), path.at(3.0), path.heading(1.0), path.points().len()), (0.0, Vec3::X, 0.0, 1));
        assert_eq!(path.nearest(Vec3::ZERO).distance, 1.0);
        assert_eq!(path.resampled(0.5).end(), Vec3::X);
    }
}
