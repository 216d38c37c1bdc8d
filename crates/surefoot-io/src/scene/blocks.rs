//! Platforms that stay, as triangles of the ground.

use surefoot::glam::{DVec3, Vec3};
use surefoot::stages::Group;
use surefoot::world::{MeshError, TriangleSoup};

/// Blocks under convex tops.
#[derive(Default)]
pub(super) struct Blocks {
    positions: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Blocks {
    /// A block under a convex top whose corners run counter-clockwise seen from above, so thick, metres; the offset is taken off.
    pub(super) fn add(&mut self, top: &[DVec3], thickness: f32, offset: DVec3) {
        let (first, count) = (self.positions.len() as u32, top.len() as u32);
        let top = top.iter().map(|corner| (*corner - offset).as_vec3());
        self.positions.extend(top.flat_map(|corner| [corner, corner - thickness * Vec3::Y]));
        let at = |k: u32, low: u32| first + 2 * (k % count) + low;
        self.triangles.extend((1..count - 1).map(|k| [at(0, 0), at(k, 0), at(k + 1, 0)]));
        self.triangles.extend((1..count - 1).map(|k| [at(0, 1), at(k + 1, 1), at(k, 1)]));
        for k in 0..count {
            self.triangles.extend([[at(k, 0), at(k, 1), at(k + 1, 1)], [at(k, 0), at(k + 1, 1), at(k + 1, 0)]]);
        }
    }

    /// A mesh with these blocks added.
    pub(super) fn onto(self, soup: &TriangleSoup) -> Result<TriangleSoup, MeshError> {
        if self.triangles.is_empty() {
            return Ok(soup.clone());
        }
        let (mut positions, mut triangles) = (soup.positions().to_vec(), soup.triangles().to_vec());
        let (corners, before) = (positions.len() as u32, triangles.len());
        positions.extend(self.positions);
        triangles.extend(self.triangles.into_iter().map(|triangle| triangle.map(|corner| corner + corners)));
        let mut groups = soup.groups().to_vec();
        groups.push(Group { name: "platforms".into(), triangles: before..triangles.len() });
        TriangleSoup::new(positions, triangles, groups)
    }
}
