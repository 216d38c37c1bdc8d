//! Ground: the one question that every system asks of a world, with time, since the world may move.

use crate::math::Rigid;
use glam::{Vec2, Vec3};

/// A part of the ground that moves as one piece, or that can be walked without leaving it; what exactly is said by
/// the [`Ground`] that hands it out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SurfaceId(pub u32);

impl SurfaceId {
    /// Ground that belongs to no surface: it can be touched, but is not meant to be walked on.
    pub const NONE: Self = Self(u32::MAX);
}

/// Where a look downwards met the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundHit {
    /// The place, metres, world space.
    pub point: Vec3,
    /// The ground's normal there, of unit length, upwards (y ≥ 0), world space.
    pub normal: Vec3,
    /// What was met.
    pub surface: SurfaceId,
}

/// Something to walk on.
///
/// A closure `|x, z| y` is one, so is [`LevelGround`]:
///
/// ```
/// use surefoot::glam::Vec3;
/// use surefoot::world::Ground;
///
/// let slope = |x: f32, _z: f32| 0.5 * x;
/// let hit = slope.below(Vec3::new(2.0, 3.0, 0.0), 10.0, 0.0).unwrap();
/// assert!((hit.point - Vec3::new(2.0, 1.0, 0.0)).length() < 1e-6);
/// assert!((hit.normal - Vec3::new(-0.5, 1.0, 0.0).normalize()).length() < 1e-3);
/// // Where the closure says NaN there is no ground.
/// assert_eq!((|_: f32, _: f32| f32::NAN).below(Vec3::Y, 10.0, 0.0), None);
/// ```
pub trait Ground {
    /// The highest ground that is at or below `point` (metres, world space) and at most `reach` metres below it, at a
    /// time (seconds). `None` where there is none, and for a `point`, `reach` or `time` that is no number. Ask from
    /// above what may have sunk in: ground above `point` is not seen.
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit>;

    /// Where a surface is at a time, to hold feet on ground that moves: a point of it stays the same in its space.
    fn world_from_surface(&self, surface: SurfaceId, time: f32) -> Rigid {
        let _ = (surface, time);
        Rigid::IDENTITY
    }
}

/// Level ground without end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct LevelGround {
    /// Its height y, metres; where this is NaN there is no ground.
    pub height: f32,
}

impl Ground for LevelGround {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        hit_at(point, reach, time, self.height, Vec3::Y)
    }
}

impl<F: Fn(f32, f32) -> f32> Ground for F {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        let hit = hit_at(point, reach, time, self(point.x, point.z), Vec3::Y)?;
        Some(GroundHit { normal: normal(self, Vec2::new(point.x, point.z), hit.point.y), ..hit })
    }
}

/// The hit of a look down that meets ground of a known height, if it does.
pub(super) fn hit_at(point: Vec3, reach: f32, time: f32, y: f32, normal: Vec3) -> Option<GroundHit> {
    let met = point.is_finite() && time.is_finite() && y <= point.y && point.y - y <= reach;
    (met && y.is_finite()).then_some(GroundHit { point: Vec3 { y, ..point }, normal, surface: SurfaceId(0) })
}

/// The normal of a height function by differences over 2 cm; over 1 cm where one side has no ground.
fn normal(height: &impl Fn(f32, f32) -> f32, at: Vec2, here: f32) -> Vec3 {
    const STEP: f32 = 0.01;
    let slope = |along: Vec2| {
        let [back, ahead] = [at - STEP * along, at + STEP * along].map(|p| height(p.x, p.y));
        match (back.is_finite(), ahead.is_finite()) {
            (true, true) => (ahead - back) / (2.0 * STEP),
            (true, false) => (here - back) / STEP,
            (false, true) => (ahead - here) / STEP,
            (false, false) => 0.0,
        }
    };
    Vec3::new(-slope(Vec2::X), 1.0, -slope(Vec2::Y)).normalize_or(Vec3::Y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reach_and_the_point_itself_bound_the_look() {
        let level = LevelGround { height: 1.0 };
        let y = |from: f32, reach: f32| level.below(Vec3::new(3.0, from, 4.0), reach, 0.0).map(|hit| hit.point.y);
        assert_eq!(y(2.0, 1.0), Some(1.0));
        assert_eq!(y(1.0, 0.0), Some(1.0));
        assert_eq!(y(2.0, 0.9), None);
        assert_eq!(y(0.9, 5.0), None);
        assert_eq!(y(2.0, f32::INFINITY), Some(1.0));
    }

    #[test]
    fn what_is_no_number_is_no_ground() {
        let nan = f32::NAN;
        let level = LevelGround::default();
        for (point, reach, time) in [
            (Vec3::new(nan, 1.0, 0.0), 2.0, 0.0),
            (Vec3::new(0.0, nan, 0.0), 2.0, 0.0),
            (Vec3::new(0.0, f32::INFINITY, 0.0), f32::INFINITY, 0.0),
            (Vec3::Y, nan, 0.0),
            (Vec3::Y, 2.0, nan),
        ] {
            assert_eq!(level.below(point, reach, time), None, "{point} {reach} {time}");
            assert_eq!((|_: f32, _: f32| 0.0).below(point, reach, time), None, "{point} {reach} {time}");
        }
        for height in [nan, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(LevelGround { height }.below(Vec3::Y, f32::INFINITY, 0.0), None, "{height}");
        }
    }

    #[test]
    fn a_normal_at_the_edge_of_the_ground_is_that_of_the_side_that_is_there() {
        let half = |x: f32, _: f32| if x > 0.0 { f32::NAN } else { x };
        let hit = half.below(Vec3::new(0.0, 1.0, 0.0), 2.0, 0.0).unwrap();
        assert!((hit.normal - Vec3::new(-1.0, 1.0, 0.0).normalize()).length() < 1e-4, "{hit:?}");
    }
}
