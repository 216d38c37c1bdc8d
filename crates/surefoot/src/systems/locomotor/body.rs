//! The body of a live character over its feet: its height, its tilt, and legs that reach.

use super::{Locomotor, LocomotorFrame, LocomotorState, Now, fold};
use crate::adapt::stepping::spread;
use crate::foot::drop_to_reach;
use crate::ik::LegEnd;
use crate::ik::toes::{Toes, raise_toes};
use crate::math::{Rigid, floor, quat, single, smoothstep};
use crate::rig::Pose;
use glam::{Quat, Vec2, Vec3, Vec3A};

/// How soon the body goes down to the height that its legs ask for, and up, seconds: legs that do not reach need it lower at once, and
/// one that has left is pulled straight by a body that shoots up.
const SINKS: f32 = 0.07;
const RISES: f32 = 0.14;
/// The body goes down by no more than this share of the leg's length.
const LOWEST: f32 = 0.3;
/// A leg that misses its print by more than this share of its length is strained, and fully so after this time, seconds.
const STRAINED: f32 = 0.004;
const STRAINS: f32 = 0.1;
/// How soon toes that were turned up come down again, seconds.
const EASES: f32 = 0.07;
/// How fast toes are turned up at most, rad/s.
const TOE_SPEED: f32 = 9.0;
/// How soon it tilts with the ground, seconds.
const TILTS: f32 = 0.15;
/// Bodies go down so that legs that stand are stretched by no more than this share of their length, and never by more than the
/// second.
const REACH: [f32; 2] = [0.97, 0.99];
/// A leg that is drawn straight is stretched by no more than this share of its length.
const STRAIGHT: f32 = 0.998;
/// A body leans by no more than this, radians.
const MOST_LEAN: f32 = 0.2;
/// Feet closer to each other than this share of the leg's length say nothing of how the ground is tilted.
const APART: f32 = 0.25;
/// By this share of a flight a body that rises comes free of the foot that has left.
const HELD: f32 = 0.4;
/// From this share of a flight on the body goes down for the foot that will land.
const FORESEES: f32 = 0.3;
/// How fast a body goes down at most for feet that it does not reach, leg lengths a second.
const FALLS: f32 = 1.5;
/// Spines and necks bend no farther than this, radians.
const BENT: f32 = 0.5;
/// Heads look as far ahead as the body turns in this time, seconds.
const LOOKS: f32 = 0.3;

impl Locomotor {
    /// How far the spine bends into a turn, radians, left positive.
    fn bent(&self, state: &LocomotorState) -> f32 {
        let (stand, plan) = (&self.character.stand, &self.character.body_plan);
        let goes_on = state.velocity.length().max(0.2 * (crate::rig::GRAVITY * stand.hip).sqrt());
        let level = 1.0 - 0.7 * plan.upright;
        (level * state.bends_by * plan.back_length / goes_on).clamp(-BENT, BENT)
    }

    /// Bends the spine of a pose into the turn that the character takes, and its neck ahead of it.
    pub(super) fn bend_spine(&self, state: &LocomotorState, pose: &mut Pose) {
        let bend = self.bent(state);
        let looks = (LOOKS * state.bends_by).clamp(-BENT, BENT);
        // A short back hardly bends where its neck looks well ahead.
        if bend.abs().max(looks.abs()) < 1e-4 {
            return;
        }
        let plan = &self.character.body_plan;
        spread(pose, &plan.spine, Vec3::Y * bend);
        spread(pose, &plan.neck, Vec3::Y * (looks - 0.5 * bend));
    }

    /// The body over its feet: the root of the pose. Without feet that are held it stands on the ground under its middle.
    pub(super) fn carry(&self, state: &mut LocomotorState, now: Now<'_>, frame: &mut LocomotorFrame, held: bool) {
        let count = state.legs.len() as f32;
        let airborne = state.action.map_or(0.0, |playing| match playing.action.feet {
            super::ActionFeet::Free => smoothstep(playing.weight),
            super::ActionFeet::Stay => 0.0,
        });
        let soon = 1.0 - single::exp(-now.dt / TILTS);
        let under = if held {
            let feet = frame.feet.iter().map(|foot| foot.base);
            let mean = feet.sum::<Vec3A>() / count;
            let slope = self.lie(state, frame);
            state.slope += (slope - state.slope) * soon;
            // Feet are not always evenly about the middle.
            let ahead = floor::turned(state.place.position - floor::of_point(mean), -state.place.heading);
            mean.y + (state.slope * ahead.clamp_length_max(0.5 * self.character.leg_length)).element_sum()
        } else {
            state.slope -= state.slope * soon;
            state.height
        };
        let soon = 1.0 - single::exp(-now.dt / SINKS);
        let under = under + (state.height - under) * (1.0 - state.hold.clamp(0.0, 1.0)).max(airborne);
        state.base =
            if held && state.hold >= 1.0 { under } else { state.base + (under - state.base) * soon.max(state.hold) };
        frame.pose.root = self.root(state, frame);
        if held {
            self.rise(state, now, frame);
            frame.pose.root.translation.y += state.rise[0] * state.hold;
        }
    }

    /// How steep the ground is under its feet, to its left and ahead: rise over run.
    fn lie(&self, state: &LocomotorState, frame: &LocomotorFrame) -> Vec2 {
        let apart = (APART * self.character.leg_length).powi(2);
        if state.legs.len() < 3 {
            // On two legs the way that feet go tells the slope.
            let mut rise = Vec2::ZERO;
            let mut run = apart;
            for leg in &state.legs {
                let step = leg.step;
                let own = floor::turned(floor::of_point(step), -state.place.heading);
                rise += own * step.y;
                run += own.length_squared();
            }
            return (rise / run).clamp_length_max(0.8);
        }
        self.plane(state, || frame.feet.iter().map(|foot| foot.base))
    }

    /// The same by the prints that its feet stand on.
    pub(super) fn lie_of_prints(&self, state: &LocomotorState) -> Vec2 {
        let feet = || state.legs.iter().map(|leg| leg.from.translation);
        if state.legs.len() < 3 {
            return Vec2::ZERO;
        }
        self.plane(state, feet)
    }

    /// How steep a plane through feet is, to the left and ahead: rise over run.
    fn plane<I: Iterator<Item = Vec3A>>(&self, state: &LocomotorState, feet: impl Fn() -> I) -> Vec2 {
        let count = state.legs.len() as f32;
        let apart = 0.1 * count * (APART * self.character.leg_length).powi(2);
        let mean = feet().sum::<Vec3A>() / count;
        let (mut rise, mut run) = (Vec2::ZERO, Vec2::splat(apart));
        for foot in feet() {
            let off = foot - mean;
            let own = floor::turned(floor::of_point(off), -state.place.heading);
            rise += own * off.y;
            run += own * own;
        }
        (rise / run).clamp(Vec2::splat(-1.0), Vec2::splat(1.0))
    }

    /// Where the body is without going up or down for its legs.
    fn root(&self, state: &LocomotorState, frame: &LocomotorFrame) -> Rigid {
        let _ = frame;
        let settings = &self.settings;
        let [ahead, aside] = if state.legs.len() < 3 { [settings.slope_lean, 0.0] } else { settings.tilt };
        let local = floor::turned(state.acceleration, -state.place.heading);
        let speed = state.velocity.length();
        let lean = |acceleration: f32| {
            (settings.lean * single::atan(acceleration / crate::rig::GRAVITY)).clamp(-MOST_LEAN, MOST_LEAN)
        };
        // Into a turn, and into what it speeds up by.
        let forward = floor::turned(state.velocity, -state.place.heading).normalize_or_zero();
        let turning = speed * state.turn_rate;
        let into = local * 0.6 + Vec2::new(forward.y, -forward.x) * turning * 0.5;
        let two = state.legs.len() < 3;
        let pitch = if two { ahead * single::atan(state.slope.y) } else { -ahead * single::atan(state.slope.y) };
        let roll = aside * single::atan(state.slope.x);
        let turn = Quat::from_rotation_x(pitch + lean(into.y)) * Quat::from_rotation_z(roll - lean(into.x));
        let heading = quat::from_heading(state.place.heading - 0.5 * self.bent(state));
        // Hips stay over their feet.
        let hips = Vec3A::Y * self.character.stand.hips_at;
        let over = crate::character::OVER_FEET;
        let shift = (hips - turn * hips) * over;
        let place: Vec3A = floor::at_height(state.place.position, state.base).into();
        Rigid { rotation: (heading * turn).normalize(), translation: place + heading * shift }
    }

    /// How far the body goes up or down so that its legs stand as they are drawn, and reach.
    fn rise(&self, state: &mut LocomotorState, now: Now<'_>, frame: &LocomotorFrame) {
        let root = frame.pose.root;
        let (mut lowest, mut sum, mut weight) = (f32::INFINITY, 0.0, 0.0);
        let (mut top, mut cap, mut soon) = (f32::INFINITY, f32::INFINITY, 0.0_f32);
        let mut crowded = f32::NEG_INFINITY;
        // Where hips go from here, with the ground.
        let own = floor::turned(state.velocity, -state.place.heading);
        let ahead = Vec3A::from(floor::at_height(state.velocity, own.dot(state.slope)));
        for (k, (leg, foot)) in self.character.stand.legs.iter().zip(&frame.feet).enumerate() {
            let hip = root.transform_point(frame.model[leg.chain.joints[0]].translation);
            let drawn = frame.model[self.character.rig.legs[k].ankle()];
            let end_in_ankle = drawn.inverse().transform_point(leg.chain.end(&frame.model));
            let end = foot.ankle.transform_point(end_in_ankle);
            let length = leg.length;
            let own = (leg.chain.end(&frame.model) - frame.model[leg.chain.joints[0]].translation).length();
            let (own, share) = if foot.parked { (leg.stands_at, 1.0) } else { (own, foot.as_drawn) };
            // A leg that is drawn straighter may stay so, if not quite straight.
            let own = own.min(STRAIGHT * length);
            let [most, utmost] = REACH.map(|reach| -drop_to_reach(hip, end, (reach * length).max(share * own)));
            let as_drawn = -share * drop_to_reach(hip, end, own);
            if let Some(flown) = foot.flown {
                crowded = crowded.max(self.crowds(k, hip, end) - (1.0 - fold::counts(flown)) * length);
                // A foot that has left is not pulled straight by a body that rises.
                top = top.min(utmost + 0.5 * length * smoothstep(flown / HELD));
            }
            match foot.flown {
                None => {
                    lowest = lowest.min(as_drawn);
                    sum += as_drawn;
                    weight += 1.0;
                    // What the clip itself stretches it by is allowed.
                    top = top.min(most.max(as_drawn.min(utmost)));
                    cap = cap.min(utmost);
                }
                Some(flown) if flown > FORESEES => {
                    let counts = smoothstep((flown - FORESEES) / (1.0 - FORESEES));
                    let then = foot.lands.transform_point(leg.sole_from_ankle.transform_point(end_in_ankle));
                    let needs = -drop_to_reach(hip + ahead * foot.left, then, REACH[1] * length);
                    // What the clip itself would lack on level ground it does not lack when it comes there.
                    let level = foot.lands_drawn.to_rigid();
                    let level = Rigid { translation: level.translation.with_y(state.base), ..level };
                    let drawn = level.transform_point(leg.sole_from_ankle.transform_point(end_in_ankle));
                    let own = -drop_to_reach(hip + ahead.with_y(0.0) * foot.left, drawn, REACH[1] * length);
                    soon = soon.min((needs - foot.as_drawn * own.min(0.0)) * counts);
                }
                Some(_) => {}
            }
        }
        let target = if weight > 0.0 {
            let (a, b) = (sum / weight - lowest, top - lowest);
            if b <= 0.0 || a + b < 1e-6 { lowest.min(top) } else { lowest + a * b / (a + b) }
        } else {
            state.rise[0]
        };
        let limit = LOWEST * self.character.leg_length;
        // It stays high for a leg that has no room under it, and goes down in time for a foot that will land low.
        let target = target.max(crowded.min(top)).min(soon).clamp(-limit, 0.5 * limit);
        if state.fresh {
            (state.fresh, state.rise) = (false, [target.min(cap.max(-limit)), 0.0]);
            return;
        }
        let [rise, speed] = state.rise;
        // A critically damped spring, exact for any step.
        let off = rise - target;
        let (w, t) = (2.0 / if off < 0.0 { RISES } else { SINKS }, now.dt);
        let fade = single::exp(-w * t);
        let impulse = speed + w * off;
        let new = target + (off + impulse * t) * fade;
        let new_speed = (speed - w * impulse * t) * fade;
        // Even where a foot comes down lower than was foreseen it goes down no faster than it could fall.
        let capped = new.min(cap.max(-limit)).max(new.min(rise - FALLS * self.character.leg_length * t));
        state.rise = [capped, if capped < new { new_speed.min(0.0) } else { new_speed }];
    }

    /// Bends legs to where their feet are to be.
    pub(super) fn bend_legs(&self, state: &mut LocomotorState, now: Now<'_>, frame: &mut LocomotorFrame) {
        let LocomotorFrame { pose, model, feet, missed, .. } = frame;
        let skeleton = &self.character.rig.skeleton;
        let model_from_world = pose.root.inverse();
        for (k, leg) in self.character.stand.legs.iter().enumerate() {
            let mut goal = model_from_world * feet[k].ankle;
            goal = self.unfolded(k, goal, &feet[k], model, &model_from_world);
            if state.hold < 1.0 {
                goal = model[leg.chain.ankle].lerp(goal, smoothstep(state.hold));
            }
            if let LegEnd::Apart(_) = leg.chain.end {
                // A foot that does not hang from its leg is not left behind by it.
                let off = leg.chain.end_at(model, goal) - model[leg.chain.joints[0]].translation;
                let beyond = off.length() - leg.length;
                goal.translation -= off.normalize_or_zero() * beyond.max(0.0);
            }
            let outcome = self.settings.bend.run(skeleton, &leg.chain, pose, model, goal);
            missed[k] = outcome.missed;
            let strains = if outcome.missed > STRAINED * leg.length { now.dt } else { -now.dt } / STRAINS;
            state.legs[k].strain = (state.legs[k].strain + strains).clamp(0.0, 1.0);
            if let (Some(toe), Some(tip)) = (leg.toe, leg.foot.tip) {
                let ground = model_from_world.transform_point(feet[k].base);
                let up = model_from_world.transform_vector(feet[k].up);
                let before = state.legs[k].toes;
                let eases = before * single::exp(-now.dt / EASES);
                let (least, most) = (eases.max(before - TOE_SPEED * now.dt), before + TOE_SPEED * now.dt);
                // Not by how it is turned: hooves are pitched beyond straight down.
                let forward = model_from_world.transform_vector(feet[k].ahead);
                if let Some(axis) = forward.cross(up).try_normalize() {
                    let toes = Toes { toe, tip, ground, up, axis, least, most };
                    state.legs[k].toes = raise_toes(skeleton, pose, model, toes);
                }
            }
        }
    }
}
