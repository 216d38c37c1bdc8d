//! The way of a foot through the air: along the line between two prints, ahead of it where it climbs, over what lies between.

use crate::math::Rigid;
use crate::math::{floor, quat, smoothstep};
use crate::world::Ground;
use glam::{Vec2, Vec3A};

/// A flight between two prints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Where it starts: the sole's frame, world.
    pub from: Rigid,
    /// Where it ends.
    pub to: Rigid,
    /// How far the foot is raised over the line between them, metres.
    pub swing: f32,
}

impl Flight {
    /// The sole's frame at a share of the flight's time; level in speed at both ends.
    #[must_use]
    pub fn at(&self, x: f32) -> Rigid {
        let (a, b) = (self.from.translation, self.to.translation);
        let along = Self::along(x);
        // Up before it goes there, down after.
        let rise = b.y - a.y;
        let height = if rise > 0.0 { smoothstep(x / 0.65) } else { smoothstep((x - 0.35) / 0.65) };
        let mut place = a + (b - a) * along;
        place.y = a.y + rise * height + self.swing * Self::raised(x);
        Rigid { rotation: quat::nlerp(self.from.rotation, self.to.rotation, along), translation: place }
    }

    /// The share of the way at a share of the time: off the ground first.
    #[must_use]
    pub fn along(x: f32) -> f32 {
        smoothstep((x - 0.06) / 0.9)
    }

    /// The share of the swing's height at a share of its time.
    #[must_use]
    pub fn raised(x: f32) -> f32 {
        smoothstep(x / 0.3) * smoothstep((1.0 - x) / 0.5)
    }

    /// The same flight raised so far that heel and ball (in the sole's frame, metres) pass over the ground by a margin
    /// (metres), up to `most`.
    #[must_use]
    pub fn over(mut self, ground: &dyn Ground, sole: [Vec3A; 2], margin: f32, most: f32) -> Self {
        let top = self.from.translation.y.max(self.to.translation.y) + most;
        let mut needed = self.swing;
        for i in 2..48 {
            let x = i as f32 / 50.0;
            let raised = Self::raised(x);
            let base = Rigid { translation: self.at(x).translation - Vec3A::Y * (self.swing * raised), ..self.at(x) };
            for point in sole {
                let point = base.transform_point(point);
                let at: Vec2 = floor::of_point(point);
                let hit = ground.below(floor::at_height(at, top), 4.0 * most, 0.0);
                if let Some(hit) = hit {
                    // Near its ends a foot is as near to the ground as it must be.
                    let margin = margin * smoothstep(4.0 * x.min(1.0 - x));
                    needed = needed.max((hit.point.y + margin - point.y) / raised.max(0.05));
                }
            }
        }
        self.swing = needed.min(most);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flights_meet_both_prints_at_rest_and_clear_a_wall() {
        let (from, to) = (Rigid::IDENTITY, Rigid::from_translation(Vec3A::new(0.0, 0.2, 0.6)));
        let wall = |_: f32, z: f32| match z {
            z if z < 0.3 => 0.0,
            z if z < 0.4 => 0.35,
            _ => 0.2,
        };
        let sole = [Vec3A::new(0.0, 0.0, -0.08), Vec3A::new(0.0, 0.0, 0.08)];
        let low = Flight { from, to, swing: 0.1 };
        let flight = low.over(&wall, sole, 0.02, 0.9);
        assert_eq!((flight.at(0.0), flight.at(1.0)), (from, to));
        let speed = |x: f32| (flight.at(x + 5e-4).translation - flight.at(x - 5e-4).translation).length() / 1e-3;
        assert!(speed(0.0) < 0.02 && speed(1.0) < 0.02, "{} {}", speed(0.0), speed(1.0));
        let least = |flight: &Flight| {
            (2..=18)
                .flat_map(|i| sole.map(|p| flight.at(i as f32 / 20.0).transform_point(p)))
                .map(|p| p.y - wall(p.x, p.z))
                .fold(f32::INFINITY, f32::min)
        };
        assert!(least(&low) < -0.05, "there is something to clear: {}", least(&low));
        assert!(least(&flight) > -1e-4, "{}", least(&flight));
    }
}
