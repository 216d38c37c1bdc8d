//! Simple polygons on the floor: area, inside, distance, faults, and convex parts.

use crate::math::floor::cross;
use glam::Vec2;

/// Twice the area of a polygon of points (x, z), positive where it runs counter-clockwise seen from above.
pub(super) fn double_area(corners: &[Vec2]) -> f32 {
    // Around the first corner, so that polygons far from the origin keep their digits.
    let first = corners[0];
    corners.windows(2).map(|pair| cross(pair[0] - first, pair[1] - first)).sum()
}

/// All edges, the closing one last.
pub(super) fn edges(corners: &[Vec2]) -> impl Iterator<Item = [Vec2; 2]> + '_ {
    (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]])
}

/// Whether a point lies inside, by counting the edges to one side of it.
pub(super) fn contains(corners: &[Vec2], p: Vec2) -> bool {
    let mut inside = false;
    for [a, b] in edges(corners) {
        if (a.y > p.y) != (b.y > p.y) {
            // Compares without dividing: is p left of the edge where their heights are equal?
            let side = (b.x - a.x) * (p.y - a.y) - (p.x - a.x) * (b.y - a.y);
            inside ^= (side > 0.0) == (b.y > a.y);
        }
    }
    inside
}

/// The least and the greatest coordinates.
pub(super) fn bounds(corners: &[Vec2]) -> [Vec2; 2] {
    let around = |f: fn(Vec2, Vec2) -> Vec2| corners.iter().copied().reduce(f).unwrap_or_default();
    [around(Vec2::min), around(Vec2::max)]
}

/// The point of the segment a–b nearest to p.
pub(super) fn nearest_on_segment(a: Vec2, b: Vec2, p: Vec2) -> Vec2 {
    let along = b - a;
    let t = (p - a).dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
    a + along * t.clamp(0.0, 1.0)
}

/// Whether two segments have a point in common; touching counts.
pub(super) fn segments_meet([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> bool {
    let (u, v) = (b - a, d - c);
    let (c_side, d_side) = (cross(u, c - a), cross(u, d - a));
    let (a_side, b_side) = (cross(v, a - c), cross(v, b - c));
    if ((c_side > 0.0) != (d_side > 0.0)) && ((a_side > 0.0) != (b_side > 0.0)) {
        // Where all four vanish they lie on one line, which the distance settles.
        if c_side != 0.0 || d_side != 0.0 {
            return true;
        }
    }
    ends_distance_squared([a, b], [c, d]) == 0.0
}

/// The least squared distance between two segments, square metres: 0 where they cross.
pub(super) fn distance_squared(one: [Vec2; 2], two: [Vec2; 2]) -> f32 {
    if two[0] == two[1] {
        return nearest_on_segment(one[0], one[1], two[0]).distance_squared(two[0]);
    }
    if segments_meet(one, two) { 0.0 } else { ends_distance_squared(one, two) }
}

fn ends_distance_squared([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> f32 {
    let to = |from: Vec2, to: Vec2, p: Vec2| nearest_on_segment(from, to, p).distance_squared(p);
    to(a, b, c).min(to(a, b, d)).min(to(c, d, a)).min(to(c, d, b))
}

/// The first two edges that meet though they are no neighbours, or that fold back onto each other.
pub(super) fn self_crossing(corners: &[Vec2]) -> Option<[usize; 2]> {
    let n = corners.len();
    let edge = |i: usize| [corners[i], corners[(i + 1) % n]];
    for i in 0..n {
        let [a, b] = edge(i);
        let [_, c] = edge((i + 1) % n);
        if cross(b - a, c - b) == 0.0 && (b - a).dot(c - b) < 0.0 {
            return Some([i, (i + 1) % n]);
        }
        for j in i + 2..n {
            if !(i == 0 && j == n - 1) && segments_meet([a, b], edge(j)) {
                return Some([i, j]);
            }
        }
    }
    None
}

/// A simple counter-clockwise polygon as convex ones: itself if it is convex, else the triangles of ear clipping.
pub(super) fn convex_parts(corners: &[Vec2]) -> Vec<Vec<Vec2>> {
    let n = corners.len();
    let turn = |a: Vec2, b: Vec2, c: Vec2| cross(b - a, c - b);
    if (0..n).all(|i| turn(corners[i], corners[(i + 1) % n], corners[(i + 2) % n]) >= 0.0) {
        return vec![corners.to_vec()];
    }
    let mut left = corners.to_vec();
    let mut parts = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let ear = (0..n).find(|&i| {
            let [a, b, c] = [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
            turn(a, b, c) > 0.0
                && !left.iter().any(|&p| {
                    p != a
                        && p != b
                        && p != c
                        && [[a, b], [b, c], [c, a]].iter().all(|[s, e]| cross(*e - *s, p - *s) >= 0.0)
                })
        });
        // Rounding may leave no ear: the corner that turns most still shortens the polygon.
        let ear = ear.unwrap_or(0);
        let [a, b, c] = [left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]];
        if turn(a, b, c) > 0.0 {
            parts.push(vec![a, b, c]);
        }
        left.remove(ear);
    }
    if double_area(&left) > 0.0 {
        parts.push(left);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A star around the origin: simple whatever its radii are.
    fn any_star() -> impl Strategy<Value = Vec<Vec2>> {
        proptest::collection::vec(0.3_f32..3.0, 4..24).prop_map(|radii| {
            let n = radii.len();
            let at = |i: usize| crate::math::floor::direction(i as f32 / n as f32 * std::f32::consts::TAU);
            radii.iter().enumerate().map(|(i, r)| at(i) * *r).collect()
        })
    }

    proptest! {
        #[test]
        fn convex_parts_cover_the_polygon_once(star in any_star(), x in -3.0_f32..3.0, z in -3.0_f32..3.0) {
            prop_assert_eq!(self_crossing(&star), None);
            let parts = convex_parts(&star);
            let area: f32 = parts.iter().map(|part| double_area(part)).sum();
            prop_assert!((area - double_area(&star)).abs() < 1e-4 * area);
            let p = Vec2::new(x, z);
            let edge = edges(&star).map(|[a, b]| nearest_on_segment(a, b, p).distance(p)).fold(f32::MAX, f32::min);
            if edge > 1e-3 {
                prop_assert_eq!(parts.iter().any(|part| contains(part, p)), contains(&star, p));
            }
        }
    }

    #[test]
    fn crossings_are_found() {
        let bow = [Vec2::ZERO, Vec2::new(1.0, 1.0), Vec2::X, Vec2::Y];
        assert_eq!(self_crossing(&bow), Some([0, 2]));
        let spike = [Vec2::ZERO, Vec2::X, Vec2::new(2.0, 0.0), Vec2::new(0.5, 0.0)];
        assert!(self_crossing(&spike).is_some(), "folds back");
        assert_eq!(self_crossing(&[Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y]), None);
    }

    #[test]
    fn segments_on_one_line_meet_only_where_they_overlap() {
        let on = |a: f32, b: f32| [Vec2::new(a, 0.0), Vec2::new(b, 0.0)];
        assert!(segments_meet(on(0.0, 2.0), on(1.0, 3.0)));
        assert!(!segments_meet(on(0.0, 1.0), on(2.0, 3.0)));
        assert_eq!(distance_squared(on(0.0, 1.0), on(3.0, 4.0)), 4.0);
    }
}
