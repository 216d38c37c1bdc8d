//! `surefoot graph check`: whether a graph file is whole and true.

use super::{place, unreadable};
use crate::failure::Failure;
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;
use surefoot::library::graph::MotionGraph;
use surefoot_io::graph_file::{self, GraphFileError};
use surefoot_view::report::counted;

/// Check a graph file: checksum, every number and index, and transitions measured anew: how far apart their sides are, where they go
///
/// Exits with 1 and what is wrong if the file is cut short, altered or damaged, of a newer version, or no graph.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The graph
    #[arg(value_name = "G")]
    graph: PathBuf,
    /// How many transitions to measure again, spread over the file
    #[arg(long, value_name = "N", default_value = "1000")]
    measure: usize,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  surefoot graph check walks.graph
  surefoot graph check walks.graph --measure 100000   every transition";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let checked = graph_file::load(&args.graph);
    if let Err(error @ GraphFileError::Read(_)) = &checked {
        return Err(unreadable(&args.graph, error));
    }
    let wrong = match &checked {
        Ok(graph) => wrong(graph, args.measure),
        Err(error) => vec![error.to_string()],
    };
    let graph = checked.ok();
    let transitions = graph.as_ref().map_or(0, |graph| graph.transitions.len());
    let measured = transitions.min(args.measure);
    let title = args.graph.display();
    let text = if args.json {
        let value = json!({ "file": title.to_string(), "fine": wrong.is_empty(), "wrong": wrong, "transitions": transitions, "measured": measured });
        format!("{value:#}\n")
    } else if wrong.is_empty() {
        let clips = graph.as_ref().map_or(0, |graph| graph.takes.len());
        format!(
            "{title}: fine; {}, {}, {measured} of them measured anew\n",
            counted(clips, "clip"),
            counted(transitions, "transition")
        )
    } else {
        String::new()
    };
    if wrong.is_empty() {
        return Ok(text);
    }
    const SHOWN: usize = 6;
    let mut error = wrong.iter().take(SHOWN).map(|what| format!("{title}: {what}")).collect::<Vec<_>>().join("\n");
    if wrong.len() > SHOWN {
        let _ = write!(error, "\n… and {} more", wrong.len() - SHOWN);
    }
    Err(Failure { said: text, ..Failure::refused(error) })
}

/// What does not fit in a graph that can be read.
fn wrong(graph: &MotionGraph, measure: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let threshold = graph.chosen.threshold;
    for (k, transition) in graph.transitions.iter().enumerate() {
        if transition.distance >= threshold {
            wrong.push(format!(
                "transition {k} has a distance of {:.4} m, over the threshold of {threshold:.4} m",
                transition.distance
            ));
        }
    }
    for misfit in graph.misfits(measure) {
        let transition = graph.transitions[misfit.transition];
        let (from, to) = (place(graph, transition.from), place(graph, transition.to));
        let what = misfit.measured.map_or_else(
            || "lies too near the end of a clip".to_owned(),
            |now| format!("is said to have a distance of {:.4} m and has {now:.4} m", transition.distance),
        );
        wrong.push(format!("transition {} from {from} to {to} {what}", misfit.transition));
    }
    for astray in graph.astray(measure) {
        let transition = graph.transitions[astray.transition];
        let (from, to) = (place(graph, transition.from), place(graph, transition.to));
        wrong.push(format!(
            "transition {} from {from} to {to} does not go where the moves in the file say: {:.4} m off",
            astray.transition, astray.off
        ));
    }
    wrong
}
