//! Journeys: a scene, a character's motion graph, a start and a goal → a take and a report.

use super::{Navigate, NavigateError, Navigated, Trip, WalkFigures};
use crate::library::graph::MotionGraph;
use crate::math::{FloorPose, floor};
use crate::metrics::Footing;
use crate::motion::Take;
use crate::plan::walk::{FollowSubgoals, Goal, Start, Surroundings};
use crate::plan::{MovingObstacle, Path, PathOutcome, PathRefusal, Planner};
use crate::stage_times::Stopwatch;
use crate::world::{FloorMap, GrownMap, RadiusError, Scene, ScenePose};
use glam::Vec2;
#[cfg(feature = "navmesh")]
use glam::Vec3;
use std::time::Duration;

/// How a journey is made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Journey {
    /// How the path over a floor is found; over a mesh there is its walk mesh only.
    pub planner: Planner,
    /// How a walk is found along it and finished.
    pub navigate: Navigate,
    /// Search as the thesis of 2005 did instead, to compare: it comes near the goal only.
    pub reference: Option<FollowSubgoals>,
}

/// One end of a journey.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JourneyEnd {
    /// The place (x, z), metres.
    pub place: Vec2,
    /// Its height, metres; on a mesh the highest ground there, if it is not known.
    pub height: Option<f32>,
    /// The way to face, radians, left positive: along the path at a start, any at a goal, if it is not given.
    pub heading: Option<f32>,
}

impl From<ScenePose> for JourneyEnd {
    fn from(pose: ScenePose) -> Self {
        Self { place: floor::of_point(pose.place.into()), height: Some(pose.place.y), heading: pose.heading }
    }
}

/// From where to where.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JourneyEnds {
    /// Where it starts, standing.
    pub start: JourneyEnd,
    /// Where it ends.
    pub goal: JourneyEnd,
    /// Whether it stops at the goal, or walks through.
    pub stop: bool,
}

impl JourneyEnds {
    /// Those of a scene, to stop at its goal.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        Self { start: scene.start.into(), goal: scene.goal.into(), stop: true }
    }
}

/// A journey that was made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Journeyed {
    /// The walk: the take, what is played, and how it can be taken up again.
    pub walk: Navigated,
    /// What it took, and how good it is.
    pub report: JourneyReport,
}

impl Journeyed {
    /// The motion with its stances.
    #[must_use]
    pub fn take(&self) -> &Take {
        self.walk.take()
    }
}

/// What a journey took, and how good it is.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct JourneyReport {
    /// Where it started and how it faced.
    pub start: ScenePose,
    /// Where it was to end.
    pub goal: ScenePose,
    /// The path it follows.
    pub path: Path,
    /// Length of the shortest way there is, metres.
    pub shortest: f32,
    /// How good the walk is.
    pub figures: WalkFigures,
    /// How long its stages took.
    pub times: JourneyTimes,
}

/// How long the stages of a journey took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JourneyTimes {
    /// Getting the planner of paths ready, once for a scene.
    pub ready: Duration,
    /// Planning the path.
    pub path: Duration,
    /// Finding the walk and making its motion.
    pub walk: Duration,
}

/// Why a journey was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JourneyError {
    /// The scene has neither floor nor mesh.
    #[error("there is nothing to walk on")]
    NothingToWalkOn,
    /// The scene has a mesh, and this build has no walk meshes.
    #[error("walks over meshes need the feature `navmesh`")]
    NoWalkMesh,
    /// The scene has platforms that move.
    #[error("walks that ride on platforms are not made yet; surefoot path finds the way")]
    Platforms,
    /// Only a walk mesh finds paths over a mesh.
    #[error("on a mesh the only planner is navmesh")]
    PlannerOnMesh,
    /// The body's radius is no radius.
    #[error(transparent)]
    Radius(#[from] RadiusError),
    /// There is no path.
    #[error(transparent)]
    Path(#[from] PathRefusal),
    /// The mesh cannot be walked on.
    #[cfg(feature = "navmesh")]
    #[error(transparent)]
    Chart(#[from] crate::world::ChartError),
    /// There is no route over the mesh.
    #[cfg(feature = "navmesh")]
    #[error(transparent)]
    Route(#[from] crate::world::NoRoute),
    /// The route is too short or too long to be walked.
    #[error("start and goal are one place, or too far apart")]
    OnePlace,
    /// The graph has no walk along the path.
    #[error(transparent)]
    Walk(#[from] NavigateError),
}

/// For how long it is looked at where things are that move, seconds.
const HORIZON: f32 = 300.0;

/// The room that is kept from obstacles where there is some, metres.
#[cfg(feature = "navmesh")]
const ROOM: f32 = 0.08;

/// How far a route's height may be from the ground's, metres.
#[cfg(feature = "navmesh")]
const ROUGH: f32 = 0.5;

impl Journey {
    /// Goes from one end to the other: plans a path, finds a walk of the graph along it, brings it to the goal, lays it on the
    /// ground, and holds every foot where it stands.
    ///
    /// # Errors
    /// Why that cannot be done, and what can be reached instead.
    pub fn run(&self, scene: &Scene, graph: &MotionGraph, ends: &JourneyEnds) -> Result<Journeyed, JourneyError> {
        match (&scene.floor, &scene.mesh) {
            (None, Some(_)) => self.over_mesh(scene, graph, ends),
            (Some(floor), _) => self.on_floor(scene, floor, graph, ends),
            (None, None) => Err(JourneyError::NothingToWalkOn),
        }
    }

    fn on_floor(
        &self,
        scene: &Scene,
        floor: &FloorMap,
        graph: &MotionGraph,
        ends: &JourneyEnds,
    ) -> Result<Journeyed, JourneyError> {
        if scene.platforms.iter().any(|platform| platform.track.moves()) {
            return Err(JourneyError::Platforms);
        }
        let (map, paths, mut times) = self.paths(floor, scene, [ends.start.place, ends.goal.place])?;
        let path = paths[0].clone();
        let heading = ends.start.heading.unwrap_or_else(|| path.heading(0.0));
        let watch = Stopwatch::start();
        let moving = moving(scene);
        let around = Surroundings { moving: &moving, ..Surroundings::still(&map) };
        let goal = Goal { place: ends.goal.place, heading: ends.goal.heading, stop: ends.stop };
        let trip = Trip::on_floor(around, paths, Start::Standing(FloorPose::new(ends.start.place, heading)), goal);
        let walk = self.walk(graph, &trip)?;
        times.walk = watch.elapsed();
        let figures = walk.walked.measure(graph, Footing::default());
        let at = |place: Vec2, heading| ScenePose { place: floor::at_height(place, 0.0), heading };
        let (start, goal) = (at(ends.start.place, Some(heading)), at(ends.goal.place, ends.goal.heading));
        let report = JourneyReport { start, goal, path, shortest: trip.shortest, figures, times };
        Ok(Journeyed { walk, report })
    }

    /// A walk along the trip.
    fn walk(&self, graph: &MotionGraph, trip: &Trip<'_>) -> Result<Navigated, NavigateError> {
        match &self.reference {
            Some(subgoals) => self.navigate.run_reference(subgoals, graph, trip),
            None => self.navigate.run(graph, trip),
        }
    }

    /// Paths to try, the best first, over the floor as the body has it.
    fn paths(
        &self,
        floor: &FloorMap,
        scene: &Scene,
        ends: [Vec2; 2],
    ) -> Result<(GrownMap, Vec<Path>, JourneyTimes), JourneyError> {
        let radius = scene.body.radius;
        let (map, outcome, mut paths, times) = match self.planner {
            #[cfg(feature = "navmesh")]
            Planner::Navmesh => {
                let watch = Stopwatch::start();
                let ways = crate::plan::PathChoices::new(floor.clone(), radius, ROOM)?;
                let ready = watch.elapsed();
                let watch = Stopwatch::start();
                let outcome = ways.shortest(ends[0], ends[1]);
                let paths = ways.to_try(ends[0], ends[1]);
                let times = JourneyTimes { ready, path: watch.elapsed(), ..JourneyTimes::default() };
                (ways.map().clone(), outcome, paths, times)
            }
            planner => {
                let map = GrownMap::new(floor.clone(), radius)?;
                let answer = planner.path(&map, scene.seed, None, ends);
                let paths = answer.outcome.path().cloned().into_iter().collect();
                let times = JourneyTimes { ready: answer.ready, path: answer.planned, ..JourneyTimes::default() };
                (map, answer.outcome, paths, times)
            }
        };
        if let Some(why) = PathRefusal::of(&map, &outcome) {
            return Err(why.into());
        }
        if matches!(outcome, PathOutcome::StartIsGoal) {
            // There may be a turn to make.
            paths = vec![Path::on_floor(&ends[..1])];
        }
        Ok((map, paths, times))
    }

    #[cfg(not(feature = "navmesh"))]
    fn over_mesh(&self, _: &Scene, _: &MotionGraph, _: &JourneyEnds) -> Result<Journeyed, JourneyError> {
        Err(JourneyError::NoWalkMesh)
    }

    #[cfg(feature = "navmesh")]
    fn over_mesh(&self, scene: &Scene, graph: &MotionGraph, ends: &JourneyEnds) -> Result<Journeyed, JourneyError> {
        use crate::plan::walk::Tube;
        use crate::world::{Chart, StandingRoom};
        let (Some(mesh), Some(blocked)) = (&scene.mesh, scene.blocked_mesh()) else {
            return Err(JourneyError::NothingToWalkOn);
        };
        if self.planner != Planner::Navmesh {
            return Err(JourneyError::PlannerOnMesh);
        }
        let watch = Stopwatch::start();
        let charted = Chart { body: scene.body, survey: mesh.survey, ..Chart::default() }.run(&blocked)?;
        let ground = mesh.survey.run(&mesh.soup);
        let room = StandingRoom::new(&charted);
        let ready = watch.elapsed();

        let watch = Stopwatch::start();
        let top = mesh.soup.bounds().map_or(0.0, |[_, high]| high.y);
        let place = |end: JourneyEnd| {
            let at = |y: f32| floor::at_height(end.place, y);
            let highest = || ground.footing(at(top + 1.0), f32::MAX).map(|hit| hit.point);
            end.height.map(at).or_else(highest).unwrap_or(at(0.0))
        };
        let route = charted.route(place(ends.start), place(ends.goal))?;
        // The ground itself, where the walk mesh has room.
        let stand = |p: Vec3, climb: f32| {
            let rough = room.at(p, climb)?;
            Some(ground.footing(rough + ROUGH * Vec3::Y, 2.0 * ROUGH).map_or(rough, |hit| hit.point))
        };
        let tube = Tube::new(&route, stand).ok_or(JourneyError::OnePlace)?;
        let path = tube.path();
        let mut times = JourneyTimes { ready, path: watch.elapsed(), ..JourneyTimes::default() };

        let flat = |p: Vec3| floor::of_point(p.into());
        let heading = ends.start.heading.unwrap_or_else(|| path.heading(0.0));
        let start = Start::Standing(FloorPose::new(flat(path.start()), heading));
        let goal = Goal { place: flat(path.end()), heading: ends.goal.heading, stop: ends.stop };
        let watch = Stopwatch::start();
        let moving = moving(scene);
        let around = Surroundings { moving: &moving, ..Surroundings::along(&tube, scene.body.radius) };
        let walk = self.walk(graph, &Trip::over(&tube, around, &ground, start, goal))?;
        times.walk = watch.elapsed();
        let figures = walk.walked.measure(graph, Footing::Known(&ground));
        let report = JourneyReport {
            start: ScenePose { place: path.start(), heading: Some(heading) },
            goal: ScenePose { place: path.end(), heading: ends.goal.heading },
            shortest: path.length(),
            path,
            figures,
            times,
        };
        Ok(Journeyed { walk, report })
    }
}

/// What moves through a scene, as circles.
fn moving(scene: &Scene) -> Vec<MovingObstacle> {
    let moves = scene.obstacles.iter().filter(|mover| scene.mesh.is_none() || mover.track.moves() || mover.spin != 0.0);
    moves.flat_map(|mover| MovingObstacle::covering(mover, [0.0, HORIZON])).collect()
}
