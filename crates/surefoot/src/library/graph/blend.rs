//! Blends: from one take into another without a sliding foot.
//!
//! Joints are mixed by slerp; the root by mixing how both sides *move* (differentially), in the character's own frame, and
//! by anchoring it to what stands: the point of the feet that moves least in the takes moves no more in the blend.

use super::contacts::{Contacts, core};
use crate::math::{FloorPose, Rigid, floor, quat, single, smoothstep, wrap_angle};
use crate::motion::{Clip, Take, Warp};
use crate::rig::{ModelPose, Pose, Rig};
use glam::{Quat, Vec2, Vec3A};

/// Two spans of takes to be blended: `length` frames each, ends included.
pub(super) struct Sides<'a> {
    pub(super) takes: [&'a Take; 2],
    pub(super) contacts: [&'a Contacts; 2],
    /// The first frame of each.
    pub(super) starts: [usize; 2],
    pub(super) length: usize,
}

/// Blended frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Blended {
    /// Where the character is in each, from where it is in the first.
    pub(super) roots: Vec<FloorPose>,
    /// `parent_from_joint`, frame after frame.
    pub(super) locals: Vec<Rigid>,
    /// The side that counts for more in each frame, and the nearest frame of its take.
    pub(super) sources: Vec<(usize, usize)>,
}

/// One side at one moment, and what the anchor asks of it.
struct BlendMoment {
    pose: Pose,
    model: ModelPose,
}

impl BlendMoment {
    fn new(rig: &Rig) -> Self {
        Self { pose: Pose::rest(&rig.skeleton), model: ModelPose::new(&rig.skeleton) }
    }

    fn set(&mut self, rig: &Rig, clip: &Clip, frame: f32) {
        clip.sample(frame / clip.rate(), &mut self.pose);
        self.pose.to_model(&rig.skeleton, &mut self.model);
    }

    fn root(&self) -> FloorPose {
        let position = floor::of_point(self.pose.root.translation);
        FloorPose { position, heading: quat::heading(self.pose.root.rotation).unwrap_or(0.0) }
    }

    fn foot(&self, rig: &Rig, leg: usize, roll: f32) -> SolePoint {
        let leg = &rig.legs[leg];
        let ankle = self.model[leg.ankle()];
        let (heel, ball) = (ankle.transform_point(leg.foot.heel), ankle.transform_point(leg.foot.ball));
        let along = ball - heel;
        SolePoint { at: floor::of_point(heel.lerp(ball, roll)), yaw: single::atan2(along.x, along.z) }
    }

    /// How far a foot has rolled from heel (0) to ball (1), by which of them is lower; `leg_length` is the rig's, metres.
    fn roll(&self, rig: &Rig, leg: usize, leg_length: f32) -> f32 {
        let leg = &rig.legs[leg];
        let ankle = self.model[leg.ankle()];
        let (heel, ball): (Vec3A, Vec3A) = (ankle.transform_point(leg.foot.heel), ankle.transform_point(leg.foot.ball));
        smoothstep((heel.y - ball.y) / (2.0 * ROLLS * leg_length) + 0.5)
    }
}

/// A point of a sole in the character's frame, and the way the foot points.
#[derive(Clone, Copy)]
struct SolePoint {
    at: Vec2,
    yaw: f32,
}

/// Difference of heel and ball heights over which a foot counts as rolling, in leg lengths: 1.5 cm for a person.
const ROLLS: f32 = 0.018;

/// The speed below which feet count as equally still, leg lengths a second: 5 cm/s for a person.
const STILL: f32 = 0.06;
/// The speed of a foot up to which its anchor holds fully, leg lengths a second: 0.5 m/s for a person.
const HOLDS: f32 = 0.6;
/// The speed from which on an anchor has let go, leg lengths a second: 1.5 m/s for a person.
const LETS_GO: f32 = 1.8;

impl Sides<'_> {
    /// Plays the blend.
    pub(super) fn run(&self, rig: &Rig, out: &mut Blended) {
        let last = (self.length - 1) as f32;
        let warps = self.warps(rig.legs.len());
        let weight = |at: f32| smoothstep(at / last);
        let frame = |side: usize, at: f32| self.starts[side] as f32 + warps[side].at(at);
        let [a, b] = self.takes.map(|take| &take.clip);
        let mut before = [BlendMoment::new(rig), BlendMoment::new(rig), BlendMoment::new(rig)];
        let mut after = [BlendMoment::new(rig), BlendMoment::new(rig), BlendMoment::new(rig)];
        let mut step =
            Step { rig, leg_length: rig.leg_length(), dt: 1.0 / a.rate(), feet: Vec::new(), shares: Vec::new() };
        out.roots.clear();
        out.locals.clear();
        out.sources.clear();
        let mut root = FloorPose::ORIGIN;
        for k in 0..self.length {
            let at = k as f32;
            after[0].set(rig, a, frame(0, at));
            after[1].set(rig, b, frame(1, at));
            let share = weight(at);
            let [first, second, mixed] = &mut after;
            mix(&first.pose, &second.pose, share, &mut mixed.pose);
            mixed.pose.to_model(&rig.skeleton, &mut mixed.model);
            if k > 0 {
                root = root.then(step.run(weight(at - 0.5), &before, &after));
            }
            out.roots.push(root);
            let side = usize::from(share >= 0.5);
            out.sources.push((side, frame(side, at).round() as usize));
            out.locals.extend_from_slice(&after[2].pose.locals);
            std::mem::swap(&mut before, &mut after);
        }
    }

    /// How the times of both sides run, so that strikes and lifts meet between theirs.
    fn warps(&self, legs: usize) -> [Warp; 2] {
        let last = (self.length - 1) as f32;
        let mut pairs = [Vec::new(), Vec::new()];
        for leg in 0..legs {
            let events = |side: usize| {
                let start = self.starts[side];
                let core = core(start, self.length);
                self.contacts[side]
                    .events(leg, core.start, core.end)
                    .iter()
                    .map(move |event| (event.frame - start) as f32)
            };
            for (a, b) in events(0).zip(events(1)) {
                let meet = a + smoothstep(0.5 * (a + b) / last) * (b - a);
                pairs[0].push((meet, a));
                pairs[1].push((meet, b));
            }
        }
        pairs.map(|pairs| Warp::new(last, pairs))
    }
}

/// The pose `share` of the way from one to another; roots are left alone.
fn mix(a: &Pose, b: &Pose, share: f32, out: &mut Pose) {
    for ((out, a), b) in out.locals.iter_mut().zip(&a.locals).zip(&b.locals) {
        let near = quat::nearest_sign(a.rotation, b.rotation);
        let rotation: Quat = a.rotation.slerp(near, share).normalize();
        *out = Rigid { rotation, translation: a.translation.lerp(b.translation, share) };
    }
}

/// One frame's change of the root.
struct Step<'a> {
    rig: &'a Rig,
    /// Metres.
    leg_length: f32,
    /// Seconds.
    dt: f32,
    /// Room to work, by leg.
    feet: Vec<Foot>,
    shares: Vec<f32>,
}

impl Step<'_> {
    /// `share` is the weight of the second side half way.
    fn run(&mut self, share: f32, before: &[BlendMoment; 3], after: &[BlendMoment; 3]) -> FloorPose {
        let Self { rig, leg_length, dt, ref mut feet, ref mut shares } = *self;
        let blend = |a: Vec2, b: Vec2| a.lerp(b, share);
        // Both sides' change in their own half-way frames.
        let change = |side: usize| {
            let (from, to) = (before[side].root(), after[side].root());
            let turn = wrap_angle(to.heading - from.heading);
            (turn, floor::turned(to.position - from.position, -(from.heading + 0.5 * turn)))
        };
        let ((turn_a, move_a), (turn_b, move_b)) = (change(0), change(1));
        let turn = turn_a + share * (turn_b - turn_a);
        let free = floor::turned(blend(move_a, move_b), 0.5 * turn);
        if rig.legs.is_empty() {
            return FloorPose { position: free, heading: turn };
        }
        // What each foot does in the takes, in the frame the character has before the step.
        feet.clear();
        feet.extend((0..rig.legs.len()).map(|leg| {
            let roll = before[2].roll(rig, leg, leg_length);
            let moved = |side: usize| {
                let (from, to) = (before[side].root(), after[side].root());
                let (old, new) = (before[side].foot(rig, leg, roll), after[side].foot(rig, leg, roll));
                let change = from.inverse().then(to);
                (change.transform_point(new.at) - old.at, wrap_angle(change.heading + new.yaw - old.yaw))
            };
            let ((a, yaw_a), (b, yaw_b)) = (moved(0), moved(1));
            let (old, new) = (before[2].foot(rig, leg, roll), after[2].foot(rig, leg, roll));
            let yaw = wrap_angle(new.yaw - old.yaw);
            Foot {
                moves: blend(a, b),
                twist: yaw_a + share * wrap_angle(yaw_b - yaw_a) - yaw,
                points: !rig.legs[leg].foot.is_point(),
                old: old.at,
                new: new.at,
            }
        }));
        stillest(feet, STILL * leg_length * dt, shares);
        let mean = |of: &dyn Fn(&Foot) -> Vec2| {
            feet.iter().zip(shares.iter()).fold(Vec2::ZERO, |sum, (foot, share)| sum + *share * of(foot))
        };
        let slip = mean(&|foot| foot.moves);
        let speed = slip.length() / (dt * leg_length);
        let hold = 1.0 - smoothstep((speed - HOLDS) / (LETS_GO - HOLDS));
        // The standing foot keeps its direction too, as far as it has one.
        let pointed: f32 =
            feet.iter().zip(shares.iter()).map(|(foot, share)| if foot.points { *share } else { 0.0 }).sum();
        let twist: f32 = feet
            .iter()
            .zip(shares.iter())
            .map(|(foot, share)| if foot.points { share * foot.twist } else { 0.0 })
            .sum();
        let turn = if pointed > 0.5 { turn + hold * (twist / pointed - turn) } else { turn };
        let anchored = mean(&|foot| foot.old) + slip - floor::turned(mean(&|foot| foot.new), turn);
        FloorPose { position: free.lerp(anchored, hold), heading: turn }
    }
}

/// What one foot does in a step, in the frame the character has before it.
struct Foot {
    /// How far it moves in the takes, metres.
    moves: Vec2,
    /// The turn of the character that lets it turn as in the takes, radians.
    twist: f32,
    /// Whether it has a direction.
    points: bool,
    /// Where it is in the blended pose before and after, in the character's frame.
    old: Vec2,
    new: Vec2,
}

/// Shares of the feet whose mean moves least; equal ones where all move alike. `still` is what counts as no movement, metres.
fn stillest(feet: &[Foot], still: f32, shares: &mut Vec<f32>) {
    // min |Σ a d|² + still²/2 Σ a² with a >= 0, Σ a = 1, by exact steps between two feet at a time.
    shares.clear();
    shares.resize(feet.len(), 1.0 / feet.len() as f32);
    for _ in 0..if feet.len() > 2 { 12 } else { 1 } {
        for i in 0..feet.len() {
            for j in i + 1..feet.len() {
                let others = feet.iter().zip(shares.iter()).enumerate().filter(|(k, _)| *k != i && *k != j);
                let rest = others.fold(Vec2::ZERO, |sum, (_, (foot, share))| sum + *share * foot.moves);
                let both = shares[i] + shares[j];
                let (di, dj) = (feet[i].moves, feet[j].moves);
                let apart = dj - di;
                let best = (both * 0.5 * still * still - (rest + both * di).dot(apart))
                    / (apart.length_squared() + still * still).max(1e-20);
                shares[j] = best.clamp(0.0, both);
                shares[i] = both - shares[j];
            }
        }
    }
}
