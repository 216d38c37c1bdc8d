//! Paths in time that ride on platforms: to a platform while it waits, with it, and off again where it waits next.

use super::roadmap::Roadmap;
use super::timed::Among;
use super::{MovingObstacle, NoRouteReason, Path, PathOutcome, TimedOutcome, TimedSearch};
use crate::math::floor;
use crate::world::{GrownMap, Mover, Outline};
use glam::{Vec2, Vec3A};

/// The widest gap between floor and platform that is stepped over, metres.
const GAP: f32 = 0.2;

/// The highest step on and off a platform, metres.
const STEP: f32 = 0.4;

/// The most rides of one path.
const RIDES: usize = 4;

/// A platform that stands still for a while.
#[derive(Clone, Copy)]
struct Stop {
    platform: usize,
    /// Seconds.
    span: [f32; 2],
}

/// A schedule up to a place on the floor.
type Reached = Vec<(f32, Vec2)>;

impl TimedSearch {
    /// As [`path`](Self::path), and where no way leads over the floor alone, by platforms: those that do not turn, stop, and are
    /// then a step (0.4 m) above or below the floor and at most 0.2 m beside it. The earliest arrival of those with the fewest
    /// rides, at most four.
    ///
    /// # Panics
    /// As [`path`](Self::path).
    #[must_use]
    pub fn path_by_platforms(
        &self,
        map: &GrownMap,
        roadmap: &Roadmap,
        moving: &[MovingObstacle],
        platforms: &[Mover],
        [start, goal]: [Vec2; 2],
        time: f32,
    ) -> TimedOutcome {
        let walked = self.path(map, roadmap, moving, [start, goal], time);
        if !matches!(walked.outcome, PathOutcome::NoRoute { why: NoRouteReason::NotFound { .. }, .. }) {
            return walked;
        }
        let stops = stops(platforms, [time, time + self.horizon]);
        let walk = |from: &Reached, to: Vec2| {
            let (now, at) = from[from.len() - 1];
            if at == to {
                return Some(from.clone());
            }
            let found = self.path(map, roadmap, moving, [at, to], now);
            found.outcome.path()?;
            Some([from, &found.schedule[1..]].concat())
        };
        let mut reached: Vec<Reached> = vec![vec![(time, start)]];
        // Shores that were set out from: coming back to one is no gain.
        let mut known: Vec<Vec2> = Vec::new();
        for _ in 0..RIDES {
            let mut next: Vec<Reached> = Vec::new();
            for from in &reached {
                for landed in self.rides(&Among { map, roadmap, moving }, platforms, &stops, from, &walk) {
                    let at = landed[landed.len() - 1].1;
                    let seen = known.iter().chain(next.iter().map(|other| &other[other.len() - 1].1));
                    if !seen.into_iter().any(|place| place.distance(at) < 0.1) {
                        next.push(landed);
                    }
                }
            }
            known.extend(next.iter().map(|landed| landed[landed.len() - 1].1));
            let arrived = next.iter().filter_map(|landed| walk(landed, goal));
            let arrived = arrived.filter(|schedule| schedule[schedule.len() - 1].0 <= time + self.horizon);
            if let Some(schedule) = arrived.min_by(|a, b| a[a.len() - 1].0.total_cmp(&b[b.len() - 1].0)) {
                let points: Vec<Vec2> = schedule.iter().map(|(_, at)| *at).collect();
                return TimedOutcome { outcome: PathOutcome::Found(Path::on_floor(&points)), schedule };
            }
            reached = next;
        }
        walked
    }

    /// All single rides from a place: schedules that end on another shore, the earliest for each pair of stops.
    fn rides(
        &self,
        among: &Among<'_>,
        platforms: &[Mover],
        stops: &[Stop],
        from: &Reached,
        walk: &dyn Fn(&Reached, Vec2) -> Option<Reached>,
    ) -> Vec<Reached> {
        let at = from[from.len() - 1].1;
        let map = among.map;
        let on_foot = |q: Vec2| q == at || among.roadmap.path(map, at, q).path().is_some();
        let mut landed = Vec::new();
        for (i, stop) in stops.iter().enumerate() {
            let mover = &platforms[stop.platform];
            let Some((shore, deck)) = landing(map, mover, stop.span[0], on_foot) else { continue };
            let Some(mut way) = walk(from, shore) else { continue };
            let stepping = shore.distance(deck) / self.speed;
            let boards = way[way.len() - 1].0.max(stop.span[0]);
            if boards + stepping > stop.span[1] || !among.is_clear(shore, deck, [boards, boards + stepping]) {
                continue;
            }
            way.extend([(boards, shore), (boards + stepping, deck)]);
            // Where it stops next, if that is another shore.
            for other in stops[i + 1..].iter().filter(|other| other.platform == stop.platform) {
                let Some((shore, off)) = landing(map, mover, other.span[0], |q| !on_foot(q)) else { continue };
                // Across the deck while it stands.
                let leaves = other.span[0].max(boards + stepping);
                let stays = place_on(mover, deck, stop.span[0], leaves);
                let [walks, steps] = [stays.distance(off), off.distance(shore)].map(|length| length / self.speed);
                if leaves + walks + steps > other.span[1]
                    || !among.is_clear(off, shore, [leaves + walks, leaves + walks + steps])
                {
                    continue;
                }
                let mut way = way.clone();
                let turns = mover.track.turns([boards + stepping, leaves]);
                way.extend(turns.iter().map(|time| (*time, place_on(mover, deck, stop.span[0], *time))));
                way.extend([(leaves + walks, off), (leaves + walks + steps, shore)]);
                way.dedup();
                // Waits that follow each other are one.
                let mut i = 1;
                while i + 1 < way.len() {
                    if way[i - 1].1 == way[i].1 && way[i].1 == way[i + 1].1 {
                        way.remove(i);
                    } else {
                        i += 1;
                    }
                }
                landed.push(way);
                break;
            }
        }
        landed.sort_by(|a, b| a[a.len() - 1].0.total_cmp(&b[b.len() - 1].0));
        landed
    }
}

/// When platforms at about the floor's height stand still within a span, by time.
fn stops(platforms: &[Mover], span: [f32; 2]) -> Vec<Stop> {
    let mut stops: Vec<Stop> = Vec::new();
    for (platform, mover) in platforms.iter().enumerate().filter(|(_, mover)| mover.spin == 0.0) {
        for pair in mover.track.turns(span).windows(2) {
            let place = mover.track.position(pair[0]);
            let still = place.distance(mover.track.position(pair[1])) < 1e-4;
            if !still || (place.y + mover.height).abs() > STEP {
                continue;
            }
            match stops.last_mut().filter(|last| last.platform == platform && last.span[1] == pair[0]) {
                Some(last) => last.span[1] = pair[1],
                None => stops.push(Stop { platform, span: [pair[0], pair[1]] }),
            }
        }
    }
    stops.sort_by(|a, b| a.span[0].total_cmp(&b.span[0]));
    stops
}

/// Where the point of a platform that is at `place` at one time is at another.
fn place_on(mover: &Mover, place: Vec2, then: f32, time: f32) -> Vec2 {
    let local = mover.world_from_mover(then).inverse().transform_point(Vec3A::new(place.x, 0.0, place.y));
    floor::of_point(mover.world_from_mover(time).transform_point(local))
}

/// The place on the shore that is nearest to a platform, of those that `admits` holds for, and the place on the platform to
/// step to; `None` if it is too far.
fn landing(map: &GrownMap, mover: &Mover, time: f32, admits: impl FnMut(Vec2) -> bool) -> Option<(Vec2, Vec2)> {
    let middle = floor::of_point(mover.track.position(time).into());
    let shore = map.nearest_free_where(middle, admits)?;
    // The deck, less the radius all round.
    let mover_from_world = mover.world_from_mover(time).inverse();
    let local = floor::of_point(mover_from_world.transform_point(Vec3A::new(shore.x, 0.0, shore.y)));
    let deck = match mover.outline {
        Outline::Rectangle { half } => {
            let room = (half - map.radius()).max(Vec2::ZERO);
            local.clamp(-room, room)
        }
        Outline::Disc { radius } => local.clamp_length_max((radius - map.radius()).max(0.0)),
    };
    let deck = floor::of_point(mover.world_from_mover(time).transform_point(Vec3A::new(deck.x, 0.0, deck.y)));
    (shore.distance(deck) <= 2.0 * map.radius() + GAP).then_some((shore, deck))
}
