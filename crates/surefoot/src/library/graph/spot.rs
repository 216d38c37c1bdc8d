//! Floor poses as searches compose them by the hundred thousand: headings as unit vectors, so that no angle is ever taken.

use crate::math::{FloorPose, floor};
use glam::Vec2;

/// A place and a facing on the floor, composed like a transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    /// (x, z), metres.
    pub(crate) place: Vec2,
    /// The unit vector it faces, (x, z).
    pub(crate) facing: Vec2,
}

impl Spot {
    pub(crate) fn new(pose: FloorPose) -> Self {
        Self { place: pose.position, facing: pose.forward() }
    }

    pub(crate) fn pose(self) -> FloorPose {
        FloorPose { position: self.place, heading: floor::heading_of(self.facing) }
    }

    /// A vector of its space, turned into the outer one.
    pub(crate) fn turned(self, v: Vec2) -> Vec2 {
        let (sin, cos) = (self.facing.x, self.facing.y);
        Vec2::new(v.x * cos + v.y * sin, v.y * cos - v.x * sin)
    }

    /// `a_from_c` of this `a_from_b` and `b_from_c`.
    pub(crate) fn then(self, inner: Self) -> Self {
        Self { place: self.place + self.turned(inner.place), facing: self.turned(inner.facing) }
    }

    /// `b_from_a` of this `a_from_b`.
    pub(crate) fn inverse(self) -> Self {
        let back = Self { place: Vec2::ZERO, facing: Vec2::new(-self.facing.x, self.facing.y) };
        Self { place: back.turned(-self.place), ..back }
    }

    /// The same with a facing that is a unit vector again, after many compositions.
    pub(crate) fn tidied(self) -> Self {
        Self { facing: self.facing.normalize_or(Vec2::Y), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::wrap_angle;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn composes_as_floor_poses_do(a in (-9.0_f32..9.0, -9.0_f32..9.0, -3.0_f32..3.0), b in (-9.0_f32..9.0, -9.0_f32..9.0, -3.0_f32..3.0)) {
            let [a, b] = [a, b].map(|(x, z, heading)| FloorPose::new(Vec2::new(x, z), heading));
            let (own, known) = (Spot::new(a).then(Spot::new(b)).pose(), a.then(b));
            prop_assert!((own.position - known.position).length() < 1e-5);
            prop_assert!(wrap_angle(own.heading - known.heading).abs() < 1e-5);
            let back = Spot::new(a).inverse().then(Spot::new(a)).pose();
            prop_assert!(back.position.length() < 1e-5 && back.heading.abs() < 1e-5);
        }
    }
}
