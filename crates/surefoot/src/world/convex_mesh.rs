//! Convex polygons that share edges, and shortest paths over them (Polyanya: Cui, Harabor & Grastien 2017).
//!
//! Paths are sought by what can be seen: a search node is a stretch of a polygon's side and the last turn, from which all of
//! it is seen. In `f64`, so that a turn is passed on its own side. Polygons may lie above each other: only their sides join
//! them.

use super::buckets::Buckets;
use glam::{DVec2, Vec2};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
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
    /// Where it turns (x, z), and how many sides it has passed before.
    pub(crate) turns: Vec<(usize, DVec2)>,
}

/// The last turn of a path, or its start.
#[derive(Clone, Copy)]
struct Root {
    at: DVec2,
    corner: u32,
    /// Length of the path up to it, metres.
    length: f64,
}

/// A stretch of a side, as seen from the root; the polygon that the side belongs to is entered through it.
#[derive(Clone, Copy)]
struct Node {
    left: DVec2,
    right: DVec2,
    /// The corners that these are, if they are.
    left_corner: u32,
    right_corner: u32,
    side: u32,
    root: u32,
    /// The node before; [`NONE`] at the start.
    before: u32,
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
            let outside = |side: u32| {
                let (a, b) = (self.corner(side), self.corner(self.next(side)));
                (point - a).perp_dot(b - a) / (b - a).length().max(NOTHING)
            };
            let beside = self.ring(polygon).map(outside).fold(0.0, f64::max);
            if beside < best.0 {
                best = (beside, Some(polygon));
            }
            beside == 0.0
        });
        best.1
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

/// A search under way.
struct Search<'a> {
    mesh: &'a ConvexMesh,
    goal: (u32, DVec2),
    nodes: Vec<Node>,
    roots: Vec<Root>,
    /// The least length of a path to each corner, metres.
    least: Vec<f64>,
    /// By the least length of a whole path, as bits, which are in the same order.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// The best node of all that were met since one was taken.
    best: Option<(u64, u32)>,
}

impl<'a> Search<'a> {
    fn new(mesh: &'a ConvexMesh, start: DVec2, goal: (u32, DVec2)) -> Self {
        let mut roots = Vec::with_capacity(64);
        roots.push(Root { at: start, corner: NONE, length: 0.0 });
        let least = vec![f64::INFINITY; mesh.corners.len()];
        let (nodes, open) = (Vec::with_capacity(128), BinaryHeap::with_capacity(64));
        Self { mesh, goal, nodes, roots, least, open, best: None }
    }

    fn run(mut self, first: u32) -> Option<Way> {
        for side in self.mesh.ring(first) {
            self.add(side, [0.0, 1.0], 0, NONE);
        }
        while let Some(index) = self.take() {
            let node = self.nodes[index as usize];
            if self.mesh.sides[node.side as usize].polygon == self.goal.0 {
                return Some(self.trace(index));
            }
            let root = self.roots[node.root as usize];
            if root.corner == NONE || root.length <= self.least[root.corner as usize] + NOTHING {
                self.expand(index, &node, root);
            }
        }
        None
    }

    fn take(&mut self) -> Option<u32> {
        if let Some(best) = self.best.take() {
            let Some(mut first) = self.open.peek_mut().filter(|first| first.0 < best) else { return Some(best.1) };
            return Some(std::mem::replace(&mut *first, Reverse(best)).0.1);
        }
        self.open.pop().map(|first| first.0.1)
    }

    /// What can be reached through a polygon from the stretch it was entered by.
    fn expand(&mut self, index: u32, node: &Node, root: Root) {
        let mesh = self.mesh;
        let (to_left, to_right) = (node.left - root.at, node.right - root.at);
        let blur = [to_left, to_right].map(|to| NOTHING * (to.x.abs() + to.y.abs()));
        // From a root on the stretch, everything is seen.
        let on = to_left.dot(to_right) <= 0.0 && to_right.perp_dot(to_left).abs() <= blur[0].max(blur[1]);
        // How far a corner lies to the left of the rays through both ends, times their lengths.
        let beside = |at: DVec2| match on {
            true => [-1.0, 1.0],
            false => [to_left, to_right].map(|to| to.perp_dot(at - root.at)),
        };
        // Roots at the ends, made when the first is needed: `None` if a path cannot turn there.
        let mut turned: [Option<Option<u32>>; 2] = [None; 2];
        let mut side = mesh.next(node.side);
        let mut from = beside(mesh.corner(side));
        while side != node.side {
            let next = mesh.next(side);
            let to = beside(mesh.corner(next));
            let (mut hidden_left, mut hidden_right) = (from[0] >= -blur[0], to[1] <= blur[1]);
            // A root in line with the stretch sees nothing beyond: all of the polygon is to one side.
            if hidden_left && hidden_right {
                hidden_right = from[1].min(to[1]) < -blur[1];
                hidden_left = !hidden_right;
            }
            let start = match from[1] < -blur[1] {
                _ if hidden_right => 1.0,
                true => from[1] / (from[1] - to[1]),
                false => 0.0,
            };
            let end = match to[0] > blur[0] {
                _ if hidden_left => 0.0,
                true => from[0] / (from[0] - to[0]),
                false => 1.0,
            };
            if mesh.sides[side as usize].twin != NONE {
                if start > 0.0
                    && let Some(turn) = *turned[1].get_or_insert_with(|| self.turn(root, node.right, node.right_corner))
                {
                    self.add(side, [0.0, start], turn, index);
                }
                if start < end {
                    self.add(side, [start, end], node.root, index);
                }
                if end < 1.0
                    && let Some(turn) = *turned[0].get_or_insert_with(|| self.turn(root, node.left, node.left_corner))
                {
                    self.add(side, [end, 1.0], turn, index);
                }
            }
            (side, from) = (next, to);
        }
    }

    /// A new root at an end of a stretch, unless it is none to turn at, or a shorter path to it is known.
    fn turn(&mut self, root: Root, at: DVec2, corner: u32) -> Option<u32> {
        if corner == NONE || !self.mesh.turns[corner as usize] {
            return None;
        }
        let length = root.length + root.at.distance(at);
        let least = &mut self.least[corner as usize];
        if length > *least + NOTHING {
            return None;
        }
        *least = least.min(length);
        self.roots.push(Root { at, corner, length });
        Some(self.roots.len() as u32 - 1)
    }

    /// Adds the stretch of a side (parts of it, from its first corner) as seen from a root inside.
    fn add(&mut self, side: u32, [start, end]: [f64; 2], root: u32, before: u32) {
        let mesh = self.mesh;
        let Side { twin, polygon, .. } = mesh.sides[side as usize];
        if twin == NONE || !mesh.leads(polygon, mesh.sides[twin as usize].polygon, self.goal.0) {
            return;
        }
        let [a, b] = mesh.ends(side);
        let (at_a, at_b) = (mesh.corners[a as usize], mesh.corners[b as usize]);
        let blur = NOTHING / at_a.distance(at_b).max(NOTHING);
        let (mut right, mut left) = ((at_a, a), (at_b, b));
        if start > blur {
            right = if start < 1.0 - blur { (at_a.lerp(at_b, start), NONE) } else { (at_b, b) };
        }
        if end < 1.0 - blur {
            left = if end > blur { (at_a.lerp(at_b, end), NONE) } else { (at_a, a) };
        }
        if left.0 == right.0 {
            return;
        }
        let Root { at, length, .. } = self.roots[root as usize];
        let whole = length + detour(at, [left.0, right.0], self.goal.1);
        let index = self.nodes.len() as u32;
        let ((left, left_corner), (right, right_corner)) = (left, right);
        self.nodes.push(Node { left, right, left_corner, right_corner, side: twin, root, before });
        let mut entry = (whole.to_bits(), index);
        if let Some(best) = &mut self.best {
            if entry < *best {
                std::mem::swap(best, &mut entry);
            }
            self.open.push(Reverse(entry));
        } else {
            self.best = Some(entry);
        }
    }

    fn trace(&self, last: u32) -> Way {
        let node = self.nodes[last as usize];
        let root = self.roots[node.root as usize].at;
        let mut indices = Vec::with_capacity(64);
        let mut index = last;
        while index != NONE {
            indices.push(index);
            index = self.nodes[index as usize].before;
        }
        let mut way = Way { sides: Vec::with_capacity(indices.len()), turns: Vec::with_capacity(16) };
        let mut root_before = 0;
        for index in indices.into_iter().rev() {
            let node = self.nodes[index as usize];
            if node.root != root_before {
                way.turns.push((way.sides.len(), self.roots[node.root as usize].at));
                root_before = node.root;
            }
            way.sides.push(node.side);
        }
        // The goal may be beyond an end of what was seen last.
        if let Some(end) = bend(root, [node.left, node.right], self.goal.1) {
            way.turns.push((way.sides.len(), end));
        }
        way
    }
}

/// The end of a stretch that the shortest path from a root through it to a goal beyond turns at, if it is not straight.
fn bend(root: DVec2, [left, right]: [DVec2; 2], goal: DVec2) -> Option<DVec2> {
    if (left - root).perp_dot(goal - root) > 0.0 {
        Some(left)
    } else if (right - root).perp_dot(goal - root) < 0.0 {
        Some(right)
    } else {
        None
    }
}

/// The length of the shortest path from a root through a stretch to the goal, metres, if nothing else were in the way.
fn detour(root: DVec2, [left, right]: [DVec2; 2], goal: DVec2) -> f64 {
    // A goal on the root's side is as far as its mirror image.
    let along = right - left;
    let ahead = along.perp_dot(goal - left);
    let goal = if ahead < 0.0 { goal - along.perp() * (2.0 * ahead / along.length_squared()) } else { goal };
    match bend(root, [left, right], goal) {
        Some(end) => root.distance(end) + end.distance(goal),
        None => root.distance(goal),
    }
}

/// Joins triangles (or any convex polygons) into larger convex ones, over long sides first.
pub(crate) fn merged(corners: &[DVec2], polygons: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mesh = ConvexMesh::new(corners.to_vec(), polygons);
    let count = mesh.sides.len() as u32;
    let mut next: Vec<u32> = (0..count).map(|side| mesh.next(side)).collect();
    let mut before = vec![0; next.len()];
    for side in 0..count {
        before[next[side as usize] as usize] = side;
    }
    let at = |side: u32| mesh.corner(side);
    let twin = |side: u32| mesh.sides[side as usize].twin;
    let length = |side: u32| at(side).distance_squared(at(mesh.next(side)));
    let mut inner: Vec<u32> = (0..count).filter(|side| twin(*side) != NONE && *side < twin(*side)).collect();
    inner.sort_by(|a, b| length(*b).total_cmp(&length(*a)).then(a.cmp(b)));
    let mut gone = vec![false; next.len()];
    for side in inner.into_iter().filter(|side| length(*side) > 0.0) {
        if gone[side as usize] {
            continue;
        }
        // All that the two polygons share: a straight line of sides, from `first` to `last` as this one has them.
        let (mut first, mut last) = (side, side);
        while twin(next[last as usize]) == before[twin(last) as usize] && next[last as usize] != first {
            last = next[last as usize];
        }
        while twin(before[first as usize]) == next[twin(first) as usize] && before[first as usize] != last {
            first = before[first as usize];
        }
        let (enter, leave) = (before[first as usize], next[last as usize]);
        let (other_enter, other_leave) = (before[twin(last) as usize], next[twin(first) as usize]);
        // Both new corners must be convex.
        let convex = |one: u32, two: u32| {
            let (along, on) = (at(two) - at(one), at(mesh.next(two)) - at(two));
            along.perp_dot(on) >= -NOTHING * along.length() * on.length()
        };
        if !convex(enter, other_leave) || !convex(other_enter, leave) {
            continue;
        }
        let mut shared = first;
        loop {
            gone[shared as usize] = true;
            gone[twin(shared) as usize] = true;
            if shared == last {
                break;
            }
            shared = next[shared as usize];
        }
        for (one, two) in [(enter, other_leave), (other_enter, leave)] {
            next[one as usize] = two;
            before[two as usize] = one;
        }
    }
    let mut polygons = Vec::new();
    for side in 0..count {
        let mut ring = Vec::new();
        let mut at = side;
        while !gone[at as usize] {
            gone[at as usize] = true;
            ring.push(mesh.sides[at as usize].corner);
            at = next[at as usize];
        }
        if ring.len() > 2 {
            polygons.push(ring);
        }
    }
    polygons
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
        let points: Vec<DVec2> = [start].into_iter().chain(way.turns.iter().map(|turn| turn.1)).chain([goal]).collect();
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
