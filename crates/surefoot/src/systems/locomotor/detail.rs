//! Levels of detail that go over into each other: legs that are put on the ground again in the middle of a walk.

use super::blend::RESTS;
use super::flight::KNOTS;
use super::{Locomotor, LocomotorFrame, LocomotorState, Now};
use crate::library::locomotion::{BandSample, steady_place};
use crate::math::floor;
use glam::Vec3A;

impl Locomotor {
    /// Legs that moved as in the clips are given prints again: those that a walk like this one would have left behind, each leg at
    /// its place in the round. A character that rests stands with all of them.
    pub(super) fn take_up_steps(&self, state: &mut LocomotorState, now: Now<'_>, frame: &LocomotorFrame) {
        self.replant(state, now);
        let still = state.velocity.length() < RESTS * self.character.leg_length && state.turn_rate.abs() < RESTS;
        if still {
            return;
        }
        let rate = state.cadence.max(0.1);
        let velocity = floor::turned(state.velocity, -state.place.heading);
        let motion = BandSample { velocity, turn_rate: state.turn_rate };
        for k in 0..state.legs.len() {
            let blended = frame.blend.legs[k];
            let phase = (state.phase - blended.stance).rem_euclid(1.0);
            let at = |rounds: f32| state.place.then(steady_place(motion, rounds / rate)).then(blended.place);
            let [before, after] = [-phase, 1.0 - phase].map(|rounds| self.foothold(state, k, at(rounds), now));
            let leg = &mut state.legs[k];
            (leg.phase, leg.parked, leg.flat) = (phase, false, 0.0);
            leg.flying = phase >= blended.off && phase < blended.strike;
            leg.landed = phase >= blended.strike;
            (leg.from, leg.from_surface) = before;
            (leg.to, leg.to_surface) = if leg.flying || leg.landed { after } else { before };
            (leg.goal, leg.goal_surface) = (leg.to, leg.to_surface);
            leg.asked = at(if leg.flying || leg.landed { 1.0 - phase } else { -phase });
            (leg.residual, leg.clearance, leg.awaits) = (Vec3A::ZERO, [[0.0; KNOTS]; 2], [0.0; 2]);
        }
    }
}
