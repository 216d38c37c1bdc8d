//! A footfall: a planned stance of one foot, how it rolls, and the swing that leads to it.

use super::swing::SwingShape;
use crate::character::StandLeg;
use crate::foot::SolePlace;
use crate::math::Rigid;
use crate::motion::{Span, Stance};
use glam::Vec3A;

/// A planned stance of one foot, and the swing that leads to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footfall {
    /// When and where it stands: from minus infinity on for the first, to infinity for the last.
    pub stance: Stance,
    /// How the foot swings to it.
    pub swing: SwingShape,
    /// How far its toes are up when it lands, and for how long they come down.
    pub toes_up: Roll,
    /// How far its heel is up when it leaves, and for how long it rises before that.
    pub heel_up: Roll,
    /// How much farther its heel goes up in the flight that leads to it than as the foot left, radians.
    pub kicks: f32,
    /// Where its heel rises about, in the sole's own frame, metres.
    pub rolls_over: Vec3A,
    /// Whether its toes bend: they stay as the heel rises, and the ball goes up with it.
    pub toes_bend: bool,
    /// How far beyond the leg's reach it is thought to be, metres; 0 if within.
    pub beyond: f32,
    /// Whether there was ground.
    pub grounded: bool,
}

/// How a foot rolls over one end of its sole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Roll {
    /// How far the other end is up, radians.
    pub angle: f32,
    /// For how long, seconds.
    pub seconds: f32,
}

impl Footfall {
    /// The sole's frame, world.
    #[must_use]
    pub fn print(&self) -> Rigid {
        self.stance.print.world_from_sole
    }

    /// When it begins to leave, seconds: its heel rises first.
    #[must_use]
    pub(crate) fn leaves(&self) -> f32 {
        self.stance.off() - self.heel_up.seconds
    }

    /// Puts it elsewhere: on a foothold, with its leg's heel and ball.
    pub(super) fn put(&mut self, leg: &StandLeg, hold: &SolePlace) {
        let print = &mut self.stance.print;
        (print.world_from_sole, print.surface) = (hold.print, hold.surface);
        [self.stance.heel_at, self.stance.ball_at] = leg.sole.map(|point| hold.print.transform_point(point));
    }

    /// Lets it stand at another time.
    pub(crate) fn stand_during(&mut self, time: Span) {
        self.stance.time = time;
        self.roll();
    }

    /// Tells when heel and ball hold their places: the ball once toes are down, and until it rises with the heel where toes bend,
    /// the heel until it rises.
    pub(super) fn roll(&mut self) {
        let Span { start, end } = self.stance.time;
        let during = |roll: Roll| if roll.angle > 0.0 { roll.seconds } else { 0.0 };
        let span = |start: f32, end: f32| (start < end).then_some(Span { start, end });
        self.stance.heel = span(start, end - during(self.heel_up));
        let rises = if self.toes_bend { during(self.heel_up) } else { 0.0 };
        self.stance.ball = span(start + during(self.toes_up), end - rises);
    }
}
