//! Pipelines: each a function whose body lists its stages.

mod clean_up;
mod creature;
mod creature_mend;
mod creature_motion;
mod gather;
mod navigate;
mod reference;
mod repair;
mod walk_graph;

pub use clean_up::{CleanUp, CleanedUp, Cycle, Studied, Study};
pub use creature::{Creature, CreatureTake, stride_of};
pub use creature_motion::{CreatureFrame, CreatureMotion};
pub use gather::{Gather, GatherError, Gathered};
pub use navigate::{GroundFit, Navigate, NavigateError, Navigated};
pub use repair::Resume;
pub use walk_graph::{WalkFigures, WalkGraph, Walked};
