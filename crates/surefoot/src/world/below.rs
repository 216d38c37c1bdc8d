//! The ground below a walk, where there may be several floors.

use super::Ground;
use glam::{Vec2, Vec3};

/// The ground below a walk: which of several floors it goes over is told by a height nearby.
#[derive(Clone, Copy)]
pub struct Below<'a> {
    /// The ground.
    pub ground: &'a dyn Ground,
    /// Height of the way near a place (x, z) in a frame, metres.
    pub level: &'a dyn Fn(Vec2, usize) -> f32,
}

/// How far above the way the ground may be beside it, and how far it may be below that, metres: feet stand up to half a metre
/// from the middle of the body.
const ABOVE: f32 = 0.6;
const REACH: f32 = 1.4;

impl Below<'_> {
    /// Height of the ground at a place (x, z) in a frame, metres.
    #[must_use]
    pub fn height(&self, p: Vec2, frame: usize) -> Option<f32> {
        let from = Vec3::new(p.x, (self.level)(p, frame) + ABOVE, p.y);
        self.ground.below(from, REACH, 0.0).map(|hit| hit.point.y)
    }
}
