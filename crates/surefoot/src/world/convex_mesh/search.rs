//! The search for a shortest path: stretches of sides as seen from the last turn, the most promising first.

use super::{ConvexMesh, NONE, NOTHING, Side, Turn, Way};
use glam::DVec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The last turn of a path, or its start.
#[derive(Clone, Copy)]
struct Root {
    at: DVec2,
    corner: u32,
    /// Length of the path up to it, metres.
    length: f64,
    /// The last of the stretches that were first seen from it; [`NONE`] if there is none.
    seen: u32,
}

/// A stretch of a side that was first seen from a root.
#[derive(Clone, Copy)]
struct Seen {
    side: u32,
    /// As parts of the side, from its first corner.
    stretch: [f64; 2],
    /// The one before, of the same root; [`NONE`] if there is none.
    before: u32,
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

/// A search under way.
pub(super) struct Search<'a> {
    mesh: &'a ConvexMesh,
    goal: (u32, DVec2),
    nodes: Vec<Node>,
    roots: Vec<Root>,
    seen: Vec<Seen>,
    /// The least length of a path to each corner, metres, and the root it has been made.
    least: Vec<(f64, u32)>,
    /// By the least length of a whole path, as bits, which are in the same order.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// The best node of all that were met since one was taken.
    best: Option<(u64, u32)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(mesh: &'a ConvexMesh, start: DVec2, goal: (u32, DVec2)) -> Self {
        let mut roots = Vec::with_capacity(64);
        roots.push(Root { at: start, corner: NONE, length: 0.0, seen: NONE });
        let least = vec![(f64::INFINITY, NONE); mesh.corners.len()];
        let (nodes, open) = (Vec::with_capacity(128), BinaryHeap::with_capacity(64));
        Self { mesh, goal, nodes, roots, seen: Vec::with_capacity(64), least, open, best: None }
    }

    pub(super) fn run(mut self, first: u32) -> Option<Way> {
        for side in self.mesh.ring(first) {
            self.add(side, [0.0, 1.0], 0, NONE);
        }
        while let Some(index) = self.take() {
            let node = self.nodes[index as usize];
            if self.mesh.sides[node.side as usize].polygon == self.goal.0 {
                return Some(self.trace(index));
            }
            let root = self.roots[node.root as usize];
            if root.corner == NONE || root.length <= self.least[root.corner as usize].0 + NOTHING {
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
                    self.see(side, [0.0, start], turn, index);
                }
                if start < end {
                    self.add(side, [start, end], node.root, index);
                }
                if end < 1.0
                    && let Some(turn) = *turned[0].get_or_insert_with(|| self.turn(root, node.left, node.left_corner))
                {
                    self.see(side, [end, 1.0], turn, index);
                }
            }
            (side, from) = (next, to);
        }
    }

    /// The root at an end of a stretch, unless it is none to turn at, or a shorter path to it is known.
    fn turn(&mut self, root: Root, at: DVec2, corner: u32) -> Option<u32> {
        if corner == NONE || !self.mesh.turns[corner as usize] {
            return None;
        }
        let length = root.length + root.at.distance(at);
        let (least, known) = &mut self.least[corner as usize];
        if length > *least + NOTHING {
            return None;
        }
        // Ways of one length lead on as one: among boxes on a grid there are more of them than can be counted.
        if length < *least - NOTHING {
            (*least, *known) = (length, self.roots.len() as u32);
            self.roots.push(Root { at, corner, length, seen: NONE });
        }
        Some(*known)
    }

    /// Adds what a root that is a turn sees first of a side, but for what it has seen of it before.
    fn see(&mut self, side: u32, mut stretch: [f64; 2], root: u32, before: u32) {
        let mut at = self.roots[root as usize].seen;
        while at != NONE {
            let seen = self.seen[at as usize];
            at = seen.before;
            if seen.side != side {
                continue;
            }
            let covers = |part: f64| seen.stretch[0] <= part && part <= seen.stretch[1];
            match stretch.map(covers) {
                [true, true] => return,
                [true, false] => stretch[0] = seen.stretch[1],
                [false, true] => stretch[1] = seen.stretch[0],
                [false, false] => {}
            }
        }
        let last = std::mem::replace(&mut self.roots[root as usize].seen, self.seen.len() as u32);
        self.seen.push(Seen { side, stretch, before: last });
        self.add(side, stretch, root, before);
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
                let Root { at, corner, .. } = self.roots[node.root as usize];
                way.turns.push(Turn { passed: way.sides.len(), at, corner: Some(corner).filter(|c| *c != NONE) });
                root_before = node.root;
            }
            way.sides.push(node.side);
        }
        // The goal may be beyond an end of what was seen last.
        if let Some(at) = bend(root, [node.left, node.right], self.goal.1) {
            let corner = if at == node.left { node.left_corner } else { node.right_corner };
            way.turns.push(Turn { passed: way.sides.len(), at, corner: Some(corner).filter(|c| *c != NONE) });
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
