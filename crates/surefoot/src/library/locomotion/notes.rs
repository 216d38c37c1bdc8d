//! What a person knows better of a clip than looking at it tells: its velocity, and the key times of its legs.

use glam::Vec2;

/// Notes on a clip; what is left out is found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipNotes {
    /// How fast it goes in the character's own frame, m/s: x to its left, y ahead.
    pub velocity: Option<Vec2>,
    /// By leg of the rig.
    pub legs: Vec<LegNotes>,
}

/// Key times of a leg as phases of its clip, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegNotes {
    /// When its foot is flat under the body.
    pub stance: Option<f32>,
    /// When its sole begins to leave the ground.
    pub lift: Option<f32>,
    /// When the last of it leaves.
    pub off: Option<f32>,
    /// When it touches again.
    pub strike: Option<f32>,
    /// When the whole sole is down again.
    pub land: Option<f32>,
}
