//! Verifying: whether transitions are as far apart as the graph says, measured anew in double precision.

use super::MotionGraph;
use super::cloud::Cloud;
use super::transition::{Rule, Transition};
use std::collections::BTreeMap;

/// A transition whose distance is not what the graph says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misfit {
    /// The transition's place in the graph's list.
    pub transition: usize,
    /// What it is now, root mean square metres; `None` where a window does not fit into its take.
    pub measured: Option<f32>,
}

/// What single precision may cost a squared distance, in squared leg lengths.
const ROUNDING: f64 = 2e-5;

impl MotionGraph {
    /// Measures up to `at_most` transitions, spread evenly over the list, and gives those that do not fit.
    #[must_use]
    pub fn misfits(&self, at_most: usize) -> Vec<Misfit> {
        let count = self.transitions.len();
        let sample = at_most.min(count);
        let places = (0..sample).map(|k| k * count / sample.max(1));
        let points = self.settings.points(&self.rig);
        let mut clouds: BTreeMap<u32, Cloud> = BTreeMap::new();
        let slack = ROUNDING * f64::from(self.rig.leg_length()).powi(2);
        let mut misfits = Vec::new();
        for place in places {
            let transition = self.transitions[place];
            for take in [transition.from.take, transition.to.take] {
                clouds.entry(take).or_insert_with(|| {
                    let clip = &self.takes[take as usize].clip;
                    Cloud::new(&self.rig.skeleton, &points, self.settings.window, clip)
                });
            }
            let sides = [&clouds[&transition.from.take], &clouds[&transition.to.take]];
            let squared = self.squared(&transition, sides);
            let told = f64::from(transition.distance).powi(2);
            if squared.is_none_or(|squared| (squared - told).abs() > slack) {
                let measured = squared.map(|squared| squared.sqrt() as f32);
                misfits.push(Misfit { transition: place, measured });
            }
        }
        misfits
    }

    /// The squared distance of a transition, square metres.
    fn squared(&self, transition: &Transition, [a, b]: [&Cloud; 2]) -> Option<f64> {
        let length = self.settings.blend_frames();
        let starts = [transition.from.frame as usize, (transition.to.frame as usize + 1).checked_sub(length)?];
        let (before, reach) = match self.settings.rule {
            Rule::Regions => (0, length - 1),
            Rule::Minima => ((length - 1) / 2, 0),
        };
        let half = self.settings.window;
        let first = (starts[0] + before).checked_sub(half)?;
        let second = (starts[1] + before).checked_sub(half)?;
        if first + reach >= a.windows() || second + reach >= b.windows() {
            return None;
        }
        Some((0..=reach).map(|d| a.align(first + d, b, second + d).squared).fold(0.0, f64::max))
    }
}
