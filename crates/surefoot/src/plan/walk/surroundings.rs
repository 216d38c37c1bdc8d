//! What a walk goes through: room to be in, and what moves there.

use super::Tube;
use crate::plan::MovingObstacle;
use crate::world::GrownMap;
use glam::Vec2;

/// Where a body has room.
#[derive(Clone, Copy, Debug)]
pub enum FreeSpace<'a> {
    /// On a floor with what stands on it; its radius is the body's.
    Floor(&'a GrownMap),
    /// Along a route over any ground, for a body of some radius, metres.
    Tube(&'a Tube, f32),
}

/// What a walk goes through.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// What stays where it is.
    pub space: FreeSpace<'a>,
    /// What moves, along tracks that are known.
    pub moving: &'a [MovingObstacle],
    /// The time on those tracks at which the walk starts, seconds.
    pub time: f32,
}

impl<'a> Surroundings<'a> {
    /// A floor on which nothing moves.
    #[must_use]
    pub fn still(map: &'a GrownMap) -> Self {
        Self { space: FreeSpace::Floor(map), moving: &[], time: 0.0 }
    }

    /// A route over any ground, on which nothing moves, for a body of some radius, metres.
    #[must_use]
    pub fn along(tube: &'a Tube, radius: f32) -> Self {
        Self { space: FreeSpace::Tube(tube, radius), moving: &[], time: 0.0 }
    }

    /// The body's radius, metres.
    #[must_use]
    pub fn radius(&self) -> f32 {
        match self.space {
            FreeSpace::Floor(map) => map.radius(),
            FreeSpace::Tube(_, radius) => radius,
        }
    }

    /// Whether a body that needs `radius` metres has room at a place (x, z), metres, so many seconds after the walk's start.
    /// A tube was made for the body's own radius, and is asked about as a whole.
    #[must_use]
    pub fn is_free(&self, p: Vec2, radius: f32, seconds: f32) -> bool {
        let still = match self.space {
            FreeSpace::Floor(map) => map.map().is_free(p, radius),
            FreeSpace::Tube(tube, _) => tube.is_free_somewhere(p),
        };
        still && self.is_free_of_moving(p, radius, seconds)
    }

    pub(crate) fn is_free_of_moving(&self, p: Vec2, radius: f32, seconds: f32) -> bool {
        self.moving.iter().all(|moving| {
            let apart = moving.radius + radius;
            moving.at(self.time + seconds).distance_squared(p) >= apart * apart
        })
    }
}
