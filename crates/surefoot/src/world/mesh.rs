//! Triangles without any promise: what every world comes as before it is looked into.

use glam::Vec3;
use std::ops::Range;

/// A named run of triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name in the source file; may repeat.
    pub name: String,
    /// Its triangles, by index.
    pub triangles: Range<usize>,
}

/// Why lists of numbers are no triangles.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A triangle names a point that is not there.
    #[error("triangle {triangle} has corner {point}, but there are only {points} points")]
    Index {
        /// The triangle.
        triangle: usize,
        /// The point it names.
        point: u32,
        /// How many points there are.
        points: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("point {point} is not finite")]
    Point {
        /// The point.
        point: usize,
    },
    /// A group goes beyond the triangles.
    #[error("group {name:?} goes beyond the {triangles} triangles")]
    Group {
        /// Its name.
        name: String,
        /// How many triangles there are.
        triangles: usize,
    },
}

/// Triangles in metres, Y up, counter-clockwise seen from outside. They may cross, hang in the air or be turned inside
/// out; every point is finite and every index leads to one.
///
/// ```
/// use surefoot::glam::Vec3;
/// use surefoot::world::TriangleSoup;
///
/// let floor = [Vec3::ZERO, Vec3::Z, Vec3::X].to_vec();
/// let soup = TriangleSoup::new(floor, vec![[0, 1, 2]], Vec::new())?;
/// assert_eq!(soup.normal(0), Vec3::Y * 0.5);
/// assert_eq!(soup.bounds(), Some([Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0)]));
/// # Ok::<(), surefoot::world::MeshError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleSoup {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    groups: Vec<Group>,
}

impl TriangleSoup {
    /// From points (metres, Y up), triangles and named runs of them.
    ///
    /// # Errors
    /// If a point is not finite, or an index leads nowhere.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, groups: Vec<Group>) -> Result<Self, MeshError> {
        if let Some(point) = positions.iter().position(|p| !p.is_finite()) {
            return Err(MeshError::Point { point });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(point) = corners.iter().copied().find(|corner| *corner as usize >= positions.len()) {
                return Err(MeshError::Index { triangle, point, points: positions.len() });
            }
        }
        if let Some(group) =
            groups.iter().find(|g| g.triangles.start > g.triangles.end || g.triangles.end > triangles.len())
        {
            return Err(MeshError::Group { name: group.name.clone(), triangles: triangles.len() });
        }
        Ok(Self { positions, triangles, groups })
    }

    /// All points, metres; some may belong to no triangle.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// All triangles, as indices of points.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Named runs of triangles, in their order.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The corners of one triangle, metres.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[must_use]
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|corner| self.positions[corner as usize])
    }

    /// The outward normal of one triangle, as long as its area: square metres.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[must_use]
    pub fn normal(&self, triangle: usize) -> Vec3 {
        let [a, b, c] = self.corners(triangle);
        0.5 * (b - a).cross(c - a)
    }

    /// The least and the greatest coordinates of all triangles, metres; `None` if there are none.
    #[must_use]
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let corners = || self.triangles.iter().flatten().map(|corner| self.positions[*corner as usize]);
        Some([corners().reduce(Vec3::min)?, corners().reduce(Vec3::max)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_nowhere_is_refused() {
        let points = || vec![Vec3::ZERO, Vec3::X, Vec3::Z];
        let new = |points, triangles, groups| TriangleSoup::new(points, triangles, groups).map(|_| ());
        assert_eq!(
            new(points(), vec![[0, 1, 2], [0, 1, 3]], vec![]),
            Err(MeshError::Index { triangle: 1, point: 3, points: 3 })
        );
        assert_eq!(new(vec![Vec3::ZERO, Vec3::NAN], vec![], vec![]), Err(MeshError::Point { point: 1 }));
        let group = |triangles| vec![Group { name: "a".into(), triangles }];
        assert_eq!(new(points(), vec![[0, 1, 2]], group(0..1)), Ok(()));
        assert!(new(points(), vec![[0, 1, 2]], group(0..2)).is_err(), "too far");
        assert_eq!(TriangleSoup::default().bounds(), None);
    }

    #[test]
    fn points_of_no_triangle_do_not_count() {
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::splat(1e6)];
        let soup = TriangleSoup::new(points, vec![[0, 2, 1]], vec![]).unwrap();
        assert_eq!(soup.bounds().unwrap()[1], Vec3::new(1.0, 0.0, 1.0));
    }
}
