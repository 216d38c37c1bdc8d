//! How a walk fits a ground that is not level: feet in it and above it.

use super::Spread;
use crate::analyse::FootTrack;
use crate::math::{Rigid, floor};
use crate::motion::{Clip, Stance, stance};
use crate::rig::Rig;
use crate::world::Below;
use glam::Vec3A;

/// How the feet of a walk fit the ground. Lengths in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LaidFigures {
    /// How deep heel, ball or tip of feet that stand are in the ground.
    pub sunk: Spread,
    /// And of feet that fly.
    pub sunk_flying: Spread,
    /// How far the lower of heel and ball of feet that stand flat is above the ground.
    pub float: Spread,
    /// The fastest that the root rises or falls, m/s.
    pub climb: f32,
}

/// Measures how the feet of a walk fit the ground below it.
///
/// # Panics
/// If the clip was made for another skeleton.
#[must_use]
pub fn measure_laid(rig: &Rig, clip: &Clip, stances: &[Stance], below: &Below<'_>) -> LaidFigures {
    let tracks = FootTrack::of_all(rig, clip);
    let (mut sunk, mut flying, mut float) = (Vec::new(), Vec::new(), Vec::new());
    for ((id, _), track) in rig.legs().zip(&tracks) {
        let mut stands = vec![false; clip.frames()];
        let mut flat = vec![false; clip.frames()];
        for stance in stance::of_leg(stances, id) {
            stands[stance.held()].fill(true);
            flat[stance.flat()].fill(true);
        }
        for f in 0..clip.frames() {
            let over = |p: Vec3A| below.height(floor::of_point(p), f).map(|ground| p.y - ground);
            let heights = [track.heels[f], track.balls[f], track.tips[f]].map(over);
            let depth = heights.iter().flatten().map(|height| -height).fold(0.0, f32::max);
            if stands[f] { &mut sunk } else { &mut flying }.push((depth, f));
            if let (true, [Some(heel), Some(ball), _]) = (flat[f], heights) {
                float.push((heel.min(ball).max(0.0), f));
            }
        }
    }
    let rise = |pair: &[Rigid]| (pair[1].translation.y - pair[0].translation.y).abs() * clip.rate();
    LaidFigures {
        sunk: Spread::of(sunk),
        sunk_flying: Spread::of(flying),
        float: Spread::of(float),
        climb: clip.roots().windows(2).map(rise).fold(0.0, f32::max),
    }
}
