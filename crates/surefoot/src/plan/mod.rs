//! Ways through a world: paths, and the planners that find them.
//!
//! All planners go through the same free space, a [`GrownMap`](crate::world::GrownMap), and give the same answer, a
//! [`PathOutcome`].

mod outcome;
mod path;
mod search;
mod taut;
mod visibility;

pub use outcome::{NoRouteReason, PathOutcome};
pub use path::{Path, PathPlace};
pub use visibility::VisibilityGraph;
