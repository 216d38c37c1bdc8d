//! The walk of the thesis' own search, to compare with: no arrival, what was found is played and its feet are held.

use super::lacks::Lacks;
use super::{Navigate, NavigateError, Navigated, Trip};
use crate::library::graph::MotionGraph;
use crate::plan::Path;
use crate::plan::walk::{FollowSubgoals, PathTry};

impl Navigate {
    /// Walks along the trip's first path subgoal by subgoal, until the goal is near: see `FollowSubgoals`. How far it is off
    /// is measured, not mended.
    ///
    /// # Errors
    /// If no walk of the graph comes through.
    pub fn run_reference(
        &self,
        subgoals: &FollowSubgoals,
        graph: &MotionGraph,
        trip: &Trip<'_>,
    ) -> Result<Navigated, NavigateError> {
        let find = |_: PathTry, path: &Path| subgoals.run(graph, trip.around, path, trip.errand());
        let first = Trip { paths: trip.paths.iter().take(1).cloned().collect(), ..trip.clone() };
        self.first_that_arrives(
            graph,
            &first,
            find,
            |plan| self.finish(graph, trip, plan, None, None),
            |_| Lacks::default(),
        )
        .map(|(_, done)| done)
    }
}
