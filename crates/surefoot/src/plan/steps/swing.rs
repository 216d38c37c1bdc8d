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
    /// How it goes round other feet.
    pub aside: Aside,
    /// How near the leg's end may come to its hip, as a share of how they stand.
    pub folds: f32,
    /// How softly it slows down as it lands, from 0 (as it set off) to 1 (it has no speed to lose any more).
    pub soft: f32,
}

impl Default for SwingShape {
    fn default() -> Self {
        Self { height: 0.0, over: None, aside: Aside::NONE, folds: 0.5, soft: SOFT_END }
    }
}

/// How a foot goes aside in its flight, and back again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aside {
    /// How far, metres, to the foot's left positive.
    pub by: f32,
    /// Between which shares of the way.
    pub during: [f32; 2],
}

/// A foot goes aside and back over this share of its way at least.
const EASES: f32 = 0.5;

impl Aside {
    /// Straight on.
    pub const NONE: Self = Self { by: 0.0, during: [1.0, 0.0] };

    /// How far it is aside at a share of the way, metres.
    #[must_use]
    pub fn at(&self, x: f32) -> f32 {
        if self.by == 0.0 {
            return 0.0;
        }
        let [from, to] = self.during;
        self.by * smoothstep(x / from.max(EASES)) * smoothstep((1.0 - x) / (1.0 - to).max(EASES))
    }

    /// Goes aside by so much at a share of the way, too; the first side that was asked for is kept.
    pub(crate) fn widen(&mut self, x: f32, by: f32) {
        if self.by * by < 0.0 {
            return;
        }
        self.by = if by.abs() > self.by.abs() { by } else { self.by };
        self.during = [self.during[0].min(x), self.during[1].max(x)];
    }

    /// Both, one after the other.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        if self.by == 0.0 {
            return other;
        }
        let during = [self.during[0].min(other.during[0]), self.during[1].max(other.during[1])];
        Self { by: self.by + other.by, during }
    }
}

impl Swing {
    /// The sole's frame at a share of the flight's time; level in speed at both ends.
    #[must_use]
    pub(crate) fn at(&self, x: f32) -> Rigid {
        let (along, up) = match &self.shape.over {
            None => (self.shape.along(x), self.shape.height * raised(x)),
            Some(over) => {
                let at = over.at(x);
                (at.along, at.up)
            }
        };
        let mut sole = self.along(along);
        let left = (sole.rotation * Vec3A::X).with_y(0.0).normalize_or_zero();
        sole.translation += left * self.shape.aside.at(along) + Vec3A::Y * up;
        sole
    }

    /// The sole's frame at a share of the way, on the line between both prints.
    #[must_use]
    pub(super) fn along(&self, share: f32) -> Rigid {
        let (a, b) = (self.from.translation, self.to.translation);
        Rigid { rotation: quat::nlerp(self.from.rotation, self.to.rotation, share), translation: a + (b - a) * share }
    }
}

/// For this share of the flight's time a foot only goes down last.
const LANDS: f32 = 0.03;
/// Feet usually slow down so softly.
const SOFT_END: f32 = 0.5;

impl SwingShape {
    /// The share of the way at a share of the time.
    #[must_use]
    pub fn along(&self, x: f32) -> f32 {
        self.over.as_ref().map_or_else(|| gone(x / (1.0 - LANDS), self.soft), |over| over.at(x).along)
    }
}

/// The share of a way that a foot has gone at a share of its time: it slows down more softly than it set off, since its leg is straighter
/// as it lands than as it leaves, and knees of straight legs turn fast for how far their feet go.
fn gone(x: f32, soft: f32) -> f32 {
    let (x, even) = (x.clamp(0.0, 1.0), smoothstep(x));
    even + soft * (x * x * (6.0 - 8.0 * x + 3.0 * x * x) - even)
}

/// The share of the swing's height at a share of its time.
pub(super) fn raised(x: f32) -> f32 {
    smoothstep(x / 0.3) * smoothstep((1.0 - x) / 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_slow_down_more_softly_than_they_set_off() {
        let gone = |x: f32| gone(x, SOFT_END);
        let slows = |x: f32| ((gone(x + 0.02) - 2.0 * gone(x) + gone(x - 0.02)) / 0.02_f32.powi(2)).abs();
        assert!(slows(0.97) < 0.6 * slows(0.03), "{} and {}", slows(0.97), slows(0.03));
        assert!((1..50).all(|k| gone(0.02 * k as f32) > gone(0.02 * (k - 1) as f32)), "they do not turn back");
    }

    #[test]
    fn flights_meet_both_prints_at_rest() {
        let (from, to) = (Rigid::IDENTITY, Rigid::from_translation(Vec3A::new(0.0, 0.2, 0.6)));
        let flight = Swing { from, to, shape: SwingShape { height: 0.1, ..SwingShape::default() } };
        assert_eq!((flight.at(0.0), flight.at(1.0)), (from, to));
        let speed = |x: f32| (flight.at(x + 5e-4).translation - flight.at(x - 5e-4).translation).length() / 1e-3;
        assert!(speed(0.0) < 0.02 && speed(1.0) < 0.02, "{} {}", speed(0.0), speed(1.0));
    }
}
