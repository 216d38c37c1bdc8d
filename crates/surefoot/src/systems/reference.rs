//! The walk of the thesis' own search, to compare with: no arrival, what was found is played and its feet are held.

use super::navigate::{Navigate, NavigateError, Navigated, collision_free};
use crate::adapt::Arrived;
use crate::library::graph::MotionGraph;
use crate::metrics::{Wanted, measure_way};
use crate::plan::Path;
use crate::plan::walk::{FollowSubgoals, Goal, Sought, Start, Surroundings};

impl Navigate {
    /// Walks along a path subgoal by subgoal, until the goal is near: see [`FollowSubgoals`]. How far it is off is measured, not
    /// mended.
    ///
    /// # Errors
    /// If no walk of the graph comes through.
    pub fn run_reference(
        &self,
        subgoals: &FollowSubgoals,
        graph: &MotionGraph,
        around: Surroundings<'_>,
        (path, shortest): (&Path, f32),
        (start, goal): (Start, Goal),
    ) -> Result<Navigated, NavigateError> {
        let Sought { mut walks, moves: looked } = subgoals.run(graph, around, path, (start, goal))?;
        let plan = walks.remove(0);
        let mut played = graph.play(plan.start, &plan.edges);
        played.trim(plan.frames);
        let walked = self.walk.hold(graph, played);
        let is_free = |p, frame: usize| collision_free(around, p, frame as f32 / graph.settings.rate);
        let wanted = Wanted { is_free: &is_free, shortest, place: goal.place, heading: goal.heading };
        let way = measure_way(&graph.rig, &walked.cleaned.clip, &walked.found.stances, &wanted);
        let (shift, turn) = goal.missed_by(plan.end);
        let arrived = Arrived { shift, turn, steps: 0, most: (0.0, 0.0) };
        Ok(Navigated { plan, arrived, walked, way, ground: None, moves: looked })
    }
}
