//! Pipelines: each a function whose body lists its stages. No system uses another.

mod clean_up;
pub(crate) mod creature;
pub(crate) mod follow;
pub(crate) mod footsteps;
pub(crate) mod locomotor;
pub(crate) mod navigate;
mod reach;

pub use clean_up::{CleanReport, CleanUp, CleanedUp, OntoBody, OntoReport};
pub use creature::{Creature, CreatureFrame, CreatureMotion, CreatureReport, CreatureTake, stride_of};
pub use follow::PathToFollow;
pub use follow::{Follow, FollowError, FollowReport, FollowedPath};
#[cfg(feature = "mesh")]
pub use footsteps::{FootstepJourney, FootstepJourneyError, FootstepJourneyReport, FootstepJourneyed, FootstepRuns};
pub use footsteps::{Footstepped, Footsteps, FootstepsError, lay_strides};
pub use locomotor::{
    Action, ActionFeet, Actor, BodyPlace, Crowd, Detail, DetailCounts, FollowRoute, FootEvent, FootEventKind, GoTo,
    Going, GoingAround, Intent, JointMask, Layer, Locomotor, LocomotorFrame, LocomotorSettings, LocomotorState,
    MOST_LAYERS, MOST_TARGETS, PrepareClips, SteeredWalk, TargetLimb, Targets,
};
pub use navigate::{
    Gather, GatherError, Journey, JourneyEnd, JourneyEnds, JourneyError, JourneyReport, Journeyed, Navigate,
    NavigateError, Navigated, Trip, WalkGraph,
};
pub use reach::{ReachGoal, ReachInClip, ReachedClip};
