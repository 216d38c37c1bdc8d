//! Ways through a world: paths, and the planners that find them.
//!
//! All planners go through the same free space, a [`GrownMap`](crate::world::GrownMap), and give the same answer, a
//! [`PathOutcome`].

#[cfg(feature = "navmesh")]
mod free_outline;
#[cfg(feature = "navmesh")]
mod navmesh;
mod outcome;
mod path;
#[cfg(feature = "navmesh")]
mod path_choices;
mod planner;
mod platforms;
mod roadmap;
mod rrt;
mod search;
pub mod steps;
mod taut;
mod timed;
mod visibility;
pub mod walk;

#[cfg(feature = "navmesh")]
pub use navmesh::NavMesh;
pub use outcome::{NoRouteReason, PathOutcome, PathRefusal};
pub use path::{Path, PathPlace};
#[cfg(feature = "navmesh")]
pub use path_choices::PathChoices;
pub use planner::{Planner, PlannerAnswer};
pub use roadmap::{Prm, Roadmap};
pub use rrt::RrtConnect;
pub use timed::{MovingObstacle, TimedOutcome, TimedSearch};
pub use visibility::VisibilityGraph;
