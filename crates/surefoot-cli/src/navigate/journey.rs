//! A journey: path, walk, arrival and feet between two ends in a scene, with the time that each took.

use crate::failure::Failure;
use crate::graph;
use crate::input::as_it_is;
use crate::path::{Planner, why_not};
use std::path::Path as FilePath;
use std::str::FromStr;
use std::time::Instant;
use surefoot::glam::{Vec2, Vec3};
use surefoot::library::graph::MotionGraph;
use surefoot::math::FloorPose;
use surefoot::motion::Clip;
use surefoot::plan::walk::{FindWalk, FollowSubgoals, Goal, Start, Surroundings, Tube};
use surefoot::plan::{MovingObstacle, Path, PathOutcome, Ways};
use surefoot::systems::{Navigate, Navigated, Studied, WalkFigures};
use surefoot::world::{Chart, FloorMap, GrownMap, StandingRoom};
use surefoot_io::scene::{Scene, SceneMesh, ScenePose};

/// Who walks: a motion graph, laid out for searching.
pub(crate) struct Walker {
    pub(crate) graph: MotionGraph,
    /// What the graph is called.
    pub(crate) name: String,
    /// Milliseconds to load the graph and to lay it out.
    pub(crate) times: [f64; 2],
}

impl Walker {
    /// The graph of a file, or the embedded one.
    pub(crate) fn load(path: Option<&FilePath>) -> Result<Self, Failure> {
        let start = Instant::now();
        let graph = path.map_or_else(|| Ok(surefoot_io::embedded::graph()), graph::load)?;
        let loaded = milliseconds(start);
        let start = Instant::now();
        graph.lay_out();
        let name = path.map_or("embedded walks".into(), |path| path.display().to_string());
        Ok(Self { graph, name, times: [loaded, milliseconds(start)] })
    }
}

fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}

/// A place on a floor as it is typed, with or without a facing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// (x, z), metres.
    at: Vec2,
    /// Metres; on a mesh the highest ground there, if it is not known.
    height: Option<f32>,
    /// Radians.
    heading: Option<f32>,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<f32>, _> = text.split(',').map(|part| part.trim().parse::<f32>()).collect();
        match numbers.as_deref() {
            Ok(all) if !all.iter().all(|number| number.is_finite()) => Err("numbers must be finite".into()),
            Ok([x, z]) => Ok(Self { at: Vec2::new(*x, *z), height: None, heading: None }),
            Ok([x, z, deg]) => Ok(Self { at: Vec2::new(*x, *z), height: None, heading: Some(deg.to_radians()) }),
            Ok([x, y, z, deg]) => Ok(Self { at: Vec2::new(*x, *z), height: Some(*y), heading: Some(deg.to_radians()) }),
            _ => Err("two numbers x,z in metres, three with the facing in degrees, or four x,y,z with it".into()),
        }
    }
}

/// Where a journey starts and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ends {
    start: Place,
    goal: Place,
    /// Whether it stops at the goal.
    stop: bool,
}

impl Ends {
    /// Those given, else the scene's.
    pub(crate) fn of(scene: &Scene, start: Option<Place>, goal: Option<Place>, stop: bool) -> Self {
        let own = |pose: ScenePose| Place {
            at: Vec2::new(pose.place.x, pose.place.z),
            height: Some(pose.place.y),
            heading: pose.heading,
        };
        Self { start: start.unwrap_or(own(scene.start)), goal: goal.unwrap_or(own(scene.goal)), stop }
    }
}

/// How a journey is made.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    pub(crate) planner: Planner,
    /// Metres a second; the graph's own if not given.
    pub(crate) pace: Option<f32>,
    /// Whether by the search of the thesis of 2005.
    pub(crate) reference: bool,
}

impl Manner {
    fn navigate(self) -> Navigate {
        Navigate { find: FindWalk { pace: self.pace, ..FindWalk::default() }, ..Navigate::default() }
    }
}

/// A journey that was made.
pub(crate) struct Journey {
    /// The scene with the start and goal that were taken, and their headings.
    pub(crate) scene: Scene,
    pub(crate) path: Path,
    /// Length of the shortest way there is, metres.
    pub(crate) shortest: f32,
    pub(crate) walk: Navigated,
    pub(crate) figures: WalkFigures,
    /// The motion, with a name.
    pub(crate) clip: Clip,
    /// How it walks; its stances are those that were held.
    pub(crate) studied: Studied,
    pub(crate) times: Times,
}

/// What took how long, milliseconds.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    /// Getting the planner ready.
    pub(crate) ready: f64,
    /// Planning the path.
    pub(crate) path: f64,
    /// Finding the walk and making its motion.
    pub(crate) walk: f64,
}

impl Journey {
    /// Goes from one end to the other; else says why that cannot be done.
    pub(crate) fn make(walker: &Walker, mut scene: Scene, ends: Ends, manner: Manner) -> Result<Self, String> {
        let Made { path, shortest, walk, places: [from, to], heading, times } = match (&scene.floor, &scene.mesh) {
            (None, Some(mesh)) => over_mesh(walker, &scene, mesh, ends, manner)?,
            _ => on_floor(walker, &scene, ends, manner)?,
        };
        scene.start = ScenePose { place: from, heading: Some(heading) };
        scene.goal = ScenePose { place: to, heading: ends.goal.heading };
        let name = if scene.name.is_empty() { "walk".to_owned() } else { scene.name.clone() };
        let clip = walk.walked.cleaned.clip.clone().named(name);
        let mut studied = as_it_is().run_on(walker.graph.rig.clone(), &clip);
        studied.found = walk.walked.found.clone();
        let figures = walk.walked.measure(&walker.graph);
        Ok(Self { scene, path, shortest, walk, figures, clip, studied, times })
    }
}

/// A walk, the path it follows, and between which places it goes.
struct Made {
    path: Path,
    /// Length of the shortest way, metres.
    shortest: f32,
    walk: Navigated,
    places: [Vec3; 2],
    /// The way faced at the start, radians.
    heading: f32,
    times: Times,
}

fn on_floor(walker: &Walker, scene: &Scene, ends: Ends, manner: Manner) -> Result<Made, String> {
    let floor = walkable_floor(scene)?;
    let (map, paths, [ready, planned]) = plan(floor, scene, [ends.start.at, ends.goal.at], manner.planner)?;
    let path = paths[0].clone();
    let heading = ends.start.heading.unwrap_or_else(|| path.heading(0.0));
    let start = Start::Standing(FloorPose::new(ends.start.at, heading));
    let goal = Goal { place: ends.goal.at, heading: ends.goal.heading, stop: ends.stop };
    let began = Instant::now();
    let moving: Vec<MovingObstacle> =
        scene.obstacles.iter().flat_map(|mover| MovingObstacle::covering(mover, [0.0, HORIZON])).collect();
    let around = Surroundings { moving: &moving, ..Surroundings::still(&map) };
    let walk = walk(walker, around, &paths, (start, goal), manner)?;
    let times = Times { ready, path: planned, walk: milliseconds(began) };
    let places = [ends.start.at, ends.goal.at].map(|at| Vec3::new(at.x, 0.0, at.y));
    Ok(Made { path, shortest: shortest_of(&paths), walk, places, heading, times })
}

/// How far a route's height may be from the ground's, metres.
const ROUGH: f32 = 0.5;

fn over_mesh(walker: &Walker, scene: &Scene, mesh: &SceneMesh, ends: Ends, manner: Manner) -> Result<Made, String> {
    if manner.planner != Planner::Navmesh {
        return Err("on a mesh there is its walk mesh only (--planner navmesh)".into());
    }
    let began = Instant::now();
    let chart = Chart { body: scene.body, survey: mesh.survey, ..Chart::default() };
    let charted = chart.run(&mesh.soup).map_err(|error| error.to_string())?;
    let ground = mesh.survey.run(&mesh.soup);
    let room = StandingRoom::new(&charted);
    let ready = milliseconds(began);

    let began = Instant::now();
    let top = mesh.soup.bounds().map_or(0.0, |[_, high]| high.y);
    let place = |end: Place| {
        let at = |y: f32| Vec3::new(end.at.x, y, end.at.y);
        end.height.map(at).or_else(|| ground.footing(at(top + 1.0), f32::MAX).map(|hit| hit.point)).unwrap_or(at(0.0))
    };
    let route = charted.route(place(ends.start), place(ends.goal)).map_err(|error| error.to_string())?;
    // The ground itself, where the walk mesh has room.
    let stand = |p: Vec3, climb: f32| {
        let rough = room.at(p, climb)?;
        Some(ground.footing(rough + ROUGH * Vec3::Y, 2.0 * ROUGH).map_or(rough, |hit| hit.point))
    };
    let tube = Tube::new(&route, stand).ok_or("start and goal are one place, or too far apart")?;
    let path = tube.path();
    let planned = milliseconds(began);

    let flat = |p: Vec3| Vec2::new(p.x, p.z);
    let heading = ends.start.heading.unwrap_or_else(|| path.heading(0.0));
    let start = Start::Standing(FloorPose::new(flat(path.start()), heading));
    let goal = Goal { place: flat(path.end()), heading: ends.goal.heading, stop: ends.stop };
    let began = Instant::now();
    let walk = manner.navigate().run_over(&walker.graph, (&tube, scene.body.radius), &ground, (start, goal));
    let walk = walk.map_err(|error| error.to_string())?;
    let times = Times { ready, path: planned, walk: milliseconds(began) };
    Ok(Made { places: [path.start(), path.end()], shortest: path.length(), path, walk, heading, times })
}

/// The floor of a scene, if walks can be planned on it.
fn walkable_floor(scene: &Scene) -> Result<FloorMap, String> {
    match &scene.floor {
        Some(_) if scene.platforms.iter().any(|platform| platform.track.moves()) => {
            Err("walks that ride on platforms are not made yet; surefoot path finds the way".into())
        }
        Some(floor) => Ok(floor.clone()),
        None => Err("there is nothing to walk on".into()),
    }
}

/// For how long it is looked at where things are that move, seconds.
const HORIZON: f32 = 300.0;

/// The room that is kept from obstacles where there is some, metres.
const ROOM: f32 = 0.08;

/// Paths to try, the shortest first where a planner gives one only; and the milliseconds to get ready and to plan.
fn plan(
    floor: FloorMap,
    scene: &Scene,
    ends: [Vec2; 2],
    planner: Planner,
) -> Result<(GrownMap, Vec<Path>, [f64; 2]), String> {
    let radius = scene.body.radius;
    let told = |error: surefoot::world::RadiusError| error.to_string();
    let (map, outcome, mut paths, times) = if planner == Planner::Navmesh {
        let start = Instant::now();
        let ways = Ways::new(floor, radius, ROOM).map_err(told)?;
        let ready = milliseconds(start);
        let start = Instant::now();
        let outcome = ways.shortest(ends[0], ends[1]);
        let paths = ways.to_try(ends[0], ends[1]);
        (ways.map().clone(), outcome, paths, [ready, milliseconds(start)])
    } else {
        let map = GrownMap::new(floor, radius).map_err(told)?;
        let (outcome, times) = planner.ask(&map, scene.seed, ends);
        let paths = outcome.path().cloned().into_iter().collect();
        (map, outcome, paths, times)
    };
    if let Some(why) = why_not(&map, &outcome) {
        return Err(why);
    }
    if matches!(outcome, PathOutcome::StartIsGoal) {
        // There may be a turn to make.
        paths = vec![Path::on_floor(&ends[..1])];
    }
    Ok((map, paths, times))
}

fn shortest_of(paths: &[Path]) -> f32 {
    paths.iter().map(Path::length).fold(f32::MAX, f32::min)
}

/// A walk along the first path that can be walked.
fn walk(
    walker: &Walker,
    around: Surroundings<'_>,
    paths: &[Path],
    ends: (Start, Goal),
    manner: Manner,
) -> Result<Navigated, String> {
    let navigate = manner.navigate();
    let graph = &walker.graph;
    let shortest = shortest_of(paths);
    let walk = if manner.reference {
        navigate.run_reference(&FollowSubgoals::default(), graph, around, (&paths[0], shortest), ends)
    } else {
        navigate.run(graph, around, (paths, shortest), ends)
    };
    walk.map_err(|error| error.to_string())
}
