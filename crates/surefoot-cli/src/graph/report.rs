//! `surefoot graph report`: what a graph can and cannot do.

use super::load;
use crate::failure::Failure;
use crate::number::within;
use crate::output::OutputArgs;
use crate::{picture, progress};
use std::path::PathBuf;
use surefoot::stages::Report;
use surefoot_view::{graph_picture, graph_report};

/// Say what a graph can and cannot do, and what to record next
///
/// Speeds and turning rates, how soon it stops, starts and turns, the tightest circles it can keep up, and which places of a
/// square it reaches facing which way, and when. Advice is given only for what was found missing.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The graph; the word embedded stands for the one that is compiled in
    #[arg(value_name = "G")]
    graph: PathBuf,
    /// Also draw the report; .png or .svg
    #[arg(long, value_name = "X.png|X.svg")]
    picture: Option<PathBuf>,
    /// Side length of the square to cover, metres
    #[arg(long, value_name = "METRES", default_value_t = 10.0, value_parser = within("the side in metres", 1.0..=100.0))]
    area: f32,
    /// Print JSON for programs
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out: OutputArgs,
}

const EXAMPLES: &str = "Examples:
  surefoot graph report walks.graph
  surefoot graph report walks.graph --picture walks.png --area 20";

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    args.picture.as_deref().map_or(Ok(()), picture::check_name)?;
    args.out.check(&[&args.graph], args.picture.as_slice())?;
    let graph = load(&args.graph)?;
    let bar = progress::bar("asking what it can do", 0);
    let report = Report { area: Some(args.area), ..Report::default() };
    let found = report.run_telling(&graph, &progress::follow(&bar));
    bar.finish_and_clear();
    let mut out = match args.json {
        true => format!("{:#}\n", graph_report::json(&found)),
        false => graph_report::text(&found),
    };
    if let Some(path) = &args.picture {
        let size = picture::write(path, graph_picture::report(&found))?;
        if !args.json {
            out += &format!("{}: {size}\n", path.display());
        }
    }
    Ok(out)
}
