//! What clips say of the steps of a live character, blended by weight, and how its walk goes round.

use super::{Blend, Locomotor, LocomotorFrame, LocomotorState};
use crate::library::locomotion::BandSample;
use crate::math::{FloorPose, floor, single};
use glam::Vec2;
use std::f32::consts::TAU;

/// What the slowest clip counts beside all others in how legs step, so that a character that stands knows how, too.
const KNOWS: f32 = 0.02;
/// A body turns by this in a round of its walk if it can, radians: it steps quicker to turn faster.
const TURN_A_ROUND: f32 = 1.3;
/// How soon the pace of steps changes, as a share of a round of the clips.
const KEEPS_PACE: f32 = 0.25;
/// A character without legs to hold rests slower than this, leg lengths a second and rad/s.
pub(super) const RESTS: f32 = 0.02;

/// What clips say of a leg, blended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BlendedLeg {
    /// The phase of its stance.
    pub stance: f32,
    /// Leg phases at which it begins to leave, leaves, touches and is down.
    pub lift: f32,
    pub off: f32,
    pub strike: f32,
    /// Where it stands in the character's frame.
    pub place: FloorPose,
}

impl Locomotor {
    /// What clips say of steps, blended by weight.
    pub(super) fn blend(&self, state: &LocomotorState, frame: &mut LocomotorFrame) {
        let Blend { legs, stride, seconds, stepping } = &mut frame.blend;
        let clips = self.clips.clips();
        for (i, weight) in stepping.iter_mut().enumerate() {
            let own = if clips[i].moves() { state.weights[i] } else { 0.0 };
            *weight = own + if i == self.clips.slowest() { KNOWS } else { 0.0 };
        }
        let sum: f32 = stepping.iter().sum();
        stepping.iter_mut().for_each(|weight| *weight /= sum);
        *seconds = 0.0;
        *stride = BandSample::default();
        for ((clip, weight), steps) in clips.iter().zip(&state.weights).zip(stepping.iter()) {
            *seconds += steps * clip.seconds;
            if clip.moves() {
                let own = clip.stride();
                stride.velocity += *weight * own.velocity;
                stride.turn_rate += *weight * own.turn_rate;
            }
        }
        for (k, leg) in legs.iter_mut().enumerate() {
            *leg = BlendedLeg::default();
            let (mut around, mut ahead) = (Vec2::ZERO, Vec2::ZERO);
            for ((clip, weight), steps) in clips.iter().zip(&state.weights).zip(stepping.iter()) {
                leg.place.position += *weight * clip.places[k].position;
                ahead += *weight * floor::direction(clip.places[k].heading);
                if *steps > 0.0 && clip.moves() {
                    let own = &clip.legs[k];
                    around += *steps * floor::direction(TAU * own.stance);
                    leg.lift += steps * own.lift;
                    leg.off += steps * own.off;
                    leg.strike += steps * own.strike;
                }
            }
            leg.place.heading = floor::heading_of(ahead);
            leg.stance = if around.length_squared() < 0.01 {
                clips[heaviest(stepping)].legs[k].stance
            } else {
                (floor::heading_of(around) / TAU).rem_euclid(1.0)
            };
        }
    }

    /// How many rounds a second the walk should go.
    fn wanted_cadence(&self, state: &LocomotorState, blend: &Blend) -> f32 {
        let clips = self.clips.clips();
        let stepping = clips.iter().zip(&blend.stepping);
        let own: f32 = stepping.map(|(clip, weight)| weight * clip.motion.velocity.length()).sum();
        // Turning moves feet as going does.
        let speed = state.velocity.length() + 0.4 * state.turn_rate.abs() * self.character.leg_length;
        let [least, most] = self.settings.cadence;
        let seconds = blend.seconds.max(0.05);
        // Feet are turned in steps, too.
        let turning = state.turn_rate.abs() * seconds / TURN_A_ROUND;
        single::powf((speed / own.max(1e-3)).max(1e-3), 0.45).max(turning).clamp(least, most) / seconds
    }

    /// The common phase goes on, unless all legs wait; and so does the clock of clips that stand.
    pub(super) fn advance_phase(&self, state: &mut LocomotorState, dt: f32, blend: &Blend) {
        let waits = if state.hold > 0.0 {
            state.legs.iter().all(|leg| leg.parked)
        } else {
            state.velocity.length() < RESTS * self.character.leg_length && state.turn_rate.abs() < RESTS
        };
        let cadence = self.wanted_cadence(state, blend);
        // Steps that are on their way are led by how long they will take: that changes no sooner than steps do.
        let soon = if waits || cadence > state.cadence {
            1.0
        } else {
            1.0 - single::exp(-dt / (KEEPS_PACE * blend.seconds.max(0.05)))
        };
        state.cadence += (cadence - state.cadence) * soon;
        if !waits {
            state.phase = (state.phase + state.cadence * dt).rem_euclid(1.0);
        }
        state.idle += dt;
        // Standing about comes round after an hour, so that its clock stays exact.
        if state.idle > 3600.0 {
            state.idle -= 3600.0;
        }
    }
}

/// The heaviest of some weights.
fn heaviest(weights: &[f32]) -> usize {
    (0..weights.len()).max_by(|a, b| weights[*a].total_cmp(&weights[*b])).unwrap_or(0)
}
