//! Stances: who stands where, and when; found in a clip or planned ahead.

use super::{Clip, Span};
use crate::math::Rigid;
use crate::rig::LegId;
use crate::world::{Ground, SurfaceId};
use glam::Vec3A;
use std::ops::Range;

/// Where a foot stands: one rigid print, from which the places of heel and ball follow.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Footprint {
    /// The leg.
    pub leg: LegId,
    /// The sole's frame in the world (see [`crate::rig::Foot::ankle_from_sole`]), at the time of its strike.
    pub world_from_sole: Rigid,
    /// The surface that it stands on and rides with.
    pub surface: SurfaceId,
    /// Whether a person put it there: no stage moves it.
    pub pinned: bool,
}

impl Footprint {
    /// A print on ground that does not move.
    #[must_use]
    pub fn new(leg: LegId, world_from_sole: Rigid) -> Self {
        Self { leg, world_from_sole, surface: SurfaceId(0), pinned: false }
    }

    /// Where the sole is at another time, its surface having carried it there from where it was at `from`, both seconds.
    #[must_use]
    pub fn carried(&self, ground: &dyn Ground, from: f32, to: f32) -> Rigid {
        let at = |t: f32| ground.world_from_surface(self.surface, t);
        at(to) * at(from).inverse() * self.world_from_sole
    }
}

/// One stance of one leg: from the first touch of heel or ball, its strike, until it is off the ground.
///
/// Found stances and planned ones are the same thing. Times are seconds of the clip or plan; [`Stance::frames`] is a view of
/// them in frames.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stance {
    /// Where it stands, and which leg.
    pub print: Footprint,
    /// From its strike until it is off.
    pub time: Span,
    /// While the heel holds its place; `None` for a foot that lands and leaves on its ball.
    pub heel: Option<Span>,
    /// While the ball holds its place; `None` for a foot that stands on its heel alone.
    pub ball: Option<Span>,
    /// Where the heel is held, world, metres: on the print, unless the foot turns between the heel's hold and the ball's.
    pub heel_at: Vec3A,
    /// Where the ball is held, likewise.
    pub ball_at: Vec3A,
    /// Cut by the clip's start or end.
    pub open: bool,
}

impl Stance {
    /// The leg.
    #[must_use]
    pub fn leg(&self) -> LegId {
        self.print.leg
    }

    /// When heel or ball touches first, seconds.
    #[must_use]
    pub fn strike(&self) -> f32 {
        self.time.start
    }

    /// When the whole sole is down, seconds; the strike for a foot that never lies flat.
    #[must_use]
    pub fn land(&self) -> f32 {
        self.flat().map_or(self.time.start, |flat| flat.start)
    }

    /// When the sole begins to leave, seconds; when it is off for a foot that never lies flat.
    #[must_use]
    pub fn lift(&self) -> f32 {
        self.flat().map_or(self.time.end, |flat| flat.end)
    }

    /// When the last of it leaves the ground, seconds.
    #[must_use]
    pub fn off(&self) -> f32 {
        self.time.end
    }

    /// While heel or ball holds its place.
    #[must_use]
    pub fn held(&self) -> Option<Span> {
        match (self.heel, self.ball) {
            (Some(heel), Some(ball)) => Some(heel.cover(ball)),
            (heel, ball) => heel.or(ball),
        }
    }

    /// While heel and ball both hold their places.
    #[must_use]
    pub fn flat(&self) -> Option<Span> {
        self.heel?.shared(self.ball?)
    }

    /// The same stance at another height, metres.
    pub fn set_height(&mut self, y: f32) {
        self.print.world_from_sole.translation.y = y;
        self.heel_at.y = y;
        self.ball_at.y = y;
    }

    /// Moves print, heel and ball.
    pub fn transform(&mut self, by: Rigid) {
        self.print.world_from_sole = by * self.print.world_from_sole;
        self.heel_at = by.transform_point(self.heel_at);
        self.ball_at = by.transform_point(self.ball_at);
    }

    /// Its times in frames of a clip.
    #[must_use]
    pub fn frames(&self, clip: &Clip) -> StanceFrames {
        self.frames_at(clip.rate(), clip.frames())
    }

    /// Its times in frames at a rate (Hz), out of the first `count`.
    #[must_use]
    pub fn frames_at(&self, rate: f32, count: usize) -> StanceFrames {
        let frames = |span: Option<Span>| span.map_or(0..0, |span| span.frames(rate, count));
        StanceFrames { whole: self.time.frames(rate, count), heel: frames(self.heel), ball: frames(self.ball) }
    }

    /// Sets its times to frames at a rate, Hz.
    pub fn set_frames(&mut self, frames: &StanceFrames, rate: f32) {
        let StanceFrames { whole, heel, ball } = frames;
        let at = |frame: usize| frame as f32 / rate;
        self.time = Span { start: at(whole.start), end: at(whole.end) };
        (self.heel, self.ball) = (Span::of_frames(heel, rate), Span::of_frames(ball, rate));
    }
}

/// The times of a stance in frames of a clip.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StanceFrames {
    /// From the first touch to the last.
    pub whole: Range<usize>,
    /// In which the heel holds its place; may be empty.
    pub heel: Range<usize>,
    /// In which the ball holds its place; may be empty.
    pub ball: Range<usize>,
}

impl StanceFrames {
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

/// The stances of one leg, in order.
pub fn of_leg(stances: &[Stance], leg: LegId) -> impl Iterator<Item = &Stance> {
    stances.iter().filter(move |stance| stance.leg() == leg)
}
