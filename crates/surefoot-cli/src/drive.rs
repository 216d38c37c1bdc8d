//! `surefoot drive`: a character driven live, frame by frame, over any ground.

use crate::check::{self, CheckArgs};
use crate::creature::{World, world};
use crate::drive_body::{DriveBody, Driven};
use crate::drive_wish::{StyleSpan, Timed, Waypoints, pace_at, recorded, style, timed, waypoints};
use crate::failure::Failure;
use crate::format::{Format, Kind, Own, new_walk};
use crate::input::{ImportArgs, RigArgs};
use crate::number::{MOST_TRANSFORMS, frame_rate, speed};
use crate::number::{Place, place};
use crate::output::{self, OutputArgs};
use crate::places::{path_through, points_here};
use crate::subject::Subject;
use crate::walk_files::{WalkFiles, WrittenWalk};
use crate::world_args::{self, WorldArgs};
use serde_json::json;
use std::path::PathBuf;
use surefoot::analyse::Study;
use surefoot::math::FloorPose;
use surefoot::metrics::{CheckMotion, Checked, Footing, measure_feet};
use surefoot::plan::Path;
use surefoot::stages::CheckedSource;
use surefoot::stages::LocomotionClip;
use surefoot::stages::Recording;
use surefoot::systems::{FollowRoute, GoTo, Going, GoingAround};
use surefoot::world::Mover;
use surefoot_io::LoadedCharacter;
use surefoot_io::gltf::NewClip;
use surefoot_view::report::row;
use surefoot_view::shown_walk::{BodyPlace, MissedPlace, ShownWalk};

/// Drive a character live along a route, frame by frame, as a game would
///
/// Its walks and runs are blended by how it moves; feet step where they find hold, and stay there. Nothing is planned ahead but
/// the next step of each leg. Without clips that walk, its idle pose walks by itself.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The character: a BVH, FBX, glTF or VRM file, or legs:N, a made one with 2 to 16 legs
    #[arg(long, value_name = "C")]
    character: PathBuf,
    /// The ground: a scene (.scene.toml), a mesh (.obj, .glb, .gltf) or a MovingAI map (.map), or flat, slope:DEG,
    /// stairs:RISE,TREAD, rubble:HEIGHT,SIZE (metres, rising along z)
    #[arg(long, value_name = "W", default_value = "flat")]
    world: String,
    #[command(flatten)]
    of_world: WorldArgs,
    /// Where it goes: places x,z or x,y,z separated by spaces, in metres; a place may carry the speed to go there, in m/s (0,4@1.5),
    /// which holds until another is given; without it, from a scene's start to its goal, or six leg lengths straight ahead
    #[arg(long, value_name = "PLACES", value_parser = waypoints, allow_hyphen_values = true)]
    route: Option<Waypoints>,
    /// Recorded input instead of a route: a comma-separated table, one row for each change (time, x, z in m/s, facing in degrees,
    /// style, action; see docs/live.md)
    #[arg(long, value_name = "X.csv", conflicts_with_all = ["route", "speed", "facing"])]
    input: Option<PathBuf>,
    /// The way to face at the end, degrees, left positive; without it, the way it arrives
    #[arg(long, value_name = "DEG", value_parser = crate::number::degrees, allow_hyphen_values = true)]
    facing: Option<f32>,
    /// Speed, metres a second; without it, that of its slowest clip
    #[arg(long, value_name = "M/S", value_parser = speed)]
    speed: Option<f32>,
    /// The clips to move by, with commas between; without it, those with walk, run, trot and the like in their names
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    clips: Vec<String>,
    /// Another style of moving, with clips of its own, for some time: NAME=CLIP,CLIP@FROM-TO in seconds
    #[arg(long, value_name = "STYLE", value_parser = style)]
    style: Vec<StyleSpan>,
    /// A clip to play instead of walking: NAME@TIME or NAME@FROM-TO in seconds. Where the clip leaves the ground (a jump), feet go as
    /// in the clip; otherwise they stay where they stand
    #[arg(long, value_name = "NAME@TIME", value_parser = timed)]
    action: Vec<Timed>,
    /// A clip to play on the upper body while walking: NAME@FROM-TO in seconds; up to four
    #[arg(long, value_name = "NAME@TIME", value_parser = timed)]
    layer: Vec<Timed>,
    /// What it looks at: x,y,z in metres
    #[arg(long, value_name = "PLACE", value_parser = place, allow_hyphen_values = true)]
    look: Option<Place>,
    /// Corrections of poses and steps by slope, turning, speed or phase: a motion field (.toml, see docs/creatures.md)
    #[arg(long, value_name = "F")]
    field: Option<PathBuf>,
    /// The clip whose first frame is the idle pose; without it, one with idle in its name, else the rest pose
    #[arg(long, value_name = "NAME")]
    idle: Option<String>,
    #[command(flatten)]
    rig: RigArgs,
    /// Frames per second
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = frame_rate)]
    fps: f32,
    /// The file to write; its ending chooses the format (.bvh or .glb)
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    files: WalkFiles,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    check: CheckArgs,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot drive --character fox.glb --route \"0,0 0,4 3,4 0,1\" -o drive.glb
  surefoot drive --character knight.glb --world stairs:0.1,0.4 --route \"0,0 0,4\" --clips Walking_A,Running_A -o up.glb
  surefoot drive --character fox.glb --world stairs:0.1,0.3 --picture up.png --page up.html --ground-out stairs.obj
  surefoot drive --character knight.glb --route \"0,0 0,4@0.8 0,12@2\" --layer Cheer@2-5 --action Jump_Full_Long@8 -o run.glb
  surefoot drive --character fox.glb --input stick.csv --style \"sneak=Sneak@4-9\" -o sneak.glb
  surefoot drive --character knight.glb --world scenarios/moving-crossing.scene.toml --page crossing.html
  surefoot drive --character legs:6 --world rubble:0.1,0.3 -o six.glb";

/// It takes no longer than this many times as long as its speed says to arrive.
const PATIENCE: f32 = 3.0;
/// How long it stands after recorded input has ended, seconds.
const AFTER: f32 = 1.0;
/// The longest drive, seconds.
const LONGEST: f32 = 3600.0;

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = args.output.as_deref().map(Format::kind).transpose()?;
    args.files.check_names()?;
    args.out.check(&[&args.character], &[args.output.clone().into_iter().collect(), args.files.paths()].concat())?;
    let subject =
        Subject { character: &args.character, idle: args.idle.as_deref(), rig: &args.rig, import: &args.import };
    let subject = subject.load()?;
    let input = args.input.as_deref().map(recorded).transpose()?;
    let World { ground, scene, terrain } = world(&args.world, &args.of_world)?;
    let look = args.look.map(|place| points_here(&[place], scene.as_ref())[0]);
    let body = DriveBody {
        file: &args.character,
        subject: &subject,
        clips: &args.clips,
        styles: &args.style,
        actions: &args.action,
        layers: &args.layer,
        look,
        field: args.field.as_deref(),
        input: input.as_ref(),
    };
    let driven: Driven = body.build()?;
    let locomotor = &driven.locomotor;
    let LoadedCharacter { character, skin, document, warnings, .. } = &subject;
    let said_of_world = scene.as_ref().map(world_args::said).unwrap_or_default();
    let places = args.route.as_ref().map(|route| route.places.as_slice());
    let way = path_through("--route", places, scene.as_ref(), (6.0 * character.leg_length).max(2.0))?;
    let clips = locomotor.clips();
    let usual = args.speed.unwrap_or(clips.clips()[clips.slowest()].motion.velocity.length());
    let paces = match (&args.route, places) {
        (Some(route), Some(places)) => route.paces(&points_here(places, scene.as_ref()), usual),
        _ => vec![(0.0, usual)],
    };
    let slowest = paces.iter().map(|(_, pace)| *pace).fold(f32::INFINITY, f32::min);
    let seconds = input.as_ref().map_or(PATIENCE * (way.length() / slowest + 3.0), |input| input.end() + AFTER);
    let transforms = f64::from(seconds) * f64::from(args.fps) * character.rig.skeleton.len() as f64;
    if seconds > LONGEST + AFTER || transforms > MOST_TRANSFORMS {
        let why = format!("{:.0} m at {slowest:.2} m/s is too much to hold", way.length());
        return Err(Failure::refused(format!("{why} (--route, --speed, --fps)")));
    }
    let mut going = Going::along(way.clone());
    let follow = FollowRoute {
        braking: 0.6 * locomotor.acceleration(0.0),
        facing: args.facing.map(f32::to_radians),
        ..FollowRoute::default()
    };
    let mut goes = GoTo { follow, ..GoTo::default() };
    if let Some(loaded) = &scene {
        goes.radius = loaded.scene.body.radius;
    }
    let heading = input.as_ref().map_or(way.heading(0.0), |input| input.at(0.0).facing.unwrap_or(0.0));
    let start = FloorPose::new(surefoot::math::floor::of_point(way.start().into()), heading);
    let mut state = locomotor.start(start, ground.as_ref(), 0.0);
    let mut frame = locomotor.frame();
    let mut recording = Recording::new(&state, args.fps);
    let dt = 1.0 / args.fps;
    let count = (seconds * args.fps).max(1.0) as usize;
    let (mut rests, mut course) = (0, Vec::new());
    let around = GoingAround { movers: scene.as_ref().map_or(&[], |loaded| &loaded.scene.obstacles), floor: None };
    for k in 0..count {
        let time = k as f32 * dt;
        let mut intent = match &input {
            Some(input) => driven.recorded(input, time),
            None => {
                goes.follow.speed = pace_at(&paces, going.route.along);
                goes.run(&mut going, around, &state, time, dt)
            }
        };
        driven.timed(time, &mut intent);
        locomotor.step(&mut state, &intent, ground.as_ref(), time, if k == 0 { 0.0 } else { dt }, &mut frame);
        recording.push(locomotor, &state, &frame);
        course.push(BodyPlace { place: state.place, height: state.height });
        let still = going.arrived() && state.legs.iter().all(|leg| leg.parked);
        rests = if still { rests + 1 } else { 0 };
        if rests as f32 > 0.5 * args.fps {
            break;
        }
    }
    // Without a way that was given, it is the one that was gone.
    let path = match &input {
        Some(_) => {
            let gone = course.iter().step_by((0.1 * args.fps).ceil() as usize).chain(course.last());
            Path::new(gone.map(|body| surefoot::math::floor::at_height(body.place.position, body.height)).collect())
        }
        None => way,
    };
    let arrived = going.arrived();
    let missed = recording.missed;
    let mut take = recording.finish(locomotor, "drive");
    let rig = &character.rig;
    let own = Own::of(document, skin);
    let mut bytes = Vec::new();
    if let Some(kind) = kind {
        let clip = take.clip.clone();
        bytes = args.format.encode(kind, own, &rig.skeleton, &new_walk(&clip, rig, &take))?;
        if let Some(exported) = check::exported(args.format.read_back(kind, own, &rig.skeleton, &clip, &bytes)) {
            take.clip = exported.shown_in(&rig.skeleton, &clip, |frame| frame);
        }
    }
    let checked = Checked {
        rig,
        skin: character.leg_skin.as_ref(),
        take: &take,
        planned: true,
        footing: Footing::Known(ground.as_ref()),
        part: None,
    };
    let faults = CheckMotion::default().run(checked, &CheckedSource::default());
    args.check.judge_or(&faults, &rig.skeleton, "it may do at a lower --speed, or ")?;
    let mut written = Vec::new();
    if let Some(file) = &args.output {
        output::write(file, &bytes)?;
        written.push(format!("{}: {}", file.display(), output::size(bytes.len())));
    }
    let figures = measure_feet(rig, &take, Footing::Known(ground.as_ref()));
    // As `surefoot measure` sees it, which knows nothing of prints, but of a GLB file when feet stand.
    let told = NewClip::of_walk(&take.clip, rig, &take.stances).standing.filter(|_| kind == Some(Kind::Glb));
    let clip = take.clip.clone().with_standing(told);
    let seen = measure_feet(rig, &Study::default().run_on(rig.clone(), &clip).take, Footing::Known(ground.as_ref()));
    let shown = ShownWalk {
        character,
        skin: skin.as_ref(),
        take: &take,
        course: &course,
        path: &path,
        figures: &figures,
        missed: MissedPlace { distance: missed.0, frame: missed.1 },
        ground: ground.as_ref(),
        terrain,
        platforms: scene.as_ref().map_or(&[], |loaded| &loaded.scene.platforms),
        obstacles: scene.as_ref().map_or(&[], |loaded| &loaded.scene.obstacles),
    };
    let moved_by: Vec<&str> = locomotor.clips().clips().iter().map(LocomotionClip::name).collect();
    written.extend(args.files.write(&WrittenWalk {
        shown,
        title: &format!("{} over {}", args.character.file_stem().unwrap_or_default().to_string_lossy(), args.world),
        subtitle: &format!("driven by {}", moved_by.join(", ")),
        own: args.format.own(own),
        mesh: scene.as_ref().and_then(|loaded| Some(&loaded.scene.mesh.as_ref()?.soup)),
    })?);
    let end = state.place.position - surefoot::math::floor::of_point(path.end().into());
    let names: Vec<String> = locomotor
        .clips()
        .clips()
        .iter()
        .map(|clip| {
            let v = clip.motion.velocity;
            format!("{} ({:.2}, {:.2} m/s)", clip.name(), v.x, v.y)
        })
        .collect();
    if args.json {
        let report = json!({
            "clips": names,
            "seconds": take.clip.duration(),
            "arrived": arrived,
            "from_end": end.length(),
            "nearest_mover": nearest(&course, args.fps, around.movers),
            "missed": missed.0,
            "missed_in": missed.1,
            "figures": seen,
            "on_prints": figures,
        });
        return Ok(format!("{report:#}\n"));
    }
    let mut out: String = warnings.iter().map(|warning| format!("warning: {warning}\n")).collect();
    out += &format!("{}, driven over {}\n", args.character.display(), args.world);
    row(&mut out, "clips", names.join(", "));
    row(&mut out, "length", format!("{:.2} s, {:.2} m", take.clip.duration(), path.length()));
    if input.is_none() {
        let arrived = if arrived { "arrived" } else { "did not arrive" };
        row(&mut out, "end", format!("{arrived}, {:.1} cm from the end of the route", 1e2 * end.length()));
    }
    if let Some(near) = nearest(&course, args.fps, around.movers) {
        row(&mut out, "near", format!("{near:.2} m from its middle to what moves, at the nearest"));
    }
    let [own, found] = [&figures, &seen].map(|figures| 1e3 * figures.drift.max);
    row(
        &mut out,
        "drift",
        format!("{own:.2} mm at most on its prints, {found:.2} mm where feet look as if they stood"),
    );
    row(
        &mut out,
        "in ground",
        format!("{:.1} mm standing, {:.1} mm swinging", 1e3 * figures.penetration.max, 1e3 * figures.grazing.max),
    );
    row(&mut out, "missed", format!("{:.1} mm at {:.2} s", 1e3 * missed.0, missed.1 as f32 / args.fps));
    out += &said_of_world;
    written.iter().for_each(|line| row(&mut out, "wrote", line));
    Ok(out)
}

/// How near the middle of a body came to what moves, metres.
fn nearest(course: &[BodyPlace], fps: f32, movers: &[Mover]) -> Option<f32> {
    let near = |(k, body): (usize, &BodyPlace)| {
        let at = |mover: &Mover| mover.distance(body.place.position, k as f32 / fps);
        movers.iter().map(at).fold(f32::INFINITY, f32::min)
    };
    (!movers.is_empty()).then(|| course.iter().enumerate().map(near).fold(f32::INFINITY, f32::min))
}
