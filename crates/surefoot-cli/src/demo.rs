//! `surefoot demo`: the main job on embedded data, for a first look.

use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use std::fmt::Write as _;
use std::path::PathBuf;
use surefoot::systems::{CleanUp, CleanedUp};
use surefoot_io::bvh::{self, BvhWriter};
use surefoot_io::page::Page;
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
    let captured = sheet::draw(&skeleton, &clips[0], None, Some((rig, &done.before.found)), &["as captured".into()]);
    let cleaned = sheet::draw(&skeleton, clip, None, Some((rig, &done.found)), &["repaired and cleaned".into()]);
    let files = [
        (&paths[0], body.clone(), "the character, for Blender, Unity, Unreal, Godot, Bevy or any glTF viewer"),
        (&paths[1], bvh::write(&skeleton, clip, &BvhWriter::default()).into_bytes(), "the motion, in metres"),
        (&paths[2], cleaned.png(), "a contact sheet: poses, footprints, curves"),
        (&paths[3], captured.png(), "the same before it was cleaned"),
        (&paths[4], page(&done, source.shows).html(&body).into_bytes(), "a page that plays it: open it in a browser"),
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

/// The page, with what is said of where the data comes from.
fn page(done: &CleanedUp, shows: &str) -> Page {
    let mut page = crate::page::of_cleaned(done, None, None);
    page.title = format!("CMU {}", page.title);
    page.subtitle = shows.to_owned();
    page.notes.push(
        "The data was obtained from mocap.cs.cmu.edu; the database was created with funding from NSF EIA-0196217."
            .into(),
    );
    page
}
