//! The way of a foot through the air: along the line between two prints, raised, and over what lies between.

use crate::foot::Clearance;
use crate::math::{Rigid, quat, smoothstep};
use glam::Vec3A;

/// A swing of a foot between two prints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Swing {
    /// Where it starts: the sole's frame, world.
    pub from: Rigid,
    /// Where it ends.
    pub to: Rigid,
    /// How it goes there.
    pub shape: SwingShape,
}

/// How a foot swings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingShape {
    /// How far the foot is raised over the line between its prints, metres.
    pub height: f32,
    /// For which shares of the flight's time it only goes up first, and only down last: edges close to a print ask for more.
    pub wait: [f32; 2],
    /// What it is raised more to clear what is between.
    pub clearance: Clearance,
    /// How near the leg's end may come to its hip, as a share of how they stand.
    pub folds: f32,
}

impl Default for SwingShape {
    fn default() -> Self {
        Self { height: 0.0, wait: [0.0, 0.03], clearance: Clearance::NONE, folds: 0.5 }
    }
}

impl Swing {
    /// The sole's frame at a share of the flight's time; level in speed at both ends.
    #[must_use]
    pub(crate) fn at(&self, x: f32) -> Rigid {
        let (a, b) = (self.from.translation, self.to.translation);
        let along = self.shape.along(x);
        let up = self.shape.height * raised(x) + self.shape.clearance.at(x);
        Rigid {
            rotation: quat::nlerp(self.from.rotation, self.to.rotation, along),
            translation: a + (b - a) * along + Vec3A::Y * up,
        }
    }
}

impl SwingShape {
    /// The share of the way at a share of the time.
    #[must_use]
    pub fn along(&self, x: f32) -> f32 {
        let [first, last] = self.wait;
        smoothstep((x - first) / (1.0 - first - last))
    }
}

/// The share of the swing's height at a share of its time.
fn raised(x: f32) -> f32 {
    smoothstep(x / 0.3) * smoothstep((1.0 - x) / 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flights_meet_both_prints_at_rest() {
        let (from, to) = (Rigid::IDENTITY, Rigid::from_translation(Vec3A::new(0.0, 0.2, 0.6)));
        let mut way = SwingShape { height: 0.1, wait: [0.25, 0.2], ..SwingShape::default() };
        (1..20).for_each(|i| way.clearance.raise(0.05 * i as f32, 0.3));
        for way in [way, SwingShape { height: 0.1, ..SwingShape::default() }] {
            let flight = Swing { from, to, shape: way };
            assert_eq!((flight.at(0.0), flight.at(1.0)), (from, to));
            let speed = |x: f32| (flight.at(x + 5e-4).translation - flight.at(x - 5e-4).translation).length() / 1e-3;
            assert!(speed(0.0) < 0.02 && speed(1.0) < 0.02, "{} {}", speed(0.0), speed(1.0));
        }
    }
}
