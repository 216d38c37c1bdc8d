//! Legs of a live character: when each steps, where it comes down, and where its foot is in between.

use super::{Blend, Detail, FootEvent, FootEventKind, Locomotor, LocomotorFrame, LocomotorState, Now};
use crate::foot::{PutDown, Sole};
use crate::ik::foot_place::FootPlace;
use crate::library::locomotion::{BandSample, steady_place};
use crate::math::{FloorPose, Rigid, floor, quat, single, smoothstep, wrap_angle};
use crate::plan::steps::FindFoothold;
use crate::plan::steps::foothold::Look;
use crate::rig::LegId;
use crate::world::{GroundHit, SurfaceId};
use glam::{Quat, Vec2, Vec3A, Vec4};
use std::f32::consts::{PI, TAU};

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

/// Where a foot is to be in a frame, world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FootGoal {
    /// The ankle's place and turn.
    pub ankle: Rigid,
    /// The ground that it stands for, metres: its print, or between both.
    pub base: Vec3A,
    /// What is up from the ground there.
    pub up: Vec3A,
    /// How far it has flown, from 0 to 1; `None` while it stands.
    pub flown: Option<f32>,
    /// How much the blended pose tells how far the leg is stretched, from 0 to 1: not where the leg is elsewhere in its round.
    pub as_drawn: f32,
    /// Whether its leg waits.
    pub parked: bool,
}

/// What the slowest clip counts beside all others in how legs step, so that a character that stands knows how, too.
const KNOWS: f32 = 0.02;
/// A character without legs to hold rests slower than this, leg lengths a second and rad/s.
pub(super) const RESTS: f32 = 0.02;
/// How strongly a leg catches up with its place in the order of feet, and how much slower and quicker it is for it.
const CATCHES_UP: f32 = 3.0;
const CATCH_UP: [f32; 2] = [0.75, 1.5];
/// How much quicker a leg steps whose print is out of reach.
const STRAINED: f32 = 2.0;
/// Legs that are elsewhere in their round than the pose by more than this are not stretched as it has them.
const ELSEWHERE: f32 = 0.08;
/// From this share of a flight on it is decided where a foot comes down.
const DECIDED: f32 = 0.7;
/// A print is looked for again where it should be this much farther, as a share of the leg's length, or turned, radians.
const MOVED: [f32; 2] = [0.005, 0.01];
/// How far a print is moved to where the foot truly came down, at most, as a share of the leg's length.
const SHIFTED: f32 = 0.05;
/// How long a foot takes to lie flat after its leg was parked, and to settle where it should be, seconds.
const FLATTENS: f32 = 0.12;
const SETTLES: f32 = 0.05;
/// Feet pass over what lies between their prints by this much, and are raised for it by no more, as shares of the leg's length.
const MARGIN: f32 = 0.03;
const HIGHEST: f32 = 0.6;
/// How soon a foot rises to what lies ahead, seconds.
const RISES: f32 = 0.06;
/// Steps shorter than this share of a clip's are lifted less, down to a share of its height.
const SHORT: f32 = 0.5;
const LEAST_LIFT: f32 = 0.45;
/// A foot keeps the turn of its clip only in the air, and comes to it within this share of its flight.
const TURNS_WITHIN: f32 = 0.25;
/// Toes may be this deep in the ground, as a share of the leg's length: feet are soft.
const TOES: f32 = 0.01;
/// Places between two prints at which the ground is looked at.
const BETWEEN: usize = 7;

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

    /// How many rounds a second the walk goes.
    pub(super) fn cadence(&self, state: &LocomotorState, blend: &Blend) -> f32 {
        let clips = self.clips.clips();
        let stepping = clips.iter().zip(&blend.stepping);
        let own: f32 = stepping.map(|(clip, weight)| weight * clip.motion.velocity.length()).sum();
        // Turning moves feet as going does.
        let speed = state.velocity.length() + 0.4 * state.turn_rate.abs() * self.character.leg_length;
        let [least, most] = self.settings.cadence;
        single::powf((speed / own.max(1e-3)).max(1e-3), 0.45).clamp(least, most) / blend.seconds.max(0.05)
    }

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
            (leg.residual, leg.clearance) = (Vec3A::ZERO, [0.0; 2]);
        }
        let count = state.legs.len() as f32;
        state.base = state.legs.iter().map(|leg| leg.from.translation.y).sum::<f32>() / count;
        state.rise = [0.0; 2];
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

    /// The common phase goes on, unless all legs wait; and so does the clock of clips that stand.
    pub(super) fn advance_phase(&self, state: &mut LocomotorState, dt: f32, blend: &Blend) {
        let waits = if state.hold > 0.0 {
            state.legs.iter().all(|leg| leg.parked)
        } else {
            state.velocity.length() < RESTS * self.character.leg_length && state.turn_rate.abs() < RESTS
        };
        if !waits {
            state.phase = (state.phase + self.cadence(state, blend) * dt).rem_euclid(1.0);
        }
        state.idle += dt;
        // Standing about comes round after an hour, so that its clock stays exact.
        if state.idle > 3600.0 {
            state.idle -= 3600.0;
        }
    }

    /// Steps of all legs in a frame, and where their feet are to be.
    pub(super) fn move_legs(&self, state: &mut LocomotorState, now: Now<'_>, frame: &mut LocomotorFrame) {
        let rate = self.cadence(state, &frame.blend);
        let step = rate * now.dt;
        let all_parked = state.legs.iter().all(|leg| leg.parked);
        for k in 0..state.legs.len() {
            self.advance(state, k, step, rate, now, frame);
        }
        if all_parked && now.dt > 0.0 {
            self.set_out(state, rate, now, frame);
        }
        for k in 0..state.legs.len() {
            frame.feet[k] = self.foot(state, k, now, frame);
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
            let urgent = lags > self.settings.unlock * length && 2 * (flying + 1) <= count;
            if passed && (need.far > far * length || need.turned > self.settings.parking_turn[1]) {
                (leg.parked, leg.phase) = (false, nominal);
            } else if urgent && nominal < blended.strike {
                // At once, and catching up with the others.
                (leg.parked, leg.phase) = (false, blended.lift.min(blended.off));
            }
            return;
        }
        leg.flat = (leg.flat - now.dt / FLATTENS).max(0.0);
        let behind = (nominal - leg.phase).rem_euclid(1.0);
        let behind = if behind > 0.5 { behind - 1.0 } else { behind };
        // What it has gone already is not behind.
        let quicker = (1.0 + CATCHES_UP * (behind - step)).clamp(CATCH_UP[0], CATCH_UP[1]);
        let quicker = if (behind - step).abs() < 1e-5 { 1.0 } else { quicker };
        let before = leg.phase;
        leg.phase += step * quicker;
        if leg.strained && !leg.flying && !leg.landed && leg.phase < blended.off {
            // Its print is out of reach: it steps before its time.
            leg.phase = (leg.phase + STRAINED * step).min(blended.off);
        }
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
            leg.clearance = [0.0; 2];
            leg.asked = FloorPose::new(Vec2::splat(f32::INFINITY), 0.0);
            leg.to = leg.from;
            frame.events.push(FootEvent { leg: LegId(k as u8), kind: FootEventKind::Off, print: leg.from });
            self.aim(state, k, rate, now, frame);
            let path = self.path(state, k, frame, 0.0);
            let stood = self.stood(state, k, frame, state.legs[k].from, path.from_turn);
            state.legs[k].residual = stood - path.place;
        }
        if state.legs[k].flying {
            self.aim(state, k, rate, now, frame);
            let leg = &mut state.legs[k];
            if leg.phase >= blended.strike {
                self.land(state, k, now, frame);
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
    fn land(&self, state: &mut LocomotorState, k: usize, now: Now<'_>, frame: &mut LocomotorFrame) {
        let _ = now;
        let length = self.character.stand.legs[k].length;
        let path = self.path(state, k, frame, 1.0);
        let stood = self.stood(state, k, frame, state.legs[k].to, path.to_turn);
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
    fn set_out(&self, state: &mut LocomotorState, rate: f32, now: Now<'_>, frame: &LocomotorFrame) {
        let _ = now;
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
        state.legs[k].phase = blended.lift.min(blended.off);
        state.phase = (blended.stance + state.legs[k].phase).rem_euclid(1.0);
        // The others are where they belong in the order of feet, as far as they can be.
        let mut flying = 1;
        for other in (0..state.legs.len()).filter(|other| *other != k) {
            let blended = &frame.blend.legs[other];
            let nominal = (state.phase - blended.stance).rem_euclid(1.0);
            let leg = &mut state.legs[other];
            if nominal < blended.off {
                (leg.parked, leg.phase) = (false, nominal);
            } else if nominal < blended.strike && 2 * (flying + 1) <= frame.blend.legs.len() {
                flying += 1;
                (leg.parked, leg.phase) = (false, blended.lift.min(blended.off));
            }
        }
    }

    /// Where a foot that flies is to come down, and how high it goes for that.
    fn aim(&self, state: &mut LocomotorState, k: usize, rate: f32, now: Now<'_>, frame: &LocomotorFrame) {
        let blended = &frame.blend.legs[k];
        let length = self.character.stand.legs[k].length;
        let leg = &state.legs[k];
        let flown = flown(leg.phase, blended);
        let wanted = predicted(state, (1.0 - leg.phase) / rate).then(blended.place);
        let first = !leg.asked.position.is_finite();
        let moved = (wanted.position - leg.asked.position).length() > MOVED[0] * length
            || wrap_angle(wanted.heading - leg.asked.heading).abs() > MOVED[1];
        if first || (moved && flown < DECIDED) {
            let (goal, surface) = self.foothold(state, k, wanted, now);
            let over = self.over(state, k, goal, now, frame);
            let leg = &mut state.legs[k];
            (leg.goal, leg.goal_surface, leg.asked) = (goal, surface, wanted);
            leg.clearance[1] = over;
            if first {
                leg.to = goal;
            }
        }
        let leg = &mut state.legs[k];
        // It comes to its goal by the time that this is decided.
        let left = (DECIDED - flown) * (blended.strike - blended.off) / rate;
        let share = if left <= now.dt { 1.0 } else { now.dt / left };
        leg.to = if share >= 1.0 { leg.goal } else { leg.to.lerp(leg.goal, share) };
        leg.to_surface = leg.goal_surface;
        let rises = 1.0 - single::exp(-now.dt / RISES);
        let [now_at, wanted] = leg.clearance;
        leg.clearance[0] = if flown < 0.05 { wanted } else { now_at + (wanted - now_at) * rises };
    }

    /// A print near a place, and what it is on; level at the character's own height where there is no ground.
    pub(super) fn foothold(
        &self,
        state: &LocomotorState,
        k: usize,
        place: FloorPose,
        now: Now<'_>,
    ) -> (Rigid, SurfaceId) {
        let leg = &self.character.stand.legs[k];
        // Ground that rises as steeply as can be climbed is higher farther away.
        let far = (place.position - state.place.position).length();
        let up = self.settings.step_up * leg.length + far;
        let look = Look { from: state.height + up, reach: 2.0 * up + leg.length, time: now.time };
        let found = if now.detail == Detail::Full {
            FindFoothold::default().run(now.ground, leg, place, look, |_| 0.0)
        } else {
            let sole = Sole { foot: &leg.foot, points: leg.sole, leg: leg.length, outline: &[] };
            let hit = now.ground.below(floor::at_height(place.position, look.from), look.reach, look.time);
            hit.and_then(|hit| PutDown::default().run(sole, place, &|place| Some(on_plane(hit, place))))
        };
        match found {
            Some(found) => (found.print, found.surface),
            None => {
                let level = place.to_rigid();
                (Rigid { translation: level.translation.with_y(state.height), ..level }, SurfaceId(0))
            }
        }
    }

    /// How far a foot must be raised to pass over what lies between its prints, metres.
    fn over(&self, state: &LocomotorState, k: usize, goal: Rigid, now: Now<'_>, frame: &LocomotorFrame) -> f32 {
        let stand = &self.character.stand.legs[k];
        let (from, to) = (state.legs[k].from.translation, goal.translation);
        if now.detail != Detail::Full || (to - from).length() < 0.02 * stand.length {
            return 0.0;
        }
        let up = self.settings.step_up * stand.length;
        let height = |share: f32| {
            let at = from.lerp(to, share);
            let look = floor::at_height(floor::of_point(at), at.y.max(state.height) + up);
            now.ground.below(look, 2.0 * up, now.time).map_or(f32::NEG_INFINITY, |hit| hit.point.y)
        };
        let mut heights = [0.0_f32; BETWEEN + 2];
        for (i, high) in heights.iter_mut().enumerate() {
            *high = match i {
                0 => from.y,
                i if i == BETWEEN + 1 => to.y,
                i => height(i as f32 / (BETWEEN + 1) as f32),
            };
        }
        let mut most = 0.0_f32;
        for i in 1..=BETWEEN {
            let share = i as f32 / (BETWEEN + 1) as f32;
            let ground = heights[i - 1].max(heights[i]).max(heights[i + 1]);
            let line = from.y + share * (to.y - from.y);
            // Level ground asks for nothing: the clip's own height is right for it.
            if ground <= line.max(from.y.min(to.y)) + 0.2 * MARGIN * stand.length && ground <= line + 1e-3 {
                continue;
            }
            let own = self.own_height(k, share, frame);
            let lacking = ground + MARGIN * stand.length - line - own;
            most = most.max(lacking / single::sin(PI * share));
        }
        most.clamp(0.0, HIGHEST * stand.length)
    }

    /// How high clips raise a foot that has come this far from print to print, metres.
    fn own_height(&self, k: usize, progress: f32, frame: &LocomotorFrame) -> f32 {
        let clips = self.clips.clips().iter().zip(&frame.blend.stepping);
        let of_clip = |legs: &[crate::library::locomotion::LegCycle]| {
            let mut flown = 0.0;
            while flown < 1.0 && legs[k].progress(flown) < progress {
                flown += 1.0 / 16.0;
            }
            legs[k].height(flown)
        };
        clips
            .filter(|(clip, weight)| clip.moves() && **weight > 0.01)
            .map(|(clip, weight)| weight * of_clip(&clip.legs))
            .sum()
    }

    /// Where a foot is in a frame.
    fn foot(&self, state: &LocomotorState, k: usize, now: Now<'_>, frame: &LocomotorFrame) -> FootGoal {
        let _ = now;
        let stand = &self.character.stand.legs[k];
        let blended = &frame.blend.legs[k];
        let leg = &state.legs[k];
        let as_drawn = as_drawn(state, k, blended);
        let sole_turn = |turn: Quat| (turn * stand.sole_from_ankle.rotation).normalize();
        if leg.flying {
            let flown = flown(leg.phase, blended);
            let path = self.path(state, k, frame, flown);
            let place = path.place + leg.residual * (1.0 - smoothstep(flown));
            let sole = Rigid { rotation: path.turn, translation: place };
            let ankle = sole * stand.sole_from_ankle;
            let base = leg.from.translation.lerp(leg.to.translation, path.progress);
            let up =
                (leg.from.rotation * Vec3A::Y).lerp(leg.to.rotation * Vec3A::Y, path.progress).normalize_or(Vec3A::Y);
            return FootGoal { ankle, base, up, flown: Some(flown), as_drawn, parked: false };
        }
        let landed = leg.landed;
        let print = if landed { leg.to } else { leg.from };
        let turns = self.turns(state, k, frame);
        let turn = if landed { leg.to.rotation * turns[1] } else { leg.from.rotation * turns[0] };
        let turn = self.over_toes(k, turn, print.rotation, 0.0, as_drawn);
        let flat = smoothstep(leg.flat);
        let turn = if flat > 0.0 { turn.lerp(print.rotation, flat) } else { turn };
        let mut ankle = FootPlace::default().ankle(&stand.foot, print, sole_turn(turn));
        ankle.translation += leg.residual;
        let up = print.rotation * Vec3A::Y;
        FootGoal { ankle, base: print.translation, up, flown: None, as_drawn, parked: leg.parked }
    }

    /// Where a sole would be if it stood on a print, turned as in the air, metres.
    fn stood(&self, state: &LocomotorState, k: usize, frame: &LocomotorFrame, print: Rigid, turn: Quat) -> Vec3A {
        let _ = (state, frame);
        let stand = &self.character.stand.legs[k];
        let ankle_turn = (turn * stand.sole_from_ankle.rotation).normalize();
        let ankle = FootPlace::default().ankle(&stand.foot, print, ankle_turn);
        ankle.transform_point(stand.foot.ankle_from_sole().translation)
    }

    /// A sole's turn with less pitch where its toes would go into the ground: those that do not bend, or are bent for another
    /// time of the round. `print` is how its print is turned, `high` how far its middle is over that, metres.
    fn over_toes(&self, k: usize, turn: Quat, print: Quat, high: f32, as_drawn: f32) -> Quat {
        let stand = &self.character.stand.legs[k];
        let share = if stand.toe.is_some() { 1.0 - as_drawn } else { 1.0 };
        if share <= 0.0 || stand.foot.is_point() {
            return turn;
        }
        let up = print * Vec3A::Y;
        let low = |point: &Vec3A| (turn * *point).dot(up);
        let touches = stand.sole.iter().map(low).fold(f32::INFINITY, f32::min);
        let lowest = stand.outline.iter().map(low).fold(touches, f32::min);
        let allowed = TOES * stand.length + (high + touches).max(0.0);
        let depth = touches - lowest;
        if depth <= allowed {
            return turn;
        }
        turn.lerp(print, share * (1.0 - allowed / depth))
    }

    /// How a foot is turned beside the print that it leaves, and beside the one that it comes to: pitch and roll only.
    fn turns(&self, state: &LocomotorState, k: usize, frame: &LocomotorFrame) -> [Quat; 2] {
        let (sole, prints) = self.drawn(state, k, frame);
        prints.map(|print| quat::split_heading(quat::from_heading(-print.heading) * sole.rotation, 0.0).1)
    }

    /// The sole as clips have it at the leg's own phase, and the prints that it leaves and comes to if the character goes as its
    /// clips do; all in the character's frame.
    fn drawn(&self, state: &LocomotorState, k: usize, frame: &LocomotorFrame) -> (Rigid, [FloorPose; 2]) {
        let (blended, phase) = (&frame.blend.legs[k], state.legs[k].phase);
        let (mut turn, mut place) = (Vec4::ZERO, Vec3A::ZERO);
        for (clip, weight) in self.clips.clips().iter().zip(&state.weights).filter(|(_, weight)| **weight > 1e-3) {
            let sole = clip.sole(k, phase);
            let q = Vec4::from(sole.rotation);
            turn += if turn.dot(q) < 0.0 { -*weight } else { *weight } * q;
            place += *weight * sole.translation;
        }
        let sole = Rigid { rotation: turn.try_normalize().map_or(Quat::IDENTITY, Quat::from_vec4), translation: place };
        let stride = frame.blend.stride;
        (sole, [-phase, 1.0 - phase].map(|rounds| steady_place(stride, rounds).then(blended.place)))
    }

    /// The way of a foot through the air: a straight line from print to print at the pace of the clips, with what the clips do
    /// beside it on top.
    fn path(&self, state: &LocomotorState, k: usize, frame: &LocomotorFrame, flown: f32) -> FootPath {
        let leg = &state.legs[k];
        let (sole, drawn) = self.drawn(state, k, frame);
        let clips = || self.clips.clips().iter().zip(&frame.blend.stepping).filter(|(c, w)| c.moves() && **w > 1e-3);
        let progress: f32 = clips().map(|(clip, weight)| weight * clip.legs[k].progress(flown)).sum();
        let progress = progress.clamp(0.0, 1.0);
        let (from, to) = (leg.from.translation, leg.to.translation);
        let mut place = from.lerp(to, progress);
        // What the clip does beside the line between its own prints.
        let line = drawn[0].position.lerp(drawn[1].position, progress);
        let beside = sole.translation - Vec3A::from(floor::at_height(line, 0.0));
        let ahead = quat::from_heading(state.place.heading);
        place += ahead * beside;
        // Short steps of a character that stands are lifted, too.
        let step = floor::of_point(to - from).length();
        let (mut high, mut low, mut usual) = (0.0, 0.0, 0.0);
        for ((clip, weight), own) in self.clips.clips().iter().zip(&frame.blend.stepping).zip(&state.weights) {
            if clip.moves() {
                let height = clip.legs[k].height(flown);
                high += weight * height;
                low += own * height;
                usual += weight * clip.stride().velocity.length();
            }
        }
        let share = (step / (SHORT * usual).max(1e-3)).clamp(LEAST_LIFT, 1.0);
        place.y += (share * high - low).max(0.0);
        place.y += leg.clearance[0] * single::sin(PI * progress);
        // Sideways it keeps to where it belongs under the body.
        let own = state.place.then(frame.blend.legs[k].place).position;
        let aside = own - floor::of_point(from.lerp(to, progress));
        let usual = floor::turned(frame.blend.legs[k].place.position - line, state.place.heading);
        let aside = aside - usual;
        let along = floor::of_point(to - from).normalize_or_zero();
        let aside = aside - along * aside.dot(along);
        let follow = single::sin(PI * flown).powi(2);
        place += Vec3A::from(floor::at_height(aside * follow, 0.0));

        let keeps = smoothstep(flown.min(1.0 - flown) / TURNS_WITHIN);
        let turn = |print: &Rigid, drawn: FloorPose| {
            let (yaw, rest) = quat::split_heading(quat::from_heading(-drawn.heading) * sole.rotation, 0.0);
            print.rotation * quat::from_heading(yaw * keeps) * rest
        };
        let as_drawn = as_drawn(state, k, &frame.blend.legs[k]);
        let high = place.y - (from.y + progress * (to.y - from.y)) + leg.residual.y * (1.0 - smoothstep(flown));
        let (from_turn, to_turn) = (turn(&leg.from, drawn[0]), turn(&leg.to, drawn[1]));
        let from_turn = self.over_toes(k, from_turn, leg.from.rotation, high, as_drawn);
        let to_turn = self.over_toes(k, to_turn, leg.to.rotation, high, as_drawn);
        FootPath { place, turn: from_turn.lerp(to_turn, smoothstep(progress)), from_turn, to_turn, progress }
    }
}

/// A foot in the air.
struct FootPath {
    /// Where its sole is, metres, world.
    place: Vec3A,
    /// How its sole is turned.
    turn: Quat,
    /// How it would be turned beside the print that it leaves, and the one that it comes to.
    from_turn: Quat,
    to_turn: Quat,
    /// How far it has come from print to print.
    progress: f32,
}

/// What a step would bring.
#[derive(Clone, Copy, Debug)]
struct Need {
    /// How far the foot is from where it should be, metres.
    far: f32,
    /// How far it is turned from how it should be, radians.
    turned: f32,
}

/// How much the blended pose shows a leg as it is now, from 0 to 1: not where the leg is elsewhere in its round.
fn as_drawn(state: &LocomotorState, k: usize, blended: &BlendedLeg) -> f32 {
    let nominal = (state.phase - blended.stance).rem_euclid(1.0);
    let apart = (nominal - state.legs[k].phase).abs();
    1.0 - smoothstep(apart.min(1.0 - apart) / ELSEWHERE)
}

/// The share of its flight that a leg has behind it.
fn flown(phase: f32, blended: &BlendedLeg) -> f32 {
    ((phase - blended.off) / (blended.strike - blended.off).max(1e-3)).clamp(0.0, 1.0)
}

/// Where the character will be in some seconds if it goes on like this.
fn predicted(state: &LocomotorState, seconds: f32) -> FloorPose {
    let seconds = seconds.clamp(0.0, 3.0);
    let turn_rate = state.turn_rate.clamp(-PI / seconds.max(1e-3), PI / seconds.max(1e-3));
    let velocity = floor::turned(state.velocity, -state.place.heading);
    state.place.then(steady_place(BandSample { velocity, turn_rate }, seconds))
}

/// The heaviest of some weights.
fn heaviest(weights: &[f32]) -> usize {
    (0..weights.len()).max_by(|a, b| weights[*a].total_cmp(&weights[*b])).unwrap_or(0)
}

/// Ground that goes on as it is where it was met, at a place (x, z).
fn on_plane(hit: GroundHit, place: Vec2) -> GroundHit {
    let off = place - Vec2::new(hit.point.x, hit.point.z);
    let rise = -off.dot(Vec2::new(hit.normal.x, hit.normal.z)) / hit.normal.y.max(0.1);
    GroundHit { point: floor::at_height(place, hit.point.y + rise), ..hit }
}
