//! The ground along a way, where there may be several floors.

use super::{Ground, GroundHit};
use glam::{Vec2, Vec3};

/// The ground along a way: which of several floors it goes over is told by a height nearby.
#[derive(Clone, Copy)]
pub struct GroundAlong<'a> {
    /// The ground.
    pub ground: &'a dyn Ground,
    /// Height of the way near a place (x, z) at a time (seconds), metres.
    pub height: &'a dyn Fn(Vec2, f32) -> f32,
}

/// How far above the way the ground may be beside it, metres: feet stand up to half a metre from the middle of the body.
const ABOVE: f32 = 0.6;
/// How far below that the ground may be, metres.
const REACH: f32 = 1.4;

impl GroundAlong<'_> {
    /// The ground at a place (x, z) at a time, seconds.
    #[must_use]
    pub fn at(&self, p: Vec2, time: f32) -> Option<GroundHit> {
        let from = Vec3::new(p.x, (self.height)(p, time) + ABOVE, p.y);
        self.ground.below(from, REACH, time)
    }
}
