//! Pipelines: each a function whose body lists its stages.

mod clean_up;
mod gather;
mod navigate;
mod walk_graph;

pub use clean_up::{CleanUp, CleanedUp, Cycle, Studied, Study};
pub use gather::{Gather, GatherError, Gathered};
pub use navigate::{GroundFit, Navigate, NavigateError, Navigated};
pub use walk_graph::{WalkFigures, WalkGraph, Walked};
