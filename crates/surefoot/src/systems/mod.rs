//! Pipelines: each a function whose body lists its stages.

mod clean_up;
mod gather;

pub use clean_up::{CleanUp, CleanedUp, Cycle, Studied, Study};
pub use gather::{Gather, GatherError, Gathered};
