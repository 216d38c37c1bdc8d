//! `surefoot follow`: a character walks along a drawn path, on legs of any length.

mod kept;
mod said;
mod typed;

use crate::body::{Body, CharacterArgs};
use crate::check::{self, CheckArgs};
use crate::failure::Failure;
use crate::format::{Format, Kind, Own, new_walk};
use crate::graph::{self, ClipArgs};
use crate::number::within;
use crate::output::{self, OutputArgs};
use crate::{page, picture, progress};
use kept::Kept;
use said::Times;
use std::path::PathBuf;
use std::time::Instant;
use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::metrics::{CheckMotion, Footing, measure_feet};
use surefoot::motion::{AsTheClip, Clip, Froude, Pullens, ScalePlan, SpeedLaw};
use surefoot::rig::Skeleton;
use surefoot::stages::{BranchAndBound, FollowPath, ProveBound, ScaleLegs};
use surefoot::systems::{Follow, FollowError, FollowedPath, PathToFollow};
use surefoot_io::gltf::NewClip;
use surefoot_io::graph_file;
use surefoot_view::followed::ShownFollowed;
use typed::{TypedPath, typed_path};

/// Walk along a drawn path on a motion graph, on legs that may be longer or shorter than the actor's, or change on the way
///
/// The walk of the graph is found that stays nearest to the path, with steps as long as the legs make them by then; its clips are
/// played as fast as legs of that length go; then every foot is held where it stands. Without --graph and without clips the walks
/// that are compiled in are used; of clips a graph is built first.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The path: points x,z on the floor in metres, joined by straight lines ("0,0 0,6 4,10"), or a file with one point on each line
    #[arg(long, value_name = "X,Z X,Z…", value_parser = typed_path, allow_hyphen_values = true)]
    path: TypedPath,
    /// Length of the legs, as a multiple of the actor's: "0.5" for the whole walk, "0:1 5:0.5 9:1.6" at seconds of the walk, or
    /// changes as start,scale,end: "5,0.5,7 9,1.6,12"
    #[arg(long, visible_alias = "scale-planning", alias = "scale_planning", value_name = "PLAN", default_value = "1")]
    scale: ScalePlan,
    /// How speed grows with the legs
    #[arg(long, value_name = "LAW", default_value = "pullens")]
    law: Law,
    /// The file to write; its ending chooses the format (.glb or .bvh)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// The motion graph, made by `surefoot graph build`; without it and without clips, the embedded one
    #[arg(long, value_name = "G", conflicts_with_all = ["clips", "embedded"])]
    graph: Option<PathBuf>,
    /// When clips are given: how similar frames must be to be joined, root mean square distance over the body in metres; chosen
    /// automatically if not given
    #[arg(long, alias = "motion_graph_threshold", value_name = "METRES", value_parser = within("a threshold in metres", 1e-4..=10.0))]
    motion_graph_threshold: Option<f32>,
    /// When clips are given: join only these pairs, A:B,C:D by name; A:A joins a clip with itself
    #[arg(long, alias = "anim_pairs", value_name = "A:B,C:D")]
    anim_pairs: Option<String>,
    /// When clips are given: how long the blend from one into the next takes, seconds; 0.43 if not given
    #[arg(long, value_name = "SECONDS", value_parser = within("a blend in seconds", 0.01..=10.0))]
    blend: Option<f32>,
    /// Use the published branch-and-bound search, for comparison: commit to the best walk each time it has gone this many metres
    #[arg(long, alias = "iteration_length", value_name = "METRES", value_parser = within("a length in metres", 0.1..=1e4))]
    iteration_length: Option<f32>,
    /// With --iteration-length: stop searching once a walk's error is below this (squared distances from the path, summed over frames)
    #[arg(long, alias = "iteration_threshold", value_name = "M2", value_parser = within("an error in m²", 0.0..=1e9))]
    iteration_threshold: Option<f32>,
    /// With --iteration-length: how many moves to examine before settling for the first complete walk
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = clap::value_parser!(u32).range(1..=2_000_000_000))]
    iteration_moves: u32,
    /// How many candidate walks are kept during the search; more comes nearer to the path, but is slower
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    width: Option<u16>,
    /// Also prove how near any walk of the graph could come to the path (legs of one length only; may take seconds)
    #[arg(long)]
    prove: bool,
    /// How much spine, head and arms grow with the legs: 0 not at all, 1 in proportion
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = within("a share", 0.0..=1.0))]
    body: f32,
    /// Length of each leg relative to the others, in the rig's order: "1,0.95"
    #[arg(long, value_name = "L,R", value_delimiter = ',', value_parser = within("a scale of a leg", 0.5..=2.0))]
    each_leg: Vec<f32>,
    /// Play a saved walk instead of searching for one; graph and scale must be those it was found with
    #[arg(long, value_name = "X.json", conflicts_with_all = ["iteration_length", "iteration_threshold"])]
    walk: Option<PathBuf>,
    /// Save the graph to this file
    #[arg(long, value_name = "G")]
    graph_out: Option<PathBuf>,
    /// Save the walk to this file: which parts of the graph are played
    #[arg(long, value_name = "X.json")]
    walk_out: Option<PathBuf>,
    /// Save the footsteps to this file: where and when each foot stands
    #[arg(long, value_name = "X.json")]
    footsteps_out: Option<PathBuf>,
    /// Save where root and feet are in every frame to this file
    #[arg(long, value_name = "X.json")]
    trace_out: Option<PathBuf>,
    /// Draw the path with the walk, its footprints and its time; .png or .svg
    #[arg(long, value_name = "X.png|X.svg")]
    picture: Option<PathBuf>,
    /// Also write a web page that plays the walk along the path
    #[arg(long, value_name = "X.html")]
    page: Option<PathBuf>,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    who: CharacterArgs,
    #[command(flatten)]
    check: CheckArgs,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    of: ClipArgs,
}

/// How speed grows with legs.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub(crate) enum Law {
    /// As l^0.7, by preferred walking speeds of people (Pullens 2013)
    Pullens,
    /// As l^0.5, as bodies of one shape move alike
    Froude,
    /// As l: steps keep the time that they have in the clips
    Clip,
}

const EXAMPLES: &str = "Examples:
  surefoot follow --path \"0,0 0,6 4,10\" -o walk.glb --picture walk.png --page walk.html
  surefoot follow --path \"0,0 0,6 4,10\" --scale \"0:1 5:0.5 9:1.6\" -o grows.glb          legs change on the way
  surefoot follow --path scenarios/bends.path --scale 0.5 --law froude -o small.glb --json
  surefoot follow 47_01.bvh --mirror --path scenarios/bends.path --graph-out g.graph --walk-out w.json -o walk.glb
  surefoot follow --graph g.graph --walk w.json --path scenarios/bends.path -o again.glb    the walk that was kept
  surefoot follow --path \"0,0 0,9\" --scale \"2:1 5:1.6\" --character knight.glb -o knight.glb         on your own character
  surefoot follow --path scenarios/bends.path --iteration-length 2.5 -o published.glb       as the thesis searched";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let kind = Format::kind(&args.output)?;
    args.picture.as_deref().map_or(Ok(()), picture::check_name)?;
    args.page.as_deref().map_or(Ok(()), page::check_name)?;
    let kept = [&args.graph_out, &args.walk_out, &args.footsteps_out, &args.trace_out];
    let others = [&args.picture, &args.page].into_iter().chain(kept).flatten();
    let outputs: Vec<PathBuf> = std::iter::once(&args.output).chain(others).cloned().collect();
    let inputs = args.graph.iter().chain(&args.walk).chain(&args.path.file).chain(args.who.files());
    args.out.check(&inputs.collect::<Vec<_>>(), &outputs)?;
    let mut times = Times::default();
    let start = Instant::now();
    let (mut graph, name) = args.graph()?;
    let body = args.who.load()?;
    if let Some(body) = &body {
        graph = body.bring(&graph)?.graph;
    }
    times.graph = milliseconds(start);
    let start = Instant::now();
    graph.lay_out();
    times.lay_out = milliseconds(start);
    let law = args.law.law(&graph);
    let wanted = PathToFollow { path: &args.path.path, plan: &args.scale, law: &*law };
    let follow = args.follow();
    let done = match &args.walk {
        Some(file) => follow.play(&graph, Kept::walk(file)?, &wanted),
        None => follow.run(&graph, &wanted),
    };
    let mut done = match done {
        Ok(done) => done,
        Err(why) => {
            let more = match why {
                FollowError::Walk(_) => format!("; surefoot graph report {name} tells what its walks can do"),
                _ => String::new(),
            };
            let why = format!("{why}{more}");
            let said = if args.json { said::refused(&why) } else { String::new() };
            return Err(Failure { said, ..Failure::refused(why) });
        }
    };
    times.add(&done.report.times);
    // A character keeps its own bones: its legs grow by what their joints move.
    let own = body.as_ref().map_or(Own::default(), Body::own);
    let skeleton = if body.is_some() { graph.rig.skeleton.clone() } else { done.rig.skeleton.clone() };
    let file_clip = on_skeleton(&skeleton, &done.take.clip).named(args.path.name.clone());
    let rig = if body.is_some() { &graph.rig } else { &done.rig };
    let new = NewClip { rig: Some(rig), ..new_walk(&file_clip, &done.rig, &done.take) };
    let bytes = args.format.encode(kind, own, &skeleton, &new)?;
    let exported = args.format.read_back(kind, own, &skeleton, &file_clip, &bytes);
    if let Some(exported) = check::exported(exported) {
        // Figures are of what the file gives back.
        let back = exported.shown_in(&skeleton, &file_clip, |frame| frame);
        done.take.clip = on_skeleton(&done.rig.skeleton, &back);
        done.report.after = measure_feet(&done.rig, &done.take, Footing::default());
    }
    let clip = on_skeleton(&done.rig.skeleton, &done.take.clip).named(args.path.name.clone());
    args.check.judge(&done.check(&CheckMotion::default(), &graph), &done.rig.skeleton)?;
    let shown = ShownFollowed {
        graph: &name,
        path: &args.path.path,
        plan: &args.scale,
        law: args.law.name(),
        done: &done,
        clip: &clip,
    };
    output::write(&args.output, &bytes)?;
    if let Some(path) = &args.picture {
        picture::write(path, shown.map())?;
    }
    if let Some(path) = &args.page {
        let new = new_walk(&clip, &done.rig, &done.take);
        let glb = match kind {
            Kind::Glb if body.is_none() => &bytes,
            // The body as bones, with the legs that it starts with.
            _ => &surefoot_io::glb::write_clips(&done.rig.skeleton, None, std::slice::from_ref(&new)),
        };
        output::write(path, shown.page().html(glb).as_bytes())?;
    }
    args.keep(&graph, &done)?;
    let written: Vec<(PathBuf, usize)> = outputs
        .into_iter()
        .map(|path| {
            let size = path.metadata().map_or(0, |meta| meta.len() as usize);
            (path, size)
        })
        .collect();
    Ok(if args.json { said::json(&shown, &times, &written) } else { said::in_words(&shown, &times, &written) })
}

/// The same motion as a clip of a body that differs in nothing but its lengths at rest.
fn on_skeleton(skeleton: &Skeleton, clip: &Clip) -> Clip {
    let locals = (0..clip.frames()).flat_map(|frame| clip.frame(frame).to_vec()).collect();
    let mut out = Clip::new(skeleton, clip.name(), clip.rate(), locals).expect("frames of a clip are rigid");
    out.roots_mut().copy_from_slice(clip.roots());
    out
}

fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}

impl Args {
    /// The graph to walk on, and what it is called.
    fn graph(&self) -> Result<(MotionGraph, String), Failure> {
        if !self.of.are_given() {
            let built = [self.motion_graph_threshold.is_some(), self.anim_pairs.is_some(), self.blend.is_some()];
            if built.contains(&true) {
                let what = "--motion-graph-threshold, --anim-pairs and --blend are of a graph that is built here";
                return Err(Failure::unusable(format!("{what}: give clips")));
            }
            return Ok(match &self.graph {
                Some(path) => (graph::load(path)?, path.display().to_string()),
                None => (surefoot_io::embedded::graph(), "embedded".into()),
            });
        }
        let mut settings = BuildGraph { threshold: self.motion_graph_threshold, ..BuildGraph::default() };
        settings.blend = self.blend.unwrap_or(settings.blend);
        let gathering = self.of.gather(&settings, None, &[])?;
        settings.anim_pairs =
            self.anim_pairs.as_deref().map(|text| graph::pairs("--anim-pairs", text, &gathering.takes)).transpose()?;
        let bar = progress::bar("comparing frames", 0);
        let graph = settings.run_watched(&gathering.rig, &gathering.takes, &progress::follow(&bar));
        bar.finish_and_clear();
        gathering.notes.iter().for_each(|note| eprintln!("{note}"));
        Ok((graph.map_err(Failure::refused)?, "the clips given".into()))
    }

    fn follow(&self) -> Follow {
        let width = self.width.map_or(FollowPath::default().width, usize::from);
        let asked = self.iteration_length.is_some() || self.iteration_threshold.is_some();
        let published = BranchAndBound::default();
        let reference = BranchAndBound {
            iteration_length: self.iteration_length.unwrap_or(published.iteration_length),
            iteration_threshold: self.iteration_threshold.map_or(published.iteration_threshold, f64::from),
            patience: self.iteration_moves as usize,
            ..published
        };
        Follow {
            find: FollowPath { width, ..FollowPath::default() },
            reference: asked.then_some(reference),
            prove: self.prove.then(ProveBound::default),
            legs: ScaleLegs { body: self.body, each: self.each_leg.clone() },
            ..Follow::default()
        }
    }

    /// Keeps what is to be loaded again.
    fn keep(&self, graph: &MotionGraph, done: &FollowedPath) -> Result<(), Failure> {
        if let Some(path) = &self.graph_out {
            output::write(path, &graph_file::write(graph))?;
        }
        let kept = [
            (&self.walk_out, Kept::Walk(&done.walk)),
            (&self.footsteps_out, Kept::Footsteps(&done.take.stances)),
            (&self.trace_out, Kept::Trace(&done.trace())),
        ];
        for (path, kept) in kept {
            if let Some(path) = path {
                output::write(path, kept.text().as_bytes())?;
            }
        }
        Ok(())
    }
}

impl Law {
    fn law(self, graph: &MotionGraph) -> Box<dyn SpeedLaw> {
        match self {
            Self::Pullens => Box::new(Pullens::default()),
            Self::Froude => Box::new(Froude::default()),
            Self::Clip => Box::new(AsTheClip { speed: graph.pace(), leg: graph.rig.leg_length() }),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Pullens => "Pullens' law",
            Self::Froude => "Froude's law",
            Self::Clip => "the clips' own time",
        }
    }
}
