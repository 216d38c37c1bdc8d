//! Routes over a navigation mesh: which polygons to go through, then the shortest way through those.
//!
//! The polygons are found by A* over the middles of their edges, which is not always the shortest corridor; within it, the
//! way is the shortest (the funnel algorithm of Lee and Preparata, in Mononen's form).

use super::NavMesh;
use crate::math::floor;
use glam::{Vec2, Vec3};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Why there is no route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRoute {
    /// The body cannot stand at the start.
    #[error("the start is not on the navigation mesh")]
    Start,
    /// The body cannot stand at the goal.
    #[error("the goal is not on the navigation mesh")]
    Goal,
    /// No polygons lead from one to the other.
    #[error("start and goal do not hang together")]
    Apart,
}

/// An edge to go through: its ends to the left and to the right, metres.
type Gate = [Vec3; 2];

/// An edge of the search: where it is, and which polygon lies beyond.
#[derive(Clone, Copy)]
struct Crossing {
    polygon: usize,
    edge: usize,
    beyond: usize,
}

#[derive(PartialEq)]
struct Cost(f32);

impl Eq for Cost {}
impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Cost {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl NavMesh {
    /// A way from one place to another: points with straight lines in between, metres in world space, a point wherever it
    /// turns or passes an edge of the mesh. Places beside the mesh count as where they are nearest to it, within twice the
    /// body's radius. Heights are those of polygons, which span open rolling ground coarsely: there, a place more than about a
    /// step off its polygon is not found on the mesh.
    ///
    /// # Errors
    /// If a place is not on the mesh, or nothing leads from one to the other.
    pub fn route(&self, from: Vec3, to: Vec3) -> Result<Vec<Vec3>, NoRoute> {
        let (first, start) = self.locate(from).filter(|_| from.is_finite()).ok_or(NoRoute::Start)?;
        let (last, goal) = self.locate(to).filter(|_| to.is_finite()).ok_or(NoRoute::Goal)?;
        let crossings = self.corridor((first, start), (last, goal)).ok_or(NoRoute::Apart)?;
        let mut gates: Vec<Gate> = vec![[start; 2]];
        gates.extend(crossings.iter().map(|crossing| self.gate(*crossing)));
        gates.push([goal; 2]);
        Ok(pull(&gates))
    }

    /// The crossings from polygon to polygon with the least way over their middles.
    fn corridor(&self, (first, start): (usize, Vec3), (last, goal): (usize, Vec3)) -> Option<Vec<Crossing>> {
        // Every edge of every polygon has a number.
        let mut numbers = Vec::with_capacity(self.polygons.len() + 1);
        let mut count = 0;
        for polygon in &self.polygons {
            numbers.push(count);
            count += polygon.corners.len();
        }
        let mut best = vec![f32::INFINITY; count];
        let mut before: Vec<Option<(usize, Crossing)>> = vec![None; count];
        let mut all: Vec<Option<Crossing>> = vec![None; count];
        // (least whole length, number of the crossing or `count` for the goal); ties by number.
        let mut open: BinaryHeap<Reverse<(Cost, usize)>> = BinaryHeap::new();
        let mut end: Option<(f32, Option<usize>)> = (first == last).then(|| (start.distance(goal), None));
        let mut at = (first, start, 0.0_f32, None::<usize>);
        loop {
            let (polygon, place, length, from) = at;
            if polygon == last {
                let whole = length + place.distance(goal);
                if end.is_none_or(|(least, _)| whole < least) {
                    end = Some((whole, from));
                }
            }
            for (edge, beyond) in self.polygons[polygon].neighbours.iter().enumerate() {
                let Some(beyond) = *beyond else { continue };
                let number = numbers[polygon] + edge;
                let middle = self.middle(polygon, edge);
                let longer = length + place.distance(middle);
                if longer < best[number] {
                    best[number] = longer;
                    let crossing = Crossing { polygon, edge, beyond };
                    all[number] = Some(crossing);
                    before[number] = from.and_then(|from| Some((from, all[from]?)));
                    open.push(Reverse((Cost(longer + middle.distance(goal)), number)));
                }
            }
            // The next crossing that may still be better than what is known.
            loop {
                let Some(Reverse((Cost(least), number))) = open.pop() else {
                    return Some(self.trace(end?, &all, &before));
                };
                if end.is_some_and(|(whole, _)| whole <= least) {
                    return Some(self.trace(end?, &all, &before));
                }
                let Some(crossing) = all[number] else { continue };
                let middle = self.middle(crossing.polygon, crossing.edge);
                if least <= best[number] + middle.distance(goal) {
                    at = (crossing.beyond, middle, best[number], Some(number));
                    break;
                }
            }
        }
    }

    fn trace(
        &self,
        (_, mut number): (f32, Option<usize>),
        all: &[Option<Crossing>],
        before: &[Option<(usize, Crossing)>],
    ) -> Vec<Crossing> {
        let mut crossings = Vec::new();
        while let Some(crossing) = number.and_then(|number| all[number]) {
            crossings.push(crossing);
            number = number.and_then(|number| before[number]).map(|(from, _)| from);
        }
        crossings.reverse();
        crossings
    }

    fn edge(&self, polygon: usize, edge: usize) -> [Vec3; 2] {
        let corners = &self.polygons[polygon].corners;
        [corners[edge], corners[(edge + 1) % corners.len()]]
    }

    fn middle(&self, polygon: usize, edge: usize) -> Vec3 {
        let [a, b] = self.edge(polygon, edge);
        a.midpoint(b)
    }

    /// The ends of a crossing, left and right as seen from the polygon that is left.
    fn gate(&self, Crossing { polygon, edge, .. }: Crossing) -> Gate {
        let [a, b] = self.edge(polygon, edge);
        let corners = &self.polygons[polygon].corners;
        let inside = corners.iter().sum::<Vec3>() / corners.len() as f32;
        if left_of(inside, b, a) > 0.0 { [a, b] } else { [b, a] }
    }
}

/// Positive where `c` lies to the left of the way from `a` to `b`, seen from above.
fn left_of(a: Vec3, b: Vec3, c: Vec3) -> f32 {
    let flat = |p: Vec3| Vec2::new(p.x, p.z);
    floor::cross(flat(b) - flat(a), flat(c) - flat(a))
}

/// The shortest way through gates, seen from above: a funnel of what can be seen from its apex is narrowed gate by gate,
/// and where it closes, the way turns. Heights are those of the gates it passes.
fn pull(gates: &[Gate]) -> Vec<Vec3> {
    // Corners of the way and the gates they belong to.
    let mut turns = vec![(gates[0][0], 0)];
    let (mut apex, mut left, mut right) = ((gates[0][0], 0), (gates[0][0], 0), (gates[0][0], 0));
    let mut i = 1;
    while i < gates.len() {
        let [new_left, new_right] = gates[i];
        if left_of(apex.0, right.0, new_right) >= 0.0 {
            if apex.0 == right.0 || left_of(apex.0, left.0, new_right) < 0.0 {
                right = (new_right, i);
            } else {
                // Right passed left: the way turns at the left end.
                turns.push(left);
                apex = left;
                right = apex;
                i = apex.1 + 1;
                continue;
            }
        }
        if left_of(apex.0, left.0, new_left) <= 0.0 {
            if apex.0 == left.0 || left_of(apex.0, right.0, new_left) > 0.0 {
                left = (new_left, i);
            } else {
                turns.push(right);
                apex = right;
                left = apex;
                i = apex.1 + 1;
                continue;
            }
        }
        i += 1;
    }
    turns.push((gates[gates.len() - 1][0], gates.len() - 1));

    let mut points: Vec<Vec3> = vec![turns[0].0];
    for pair in turns.windows(2) {
        let ((a, from), (b, to)) = (pair[0], pair[1]);
        let passed = gates[(from + 1).min(to)..to].iter().map(|gate| passing(a, b, *gate));
        for point in passed.chain([b]) {
            let last = points[points.len() - 1];
            if point.distance_squared(last) > 1e-8 {
                points.push(point);
            }
        }
    }
    points
}

/// Where the way from `a` to `b` passes a gate, at the gate's height.
fn passing(a: Vec3, b: Vec3, [left, right]: Gate) -> Vec3 {
    let (l, r) = (left_of(a, b, left), left_of(a, b, right));
    let x = if l == r { 0.5 } else { (l / (l - r)).clamp(0.0, 1.0) };
    left.lerp(right, x)
}

#[cfg(test)]
mod tests {
    use super::super::{Chart, ChartError, TriangleSoup};
    use super::*;

    /// Quads of four corners, counter-clockwise from above.
    fn soup(quads: &[[[f32; 3]; 4]]) -> TriangleSoup {
        let points = quads.iter().flatten().map(|p| Vec3::from(*p)).collect();
        let triangles = (0..quads.len() as u32).map(|i| 4 * i).flat_map(|i| [[i, i + 1, i + 2], [i, i + 2, i + 3]]);
        TriangleSoup::new(points, triangles.collect(), vec![]).unwrap()
    }

    fn level([x0, z0, x1, z1]: [f32; 4], y: f32) -> [[f32; 3]; 4] {
        [[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]]
    }

    /// A wall of two sides along z at x, 3 m high.
    fn wall(x: f32, [z0, z1]: [f32; 2]) -> [[[f32; 3]; 4]; 2] {
        let side = |x| [[x, 0.0, z0], [x, 3.0, z0], [x, 3.0, z1], [x, 0.0, z1]];
        [side(x - 0.1), side(x + 0.1)]
    }

    fn length(points: &[Vec3]) -> f32 {
        points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    #[test]
    fn on_an_empty_floor_the_way_is_straight() {
        let mesh = Chart::default().run(&soup(&[level([0.0, 0.0, 40.0, 30.0], 0.0)])).unwrap();
        let (from, to) = (Vec3::new(1.0, 0.0, 1.0), Vec3::new(39.0, 0.0, 28.0));
        let route = mesh.route(from, to).unwrap();
        assert!((length(&route) - from.distance(to)).abs() < 0.1, "{} {route:?}", length(&route));
    }

    #[test]
    fn the_way_goes_round_a_wall_at_the_body_s_distance() {
        let mut quads = vec![level([0.0, 0.0, 20.0, 20.0], 0.0)];
        quads.extend(wall(10.0, [0.0, 15.0]));
        let mesh = Chart::default().run(&soup(&quads)).unwrap();
        let (from, to) = (Vec3::new(5.0, 0.0, 5.0), Vec3::new(15.0, 0.0, 5.0));
        let route = mesh.route(from, to).unwrap();
        // Round two corners of the wall, 0.3 m away from it.
        let wanted = Vec2::new(4.6, 10.3).length() + 0.8 + Vec2::new(4.6, 10.3).length();
        assert!((length(&route) - wanted).abs() < 0.6, "{} {wanted}", length(&route));
        let clear = |p: &Vec3| p.z > 15.0 || (p.x - 10.0).abs() > 0.3;
        assert!(route.iter().all(clear), "{route:?}");
    }

    #[test]
    fn floors_above_each_other_are_joined_by_a_ramp_only() {
        let ground = level([0.0, 0.0, 20.0, 10.0], 0.0);
        let upper = level([0.0, 0.0, 12.0, 4.0], 3.0);
        let ramp = [[12.0, 3.0, 0.0], [12.0, 3.0, 4.0], [18.0, 0.0, 4.0], [18.0, 0.0, 0.0]];
        let (below, above) = (Vec3::new(2.0, 0.0, 2.0), Vec3::new(2.0, 3.0, 2.0));
        let apart = Chart::default().run(&soup(&[ground, upper])).unwrap();
        assert_eq!(apart.route(below, above), Err(NoRoute::Apart));
        let joined = Chart::default().run(&soup(&[ground, upper, ramp])).unwrap();
        let route = joined.route(below, above).unwrap();
        assert!(length(&route) > 28.0 && length(&route) < 40.0, "{} {route:?}", length(&route));
        let back = joined.route(above, below).unwrap();
        assert!((length(&back) - length(&route)).abs() < 0.5, "there and back");
        let ends = (route[0], route[route.len() - 1]);
        assert!(ends.0.distance(below) < 0.2 && ends.1.distance(above) < 0.2, "{ends:?}");
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let floor = soup(&[level([0.0, 0.0, 5.0, 5.0], 0.0)]);
        let mesh = Chart::default().run(&floor).unwrap();
        let (on, off) = (Vec3::new(2.0, 0.0, 2.0), Vec3::new(20.0, 0.0, 2.0));
        assert_eq!(mesh.route(off, on), Err(NoRoute::Start));
        assert_eq!(mesh.route(on, off), Err(NoRoute::Goal));
        assert_eq!(mesh.route(on, Vec3::NAN), Err(NoRoute::Goal));
        assert_eq!(mesh.route(on, on + 4.0 * Vec3::Y), Err(NoRoute::Goal));
        assert!(matches!(Chart::default().run(&TriangleSoup::default()), Err(ChartError::Empty)), "nothing");
        let fine = Chart { cell: 1e-4, ..Chart::default() }.run(&floor);
        assert!(matches!(fine, Err(ChartError::TooLarge { .. })), "{fine:?}");
        let zero = Chart { cell: 0.0, ..Chart::default() }.run(&floor);
        assert!(matches!(zero, Err(ChartError::Setting { name: "cell", .. })), "{zero:?}");
    }
}
