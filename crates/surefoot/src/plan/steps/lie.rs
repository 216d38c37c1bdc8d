//! How the ground lies along a way, as looks down from not far above it tell.

use super::route::Sample;
use crate::character::Stand;
use crate::math::floor;
use crate::world::Ground;
use glam::{Vec2, Vec3};

/// How the ground lies at a place of the way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lie {
    /// Height, metres.
    pub height: f32,
    /// How steep it is along the way: rise over run, up positive.
    pub slope: f32,
    /// How steep it is across: rise over run, up to the left positive.
    pub side: f32,
}

impl Lie {
    pub(super) fn mix(self, other: Self, x: f32) -> Self {
        let mix = |a: f32, b: f32| a + x * (b - a);
        Self {
            height: mix(self.height, other.height),
            slope: mix(self.slope, other.slope),
            side: mix(self.side, other.side),
        }
    }
}

/// Looks down along the way, from not far above where the ground was last.
pub(super) struct Look<'a> {
    ground: &'a dyn Ground,
    from: f32,
    climb: f32,
    window: f32,
    /// Half of how wide it stands.
    aside: f32,
}

impl<'a> Look<'a> {
    pub(super) fn new(stand: &Stand, ground: &'a dyn Ground, start: Vec3) -> Self {
        let aside = stand.legs.iter().map(|leg| leg.anchor.position.x.abs()).fold(0.0, f32::max);
        let window = stand.hip.max(stand.radius);
        let mut look = Self { ground, from: start.y, climb: stand.hip, window, aside };
        // A path on the floor may start under the ground.
        if look.hit(floor::of_point(start.into()), 0.0).is_none() {
            let high = Vec3 { y: start.y + 1e4, ..start };
            look.from = ground.below(high, 2e4, 0.0).map_or(start.y, |hit| hit.point.y);
        }
        look
    }

    fn hit(&self, at: Vec2, time: f32) -> Option<f32> {
        let hit = self.ground.below(floor::at_height(at, self.from + self.climb), 4.0 * self.climb, time);
        hit.map(|hit| hit.point.y)
    }

    pub(super) fn at(&mut self, at: Vec2, time: f32) -> f32 {
        self.from = self.hit(at, time).unwrap_or(self.from);
        self.from
    }

    /// How steep the ground is across a place, up to the left positive; level where there is none.
    fn side(&self, at: Sample, time: f32) -> f32 {
        let left = floor::direction(at.heading + std::f32::consts::FRAC_PI_2) * self.aside;
        match [at.position + left, at.position - left].map(|p| self.hit(p, time)) {
            [Some(left), Some(right)] if self.aside > 0.0 => (left - right) / (2.0 * self.aside),
            _ => 0.0,
        }
    }

    /// How the ground lies along places that are `step` apart, each at its time (seconds), smoothed. The ground behind the first
    /// counts, too, where it comes from there.
    pub(super) fn along(
        &mut self,
        places: &[Sample],
        (step, comes): (f32, bool),
        time: impl Fn(usize) -> f32,
    ) -> Vec<Lie> {
        let reach = ((0.5 * self.window / step.max(1e-4)) as usize).max(1);
        let behind = if comes { 2 * reach } else { 0 };
        let ahead = floor::direction(places[0].heading);
        let before = (0..behind).map(|k| {
            let position = places[0].position - ahead * ((behind - k) as f32 * step);
            Sample { position, ..places[0] }
        });
        let mut looked: Vec<[f32; 2]> = Vec::with_capacity(behind + places.len());
        for (i, place) in before.chain(places.iter().copied()).enumerate() {
            let time = time(i.saturating_sub(behind));
            looked.push([self.at(place.position, time), self.side(place, time)]);
        }
        let last = looked.len() - 1;
        // Running sums in f64 lose nothing over thousands of places. Beyond the ends the ground goes on as it is there.
        let mut sums = vec![[0.0_f64; 2]];
        for k in 0..=last + 2 * reach {
            let (sum, next) = (sums[k], looked[k.saturating_sub(reach).min(last)]);
            sums.push([0, 1].map(|j| sum[j] + f64::from(next[j])));
        }
        let mean =
            |i: usize| [0, 1].map(|j| ((sums[i + 2 * reach + 1][j] - sums[i][j]) / (2 * reach + 1) as f64) as f32);
        let means: Vec<[f32; 2]> = (0..=last).map(mean).collect();
        let lie = |i: usize| {
            let (a, b) = (i.saturating_sub(reach), (i + reach).min(last));
            let slope = (means[b][0] - means[a][0]) / ((b - a).max(1) as f32 * step.max(1e-6));
            Lie { height: means[i][0], slope, side: means[i][1] }
        };
        (behind..=last).map(lie).collect()
    }
}
