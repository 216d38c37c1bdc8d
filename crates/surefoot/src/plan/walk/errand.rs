//! From where to where a walk is looked for, and what is found.

use super::{Goal, Start};
use crate::library::graph::EdgeId;
use crate::math::FloorPose;

/// From where to where a walk is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errand {
    /// Where it begins.
    pub start: Start,
    /// Where it should end.
    pub goal: Goal,
}

/// A walk: edges of a graph to be played from a place.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkPlan {
    /// Where the first edge starts.
    pub start: FloorPose,
    /// Edges that follow each other.
    pub edges: Vec<EdgeId>,
    /// Frames of them that belong to the walk, both ends included.
    pub frames: usize,
    /// Where the last of these frames is.
    pub end: FloorPose,
    /// What it costs: metres, more where it is slow, strained or off.
    pub cost: f32,
}
