//! What a live character moves by: clips with what their legs do, and how much of each is in a motion.

mod baked;
pub(crate) mod band;
pub(crate) mod clip;
mod held;
mod key_times;
pub(crate) mod mix;
pub(crate) mod notes;

pub(crate) use band::{BandSample, GradientBand};
pub(crate) use clip::LocomotionClip;
pub use clip::LocomotionError;
pub(crate) use clip::steady_place;
pub(crate) use mix::PoseMix;
pub use notes::ClipNotes;
pub use notes::LegNotes;

use glam::Vec2;
use std::f32::consts::TAU;
use std::ops::Range;

/// A manner of moving, such as upright or sneaking: clips that are blended by how the character moves.
#[derive(Clone, Debug, PartialEq)]
pub struct LocomotionStyle {
    /// Its name.
    pub name: String,
    /// Its clips within all clips.
    pub clips: Range<usize>,
    band: GradientBand,
}

/// All clips of a character, by style, their phases brought together.
#[derive(Clone, Debug, PartialEq)]
pub struct LocomotionClips {
    clips: Vec<LocomotionClip>,
    styles: Vec<LocomotionStyle>,
    /// The slowest clip that moves, whose legs step where none else tells how.
    slowest: usize,
    /// The fastest speed of a clip, m/s.
    fastest: f32,
}

/// A clip this much slower or faster than the wish backwards serves for it, as a share.
const BACKWARDS: f32 = 0.5;

impl LocomotionClips {
    /// Clips in one manner. Where none goes backwards, what goes ahead is played backwards.
    ///
    /// # Errors
    /// If no clip moves.
    pub fn new(clips: Vec<LocomotionClip>) -> Result<Self, LocomotionError> {
        Self::of_styles(vec![("usual".to_owned(), clips)])
    }

    /// Clips in several manners, each with a name.
    ///
    /// # Errors
    /// If no clip moves.
    pub fn of_styles(styles: Vec<(String, Vec<LocomotionClip>)>) -> Result<Self, LocomotionError> {
        let mut all: Vec<LocomotionClip> = Vec::new();
        let mut ranges = Vec::new();
        for (name, mut clips) in styles.into_iter().filter(|(_, clips)| !clips.is_empty()) {
            let ahead = |clip: &&LocomotionClip| clip.motion.velocity.y > BACKWARDS * clip.motion.velocity.length();
            let back = clips.iter().any(|clip| clip.moves() && clip.motion.velocity.y < 0.0);
            let walk = clips.iter().filter(|clip| clip.moves()).filter(ahead);
            let slowest = walk.min_by(|a, b| a.motion.velocity.length().total_cmp(&b.motion.velocity.length()));
            if let Some(slowest) = slowest.filter(|_| !back) {
                clips.push(slowest.reversed());
            }
            ranges.push((name, all.len()..all.len() + clips.len()));
            all.extend(clips);
        }
        let speed = |clip: &LocomotionClip| clip.motion.velocity.length();
        let moving = || all.iter().enumerate().filter(|(_, clip)| clip.moves());
        let slowest = moving().min_by(|a, b| speed(a.1).total_cmp(&speed(b.1)));
        let slowest = slowest.ok_or(LocomotionError::NoneMoves)?.0;
        let fastest = all.iter().map(speed).fold(0.0, f32::max);
        bring_together(&mut all, slowest);
        let style = |(name, clips): (String, Range<usize>)| LocomotionStyle {
            band: GradientBand::new(all[clips.clone()].iter().map(|clip| clip.motion).collect()),
            name,
            clips,
        };
        let styles = ranges.into_iter().map(style).collect();
        Ok(Self { clips: all, styles, slowest, fastest })
    }

    /// All clips, those made of others too.
    #[must_use]
    pub fn clips(&self) -> &[LocomotionClip] {
        &self.clips
    }

    /// The manners.
    #[must_use]
    pub fn styles(&self) -> &[LocomotionStyle] {
        &self.styles
    }

    /// The slowest clip that moves.
    #[must_use]
    pub fn slowest(&self) -> usize {
        self.slowest
    }

    /// The fastest speed of a clip, m/s.
    #[must_use]
    pub fn fastest(&self) -> f32 {
        self.fastest
    }

    /// Weights of all clips for a motion in manners of these shares, which add up to one. Allocates nothing.
    ///
    /// # Panics
    /// If there are not as many shares as manners, or weights as clips.
    pub fn weights(&self, motion: BandSample, shares: &[f32], weights: &mut [f32]) {
        assert_eq!(shares.len(), self.styles.len(), "a share for each manner");
        for (style, share) in self.styles.iter().zip(shares) {
            let weights = &mut weights[style.clips.clone()];
            if *share <= 0.0 {
                weights.fill(0.0);
                continue;
            }
            style.band.run(motion, weights);
            weights.iter_mut().for_each(|weight| *weight *= share);
        }
    }
}

/// Shifts the phases of all clips so that their legs stand together, as nearly as the order of feet lets them.
fn bring_together(clips: &mut [LocomotionClip], reference: usize) {
    let stances: Vec<f32> = clips[reference].legs.iter().map(|leg| leg.stance).collect();
    for clip in clips.iter_mut().filter(|clip| clip.moves()) {
        let apart = clip.legs.iter().zip(&stances).map(|(leg, stance)| {
            let (sin, cos) = crate::math::single::sin_cos(TAU * (leg.stance - stance));
            Vec2::new(sin, cos)
        });
        let sum: Vec2 = apart.sum();
        clip.offset = crate::math::floor::heading_of(sum) / TAU;
        for leg in &mut clip.legs {
            leg.stance = (leg.stance - clip.offset).rem_euclid(1.0);
        }
    }
}
