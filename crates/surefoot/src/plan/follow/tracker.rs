//! How a move of a graph goes along a path, with legs of the length that they have by then.

use super::{LEAST, NoPathWalk, PathSearch, PathWalk};
use crate::foot::WayStep;
use crate::library::graph::{Moves, Point, Spot};
use crate::math::floor;
use crate::motion::ScaleClock;
use crate::plan::Path;
use glam::Vec2;

/// Instead of a number: none.
pub(super) const NONE: u32 = u32::MAX;

/// A walk as far as it has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tracked {
    /// The node it is at.
    pub(super) at: Point,
    /// Where the root is, and the unit vector that it faces.
    pub(super) place: Vec2,
    pub(super) facing: Vec2,
    /// Where the root would be without sway.
    calm: Vec2,
    /// The way of that, metres.
    pub(super) walked: f32,
    /// Seconds of the finished walk.
    time: f32,
    /// Squared distances from the path, added up over frames, m².
    pub(super) error: f64,
    /// Frames of the graph.
    frames: u32,
    /// The piece of the path that it is on.
    piece: u32,
    /// The walk that it goes on from.
    parent: u32,
    /// The frame of that one's take up to which it was played, and the blend that followed.
    leaves: u32,
    pub(super) via: u32,
}

/// A path over the floor.
pub(super) struct Line {
    pub(super) points: Vec<Vec2>,
    /// From the start to each point, metres.
    pub(super) lengths: Vec<f32>,
}

impl Line {
    pub(super) fn new(path: &Path) -> Self {
        let mut points: Vec<Vec2> = path.points().iter().map(|p| floor::of_point((*p).into())).collect();
        points.dedup();
        let mut total = 0.0_f64;
        let mut lengths = vec![0.0];
        for pair in points.windows(2) {
            total += f64::from(pair[0].distance(pair[1]));
            lengths.push(total as f32);
        }
        Self { points, lengths }
    }

    pub(super) fn length(&self) -> f32 {
        self.lengths[self.lengths.len() - 1]
    }

    /// The point at a length, or the end of it that is nearer.
    pub(super) fn at(&self, walked: f32) -> Vec2 {
        let piece = self.lengths.partition_point(|length| *length < walked).clamp(1, self.points.len() - 1) - 1;
        self.on(piece, walked)
    }

    /// The point at a length that is on a piece, or the end of that.
    fn on(&self, piece: usize, walked: f32) -> Vec2 {
        let span = (self.lengths[piece + 1] - self.lengths[piece]).max(f32::MIN_POSITIVE);
        let share = ((walked - self.lengths[piece]) / span).clamp(0.0, 1.0);
        self.points[piece].lerp(self.points[piece + 1], share)
    }
}

/// Goes along a path with moves of a graph.
pub(super) struct Tracker<'a> {
    search: PathSearch<'a>,
    moves: &'a Moves,
    clock: &'a ScaleClock,
    line: Line,
    /// Frames that a take is played, least and most.
    linger: [u32; 2],
    /// Seconds between frames of the graph.
    dt: f32,
    /// Moves that were looked at.
    pub(super) looked: usize,
}

/// Seconds of a take over which the way that it goes is looked at.
const GOES: f32 = 0.5;
/// A body that comes less far than this in that time stands, and goes where it faces, metres.
const STANDS: f32 = 0.1;

impl<'a> Tracker<'a> {
    pub(super) fn new(search: &PathSearch<'a>, linger: [f32; 2]) -> Result<Self, NoPathWalk> {
        let moves = search.graph.moves();
        if moves.blends.is_empty() {
            return Err(NoPathWalk::NothingToWalk);
        }
        let line = Line::new(search.path);
        if line.length() < LEAST {
            return Err(NoPathWalk::Short { length: line.length() });
        }
        let frames = |seconds: f32| (seconds * moves.rate).round() as u32;
        let linger = [frames(linger[0]), frames(linger[1]).max(1)];
        let (clock, dt) = (search.clock, 1.0 / moves.rate);
        Ok(Self { search: *search, moves, clock, line, linger, dt, looked: 0 })
    }

    /// The length of the path, metres.
    pub(super) fn length(&self) -> f32 {
        self.line.length()
    }

    /// Walks that begin at the start of the path and go its way.
    pub(super) fn begin(&self) -> Vec<Tracked> {
        let points = &self.line.points;
        let along = (points[1] - points[0]).normalize_or(Vec2::Y);
        let ahead = (GOES * self.moves.rate).round() as usize;
        let scale = self.clock.at(0.0).scale;
        let state = |at: Point| {
            let take = &self.moves.takes[at.take as usize];
            let steps = self.search.ways.take(at.take);
            let calm = |frame: usize| take.at[frame].place + steps[frame].sway;
            let (from, to) = (at.frame as usize, (at.frame as usize + ahead).min(take.at.len() - 1));
            let goes = calm(to) - calm(from);
            let own = take.at[from].facing;
            let goes = if goes.length() > STANDS { goes.normalize_or(own) } else { own };
            // Turned so that it goes along the path.
            let turn =
                Spot { place: Vec2::ZERO, facing: along }.then(Spot { place: Vec2::ZERO, facing: goes }.inverse());
            let sway = turn.turned(steps[from].sway + (scale - 1.0) * steps[from].swung_sway);
            Tracked {
                at,
                place: points[0] - sway,
                facing: turn.turned(own),
                calm: points[0],
                walked: 0.0,
                time: 0.0,
                error: 0.0,
                frames: 0,
                piece: 0,
                parent: NONE,
                leaves: at.frame,
                via: NONE,
            }
        };
        self.moves.beginnings().map(state).collect()
    }

    /// All walks that go one move further than one, which is number `k`: a take is played, and left by any blend on the way. Those
    /// whose error comes to `most` are left out.
    pub(super) fn expand(&mut self, k: u32, state: &Tracked, most: f64, children: &mut Vec<Tracked>) {
        // Who has just been blended plays on for a while.
        let least = if state.via == NONE { 0 } else { self.linger[0] };
        let (moves, ways) = (self.moves, self.search.ways);
        let take = &moves.takes[state.at.take as usize];
        let Some(kept) = &take.kept else { return };
        let own = Spot { place: Vec2::ZERO, facing: take.at[state.at.frame as usize].facing };
        let world_from_take = Spot { place: Vec2::ZERO, facing: state.facing }.then(own.inverse()).tidied();
        let facing = |own: Vec2| world_from_take.turned(own).normalize_or(state.facing);
        let last = (state.at.frame + self.linger[1]).min(kept.end.saturating_sub(1));
        let on = take.played_on(state.at.frame, last);
        let steps = ways.take(state.at.take);
        let mut walk = Tracked { parent: k, via: NONE, leaves: state.at.frame, ..*state };
        for frame in state.at.frame..=last.max(on.unwrap_or(0)) {
            if frame > state.at.frame {
                self.go(&mut walk, &steps[frame as usize], world_from_take);
                walk.leaves = frame;
                if walk.error >= most {
                    return;
                }
            }
            if walk.walked >= self.length() {
                // Played on to its end, wherever nodes are.
                self.looked += 1;
                children.push(Tracked { facing: facing(take.at[frame as usize].facing), ..walk });
                return;
            }
            if on == Some(frame) {
                self.looked += 1;
                let at = Point { frame, ..state.at };
                children.push(Tracked { at, facing: facing(take.at[frame as usize].facing), ..walk });
            }
            if frame < state.at.frame + least || frame > last {
                continue;
            }
            for via in take.leaving[frame as usize]..take.leaving[frame as usize + 1] {
                let blend = &moves.blends[via as usize];
                let mut child = Tracked { at: blend.to, via, facing: facing(blend.end.facing), ..walk };
                self.looked += 1;
                for step in ways.blend(via) {
                    self.go(&mut child, step, world_from_take);
                    if child.error >= most || child.walked >= self.length() {
                        break;
                    }
                }
                if child.error < most {
                    children.push(child);
                }
            }
        }
    }

    /// One frame further.
    #[inline]
    fn go(&self, walk: &mut Tracked, step: &WayStep, world_from_take: Spot) {
        let now = self.clock.at(walk.time);
        let mut moved = step.moved + (now.scale - 1.0) * step.swung;
        let mut scale = now.scale;
        if !self.clock.is_steady() {
            walk.time += self.dt / now.rate_of(step.gain);
            scale = self.clock.at(walk.time).scale;
            moved -= (scale - now.scale) * step.grown;
        }
        walk.place += world_from_take.turned(moved);
        let sway = step.sway + (scale - 1.0) * step.swung_sway;
        let calm = walk.place + world_from_take.turned(sway);
        walk.walked += calm.distance(walk.calm);
        walk.calm = calm;
        let last = self.line.points.len() as u32 - 2;
        while walk.piece < last && self.line.lengths[walk.piece as usize + 1] < walk.walked {
            walk.piece += 1;
        }
        walk.error += f64::from(calm.distance_squared(self.line.on(walk.piece as usize, walk.walked)));
        walk.frames += 1;
    }

    /// How far a walk's end is off the path and its way, squared metres, for the next frames.
    pub(super) fn astray(&self, state: &Tracked) -> f64 {
        let off = state.calm.distance_squared(self.line.on(state.piece as usize, state.walked));
        let k = state.piece as usize;
        let along = (self.line.points[k + 1] - self.line.points[k]).normalize_or(Vec2::Y);
        f64::from(off + ASKEW * (1.0 - state.facing.dot(along)))
    }

    /// Drops states that nothing goes on from any more, when there are many; numbers change.
    pub(super) fn tidy(&self, states: &mut Vec<Tracked>, stack: &mut [u32], found: Option<&mut u32>) {
        if states.len() < MANY {
            return;
        }
        let mut used = vec![false; states.len()];
        for k in stack.iter().copied().chain(found.as_deref().copied()) {
            let mut k = k;
            while k != NONE && !used[k as usize] {
                used[k as usize] = true;
                k = states[k as usize].parent;
            }
        }
        let mut numbers = vec![NONE; states.len()];
        let mut kept: Vec<Tracked> = Vec::new();
        // Parents come before their children.
        for (k, state) in states.iter().enumerate().filter(|(k, _)| used[*k]) {
            numbers[k] = kept.len() as u32;
            let parent = if state.parent == NONE { NONE } else { numbers[state.parent as usize] };
            kept.push(Tracked { parent, ..*state });
        }
        stack.iter_mut().chain(found).for_each(|k| *k = numbers[*k as usize]);
        *states = kept;
    }

    /// The walk that a state ends.
    pub(super) fn walk(&self, states: &[Tracked], end: u32, bound: f64, complete: bool) -> PathWalk {
        let mut chain = vec![end];
        while states[chain[chain.len() - 1] as usize].parent != NONE {
            chain.push(states[chain[chain.len() - 1] as usize].parent);
        }
        chain.reverse();
        let mut edges = Vec::new();
        for pair in chain.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|k| states[k as usize]);
            self.moves.along(self.search.graph, from.at.take, from.at.frame, to.leaves, &mut edges);
            edges.extend(self.moves.blends.get(to.via as usize).map(|blend| blend.edge));
        }
        let (first, last) = (states[chain[0] as usize], states[end as usize]);
        PathWalk {
            start: Spot { place: first.place, facing: first.facing }.pose(),
            edges,
            frames: last.frames as usize + 1,
            error: last.error,
            bound,
            moves: self.looked,
            complete,
        }
    }
}

/// So many states are tidied up.
const MANY: usize = 1 << 20;

/// What facing across the path counts as, squared metres.
const ASKEW: f32 = 0.15;
