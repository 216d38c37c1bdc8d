//! How a walk fits the ground that it was laid on.

use super::{FootFigures, Spread};

/// How a walk of clips that were captured on level floors fits a ground, and what they did not allow.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroundFit {
    /// How well feet stand on the ground.
    pub feet: FootFigures,
    /// How far held feet are from where they should be, metres, by frame: where legs do not reach.
    pub missed: Spread,
    /// How far the body had to go down at most so that legs reach, metres.
    pub lowered: f32,
    /// The fastest that the root rises or falls, m/s.
    pub climb: f32,
    /// The steepest ground under a print, radians.
    pub steepest: f32,
    /// The highest step from one print to the next, metres.
    pub highest_step: f32,
    /// Prints under which there is no ground.
    pub bare: usize,
}
