//! Legs of a live character: when each steps, waits and comes down.

use super::aim::predicted;
use super::blend::BlendedLeg;
use super::flight::KNOTS;
use super::foot::flown;
use super::{Detail, FootEvent, FootEventKind, Locomotor, LocomotorFrame, LocomotorState, Now};
use crate::math::{FloorPose, floor, single, wrap_angle};
use crate::rig::LegId;
use glam::{Vec2, Vec3A};

/// How strongly a leg catches up with its place in the order of feet, and how much slower and quicker it is for it.
const CATCHES_UP: f32 = 3.0;
const CATCH_UP: [f32; 2] = [0.75, 1.5];
/// How much quicker a leg steps whose print is out of reach.
const STRAINED: f32 = 2.0;
/// How far a print is moved to where the foot truly came down, at most, as a share of the leg's length.
const SHIFTED: f32 = 0.05;
/// A leg that waits steps at once where its foot is turned from how it should be by more than this, radians.
const TWISTED: f32 = 0.6;
/// When a character sets out, legs that would be in the air step with the first if they would be no farther than this share of
/// their flight: others wait for their next step.
const JOINS: f32 = 0.3;
/// How long a foot takes to lie flat after its leg was parked, and to settle where it should be, seconds.
const FLATTENS: f32 = 0.12;
const SETTLES: f32 = 0.05;

/// What a step would bring.
#[derive(Clone, Copy, Debug)]
struct Need {
    /// How far the foot is from where it should be, metres.
    far: f32,
    /// How far it is turned from how it should be, radians.
    turned: f32,
}

impl Locomotor {
    /// Puts all feet down where they belong at once.
    pub(super) fn replant(&self, state: &mut LocomotorState, now: Now<'_>) {
        let clips = self.clips.clips();
        for k in 0..state.legs.len() {
            let mut place = FloorPose::ORIGIN;
            for (clip, weight) in clips.iter().zip(&state.weights) {
                place.position += *weight * clip.places[k].position;
                place.heading += *weight * clip.places[k].heading;
            }
            let wanted = state.place.then(place);
            let (print, surface) = self.foothold(state, k, wanted, now);
            let leg = &mut state.legs[k];
            leg.asked = wanted;
            (leg.from, leg.from_surface, leg.to, leg.to_surface) = (print, surface, print, surface);
            (leg.goal, leg.goal_surface) = (print, surface);
            (leg.phase, leg.flying, leg.landed, leg.parked, leg.flat) = (0.0, false, false, true, 1.0);
            (leg.residual, leg.clearance, leg.awaits) = (Vec3A::ZERO, [[0.0; KNOTS]; 2], [0.0; 2]);
            leg.step = Vec3A::ZERO;
        }
        let count = state.legs.len() as f32;
        state.base = state.legs.iter().map(|leg| leg.from.translation.y).sum::<f32>() / count;
        (state.rise, state.fresh) = ([0.0; 2], true);
        state.slope = self.lie_of_prints(state);
    }

    /// How much feet are held to the ground in this frame; whether legs are moved at all.
    pub(super) fn hold(&self, state: &mut LocomotorState, now: Now<'_>) -> bool {
        let free = state.action.is_some_and(|playing| playing.action.feet == super::ActionFeet::Free);
        let cheap = matches!(now.detail, Detail::NoIk | Detail::Frozen) || state.falls > 0.0;
        let target = if cheap { 0.0 } else { 1.0 };
        let fade = now.dt / self.settings.fade.max(1e-3);
        state.hold += (target - state.hold).clamp(-fade, fade);
        if free {
            // Feet are let go as the action comes in.
            let acting = state.action.map_or(0.0, |playing| playing.weight);
            state.hold = state.hold.min(1.0 - acting);
        }
        state.hold > 0.0
    }

    /// Steps of all legs in a frame, and where their feet are to be.
    pub(super) fn move_legs(&self, state: &mut LocomotorState, now: Now<'_>, frame: &mut LocomotorFrame) {
        let rate = state.cadence;
        let step = rate * now.dt;
        let all_parked = state.legs.iter().all(|leg| leg.parked);
        for k in 0..state.legs.len() {
            self.advance(state, k, step, rate, now, frame);
        }
        if all_parked && now.dt > 0.0 {
            self.set_out(state, rate, frame);
        }
        for k in 0..state.legs.len() {
            frame.feet[k] = self.foot(state, k, rate, frame);
        }
    }

    /// A leg goes on in its round.
    fn advance(
        &self,
        state: &mut LocomotorState,
        k: usize,
        step: f32,
        rate: f32,
        now: Now<'_>,
        frame: &mut LocomotorFrame,
    ) {
        let blended = frame.blend.legs[k];
        let length = self.character.stand.legs[k].length;
        let nominal = (state.phase - blended.stance).rem_euclid(1.0);
        let leg = &mut state.legs[k];
        if leg.parked {
            leg.flat = (leg.flat + now.dt / FLATTENS).min(1.0);
            let passed = nominal < step && step < 0.5;
            let need = self.need(state, k, rate, frame);
            let flying = state.legs.iter().filter(|leg| !leg.parked && !leg.landed && leg.phase > 0.0).count();
            let count = state.legs.len();
            let [_, far] = self.settings.parking;
            let leg = &mut state.legs[k];
            // Where it should be now, not where it would step to.
            let lags = (state.place.then(blended.place).position - floor::of_point(leg.from.translation)).length();
            let late = lags > self.settings.unlock * length || need.turned > TWISTED;
            let urgent = late && 2 * (flying + 1) <= count;
            if passed && (need.far > far * length || need.turned > self.settings.parking_turn[1]) {
                (leg.parked, leg.phase) = (false, nominal);
            } else if urgent && nominal < blended.strike {
                // At once, and catching up with the others.
                (leg.parked, leg.phase) = (false, sets_out(&blended, rate));
            }
            return;
        }
        let behind = (nominal - leg.phase).rem_euclid(1.0);
        let behind = if behind > 0.5 { behind - 1.0 } else { behind };
        // What it has gone already is not behind.
        let quicker = (1.0 + CATCHES_UP * (behind - step)).clamp(CATCH_UP[0], CATCH_UP[1]);
        let quicker = if (behind - step).abs() < 1e-5 { 1.0 } else { quicker };
        let before = leg.phase;
        leg.phase += step * quicker;
        if leg.strain > 0.0 && !leg.flying && !leg.landed && leg.phase < blended.off {
            // Its print is out of reach: it steps before its time.
            leg.phase = (leg.phase + STRAINED * leg.strain * step).min(blended.off);
        }
        // Its heel rises as in the clip by the time that it leaves.
        let gone = (leg.phase - before) / (blended.off - before).max(1e-3);
        leg.flat = (leg.flat - (now.dt / FLATTENS).max(leg.flat * gone.clamp(0.0, 1.0))).max(0.0);
        if !leg.flying && !leg.landed && before < blended.lift && leg.phase >= blended.lift {
            // Whether a step is worth it is decided while the foot lies flat.
            let need = self.need(state, k, rate, frame);
            let leg = &mut state.legs[k];
            if need.far < self.settings.parking[0] * length && need.turned < self.settings.parking_turn[0] {
                (leg.parked, leg.phase) = (true, 0.0);
                return;
            }
        }
        let leg = &mut state.legs[k];
        if !leg.flying && !leg.landed && leg.phase >= blended.off {
            leg.flying = true;
            (leg.clearance, leg.awaits) = ([[0.0; KNOTS]; 2], [0.0; 2]);
            leg.asked = FloorPose::new(Vec2::splat(f32::INFINITY), 0.0);
            leg.to = leg.from;
            frame.events.push(FootEvent { leg: LegId(k as u8), kind: FootEventKind::Off, print: leg.from });
            self.aim(state, k, rate, now, frame);
            // As it was when it left: what it has flown since is no lack.
            let now_at = (state.phase, state.legs[k].phase);
            state.phase -= state.legs[k].phase - blended.off;
            state.legs[k].phase = blended.off;
            let path = self.path(state, k, frame, 0.0);
            let stood = self.stood(k, state.legs[k].from, path.from_turn);
            (state.phase, state.legs[k].phase) = now_at;
            state.legs[k].residual = stood - path.place;
        }
        if state.legs[k].flying {
            self.aim(state, k, rate, now, frame);
            let leg = &mut state.legs[k];
            if leg.phase >= blended.strike {
                self.land(state, k, frame);
            }
        }
        let leg = &mut state.legs[k];
        if leg.phase >= 1.0 {
            // A foot that is still in the air comes down now.
            leg.phase = (leg.phase - 1.0).min(blended.off);
            leg.landed = false;
            (leg.from, leg.from_surface) = (leg.to, leg.to_surface);
        }
        if !leg.flying {
            let settled = 1.0 - single::exp(-now.dt / SETTLES);
            leg.residual -= leg.residual * settled;
        }
    }

    /// A foot comes down.
    fn land(&self, state: &mut LocomotorState, k: usize, frame: &mut LocomotorFrame) {
        let length = self.character.stand.legs[k].length;
        let path = self.path(state, k, frame, 1.0);
        let stood = self.stood(k, state.legs[k].to, path.to_turn);
        let leg = &mut state.legs[k];
        // Where it truly came down is its print.
        let off = path.place - stood;
        let shift = off.with_y(0.0).clamp_length_max(SHIFTED * length);
        leg.to.translation += shift;
        leg.residual = off - shift;
        (leg.flying, leg.landed) = (false, true);
        frame.events.push(FootEvent { leg: LegId(k as u8), kind: FootEventKind::Strike, print: leg.to });
    }

    /// What a leg would gain by a step now.
    fn need(&self, state: &LocomotorState, k: usize, rate: f32, frame: &LocomotorFrame) -> Need {
        let blended = &frame.blend.legs[k];
        let wanted = predicted(state, (1.0 - blended.lift) / rate).then(blended.place);
        // Beside the place for which its print was found: footholds are not always where they are wanted.
        let stood = state.legs[k].asked;
        let far = (wanted.position - stood.position).length();
        let point = self.character.stand.legs[k].foot.is_point();
        let turned = if point { 0.0 } else { wrap_angle(wanted.heading - stood.heading).abs() };
        Need { far, turned }
    }

    /// Of all legs that wait, the one that gains most steps first, if it is worth it.
    fn set_out(&self, state: &mut LocomotorState, rate: f32, frame: &LocomotorFrame) {
        let mut first: Option<(usize, f32)> = None;
        for k in 0..state.legs.len() {
            let need = self.need(state, k, rate, frame);
            let length = self.character.stand.legs[k].length;
            let share =
                (need.far / (self.settings.parking[1] * length)).max(need.turned / self.settings.parking_turn[1]);
            if share > 1.0 && first.is_none_or(|(_, most)| share > most * 1.02) {
                first = Some((k, share));
            }
        }
        let Some((k, _)) = first else { return };
        let blended = &frame.blend.legs[k];
        state.legs[k].parked = false;
        state.legs[k].phase = sets_out(blended, rate);
        state.phase = (blended.stance + state.legs[k].phase).rem_euclid(1.0);
        // The others are where they belong in the order of feet, as far as they can be.
        let mut flying = 1;
        for other in (0..state.legs.len()).filter(|other| *other != k) {
            let blended = &frame.blend.legs[other];
            let nominal = (state.phase - blended.stance).rem_euclid(1.0);
            let leg = &mut state.legs[other];
            if nominal < blended.off {
                (leg.parked, leg.phase) = (false, nominal);
            } else if flown(nominal, blended) < JOINS && 2 * (flying + 1) <= frame.blend.legs.len() {
                flying += 1;
                (leg.parked, leg.phase) = (false, sets_out(blended, rate));
            }
        }
    }
}

/// The phase at which a leg that waits sets out: its heel is up as soon as its foot can be rolled so far.
fn sets_out(blended: &BlendedLeg, rate: f32) -> f32 {
    (blended.off - FLATTENS * rate).max(blended.lift.min(blended.off))
}
