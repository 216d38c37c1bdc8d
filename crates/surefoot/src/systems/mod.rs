//! Pipelines: each a function whose body lists its stages.

mod clean_up;
mod walk_graph;

pub use clean_up::{CleanUp, CleanedUp, Cycle, Studied, Study};
pub use walk_graph::{WalkGraph, Walked};
