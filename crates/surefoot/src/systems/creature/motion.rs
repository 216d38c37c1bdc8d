//! A creature with all that it will do: its pose at any time, a pure function of plan and time.

use super::folding::Fold;
use super::replan::Earlier;
use super::underfoot::{Underfoot, no_faster};
use crate::adapt::{Airborne, BodyOver, Carried, CarryBody, Dip, FeetLie, FieldInput, FootAt, MotionField};
use crate::character::{Character, StandLeg};
use crate::foot::Settle;
use crate::ik::{BendLeg, LegEnd, LegGoal, TwoBone};
use crate::math::{Rigid, quat, single, smoothstep};
use crate::motion::{Span, Stance};
use crate::plan::steps::{StepPlan, Stride};
use crate::rig::{GRAVITY, JointId, ModelPose, Pose, Rig};
use glam::{Quat, Vec3A};
use std::sync::Arc;

/// A creature with all that it will do; any time can be looked at, in any order. Owns all it needs, so that a game can keep it.
#[derive(Clone, Debug)]
pub struct CreatureMotion {
    /// Who walks.
    pub character: Arc<Character>,
    /// Its steps.
    pub plan: StepPlan,
    /// How its body follows its feet.
    pub body: BodyOver,
    /// How its body is carried: how much it moves over its feet.
    pub carry: CarryBody,
    /// How its legs bend.
    pub bend: BendLeg,
    /// The walk clip it goes by, if any.
    pub stride: Option<Stride>,
    /// Corrections; may be edited at any time.
    pub field: MotionField,
    /// When it flies.
    pub(super) airborne: Airborne,
    /// How the ground lies under the body, at even times.
    pub(super) underfoot: Underfoot,
    /// How far the body goes down for its legs to reach, at the same times.
    pub(super) settled: Vec<Dip>,
    /// How far the body is raised over what is under it, metres, at the same times.
    pub(super) raised: Vec<f32>,
    /// By leg: how far its foot is raised so that no skin is in the ground, metres, at the same times.
    pub(super) lifted: Vec<Vec<f32>>,
    /// What it did before it was led elsewhere, if it was.
    pub(super) earlier: Option<Arc<Earlier>>,
}

/// How often a second it is known how far the body goes down, Hz.
pub(super) const SETTLED_RATE: f32 = 100.0;
/// Toes over whose tips a foot rolls are straight once it is pitched so far, radians.
const STRAIGHT: f32 = 0.3;
/// On steep ground, where a clip goes by slowly, head and tail move by themselves, too: by this share.
const CLIMBS: f32 = 0.6;
/// How often that is asked at most.
const SETTLINGS: usize = 3;
/// A body whose clip moves feet away from the legs goes down by this share of its hips' height at most, on level and on steep
/// ground: its feet stand where they should in any case.
const SINKS: [f32; 2] = [0.05, 0.25];
/// A leg is stretched exactly up to this share of its length while its foot flies, and softly beyond: a knee that locks and opens
/// again within a frame pops.
const FLYING: f32 = 0.88;

/// A pose of a creature, and room to work; made once and used for every frame.
#[derive(Clone, Debug)]
pub struct CreatureFrame {
    /// The pose; its root is where the creature is in the world.
    pub pose: Pose,
    /// The same in model space.
    pub model: ModelPose,
    /// Its feet, by leg.
    pub feet: Vec<FootAt>,
    /// Greatest distance by which a standing foot misses its place, metres.
    pub missed: f32,
    /// By leg, how far its foot is from where it should be, metres.
    pub misses: Vec<f32>,
    walk: Pose,
    goals: Vec<Vec3A>,
    ends: Vec<Vec3A>,
    ankles: Vec<Rigid>,
}

/// The fastest joint of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FastestJoint {
    /// Its speed in the world, m/s.
    pub speed: f32,
    /// When, seconds.
    pub time: f32,
    /// Which it is.
    pub joint: JointId,
}

impl CreatureFrame {
    /// For creatures of a rig.
    #[must_use]
    pub fn new(rig: &Rig) -> Self {
        let legs = rig.legs.len();
        Self {
            pose: Pose::rest(&rig.skeleton),
            model: ModelPose::new(&rig.skeleton),
            feet: vec![FootAt::NOWHERE; legs],
            missed: 0.0,
            misses: vec![0.0; legs],
            walk: Pose::rest(&rig.skeleton),
            goals: vec![Vec3A::ZERO; legs],
            ends: vec![Vec3A::ZERO; legs],
            ankles: vec![Rigid::IDENTITY; legs],
        }
    }
}

impl CreatureMotion {
    /// How long it lasts, seconds.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        self.plan.course.seconds()
    }

    /// Feet at a time, by leg.
    pub(super) fn feet_at(&self, t: f32, feet: &mut [FootAt]) {
        let stride = self.stride.as_ref();
        for (i, foot) in feet.iter_mut().enumerate() {
            let shape = stride.map(|stride| (&self.plan.course, stride, i));
            *foot = FootAt::shaped(&self.character.stand.legs[i], &self.plan.legs[i], t, shape);
        }
    }

    /// The value of a field's segment's state at a time, axis by axis: where an entry for this moment belongs.
    ///
    /// # Panics
    /// If there is no such segment.
    #[must_use]
    pub fn state_at(&self, segment: usize, t: f32) -> Vec<f32> {
        let moment = self.plan.course.at(t);
        let mut feet = vec![FootAt::NOWHERE; self.character.stand.legs.len()];
        self.feet_at(t, &mut feet);
        let input = FieldInput { stand: &self.character.stand, moment: &moment, feet: &feet };
        self.field.segments()[segment].axes.iter().map(|axis| input.value(axis.state)).collect()
    }

    /// Feet, pose and body at a time as they would be if legs reached everything: where the body is then, world. What hangs
    /// from ankles is not composed.
    pub(super) fn before_legs(&self, t: f32, frame: &mut CreatureFrame) -> Rigid {
        let (skeleton, stand) = (&self.character.rig.skeleton, &self.character.stand);
        let moment = self.plan.course.at(t);
        self.feet_at(t, &mut frame.feet);
        frame.pose.locals.copy_from_slice(&stand.pose.locals);
        if let Some(stride) = &self.stride {
            // From standing into the walk and back.
            let share = stride.share(moment.speed);
            stride.clip.sample(moment.cycles * stride.clip.duration(), &mut frame.walk);
            for (local, walk) in frame.pose.locals.iter_mut().zip(&frame.walk.locals) {
                *local = local.lerp(*walk, share);
            }
            // On steep ground legs are not where the clip has them: there the idle pose tells how they bend.
            let steep = moment.steepness();
            for joint in stand.bearing.iter().filter(|_| steep > 0.0) {
                let local = &mut frame.pose.locals[joint.index()];
                *local = local.lerp(stand.pose.locals[joint.index()], steep);
            }
        }
        // What carries the legs moves by itself again where the clip's part of it is left out.
        let by_clip = self.stride.as_ref().map_or(0.0, |stride| stride.share(moment.speed));
        let steep = moment.steepness();
        let [body, limbs] = [1.0, CLIMBS].map(|share| 1.0 - by_clip * (1.0 - share * steep));
        let arms = 1.0 - by_clip;
        let (plan, course) = (&self.character.body_plan, &self.plan.course);
        let flown = self.airborne.at(t, stand);
        let carried =
            Carried { stand, plan, course, moment: &moment, feet: &frame.feet, time: t, flown, body, limbs, arms };
        let carried = self.carry.run(&carried, &mut frame.pose);
        for (i, foot) in frame.feet.iter_mut().enumerate() {
            foot.world_from_sole.translation.y += self.lift_at(i, foot, t);
        }
        frame.goals.fill(Vec3A::ZERO);
        let input = FieldInput { stand, moment: &moment, feet: &frame.feet };
        self.field.apply(&input, &mut frame.pose, &mut frame.goals);
        for (foot, goal) in frame.feet.iter_mut().zip(&frame.goals).filter(|(foot, _)| foot.flight.is_some()) {
            // Feet that stand stay where they are.
            let moved = quat::from_heading(moment.place.heading) * *goal;
            foot.world_from_sole.translation += moved * (1.0 - foot.stands);
        }
        let passing = self.earlier.as_ref().map_or(0.0, |earlier| earlier.share(t));
        if let Some(earlier) = self.earlier.as_ref().filter(|_| passing > 0.0) {
            earlier.pass(passing, &mut frame.pose);
        }
        for range in &stand.above_feet {
            frame.model.refresh_range(skeleton, &frame.pose, range.clone());
        }
        let lie = at_time(&self.underfoot.lies, t, FeetLie::mix).unwrap_or_default();
        let mut root = self.body.run(stand, plan.upright, &moment, lie) * carried;
        if let Some(stride) = &self.stride {
            let aside = stride.held_from_swaying(moment.cycles, moment.speed) * (1.0 - moment.steepness());
            root.translation += root.rotation * (Vec3A::X * aside);
        }
        root.translation.y += at_time(&self.raised, t, |a, b, x| a + x * (b - a)).unwrap_or(0.0);
        if let Some(earlier) = self.earlier.as_ref().filter(|_| passing > 0.0) {
            root = earlier.pass_root(passing, root);
        }

        // Where ankles must be, world; a pointed foot keeps its own turn.
        for (i, (leg, foot)) in stand.legs.iter().zip(&frame.feet).enumerate() {
            let mut ankle = foot.world_from_sole * leg.sole_from_ankle;
            frame.ends[i] = match leg.chain.end {
                LegEnd::Ankle => ankle.translation,
                LegEnd::Point(point) => {
                    let (rotation, end) =
                        (root.rotation * frame.model[leg.chain.ankle].rotation, foot.world_from_sole.translation);
                    ankle = Rigid { rotation, translation: end - rotation * point };
                    end
                }
                // As it stands: clips that leave a gap between leg and foot do so where the leg is too short, and only there.
                LegEnd::Apart(_) => ankle.transform_point(leg.end_from_ankle),
            };
            frame.ankles[i] = ankle;
        }
        root
    }

    /// How far the foot of a leg is raised at a time for what would be in the ground, metres.
    fn lift_at(&self, leg: usize, foot: &FootAt, t: f32) -> f32 {
        let lift = at_time(self.lift_of(leg), t, |a, b, x| a + x * (b - a)).unwrap_or(0.0);
        lift * self.lift_share(foot)
    }

    /// How many times a body is known at, and over how many of them it goes down and up: within 0.4 s for people, less for those
    /// who trip along.
    pub(super) fn times(&self) -> usize {
        (self.seconds() * SETTLED_RATE).ceil() as usize + 1
    }

    pub(super) fn settling(&self) -> Settle {
        let quarter = (0.4 * self.character.stand.pace() * SETTLED_RATE).max(8.0) as usize / 4;
        Settle { hold: 2 * quarter, ease: quarter, means: 2 }
    }

    /// Looks over the whole walk how far the body must go down for its legs to reach, and lets it do so in time.
    pub(super) fn settle(&mut self) {
        let mut frame = CreatureFrame::new(&self.character.rig);
        let (count, settling) = (self.times(), self.settling());
        let fastest = self.carry.heaves * (GRAVITY * self.character.stand.hip).sqrt() / SETTLED_RATE;
        self.settled.clear();
        // A body that goes down in front more than behind moves its hips ahead: what that asks for is added.
        for _ in 0..SETTLINGS {
            let mut most = 0.0_f32;
            let known = self.known(|motion| &motion.settled).into_iter();
            let needed: Vec<Dip> = known
                .chain((self.first_row()..count).map(|i| {
                    let t = i as f32 / SETTLED_RATE;
                    let (dip, root) = (self.dip(t), self.before_legs(t, &mut frame));
                    let root = dip.apply(&self.character.stand, root);
                    let stretch = self.body.stretch;
                    let more = self.body.lower(
                        &self.character.stand,
                        (root, &frame.model),
                        &frame.feet,
                        (&frame.ends, &frame.ankles),
                        stretch,
                    );
                    most = most.max(-more.front.min(more.back));
                    self.within(t, Dip { front: dip.front + more.front, back: dip.back + more.back })
                        .level(&self.character.stand)
                }))
                .collect();
            if most < 0.01 * self.character.stand.hip && !self.settled.is_empty() {
                break;
            }
            let settled = |end: fn(&Dip) -> f32| {
                let needed: Vec<f32> = no_faster(needed.iter().map(end).collect(), fastest);
                self.underfoot.hold(&needed, settling.run(&needed))
            };
            let ends = settled(|dip| -dip.front).into_iter().zip(settled(|dip| -dip.back));
            let settled = ends.map(|(front, back)| Dip { front: -front, back: -back }).collect();
            self.settled = self.passed(settled, |motion| &motion.settled, Dip::mix);
            if self.character.stand.ends.is_none() {
                break;
            }
        }
    }

    /// How far the body goes down at a time, as planned.
    pub(super) fn dip(&self, t: f32) -> Dip {
        at_time(&self.settled, t, Dip::mix).unwrap_or_default()
    }

    /// A body that goes down no farther than it may at a time.
    fn within(&self, t: f32, dip: Dip) -> Dip {
        let apart = |leg: &StandLeg| matches!(leg.chain.end, LegEnd::Apart(_));
        if self.stride.is_none() || !self.character.stand.legs.iter().all(apart) {
            return dip;
        }
        let [least, most] = SINKS;
        let most = -(least + (most - least) * self.plan.course.at(t).steepness()) * self.character.stand.hip;
        Dip { front: dip.front.max(most), back: dip.back.max(most) }
    }

    /// How a leg bends at a time: softly while its foot flies.
    fn bend(&self, foot: &FootAt) -> BendLeg {
        let exact = self.bend.stretch.soft;
        let soft = FLYING + (exact - FLYING) * foot.stands;
        BendLeg { stretch: TwoBone { soft: soft.min(exact) }, ..self.bend }
    }

    /// The pose at a time, seconds; depends on nothing but the plan and the time. Allocates nothing.
    ///
    /// # Panics
    /// If the frame was made for another rig.
    pub fn pose_at(&self, t: f32, frame: &mut CreatureFrame) {
        if let Some(earlier) = self.earlier.as_ref().filter(|earlier| t < earlier.until) {
            return earlier.motion.pose_at(t, frame);
        }
        let (skeleton, stand) = (&self.character.rig.skeleton, &self.character.stand);
        let (dip, high) = (self.dip(t), self.before_legs(t, frame));
        let root = dip.apply(stand, high);
        // What a field has changed since may ask for more.
        let more = 0.5 * (1.0 + self.body.stretch);
        let more = self.body.lower(stand, (root, &frame.model), &frame.feet, (&frame.ends, &frame.ankles), more);
        let both = self.within(t, Dip { front: dip.front + more.front, back: dip.back + more.back });
        let more = Dip { front: both.front - dip.front, back: both.back - dip.back };
        let root = more.apply(stand, root);
        frame.pose.root = root;

        // A foot that flies does not come so near to its hip that the leg folds up: legs that hang keep it below the hip, legs
        // that are spread keep it away.
        for (i, leg) in stand.legs.iter().enumerate().filter(|(i, _)| frame.feet[*i].flight.is_some()) {
            let hip = root.transform_point(frame.model[leg.chain.joints[0]].translation);
            // What raises it from the ground raises it: a leg folds farther sooner than its foot goes through the ground.
            let low = frame.ends[i] - self.lift_at(i, &frame.feet[i], t) * Vec3A::Y;
            let mut moved = Fold::of(leg, root).hold_off(low - hip, &frame.feet[i]);
            if matches!(leg.chain.end, LegEnd::Apart(_)) {
                moved -= hold_in(frame.ankles[i].translation + moved - hip, leg, &frame.feet[i]);
            }
            frame.ankles[i].translation += moved;
            frame.ends[i] += moved;
        }
        let model_from_world = root.inverse();
        frame.missed = 0.0;
        for (i, leg) in stand.legs.iter().enumerate() {
            let ankle = model_from_world * frame.ankles[i];
            let bend = self.bend(&frame.feet[i]);
            let mut goal = LegGoal::from(ankle);
            if matches!(leg.chain.end, LegEnd::Apart(_)) {
                goal.end = Some(model_from_world.transform_point(frame.ends[i]));
            }
            // Toes stay level while the heel is up, in the air too, where long ones would point into the ground, as far as a clip
            // has not bent them already; those that the whole foot rolls over are straight. They are composed with their leg.
            let up = frame.feet[i].pitch;
            let on_tip = self.stride.as_ref().is_some_and(|stride| stride.legs[i].tip.is_some());
            if let Some(toe) = leg.toe.filter(|_| up > 0.0 && on_tip) {
                let local = &mut frame.pose.locals[toe.index()];
                *local = local.lerp(stand.pose.locals[toe.index()], smoothstep(up / STRAIGHT));
            } else if let Some(toe) = leg.toe.filter(|_| up > 0.0) {
                let sole = leg.sole_from_ankle.rotation.conjugate();
                let local = &mut frame.pose.locals[toe.index()].rotation;
                let own = sole.conjugate() * (*local * stand.pose.locals[toe.index()].rotation.conjugate()) * sole;
                let turn = Quat::from_rotation_x(-(up + 2.0 * single::atan2(own.x, own.w.abs()).min(0.0)).max(0.0));
                *local = (sole * turn * sole.conjugate() * *local).normalize();
            }
            let outcome = bend.run(skeleton, &leg.chain, &mut frame.pose, &mut frame.model, goal);
            frame.misses[i] = outcome.missed;
            if frame.feet[i].flight.is_none() {
                frame.missed = frame.missed.max(outcome.missed);
            }
        }
    }

    /// The fastest joint between looks `dt` seconds apart. Where a motion jumps, a smaller `dt` finds a greater speed.
    #[must_use]
    pub fn fastest(&self, dt: f32) -> FastestJoint {
        let (mut a, mut b) = (CreatureFrame::new(&self.character.rig), CreatureFrame::new(&self.character.rig));
        let mut most = FastestJoint { speed: 0.0, time: 0.0, joint: JointId(0) };
        for i in 0..(100.0 * self.seconds()) as usize {
            let t = 0.01 * i as f32;
            self.pose_at(t, &mut a);
            self.pose_at(t + dt, &mut b);
            for joint in self.character.rig.skeleton.joints() {
                let [p, q] = [&a, &b].map(|frame| frame.pose.root.transform_point(frame.model[joint].translation));
                let speed = (p - q).length() / dt;
                if speed > most.speed {
                    most = FastestJoint { speed, time: t, joint };
                }
            }
        }
        most
    }

    /// Its stances in a clip of so many frames at a rate, Hz.
    pub(super) fn stances(&self, rate: f32, count: usize) -> Vec<Stance> {
        let whole = Span { start: 0.0, end: count as f32 / rate };
        let mut stances = Vec::new();
        for (i, (leg, falls)) in self.character.stand.legs.iter().zip(&self.plan.legs).enumerate() {
            for fall in falls {
                let Some(time) = fall.stance.time.shared(whole) else { continue };
                let within = |span: Option<Span>| span.and_then(|span| span.shared(whole));
                let (heel, ball) = (within(fall.stance.heel), within(fall.stance.ball));
                let mut stance = Stance { time, heel, ball, ..fall.stance };
                if let Some(stride) = &self.stride {
                    // The clip says when it is on which point: from the first frame on its heel to the last, likewise its ball.
                    let pitch = |f: &usize| {
                        FootAt::shaped(leg, falls, *f as f32 / rate, Some((&self.plan.course, stride, i))).pitch
                    };
                    let frames = time.frames(rate, count);
                    let on_heel = frames.clone().take_while(|f| pitch(f) <= 0.0).count();
                    let on_ball = frames.clone().rev().take_while(|f| pitch(f) >= 0.0).count();
                    // Where toes bend, the ball rises with the heel.
                    let end = if leg.toes_bend() || stride.legs[i].tip.is_some() {
                        frames.start + on_heel
                    } else {
                        frames.end
                    };
                    stance.heel = Span::of_frames(&(frames.start..frames.start + on_heel), rate);
                    stance.ball = Span::of_frames(&((frames.end - on_ball).min(end)..end), rate);
                }
                stances.push(stance);
            }
        }
        stances
    }
}

/// A foot that goes up for its leg to reach it stays as far beside its hip as this share of what the leg reaches.
const BESIDE: f32 = 0.9;

/// How far a flying foot that hangs outside its leg comes back to it, metres: it would leave it where the leg does not reach.
/// `away` is where it is from its hip. It goes up rather than on: what lies close before or behind it may be a riser.
fn hold_in(away: Vec3A, leg: &StandLeg, foot: &FootAt) -> Vec3A {
    let (far, soft) = (away.length(), 0.02 * leg.length);
    let over = far + soft - leg.length;
    let back = 0.5 * (over + (over * over + soft * soft).sqrt());
    let weight = 1.0 - foot.stands;
    let (reach, down, aside) = (far - back, -away.y, away.with_y(0.0));
    if reach < 0.0 || down < 0.0 {
        return away * (back / far.max(1e-6) * weight);
    }
    let beside = |height: f32| (reach * reach - height * height).max(0.0).sqrt();
    let kept = aside.length().min(beside(down).max(BESIDE * reach));
    weight * (aside * (1.0 - kept / aside.length().max(1e-6)) - Vec3A::Y * (down - beside(kept)))
}

/// What lies between two of the values at even times; `None` if there are none.
pub(super) fn at_time<T: Copy>(values: &[T], t: f32, mix: impl Fn(T, T, f32) -> T) -> Option<T> {
    let last = values.len().checked_sub(1)?;
    let x = if t.is_nan() { 0.0 } else { (t * SETTLED_RATE).clamp(0.0, last as f32) };
    let i = (x as usize).min(last.saturating_sub(1));
    Some(mix(values[i], values[(i + 1).min(last)], x - i as f32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Character;
    use crate::rig::{ManyLegs, Pose};

    #[test]
    fn a_foot_that_its_leg_does_not_reach_goes_up_and_not_on() {
        let rig = ManyLegs::default().run();
        let idle = Pose::rest(&rig.skeleton);
        let character = Character::new(rig, idle, &[]).unwrap();
        let leg = &character.stand.legs[0];
        let flies = FootAt { stands: 0.0, ..FootAt::NOWHERE };
        for i in 0..60 {
            let behind = 0.02 * i as f32;
            let away = leg.length * Vec3A::new(0.1, -0.95, -behind);
            let back = away - hold_in(away, leg, &flies);
            assert!(back.length() < leg.length, "{behind}: {back}");
            let floor = |p: Vec3A| p.with_y(0.0).length();
            // What it reaches by going up it does not reach by going on.
            if floor(away) < 0.8 * leg.length {
                assert!((back - away).with_y(0.0).length() < 1e-6 && back.y >= away.y, "{away} -> {back}");
            }
            assert_eq!(hold_in(away, leg, &FootAt { stands: 1.0, ..flies }), Vec3A::ZERO, "standing feet stay");
        }
    }
}
