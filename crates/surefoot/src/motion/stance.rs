//! Stances: who stands where, and when.

use crate::math::Rigid;
use crate::rig::LegId;
use glam::Vec3A;
use std::ops::Range;

/// Where a foot stands: one rigid print, from which the places of heel and ball follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// The leg.
    pub leg: LegId,
    /// The sole's frame in the world (see [`crate::rig::Foot::ankle_from_sole`]).
    pub world_from_sole: Rigid,
}

/// One stance of one leg: from the first touch of heel or ball to the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Stance {
    /// The leg.
    pub leg: LegId,
    /// Frames from the first touch to the last.
    pub frames: Range<usize>,
    /// Frames in which the heel holds its place; empty for a foot that lands and leaves on its ball.
    pub heel: Range<usize>,
    /// Frames in which the ball holds its place.
    pub ball: Range<usize>,
    /// Where it stands.
    pub print: Footprint,
    /// Where the heel is held, world, metres: on the print, unless the foot turns between the heel's hold and the ball's.
    pub heel_at: Vec3A,
    /// Where the ball is held, likewise.
    pub ball_at: Vec3A,
    /// Cut by the clip's start or end.
    pub open: bool,
}

impl Stance {
    /// The same stance at another height, metres.
    pub fn set_height(&mut self, y: f32) {
        self.print.world_from_sole.translation.y = y;
        self.heel_at.y = y;
        self.ball_at.y = y;
    }

    /// Frames in which heel or ball holds its place.
    #[must_use]
    pub fn held(&self) -> Range<usize> {
        match (self.heel.is_empty(), self.ball.is_empty()) {
            (true, _) => self.ball.clone(),
            (_, true) => self.heel.clone(),
            _ => self.heel.start.min(self.ball.start)..self.heel.end.max(self.ball.end),
        }
    }

    /// Frames in which heel and ball both hold their places; may be empty.
    #[must_use]
    pub fn flat(&self) -> Range<usize> {
        let start = self.heel.start.max(self.ball.start);
        start..self.heel.end.min(self.ball.end).max(start)
    }
}

/// A set of stances in order of legs and time, as analysis gives them.
pub fn of_leg(stances: &[Stance], leg: LegId) -> impl Iterator<Item = &Stance> {
    stances.iter().filter(move |stance| stance.leg == leg)
}
