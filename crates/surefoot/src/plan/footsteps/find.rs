//! The search for strides: A* over right prints, where a stride is only fitted to the ground once the search comes to it.

use super::cells::Field;
use super::fit::{Change, Fitted, change_of_speed};
use super::foothold::{Foothold, foothold};
use super::map::FootstepMap;
use super::samples::{FAR_OFF, Samples};
use crate::library::strides::{StandsAt, StrideKind, StrideReach, StrideStand};
use crate::math::{FloorPose, floor, single};
use crate::plan::search::Queue;
use glam::{Vec2, Vec3};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

/// Where the search begins or should end.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// The right print; its heading counts only if `faces`.
    pub(super) hold: Foothold,
    /// Whether the heading matters.
    pub(super) faces: bool,
    /// 0 walking or standing, 1 running.
    pub(super) speed: f32,
    /// Where the body is, if it stands there.
    pub(super) stands: Option<FloorPose>,
    /// Whether its right foot is there already; else it stands there as the stride has it that sets off.
    pub(super) set: bool,
}

/// The search.
pub(super) struct Find<'a> {
    pub(super) map: &'a FootstepMap,
    pub(super) field: &'a Field,
    /// The prints that may be used; any if there are none.
    pub(super) samples: Option<&'a Samples>,
    /// How fine prints are told apart.
    pub(super) grain: Grain,
    /// How many times as much as it is what is left counts for.
    pub(super) weight: f32,
    /// The most strides that are fitted.
    pub(super) most_fits: usize,
    /// Ends the search from outside.
    pub(super) stop: Option<&'a AtomicBool>,
}

/// How fine prints are told apart, and how finely strides are varied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grain {
    /// Metres.
    pub(super) place: f32,
    /// Radians.
    pub(super) heading: f32,
    /// Lengths that are tried to either side of the clip's own.
    pub(super) lengths: i32,
    /// Turns that are tried to either side of the clip's own.
    pub(super) turns: i32,
    /// Whether it is looked for turns on the spot everywhere, and not only where one sets off or arrives.
    pub(super) turns_anywhere: bool,
    /// The most prints that are looked at with the same way left (to [`BUCKET`]) at the same pace, facing the same way to an eighth of
    /// a turn: the best ones, so that what takes longer than it seemed is not looked for everywhere.
    pub(super) width: usize,
}

/// How far ahead it is looked whether a print faces the goal, metres.
const LOOK_AHEAD: f32 = 0.8;
/// What it costs to face a quarter turn away from the goal, seconds.
const TURNED: f32 = 0.4;
/// Who faces away from the way by more than this of [`TURNED`] may turn on the spot: about 50° on a level floor.
const TURNS_FROM: f32 = 0.4;
/// So may who is so near to a goal with a facing, metres.
const TURNS_WITHIN: f32 = 1.2;
/// Ways left that count as the same, seconds.
const BUCKET: f32 = 0.2;

/// A right print that was reached.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) hold: Foothold,
    speed: f32,
    cost: f32,
    parent: u32,
    /// How it was reached; none at the start.
    pub(super) by: Option<(usize, Fitted)>,
}

/// What came of a search.
pub(super) enum SearchOutcome {
    /// The nodes from a start to a goal, and which of them.
    Way { nodes: Vec<Node>, start: usize, goal: usize },
    /// No way; the right print that came nearest to the goal, and whether there was more to try.
    Nothing(Foothold, bool),
    /// Ended from outside.
    Stopped,
}

/// A way in which a stride is tried.
#[derive(Clone, Copy)]
pub(super) struct Variant {
    pub(super) change: Change,
    /// What the change costs, seconds.
    pub(super) cost: f32,
    /// Where it ends, in the frame of the stride's first print.
    pub(super) end: FloorPose,
}

/// Instead of the number of a node: none.
const ROOT: u32 = u32::MAX;

/// A stride that may be taken, or a start that may be gone from.
#[derive(Clone, Copy, Default)]
struct Candidate {
    /// The node that it is taken from; [`ROOT`] of a start.
    from: u32,
    /// The stride, or the start.
    stride: u32,
    change: Change,
    cost: f32,
    /// What is left from its end, seconds.
    left: f32,
    /// The sample that it leads to.
    sample: Option<u32>,
    /// The goal that it gets to.
    goal: Option<u32>,
}

/// What a search has come to.
#[derive(Default)]
struct Frontier {
    nodes: Vec<Node>,
    /// Everything that was offered, in the order of offers.
    candidates: Vec<Candidate>,
    queue: Queue,
    closed: Keys,
    /// How many prints were looked at with so much left, at a pace and facing a way.
    looked: HashMap<(u32, u32), usize>,
    /// The first nodes, each with the start that it is of.
    roots: Vec<(usize, usize)>,
    /// By sample, how far it is from the goal; `None` until it is asked for.
    far: Vec<Option<Far>>,
}

/// How far the body is from the goal over a print, seconds.
#[derive(Clone, Copy)]
struct Far {
    /// On the way there; infinite where nothing leads.
    seconds: f32,
    /// What it takes to turn to where the goal is.
    turned: f32,
}

impl Frontier {
    fn offer(&mut self, estimate: f32, candidate: Candidate) {
        self.queue.push(estimate, self.candidates.len() as u32);
        self.candidates.push(candidate);
    }
}

#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn write_u64(&mut self, key: u64) {
        let mixed = (key ^ (key >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }
}

type Keys = HashSet<u64, BuildHasherDefault<KeyHasher>>;

impl Find<'_> {
    /// From any of some starts, each with what it costs to be there, seconds, to any of some goals, each with what is left from there;
    /// the field must be of these goals.
    pub(super) fn run(&self, starts: &[(End, f32)], goals: &[(End, f32)]) -> SearchOutcome {
        let reaches = &self.map.reaches;
        let variants: Vec<Vec<Variant>> = reaches.iter().map(|reach| self.grain.variants(reach)).collect();
        let mut frontier = Frontier { far: vec![None; self.samples.map_or(0, Samples::len)], ..Frontier::default() };
        let ways = WayEnds::new(reaches, goals);
        // A start is gone from once nothing better is left.
        for (number, (start, cost)) in starts.iter().enumerate() {
            let left = self.left(self.far(&start.hold), start.speed).unwrap_or(0.0);
            let root = Candidate { from: ROOT, stride: number as u32, cost: *cost, left, ..Candidate::default() };
            frontier.offer(cost + self.weight * left, root);
        }
        let mut nearest = (f32::INFINITY, starts[0].0.hold);
        let (mut fits, mut ran_out) = (0, false);
        while let Some((_, index)) = frontier.queue.pop() {
            let Candidate { from, stride, change, cost, left, sample, goal } = frontier.candidates[index as usize];
            if from == ROOT {
                let number = stride as usize;
                for (hold, stand) in self.firsts(starts[number].0) {
                    let first = Node { hold, speed: starts[number].0.speed, cost, parent: ROOT, by: None };
                    frontier.closed.insert(self.key(first.hold, first.speed, None));
                    frontier.roots.push((frontier.nodes.len(), number));
                    self.expand(&mut frontier, first, stand, &ways, &variants);
                }
                continue;
            }
            let at_goal = goal.is_some();
            let (parent, reach) = (&frontier.nodes[from as usize].hold, &reaches[stride as usize]);
            let end = Foothold { pose: reach.end(parent.pose, change), ..*parent };
            let facing = (end.pose.heading / std::f32::consts::FRAC_PI_4).round().rem_euclid(8.0) as u32;
            let bucket = ((left / BUCKET) as u32, 8 * pace_of(reach.exit_speed) as u32 + facing);
            if !at_goal {
                // Somebody else may have been there first, or enough others nearby.
                let full = frontier.looked.get(&bucket).is_some_and(|count| *count >= self.grain.width);
                if full || frontier.closed.contains(&self.key(end, reach.exit_speed, sample)) {
                    continue;
                }
            }
            fits += 1;
            if fits > self.most_fits {
                ran_out = true;
                break;
            }
            if fits % 64 == 0 && self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return SearchOutcome::Stopped;
            }
            let exact = at_goal || sample.is_some();
            let fitted = match exact {
                true => self.map.fit(parent, reach, change),
                false => self.map.fit_near(parent, reach, change),
            };
            let Some(fitted) = fitted else { continue };
            let cost = cost + fitted.extra + (fitted.factor - 1.0) * reach.seconds;
            let hold = fitted.prints[fitted.prints.len() - 1].hold;
            let speed = reach.exit_speed;
            let node = Node { hold, speed, cost, parent: from, by: Some((stride as usize, fitted)) };
            if let Some(goal) = goal {
                let (nodes, root) = way(&frontier.nodes, node);
                let start = frontier.roots.iter().find(|(node, _)| *node == root).map_or(0, |(_, start)| *start);
                return SearchOutcome::Way { nodes, start, goal: goal as usize };
            }
            if frontier.closed.insert(self.key(hold, speed, sample)) {
                *frontier.looked.entry(bucket).or_default() += 1;
                if left < nearest.0 {
                    nearest = (left, hold);
                }
                self.expand(&mut frontier, node, None, &ways, &variants);
            }
        }

        SearchOutcome::Nothing(nearest.1, ran_out)
    }

    /// The first prints: where the right foot is, or where strides that set off from standing have it, each with how it stands.
    fn firsts(&self, start: End) -> Vec<(Foothold, Option<StrideStand>)> {
        let FootstepMap { reaches, world, limits, .. } = self.map;
        let starts = reaches.iter().any(|reach| reach.stands(StandsAt::Start));
        let (Some(body), true) = (start.stands, starts) else { return vec![(start.hold, None)] };
        let mut firsts: Vec<(Foothold, Option<StrideStand>)> = Vec::new();
        for stand in reaches.iter().filter_map(|reach| reach.stand).filter(|stand| stand.end == StandsAt::Start) {
            if firsts.iter().any(|(_, known)| *known == Some(stand)) {
                continue;
            }
            let pose = body.then(stand.body.inverse());
            // The first of them is what the start was told by.
            let own = if firsts.is_empty() || start.set {
                Some(start.hold)
            } else {
                foothold(&world.ground, world.sole, pose, start.hold.y, limits.rise.max(0.05))
            };
            firsts.extend(own.map(|hold| (hold, Some(stand))));
        }
        firsts
    }

    /// Whether it may help to turn on the spot over a print: where it faces away from the way and nobody has gone from there yet, or
    /// the goal is near.
    fn may_turn(&self, hold: &Foothold, set_off: bool, ways: &WayEnds) -> bool {
        let FootstepMap { cells, limits, .. } = self.map;
        let body = self.map.body_place(hold);
        let Some(seconds) = cells.seconds(self.field, body, limits) else { return false };
        let near = seconds < TURNS_WITHIN * limits.metre;
        if !near && !set_off && !self.grain.turns_anywhere {
            return false;
        }
        if near {
            ways.goals.iter().any(|goal| goal.end.faces)
        } else {
            self.lost(body, hold.pose.forward(), seconds) > TURNS_FROM
        }
    }

    /// Offers every stride that may be taken from a node, which stands as is told if it sets off.
    fn expand(
        &self,
        frontier: &mut Frontier,
        node: Node,
        stand: Option<StrideStand>,
        ways: &WayEnds,
        variants: &[Vec<Variant>],
    ) {
        let from = frontier.nodes.len() as u32;
        let pose = node.hold.pose;
        let turn = single::sin_cos(pose.heading);
        let runs = self.map.world.cost(StrideKind::Run, pose.position).is_some();
        let turned = node.by.as_ref().is_some_and(|(stride, _)| self.map.reaches[*stride].turns_on_spot);
        let turns = self.map.reaches.iter().any(|reach| reach.turns_on_spot)
            && self.may_turn(&node.hold, node.by.is_none() || turned, ways);
        for (stride, reach) in self.map.reaches.iter().enumerate() {
            let sets_off = stand.is_some();
            if !self.map.world.allows(reach)
                || (reach.kind == StrideKind::Run && !runs)
                || reach.stands(StandsAt::Start) != sets_off
                || sets_off && reach.stand != stand
                || reach.turns_on_spot && !turns
                // Nobody runs out of a turn on the spot.
                || turned && reach.entry_speed > 0.5
            {
                continue;
            }
            let Some(change_cost) = change_of_speed(node.speed, reach) else { continue };
            let cost = node.cost + change_cost + reach.seconds + reach.penalty;
            let whole = Candidate {
                from,
                stride: stride as u32,
                change: Change::default(),
                cost,
                left: 0.0,
                sample: None,
                goal: None,
            };
            // Straight to a goal, if this stride gets there.
            let stops = reach.stands(StandsAt::Stop);
            for (number, goal) in ways.goals.iter().enumerate() {
                if (reach.exit_speed - goal.end.speed).abs() > 0.5 || stops != goal.stops || !goal.near(reach, pose) {
                    continue;
                }
                let change = goal.end.change(reach, pose);
                if let Some(changed) = reach.cost_of(change) {
                    let cost = cost + changed;
                    let candidate = Candidate { change, cost, goal: Some(number as u32), ..whole };
                    frontier.offer(cost + self.weight * goal.rest, candidate);
                }
            }
            if stops {
                continue;
            }
            let mut offer = |Variant { change, cost: changed, end }: Variant, sample: Option<u32>| {
                let end = FloorPose {
                    position: pose.position + floor::turned_by(end.position, turn),
                    heading: pose.heading + end.heading,
                };
                // Who was there first stays.
                let hold = Foothold { pose: end, ..node.hold };
                if frontier.closed.contains(&self.key(hold, reach.exit_speed, sample)) {
                    return;
                }
                let far = match (sample, self.samples) {
                    (Some(index), Some(samples)) => {
                        *frontier.far[index as usize].get_or_insert_with(|| self.far(&samples.hold(index)))
                    }
                    _ => self.far(&hold),
                };
                let Some(left) = self.left(far, reach.exit_speed) else { return };
                let cost = cost + changed;
                frontier
                    .offer(cost + self.weight * left + ways.last, Candidate { change, cost, left, sample, ..whole });
            };
            match self.samples {
                None => variants[stride].iter().for_each(|variant| offer(*variant, None)),
                Some(samples) => samples.reached(pose, reach, &mut offer),
            }
        }
        frontier.nodes.push(node);
    }

    /// How far the body is from the goal over a right print.
    fn far(&self, hold: &Foothold) -> Far {
        let FootstepMap { cells, limits, .. } = self.map;
        let turn = single::sin_cos(hold.pose.heading);
        let body = floor::at_height(hold.pose.position + floor::turned_by(self.map.body_aside(), turn), hold.y);
        let Some(seconds) = cells.seconds(self.field, body, limits) else {
            return Far { seconds: f32::INFINITY, turned: 0.0 };
        };
        let ahead_of = Vec2::new(turn.0, turn.1);
        let turned =
            if seconds > LOOK_AHEAD * limits.metre { TURNED * self.lost(body, ahead_of, seconds) } else { 0.0 };
        Far { seconds, turned }
    }

    /// What is left at a speed for who is so far from the goal, seconds; `None` where nothing leads.
    fn left(&self, far: Far, speed: f32) -> Option<f32> {
        let FootstepMap { limits, ahead, .. } = self.map;
        let Far { seconds, turned } = far;
        seconds.is_finite().then(|| seconds + ahead.more(seconds / limits.metre, speed) + turned)
    }

    /// What of the way ahead of a body does not lead to the goal, from 0 to 2: 1 is across; so many seconds are left.
    fn lost(&self, body: Vec3, forward: Vec2, seconds: f32) -> f32 {
        let FootstepMap { cells, limits, .. } = self.map;
        let off = LOOK_AHEAD * forward;
        let onward = cells.seconds(self.field, body + Vec3::new(off.x, 0.0, off.y), limits);
        // Over a gap there is nothing to look at.
        onward.map_or(0.5, |onward| (onward - seconds) / (LOOK_AHEAD * limits.metre) + 1.0).clamp(0.0, 2.0)
    }

    /// What tells prints apart.
    fn key(&self, hold: Foothold, speed: f32, sample: Option<u32>) -> u64 {
        let pace = pace_of(speed);
        if let Some(sample) = sample {
            return 1 << 63 | u64::from(sample) << 2 | pace;
        }
        let Grain { place, heading, .. } = self.grain;
        let at = hold.place() / place;
        let turns = (hold.pose.heading / std::f32::consts::TAU).rem_euclid(1.0) * std::f32::consts::TAU;
        let bits = |value: f32, bits: u32| (value.floor() as i64 as u64) & ((1 << bits) - 1);
        // Floors are half a metre apart at least.
        let y = bits(2.0 * place * at.y + 0.25, 10);
        bits(at.x, 20) << 42 | bits(at.z, 20) << 22 | y << 12 | bits((turns / heading).round(), 8) << 4 | pace
    }
}

/// Where ways may end.
struct WayEnds {
    goals: Vec<Goal>,
    /// What coming to stand costs over the metres of it, seconds.
    last: f32,
}

/// Where a way may end.
struct Goal {
    end: End,
    /// What is left from there, seconds.
    rest: f32,
    /// Whether it comes to stand, by strides that do.
    stops: bool,
}

impl WayEnds {
    fn new(reaches: &[StrideReach], goals: &[(End, f32)]) -> Self {
        let any = reaches.iter().any(|reach| reach.stands(StandsAt::Stop));
        let goal = |(end, rest): &(End, f32)| Goal { end: *end, rest: *rest, stops: end.stands.is_some() && any };
        let goals: Vec<Goal> = goals.iter().map(goal).collect();
        let costs =
            reaches.iter().filter(|reach| reach.stands(StandsAt::Stop)).map(|reach| reach.seconds + reach.penalty);
        let stop = goals.iter().all(|goal| goal.stops);
        let last = if stop { costs.fold(f32::INFINITY, f32::min) } else { 0.0 };
        Self { goals, last }
    }
}

impl Goal {
    /// Whether a stride may get there from a print, as far as its length tells: most are too far, which is told without a sine.
    fn near(&self, reach: &StrideReach, from: FloorPose) -> bool {
        let body_aside = match (self.end.stands, reach.stand) {
            (Some(body), Some(stand)) => {
                body.position.distance(self.end.hold.pose.position) + stand.body.position.length()
            }
            _ => 0.0,
        };
        let far = reach.longest() + body_aside + FAR_OFF;
        self.end.hold.pose.position.distance_squared(from.position) <= far * far
    }
}

impl End {
    /// The change by which a stride gets there from a print.
    fn change(&self, reach: &StrideReach, from: FloorPose) -> Change {
        let mut to = self.hold.pose;
        if let (Some(mut body), Some(stand)) = (self.stands, reach.stand) {
            if !self.faces {
                body.heading = reach.end(from, Change::default()).heading + stand.body.heading;
            }
            to = body.then(stand.body.inverse());
        }
        let mut change = reach.change_to(from, to);
        if !self.faces {
            change.turn = change.turn.clamp(-reach.slack.turn, reach.slack.turn);
        }
        change
    }
}

/// Speeds that are told apart.
fn pace_of(speed: f32) -> u64 {
    (2.0 * speed).round().clamp(0.0, 3.0) as u64
}

/// The way to a last node, and the number of its first one.
fn way(nodes: &[Node], last: Node) -> (Vec<Node>, usize) {
    let mut way = vec![last];
    let mut first = 0;
    while let Some(parent) = nodes.get(way[way.len() - 1].parent as usize) {
        first = way[way.len() - 1].parent as usize;
        way.push(parent.clone());
    }
    way.reverse();
    (way, first)
}

impl Grain {
    /// The ways in which a stride is tried.
    fn variants(&self, reach: &StrideReach) -> Vec<Variant> {
        let mut variants = Vec::new();
        let mut add = |change: Change| variants.extend(reach.variant(change));
        let length = reach.last().map_or(0.0, |last| last.place.z);
        // Flights are put to edges: as finely as places are told apart.
        let lengths =
            if reach.flight.is_some() { (reach.slack.along / self.place).ceil() as i32 } else { self.lengths };
        let lengths = lengths.clamp(1, 12);
        for along in -lengths..=lengths {
            for turn in -self.turns..=self.turns {
                let [along, turn] = [
                    reach.slack.along * along as f32 / lengths as f32,
                    reach.slack.turn * turn as f32 / self.turns.max(1) as f32,
                ];
                // Along an arc.
                let across = (0.5 * length * turn).clamp(-reach.slack.across, reach.slack.across);
                add(Change { along, across, turn });
            }
        }
        for across in [-1.0, 1.0] {
            add(Change { across: across * reach.slack.across, ..Change::default() });
        }
        variants
    }
}
