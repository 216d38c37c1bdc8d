//! `surefoot graph build`: clips become a graph.

use super::clips::ClipArgs;
use super::summary;
use crate::failure::Failure;
use crate::number::{frame_rate, within};
use crate::output::{self, OutputArgs};
use crate::progress;
use std::path::PathBuf;
use std::time::Instant;
use surefoot::glam::Vec3A;
use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::math::Rigid;
use surefoot::motion::Take;
use surefoot::stages::MakeStop;
use surefoot::stages::Rule;
use surefoot_io::graph_file;

/// Build a graph from clips of one body
///
/// Clips are repaired, their stances found, and every frame compared with every other. The threshold is chosen from the clips:
/// the least at which the largest part that holds together has most of what can be kept, but never more than the median
/// distance of frames 0.1 s apart in one clip. Clips of other bodies are carried over to the one that most of the
/// time was recorded on.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The graph to write
    #[arg(short, long, value_name = "G")]
    output: PathBuf,
    /// Frames per second of the graph
    #[arg(long, value_name = "FPS", default_value = "30", value_parser = frame_rate)]
    fps: f32,
    /// How similar frames must be to be joined: auto, or the root mean square distance over the body in metres
    #[arg(long, value_name = "auto|METRES", default_value = "auto", value_parser = threshold)]
    threshold: Threshold,
    /// How transitions are picked: regions stay similar for the whole blend, minima only in its middle (more of them, less safe)
    #[arg(long, value_name = "RULE", default_value = "regions")]
    rule: RuleArg,
    /// How long a blend takes, seconds; 0.43 if not given
    #[arg(long, value_name = "SECONDS", value_parser = within("a blend in seconds", 0.01..=10.0))]
    blend: Option<f32>,
    /// How many frames on either side of a frame are compared with it
    #[arg(long, value_name = "FRAMES", default_value = "2", value_parser = clap::value_parser!(u8).range(0..=64))]
    window: u8,
    /// With --threshold auto: how much of the clips must stay usable, as a share of what could be, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.8", value_parser = within("a share", 0.0..=1.0))]
    keep: f32,
    /// Look for transitions only between these clips: A:B,C:D by name; A:A within one clip
    #[arg(long, value_name = "A:B,C:D")]
    pairs: Option<String>,
    /// Do not make stops; otherwise walks that never stand get some, so that a character can start and arrive
    #[arg(long)]
    no_stop: bool,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    clips: ClipArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot graph build embedded --mirror -o walks.graph     without data of your own
  surefoot graph build captures/ -o walks.graph             all motion files below a folder
  surefoot graph build knight.glb -o knight.graph           all clips of a character
  surefoot graph build captures/ -o walks.graph --threshold 0.05 --rule minima
  surefoot graph build a.bvh b.bvh c.bvh -o g.graph --pairs a:b,b:c   only these may be joined";

#[derive(Clone, Copy, clap::ValueEnum)]
enum RuleArg {
    Regions,
    Minima,
}

/// `None` chooses one.
type Threshold = Option<f32>;

fn threshold(text: &str) -> Result<Threshold, String> {
    match text.parse::<f32>() {
        _ if text == "auto" => Ok(None),
        Ok(metres) if (1e-4..=10.0).contains(&metres) => Ok(Some(metres)),
        _ => Err(format!("{text:?} is not a threshold: say auto, or metres from 0.0001 to 10, such as 0.05")),
    }
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    args.out.check(&[], std::slice::from_ref(&args.output))?;
    let mut settings = BuildGraph {
        rate: args.fps,
        window: usize::from(args.window),
        rule: match args.rule {
            RuleArg::Regions => Rule::Regions,
            RuleArg::Minima => Rule::Minima,
        },
        threshold: args.threshold,
        keep: args.keep,
        ..BuildGraph::default()
    };
    settings.blend = args.blend.unwrap_or(settings.blend);
    let start = Instant::now();
    let mut gathering = args.clips.gather(&settings, None, &[])?;
    let studied = start.elapsed();
    settings.anim_pairs = args.pairs.as_deref().map(|text| pairs("--pairs", text, &gathering.takes)).transpose()?;
    let bar = progress::bar("comparing frames", 0);
    let graph = settings.run_watched(&gathering.rig, &gathering.takes, &progress::follow(&bar));
    bar.finish_and_clear();
    let mut graph = graph.map_err(Failure::refused)?;
    if !args.no_stop && !graph.stands() {
        let (stopped, names) = MakeStop::default().run(graph).map_err(Failure::refused)?;
        graph = stopped;
        gathering.notes.push(about_stops(&names, graph.stands()));
    }
    gathering.notes.extend(about_walks(&graph));
    let compared = start.elapsed() - studied;
    let bytes = graph_file::write(&graph);
    output::write(&args.output, &bytes)?;
    if args.json {
        let mut value = summary::json(&graph);
        value["notes"] = gathering.notes.into();
        return Ok(format!("{value:#}\n"));
    }
    let title = format!("{}, {}", args.output.display(), output::size(bytes.len()));
    let mut out = summary::in_words(&title, &graph);
    summary::times(&mut out, studied, compared);
    out.extend(gathering.notes.iter().map(|note| format!("{note}\n")));
    Ok(out)
}

/// What was done for clips that walk and never stand.
fn about_stops(names: &[String], stands: bool) -> String {
    match (names, stands) {
        ([], _) => "note: no walk here comes to a stand, and none could be stopped: walks begin and end on the move; add a clip \
                    that walks and stops"
            .into(),
        (_, false) => "note: no walk here comes to a stand, and the stops that were made do not hold together with the rest: \
                       walks begin and end on the move; add a clip that walks and stops"
            .into(),
        (names, true) => format!(
            "note: no walk here comes to a stand; stops were made of walking, to start and arrive with: {} (--no-stop \
             leaves them out)",
            names.join(", ")
        ),
    }
}

/// Clips this fast go somewhere, leg lengths a second: slow walks do.
const GOES: f32 = 0.8;
/// Over a quarter of a second walks keep this share of their mean speed ahead: attacks lunge and draw back.
const KEEPS_ON: f32 = 0.4;
/// They go where they face, to this cosine: what goes aside or backwards does not.
const AHEAD: f32 = 0.7;
/// A walk has a foot down for this share of its time: a run has not.
const DOWN: f32 = 0.9;

/// Whether a take goes on and on where it faces.
fn goes_on(take: &Take, leg: f32) -> bool {
    let (roots, rate) = (take.clip.roots(), take.clip.rate());
    let way = (roots[roots.len() - 1].translation - roots[0].translation).with_y(0.0);
    let speed = way.length() / take.clip.duration().max(0.1);
    let quarter = ((0.25 * rate).round() as usize).clamp(1, roots.len().max(2) - 1);
    let keeps_on = |pair: &[Rigid]| {
        let (from, to) = (pair[0], pair[pair.len() - 1]);
        let step = (to.translation - from.translation).dot(way.normalize_or_zero());
        let facing = from.rotation * Vec3A::Z;
        step > KEEPS_ON * speed * quarter as f32 / rate && facing.dot(way.normalize_or_zero()) > AHEAD
    };
    speed > GOES * leg && roots.windows(quarter + 1).all(keeps_on)
}

/// Whether a foot is down nearly all the time.
fn walks(take: &Take) -> bool {
    let (frames, rate) = (take.clip.frames(), take.clip.rate());
    let down = |f: &usize| take.stances.iter().any(|stance| stance.time.contains(*f as f32 / rate));
    (0..frames).filter(down).count() as f32 > DOWN * frames as f32
}

/// Which clips to take where those that hold together go nowhere: the ones that walk, or run if none does.
fn about_walks(graph: &MotionGraph) -> Option<String> {
    let leg = graph.rig.leg_length();
    let going: Vec<usize> = (0..graph.takes.len()).filter(|take| goes_on(&graph.takes[*take], leg)).collect();
    let kept = |take: &usize| summary::spans(graph)[*take].is_some();
    if going.is_empty() || going.iter().any(kept) {
        return None;
    }
    let walking: Vec<usize> = going.iter().copied().filter(|take| walks(&graph.takes[*take])).collect();
    let (verb, some) = if walking.is_empty() { ("run", going) } else { ("walk", walking) };
    let name = |take: &usize| graph.takes[*take].clip.name().rsplit('/').next().unwrap_or_default();
    let mut names: Vec<&str> = some.iter().map(name).filter(|name| !name.ends_with(" mirrored")).collect();
    names.dedup();
    Some(format!(
        "note: what holds together goes nowhere. Clips that {verb}: take them alone, perhaps fewer that are alike: --clip \"{}\"",
        names.join(",")
    ))
}

/// Pairs of clips by their names, which may hold colons themselves; `option` is who asks.
pub(crate) fn pairs(option: &str, text: &str, takes: &[Take]) -> Result<Vec<(usize, usize)>, Failure> {
    let find = |name: &str| takes.iter().position(|take| take.clip.name() == name.trim());
    let one = |pair: &str| {
        let splits = pair.match_indices(':').map(|(at, _)| (&pair[..at], &pair[at + 1..]));
        let found = splits.clone().find_map(|(a, b)| Some((find(a)?, find(b)?)));
        found.ok_or_else(|| {
            let names: Vec<&str> = takes.iter().map(|take| take.clip.name()).collect();
            Failure::unusable(format!("{option}: {pair:?} is not A:B of two clips; there are {}", names.join(", ")))
        })
    };
    text.split(',').map(one).collect()
}
