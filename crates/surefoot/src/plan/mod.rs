//! Ways through a world: paths, and the planners that find them.
//!
//! All planners go through the same free space, a [`GrownMap`](crate::world::GrownMap), and give the same answer, a
//! [`PathOutcome`].

pub(crate) mod follow;
pub mod footsteps;
#[cfg(feature = "navmesh")]
mod free_outline;
#[cfg(feature = "navmesh")]
pub(crate) mod navmesh;
pub(crate) mod outcome;
pub(crate) mod path;
#[cfg(feature = "navmesh")]
mod path_choices;
pub(crate) mod planner;
mod platforms;
pub(crate) mod roadmap;
pub(crate) mod rrt;
#[cfg(feature = "navmesh")]
mod scene_paths;
mod search;
pub mod steps;
mod taut;
pub(crate) mod timed;
pub(crate) mod visibility;
pub mod walk;

pub(crate) use follow::FollowPath;
pub(crate) use follow::NoPathWalk;
pub(crate) use follow::PathWalk;
pub(crate) use follow::{BranchAndBound, PathSearch, ProveBound};
#[cfg(feature = "navmesh")]
pub(crate) use navmesh::NavMesh;
pub(crate) use outcome::PathRefusal;
pub use outcome::{NoRouteReason, PathOutcome};
pub use path::Path;
#[cfg(feature = "navmesh")]
pub use path_choices::PathChoices;
pub use planner::Planner;
pub(crate) use roadmap::Prm;
pub(crate) use rrt::RrtConnect;
#[cfg(feature = "navmesh")]
pub use scene_paths::{ScenePathError, ScenePaths};
pub use timed::MovingObstacle;
pub(crate) use timed::{TimedOutcome, TimedSearch};
pub(crate) use visibility::VisibilityGraph;
