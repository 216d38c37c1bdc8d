//! Finding a walk along a path: many walks side by side, a move at a time, the most promising kept.
//!
//! A move plays on for a while and then, mostly, blends into something else. What is promising is what it has cost plus what is
//! left to go; of walks that have come to nearly the same place facing nearly the same way only the best goes on.

mod cost;
mod ends;
mod layers;
mod retry;

use super::first_steps::outside;
use super::guide::{FloorGuide, Guide, TubeGuide};
use super::{Errand, FreeSpace, Surroundings, TurnOnSpot, WalkPlan};
use crate::library::graph::{MotionGraph, Moves, Point, Spot};
use crate::plan::Path;
use crate::world::GrownMap;
use cost::Cost;
use glam::{IVec2, Vec2};
use retry::{Advice, Attempt, Progress, Retry};
pub(crate) use retry::{PathTry, Tried};
use std::collections::HashMap;

/// How a walk is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct FindWalk {
    /// The speed to walk at where there is a choice, m/s; `None` takes the graph's own.
    pub pace: Option<f32>,
    /// What is kept from obstacles beyond the body's radius, metres: holding feet moves a body a little.
    pub margin: f32,
    /// Cost of going without looking there, metres of walking for each metre that is gone so; in leaps four times as much.
    pub sidling: f32,
    /// Walks that are followed side by side. Where none comes through, some moves are taken back and more followed from there.
    pub width: usize,
    /// Seconds that a take is played between blends, least and most.
    pub linger: [f32; 2],
    /// How far one step may be shifted on arriving, metres.
    pub shift_per_step: f32,
    /// How far one step may be turned on arriving, radians.
    pub turn_per_step: f32,
    /// Steps before the end that may be changed, at most.
    pub last_steps: u32,
    /// How a character turns on the spot, before it walks and after, where its graph can stand.
    pub turn: TurnOnSpot,
    /// Moves after the first arrival in which a better one is looked for.
    pub patience: usize,
    /// Moves that are looked at, at most.
    pub work: usize,
}

impl Default for FindWalk {
    fn default() -> Self {
        Self {
            pace: None,
            margin: 0.03,
            sidling: 6.0,
            width: 36,
            linger: [0.1, 0.5],
            shift_per_step: 0.04,
            turn_per_step: 4.0_f32.to_radians(),
            last_steps: 16,
            turn: TurnOnSpot::default(),
            patience: 3,
            work: 4_000_000,
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkCandidates {
    /// Walks that arrive, the best first; at most [`MOST`](Self::MOST).
    pub walks: Vec<WalkPlan>,
    /// Moves that were looked at.
    pub moves: usize,
}

impl WalkCandidates {
    /// The most walks that are told.
    pub const MOST: usize = 16;
}

/// Why there is no walk along a path.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoWalk {
    /// Nothing in the graph holds together.
    #[error("nothing in the motion graph can be walked on")]
    NothingToWalk,
    /// No move keeps the body free, or none arrives.
    #[error(
        "no walk of this motion graph comes through: the nearest ends {left:.2} m before the goal, at {:.2},{:.2}",
        reached.x, reached.y
    )]
    Stuck {
        /// The nearest place to the goal along the path that was reached, (x, z), metres.
        reached: Vec2,
        /// What was left to go there, metres.
        left: f32,
    },
}

/// Instead of the number of a blend or a state: there is none.
const NONE: u32 = u32::MAX;

/// A walk so far: its last move.
#[derive(Clone, Copy)]
struct State {
    take: u32,
    frame: u32,
    spot: Spot,
    cost: f32,
    /// Frames walked.
    time: u32,
    /// Steps taken: feet that came down.
    steps: u32,
    /// Where along the path it is, as the guide of the search tells it.
    corner: u16,
    parent: u32,
    /// The blend of the last move.
    via: u32,
}

/// A move that may be made.
#[derive(Clone, Copy)]
struct Candidate {
    /// What the walk would cost in all, by what is known, less a little for each second that it has lasted.
    promise: f32,
    state: State,
}

impl Candidate {
    /// By promise; equals by where they come from, so that nothing depends on the order they were found in.
    fn order(a: &Self, b: &Self) -> std::cmp::Ordering {
        a.promise.total_cmp(&b.promise).then((a.state.parent, a.state.via).cmp(&(b.state.parent, b.state.via)))
    }
}

/// Where a candidate is, with what tells its order in most cases.
#[derive(Clone, Copy)]
struct Rank {
    /// Its promise, as a whole number in the same order.
    promise: i32,
    at: u32,
}

impl Rank {
    fn of(candidate: &Candidate, at: u32) -> Self {
        // As `f32::total_cmp` does: of negative numbers all bits but the sign are the other way round.
        let bits = candidate.promise.to_bits().cast_signed();
        Self { promise: bits ^ ((bits >> 31).cast_unsigned() >> 1).cast_signed(), at }
    }
}

/// An end of a walk.
#[derive(Clone, Copy)]
struct Arrival {
    state: u32,
    /// Frames of the state's take to play on.
    on: u32,
    /// Frames of the last move to leave out.
    short: u32,
    spot: Spot,
    cost: f32,
    /// Steps that must be changed.
    changed: f32,
    /// The turn on the spot after it, radians.
    turn: f32,
    /// The corner that is stepped round before that.
    round: Option<Vec2>,
}

/// First turns on the spot may also end this much beside the direction of the way, radians: a door may be better taken at an angle.
const ASIDE: f32 = 0.6;
/// The way is bent by this much at most to face as one should when one stops, radians; beyond that one turns on the spot.
const BEND: f32 = 0.5;
/// A walk may end in a take that comes to stand within this time, seconds.
const STOPS: f32 = 2.6;
/// Time that a walk stands at its end, seconds.
const SETTLE: f32 = 0.4;
/// Metres before the goal from which on ends are looked for.
const NEAR: f32 = 4.0;
/// A walk that ends at the goal by changing no more than this many of its last steps is good: nobody notices so little a step.
const GOOD: f32 = 6.0;
/// Moves that are sorted at a time, for each walk that is followed.
const KEPT: usize = 8;
/// At most so many walks are followed that come to nearly the same place with the same number of moves.
const ALIKE: u32 = 2;
/// Cells a metre within which places are nearly the same. Coarser ones leave too few ways to step through a door.
const CELLS: f32 = 12.0;

impl FindWalk {
    /// The same for a path that is tried so.
    #[must_use]
    pub(crate) fn trying(&self, one: PathTry) -> Self {
        let sidling = if one.stricter { PathTry::STRICTER * self.sidling } else { self.sidling };
        let work = if one.spare { self.work / PathTry::LESS_WORK } else { self.work };
        Self { width: self.width << one.doublings, sidling, work, ..*self }
    }

    /// Looks for walks from a start along a path to a goal, which is the path's end.
    ///
    /// # Errors
    /// If no walk comes through, or the graph has none.
    pub fn run(
        &self,
        graph: &MotionGraph,
        around: Surroundings<'_>,
        path: &Path,
        errand: Errand,
    ) -> Result<WalkCandidates, NoWalk> {
        let moves = graph.moves();
        if moves.blends.is_empty() {
            return Err(NoWalk::NothingToWalk);
        }
        let retry = Retry::default();
        let mut looked = 0;
        let mut failure = NoWalk::NothingToWalk;
        let wider = Self { width: retry.whole_wider * self.width, ..*self };
        let attempts = Attempt::all(errand.goal.stop && moves.stands());
        let found = attempts.into_iter().find_map(|attempt| {
            let settings = if attempt.wide { &wider } else { self };
            let mut search = Search::new(settings, moves, around, path, errand).trying(attempt);
            let found = search.run(self.work);
            looked += search.looked;
            found.map_err(|why| failure = why).is_ok().then_some(search)
        });
        let mut search = found.ok_or(failure)?;
        let halts = search.halts() > retry.halts;
        if !search.attempt.wide && (halts || search.idles(retry.nearer) > retry.idle) {
            let mut again = Search::new(&wider, moves, around, path, errand).trying(search.attempt);
            let found = again.run(self.work).is_ok();
            looked += again.looked;
            let goes_on = || halts && again.halts() <= retry.halts;
            if found && (again.arrivals[0].cost < search.arrivals[0].cost || goes_on()) {
                search = again;
            }
        }
        let walks = search.arrivals.iter().map(|arrival| search.plan(graph, arrival)).collect();
        Ok(WalkCandidates { walks, moves: looked })
    }
}

struct Search<'a> {
    settings: &'a FindWalk,
    moves: &'a Moves,
    guide: Guide<'a>,
    errand: Errand,
    cost: Cost,
    /// Places past which a near goal may be stepped to: corners of the path, and a little outside of them.
    corners: Vec<Vec2>,
    linger: [u32; 2],
    width: usize,
    states: Vec<State>,
    candidates: Vec<Candidate>,
    ranks: Vec<Rank>,
    arrivals: Vec<Arrival>,
    looked: usize,
    nearest: (f32, Vec2),
    /// Which walks have come to a place, facing a way, standing or not; where something moves also when, in a tube on which
    /// stretch of it.
    seen: HashMap<(IVec2, IVec2, bool, u32), Seen>,
    /// Whether something moves, so that a place that is taken may be free later.
    waits: bool,
    /// Whether the graph can stand.
    stands: bool,
    /// Which kind of walk is looked for.
    attempt: Attempt,
    /// How many candidates are kept at a time, and the promise from which on further ones are dropped.
    most: usize,
    cut: f32,
}

/// Walks that have come to nearly the same place facing nearly the same way.
#[derive(Clone, Copy)]
struct Seen {
    /// The least that one of them had cost.
    least: f32,
    /// The first state of the last layer in which some came, and how many.
    layer: usize,
    count: u32,
}

impl<'a> Search<'a> {
    fn new(settings: &'a FindWalk, moves: &'a Moves, around: Surroundings<'a>, path: &Path, errand: Errand) -> Self {
        let guide = match around.space {
            FreeSpace::Floor(map) => {
                let mut corners: Vec<Vec2> = path.points().iter().map(|p| Vec2::new(p.x, p.z)).collect();
                if let Some(heading) = errand.goal.heading {
                    face(&mut corners, map, heading);
                }
                // Where start or goal are nearer to something than the margin, so may the walk be.
                let room = |p: Vec2| map.map().clearance(p) - 1e-4;
                let ends = room(corners[0]).min(room(corners[corners.len() - 1]));
                let radius = (map.radius() + settings.margin).min(ends).max(map.radius());
                Guide::Floor(FloorGuide::new(around, map, radius, corners))
            }
            FreeSpace::Tube(tube, _) => Guide::Tube(TubeGuide::new(around, tube, settings.margin)),
        };
        let frames = |seconds: f32| (seconds * moves.rate).round().max(0.0) as u32;
        Self {
            settings,
            moves,
            guide,
            errand,
            cost: Cost::at(settings.pace.filter(|pace| *pace > 0.0).unwrap_or(moves.pace()), settings.sidling),
            corners: around_corners(path),
            linger: [frames(settings.linger[0]), frames(settings.linger[1]).max(frames(settings.linger[0]) + 1)],
            width: settings.width.max(1),
            states: Vec::new(),
            candidates: Vec::new(),
            ranks: Vec::new(),
            arrivals: Vec::new(),
            looked: 0,
            nearest: (path.length(), errand.start.pose().position),
            seen: HashMap::new(),
            waits: !around.moving.is_empty(),
            stands: moves.stands(),
            attempt: Attempt::default(),
            most: usize::MAX,
            cut: f32::INFINITY,
        }
    }

    /// Looks for walks of some kind. One that is in the middle of a turn on the spot goes on from there.
    fn trying(mut self, attempt: Attempt) -> Self {
        let start = self.errand.start;
        let turns = matches!(start, super::Start::Walking { at, .. } if self.moves.takes[at.take as usize].on_spot);
        self.attempt = Attempt { on_spot: attempt.on_spot || turns, ..attempt };
        self
    }

    fn run(&mut self, work: usize) -> Result<(), NoWalk> {
        self.begin();
        let mut layer = 0..self.states.len();
        let mut layers: Vec<std::ops::Range<usize>> = Vec::new();
        let mut since = 0;
        let mut progress = Progress::new(Retry::default());
        while self.looked < work {
            match progress.advise(layers.len(), self.nearest.0, layer.is_empty(), !self.arrivals.is_empty()) {
                Advice::GoOn { usual_width: true } => self.width = self.settings.width,
                Advice::GoOn { usual_width: false } => {}
                Advice::Back { layers: to, doublings } => {
                    layers.truncate(to);
                    layer = layers.pop().expect("the first layer stays");
                    self.width = self.settings.width << doublings;
                }
                Advice::GiveUp => break,
            }
            layers.push(layer.clone());
            if layers.len() == 1 || self.walks_through() {
                for state in layer.clone() {
                    self.arrive(state as u32);
                }
            }
            if let Some(best) = self.arrivals.first() {
                let promise = |k: usize| self.states[k].cost + self.ahead(&self.states[k]);
                let least = layer.clone().map(promise).fold(f32::MAX, f32::min);
                let wait = if best.changed <= GOOD { 1 } else { 3 } * self.settings.patience;
                if since >= wait || best.cost <= least {
                    return Ok(());
                }
                since += 1;
            }
            layer = self.step(layer);
        }
        if self.arrivals.is_empty() {
            return Err(NoWalk::Stuck { reached: self.nearest.1, left: self.nearest.0 });
        }
        Ok(())
    }

    fn seconds(&self, frames: u32) -> f32 {
        frames as f32 / self.moves.rate
    }

    /// What is left of a walk: the way, and turning towards it.
    fn ahead(&self, state: &State) -> f32 {
        // The cell is known: it was looked at when the state was made.
        let (left, along) = self.guide.known(state.spot.place, state.corner);
        self.left(state.spot, left, along, state.corner)
    }

    fn left(&self, spot: Spot, left: f32, along: Vec2, corner: u16) -> f32 {
        let wanted = self.errand.goal.heading.filter(|_| self.guide.is_last(corner));
        self.cost.left(left, along, spot.facing, wanted.map(crate::math::floor::direction))
    }

    /// Where the body is in the frames of a walk's last move.
    fn way(&self, state: &State) -> impl Iterator<Item = Spot> + use<'a> {
        let parent = self.states[state.parent as usize];
        let via = Some(state.via).filter(|via| *via != NONE);
        let leaves = via.map_or(state.frame, |via| self.moves.blends[via as usize].from.frame);
        let at = Point { take: parent.take, frame: parent.frame };
        let (spots, world_from_take) = self.moves.way(at, parent.spot, leaves, via);
        spots.map(move |spot| world_from_take.then(*spot))
    }
}

/// The corners of a path, (x, z), metres, and places outside of them; none of a path with many, which leads to no near goal.
fn around_corners(path: &Path) -> Vec<Vec2> {
    let points: Vec<Vec2> = path.points().iter().map(|p| Vec2::new(p.x, p.z)).collect();
    if points.len() > MOST_POINTS {
        return Vec::new();
    }
    points.windows(3).flat_map(outside).collect()
}

/// A path of more points than this leads to no goal that is stepped to.
const MOST_POINTS: usize = 6;

/// Leads the last corner of a path to its end from behind, metres, as far as there is room.
const RUN_UP: [f32; 3] = [1.6, 1.1, 0.7];

/// Lets a path end in a direction, by one more corner, where that is no great detour: who would have to turn round does so at the
/// end.
fn face(corners: &mut Vec<Vec2>, map: &GrownMap, heading: f32) {
    let count = corners.len();
    if count < 2 {
        return;
    }
    let (before, goal) = (corners[count - 2], corners[count - 1]);
    let wanted = crate::math::floor::direction(heading);
    for run_up in RUN_UP {
        let from = goal - run_up * wanted;
        let (along, distance) = super::guide::towards(before, from);
        let gentle = along.dot(wanted) > -0.2 && distance > run_up;
        if gentle && map.is_free(from) && map.segment_is_free(from, goal) && map.segment_is_free(before, from) {
            corners.insert(count - 1, from);
            return;
        }
    }
}
