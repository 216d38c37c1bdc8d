//! `surefoot page`: a web page that plays a clip, and what pages of other commands share with it.

use crate::failure::Failure;
use crate::format::{new_clip, standing};

use crate::input::{ImportArgs, as_it_is};
use crate::output::{self, OutputArgs, ending};
use crate::picture::{cycle_note, drawn};
use std::path::{Path, PathBuf};
use surefoot::analyse::{FootTrack, Found};
use surefoot::glam::Vec3;
use surefoot::metrics::{Slide, slides};
use surefoot::motion::{Clip, Trajectories};
use surefoot::rig::{JointId, Leg, LegId, ModelPose, Pose, Rig, Side, Skeleton, Skin};
use surefoot::systems::{CleanedUp, Studied};
use surefoot_io::glb;
use surefoot_io::gltf::{Document, WriteSettings, write_clips};
use surefoot_view::page::{Chart, Fact, Page, Place, Placing, Trace};
use surefoot_view::sheet;

/// Write a web page that plays a clip: the character with its mesh, foot traces and figures, in any browser, offline
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file to play
    file: PathBuf,
    /// The page to write
    #[arg(short, long, value_name = "OUT.html")]
    output: PathBuf,
    /// Take the character's other clips along, to be chosen on the page
    #[arg(long)]
    keep_clips: bool,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    import: ImportArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot page walk.bvh -o walk.html
  surefoot page knight.glb --clip walking_a -o walk.html
  surefoot page knight.glb --keep-clips -o knight.html   all its clips";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    check_name(&args.output)?;
    args.out.check(std::slice::from_ref(&args.output))?;
    let loaded = args.import.load(&args.file)?;
    let (skeleton, clip) = (&loaded.skeleton, &loaded.clip);
    // A body without legs is played all the same.
    let studied = loaded.study(&as_it_is()).ok();
    let new = new_clip(clip, studied.as_ref());
    let document = loaded.document.as_ref();
    let settings = WriteSettings { keep_clips: args.keep_clips, ..WriteSettings::default() };
    let glb = match document {
        Some(document) => write_clips(document, skeleton, &[new], &settings).map_err(Failure::refused)?,
        None => glb::write_clips(skeleton, &[new]),
    };
    let mut page = of_clip((skeleton, clip), studied.as_ref(), document, loaded.skin.as_ref());
    page.subtitle = args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    page.notes = loaded.warnings.iter().map(ToString::to_string).collect();
    let html = page.html(&glb);
    output::write(&args.output, html.as_bytes())?;
    let size = output::size(html.len());
    Ok(format!("{}{}\n{}: {size}\n", loaded.warning_lines(), loaded.title, args.output.display()))
}

/// The file that a page plays for a clip: the character's own with its mesh if there is one, else bones.
pub(crate) fn glb(skeleton: &Skeleton, clip: &Clip, document: Option<&Document>) -> Result<Vec<u8>, Failure> {
    let new = [new_clip(clip, None)];
    match document {
        Some(document) => write_clips(document, skeleton, &new, &WriteSettings::default()).map_err(Failure::refused),
        None => Ok(glb::write_clips(skeleton, &new)),
    }
}

/// The page of a clip as it is: how it walks, and its contact sheet.
pub(crate) fn of_clip(
    (skeleton, clip): (&Skeleton, &Clip),
    studied: Option<&Studied>,
    document: Option<&Document>,
    skin: Option<&Skin>,
) -> Page {
    let stances = studied.map(|studied| (&studied.rig, &studied.found));
    let shown = studied.map_or(clip, |studied| drawn(studied, clip));
    let said: Vec<String> = studied.and_then(cycle_note).into_iter().collect();
    let picture = sheet::draw(skeleton, shown, skin, stances, &said).finish();
    Page {
        title: clip.name().to_owned(),
        subtitle: String::new(),
        traces: traces(skeleton, clip, studied.map(|studied| (studied, &studied.found)), document),
        facts: facts(skeleton, clip, studied),
        notes: Vec::new(),
        places: Vec::new(),
        charts: vec![Chart { title: "contact sheet".into(), svg: picture }],
        placing: placing(document, skeleton, clip, skin, stances.map(|(_, found)| found)),
        scene: None,
    }
}

/// Refuses a page by any other name.
pub(crate) fn check_name(path: &Path) -> Result<(), Failure> {
    if ["html", "htm"].contains(&ending(path).as_str()) {
        return Ok(());
    }
    Err(Failure::unusable(format!("{}: a page's name ends in .html", path.display())))
}

/// How a clip walks, in few words.
pub(crate) fn facts(skeleton: &Skeleton, clip: &Clip, studied: Option<&Studied>) -> Vec<Fact> {
    let fact = |label: &str, value: String| Fact { label: label.into(), value };
    let mut facts = vec![
        fact("length", format!("{:.2} s, {} Hz", clip.duration(), clip.rate())),
        fact("joints", skeleton.len().to_string()),
    ];
    let Some(studied) = studied else { return facts };
    let analysis = &studied.analysis;
    facts.push(fact("legs", studied.rig.legs.len().to_string()));
    if !analysis.idle && analysis.steps > 0 {
        facts.push(fact("steps", format!("{}, {:.2} a second", analysis.steps, analysis.cadence)));
        facts.push(fact("stride", format!("{:.2} m, {:.2} s", analysis.stride_length, analysis.stride_time)));
    }
    facts.push(fact("turn", format!("{:+.0}°", analysis.pelvis_yaw_net.to_degrees().round() + 0.0)));
    facts
}

/// The page of a clip that was cleaned: figures before and after, where it was worst, and the feet's heights.
pub(crate) fn of_cleaned(done: &CleanedUp, document: Option<&Document>, skin: Option<&Skin>) -> Page {
    let clip = &done.clip();
    let skeleton = &done.before.rig.skeleton;
    let fact = |label: &str, value: String| Fact { label: label.into(), value };
    let (before, after) = (&done.before.figures, &done.figures);
    let change = |a: f32, b: f32| format!("{:.1} → {:.2} mm", a * 1e3, b * 1e3);
    let most = done.pelvis().iter().fold(0.0_f32, |most, v| most.max(v.length()));
    let worst = done.before.seconds(before.drift.worst);
    let mut facts = facts(skeleton, clip, Some(&done.before));
    facts.extend([
        fact("foot drift, median", change(before.drift.median, after.drift.median)),
        fact("foot drift, 95 %", change(before.drift.p95, after.drift.p95)),
        fact("float, 95 %", change(before.float.p95, after.float.p95)),
        fact("penetration, 95 %", change(before.penetration.p95, after.penetration.p95)),
        fact("pelvis moved", format!("{:.0} mm at most", most * 1e3)),
        fact("glitches mended", done.before.repaired.notes.len().to_string()),
    ]);
    Page {
        title: format!("{}, cleaned", clip.name()),
        subtitle: String::new(),
        traces: traces(skeleton, clip, Some((&done.before, &done.found)), document),
        facts,
        notes: vec![format!("Figures are as it came → cleaned. The worst slide was at {worst:.2} s.")],
        places: places(done),
        charts: charts(done),
        placing: placing(document, skeleton, clip, skin, Some(&done.found)),
        scene: None,
    }
}

/// The feet whose paths are drawn: those of the legs, else the lowest joints.
fn traces(
    skeleton: &Skeleton,
    clip: &Clip,
    studied: Option<(&Studied, &Found)>,
    document: Option<&Document>,
) -> Vec<Trace> {
    let index = |joint: JointId| document.map(|document| document.joint(joint).node);
    let Some((studied, found)) = studied else {
        let lowest = Trajectories::new(skeleton, clip).lowest_joints(skeleton).into_iter();
        let trace = |joint: JointId| Trace {
            node: skeleton.name(joint).into(),
            label: skeleton.name(joint).into(),
            side: side_word(skeleton.side(joint)).into(),
            index: index(joint),
            stances: None,
        };
        return lowest.map(trace).collect();
    };
    let (rig, stances) = (&studied.rig, standing(studied, found));
    let trace = |(id, leg): (LegId, &Leg)| {
        let joint = leg.toe.unwrap_or(leg.ankle());
        let seconds = |frame: usize| frame as f32 / clip.rate();
        let own = stances.iter().filter(|s| s.leg == id).map(|s| [seconds(s.frames.start), seconds(s.frames.end)]);
        Trace {
            node: skeleton.name(joint).into(),
            label: foot_name(rig, leg),
            side: side_word(leg.side).into(),
            index: index(joint),
            stances: Some(own.collect()),
        }
    };
    rig.legs().map(trace).collect()
}

/// A side as pages have it.
pub(crate) fn side_word(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::Left) => "left",
        Some(Side::Right) => "right",
        None => "",
    }
}

/// What a leg's foot is called: by its side where that tells it, else by its ankle.
pub(crate) fn foot_name(rig: &Rig, leg: &Leg) -> String {
    let alone = rig.legs.iter().filter(|other| other.side == leg.side).count() == 1;
    match leg.side.filter(|_| alone) {
        Some(Side::Left) => "left foot".into(),
        Some(Side::Right) => "right foot".into(),
        None => rig.skeleton.name(leg.ankle()).into(),
    }
}

/// How a character's scene comes to stand in metres on the ground.
fn placing(
    document: Option<&Document>,
    skeleton: &Skeleton,
    clip: &Clip,
    skin: Option<&Skin>,
    found: Option<&Found>,
) -> Placing {
    let ground = match (skin, found.filter(|found| !found.stances.is_empty())) {
        (Some(skin), _) => lowest(skeleton, clip, skin),
        (None, Some(found)) => found.ground,
        (None, None) => 0.0,
    };
    let (scale, turn) = document.map(Document::model_from_scene).unwrap_or((1.0, surefoot::glam::Quat::IDENTITY));
    Placing { scale, turn: turn.to_array(), ground }
}

/// The height that a skin's lowest point has in a quarter of the frames or is below, metres: the ground, for one that
/// walks or runs.
fn lowest(skeleton: &Skeleton, clip: &Clip, skin: &Skin) -> f32 {
    const LOOKS: usize = 17;
    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::new(skeleton);
    let mut places = vec![Vec3::ZERO; skin.positions.len()];
    let looks = LOOKS.min(clip.frames());
    let mut heights: Vec<f32> = (0..looks)
        .map(|look| {
            let frame = look * (clip.frames() - 1) / (looks - 1).max(1);
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(skeleton, &mut model);
            skin.deform(&model, &mut places);
            let root = clip.roots()[frame];
            places.iter().map(|place| root.transform_point((*place).into()).y).fold(f32::INFINITY, f32::min)
        })
        .collect();
    heights.sort_by(f32::total_cmp);
    heights[looks / 4]
}

/// Where feet slid most, for a look at how they stand now.
fn places(done: &CleanedUp) -> Vec<Place> {
    let before = &done.before;
    let clip = &before.repaired.clip;
    // Of a cycle one round is enough: the others slide alike.
    let shown = |slide: &Slide| before.cycle.as_ref().is_none_or(|cycle| cycle.frames.contains(&slide.frame));
    let worst = slides(&before.rig, clip, &before.found).into_iter().filter(shown).take(4);
    let place = |slide: Slide| {
        let foot = foot_name(&before.rig, &before.rig.legs[slide.leg.index()]);
        let point = if slide.heel { "heel" } else { "ball" };
        let label = format!("{foot}: the {point} slid {:.0} mm", slide.drift * 1e3);
        Place { time: before.seconds(slide.frame), label }
    };
    worst.map(place).collect()
}

/// Height of each foot over the ground, before and after.
fn charts(done: &CleanedUp) -> Vec<Chart> {
    let before = &done.before;
    let clip = &before.repaired.clip;
    let heights = |clip: &Clip| -> Vec<Vec<f32>> {
        let of_foot = |track: &FootTrack| {
            let low = track.heels.iter().zip(&track.balls).map(|(heel, ball)| heel.y.min(ball.y));
            low.map(|y| (y - before.found.ground) * 100.0).collect()
        };
        FootTrack::of_all(&before.rig, clip).iter().map(of_foot).collect()
    };
    let (old, new) = (heights(clip), heights(&done.cleaned.clip));
    let chart = |(i, leg): (usize, &Leg)| {
        let title = "height of the sole over the ground, cm";
        let svg = sheet::compare(title, clip.rate(), leg.side, &old[i], &new[i]);
        Chart { title: format!("{}, before and after", foot_name(&before.rig, leg)), svg: svg.finish() }
    };
    before.rig.legs.iter().enumerate().map(chart).collect()
}
