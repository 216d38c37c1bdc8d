//! A walk through a scene, to be shown: its map, its page, and what is said of it.

#[cfg(feature = "png")]
mod page;
mod report;

use crate::walk_track::WalkTrack;
pub use report::{
    ArrivalReport, DriftReport, EndReport, GroundReport, JourneyReport, SeamsReport, SpreadReport, WorstReport,
};
use surefoot::motion::Clip;
use surefoot::rig::Rig;
use surefoot::systems::Journeyed;
use surefoot::world::Scene;

/// A walk through a scene. Everything is of one body.
#[derive(Clone, Copy, Debug)]
pub struct ShownJourney<'a> {
    /// Who walks.
    pub rig: &'a Rig,
    /// What the motion graph is called that it walks on.
    pub graph: &'a str,
    /// The scene with the start and goal that were taken, and their headings.
    pub scene: &'a Scene,
    /// What was walked, and how well.
    pub done: &'a Journeyed,
    /// The motion, with a name.
    pub clip: &'a Clip,
}

impl ShownJourney<'_> {
    /// What it leaves on the ground.
    #[must_use]
    pub fn track(&self) -> WalkTrack {
        WalkTrack::of(self.rig, self.clip, &self.done.take().stances)
    }
}
