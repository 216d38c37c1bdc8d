//! States that corrections depend on: slope, turning, speed, phase, and where feet are against the idle pose.

use crate::adapt::FootAt;
use crate::character::Stand;
use crate::math::{floor, quat, single};
use crate::plan::steps::CourseMoment;
use crate::rig::LegId;
use glam::Vec3A;

/// The most axes of a state.
pub(super) const MOST_AXES: usize = 8;

/// One number of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldState {
    /// How steep the way is, radians, up positive.
    Slope,
    /// Turning rate, rad/s, left positive.
    Turning,
    /// Speed over the floor, m/s.
    Speed,
    /// The place in the gait's cycle, 0 to 1; goes round.
    Phase,
    /// How far a foot is to the left of where it is in the idle pose, metres.
    FootAside(LegId),
    /// How far it is up.
    FootUp(LegId),
    /// How far it is ahead.
    FootAhead(LegId),
}

/// An axis of a segment's state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateAxis {
    /// What it measures.
    pub state: FieldState,
    /// The difference that counts as one, in its unit, > 0.
    pub range: f32,
}

impl StateAxis {
    /// How far two values are apart, in ranges.
    pub(super) fn apart(&self, a: f32, b: f32) -> f32 {
        let apart = a - b;
        let apart = if self.state == FieldState::Phase { apart - apart.round() } else { apart };
        apart / self.range
    }
}

/// What states are read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldInput<'a> {
    /// How the creature stands.
    pub stand: &'a Stand,
    /// Its body.
    pub moment: &'a CourseMoment,
    /// Its feet.
    pub feet: &'a [FootAt],
}

impl FieldInput<'_> {
    /// The value of a state; 0 for legs that are not there.
    #[must_use]
    pub(crate) fn value(&self, state: FieldState) -> f32 {
        match state {
            FieldState::Slope => single::atan(self.moment.slope),
            FieldState::Turning => self.moment.turning,
            FieldState::Speed => self.moment.speed,
            FieldState::Phase => self.moment.cycles - self.moment.cycles.floor(),
            FieldState::FootAside(leg) => self.foot(leg).x,
            FieldState::FootUp(leg) => self.foot(leg).y,
            FieldState::FootAhead(leg) => self.foot(leg).z,
        }
    }

    fn foot(&self, leg: LegId) -> Vec3A {
        let (Some(foot), Some(stood)) = (self.feet.get(leg.index()), self.stand.legs.get(leg.index())) else {
            return Vec3A::ZERO;
        };
        let middle: Vec3A = floor::at_height(self.moment.place.position, self.moment.height).into();
        let own = quat::from_heading(-self.moment.place.heading) * (foot.world_from_sole.translation - middle);
        own - Vec3A::from(floor::at_height(stood.anchor.position, 0.0))
    }
}
