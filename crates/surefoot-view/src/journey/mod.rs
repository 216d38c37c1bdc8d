//! A walk through a scene, to be shown: its map, its page, and what is said of it.

#[cfg(feature = "png")]
mod page;
mod report;

use crate::walk_track::WalkTrack;
pub use report::{
    ArrivalReport, DriftReport, EndReport, GroundReport, JourneyReport, SeamsReport, SpreadReport, WorstReport,
};
use surefoot::motion::Clip;
use surefoot::plan::Path;
use surefoot::rig::Rig;
use surefoot::systems::{Navigated, Studied, WalkFigures};
use surefoot_io::scene::Scene;

/// A walk through a scene. Everything is of one body.
#[derive(Clone, Copy, Debug)]
pub struct ShownJourney<'a> {
    /// Who walks.
    pub rig: &'a Rig,
    /// What the motion graph is called that it walks on.
    pub graph: &'a str,
    /// The scene with the start and goal that were taken, and their headings.
    pub scene: &'a Scene,
    /// The path that was planned.
    pub path: &'a Path,
    /// Length of the shortest way there is, metres.
    pub shortest: f32,
    /// What was walked.
    pub walk: &'a Navigated,
    /// How well.
    pub figures: &'a WalkFigures,
    /// The motion, with a name.
    pub clip: &'a Clip,
    /// How it walks; its stances are those that were held.
    pub studied: &'a Studied,
}

impl ShownJourney<'_> {
    /// What it leaves on the ground.
    #[must_use]
    pub fn track(&self) -> WalkTrack {
        WalkTrack::of(self.rig, self.clip, &self.studied.found.stances)
    }
}
