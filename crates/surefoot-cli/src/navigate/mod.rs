//! `surefoot navigate`: a character walks through a scene.

mod by_footsteps;
pub(crate) mod journey;
mod said;

use crate::body::CharacterArgs;
use crate::check::{self, CheckArgs};
use crate::failure::Failure;
use crate::format::{Format, Kind, new_walk};
use crate::number::within;
use crate::output::{self, OutputArgs};
use crate::path::Planner;
use crate::world_args::{self, WorldArgs};
use crate::{page, picture};
use journey::{Trip, TypedEnd, Walker};
use std::path::PathBuf;
use surefoot::glam::Vec2;
use surefoot::math::floor;
use surefoot::metrics::{Fault, FaultKind, measure_travel};
use surefoot::stages::{FindWalk, FollowSubgoals};
use surefoot::systems::{Journey, JourneyEnds, JourneyError, Navigate};
use surefoot::world::Scene;
use surefoot_io::scene::LoadedScene;

/// Walk through a scene from start to goal, past everything that is in the way, and write the motion
///
/// Over meshes and platforms footsteps are planned one by one (surefoot footsteps --help). On a floor a path is planned first; then a walk of a motion graph is found along it that keeps the body clear of everything; then its
/// last steps are changed a little, so that it ends where and as it should; then every foot is held where it stands. Start, goal
/// and headings are the scene's own where not given. Without --graph the walks, turns, starts and stops that are compiled in
/// are used. What cannot be reached is answered with why, and with the nearest place that can.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The scene (.scene.toml): a floor with obstacles, or a mesh of any number of floors; or a world by itself, a mesh (.obj, .glb,
    /// .gltf) or a MovingAI map (.map), which is crossed from one end to the other
    #[arg(long, value_name = "W")]
    world: PathBuf,
    #[command(flatten)]
    of_world: WorldArgs,
    /// The motion graph, made by `surefoot graph build`; without it, the embedded one
    #[arg(long, value_name = "G")]
    graph: Option<PathBuf>,
    /// Where to start, in the numbers of the world's file (metres in a scene), and the way to face there, degrees from +z towards
    /// +x; along the path if not given. On a mesh with several floors x,y,z,deg
    #[arg(long, value_name = "X,Z[,DEG]", allow_hyphen_values = true)]
    start: Option<TypedEnd>,
    /// Where to go, in the same form; it may face any way if DEG is not given
    #[arg(long, value_name = "X,Z[,DEG]", allow_hyphen_values = true)]
    goal: Option<TypedEnd>,
    /// The file to write; its ending chooses the format (.glb or .bvh)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Draw the scene with the path, the walk, its footprints and its time; .png or .svg
    #[arg(long, value_name = "X.png|X.svg")]
    picture: Option<PathBuf>,
    /// Also write a web page that plays the walk between the walls
    #[arg(long, value_name = "X.html")]
    page: Option<PathBuf>,
    /// What to walk with: walks of the motion graph, or footsteps planned one by one; without it, footsteps on meshes and platforms,
    /// the graph on floors
    #[arg(long, value_name = "HOW")]
    by: Option<By>,
    /// How to plan the path
    #[arg(long, default_value = "navmesh")]
    planner: Planner,
    /// The speed to walk at as far as the graph offers a choice, metres per second; without it, the graph's usual speed
    #[arg(long, value_name = "M/S", value_parser = within("a walking speed in m/s", 0.1..=10.0))]
    pace: Option<f32>,
    /// Walk on through the goal instead of stopping there
    #[arg(long)]
    walk_through: bool,
    /// Search by following subgoals as the first motion-graph planners did, for comparison: it only comes near the goal
    #[arg(long)]
    reference: bool,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    who: CharacterArgs,
    #[command(flatten)]
    check: CheckArgs,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum By {
    /// A walk of the motion graph along a path
    Graph,
    /// Footsteps that are planned to the goal before the first of them is taken
    Footsteps,
}

const EXAMPLES: &str = "Examples:
  surefoot navigate --world scenarios/6-rooms.scene.toml -o walk.glb --picture walk.png --page walk.html
  surefoot navigate --world scenarios/1-empty.scene.toml --start 2,2,0 --goal 9,4,180 -o walk.bvh   facing back at the end
  surefoot navigate --world scenarios/8-labyrinth.scene.toml --planner prm --pace 1.8 -o fast.glb --json
  surefoot navigate --world scenarios/moving-crossing.scene.toml -o walk.glb     past things that move, and when they do
  surefoot navigate --world scenarios/mesh-recast-dungeon.scene.toml -o stairs.glb --picture stairs.png
  surefoot navigate --world scenarios/6-rooms.scene.toml --character knight.glb -o knight.glb     on your own character
  surefoot graph build captures/ --mirror -o own.graph
  surefoot navigate --graph own.graph --world yard.scene.toml -o own.glb                            with walks of your own";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = Format::kind(&args.output)?;
    args.picture.as_deref().map_or(Ok(()), picture::check_name)?;
    args.page.as_deref().map_or(Ok(()), page::check_name)?;
    let outputs: Vec<PathBuf> = std::iter::once(&args.output).chain(&args.picture).chain(&args.page).cloned().collect();
    args.out.check(
        &std::iter::once(&args.world).chain(&args.graph).chain(args.who.files()).collect::<Vec<_>>(),
        &outputs,
    )?;
    let loaded = args.of_world.load(&args.world)?;
    let said_of_world = world_args::said(&loaded);
    if args.goes_by_footsteps(&loaded.scene)? {
        return by_footsteps::run(args, kind, loaded, outputs)
            .map(|said| if args.json { said } else { said + &said_of_world });
    }
    let LoadedScene { scene, frame, .. } = loaded;
    let own = JourneyEnds::of(&scene);
    let ends = JourneyEnds {
        start: args.start.map_or(own.start, |start| start.end(&frame)),
        goal: args.goal.map_or(own.goal, |goal| goal.end(&frame)),
        stop: !args.walk_through,
    };
    let walker = Walker::load(args.graph.as_deref(), args.who.load()?)?;
    let find = FindWalk { pace: args.pace, ..FindWalk::default() };
    let journey = Journey {
        planner: args.planner.into(),
        navigate: Navigate { find, ..Navigate::default() },
        reference: args.reference.then(FollowSubgoals::default),
    };
    let mut trip = match Trip::make(&walker, scene, &ends, &journey) {
        Ok(trip) => trip,
        Err(why) => {
            let graph = args.graph.as_ref().map_or("embedded".into(), |path| path.display().to_string());
            let more = match why {
                JourneyError::Walk(_) => format!("; surefoot graph report {graph} tells what its walks can do"),
                _ => String::new(),
            };
            let why = format!("{why}{more}");
            let said = if args.json { said::refused(&why) } else { String::new() };
            return Err(Failure { said, ..Failure::refused(why) });
        }
    };
    let skeleton = &walker.graph.rig.skeleton;
    let new = new_walk(&trip.clip, &walker.graph.rig, trip.done.take());
    let bytes = args.format.encode(kind, walker.own(), skeleton, &new)?;
    let exported = args.format.read_back(kind, walker.own(), skeleton, &trip.clip, &bytes);
    let ground = trip.scene.world();
    let faults = trip.look(&walker, check::exported(exported).as_ref(), &ground);
    tell_room(&faults, &trip.scene, &walker);
    args.check.judge(&faults, skeleton)?;
    args.tell_pace(&trip, &walker);
    output::write(&args.output, &bytes)?;
    if let Some(path) = &args.picture {
        picture::write(path, trip.shown(&walker).map())?;
    }
    if let Some(path) = &args.page {
        let glb = match kind {
            Kind::Glb => &bytes,
            Kind::Bvh => &page::glb(skeleton, &trip.clip, walker.own())?,
        };
        let file = walker.own_file().filter(|_| kind == Kind::Bvh || args.format.own_mesh());
        output::write(path, trip.shown(&walker).page(file.as_ref()).html(glb).as_bytes())?;
    }
    let written = said::sizes(outputs);
    Ok(if args.json {
        said::json(&walker, &trip, &written)
    } else {
        said::in_words(&args.world, &walker, &trip, &written) + &said_of_world
    })
}

/// Tells why feet stand beside a floor: the scene keeps clear only a body that is narrower than this one stands.
fn tell_room(faults: &[Fault], scene: &Scene, walker: &Walker) {
    let rig = &walker.graph.rig;
    let place = |joint| floor::of_point(rig.skeleton.rest_of(joint).translation);
    let body = rig.legs.iter().map(|leg| place(leg.hip())).sum::<Vec2>() / rig.legs.len().max(1) as f32;
    let reach = rig.legs.iter().map(|leg| place(leg.ankle()).distance(body)).fold(0.0, f32::max);
    if reach > scene.body.radius && faults.iter().any(|fault| fault.kind == FaultKind::NoGround) {
        eprintln!(
            "warning: its feet stand {reach:.2} m from the middle of its body, and the scene keeps clear only {:.2} m: \
             give it a [body] radius of {reach:.2} or more, and start and goal as far from edges and walls",
            scene.body.radius
        );
    }
}

/// A walk whose pace is off the one that was asked for by more than this share is told.
const PACE: f32 = 0.15;

impl Args {
    /// Whether footsteps are planned: over meshes, unless something is asked for that only a graph has.
    fn goes_by_footsteps(&self, scene: &Scene) -> Result<bool, Failure> {
        let of_graph = [
            (self.graph.is_some(), "--graph"),
            (self.pace.is_some(), "--pace"),
            (self.reference, "--reference"),
            (self.planner != Planner::Navmesh, "--planner"),
        ];
        let asked = of_graph.iter().find(|(asked, _)| *asked).map(|(_, name)| *name);
        let moves = scene.obstacles.iter().any(|mover| mover.track.moves() || mover.spin != 0.0);
        match (self.by, asked) {
            (Some(By::Footsteps), Some(name)) => {
                Err(Failure::unusable(format!("{name} is for motion graphs: leave out either it or --by footsteps")))
            }
            (Some(By::Footsteps), None) if scene.mesh.is_none() => Err(Failure::refused(
                "--by footsteps needs a mesh or platforms to step on: leave it out for a floor with obstacles",
            )),
            (Some(by), _) => Ok(by == By::Footsteps),
            // What moves is only seen by walks of the graph.
            (None, asked) => Ok(scene.floor.is_none() && scene.mesh.is_some() && asked.is_none() && !moves),
        }
    }

    /// Tells a pace that the graph's walks do not have.
    fn tell_pace(&self, trip: &Trip, walker: &Walker) {
        let Some(wanted) = self.pace else { return };
        let pace = measure_travel(&walker.graph.rig, &trip.clip).pace;
        if (pace / wanted - 1.0).abs() > PACE {
            let graph = self.graph.as_ref().map_or("embedded".into(), |path| path.display().to_string());
            eprintln!(
                "warning: --pace {wanted}: the walk goes at {pace:.2} m/s, the nearest speed that the graph has on this way \
                 (surefoot graph report {graph} tells the speeds it has)"
            );
        }
    }
}
