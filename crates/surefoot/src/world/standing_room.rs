//! Where a body can stand on a walk mesh, asked place by place.

use super::WalkMesh;
use super::buckets::Buckets;
use super::walk_mesh::flat;
use glam::{Vec2, Vec3};

/// The ground of a walk mesh, laid out for many questions.
#[derive(Clone, Debug)]
pub struct StandingRoom {
    triangles: Vec<[Vec3; 3]>,
    near: Buckets,
}

impl StandingRoom {
    /// Of a walk mesh.
    #[must_use]
    pub fn new(mesh: &WalkMesh) -> Self {
        let triangles: Vec<[Vec3; 3]> =
            mesh.polygons.iter().flat_map(|polygon| polygon.ground.iter().copied()).collect();
        let bounds = |points: &[Vec3]| {
            let (low, high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
            points.iter().fold([low, high], |[low, high], p| [low.min(flat(*p)), high.max(flat(*p))])
        };
        let all = triangles.iter().map(|corners| bounds(corners));
        let whole = all.clone().reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or([Vec2::ZERO; 2]);
        let mut near = Buckets::new(whole, (4 * triangles.len()).clamp(16, 65_536));
        all.enumerate().for_each(|(k, bounds)| near.insert(k as u32, bounds));
        Self { triangles, near }
    }

    /// Where the body's middle can be right above or below a place (metres, world space), at most `climb` metres from it: the
    /// nearest such place, at the walk mesh's height, which is true to 0.1 m.
    #[must_use]
    pub fn at(&self, place: Vec3, climb: f32) -> Option<Vec3> {
        let p = flat(place);
        let mut best: Option<f32> = None;
        self.near.any_along(p, p, 0.0, |triangle| {
            let height = height_in(self.triangles[triangle as usize], p);
            let away = |y: f32| (y - place.y).abs();
            if let Some(y) = height.filter(|y| away(*y) <= climb && best.is_none_or(|best| away(*y) < away(best))) {
                best = Some(y);
            }
            false
        });
        best.map(|y| Vec3 { y, ..place })
    }
}

/// The height of a triangle over a floor point that it covers.
fn height_in([a, b, c]: [Vec3; 3], p: Vec2) -> Option<f32> {
    let (u, v, to) = (flat(b) - flat(a), flat(c) - flat(a), p - flat(a));
    let whole = u.perp_dot(v);
    let (s, t) = (to.perp_dot(v) / whole, u.perp_dot(to) / whole);
    // A hair over the edge counts, so that none is lost between two triangles.
    let edge = -1e-4;
    (whole != 0.0 && s >= edge && t >= edge && s + t <= 1.0 - edge).then_some(a.y + s * (b.y - a.y) + t * (c.y - a.y))
}

#[cfg(test)]
mod tests {
    use super::super::{Chart, TriangleSoup};
    use super::*;

    #[test]
    fn floors_above_each_other_are_told_apart_and_edges_kept_from() {
        let level = |y: f32| [[0.0, y, 0.0], [0.0, y, 6.0], [6.0, y, 6.0], [6.0, y, 0.0]].map(Vec3::from);
        let points = [level(0.0), level(3.0)].concat();
        let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        let mesh = Chart::default().run(&TriangleSoup::new(points, triangles, vec![]).unwrap()).unwrap();
        let room = StandingRoom::new(&mesh);
        let height = |x: f32, y: f32| room.at(Vec3::new(x, y, 3.0), 0.5).map(|p| p.y);
        assert!(height(3.0, 0.2).unwrap().abs() < 0.11);
        assert!((height(3.0, 2.8).unwrap() - 3.0).abs() < 0.11);
        assert_eq!(height(3.0, 1.5), None, "between the floors");
        assert_eq!(height(0.2, 0.0), None, "nearer to the edge than the body's radius");
        assert_eq!(height(9.0, 0.0), None, "beside");
    }
}
