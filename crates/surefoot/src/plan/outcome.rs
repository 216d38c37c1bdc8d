//! What asking for a path comes to: a path, or why there is none and what there is instead.

use super::Path;
use crate::world::{Blocker, GrownMap};
use glam::Vec2;

/// Why no path leads to a free goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum NoRouteReason {
    /// Obstacles separate start and goal: no planner finds a way for this radius.
    Separated,
    /// This planner found none within its samples; there may be one.
    NotFound {
        /// How many samples it had.
        samples: usize,
    },
}

/// The answer to a question for a path from a start to a goal. Points are (x, z), metres.
///
/// The nearest reachable point is the one nearest to the goal, in a straight line, of all that the planner knows it can
/// reach: asking for a path to it finds one.
#[derive(Clone, Debug, PartialEq)]
pub enum PathOutcome {
    /// A path from start to goal that is free all along.
    Found(Path),
    /// They are one place (to a tenth of a millimetre), and it is free: nothing to walk.
    StartIsGoal,
    /// The goal is free, but was not reached.
    NoRoute {
        /// Why.
        why: NoRouteReason,
        /// The reachable point nearest to the goal.
        nearest: Vec2,
    },
    /// The circle does not fit at the start.
    StartBlocked {
        /// What is in its place.
        by: Blocker,
        /// The free point nearest to the start; `None` if nothing is free.
        nearest: Option<Vec2>,
    },
    /// The circle does not fit at the goal, which is on the floor.
    GoalBlocked {
        /// What is in its place.
        by: Blocker,
        /// The reachable point nearest to the goal.
        nearest: Vec2,
    },
    /// The goal is not on the floor.
    GoalOffFloor {
        /// The reachable point nearest to the goal.
        nearest: Vec2,
    },
    /// A coordinate of start or goal is NaN or infinite.
    NotFinite,
}

/// Why a path was refused, told with what is in the way.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PathRefusal {
    /// What asking came to.
    pub outcome: PathOutcome,
    /// The body's radius, metres.
    pub radius: f32,
    /// The name of the obstacle in the place of start or goal.
    pub obstacle: Option<String>,
}

impl PathRefusal {
    /// Why there is no path; `None` if there is one, or nothing to walk.
    #[must_use]
    pub fn of(map: &GrownMap, outcome: &PathOutcome) -> Option<Self> {
        let by = match outcome {
            PathOutcome::Found(_) | PathOutcome::StartIsGoal => return None,
            PathOutcome::StartBlocked { by, .. } | PathOutcome::GoalBlocked { by, .. } => Some(by),
            _ => None,
        };
        let obstacle = match by {
            Some(Blocker::Obstacle(id)) => map.map().obstacle(*id).map(|obstacle| obstacle.name.clone()),
            _ => None,
        };
        Some(Self { outcome: outcome.clone(), radius: map.radius(), obstacle })
    }
}

impl std::error::Error for PathRefusal {}

impl std::fmt::Display for PathRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let instead =
            |nearest: &Vec2| format!("the nearest place that can be reached is {:.2},{:.2}", nearest.x, nearest.y);
        let radius = self.radius;
        let blocked = |by: &Blocker| match by {
            Blocker::OffFloor => "it is not on the floor".to_owned(),
            Blocker::FloorEdge => format!("the floor ends within {radius} m"),
            Blocker::Obstacle(_) => {
                let name = self.obstacle.as_deref().unwrap_or("an obstacle");
                format!("{name:?} is within {radius} m")
            }
        };
        match &self.outcome {
            PathOutcome::Found(_) | PathOutcome::StartIsGoal => f.write_str("there is a way"),
            PathOutcome::NoRoute { why: NoRouteReason::Separated, nearest } => {
                write!(f, "obstacles lie all round between start and goal; {}", instead(nearest))
            }
            PathOutcome::NoRoute { why: NoRouteReason::NotFound { samples }, nearest } => {
                let instead = instead(nearest);
                write!(f, "no way found with {samples} samples, though there may be one (navmesh is sure); {instead}")
            }
            PathOutcome::StartBlocked { by, nearest } => {
                let free = nearest.map(|p| format!("; the nearest free place is {:.2},{:.2}", p.x, p.y));
                write!(f, "the body does not fit at the start: {}{}", blocked(by), free.unwrap_or_default())
            }
            PathOutcome::GoalBlocked { by, nearest } => {
                write!(f, "the body does not fit at the goal: {}; {}", blocked(by), instead(nearest))
            }
            PathOutcome::GoalOffFloor { nearest } => write!(f, "the goal is not on the floor; {}", instead(nearest)),
            PathOutcome::NotFinite => f.write_str("start or goal is not a place"),
        }
    }
}

impl PathOutcome {
    /// The path, if one was found.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Found(path) => Some(path),
            _ => None,
        }
    }

    /// The path, if one was found.
    #[must_use]
    pub fn into_path(self) -> Option<Path> {
        match self {
            Self::Found(path) => Some(path),
            _ => None,
        }
    }

    /// The same with its path, if there is one, pulled taut: see [`Path::shortcut`].
    #[must_use]
    pub fn shortcut(self, map: &GrownMap) -> Self {
        match self {
            Self::Found(path) => Self::Found(path.shortcut(map)),
            other => other,
        }
    }

    /// The reachable point nearest to a goal that was not reached.
    #[must_use]
    pub fn nearest(&self) -> Option<Vec2> {
        match self {
            Self::NoRoute { nearest, .. } | Self::GoalBlocked { nearest, .. } | Self::GoalOffFloor { nearest } => {
                Some(*nearest)
            }
            Self::StartBlocked { nearest, .. } => *nearest,
            Self::Found(_) | Self::StartIsGoal | Self::NotFinite => None,
        }
    }
}

/// What a planner found between two free points: a way, or why there is none.
pub(super) type Route = Result<Vec<Vec2>, NoRouteReason>;

/// The answers all planners share; they differ in how they go between free points, and what they can reach.
pub(super) fn answer(
    map: &GrownMap,
    start: Vec2,
    goal: Vec2,
    route: impl FnOnce() -> Route,
    nearest: impl FnOnce() -> Vec2,
) -> PathOutcome {
    if !(start.is_finite() && goal.is_finite()) {
        return PathOutcome::NotFinite;
    }
    if let Some(by) = map.blocker(start) {
        return PathOutcome::StartBlocked { by, nearest: map.nearest_free(start) };
    }
    match map.blocker(goal) {
        Some(Blocker::OffFloor) => return PathOutcome::GoalOffFloor { nearest: nearest() },
        Some(by) => return PathOutcome::GoalBlocked { by, nearest: nearest() },
        None => {}
    }
    if start.distance(goal) <= crate::world::SLACK {
        return PathOutcome::StartIsGoal;
    }
    if map.segment_is_free(start, goal) {
        return PathOutcome::Found(Path::on_floor(&[start, goal]));
    }
    match route() {
        Ok(points) => PathOutcome::Found(Path::on_floor(&points)),
        Err(why) => PathOutcome::NoRoute { why, nearest: nearest() },
    }
}
