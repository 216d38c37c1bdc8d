//! `surefoot graph walk`: a walk at random along a graph.

use super::load;
use crate::body::{Body, CharacterArgs};
use crate::check::{self, CheckArgs};
use crate::failure::Failure;
use crate::format::{Format, Kind, new_walk};
use crate::number::within;
use crate::output::{self, OutputArgs};
use crate::page;
use std::fmt::Write as _;
use std::path::PathBuf;
use surefoot::math::FloorPose;
use surefoot::metrics::{CheckMotion, FootFigures, Footing};
use surefoot::random::Seed;
use surefoot::stages::{Analyse, Wander, Worst};
use surefoot::systems::WalkGraph;
use surefoot_view::report;
use surefoot_view::shown_clip::{ShownClip, ShownFeet};

/// Walk along a graph at random, with feet that stand, and write the motion
///
/// The quickest look at what a graph gives: it never gets stuck and never repeats itself for long. The same seed walks the same
/// way.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The graph; the word embedded stands for the one that is compiled in
    #[arg(value_name = "G")]
    graph: PathBuf,
    /// The file to write; its ending chooses the format (.bvh or .glb)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// How long to walk, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = within("the time in seconds", 0.1..=3600.0))]
    seconds: f32,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Also write a web page that plays it
    #[arg(long, value_name = "X.html")]
    page: Option<PathBuf>,
    #[command(flatten)]
    who: CharacterArgs,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    check: CheckArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot graph walk walks.graph -o walk.glb
  surefoot graph walk embedded --character knight.glb -o knight.glb
  surefoot graph walk walks.graph --seconds 60 --seed 7 -o walk.bvh --page walk.html";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = Format::kind(&args.output)?;
    args.page.as_deref().map_or(Ok(()), page::check_name)?;
    let outputs: Vec<PathBuf> = std::iter::once(&args.output).chain(&args.page).cloned().collect();
    args.out.check(&std::iter::once(&args.graph).chain(args.who.files()).collect::<Vec<_>>(), &outputs)?;
    let mut graph = load(&args.graph)?;
    let body = args.who.load()?;
    if let Some(body) = &body {
        graph = body.bring(&graph)?.graph;
    }
    let own = body.as_ref().map(Body::own).unwrap_or_default();
    let wander = Wander { seconds: args.seconds, seed: Seed(args.seed), ..Wander::default() };
    let edges = wander.run(&graph);
    if edges.is_empty() {
        let name = args.graph.display();
        return Err(Failure::refused(format!(
            "{name}: no clips are joined into a loop, so a walk could not go on; `surefoot graph report` tells more"
        )));
    }
    let mut walked = WalkGraph::default().run(&graph, FloorPose::ORIGIN, &edges);
    let mut clip = walked.take.clip.clone().named(format!("walk {}", args.seed));
    let new = new_walk(&clip, &graph.rig, &walked.take);
    let skeleton = &graph.rig.skeleton;
    let bytes = args.format.encode(kind, own, skeleton, &new)?;
    if let Some(exported) = check::exported(args.format.read_back(kind, own, skeleton, &clip, &bytes)) {
        // Figures are of what the file gives back.
        clip = exported.shown_in(skeleton, &clip, |frame| frame);
        walked.take.clip = clip.clone();
    }
    args.check.judge(&walked.check(&CheckMotion::default(), &graph, Footing::default()), skeleton)?;
    output::write(&args.output, &bytes)?;
    if let Some(path) = &args.page {
        let glb = match kind {
            Kind::Glb => &bytes,
            Kind::Bvh => &page::glb(&graph.rig.skeleton, &clip, own)?,
        };
        let shown = ShownClip {
            skeleton: &graph.rig.skeleton,
            clip: &clip,
            feet: Some(ShownFeet { rig: &graph.rig, take: &walked.take, cycle: None }),
            analysis: Some(&Analyse::default().run(&graph.rig, &walked.take)),
            skin: own.skin,
        };
        let file = own.document.filter(|_| kind == Kind::Bvh || args.format.own_mesh());
        let mut page = shown.page(file.map(|document| page::own_file(document, &graph.rig.skeleton)).as_ref());
        page.subtitle = args.graph.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        output::write(path, page.html(glb).as_bytes())?;
    }
    let figures = walked.measure(&graph, Footing::default());
    let mut out = String::new();
    let (frames, blends) = (clip.frames(), walked.seams.len());
    let _ = writeln!(
        out,
        "{}: {frames} frames at {} Hz, {}",
        args.output.display(),
        clip.rate(),
        output::size(bytes.len())
    );
    report::row(&mut out, "blends", format!("{blends}, one in {:.1} s", clip.duration() / blends.max(1) as f32));
    let drift =
        |figures: &FootFigures| format!("{:.2} mm, {:.2} at most", 1e3 * figures.drift.p95, 1e3 * figures.drift.max);
    report::row(
        &mut out,
        "foot drift",
        format!("95 % within {}; as played {}", drift(&figures.after), drift(&figures.before)),
    );
    let worst = |worst: Worst| {
        let (name, at) = (graph.rig.skeleton.name(worst.joint), worst.frame as f32 / clip.rate());
        format!("{:.2} times ({name} at {at:.2} s)", worst.ratio)
    };
    let (speed, acceleration) = (worst(figures.joints.speed), worst(figures.joints.acceleration));
    report::row(
        &mut out,
        "seams",
        format!("joints turn {speed} as fast and {acceleration} as hard as in the clips at most"),
    );
    Ok(out)
}
