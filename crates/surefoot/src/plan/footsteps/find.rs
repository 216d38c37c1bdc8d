//! The search for strides: A* over right prints, where a stride is only fitted to the ground once the search comes to it.

use super::cells::Field;
use super::fit::{Change, Fitted, change_of_speed};
use super::foothold::Foothold;
use super::map::FootstepMap;
use super::samples::Samples;
use crate::library::strides::{StrideKind, StrideReach};
use crate::math::FloorPose;
use crate::plan::search::Queue;
use std::collections::HashSet;
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
}

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
pub(super) enum Found {
    /// The nodes from the start to the goal.
    Way(Vec<Node>),
    /// No way; the right print that came nearest to the goal.
    Nothing(Foothold),
    /// Ended from outside.
    Stopped,
}

/// A stride that may be taken.
#[derive(Clone, Copy)]
struct Candidate {
    from: u32,
    stride: u32,
    change: Change,
    cost: f32,
    /// The sample that it leads to.
    sample: Option<u32>,
    goal: bool,
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
    pub(super) fn run(&self, start: End, goal: End) -> Found {
        let reaches = &self.map.reaches;
        let variants: Vec<Vec<(Change, f32)>> = reaches.iter().map(|reach| self.grain.variants(reach)).collect();
        let per_metre = self.weight * least_per_metre(self.map, &variants);
        let mut closed = Keys::default();
        let mut nodes: Vec<Node> = Vec::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut queue = Queue::default();
        let mut nearest = (f32::INFINITY, start.hold);
        let mut fits = 0;
        let mut next = Some(Node { hold: start.hold, speed: start.speed, cost: 0.0, parent: u32::MAX, by: None });
        let mut next_sample = None;
        loop {
            if let Some(node) = next.take()
                && closed.insert(self.key(&node, next_sample.take()))
            {
                let from = nodes.len() as u32;
                let left = self.left(&node.hold, node.hold.pose);
                if left.is_some_and(|left| left < nearest.0) {
                    nearest = (left.unwrap_or(f32::INFINITY), node.hold);
                }
                for (stride, reach) in reaches.iter().enumerate() {
                    let Some(change_cost) = change_of_speed(node.speed, reach) else { continue };
                    let cost = node.cost + change_cost + reach.seconds + reach.penalty;
                    let stride = stride as u32;
                    // Straight to the goal, if this stride gets there.
                    if (reach.exit_speed - goal.speed).abs() <= 0.5 {
                        let mut change = reach.change_to(node.hold.pose, goal.hold.pose);
                        if !goal.faces {
                            change.turn = change.turn.clamp(-reach.slack.turn, reach.slack.turn);
                        }
                        if let Some(changed) = reach.cost_of(change) {
                            let cost = cost + changed;
                            queue.push(cost, candidates.len() as u32);
                            candidates.push(Candidate { from, stride, change, cost, sample: None, goal: true });
                        }
                    }
                    let mut offer = |change: Change, changed: f32, sample: Option<u32>| {
                        let end = reach.end(node.hold.pose, change);
                        let Some(left) = self.left(&node.hold, end) else { return };
                        let cost = cost + changed;
                        queue.push(cost + per_metre * left, candidates.len() as u32);
                        candidates.push(Candidate { from, stride, change, cost, sample, goal: false });
                    };
                    match self.samples {
                        None => variants[stride as usize].iter().for_each(|(change, cost)| offer(*change, *cost, None)),
                        Some(samples) => samples.reached(node.hold.pose, reach, &mut offer),
                    }
                }
                nodes.push(node);
            }
            let Some((_, index)) = queue.pop() else { break };
            let Candidate { from, stride, change, cost, sample, goal: at_goal } = candidates[index as usize];
            let parent = &nodes[from as usize];
            let reach = &reaches[stride as usize];
            let speed = reach.exit_speed;
            if !at_goal {
                // Somebody else may have been there first.
                let end = Foothold { pose: reach.end(parent.hold.pose, change), ..parent.hold };
                let at = Node { hold: end, speed, cost, parent: from, by: None };
                if sample.is_some() && closed.contains(&self.key(&at, sample)) {
                    continue;
                }
                if sample.is_none() && closed.contains(&self.key(&at, None)) {
                    continue;
                }
            }
            fits += 1;
            if fits > self.most_fits {
                break;
            }
            if fits % 64 == 0 && self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Found::Stopped;
            }
            let Some(fitted) = self.map.fit(&parent.hold, reach, change) else { continue };
            let cost = cost + fitted.extra + (fitted.factor - 1.0) * reach.seconds;
            let hold = fitted.prints[fitted.prints.len() - 1].hold;
            let node = Node { hold, speed, cost, parent: from, by: Some((stride as usize, fitted)) };
            if at_goal {
                return Found::Way(way(nodes, node));
            }
            (next, next_sample) = (Some(node), sample);
        }
        Found::Nothing(nearest.1)
    }

    /// How far the body is from the goal over a right print, metres.
    fn left(&self, near: &Foothold, pose: FloorPose) -> Option<f32> {
        let place = self.map.body_place(&Foothold { pose, ..*near });
        let rise = self.map.limits.rise.max(self.map.limits.flight_rise) + self.map.cells.size();
        self.map.cells.distance(self.field, place, rise)
    }

    /// What tells prints apart.
    fn key(&self, node: &Node, sample: Option<u32>) -> u64 {
        let pace = (2.0 * node.speed).round().clamp(0.0, 3.0) as u64;
        if let Some(sample) = sample {
            return 1 << 63 | u64::from(sample) << 2 | pace;
        }
        let Grain { place, heading, .. } = self.grain;
        let at = node.hold.place() / place;
        let turns = (node.hold.pose.heading / std::f32::consts::TAU).rem_euclid(1.0) * std::f32::consts::TAU;
        let bits = |value: f32, bits: u32| (value.floor() as i64 as u64) & ((1 << bits) - 1);
        // Floors are half a metre apart at least.
        let y = bits(2.0 * place * at.y + 0.25, 10);
        bits(at.x, 20) << 42 | bits(at.z, 20) << 22 | y << 12 | bits((turns / heading).round(), 8) << 4 | pace
    }
}

/// The way to a last node.
fn way(nodes: Vec<Node>, last: Node) -> Vec<Node> {
    let mut way = vec![last];
    while let Some(parent) = nodes.get(way[way.len() - 1].parent as usize) {
        way.push(parent.clone());
    }
    way.reverse();
    way
}

/// The least that a metre costs by any stride that may be taken at all, seconds.
fn least_per_metre(map: &FootstepMap, variants: &[Vec<(Change, f32)>]) -> f32 {
    let nobody_runs = map.world.areas.iter().any(|area| area.outline.is_empty() && !area.running);
    let mut least = f32::INFINITY;
    for (reach, variants) in map.reaches.iter().zip(variants) {
        if nobody_runs && reach.kind == StrideKind::Run {
            continue;
        }
        for (change, cost) in variants {
            let length = reach.end(FloorPose::ORIGIN, *change).position.length();
            least = least.min((reach.seconds + reach.penalty + cost) / length.max(1e-3));
        }
    }
    if least.is_finite() { least.max(0.0) } else { 0.0 }
}

impl Grain {
    /// The ways in which a stride is tried, and what each costs, seconds.
    fn variants(&self, reach: &StrideReach) -> Vec<(Change, f32)> {
        let mut variants = Vec::new();
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
                let change = Change { along, across, turn };
                variants.extend(reach.cost_of(change).map(|cost| (change, cost)));
            }
        }
        for across in [-1.0, 1.0] {
            let change = Change { across: across * reach.slack.across, ..Change::default() };
            variants.extend(reach.cost_of(change).map(|cost| (change, cost)));
        }
        variants
    }
}
