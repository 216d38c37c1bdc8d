//! `surefoot graph info`: what is in a graph.

use super::{load, summary};
use crate::failure::Failure;
use std::path::PathBuf;

/// Show what is in a graph: clips, threshold, transitions, and which parts can be walked on
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The graph; the word embedded stands for the one that is compiled in
    #[arg(value_name = "G")]
    graph: PathBuf,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  surefoot graph info walks.graph
  surefoot graph info walks.graph --json | jq .component

Walks leave out a clip's lead-in (nothing leads back to it) and its tail (it leads nowhere); the file keeps both.";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let graph = load(&args.graph)?;
    if args.json {
        return Ok(format!("{:#}\n", summary::json(&graph)));
    }
    Ok(summary::in_words(&args.graph.display().to_string(), &graph))
}
