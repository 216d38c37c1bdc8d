//! `surefoot graph image`: how two clips of a graph compare, frame by frame.

use super::{find, load};
use crate::failure::Failure;
use crate::output::OutputArgs;
use crate::picture;
use std::path::PathBuf;
use surefoot_view::graph_picture;
use surefoot_view::report::counted;

/// Draw the similarity of two clips: the distance of every frame of one from every frame of the other
///
/// Dark where frames are alike, in warm colours where they are nearer than the graph's threshold. Each transition is a stroke
/// over its blend.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The graph; the word embedded stands for the one that is compiled in
    #[arg(value_name = "G")]
    graph: PathBuf,
    /// The clip along the vertical axis
    first: String,
    /// The clip along the horizontal axis; the same clip if not given
    second: Option<String>,
    /// The picture to write; .png or .svg
    #[arg(short, long, value_name = "X.png|X.svg")]
    output: PathBuf,
    #[command(flatten)]
    out: OutputArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot graph image walks.graph 16_15 16_17 -o turn.png
  surefoot graph image walks.graph 16_15 -o itself.png        a walk has diagonals: it repeats itself";

/// Pairs of frames that a picture is made of at most.
const MOST: usize = 40_000_000;

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    picture::check_name(&args.output)?;
    args.out.check(&[&args.graph], std::slice::from_ref(&args.output))?;
    let graph = load(&args.graph)?;
    let first = find(&graph, &args.graph, &args.first)?;
    let second = args.second.as_ref().map_or(Ok(first), |name| find(&graph, &args.graph, name))?;
    let [a, b] = [first, second].map(|take| graph.takes[take].clip.frames());
    if a.saturating_mul(b) > MOST {
        return Err(Failure::refused(format!("{a} by {b} frames are too many for a picture; at most {MOST} pairs")));
    }
    let similarity = graph_picture::distances(&graph, [first, second]);
    let count = similarity.transitions.len();
    let size = picture::write(&args.output, similarity.draw())?;
    let [a, b] = &similarity.names;
    Ok(format!("{}: {a} by {b}, {} between them, {size}\n", args.output.display(), counted(count, "transition")))
}
