//! The planners of paths over a floor, by name.

#[cfg(feature = "navmesh")]
use super::NavMesh;
use super::{PathOutcome, Prm, RrtConnect, VisibilityGraph};
use crate::random::Seed;
use crate::stage_times::Stopwatch;
use crate::world::GrownMap;
use glam::Vec2;
use std::time::Duration;

/// How a path over a floor is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Planner {
    /// Shortest on a triangulation of the floor: exact, and quick to ask again.
    #[cfg(feature = "navmesh")]
    #[cfg_attr(feature = "navmesh", default)]
    Navmesh,
    /// A probabilistic roadmap, pulled taut.
    Prm,
    /// Two trees that grow towards each other (RRT-Connect), pulled taut.
    Rrt,
    /// Shortest over the corners of obstacles: the measure of the others, slow on many.
    #[cfg_attr(not(feature = "navmesh"), default)]
    Exact,
}

/// An answer and how long it took.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlannerAnswer {
    /// The path, or why there is none.
    pub outcome: PathOutcome,
    /// To get ready, which needs to be done once for a floor.
    pub ready: Duration,
    /// To find the path.
    pub planned: Duration,
}

/// The most places of a roadmap where nobody told how many: a tenth of a second.
const MOST_SAMPLES: usize = 32_000;

/// An answer of a roadmap, or of others with more and more places where it found no way: one with twice as many finds the gaps
/// that are half as wide.
fn denser(mut prm: Prm, most: usize, map: &GrownMap, mut answer: PathOutcome, [from, to]: [Vec2; 2]) -> PathOutcome {
    while matches!(answer, PathOutcome::NoRoute { .. }) && prm.samples < most {
        prm.samples *= 2;
        answer = prm.build(map).path(map, from, to);
    }
    answer
}

impl Planner {
    /// A way over a floor from one place (x, z) to another, metres. `seed` is of what is random, and `samples` is how many places
    /// are tried; if not told, as many as it takes within reason.
    #[must_use]
    pub fn path(self, map: &GrownMap, seed: Seed, samples: Option<usize>, [from, to]: [Vec2; 2]) -> PlannerAnswer {
        let watch = Stopwatch::start();
        type Ask<'a> = Box<dyn Fn() -> PathOutcome + 'a>;
        let ask: Ask<'_> = match self {
            #[cfg(feature = "navmesh")]
            Self::Navmesh => {
                let mesh = NavMesh::new(map);
                Box::new(move || mesh.path(map, from, to))
            }
            Self::Prm => {
                let prm = Prm { seed, samples: samples.unwrap_or(Prm::default().samples), ..Prm::default() };
                let roadmap = prm.build(map);
                let most = samples.unwrap_or(MOST_SAMPLES);
                Box::new(move || denser(prm, most, map, roadmap.path(map, from, to), [from, to]).shortcut(map))
            }
            Self::Rrt => {
                let samples = samples.unwrap_or(RrtConnect::default().samples);
                let trees = RrtConnect { seed, samples, ..RrtConnect::default() };
                Box::new(move || trees.path(map, from, to).shortcut(map))
            }
            Self::Exact => {
                let graph = VisibilityGraph::new(map);
                Box::new(move || graph.path(map, from, to))
            }
        };
        let ready = watch.elapsed();
        let watch = Stopwatch::start();
        let outcome = ask();
        PlannerAnswer { outcome, ready, planned: watch.elapsed() }
    }
}
