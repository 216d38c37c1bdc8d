//! Pipelines: each a function whose body lists its stages.

mod clean_up;

pub use clean_up::{CleanUp, CleanedUp, Cycle, Studied, Study};
