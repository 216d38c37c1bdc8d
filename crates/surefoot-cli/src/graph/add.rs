//! `surefoot graph add`: more clips for a graph.

use super::clips::ClipArgs;
use super::{load, names, summary};
use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use crate::progress;
use std::path::PathBuf;
use std::time::Instant;
use surefoot::library::graph::BuildGraph;
use surefoot_io::graph_file;

/// Add clips to a graph, at its own settings and threshold
///
/// Gives the same graph as building from all clips at once with that threshold, but only compares what is new. The file is
/// replaced as a whole when all is done: interrupting leaves what was there. Clips of other bodies are
/// carried over to the graph's.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The graph
    #[arg(value_name = "G")]
    graph: PathBuf,
    /// Write to another file and leave the graph unchanged
    #[arg(short, long, value_name = "OTHER")]
    output: Option<PathBuf>,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out: OutputArgs,
    #[command(flatten)]
    clips: ClipArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot graph add walks.graph jog.bvh stop.bvh      in place
  surefoot graph add walks.graph jog.bvh -o more.graph
  surefoot graph add walks.graph new/ --mirror         with their mirror images";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    args.out.check(&[], args.output.as_slice())?;
    let graph = load(&args.graph)?;
    let start = Instant::now();
    let gathering = args.clips.gather(&graph.settings, Some(&graph.rig), &names(&graph))?;
    let studied = start.elapsed();
    let bar = progress::bar("comparing frames", 0);
    let graph = BuildGraph::add(graph, &gathering.takes, &progress::follow(&bar));
    bar.finish_and_clear();
    let graph = graph.map_err(Failure::refused)?;
    let compared = start.elapsed() - studied;
    let bytes = graph_file::write(&graph);
    let path = args.output.as_ref().unwrap_or(&args.graph);
    output::write(path, &bytes)?;
    if args.json {
        let mut value = summary::json(&graph);
        value["notes"] = gathering.notes.into();
        return Ok(format!("{value:#}\n"));
    }
    let mut out = summary::in_words(&format!("{}, {}", path.display(), output::size(bytes.len())), &graph);
    summary::times(&mut out, studied, compared);
    out.extend(gathering.notes.iter().map(|note| format!("{note}\n")));
    Ok(out)
}
