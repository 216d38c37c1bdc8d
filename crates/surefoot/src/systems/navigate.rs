//! From "start here, go there" to a finished walk: path → walk of the graph → arrival → feet → figures.

use super::walk_graph::{WalkGraph, Walked};
use crate::adapt::{Arrive, Arrived, Laid, Lay};
use crate::library::graph::MotionGraph;
use crate::math::{FloorPose, floor};
use crate::metrics::{LaidFigures, Spread, Wanted, WayFigures, measure_laid, measure_way};
use crate::motion::Clip;
use crate::plan::Path;
use crate::plan::walk::{FindWalk, Goal, NoWalk, Room, Sought, Start, Surroundings, Tube, WalkPlan};
use crate::rig::Rig;
use crate::world::{Below, Ground};
use glam::Vec2;
use std::cell::Cell;

/// How a character finds its way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Navigate {
    /// How a walk is looked for.
    pub find: FindWalk,
    /// How it is brought to the goal.
    pub arrive: Arrive,
    /// How it is played and its feet are held.
    pub walk: WalkGraph,
    /// How it is laid on a ground that is not level.
    pub lay: Lay,
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
    /// How it fits the ground, if it was laid on one.
    pub ground: Option<GroundFit>,
    /// Moves that were looked at to find it.
    pub moves: usize,
}

/// How a walk of clips that were captured on level floors fits a ground, and what they did not allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundFit {
    /// Feet in the ground and above it.
    pub feet: LaidFigures,
    /// How far held feet are from where they should be, metres, by frame: where legs do not reach.
    pub missed: Spread,
    /// How far the body had to go down at most so that legs reach, metres.
    pub lowered: f32,
    /// The steepest ground under a print, radians.
    pub steepest: f32,
    /// The highest step from one print to the next, metres.
    pub highest_step: f32,
    /// Prints under which there is no ground.
    pub bare: usize,
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
pub(super) fn collision_free(around: Surroundings<'_>, p: Vec2, seconds: f32) -> bool {
    around.is_free(p, around.radius() - TOUCH, seconds)
}

impl Navigate {
    /// Walks along the first path that can be walked, from a start to a goal at its end. `shortest` is the length of the
    /// shortest way there is, metres, which the walk is measured by.
    ///
    /// # Errors
    /// If no walk of the graph comes through or arrives: why not on the last path.
    pub fn run(
        &self,
        graph: &MotionGraph,
        around: Surroundings<'_>,
        (paths, shortest): (&[Path], f32),
        (start, goal): (Start, Goal),
    ) -> Result<Navigated, NavigateError> {
        self.through(graph, around, None, (paths, shortest), (start, goal))
    }

    /// Walks along a tube over a ground, from a start at its one end to a goal at its other; `radius` is the body's, metres. Its
    /// figures say what of the ground the clips of the graph did not allow for.
    ///
    /// # Errors
    /// If no walk of the graph comes through or arrives.
    pub fn run_over(
        &self,
        graph: &MotionGraph,
        (tube, radius): (&Tube, f32),
        ground: &dyn Ground,
        (start, goal): (Start, Goal),
    ) -> Result<Navigated, NavigateError> {
        let path = tube.path();
        let flat = Path::on_floor(&path.points().iter().map(|p| floor::of_point((*p).into())).collect::<Vec<_>>());
        // The same path again: the search is wider then.
        let paths = [flat.clone(), flat.clone()];
        let around = Surroundings::along(tube, radius);
        self.through(graph, around, Some(ground), (&paths, flat.length()), (start, goal))
    }

    fn through(
        &self,
        graph: &MotionGraph,
        around: Surroundings<'_>,
        ground: Option<&dyn Ground>,
        (paths, shortest): (&[Path], f32),
        (start, goal): (Start, Goal),
    ) -> Result<Navigated, NavigateError> {
        let place = Cell::new(0);
        let is_free = |p: Vec2, frame: usize| match around.room {
            Room::Floor(_) => collision_free(around, p, frame as f32 / graph.settings.rate),
            Room::Tube(tube, _) => {
                place.set(tube.follow(p, if frame == 0 { tube.start() } else { place.get() }));
                tube.is_free(p, place.get(), 0.0)
            }
        };
        let wanted = Wanted { is_free: &is_free, shortest, place: goal.place, heading: goal.heading };
        let mut looked = 0;
        let mut failure = NavigateError::Walk(NoWalk::NothingToWalk);
        for (k, path) in paths.iter().enumerate() {
            let find = FindWalk { width: self.find.width << (2 * k).min(4), ..self.find };
            let Sought { walks, moves: more } = match find.run(graph, around, path, (start, goal)) {
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
                let (walked, ground) = match (around.room, ground) {
                    (Room::Tube(tube, _), Some(ground)) => {
                        let at = stations(&graph.rig, &played.clip, tube);
                        let level = |p: Vec2, frame: usize| tube.height(p, at[frame.min(at.len() - 1)]);
                        let below = Below { ground, level: &level };
                        let (walked, laid) = self.walk.hold_on(graph, played, stances, (&self.lay, &below));
                        let fit = fit(graph, &walked, &laid, &below);
                        (walked, Some(fit))
                    }
                    _ => (self.walk.hold_stances(graph, played, stances), None),
                };
                let way = measure_way(&graph.rig, &walked.cleaned.clip, &walked.found.stances, &wanted);
                if way.collisions == 0 {
                    return Ok(Navigated { plan, arrived, walked, way, ground, moves: looked });
                }
            }
            failure = NavigateError::Missed { tried, missed };
        }
        Err(failure)
    }
}

/// Where along a tube a walk is, by frame.
fn stations(rig: &Rig, clip: &Clip, tube: &Tube) -> Vec<u16> {
    let mut at = tube.start();
    let mut follow = |frame: usize| {
        at = tube.follow(floor::of_point(clip.body(&rig.skeleton, frame).translation), at);
        at
    };
    (0..clip.frames()).map(&mut follow).collect()
}

fn fit(graph: &MotionGraph, walked: &Walked, laid: &Laid, below: &Below<'_>) -> GroundFit {
    let cleaned = &walked.cleaned;
    GroundFit {
        feet: measure_laid(&graph.rig, &cleaned.clip, &cleaned.stances, below),
        missed: Spread::of(cleaned.missed.iter().enumerate().map(|(f, missed)| (*missed, f)).collect()),
        lowered: cleaned.pelvis.iter().map(|shift| -shift.y).fold(0.0, f32::max),
        steepest: laid.steepest,
        highest_step: laid.highest_step,
        bare: laid.bare,
    }
}
