//! Blends: from one take into another without a sliding foot.
//!
//! Joints are mixed by slerp; the root by mixing how both sides *move* (differentially), in the character's own frame, and
//! by anchoring it to what stands: the point of the feet that moves least in the takes moves no more in the blend.

use super::contacts::{Contacts, core};
use crate::foot::{LegAt, STILL, hold_at, roll_of, stillest};
use crate::math::{FloorPose, Rigid, floor, quat, single, smoothstep, wrap_angle};
use crate::motion::{Clip, Take, Warp};
use crate::rig::{JointId, Leg, Rig};
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
    /// `parent_from_joint`, frame after frame; of every joint, or of none where only the way is asked for.
    pub(super) locals: Vec<Rigid>,
    /// The side that counts for more in each frame, and the nearest frame of its take.
    pub(super) sources: Vec<(usize, usize)>,
    /// Where legs are, frame after frame and leg by leg, in the character's frame; none where nobody asks.
    pub(super) legs: Vec<LegAt>,
}

/// The joints of a body that a blend mixes, and those of them that its feet hang from.
pub(super) struct BlendJoints {
    /// Joints that are mixed, parents first.
    mixed: Vec<usize>,
    /// Joints that feet hang from, parents first.
    carriers: Vec<Carrier>,
    /// Where each leg's ankle is among those that feet hang from.
    ankles: Vec<usize>,
    /// And its hip; the ankle again for a foot that does not hang from its leg.
    hips: Vec<usize>,
    /// Whether all joints are mixed.
    whole: bool,
    /// Whether it is asked where legs are.
    tells_legs: bool,
}

/// A joint that a foot hangs from.
struct Carrier {
    /// Its place among the joints that are mixed.
    mixed: usize,
    /// Its parent's place among those that feet hang from.
    parent: Option<usize>,
}

impl BlendJoints {
    /// All joints, for poses.
    pub(super) fn all(rig: &Rig) -> Self {
        Self::of(rig, (0..rig.skeleton.len()).collect(), true)
    }

    /// Only those that feet hang from: where a blend goes depends on no others.
    pub(super) fn of_feet(rig: &Rig) -> Self {
        Self::of(rig, carriers(rig), false)
    }

    /// The same, to be told where legs are.
    pub(super) fn of_legs(rig: &Rig) -> Self {
        Self { tells_legs: true, ..Self::of_feet(rig) }
    }

    fn of(rig: &Rig, mixed: Vec<usize>, whole: bool) -> Self {
        let carry = carriers(rig);
        // Both lists are in order, so that places can be searched for.
        let place = |joint: usize| carry.binary_search(&joint).ok();
        let carrier = |joint: &usize| {
            let parent = rig.skeleton.parents()[*joint].and_then(|parent| place(parent.index()));
            Some(Carrier { mixed: mixed.binary_search(joint).ok()?, parent })
        };
        let carriers = carry.iter().filter_map(carrier).collect();
        let ankles = rig.legs.iter().filter_map(|leg| place(leg.ankle().index())).collect();
        let hip = |leg: &Leg| place(leg.hip().index()).or_else(|| place(leg.ankle().index()));
        let hips = rig.legs.iter().filter_map(hip).collect();
        Self { carriers, ankles, hips, whole, tells_legs: false, mixed }
    }
}

/// Joints that feet hang from, in order: parents first.
fn carriers(rig: &Rig) -> Vec<usize> {
    let joints = rig.skeleton.chains_to(rig.legs.iter().map(Leg::ankle));
    joints.into_iter().map(JointId::index).collect()
}

/// One side of a blend at one moment.
#[derive(Clone, Debug, Default)]
pub(super) struct SideMoment {
    root: FloorPose,
    /// `parent_from_joint` of the joints that are mixed.
    locals: Vec<Rigid>,
    /// By leg.
    soles: Vec<SoleAt>,
    /// From the frame before.
    change: Change,
}

impl SideMoment {
    /// Takes over another that comes after `before`.
    fn copy(&mut self, other: &Self, before: Option<FloorPose>) {
        self.root = other.root;
        self.locals.clone_from(&other.locals);
        self.soles.clone_from(&other.soles);
        self.change = Change::new(before.unwrap_or(self.root), self.root);
    }
}

/// How a side moves from one frame to the next.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// Radians, in [-π, π].
    turn: f32,
    /// In the frame half way, metres.
    moved: Vec2,
    /// In the frame before: `before_from_now`.
    place: FloorPose,
}

impl Change {
    fn new(from: FloorPose, to: FloorPose) -> Self {
        let turn = wrap_angle(to.heading - from.heading);
        let moved = floor::turned(to.position - from.position, -(from.heading + 0.5 * turn));
        Self { turn, moved, place: from.inverse().then(to) }
    }
}

/// A sole in the character's frame.
#[derive(Clone, Copy, Debug)]
struct SoleAt {
    heel: Vec3A,
    ball: Vec3A,
    /// The heading from heel to ball, radians.
    yaw: f32,
}

impl SoleAt {
    /// The point that is `roll` of the way from heel to ball, on the floor.
    fn at(&self, roll: f32) -> Vec2 {
        floor::of_point(self.heel.lerp(self.ball, roll))
    }

    /// How far the foot has rolled from heel (0) to ball (1), by which of them is lower; `leg_length` is the rig's, metres.
    fn roll(&self, leg_length: f32) -> f32 {
        roll_of(self.heel.y, self.ball.y, leg_length)
    }
}

/// Finds where the soles of a pose are.
struct FindSoles<'a> {
    rig: &'a Rig,
    joints: &'a BlendJoints,
    /// `model_from_joint` of the joints that feet hang from: room to work.
    model: Vec<Rigid>,
}

impl<'a> FindSoles<'a> {
    fn new(rig: &'a Rig, joints: &'a BlendJoints) -> Self {
        Self { rig, joints, model: vec![Rigid::IDENTITY; joints.carriers.len()] }
    }

    fn run(&mut self, locals: &[Rigid], soles: &mut Vec<SoleAt>) {
        for (k, carrier) in self.joints.carriers.iter().enumerate() {
            let local = locals[carrier.mixed];
            self.model[k] = carrier.parent.map_or(local, |parent| self.model[parent] * local);
        }
        soles.clear();
        for (leg, ankle) in self.rig.legs.iter().zip(&self.joints.ankles) {
            let ankle = self.model[*ankle];
            let (heel, ball) = (ankle.transform_point(leg.foot.heel), ankle.transform_point(leg.foot.ball));
            let along = ball - heel;
            soles.push(SoleAt { heel, ball, yaw: single::atan2(along.x, along.z) });
        }
    }

    /// Where the legs are of the pose that was looked at last, with these soles.
    fn legs(&self, soles: &[SoleAt], legs: &mut Vec<LegAt>) {
        let ends = self.joints.hips.iter().zip(&self.joints.ankles);
        legs.extend(ends.zip(soles).map(|((hip, ankle), sole)| LegAt {
            hip: self.model[*hip].translation,
            ankle: self.model[*ankle].translation,
            heel: sole.heel,
            ball: sole.ball,
        }));
    }

    /// Puts a frame of a clip into a moment; `before` is where the side was in the frame before.
    fn set(&mut self, clip: &Clip, frame: f32, before: Option<FloorPose>, moment: &mut SideMoment) {
        let root = clip.sample_some(frame / clip.rate(), &self.joints.mixed, &mut moment.locals);
        let position = floor::of_point(root.translation);
        moment.root = FloorPose { position, heading: quat::heading(root.rotation).unwrap_or(0.0) };
        moment.change = Change::new(before.unwrap_or(moment.root), moment.root);
        self.run(&moment.locals, &mut moment.soles);
    }
}

/// What blends look at in every frame of a take, for many blends of the same takes.
pub(super) fn moments(rig: &Rig, joints: &BlendJoints, clip: &Clip) -> Vec<SideMoment> {
    let mut find = FindSoles::new(rig, joints);
    let mut before = None;
    let mut moment = |frame: usize| {
        let mut moment = SideMoment::default();
        find.set(clip, frame as f32, before, &mut moment);
        before = Some(moment.root);
        moment
    };
    (0..clip.frames()).map(&mut moment).collect()
}

/// Plays blends of one body, one after another; what that needs is made once.
pub(super) struct Blender<'a> {
    rig: &'a Rig,
    joints: &'a BlendJoints,
    /// Metres.
    leg_length: f32,
    find: FindSoles<'a>,
    /// Of each side that is not known, the moments before and now.
    moments: [[SideMoment; 2]; 2],
    /// Both sides mixed: joints, and soles a frame before and now.
    locals: Vec<Rigid>,
    before: Vec<SoleAt>,
    now: Vec<SoleAt>,
    /// Room to work, by leg.
    feet: Vec<Foot>,
    shares: Vec<f32>,
}

impl<'a> Blender<'a> {
    pub(super) fn new(rig: &'a Rig, joints: &'a BlendJoints) -> Self {
        let (leg_length, find) = (rig.leg_length(), FindSoles::new(rig, joints));
        let (moments, locals) = (Default::default(), Vec::new());
        let (before, now, feet, shares) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { rig, joints, leg_length, find, moments, locals, before, now, feet, shares }
    }

    /// Plays one. `known` is what is [known](moments) of the frames of both takes: all of it, or nothing.
    pub(super) fn run(&mut self, sides: &Sides<'_>, known: [&[SideMoment]; 2], out: &mut Blended) {
        let Self { rig, joints, leg_length, find, moments, locals, before, now, feet, shares } = self;
        let last = (sides.length - 1) as f32;
        let warps = sides.warps(rig.legs.len());
        let weight = |at: f32| smoothstep(at / last);
        let frame = |side: usize, k: usize| sides.starts[side] as f32 + warps[side].at(k as f32);
        let clips = sides.takes.map(|take| &take.clip);
        // As time runs in the blend, or as the takes are.
        let is_taken = |side: usize| !known[side].is_empty() && warps[side].is_level();
        let mut step = Step { rig, leg_length: *leg_length, dt: 1.0 / clips[0].rate(), feet, shares };
        out.roots.clear();
        out.locals.clear();
        out.sources.clear();
        out.legs.clear();
        let mut root = FloorPose::ORIGIN;
        for k in 0..sides.length {
            let at = k as f32;
            let share = weight(at);
            for side in (0..2).filter(|side| !is_taken(*side)) {
                let [last, moment] = &mut moments[side];
                std::mem::swap(last, moment);
                let (frame, before) = (frame(side, k), (k > 0).then_some(last.root));
                match known[side].get(frame as usize).filter(|_| frame.fract() == 0.0) {
                    Some(known) => moment.copy(known, before),
                    None => find.set(clips[side], frame, before, moment),
                }
            }
            // Before and now, or now alone.
            let [first, second] = [0, 1].map(|side| {
                let (now, from) = (sides.starts[side] + k, usize::from(k == 0));
                if is_taken(side) { &known[side][now + from - 1..=now] } else { &moments[side][from..] }
            });
            mix(&first[first.len() - 1].locals, &second[second.len() - 1].locals, share, locals);
            find.run(locals, now);
            if joints.tells_legs {
                find.legs(now, &mut out.legs);
            }
            if k > 0 {
                root = root.then(step.run(weight(at - 0.5), [first, second], before, now));
            }
            out.roots.push(root);
            if joints.whole {
                let side = usize::from(share >= 0.5);
                out.sources.push((side, frame(side, k).round() as usize));
                out.locals.extend_from_slice(locals);
            }
            std::mem::swap(before, now);
        }
    }
}

impl Sides<'_> {
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

/// Joints `share` of the way from one side to the other.
fn mix(a: &[Rigid], b: &[Rigid], share: f32, out: &mut Vec<Rigid>) {
    out.clear();
    // A slerp takes the near way itself.
    out.extend(a.iter().zip(b).map(|(a, b)| {
        let rotation: Quat = a.rotation.slerp(b.rotation, share).normalize();
        Rigid { rotation, translation: a.translation.lerp(b.translation, share) }
    }));
}

/// One frame's change of the root.
struct Step<'a> {
    rig: &'a Rig,
    /// Metres.
    leg_length: f32,
    /// Seconds.
    dt: f32,
    /// Room to work, by leg.
    feet: &'a mut Vec<Foot>,
    shares: &'a mut Vec<f32>,
}

impl Step<'_> {
    /// `share` is the weight of the second side half way; `sides` are their moments before and now, `before` and `now` the mixed
    /// soles.
    fn run(&mut self, share: f32, sides: [&[SideMoment]; 2], before: &[SoleAt], now: &[SoleAt]) -> FloorPose {
        let Self { rig, leg_length, dt, ref mut feet, ref mut shares } = *self;
        let blend = |a: Vec2, b: Vec2| a.lerp(b, share);
        // Both sides' change in their own half-way frames.
        let [a, b] = sides.map(|side| &side[1].change);
        let turn = a.turn + share * (b.turn - a.turn);
        let free = || floor::turned(blend(a.moved, b.moved), 0.5 * turn);
        if rig.legs.is_empty() {
            return FloorPose { position: free(), heading: turn };
        }
        // What each foot does in the takes, in the frame the character has before the step.
        let turns = [a, b].map(|change| single::sin_cos(change.place.heading));
        feet.clear();
        for (leg, (old, new)) in before.iter().zip(now).enumerate() {
            let roll = old.roll(leg_length);
            let moved = |side: usize| {
                let (from, to) = (&sides[side][0].soles[leg], &sides[side][1]);
                let at = to.change.place.position + floor::turned_by(to.soles[leg].at(roll), turns[side]);
                at - from.at(roll)
            };
            feet.push(Foot { moves: blend(moved(0), moved(1)), old: old.at(roll), new: new.at(roll) });
        }
        stillest(feet, |foot| foot.moves, STILL * leg_length * dt, shares);
        let slip = feet.iter().zip(&**shares).fold(Vec2::ZERO, |sum, (foot, share)| sum + *share * foot.moves);
        let speed = slip.length() / (dt * leg_length);
        let hold = hold_at(speed);
        let (mut old, mut new, mut pointed, mut twist) = (Vec2::ZERO, Vec2::ZERO, 0.0, 0.0);
        for (leg, (foot, part)) in feet.iter().zip(&**shares).enumerate().filter(|(_, (_, part))| **part > 0.0) {
            old += *part * foot.old;
            new += *part * foot.new;
            if rig.legs[leg].foot.is_point() {
                continue;
            }
            // The turn of the character that lets the foot turn as in the takes.
            let turned = |side: usize| {
                let (from, to) = (&sides[side][0].soles[leg], &sides[side][1]);
                wrap_angle(to.change.place.heading + to.soles[leg].yaw - from.yaw)
            };
            let (yaw_a, yaw_b) = (turned(0), turned(1));
            let yaw = wrap_angle(now[leg].yaw - before[leg].yaw);
            pointed += part;
            twist += part * (yaw_a + share * wrap_angle(yaw_b - yaw_a) - yaw);
        }
        // The standing foot keeps its direction too, as far as it has one.
        let turn_held = if pointed > 0.5 { turn + hold * (twist / pointed - turn) } else { turn };
        let anchored = old + slip - floor::turned(new, turn_held);
        let position = if hold < 1.0 { free().lerp(anchored, hold) } else { anchored };
        FloorPose { position, heading: turn_held }
    }
}

/// What one foot does in a step, in the frame the character has before it.
struct Foot {
    /// How far it moves in the takes, metres.
    moves: Vec2,
    /// Where it is in the blended pose before and after, in the character's frame.
    old: Vec2,
    new: Vec2,
}
