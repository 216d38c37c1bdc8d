//! `surefoot path`: a way through a scene.

use crate::failure::Failure;
use crate::number::{Place, place, speed};
use crate::output::OutputArgs;
use crate::picture;
use crate::world_args::{self, WorldArgs};
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;
use surefoot::glam::{DVec3, Vec2, Vec3};
use surefoot::plan::{MovingObstacle, Path, PathOutcome};
use surefoot::random::Seed;
use surefoot::stages::PathRefusal;
use surefoot::stages::{Chart, PlannerAnswer, Prm, TimedSearch};
use surefoot::world::{GrownMap, Scene};
use surefoot_io::scene::LoadedScene;
use surefoot_io::world::FileFrame;
use surefoot_view::report;
use surefoot_view::scene_picture::{self, Overlay};

/// Find a way through a scene: floors with obstacles, and meshes with several floors
///
/// Start and goal are the scene's own where not given; a world by itself is crossed from one end to the other. A goal that
/// cannot be reached is answered with why, and with the nearest place that can. Where things move, the way is one in time: what is in the way is waited for, and platforms are ridden on.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The scene (.scene.toml), or a world by itself: a mesh (.obj, .glb, .gltf) or a MovingAI map (.map)
    #[arg(long, value_name = "W")]
    world: PathBuf,
    /// Where to start, in the numbers of the world's file: metres in a scene; x,y,z on a mesh
    #[arg(long, value_name = "X,Z", value_parser = place, allow_hyphen_values = true)]
    start: Option<Place>,
    /// Where to go, in the same form
    #[arg(long, value_name = "X,Z", value_parser = place, allow_hyphen_values = true)]
    goal: Option<Place>,
    /// How to plan; navmesh if not given. On a mesh only navmesh works, among things that move only prm
    #[arg(long)]
    planner: Option<Planner>,
    /// The seed of prm and rrt; the scene's own if not given
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many places prm and rrt try; if not given, prm starts with 1000 and doubles them until it finds a way (up to 32 000), and
    /// rrt takes 20 000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_SAMPLES))]
    samples: Option<u32>,
    /// Walking speed, where things move, metres per second
    #[arg(long, value_name = "M/S", default_value_t = TimedSearch::default().speed, value_parser = speed)]
    speed: f32,
    /// Draw the scene with the way; .png or .svg
    #[arg(long, value_name = "X.png|X.svg")]
    picture: Option<PathBuf>,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    of_world: WorldArgs,
    #[command(flatten)]
    out: OutputArgs,
}

/// The most places that can be asked for: some seconds of work.
const MOST_SAMPLES: i64 = 1_000_000;

const EXAMPLES: &str = "Examples:
  surefoot path --world scenarios/8-labyrinth.scene.toml --picture way.png
  surefoot path --world scenarios/6-rooms.scene.toml --start 1,1 --goal 12,8.5 --planner prm --samples 3000 --seed 7 --json
  surefoot path --world scenarios/mesh-recast-dungeon.scene.toml --picture dungeon.png
  surefoot path --world assets/worlds/recast_dungeon.obj --picture dungeon.png      a mesh by itself, from end to end
  surefoot path --world scenarios/moving-ferry.scene.toml --speed 1.3 --json";

/// How a way over a floor is planned.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub(crate) enum Planner {
    /// Any angle on a triangulation of the floor: shortest
    Navmesh,
    /// A probabilistic roadmap of 1000 places or more, its way shortened
    Prm,
    /// Two random trees that grow towards each other (RRT-Connect), the way shortened
    Rrt,
    /// The visibility graph: shortest, for small maps
    Exact,
}

/// A way that was found, or what is said instead.
struct Answer {
    points: Vec<Vec3>,
    /// When each point is reached, seconds; empty where nothing moves.
    times_at: Vec<f32>,
    /// Least distance to an obstacle, metres.
    clearance: Option<f32>,
    refused: Option<String>,
    /// Milliseconds to get ready and to plan.
    times: [f64; 2],
}

impl Answer {
    /// Where it stands still, and from when to when.
    fn waits(&self) -> impl Iterator<Item = (Vec3, [f32; 2])> {
        let pairs = self.points.windows(2).zip(self.times_at.windows(2));
        pairs.filter(|(at, _)| at[0] == at[1]).map(|(at, time)| (at[0], [time[0], time[1]]))
    }
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    args.picture.as_deref().map_or(Ok(()), picture::check_name)?;
    args.out.check(&[&args.world], args.picture.as_slice())?;
    let loaded = args.of_world.load(&args.world)?;
    let said_of_world = world_args::said(&loaded);
    let LoadedScene { mut scene, frame, .. } = loaded;
    let here = |place: Place| place.here(&frame).as_vec3();
    scene.start.place = args.start.map_or(scene.start.place, here);
    scene.goal.place = args.goal.map_or(scene.goal.place, here);
    scene.seed = args.seed.map_or(scene.seed, Seed);
    if args.samples.is_some() && !matches!(args.planner, Some(Planner::Prm | Planner::Rrt)) && !moves(&scene) {
        return Err(Failure::unusable("--samples: only the planners prm and rrt use samples (--planner)"));
    }
    let answer = match (&scene.floor, &scene.mesh) {
        (Some(_), _) if moves(&scene) => in_time(args, &scene)?,
        (Some(_), _) => on_floor(args.planner, args.samples, &scene)?,
        (None, Some(_)) => on_mesh(args.planner, &scene)?,
        (None, None) => return Err(Failure::refused(format!("{}: nothing to walk on", args.world.display()))),
    };
    if let Some(path) = &args.picture {
        let routes = if answer.points.is_empty() { Vec::new() } else { vec![answer.points.clone()] };
        picture::write(path, scene_picture::draw(&scene, &Overlay { routes, ..Overlay::default() }))?;
    }
    let length: f32 = answer.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let said = if args.json {
        // As the file has them; numbers of worlds that are where they were stay as short as they are.
        let there = |point: &Vec3| match frame == FileFrame::moved(DVec3::ZERO) {
            true => json!(point.to_array()),
            false => json!(frame.in_file(point.as_dvec3()).to_array()),
        };
        let points: Vec<_> = answer.points.iter().map(there).collect();
        let [ready, planned] = answer.times;
        let value = json!({
            "found": answer.refused.is_none(), "why_not": answer.refused, "length": length, "points": points,
            "clearance": answer.clearance, "ready_ms": ready, "planned_ms": planned,
            "times": answer.times_at,
            "waits": answer.waits().map(|(at, [from, to])| json!({ "at": there(&at), "from": from, "to": to }))
                .collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    } else {
        in_words(args, &scene, &frame, &answer, length) + &said_of_world
    };
    match answer.refused {
        None => Ok(said),
        Some(why) => Err(Failure { said: if args.json { said } else { String::new() }, ..Failure::refused(why) }),
    }
}

fn in_words(args: &Args, scene: &Scene, frame: &FileFrame, answer: &Answer, length: f32) -> String {
    let mut out = String::new();
    let [ready, planned] = answer.times;
    let _ = writeln!(out, "{}", args.world.display());
    for (label, pose) in [("from", scene.start), ("to", scene.goal)] {
        let at = frame.in_file(pose.place.as_dvec3());
        report::row(&mut out, label, format!("{:.2},{:.2},{:.2} in the file's own numbers", at.x, at.y, at.z));
    }
    report::row(&mut out, "way", format!("{length:.2} m, {}", report::counted(answer.points.len(), "point")));
    if let Some(arrival) = answer.times_at.last() {
        report::row(&mut out, "arrives", format!("after {arrival:.1} s at {:.2} m/s", args.speed));
    }
    for (at, [from, to]) in answer.waits() {
        report::row(&mut out, "waits", format!("{:.1} s at {:.2},{:.2}, from {from:.1} s", to - from, at.x, at.z));
    }
    if let Some(clearance) = answer.clearance {
        report::row(&mut out, "clearance", format!("{clearance:.3} m at least, from the middle of the body"));
    }
    report::row(&mut out, "took", format!("{planned:.3} ms, {ready:.1} ms to get ready"));
    if let Some(picture) = &args.picture {
        report::row(&mut out, "picture", picture.display().to_string());
    }
    out
}

/// The way from a scene's start to its goal past all that stays.
pub(crate) fn shortest(scene: &Scene) -> Result<Vec<Vec3>, Failure> {
    let answer = if scene.floor.is_some() { on_floor(None, None, scene)? } else { on_mesh(None, scene)? };
    answer.refused.map_or(Ok(answer.points), |why| Err(Failure::refused(why)))
}

/// Whether something moves on a scene's floor.
fn moves(scene: &Scene) -> bool {
    !(scene.obstacles.is_empty() && scene.platforms.is_empty())
}

fn on_floor(planner: Option<Planner>, samples: Option<u32>, scene: &Scene) -> Result<Answer, Failure> {
    let map = grown(scene)?;
    let ends = [flat(scene.start.place), flat(scene.goal.place)];
    let planner: surefoot::plan::Planner = planner.unwrap_or(Planner::Navmesh).into();
    let PlannerAnswer { outcome, ready, planned, .. } =
        planner.path(&map, scene.seed, samples.map(|n| n as usize), ends);
    let times = [ready, planned].map(|time| 1e3 * time.as_secs_f64());
    let points = outcome.path().map_or_else(Vec::new, |path| path.points().to_vec());
    let clearance = outcome.path().map(|path: &Path| path.clearance(&map));
    Ok(Answer { points, times_at: Vec::new(), clearance, refused: why_not(&map, &outcome), times })
}

fn in_time(args: &Args, scene: &Scene) -> Result<Answer, Failure> {
    if args.planner.is_some_and(|planner| planner != Planner::Prm) {
        return Err(Failure::unusable("--planner: where things move, the only planner is prm"));
    }
    if !(args.speed.is_finite() && args.speed > 0.0) {
        return Err(Failure::unusable("--speed: give a number above 0, m/s"));
    }
    let start = Instant::now();
    let map = grown(scene)?;
    let samples = args.samples.map_or(Prm::default().samples, |n| n as usize);
    let roadmap = Prm { seed: scene.seed, samples, ..Prm::default() }.build(&map);
    let search = TimedSearch { speed: args.speed, ..TimedSearch::default() };
    let circles = |mover| MovingObstacle::covering(mover, [0.0, search.horizon]);
    let moving: Vec<MovingObstacle> = scene.obstacles.iter().flat_map(circles).collect();
    let ready = 1e3 * start.elapsed().as_secs_f64();
    let start = Instant::now();
    let ends = [scene.start.place, scene.goal.place].map(flat);
    let found = search.path_by_platforms(&map, &roadmap, &moving, &scene.platforms, ends, 0.0);
    let times = [ready, 1e3 * start.elapsed().as_secs_f64()];
    let (times_at, points) = found.schedule.iter().map(|(time, at)| (*time, Vec3::new(at.x, 0.0, at.y))).unzip();
    let refused = match &found.outcome {
        PathOutcome::NoRoute { .. } => Some(format!("no way found among what moves within {} s", search.horizon)),
        other => why_not(&map, other),
    };
    Ok(Answer { points, times_at, clearance: None, refused, times })
}

fn grown(scene: &Scene) -> Result<GrownMap, Failure> {
    let floor = scene.floor.clone().ok_or_else(|| Failure::refused("no floor"))?;
    GrownMap::new(floor, scene.body.radius).map_err(|error| Failure::refused(error.to_string()))
}

fn flat(place: Vec3) -> Vec2 {
    Vec2::new(place.x, place.z)
}

impl From<Planner> for surefoot::plan::Planner {
    fn from(planner: Planner) -> Self {
        match planner {
            Planner::Navmesh => Self::Navmesh,
            Planner::Prm => Self::Prm,
            Planner::Rrt => Self::Rrt,
            Planner::Exact => Self::Exact,
        }
    }
}

/// Why there is no way, and what there is instead.
fn why_not(map: &GrownMap, outcome: &PathOutcome) -> Option<String> {
    PathRefusal::of(map, outcome).map(|why| why.to_string())
}

fn on_mesh(planner: Option<Planner>, scene: &Scene) -> Result<Answer, Failure> {
    if planner.is_some_and(|planner| planner != Planner::Navmesh) {
        return Err(Failure::unusable("--planner: on a mesh the only planner is navmesh"));
    }
    let mesh = scene.mesh.as_ref().ok_or_else(|| Failure::refused("no mesh"))?;
    let start = Instant::now();
    let chart = Chart { body: scene.body, survey: mesh.survey, ..Chart::default() };
    let blocked = scene.blocked_mesh().ok_or_else(|| Failure::refused("no mesh"))?;
    let charted = chart.run(&blocked).map_err(|error| Failure::refused(error.to_string()))?;
    let ready = 1e3 * start.elapsed().as_secs_f64();
    let start = Instant::now();
    let route = charted.route(scene.start.place, scene.goal.place);
    let times = [ready, 1e3 * start.elapsed().as_secs_f64()];
    let refused = route.as_ref().err().map(ToString::to_string);
    let route = route.unwrap_or_default();
    // On every step and bump, where the ground itself carries it.
    let points = mesh.survey.run(&mesh.soup).drape(&route, 0.1).unwrap_or(route);
    Ok(Answer { points, times_at: Vec::new(), clearance: None, refused, times })
}
