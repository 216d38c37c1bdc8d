//! What can be moved: clips joined into libraries that systems search.

pub mod graph;
pub mod locomotion;
mod make_stop;
pub mod strides;

pub use make_stop::MakeStop;
