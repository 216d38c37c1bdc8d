//! A tube: a route over any ground, with the room that a body has to either side of it.

use crate::plan::Path;
use glam::{Vec2, Vec3};

/// A route and how far the body's middle may stray from it to either side. Made for one route; places far from it are not free.
#[derive(Clone, Debug, PartialEq)]
pub struct Tube {
    /// Places on the ground along the route, metres, at most [`SPACING`] apart seen from above; some more before its start and
    /// after its end.
    stations: Vec<Vec3>,
    /// The way the route goes at each, a unit vector (x, z).
    along: Vec<Vec2>,
    /// How far to the left and to the right there is room at each, metres.
    room: Vec<[f32; 2]>,
    /// What is left to walk from each, metres, seen from above.
    rest: Vec<f32>,
    /// Where it starts and ends.
    ends: [u16; 2],
    /// Where it turns, and its end.
    turns: Vec<u16>,
}

/// Distance of places along the line, metres.
const SPACING: f32 = 0.1;
/// Distance of probes beside the line, metres.
const PROBE: f32 = 0.05;
/// How far beside the line room is looked for, metres.
const MOST: f32 = 1.0;
/// How far beyond the line's ends room is looked for, metres.
const BEYOND: f32 = 0.6;
/// The ground may rise or fall by this much from probe to probe, and at the end of a route, metres: a step.
const CLIMB: f32 = 0.45;
/// The line keeps this much room to both sides where there is some, metres.
const EASE: f32 = 0.12;
/// How far a place may be behind and ahead of where a walk is thought to be, in places along the line.
const BEHIND: u16 = 20;
const AHEAD: u16 = 40;

/// A place seen along a tube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TubePlace {
    /// The place along the line that is nearest.
    pub(super) station: u16,
    /// How far to its left, metres; negative to the right.
    pub(super) aside: f32,
    /// How far away, metres.
    pub(super) away: f32,
}

impl Tube {
    /// Along a route, points in metres. `stand` tells where the body can stand at or near a place, within so many metres up or
    /// down: on the ground, with room around. `None` if the route has no two points, or is longer than 6 km.
    #[must_use]
    pub fn new(route: &[Vec3], stand: impl Fn(Vec3, f32) -> Option<Vec3>) -> Option<Self> {
        let (mut stations, mut corners) = (Vec::new(), Vec::new());
        let straight = straightened(route);
        for pair in straight.windows(2) {
            let parts = (flat(pair[1]).distance(flat(pair[0])) / SPACING).ceil().max(1.0) as usize;
            corners.push(stations.len());
            stations.extend((0..parts).map(|k| pair[0].lerp(pair[1], k as f32 / parts as f32)));
        }
        let (first, last) = (*straight.first()?, *straight.last()?);
        if stations.is_empty() || stations.len() > 60_000 {
            return None;
        }
        stations.push(last);
        follow_ground(route, &mut stations, &stand);
        let count = stations.len();
        let out = |from: Vec3, to: Vec3| (flat(from) - flat(to)).normalize_or_zero();
        let before = run(stations[0], out(first, straight[1]), BEYOND, &stand);
        let after = run(stations[count - 1], out(last, straight[straight.len() - 2]), BEYOND, &stand);
        let ends = [before.len() as u16, (before.len() + count - 1) as u16];
        let turns = corners[1..].iter().map(|k| (k + before.len()) as u16).chain([ends[1]]).collect();
        let stations: Vec<Vec3> = before.into_iter().rev().chain(stations).chain(after).collect();
        let mut tube = Self { along: Vec::new(), room: Vec::new(), rest: Vec::new(), stations, ends, turns };
        tube.along = tube.directions();
        tube.room = (0..tube.stations.len()).map(|k| tube.probe(k, &stand)).collect();
        tube.keep_room();
        tube.along = tube.directions();
        tube.rest = vec![0.0; tube.stations.len()];
        for k in (0..tube.end()).rev() {
            tube.rest[k] = tube.rest[k + 1] + tube.at(k).distance(tube.at(k + 1));
        }
        Some(tube)
    }

    /// The line from the route's start to its end, on the ground.
    #[must_use]
    pub fn path(&self) -> Path {
        Path::new(self.stations[usize::from(self.ends[0])..=self.end()].to_vec())
    }

    /// Where a walk starts along it: a number to be handed on from place to place, as [`follow`](Self::follow) gives it.
    #[must_use]
    pub fn start(&self) -> u16 {
        self.ends[0]
    }

    /// The place along the tube of a body (x, z), metres, that was at `from` shortly before.
    #[must_use]
    pub fn follow(&self, p: Vec2, from: u16) -> u16 {
        self.nearest(p, from).station
    }

    /// Height of the line beside a place (x, z), metres, of a body that is near the place `at` along it.
    #[must_use]
    pub fn height(&self, p: Vec2, at: u16) -> f32 {
        let k = usize::from(self.nearest(p, at).station);
        let beyond = self.along[k].dot(p - self.at(k));
        let other = if beyond < 0.0 { k.saturating_sub(1) } else { (k + 1).min(self.stations.len() - 1) };
        let apart = self.at(k).distance(self.at(other)).max(1e-6);
        self.stations[k].y + (self.stations[other].y - self.stations[k].y) * (beyond.abs() / apart).min(1.0)
    }

    /// Whether the body has room with its middle at a place (x, z), metres, near the place `at` along the line, keeping a
    /// margin (metres) from the tube's sides where it is wide enough.
    #[must_use]
    pub fn is_free(&self, p: Vec2, at: u16, margin: f32) -> bool {
        self.holds(self.nearest(p, at), margin)
    }

    /// Whether the body has room at a place on any part of it; see [`is_free`](Self::is_free).
    #[must_use]
    pub fn is_free_somewhere(&self, p: Vec2) -> bool {
        (0..self.stations.len() as u16).step_by(usize::from(AHEAD)).any(|at| self.is_free(p, at, 0.0))
    }

    pub(super) fn len(&self) -> usize {
        self.stations.len()
    }

    pub(crate) fn end(&self) -> usize {
        usize::from(self.ends[1])
    }

    pub(super) fn at(&self, station: usize) -> Vec2 {
        flat(self.stations[station])
    }

    pub(super) fn rest(&self, station: usize) -> f32 {
        self.rest[station]
    }

    /// The next turns after a place, at most `count`, the nearest first; the end if there is none.
    pub(super) fn turns_after(&self, station: u16, count: usize) -> &[u16] {
        let first = self.turns.partition_point(|turn| *turn <= station).min(self.turns.len() - 1);
        &self.turns[first..(first + count).min(self.turns.len())]
    }

    pub(super) fn holds(&self, place: TubePlace, margin: f32) -> bool {
        let k = usize::from(place.station);
        let side = usize::from(place.aside < 0.0);
        let room = self.room[k][side];
        place.away <= (room - margin).max(0.5 * room) + 1e-3
    }

    /// Where a place is along the tube, near a place along it.
    pub(super) fn nearest(&self, p: Vec2, near: u16) -> TubePlace {
        let (low, high) = (near.saturating_sub(BEHIND), (near + AHEAD).min(self.stations.len() as u16 - 1));
        let mut best = (f32::MAX, low);
        for k in low..=high {
            let far = self.at(usize::from(k)).distance_squared(p);
            if far < best.0 {
                best = (far, k);
            }
        }
        let k = usize::from(best.1);
        let off = p - self.at(k);
        let (aside, beyond) = (off.dot(left(self.along[k])), off.dot(self.along[k]));
        // Between two places along the line the distance is that from the line; outside of a turn, from its corner.
        let off_end = (k == 0 && beyond < 0.0) || (k + 1 == self.stations.len() && beyond > 0.0);
        let away = match beyond.abs() <= 0.6 * SPACING {
            true => aside.abs(),
            false if off_end => f32::INFINITY,
            false => best.0.sqrt(),
        };
        TubePlace { station: best.1, aside, away }
    }

    /// Whether a straight line from a place to a place along the line stays in the tube.
    pub(super) fn sees(&self, p: Vec2, near: u16, target: u16) -> bool {
        let to = self.at(usize::from(target));
        let parts = (p.distance(to) / SPACING).ceil().max(1.0);
        let mut at = near;
        (1..parts as usize).all(|k| {
            let place = self.nearest(p.lerp(to, k as f32 / parts), at);
            at = place.station;
            self.holds(place, 0.0)
        })
    }

    fn directions(&self) -> Vec<Vec2> {
        let last = self.stations.len() - 1;
        (0..=last).map(|k| (self.at((k + 1).min(last)) - self.at(k.saturating_sub(1))).normalize_or(Vec2::Y)).collect()
    }

    /// Room to the left and to the right of a place on the line. Outside of a turn it is the least in all directions that are
    /// nearest to it.
    fn probe(&self, k: usize, stand: &impl Fn(Vec3, f32) -> Option<Vec3>) -> [f32; 2] {
        let last = self.stations.len() - 1;
        let around = [self.at(k) - self.at(k.saturating_sub(1)), self.at((k + 1).min(last)) - self.at(k)];
        let turns = around[0].perp_dot(around[1]).abs() > 0.1 * around[0].length() * around[1].length();
        [1.0, -1.0].map(|sign: f32| {
            let reach = |along: Vec2| {
                let side = sign * left(along);
                let places = run_by(self.stations[k], side, PROBE, MOST, stand);
                let (mut room, y) = (PROBE * places.len() as f32, places.last().unwrap_or(&self.stations[k]).y);
                // To a centimetre, where it ends before.
                for finer in [0.5 * PROBE, 0.25 * PROBE, 0.125 * PROBE] {
                    let p = self.at(k) + (room + finer) * side;
                    room += if stand(Vec3::new(p.x, y, p.y), CLIMB).is_some() { finer } else { 0.0 };
                }
                room.min(MOST)
            };
            let middle = reach(self.along[k]);
            match turns {
                false => middle,
                true => around.iter().filter_map(|along| along.try_normalize()).map(reach).fold(middle, f32::min),
            }
        })
    }

    /// Moves the line away from what is near on one side, where there is room on the other.
    fn keep_room(&mut self) {
        let [first, last] = self.ends.map(usize::from);
        let wanted: Vec<f32> = (self.room.iter().enumerate())
            .map(|(k, [left, right])| {
                // Not at its ends, where it is told where to be.
                let from_ends = if k <= first || k >= last { 0.0 } else { (k - first).min(last - k) as f32 * SPACING };
                let shift = match left < right {
                    true => -(EASE - left).clamp(0.0, 0.5 * (right - left)),
                    false => (EASE - right).clamp(0.0, 0.5 * (left - right)),
                };
                shift * (from_ends / 0.6).min(1.0)
            })
            .collect();
        for k in first..=last {
            let near = &wanted[k.saturating_sub(3).max(first)..=(k + 3).min(last)];
            let shift =
                (near.iter().sum::<f32>() / near.len() as f32) * if k == first || k == last { 0.0 } else { 1.0 };
            let by = shift * left(self.along[k]);
            self.stations[k] += Vec3::new(by.x, 0.0, by.y);
            self.room[k] = [(self.room[k][0] - shift).max(0.0), (self.room[k][1] + shift).max(0.0)];
        }
    }
}

/// The corners of a route seen from above, without those that lie on straight lines, to 5 mm.
fn straightened(route: &[Vec3]) -> Vec<Vec3> {
    let mut points: Vec<Vec3> = route.first().copied().into_iter().collect();
    let mut from = 0;
    for k in 1..route.len() {
        let off = |next: &Vec3| {
            let far = |q: &Vec3| segment_distance(flat(route[from]), flat(*next), flat(*q)).0 > 5e-3;
            route[from + 1..=k].iter().any(far)
        };
        if route.get(k + 1).is_none_or(off) {
            from = k;
            points.push(route[k]);
        }
    }
    points.dedup_by(|b, a| flat(*a).distance_squared(flat(*b)) < 1e-6);
    points
}

/// Puts places along a route on the ground: each within a step of the one before, else of the route there. Between its points a
/// route knows nothing of bumps.
fn follow_ground(route: &[Vec3], stations: &mut [Vec3], stand: &impl Fn(Vec3, f32) -> Option<Vec3>) {
    let mut piece = 0;
    let mut before = stations.first().map_or(0.0, |first| first.y);
    for station in stations {
        let p = flat(*station);
        let off = |k: usize| segment_distance(flat(route[k]), flat(route[k + 1]), p);
        // The route is followed forwards: floors above each other are not mixed up.
        while piece + 2 < route.len() && off(piece).0 > 0.01 {
            piece += 1;
        }
        station.y = route[piece].y + (route[piece + 1].y - route[piece].y) * off(piece).1;
        let followed = stand(Vec3 { y: before, ..*station }, CLIMB).or_else(|| stand(*station, CLIMB));
        station.y = followed.map_or(station.y, |place| place.y);
        before = station.y;
    }
}

/// How far a point is from a segment, metres, and where along it, 0 to 1.
fn segment_distance(a: Vec2, b: Vec2, p: Vec2) -> (f32, f32) {
    let x = ((p - a).dot(b - a) / (b - a).length_squared().max(1e-12)).clamp(0.0, 1.0);
    (a.lerp(b, x).distance(p), x)
}

/// Places to stand on a straight way from a place.
fn run(from: Vec3, along: Vec2, most: f32, stand: &impl Fn(Vec3, f32) -> Option<Vec3>) -> Vec<Vec3> {
    run_by(from, along, SPACING, most, stand)
}

fn run_by(from: Vec3, along: Vec2, step: f32, most: f32, stand: &impl Fn(Vec3, f32) -> Option<Vec3>) -> Vec<Vec3> {
    let mut places: Vec<Vec3> = Vec::new();
    for k in 1..=(most / step).round() as usize {
        let p = flat(from) + step * k as f32 * along;
        let y = places.last().unwrap_or(&from).y;
        match stand(Vec3::new(p.x, y, p.y), CLIMB) {
            Some(place) => places.push(place),
            None => break,
        }
    }
    places
}

/// To the left of a direction on the floor.
fn left(along: Vec2) -> Vec2 {
    Vec2::new(along.y, -along.x)
}

fn flat(place: Vec3) -> Vec2 {
    Vec2::new(place.x, place.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corridor 2 m wide along z to 10 m, then along x, on ground that rises along z.
    fn corridor(p: Vec3, climb: f32) -> Option<Vec3> {
        let inside =
            (p.x.abs() <= 1.0 && p.z > -1.0 && p.z < 11.0) || (p.x > -1.0 && p.x < 9.0 && (p.z - 10.0).abs() <= 1.0);
        let y = 0.1 * p.z;
        (inside && (y - p.y).abs() <= climb).then_some(Vec3 { y, ..p })
    }

    fn tube() -> Tube {
        let route = [Vec3::ZERO, Vec3::new(0.0, 0.5, 5.0), Vec3::new(0.0, 1.0, 10.0), Vec3::new(8.0, 1.0, 10.0)];
        Tube::new(&route, corridor).unwrap()
    }

    #[test]
    fn room_is_what_there_is_beside_the_line_and_rests_are_lengths_along_it() {
        let tube = tube();
        let k = tube.follow(Vec2::new(0.2, 5.0), 40);
        assert!(tube.is_free(Vec2::new(0.9, 5.0), k, 0.0) && tube.is_free(Vec2::new(-0.9, 5.0), k, 0.0));
        assert!(!tube.is_free(Vec2::new(1.2, 5.0), k, 0.0) && !tube.is_free(Vec2::new(-1.2, 5.0), k, 0.0));
        assert!(!tube.is_free(Vec2::new(0.97, 5.0), k, 0.1), "the margin is kept");
        assert!((tube.rest(usize::from(k)) - 13.0).abs() < 0.1, "{}", tube.rest(usize::from(k)));
        assert!((tube.height(Vec2::new(0.3, 5.03), k) - 0.503).abs() < 1e-3);
        assert!((tube.path().length() - 18.05).abs() < 0.1);
        // Half a metre is looked for beyond its ends.
        assert!(tube.is_free(Vec2::new(0.0, -0.5), tube.start(), 0.0));
        assert!(!tube.is_free(Vec2::new(0.0, -1.2), tube.start(), 0.0));
    }

    #[test]
    fn sight_ends_where_the_tube_turns() {
        let tube = tube();
        let start = tube.start();
        let [turn, end] = tube.turns_after(start, 3) else { panic!("two turns: {:?}", tube.turns) };
        assert!(tube.sees(tube.at(usize::from(start)), start, *turn));
        assert!(!tube.sees(tube.at(usize::from(start)), start, *end));
        assert!(tube.at(usize::from(*turn)).distance(Vec2::new(0.0, 10.0)) < 0.05);
    }

    #[test]
    fn a_tube_over_itself_has_two_heights_at_one_place() {
        // Out, and back 3 m higher.
        let stand = |p: Vec3, climb: f32| {
            let (line, rise) = (p.x.abs() < 0.05, 0.5 * p.x);
            let floors = [(line, 0.0), (line && p.z < 9.6, 3.0), (p.z > 9.9, rise), (p.z > 9.4, 3.0 - rise)];
            let near = floors.iter().filter(|(there, y)| *there && (y - p.y).abs() <= climb);
            let near = near.min_by(|a, b| (a.1 - p.y).abs().total_cmp(&(b.1 - p.y).abs()));
            near.map(|(_, y)| Vec3 { y: *y, ..p })
        };
        let route = [
            Vec3::ZERO,
            Vec3::new(0.0, 0.0, 10.0),
            Vec3::new(3.0, 1.5, 10.0),
            Vec3::new(0.0, 3.0, 9.5),
            Vec3::new(0.0, 3.0, 1.0),
        ];
        let tube = Tube::new(&route, stand).unwrap();
        let p = Vec2::new(0.0, 4.0);
        assert!(tube.height(p, 40).abs() < 0.01);
        assert!((tube.height(p, tube.len() as u16 - 30) - 3.0).abs() < 0.01);
    }
}
