//! `surefoot drive`: a character driven live, frame by frame, over any ground.

use crate::check::{self, CheckArgs};
use crate::clip_choice::choose;
use crate::creature::{World, world};
use crate::failure::Failure;
use crate::format::{Format, Own, new_walk};
use crate::input::{ImportArgs, RigArgs};
use crate::number::{MOST_TRANSFORMS, frame_rate, speed};
use crate::output::{self, OutputArgs};
use crate::places::{Places, path_along, places};
use crate::subject::Subject;
use crate::walk_files::{WalkFiles, WrittenWalk};
use crate::world_args::{self, WorldArgs};
use serde_json::json;
use std::path::PathBuf;
use surefoot::library::locomotion::{LocomotionClip, LocomotionClips};
use surefoot::math::FloorPose;
use surefoot::metrics::{CheckMotion, Checked, CheckedSource, Footing, measure_feet};
use surefoot::systems::{Creature, FollowRoute, Locomotor, PrepareClips, Recording, RouteState};
use surefoot_io::LoadedCharacter;
use surefoot_view::report::row;
use surefoot_view::shown_walk::{BodyPlace, MissedPlace, ShownWalk};

/// Drive a character live along a route, frame by frame, as a game would
///
/// Its walks and runs are blended by how it moves; feet step where they find hold, and stay there. Nothing is planned ahead but
/// the next step of each leg. Without clips that walk, its idle pose walks by itself.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The character: a BVH, FBX or glTF file, or legs:N, a made one with 2 to 16 legs
    #[arg(long, value_name = "C")]
    character: PathBuf,
    /// The ground: a scene (.scene.toml), a mesh (.obj, .glb, .gltf) or a MovingAI map (.map), or flat, slope:DEG,
    /// stairs:RISE,TREAD, rubble:HEIGHT,SIZE (metres, rising along z)
    #[arg(long, value_name = "W", default_value = "flat")]
    world: String,
    #[command(flatten)]
    of_world: WorldArgs,
    /// Where it goes: places x,z or x,y,z with spaces between, in metres; without it, six lengths of the legs straight ahead
    #[arg(long, value_name = "PLACES", value_parser = places, allow_hyphen_values = true)]
    route: Option<Places>,
    /// Speed, metres a second; without it, that of its slowest clip
    #[arg(long, value_name = "M/S", value_parser = speed)]
    speed: Option<f32>,
    /// The clips to move by, with commas between; without it, those with walk, run, trot and the like in their names
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    clips: Vec<String>,
    /// The clip whose first frame is the idle pose; without it, one with idle in its name, else the rest pose
    #[arg(long, value_name = "NAME")]
    idle: Option<String>,
    #[command(flatten)]
    rig: RigArgs,
    /// Frames a second
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = frame_rate)]
    fps: f32,
    /// The file to write; its ending (.bvh, .glb) says what
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
  surefoot drive --character legs:6 --world rubble:0.1,0.3 -o six.glb";

/// It takes no longer than this many times as long as its speed says to arrive.
const PATIENCE: f32 = 3.0;
/// The longest drive, seconds.
const LONGEST: f32 = 3600.0;

/// What it moves by.
fn clips(args: &Args, subject: &LoadedCharacter) -> Result<LocomotionClips, Failure> {
    let character = &subject.character;
    let prepare = PrepareClips::default();
    let stands = || match subject.idle {
        Some(index) => prepare.standing(character, &subject.clips[index]),
        None => prepare.idle_pose(character),
    };
    if !args.clips.is_empty() {
        let mut chosen = vec![stands()];
        for name in &args.clips {
            let index =
                choose(&subject.clips, Some(name)).map_err(|why| Failure::unusable(format!("--clips: {why}")))?;
            let ready = prepare.cycle(character, &subject.clips[index]);
            chosen.push(ready.map_err(|why| Failure::refused(format!("{}: {why}", args.character.display())))?);
        }
        return LocomotionClips::new(chosen).map_err(|why| Failure::refused(format!("--clips: {why}")));
    }
    let found = prepare.choose(character, &subject.clips, subject.idle);
    if let Ok(found) = found {
        for why in &found.refused {
            eprintln!("warning: {why}");
        }
        return Ok(found.clips);
    }
    // From almost nothing: the idle pose makes a walk of its own.
    let own = Creature::default().cycle(character, "walk from the idle pose");
    let walk: Result<LocomotionClip, _> = prepare.cycle(character, &own);
    let walk = walk.map_err(|why| Failure::refused(format!("{}: {why}", args.character.display())))?;
    LocomotionClips::new(vec![stands(), walk]).map_err(|why| Failure::refused(why.to_string()))
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = args.output.as_deref().map(Format::kind).transpose()?;
    args.files.check_names()?;
    args.out.check(&[&args.character], &[args.output.clone().into_iter().collect(), args.files.paths()].concat())?;
    let subject =
        Subject { character: &args.character, idle: args.idle.as_deref(), rig: &args.rig, import: &args.import };
    let subject = subject.load()?;
    let clips = clips(args, &subject)?;
    let LoadedCharacter { character, skin, document, warnings, .. } = subject;
    let World { ground, scene, terrain } = world(&args.world, &args.of_world)?;
    let said_of_world = scene.as_ref().map(world_args::said).unwrap_or_default();
    let path = path_along("--route", args.route.as_ref(), scene.as_ref(), (6.0 * character.leg_length).max(2.0))?;
    let slowest = clips.clips()[clips.slowest()].motion.velocity.length();
    let route = FollowRoute { speed: args.speed.unwrap_or(slowest), ..FollowRoute::default() };
    let seconds = PATIENCE * (path.length() / route.speed + 3.0);
    let transforms = f64::from(seconds) * f64::from(args.fps) * character.rig.skeleton.len() as f64;
    if seconds > LONGEST || transforms > MOST_TRANSFORMS {
        let why = format!("{:.0} m at {:.2} m/s is too much to hold", path.length(), route.speed);
        return Err(Failure::refused(format!("{why} (--route, --speed, --fps)")));
    }
    let locomotor = Locomotor::new(&character, clips, Vec::new());
    let route = FollowRoute { braking: 0.6 * locomotor.acceleration(0.0), ..route };
    let start = FloorPose::new(surefoot::math::floor::of_point(path.start().into()), path.heading(0.0));
    let mut state = locomotor.start(start, ground.as_ref(), 0.0);
    let mut frame = locomotor.frame();
    let mut recording = Recording::new(&state, args.fps);
    let (mut along, dt) = (RouteState::default(), 1.0 / args.fps);
    let count = (seconds * args.fps).max(1.0) as usize;
    let (mut rests, mut course) = (0, Vec::new());
    for k in 0..count {
        let intent = route.run(&path, &mut along, &state, dt);
        locomotor.step(&mut state, &intent, ground.as_ref(), k as f32 * dt, if k == 0 { 0.0 } else { dt }, &mut frame);
        recording.push(&locomotor, &state, &frame);
        course.push(BodyPlace { place: state.place, height: state.height });
        let still = along.arrived && state.legs.iter().all(|leg| leg.parked);
        rests = if still { rests + 1 } else { 0 };
        if rests as f32 > 0.5 * args.fps {
            break;
        }
    }
    let missed = recording.missed;
    let mut take = recording.finish(&locomotor, "drive");
    let rig = &character.rig;
    let own = Own::of(&document, &skin);
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
    args.check.judge(&faults, &rig.skeleton)?;
    let mut written = Vec::new();
    if let Some(file) = &args.output {
        output::write(file, &bytes)?;
        written.push(format!("{}: {}", file.display(), output::size(bytes.len())));
    }
    let figures = measure_feet(rig, &take, Footing::Known(ground.as_ref()));
    let shown = ShownWalk {
        character: &character,
        skin: skin.as_ref(),
        take: &take,
        course: &course,
        path: &path,
        figures: &figures,
        missed: MissedPlace { distance: missed.0, frame: missed.1 },
        ground: ground.as_ref(),
        terrain,
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
            "arrived": along.arrived,
            "from_end": end.length(),
            "missed": missed.0,
            "missed_in": missed.1,
            "figures": figures,
        });
        return Ok(format!("{report:#}\n"));
    }
    let mut out: String = warnings.iter().map(|warning| format!("warning: {warning}\n")).collect();
    out += &format!("{}, driven over {}\n", args.character.display(), args.world);
    row(&mut out, "clips", names.join(", "));
    row(&mut out, "length", format!("{:.2} s, {:.2} m", take.clip.duration(), path.length()));
    let arrived = if along.arrived { "arrived" } else { "did not arrive" };
    row(&mut out, "end", format!("{arrived}, {:.1} cm from the end of the route", 1e2 * end.length()));
    row(&mut out, "drift", format!("{:.2} mm at most", 1e3 * figures.drift.max));
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
