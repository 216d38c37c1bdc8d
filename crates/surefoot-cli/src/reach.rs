//! `surefoot reach`: hands, or any joints, to places in the middle of a clip.

use crate::check::{self, CheckArgs};
use crate::failure::Failure;
use crate::format::{Format, new_clip};
use crate::input::{ImportArgs, Loaded, RigArgs, as_it_is};
use crate::number::{place, seconds};
use crate::output::{self, OutputArgs};
use crate::picture;
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;
use surefoot::analyse::Studied;
use surefoot::glam::{DVec3, Vec3A};
use surefoot::ik::IkReport;
use surefoot::metrics::{CheckMotion, Checked, Fault, Footing};
use surefoot::motion::{Clip, Take};
use surefoot::rig::{JointId, Leg, ModelPose, Pose, Skeleton};
use surefoot::stages::{CheckedSource, LegSkin};
use surefoot::systems::{ReachGoal, ReachInClip, ReachedClip};
use surefoot_io::exported::Exported;
use surefoot_io::world::FileFrame;
use surefoot_io::{Import, embedded};
use surefoot_view::reach_picture::{Goal, draw};
use surefoot_view::report;

/// Reach for places with hands, or any joints, in the middle of a clip, while the feet stay where they are
///
/// At --at seconds each joint is at its place, as near as the whole body can bring it; before and after, the reach
/// is blended in and out. Feet stay where the clip has them in every frame. What could not be reached is said, with how
/// much is missing, and the result is written all the same.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The body and its clip: a BVH, AMC, FBX, glTF or VRM file, or the name of an embedded clip
    #[arg(long, value_name = "C", default_value = "16_15")]
    character: PathBuf,
    /// When to reach, seconds; without it, in the middle of the clip
    #[arg(long, value_name = "T", value_parser = seconds, allow_hyphen_values = true)]
    at: Option<f32>,
    /// A joint and where it should be, metres in the world (x,y,z; y is up), or with += how far from where it is, to the
    /// character's left, up and forward; repeat it for more joints
    #[arg(long = "effector", value_name = "NAME=x,y,z", value_parser = wish, required = true)]
    effectors: Vec<Wish>,
    /// Let the feet move with the body instead of holding them
    #[arg(long)]
    free_feet: bool,
    /// How long the reach takes to blend in, and to blend out again, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.6, value_parser = seconds, allow_hyphen_values = true)]
    blend: f32,
    /// How long the reach is held, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = seconds, allow_hyphen_values = true)]
    hold: f32,
    /// The file to write; its ending chooses the format (.bvh or .glb)
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Draw the body before and after; .png or .svg
    #[arg(long, value_name = "X.png|X.svg")]
    picture: Option<PathBuf>,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    check: CheckArgs,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    rig: RigArgs,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot reach --effector LeftHand+=0.2,-0.3,0.5 --picture reach.png      an embedded walk
  surefoot reach --effector LeftHand+=0,0,0.4 --effector RightHand+=0,0,0.4 -o push.glb
  surefoot reach --character knight.glb --clip walking_a --at 0.5 --effector hand.l=0.3,1.4,0.6 -o wave.glb
  surefoot inspect knight.glb --joints                                       the names of joints";

/// A joint and where it should be, as typed.
#[derive(Clone)]
struct Wish {
    name: String,
    place: Vec3A,
    relative: bool,
}

fn wish(text: &str) -> Result<Wish, String> {
    let (name, rest) = text.split_once('=').ok_or("give NAME=x,y,z, or NAME+=x,y,z for a move")?;
    let (name, relative) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
    if rest.split(',').count() != 3 {
        return Err(format!("{rest:?} is not a place: give three numbers x,y,z, metres"));
    }
    Ok(Wish {
        name: name.trim().into(),
        place: place(rest)?.here(&FileFrame::moved(DVec3::ZERO)).as_vec3().into(),
        relative,
    })
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = args.output.as_deref().map(Format::kind).transpose()?;
    args.picture.as_deref().map_or(Ok(()), picture::check_name)?;
    args.out.check(&[&args.character], &[args.output.as_slice(), args.picture.as_slice()].concat())?;
    let loaded = load(args)?;
    let (skeleton, clip) = (&loaded.skeleton, &loaded.clip);
    let at = args.at.unwrap_or(0.5 * clip.duration());
    if !(0.0..=clip.duration()).contains(&at) {
        return Err(Failure::unusable(format!("--at {at}: the clip lasts only {:.3} s", clip.duration())));
    }
    let mut joints = Vec::new();
    for wish in &args.effectors {
        joints.push(
            joint(skeleton, &wish.name)
                .map_err(|why| Failure::unusable(format!("--effector: {}: {why}", loaded.title)))?,
        );
    }
    // A body without legs reaches all the same.
    let rig = args.rig.rig_for(skeleton, loaded.skin.as_ref(), &[clip])?.or_else(|| loaded.rig().ok());
    let legs = rig.as_ref().filter(|_| !args.free_feet).map_or_else(Vec::new, |rig| rig.legs.clone());
    let goals = places(skeleton, clip, at, &joints, &args.effectors);
    let reach = ReachInClip { at, blend: args.blend, hold: args.hold };
    let reached = match clip.looped(skeleton) {
        // A cycle stays one, with the frame that closes it if the file has one.
        Some(round) => {
            let mut reached = reach.run(skeleton, &legs, &round, &goals);
            reached.clip = reached.clip.unrolled(2).trimmed(0..clip.frames());
            reached
        }
        None => reach.run(skeleton, &legs, clip, &goals),
    };
    let done = Done::new(skeleton, &legs, &goals, reached);

    let mut written = Vec::new();
    if let (Some(path), Some(kind)) = (&args.output, kind) {
        // Feet that stay come down and leave as they did.
        let studied = rig.map(|rig| as_it_is().run_on(rig, clip));
        let new = new_clip(&done.reached.clip, studied.as_ref().filter(|_| !args.free_feet));
        let bytes = args.format.encode(kind, loaded.own(), skeleton, &new)?;
        let exported = args.format.read_back(kind, loaded.own(), skeleton, &done.reached.clip, &bytes);
        if let (Some(studied), Some(exported)) = (&studied, check::exported(exported)) {
            let leg_skin = loaded.skin.as_ref().and_then(|skin| LegSkin::new(&studied.rig, skin));
            args.check.judge(&faults(studied, leg_skin.as_ref(), clip, &exported), skeleton)?;
        }
        output::write(path, &bytes)?;
        written.push(format!("{}: {}", path.display(), output::size(bytes.len())));
    }
    if let Some(path) = &args.picture {
        let words = format!("at {at:.2} s, {} steps", done.reached.report.steps);
        let svg = draw(skeleton, done.models.each_ref(), &done.goals, [clip.name(), &words]);
        written.push(format!("{}: {}", path.display(), picture::write(path, svg)?));
    }
    Ok(if args.json { in_json(&done, at) } else { in_words(&loaded, &done, (at, args.hold), &written) })
}

/// What is worse of a reach than of the clip it was made in, both on the clip's own ground.
fn faults(studied: &Studied, skin: Option<&LegSkin>, clip: &Clip, exported: &Exported) -> Vec<Fault> {
    let (round, rig) = (studied.frames(), &studied.rig);
    let frame_of = |f: usize| (f + round.len() - round.start % round.len()) % round.len();
    let shown = exported.instead_of(clip, &rig.skeleton, &studied.take.clip, frame_of);
    let take = Take { clip: shown, ..studied.take.clone() };
    let of = |take| Checked { rig, skin, take, planned: false, footing: Footing::default(), part: Some(&round) };
    let source = CheckedSource { motions: &[of(&studied.take)], moved: &[] };
    let mut faults = CheckMotion::default().run(of(&take), &source);
    faults.iter_mut().for_each(|fault| fault.time = studied.seconds((fault.time * clip.rate()).round() as usize));
    faults
}

/// The file, or the embedded clip of that name.
fn load(args: &Args) -> Result<Loaded, Failure> {
    let name = args.character.to_string_lossy();
    match embedded::find(&name) {
        Some(clip) if !args.character.exists() => {
            let Import { skeleton, mut clips, warnings, source, .. } = clip.import();
            let title = format!("{name} (embedded: {})", clip.shows);
            Ok(Loaded {
                title,
                skeleton,
                clip: clips.swap_remove(0),
                skin: None,
                document: None,
                rest_row: source.rest_row,
                warnings,
            })
        }
        _ => args.import.load(&args.character),
    }
}

/// A joint by its name, or by a part that no other has; else why not, with names that are near.
fn joint(skeleton: &Skeleton, wanted: &str) -> Result<JointId, String> {
    let lower = wanted.to_lowercase();
    let fits = |test: &dyn Fn(&str) -> bool| -> Vec<JointId> {
        skeleton.joints().filter(|joint| test(&skeleton.name(*joint).to_lowercase())).collect()
    };
    let exact = skeleton.find(wanted).map_or_else(|| fits(&|name| name == lower), |joint| vec![joint]);
    let part = fits(&|name| name.contains(&lower));
    let names = |joints: &[JointId]| joints.iter().map(|joint| skeleton.name(*joint)).collect::<Vec<_>>().join(", ");
    match (exact.first(), part.as_slice()) {
        (Some(joint), _) | (None, [joint]) => Ok(*joint),
        (None, []) => {
            let mut near: Vec<(usize, JointId)> =
                skeleton.joints().map(|j| (edits(&lower, &skeleton.name(j).to_lowercase()), j)).collect();
            near.sort();
            let near: Vec<JointId> = near.into_iter().take(4).map(|(_, joint)| joint).collect();
            Err(format!(
                "no joint is called {wanted:?}; near it are {} (surefoot inspect --joints lists all)",
                names(&near)
            ))
        }
        (None, several) => Err(format!("{wanted:?} fits {} joints: {}", several.len(), names(several))),
    }
}

/// Letters to change, add or leave out between two names.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let least = (corner + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = std::mem::replace(&mut row[j + 1], least);
        }
    }
    row[b.len()]
}

/// What came of it.
struct Done {
    reached: ReachedClip,
    models: [ModelPose; 2],
    goals: Vec<Goal>,
    /// The goals' places in the world, and where their joints come.
    world: Vec<[Vec3A; 2]>,
}

/// Where joints should be, metres in the world: moves are along the character's own axes.
fn places(skeleton: &Skeleton, clip: &Clip, at: f32, joints: &[JointId], wishes: &[Wish]) -> Vec<ReachGoal> {
    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::new(skeleton);
    clip.sample(at, &mut pose);
    pose.to_model(skeleton, &mut model);
    let facing = clip.body(skeleton, ((at * clip.rate()).round() as usize).min(clip.frames() - 1));
    let heading = surefoot::math::quat::heading(facing.rotation).unwrap_or(0.0);
    let axes = surefoot::math::quat::from_heading(heading);
    let place = |(joint, wish): (&JointId, &Wish)| ReachGoal {
        joint: *joint,
        place: match wish.relative {
            true => pose.root.transform_point(model[*joint].translation) + axes * wish.place,
            false => wish.place,
        },
    };
    joints.iter().zip(wishes).map(place).collect()
}

impl Done {
    fn new(skeleton: &Skeleton, legs: &[Leg], wanted: &[ReachGoal], reached: ReachedClip) -> Self {
        let models = [&reached.before, &reached.after].map(|pose| {
            let mut model = ModelPose::new(skeleton);
            pose.to_model(skeleton, &mut model);
            model
        });
        let [before, after] = &models;
        let root = reached.before.root;
        let (mut goals, mut world) = (Vec::new(), Vec::new());
        for ReachGoal { joint, place } in wanted {
            let (target, reached) = (root.inverse().transform_point(*place), after[*joint].translation);
            goals.push(Goal { name: skeleton.name(*joint).into(), target, reached, held: false });
            world.push([*place, root.transform_point(reached)]);
        }
        for ankle in legs.iter().map(Leg::ankle).filter(|ankle| !wanted.iter().any(|goal| goal.joint == *ankle)) {
            let (target, reached) = (before[ankle].translation, after[ankle].translation);
            goals.push(Goal { name: skeleton.name(ankle).into(), target, reached, held: true });
        }
        Self { reached, models, goals, world }
    }
}

fn in_words(loaded: &Loaded, done: &Done, (at, hold): (f32, f32), written: &[String]) -> String {
    let mut out = loaded.warning_lines();
    let _ = writeln!(out, "{}", loaded.title);
    for (goal, [target, _]) in done.goals.iter().zip(&done.world) {
        let away = (goal.target - goal.reached).length();
        let place = format!("{:.3}, {:.3}, {:.3}", target.x, target.y, target.z);
        let text = match away > 1.05e-3 {
            true => format!("{}: {:.1} cm short of {place}", goal.name, 100.0 * away),
            false => format!("{}: at {place}, to {:.2} mm", goal.name, 1e3 * away),
        };
        report::row(&mut out, "reach", text);
    }
    let feet = done.goals.iter().filter(|goal| goal.held).map(|goal| (goal.target - goal.reached).length());
    let moved = feet.fold(None, |most: Option<f32>, moved| Some(most.map_or(moved, |most| most.max(moved))));
    if let Some(moved) = moved {
        report::row(&mut out, "feet", format!("stay, to {:.2} mm", 1e3 * moved));
    }
    if hold > 0.0 {
        let short = (done.reached.hold < hold)
            .then(|| format!(" ({hold} s would leave this cycle no time to come there and back)"));
        let (held, within) = (done.reached.hold, 1e3 * done.reached.held_within);
        report::row(&mut out, "held", format!("for {held:.2} s, to {within:.1} mm{}", short.unwrap_or_default()));
    }
    report::row(&mut out, "solved", format!("at {at:.2} s in {} steps", done.reached.report.steps));
    written.iter().for_each(|line| report::row(&mut out, "wrote", line));
    out
}

fn in_json(done: &Done, at: f32) -> String {
    let goals: Vec<serde_json::Value> = done
        .goals
        .iter()
        .zip(&done.world)
        .map(|(goal, [target, reached])| {
            json!({"joint": goal.name, "target": target.to_array(), "reached": reached.to_array(),
                   "missed": (*target - *reached).length()})
        })
        .collect();
    let feet: Vec<serde_json::Value> = done
        .goals
        .iter()
        .filter(|goal| goal.held)
        .map(|goal| json!({"ankle": goal.name, "moved": (goal.target - goal.reached).length()}))
        .collect();
    let IkReport { steps, energy, end, unreached, .. } = done.reached.report;
    let value = json!({"at": at, "effectors": goals, "feet": feet, "steps": steps, "energy": energy,
                       "end": format!("{end:?}"), "unreached": unreached, "held_within": done.reached.held_within, "hold": done.reached.hold});
    format!("{value:#}\n")
}
