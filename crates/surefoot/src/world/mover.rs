//! Movers: boxes and discs on tracks, to stand on or to keep clear of.

use super::Track;
use super::ground::{GroundHit, SurfaceId};
use crate::math::{Rigid, quat, wrap_angle};
use glam::{Vec2, Vec3, Vec3A};

/// The shape of a mover seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// A rectangle: half its size along its own x and z, metres.
    Rectangle {
        /// Half its size, metres, > 0.
        half: Vec2,
    },
    /// A disc.
    Disc {
        /// Its radius, metres, > 0.
        radius: f32,
    },
}

/// An upright block whose motion is known: a platform where its top is stood on, an obstacle where it is in the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Mover {
    /// Its shape from above.
    pub outline: Outline,
    /// How tall it is, metres, ≥ 0.
    pub height: f32,
    /// Where the middle of its underside is, metres in world space.
    pub track: Track,
    /// Its heading at time 0, radians, left positive.
    pub heading: f32,
    /// How fast it turns about its middle, radians per second, left positive.
    pub spin: f32,
}

/// How far the corners of a disc's outline may lie beyond it, metres.
const BEYOND: f32 = 0.005;

impl Mover {
    /// Where it is: its origin is the middle of its underside, metres.
    #[must_use]
    pub fn world_from_mover(&self, time: f32) -> Rigid {
        let heading = if self.spin == 0.0 { self.heading } else { wrap_angle(self.heading + self.spin * time) };
        let rotation = if heading.is_finite() { quat::from_heading(heading) } else { quat::from_heading(0.0) };
        Rigid::new(rotation, self.track.position(time).into())
    }

    /// The velocity of the point of it that is at `point`, metres per second in world space.
    #[must_use]
    pub fn velocity(&self, point: Vec3, time: f32) -> Vec3 {
        let arm = point - self.track.position(time);
        self.track.velocity(time) + (self.spin * Vec3::Y).cross(arm)
    }

    /// How far a floor point (x, z) is from its outline, metres; negative inside.
    #[must_use]
    pub fn distance(&self, point: Vec2, time: f32) -> f32 {
        let world_from_mover = self.world_from_mover(time);
        let local = world_from_mover.inverse().transform_point(Vec3A::new(point.x, 0.0, point.y));
        let local = Vec2::new(local.x, local.z);
        match self.outline {
            Outline::Disc { radius } => local.length() - radius,
            Outline::Rectangle { half } => {
                let over = local.abs() - half;
                over.max(Vec2::ZERO).length() + over.max_element().min(0.0)
            }
        }
    }

    /// The corners of its outline (x, z) at a time, metres: four of a rectangle; a disc as a polygon that touches it from
    /// outside, so that what is clear of the polygon is clear of the disc, with corners up to 5 mm beyond it.
    #[must_use]
    pub fn corners(&self, time: f32) -> Vec<Vec2> {
        let world_from_mover = self.world_from_mover(time);
        let local: Vec<Vec2> = match self.outline {
            Outline::Rectangle { half: Vec2 { x, y } } => {
                vec![Vec2::new(-x, -y), Vec2::new(x, -y), Vec2::new(x, y), Vec2::new(-x, y)]
            }
            Outline::Disc { radius } => {
                let widest = crate::math::single::acos(radius / (radius + BEYOND));
                let sides = 4 * (std::f32::consts::FRAC_PI_4 / widest).ceil().clamp(3.0, 64.0) as usize;
                let half_side = std::f32::consts::PI / sides as f32;
                let radius = radius / crate::math::single::cos(half_side);
                (0..sides).map(|i| radius * crate::math::floor::direction(-2.0 * half_side * i as f32)).collect()
            }
        };
        let place = |p: Vec2| crate::math::floor::of_point(world_from_mover.transform_point(Vec3A::new(p.x, 0.0, p.y)));
        local.into_iter().map(place).collect()
    }

    /// Its top as ground; see [`Ground::below`](super::Ground::below).
    #[must_use]
    pub fn top_below(&self, point: Vec3, reach: f32, time: f32, surface: SurfaceId) -> Option<GroundHit> {
        let y = self.track.position(time).y + self.height;
        let hit = super::ground::hit_at(point, reach, time, y, Vec3::Y)?;
        (self.distance(Vec2::new(point.x, point.z), time) <= 0.0).then_some(GroundHit { surface, ..hit })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Repeat;
    use super::*;
    use proptest::prelude::*;

    fn ferry(outline: Outline, spin: f32) -> Mover {
        let keys = [(0.0, Vec3::ZERO), (5.0, Vec3::new(10.0, 1.0, 0.0))];
        let track = Track::new(&keys, Repeat::BackAndForth).unwrap();
        Mover { outline, height: 0.5, track, heading: 0.3, spin }
    }

    proptest! {
        #[test]
        fn what_stands_on_it_goes_with_it(u in -0.9_f32..0.9, v in -1.9_f32..1.9, spin in -1.0_f32..1.0, time in 0.0_f32..20.0) {
            let mover = ferry(Outline::Rectangle { half: Vec2::new(1.0, 2.0) }, spin);
            let place = |t| Vec3::from(mover.world_from_mover(t).transform_point(Vec3A::new(u, 0.5, v)));
            let hit = mover.top_below(place(time) + Vec3::Y, 2.0, time, SurfaceId(7)).unwrap();
            prop_assert!((hit.point - place(time)).length() < 1e-4);
            // Away from its turning points, its velocity is the change of place.
            prop_assume!((time % 5.0) > 0.1 && (time % 5.0) < 4.9);
            let change = (place(time + 5e-3) - place(time - 5e-3)) / 1e-2;
            prop_assert!((change - mover.velocity(place(time), time)).length() < 2e-2, "{change}");
        }

        #[test]
        fn a_polygon_of_it_holds_it(x in -3.0_f32..3.0, z in -3.0_f32..3.0, disc in any::<bool>()) {
            let outline = if disc { Outline::Disc { radius: 2.0 } } else { Outline::Rectangle { half: Vec2::new(1.0, 2.0) } };
            let mover = ferry(outline, 0.0);
            let corners = mover.corners(0.0);
            let within = (0..corners.len()).all(|i| {
                let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                (b - a).perp_dot(Vec2::new(x, z) - a) >= 0.0
            });
            let distance = mover.distance(Vec2::new(x, z), 0.0);
            if distance < -1e-3 { prop_assert!(within, "{distance}"); }
            if distance > 0.02 { prop_assert!(!within, "{distance}"); }
        }
    }

    #[test]
    fn beside_it_there_is_nothing_to_stand_on() {
        let mover = ferry(Outline::Disc { radius: 1.0 }, 0.0);
        let at = |x, time| mover.top_below(Vec3::new(x, 5.0, 0.0), 10.0, time, SurfaceId(0)).map(|hit| hit.point.y);
        assert_eq!(at(0.0, 0.0), Some(0.5));
        assert_eq!(at(1.1, 0.0), None);
        assert_eq!(at(0.0, 5.0), None);
        assert_eq!(at(10.0, 5.0), Some(1.5));
        assert_eq!(at(10.0, f32::NAN), None);
    }
}
