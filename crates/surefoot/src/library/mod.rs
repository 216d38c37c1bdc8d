//! What can be moved: clips joined into libraries that systems search.

pub mod graph;
pub mod locomotion;
pub(crate) mod make_stop;
pub mod strides;
