//! Paths in time: waiting for, and going round, obstacles that move as is known.

use super::roadmap::Roadmap;
use super::search::{Link, Queue, distances};
use super::{NoRouteReason, Path, PathOutcome};
use crate::math::floor;
use crate::world::{GrownMap, Mover, Outline};
use glam::{Vec2, Vec3A};
use std::collections::HashMap;

/// A circle that moves along straight lines: where it is at which time. It stands at its first place before, and at its
/// last place after.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingObstacle {
    /// Its radius, metres.
    pub radius: f32,
    /// Times (seconds, rising) and places (x, z), metres.
    pub track: Vec<(f32, Vec2)>,
}

impl MovingObstacle {
    /// Circles that cover a mover in a span of time (seconds): as many side by side as a rectangle is times longer than wide.
    /// What turns is followed every 0.1 s.
    #[must_use]
    pub fn covering(mover: &Mover, span: [f32; 2]) -> Vec<Self> {
        let (half, radius) = match mover.outline {
            Outline::Disc { radius } => (Vec2::ZERO, radius),
            Outline::Rectangle { half } => (half, 0.0),
        };
        let (long, short) = (half.max_element(), half.min_element());
        let along = if half.x >= half.y { Vec3A::X } else { Vec3A::Z };
        let count = if long > 0.0 { (long / short).ceil().clamp(1.0, 64.0) } else { 1.0 };
        let mut times = mover.track.turns(span);
        if mover.spin != 0.0 && count > 1.0 {
            let steps = (10.0 * (span[1] - span[0])).clamp(0.0, 1e5) as usize;
            times.extend((0..steps).map(|i| span[0] + 0.1 * i as f32));
            times.sort_by(f32::total_cmp);
            times.dedup();
        }
        // Between two looks, a place that turns leaves its chord by at most this.
        let arc = 0.125 * long * (0.1 * mover.spin) * (0.1 * mover.spin);
        let radius = radius + Vec2::new(short, long / count).length() + arc;
        let circle = |i: usize| {
            let local = along * (long * ((2 * i + 1) as f32 / count - 1.0));
            let at = |time: f32| floor::of_point(mover.world_from_mover(time).transform_point(local));
            Self { radius, track: times.iter().map(|time| (*time, at(*time))).collect() }
        };
        (0..count as usize).map(circle).collect()
    }

    /// Where it is at a time.
    ///
    /// # Panics
    /// If its track is empty.
    #[must_use]
    pub fn at(&self, time: f32) -> Vec2 {
        let after = self.track.partition_point(|(t, _)| *t <= time);
        if after == 0 {
            return self.track[0].1;
        }
        let (t0, from) = self.track[after - 1];
        match self.track.get(after) {
            Some((t1, to)) => from.lerp(*to, ((time - t0) / (t1 - t0)).clamp(0.0, 1.0)),
            None => from,
        }
    }

    /// Whether it comes nearer than `radius` beyond its own to a point that moves from a to b in a span of time.
    fn meets(&self, a: Vec2, b: Vec2, [from, to]: [f32; 2], radius: f32) -> bool {
        let least = (self.radius + radius) * (self.radius + radius);
        let walker = |time: f32| if to > from { a.lerp(b, ((time - from) / (to - from)).clamp(0.0, 1.0)) } else { a };
        // Between its turns both move straight, so that their difference does, too.
        let turns = self.track.iter().map(|(time, _)| *time).filter(|time| (from..to).contains(time));
        let mut start = from;
        for end in turns.chain([to]) {
            let (u, v) = (self.at(start) - walker(start), self.at(end) - walker(end));
            let along = v - u;
            let t = (-u.dot(along) / along.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            if (u + along * t).length_squared() < least {
                return true;
            }
            start = end;
        }
        false
    }
}

/// What stands and what moves.
#[derive(Clone, Copy)]
pub(super) struct Among<'a> {
    pub(super) map: &'a GrownMap,
    pub(super) roadmap: &'a Roadmap,
    pub(super) moving: &'a [MovingObstacle],
}

impl Among<'_> {
    /// Whether nothing that moves comes near a walker from a to b in a span of time.
    pub(super) fn is_clear(&self, a: Vec2, b: Vec2, span: [f32; 2]) -> bool {
        !self.moving.iter().any(|other| other.meets(a, b, span, self.map.radius()))
    }
}

/// How a way in time is looked for: on a roadmap, at one speed, standing still where that helps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct TimedSearch {
    /// Walking speed, metres a second.
    pub speed: f32,
    /// How long one wait is, seconds; two arrivals at one place within it count as one.
    pub wait: f32,
    /// After how many seconds from the start it gives up.
    pub horizon: f32,
}

impl Default for TimedSearch {
    fn default() -> Self {
        Self { speed: 1.3, wait: 0.25, horizon: 120.0 }
    }
}

/// What a search in time found.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedOutcome {
    /// The path without its times, or why there is none.
    pub outcome: PathOutcome,
    /// When each place is reached, and the places (x, z), seconds and metres; a wait is the same place twice. Empty where
    /// there is no path.
    pub schedule: Vec<(f32, Vec2)>,
}

/// A place of the search: a sample at a time, and how it was reached.
#[derive(Clone, Copy)]
struct State {
    sample: u32,
    time: f32,
    from: u32,
}

/// Instead of a sample's number: the start.
const START: u32 = u32::MAX;
/// Instead of a sample's number: the goal.
const GOAL: u32 = u32::MAX - 1;
/// Instead of a state's number: no state.
const NONE: u32 = u32::MAX;

impl TimedSearch {
    /// The earliest arrival on the roadmap that meets no moving obstacle; all of them keep the map's radius away.
    /// Leaves at `time` seconds. Where moving obstacles leave no way within the horizon, the nearest reachable point is the
    /// start: where one can wait is not looked into.
    ///
    /// # Panics
    /// If the speed or the wait is not positive, or a moving obstacle has an empty track.
    #[must_use]
    pub fn path(
        &self,
        map: &GrownMap,
        roadmap: &Roadmap,
        moving: &[MovingObstacle],
        [start, goal]: [Vec2; 2],
        time: f32,
    ) -> TimedOutcome {
        assert!(self.speed > 0.0 && self.wait > 0.0, "a walker has a speed, and waits some time");
        // What stands still decides first: without moving obstacles there must be a way.
        let still = if time.is_finite() { roadmap.path(map, start, goal) } else { PathOutcome::NotFinite };
        if still.path().is_none() {
            return TimedOutcome { outcome: still, schedule: Vec::new() };
        }
        let among = Among { map, roadmap, moving };
        match self.search(&among, [start, goal], time) {
            Some(schedule) => {
                let schedule = self.taut(&among, &schedule);
                let points: Vec<Vec2> = schedule.iter().map(|(_, p)| *p).collect();
                TimedOutcome { outcome: PathOutcome::Found(Path::on_floor(&points)), schedule }
            }
            None => {
                let why = NoRouteReason::NotFound { samples: roadmap.places().count() };
                TimedOutcome { outcome: PathOutcome::NoRoute { why, nearest: start }, schedule: Vec::new() }
            }
        }
    }

    fn search(&self, among: &Among<'_>, [start, goal]: [Vec2; 2], time: f32) -> Option<Vec<(f32, Vec2)>> {
        let Among { map, roadmap, .. } = *among;
        let (starts, goals) = (roadmap.near(map, start), roadmap.near(map, goal));
        let direct = map.segment_is_free(start, goal);
        let place = |sample: u32| match sample {
            START => start,
            GOAL => goal,
            sample => roadmap.sample(sample),
        };
        // The way that is left if nothing moves: the search then leaves it only where something does.
        let left = distances(roadmap.count(), &goals, |sample| roadmap.links(sample));
        let ahead = |sample: u32| match sample {
            START => start.distance(goal) / self.speed,
            GOAL => 0.0,
            sample => left[sample as usize] / self.speed,
        };
        let slot = |time_now: f32| ((time_now - time) / self.wait) as u32;
        let mut states = vec![State { sample: START, time, from: NONE }];
        let mut seen: HashMap<(u32, u32), f32> = HashMap::new();
        let mut queue = Queue::default();
        queue.push(ahead(START), 0);
        let mut ways: Vec<Link> = Vec::new();
        while let Some((_, index)) = queue.pop() {
            let state = states[index as usize];
            let here = place(state.sample);
            if state.sample == GOAL {
                let mut schedule = Vec::new();
                let mut at = index;
                while at != NONE {
                    schedule.push((states[at as usize].time, place(states[at as usize].sample)));
                    at = states[at as usize].from;
                }
                schedule.reverse();
                return Some(schedule);
            }
            // Overtaken since it was put in.
            if seen.get(&(state.sample, slot(state.time))).is_some_and(|first| *first < state.time) {
                continue;
            }
            ways.clear();
            if state.sample == START {
                ways.extend(&starts);
                ways.extend(direct.then(|| Link { to: GOAL, length: start.distance(goal) }));
            } else {
                ways.extend(roadmap.links(state.sample));
                let end = goals.iter().find(|link| link.to == state.sample);
                ways.extend(end.map(|link| Link { to: GOAL, length: link.length }));
            }
            let waited = [(state.sample, state.time + self.wait)];
            let gone = ways.iter().map(|link| (link.to, state.time + link.length / self.speed));
            for (to, arrival) in gone.chain(waited) {
                if arrival - time > self.horizon || !among.is_clear(here, place(to), [state.time, arrival]) {
                    continue;
                }
                let first = seen.entry((to, slot(arrival))).or_insert(f32::MAX);
                if arrival < *first {
                    *first = arrival;
                    states.push(State { sample: to, time: arrival, from: index });
                    queue.push(arrival - time + ahead(to), states.len() as u32 - 1);
                }
            }
        }
        None
    }
}

impl TimedSearch {
    /// The same schedule without the roadmap's corners where a straight way meets nothing either. Nowhere is it later: a place
    /// can be left as soon as what comes next is free, and at the latest when the schedule left it.
    fn taut(&self, among: &Among<'_>, schedule: &[(f32, Vec2)]) -> Vec<(f32, Vec2)> {
        /// How many places ahead are looked at.
        const AHEAD: usize = 48;
        let last = schedule.len() - 1;
        let (mut k, mut time) = (0, schedule[0].0);
        let mut taut = vec![schedule[0]];
        while k < last {
            let here = schedule[k].1;
            // The furthest place that can be gone to at once, and stayed at until the schedule leaves it.
            let reached = (k + 1..=last.min(k + AHEAD)).rev().find_map(|j| {
                let (leaves, there) = schedule[j];
                let arrival = time + here.distance(there) / self.speed;
                let stays = j == last || among.is_clear(there, there, [arrival, leaves.max(arrival)]);
                let goes =
                    stays && among.map.segment_is_free(here, there) && among.is_clear(here, there, [time, arrival]);
                (goes && arrival <= leaves + 1e-4).then_some((j, arrival))
            });
            (k, time) = match reached {
                Some(reached) => reached,
                // As scheduled: wait, then go.
                None => {
                    if schedule[k].0 > time {
                        taut.push(schedule[k]);
                    }
                    (k + 1, schedule[k + 1].0)
                }
            };
            // Waits at one place are one wait.
            if taut.len() > 1 && taut[taut.len() - 1].1 == schedule[k].1 && taut[taut.len() - 2].1 == schedule[k].1 {
                taut.pop();
            }
            if taut[taut.len() - 1] != (time, schedule[k].1) {
                taut.push((time, schedule[k].1));
            }
        }
        taut
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::FloorPose;
    use crate::plan::Prm;
    use crate::world::{FloorMap, Obstacle};

    fn v(x: f32, z: f32) -> Vec2 {
        Vec2::new(x, z)
    }

    /// Two rooms with a door of 1.2 m between them.
    fn door() -> (GrownMap, Roadmap) {
        let mut map = FloorMap::rectangle(Vec2::ZERO, v(12.0, 6.0)).unwrap();
        for (z, depth) in [(1.2, 2.4), (4.8, 2.4)] {
            map.add(Obstacle::rectangle("", FloorPose::new(v(6.0, z), 0.0), v(0.4, depth))).unwrap();
        }
        let map = GrownMap::new(map, 0.3).unwrap();
        let roadmap = Prm { samples: 400, ..Prm::default() }.build(&map);
        (map, roadmap)
    }

    /// The least gap between a walker and the moving obstacles, looked at every hundredth of a second.
    fn least_gap(schedule: &[(f32, Vec2)], moving: &[MovingObstacle], radius: f32) -> f32 {
        let walker = MovingObstacle { radius, track: schedule.to_vec() };
        let (from, to) = (schedule[0].0, schedule[schedule.len() - 1].0);
        let times = (0..=((to - from) * 100.0) as usize).map(|i| from + i as f32 / 100.0);
        let gap = |time| {
            moving.iter().map(|m| m.at(time).distance(walker.at(time)) - m.radius - radius).fold(f32::MAX, f32::min)
        };
        times.map(gap).fold(f32::MAX, f32::min)
    }

    #[test]
    fn it_waits_until_the_door_is_clear() {
        let (map, roadmap) = door();
        // Stands in the door for ten seconds, then walks on into a corner.
        let other =
            MovingObstacle { radius: 0.3, track: vec![(0.0, v(6.0, 3.0)), (10.0, v(6.0, 3.0)), (14.0, v(11.0, 0.5))] };
        let ends = [v(1.0, 3.0), v(11.0, 5.0)];
        let free = TimedSearch::default().path(&map, &roadmap, &[], ends, 0.0);
        let waits = TimedSearch::default().path(&map, &roadmap, std::slice::from_ref(&other), ends, 0.0);
        let arrival = |found: &TimedOutcome| found.schedule.last().unwrap().0;
        assert!(arrival(&free) < 9.5, "{}", arrival(&free));
        assert!((13.0..16.0).contains(&arrival(&waits)), "{}", arrival(&waits));
        assert!(waits.outcome.path().unwrap().is_free(&map));
        assert!(least_gap(&waits.schedule, &[other], 0.3) > -1e-3);
        // No step is quicker than the speed.
        for pair in waits.schedule.windows(2) {
            assert!(pair[0].1.distance(pair[1].1) <= 1.301 * (pair[1].0 - pair[0].0) + 1e-4, "{pair:?}");
        }
    }

    #[test]
    fn it_goes_round_and_between_many() {
        let (map, roadmap) = door();
        let others: Vec<_> = (0..6)
            .map(|i| {
                let x = 2.0 + 1.6 * i as f32;
                let track = (0..40).map(|k| (2.0 * k as f32, v(x, if (k + i) % 2 == 0 { 0.5 } else { 5.5 }))).collect();
                MovingObstacle { radius: 0.25, track }
            })
            .collect();
        let found = TimedSearch::default().path(&map, &roadmap, &others, [v(0.5, 3.0), v(11.5, 3.0)], 3.0);
        assert!(found.outcome.path().is_some(), "{:?}", found.outcome);
        assert!(least_gap(&found.schedule, &others, 0.3) > -1e-3, "{}", least_gap(&found.schedule, &others, 0.3));
    }

    #[test]
    fn it_goes_straight_where_nothing_is_in_the_way() {
        let (map, roadmap) = door();
        let ends = [v(1.0, 1.0), v(11.0, 5.0)];
        let found = TimedSearch::default().path(&map, &roadmap, &[], ends, 2.0);
        let shortest = crate::plan::VisibilityGraph::new(&map).path(&map, ends[0], ends[1]).into_path().unwrap();
        let arrival = found.schedule[found.schedule.len() - 1].0;
        assert!((arrival - 2.0) * 1.3 < 1.01 * shortest.length(), "{arrival} s for {} m", shortest.length());
    }

    #[test]
    fn circles_cover_what_they_stand_for() {
        let keys = [(0.0, glam::Vec3::ZERO), (4.0, glam::Vec3::new(3.0, 0.0, 5.0))];
        let track = crate::world::Track::new(&keys, crate::world::Repeat::BackAndForth).unwrap();
        for (half, spin) in [(v(1.0, 2.5), 0.0), (v(2.5, 1.0), 1.0), (v(0.2, 0.2), -2.0)] {
            let mover =
                Mover { outline: Outline::Rectangle { half }, height: 1.0, track: track.clone(), heading: 0.4, spin };
            let circles = MovingObstacle::covering(&mover, [0.0, 20.0]);
            for i in 0..400 {
                let time = 0.05 * i as f32;
                for corner in mover.corners(time) {
                    let inside = circles.iter().any(|c| c.at(time).distance(corner) < c.radius + 1e-3);
                    assert!(inside, "{corner} at {time} s is in none of {} circles", circles.len());
                }
            }
        }
    }

    #[test]
    fn what_never_clears_is_given_up() {
        let (map, roadmap) = door();
        let other = MovingObstacle { radius: 0.5, track: vec![(0.0, v(6.0, 3.0))] };
        let found = TimedSearch { horizon: 20.0, ..TimedSearch::default() }.path(
            &map,
            &roadmap,
            &[other],
            [v(1.0, 3.0), v(11.0, 5.0)],
            0.0,
        );
        assert!(matches!(found.outcome, PathOutcome::NoRoute { why: NoRouteReason::NotFound { .. }, .. }), "{found:?}");
        let blocked = TimedSearch::default().path(&map, &roadmap, &[], [v(1.0, 3.0), v(6.0, 1.0)], 0.0);
        assert!(matches!(blocked.outcome, PathOutcome::GoalBlocked { .. }), "{blocked:?}");
    }
}
