//! `surefoot drive`: a character driven live, frame by frame, over any ground.

use crate::check::{self, CheckArgs};
use crate::clip_choice::choose;
use crate::creature::{World, world};
use crate::failure::Failure;
use crate::format::{Format, Own, new_walk};
use crate::input::{ImportArgs, RigArgs, no_legs};
use crate::number::{MOST_TRANSFORMS, Place, frame_rate, place, speed};
use crate::output::{self, OutputArgs};
use crate::world_args::{self, WorldArgs};
use serde_json::json;
use std::path::PathBuf;
use surefoot::glam::{DVec3, Vec3};
use surefoot::library::locomotion::{LocomotionClip, LocomotionClips};
use surefoot::math::FloorPose;
use surefoot::metrics::{CheckMotion, Checked, CheckedSource, Footing, measure_feet};
use surefoot::plan::Path;
use surefoot::rig::ManyLegs;
use surefoot::systems::{Creature, FollowRoute, Locomotor, PrepareClips, Recording, RouteState};
use surefoot_io::rig_file::RigFileError;
use surefoot_io::world::FileFrame;
use surefoot_io::{CharacterError, LoadCharacter, LoadedCharacter, load};
use surefoot_view::report::row;

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
  surefoot drive --character legs:6 --world rubble:0.1,0.3 -o six.glb";

/// Places of a route as typed.
#[derive(Clone)]
struct Places(Vec<Place>);

fn places(text: &str) -> Result<Places, String> {
    let places: Result<Vec<Place>, String> = text.split_whitespace().map(place).collect();
    match places? {
        places if places.len() < 2 => Err("a route has two places or more, with spaces between".into()),
        places => Ok(Places(places)),
    }
}

/// It takes no longer than this many times as long as its speed says to arrive.
const PATIENCE: f32 = 3.0;
/// The longest drive, seconds.
const LONGEST: f32 = 3600.0;

/// Who is driven.
fn subject(args: &Args) -> Result<LoadedCharacter, Failure> {
    let file = &args.character;
    let refused = |error: &dyn std::fmt::Display| Failure::refused(format!("{}: {error}", file.display()));
    if let Some(legs) = file.to_str().and_then(|text| text.strip_prefix("legs:")) {
        let legs = legs.parse().ok().filter(|legs| (2..=16).contains(legs) && legs % 2 == 0);
        let legs: usize = legs.ok_or_else(|| Failure::unusable("--character legs:N: an even number from 2 to 16"))?;
        let rig = ManyLegs { pairs: legs / 2, ..ManyLegs::default() }.run();
        return LoadedCharacter::of_rig(rig).map_err(|error| refused(&error));
    }
    let import = load(file, &args.import.settings()).map_err(Failure::unusable)?;
    let chosen = |name: &String| match choose(&import.clips, Some(name)) {
        Ok(index) => Ok(import.clips[index].name().to_owned()),
        Err(why) => Err(Failure::unusable(format!("--idle: {why}"))),
    };
    let idle = args.idle.as_ref().map(chosen).transpose()?;
    let load = LoadCharacter { idle, rig: args.rig.text()?, ..LoadCharacter::default() };
    load.of_import(import).map_err(|error| match error {
        CharacterError::Rig(error) => no_legs(&args.character, &error),
        CharacterError::RigFile(RigFileError::Rig(error)) => refused(&error),
        CharacterError::RigFile(error) => {
            let file = args.rig.path().map(|path| path.display().to_string()).unwrap_or_default();
            Failure::unusable(format!("--rig {file}: {error}"))
        }
        error => refused(&error),
    })
}

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
    args.out.check(&[&args.character], args.output.as_slice())?;
    let subject = subject(args)?;
    let clips = clips(args, &subject)?;
    let LoadedCharacter { character, skin, document, warnings, .. } = subject;
    let World { ground, scene, .. } = world(&args.world, &args.of_world)?;
    let said_of_world = scene.as_ref().map(world_args::said).unwrap_or_default();
    let path = match (&args.route, scene) {
        (Some(places), scene) => {
            let frame = scene.map_or(FileFrame::moved(DVec3::ZERO), |loaded| loaded.frame);
            places.0.iter().map(|place| place.here(&frame).as_vec3()).collect()
        }
        (None, Some(loaded)) => crate::path::shortest(&loaded.scene)?,
        (None, None) => vec![Vec3::ZERO, Vec3::Z * (6.0 * character.leg_length).max(2.0)],
    };
    let path = Path::new(path);
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
    let count = (seconds * args.fps) as usize;
    let mut rests = 0;
    for k in 0..count {
        let intent = route.run(&path, &mut along, &state, dt);
        locomotor.step(&mut state, &intent, ground.as_ref(), k as f32 * dt, if k == 0 { 0.0 } else { dt }, &mut frame);
        recording.push(&locomotor, &state, &frame);
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
    if let Some(file) = &args.output {
        output::write(file, &bytes)?;
    }
    let figures = measure_feet(rig, &take, Footing::Known(ground.as_ref()));
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
    if let Some(file) = &args.output {
        row(&mut out, "wrote", format!("{}: {}", file.display(), output::size(bytes.len())));
    }
    Ok(out)
}
