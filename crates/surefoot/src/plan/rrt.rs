//! RRT-Connect: two trees that grow towards each other, for maps too large or too often changed for a roadmap.

use super::outcome::{Route, answer};
use super::{NoRouteReason, PathOutcome};
use crate::random::{Rng, Seed};
use crate::world::GrownMap;
use glam::Vec2;

/// How trees grow (Kuffner & LaValle 2000).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct RrtConnect {
    /// The longest branch, metres.
    pub step: f32,
    /// After how many samples it gives up.
    pub samples: usize,
    /// What its samples are drawn from.
    pub seed: Seed,
}

impl Default for RrtConnect {
    fn default() -> Self {
        Self { step: 2.0, samples: 20_000, seed: Seed(0) }
    }
}

#[derive(Clone, Debug)]
struct Tree {
    places: Vec<Vec2>,
    /// What each hangs from; the root from itself.
    parents: Vec<u32>,
}

impl Tree {
    fn new(root: Vec2) -> Self {
        Self { places: vec![root], parents: vec![0] }
    }

    fn nearest(&self, p: Vec2) -> u32 {
        let mut best = (f32::MAX, 0);
        for (i, place) in self.places.iter().enumerate() {
            let distance = place.distance_squared(p);
            if distance < best.0 {
                best = (distance, i as u32);
            }
        }
        best.1
    }

    /// A branch of at most `step` from `from` towards a point: its end, and whether it got there.
    fn extend(&mut self, map: &GrownMap, from: u32, target: Vec2, step: f32) -> Option<(u32, bool)> {
        let at = self.places[from as usize];
        let distance = at.distance(target);
        let there = distance <= step;
        let end = if there { target } else { at + (target - at) * (step / distance) };
        map.segment_is_free(at, end).then(|| {
            self.places.push(end);
            self.parents.push(from);
            (self.places.len() as u32 - 1, there)
        })
    }

    /// From a place to the root.
    fn to_root(&self, mut from: u32) -> Vec<Vec2> {
        let mut way = vec![self.places[from as usize]];
        while from != 0 {
            from = self.parents[from as usize];
            way.push(self.places[from as usize]);
        }
        way
    }
}

impl RrtConnect {
    /// A path, not a short one: [`PathOutcome::shortcut`] pulls it taut. Points are (x, z), metres.
    #[must_use]
    pub fn path(&self, map: &GrownMap, start: Vec2, goal: Vec2) -> PathOutcome {
        let nearest = || {
            // What can be reached is what the tree of the start has grown to.
            let wanted = map.nearest_free(goal).unwrap_or(start);
            match self.grow(map, start, wanted) {
                (Ok(_), _) => wanted,
                (Err(_), tree) => tree.places[tree.nearest(goal) as usize],
            }
        };
        answer(map, start, goal, || self.grow(map, start, goal).0, nearest)
    }

    /// The way between two free points, and the tree of the first.
    fn grow(&self, map: &GrownMap, start: Vec2, goal: Vec2) -> (Route, Tree) {
        let mut rng = Rng::new(self.seed).stream("rrt");
        let [low, high] = map.map().bounds();
        let step = self.step.max(1e-3);
        let (mut from_start, mut from_goal) = (Tree::new(start), Tree::new(goal));
        for i in 0..self.samples {
            let sample = Vec2::new(rng.range(low.x, high.x), rng.range(low.y, high.y));
            let (one, other) =
                if i % 2 == 0 { (&mut from_start, &mut from_goal) } else { (&mut from_goal, &mut from_start) };
            let near = one.nearest(sample);
            let Some((tip, _)) = one.extend(map, near, sample, step) else { continue };
            let target = one.places[tip as usize];
            // The other tree comes as far as it can.
            let mut at = other.nearest(target);
            while let Some((next, there)) = other.extend(map, at, target, step) {
                at = next;
                if there {
                    let (a, b) = if i % 2 == 0 { (tip, at) } else { (at, tip) };
                    let mut way = from_start.to_root(a);
                    way.reverse();
                    way.extend(from_goal.to_root(b));
                    return (Ok(way), from_start);
                }
            }
        }
        (Err(NoRouteReason::NotFound { samples: self.samples }), from_start)
    }
}
