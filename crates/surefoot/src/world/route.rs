//! Routes over a walk mesh: the shortest way seen from above, and its heights.

use super::WalkMesh;
use super::walk_mesh::flat;
use glam::{Vec2, Vec3};

/// Why there is no route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoRoute {
    /// The body cannot stand at the start.
    #[error("the start is not where a body can stand: too steep, too narrow, too low, or in the air")]
    Start,
    /// The body cannot stand at the goal.
    #[error("the goal is not where a body can stand: too steep, too narrow, too low, or in the air")]
    Goal,
    /// No polygons lead from one to the other.
    #[error("no way leads from start to goal: they are on parts of the ground that are not joined")]
    Apart,
}

impl WalkMesh {
    /// The shortest way from one place to another, seen from above: points with straight lines in between, metres in world
    /// space, a point wherever it turns or passes an edge of the mesh. Places beside the mesh count as where they are nearest
    /// to it, within twice the body's radius. Heights follow the ground to 0.1 m at the points; in between there may be steps
    /// and bumps: [`MeshGround::drape`](super::MeshGround::drape) lays a route on them.
    ///
    /// # Errors
    /// If a place is not on the mesh, or nothing leads from one to the other.
    pub fn route(&self, from: Vec3, to: Vec3) -> Result<Vec<Vec3>, NoRoute> {
        let (first, start) = self.locate(from).filter(|_| from.is_finite()).ok_or(NoRoute::Start)?;
        let (last, goal) = self.locate(to).filter(|_| to.is_finite()).ok_or(NoRoute::Goal)?;
        let way =
            self.mesh.way((first, flat(start).as_dvec2()), (last, flat(goal).as_dvec2())).ok_or(NoRoute::Apart)?;
        // Corners seen from above, with how many sides are passed before each.
        let turns = way.turns.iter().map(|turn| (turn.passed, turn.at.as_vec2()));
        let turns: Vec<(usize, Vec2)> = turns.chain([(way.sides.len(), flat(goal))]).collect();
        let mut points = vec![start];
        let mut add = |point: Vec3| {
            if point.distance_squared(points[points.len() - 1]) > 1e-8 {
                points.push(point);
            }
        };
        let mut from = (0, flat(start));
        for to in turns {
            for side in &way.sides[from.0..to.0] {
                let (polygon, [a, b]) = self.mesh.side(*side);
                let (a, b) = (a.as_vec2(), b.as_vec2());
                add(self.lifted(polygon, passing(from.1, to.1, [a, b])));
            }
            let polygon = if to.0 == 0 { first } else { self.mesh.side(way.sides[to.0 - 1]).0 };
            add(if to.0 == way.sides.len() && to.1 == flat(goal) { goal } else { self.lifted(polygon, to.1) });
            from = to;
        }
        Ok(points)
    }

    /// Two places far apart that a route joins, metres: ends for who has none. `None` if a body can stand nowhere.
    #[must_use]
    pub fn far_apart(&self) -> Option<[Vec3; 2]> {
        Some(self.mesh.far_apart()?.map(|polygon| self.lifted(polygon, self.mesh.middle(polygon).as_vec2())))
    }

    /// A point of a polygon seen from above, at its ground's height.
    fn lifted(&self, polygon: u32, at: Vec2) -> Vec3 {
        let ground = self.polygons[polygon as usize].nearest(Vec3::new(at.x, 0.0, at.y));
        Vec3::new(at.x, ground.y, at.y)
    }
}

/// Where the way from `a` to `b` passes a side.
fn passing(a: Vec2, b: Vec2, [one, other]: [Vec2; 2]) -> Vec2 {
    let beside = |p: Vec2| (b - a).perp_dot(p - a);
    let (l, r) = (beside(one), beside(other));
    let x = if l == r { 0.5 } else { (l / (l - r)).clamp(0.0, 1.0) };
    one.lerp(other, x)
}

#[cfg(test)]
mod tests {
    use super::super::{Body, Chart, ChartError, TriangleSoup};
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

    /// The least distance of a route from the sides of a wall that run along z at `x`, through a door between two of them.
    fn clearance(route: &[Vec3], x: [f32; 2], door: [f32; 2]) -> f32 {
        let beside = |p: Vec3| {
            let near = |z: f32| Vec2::new(p.x.clamp(x[0], x[1]), if z == door[0] { p.z.min(z) } else { p.z.max(z) });
            near(door[0]).distance(flat(p)).min(near(door[1]).distance(flat(p)))
        };
        let parts = |pair: &[Vec3]| (0..=100).map(|i| pair[0].lerp(pair[1], i as f32 / 100.0)).collect::<Vec<_>>();
        route.windows(2).flat_map(parts).map(beside).fold(f32::MAX, f32::min)
    }

    #[test]
    fn doors_of_little_more_than_the_body_are_passed_with_its_whole_radius_kept() {
        let radius = Chart::default().body.radius;
        // In a small world and in one of more than a million columns; doors wherever they lie on the voxels.
        for (size, width) in [(20.0, 0.75), (60.0, 0.85)] {
            for i in 0..3 {
                let door = [8.0 + 0.031 * i as f32, 8.0 + width + 0.031 * i as f32];
                let mut quads = vec![level([0.0, 0.0, size, size], 0.0)];
                quads.extend(wall(10.0, [0.0, door[0]]));
                quads.extend(wall(10.0, [door[1], size]));
                let mesh = Chart::default().run(&soup(&quads)).unwrap();
                let route = mesh.route(Vec3::new(5.0, 0.0, 2.0), Vec3::new(15.0, 0.0, 4.0));
                let route = route.unwrap_or_else(|error| panic!("{error}: a door of {width} m at {door:?}"));
                let clear = clearance(&route, [9.9, 10.1], door);
                assert!((radius..radius + 0.2).contains(&clear), "{clear} m at {door:?}: {route:?}");
                // Not for a body that is wider than the door.
                let wide = Chart { body: Body { radius: 0.51 * width, height: 1.8 }, ..Chart::default() };
                let way = wide.run(&soup(&quads)).unwrap().route(route[0], route[route.len() - 1]);
                assert_eq!(way, Err(NoRoute::Apart), "{door:?}");
            }
        }
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
        let fine = Chart { cell: Some(1e-4), ..Chart::default() }.run(&floor);
        assert!(matches!(fine, Err(ChartError::TooLarge { .. })), "{fine:?}");
        let zero = Chart { cell: Some(0.0), ..Chart::default() }.run(&floor);
        assert!(matches!(zero, Err(ChartError::Setting { name: "cell", .. })), "{zero:?}");
    }
}
