//! Ends of walks: where they may stop or pass, what must be changed for that, and the walk that leads there.

use super::{Arrival, CHANGE, NEAR, NEARER, NONE, SETTLE, STOPS, Search, State, WalkCandidates};
use crate::library::graph::{MotionGraph, Spot};
use crate::math::FloorPose;
use crate::motion::StepRamp;
use crate::plan::walk::WalkPlan;
use glam::Vec2;

impl Search<'_> {
    /// Whether walks go on through the goal: because they should, or because nothing in the graph stands.
    pub(super) fn walks_through(&self) -> bool {
        !(self.errand.goal.stop && self.stands)
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
        let last = (stands + frames(SETTLE)).min(end.unwrap_or(take.stands.len() as u32) - 1);
        let last = take.node_before(last, stands)?;
        let world_from_take = at.spot.then(take.at[at.frame as usize].inverse()).tidied();
        let spot = world_from_take.then(take.at[last as usize]);
        let length = take.length[last as usize] - take.length[at.frame as usize];
        let cost = at.cost + 0.5 * length + 0.5 * self.pace * (last - at.frame) as f32 / self.moves.rate;
        let steps = at.steps + take.steps(at.frame, last);
        let (cost, changed) = self.arrival_cost(spot, cost, steps)?;
        if self.arrivals.len() == WalkCandidates::MOST && self.arrivals[WalkCandidates::MOST - 1].cost <= cost {
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
        let (shift, _) = self.errand.goal.missed_by(end.pose());
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
        let (shift, turn) = self.errand.goal.missed_by(spot.pose());
        let (far, round) = (self.settings.shift_per_step, self.settings.turn_per_step);
        // Changes begin and end smoothly, which takes one step more.
        let changed = 1.0 + (shift.length() / far).max(turn.abs() / round);
        // From one foot's coming down to another's: one less than there are.
        let most = steps.saturating_sub(1).min(self.settings.last_steps);
        (changed <= most as f32).then_some((cost + CHANGE * changed, changed))
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
        let last = self.states[arrival.state as usize];
        self.moves.along(graph, last.take, last.frame, last.frame + arrival.on, &mut edges);
        WalkPlan {
            start: self.errand.start.pose(),
            edges,
            frames: (last.time + arrival.on - arrival.short) as usize + 1,
            end: FloorPose { ..arrival.spot.tidied().pose() },
            cost: arrival.cost,
        }
    }

    /// The longest time in which the best walk comes no nearer to the goal, seconds.
    pub(super) fn idles(&self) -> f32 {
        let chain = self.chain(self.arrivals[0].state);
        let (mut since, mut nearest, mut idle) = (0, f32::INFINITY, 0);
        for state in chain.into_iter().map(|state| self.states[state as usize]) {
            idle = idle.max(state.time - since);
            let (left, _) = self.guide.known(state.spot.place, state.corner);
            if left < nearest - NEARER {
                (since, nearest) = (state.time, left);
            }
        }
        idle as f32 / self.moves.rate
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
