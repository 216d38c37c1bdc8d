//! Labyrinths: seeded floors of walls in which every place can be reached.

use super::{FloorMap, Obstacle};
use crate::math::FloorPose;
use crate::random::{Rng, Seed};
use glam::Vec2;

/// What a labyrinth is like. The default has 46 walls on a floor of 40 m.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Labyrinth {
    /// The floor's side, metres; it is a square with a corner at the origin.
    pub side: f32,
    /// Cells along a side.
    pub cells: usize,
    /// Walls taken out again, so that there is more than one way.
    pub openings: usize,
    /// How thick walls are, metres.
    pub thickness: f32,
    /// Which labyrinth of these.
    pub seed: Seed,
}

impl Default for Labyrinth {
    fn default() -> Self {
        Self { side: 40.0, cells: 8, openings: 3, thickness: 0.2, seed: Seed(0) }
    }
}

impl Labyrinth {
    /// The floor with its walls: (cells - 1)² less the openings, one cell long each.
    ///
    /// # Panics
    /// If there is no cell, or the side or the thickness is not positive and finite.
    #[must_use]
    pub fn build(&self) -> FloorMap {
        let n = self.cells;
        assert!(n > 0 && self.side > 0.0 && self.thickness > 0.0, "a labyrinth has cells, a side and walls");
        let mut map = FloorMap::rectangle(Vec2::ZERO, Vec2::splat(self.side)).expect("a square is a floor");
        let mut rng = Rng::new(self.seed).stream("labyrinth");
        // Walls between neighbouring cells, in random order; one is left out where it would separate what is not yet
        // joined.
        let mut walls: Vec<[usize; 2]> = Vec::new();
        for cell in 0..n * n {
            if cell % n + 1 < n {
                walls.push([cell, cell + 1]);
            }
            if cell / n + 1 < n {
                walls.push([cell, cell + n]);
            }
        }
        for i in (1..walls.len()).rev() {
            walls.swap(i, rng.below(i + 1));
        }
        let mut group: Vec<usize> = (0..n * n).collect();
        walls.retain(|[a, b]| {
            let (one, other) = (group[*a], group[*b]);
            group.iter_mut().filter(|g| **g == other).for_each(|g| *g = one);
            one == other
        });
        walls.truncate(walls.len().saturating_sub(self.openings));
        let cell = self.side / n as f32;
        let middle = |c: usize| Vec2::new((c % n) as f32 + 0.5, (c / n) as f32 + 0.5) * cell;
        for [a, b] in walls {
            let (long, thin) = (cell + self.thickness, self.thickness);
            let size = if b == a + 1 { Vec2::new(thin, long) } else { Vec2::new(long, thin) };
            let place = FloorPose::new(0.5 * (middle(a) + middle(b)), 0.0);
            map.add(Obstacle::rectangle("", place, size)).expect("walls stand on the floor");
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_has_46_walls_and_seeds_differ() {
        let map = Labyrinth::default().build();
        assert_eq!(map.obstacles().count(), 46);
        assert_eq!(map, Labyrinth::default().build());
        assert_ne!(map, Labyrinth { seed: Seed(1), ..Labyrinth::default() }.build());
    }
}
