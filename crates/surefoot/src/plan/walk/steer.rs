//! Steering: the next move of a character that someone drives, decided within a fixed amount of work.

use super::{Start, Surroundings};
use crate::library::graph::{EdgeId, MotionGraph, Moves, Next, Point, Spot};
use crate::math::{FloorPose, floor};
use glam::Vec2;
use std::cmp::Ordering;

/// Room for so many walks is taken at once, at most; lists of wider searches grow as they go.
const ROOM_AT_FIRST: usize = 4096;

/// What the one who steers wants.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wish {
    /// Where to go and how fast, (x, z), m/s in the world. Zero is to stand.
    pub velocity: Vec2,
    /// The way to face, radians, left positive; where the character goes, if `None`.
    pub heading: Option<f32>,
}

/// How moves are decided.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Steer {
    /// First moves that are looked at further, at most: those that fit the wish best.
    pub width: usize,
    /// How many moves ahead are looked at.
    pub depth: usize,
    /// Seconds that a take is played before it is left again, least and most.
    pub linger: [f32; 2],
    /// Cost of a second of facing away from where one should, metres; half of it for facing across.
    pub turn: f32,
    /// Cost of a blend, metres; up to twice that for one whose two sides are as far apart as the graph allows.
    pub blend: f32,
}

impl Default for Steer {
    fn default() -> Self {
        Self { width: 12, depth: 3, linger: [0.1, 0.35], turn: 0.5, blend: 0.03 }
    }
}

/// A driven character: where it is in the graph and in the world. Held by the caller.
#[derive(Clone, Debug)]
pub struct Driven {
    /// The node it is at: take and frame.
    pub at: Point,
    /// Where it is and faces.
    pub pose: FloorPose,
    /// Seconds since it started.
    pub time: f32,
    /// Whether it has just been blended and must play on for a while.
    fresh: bool,
    walks: Vec<Ahead>,
    next: Vec<Ahead>,
    edges: Vec<EdgeId>,
}

/// A walk that is looked at.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    at: Point,
    spot: Spot,
    cost: f32,
    frames: u32,
    first: FirstMove,
    /// How many were looked at up to it: of equal walks the first counts.
    order: usize,
}

impl Ahead {
    /// By what a second costs, so that long and short moves compare; equal ones as they came, since a stable sort allocates.
    fn by_rank(&self, other: &Self) -> Ordering {
        let rank = |ahead: &Self| ahead.cost / ahead.frames.max(1) as f32;
        rank(self).total_cmp(&rank(other)).then(self.order.cmp(&other.order))
    }
}

/// The first move of a walk: playing on to a frame, and a blend there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct FirstMove {
    to: u32,
    via: Option<u32>,
}

/// What was decided: edges to play from where the character was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decided<'a> {
    /// Edges that follow each other, kept by the character until the next decision; empty if every move would hit something.
    pub edges: &'a [EdgeId],
    /// Frames that they take.
    pub frames: usize,
    /// Moves that were looked at.
    pub looked: usize,
}

impl Driven {
    /// A character at a start; standing, it takes the first stand of the graph.
    ///
    /// # Panics
    /// If the graph has nothing to walk on.
    #[must_use]
    pub fn new(graph: &MotionGraph, start: Start) -> Self {
        let at = match start {
            Start::Walking { at, .. } => at,
            Start::Standing(_) => graph.moves().beginnings().next().expect("the graph can be walked on"),
        };
        let (walks, next, edges) = (Vec::new(), Vec::new(), Vec::new());
        Self { at, pose: start.pose(), time: 0.0, fresh: false, walks, next, edges }
    }
}

impl Steer {
    /// Decides the next move and makes it: the character is at its end afterwards. Looks at a bounded number of moves, whatever
    /// the graph: `width` walks at each of `depth` steps. Allocates at a character's first decision only.
    ///
    /// # Panics
    /// If the character is at no node of the graph.
    pub fn run<'a>(
        &self,
        graph: &MotionGraph,
        around: Option<Surroundings<'_>>,
        driven: &'a mut Driven,
        wish: &Wish,
    ) -> Decided<'a> {
        let moves = graph.moves();
        let mut looked = 0;
        let nothing = FirstMove { to: driven.at.frame, via: None };
        let here =
            Ahead { at: driven.at, spot: Spot::new(driven.pose), cost: 0.0, frames: 0, first: nothing, order: 0 };
        // Lists are as long as they can become from the first decision on.
        driven.walks.clear();
        let room = self.room().min(ROOM_AT_FIRST);
        driven.walks.reserve(room);
        driven.next.clear();
        driven.next.reserve(room);
        let played = (self.linger[1].max(self.linger[0]) * moves.rate).max(0.0) as usize;
        driven.edges.clear();
        driven.edges.reserve(played.min(graph.frames()).saturating_add(3));
        driven.walks.push(here);
        let mut best: Option<Ahead> = None;
        for depth in 0..self.depth.max(1) {
            driven.next.clear();
            for walk in &driven.walks {
                let fresh = if depth == 0 { driven.fresh } else { true };
                self.expand(
                    moves,
                    around,
                    (walk, depth == 0, fresh),
                    (driven.time, wish),
                    &mut driven.next,
                    &mut looked,
                );
            }
            if driven.next.is_empty() {
                break;
            }
            self.keep_best(&mut driven.next);
            driven.next.sort_unstable_by(Ahead::by_rank);
            best = driven.next.first().copied();
            std::mem::swap(&mut driven.walks, &mut driven.next);
        }
        let Some(best) = best else { return Decided { edges: &driven.edges, frames: 0, looked } };
        let FirstMove { to, via } = best.first;
        moves.along(graph, driven.at.take, driven.at.frame, to, &mut driven.edges);
        let take = &moves.takes[driven.at.take as usize];
        let world_from_take = Spot::new(driven.pose).then(take.at[driven.at.frame as usize].inverse());
        let mut frames = (to - driven.at.frame) as usize;
        let spot = match via {
            Some(via) => {
                let blend = &moves.blends[via as usize];
                driven.edges.push(blend.edge);
                frames += moves.blend as usize;
                driven.at = blend.to;
                world_from_take.then(blend.end)
            }
            None => {
                driven.at.frame = to;
                world_from_take.then(take.at[to as usize])
            }
        };
        driven.fresh = via.is_some();
        driven.pose = spot.tidied().pose();
        driven.time += frames as f32 / moves.rate;
        Decided { edges: &driven.edges, frames, looked }
    }

    /// The most walks that are held at once: twice as many as go on.
    fn room(&self) -> usize {
        self.width.max(1).saturating_mul(2)
    }

    /// Only the best go on: the others need no order.
    fn keep_best(&self, walks: &mut Vec<Ahead>) {
        let width = self.width.max(1);
        if width < walks.len() {
            walks.select_nth_unstable_by(width, Ahead::by_rank);
            walks.truncate(width);
        }
    }

    /// The best of all moves of a walk that hit nothing, added to those of other walks.
    fn expand(
        &self,
        moves: &Moves,
        around: Option<Surroundings<'_>>,
        (walk, is_first, fresh): (&Ahead, bool, bool),
        (time, wish): (f32, &Wish),
        out: &mut Vec<Ahead>,
        looked: &mut usize,
    ) {
        let frames = |seconds: f32| (seconds * moves.rate).round().max(0.0) as u32;
        let least = if fresh { frames(self.linger[0]) } else { 0 };
        let most = frames(self.linger[1]).max(least + 1);
        // Near the end of a take there is no time to linger.
        let least = if moves.nexts_within(walk.at, least, most).next().is_some() { least } else { 0 };
        for next in moves.nexts_within(walk.at, least, most) {
            *looked += 1;
            let (mut spots, world_from_take) = moves.way(walk.at, walk.spot, next.leaves, next.via);
            let count = spots.clone().count() as u32;
            let start = time + walk.frames as f32 / moves.rate;
            let mut frame = 0;
            let free = around.is_none_or(|around| {
                spots.all(|spot| {
                    frame += 1;
                    let place = world_from_take.then(*spot).place;
                    frame % 3 != 0 || around.is_free(place, around.radius(), start + frame as f32 / moves.rate)
                })
            });
            if !free || count == 0 {
                continue;
            }
            let spot = world_from_take.then(next.end);
            let cost = walk.cost + self.cost(moves, walk.spot, spot, count, &next, wish);
            let own = FirstMove { to: next.leaves, via: next.via };
            let first = if is_first { own } else { walk.first };
            if out.len() == self.room() {
                self.keep_best(out);
            }
            out.push(Ahead { at: next.to, spot, cost, frames: walk.frames + count, first, order: *looked });
        }
    }

    fn cost(&self, moves: &Moves, from: Spot, to: Spot, frames: u32, next: &Next, wish: &Wish) -> f32 {
        let seconds = frames as f32 / moves.rate;
        let off = (to.place - from.place - wish.velocity * seconds).length();
        let wanted = match wish.heading {
            Some(heading) => floor::direction(heading),
            None => wish.velocity.normalize_or_zero(),
        };
        let facing = if wanted == Vec2::ZERO { 0.0 } else { 0.5 * (1.0 - to.facing.dot(wanted)) };
        let strain = next.via.map_or(0.0, |via| 1.0 + moves.blends[via as usize].strain);
        off + self.turn * facing * seconds + self.blend * strain
    }
}
