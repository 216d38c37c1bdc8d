//! Steering: the next move of a character that someone drives, decided within a fixed amount of work.

use super::{Start, Surroundings};
use crate::library::graph::{EdgeId, MotionGraph, Moves, Next, Point, Spot};
use crate::math::{FloorPose, floor};
use glam::Vec2;

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
    /// Its place among those found with it.
    order: usize,
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
    /// the graph: `width` walks at each of `depth` steps. Allocates nothing once the character's lists have grown.
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
        driven.walks.clear();
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
            // By what a second costs, so that long and short moves compare; equal ones as they came, since a stable sort allocates.
            let rank = |ahead: &Ahead| ahead.cost / ahead.frames.max(1) as f32;
            let by_rank = |a: &Ahead, b: &Ahead| rank(a).total_cmp(&rank(b)).then(a.order.cmp(&b.order));
            let width = self.width.max(1);
            // Only the best go on: the others need no order.
            if width < driven.next.len() {
                driven.next.select_nth_unstable_by(width, by_rank);
                driven.next.truncate(width);
            }
            driven.next.sort_unstable_by(by_rank);
            best = driven.next.first().copied();
            std::mem::swap(&mut driven.walks, &mut driven.next);
        }
        driven.edges.clear();
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

    /// All moves of a walk that hit nothing.
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
            out.push(Ahead { at: next.to, spot, cost, frames: walk.frames + count, first, order: out.len() });
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
