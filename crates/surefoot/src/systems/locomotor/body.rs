//! The body of a live character over its feet: its height, its tilt, and legs that reach.

use super::{Locomotor, LocomotorFrame, LocomotorState, Now};
use crate::adapt::stepping::spread;
use crate::foot::drop_to_reach;
use crate::ik::LegEnd;
use crate::math::{Rigid, floor, quat, single, smoothstep};
use crate::rig::{JointId, ModelPose, Pose, Skeleton};
use glam::{Quat, Vec2, Vec3, Vec3A};

/// How soon the body comes to the height that its legs ask for, seconds.
const RISES: f32 = 0.07;
/// The body goes down by no more than this share of the leg's length.
const LOWEST: f32 = 0.3;
/// A leg that misses its print by more than this share of its length is strained.
const STRAINED: f32 = 0.03;
/// How soon toes that were turned up come down again, seconds.
const EASES: f32 = 0.07;
/// How fast toes are turned up at most, rad/s.
const TOE_SPEED: f32 = 9.0;
/// How soon it tilts with the ground, seconds.
const TILTS: f32 = 0.15;
/// Bodies go down so that legs that stand are stretched by no more than this share of their length, and never by more than the
/// second.
const REACH: [f32; 2] = [0.97, 0.99];
/// A body leans by no more than this, radians.
const MOST_LEAN: f32 = 0.2;
/// Feet closer to each other than this share of the leg's length say nothing of how the ground is tilted.
const APART: f32 = 0.25;
/// From this share of a flight on the body goes down for the foot that will land.
const FORESEES: f32 = 0.5;
/// A leg in the air asks the body to be no higher than this over where it is, metres times the leg's length: as good as nothing.
const FREE: f32 = 1.0;

/// Spines and necks bend no farther than this, radians.
const BENT: f32 = 0.5;
/// Heads look as far ahead as the body turns in this time, seconds.
const LOOKS: f32 = 0.3;

/// Toes of a foot, model space.
struct Toes {
    toe: JointId,
    /// Their tip, metres in the joint's space.
    tip: Vec3A,
    /// A point of the ground, and what is up from it.
    ground: Vec3A,
    up: Vec3A,
    /// How far they are turned up at least, and at most, radians.
    least: f32,
    most: f32,
}

/// Turns toes up that would be in the ground; by how much, radians.
fn raise_toes(skeleton: &Skeleton, pose: &mut Pose, model: &mut ModelPose, toes: Toes) -> f32 {
    let Toes { toe, tip, ground, up, least, most } = toes;
    let joint = model[toe];
    let out = joint.transform_vector(tip);
    let (length, over) = (out.length(), (joint.translation - ground).dot(up));
    let rise = out.dot(up);
    if length < 1e-4 {
        return 0.0;
    }
    let [is, should] = [rise, (-over).min(0.9 * length)].map(|rise| single::asin((rise / length).clamp(-1.0, 1.0)));
    let raise = (should - is).max(least).min(most);
    let Some(axis) = out.cross(up).try_normalize().filter(|_| raise > 1e-4) else { return 0.0 };
    let turn = Quat::from_axis_angle(axis.into(), raise);
    let above = skeleton.parent(toe).map_or(Quat::IDENTITY, |parent| model[parent].rotation);
    pose.locals[toe.index()].rotation = (above.conjugate() * turn * joint.rotation).normalize();
    model.refresh(skeleton, pose, toe);
    raise
}

impl Locomotor {
    /// How far the spine bends into a turn, radians, left positive.
    fn bent(&self, state: &LocomotorState) -> f32 {
        let (stand, plan) = (&self.character.stand, &self.character.body_plan);
        let goes_on = state.velocity.length().max(0.2 * (crate::rig::GRAVITY * stand.hip).sqrt());
        let level = 1.0 - 0.7 * plan.upright;
        (level * state.turn_rate * plan.back_length / goes_on).clamp(-BENT, BENT)
    }

    /// Bends the spine of a pose into the turn that the character takes, and its neck ahead of it.
    pub(super) fn bend_spine(&self, state: &LocomotorState, pose: &mut Pose) {
        let bend = self.bent(state);
        if bend.abs() < 1e-4 {
            return;
        }
        let plan = &self.character.body_plan;
        let looks = (LOOKS * state.turn_rate).clamp(-BENT, BENT);
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
            let slope = self.lie(state, frame, mean);
            state.slope += (slope - state.slope) * soon;
            // Feet are not always evenly about the middle.
            let ahead = floor::turned(state.place.position - floor::of_point(mean), -state.place.heading);
            mean.y + (state.slope * ahead.clamp_length_max(0.5 * self.character.leg_length)).element_sum()
        } else {
            state.slope -= state.slope * soon;
            state.height
        };
        let soon = 1.0 - single::exp(-now.dt / RISES);
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
    fn lie(&self, state: &LocomotorState, frame: &LocomotorFrame, mean: Vec3A) -> Vec2 {
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
        let (mut rise, mut run) = (Vec2::ZERO, Vec2::splat(apart * 0.1 * state.legs.len() as f32));
        for foot in &frame.feet {
            let off = foot.base - mean;
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
        let (mut top, mut cap) = (f32::INFINITY, f32::INFINITY);
        for (k, (leg, foot)) in self.character.stand.legs.iter().zip(&frame.feet).enumerate() {
            let hip = root.transform_point(frame.model[leg.chain.joints[0]].translation);
            let drawn = frame.model[self.character.rig.legs[k].ankle()];
            let end_in_ankle = drawn.inverse().transform_point(leg.chain.end(&frame.model));
            let end = foot.ankle.transform_point(end_in_ankle);
            let length = leg.length;
            let [most, utmost] = REACH.map(|reach| -drop_to_reach(hip, end, reach * length));
            let own = (leg.chain.end(&frame.model) - frame.model[leg.chain.joints[0]].translation).length();
            let (own, share) = if foot.parked { (leg.stands_at, 1.0) } else { (own, foot.as_drawn) };
            let as_drawn = -share * drop_to_reach(hip, end, own.min(REACH[1] * length));
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
                    top = top.min(most + FREE * length * (1.0 - counts));
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
        let target = target.clamp(-limit, 0.5 * limit);
        let [rise, speed] = state.rise;
        // A critically damped spring, exact for any step.
        let (w, t) = (2.0 / RISES, now.dt);
        let off = rise - target;
        let fade = single::exp(-w * t);
        let impulse = speed + w * off;
        let new = target + (off + impulse * t) * fade;
        let new_speed = (speed - w * impulse * t) * fade;
        let capped = new.min(cap.max(-limit));
        state.rise = [capped, if capped < new { new_speed.min(0.0) } else { new_speed }];
    }

    /// Bends legs to where their feet are to be.
    pub(super) fn bend_legs(&self, state: &mut LocomotorState, now: Now<'_>, frame: &mut LocomotorFrame) {
        let LocomotorFrame { pose, model, feet, missed, .. } = frame;
        let skeleton = &self.character.rig.skeleton;
        let model_from_world = pose.root.inverse();
        for (k, leg) in self.character.stand.legs.iter().enumerate() {
            let mut goal = model_from_world * feet[k].ankle;
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
            state.legs[k].strained = outcome.missed > STRAINED * leg.length;
            if let (Some(toe), Some(tip)) = (leg.toe, leg.foot.tip) {
                let ground = model_from_world.transform_point(feet[k].base);
                let up = model_from_world.transform_vector(feet[k].up);
                let before = state.legs[k].toes;
                let (least, most) = (before * single::exp(-now.dt / EASES), before + TOE_SPEED * now.dt);
                state.legs[k].toes = raise_toes(skeleton, pose, model, Toes { toe, tip, ground, up, least, most });
            }
        }
    }
}
