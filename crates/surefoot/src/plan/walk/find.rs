//! Finding a walk along a path: many walks side by side, a move at a time, the most promising kept.
//!
//! A move plays on for a while and then, mostly, blends into something else. What is promising is what it has cost plus what is
//! left to go; of walks that have come to nearly the same place facing nearly the same way only the best goes on.

use super::guide::{FloorGuide, Guide, TubeGuide};
use super::moves::Moves;
use super::spot::Spot;
use super::{Goal, Room, Start, Surroundings, WalkPlan};
use crate::library::graph::{MotionGraph, Point};
use crate::math::{FloorPose, smoothstep};
use crate::motion::StepRamp;
use crate::plan::Path;
use crate::world::GrownMap;
use glam::{IVec2, Vec2};
use std::collections::HashMap;

/// How a walk is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FindWalk {
    /// The speed to walk at where there is a choice, m/s; `None` takes the graph's own.
    pub pace: Option<f32>,
    /// What is kept from obstacles beyond the body's radius, metres: holding feet moves a body a little.
    pub margin: f32,
    /// Walks that are followed side by side. Where none comes through, some moves are taken back and more followed from there.
    pub width: usize,
    /// Seconds that a take is played between blends, least and most.
    pub linger: [f32; 2],
    /// What one step may be changed by on arriving, metres and radians.
    pub per_step: (f32, f32),
    /// Steps before the end that may be changed, at most.
    pub last_steps: u32,
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
            width: 36,
            linger: [0.1, 0.5],
            per_step: (0.04, 4.0_f32.to_radians()),
            last_steps: 16,
            patience: 3,
            work: 4_000_000,
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// Walks that arrive, the best first; at most [`MOST`](Self::MOST).
    pub walks: Vec<WalkPlan>,
    /// Moves that were looked at.
    pub moves: usize,
}

impl Sought {
    /// The most walks that are told.
    pub const MOST: usize = 16;
}

/// Why there is no walk along a path.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
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

/// Not a blend; not a state.
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
    /// The guide's hint.
    corner: u16,
    parent: u32,
    /// The blend of the last move.
    via: u32,
}

/// A move that may be made.
#[derive(Clone, Copy)]
struct Candidate {
    /// What the walk would cost in all, by what is known.
    promise: f32,
    state: State,
}

impl Candidate {
    /// By promise; equals by where they come from, so that nothing depends on the order they were found in.
    fn order(a: &Self, b: &Self) -> std::cmp::Ordering {
        a.promise.total_cmp(&b.promise).then((a.state.parent, a.state.via).cmp(&(b.state.parent, b.state.via)))
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
}

/// Metres that facing the wrong way is worth, half of them for facing across.
const TURN: f32 = 1.2;
/// Metres that a blend is worth, and more for a strained one.
const BLEND: f32 = 0.06;
const STRAIN: f32 = 0.12;
/// Metres that changing a step is worth.
const CHANGE: f32 = 0.16;
/// How much more a metre at a wrong speed costs; see `Search::toll`.
const HASTE: f32 = 0.6;
/// Seconds within which a take must come to stand to be an end, and how long it stands then.
const STOPS: f32 = 2.6;
const SETTLE: f32 = 0.4;
/// Moves that are taken back where all walks are stuck, twice as many each time; how often; and moves beyond that place after
/// which all is well again.
const BACK: usize = 3;
const BACKS: usize = 4;
const BEYOND: usize = 3;
/// Moves that are put into order for each walk that is followed.
const KEPT: usize = 8;
/// Moves after which walks that come no nearer to the goal are taken back: enough to turn round on the spot.
const STALE: usize = 9;
/// Metres before the goal from which on ends are looked for.
const NEAR: f32 = 4.0;
/// Walks that come to a place this much later than the first are not followed, metres of cost; of those that come at once, only
/// so many.
const LATE: f32 = 2.0;
const ALIKE: u32 = 2;
/// Steps of which the last are changed without being noticed: a walk that needs no more is a good one.
const GOOD: f32 = 6.0;

impl FindWalk {
    /// Looks for walks from a start along a path to a goal, which is the path's end.
    ///
    /// # Errors
    /// If no walk comes through, or the graph has none.
    ///
    /// # Panics
    /// If the moves were made of another graph.
    pub fn run(
        &self,
        graph: &MotionGraph,
        moves: &Moves,
        around: Surroundings<'_>,
        path: &Path,
        errand: (Start, Goal),
    ) -> Result<Sought, NoWalk> {
        assert_eq!(moves.takes.len(), graph.takes.len(), "moves of another graph");
        if moves.blends.is_empty() {
            return Err(NoWalk::NothingToWalk);
        }
        let mut search = Search::new(self, moves, around, path, errand);
        search.run(self.work)?;
        let walks = search.arrivals.iter().map(|arrival| search.plan(graph, arrival)).collect();
        Ok(Sought { walks, moves: search.looked })
    }
}

struct Search<'a> {
    settings: &'a FindWalk,
    moves: &'a Moves,
    guide: Guide<'a>,
    errand: (Start, Goal),
    pace: f32,
    linger: [u32; 2],
    width: usize,
    states: Vec<State>,
    candidates: Vec<Candidate>,
    arrivals: Vec<Arrival>,
    looked: usize,
    nearest: (f32, Vec2),
    /// Which walks have come to a place, facing a way, standing or not; where something moves also when, in a tube on which
    /// stretch of it.
    seen: HashMap<(IVec2, IVec2, bool, u32), Seen>,
    /// Whether the same place may be free later.
    waits: bool,
    /// Whether the graph can stand.
    stands: bool,
    /// Moves that are kept at a time, and the promise from which on they are not looked at.
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

/// Spots of a move, in the world.
struct Way<'a> {
    world_from_take: Spot,
    spots: std::iter::Chain<std::slice::Iter<'a, Spot>, std::slice::Iter<'a, Spot>>,
}

impl Iterator for Way<'_> {
    type Item = Spot;

    fn next(&mut self) -> Option<Spot> {
        self.spots.next().map(|spot| self.world_from_take.then(*spot))
    }
}

impl<'a> Search<'a> {
    fn new(
        settings: &'a FindWalk,
        moves: &'a Moves,
        around: Surroundings<'a>,
        path: &Path,
        errand: (Start, Goal),
    ) -> Self {
        let guide = match around.room {
            Room::Floor(map) => {
                let mut corners: Vec<Vec2> = path.points().iter().map(|p| Vec2::new(p.x, p.z)).collect();
                if let Some(heading) = errand.1.heading {
                    face(&mut corners, map, heading);
                }
                // Where start or goal are nearer to something than the margin, so may the walk be.
                let room = |p: Vec2| map.map().clearance(p) - 1e-4;
                let ends = room(corners[0]).min(room(corners[corners.len() - 1]));
                let radius = (map.radius() + settings.margin).min(ends).max(map.radius());
                Guide::Floor(FloorGuide::new(around, map, radius, corners))
            }
            Room::Tube(tube, _) => Guide::Tube(TubeGuide::new(around, tube, settings.margin)),
        };
        let frames = |seconds: f32| (seconds * moves.rate).round().max(0.0) as u32;
        Self {
            settings,
            moves,
            guide,
            errand,
            pace: settings.pace.filter(|pace| *pace > 0.0).unwrap_or(moves.pace()),
            linger: [frames(settings.linger[0]), frames(settings.linger[1]).max(frames(settings.linger[0]) + 1)],
            width: settings.width.max(1),
            states: Vec::new(),
            candidates: Vec::new(),
            arrivals: Vec::new(),
            looked: 0,
            nearest: (path.length(), errand.0.pose().position),
            seen: HashMap::new(),
            waits: !around.moving.is_empty(),
            stands: moves.stands(),
            most: usize::MAX,
            cut: f32::INFINITY,
        }
    }

    fn run(&mut self, work: usize) -> Result<(), NoWalk> {
        self.begin();
        let mut layer = 0..self.states.len();
        let mut layers: Vec<std::ops::Range<usize>> = Vec::new();
        let mut since = 0;
        // Where the last walks ended, and how often.
        let (mut stuck, mut backed) = (0, 0);
        // The layer in which the walks last came nearer to the goal, and how near.
        let (mut came, mut left) = (0, f32::INFINITY);
        while self.looked < work {
            if self.nearest.0 < left - 0.5 {
                (came, left) = (layers.len(), self.nearest.0);
            }
            // Those that are left turn round and round on one spot: the others have died there.
            let dithers = left > NEAR && layers.len() > came + STALE && backed < BACKS;
            if layer.is_empty() || dithers {
                if dithers {
                    layers.truncate(came + 1);
                    came = layers.len() + STALE;
                }
                // Back to where there was a choice, and more walks from there.
                backed = if layers.len() <= stuck + BEYOND { backed + 1 } else { 1 };
                stuck = layers.len();
                if backed > BACKS || !self.arrivals.is_empty() {
                    break;
                }
                layers.truncate(stuck.saturating_sub(BACK << backed).max(1));
                layer = layers.pop().expect("the first layer stays");
                self.width = self.settings.width << (2 * backed);
            } else if layers.len() > stuck + BEYOND {
                self.width = self.settings.width;
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

    /// One move further with the walks of a layer.
    fn step(&mut self, layer: std::ops::Range<usize>) -> std::ops::Range<usize> {
        // Most moves are never asked for: only the best are kept, unless all of them hit something.
        for most in [2 * KEPT * self.width, usize::MAX] {
            self.candidates.clear();
            (self.most, self.cut) = (most, f32::INFINITY);
            for state in layer.clone() {
                self.expand(state as u32);
            }
            let next = self.select();
            if !next.is_empty() {
                return next;
            }
        }
        0..0
    }

    fn begin(&mut self) {
        let (spot, corner) = (Spot::new(self.errand.0.pose()), self.guide.start());
        let state = |at: Point| State {
            take: at.take,
            frame: at.frame,
            spot,
            cost: 0.0,
            time: 0,
            steps: 0,
            corner,
            parent: NONE,
            via: NONE,
        };
        let any = || {
            let takes = self.moves.takes.iter().enumerate();
            takes.filter_map(|(k, take)| {
                Some(Point { take: k as u32, frame: take.node_before(take.kept.as_ref()?.start, 0)? })
            })
        };
        self.states = match self.errand.0 {
            Start::Walking { at, .. } => vec![state(at)],
            Start::Standing(_) if self.moves.stands() => self.moves.standing().map(|(at, _)| state(at)).collect(),
            Start::Standing(_) => any().map(state).collect(),
        };
    }

    /// What a stretch of walking costs, metres: its length, where it goes at the pace that is wanted; more where it is slower,
    /// and a little more where it is faster.
    fn toll(&self, length: f32, frames: u32) -> f32 {
        let seconds = frames as f32 / self.moves.rate;
        let due = self.pace * seconds;
        0.5 * length + 0.5 * due + HASTE * (length - due).abs()
    }

    /// What is left of a walk: the way, and turning towards it.
    fn ahead(&self, state: &State) -> f32 {
        // The cell is known: it was looked at when the state was made.
        let (left, along) = self.guide.known(state.spot.place, state.corner);
        self.left(state.spot, left, along, state.corner)
    }

    fn left(&self, spot: Spot, left: f32, along: Vec2, corner: u16) -> f32 {
        let off = 0.5 * (1.0 - spot.facing.dot(along));
        let Some(heading) = self.errand.1.heading.filter(|_| self.guide.is_last(corner)) else {
            // Near a goal that may be faced any way, overshooting is what counts.
            return left + TURN * off;
        };
        let wanted = crate::math::floor::direction(heading);
        let askew = 0.5 * (1.0 - spot.facing.dot(wanted));
        let near = 1.0 - smoothstep(left / 1.5);
        left + TURN * (off + near * (askew - off))
    }

    /// All moves from a state.
    fn expand(&mut self, from: u32) {
        let state = self.states[from as usize];
        let take = &self.moves.takes[state.take as usize];
        let world_from_take = state.spot.then(take.at[state.frame as usize].inverse()).tidied();
        let Some(kept) = &take.kept else { return };
        let start = take.length[state.frame as usize];
        // The first move may leave at once: nothing has been blended yet.
        let least = if state.parent == NONE { 0 } else { self.linger[0] };
        let (first, last) = (state.frame + least, (state.frame + self.linger[1]).min(kept.end - 1));
        if first > last {
            return;
        }
        let blends = take.leaving[first as usize]..take.leaving[last as usize + 1];
        for via in blends {
            let blend = &self.moves.blends[via as usize];
            let frames = blend.from.frame - state.frame + self.moves.blend;
            let length = take.length[blend.from.frame as usize] - start + blend.length;
            let spot = world_from_take.then(blend.end);
            let cost = state.cost + self.toll(length, frames) + BLEND + STRAIN * blend.strain;
            self.candidate(State {
                take: blend.to.take,
                frame: blend.to.frame,
                spot,
                cost,
                time: state.time + frames,
                steps: state.steps + take.steps(state.frame, blend.from.frame) + blend.steps,
                corner: state.corner,
                parent: from,
                via,
            });
        }
        // Just playing on; only to nodes, which most frames are.
        if let Some(frame) = take.played_on(state.frame, last) {
            let frames = frame - state.frame;
            let length = take.length[frame as usize] - start;
            let cost = state.cost + self.toll(length, frames);
            self.candidate(State {
                frame,
                spot: world_from_take.then(take.at[frame as usize]),
                cost,
                time: state.time + frames,
                steps: state.steps + take.steps(state.frame, frame),
                parent: from,
                via: NONE,
                ..state
            });
        }
    }

    fn candidate(&mut self, mut state: State) {
        self.looked += 1;
        let (left, along, corner) = self.guide.left_from(state.spot.place, state.corner);
        state.corner = corner;
        // An end is worth a look even where the walk that leads to it would not be followed.
        if left < NEAR
            && !self.walks_through()
            && self.is_last_stretch(&state)
            && let Some(stop) = self.stop(state).filter(|_| self.is_free(&state))
        {
            self.states.push(state);
            self.keep(Arrival { state: self.states.len() as u32 - 1, ..stop });
        }
        let promise = state.cost + self.left(state.spot, left, along, corner);
        if promise >= self.cut {
            return;
        }
        self.candidates.push(Candidate { promise, state });
        if self.candidates.len() == self.most {
            let half = self.most / 2;
            self.cut = self.candidates.select_nth_unstable_by(half, Candidate::order).1.promise;
            self.candidates.truncate(half);
        }
    }

    /// Whether a walk's take comes to stand.
    fn is_last_stretch(&self, state: &State) -> bool {
        self.moves.takes[state.take as usize].comes_to_stand(state.frame).is_some()
    }

    /// The most promising moves that keep the body free, no two to nearly the same place facing nearly the same way.
    fn select(&mut self) -> std::ops::Range<usize> {
        let mut candidates = std::mem::take(&mut self.candidates);
        let order = Candidate::order;
        let first = self.states.len();
        // Most of a layer is never asked for: it is put into order a part at a time.
        let mut rest = candidates.as_mut_slice();
        let mut part = KEPT * self.width;
        while !rest.is_empty() && self.states.len() < first + self.width {
            if part < rest.len() {
                rest.select_nth_unstable_by(part - 1, order);
            }
            let (now, later) = rest.split_at_mut(part.min(rest.len()));
            now.sort_unstable_by(order);
            for candidate in now {
                if self.states.len() == first + self.width {
                    break;
                }
                let spot = candidate.state.spot;
                let sector = (spot.facing * 2.5).round().as_ivec2();
                let stands = self.moves.takes[candidate.state.take as usize].stands[candidate.state.frame as usize];
                let cell = (spot.place * 5.0).round().as_ivec2();
                let moment = if self.waits { candidate.state.time / (2.0 * self.moves.rate) as u32 } else { 0 };
                let key = (cell, sector, stands, moment + (self.guide.storey(candidate.state.corner) << 16));
                let cost = candidate.state.cost;
                let seen = self.seen.get(&key).copied().unwrap_or(Seen { least: cost, layer: first, count: 0 });
                let count = if seen.layer == first { seen.count } else { 0 };
                if cost < seen.least + LATE && count < ALIKE && self.is_free(&candidate.state) {
                    self.seen.insert(key, Seen { least: seen.least.min(cost), layer: first, count: count + 1 });
                    self.states.push(candidate.state);
                    let (left, _) = self.guide.known(spot.place, candidate.state.corner);
                    if left < self.nearest.0 {
                        self.nearest = (left, spot.place);
                    }
                }
            }
            rest = later;
            part *= 4;
        }
        candidates.clear();
        self.candidates = candidates;
        first..self.states.len()
    }

    /// Whether the body has room all through the last move of a walk.
    fn is_free(&mut self, state: &State) -> bool {
        let parent = self.states[state.parent as usize];
        let rate = self.moves.rate;
        // Most that hit something end there.
        if !self.guide.is_free(state.spot.place, state.corner, state.time as f32 / rate) {
            return false;
        }
        let way: Way<'_> = self.way(state);
        let mut frame = parent.time;
        for spot in way {
            frame += 1;
            // Every other frame, and the last: a body goes a few centimetres in between, less than the margin bears.
            if frame.is_multiple_of(2) && !self.guide.is_free(spot.place, parent.corner, frame as f32 / rate) {
                return false;
            }
        }
        true
    }

    /// Whether walks go on through the goal: because they should, or because nothing in the graph stands.
    fn walks_through(&self) -> bool {
        !(self.errand.1.stop && self.stands)
    }

    /// Ends that a walk can have.
    fn arrive(&mut self, state: u32) {
        let at = self.states[state as usize];
        if !self.guide.is_near_goal(at.spot.place, at.corner, NEAR) {
            return;
        }
        if !self.walks_through() {
            if let Some(stop) = self.stop(at) {
                self.keep(Arrival { state, ..stop });
            }
        } else if at.parent != NONE {
            self.pass(state, at);
        }
    }

    /// Playing on until the take stands.
    fn stop(&mut self, at: State) -> Option<Arrival> {
        let frames = |seconds: f32| (seconds * self.moves.rate).round() as u32;
        let take = &self.moves.takes[at.take as usize];
        let stands = take.comes_to_stand(at.frame).filter(|stands| *stands <= at.frame + frames(STOPS))?;
        let end = (stands..take.stands.len() as u32).find(|f| !take.stands[*f as usize]);
        let last = (stands + frames(SETTLE)).min(end.unwrap_or(take.stands.len() as u32) - 1);
        let last = take.node_before(last, stands)?;
        let world_from_take = at.spot.then(take.at[at.frame as usize].inverse()).tidied();
        let spot = world_from_take.then(take.at[last as usize]);
        let length = take.length[last as usize] - take.length[at.frame as usize];
        let cost = at.cost + 0.5 * length + 0.5 * self.pace * (last - at.frame) as f32 / self.moves.rate;
        let steps = at.steps + take.steps(at.frame, last);
        let (cost, changed) = self.arrival_cost(spot, cost, steps)?;
        if self.arrivals.len() == Sought::MOST && self.arrivals[Sought::MOST - 1].cost <= cost {
            return None;
        }
        // Where the last foot comes down all changes are made.
        let landed = at.time + take.last_strike(at.frame, last).map_or(0, |strike| strike - at.frame);
        let on: Vec<Vec2> = take.at[at.frame as usize + 1..=last as usize]
            .iter()
            .map(|spot| world_from_take.then(*spot).place)
            .collect();
        self.is_free_changed(at, &on, landed, spot, changed).then_some(Arrival {
            state: NONE,
            on: last - at.frame,
            short: 0,
            spot,
            cost,
            changed,
        })
    }

    /// How a change is spread over the last `steps` steps of a walk that plays on for some frames and lands its last foot in frame
    /// `landed`, and the first frame of it; `None` if there are not so many.
    fn ramp(&self, at: &State, on: u32, landed: u32, steps: f32) -> Option<(StepRamp, u32)> {
        let wanted = (steps.ceil() as usize).max(4) + 1;
        let take = &self.moves.takes[at.take as usize];
        let mut strikes: Vec<u32> = Vec::with_capacity(wanted + 4);
        strikes.extend((1..=on).rev().filter(|k| take.steps(at.frame + k - 1, at.frame + k) > 0).map(|k| at.time + k));
        if strikes.first() != Some(&landed) {
            strikes.insert(0, landed);
        }
        let mut here = *at;
        while here.parent != NONE && strikes.len() < wanted {
            let parent = self.states[here.parent as usize];
            let take = &self.moves.takes[parent.take as usize];
            let mut own: Vec<u32> = Vec::new();
            let leaves = self.moves.blends.get(here.via as usize).map_or(here.frame, |blend| blend.from.frame);
            own.extend(
                (parent.frame + 1..=leaves)
                    .filter(|f| take.steps(f - 1, *f) > 0)
                    .map(|f| parent.time + f - parent.frame),
            );
            if let Some(blend) = self.moves.blends.get(here.via as usize) {
                // The side that counts for more tells.
                let (left, half) = (parent.time + leaves - parent.frame, self.moves.blend / 2);
                own.extend((1..=half).filter(|k| take.steps(leaves + k - 1, leaves + k) > 0).map(|k| left + k));
                let into = &self.moves.takes[blend.to.take as usize];
                let start = blend.to.frame - self.moves.blend;
                let later = half + 1..=self.moves.blend;
                own.extend(later.filter(|k| into.steps(start + k - 1, start + k) > 0).map(|k| left + k));
            }
            strikes.extend(own.iter().rev());
            here = parent;
        }
        strikes.dedup();
        strikes.retain(|strike| *strike > 0 && *strike <= landed);
        strikes.truncate(wanted);
        if strikes.len() < 2 {
            return None;
        }
        strikes.reverse();
        let first = strikes[0];
        Some((StepRamp::new(strikes.into_iter().map(|strike| strike as usize).collect()), first))
    }

    /// Whether a walk is free whose last steps are changed so that it ends at the goal: the places of its last frames, `on`
    /// and those before, shifted more and more until frame `landed`.
    fn is_free_changed(&mut self, at: State, on: &[Vec2], landed: u32, end: Spot, steps: f32) -> bool {
        let (shift, _) = self.errand.1.missed_by(end.pose());
        let Some(ramp) = self.ramp(&at, on.len() as u32, landed, steps) else { return false };
        let (ramp, first) = (&ramp.0, ramp.1);
        let share = |frame: u32| ramp.share(frame as usize);
        let rate = self.moves.rate;
        for (k, place) in on.iter().enumerate() {
            let frame = at.time + k as u32 + 1;
            if !self.guide.is_free(*place + share(frame) * shift, at.corner, frame as f32 / rate) {
                return false;
            }
        }
        let mut here = at;
        while here.parent != NONE && here.time > first {
            let parent = self.states[here.parent as usize];
            let places: Vec<Vec2> = self.way(&here).map(|spot| spot.place).collect();
            for (k, place) in places.iter().enumerate().step_by(2) {
                let frame = parent.time + k as u32 + 1;
                if !self.guide.is_free(*place + share(frame) * shift, parent.corner, frame as f32 / rate) {
                    return false;
                }
            }
            here = parent;
        }
        true
    }

    /// Passing through the goal in the last move.
    fn pass(&mut self, state: u32, at: State) {
        let parent = self.states[at.parent as usize];
        let spots: Vec<Spot> = self.way(&at).collect();
        let total = spots.len();
        for (k, spot) in spots.into_iter().enumerate() {
            let cost = parent.cost + (at.cost - parent.cost) * (k + 1) as f32 / total as f32;
            let Some((cost, changed)) = self.arrival_cost(spot, cost, parent.steps + 1) else { continue };
            if self.is_free_changed(at, &[], parent.time + k as u32 + 1, spot, changed) {
                self.keep(Arrival { state, on: 0, short: (total - 1 - k) as u32, spot, cost, changed });
            }
        }
    }

    /// What an end costs that misses the goal by a little, and the steps that must be changed; `None` if it cannot be brought
    /// there.
    fn arrival_cost(&self, spot: Spot, cost: f32, steps: u32) -> Option<(f32, f32)> {
        let (shift, turn) = self.errand.1.missed_by(spot.pose());
        let (far, round) = self.settings.per_step;
        // Changes begin and end smoothly, which takes one step more.
        let changed = 1.0 + (shift.length() / far).max(turn.abs() / round);
        // From one foot's coming down to another's: one less than there are.
        let most = steps.saturating_sub(1).min(self.settings.last_steps);
        (changed <= most as f32).then_some((cost + CHANGE * changed, changed))
    }

    /// Where the body is in the frames of a walk's last move.
    fn way(&self, state: &State) -> Way<'a> {
        let parent = self.states[state.parent as usize];
        let moves = self.moves;
        let take = &moves.takes[parent.take as usize];
        let world_from_take = parent.spot.then(take.at[parent.frame as usize].inverse()).tidied();
        let (leaves, blended) = match moves.blends.get(state.via as usize) {
            Some(blend) => (blend.from.frame, blend.way.as_slice()),
            None => (state.frame, [].as_slice()),
        };
        let played = &take.at[parent.frame as usize + 1..=leaves as usize];
        Way { world_from_take, spots: played.iter().chain(blended) }
    }

    fn keep(&mut self, arrival: Arrival) {
        let place = self.arrivals.partition_point(|other| other.cost <= arrival.cost);
        if place < Sought::MOST {
            self.arrivals.insert(place, arrival);
            self.arrivals.truncate(Sought::MOST);
        }
    }

    fn plan(&self, graph: &MotionGraph, arrival: &Arrival) -> WalkPlan {
        let mut chain = vec![arrival.state];
        while self.states[chain[chain.len() - 1] as usize].parent != NONE {
            chain.push(self.states[chain[chain.len() - 1] as usize].parent);
        }
        chain.reverse();
        let mut edges = Vec::new();
        for pair in chain.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|k| self.states[k as usize]);
            if to.via == NONE {
                self.moves.along(graph, from.take, from.frame, to.frame, &mut edges);
            } else {
                let blend = &self.moves.blends[to.via as usize];
                self.moves.along(graph, from.take, from.frame, blend.from.frame, &mut edges);
                edges.push(blend.edge);
            }
        }
        let last = self.states[arrival.state as usize];
        self.moves.along(graph, last.take, last.frame, last.frame + arrival.on, &mut edges);
        WalkPlan {
            start: self.errand.0.pose(),
            edges,
            frames: (last.time + arrival.on - arrival.short) as usize + 1,
            end: FloorPose { ..arrival.spot.tidied().pose() },
            cost: arrival.cost,
        }
    }
}

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
        let (along, distance) = super::moves::towards(before, from);
        let gentle = along.dot(wanted) > -0.2 && distance > run_up;
        if gentle && map.is_free(from) && map.segment_is_free(from, goal) && map.segment_is_free(before, from) {
            corners.insert(count - 1, from);
            return;
        }
    }
}
