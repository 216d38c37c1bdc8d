//! A floor map as triangles: the floor, and walls around its obstacles.

use super::{FloorMap, TriangleSoup, polygon};
use crate::math::floor;
use glam::{Vec2, Vec3};

impl FloorMap {
    /// The floor at height 0 and upright walls of `height` metres around obstacles, seen from outside.
    ///
    /// ```
    /// use surefoot::glam::Vec2;
    /// use surefoot::world::FloorMap;
    ///
    /// let floor = FloorMap::rectangle(Vec2::ZERO, Vec2::new(4.0, 3.0))?;
    /// assert_eq!(floor.to_triangles(3.0).triangles().len(), 2);
    /// # Ok::<(), surefoot::world::FloorMapError>(())
    /// ```
    ///
    /// # Panics
    /// If the height is not finite.
    #[must_use]
    pub fn to_triangles(&self, height: f32) -> TriangleSoup {
        assert!(height.is_finite(), "walls of {height} m");
        let mut points: Vec<Vec3> = Vec::new();
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        let mut fan = |corners: &[Vec3]| {
            let first = points.len() as u32;
            points.extend(corners);
            triangles.extend((2..corners.len() as u32).map(|i| [first, first + i - 1, first + i]));
        };
        let at = |p: Vec2, y: f32| floor::at_height(p, y);
        for part in polygon::convex_parts(self.boundary()) {
            fan(&part.iter().map(|p| at(*p, 0.0)).collect::<Vec<_>>());
        }
        for (_, obstacle) in self.obstacles() {
            for [a, b] in polygon::edges(obstacle.corners()) {
                fan(&[at(a, 0.0), at(b, 0.0), at(b, height), at(a, height)]);
            }
        }
        TriangleSoup::new(points, triangles, vec![]).expect("corners are finite")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::FloorPose;
    use crate::world::Obstacle;

    #[test]
    fn the_floor_faces_up_and_walls_face_out() {
        let corners = [(0.0, 0.0), (6.0, 0.0), (6.0, 6.0), (3.0, 2.0), (0.0, 6.0)].map(Vec2::from);
        let mut map = FloorMap::polygon(corners.to_vec()).unwrap();
        map.add(Obstacle::rectangle("", FloorPose::new(Vec2::new(1.0, 1.0), 0.3), Vec2::ONE)).unwrap();
        let soup = map.to_triangles(2.0);
        let (mut up, mut side) = (0.0, 0.0);
        for i in 0..soup.triangles().len() {
            let normal = soup.normal(i);
            up += normal.y;
            let [a, b, c] = soup.corners(i);
            let out = (a + b + c) / 3.0 - Vec3::new(1.0, 0.0, 1.0);
            if normal.y.abs() < 1e-6 {
                assert!(normal.dot(out) > 0.0, "a wall faces in");
                side += normal.length();
            }
        }
        // 36 m² less a notch of 12, and four walls of 2 m².
        assert!((up - 24.0).abs() < 1e-3 && (side - 8.0).abs() < 1e-3, "{up} {side}");
    }
}
