//! From one layer of walks to the next: all moves of each, and the most promising of them.

use super::ends::NEARBY;
use super::{ALIKE, ASIDE, Arrival, CELLS, Candidate, KEPT, NEAR, NONE, Rank, Search, Seen, State};
use crate::library::graph::{Point, Spot};
use crate::math::{FloorPose, floor, wrap_angle};
use crate::plan::walk::{Start, WayRound};
use glam::Vec2;

impl Search<'_> {
    /// One move further with the walks of a layer.
    pub(super) fn step(&mut self, layer: std::ops::Range<usize>) -> std::ops::Range<usize> {
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

    pub(super) fn begin(&mut self) {
        let (start, corner) = (self.errand.start.pose(), self.guide.start());
        let turns = self.first_turns(start, corner);
        let state = |at: Point, turn: f32| State {
            take: at.take,
            frame: at.frame,
            spot: Spot::new(FloorPose { heading: start.heading + turn, ..start }),
            cost: self.cost_of_turn(turn),
            time: self.settings.turn.frames(turn, self.moves.rate) as u32,
            steps: 0,
            corner,
            parent: NONE,
            via: NONE,
        };
        self.states = match self.errand.start {
            Start::Walking { at, .. } => vec![state(at, 0.0)],
            Start::Standing(_) => {
                let from = |at: Point| turns.iter().map(move |turn| (at, *turn)).collect::<Vec<_>>();
                let moves = self.moves;
                let goes = |at: &Point| self.attempt.on_spot || !moves.takes[at.take as usize].on_spot;
                let passing = moves.anywhere().filter(|_| self.attempt.passes);
                let standing = moves.beginnings().filter(|_| !self.attempt.passes);
                standing.chain(passing).filter(goes).flat_map(from).map(|(at, turn)| state(at, turn)).collect()
            }
        };
    }

    /// Turns on the spot to begin with, radians: none, towards the way, twice to either side of that, and to a goal that is near.
    fn first_turns(&mut self, start: FloorPose, corner: u16) -> Vec<f32> {
        let mut turns = vec![0.0];
        let (_, along, _) = self.guide.left_from(start.position, corner);
        if !self.stands || along == Vec2::ZERO {
            return turns;
        }
        let towards = wrap_angle(floor::heading_of(along) - start.heading);
        let mut wanted: Vec<f32> = [0.0, 1.0, -1.0, 2.0, -2.0].iter().map(|sides| towards + sides * ASIDE).collect();
        // The way may lead round to face as one should; who is nearly there looks straight at the goal.
        let straight = self.errand.goal.place - start.position;
        if straight.length() < NEARBY {
            wanted.push(floor::heading_of(straight) - start.heading);
            // Or past the corner that he steps round.
            let ways = self.corners.iter().filter_map(|c| WayRound::new(start.position, *c, self.errand.goal.place));
            let near = ways.filter(|way| way.length() < NEARBY);
            wanted.extend(near.map(|way| floor::heading_of(way.at(0.0).1) - start.heading));
        }
        for turn in wanted.into_iter().map(wrap_angle) {
            let frames = self.settings.turn.frames(turn, self.moves.rate) as u32;
            let rate = self.moves.rate;
            let mut free = |frame: u32| self.guide.is_free(start.position, corner, frame as f32 / rate);
            // Something that moves may come by.
            if turn.abs() >= self.settings.turn.least && (!self.waits || (0..frames).all(&mut free)) {
                turns.push(turn);
            }
        }
        turns
    }

    /// What turning on the spot costs, metres.
    pub(super) fn cost_of_turn(&self, turn: f32) -> f32 {
        let frames = self.settings.turn.frames(turn, self.moves.rate) as u32;
        self.cost.turning(self.seconds(frames))
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
            if !self.attempt.on_spot && self.moves.takes[blend.to.take as usize].on_spot {
                continue;
            }
            let frames = blend.from.frame - state.frame + self.moves.blend;
            let length = take.length[blend.from.frame as usize] - start + blend.length;
            let spot = world_from_take.then(blend.end);
            let amiss = take.amiss(state.frame, blend.from.frame) + blend.amiss;
            let cost = state.cost
                + self.cost.stretch(length, self.seconds(frames))
                + self.cost.amiss(amiss)
                + self.cost.blend(blend.strain);
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
            let amiss = take.amiss(state.frame, frame);
            let cost = state.cost + self.cost.stretch(length, self.seconds(frames)) + self.cost.amiss(amiss);
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
        let lasts = self.seconds(state.time);
        let promise = state.cost + self.left(state.spot, left, along, corner) - self.cost.second * lasts;
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
        let mut ranks = std::mem::take(&mut self.ranks);
        ranks.clear();
        ranks.extend(candidates.iter().zip(0..).map(|(candidate, at)| Rank::of(candidate, at)));
        // By promise alone where that decides: candidates themselves stay where they are.
        let order = |a: &Rank, b: &Rank| {
            let of = |rank: &Rank| &candidates[rank.at as usize];
            a.promise.cmp(&b.promise).then_with(|| Candidate::order(of(a), of(b)))
        };
        let first = self.states.len();
        // Most of a layer is never asked for: it is put into order a part at a time.
        let mut rest = ranks.as_mut_slice();
        let mut part = KEPT * self.width;
        while !rest.is_empty() && self.states.len() < first + self.width {
            if part < rest.len() {
                rest.select_nth_unstable_by(part - 1, order);
            }
            let (now, later) = rest.split_at_mut(part.min(rest.len()));
            now.sort_unstable_by(order);
            for rank in now {
                let candidate = &candidates[rank.at as usize];
                if self.states.len() == first + self.width {
                    break;
                }
                let spot = candidate.state.spot;
                let sector = (spot.facing * 2.5).round().as_ivec2();
                let stands = self.moves.takes[candidate.state.take as usize].stands[candidate.state.frame as usize];
                let cell = (spot.place * CELLS).round().as_ivec2();
                let moment = if self.waits { candidate.state.time / (2.0 * self.moves.rate) as u32 } else { 0 };
                let key = (cell, sector, stands, moment + (self.guide.storey(candidate.state.corner) << 16));
                let cost = candidate.state.cost;
                let seen = self.seen.get(&key).copied().unwrap_or(Seen { least: cost, layer: first, count: 0 });
                let count = if seen.layer == first { seen.count } else { 0 };
                if cost < seen.least + self.cost.late && count < ALIKE && self.is_free(&candidate.state) {
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
        (self.candidates, self.ranks) = (candidates, ranks);
        first..self.states.len()
    }

    /// Whether the body has room all through the last move of a walk.
    pub(super) fn is_free(&mut self, state: &State) -> bool {
        let parent = self.states[state.parent as usize];
        let rate = self.moves.rate;
        // Most that hit something end there.
        if !self.guide.is_free(state.spot.place, state.corner, state.time as f32 / rate) {
            return false;
        }
        let way = self.way(state);
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
}
