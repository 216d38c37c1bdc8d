//! A world: fixed ground, platforms that move over it and obstacles that move through it, as one ground.

use super::ground::{Ground, GroundHit, SurfaceId};
use super::{LevelGround, Mover};
use crate::math::Rigid;
use glam::{Vec2, Vec3};
use std::fmt;

/// All that a character walks on and around.
///
/// As a [`Ground`] it is the highest of what is below: fixed ground or a platform's top. Surfaces of the fixed ground keep
/// their numbers; [`World::platform_surface`] numbers the platforms.
pub struct World {
    /// What stays where it is.
    pub ground: Box<dyn Ground + Send + Sync>,
    /// What can be stood on and moves.
    pub platforms: Vec<Mover>,
    /// What is in the way and moves; not stood on.
    pub obstacles: Vec<Mover>,
}

/// The surface of the first platform.
const FIRST_PLATFORM: u32 = 1 << 31;

impl World {
    /// A world of fixed ground only.
    #[must_use]
    pub fn new(ground: impl Ground + Send + Sync + 'static) -> Self {
        Self { ground: Box::new(ground), platforms: Vec::new(), obstacles: Vec::new() }
    }

    /// The surface that is the top of platform `index`.
    #[must_use]
    pub fn platform_surface(index: usize) -> SurfaceId {
        SurfaceId(FIRST_PLATFORM + u32::try_from(index).unwrap_or(0) % (FIRST_PLATFORM - 1))
    }

    /// The platform whose top a surface is.
    #[must_use]
    pub fn platform_of(&self, surface: SurfaceId) -> Option<&Mover> {
        self.platforms.get(surface.0.checked_sub(FIRST_PLATFORM)? as usize)
    }

    /// How far a floor point (x, z) is from the nearest moving obstacle at a time, metres; negative inside; infinite where
    /// there are none.
    #[must_use]
    pub fn clearance(&self, point: Vec2, time: f32) -> f32 {
        self.obstacles.iter().map(|obstacle| obstacle.distance(point, time)).fold(f32::INFINITY, f32::min)
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new(LevelGround::default())
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("platforms", &self.platforms).field("obstacles", &self.obstacles).finish()
    }
}

impl Ground for World {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        let mut best = self.ground.below(point, reach, time);
        for (index, platform) in self.platforms.iter().enumerate() {
            let hit = platform.top_below(point, reach, time, Self::platform_surface(index));
            if hit.is_some_and(|hit| best.is_none_or(|best| hit.point.y >= best.point.y)) {
                best = hit;
            }
        }
        best
    }

    fn world_from_surface(&self, surface: SurfaceId, time: f32) -> Rigid {
        match self.platform_of(surface) {
            Some(platform) => platform.world_from_mover(time),
            None => self.ground.world_from_surface(surface, time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Outline, Repeat, Track};
    use super::*;

    #[test]
    fn a_foot_on_a_platform_goes_with_it_and_beside_it_stays() {
        let keys = [(0.0, Vec3::ZERO), (4.0, 8.0 * Vec3::X)];
        let track = Track::new(&keys, Repeat::BackAndForth).unwrap();
        let outline = Outline::Rectangle { half: Vec2::ONE };
        let platform = Mover { outline, height: 0.2, track, heading: 0.0, spin: 0.0 };
        let world = World { platforms: vec![platform], ..World::new(|_, z| if z > 5.0 { f32::NAN } else { 0.0 }) };
        let on = world.below(Vec3::new(0.5, 1.0, 0.5), 2.0, 0.0).unwrap();
        assert_eq!((on.point.y, on.surface), (0.2, World::platform_surface(0)));
        let moved = world.world_from_surface(on.surface, 1.0) * world.world_from_surface(on.surface, 0.0).inverse();
        assert_eq!(Vec3::from(moved.transform_point(on.point.into())), Vec3::new(2.5, 0.2, 0.5));
        let beside = world.below(Vec3::new(0.5, 1.0, 0.5), 2.0, 2.0).unwrap();
        assert_eq!((beside.point.y, beside.surface), (0.0, SurfaceId(0)));
        assert_eq!(world.world_from_surface(beside.surface, 9.0), Rigid::IDENTITY);
        assert_eq!(world.below(Vec3::new(0.0, 1.0, 6.0), 2.0, 0.0), None);
        assert_eq!(world.clearance(Vec2::ZERO, 0.0), f32::INFINITY);
    }
}
