//! `surefoot demo`: the main job on embedded data, for a first look.

use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use std::fmt::Write as _;
use std::path::PathBuf;
use surefoot::analyse::FootTrack;
use surefoot::metrics::{Slide, slides};
use surefoot::motion::{Clip, Trajectories};
use surefoot::rig::{JointId, Leg, Side, Skeleton};
use surefoot::systems::{CleanUp, CleanedUp};
use surefoot_io::bvh::{self, BvhWriter};
use surefoot_io::page::{Chart, Fact, Page, Place, Trace};
use surefoot_io::{Import, embedded, glb, sheet};

/// Clean the feet of a captured walk and write it as GLB, BVH, pictures and a web page, from data that is built in
///
/// The clip is CMU 47_01: a walk with a U-turn and a turn, captured from a person. The page plays it in any browser
/// without a network.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where to put the files
    #[arg(long, value_name = "FOLDER", default_value = "surefoot-demo")]
    out: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot demo                   writes surefoot-demo/
  surefoot demo --out elsewhere   writes elsewhere/
  surefoot demo --force           writes it again";

/// The clip that is shown.
const CLIP: &str = "47_01";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let file = |name: &str| args.out.join(format!("{CLIP}{name}"));
    let paths = [".glb", ".bvh", ".png", "-as-captured.png", ".html"].map(file);
    args.output.check(&paths)?;

    let source = embedded::find(CLIP).ok_or_else(|| Failure::unusable(format!("{CLIP} is not built in")))?;
    let Import { skeleton, clips, .. } = source.import();
    let done = CleanUp::default().run(&skeleton, &clips[0]).map_err(Failure::refused)?;
    let clip = &done.cleaned.clip;
    let body = glb::write(&skeleton, std::slice::from_ref(clip));
    let rig = &done.before.rig;
    let captured = sheet::draw(&skeleton, &clips[0], Some((rig, &done.before.found)), &["as captured".into()]);
    let cleaned = sheet::draw(&skeleton, clip, Some((rig, &done.found)), &["repaired and cleaned".into()]);
    let files = [
        (&paths[0], body.clone(), "the character, for Blender, Unity, Unreal, Godot, Bevy or any glTF viewer"),
        (&paths[1], bvh::write(&skeleton, clip, &BvhWriter::default()).into_bytes(), "the motion, in metres"),
        (&paths[2], cleaned.png(), "a contact sheet: poses, footprints, curves"),
        (&paths[3], captured.png(), "the same before it was cleaned"),
        (
            &paths[4],
            page(&skeleton, &done, source.shows).html(&body).into_bytes(),
            "a page that plays it: open it in a browser",
        ),
    ];
    let (before, after) = (&done.before.figures.drift, &done.figures.drift);
    let mut said = format!(
        "Read CMU {CLIP} ({}): {} joints, {} frames at {} Hz, {:.2} s.
Mended {} glitches, found {} stances, held every one at its print: feet slid by {:.1} mm (95th percentile), now by {:.2}.\n",
        source.shows,
        skeleton.len(),
        clip.frames(),
        clip.rate(),
        clip.duration(),
        done.before.repaired.notes.len(),
        done.before.found.stances.len(),
        before.p95 * 1e3,
        after.p95 * 1e3,
    );
    let wide = paths.iter().map(|p| p.display().to_string().len()).max().unwrap_or(0);
    for (path, bytes, what) in files {
        output::write(path, &bytes)?;
        let _ = writeln!(said, "  {:wide$}  {:>7}  {what}", path.display().to_string(), output::size(bytes.len()));
    }
    said.push_str(
        "
Next, with a motion file of your own:
  surefoot inspect walk.bvh               what it is, and what was assumed about it
  surefoot analyse walk.bvh               how it walks: steps, strides, stances
  surefoot clean walk.bvh -o clean.glb    stop its feet from sliding
  surefoot picture walk.bvh -o walk.png
(`cargo run --release -- inspect walk.bvh` where surefoot is not installed; `--help` explains each.)
",
    );
    Ok(said)
}

fn page(skeleton: &Skeleton, done: &CleanedUp, shows: &str) -> Page {
    let clip = &done.cleaned.clip;
    let trajectories = Trajectories::new(skeleton, clip);
    let fact = |label: &str, value: String| Fact { label: label.into(), value };
    let analysis = &done.before.analysis;
    let (before, after) = (&done.before.figures, &done.figures);
    let change = |a: f32, b: f32| format!("{:.1} → {:.2} mm", a * 1e3, b * 1e3);
    let most = done.cleaned.pelvis.iter().fold(0.0_f32, |most, v| most.max(v.length()));
    let worst = before.drift.worst as f32 / clip.rate();
    Page {
        title: format!("CMU {}, cleaned", clip.name()),
        subtitle: shows.to_owned(),
        traces: trajectories.lowest_joints(skeleton).into_iter().map(|joint| trace(skeleton, joint)).collect(),
        facts: vec![
            fact("length", format!("{:.2} s, {} Hz", clip.duration(), clip.rate())),
            fact("steps", format!("{}, {:.2} a second", analysis.steps, analysis.cadence)),
            fact("stride", format!("{:.2} m, {:.2} s", analysis.stride_length, analysis.stride_time)),
            fact("turn", format!("{:+.0}°", analysis.pelvis_yaw_net.to_degrees())),
            fact("foot drift, median", change(before.drift.median, after.drift.median)),
            fact("foot drift, 95 %", change(before.drift.p95, after.drift.p95)),
            fact("float, 95 %", change(before.float.p95, after.float.p95)),
            fact("penetration, 95 %", change(before.penetration.p95, after.penetration.p95)),
            fact("pelvis moved", format!("{:.0} mm at most", most * 1e3)),
            fact("glitches mended", done.before.repaired.notes.len().to_string()),
        ],
        notes: vec![
            format!("Figures are as captured → cleaned. The worst slide was at {worst:.2} s."),
            "The data was obtained from mocap.cs.cmu.edu; the database was created with funding from NSF EIA-0196217."
                .into(),
        ],
        places: places(done),
        charts: charts(done),
    }
}

/// Where feet slid most in the capture, for a look at how they stand now.
fn places(done: &CleanedUp) -> Vec<Place> {
    let before = &done.before;
    let clip = &before.repaired.clip;
    let worst = slides(&before.rig, clip, &before.found).into_iter().take(4);
    let place = |slide: Slide| {
        let side = if before.rig.legs[slide.leg.index()].side == Some(Side::Left) { "left" } else { "right" };
        let point = if slide.heel { "heel" } else { "ball" };
        let label = format!("{side} {point} slid {:.0} mm in the capture", slide.drift * 1e3);
        Place { time: slide.frame as f32 / clip.rate(), label }
    };
    worst.map(place).collect()
}

/// Height of each foot over the ground, before and after.
fn charts(done: &CleanedUp) -> Vec<Chart> {
    let before = &done.before;
    let clip = &before.repaired.clip;
    let heights = |clip: &Clip, leg: usize| -> Vec<f32> {
        let track = &FootTrack::of_all(&before.rig, clip)[leg];
        let low = track.heels.iter().zip(&track.balls).map(|(heel, ball)| heel.y.min(ball.y));
        low.map(|y| (y - before.found.ground) * 100.0).collect()
    };
    let chart = |(i, leg): (usize, &Leg)| {
        let side = if leg.side == Some(Side::Left) { "left" } else { "right" };
        let (old, new) = (heights(clip, i), heights(&done.cleaned.clip, i));
        let svg = sheet::compare("height of the sole over the ground, cm", clip.rate(), leg.side, &old, &new);
        Chart { title: format!("{side} foot, as captured and cleaned"), svg: svg.finish() }
    };
    before.rig.legs.iter().enumerate().map(chart).collect()
}

fn trace(skeleton: &Skeleton, joint: JointId) -> Trace {
    let (side, label) = match skeleton.side(joint) {
        Some(Side::Left) => ("left", "left foot"),
        Some(Side::Right) => ("right", "right foot"),
        None => ("", skeleton.name(joint)),
    };
    Trace { node: skeleton.name(joint).into(), label: label.into(), side: side.into() }
}
