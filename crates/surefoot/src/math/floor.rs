//! The floor: points (x, z), headings, and the part of a motion that may be moved about on it.

use super::{Rigid, quat, single, wrap_angle};
use glam::{Vec2, Vec3, Vec3A};

/// A place and a facing on the floor: the movable part c(t) of a motion.
///
/// A clip stays valid under any `FloorPose`, since walking does not depend on where north is. Composes like a
/// transform, `a_from_b`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FloorPose {
    /// Position (x, z), metres.
    pub position: Vec2,
    /// Heading, radians, left positive; not wrapped, so that turns can be counted.
    pub heading: f32,
}

/// The floor point (x, z) below a point.
#[must_use]
pub fn of_point(point: Vec3A) -> Vec2 {
    Vec2::new(point.x, point.z)
}

/// The point over a floor point (x, z) at height y.
#[must_use]
pub fn at_height(point: Vec2, y: f32) -> Vec3 {
    Vec3::new(point.x, y, point.y)
}

/// A floor vector turned left by `heading` radians.
#[must_use]
pub fn turned(v: Vec2, heading: f32) -> Vec2 {
    turned_by(v, single::sin_cos(heading))
}

/// A floor vector turned left by a heading whose sine and cosine are known.
#[must_use]
#[inline]
pub(crate) fn turned_by(v: Vec2, (sin, cos): (f32, f32)) -> Vec2 {
    // Vec2 is (x, z): x' = x cos + z sin, z' = z cos - x sin.
    Vec2::new(v.x * cos + v.y * sin, v.y * cos - v.x * sin)
}

/// The unit floor vector of a heading: `(sin ψ, cos ψ)` as (x, z).
#[must_use]
pub fn direction(heading: f32) -> Vec2 {
    let (sin, cos) = single::sin_cos(heading);
    Vec2::new(sin, cos)
}

/// The heading of a floor vector, radians; 0 for the zero vector.
#[must_use]
pub fn heading_of(v: Vec2) -> f32 {
    single::atan2(v.x, v.y)
}

/// The Y component of u × v: positive where v lies to the left of u. Square metres.
#[must_use]
pub fn cross(u: Vec2, v: Vec2) -> f32 {
    u.y * v.x - u.x * v.y
}

impl FloorPose {
    /// The origin, facing +Z.
    pub const ORIGIN: Self = Self { position: Vec2::ZERO, heading: 0.0 };

    /// From its parts: (x, z) in metres, radians.
    #[must_use]
    pub const fn new(position: Vec2, heading: f32) -> Self {
        Self { position, heading }
    }

    /// The place below a transform and its heading; `None` where the heading is undefined (see [`quat::heading`]).
    #[must_use]
    pub fn below(rigid: Rigid) -> Option<Self> {
        quat::heading(rigid.rotation).map(|heading| Self { position: of_point(rigid.translation), heading })
    }

    /// As a transform on the floor y = 0.
    #[must_use]
    pub fn to_rigid(self) -> Rigid {
        Rigid { rotation: quat::from_heading(self.heading), translation: at_height(self.position, 0.0).into() }
    }

    /// `a_from_c` of this `a_from_b` and `b_from_c`.
    #[must_use]
    pub fn then(self, b_from_c: Self) -> Self {
        Self { position: self.transform_point(b_from_c.position), heading: self.heading + b_from_c.heading }
    }

    /// `b_from_a` of this `a_from_b`.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self { position: turned(-self.position, -self.heading), heading: -self.heading }
    }

    /// A floor point of space b, in space a.
    #[must_use]
    pub fn transform_point(self, point: Vec2) -> Vec2 {
        self.position + turned(point, self.heading)
    }

    /// The unit vector it faces, (x, z).
    #[must_use]
    pub fn forward(self) -> Vec2 {
        direction(self.heading)
    }

    /// The same place with its heading in [-π, π].
    #[must_use]
    pub fn wrapped(self) -> Self {
        Self { heading: wrap_angle(self.heading), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_floor_pose() -> impl Strategy<Value = FloorPose> {
        (-10.0_f32..10.0, -10.0_f32..10.0, -3.0_f32..3.0).prop_map(|(x, z, h)| FloorPose::new(Vec2::new(x, z), h))
    }

    proptest! {
        #[test]
        fn composes_like_the_rigid_transform_it_is(a in any_floor_pose(), b in any_floor_pose()) {
            let composed = FloorPose::below(a.to_rigid() * b.to_rigid()).unwrap();
            let direct = a.then(b);
            prop_assert!((composed.position - direct.position).length() < 1e-4);
            prop_assert!(wrap_angle(composed.heading - direct.heading).abs() < 1e-4);
        }

        #[test]
        fn inverse_undoes(a in any_floor_pose()) {
            let back = a.then(a.inverse());
            prop_assert!(back.position.length() < 1e-4 && back.heading.abs() < 1e-6);
        }

        #[test]
        fn heading_of_a_direction_is_the_heading(h in -3.1_f32..3.1) {
            prop_assert!((heading_of(direction(h)) - h).abs() < 1e-5);
            prop_assert!((turned(direction(0.0), h) - direction(h)).length() < 1e-6);
        }
    }

    #[test]
    fn left_is_positive() {
        assert!(cross(direction(0.0), direction(0.1)) > 0.0, "a little left of forward");
        assert_eq!(heading_of(Vec2::new(1.0, 0.0)), std::f32::consts::FRAC_PI_2);
        let d3 = Vec3::Z.cross(Vec3::X).y;
        assert_eq!(cross(Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.0)), d3);
    }
}
