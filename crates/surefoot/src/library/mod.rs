//! What can be moved: clips joined into libraries that systems search.

pub mod graph;
