//! From "start here, go there" to a finished walk: path → walk of the graph → arrival → feet → figures.

use super::walk_graph::{WalkGraph, Walked};
use crate::adapt::{Arrive, Arrived};
use crate::library::graph::MotionGraph;
use crate::math::FloorPose;
use crate::metrics::{Wanted, WayFigures, measure_way};
use crate::plan::Path;
use crate::plan::walk::{FindWalk, Goal, Moves, NoWalk, Sought, Start, Surroundings, WalkPlan};

/// How a character finds its way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Navigate {
    /// How a walk is looked for.
    pub find: FindWalk,
    /// How it is brought to the goal.
    pub arrive: Arrive,
    /// How it is played and its feet are held.
    pub walk: WalkGraph,
}

/// A finished walk.
#[derive(Clone, Debug, PartialEq)]
pub struct Navigated {
    /// What is played.
    pub plan: WalkPlan,
    /// What was done to arrive.
    pub arrived: Arrived,
    /// The motion and its feet.
    pub walked: Walked,
    /// Where it went.
    pub way: WayFigures,
    /// Moves that were looked at to find it.
    pub moves: usize,
}

/// Why there is no walk.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NavigateError {
    /// The graph has none.
    #[error("{0}")]
    Walk(#[from] NoWalk),
    /// Those that were found could not be brought to the goal by changing steps a little, or came too near to something then.
    #[error("of {tried} walks that come near the goal none arrives: the best misses by {missed:.2} m")]
    Missed {
        /// How many were tried.
        tried: usize,
        /// What the best misses by, metres.
        missed: f32,
    },
}

/// What a body may be nearer to an obstacle than its radius, metres: rounding.
const TOUCH: f32 = 1e-4;

/// Whether a body has room at a place, seconds after a walk's start.
pub(super) fn collision_free(around: Surroundings<'_>, p: glam::Vec2, seconds: f32) -> bool {
    around.is_free(p, around.map.radius() - TOUCH, seconds)
}

impl Navigate {
    /// Walks along the first path that can be walked, from a start to a goal at its end. `shortest` is the length of the
    /// shortest way there is, metres, which the walk is measured by.
    ///
    /// # Errors
    /// If no walk of the graph comes through or arrives: why not on the last path.
    ///
    /// # Panics
    /// If the moves were made of another graph.
    pub fn run(
        &self,
        graph: &MotionGraph,
        moves: &Moves,
        around: Surroundings<'_>,
        (paths, shortest): (&[Path], f32),
        (start, goal): (Start, Goal),
    ) -> Result<Navigated, NavigateError> {
        let is_free = |p, frame: usize| collision_free(around, p, frame as f32 / graph.settings.rate);
        let wanted = Wanted { is_free: &is_free, shortest, place: goal.place, heading: goal.heading };
        let mut looked = 0;
        let mut failure = NavigateError::Walk(NoWalk::NothingToWalk);
        for (k, path) in paths.iter().enumerate() {
            let find = FindWalk { width: self.find.width << (2 * k).min(4), ..self.find };
            let Sought { walks, moves: more } = match find.run(graph, moves, around, path, (start, goal)) {
                Ok(sought) => sought,
                Err(no_walk) => {
                    failure = no_walk.into();
                    continue;
                }
            };
            looked += more;
            let mut missed = f32::MAX;
            let tried = walks.len();
            for plan in walks {
                let mut played = graph.play(plan.start, &plan.edges);
                played.trim(plan.frames);
                let end = FloorPose { position: goal.place, heading: goal.heading.unwrap_or(plan.end.heading) };
                missed = missed.min(goal.place.distance(plan.end.position));
                let mut stances = self.walk.stances(graph, &played);
                let Ok(arrived) = self.arrive.run(&mut played.clip, &mut stances, end, 0) else { continue };
                let walked = self.walk.hold_stances(graph, played, stances);
                let way = measure_way(&graph.rig, &walked.cleaned.clip, &walked.found.stances, &wanted);
                if way.collisions == 0 {
                    return Ok(Navigated { plan, arrived, walked, way, moves: looked });
                }
            }
            failure = NavigateError::Missed { tried, missed };
        }
        Err(failure)
    }
}
