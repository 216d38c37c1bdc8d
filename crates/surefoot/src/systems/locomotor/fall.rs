//! Falling: a character that was left in the air comes down to the ground, if there is one.

use super::{Locomotor, LocomotorState, Now};
use crate::math::floor;
use crate::rig::GRAVITY;

/// How far down ground is looked for, in lengths of the leg.
const FAR: f32 = 1e3;
/// How fast it falls at most, m/s.
const FASTEST: f32 = 50.0;

impl Locomotor {
    /// Falls on by a frame; where there is nothing below it stays as high as it is.
    pub(super) fn fall(&self, state: &mut LocomotorState, now: Now<'_>) {
        let from = floor::at_height(state.place.position, state.height);
        let Some(hit) = now.ground.below(from, FAR * self.character.leg_length, now.time) else {
            state.falls = 0.0;
            return;
        };
        state.falls = (state.falls + GRAVITY * now.dt).min(FASTEST);
        state.height -= state.falls * now.dt;
        if state.height <= hit.point.y {
            (state.height, state.surface, state.falls) = (hit.point.y, hit.surface, 0.0);
        }
    }
}
