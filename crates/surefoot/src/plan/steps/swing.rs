//! The way of a foot through the air: along the line between two prints, raised, and over what lies between.

use super::over::Over;
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
    /// Its way over what is between, in place of that.
    pub over: Option<Over>,
    /// How near the leg's end may come to its hip, as a share of how they stand.
    pub folds: f32,
}

impl Default for SwingShape {
    fn default() -> Self {
        Self { height: 0.0, over: None, folds: 0.5 }
    }
}

impl Swing {
    /// The sole's frame at a share of the flight's time; level in speed at both ends.
    #[must_use]
    pub(crate) fn at(&self, x: f32) -> Rigid {
        let Some(over) = &self.shape.over else {
            let mut sole = self.along(self.shape.along(x));
            sole.translation.y += self.shape.height * raised(x);
            return sole;
        };
        let at = over.at(x);
        let mut sole = self.along(at.along);
        let way = self.to.translation - self.from.translation;
        let left = Vec3A::new(way.z, 0.0, -way.x).normalize_or_zero();
        sole.translation += left * at.aside + Vec3A::Y * at.up;
        sole
    }

    /// The sole's frame at a share of the way, on the line between both prints.
    #[must_use]
    pub(super) fn along(&self, share: f32) -> Rigid {
        let (a, b) = (self.from.translation, self.to.translation);
        Rigid {
            rotation: quat::nlerp(self.from.rotation, self.to.rotation, share),
            translation: a + (b - a) * share,
        }
    }
}

/// For this share of the flight's time a foot only goes down last.
const LANDS: f32 = 0.03;

impl SwingShape {
    /// The share of the way at a share of the time.
    #[must_use]
    pub fn along(&self, x: f32) -> f32 {
        self.over.as_ref().map_or_else(|| smoothstep(x / (1.0 - LANDS)), |over| over.at(x).along)
    }
}

/// The share of the swing's height at a share of its time.
pub(super) fn raised(x: f32) -> f32 {
    smoothstep(x / 0.3) * smoothstep((1.0 - x) / 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flights_meet_both_prints_at_rest() {
        let (from, to) = (Rigid::IDENTITY, Rigid::from_translation(Vec3A::new(0.0, 0.2, 0.6)));
        let flight = Swing { from, to, shape: SwingShape { height: 0.1, ..SwingShape::default() } };
        assert_eq!((flight.at(0.0), flight.at(1.0)), (from, to));
        let speed = |x: f32| (flight.at(x + 5e-4).translation - flight.at(x - 5e-4).translation).length() / 1e-3;
        assert!(speed(0.0) < 0.02 && speed(1.0) < 0.02, "{} {}", speed(0.0), speed(1.0));
    }
}
