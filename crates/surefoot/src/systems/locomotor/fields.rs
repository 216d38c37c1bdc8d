//! Motion fields on live characters: corrections that depend on slope, speed, turning, phase and where feet are.

use super::{Locomotor, LocomotorFrame, LocomotorState};
use crate::adapt::{FieldState, MotionField};
use crate::math::{floor, quat, single};
use crate::rig::LegId;
use glam::Vec3A;
use std::f32::consts::PI;

impl Locomotor {
    /// The same with a field of corrections, which is added to every pose.
    #[must_use]
    pub fn with_field(mut self, field: MotionField) -> Self {
        self.field = field;
        self
    }

    /// The state of a field's segment in the frame that was made last, axis by axis: where a correction of that pose belongs.
    ///
    /// # Panics
    /// If there is no such segment.
    #[must_use]
    pub fn field_state(&self, segment: usize, state: &LocomotorState, frame: &LocomotorFrame) -> Vec<f32> {
        let axes = &self.field.segments()[segment].axes;
        axes.iter().map(|axis| self.field_value(axis.state, state, frame)).collect()
    }

    fn field_value(&self, axis: FieldState, state: &LocomotorState, frame: &LocomotorFrame) -> f32 {
        let off = |leg: LegId| {
            let (Some(foot), Some(stood)) = (frame.feet.get(leg.index()), self.character.stand.legs.get(leg.index()))
            else {
                return Vec3A::ZERO;
            };
            let sole = foot.ankle * stood.sole_from_ankle.inverse();
            let middle: Vec3A = floor::at_height(state.place.position, state.base).into();
            let own = quat::from_heading(-state.place.heading) * (sole.translation - middle);
            own - Vec3A::from(floor::at_height(stood.anchor.position, 0.0))
        };
        match axis {
            FieldState::Slope => single::atan(state.slope.y),
            FieldState::Turning => state.turn_rate,
            FieldState::Speed => state.velocity.length(),
            FieldState::Phase => state.phase,
            FieldState::FootAside(leg) => off(leg).x,
            FieldState::FootUp(leg) => off(leg).y,
            FieldState::FootAhead(leg) => off(leg).z,
        }
    }

    /// Adds its field to the pose and to the goals of feet that fly. Allocates nothing.
    pub(super) fn correct(&self, state: &LocomotorState, frame: &mut LocomotorFrame) {
        if self.field.segments().is_empty() {
            return;
        }
        let mut goals = [Vec3A::ZERO; crate::character::MOST_LEGS];
        // Poses are changed while states are read, which ask for feet only.
        let mut pose = std::mem::take(&mut frame.pose.locals);
        self.field.apply_to(&|axis| self.field_value(axis, state, frame), &mut pose, &mut goals);
        frame.pose.locals = pose;
        for (foot, goal) in frame.feet.iter_mut().zip(goals) {
            if let Some(flown) = foot.flown {
                // Feet leave and land where they would without it.
                let share = single::sin(PI * flown).powi(2);
                foot.ankle.translation += quat::from_heading(state.place.heading) * goal * share;
            }
        }
    }
}
