//! The way of a foot through the air: along the line between two prints, raised, and over what lies between.

use crate::math::Rigid;
use crate::math::{quat, smoothstep};
use glam::Vec3A;

/// A flight between two prints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Where it starts: the sole's frame, world.
    pub from: Rigid,
    /// Where it ends.
    pub to: Rigid,
    /// How it goes there.
    pub way: FlightWay,
}

/// How a foot flies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlightWay {
    /// How far the foot is raised over the line between its prints, metres.
    pub swing: f32,
    /// For which shares of the flight's time it only goes up first, and only down last: edges close to a print ask for more.
    pub wait: [f32; 2],
    /// What it is raised more to clear what is between.
    pub clearance: Clearance,
    /// How near the leg's end may come to its hip, as a share of how they stand.
    pub folds: f32,
}

impl Default for FlightWay {
    fn default() -> Self {
        Self { swing: 0.0, wait: [0.0, 0.03], clearance: Clearance::NONE, folds: 0.5 }
    }
}

impl Flight {
    /// The sole's frame at a share of the flight's time; level in speed at both ends.
    #[must_use]
    pub fn at(&self, x: f32) -> Rigid {
        let (a, b) = (self.from.translation, self.to.translation);
        let along = self.way.along(x);
        let up = self.way.swing * raised(x) + self.way.clearance.at(x);
        Rigid {
            rotation: quat::nlerp(self.from.rotation, self.to.rotation, along),
            translation: a + (b - a) * along + Vec3A::Y * up,
        }
    }
}

impl FlightWay {
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

/// Parts of a flight.
const PARTS: usize = 20;
/// The first and last of this many coefficients are nothing, so that height and speed begin and end with nothing.
const ENDS: usize = 2;

/// What a flight is raised by, over its time: a cubic spline that is nothing at both ends and passes over all that it was asked
/// to clear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// At even shares of the time, metres, from `ENDS` parts after the start on.
    heights: [f32; PARTS + 1 - 2 * ENDS],
}

impl Clearance {
    /// Nothing to clear.
    pub const NONE: Self = Self { heights: [0.0; PARTS + 1 - 2 * ENDS] };

    /// Raises it to a height (metres) at a share of the time, where it is lower. Near the ends it rises as far as it can.
    pub fn raise(&mut self, x: f32, height: f32) {
        let (first, weights) = Self::weights(x);
        let free = |k: usize| (first + k).checked_sub(ENDS + 1).filter(|i| *i < PARTS + 1 - 2 * ENDS);
        // Some of the coefficients here may be bound to nothing; the others do their part.
        let share: f32 = (0..4).filter(|k| free(*k).is_some()).map(|k| weights[k]).sum();
        for i in (0..4).filter_map(free) {
            self.heights[i] = self.heights[i].max(height / share.max(0.6));
        }
    }

    /// How much it is at a share of the time, metres.
    #[must_use]
    pub fn at(&self, x: f32) -> f32 {
        let (first, weights) = Self::weights(x);
        let height =
            |k: usize| (first + k).checked_sub(ENDS + 1).and_then(|i| self.heights.get(i)).copied().unwrap_or(0.0);
        (0..4).map(|k| weights[k] * height(k)).sum()
    }

    /// Weights of four coefficients in a row, and the number of the first of them, counted from the one before the start.
    fn weights(x: f32) -> (usize, [f32; 4]) {
        let x = x.clamp(0.0, 1.0) * PARTS as f32;
        let i = (x as usize).min(PARTS - 1);
        let u = x - i as f32;
        let v = 1.0 - u;
        let inner = |u: f32| (4.0 - 6.0 * u * u + 3.0 * u * u * u) / 6.0;
        // Coefficient i - 1 .. i + 2.
        (i, [v * v * v / 6.0, inner(u), inner(v), u * u * u / 6.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flights_meet_both_prints_at_rest() {
        let (from, to) = (Rigid::IDENTITY, Rigid::from_translation(Vec3A::new(0.0, 0.2, 0.6)));
        let mut way = FlightWay { swing: 0.1, wait: [0.25, 0.2], ..FlightWay::default() };
        (1..20).for_each(|i| way.clearance.raise(0.05 * i as f32, 0.3));
        for way in [way, FlightWay { swing: 0.1, ..FlightWay::default() }] {
            let flight = Flight { from, to, way };
            assert_eq!((flight.at(0.0), flight.at(1.0)), (from, to));
            let speed = |x: f32| (flight.at(x + 5e-4).translation - flight.at(x - 5e-4).translation).length() / 1e-3;
            assert!(speed(0.0) < 0.02 && speed(1.0) < 0.02, "{} {}", speed(0.0), speed(1.0));
        }
    }

    #[test]
    fn clearance_is_as_high_as_it_was_asked_to_be_and_smooth() {
        let asked = [(0.11, 0.05), (0.3, 0.4), (0.31, 0.2), (0.77, 0.1), (0.85, 0.3)];
        let mut clearance = Clearance::NONE;
        for (x, height) in asked {
            clearance.raise(x, height);
        }
        for (x, height) in asked {
            assert!(clearance.at(x) >= height - 1e-6, "{} at {x}, not {height}", clearance.at(x));
        }
        assert!(clearance.at(0.55) < 0.05, "where nothing is asked it comes down: {}", clearance.at(0.55));
        let speed = |x: f32| (clearance.at(x + 5e-4) - clearance.at(x - 5e-4)) / 1e-3;
        for i in 1..999 {
            let x = 1e-3 * i as f32;
            assert!((speed(x + 1e-3) - speed(x)).abs() < 1.0, "no corner at {x}");
        }
        assert_eq!(Clearance::NONE.at(0.4), 0.0);
    }
}
