//! The part of a triangle mesh that is near a way, to draw around who walks there.

use crate::ground_mesh::GroundMesh;
use std::collections::HashMap;
use surefoot::glam::Vec3;
use surefoot::world::TriangleSoup;

/// Takes the triangles of a mesh that are near a way.
#[derive(Clone, Debug, PartialEq)]
pub struct NearMesh {
    /// How far from the way triangles are taken, metres.
    pub reach: f32,
    /// How many are taken at most: the nearest.
    pub most: usize,
}

impl Default for NearMesh {
    /// As far as a page shows well, and as many as it carries in two megabytes.
    fn default() -> Self {
        Self { reach: 15.0, most: 60_000 }
    }
}

/// Points of a way nearer to each other than this share of the reach are one.
const APART: f32 = 0.1;

impl NearMesh {
    /// The triangles near the points of a way (metres, world space), in the mesh's own order, as faces whose last two
    /// corners are one.
    #[must_use]
    pub fn run(&self, soup: &TriangleSoup, way: &[Vec3]) -> GroundMesh {
        let way = self.thinned(way);
        let distance = |triangle: usize| {
            let [a, b, c] = soup.corners(triangle);
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            let squared = |p: &Vec3| p.clamp(low, high).distance_squared(*p);
            way.iter().map(squared).fold(f32::INFINITY, f32::min).sqrt()
        };
        let mut near: Vec<(f32, usize)> = (0..soup.triangles().len())
            .map(|triangle| (distance(triangle), triangle))
            .filter(|(distance, _)| *distance <= self.reach)
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(self.most);
        near.sort_by_key(|(_, triangle)| *triangle);
        let mut mesh = GroundMesh::default();
        let mut known: HashMap<u32, u32> = HashMap::new();
        for (_, triangle) in near {
            let [a, b, c] = soup.triangles()[triangle].map(|corner| {
                *known.entry(corner).or_insert_with(|| {
                    mesh.points.push(soup.positions()[corner as usize]);
                    mesh.points.len() as u32 - 1
                })
            });
            mesh.quads.push([a, b, c, c]);
        }
        mesh
    }

    /// Points of a way that are apart enough to tell what is near it.
    fn thinned(&self, way: &[Vec3]) -> Vec<Vec3> {
        let mut kept: Vec<Vec3> = Vec::new();
        for p in way.iter().filter(|p| p.is_finite()) {
            if kept.last().is_none_or(|last| last.distance(*p) > APART * self.reach) {
                kept.push(*p);
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A level strip along x, a metre wide, of two triangles a metre.
    fn strip(metres: u32) -> TriangleSoup {
        let points = (0..=metres).flat_map(|x| [0.0, 1.0].map(|z| Vec3::new(x as f32, 0.0, z))).collect();
        let pair = |x: u32| [[2 * x, 2 * x + 1, 2 * x + 2], [2 * x + 2, 2 * x + 1, 2 * x + 3]];
        TriangleSoup::new(points, (0..metres).flat_map(pair).collect(), Vec::new()).unwrap()
    }

    #[test]
    fn what_is_near_is_drawn_and_what_is_far_is_not() {
        let way = [Vec3::new(50.2, 0.0, 0.5), Vec3::new(60.2, 0.0, 0.5)];
        let mesh = NearMesh { reach: 3.5, most: 1000 }.run(&strip(200), &way);
        let along = mesh.quads.iter().flatten().map(|corner| mesh.points[*corner as usize].x);
        let (low, high) = along.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        assert!((45.9..=47.0).contains(&low) && (63.0..=64.1).contains(&high), "{low} to {high}");
        // Between the two points of the way nothing is within reach.
        assert_eq!(mesh.quads.len(), 2 * (8 + 8), "two patches of eight metres");
    }

    #[test]
    fn the_nearest_are_kept_of_too_many() {
        let mesh = NearMesh { reach: 100.0, most: 6 }.run(&strip(200), &[Vec3::new(30.5, 0.0, 0.5)]);
        assert_eq!(mesh.quads.len(), 6);
        assert!(mesh.points.iter().all(|p| (p.x - 30.5).abs() < 2.6), "{:?}", mesh.points);
    }

    #[test]
    fn a_way_that_is_nowhere_shows_nothing() {
        let settings = NearMesh::default();
        assert_eq!(settings.run(&strip(4), &[]), GroundMesh::default());
        assert_eq!(settings.run(&strip(4), &[Vec3::NAN]), GroundMesh::default());
    }
}
