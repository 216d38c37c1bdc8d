//! The search of the thesis (Alankuş 2005), to compare with: subgoal by subgoal, best first by `(2 - cos θ) d`.
//!
//! Beyond the thesis, every frame keeps the body free, a state near one that was expanded is not expanded again, and a subgoal
//! that cannot be reached sends the search back to the one before it.

use super::guide::{FloorGuide, Guide, TubeGuide, towards};
use super::{Errand, FreeSpace, NoWalk, Start, Surroundings, WalkCandidates, WalkPlan};
use crate::library::graph::{MotionGraph, Moves, Point, Spot};
use crate::plan::Path;
use glam::{IVec2, Vec2};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// How subgoals are followed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct FollowSubgoals {
    /// Metres between subgoals, at most.
    pub spacing: f32,
    /// Metres from a subgoal at which it is reached.
    pub reached: f32,
    /// States that are expanded for one subgoal before it is given up.
    pub patience: usize,
    /// States that are expanded in all, at most.
    pub work: usize,
}

impl Default for FollowSubgoals {
    fn default() -> Self {
        Self { spacing: 2.0, reached: 0.5, patience: 20_000, work: 2_000_000 }
    }
}

/// Instead of a number: none.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct State {
    at: Point,
    spot: Spot,
    time: u32,
    /// Where along the path it is, for the guide.
    hint: u16,
    parent: u32,
    /// The blend that led here; else the take was played on.
    via: u32,
}

/// The search for one subgoal: what is still to be expanded, by fitness.
#[derive(Default)]
struct Stage {
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    closed: HashSet<(Point, IVec2, IVec2)>,
    expanded: usize,
}

impl FollowSubgoals {
    /// Looks for a walk from a start along a path to within [`reached`](Self::reached) of its end, facing any way.
    ///
    /// # Errors
    /// If no walk comes through within the work, or the graph has none.
    pub fn run(
        &self,
        graph: &MotionGraph,
        around: Surroundings<'_>,
        path: &Path,
        errand: Errand,
    ) -> Result<WalkCandidates, NoWalk> {
        let Errand { start, goal } = errand;
        let moves = graph.moves();
        if moves.blends.is_empty() {
            return Err(NoWalk::NothingToWalk);
        }
        let flat = |p: glam::Vec3| Vec2::new(p.x, p.z);
        let even = path.resampled(self.spacing.max(0.1));
        let subgoals: Vec<Vec2> = even.points().iter().skip(1).map(|p| flat(*p)).collect();
        let subgoals = if subgoals.is_empty() { vec![goal.place] } else { subgoals };
        let mut guide = match around.space {
            FreeSpace::Floor(map) => {
                let corners = path.points().iter().map(|p| flat(*p)).collect();
                Guide::Floor(FloorGuide::new(around, map, map.radius(), corners))
            }
            FreeSpace::Tube(tube, _) => Guide::Tube(TubeGuide::new(around, tube, 0.0)),
        };
        let hint = guide.start();
        let spot = Spot::new(start.pose());
        let points: Vec<Point> = match start {
            Start::Walking { at, .. } => vec![at],
            Start::Standing(_) => moves.beginnings().collect(),
        };
        let mut states: Vec<State> =
            points.into_iter().map(|at| State { at, spot, time: 0, hint, parent: NONE, via: NONE }).collect();
        let mut first = Stage::default();
        for k in 0..states.len() as u32 {
            first.queue.push(Reverse((fitness(spot, subgoals[0]), k)));
        }
        let mut stages = vec![first];
        let (mut looked, mut best) = (0, (path.length(), spot.place));
        while looked < self.work {
            let subgoal = stages.len() - 1;
            let Some(stage) = stages.last_mut() else { break };
            let Some(Reverse((_, k))) = stage.queue.pop().filter(|_| stage.expanded < self.patience) else {
                // Back up: the stage before goes on where it was left.
                stages.pop();
                if stages.is_empty() {
                    break;
                }
                continue;
            };
            let state = states[k as usize];
            if state.spot.place.distance(subgoals[subgoal]) < self.reached {
                if subgoal + 1 == subgoals.len() {
                    let plan = plan(graph, moves, &states, k, start);
                    return Ok(WalkCandidates { walks: vec![plan], moves: looked });
                }
                let mut next = Stage::default();
                next.queue.push(Reverse((fitness(state.spot, subgoals[subgoal + 1]), k)));
                stages.push(next);
                continue;
            }
            let cell = (state.spot.place * 4.0).round().as_ivec2();
            let sector = (state.spot.facing * 2.5).round().as_ivec2();
            if !stage.closed.insert((state.at, cell, sector)) {
                continue;
            }
            stage.expanded += 1;
            looked += 1;
            let (left, _, hint) = guide.left_from(state.spot.place, state.hint);
            if left < best.0 {
                best = (left, state.spot.place);
            }
            for next in moves.nexts(state.at) {
                let (spots, world_from_take) = moves.way(state.at, state.spot, next.leaves, next.via);
                let mut frame = state.time;
                let mut last = state.spot;
                let free = spots.map(|spot| world_from_take.then(*spot)).all(|spot| {
                    frame += 1;
                    last = spot;
                    guide.is_free(spot.place, hint, frame as f32 / moves.rate)
                });
                if free {
                    let via = next.via.unwrap_or(NONE);
                    states.push(State { at: next.to, spot: last.tidied(), time: frame, hint, parent: k, via });
                    let stage = stages.last_mut().expect("there is one");
                    stage.queue.push(Reverse((fitness(last, subgoals[subgoal]), states.len() as u32 - 1)));
                }
            }
        }
        Err(NoWalk::Stuck { reached: best.1, left: best.0 })
    }
}

/// `(2 - cos θ) d`, as bits that have its order.
fn fitness(spot: Spot, subgoal: Vec2) -> u32 {
    let (along, distance) = towards(spot.place, subgoal);
    ((2.0 - spot.facing.dot(along)) * distance).max(0.0).to_bits()
}

fn plan(graph: &MotionGraph, moves: &Moves, states: &[State], end: u32, start: Start) -> WalkPlan {
    let mut chain = vec![end];
    while states[chain[chain.len() - 1] as usize].parent != NONE {
        chain.push(states[chain[chain.len() - 1] as usize].parent);
    }
    chain.reverse();
    let mut edges = Vec::new();
    for pair in chain.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|k| states[k as usize]);
        match moves.blends.get(to.via as usize) {
            Some(blend) => edges.push(blend.edge),
            None => moves.along(graph, from.at.take, from.at.frame, to.at.frame, &mut edges),
        }
    }
    let last = states[end as usize];
    WalkPlan {
        first_steps: None,
        turns_first: 0.0,
        start: start.pose(),
        edges,
        frames: last.time as usize + 1,
        end: last.spot.pose(),
        turns_last: 0.0,
        round: None,
        stops: false,
        cost: last.time as f32 / moves.rate,
    }
}
