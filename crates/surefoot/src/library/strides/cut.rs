//! Cutting strides out of takes, and closing those that go round.

use super::stride::{PhaseKnot, feet};
use super::{Plant, StandsAt, Stride, StrideClip, StrideCut, StrideKind, StrideSlack, StrideStand};
use crate::math::{FloorPose, Rigid, quat, sinc, wrap_angle};
use crate::motion::{Clip, Stance, Take};
use crate::rig::{LegId, ModelPose, Pose, Rig, Side};
use glam::{Vec2, Vec3, Vec3A};

/// Feet of a take that stand, in order of their middles.
#[derive(Clone, Copy)]
struct Standing<'a> {
    stance: &'a Stance,
    side: Side,
    /// The middle of its stance: of the time in which it lies flat, where it does. Seconds.
    middle: f32,
}

/// A part of a take from the middle of one stance to that of another of the same foot.
#[derive(Clone, Copy)]
struct Part {
    /// Indices of what stands.
    first: usize,
    last: usize,
}

/// A clip that turns by less than this in its sharpest round goes straight, radians.
const STRAIGHT: f32 = 0.2;

/// A take that is to become a stride, levelled, with its root extracted.
pub(super) struct Cut<'a> {
    pub(super) rig: &'a Rig,
    /// The right leg and the left one.
    pub(super) legs: [LegId; 2],
    pub(super) take: &'a Take,
}

impl Cut<'_> {
    /// The stride that a person asked for; `None` if there is none, with feet that come down in turn for walks and runs.
    pub(super) fn run(&self, said: &StrideClip, name: String) -> Option<Stride> {
        // What is played once may begin and end on stances that the clip's ends cut.
        let mut standing = self.standing(said.kind == StrideKind::Special || said.cut.stand().is_some());
        if said.kind == StrideKind::Special && said.cut != StrideCut::Auto {
            let mut known = standing.clone();
            let part = self.part(said, &mut known)?;
            let gone = self.between(&known, part);
            // Who turns on the spot stands on both feet for long: his steps are told by his swings.
            if on_the_spot(self.rig, gone.position, gone.heading) {
                self.centre_on_swings(&mut standing);
            }
        }
        let part = self.part(said, &mut standing)?;
        match said.kind {
            StrideKind::Special => self.once(said, name, &standing, part),
            StrideKind::Walk | StrideKind::Run => self.round(said, name, &standing, part),
        }
    }

    fn part(&self, said: &StrideClip, standing: &mut [Standing<'_>]) -> Option<Part> {
        match said.cut.stand() {
            Some(end) => self.stand_part(end, standing),
            None => self.choose(said, standing),
        }
    }

    /// Puts the middles of stances where the other foot is half way through its swing: as walks have them.
    fn centre_on_swings(&self, standing: &mut [Standing<'_>]) {
        let known: Vec<(Side, &Stance)> = standing.iter().map(|foot| (foot.side, foot.stance)).collect();
        for foot in standing.iter_mut() {
            let mut others: Vec<&Stance> =
                known.iter().filter(|(side, _)| *side != foot.side).map(|(_, stance)| *stance).collect();
            others.sort_by(|a, b| a.strike().total_cmp(&b.strike()));
            let swings = others.windows(2).map(|pair| 0.5 * (pair[0].off() + pair[1].strike()));
            let (start, end) = (foot.stance.strike(), foot.stance.off());
            if let Some(middle) = swings.into_iter().find(|middle| *middle > start && *middle < end) {
                foot.middle = middle;
            }
        }
        standing.sort_by(|a, b| a.middle.total_cmp(&b.middle));
    }

    fn standing(&self, open: bool) -> Vec<Standing<'_>> {
        let end = self.take.clip.duration();
        let seen = |stance: &&Stance| {
            let inside = stance.flat().is_some_and(|flat| flat.start > 1e-3 && flat.end < end - 1e-3);
            open || !stance.open || inside
        };
        let side = |stance: &Stance| match stance.leg() {
            leg if leg == self.legs[0] => Some(Side::Right),
            leg if leg == self.legs[1] => Some(Side::Left),
            _ => None,
        };
        let of = |stance| {
            let side = side(stance)?;
            let span = stance.flat().unwrap_or(stance.time);
            Some(Standing { stance, side, middle: 0.5 * (span.start + span.end) })
        };
        let mut standing: Vec<Standing<'_>> = self.take.stances.iter().filter(seen).filter_map(of).collect();
        standing.sort_by(|a, b| a.middle.total_cmp(&b.middle));
        standing
    }

    fn choose(&self, said: &StrideClip, standing: &[Standing<'_>]) -> Option<Part> {
        if let StrideCut::Seconds { from, to } = said.cut {
            let right = || (0..standing.len()).filter(|i| standing[*i].side == Side::Right);
            let near = |time: f32| {
                let far = |i: &usize| (standing[*i].middle - time).abs();
                right().min_by(|a, b| far(a).total_cmp(&far(b)))
            };
            let part = Part { first: near(from)?, last: near(to)? };
            let alternates = said.kind == StrideKind::Special || part.last == part.first + 2;
            return (part.first < part.last && alternates).then_some(part);
        }
        let best = |parts: Vec<Part>, worth: &dyn Fn(&Part) -> f32| {
            parts.into_iter().max_by(|a, b| worth(a).total_cmp(&worth(b)))
        };
        if said.kind == StrideKind::Special {
            return over_flight(standing);
        }
        // What goes round may be cut at either foot.
        let in_turn = |i: &usize| {
            let [a, b, c] = [0, 1, 2].map(|k| standing[i + k].side);
            a == c && a != b
        };
        let in_turn: Vec<Part> = (0..standing.len().saturating_sub(2))
            .filter(in_turn)
            .map(|first| Part { first, last: first + 2 })
            .collect();
        let turn = |part: &Part| self.between(standing, *part).heading.abs();
        let sharpest = in_turn.iter().map(turn).fold(0.0, f32::max);
        match sharpest > STRAIGHT {
            true => best(in_turn, &turn),
            false => best(in_turn, &|part| -self.gap(standing, *part)),
        }
    }

    /// From standing to the first right stance after it, or from the last right stance before it: the left foot stands longer, so
    /// that right and left prints come in turn. Stands are told from their outer ends, and left feet as long from their last lift or
    /// first strike as other stances. `None` if the left foot sets off or closes up, but for who turns on the spot: to that side he
    /// steps with it first, and it has two prints.
    fn stand_part(&self, end: StandsAt, standing: &mut [Standing<'_>]) -> Option<Part> {
        let last = self.take.clip.duration();
        let of = |side: Side| {
            let mut own: Vec<usize> = (0..standing.len()).filter(|k| standing[*k].side == side).collect();
            own.sort_by(|a, b| standing[*a].stance.strike().total_cmp(&standing[*b].stance.strike()));
            if end == StandsAt::Stop {
                own.reverse();
            }
            own
        };
        let (rights, lefts) = (of(Side::Right), of(Side::Left));
        let [right, left, other] = [*rights.first()?, *lefts.first()?, *rights.get(1)?];
        let [stand, beside, step] = [right, left, other].map(|k| standing[k].stance);
        let stands = match end {
            StandsAt::Start => stand.strike() <= OPEN && beside.strike() <= OPEN,
            StandsAt::Stop => stand.off() >= last - OPEN && beside.off() >= last - OPEN,
        };
        let in_order = match end {
            StandsAt::Start => stand.off() < beside.off() && step.strike() < beside.off(),
            StandsAt::Stop => beside.strike() < stand.strike() && beside.strike() < step.off(),
        };
        // The left foot goes first, or last.
        let between = lefts.get(1).copied().filter(|own| {
            let own = standing[*own].stance;
            let turned = self.between(standing, Part { first: other, last: right }).heading.abs() > STEPS_ROUND;
            turned
                && match end {
                    StandsAt::Start => {
                        beside.off() < stand.off() && own.strike() < stand.off() && step.strike() < own.off()
                    }
                    StandsAt::Stop => {
                        stand.strike() < beside.strike() && stand.strike() < own.off() && own.strike() < step.off()
                    }
                }
        });
        if !stands || !in_order && between.is_none() {
            return None;
        }
        // As long as the other left stance, if it has two prints.
        let like = if in_order { other } else { between? };
        let (like, middle) = (&standing[like], standing[other].middle);
        let [outer, inner] = match end {
            StandsAt::Start => [0.0, beside.off() - (like.stance.off() - like.middle)],
            StandsAt::Stop => [last, beside.strike() + like.middle - like.stance.strike()],
        };
        // It stands for less than that where a clip is cut short.
        let inner = inner.clamp(2.0 * SHORTEST, (last - 2.0 * SHORTEST).max(2.0 * SHORTEST));
        (standing[right].middle, standing[left].middle) = (outer, inner);
        standing.sort_by(|a, b| a.middle.total_cmp(&b.middle));
        let at = |time: f32, side: Side| standing.iter().position(|foot| foot.side == side && foot.middle == time);
        let [mut first, mut last] = [at(outer, Side::Right)?, at(middle, Side::Right)?];
        if end == StandsAt::Stop {
            (first, last) = (last, first);
        }
        let lefts = if in_order { 1 } else { 2 };
        let in_turn = standing.get(first + 1..last)?.iter().all(|foot| foot.side == Side::Left);
        (first + 1 + lefts == last && in_turn).then_some(Part { first, last })
    }

    /// How the root moves over a part, heading unwrapped within half a turn.
    fn between(&self, standing: &[Standing<'_>], part: Part) -> FloorPose {
        let at = |i: usize| floor_of(self.take.clip.root_at(standing[i].middle));
        let change = at(part.first).inverse().then(at(part.last));
        FloorPose { heading: wrap_angle(change.heading), ..change }
    }

    /// How far the pose at the end of a part is from that at its start, radians over all joints.
    fn gap(&self, standing: &[Standing<'_>], part: Part) -> f32 {
        let [mut a, mut b] = [Pose::rest(&self.rig.skeleton), Pose::rest(&self.rig.skeleton)];
        self.take.clip.sample(standing[part.first].middle, &mut a);
        self.take.clip.sample(standing[part.last].middle, &mut b);
        a.locals.iter().zip(&b.locals).map(|(a, b)| quat::angle_between(a.rotation, b.rotation)).sum()
    }

    /// A walk or run as a cycle: what its end is off its start is spread over it.
    fn round(&self, said: &StrideClip, name: String, standing: &[Standing<'_>], part: Part) -> Option<Stride> {
        let (source, skeleton) = (&self.take.clip, &self.rig.skeleton);
        let (start, end) = (standing[part.first].middle, standing[part.last].middle);
        let seconds = end - start;
        let frames = ((seconds * source.rate()).round() as usize).max(2);
        let seam = Seam::new(self.rig, source, [start, end]);
        let mut pose = Pose::rest(skeleton);
        let mut locals: Vec<Rigid> = Vec::with_capacity(frames * skeleton.len());
        let mut roots = Vec::with_capacity(frames);
        let origin = source.root_at(start).inverse();
        for f in 0..frames {
            let share = f as f32 / frames as f32;
            source.sample(start + share * seconds, &mut pose);
            let closed = pose.locals.iter().zip(&seam.joints).map(|(now, gap)| *now * gap.at(share, seconds));
            locals.extend(closed.map(|local| Rigid { rotation: local.rotation.normalize(), ..local }));
            roots.push(origin * pose.root * seam.root.at(share, seconds));
        }
        let mut clip = Clip::new(skeleton, name, frames as f32 / seconds, locals).ok()?;
        clip.roots_mut().copy_from_slice(&roots);
        let mut clip = clip.with_cycle(Some(origin * source.root_at(end)));
        let (from, middle, to) = (&standing[part.first], &standing[part.first + 1], &standing[part.last]);
        let half = middle.middle - start;
        // One that was cut at left stances begins in its middle.
        let begins_left = from.side == Side::Left;
        if begins_left {
            clip = begun_at(&clip, self.rig, half)?;
        }
        let half_way = if begins_left { seconds - half } else { half };
        let knots = [(0.0, 0.0), (0.5, half_way), (1.0, seconds)].map(|(phase, time)| PhaseKnot { phase, time });
        let mut stride = self.stride(said, clip, knots.to_vec())?;
        let begin = if begins_left { middle.middle } else { start };
        let phase = |time: f32| stride.phase_at(time - begin);
        let inner = plant(middle, phase(middle.middle), phase);
        // The outer stance is the first one's end and the last one's beginning.
        let (end, begin) = (plant(from, phase(from.middle), phase), plant(to, phase(to.middle), phase));
        let hold = |begin: Option<[f32; 2]>, end: Option<[f32; 2]>| begin.zip(end).map(|(a, b)| [a[0], b[1]]);
        let outer = Plant {
            phase: begin.phase.rem_euclid(1.0),
            strike: begin.strike,
            off: end.off,
            heel: hold(begin.heel, end.heel),
            ball: hold(begin.ball, end.ball),
            ..begin
        };
        stride.plants = if begins_left { vec![inner, outer] } else { vec![outer, inner] };
        self.place_soles(&mut stride);
        Some(stride)
    }

    /// What is played once, with what was before and after it.
    fn once(&self, said: &StrideClip, name: String, standing: &[Standing<'_>], part: Part) -> Option<Stride> {
        let start = standing[part.first].middle;
        let mut clip = self.take.clip.clone().named(name);
        let origin = self.take.clip.root_at(start).inverse();
        clip.roots_mut().iter_mut().for_each(|root| *root = origin * *root);
        let feet = &standing[part.first..=part.last];
        let right: Vec<usize> = (0..feet.len()).filter(|i| feet[*i].side == Side::Right).collect();
        // Where feet come down in turn each left one is half way.
        let mut knots = vec![PhaseKnot { phase: 0.0, time: start }];
        for (round, pair) in right.windows(2).enumerate() {
            let (from, to) = (feet[pair[0]].middle, feet[pair[1]].middle);
            let left = feet[pair[0] + 1].middle;
            // One that comes down with a right foot is not.
            if pair[1] == pair[0] + 2 && left - from > 2.0 * SHORTEST && to - left > 2.0 * SHORTEST {
                knots.push(PhaseKnot { phase: round as f32 + 0.5, time: left });
            }
            knots.push(PhaseKnot { phase: round as f32 + 1.0, time: feet[pair[1]].middle });
        }
        let mut stride = self.stride(said, clip, knots)?;
        let phase = |time: f32| stride.phase_at(time);
        let first = feet[0].stance.print.world_from_sole.translation.y;
        let rise = |y: f32| if (y - first).abs() < LEVEL { 0.0 } else { y - first };
        let plant = |foot: &Standing<'_>| Plant {
            height: rise(foot.stance.print.world_from_sole.translation.y),
            ..plant(foot, phase(foot.middle), phase)
        };
        stride.plants = feet.iter().map(plant).collect();
        self.place_soles(&mut stride);
        if let Some(end) = said.cut.stand() {
            self.stand(&mut stride, end);
        }
        Some(stride)
    }

    /// Tells where a stride stands, and keeps its feet there for ever.
    fn stand(&self, stride: &mut Stride, end: StandsAt) {
        const LONG: f32 = 4.0;
        let (right, left, phase) = match end {
            StandsAt::Start => (0, 1, 0.0),
            StandsAt::Stop => (stride.plants.len() - 1, stride.plants.len() - 2, stride.rounds),
        };
        for k in [right, left] {
            let plant = &mut stride.plants[k];
            let longer = |span: &mut [f32; 2]| match end {
                StandsAt::Start => span[0] -= LONG,
                StandsAt::Stop => span[1] += LONG,
            };
            match end {
                StandsAt::Start => plant.strike -= LONG,
                StandsAt::Stop => plant.off += LONG,
            }
            plant.heel.iter_mut().for_each(longer);
            plant.ball.iter_mut().for_each(longer);
        }
        let frame = stride.frames_at(phase).first;
        let body = floor_of(stride.clip.body(&self.rig.skeleton, frame));
        stride.stand = Some(StrideStand { end, body: stride.plants[right].sole.inverse().then(body) });
    }

    /// A stride without its plants.
    fn stride(&self, said: &StrideClip, clip: Clip, knots: Vec<PhaseKnot>) -> Option<Stride> {
        if knots.windows(2).any(|pair| pair[1].time - pair[0].time < SHORTEST) {
            return None;
        }
        let mut ways: Vec<FloorPose> = clip.roots().iter().map(|root| floor_of(*root)).collect();
        ways.extend(clip.cycle().map(|cycle| floor_of(clip.roots()[0] * cycle)));
        for f in 1..ways.len() {
            ways[f].heading = ways[f - 1].heading + wrap_angle(ways[f].heading - ways[f - 1].heading);
        }
        let (first, last) = (knots[0], knots[knots.len() - 1]);
        let walks = said.kind == StrideKind::Walk || said.cut.stand().is_some();
        let speed = if walks { 0.0 } else { 1.0 };
        let mut stride = Stride {
            name: clip.name().to_owned(),
            kind: said.kind,
            grouped: said.kind != StrideKind::Special && !said.alone,
            curvature: 0.0,
            length: 0.0,
            seconds: last.time - first.time,
            rounds: last.phase,
            entry_speed: said.entry_speed.unwrap_or(speed),
            exit_speed: said.exit_speed.unwrap_or(speed),
            penalty: said.penalty,
            slack: StrideSlack::default(),
            stand: None,
            turns_on_spot: false,
            feet: feet(self.rig, &clip, self.legs),
            clip,
            knots,
            ways,
            plants: Vec::new(),
        };
        // Along an arc: the sway of hips is no way.
        let gone = match stride.is_cycle() {
            true => stride.ways[stride.ways.len() - 1],
            false => stride.way_at(0.0).inverse().then(stride.way_at(stride.rounds)),
        };
        stride.length = gone.position.length() / sinc(0.5 * gone.heading).max(0.1);
        if said.kind != StrideKind::Special && stride.length < 0.05 * self.rig.leg_length() {
            return None;
        }
        stride.curvature = gone.heading / stride.length.max(1e-3);
        let round = on_the_spot(self.rig, gone.position, gone.heading);
        stride.turns_on_spot = said.kind == StrideKind::Special && round;
        let usual = || match stride.turns_on_spot {
            true => round_slack(self.rig),
            false => usual_slack(said, stride.length, self.rig),
        };
        stride.slack = said.slack.unwrap_or_else(usual);
        Some(stride)
    }

    /// Where soles are in the middles of their stances.
    fn place_soles(&self, stride: &mut Stride) {
        let skeleton = &self.rig.skeleton;
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        for k in 0..stride.plants.len() {
            let Plant { side, phase, .. } = stride.plants[k];
            stride.clip.sample(stride.time_at(phase), &mut pose);
            pose.to_model(skeleton, &mut model);
            let leg = &self.rig.legs[self.legs[super::stride::index_of(side)].index()];
            let sole = floor_of(model[leg.ankle()] * leg.foot.ankle_from_sole());
            stride.plants[k].sole = stride.way_at(phase).then(sole);
        }
    }
}

/// What a round's end lacks to be its start, by joint and of its root.
struct Seam {
    joints: Vec<Gap>,
    /// Of its speed alone: where it goes is its own affair.
    root: Gap,
}

/// How far the end of a way is from its start, and how much faster its start is, in the frame of the moment.
#[derive(Clone, Copy, Default)]
struct Gap {
    turned: Vec3,
    moved: Vec3A,
    /// Radians a second.
    turning: Vec3,
    /// Metres a second.
    moving: Vec3A,
}

/// Speeds are told over this time, seconds.
const LOOK: f32 = 0.04;
/// The share of a round, at either end, within which its speeds pass into each other.
const PASSES: f32 = 0.15;

impl Seam {
    fn new(rig: &Rig, clip: &Clip, [start, end]: [f32; 2]) -> Self {
        let at = |time: f32| {
            let mut pose = Pose::rest(&rig.skeleton);
            clip.sample(time, &mut pose);
            pose
        };
        let [first, second, last, last_but] = [start, start + LOOK, end, end - LOOK].map(at);
        let speed = |a: Rigid, b: Rigid| {
            let by = a.inverse() * b;
            (quat::log(by.rotation) / LOOK, by.translation / LOOK)
        };
        let gap = |joint: usize| {
            let at = |pose: &Pose| pose.locals[joint];
            let off = at(&last).inverse() * at(&first);
            let (begins, ends) = (speed(at(&first), at(&second)), speed(at(&last_but), at(&last)));
            Gap {
                turned: quat::log(off.rotation),
                moved: off.translation,
                turning: begins.0 - ends.0,
                moving: begins.1 - ends.1,
            }
        };
        let (begins, ends) = (speed(first.root, second.root), speed(last_but.root, last.root));
        Self {
            joints: (0..rig.skeleton.len()).map(gap).collect(),
            root: Gap { turning: begins.0 - ends.0, moving: begins.1 - ends.1, ..Gap::default() },
        }
    }
}

impl Gap {
    /// What closes it at a share of a round that takes so many seconds: half of what it lacks at either end, evenly spread, and
    /// speeds that meet half way.
    fn at(&self, share: f32, seconds: f32) -> Rigid {
        let ease = |far: f32| if far < PASSES { -0.5 * far * (1.0 - far / PASSES).powi(2) } else { 0.0 };
        let (by, speed) = (share - 0.5, seconds * (ease(share) + ease(1.0 - share)));
        Rigid {
            rotation: quat::exp(by * self.turned + speed * self.turning),
            translation: by * self.moved + speed * self.moving,
        }
    }
}

/// The same cycle from another of its times on, seconds.
fn begun_at(clip: &Clip, rig: &Rig, time: f32) -> Option<Clip> {
    let mut pose = Pose::rest(&rig.skeleton);
    let mut locals = Vec::with_capacity(clip.frames() * clip.joints());
    let mut roots = Vec::with_capacity(clip.frames());
    for f in 0..clip.frames() {
        let now = time + f as f32 / clip.rate();
        clip.sample(now, &mut pose);
        locals.extend_from_slice(&pose.locals);
        roots.push(clip.root_change(time, now));
    }
    let cycle = clip.root_change(time, time + clip.duration());
    let mut begun = Clip::new(&rig.skeleton, clip.name(), clip.rate(), locals).ok()?;
    begun.roots_mut().copy_from_slice(&roots);
    Some(begun.with_cycle(Some(cycle)))
}

/// A plant of a stance.
fn plant(foot: &Standing<'_>, at: f32, phase: impl Fn(f32) -> f32) -> Plant {
    let Stance { time, heel, ball, .. } = foot.stance;
    let off = |time: f32| phase(time) - at;
    Plant {
        side: foot.side,
        phase: at,
        strike: off(time.start),
        off: off(time.end),
        heel: heel.map(|heel| [off(heel.start), off(heel.end)]),
        ball: ball.map(|ball| [off(ball.start), off(ball.end)]),
        sole: FloorPose::ORIGIN,
        height: 0.0,
    }
}

/// From the right stance before the longest flight, or before the foot that it leaves from, to the first right stance after the
/// landing: not to one in which feet come down together.
fn over_flight(standing: &[Standing<'_>]) -> Option<Part> {
    let off = |k: usize| standing[..k].iter().map(|foot| foot.stance.off()).fold(0.0, f32::max);
    let flight = |k: usize| standing[k].stance.strike() - off(k);
    // Feet are in order of their middles: the one that lands first may be a later one.
    let land = (1..standing.len()).max_by(|a, b| flight(*a).total_cmp(&flight(*b)))?;
    let landed = standing[land..].iter().map(|foot| foot.stance.strike()).fold(f32::INFINITY, f32::min);
    let is_right = |k: &usize| standing[*k].side == Side::Right;
    let first = (0..land).rev().find(is_right)?;
    let after = |k: &usize| is_right(k) && standing[*k].stance.strike() > landed + TOGETHER;
    Some(Part { first, last: (land..standing.len()).find(after)? })
}

/// Feet that come down within this time come down together, seconds.
const TOGETHER: f32 = 0.2;

/// Who turns by more than this as he sets off or comes to stand turns on the spot, radians.
const STEPS_ROUND: f32 = 0.7;
/// Feet that are down this near to a clip's end stand there, seconds.
const OPEN: f32 = 0.05;
/// Steps that take less than this are none, seconds.
const SHORTEST: f32 = 0.05;
/// Prints whose heights differ by less than this lie on one floor, metres.
const LEVEL: f32 = 0.03;

/// How far the last print of a stride may be put from where it is, if nobody has said so: what refining and legs can make good.
/// Who climbs makes short steps.
fn usual_slack(said: &StrideClip, length: f32, rig: &Rig) -> StrideSlack {
    let short = said.steps < SHORT;
    if said.cut.stand().is_some() {
        let rise = if short { 0.42 } else { 0.25 };
        let across = 0.2 * rig.leg_length();
        return StrideSlack { along: 0.3 * length, across, turn: 0.45, rise: rise * rig.leg_length() };
    }
    let (along, turn, rise) = match said.kind {
        StrideKind::Walk if short => (0.4, 0.5, 0.42),
        StrideKind::Walk => (0.2, 0.25, 0.15),
        StrideKind::Run => (0.2, 0.2, 0.2),
        StrideKind::Special => (0.12, 0.1, 0.15),
    };
    // Short steps lead round a spiral stair.
    let across = if short { 0.25 } else { 0.12 };
    StrideSlack { along: along * length, across: across * length, turn, rise: rise * rig.leg_length() }
}

/// The same of who turns on the spot: he turns by as much as is needed.
fn round_slack(rig: &Rig) -> StrideSlack {
    let leg = rig.leg_length();
    StrideSlack { along: 0.1 * leg, across: 0.1 * leg, turn: 0.55, rise: 0.15 * leg }
}

/// Whether a stride goes round on the spot: it turns, and hardly goes anywhere.
fn on_the_spot(rig: &Rig, gone: Vec2, turned: f32) -> bool {
    turned.abs() > STEPS_ROUND && gone.length() < 0.35 * rig.leg_length()
}

/// Steps that are made shorter than this share of a clip's are short.
const SHORT: f32 = 0.8;

/// A root as a place on the floor; one that lies on its side faces ahead.
fn floor_of(root: Rigid) -> FloorPose {
    FloorPose::below(root).unwrap_or(FloorPose::new(crate::math::floor::of_point(root.translation), 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A way that is somewhere else and slower at its end meets its start, in place and in speed.
    #[test]
    fn a_closed_round_goes_on_without_a_jump_or_a_corner() {
        let way = |t: f32| 0.3 * t + 0.1 * t * t;
        let gap = Gap { moved: Vec3A::X * (way(0.0) - way(1.2)), moving: Vec3A::X * (0.3 - 0.54), ..Gap::default() };
        let closed = |t: f32| way(t) + gap.at(t / 1.2, 1.2).translation.x;
        assert!((closed(0.0) - closed(1.2)).abs() < 1e-5, "{} {}", closed(0.0), closed(1.2));
        let speed = |t: f32| (closed(t + 1e-3) - closed(t)) / 1e-3;
        assert!((speed(0.0) - speed(1.199)).abs() < 0.01, "{} {}", speed(0.0), speed(1.199));
        let open = |t: f32| way(t) + (t / 1.2 - 0.5) * gap.moved.x;
        let before = (open(1e-3) - open(0.0)) / 1e-3 - (open(1.2) - open(1.199)) / 1e-3;
        assert!(before.abs() > 0.2, "which it did not by its place alone: {before}");
    }
}
