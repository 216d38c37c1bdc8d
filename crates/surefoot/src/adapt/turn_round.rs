//! Turning on the spot before a walk or after it: made from how the character stands there, so that it goes over without a seam.

use crate::analyse::BodyParts;
use crate::ik::{BendLeg, LegChain};
use crate::math::{FloorPose, Rigid, floor, quat, single, smoothstep};
use crate::motion::{Clip, SourceSpan, Span, Stance, StanceFrames, Take, stance};
use crate::plan::walk::{TurnOnSpot, WayRound};
use crate::rig::{JointId, ModelPose, Pose, Rig, Side};
use glam::{Quat, Vec2, Vec3A};
use std::f32::consts::PI;
use std::ops::Range;

/// A turn to make.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Turn {
    /// Radians, left positive.
    pub(crate) by: f32,
    /// What the character moves by as well, (x, z), metres.
    pub(crate) shift: Vec2,
    /// The way on which it does so, if that leads round a corner: it faces along it, and turns by what that does.
    pub(crate) round: Option<WayRound>,
    /// How much of its usual way the body goes over the feet that carry it, 0 to 1.
    pub(crate) sway: f32,
}

impl Turn {
    /// The turn (radians) that takes as many steps, for a character that faces a way.
    fn effort(&self, settings: &TurnOnSpot, facing: Vec2) -> f32 {
        let round = self.round.map(|way| settings.effort_ahead(way.length()));
        round.unwrap_or_else(|| settings.effort(self.by, self.shift, facing))
    }

    /// The share of its angle that is made after a share of its way.
    fn turned(&self, share: f32) -> f32 {
        self.round.filter(|_| self.by != 0.0).map_or(share, |way| way.turned(share) / self.by)
    }
}

/// Which end of a walk a turn is put to.
#[derive(Clone, Copy, PartialEq)]
enum End {
    First,
    Last,
}

/// How far ahead of the pelvis the head turns, seconds; joints between them less.
const AHEAD: f32 = 0.25;
/// Share of the way to over the feet that carry the body that its pelvis goes, 0 to 1.
const OVER: f32 = 0.4;
/// How far the pelvis goes over to them at most, metres of a person.
pub(crate) const SWAYS: f32 = 0.025;
/// Time before a foot leaves, and after it lands, over which the weight goes over, seconds.
const WEIGHT: f32 = 0.16;
/// How far an arm swings ahead while the foot on the other side steps, and back while that on its own does, radians.
const SWING: f32 = 0.14;
/// Share of that by which the elbow bends ahead.
const ELBOW: f32 = 0.6;
/// How far the heel is up before the rest of a foot leaves, radians.
const HEEL_UP: f32 = 0.3;

impl TurnOnSpot {
    /// Puts a turn before a walk that begins standing: it ends as the walk begins. Gives the frames that it takes.
    ///
    /// # Panics
    /// If the take has no frame or was made for another skeleton.
    pub(crate) fn before(&self, rig: &Rig, take: &mut Take, turn: Turn) -> usize {
        self.put(rig, take, turn, End::First)
    }

    /// Puts a turn after a walk that ends standing. Gives the frames that it takes.
    ///
    /// # Panics
    /// As [`before`](Self::before).
    pub(crate) fn after(&self, rig: &Rig, take: &mut Take, turn: Turn) -> usize {
        self.put(rig, take, turn, End::Last)
    }

    fn put(&self, rig: &Rig, take: &mut Take, turn: Turn, end: End) -> usize {
        let clip = &take.clip;
        let (rate, walked) = (clip.rate(), clip.frames());
        let at = if end == End::First { 0 } else { walked - 1 };
        let frames = self.frames(turn.effort(self, facing(clip.roots()[at])), rate);
        if frames == 0 {
            return 0;
        }
        let turning = Turning::new(self, rig, take, at, turn, end);
        let pose = turning.poses(frames, rate);
        let mut locals: Vec<Rigid> = Vec::with_capacity((frames + walked) * rig.skeleton.len());
        let mut roots: Vec<Rigid> = Vec::with_capacity(frames + walked);
        let walk = |locals: &mut Vec<Rigid>, roots: &mut Vec<Rigid>| {
            (0..walked).for_each(|frame| locals.extend_from_slice(clip.frame(frame)));
            roots.extend_from_slice(clip.roots());
        };
        if end == End::Last {
            walk(&mut locals, &mut roots);
        }
        for pose in &pose {
            locals.extend_from_slice(&pose.locals);
            roots.push(pose.root);
        }
        if end == End::First {
            walk(&mut locals, &mut roots);
        }
        let mut whole = Clip::new(&rig.skeleton, clip.name(), rate, locals).expect("turned frames are rigid");
        whole.roots_mut().copy_from_slice(&roots);
        let later = if end == End::First { frames } else { 0 };
        let stances = turning.stances(take, frames, later);
        let later = later as f32 / rate;
        let sources = take.sources.iter().map(|source| SourceSpan { time: source.time.later(later), ..*source });
        *take = Take { clip: whole, stances, ground: take.ground, sources: sources.collect() };
        frames
    }
}

/// The way that a root faces, over the floor.
fn facing(root: Rigid) -> Vec2 {
    floor::of_point(root.rotation * Vec3A::Z).normalize_or_zero()
}

/// A turn that is made from how a character stands in a frame of a take.
struct Turning<'a> {
    settings: &'a TurnOnSpot,
    rig: &'a Rig,
    turn: Turn,
    /// The turn that takes as many steps as this one with its shift, radians.
    effort: f32,
    /// Whether feet pass each other, as in walking.
    ahead: bool,
    end: End,
    /// How it stands.
    stand: Pose,
    /// Where it stands: the middle of the turn.
    place: Vec2,
    /// By leg: its ankle as it stands, its sole and the sole's left, world; and its group, if it stands.
    legs: Vec<TurningLeg>,
    /// From the pelvis' child to the head.
    spine: Vec<JointId>,
    /// Nothing but for two legs.
    arms: Vec<TurningArm>,
}

struct TurningArm {
    upper: JointId,
    fore: JointId,
    /// The groups of the foot on its own side and of the one on the other.
    groups: [usize; 2],
}

struct TurningLeg {
    ankle: Rigid,
    ball: Vec3A,
    /// What the foot peels off over: its ball, if toes bend there, else its front.
    edge: Vec3A,
    /// Toes that bend.
    toe: Option<JointId>,
    left: Vec3A,
    /// 0 for those that step first, 1 for the others; `None` for a leg that does not stand, which goes with the body.
    group: Option<usize>,
}

impl<'a> Turning<'a> {
    fn new(settings: &'a TurnOnSpot, rig: &'a Rig, take: &Take, at: usize, turn: Turn, end: End) -> Self {
        let (clip, skeleton) = (&take.clip, &rig.skeleton);
        let mut stand = Pose::rest(skeleton);
        stand.locals.copy_from_slice(clip.frame(at));
        stand.root = clip.roots()[at];
        let mut model = ModelPose::new(skeleton);
        stand.to_model(skeleton, &mut model);
        let place = floor::of_point(stand.root.translation);
        let stands = |leg| stance::of_leg(&take.stances, leg).any(|stance| stance.frames(clip).whole.contains(&at));
        let facing = facing(stand.root);
        let effort = turn.effort(settings, facing);
        let ahead = turn.round.is_some() || settings.goes_ahead(turn.by, turn.shift, facing);
        let groups = groups(rig, &model, turn.by, settings.rounds(effort));
        let legs = rig.legs().map(|(id, leg)| {
            let ankle = stand.root * model[leg.ankle()];
            let sole = ankle * leg.foot.ankle_from_sole();
            let ball = ankle.transform_point(leg.foot.ball);
            let toe = leg.toe.filter(|toe| *toe != leg.ankle() && leg.foot.tip.is_some());
            let front = leg.foot.tip.filter(|_| toe.is_none()).map(|tip| ankle.transform_point(tip));
            TurningLeg {
                ankle,
                ball,
                edge: front.map_or(ball, |front| front.with_y(ball.y)),
                toe,
                left: sole.rotation * Vec3A::X,
                group: stands(id).then_some(groups[id.index()]),
            }
        });
        let legs: Vec<TurningLeg> = legs.collect();
        let (spine, arms) = (spine(rig, &model), arms(rig, &legs, &model));
        Self { settings, rig, turn, effort, ahead, end, stand, place, legs, spine, arms }
    }

    /// The change from how it stands to how it is turned after a share of the turn.
    fn turned(&self, share: f32) -> Rigid {
        if let Some(way) = &self.turn.round {
            let stands = if self.end == End::First { 1.0 } else { 0.0 };
            let pose = |share: f32| FloorPose::new(way.at(share).0, way.turned(share)).to_rigid();
            return pose(share) * pose(stands).inverse();
        }
        let share = if self.end == End::First { share - 1.0 } else { share };
        let about = FloorPose::new(self.place + share * self.turn.shift, share * self.turn.by).to_rigid();
        about * FloorPose::new(self.place, 0.0).to_rigid().inverse()
    }

    /// How much of the turn a foot has made at a time, and the flight that it is in, as a share of it.
    fn foot(&self, group: usize, time: f32) -> (f32, Option<f32>) {
        let rounds = self.settings.rounds(self.effort);
        let mut made = 0.0;
        for round in 0..rounds {
            let [leaves, lands] = self.settings.flies(2 * round + group);
            let x = (time - leaves) / (lands - leaves);
            if x <= 0.0 {
                break;
            }
            // It comes off the ground before it goes round, and is there before it is down.
            let [from, to] = [round, round + 1].map(|steps| self.after(group, steps));
            made = from + (to - from) * smoothstep((x - 0.12) / 0.76);
            if x < 1.0 {
                return (made, Some(x));
            }
        }
        (made, None)
    }

    /// How much of the turn a foot has made after so many steps.
    fn after(&self, group: usize, steps: usize) -> f32 {
        let rounds = self.settings.rounds(self.effort);
        if self.ahead {
            // One foot past the other; the last one is put beside it.
            return ((2 * steps + group).saturating_sub(1).min(2 * rounds - 1) as f32 / (2 * rounds - 1) as f32)
                * f32::from(u8::from(steps > 0));
        }
        steps as f32 / rounds as f32
    }

    /// How large its steps are, 0 to 1.
    fn large(&self) -> f32 {
        let all = self.settings.most * self.settings.rounds(self.effort) as f32;
        (self.effort.abs() / all.max(1e-3)).min(1.0)
    }

    /// How much a foot carries at a time, 0 to 1.
    fn carries(&self, group: usize, time: f32) -> f32 {
        let rounds = self.settings.rounds(self.effort);
        let flown = |round: usize| {
            let [leaves, lands] = self.settings.flies(2 * round + group);
            let rise = |from: f32, to: f32| smoothstep((time - from) / (to - from));
            rise(leaves - WEIGHT, leaves + WEIGHT) * (1.0 - rise(lands - WEIGHT, lands + WEIGHT))
        };
        1.0 - (0..rounds).map(flown).fold(0.0, f32::max)
    }

    /// The poses of the turn: `frames` of them, without the one that is the walk's own.
    fn poses(&self, frames: usize, rate: f32) -> Vec<Pose> {
        let first = usize::from(self.end == End::Last);
        let skeleton = &self.rig.skeleton;
        let limbs: Vec<LegChain> = self.rig.legs.iter().map(LegChain::of_rig).collect();
        let mut model = ModelPose::new(skeleton);
        self.stand.to_model(skeleton, &mut model);
        let upright = model.clone();
        let seconds = self.settings.seconds(self.effort);
        let of_clip = seconds / (frames as f32 / rate);
        let pose = |k: usize| {
            let time = (k as f32 / rate) * of_clip;
            let share = self.settings.share(self.effort, time);
            let mut pose = self.stand.clone();
            pose.root = self.turned(share) * self.stand.root;
            // Over the feet that carry.
            let over = OVER * (self.support(time) - self.middle(share));
            // Less and less beyond that: a sway that ends at once is a jerk.
            let most = self.rig.scale().length(SWAYS);
            let over = self.turn.sway * most / (most * most + over.length_squared()).sqrt() * over;
            let over = pose.root.inverse().transform_vector(floor::at_height(over, 0.0).into());
            for hips in self.rig.carriers() {
                let above = skeleton.parent(hips).map_or(Rigid::IDENTITY, |parent| upright[parent]);
                pose.locals[hips.index()].translation += above.inverse().transform_vector(over);
            }
            // The head looks there first, the back follows it.
            let count = self.spine.len().max(1) as f32;
            for (i, joint) in self.spine.iter().enumerate() {
                let made = |part: f32| self.turn.turned(self.settings.share(self.effort, time + part * AHEAD));
                let ahead = |part: f32| made(part) - self.turn.turned(share);
                let more = ahead((i + 1) as f32 / count) - ahead(i as f32 / count);
                let above = skeleton.parent(*joint).map_or(Quat::IDENTITY, |parent| upright[parent].rotation);
                let turn = above.inverse() * quat::from_heading(more * self.turn.by) * above;
                let local = &mut pose.locals[joint.index()];
                local.rotation = (turn * local.rotation).normalize();
            }
            for arm in &self.arms {
                let swing =
                    SWING * self.large() * (self.carries(arm.groups[0], time) - self.carries(arm.groups[1], time));
                for (joint, by) in [(arm.upper, swing), (arm.fore, ELBOW * swing.max(0.0))] {
                    let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| upright[parent].rotation);
                    let turn = above.inverse() * Quat::from_rotation_x(-by) * above;
                    let local = &mut pose.locals[joint.index()];
                    local.rotation = (turn * local.rotation).normalize();
                }
            }
            pose
        };
        let mut poses: Vec<Pose> = (first..first + frames).map(pose).collect();
        for (k, pose) in poses.iter_mut().enumerate() {
            let time = ((k + first) as f32 / rate) * of_clip;
            pose.to_model(skeleton, &mut model);
            for (limb, leg) in limbs.iter().zip(&self.legs) {
                let (ankle, peeled) = self.ankle(leg, time);
                let ankle = pose.root.inverse() * ankle;
                let _ = BendLeg::default().run(skeleton, limb, pose, &mut model, ankle);
                // Toes stay as level as they were.
                if let (Some(toe), true) = (leg.toe, peeled != Quat::IDENTITY) {
                    let above = skeleton.ancestry(toe).skip(1).map(|joint| pose.locals[joint.index()].rotation);
                    let above = pose.root.rotation * above.fold(Quat::IDENTITY, |below, own| own * below);
                    let local = &mut pose.locals[toe.index()];
                    local.rotation = (above.inverse() * peeled.inverse() * above * local.rotation).normalize();
                }
            }
        }
        poses
    }

    /// Where an ankle is at a time, and how its foot is peeled off, world.
    fn ankle(&self, leg: &TurningLeg, time: f32) -> (Rigid, Quat) {
        let Some(group) = leg.group else {
            return (self.turned(self.settings.share(self.effort, time)) * leg.ankle, Quat::IDENTITY);
        };
        let (made, flight) = self.foot(group, time);
        let turned = self.turned(made);
        let Some(x) = flight else { return (turned * leg.ankle, Quat::IDENTITY) };
        // It peels off from the heel, and is up half way.
        let lift = self.rig.scale().length(self.settings.lift);
        let up = Vec3A::Y * (lift * single::sin(PI * x).powi(2));
        let heel_up = HEEL_UP * smoothstep(x / 0.3) * smoothstep((0.75 - x) / 0.45);
        let pitch = Quat::from_axis_angle(leg.left.into(), heel_up);
        let peeled = Rigid { rotation: pitch, translation: leg.edge - pitch * leg.edge };
        let flown = turned * peeled * leg.ankle;
        let ankle = Rigid { translation: flown.translation + up, ..flown };
        (ankle, turned.rotation * pitch * turned.rotation.inverse())
    }

    /// The middle of the soles as the body would have them after a share of the turn.
    fn middle(&self, share: f32) -> Vec2 {
        let places = self.legs.iter().map(|leg| floor::of_point(leg.ball));
        let middle = places.fold(Vec2::ZERO, |sum, place| sum + place) / self.legs.len().max(1) as f32;
        floor::of_point(self.turned(share).transform_point(floor::at_height(middle, 0.0).into()))
    }

    /// The middle of the soles that carry, by how much they do.
    fn support(&self, time: f32) -> Vec2 {
        let share = self.settings.share(self.effort, time);
        let (mut sum, mut weight) = (Vec2::ZERO, 0.0);
        for leg in &self.legs {
            let (made, carries) =
                leg.group.map_or((share, 1.0), |group| (self.foot(group, time).0, self.carries(group, time)));
            sum += carries * floor::of_point(self.turned(made).transform_point(leg.ball));
            weight += carries;
        }
        if weight > 0.0 { sum / weight } else { self.middle(share) }
    }

    /// The stances of the walk, `later` frames later, and those of the turn, which takes `frames`.
    fn stances(&self, take: &Take, frames: usize, later: usize) -> Vec<Stance> {
        let (clip, rate) = (&take.clip, take.clip.rate());
        let (walked, rounds) = (clip.frames(), self.settings.rounds(self.effort));
        let at = if self.end == End::First { 0 } else { walked - 1 };
        let total = frames + walked;
        let begins = if self.end == End::First { 0 } else { walked - 1 };
        let of_turn = frames as f32 / self.settings.seconds(self.effort);
        // Frames in which a foot is on its print, the one in which it leaves and the one in which it lands included.
        let flight = |[leaves, lands]: [f32; 2]| {
            [begins + (leaves * of_turn).floor() as usize + 1, begins + (lands * of_turn).ceil() as usize]
        };
        let mut all = Vec::with_capacity(take.stances.len() + 2 * self.legs.len() * (rounds + 1));
        for ((id, _), leg) in self.rig.legs().zip(&self.legs) {
            for own in stance::of_leg(&take.stances, id) {
                let old = own.frames(clip);
                let moved = |range: &Range<usize>| range.start + later..range.end + later;
                let now = StanceFrames { whole: moved(&old.whole), heel: moved(&old.heel), ball: moved(&old.ball) };
                let Some(group) = leg.group.filter(|_| old.whole.contains(&at)) else {
                    all.push(put(own, &now, Rigid::IDENTITY, rate, total));
                    continue;
                };
                // From each of its flights to the next.
                let flights = || (0..rounds).map(|round| flight(self.settings.flies(2 * round + group)));
                let starts = std::iter::once(None).chain(flights().map(|flight| Some(flight[1])));
                let ends = flights().map(|flight| Some(flight[0])).chain([None]);
                for (k, (start, end)) in starts.zip(ends).enumerate() {
                    let part = |old: &Range<usize>| {
                        let open = if self.end == End::First { begins } else { old.start };
                        let close = if self.end == End::First { old.end } else { total };
                        start.unwrap_or(open)..end.unwrap_or(close).max(start.unwrap_or(open))
                    };
                    // What rolls off within the walk does so still; within the turn all of it stands.
                    let inner = |old: &Range<usize>, whole: &Range<usize>| {
                        let walk = if self.end == End::First { end.is_none() } else { start.is_none() };
                        match walk {
                            true if old.is_empty() => whole.start..whole.start,
                            true => part(old),
                            false => whole.clone(),
                        }
                    };
                    let whole = part(&now.whole);
                    let (mut heel, mut ball) = (inner(&now.heel, &whole), inner(&now.ball, &whole));
                    if heel.is_empty() && ball.is_empty() {
                        (heel, ball) = (whole.clone(), whole.clone());
                    }
                    let by = self.turned(self.after(group, k));
                    all.push(put(own, &StanceFrames { whole, heel, ball }, by, rate, total));
                }
            }
        }
        all
    }
}

/// A stance moved to other frames and another place, in a clip of so many frames.
fn put(stance: &Stance, frames: &StanceFrames, by: Rigid, rate: f32, total: usize) -> Stance {
    let mut moved = *stance;
    moved.transform(by);
    moved.set_frames(frames, rate);
    moved.open = frames.whole.start == 0 || frames.whole.end >= total;
    debug_assert!(Span::of_frames(&frames.whole, rate).is_some(), "{frames:?}");
    moved
}

/// Which feet step together: neighbours round the body by turns; those first that come less near to the others then.
fn groups(rig: &Rig, model: &ModelPose, turn: f32, rounds: usize) -> Vec<usize> {
    let soles: Vec<[Vec2; 2]> = rig
        .legs
        .iter()
        .map(|leg| [leg.foot.heel, leg.foot.ball].map(|p| floor::of_point(model[leg.ankle()].transform_point(p))))
        .collect();
    let middle = soles.iter().fold(Vec2::ZERO, |sum, sole| sum + sole[1]) / soles.len().max(1) as f32;
    let mut round: Vec<usize> = (0..soles.len()).collect();
    let angle = |leg: usize| floor::heading_of(soles[leg][1] - middle);
    round.sort_by(|a, b| angle(*a).total_cmp(&angle(*b)).then(a.cmp(b)));
    let mut groups = vec![0; soles.len()];
    round.iter().enumerate().for_each(|(k, leg)| groups[*leg] = k % 2);
    // The room between feet when one group is a step ahead of the other, on its way there and when it has landed.
    let step = turn / rounds as f32;
    let room = |first: usize| {
        let ahead = |leg: usize, share: f32| {
            let by = if groups[leg] == first { share * step } else { 0.0 };
            soles[leg].map(|p| floor::turned(p, by))
        };
        let mut least = f32::INFINITY;
        for (a, b) in
            (0..soles.len()).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|(a, b)| groups[*a] != groups[*b])
        {
            for share in [0.5, 1.0] {
                least = least.min(apart(ahead(a, share), ahead(b, share)));
            }
        }
        least
    };
    let side = if turn > 0.0 { Side::Left } else { Side::Right };
    let inner = rig.legs.iter().position(|leg| leg.side == Some(side)).map_or(0, |leg| groups[leg]);
    // The inner foot opens the turn unless the other one does it with clearly more room.
    let leads = if room(1 - inner) > room(inner) + MORE_ROOM * rig.leg_length() { 1 - inner } else { inner };
    groups.iter().map(|group| usize::from(*group != leads)).collect()
}

/// Room between feet that is worth stepping first with the outer one, leg lengths.
const MORE_ROOM: f32 = 0.02;

/// The least distance between points of two soles, metres.
fn apart(a: [Vec2; 2], b: [Vec2; 2]) -> f32 {
    let along = |sole: [Vec2; 2], k: usize| sole[0].lerp(sole[1], 0.25 * k as f32);
    let pairs = (0..5).flat_map(|i| (0..5).map(move |j| (i, j)));
    pairs.map(|(i, j)| along(a, i).distance(along(b, j))).fold(f32::INFINITY, f32::min)
}

/// The arms of a body on two feet that stand, one on each side.
fn arms(rig: &Rig, legs: &[TurningLeg], model: &ModelPose) -> Vec<TurningArm> {
    let group = |side: Side| {
        let mut own = rig.legs.iter().zip(legs).filter(|(leg, _)| leg.side == Some(side));
        own.next().and_then(|(_, leg)| leg.group)
    };
    let (Some(left), Some(right), 2) = (group(Side::Left), group(Side::Right), legs.len()) else { return Vec::new() };
    let arms = BodyParts::find(rig, model).arms.into_iter();
    let both = |side: Side| if side == Side::Left { [left, right] } else { [right, left] };
    arms.map(|arm| TurningArm { upper: arm.upper, fore: arm.fore, groups: both(arm.side) }).collect()
}

/// The joints from the pelvis up to the highest that no leg hangs from.
fn spine(rig: &Rig, model: &ModelPose) -> Vec<JointId> {
    let skeleton = &rig.skeleton;
    let pelvis = skeleton.pelvis();
    let of_leg = |joint: JointId| rig.legs.iter().any(|leg| skeleton.ancestry(joint).any(|above| above == leg.hip()));
    let below = skeleton.joints().skip(pelvis.index()).take(skeleton.subtree(pelvis).len());
    let highest = below.filter(|joint| *joint != pelvis && !of_leg(*joint));
    let height = |joint: &JointId| model[*joint].translation.y;
    let Some(top) = highest.max_by(|a, b| height(a).total_cmp(&height(b))) else { return Vec::new() };
    if height(&top) < model[pelvis].translation.y {
        return Vec::new();
    }
    let mut joints: Vec<JointId> = skeleton.ancestry(top).take_while(|joint| *joint != pelvis).collect();
    joints.reverse();
    joints
}
