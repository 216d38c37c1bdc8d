//! Limbs that mirror each other: the tree taken apart into a trunk and what hangs from it on both sides.

use super::body::Body;
use crate::rig::{JointId, split_sides};

/// Joints nearer to each other than this lie in one place: anchors in the middle of a body. In its heights.
const TOGETHER: f32 = 0.02;

/// What hangs from the trunk.
#[derive(Default)]
pub(super) struct Pieces {
    /// First joints of limbs that mirror each other, the one at +X first.
    pub(super) pairs: Vec<[JointId; 2]>,
    /// Last joints of the trunk, and what no other piece mirrors.
    pub(super) singles: Vec<JointId>,
}

/// How much a difference of places along the way counts.
const ALONG: f32 = 0.4;

/// How far the lengths and the places of two limbs may differ to be each other's mirror images.
struct Likeness {
    /// Share of their length.
    length: f32,
    /// In heights of the body.
    place: f32,
}

/// In a pose that is as good as symmetric.
const ALIKE: Likeness = Likeness { length: 0.12, place: 0.1 };
/// In the middle of a step.
const ROUGHLY_ALIKE: Likeness = Likeness { length: 0.3, place: 0.35 };

/// Takes a body apart, from its roots down: siblings that mirror each other, by their names or by their lengths and places,
/// are limbs; of what is left the trunk goes on.
pub(super) fn pieces(body: &Body<'_>) -> Pieces {
    let stems = split_sides(body.skeleton.names());
    let mut xs: Vec<f32> =
        body.skeleton.joints().filter(|j| body.is_alive(*j)).map(|joint| body.place(joint).x).collect();
    xs.sort_by(f32::total_cmp);
    let middle = xs.get(xs.len() / 2).copied().unwrap_or_default();

    let mut found = Pieces::default();
    let mut open: Vec<Vec<JointId>> = vec![body.skeleton.roots().filter(|root| body.is_alive(*root)).collect()];
    while let Some(mut pool) = open.pop() {
        let by_name = |a: JointId, b: JointId| match (&stems[a.index()], &stems[b.index()]) {
            (Some((one, stem)), Some((other, same))) => one != other && stem == same,
            _ => false,
        };
        let mut pairs: Vec<[JointId; 2]> = Vec::new();
        let mut i = 0;
        while i < pool.len() {
            match (i + 1..pool.len()).find(|k| by_name(pool[i], pool[*k])) {
                Some(k) => {
                    let other = pool.remove(k);
                    pairs.push([pool.remove(i), other]);
                }
                None => i += 1,
            }
        }
        for likeness in [ALIKE, ROUGHLY_ALIKE] {
            while let Some((i, k)) = most_alike(body, &pool, middle, &likeness) {
                let other = pool.remove(k);
                pairs.push([pool.remove(i), other]);
            }
        }
        for [a, b] in pairs {
            let apart = body.place(a) - body.place(b);
            if apart.x.abs() < TOGETHER * body.height {
                // Anchors in the middle: what hangs from the two is one pool.
                let below: Vec<JointId> = body.children(a).chain(body.children(b)).collect();
                if !below.is_empty() {
                    open.push(below);
                }
            } else {
                found.pairs.push(if apart.x > 0.0 { [a, b] } else { [b, a] });
            }
        }
        for joint in pool {
            let below: Vec<JointId> = body.children(joint).collect();
            if below.is_empty() {
                found.singles.push(joint);
            } else {
                open.push(below);
            }
        }
    }
    found.pairs.sort();
    found.singles.sort();
    found
}

/// The two of a pool, by their numbers, that mirror each other best at `middle`, if any are alike enough.
fn most_alike(body: &Body<'_>, pool: &[JointId], middle: f32, enough: &Likeness) -> Option<(usize, usize)> {
    let mut best: Option<(f32, usize, usize)> = None;
    for (i, a) in pool.iter().enumerate() {
        for (k, b) in pool.iter().enumerate().skip(i + 1) {
            let [at_a, at_b] = [*a, *b].map(|joint| body.place(joint));
            let (off_a, off_b) = (at_a.x - middle, at_b.x - middle);
            let together = (at_a - at_b).length() < TOGETHER * body.height;
            // Anchors in the middle that limbs hang from, one for each side.
            let anchors = together && body.children(*a).next().is_some() && body.children(*b).next().is_some();
            let opposed = off_a * off_b < 0.0 && (off_a - off_b).abs() >= TOGETHER * body.height;
            if !(opposed || anchors) {
                continue;
            }
            let mirrored = glam::Vec3A::new(2.0 * middle - at_b.x, at_b.y, at_b.z);
            // In the middle of a step limbs differ most along the way.
            let off = (at_a - mirrored) * glam::Vec3A::new(1.0, 1.0, ALONG);
            let place = off.length() / body.height;
            // A hand may hold something, or a bone of one side no skin: one of the two lengths will do.
            let differ = |all: bool| {
                let [long, other] = [*a, *b].map(|joint| reach(body, joint, all));
                (long - other).abs() / f32::max(long, other).max(0.02 * body.height)
            };
            let length = f32::min(differ(false), differ(true));
            if place > enough.place || length > enough.length {
                continue;
            }
            let cost = place / enough.place + length / enough.length;
            if best.is_none_or(|(least, _, _)| cost < least) {
                best = Some((cost, i, k));
            }
        }
    }
    best.map(|(_, i, k)| (i, k))
}

/// The longest way along bones from a joint down, metres; with those that hold no skin, if `all`.
fn reach(body: &Body<'_>, joint: JointId, all: bool) -> f32 {
    let mut ways = vec![0.0_f32; body.skeleton.subtree(joint).len()];
    let first = joint.index();
    let mut longest = 0.0;
    for i in body.skeleton.subtree(joint).skip(1) {
        let of = JointId(i as u16);
        if let (Some(parent), true) = (body.skeleton.parent(of), all || body.is_alive(of)) {
            let way = ways[parent.index() - first] + (body.place(of) - body.place(parent)).length();
            ways[i - first] = way;
            longest = f32::max(longest, way);
        }
    }
    longest
}
