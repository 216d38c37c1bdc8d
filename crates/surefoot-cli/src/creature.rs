//! `surefoot creature`: a character that walks along a path over any ground, from its idle pose alone.

use crate::check::{self, CheckArgs};
use crate::clip_choice::choose;
use crate::failure::Failure;
use crate::format::{Format, Own, new_clip, new_walk};
use crate::input::{ImportArgs, RigArgs};
use crate::number::{MOST_TRANSFORMS, degrees, frame_rate, speed};
use crate::output::{self, OutputArgs};
use crate::places::{Places, path_along, places};
use crate::subject::Subject;
use crate::walk_files::{WalkFiles, WrittenWalk};
use crate::world_args::{self, WorldArgs};
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path as FilePath, PathBuf};
use surefoot::analyse::Study;
use surefoot::character::Character;
use surefoot::metrics::{CheckMotion, Checked, Footing, measure_feet};
use surefoot::motion::{Clip, Span, Take};
use surefoot::plan::Path;
use surefoot::plan::steps::{Gait, GaitPattern};
use surefoot::random::Seed;
use surefoot::stages::{CarryBody, CheckedSource, Stride};
use surefoot::systems::{Creature, CreatureMotion, stride_of};
use surefoot::world::{Ground, LevelGround, Terrain};
use surefoot_io::gltf::NewClip;
use surefoot_io::scene::LoadedScene;
use surefoot_io::{LoadedCharacter, field_file, scene};
use surefoot_view::report::creature::{CreatureReport, CycleReport};
use surefoot_view::report::row;
use surefoot_view::report::study::uneven_feet;
use surefoot_view::shown_walk::{BodyPlace, MissedPlace, ShownWalk};

/// Make a character walk along a path over any ground, from its idle pose alone
///
/// Steps are planned from the length of its legs and its speed: two to sixteen legs, each foot put where it finds hold and
/// kept there. The body follows its feet. What could not be reached is said.
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
    /// The path: places x,z or x,y,z with spaces between, in metres, or in the numbers of a mesh's own file; without it, four
    /// lengths of the legs straight ahead, or the way from a scene's start to its goal
    #[arg(long, value_name = "PLACES", value_parser = places, allow_hyphen_values = true)]
    path: Option<Places>,
    /// The heading to start with, degrees, left positive; without it, where the path leads
    #[arg(long, value_name = "DEG", value_parser = degrees, allow_hyphen_values = true)]
    heading: Option<f32>,
    /// Speed, metres a second; without it, a stroll that fits the legs
    #[arg(long, value_name = "M/S", value_parser = speed)]
    speed: Option<f32>,
    /// The order in which feet step; without it, chosen by speed and number of legs
    #[arg(long)]
    gait: Option<GaitArg>,
    /// How much the body bobs and sways over its feet; without it, as much as in a walk among its clips, or a usual amount
    #[arg(long)]
    style: Option<StyleArg>,
    /// Seed of small irregularities in the steps of creatures with more than two legs: give another number for another individual
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The clip whose first frame is the idle pose; without it, one with idle in its name, else the rest pose
    #[arg(long, value_name = "NAME")]
    idle: Option<String>,
    /// The clip to walk by: its poses and the timing and swing of its feet are used; without it, the walk is made from the idle pose alone
    #[arg(long, value_name = "NAME")]
    walk: Option<String>,
    #[command(flatten)]
    rig: RigArgs,
    /// Corrections of poses and steps by slope, turning, speed or phase: a motion field (.toml, see docs/creatures.md)
    #[arg(long, value_name = "F")]
    field: Option<PathBuf>,
    /// Write a walk cycle instead: one round of the walk over level ground, which loops without a seam
    #[arg(long, conflicts_with_all = ["path", "world", "heading", "picture", "page", "ground_out"], requires = "output")]
    cycle: bool,
    /// Frames per second of the result; a cycle gets the nearest rate that divides it evenly
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
  surefoot creature --character fox.glb --path \"0,0 0,4 3,6\" -o walk.glb --picture walk.png
  surefoot creature --character legs:6 --world stairs:0.1,0.25 --picture six.png --page six.html
  surefoot creature --character horse.glb --speed 3 --gait trot --cycle -o trot.glb
  surefoot creature --character spider.glb --world rubble:0.1,0.3 -o rubble.glb
  surefoot creature --character knight.glb --world stairs:0.18,0.3 --path \"0,0 0,5\" --json
  surefoot creature --character horse.glb --world scenarios/mesh-recast-undulating.scene.toml --path \"5010,5010 5030,5030\" -o hills.glb";

#[derive(Clone, Copy, clap::ValueEnum)]
enum GaitArg {
    Walk,
    Trot,
    Pace,
    Gallop,
    Tripod,
    Wave,
}

impl GaitArg {
    fn pattern(self) -> GaitPattern {
        match self {
            Self::Walk => GaitPattern::Walk,
            Self::Trot => GaitPattern::Trot,
            Self::Pace => GaitPattern::Pace,
            Self::Gallop => GaitPattern::Gallop,
            Self::Tripod => GaitPattern::Tripod,
            Self::Wave => GaitPattern::Wave,
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum StyleArg {
    /// As is usual for its size and speed
    Usual,
    /// With little movement
    Calm,
    /// With much movement
    Lively,
    /// Swaying and rolling from foot to foot
    Heavy,
    /// Low and quiet
    Sneaking,
    /// Not at all: the idle pose glides over its feet
    Still,
}

impl StyleArg {
    fn carry(self) -> CarryBody {
        match self {
            Self::Usual => CarryBody::default(),
            Self::Calm => CarryBody::calm(),
            Self::Lively => CarryBody::lively(),
            Self::Heavy => CarryBody::heavy(),
            Self::Sneaking => CarryBody::sneaking(),
            Self::Still => CarryBody::STILL,
        }
    }
}

/// The highest that stairs and rubble are made, metres.
const HIGH: f32 = 10.0;
/// The widest that they are made, metres.
const WIDE: f32 = 100.0;
/// The longest walk, seconds.
const LONGEST: f32 = 3600.0;

/// A walk that comes to less than this share of the speed that was asked for is told or refused.
const SLOWER: f32 = 0.9;

/// Refuses walks that are too long to hold.
fn check_length(creature: &Creature, character: &Character, path: &Path) -> Result<(), Failure> {
    let speed = creature.steps.course.fitted(&character.stand, creature.steps.stride.as_ref()).speed;
    let (metres, joints) = (path.length(), character.rig.skeleton.len());
    let seconds = metres / speed;
    let transforms = f64::from(seconds) * f64::from(creature.rate) * joints as f64;
    if seconds <= LONGEST && transforms <= MOST_TRANSFORMS {
        return Ok(());
    }
    let rate = creature.rate;
    let why = format!("{metres:.0} m at {speed:.2} m/s would take {seconds:.0} s, of {joints} joints at {rate} Hz");
    Err(Failure::refused(format!(
        "{why}: too much to keep in memory; a walk may last an hour at most (--path, --speed, --fps)"
    )))
}

/// The ground, and its scene or what it was made as.
pub(crate) struct World {
    pub(crate) ground: Box<dyn Ground>,
    pub(crate) scene: Option<LoadedScene>,
    pub(crate) terrain: Option<Terrain>,
}

/// The ground that a name, a scene, a mesh or a map says.
pub(crate) fn world(text: &str, of_world: &WorldArgs) -> Result<World, Failure> {
    let unknown = |why: String| Failure::unusable(format!("--world {text}: {why}"));
    let (name, numbers) = text.split_once(':').unwrap_or((text, ""));
    let numbers: Vec<f32> = numbers.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    let terrain = match (name, numbers.as_slice()) {
        ("flat", []) => Terrain::Flat,
        ("slope", [degrees]) if degrees.abs() < 60.0 => Terrain::Slope { angle: degrees.to_radians() },
        ("stairs", [rise, tread]) if rise.abs() <= HIGH && (0.01..=WIDE).contains(tread) => {
            Terrain::Stairs { rise: *rise, tread: *tread }
        }
        ("rubble", [height, size]) if (0.0..=HIGH).contains(height) && (0.01..=WIDE).contains(size) => {
            Terrain::Rubble { height: *height, size: *size }
        }
        ("flat" | "slope" | "stairs" | "rubble", _) => {
            return Err(unknown(format!(
                "give flat, slope:DEG (under 60), stairs:RISE,TREAD or rubble:HEIGHT,SIZE, heights in metres up to {HIGH}, \
                 treads and sizes from 0.01 to {WIDE}"
            )));
        }
        _ if scene::is_scene(FilePath::new(text)) || scene::is_bare_world(FilePath::new(text)) => {
            let loaded = of_world.load(FilePath::new(text))?;
            return Ok(World { ground: Box::new(loaded.scene.world()), scene: Some(loaded), terrain: None });
        }
        _ => {
            return Err(unknown(
                "no ground: give a scene (.scene.toml), a mesh (.obj, .glb, .gltf), a map (.map), flat, slope:DEG, stairs:RISE,TREAD or rubble:HEIGHT,SIZE".into(),
            ));
        }
    };
    Ok(World { ground: Box::new(terrain), scene: None, terrain: Some(terrain) })
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = args.output.as_deref().map(Format::kind).transpose()?;
    args.files.check_names()?;
    args.out.check(
        &std::iter::once(&args.character).chain(&args.field).collect::<Vec<_>>(),
        &[args.output.clone().into_iter().collect(), args.files.paths()].concat(),
    )?;
    let subject =
        Subject { character: &args.character, idle: args.idle.as_deref(), rig: &args.rig, import: &args.import };
    let subject = subject.load()?;
    let refused = |error: &dyn std::fmt::Display| Failure::refused(format!("{}: {error}", args.character.display()));
    let mut name = match subject.idle {
        Some(index) => format!("the first frame of {}", subject.clips[index].name()),
        None => "the rest pose".into(),
    };
    let LoadedCharacter { character, clips, skin, document, warnings, .. } = subject;
    let (rig, stand) = (&character.rig, &character.stand);
    let World { ground, scene, terrain } = world(&args.world, &args.of_world)?;
    let said_of_world = scene.as_ref().map(world_args::said).unwrap_or_default();
    let path = path_along("--path", args.path.as_ref(), scene.as_ref(), (4.0 * stand.hip).max(2.0))?;
    let mut creature = Creature { rate: args.fps, ..Creature::default() };
    creature.steps.course.speed = args.speed;
    creature.steps.gait = Gait { pattern: args.gait.map(GaitArg::pattern) };
    creature.steps.seed = Seed(args.seed);
    if let Some(wanted) = &args.walk {
        let index = choose(&clips, Some(wanted)).map_err(|why| Failure::unusable(format!("--walk: {why}")))?;
        let stride = stride_of(&character, &clips[index]);
        let why = || refused(&format!("clip {} does not show a cycle in which every foot steps", clips[index].name()));
        creature.steps.stride = Some(stride.ok_or_else(why)?);
        if let Some(uneven) = uneven_feet(&Study::default().run_on(rig.clone(), &clips[index])) {
            eprintln!("warning: {uneven}");
        }
        let _ = write!(name, " and the clip {}", clips[index].name());
    }
    if let Some(style) = args.style {
        creature.carry = style.carry();
    } else if let Some(stride) = &creature.steps.stride {
        creature.carry = creature.carry_like(&character, stride);
    } else if let Some((clip, stride)) = drawn_walk(&character, &clips) {
        creature.steps = creature.steps.like(&stride);
        creature.carry = creature.carry_like(&character, &stride);
        let _ = write!(name, ", its body moving as in the clip {}", clip.name());
    }
    check_length(&creature, &character, &path)?;
    args.check_speed(&creature, &character)?;
    if let (true, Some(file), Some(kind)) = (args.cycle, &args.output, kind) {
        let clip = creature.cycle(&character, "walk");
        let own = Own::of(&document, &skin);
        // In the frames nearest to them; a foot that leaves in the next round does so in every one.
        let seconds = |time: f32| (time * clip.rate()).round() % clip.frames() as f32 / clip.rate();
        let mut events: Vec<(f32, String)> = Vec::new();
        for (leg, time) in rig.legs.iter().zip(creature.cycle_standing(&character)) {
            let ankle = rig.skeleton.name(leg.ankle());
            let of = |time: Span| [(time.start, "strike"), (time.end, "lift")];
            events.extend(time.into_iter().flat_map(of).map(|(at, what)| (seconds(at), format!("{ankle} {what}"))));
        }
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        let new = NewClip { rig: Some(rig), events, ..new_clip(&clip, None) };
        let bytes = args.format.encode(kind, own, &rig.skeleton, &new)?;
        let shown = check::exported(args.format.read_back(kind, own, &rig.skeleton, &clip, &bytes));
        let shown = shown.map_or(clip.clone(), |exported| exported.shown_in(&rig.skeleton, &clip, |frame| frame));
        args.judge(&character, &Take::from(shown), &LevelGround::default())?;
        output::write(file, &bytes)?;
        return Ok(told_cycle(args, &clip, &name, output::size(bytes.len())));
    }
    let heading = args.heading.map(f32::to_radians);
    let mut motion = creature.plan(&character, &path, heading, ground.as_ref());
    args.check_steps(&motion, ground.as_ref())?;
    if let Some(file) = &args.field {
        let unusable = |error: &dyn std::fmt::Display| Failure::unusable(format!("{}: {error}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|error| unusable(&format!("cannot read: {error}")))?;
        motion.field = field_file::read(&text, rig).map_err(|error| unusable(&error))?;
    }
    let mut done = creature.take(&motion, "walk", ground.as_ref());
    let own = Own::of(&document, &skin);
    let mut bytes = Vec::new();
    if let Some(kind) = kind {
        let clip = &done.take.clip;
        bytes = args.format.encode(kind, own, &rig.skeleton, &new_walk(clip, rig, &done.take))?;
        if let Some(exported) = check::exported(args.format.read_back(kind, own, &rig.skeleton, clip, &bytes)) {
            done.take.clip = exported.shown_in(&rig.skeleton, clip, |frame| frame);
            done.report.figures = measure_feet(rig, &done.take, Footing::Known(ground.as_ref()));
        }
    }
    args.judge(&character, &done.take, ground.as_ref())?;

    let mut written = Vec::new();
    if let Some(path) = &args.output {
        output::write(path, &bytes)?;
        written.push(format!("{}: {}", path.display(), output::size(bytes.len())));
    }
    let title = format!("{} over {}", args.character.file_stem().unwrap_or_default().to_string_lossy(), args.world);
    let frame = |f: usize| {
        let moment = motion.plan.course.at(f as f32 / done.take.clip.rate());
        BodyPlace { place: moment.place, height: moment.height }
    };
    let course: Vec<BodyPlace> = (0..done.take.clip.frames()).map(frame).collect();
    let shown = ShownWalk {
        character: &character,
        skin: skin.as_ref(),
        take: &done.take,
        course: &course,
        path: &path,
        figures: &done.report.figures,
        missed: MissedPlace { distance: done.report.missed, frame: done.report.missed_in },
        ground: ground.as_ref(),
        terrain,
        platforms: scene.as_ref().map_or(&[], |loaded| &loaded.scene.platforms),
        obstacles: scene.as_ref().map_or(&[], |loaded| &loaded.scene.obstacles),
    };
    written.extend(args.files.write(&WrittenWalk {
        shown,
        title: &title,
        subtitle: &format!("from {name}"),
        own: args.format.own(own),
        mesh: scene.as_ref().and_then(|loaded| Some(&loaded.scene.mesh.as_ref()?.soup)),
    })?);
    let report = CreatureReport::new(&motion, &done, &path);
    if let Some(wanted) = args.speed.filter(|wanted| report.speed < SLOWER * wanted) {
        let speed = report.speed;
        eprintln!(
            "warning: --speed {wanted}: it reaches {speed:.2} m/s on this way, which is too short, bent or steep"
        );
    }
    if args.json {
        return Ok(format!("{:#}\n", json!(report)));
    }
    let mut out: String = warnings.iter().map(|warning| format!("warning: {warning}\n")).collect();
    let _ = writeln!(out, "{}, from {name}", args.character.display());
    report.rows(&mut out);
    out += &said_of_world;
    written.iter().for_each(|line| row(&mut out, "wrote", line));
    Ok(out)
}

/// A walk among the clips of a character: the one with the shortest name that has walk in it, or the only clip, if it shows a
/// cycle in which every foot steps.
fn drawn_walk<'a>(character: &Character, clips: &'a [Clip]) -> Option<(&'a Clip, Stride)> {
    let named = clips.iter().filter(|clip| clip.name().to_lowercase().contains("walk"));
    let only = clips.first().filter(|_| clips.len() == 1);
    let clip = named.min_by_key(|clip| clip.name().len()).or(only)?;
    Some((clip, stride_of(character, clip)?))
}

impl Args {
    /// Refuses a speed at which legs would not reach their footholds.
    fn check_speed(&self, creature: &Creature, character: &Character) -> Result<(), Failure> {
        let most = creature.steps.greatest_speed(&character.stand);
        let Some(wanted) = self.speed.filter(|wanted| most < SLOWER * wanted) else { return Ok(()) };
        let why = format!(
            "at {wanted} m/s its legs do not reach their footholds; the greatest speed that does is {most:.2} m/s"
        );
        if !self.check.anyway() {
            return Err(Failure::refused(format!("--speed {wanted}: {why}; --anyway writes the result all the same")));
        }
        eprintln!("warning: --speed {wanted}: {why}");
        Ok(())
    }

    /// Refuses a way with a step that legs cannot make.
    fn check_steps(&self, motion: &CreatureMotion, ground: &dyn Ground) -> Result<(), Failure> {
        let Some(hard) = motion.hard_step(ground) else { return Ok(()) };
        let rig = &motion.character.rig;
        let foot = rig.skeleton.name(rig.legs[hard.leg.index()].ankle());
        let why = format!("step {} of {foot}, to {:.2},{:.2}, {}", hard.number, hard.at.x, hard.at.z, hard.why);
        if !self.check.anyway() {
            return Err(Failure::refused(format!(
                "{why}; lead --path past it, or --anyway writes the result all the same"
            )));
        }
        eprintln!("warning: {why}");
        Ok(())
    }

    /// Looks at a walk on its ground before it is written.
    fn judge(&self, character: &Character, take: &Take, ground: &dyn Ground) -> Result<(), Failure> {
        let (rig, skin) = (&character.rig, character.leg_skin.as_ref());
        let motion = Checked { rig, skin, take, planned: true, footing: Footing::Known(ground), part: None };
        let faults = CheckMotion::default().run(motion, &CheckedSource::default());
        self.check.judge(&faults, &rig.skeleton)
    }
}

fn told_cycle(args: &Args, clip: &Clip, name: &str, size: String) -> String {
    let report = CycleReport::new(clip);
    if args.json {
        return format!("{:#}\n", json!(report));
    }
    let mut out = format!("{}, from {name}\n", args.character.display());
    report.rows(&mut out);
    let file = args.output.as_deref().unwrap_or(FilePath::new(""));
    row(&mut out, "wrote", format!("{}: {size}", file.display()));
    out
}
