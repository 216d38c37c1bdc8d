//! A path that was followed, to be shown: its picture, its page, and what is said of it.

#[cfg(feature = "png")]
mod page;
mod report;

use crate::walk_track::WalkTrack;
pub use report::{FollowedReport, JointReport, SpeedReport, SpreadReport, StepReport};
use surefoot::motion::{Clip, ScalePlan};
use surefoot::plan::Path;
use surefoot::systems::FollowedPath;

/// A path that was followed. Everything is of one body.
#[derive(Clone, Copy, Debug)]
pub struct ShownFollowed<'a> {
    /// What the motion graph is called that it walks on.
    pub graph: &'a str,
    /// The path.
    pub path: &'a Path,
    /// How long legs were to be.
    pub plan: &'a ScalePlan,
    /// What the law of speeds is called.
    pub law: &'a str,
    /// What was walked, and how well.
    pub done: &'a FollowedPath,
    /// The motion, with a name.
    pub clip: &'a Clip,
}

impl ShownFollowed<'_> {
    /// What it leaves on the ground.
    #[must_use]
    pub fn track(&self) -> WalkTrack {
        WalkTrack::of(&self.done.rig, self.clip, &self.done.take.stances)
    }
}
