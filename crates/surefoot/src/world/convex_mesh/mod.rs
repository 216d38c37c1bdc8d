//! Convex polygons that share edges, and shortest paths over them (Polyanya: Cui, Harabor & Grastien 2017).
//!
//! Paths are sought by what can be seen: a search node is a stretch of a polygon's side and the last turn, from which all of
//! it is seen. In `f64`, so that a turn is passed on its own side. Polygons may lie above each other: only their sides join
//! them.

mod merge;
mod search;

pub(crate) use merge::merged;

use super::buckets::Buckets;
use glam::{DVec2, Vec2};
use search::Search;
use std::f64::consts::PI;
use std::ops::Range;

/// What counts as nothing, metres.
const NOTHING: f64 = 1e-9;

/// No corner, no side, no polygon.
const NONE: u32 = u32::MAX;

/// A side of a polygon, from a corner of it to the next.
#[derive(Clone, Copy, Debug)]
struct Side {
    corner: u32,
    /// The same side as the polygon beyond has it; [`NONE`] at the rim.
    twin: u32,
    polygon: u32,
}

/// A polygon's place among the others.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Polygons that hang together have the same number.
    island: u32,
    /// Polygons that lead nowhere but to others of their kind make up trees: the one nearer to the trunk.
    parent: u32,
    /// Numbers of all polygons of its branch, its own first. Off the trees: a span that holds everything.
    branch: [u32; 2],
}

/// Convex polygons, their corners (x, z) in metres and counter-clockwise in these.
#[derive(Clone, Debug)]
pub(crate) struct ConvexMesh {
    corners: Vec<DVec2>,
    /// Corners that a shortest path can turn at: where more than half of the surroundings is free, but not all.
    turns: Vec<bool>,
    sides: Vec<Side>,
    /// Where each polygon's sides begin, and the end.
    firsts: Vec<u32>,
    places: Vec<Place>,
    near: Buckets,
}

/// A shortest path over a mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way {
    /// The sides it passes, in order.
    pub(crate) sides: Vec<u32>,
    /// Where it turns, in order.
    pub(crate) turns: Vec<Turn>,
}

/// Where a path turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// How many sides it has passed before.
    pub(crate) passed: usize,
    /// The place (x, z), metres.
    pub(crate) at: DVec2,
    /// The corner of the mesh that it is; rounding may make a turn of what is none.
    pub(crate) corner: Option<u32>,
}

impl ConvexMesh {
    /// Polygons by their corners; those that name the same two corners are neighbours.
    pub(crate) fn new(corners: Vec<DVec2>, polygons: &[Vec<u32>]) -> Self {
        let mut firsts = vec![0];
        let mut sides = Vec::new();
        for (polygon, ring) in polygons.iter().enumerate() {
            sides.extend(ring.iter().map(|corner| Side { corner: *corner, twin: NONE, polygon: polygon as u32 }));
            firsts.push(sides.len() as u32);
        }
        let bounds = polygons.iter().flatten().map(|corner| corners[*corner as usize].as_vec2());
        let bounds = bounds.fold([Vec2::MAX, Vec2::MIN], |[low, high], p| [low.min(p), high.max(p)]);
        let bounds = if polygons.is_empty() { [Vec2::ZERO; 2] } else { bounds };
        let near = Buckets::new(bounds, (4 * polygons.len()).clamp(16, 4096));
        let mut mesh = Self { turns: vec![false; corners.len()], corners, sides, firsts, places: Vec::new(), near };
        mesh.join();
        mesh.find_turns();
        mesh.find_places();
        for polygon in 0..polygons.len() as u32 {
            let at = mesh.ring(polygon).map(|side| mesh.corner(side).as_vec2());
            let [low, high] = at.fold([Vec2::MAX, Vec2::MIN], |[low, high], p| [low.min(p), high.max(p)]);
            // Rounding must not put a corner out of its box.
            mesh.near.insert(polygon, [low - 1e-3, high + 1e-3]);
        }
        mesh
    }

    /// How many polygons there are.
    pub(crate) fn len(&self) -> usize {
        self.firsts.len() - 1
    }

    /// The sides of a polygon.
    fn ring(&self, polygon: u32) -> Range<u32> {
        self.firsts[polygon as usize]..self.firsts[polygon as usize + 1]
    }

    fn next(&self, side: u32) -> u32 {
        let ring = self.ring(self.sides[side as usize].polygon);
        if side + 1 == ring.end { ring.start } else { side + 1 }
    }

    fn corner(&self, side: u32) -> DVec2 {
        self.corners[self.sides[side as usize].corner as usize]
    }

    /// The corners of a side, as numbers.
    fn ends(&self, side: u32) -> [u32; 2] {
        [side, self.next(side)].map(|side| self.sides[side as usize].corner)
    }

    /// The polygon that a side belongs to, and the side's ends (x, z).
    pub(crate) fn side(&self, side: u32) -> (u32, [DVec2; 2]) {
        (self.sides[side as usize].polygon, [self.corner(side), self.corner(self.next(side))])
    }

    /// The corners of all polygons.
    pub(crate) fn polygons(&self) -> impl Iterator<Item = Vec<Vec2>> {
        (0..self.len() as u32).map(|polygon| self.ring(polygon).map(|side| self.corner(side).as_vec2()).collect())
    }

    /// Finds the twins of all sides.
    fn join(&mut self) {
        let mut ends: Vec<([u32; 2], u32)> = (0..self.sides.len() as u32)
            .map(|side| {
                let [a, b] = self.ends(side);
                ([a.min(b), a.max(b)], side)
            })
            .collect();
        ends.sort_unstable();
        let mut i = 0;
        while i + 1 < ends.len() {
            let ((one, a), (two, b)) = (ends[i], ends[i + 1]);
            if one == two && self.ends(a) != self.ends(b) {
                self.sides[a as usize].twin = b;
                self.sides[b as usize].twin = a;
                i += 1;
            }
            i += 1;
        }
    }

    fn find_turns(&mut self) {
        let mut free = vec![0.0; self.corners.len()];
        let mut gaps = vec![0; self.corners.len()];
        for side in 0..self.sides.len() as u32 {
            let [_, b] = self.ends(side);
            let next = self.next(side);
            let (along, on) = (self.corner(next) - self.corner(side), self.corner(self.next(next)) - self.corner(next));
            free[b as usize] += PI - crate::math::double::atan2(along.perp_dot(on), along.dot(on));
            gaps[b as usize] += usize::from(self.sides[side as usize].twin == NONE);
        }
        for (turn, (free, gaps)) in self.turns.iter_mut().zip(free.into_iter().zip(gaps)) {
            *turn = gaps > 1 || (gaps == 1 && free > PI - 1e-3);
        }
    }

    /// Tells islands apart, and trees of polygons from what can be gone through in a ring.
    fn find_places(&mut self) {
        let count = self.len();
        let neighbours: Vec<Vec<u32>> = (0..count as u32)
            .map(|polygon| {
                let twins = self.ring(polygon).map(|side| self.sides[side as usize].twin).filter(|twin| *twin != NONE);
                let mut all: Vec<u32> = twins.map(|twin| self.sides[twin as usize].polygon).collect();
                all.sort_unstable();
                all.dedup();
                all
            })
            .collect();
        self.places = vec![Place { island: NONE, parent: NONE, branch: [0, NONE] }; count];
        for polygon in 0..count {
            let mut open = vec![polygon];
            while let Some(at) = open.pop() {
                if self.places[at].island == NONE {
                    self.places[at].island = polygon as u32;
                    open.extend(neighbours[at].iter().map(|next| *next as usize));
                }
            }
        }
        // Leaves are taken off until there are none.
        let mut left: Vec<usize> = neighbours.iter().map(Vec::len).collect();
        let mut leaves: Vec<usize> = (0..count).filter(|polygon| left[*polygon] == 1).collect();
        let mut gone = vec![false; count];
        let mut size = vec![1; count];
        let mut i = 0;
        while i < leaves.len() {
            let leaf = leaves[i];
            i += 1;
            // The last one of a tree has no neighbour left: it is the trunk.
            let Some(parent) = neighbours[leaf].iter().map(|n| *n as usize).find(|n| !gone[*n]) else { continue };
            gone[leaf] = true;
            self.places[leaf].parent = parent as u32;
            size[parent] += size[leaf];
            left[parent] -= 1;
            if left[parent] == 1 {
                leaves.push(parent);
            }
        }
        let mut free = 0;
        let mut inner = vec![0; count];
        for leaf in leaves.into_iter().rev().filter(|leaf| gone[*leaf]) {
            let parent = self.places[leaf].parent as usize;
            let number = if gone[parent] { &mut inner[parent] } else { &mut free };
            let first = *number;
            *number += size[leaf];
            self.places[leaf].branch = [first, first + size[leaf]];
            inner[leaf] = first + 1;
        }
    }

    /// Whether a shortest path that leaves a polygon for another may lead to the goal's.
    fn leads(&self, from: u32, to: u32, goal: u32) -> bool {
        let number = |place: &Place| if place.parent == NONE { NONE - 1 } else { place.branch[0] };
        let goal = number(&self.places[goal as usize]);
        let [first, end] = self.places[to as usize].branch;
        (first <= goal && goal < end) || self.places[from as usize].parent == to
    }

    /// The polygon that a point (x, z) is in, or the nearest within `reach` metres (small).
    pub(crate) fn polygon_at(&self, point: DVec2, reach: f64) -> Option<u32> {
        let mut best = (reach, None);
        let p = point.as_vec2();
        self.near.any_along(p, p, reach as f32, |polygon| {
            // Needles end in no width at all: only the distance tells how far off their tips a point is.
            let outside = |side: u32| {
                let (a, b) = (self.corner(side), self.corner(self.next(side)));
                let (to, along) = (point - a, b - a);
                let part = to.dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
                (to.perp_dot(along) > 0.0).then(|| to.distance(along * part.clamp(0.0, 1.0)))
            };
            let nearest = self.ring(polygon).filter_map(outside).reduce(f64::min);
            let beside = nearest.unwrap_or(0.0);
            if beside < best.0 {
                best = (beside, Some(polygon));
            }
            beside == 0.0
        });
        best.1
    }

    /// The middle of a polygon's corners (x, z), metres.
    pub(crate) fn middle(&self, polygon: u32) -> DVec2 {
        let ring = self.ring(polygon);
        let count = f64::from(ring.end - ring.start);
        ring.map(|side| self.corner(side)).sum::<DVec2>() / count
    }

    /// Two polygons far apart that a way joins: on the largest island, the one furthest from its middle, and the one furthest
    /// from that. `None` if there is no polygon.
    pub(crate) fn far_apart(&self) -> Option<[u32; 2]> {
        let area = |polygon: u32| {
            let first = self.corner(self.firsts[polygon as usize]);
            let twice = |side: u32| (self.corner(side) - first).perp_dot(self.corner(self.next(side)) - first);
            0.5 * self.ring(polygon).map(twice).sum::<f64>()
        };
        // Per island: its area, and its middle times that.
        let mut islands = vec![(0.0, DVec2::ZERO); self.len()];
        for polygon in 0..self.len() as u32 {
            let island = &mut islands[self.places[polygon as usize].island as usize];
            *island = (island.0 + area(polygon), island.1 + area(polygon) * self.middle(polygon));
        }
        let largest = (0..islands.len()).reduce(|best, i| if islands[i].0 > islands[best].0 { i } else { best })?;
        let members = || (0..self.len() as u32).filter(|p| self.places[*p as usize].island == largest as u32);
        let furthest = |from: DVec2| {
            let far = |polygon: u32| self.middle(polygon).distance_squared(from);
            members().reduce(|best, polygon| if far(polygon) > far(best) { polygon } else { best })
        };
        let one = furthest(islands[largest].1 / islands[largest].0)?;
        Some([one, furthest(self.middle(one))?])
    }

    /// Whether a way leads from polygon to polygon.
    pub(crate) fn hang_together(&self, one: u32, other: u32) -> bool {
        self.places[one as usize].island == self.places[other as usize].island
    }

    /// The shortest path between two places (x, z) with the polygons they are in; `None` if there is none.
    pub(crate) fn way(&self, start: (u32, DVec2), goal: (u32, DVec2)) -> Option<Way> {
        if !self.hang_together(start.0, goal.0) {
            return None;
        }
        if start.0 == goal.0 {
            return Some(Way::default());
        }
        Search::new(self, start.1, goal).run(start.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(x: f64, z: f64) -> DVec2 {
        DVec2::new(x, z)
    }

    /// Unit squares at these places.
    fn squares(places: &[[u32; 2]]) -> ConvexMesh {
        let corners = (0..64).map(|i| d(f64::from(i % 8), f64::from(i / 8))).collect();
        let ring = |[x, z]: &[u32; 2]| [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[i, j]| x + i + 8 * (z + j)).to_vec();
        ConvexMesh::new(corners, &places.iter().map(ring).collect::<Vec<_>>())
    }

    fn length(mesh: &ConvexMesh, start: DVec2, goal: DVec2) -> Option<f64> {
        let at = |p| Some((mesh.polygon_at(p, 1e-6)?, p));
        let way = mesh.way(at(start)?, at(goal)?)?;
        let points: Vec<DVec2> =
            [start].into_iter().chain(way.turns.iter().map(|turn| turn.at)).chain([goal]).collect();
        Some(points.windows(2).map(|pair| pair[0].distance(pair[1])).sum())
    }

    /// A ring of squares with a dead end, and one square on its own.
    fn ring() -> ConvexMesh {
        let around = [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2], [1, 2], [0, 2], [0, 1]];
        squares(&[&around[..], &[[3, 1], [4, 1], [6, 6]]].concat())
    }

    #[test]
    fn ways_lead_round_a_hole_from_inside_sides_and_corners() {
        let mesh = ring();
        let diagonal = 2.0 * d(0.5, 0.5).length() + 1.0;
        let near =
            |found: Option<f64>, wanted: f64| assert!((found.unwrap() - wanted).abs() < 1e-9, "{found:?} {wanted}");
        // Round both corners of one side of the hole.
        near(length(&mesh, d(0.5, 1.5), d(2.5, 1.5)), diagonal);
        // Straight along the hole's side, which is in line with sides of squares.
        near(length(&mesh, d(0.0, 1.0), d(5.0, 1.0)), 5.0);
        // A start on a side, at a corner of four, at a corner of the hole.
        near(length(&mesh, d(1.0, 0.5), d(2.5, 2.0)), d(1.0, 0.5).length() + d(0.5, 1.0).length());
        near(length(&mesh, d(1.0, 1.0), d(2.5, 2.5)), 1.0 + d(0.5, 1.5).length());
        near(length(&mesh, d(0.5, 1.0), d(2.5, 2.5)), d(0.5, 1.0).length() + d(1.5, 0.5).length());
        // Into the dead end and out of it.
        let out = d(0.5, 0.5).length() + 1.0 + 2.5;
        near(length(&mesh, d(0.5, 1.5), d(4.5, 1.0)), out);
        near(length(&mesh, d(4.5, 1.0), d(0.5, 1.5)), out);
    }

    #[test]
    fn islands_are_told_apart() {
        let mesh = ring();
        assert_eq!(length(&mesh, d(0.5, 0.5), d(6.5, 6.5)), None);
        assert_eq!(mesh.polygon_at(d(1.5, 1.5), 0.1), None);
        assert!(mesh.polygon_at(d(1.05, 1.5), 0.1).is_some(), "beside");
    }

    #[test]
    fn merging_joins_what_stays_convex() {
        let corners: Vec<DVec2> = (0..64).map(|i| d(f64::from(i % 8), f64::from(i / 8))).collect();
        // Three squares in a row as triangles, and one below the first.
        let triangles = |x: u32, z: u32| {
            let [a, b, c, e] = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[i, j]| x + i + 8 * (z + j));
            [vec![a, b, c], vec![a, c, e]]
        };
        let all: Vec<Vec<u32>> = [[0, 0], [1, 0], [2, 0], [0, 1]].iter().flat_map(|[x, z]| triangles(*x, *z)).collect();
        let polygons = merged(&corners, &all);
        let area = |ring: &Vec<u32>| {
            let at = |i: usize| corners[ring[i % ring.len()] as usize];
            (0..ring.len()).map(|i| 0.5 * at(i).perp_dot(at(i + 1))).sum::<f64>()
        };
        assert_eq!(polygons.len(), 2, "{polygons:?}");
        assert!((polygons.iter().map(area).sum::<f64>() - 4.0).abs() < 1e-12, "{polygons:?}");
    }
}
