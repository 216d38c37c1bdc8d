//! Polygons to triangles: ear clipping in the polygon's own plane.

use super::grid::Grid;
use surefoot::glam::{DVec2, DVec3};

/// Looks at other corners that a polygon is worth, per corner: past that it is cut as it comes. Shapes that do not cross
/// themselves need a few.
const LOOKS: usize = 512;

/// Stands for the neighbour of a corner that was taken out.
const GONE: usize = usize::MAX;

/// How a polygon was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Into triangles that cover it.
    Whole,
    /// It crosses itself: into triangles that cover it more or less.
    Crossing,
    /// Not at all: it has no area.
    Nothing,
}

/// Cuts a polygon into triangles with its own winding. `point` gives the place of a corner; corners on one line are
/// left out.
pub(super) fn cut(corners: &[u32], point: impl Fn(u32) -> DVec3, out: &mut Vec<[u32; 3]>) -> Cut {
    // Corners that repeat the one before are none.
    let mut ring: Vec<u32> = Vec::with_capacity(corners.len());
    for corner in corners {
        if ring.last().is_none_or(|last| point(*last) != point(*corner)) {
            ring.push(*corner);
        }
    }
    while ring.len() > 1 && point(ring[0]) == point(ring[ring.len() - 1]) {
        ring.pop();
    }
    if ring.len() < 3 {
        return Cut::Nothing;
    }

    // Newell's normal is as long as twice the area, whatever the shape.
    let origin = point(ring[0]);
    let place = |i: usize| point(ring[i % ring.len()]) - origin;
    let normal: DVec3 = (0..ring.len()).map(|i| place(i).cross(place(i + 1))).sum();
    let size = (0..ring.len()).map(|i| place(i).length_squared()).fold(0.0, f64::max);
    if normal.length() <= 1e-10 * size {
        return Cut::Nothing;
    }
    if let [a, b, c] = ring[..] {
        out.push([a, b, c]);
        return Cut::Whole;
    }
    // The plane of the two axes in which it is largest, seen from the side on which it turns left.
    let axis = (0..3).max_by(|a, b| normal[*a].abs().total_cmp(&normal[*b].abs())).unwrap_or(1);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let side = normal[axis].signum();
    let flat = (0..ring.len()).map(|i| DVec2::new(place(i)[u] * side, place(i)[v])).collect();
    Clipper::new(flat, 1e-12 * size).run(|triangle| out.push(triangle.map(|i| ring[i])))
}

/// A ring of corners that turns left, from which ears are cut.
struct Clipper {
    points: Vec<DVec2>,
    next: Vec<usize>,
    before: Vec<usize>,
    /// Whether a corner is left and turns right: only such can lie in an ear.
    reflex: Vec<bool>,
    /// Corners that turned right at first.
    grid: Grid,
    /// Twice the area below which a triangle is a line.
    line: f64,
    looks: usize,
}

impl Clipper {
    fn new(points: Vec<DVec2>, line: f64) -> Self {
        let count = points.len();
        let next = (0..count).map(|i| (i + 1) % count).collect();
        let before = (0..count).map(|i| (i + count - 1) % count).collect();
        let turns = (0..count).map(|i| turn(&points, [(i + count - 1) % count, i, (i + 1) % count]));
        let reflex: Vec<bool> = turns.map(|turn| turn < 0.0).collect();
        let members: Vec<usize> = (0..count).filter(|i| reflex[*i]).collect();
        let grid = Grid::new(&points, &members);
        Self { points, next, before, reflex, grid, line, looks: LOOKS * count }
    }

    fn run(mut self, mut out: impl FnMut([usize; 3])) -> Cut {
        let mut left = self.points.len();
        let (mut at, mut stalled, mut cut) = (0, 0, Cut::Whole);
        // Corners that may have become ears, because a neighbour went.
        let mut fresh: Vec<usize> = Vec::new();
        while left > 3 {
            let mut corner = at;
            if stalled > 0
                && let Some(changed) = fresh.pop()
            {
                if self.next[changed] == GONE {
                    continue;
                }
                corner = changed;
            }
            let turn = self.turn(corner);
            // All went round without an ear, or there were too many looks: the polygon crosses itself.
            let forced = stalled >= left || self.looks == 0;
            if forced {
                cut = Cut::Crossing;
            } else if turn.abs() > self.line && !self.is_ear(corner) {
                if corner == at {
                    stalled += 1;
                    at = self.next[at];
                }
                continue;
            }
            let (before, next) = (self.before[corner], self.next[corner]);
            // A corner on a line between its neighbours goes without a triangle.
            if turn > self.line {
                out([before, corner, next]);
            }
            self.remove(corner);
            fresh.extend([before, next]);
            // One step on: strips of thin triangles from a single corner are avoided.
            at = if corner == at { self.next[next] } else { at };
            (left, stalled) = (left - 1, 0);
        }
        if self.turn(at) > self.line {
            out([self.before[at], at, self.next[at]]);
        } else if self.turn(at) < -self.line {
            // What is left turns the other way.
            cut = Cut::Crossing;
        }
        cut
    }

    /// Twice the area of the triangle at a corner; positive where the ring turns left.
    fn turn(&self, at: usize) -> f64 {
        turn(&self.points, [self.before[at], at, self.next[at]])
    }

    /// Whether the triangle at a corner is inside the ring.
    fn is_ear(&mut self, at: usize) -> bool {
        if self.turn(at) <= 0.0 {
            return false;
        }
        let [a, b, c] = [self.before[at], at, self.next[at]].map(|i| self.points[i]);
        let inside = |p: DVec2| {
            (b - a).perp_dot(p - a) >= 0.0 && (c - b).perp_dot(p - b) >= 0.0 && (a - c).perp_dot(p - c) >= 0.0
        };
        // Seams that join a hole to the outside pass each place twice.
        let corner = |p: DVec2| p == a || p == b || p == c;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        for row in self.grid.near(low, high) {
            self.looks = self.looks.saturating_sub(1 + row.len());
            let covered = |i: &usize| self.reflex[*i] && inside(self.points[*i]) && !corner(self.points[*i]);
            if row.iter().any(covered) {
                return false;
            }
        }
        true
    }

    /// Takes a corner out of the ring.
    fn remove(&mut self, corner: usize) {
        let (before, next) = (self.before[corner], self.next[corner]);
        self.next[before] = next;
        self.before[next] = before;
        self.next[corner] = GONE;
        self.reflex[corner] = false;
        // A corner that turned right may turn left now; one that turned left still does.
        for changed in [before, next] {
            self.reflex[changed] &= self.turn(changed) < 0.0;
        }
    }
}

/// Twice the area of a triangle; positive where it turns left.
fn turn(points: &[DVec2], triangle: [usize; 3]) -> f64 {
    let [a, b, c] = triangle.map(|i| points[i]);
    (b - a).perp_dot(c - b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(points: &[DVec3]) -> (Cut, Vec<[u32; 3]>) {
        let corners: Vec<u32> = (0..points.len() as u32).collect();
        let mut out = Vec::new();
        let cut = cut(&corners, |i| points[i as usize], &mut out);
        (cut, out)
    }

    fn area(points: &[DVec3], triangles: &[[u32; 3]]) -> DVec3 {
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| points[i as usize]);
            0.5 * (b - a).cross(c - a)
        };
        triangles.iter().map(of).sum()
    }

    fn flat(points: &[(f64, f64)]) -> Vec<DVec3> {
        points.iter().map(|(x, z)| DVec3::new(*x, 0.0, *z)).collect()
    }

    #[test]
    fn concave_polygons_are_covered_and_nothing_else() {
        // An L, a U, an arrow whose fan would leave it, and an L with a corner in the middle of a side.
        for (points, expected) in [
            (flat(&[(0., 0.), (2., 0.), (2., 1.), (1., 1.), (1., 2.), (0., 2.)]), 3.0),
            (flat(&[(0., 0.), (3., 0.), (3., 2.), (2., 2.), (2., 1.), (1., 1.), (1., 2.), (0., 2.)]), 5.0),
            (flat(&[(0., 0.), (2., 2.), (0., 1.), (-2., 2.)]), 2.0),
            (flat(&[(0., 0.), (1., 0.), (2., 0.), (2., 1.), (1., 1.), (1., 2.), (0., 2.)]), 3.0),
        ] {
            for turned in 0..points.len() {
                let mut points = points.clone();
                points.rotate_left(turned);
                for reversed in [false, true] {
                    if reversed {
                        points.reverse();
                    }
                    let (cut, triangles) = run(&points);
                    assert_eq!(cut, Cut::Whole);
                    // The sum of areas equals their sum of sizes: all face the same way.
                    let sizes: f64 = triangles.iter().map(|t| area(&points, &[*t]).length()).sum();
                    assert!((sizes - expected).abs() < 1e-9, "{sizes} for {expected}: {triangles:?}");
                    assert!((area(&points, &triangles).length() - expected).abs() < 1e-9, "{triangles:?}");
                }
            }
        }
    }

    #[test]
    fn a_hole_joined_by_a_seam_stays_a_hole() {
        let points =
            flat(&[(0., 0.), (4., 0.), (4., 4.), (0., 4.), (0., 0.), (1., 1.), (1., 3.), (3., 3.), (3., 1.), (1., 1.)]);
        let (_, triangles) = run(&points);
        let sizes: f64 = triangles.iter().map(|t| area(&points, &[*t]).length()).sum();
        assert!((sizes - 12.0).abs() < 1e-9, "{sizes}: {triangles:?}");
    }

    #[test]
    fn what_has_no_area_is_nothing() {
        for points in [
            flat(&[]),
            flat(&[(1., 1.), (1., 1.), (1., 1.)]),
            flat(&[(0., 0.), (1., 1.), (2., 2.), (3., 3.)]),
            flat(&[(0., 0.), (1., 0.), (0., 0.), (1., 0.)]),
        ] {
            assert_eq!(run(&points), (Cut::Nothing, vec![]));
        }
    }

    #[test]
    fn polygons_that_cross_themselves_are_told() {
        // A bow tie with unequal wings.
        let (cut, triangles) = run(&flat(&[(0., 0.), (3., 3.), (3., 0.), (0., 1.)]));
        assert_eq!(cut, Cut::Crossing);
        assert!(triangles.len() <= 2, "{triangles:?}");
    }

    #[test]
    fn many_corners_take_no_time() {
        // A comb of 20,000 teeth: half of its corners turn right.
        let teeth = 20_000;
        let mut points: Vec<DVec3> = (0..=2 * teeth).map(|i| DVec3::new(f64::from(i), 0.0, f64::from(i % 2))).collect();
        points.push(DVec3::new(f64::from(2 * teeth), 0.0, -1.0));
        points.push(DVec3::new(0.0, 0.0, -1.0));
        let (cut, triangles) = run(&points);
        assert_eq!(cut, Cut::Whole);
        assert!((area(&points, &triangles).y.abs() - 60_000.0).abs() < 1e-6, "{}", area(&points, &triangles));
    }

    /// With a looser bound on the looks, 200,000 corners at random took 12 s.
    #[test]
    fn many_corners_that_cross_come_to_an_end() {
        let at = |i: u32| DVec3::new(f64::from(i * 7919 % 10_007), 0.0, f64::from(i * 104_729 % 9973));
        let (cut, triangles) = run(&(0..10_000).map(at).collect::<Vec<_>>());
        assert_eq!(cut, Cut::Crossing);
        assert!(triangles.len() < 10_000, "{}", triangles.len());
    }

    #[test]
    fn a_long_spiral_is_covered() {
        let turns = |i: u32, out: f64| {
            let angle = f64::from(i) * 0.05;
            let r = 1.0 + out + 0.1 * angle;
            DVec3::new(r * angle.cos(), 0.0, r * angle.sin())
        };
        let points: Vec<DVec3> =
            (0..10_000).map(|i| turns(i, 0.0)).chain((0..10_000).rev().map(|i| turns(i, 0.2))).collect();
        let (cut, triangles) = run(&points);
        assert_eq!((cut, triangles.len()), (Cut::Whole, 19_998));
    }

    proptest! {
        /// Stars: any radius for each direction makes a polygon that does not cross itself.
        #[test]
        fn stars_are_covered(radii in prop::collection::vec(0.1_f64..10.0, 4..40), tilt in prop::array::uniform3(-1.0_f64..1.0)) {
            let turn = surefoot::glam::DQuat::from_scaled_axis(DVec3::from(tilt) * 3.0);
            let count = radii.len() as f64;
            let at = |(i, r): (usize, &f64)| {
                let angle = std::f64::consts::TAU * i as f64 / count;
                turn * DVec3::new(r * angle.cos(), 0.0, r * angle.sin())
            };
            let points: Vec<DVec3> = radii.iter().enumerate().map(at).collect();
            let (cut, triangles) = run(&points);
            prop_assert_eq!(cut, Cut::Whole);
            let expected: f64 = (0..points.len()).map(|i| 0.5 * points[i].cross(points[(i + 1) % points.len()]).length()).sum();
            let sizes: f64 = triangles.iter().map(|t| area(&points, &[*t]).length()).sum();
            prop_assert!((sizes - expected).abs() < 1e-6 * expected, "{} {}", sizes, expected);
        }
    }
}
