//! Hands, or any joints, to places in the middle of a clip, while its feet keep to their own.
//!
//! The body is solved for only while it reaches. What that changes of the clip fades in before and out afterwards, so that the
//! clip goes over into the reach and back without a jump, and legs are bent again so that feet stay where the clip has them.

use crate::analyse::Repair;
use crate::foot::{Settle, drop_to_reach};
use crate::ik::{BendLeg, FullBody, IkReport, LegChain, LegGoal, TwoBone};
use crate::math::{Rigid, quat, single, smoothstep, window};
use crate::motion::Clip;
use crate::rig::{JointId, Leg, ModelPose, Pose, Skeleton};
use glam::{Quat, Vec3, Vec3A};
use std::ops::RangeInclusive;

/// When a body reaches, and how it comes there and back.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct ReachInClip {
    /// When joints are at their places, seconds.
    pub at: f32,
    /// How long the reach takes to come in, and to go out again, seconds.
    pub blend: f32,
    /// How long it is held, seconds, `at` being the middle.
    pub hold: f32,
}

/// A joint and where it should be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReachGoal {
    /// The joint.
    pub joint: JointId,
    /// Its place, metres, world.
    pub place: Vec3A,
}

/// A clip with a reach in it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReachedClip {
    /// The clip, as long as before.
    pub clip: Clip,
    /// The pose at the time of the reach, as it came.
    pub before: Pose,
    /// And with its joints at their places, or as near as it comes.
    pub after: Pose,
    /// How near it came.
    pub report: IkReport,
    /// The farthest that a joint is from its place in any frame of the hold, metres.
    pub held_within: f32,
    /// How long it is held, seconds: less than was asked for in a short cycle, which needs time to come there and back.
    pub hold: f32,
}

/// Time before and after a hold in which a place begins to go along with the body, seconds: else a hand that goes with a walk
/// would stop dead. What is not held is passed by.
const LET_GO: f32 = 0.2;
/// How often a held body is solved for, seconds: solutions a frame apart differ by their tolerance, which would tremble.
const KEYS: f32 = 0.1;
/// What is held in a cycle is so for no more than this share of it: the rest is for coming there and back.
const HELD_OF_CYCLE: f32 = 1.0 / 3.0;
/// How quickly a body goes down for legs that do not reach their feet, seconds.
const SETTLES: f32 = 0.06;
/// A body that goes on while a place is held stretches after it by this share of its leg, and then lets it go: about as far as
/// a person's arm and back reach.
const LAG: f32 = 0.6;

impl ReachInClip {
    /// Brings joints to their places at a time of a clip. `legs` keep their feet where the clip has them, but for those that
    /// reach themselves. A cycle stays one: what comes in before its first frame does so in its last ones.
    ///
    /// # Panics
    /// If clip and legs are not of this skeleton.
    #[must_use]
    pub fn run(&self, skeleton: &Skeleton, legs: &[Leg], clip: &Clip, goals: &[ReachGoal]) -> ReachedClip {
        if clip.cycle().is_some() {
            self.in_cycle(skeleton, legs, clip, goals)
        } else {
            self.once(skeleton, legs, clip, goals)
        }
    }

    /// In the middle one of three rounds, within the time of one, which are then laid over each other.
    fn in_cycle(&self, skeleton: &Skeleton, legs: &[Leg], clip: &Clip, goals: &[ReachGoal]) -> ReachedClip {
        let round = clip.frames();
        let seconds = round as f32 / clip.rate();
        let hold = self.hold.min(HELD_OF_CYCLE * seconds);
        let reach = Self { at: self.at + seconds, hold, blend: self.blend.min(0.5 * (seconds - hold)) };
        let rounds = clip.unrolled(3);
        let second_from_first = rounds.roots()[round] * rounds.roots()[0].inverse();
        let in_second = |goal: &ReachGoal| ReachGoal { place: second_from_first.transform_point(goal.place), ..*goal };
        let goals: Vec<ReachGoal> = goals.iter().map(in_second).collect();
        let mut reached = reach.once(skeleton, legs, &rounds, &goals);
        let mut one = clip.clone();
        for (f, _) in reach.shares(&rounds).iter().enumerate().filter(|(_, share)| **share > 0.0) {
            one.frame_mut(f % round).copy_from_slice(reached.clip.frame(f));
        }
        for pose in [&mut reached.before, &mut reached.after] {
            pose.root = second_from_first.inverse() * pose.root;
        }
        ReachedClip { clip: one, ..reached }
    }

    /// By how much it reaches in each frame.
    fn shares(&self, clip: &Clip) -> Vec<f32> {
        let held = self.held(clip);
        (0..clip.frames()).map(|f| ease(away(&held, f, clip.rate()), self.blend)).collect()
    }

    fn once(&self, skeleton: &Skeleton, legs: &[Leg], clip: &Clip, goals: &[ReachGoal]) -> ReachedClip {
        let joints: Vec<JointId> = goals.iter().map(|goal| goal.joint).collect();
        let held = self.held(clip);
        let shares = self.shares(clip);
        let calm = calmed(skeleton, legs, clip, &joints, &shares);
        let clip = &calm;
        let mut solver = Solver {
            skeleton,
            clip,
            goals,
            body: FullBody::new(skeleton, legs, &joints),
            pose: Pose::rest(skeleton),
            farthest_lag: LAG * length_of(skeleton, legs),
            targets: vec![Vec3A::ZERO; goals.len()],
        };
        let (before, after, report) = solver.at_time(self.at);

        let let_go = if self.hold > 0.0 { LET_GO } else { 0.0 };
        let changes = solver.around(&held, (let_go * clip.rate()).round() as usize);
        let kept = KeptFeet::new(skeleton, legs, &joints);
        let mut out = clip.clone();
        for (f, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            changes.at(f).apply(out.frame_mut(f), *share);
            // Legs are bent from how the clip has them, not from how they were solved for: so they never turn over.
            kept.as_in(clip.frame(f), skeleton, out.frame_mut(f));
        }
        // What the whole body trembles by and the hand did not, it does now.
        let mut even = out.clone();
        Repair::default().mend_strays(skeleton, &mut even);
        for f in (0..clip.frames()).filter(|f| shares[*f] > 0.0) {
            out.frame_mut(f).copy_from_slice(even.frame(f));
        }
        kept.lower(skeleton, clip, &mut out, &shares, |f| smoothstep(away(&held, f, clip.rate()) / SETTLES));
        kept.put_back(skeleton, clip, &mut out, &shares);
        let held_within = farthest(skeleton, &out, goals, held);
        ReachedClip { clip: out, before, after, report, held_within, hold: self.hold }
    }

    /// The frames in which joints are at their places, at least the one that is nearest to the time.
    fn held(&self, clip: &Clip) -> RangeInclusive<usize> {
        let last = (clip.frames() - 1) as f32;
        let frame = |seconds: f32| (seconds * clip.rate()).clamp(0.0, last);
        let (from, to) = (frame(self.at - 0.5 * self.hold), frame(self.at + 0.5 * self.hold));
        let nearest = frame(self.at).round() as usize;
        (from.ceil() as usize).min(nearest)..=(to.floor() as usize).max(nearest)
    }
}

/// How long before or after a hold a frame is, seconds.
fn away(held: &RangeInclusive<usize>, frame: usize, rate: f32) -> f32 {
    let frames = if frame < *held.start() { held.start() - frame } else { frame.saturating_sub(*held.end()) };
    frames as f32 / rate
}

/// A clip whose joints that reach, and those between them and the body, are turned evenly by as much as they reach, by frame. What an
/// arm trembles by about its own length is not seen in a capture until its elbow bends.
fn calmed(skeleton: &Skeleton, legs: &[Leg], clip: &Clip, joints: &[JointId], shares: &[f32]) -> Clip {
    let mut calm = clip.clone();
    let reach = (CALM * clip.rate()).round() as usize;
    if reach < 2 {
        // Frames that far apart are motion.
        return calm;
    }
    // Up to where limbs part: what is turned there is turned back elsewhere.
    let alone = |joint: &JointId| skeleton.children(*joint).count() < 2;
    let arm = |joint: &JointId| std::iter::once(*joint).chain(skeleton.ancestry(*joint).skip(1).take_while(alone));
    let mut arms: Vec<JointId> = joints.iter().flat_map(arm).collect();
    arms.retain(|joint| !legs.iter().any(|leg| leg.chain.contains(joint)));
    arms.sort_unstable_by_key(|joint| joint.index());
    arms.dedup();
    for joint in arms.into_iter().map(JointId::index) {
        for (f, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let own = clip.frame(f)[joint].rotation;
            let near = window(f, reach.min(f).min(clip.frames() - 1 - f), clip.frames());
            let sum = near.map(|g| quat::nearest_sign(own, clip.frame(g)[joint].rotation)).reduce(|a, b| a + b);
            let mean = sum.map_or(own, Quat::normalize);
            // Soon: an elbow shows it before it is bent all the way.
            calm.frame_mut(f)[joint].rotation = quat::nlerp(own, mean, smoothstep(4.0 * share));
        }
    }
    calm
}

/// Joints are calmed over this time either side, seconds: no more than a few frames of a capture.
const CALM: f32 = 0.025;

/// The farthest that a joint is from its place in some frames of a clip, metres.
fn farthest(skeleton: &Skeleton, clip: &Clip, goals: &[ReachGoal], frames: RangeInclusive<usize>) -> f32 {
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
    let mut most = 0.0_f32;
    for f in frames {
        pose.locals.copy_from_slice(clip.frame(f));
        pose.to_model(skeleton, &mut model);
        let missed = |goal: &ReachGoal| (clip.roots()[f] * model[goal.joint]).translation.distance(goal.place);
        most = goals.iter().map(missed).fold(most, f32::max);
    }
    most
}

/// The length of a body's longest leg, or half the body's height where it has none, metres.
fn length_of(skeleton: &Skeleton, legs: &[Leg]) -> f32 {
    let model = ModelPose::new(skeleton);
    let longest = legs.iter().map(|leg| leg.length(skeleton)).fold(0.0, f32::max);
    if longest > 0.0 {
        return longest;
    }
    let heights = || skeleton.joints().map(|joint| model[joint].translation.y);
    0.5 * (heights().fold(f32::MIN, f32::max) - heights().fold(f32::MAX, f32::min))
}

/// The share of a reach at a time before or after its hold, seconds: from 1 to 0 over `blend`, level and unbent at both ends.
fn ease(away: f32, blend: f32) -> f32 {
    if away <= 0.0 {
        return 1.0;
    }
    let x = 1.0 - (away / blend.max(1e-6)).min(1.0);
    x * x * x * (10.0 + x * (6.0 * x - 15.0))
}

/// Solves for single frames of a clip.
struct Solver<'a> {
    skeleton: &'a Skeleton,
    clip: &'a Clip,
    goals: &'a [ReachGoal],
    body: FullBody,
    pose: Pose,
    /// Metres.
    farthest_lag: f32,
    targets: Vec<Vec3A>,
}

impl Solver<'_> {
    /// The pose at a time (seconds) before and after reaching.
    fn at_time(&mut self, seconds: f32) -> (Pose, Pose, IkReport) {
        self.clip.sample(seconds, &mut self.pose);
        let before = self.pose.clone();
        let model_from_world = before.root.inverse();
        let to_model = |goal: &ReachGoal| model_from_world.transform_point(goal.place);
        self.targets.iter_mut().zip(self.goals).for_each(|(target, goal)| *target = to_model(goal));
        let report = self.body.run(self.skeleton, &mut self.pose, &self.targets);
        (before, self.pose.clone(), report)
    }

    /// What reaching changes in the frames of a hold and `beside` more before and after, in which places go along with the body
    /// more and more.
    fn around(&mut self, held: &RangeInclusive<usize>, beside: usize) -> Changes {
        let step = ((KEYS * self.clip.rate()).round() as usize).max(1);
        let middle = (held.start() + held.end()) / 2;
        let (first, last) = (held.start().saturating_sub(beside), (held.end() + beside).min(self.clip.frames() - 1));
        // From the middle each way, each key from where the one before it ended.
        let mut keys: Vec<(usize, Change)> = Vec::new();
        let before = (0..).map(|k| middle.saturating_sub(k * step).max(first));
        for f in before.take((middle - first).div_ceil(step) + 1) {
            let change = self.change(f, held, beside);
            keys.push((f, change));
        }
        keys.reverse();
        self.body.reset();
        self.change(middle, held, beside);
        let after = (1..).map(|k| (middle + k * step).min(last));
        for f in after.take((last - middle).div_ceil(step)) {
            let change = self.change(f, held, beside);
            keys.push((f, change));
        }
        Changes { keys }
    }

    /// What reaching changes in a frame in a hold or beside it.
    fn change(&mut self, f: usize, held: &RangeInclusive<usize>, beside: usize) -> Change {
        let roots = self.clip.roots();
        let edge = f.clamp(*held.start(), *held.end());
        // A place goes as fast as the body at the far end and rests at the edge: its share of the body's way since then is the
        // integral of smoothstep over that of 1.
        let x = (f.abs_diff(edge) as f32 / beside.max(1) as f32).min(1.0);
        let along = x * x * (1.0 - 0.5 * x);
        let carry = |from: usize| roots[f] * roots[from].inverse();
        let (since_edge, since_middle) = (carry(edge), carry((held.start() + held.end()) / 2));
        let model_from_world = roots[f].inverse();
        for (target, goal) in self.targets.iter_mut().zip(self.goals) {
            let place = goal.place.lerp(since_edge.transform_point(goal.place), along);
            // What a body leaves too far behind it must let go.
            let carried = since_middle.transform_point(goal.place);
            let lag = place - carried;
            let place = carried + lag * (within(lag.length(), self.farthest_lag) / lag.length().max(1e-9));
            *target = model_from_world.transform_point(place);
        }
        self.pose.root = roots[f];
        self.pose.locals.copy_from_slice(self.clip.frame(f));
        self.body.run(self.skeleton, &mut self.pose, &self.targets);
        Change::between(self.clip.frame(f), &self.pose.locals)
    }
}

/// A length as it is up to four fifths of `most`, and never more than that, passing smoothly.
fn within(length: f32, most: f32) -> f32 {
    let (exact, rest) = (0.8 * most, 0.2 * most);
    if length <= exact { length } else { exact + rest * (1.0 - single::exp(-(length - exact) / rest)) }
}

/// What reaching changes, in frames that were solved for, in order.
struct Changes {
    keys: Vec<(usize, Change)>,
}

impl Changes {
    /// That of a frame: between keys, a curve through them without corners; beyond them, that of the last.
    fn at(&self, f: usize) -> Change {
        let next = self.keys.partition_point(|(key, _)| *key <= f);
        let (first, last) = (0, self.keys.len() - 1);
        if next == 0 || next > last {
            return self.keys[next.min(last)].1.clone();
        }
        let [a, b] = [next - 1, next].map(|k| &self.keys[k]);
        let [before, after] = [(next - 1).saturating_sub(1).max(first), (next + 1).min(last)].map(|k| &self.keys[k]);
        let span = (b.0 - a.0) as f32;
        let x = (f - a.0) as f32 / span;
        // Hermite's curve, with slopes through the neighbours.
        let (h00, h10, h01, h11) = (
            (1.0 + 2.0 * x) * (1.0 - x) * (1.0 - x),
            x * (1.0 - x) * (1.0 - x),
            x * x * (3.0 - 2.0 * x),
            x * x * (x - 1.0),
        );
        let slopes = [(before, b), (a, after)].map(|(p, q)| span / (q.0 - p.0).max(1) as f32);
        let joint = |j: usize| {
            let [p0, p1, p2, p3] = [before, a, b, after].map(|key| &key.1.0[j]);
            let turn = h00 * p1.turn
                + h10 * slopes[0] * (p2.turn - p0.turn)
                + h01 * p2.turn
                + h11 * slopes[1] * (p3.turn - p1.turn);
            let shift = h00 * p1.shift
                + h10 * slopes[0] * (p2.shift - p0.shift)
                + h01 * p2.shift
                + h11 * slopes[1] * (p3.shift - p1.shift);
            JointChange { turn, shift }
        };
        Change((0..a.1.0.len()).map(joint).collect())
    }
}

/// What reaching changes of one frame, by joint, in the parent's space.
#[derive(Clone)]
struct Change(Vec<JointChange>);

#[derive(Clone, Copy)]
struct JointChange {
    /// Axis times angle, radians.
    turn: Vec3,
    /// Metres.
    shift: Vec3A,
}

impl Change {
    fn between(from: &[Rigid], to: &[Rigid]) -> Self {
        let change = |(from, to): (&Rigid, &Rigid)| JointChange {
            turn: quat::log(quat::nearest_sign(Quat::IDENTITY, to.rotation * from.rotation.conjugate())),
            shift: to.translation - from.translation,
        };
        Self(from.iter().zip(to).map(change).collect())
    }

    /// Changes a frame by a share of it.
    fn apply(&self, locals: &mut [Rigid], share: f32) {
        for (local, change) in locals.iter_mut().zip(&self.0) {
            let turned = quat::exp(change.turn * share) * local.rotation;
            local.rotation = quat::nearest_sign(local.rotation, turned).normalize();
            local.translation += change.shift * share;
        }
    }
}

/// Feet that stay where a clip has them.
struct KeptFeet {
    chains: Vec<LegChain>,
    bend: BendLeg,
}

impl KeptFeet {
    fn new(skeleton: &Skeleton, legs: &[Leg], reaching: &[JointId]) -> Self {
        let kept = |leg: &&Leg| {
            let below = skeleton.subtree(leg.hip());
            leg.chain.len() > 2 && !reaching.iter().any(|joint| below.contains(&joint.index()))
        };
        let chains = legs.iter().filter(kept).map(LegChain::of_rig).collect();
        // The body was solved for so that feet can stay: legs may be as straight as that takes.
        let bend = BendLeg { stretch: TwoBone { soft: 0.999 }, ..BendLeg::default() };
        Self { chains, bend }
    }

    /// Gives legs back the joints that a frame has.
    fn as_in(&self, frame: &[Rigid], skeleton: &Skeleton, locals: &mut [Rigid]) {
        for chain in &self.chains {
            let leg = skeleton.subtree(chain.joints[0]);
            locals[leg.clone()].copy_from_slice(&frame[leg]);
        }
    }

    /// Lowers the body where a leg does not reach its foot, in frames that change at all, by a share that `free` tells: what was
    /// solved for reaches its feet, and must stay where it reaches.
    fn lower(&self, skeleton: &Skeleton, clip: &Clip, out: &mut Clip, shares: &[f32], free: impl Fn(usize) -> f32) {
        let [mut was, mut is] = [ModelPose::new(skeleton), ModelPose::new(skeleton)];
        let mut pose = Pose::rest(skeleton);
        let mut need = |f: usize| {
            pose.locals.copy_from_slice(clip.frame(f));
            pose.to_model(skeleton, &mut was);
            pose.locals.copy_from_slice(out.frame(f));
            pose.to_model(skeleton, &mut is);
            let drop = |chain: &LegChain| {
                let (hip, end) = (chain.joints[0], chain.end(&was));
                let now = (end - was[hip].translation).length();
                drop_to_reach(is[hip].translation, end, self.bend.stretch.exact_reach(chain.length(&was), now))
            };
            self.chains.iter().map(drop).fold(0.0, f32::max)
        };
        let needed: Vec<f32> = shares.iter().enumerate().map(|(f, s)| if *s > 0.0 { need(f) } else { 0.0 }).collect();
        let reach = ((SETTLES * clip.rate()).round() as usize).max(1);
        let drops = Settle { hold: 2 * reach, ease: reach, means: 2 }.run(&needed);
        for (f, drop) in drops.iter().enumerate().filter(|(f, _)| shares[*f] > 0.0) {
            for joint in skeleton.roots() {
                out.frame_mut(f)[joint.index()].translation.y -= drop * free(f) * smoothstep(10.0 * shares[f]);
            }
        }
    }

    /// Bends legs so that feet are where the clip has them, in frames that change at all.
    fn put_back(&self, skeleton: &Skeleton, clip: &Clip, out: &mut Clip, shares: &[f32]) {
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
        let mut goals: Vec<LegGoal> = Vec::with_capacity(self.chains.len());
        for f in (0..clip.frames()).filter(|f| shares[*f] > 0.0) {
            pose.locals.copy_from_slice(clip.frame(f));
            pose.to_model(skeleton, &mut model);
            goals.clear();
            goals.extend(self.chains.iter().map(|chain| LegGoal {
                ankle: model[chain.ankle],
                end: Some(chain.end(&model)),
                turn_over: false,
            }));
            pose.locals.copy_from_slice(out.frame(f));
            pose.to_model(skeleton, &mut model);
            for (chain, goal) in self.chains.iter().zip(&goals) {
                self.bend.run(skeleton, chain, &mut pose, &mut model, *goal);
            }
            out.frame_mut(f).copy_from_slice(&pose.locals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Joint;

    #[test]
    fn what_an_arm_trembles_by_is_calmed_while_it_reaches_and_nothing_else_is() {
        let at = |name: &str, parent| Joint::new(name, parent, Rigid::from_translation(0.3 * Vec3A::Y));
        let joints = vec![
            at("chest", None),
            at("head", Some(0)),
            at("arm", Some(0)),
            at("forearm", Some(2)),
            at("hand", Some(3)),
        ];
        let skeleton = Skeleton::new(joints).expect("in order");
        let mut clip = Clip::new(&skeleton, "arm", 120.0, skeleton.rest().repeat(60)).expect("as many");
        for f in 0..60 {
            let trembles = Quat::from_rotation_y(if f == 30 { 0.07 } else { 0.0 });
            (0..5).for_each(|joint| clip.frame_mut(f)[joint].rotation = trembles);
        }
        let shares: Vec<f32> = (0..60).map(|f| if f > 10 { 1.0 } else { 0.0 }).collect();
        let calm = calmed(&skeleton, &[], &clip, &[JointId(4)], &shares);
        let off = |joint: usize| quat::angle_between(calm.frame(30)[joint].rotation, Quat::IDENTITY);
        assert!([2, 3, 4].iter().all(|joint| off(*joint) < 0.02), "{:?}", [2, 3, 4].map(off));
        assert!(off(0) > 0.06 && off(1) > 0.06, "chest and head are left alone");
        assert!((0..11).all(|f| calm.frame(f) == clip.frame(f)), "frames in which it does not reach are left alone");
    }

    #[test]
    fn a_cycle_that_reaches_stays_one_however_short_it_is_and_wherever_it_reaches() {
        let at = |name: &str, parent, up: f32| Joint::new(name, parent, Rigid::from_translation(up * Vec3A::Y));
        let joints =
            vec![at("hips", None, 1.0), at("arm", Some(0), 0.5), at("forearm", Some(1), 0.3), at("hand", Some(2), 0.3)];
        let skeleton = Skeleton::new(joints).expect("in order");
        // 0.8 s of swinging while going ahead.
        let frames = 24;
        let mut clip = Clip::new(&skeleton, "walk", 30.0, skeleton.rest().repeat(frames)).expect("as many");
        for f in 0..frames {
            let phase = std::f32::consts::TAU * f as f32 / frames as f32;
            clip.frame_mut(f)[1].rotation = Quat::from_rotation_x(2.5 + 0.3 * phase.sin());
            clip.frame_mut(f)[2].rotation = Quat::from_rotation_x(-0.6);
            clip.roots_mut()[f].translation.z = f as f32 / 30.0;
        }
        let clip = clip.with_cycle(Some(Rigid::from_translation(0.8 * Vec3A::Z)));
        let turn = |clip: &Clip, f: usize, joint: usize| {
            let [a, b] = [f, (f + 1) % frames].map(|f| clip.frame(f)[joint].rotation);
            quat::angle_between(a, b)
        };
        for when in [0.0, 0.03, 0.4, 0.75] {
            let mut pose = Pose::rest(&skeleton);
            clip.sample(when, &mut pose);
            let mut model = ModelPose::new(&skeleton);
            pose.to_model(&skeleton, &mut model);
            let place = (pose.root * model[JointId(3)]).translation + Vec3A::new(0.05, 0.1, 0.1);
            let goal = ReachGoal { joint: JointId(3), place };
            let reach = ReachInClip { at: when, blend: 0.6, hold: 0.0 };
            let reached = reach.run(&skeleton, &[], &clip, &[goal]);
            assert!(
                reached.held_within < 5e-3 && reached.clip.cycle() == clip.cycle(),
                "{when}: {}",
                reached.held_within
            );
            let after = reached.after.root.translation.distance(pose.root.translation);
            assert!(after < 1e-4, "{when}: the pose is {after} m off");
            let fastest =
                (0..frames).map(|f| turn(&reached.clip, f, 1).max(turn(&reached.clip, f, 2))).fold(0.0, f32::max);
            assert!(fastest < 0.3, "{when}: {fastest} rad in a frame");
            let held = ReachInClip { hold: 0.7, ..reach }.run(&skeleton, &[], &clip, &[goal]);
            assert!(held.hold < 0.3, "{}", held.hold);
        }
    }
}
