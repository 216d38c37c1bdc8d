//! `surefoot graph`: clips joined where they are alike, so that a character can walk on for ever.

mod add;
mod build;
mod check;
mod clips;
mod image;
mod info;
mod picture;
mod remove;
mod report;
mod summary;
mod walk;

use crate::failure::Failure;
pub(crate) use build::pairs;
use clap::Subcommand;
pub(crate) use clips::ClipArgs;
use std::path::Path;
use surefoot::library::graph::MotionGraph;
use surefoot::stages::Point;
use surefoot_io::graph_file::{self, GraphFileError};

/// Join clips into a motion graph: a file from which a character can walk on for ever
///
/// Every frame of every clip is compared with every other; where two clips stay alike long enough, one may be blended into the
/// other. Frames that a walk cannot get back to, or cannot leave, are kept in the file but not walked on.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  surefoot graph build embedded --mirror -o walks.graph   without data of your own: walks that are compiled in
  surefoot graph build captures/*.bvh -o walks.graph      all clips on one body; those of others are carried over
  surefoot graph add walks.graph new.bvh                  at the same threshold as before
  surefoot graph info walks.graph                         clips, threshold, transitions, and which parts can be walked on
  surefoot graph walk walks.graph -o walk.glb             a walk at random, with feet that stand
  surefoot graph report walks.graph                       what it can and cannot do, and what to record next
  surefoot graph check walks.graph                        whether the file is whole and true; exit 1 if not";

#[derive(Subcommand)]
enum Command {
    Build(build::Args),
    Add(add::Args),
    Remove(remove::Args),
    Info(info::Args),
    Check(check::Args),
    Walk(walk::Args),
    Report(report::Args),
    Picture(picture::Args),
    Image(image::Args),
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    match &args.command {
        Command::Build(args) => build::run(args),
        Command::Add(args) => add::run(args),
        Command::Remove(args) => remove::run(args),
        Command::Info(args) => info::run(args),
        Command::Check(args) => check::run(args),
        Command::Walk(args) => walk::run(args),
        Command::Report(args) => report::run(args),
        Command::Picture(args) => picture::run(args),
        Command::Image(args) => image::run(args),
    }
}

/// Reads a graph that is to be used; the word `embedded` stands for the one that is compiled in, unless a file is called so.
pub(crate) fn load(path: &Path) -> Result<MotionGraph, Failure> {
    if path == Path::new("embedded") && !path.exists() {
        return Ok(surefoot_io::embedded::graph());
    }
    graph_file::load(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &GraphFileError) -> Failure {
    Failure::unusable(format!("{}: {error}", path.display()))
}

/// The names of a graph's clips.
fn names(graph: &MotionGraph) -> Vec<String> {
    graph.takes.iter().map(|take| take.clip.name().to_owned()).collect()
}

/// The place of a clip in a graph.
fn find(graph: &MotionGraph, path: &Path, name: &str) -> Result<usize, Failure> {
    graph.takes.iter().position(|take| take.clip.name() == name).ok_or_else(|| {
        let (file, all) = (path.display(), names(graph).join(", "));
        Failure::refused(format!("{file}: no clip is called {name:?}; there are {all}"))
    })
}

/// A place in a clip, for people.
fn place(graph: &MotionGraph, point: Point) -> String {
    let name = graph.takes[point.take as usize].clip.name();
    format!("{name} at {:.2} s", point.frame as f32 / graph.settings.rate)
}
