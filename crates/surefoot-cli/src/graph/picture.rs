//! `surefoot graph picture`: a graph as a picture.

use super::load;
use crate::failure::Failure;
use crate::output::OutputArgs;
use crate::picture;
use std::path::PathBuf;
use surefoot_view::graph_picture;
use surefoot_view::report::counted;

/// Draw a graph: its clips as bars, its transitions as arcs, what can be walked on in colour
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The graph; the word embedded stands for the one that is compiled in
    #[arg(value_name = "G")]
    graph: PathBuf,
    /// The picture to write; .png or .svg
    #[arg(short, long, value_name = "X.png|X.svg")]
    output: PathBuf,
    #[command(flatten)]
    out: OutputArgs,
}

const EXAMPLES: &str = "Example:
  surefoot graph picture walks.graph -o walks.png";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    picture::check_name(&args.output)?;
    args.out.check(&[&args.graph], std::slice::from_ref(&args.output))?;
    let graph = load(&args.graph)?;
    let size = picture::write(&args.output, graph_picture::graph(&graph))?;
    let (clips, transitions) = (graph.takes.len(), graph.transitions.len());
    Ok(format!(
        "{}: {}, {}, {size}\n",
        args.output.display(),
        counted(clips, "clip"),
        counted(transitions, "transition")
    ))
}
