//! Walks: what of a motion graph to play to get somewhere, past everything that is in the way.
//!
//! [`FindWalk`] looks for a walk along a path, many moves side by side; [`FollowSubgoals`] does as the thesis of 2005 did;
//! [`Steer`] decides move by move while someone holds the stick. The graph is laid out for that when it is first searched.

mod find;
mod guide;
mod reference;
mod steer;
mod tube;

pub use find::{FindWalk, NoWalk, WalkCandidates};
pub use reference::FollowSubgoals;
pub use steer::{Decided, Driven, Steer, Wish};
pub use tube::Tube;

use crate::library::graph::{EdgeId, Point};
use crate::math::FloorPose;
use crate::plan::MovingObstacle;
use crate::world::GrownMap;
use glam::Vec2;

/// Where a body has room.
#[derive(Clone, Copy, Debug)]
pub enum FreeSpace<'a> {
    /// On a floor with what stands on it; its radius is the body's.
    Floor(&'a GrownMap),
    /// Along a route over any ground, for a body of some radius, metres.
    Tube(&'a Tube, f32),
}

/// What a walk goes through.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// What stays where it is.
    pub space: FreeSpace<'a>,
    /// What moves as is known.
    pub moving: &'a [MovingObstacle],
    /// Where in their time the walk starts, seconds.
    pub time: f32,
}

impl<'a> Surroundings<'a> {
    /// A floor on which nothing moves.
    #[must_use]
    pub fn still(map: &'a GrownMap) -> Self {
        Self { space: FreeSpace::Floor(map), moving: &[], time: 0.0 }
    }

    /// A route over any ground, on which nothing moves, for a body of some radius, metres.
    #[must_use]
    pub fn along(tube: &'a Tube, radius: f32) -> Self {
        Self { space: FreeSpace::Tube(tube, radius), moving: &[], time: 0.0 }
    }

    /// The body's radius, metres.
    #[must_use]
    pub fn radius(&self) -> f32 {
        match self.space {
            FreeSpace::Floor(map) => map.radius(),
            FreeSpace::Tube(_, radius) => radius,
        }
    }

    /// Whether a body that needs `radius` metres has room at a place (x, z), metres, so many seconds after the walk's start.
    /// A tube was made for the body's own radius, and is asked about as a whole.
    #[must_use]
    pub fn is_free(&self, p: Vec2, radius: f32, seconds: f32) -> bool {
        let still = match self.space {
            FreeSpace::Floor(map) => map.map().is_free(p, radius),
            FreeSpace::Tube(tube, _) => tube.is_free_somewhere(p),
        };
        still && self.is_free_of_moving(p, radius, seconds)
    }

    pub(crate) fn is_free_of_moving(&self, p: Vec2, radius: f32, seconds: f32) -> bool {
        self.moving.iter().all(|moving| {
            let apart = moving.radius + radius;
            moving.at(self.time + seconds).distance_squared(p) >= apart * apart
        })
    }
}

/// Where a walk begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// Standing there.
    Standing(FloorPose),
    /// Walking there, in a frame of a take that is a node of the graph.
    Walking {
        /// Where the character is and faces.
        pose: FloorPose,
        /// The node's take and frame.
        at: Point,
    },
}

impl Start {
    /// Where the character is and faces.
    #[must_use]
    pub fn pose(&self) -> FloorPose {
        match self {
            Self::Standing(pose) | Self::Walking { pose, .. } => *pose,
        }
    }
}

/// Where a walk should end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Goal {
    /// The place (x, z), metres.
    pub place: Vec2,
    /// The way to face there, radians, left positive; any if `None`.
    pub heading: Option<f32>,
    /// Whether to stop there, or to walk through.
    pub stop: bool,
}

impl Goal {
    /// To stop at a place, facing any way.
    #[must_use]
    pub fn at(place: Vec2) -> Self {
        Self { place, heading: None, stop: true }
    }

    /// How far a pose is from it: the shift (metres) and the turn (radians) that would bring it there.
    #[must_use]
    pub fn missed_by(&self, pose: FloorPose) -> (Vec2, f32) {
        let turn = self.heading.map_or(0.0, |heading| crate::math::wrap_angle(heading - pose.heading));
        (self.place - pose.position, turn)
    }
}

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
