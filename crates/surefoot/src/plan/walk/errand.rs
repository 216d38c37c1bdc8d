//! From where to where a walk is looked for, and what is found.

use super::{FirstSteps, Goal, Start};
use crate::library::graph::EdgeId;
use crate::math::FloorPose;
use glam::Vec2;

/// From where to where a walk is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errand {
    /// Where it begins.
    pub start: Start,
    /// Where it should end.
    pub goal: Goal,
}

/// A walk: a turn on the spot, edges of a graph to be played from there, and another turn.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkPlan {
    /// Steps that come before all, past a corner that is too near to be walked round; mostly none.
    pub first_steps: Option<FirstSteps>,
    /// The turn on the spot that comes first, radians, left positive; mostly none.
    pub turns_first: f32,
    /// Where the first edge starts.
    pub start: FloorPose,
    /// Edges that follow each other.
    pub edges: Vec<EdgeId>,
    /// Frames of these edges that belong to the walk, both ends included.
    pub frames: usize,
    /// Where the last of these frames is.
    pub end: FloorPose,
    /// The turn on the spot that comes last, radians, left positive; mostly none.
    pub turns_last: f32,
    /// The corner that is stepped round to a near goal before that turn, (x, z), metres; mostly none.
    pub round: Option<Vec2>,
    /// Whether it ends standing.
    pub stops: bool,
    /// Its cost, in metres of walking: its length, and more where it is slow, where blends are strained and where steps must be
    /// changed to end at the goal.
    pub cost: f32,
}
