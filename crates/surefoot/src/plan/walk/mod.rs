//! Walks: what of a motion graph to play to get somewhere, past everything that is in the way.
//!
//! `FindWalk` looks for a walk along a path, many moves side by side; `FollowSubgoals` does as the thesis of 2005 did;
//! [`Steer`] decides move by move while someone holds the stick. The graph is laid out for that when it is first searched.

pub(crate) mod errand;
pub(crate) mod find;
pub(crate) mod first_steps;
mod guide;
pub(crate) mod reference;
pub(crate) mod steer;
pub(crate) mod surroundings;
pub(crate) mod tube;
pub(crate) mod turn_on_spot;
pub(crate) mod way_round;

pub(crate) use errand::{Errand, WalkPlan};
pub(crate) use find::FindWalk;
pub(crate) use find::NoWalk;
pub(crate) use find::PathTry;
pub(crate) use find::Tried;
pub(crate) use find::WalkCandidates;
pub(crate) use first_steps::FirstSteps;
pub(crate) use reference::FollowSubgoals;
pub use steer::{Driven, Steer, Wish};
pub(crate) use surroundings::FreeSpace;
pub use surroundings::Surroundings;
pub(crate) use tube::Tube;
pub(crate) use turn_on_spot::TurnOnSpot;
pub(crate) use way_round::WayRound;

use crate::library::graph::Point;
use crate::math::FloorPose;
use glam::Vec2;

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
