//! How the ground lies under a body: it has mass, and follows its feet over a cycle rather than each of them at once.

use super::CreatureMotion;
use super::motion::SETTLED_RATE;
use crate::adapt::{FeetLie, support};
use crate::character::MOST_LEGS;
use crate::math::smoothstep;
use glam::{Vec2, Vec3A};
use std::ops::Range;

/// Height and tilt of a body are the mean of so many cycles either side, and of so many once more.
const MEANS: [f32; 2] = [0.5, 0.15];
/// The same of its height on steep ground.
const CLOSELY: [f32; 2] = [0.1, 0.1];
/// Its roll is that of more of them: beasts keep their backs level across.
const ROLL: [f32; 2] = [1.2, 0.4];
/// Over rough ground a body that goes down for its feet stays down for so many cycles either side.
const STAYS: f32 = 0.4;
/// Ground is rough where feet are off a plane by this share of the leg.
const ROUGH: f32 = 0.06;

/// Bodies do not go up by this share of how much higher than the ground along the way their feet stand, for a bend of legs by
/// this share of the hips' height at most.
const EDGES: f32 = 0.7;
const MOST_BENT: f32 = 0.08;

/// From how steep ground on, and from where on not at all, rise over run.
const STEEP: [f32; 2] = [0.45, 0.7];

/// How the ground lies under a body, at even times.
#[derive(Clone, Debug, Default)]
pub(super) struct Underfoot {
    /// How the ground lies under it.
    pub lies: Vec<FeetLie>,
    /// How rough that is, from 0 to 1.
    rough: Vec<f32>,
    /// Cycles of the gait so far.
    cycles: Vec<f32>,
}

impl CreatureMotion {
    /// Looks over the whole walk how the ground lies under its feet, and makes that smooth.
    pub(super) fn look_underfoot(&mut self) {
        let (stand, plan) = (&self.character.stand, &self.plan);
        let mut supports = [Vec3A::ZERO; MOST_LEGS];
        let supports = &mut supports[..plan.legs.len()];
        let (mut lies, mut rough, mut steep, mut cycles) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for i in 0..self.times() {
            let t = i as f32 / SETTLED_RATE;
            let moment = plan.course.at(t);
            for (at, falls) in supports.iter_mut().zip(&plan.legs) {
                *at = support(falls, t);
            }
            let mut lie = self.body.lie(stand, &moment, supports);
            let off = |at: &Vec3A| (at.y - lie.under(&moment, *at)).abs();
            // On steep ground bodies are as low as they can be already, without staying there.
            let slope = Vec2::new(moment.slope, moment.side).length();
            steep.push(smoothstep((slope - STEEP[0]) / (STEEP[1] - STEEP[0])));
            rough.push((1.0 - steep[i]) * supports.iter().map(off).fold(0.0, f32::max));
            // Feet stand on what is high: legs bend for it rather than the whole body going up.
            lie.height -= (EDGES * (lie.height - moment.height)).clamp(0.0, MOST_BENT * stand.hip);
            lies.push(lie);
            cycles.push(moment.cycles);
        }
        let mut underfoot = Underfoot { lies: Vec::new(), rough: Vec::new(), cycles };
        let most =
            underfoot.most(&rough, STAYS).into_iter().map(|off| smoothstep(off / (ROUGH * self.character.leg_length)));
        let most = underfoot.mean(&most.collect::<Vec<f32>>(), STAYS);
        let smooth = |value: fn(&FeetLie) -> f32, means: [f32; 2]| {
            let values: Vec<f32> = lies.iter().map(value).collect();
            means.iter().fold(values, |values, reach| underfoot.mean(&values, *reach))
        };
        // There legs have no room to take up what the body does not follow.
        let heights = smooth(|lie| lie.height, MEANS).into_iter().zip(smooth(|lie| lie.height, CLOSELY)).zip(&steep);
        let heights = heights.map(|((height, close), steep)| height + steep * (close - height));
        let (rolls, pitches) = (smooth(|lie| lie.slope.x, ROLL), smooth(|lie| lie.slope.y, MEANS));
        let slopes = rolls.into_iter().zip(pitches).map(Vec2::from);
        let smooth = heights.zip(slopes).map(|(height, slope)| FeetLie { height, slope });
        (underfoot.lies, underfoot.rough) = (smooth.collect(), most);
        underfoot.lies = self.passed(underfoot.lies, |motion| &motion.underfoot.lies, FeetLie::mix);
        self.underfoot = underfoot;
    }
}

/// The least heights that are nowhere under these and rise and fall from one to the next by no more than `most`.
pub(super) fn no_faster(mut heights: Vec<f32>, most: f32) -> Vec<f32> {
    for i in 1..heights.len() {
        heights[i] = heights[i].max(heights[i - 1] - most);
    }
    for i in (1..heights.len()).rev() {
        heights[i - 1] = heights[i - 1].max(heights[i] - most);
    }
    heights
}

impl Underfoot {
    /// What is needed at every time (metres, ≥ 0) made smooth, where `soon` is that for level ground: over rough ground it comes
    /// earlier and stays for longer.
    pub(super) fn hold(&self, needed: &[f32], soon: Vec<f32>) -> Vec<f32> {
        if needed.iter().all(|needed| *needed <= 0.0) || self.rough.iter().all(|rough| *rough <= 0.0) {
            return soon;
        }
        let long = self.mean(&self.mean(&self.most(needed, STAYS), 0.5 * STAYS), 0.5 * STAYS);
        soon.into_iter().zip(long).zip(&self.rough).map(|((soon, long), rough)| soon + rough * (long - soon)).collect()
    }

    /// For every time, the times that are within so many cycles.
    fn windows(&self, reach: f32) -> impl Iterator<Item = Range<usize>> + '_ {
        let (mut start, mut end) = (0, 0);
        self.cycles.iter().map(move |now| {
            while self.cycles[start] < now - reach {
                start += 1;
            }
            while end < self.cycles.len() && self.cycles[end] <= now + reach {
                end += 1;
            }
            start..end
        })
    }

    fn most(&self, values: &[f32], reach: f32) -> Vec<f32> {
        self.windows(reach).map(|window| values[window].iter().copied().fold(0.0, f32::max)).collect()
    }

    /// Means; beyond the ends all stays as it is there.
    pub(super) fn mean(&self, values: &[f32], reach: f32) -> Vec<f32> {
        let mut sums = vec![0.0_f64];
        for value in values {
            sums.push(sums[sums.len() - 1] + f64::from(*value));
        }
        self.windows(reach)
            .map(|window| ((sums[window.end] - sums[window.start]) / window.len() as f64) as f32)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_need_that_comes_at_once_is_met_in_time() {
        let met = no_faster(vec![0.0, 0.0, 0.0, 0.375, 0.0, 0.0, 0.25], 0.125);
        assert_eq!(met, [0.0, 0.125, 0.25, 0.375, 0.25, 0.125, 0.25]);
    }
}
