//! The visibility graph: exact shortest paths among grown polygons, for small maps and as the measure of other planners.

use super::outcome::answer;
use super::search::{Link, components, shortest};
use super::{NoRouteReason, PathOutcome};
use crate::math::floor::cross;
use crate::world::{GrownMap, SLACK};
use glam::Vec2;

/// A corner of a grown piece with its neighbours.
#[derive(Clone, Copy, Debug)]
struct Corner {
    at: Vec2,
    before: Vec2,
    after: Vec2,
}

impl Corner {
    /// Whether a taut line may pass here in this direction: the piece then lies to one side of it.
    fn is_tangent(&self, direction: Vec2) -> bool {
        let least = SLACK * direction.length();
        let (before, after) = (cross(direction, self.before - self.at), cross(direction, self.after - self.at));
        (before > -least || after < least) && (before < least || after > -least)
    }
}

/// All taut lines between corners of a map's grown pieces. Shortest paths go along them, and nowhere else.
///
/// Making it costs about the square of the corners: 50 ms at 600. A change of the map needs a new one.
#[derive(Clone, Debug)]
pub struct VisibilityGraph {
    corners: Vec<Corner>,
    links: Vec<Vec<Link>>,
    component: Vec<u32>,
}

impl VisibilityGraph {
    /// The graph of a map.
    #[must_use]
    pub fn new(map: &GrownMap) -> Self {
        let mut corners = Vec::new();
        for piece in map.pieces() {
            let points = piece.corners();
            let n = points.len();
            for i in 0..n {
                if map.is_free(points[i]) {
                    corners.push(Corner { at: points[i], before: points[(i + n - 1) % n], after: points[(i + 1) % n] });
                }
            }
        }
        let mut links = vec![Vec::new(); corners.len()];
        for i in 0..corners.len() {
            for j in 0..i {
                let direction = corners[j].at - corners[i].at;
                if corners[i].is_tangent(direction)
                    && corners[j].is_tangent(direction)
                    && map.segment_is_free(corners[i].at, corners[j].at)
                {
                    let length = direction.length();
                    links[i].push(Link { to: j as u32, length });
                    links[j].push(Link { to: i as u32, length });
                }
            }
        }
        let component = components(corners.len(), |node| &links[node as usize]);
        Self { corners, links, component }
    }

    /// Corners that are seen from a point, with their distances.
    fn seen(&self, map: &GrownMap, p: Vec2) -> Vec<Link> {
        let seen = |(i, corner): (usize, &Corner)| {
            let direction = corner.at - p;
            (corner.is_tangent(direction) && map.segment_is_free(p, corner.at))
                .then(|| Link { to: i as u32, length: direction.length() })
        };
        self.corners.iter().enumerate().filter_map(seen).collect()
    }

    /// The shortest path on the map that this was made of; points are (x, z), metres. Exact but for rounding and
    /// [`SLACK`].
    #[must_use]
    pub fn path(&self, map: &GrownMap, start: Vec2, goal: Vec2) -> PathOutcome {
        let route = || {
            let (starts, goals) = (self.seen(map, start), self.seen(map, goal));
            let ahead = |node: u32| self.corners[node as usize].at.distance(goal);
            let way = shortest(self.corners.len(), &starts, &goals, |node| &self.links[node as usize], ahead);
            let way = way.ok_or(NoRouteReason::Separated)?;
            let corners = way.iter().map(|node| self.corners[*node as usize].at);
            Ok([start].into_iter().chain(corners).chain([goal]).collect())
        };
        let nearest = || {
            let mut reached: Vec<u32> = self.seen(map, start).iter().map(|l| self.component[l.to as usize]).collect();
            reached.sort_unstable();
            reached.dedup();
            let reaches = |q: Vec2| {
                let within = |link: &Link| reached.binary_search(&self.component[link.to as usize]).is_ok();
                map.segment_is_free(start, q) || self.seen(map, q).iter().any(within)
            };
            map.nearest_free_where(goal, reaches).unwrap_or(start)
        };
        answer(map, start, goal, route, nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::FloorPose;
    use crate::world::{Blocker, FloorMap, Obstacle};

    fn v(x: f32, z: f32) -> Vec2 {
        Vec2::new(x, z)
    }

    /// A room with a wall that leaves a gap of 2 m at the top, and a closed cell in the right half.
    fn room() -> GrownMap {
        let mut map = FloorMap::rectangle(Vec2::ZERO, v(10.0, 8.0)).unwrap();
        let wall = |x, z, width, depth| Obstacle::rectangle("", FloorPose::new(v(x, z), 0.0), v(width, depth));
        map.add(wall(5.0, 3.0, 1.0, 6.0)).unwrap();
        for (x, z, width, depth) in
            [(8.0, 2.0, 2.2, 0.2), (8.0, 4.0, 2.2, 0.2), (7.0, 3.0, 0.2, 2.0), (9.0, 3.0, 0.2, 2.0)]
        {
            map.add(wall(x, z, width, depth)).unwrap();
        }
        GrownMap::new(map, 0.3).unwrap()
    }

    #[test]
    fn a_path_round_a_wall_is_as_long_as_by_hand() {
        let map = room();
        let graph = VisibilityGraph::new(&map);
        let path = graph.path(&map, v(1.0, 3.0), v(9.5, 7.5)).into_path().unwrap();
        assert!(path.is_free(&map) && path.clearance(&map) > 0.2998, "{path:?}");
        // Tangents to the quarter circle at the wall's left corner (4.5, 6), then along its top to the right.
        let (to_corner, r) = (v(4.5, 6.0) - v(1.0, 3.0), 0.3_f32);
        let tangent = (to_corner.length_squared() - r * r).sqrt();
        assert!(path.length() > tangent + v(4.5, 6.3).distance(v(9.5, 7.5)), "{}", path.length());
        assert!(path.length() < to_corner.length() + r + v(4.5, 6.3).distance(v(9.5, 7.5)), "{}", path.length());
    }

    #[test]
    fn every_question_has_its_own_answer() {
        let map = room();
        let graph = VisibilityGraph::new(&map);
        let ask = |a, b| graph.path(&map, a, b);
        let start = v(1.0, 1.0);
        assert_eq!(ask(start, start), PathOutcome::StartIsGoal);
        assert_eq!(ask(start, v(f32::NAN, 0.0)), PathOutcome::NotFinite);
        let wall = map.map().obstacles().next().unwrap().0;
        let Some(nearest) = map.nearest_free(v(5.0, 1.0)) else { panic!("the room has free places") };
        assert_eq!(
            ask(v(5.0, 1.0), start),
            PathOutcome::StartBlocked { by: Blocker::Obstacle(wall), nearest: Some(nearest) }
        );
        let PathOutcome::GoalBlocked { by, nearest } = ask(start, v(5.1, 1.0)) else {
            panic!("the goal is in the wall")
        };
        assert_eq!(by, Blocker::Obstacle(wall));
        assert!(nearest.distance(v(5.8, 1.0)) < 1e-3, "{nearest}: to the right, which is reachable, too");
        let PathOutcome::GoalOffFloor { nearest } = ask(start, v(-2.0, 3.0)) else {
            panic!("the goal is off the floor")
        };
        assert!(nearest.distance(v(0.3, 3.0)) < 1e-3, "{nearest}");
        let PathOutcome::NoRoute { why, nearest } = ask(start, v(7.6, 3.0)) else { panic!("the goal is in a cell") };
        assert_eq!(why, NoRouteReason::Separated);
        assert!(nearest.distance(v(6.6, 3.0)) < 1e-3, "{nearest}: before the cell's left wall");
        assert!(ask(start, nearest).path().is_some(), "the nearest reachable point is reachable");
    }
}
