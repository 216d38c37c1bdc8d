//! Verifying: whether transitions are as far apart as the graph says, measured anew in double precision, and go where it says.

use super::blend::{BlendJoints, Blended, Blender};
use super::cloud::Cloud;
use super::spot::Spot;
use super::topology::Play;
use super::transition::{Rule, Transition};
use super::{MotionGraph, Moves};
use crate::math::FloorPose;
use std::collections::BTreeMap;

/// A transition whose distance is not what the graph says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misfit {
    /// The transition's place in the graph's list.
    pub transition: usize,
    /// What it is now, root mean square metres; `None` where a window does not fit into its take.
    pub measured: Option<f32>,
}

/// A transition that does not go where the moves that came with the graph say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Astray {
    /// The transition's place in the graph's list.
    pub transition: usize,
    /// How far it is off at most: metres, or as much of a unit vector that it should face.
    pub off: f32,
}

/// What is not astray, in leg lengths: 1 mm for a person, which nobody sees; last digits that differ between
/// machines are to stay below it.
const ASTRAY: f32 = 1e-3;

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

    /// Plays up to `at_most` transitions of the largest component, spread evenly, and gives those that go elsewhere than the moves
    /// that the graph has say; none if it has not been laid out yet.
    #[must_use]
    pub fn astray(&self, at_most: usize) -> Vec<Astray> {
        let Some(moves) = self.known.get() else { return Vec::new() };
        let count = moves.blends.len();
        let sample = at_most.min(count);
        let slack = ASTRAY * self.rig.leg_length();
        let joints = BlendJoints::of_feet(&self.rig);
        let mut blender = Blender::new(&self.rig, &joints);
        let played = (0..sample).map(|k| self.off(moves, (k * count / sample.max(1)) as u32, &mut blender));
        let mut astray: Vec<Astray> = played.flatten().filter(|astray| astray.off > slack).collect();
        astray.sort_by_key(|astray| astray.transition);
        astray
    }

    fn off(&self, moves: &Moves, via: u32, blender: &mut Blender<'_>) -> Option<Astray> {
        let edge = &self.topology.edges[moves.blends[via as usize].edge.index()];
        let Play::Blend(transition) = edge.play else { return None };
        let from = self.transitions[transition as usize].from;
        let mut blended = Blended::default();
        blender.run(&self.sides(&self.transitions[transition as usize]), [&[]; 2], &mut blended);
        let start = Spot::new(self.place(from.take as usize, from.frame as usize));
        let apart = |(root, told): (&FloorPose, &Spot)| {
            let spot = start.then(Spot::new(*root));
            spot.place.distance(told.place).max(spot.facing.distance(told.facing))
        };
        let off = blended.roots[1..].iter().zip(moves.blend_way(via)).map(apart).fold(0.0, f32::max);
        Some(Astray { transition: transition as usize, off })
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
