//! Ends of walks: where they may stop or pass, what must be changed for that, and the walk that leads there.

use super::{Arrival, BEND, NEAR, NONE, SETTLE, STOPS, Search, State, WalkCandidates};
use crate::library::graph::{MotionGraph, Spot};
use crate::math::{floor, wrap_angle};
use crate::motion::StepRamp;
use crate::plan::walk::{WalkPlan, WayRound};
use glam::Vec2;
use std::f32::consts::FRAC_PI_2;

/// An end that a walk can have, before it is brought to the goal.
struct Ending {
    at: State,
    /// Frames of its take to play on.
    on: u32,
    /// Its last frame, and that in which the last foot comes down.
    last: u32,
    landed: u32,
    spot: Spot,
    cost: f32,
    steps: u32,
}

/// Goals nearer than this are stepped to, metres: with starts and stops, no walk is so short.
pub(super) const NEARBY: f32 = 2.2;
/// The same of goals that are not faced.
const NEARBY_ASIDE: f32 = 1.0;

/// Who goes slower than this share of the pace halts.
const SLOW: f32 = 0.25;

/// How often the number of steps over which a change is spread is raised: bending the way shifts its end, which takes more steps.
const BEND_TRIES: usize = 4;

impl Search<'_> {
    /// Whether walks go on through the goal: because they should, nothing in the graph stands, or no stop comes to be there.
    pub(super) fn walks_through(&self) -> bool {
        self.attempt.passes || !(self.errand.goal.stop && self.stands)
    }

    /// Ends that a walk can have.
    pub(super) fn arrive(&mut self, state: u32) {
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
    pub(super) fn stop(&mut self, at: State) -> Option<Arrival> {
        let frames = |seconds: f32| (seconds * self.moves.rate).round() as u32;
        let take = &self.moves.takes[at.take as usize];
        let stands = take.comes_to_stand(at.frame).filter(|stands| *stands <= at.frame + frames(STOPS))?;
        let end = (stands..take.stands.len() as u32).find(|f| !take.stands[*f as usize]);
        let still = (stands + frames(SETTLE)).min(end.unwrap_or(take.stands.len() as u32) - 1);
        let last = take.node_before(still, stands)?;
        if at.parent == NONE && last == at.frame {
            // A walk plays something: up to the next node, of which it leaves out what does not stand.
            let on = take.played_on(at.frame, at.frame)? - at.frame;
            let (last, spot) = (at.time + still.min(at.frame + on) - at.frame, at.spot);
            let cost = at.cost + self.cost.calm_stretch(0.0, self.seconds(last - at.time));
            return self.step_aside(&Ending { at, on, last, landed: last, spot, cost, steps: 0 });
        }
        let world_from_take = at.spot.then(take.at[at.frame as usize].inverse()).tidied();
        let spot = world_from_take.then(take.at[last as usize]);
        let length = take.length[last as usize] - take.length[at.frame as usize];
        let cost = at.cost
            + self.cost.calm_stretch(length, self.seconds(last - at.frame))
            + self.cost.amiss(take.amiss(at.frame, last));
        // Where the last foot comes down all changes are made.
        let landed = at.time + take.last_strike(at.frame, last).map_or(0, |strike| strike - at.frame);
        let steps = at.steps + take.steps(at.frame, last);
        let ending = Ending { at, on: last - at.frame, last: at.time + last - at.frame, landed, spot, cost, steps };
        let (_, turn) = self.errand.goal.missed_by(spot.pose());
        let bent = if turn.abs() <= BEND { self.bring(&ending, 0.0) } else { None };
        let turned = if turn.abs() >= self.settings.turn.least { self.bring(&ending, turn) } else { None };
        let stepped = if at.parent == NONE { self.step_aside(&ending) } else { None };
        let cheaper = |a: Arrival, b: Arrival| if b.cost < a.cost { b } else { a };
        bent.into_iter().chain(turned).chain(stepped).reduce(cheaper)
    }

    /// Stepping to a goal that is near, and turning there or on the way: a walk would be longer than that. Only from where it begins.
    fn step_aside(&mut self, ending: &Ending) -> Option<Arrival> {
        let (missing, turn) = self.errand.goal.missed_by(ending.spot.pose());
        let far = missing.length();
        let facing = ending.spot.facing;
        if far > NEARBY || (far > NEARBY_ASIDE && !self.settings.turn.goes_ahead(0.0, missing, facing)) {
            return None;
        }
        let goal = self.errand.goal.place;
        if !self.is_free_on(ending, far, |share| ending.spot.place + missing * share) {
            return self.step_round(ending, goal);
        }
        let aside = self.settings.turn.is_aside(far);
        let [steps, turns] = if aside {
            [self.settings.turn.effort(turn, missing, facing), 0.0]
        } else {
            [self.settings.turn.effort(0.0, missing, facing), turn]
        };
        // Who goes farther than a step looks there.
        let askew = if aside { 0.0 } else { 0.5 * (1.0 - facing.dot(missing / far)) };
        let cost = ending.cost + self.cost_of_turn(steps) + self.cost_of_turn(turns) + self.cost.askew(askew);
        // No turn is none to the plan; who steps aside turns a little.
        let turn = if turn == 0.0 { 1e-3 } else { turn };
        let short = ending.at.time + ending.on - ending.last;
        let (on, spot) = (ending.on, ending.spot);
        Some(Arrival { state: NONE, on, short, spot, cost, changed: 0.0, turn, round: None })
    }

    /// Stepping to a goal that is near round one corner that is before it, and turning there.
    fn step_round(&mut self, ending: &Ending, goal: Vec2) -> Option<Arrival> {
        let (from, facing) = (ending.spot.place, ending.spot.facing);
        let corners = self.corners.clone();
        let ways = corners.into_iter().filter_map(|corner| Some((corner, WayRound::new(from, corner, goal)?)));
        let near = ways.filter(|(_, way)| way.length() < NEARBY && self.settings.turn.faces(way.at(0.0).1, facing));
        let (corner, way) = near.collect::<Vec<_>>().into_iter().find(|(_, way)| {
            // Where the body fits is known to the margin at which the corner may be.
            self.is_free_on(ending, way.length(), |share| way.at(share).0)
        })?;
        let there = floor::heading_of(way.at(1.0).1);
        let turn = self.errand.goal.heading.map_or(0.0, |heading| wrap_angle(heading - there));
        let steps = self.cost_of_turn(self.settings.turn.effort_ahead(way.length()));
        let askew = self.cost.askew(0.5 * (1.0 - facing.dot(way.at(0.0).1)));
        let cost = ending.cost + steps + self.cost_of_turn(turn) + askew;
        let short = ending.at.time + ending.on - ending.last;
        let (on, spot, turn) = (ending.on, ending.spot, if turn == 0.0 { 1e-3 } else { turn });
        Some(Arrival { state: NONE, on, short, spot, cost, changed: 0.0, turn, round: Some(corner) })
    }

    /// Whether the body has room all along a way of some metres that begins where a walk ends; `at` is the place after a share of it.
    fn is_free_on(&mut self, ending: &Ending, metres: f32, at: impl Fn(f32) -> Vec2) -> bool {
        let seconds = ending.last as f32 / self.moves.rate;
        let parts = (metres / 0.05).ceil().max(1.0);
        (0..=parts as u32).all(|k| self.guide.is_free(at(k as f32 / parts), ending.at.corner, seconds))
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

    /// The last frames of a walk, from frame `first` on: where the body is, and the guide's hint there.
    fn last_places(&self, ending: &Ending, first: u32) -> Vec<(Vec2, u16)> {
        let mut back: Vec<(Vec2, u16)> = Vec::with_capacity((ending.last + 1 - first) as usize);
        let at = ending.at;
        let take = &self.moves.takes[at.take as usize];
        let world_from_take = at.spot.then(take.at[at.frame as usize].inverse()).tidied();
        let on = take.at[at.frame as usize + 1..=(at.frame + ending.on) as usize].iter().rev();
        back.extend(on.map(|spot| (world_from_take.then(*spot).place, at.corner)));
        let mut here = at;
        // A walk that goes on through its end arrives within its last move.
        let mut skip = (at.time + ending.on - ending.last) as usize;
        while here.parent != NONE && here.time > first {
            let parent = self.states[here.parent as usize];
            let mut places: Vec<Vec2> = self.way(&here).map(|spot| spot.place).collect();
            places.truncate(places.len() - skip);
            skip = 0;
            let fresh = (here.time - first.max(parent.time)) as usize;
            let drop = places.len().saturating_sub(fresh.max(1));
            back.extend(places[drop..].iter().rev().map(|place| (*place, parent.corner)));
            here = parent;
        }
        if here.time >= first {
            back.push((here.spot.place, here.corner));
        }
        back.truncate((ending.last + 1 - first) as usize);
        back.reverse();
        back
    }

    /// An end that is brought to the goal: by changing its last steps, the way bent by what it faces wrong, or by `turn`ing
    /// on the spot afterwards (radians, unless 0). `None` if that is more than is allowed, hits something, or is known to be
    /// worse than others.
    fn bring(&mut self, ending: &Ending, turn: f32) -> Option<Arrival> {
        let (missing, askew) = self.errand.goal.missed_by(ending.spot.pose());
        let bend = if turn == 0.0 { askew } else { 0.0 };
        let (far, round) = (self.settings.shift_per_step, self.settings.turn_per_step);
        // From one foot's coming down to another's: one less than there are.
        let most = ending.steps.saturating_sub(1).min(self.settings.last_steps) as f32;
        // Changes begin and end smoothly, which takes one step more.
        let needed = |shift: Vec2| 1.0 + (shift.length() / far).max(bend.abs() / round);
        let least = 1.0 + bend.abs() / round;
        let base = ending.cost + self.cost_of_turn(turn);
        let full = self.arrivals.len() == WalkCandidates::MOST;
        if full && self.arrivals[WalkCandidates::MOST - 1].cost <= base + self.cost.changed(least) {
            return None;
        }
        let arrival = |cost: f32, changed: f32| Arrival {
            state: NONE,
            on: ending.on,
            short: ending.at.time + ending.on - ending.last,
            spot: ending.spot,
            cost,
            changed,
            turn,
            round: None,
        };
        // Steps of a turn on the spot lead to the goal, too.
        if turn != 0.0 && missing.length() <= far * 2.0 * self.settings.turn.rounds(turn) as f32 && most < 2.0 {
            let goal = self.errand.goal.place;
            let seconds = ending.last as f32 / self.moves.rate;
            let free = self.guide.is_free(goal, ending.at.corner, seconds);
            return free.then(|| arrival(base + self.cost.changed(missing.length() / far), 0.0));
        }
        // Bending a straight way turns its end aside by about half of what is bent: most ends are too far off for that.
        let bent = 0.5 * least * self.moves.step_length() * bend;
        let aside = bent * floor::turned(ending.spot.facing, FRAC_PI_2 - 0.5 * bend);
        if least > most || (missing - aside).length() > far * (most - 1.0) + aside.length() {
            return None;
        }
        let mut changed = if bend == 0.0 { needed(missing) } else { least };
        for _ in 0..BEND_TRIES {
            if changed > most {
                return None;
            }
            let (ramp, first) = self.ramp(&ending.at, ending.on, ending.landed, changed)?;
            let places = self.last_places(ending, first);
            let shares: Vec<f32> = (0..places.len()).map(|k| ramp.share(first as usize + k)).collect();
            let mut bent = vec![Vec2::ZERO; places.len()];
            for k in (1..places.len()).filter(|_| bend != 0.0) {
                let step = places[k].0 - places[k - 1].0;
                bent[k] = bent[k - 1] + floor::turned(step, 0.5 * bend * (shares[k - 1] + shares[k])) - step;
            }
            let shift = missing - bent.last().copied().unwrap_or(Vec2::ZERO);
            let wanted = needed(shift);
            if wanted > changed.ceil().max(4.0) {
                changed = wanted;
                continue;
            }
            let rate = self.moves.rate;
            for (k, (place, corner)) in places.iter().enumerate().step_by(2) {
                let place = *place + bent[k] + shares[k] * shift;
                if !self.guide.is_free(place, *corner, (first as usize + k) as f32 / rate) {
                    return None;
                }
            }
            return Some(arrival(base + self.cost.changed(wanted), wanted));
        }
        None
    }

    /// Passing through the goal in the last move.
    fn pass(&mut self, state: u32, at: State) {
        let parent = self.states[at.parent as usize];
        let spots: Vec<Spot> = self.way(&at).collect();
        let total = spots.len();
        // Frames are a few centimetres apart, less than one step is shifted by.
        for (k, spot) in spots.into_iter().enumerate().rev().step_by(2) {
            let cost = parent.cost + (at.cost - parent.cost) * (k + 1) as f32 / total as f32;
            let last = parent.time + k as u32 + 1;
            let ending = Ending { at, on: 0, last, landed: last, spot, cost, steps: parent.steps + 1 };
            if let Some(arrival) = self.bring(&ending, 0.0) {
                self.keep(Arrival { state, ..arrival });
            }
        }
    }

    pub(super) fn keep(&mut self, arrival: Arrival) {
        let place = self.arrivals.partition_point(|other| other.cost <= arrival.cost);
        if place < WalkCandidates::MOST {
            self.arrivals.insert(place, arrival);
            self.arrivals.truncate(WalkCandidates::MOST);
        }
    }

    pub(super) fn plan(&self, graph: &MotionGraph, arrival: &Arrival) -> WalkPlan {
        let chain = self.chain(arrival.state);
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
        let (first, last) = (self.states[chain[0] as usize], self.states[arrival.state as usize]);
        let start = first.spot.tidied().pose();
        self.moves.along(graph, last.take, last.frame, last.frame + arrival.on, &mut edges);
        WalkPlan {
            first_steps: None,
            turns_first: if first.time > 0 {
                wrap_angle(start.heading - self.errand.start.pose().heading)
            } else {
                0.0
            },
            start: if first.time > 0 { start } else { self.errand.start.pose() },
            edges,
            frames: (last.time - first.time + arrival.on - arrival.short) as usize + 1,
            end: arrival.spot.tidied().pose(),
            turns_last: arrival.turn,
            round: arrival.round,
            stops: !self.walks_through(),
            cost: arrival.cost,
        }
    }

    /// The longest time in which the best walk comes no nearer to the goal, by so many metres, seconds.
    pub(super) fn idles(&self, nearer: f32) -> f32 {
        let chain = self.chain(self.arrivals[0].state);
        let (mut since, mut nearest, mut idle) = (0, f32::INFINITY, 0);
        for state in chain.into_iter().map(|state| self.states[state as usize]) {
            idle = idle.max(state.time - since);
            let (left, _) = self.guide.known(state.spot.place, state.corner);
            if left < nearest - nearer {
                (since, nearest) = (state.time, left);
            }
        }
        idle as f32 / self.moves.rate
    }

    /// The longest time for which the best walk halts between going, seconds.
    pub(super) fn halts(&self) -> f32 {
        let chain = self.chain(self.arrivals[0].state);
        let (mut since, mut halts) = (None, 0);
        for pair in chain.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|state| self.states[state as usize]);
            let way: f32 = self.length(&to);
            if way > SLOW * self.cost.pace * self.seconds(to.time - from.time) {
                halts = halts.max(since.map_or(0, |since| from.time - since));
                since = Some(to.time);
            }
        }
        halts as f32 / self.moves.rate
    }

    /// The length of a walk's last move, metres.
    fn length(&self, state: &State) -> f32 {
        let parent = self.states[state.parent as usize];
        let take = &self.moves.takes[parent.take as usize];
        let blend = self.moves.blends.get(state.via as usize);
        let leaves = blend.map_or(state.frame, |blend| blend.from.frame);
        take.length[leaves as usize] - take.length[parent.frame as usize] + blend.map_or(0.0, |blend| blend.length)
    }

    /// The states of a walk, the first to the last.
    fn chain(&self, last: u32) -> Vec<u32> {
        let mut chain = vec![last];
        while self.states[chain[chain.len() - 1] as usize].parent != NONE {
            chain.push(self.states[chain[chain.len() - 1] as usize].parent);
        }
        chain.reverse();
        chain
    }
}
