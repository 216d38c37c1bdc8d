//! `surefoot graph remove`: clips leave a graph.

use super::{load, names, summary};
use crate::failure::Failure;
use crate::output::{self, OutputArgs};
use std::path::PathBuf;
use surefoot_io::graph_file;

/// Remove clips from a graph, and the transitions to and from them
///
/// The threshold stays. A mirrored clip is a clip of its own and is removed by its own name.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The graph
    #[arg(value_name = "G")]
    graph: PathBuf,
    /// Names of clips, as `surefoot graph info` tells them
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Write to another file and leave the graph unchanged
    #[arg(short, long, value_name = "OTHER")]
    output: Option<PathBuf>,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out: OutputArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot graph remove walks.graph 16_36 \"16_36 mirrored\"
  surefoot graph remove walks.graph 16_36 -o fewer.graph";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    args.out.check(&[], args.output.as_slice())?;
    let mut graph = load(&args.graph)?;
    for name in &args.names {
        let there = names(&graph);
        let Some(place) = there.iter().position(|known| known == name) else {
            let list = there.join(", ");
            return Err(Failure::refused(format!("no clip is called {name:?}; there are {list}")));
        };
        if there.len() == 1 {
            return Err(Failure::refused(format!("{name:?} is the last clip; a graph needs at least one")));
        }
        graph = graph.without(place);
    }
    let bytes = graph_file::write(&graph);
    let path = args.output.as_ref().unwrap_or(&args.graph);
    output::write(path, &bytes)?;
    if args.json {
        return Ok(format!("{:#}\n", summary::json(&graph)));
    }
    Ok(summary::in_words(&format!("{}, {}", path.display(), output::size(bytes.len())), &graph))
}
