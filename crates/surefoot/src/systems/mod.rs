//! Pipelines: each a function whose body lists its stages. No system uses another.

mod clean_up;
mod creature;
mod navigate;

pub use clean_up::{CleanReport, CleanUp, CleanedUp};
pub use creature::{Creature, CreatureFrame, CreatureMotion, CreatureReport, CreatureTake, FastestJoint, stride_of};
pub use navigate::{
    Gather, GatherError, Gathered, GroundFit, Journey, JourneyEnd, JourneyEnds, JourneyError, JourneyReport,
    JourneyTimes, Journeyed, Navigate, NavigateError, NavigateReport, Navigated, Resume, Trip, WalkFigures, WalkGraph,
    Walked,
};
