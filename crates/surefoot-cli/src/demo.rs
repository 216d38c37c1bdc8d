//! `surefoot demo`: the main job on embedded data, for a first look.

use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use std::fmt::Write as _;
use std::path::PathBuf;
use surefoot::motion::{Clip, Trajectories};
use surefoot::rig::{JointId, Side, Skeleton};
use surefoot_io::bvh::{self, BvhWriter};
use surefoot_io::page::{Fact, Page, Trace};
use surefoot_io::{Import, embedded, glb, sheet};

/// Write a walk as GLB, BVH, a picture and a web page, from data that is built in
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
    let file = |ending: &str| args.out.join(format!("{CLIP}.{ending}"));
    let paths = ["glb", "bvh", "png", "html"].map(file);
    args.output.check(&paths)?;

    let source = embedded::find(CLIP).ok_or_else(|| Failure::unusable(format!("{CLIP} is not built in")))?;
    let Import { skeleton, clips, source: facts, .. } = source.import();
    let clip = &clips[0];
    let body = glb::write(&skeleton, &clips);
    let files = [
        (&paths[0], body.clone(), "the character, for Blender, Unity, Unreal, Godot, Bevy or any glTF viewer"),
        (&paths[1], bvh::write(&skeleton, clip, &BvhWriter::default()).into_bytes(), "the motion, in metres"),
        (&paths[2], sheet::draw(&skeleton, clip, &[]).png(), "a contact sheet: poses, footprints, curves"),
        (
            &paths[3],
            page(&skeleton, clip, source.shows).html(&body).into_bytes(),
            "a page that plays it: open it in a browser",
        ),
    ];
    let mut said = format!(
        "Read CMU {CLIP} ({}): {} joints, {} frames at {} Hz, {:.2} s; 1 unit was {:.6} m.\n",
        source.shows,
        skeleton.len(),
        clip.frames(),
        clip.rate(),
        clip.duration(),
        facts.unit.value.metres()
    );
    let wide = paths.iter().map(|p| p.display().to_string().len()).max().unwrap_or(0);
    for (path, bytes, what) in files {
        output::write(path, &bytes)?;
        let _ = writeln!(said, "  {:wide$}  {:>7}  {what}", path.display().to_string(), output::size(bytes.len()));
    }
    let _ = write!(
        said,
        "\nNext, with a motion file of your own:
  surefoot inspect walk.bvh            what it is, and what was assumed about it
  surefoot convert walk.bvh walk.glb   for any viewer or engine
  surefoot picture walk.bvh -o walk.png
(`cargo run --release -- inspect walk.bvh` where surefoot is not installed; `--help` explains each.)\n"
    );
    Ok(said)
}

fn page(skeleton: &Skeleton, clip: &Clip, shows: &str) -> Page {
    let trajectories = Trajectories::new(skeleton, clip);
    let fact = |label: &str, value: String| Fact { label: label.into(), value };
    let path = trajectories.floor_length(skeleton.pelvis());
    Page {
        title: format!("CMU {}", clip.name()),
        subtitle: shows.to_owned(),
        traces: trajectories.lowest_joints(skeleton).into_iter().map(|joint| trace(skeleton, joint)).collect(),
        facts: vec![
            fact("length", format!("{:.2} s", clip.duration())),
            fact("frames", format!("{} at {} Hz", clip.frames(), clip.rate())),
            fact("joints", skeleton.len().to_string()),
            fact("hips' path", format!("{path:.2} m")),
            fact("mean speed", format!("{:.2} m/s", path / clip.duration())),
            fact("turn", format!("{:+.0}°", clip.net_turn(skeleton).to_degrees())),
        ],
        notes: vec![
            "As captured: nothing has been cleaned yet.".into(),
            "The data was obtained from mocap.cs.cmu.edu; the database was created with funding from NSF EIA-0196217."
                .into(),
        ],
    }
}

fn trace(skeleton: &Skeleton, joint: JointId) -> Trace {
    let (side, label) = match skeleton.side(joint) {
        Some(Side::Left) => ("left", "left foot"),
        Some(Side::Right) => ("right", "right foot"),
        None => ("", skeleton.name(joint)),
    };
    Trace { node: skeleton.name(joint).into(), label: label.into(), side: side.into() }
}
