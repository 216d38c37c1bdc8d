//! A floor map as ground: level at y = 0, and nothing beside it.

use super::FloorMap;
use super::ground::{Ground, GroundHit, hit_at};
use glam::{Vec2, Vec3};

/// The floor is at y = 0 within its boundary; obstacles are in the way, but no ground.
impl Ground for FloorMap {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        let hit = hit_at(point, reach, time, 0.0, Vec3::Y)?;
        self.is_on_floor(Vec2::new(point.x, point.z)).then_some(hit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_ends_at_its_edge() {
        let map = FloorMap::rectangle(Vec2::ZERO, Vec2::new(4.0, 2.0)).unwrap();
        assert!(map.below(Vec3::new(3.0, 1.0, 1.0), 2.0, 0.0).is_some(), "on it");
        assert_eq!(map.below(Vec3::new(1.0, 1.0, 3.0), 2.0, 0.0), None);
    }
}
