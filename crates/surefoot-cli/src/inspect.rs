//! `surefoot inspect`: what is in a file, and what was assumed about it.

use crate::failure::Failure;
use crate::input::{ImportArgs, RigArgs, said_unit};
use crate::output::{self, OutputArgs};
use crate::{picture, progress, rig_picture, scene, world};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use surefoot::analyse::{RigError, Study, find_skinned_rig, weigh_legs};
use surefoot::math::floor;
use surefoot::motion::Clip;
use surefoot::rig::{Leg, ModelPose, Rig, Skeleton};
use surefoot::stages::Trajectories;
use surefoot::stages::{LegCandidate, Repair};
use surefoot_io::{Import, LoadError, RestPose, load_many, rig_file};
use surefoot_view::report::counted;
use surefoot_view::report::study::uneven_feet;

/// Show what is in motion files: joints, frames, unit, axes, travel, and everything odd
///
/// Up to three files are shown at length, more as a table. A folder stands for the motion files and characters (.bvh,
/// .amc, .glb, .gltf, .vrm, .fbx) below it. Of a file with several clips it lists all and looks at one. Of a world (.obj, .glb)
/// it shows size, triangles and groups; of a scene (.scene.toml) its floor or mesh, what moves, start and goal.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files or folders
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    /// Show the tree of joints too
    #[arg(long)]
    joints: bool,
    /// Write the legs and feet of a file's body, to be corrected and passed with --rig
    #[arg(long, value_name = "rig.toml")]
    write_rig: Option<PathBuf>,
    /// Draw what was understood of a file's body: its skin and skeleton, its legs with their joints, its soles
    #[arg(long, value_name = "X.png|X.svg")]
    picture: Option<PathBuf>,
    #[command(flatten)]
    rig: RigArgs,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot inspect walk.bvh             what it is, in metres, and what was assumed
  surefoot inspect walk.bvh --joints    with the tree of joints
  surefoot inspect 02_01.amc            with the skeleton 02.asf beside it, or --skeleton FILE
  surefoot inspect knight.glb           a character: skin, and all its clips
  surefoot inspect knight.glb --clip walking_a   what that clip does
  surefoot inspect town.obj --up z      a world: size, triangles, groups
  surefoot inspect yard.scene.toml      a scene: floor, obstacles, start, goal
  surefoot inspect captures/ --json     a whole folder, for a program
  surefoot inspect knight.glb --picture knight.png   its legs and feet, to be looked at
  surefoot inspect walk.bvh --write-rig rig.toml   its legs and feet, to be corrected by hand";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let (scenes, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        expand(&args.files)?.into_iter().partition(|path| surefoot_io::scene::is_scene(path));
    let (worlds, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.into_iter().partition(|path| surefoot_io::world::is_world(path));
    args.check_body(paths.len(), worlds.len() + scenes.len())?;
    let scenes = scene::load_all(&scenes);
    let worlds = world::load_all(&worlds, &args.import.world_settings());
    let bar = if paths.len() < 20 { ProgressBar::hidden() } else { progress::bar("reading files", paths.len()) };
    let imports = load_many(&paths, &args.import.settings(), || bar.inc(1));
    bar.finish_and_clear();

    if let Some(path) = &args.write_rig {
        write_rig(args, path, &imports)?;
    }
    let mut reports: Vec<Result<Report<'_>, String>> =
        paths.iter().zip(&imports).map(|(path, import)| Report::new(path, import, &args.import)).collect();
    if let [Ok(report)] = &mut reports[..] {
        let (import, clip) = (report.import, report.clip);
        report.told = args.rig.rig_for(&import.skeleton, import.skin.as_ref(), &[clip])?;
        if let Some(path) = &args.picture {
            report.picture = Some((path, picture::write(path, rig_picture::draw(report))?));
        }
    }
    let text = if args.json {
        let values = paths.iter().zip(&reports).map(|(path, report)| to_json(path, report));
        format!(
            "{:#}\n",
            Value::Array(
                values.chain(worlds.iter().map(world::to_json)).chain(scenes.iter().map(scene::to_json)).collect()
            )
        )
    } else {
        let motions = if paths.len() <= 3 {
            reports.iter().flatten().map(|report| report.at_length(args.joints)).collect()
        } else {
            vec![table(&reports)]
        };
        let worlds = worlds.iter().filter_map(world::at_length).chain(scenes.iter().filter_map(scene::at_length));
        motions.into_iter().chain(worlds).collect::<Vec<_>>().join("\n")
    };
    let failed = reports.iter().filter_map(|r| r.as_ref().err().cloned());
    let failed = failed.chain(worlds.iter().filter_map(|world| world.import.as_ref().err()).map(ToString::to_string));
    let failed = failed.chain(scenes.iter().filter_map(|scene| scene.scene.as_ref().err()).map(ToString::to_string));
    let errors: Vec<String> = failed.map(|error| format!("error: {error}")).collect();
    if errors.is_empty() { Ok(text) } else { Err(Failure { code: 2, said: text, error: errors.join("\n") }) }
}

impl Args {
    /// Refuses what is said of one body if there are other files, and pictures that cannot be written.
    fn check_body(&self, bodies: usize, others: usize) -> Result<(), Failure> {
        let said = [("--picture", self.picture.is_some()), ("--rig", self.rig.path().is_some())];
        for (option, _) in said.into_iter().filter(|(_, given)| *given) {
            match (bodies, others) {
                (1, 0) => {}
                (0, _) => {
                    return Err(Failure::unusable(format!(
                        "{option} is about a body with joints, and there is none; surefoot picture draws scenes"
                    )));
                }
                _ => {
                    let files = bodies + others;
                    return Err(Failure::unusable(format!("{option} takes one file, and there are {files}")));
                }
            }
        }
        if let Some(path) = &self.picture {
            picture::check_name(path)?;
            let inputs: Vec<&PathBuf> = self.files.iter().chain(self.rig.path()).collect();
            self.out.check(&inputs, std::slice::from_ref(path))?;
        }
        Ok(())
    }
}

/// Writes the legs of the one body that was read.
fn write_rig(args: &Args, path: &PathBuf, imports: &[Result<Import, LoadError>]) -> Result<(), Failure> {
    let [Ok(import)] = imports else {
        return Err(Failure::unusable("--write-rig takes one readable file"));
    };
    args.out.check(&args.files.iter().collect::<Vec<_>>(), std::slice::from_ref(path))?;
    let chosen = args.import.choose_all(&import.clips).map_err(Failure::unusable)?;
    let repaired: Vec<Clip> =
        chosen.iter().map(|index| Repair::default().run(&import.skeleton, &import.clips[*index]).clip).collect();
    let clips: Vec<&Clip> = repaired.iter().collect();
    let (skeleton, skin) = (&import.skeleton, import.skin.as_ref());
    let rig = find_skinned_rig(skeleton, skin, &clips);
    let text = rig_file::write_weighed(skeleton, rig.as_ref(), &weigh_legs(skeleton, skin, &clips));
    output::write(path, text.as_bytes())
}

/// The endings of files that a folder stands for.
const MOTIONS: [&str; 6] = ["bvh", "amc", "glb", "gltf", "vrm", "fbx"];

fn is_motion(path: &Path) -> bool {
    MOTIONS.contains(&output::ending(path).as_str())
}

/// Files as they are; for a folder, the motion files below it in order of their names.
pub(crate) fn expand(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in given {
        if path.is_dir() {
            let before = files.len();
            let mut folders = vec![path.clone()];
            while let Some(folder) = folders.pop() {
                let unreadable = |error| Failure::unusable(format!("{}: cannot read: {error}", folder.display()));
                for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
                    let entry = entry.map_err(unreadable)?;
                    // Links are not followed: a loop of them would never end.
                    match entry.file_type() {
                        Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                        Ok(kind) if kind.is_file() && is_motion(&entry.path()) => files.push(entry.path()),
                        _ => {}
                    }
                }
            }
            if files.len() == before {
                let endings = MOTIONS.map(|ending| format!(".{ending}")).join(", ");
                return Err(Failure::unusable(format!(
                    "{}: there are no motion files ({endings}) below it",
                    path.display()
                )));
            }
            files[before..].sort();
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// The figures of one file.
pub(crate) struct Report<'a> {
    pub(crate) path: &'a Path,
    pub(crate) import: &'a Import,
    pub(crate) clip: &'a Clip,
    /// Height of the rest pose, metres.
    height: f32,
    /// Length of the root's path over the floor, metres.
    path_length: f32,
    /// From the first place to the last, metres.
    distance: f32,
    /// Net turn of the hips, radians, left positive; turns are counted.
    turn: f32,
    /// Limbs that may be legs, the body with those that are, and why there are none, if so.
    pub(crate) limbs: Vec<LegCandidate>,
    rig: Option<Rig>,
    pub(crate) no_legs: Option<RigError>,
    /// Its legs as a person named them, which goes before what was found.
    pub(crate) told: Option<Rig>,
    /// The picture that was written of it, and its size.
    picture: Option<(&'a PathBuf, String)>,
}

impl<'a> Report<'a> {
    fn new(path: &'a Path, import: &'a Result<Import, LoadError>, args: &ImportArgs) -> Result<Self, String> {
        let import = import.as_ref().map_err(ToString::to_string)?;
        let clip = args.choose(&import.clips).map_err(|why| format!("{}: {why}", path.display()))?;
        let (skeleton, clip) = (&import.skeleton, &import.clips[clip]);
        let trajectories = Trajectories::new(skeleton, clip);
        let root = skeleton.pelvis();
        let moved = trajectories.point(clip.frames() - 1, root) - trajectories.point(0, root);
        let (rig, no_legs) = match find_skinned_rig(skeleton, import.skin.as_ref(), &[clip]) {
            Ok(rig) => (Some(rig), None),
            Err(why) => (None, Some(why)),
        };
        Ok(Self {
            path,
            import,
            clip,
            height: rest_height(skeleton),
            path_length: trajectories.floor_length(root),
            distance: floor::of_point(moved).length(),
            turn: clip.net_turn(skeleton),
            limbs: weigh_legs(skeleton, import.skin.as_ref(), &[clip]),
            rig,
            no_legs,
            told: None,
            picture: None,
        })
    }

    /// Mean length of its legs, metres: of those that were found or named, else as its unit was told by.
    fn leg(&self) -> Option<f32> {
        self.told.as_ref().or(self.rig.as_ref()).map(Rig::leg_length).or(self.import.source.leg)
    }

    /// What its legs are, in words.
    fn said_legs(&self) -> String {
        let name = |leg: &Leg| self.import.skeleton.name(leg.ankle());
        if let Some(rig) = &self.told {
            return format!("{}, as the rig file names them", rig.legs.iter().map(name).collect::<Vec<_>>().join(", "));
        }
        if let Some(why) = &self.no_legs {
            return format!("{why}; --write-rig rig.toml writes a file in which you can choose its legs");
        }
        let mut doubts: Vec<&str> = Vec::new();
        let mut sure: f32 = 1.0;
        let mut names: Vec<&str> = Vec::new();
        for limb in self.limbs.iter().filter(|limb| limb.taken) {
            sure = sure.min(limb.confidence);
            names.push(name(&limb.leg));
            if !limb.doubt.is_empty() && !doubts.contains(&limb.doubt.as_str()) {
                doubts.push(&limb.doubt);
            }
        }
        if !self.import.skeleton.known_legs().is_empty() {
            return format!("{}, as stored in the file (--rig overrules)", names.join(", "));
        }
        let doubts = if doubts.is_empty() { String::new() } else { format!("; {}", doubts.join("; ")) };
        format!("{}, {:.0} % sure{doubts}", names.join(", "), 100.0 * sure)
    }

    /// Feet that are drawn for different speeds, of a clip that walks on the spot.
    fn uneven_feet(&self) -> Option<String> {
        let rig = self.told.as_ref().or(self.rig.as_ref())?;
        uneven_feet(&Study::default().run_on(rig.clone(), self.clip))
    }

    /// Where its rest pose comes from.
    pub(crate) fn said_rest(&self) -> &'static str {
        match self.import.source.rest {
            RestPose::FirstRow => "the first row, which is a rest pose and not motion",
            RestPose::Offsets => "joints unturned, where the file puts them",
            RestPose::FirstFrame => "the first frame: the OFFSETs make no body",
            RestPose::Nodes => "the nodes as they stand in the file",
            RestPose::BindPose => "as the skin was bound",
        }
    }

    fn at_length(&self, joints: bool) -> String {
        let Import { skeleton, clips, skin, source, warnings, .. } = self.import;
        let clip = self.clip;
        let named = if clips.len() > 1 { format!("clip {}: ", clip.name()) } else { String::new() };
        let mut out = String::new();
        let _ = writeln!(
            out,
            "{}: {}, {} joints, {named}{} frames at {} Hz, {:.2} s",
            self.path.display(),
            source.format,
            skeleton.len(),
            clip.frames(),
            clip.rate(),
            clip.duration()
        );
        let mut row = |label: &str, text: String| {
            let _ = writeln!(out, "  {label:10} {text}");
        };
        let unit = &source.unit;
        row("unit", said_unit(unit.value, &unit.reason));
        row("up", format!("{} ({})", source.up.value, source.up.reason));
        row("facing", format!("{} ({})", source.forward.value, source.forward.reason));
        row("positions", format!("{} ({})", dialect(self.import), source.positions.reason));
        row("rest pose", self.said_rest().into());
        let leg = self.leg().map(|leg| format!(", legs {leg:.2} m")).unwrap_or_default();
        row("body", format!("{:.2} m tall at rest{leg}", self.height));
        row("legs", self.said_legs());
        let speed = if clip.duration() > 0.0 { self.path_length / clip.duration() } else { 0.0 };
        row(
            "travel",
            format!(
                "hips go {:.2} m ({:.2} m from start to end), {speed:.2} m/s on average, turn {:+.0}°",
                self.path_length,
                self.distance,
                self.turn.to_degrees()
            ),
        );
        if let Some(skin) = skin {
            row("skin", format!("{}, {} vertices", counted(skin.triangles.len(), "triangle"), skin.positions.len()));
        }
        if clips.len() > 1 {
            row("clips", format!("{}, of which --clip NAME chooses", clips.len()));
            let each = clips.iter().enumerate();
            for line in wrapped(each.map(|(i, clip)| format!("{} {} {:.2} s", i + 1, clip.name(), clip.duration()))) {
                row("", line);
            }
        }
        if let Some((path, size)) = &self.picture {
            row("picture", format!("{}: {size}", path.display()));
        }
        if joints {
            row("joints", String::new());
            for joint in skeleton.joints() {
                let depth = skeleton.ancestry(joint).count();
                let length = skeleton.rest()[joint.index()].translation.length();
                let _ = writeln!(out, "  {}{} {:.3} m", "  ".repeat(depth), skeleton.name(joint), length);
            }
        }
        for warning in warnings {
            let _ = writeln!(out, "  warning: {warning}");
        }
        if let Some(uneven) = self.uneven_feet() {
            let _ = writeln!(out, "  warning: {uneven}");
        }
        out
    }
}

/// Items with commas between them, in lines that fit a terminal.
fn wrapped(items: impl Iterator<Item = String>) -> Vec<String> {
    const WIDE: usize = 96;
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) => {
                line.push(',');
                if line.chars().count() + item.chars().count() < WIDE {
                    line.push(' ');
                    line.push_str(&item);
                } else {
                    lines.push(item);
                }
            }
            None => lines.push(item),
        }
    }
    lines
}

fn table(reports: &[Result<Report<'_>, String>]) -> String {
    let good: Vec<&Report<'_>> = reports.iter().flatten().collect();
    let wide = good.iter().map(|r| r.path.display().to_string().chars().count()).max().unwrap_or(4).clamp(4, 60);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:wide$} {:>6} {:>6} {:>8} {:>8} {:>5} {:>3} {:>6} {:>6} {:>7} {:>6}  warnings",
        "file", "joints", "frames", "Hz", "seconds", "unit", "up", "facing", "leg m", "path m", "turn °"
    );
    for report in &good {
        let source = &report.import.source;
        let warnings: Vec<&str> = report.import.warnings.iter().map(surefoot_io::Warning::code).collect();
        let _ = writeln!(
            out,
            "{:wide$} {:>6} {:>6} {:>8} {:>8.2} {:>5} {:>3} {:>6} {:>6} {:>7.2} {:>+6.0}  {}",
            report.path.display().to_string(),
            report.import.skeleton.len(),
            report.clip.frames(),
            report.clip.rate(),
            report.clip.duration(),
            source.unit.value.to_string(),
            source.up.value.to_string(),
            source.forward.value.to_string(),
            report.leg().map(|leg| format!("{leg:.2}")).unwrap_or_default(),
            report.path_length,
            report.turn.to_degrees(),
            warnings.join(" ")
        );
    }
    let seconds: f32 = good.iter().map(|r| r.clip.duration()).sum();
    let _ = writeln!(out, "{}, {seconds:.0} s of motion", counted(good.len(), "file"));
    out
}

fn to_json(path: &Path, report: &Result<Report<'_>, String>) -> Value {
    let report = match report {
        Ok(report) => report,
        Err(error) => return json!({ "file": path.display().to_string(), "error": error }),
    };
    let Import { skeleton, clips, skin, source, warnings, .. } = report.import;
    let found = |value: String, reason: &str| json!({ "value": value, "reason": reason });
    let joints: Vec<Value> = skeleton
        .joints()
        .map(|joint| {
            json!({
                "name": skeleton.name(joint),
                "parent": skeleton.parent(joint).map(|p| p.index()),
                "rest_m": skeleton.rest()[joint.index()].translation.to_array(),
            })
        })
        .collect();
    let leg = |leg: &Leg, confidence: Option<f32>, doubt: &str| {
        let name = |joint| skeleton.name(joint);
        json!({
            "hip": name(leg.hip()),
            "knee": name(leg.chain[leg.chain.len() - 2]),
            "ankle": name(leg.ankle()),
            "confidence": confidence,
            "doubt": doubt,
        })
    };
    let legs: Vec<Value> = match &report.told {
        Some(rig) => rig.legs.iter().map(|named| leg(named, None, "")).collect(),
        None => {
            let taken = report.limbs.iter().filter(|limb| limb.taken);
            taken.map(|limb| leg(&limb.leg, Some(limb.confidence), &limb.doubt)).collect()
        }
    };
    json!({
        "file": path.display().to_string(),
        "format": source.format,
        "clip": report.clip.name(),
        "clips": clips
            .iter()
            .map(|clip| json!({ "name": clip.name(), "frames": clip.frames(), "seconds": clip.duration() }))
            .collect::<Vec<_>>(),
        "skin": skin
            .as_ref()
            .map(|skin| json!({ "triangles": skin.triangles.len(), "vertices": skin.positions.len() })),
        "joint_count": skeleton.len(),
        "joints": joints,
        "rows": source.rows,
        "rest_row": source.rest_row,
        "frames": report.clip.frames(),
        "fps": report.clip.rate(),
        "seconds": report.clip.duration(),
        "metres_per_unit": source.unit.value.metres(),
        "unit": found(source.unit.value.to_string(), &source.unit.reason),
        "up": found(source.up.value.to_string(), &source.up.reason),
        "forward": found(source.forward.value.to_string(), &source.forward.reason),
        "positions": found(dialect(report.import).into(), &source.positions.reason),
        "leg_m": report.leg(),
        "uneven_feet": report.uneven_feet(),
        "legs": legs,
        "no_legs": report.no_legs.as_ref().filter(|_| report.told.is_none()).map(ToString::to_string),
        "height_m": report.height,
        "path_m": report.path_length,
        "distance_m": report.distance,
        "turn_deg": report.turn.to_degrees(),
        "warnings": warnings.iter().map(|w| json!({ "code": w.code(), "text": w.to_string() })).collect::<Vec<_>>(),
    })
}

fn dialect(import: &Import) -> &'static str {
    match import.source.positions.value {
        surefoot_io::Dialect::Replace => "replace",
        surefoot_io::Dialect::Add => "add",
    }
}

fn rest_height(skeleton: &Skeleton) -> f32 {
    let rest = ModelPose::new(skeleton);
    let joints = rest.joints.iter().map(|joint| joint.translation.y);
    let tips = skeleton.tips().iter().map(|tip| rest[tip.joint].transform_point(tip.offset).y);
    let (low, high) = joints.chain(tips).fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
    high - low
}
