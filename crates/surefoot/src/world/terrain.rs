//! Made ground: slopes, stairs and rubble without end, to try creatures on.

use super::ground::{Ground, GroundHit, hit_at};
use crate::math::single;
use glam::{Vec2, Vec3};

/// Ground that a formula makes. It rises along +Z, from z = 1 m on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Terrain {
    /// Level at y = 0.
    Flat,
    /// Level, then up at an angle (radians).
    Slope {
        /// The angle, radians.
        angle: f32,
    },
    /// Level, then stairs.
    Stairs {
        /// Height of a step, metres.
        rise: f32,
        /// Depth of a step, metres.
        tread: f32,
    },
    /// Square blocks of random heights, from the start on.
    Rubble {
        /// The highest, metres; the lowest is 0.
        height: f32,
        /// Their size, metres.
        size: f32,
    },
}

/// Where the ground begins to rise, metres.
const BEGINS: f32 = 1.0;

impl Terrain {
    /// Height and normal at a floor point (x, z).
    #[must_use]
    pub fn at(&self, p: Vec2) -> (f32, Vec3) {
        match *self {
            Self::Flat => (0.0, Vec3::Y),
            Self::Slope { angle } => {
                let rise = single::tan(angle);
                match p.y > BEGINS {
                    true => (rise * (p.y - BEGINS), Vec3::new(0.0, 1.0, -rise).normalize()),
                    false => (0.0, Vec3::Y),
                }
            }
            Self::Stairs { rise, tread } => (rise * ((p.y - BEGINS) / tread).ceil().max(0.0), Vec3::Y),
            Self::Rubble { height, size } => {
                let cell = (p / size).floor();
                (height * chance([cell.x as i32, cell.y as i32]), Vec3::Y)
            }
        }
    }

    /// Along x and along z, one line at which it may jump or bend, and the distance to the next, metres; `None` along an axis
    /// without such lines.
    #[must_use]
    pub fn seams(&self) -> [Option<[f32; 2]>; 2] {
        match *self {
            Self::Flat => [None; 2],
            Self::Slope { .. } => [None, Some([BEGINS, 1.0])],
            Self::Stairs { tread, .. } => [None, Some([BEGINS, tread])],
            Self::Rubble { size, .. } => [Some([0.0, size]); 2],
        }
    }
}

/// A number in [0, 1) for a cell, always the same (a hash after Wang).
fn chance([x, z]: [i32; 2]) -> f32 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1) ^ (z as u32).wrapping_mul(0x85EB_CA77);
    h = (h ^ 61) ^ (h >> 16);
    h = h.wrapping_mul(9);
    h ^= h >> 4;
    h = h.wrapping_mul(0x27D4_EB2D);
    h ^= h >> 15;
    (h >> 8) as f32 / (1_u32 << 24) as f32
}

impl Ground for Terrain {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        let (y, normal) = self.at(Vec2::new(point.x, point.z));
        hit_at(point, reach, time, y, normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terrains_are_as_high_as_they_say() {
        let y = |terrain: Terrain, z: f32| terrain.at(Vec2::new(0.3, z)).0;
        let stairs = Terrain::Stairs { rise: 0.2, tread: 0.4 };
        assert_eq!((y(stairs, 0.9), y(stairs, 1.1), y(stairs, 1.5)), (0.0, 0.2, 0.4));
        let slope = Terrain::Slope { angle: 35_f32.to_radians() };
        assert!((y(slope, 2.0) - 0.7002).abs() < 1e-3, "{}", y(slope, 2.0));
        let rubble = Terrain::Rubble { height: 0.4, size: 0.3 };
        let heights: Vec<f32> = (0..400).map(|i| y(rubble, 0.05 * i as f32)).collect();
        assert!(heights.iter().all(|y| (0.0..0.4).contains(y)), "{heights:?}");
        assert!(heights.windows(2).any(|two| (two[1] - two[0]).abs() > 0.2), "there are edges");
        assert!(slope.below(Vec3::new(0.0, 0.1, 2.0), 1.0, 0.0).is_none(), "under the ground");
    }
}
