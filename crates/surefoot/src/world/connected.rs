//! Which triangles hang together: by common edges, and by steps that a foot can take.

use super::ground::SurfaceId;
use super::surfaces::{MeshGround, normal};
use glam::Vec3;
use std::collections::HashMap;

/// How far beyond an edge a step is looked for, metres: a crack between parts of a mesh is no gap.
const BEYOND: f32 = 0.03;
/// Distance of looks along an edge, metres.
const SPACING: f32 = 0.25;
/// The most looks at one edge.
const MOST: f32 = 64.0;

/// A surface for every triangle that is `gentle`, and how many there are. Ids follow the order of triangles.
pub(super) fn join(ground: &MeshGround, gentle: &[bool]) -> (Vec<SurfaceId>, usize) {
    let mut sets = Sets { parents: (0..gentle.len()).collect() };
    let mut edges: HashMap<[u32; 2], usize> = HashMap::new();
    for triangle in (0..gentle.len()).filter(|i| gentle[*i]) {
        for [a, b] in sides(ground.indices(triangle)) {
            if let Some(other) = edges.insert([a.min(b), a.max(b)], triangle) {
                sets.union(triangle, other);
            }
        }
    }
    // Steps, and edges of parts that share no points.
    let step = ground.survey().step_height;
    for triangle in (0..gentle.len()).filter(|i| gentle[*i]) {
        let corners = ground.triangle(triangle);
        for i in 0..3 {
            let (a, b, inside) = (corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]);
            let outward = (b - a).cross(normal(corners));
            let outward = Vec3 { y: 0.0, ..outward }.normalize_or_zero();
            let outward = if outward.dot(inside - a) > 0.0 { -outward } else { outward };
            let looks = ((b - a).length() / SPACING).ceil().clamp(1.0, MOST);
            for look in 0..looks as usize {
                let place = a.lerp(b, (look as f32 + 0.5) / looks) + BEYOND * outward;
                let heights = [place.y - step, place.y + step];
                let found = ground.highest([place.x, place.z], heights, |other| gentle[other]);
                if let Some((_, other)) = found {
                    sets.union(triangle, other);
                }
            }
        }
    }
    let mut ids = HashMap::new();
    let surfaces = gentle.iter().enumerate().map(|(triangle, gentle)| {
        if !gentle {
            return SurfaceId::NONE;
        }
        let next = SurfaceId(ids.len() as u32);
        *ids.entry(sets.root(triangle)).or_insert(next)
    });
    (surfaces.collect(), ids.len())
}

fn sides([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// Disjoint sets.
struct Sets {
    parents: Vec<usize>,
}

impl Sets {
    fn root(&mut self, mut i: usize) -> usize {
        while self.parents[i] != i {
            self.parents[i] = self.parents[self.parents[i]];
            i = self.parents[i];
        }
        i
    }

    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
    }
}
