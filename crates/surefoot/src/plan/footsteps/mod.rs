//! Footsteps planned ahead: which stride puts which foot where, from a start to a goal over the surfaces of a world.

#[cfg(feature = "mesh")]
mod ahead;
#[cfg(feature = "mesh")]
pub(crate) mod barrier;
#[cfg(feature = "mesh")]
mod cells;
#[cfg(feature = "mesh")]
mod find;
#[cfg(feature = "mesh")]
mod fit;
#[cfg(feature = "mesh")]
pub(crate) mod foothold;
#[cfg(feature = "mesh")]
pub(crate) mod map;
#[cfg(feature = "mesh")]
pub(crate) mod pinned;
#[cfg(feature = "mesh")]
pub(crate) mod planner;
#[cfg(feature = "mesh")]
mod samples;

use crate::motion::Footprint;
#[cfg(feature = "mesh")]
pub(crate) use barrier::Barrier;
#[cfg(feature = "mesh")]
pub use barrier::NoFootsteps;
#[cfg(feature = "mesh")]
pub(crate) use foothold::SoleSize;
#[cfg(feature = "mesh")]
pub(crate) use map::FootstepMap;
#[cfg(feature = "mesh")]
pub use map::FootstepWorld;
#[cfg(feature = "mesh")]
pub use pinned::PlacedPrint;
#[cfg(feature = "mesh")]
pub(crate) use planner::PlanFootsteps;
#[cfg(feature = "mesh")]
pub(crate) use planner::PlannedFootsteps;
#[cfg(feature = "mesh")]
pub use planner::{FootstepEnd, FootstepSearch};

/// Prints from a start to a goal, and the strides that go from one to the next.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FootstepPlan {
    /// All prints by time, left and right; the first and the last are right ones.
    pub prints: Vec<PlannedPrint>,
    /// The strides in order: each begins on the print that the one before ends on.
    pub strides: Vec<PlannedStride>,
    /// From the middle of the first stance to the middle of the last, seconds.
    pub seconds: f32,
}

/// A print of a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlannedPrint {
    /// Where it is, of which leg, and on what.
    pub print: Footprint,
    /// The middle of its stance, seconds.
    pub time: f32,
    /// Whether smoothing leaves it where it is: an end, the edge of a gap, without room around it, or put there by a person.
    pub fixed: bool,
}

/// A stride of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlannedStride {
    /// Which, as an index of the reaches that were planned with.
    pub stride: usize,
    /// Its first right print, as an index of the plan's prints.
    pub first: usize,
    /// Its last right print.
    pub last: usize,
}

#[cfg(all(test, feature = "mesh"))]
mod tests;
