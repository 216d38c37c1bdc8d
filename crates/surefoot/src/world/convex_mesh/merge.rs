//! Merging: triangles joined into larger convex polygons, so that a search has few to go through.

use super::{ConvexMesh, NONE, NOTHING};
use glam::DVec2;

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
