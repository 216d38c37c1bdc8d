//! The `surefoot` command: what was typed becomes one call into the library, and its outcome an exit code.

mod analyse;
mod bench;
mod body;
mod check;
mod clean;
mod clip_choice;
mod convert;
mod corpus;
mod creature;
mod demo;
mod doctor;
mod drive;
mod drive_body;
mod drive_wish;
mod failure;
mod follow;
mod footsteps;
mod format;
mod graph;
mod input;
mod inspect;
mod interrupt;
mod measure;
mod navigate;
mod number;
mod output;
mod page;
mod path;
mod picture;
mod places;
mod progress;
mod reach;
mod refinements;
mod retarget;
mod rig_picture;
mod scene;
mod stepper;
mod subject;
mod walk_files;
mod world;
mod world_args;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::io::Write as _;
use std::process::ExitCode;

/// Makes characters walk: looks at motion files, measures and cleans their feet, converts and pictures them.
///
/// Try it: `surefoot demo` writes a walk as GLB, BVH, a picture and a web page into `surefoot-demo/`.
#[derive(Parser)]
#[command(name = "surefoot", version, after_help = EXIT_CODES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str =
    "Exit codes: 0 done, 1 refused (the reason is printed), 2 bad usage or unreadable input, 130 interrupted.";

#[derive(Subcommand)]
enum Command {
    Demo(demo::Args),
    Inspect(inspect::Args),
    Doctor(doctor::Args),
    Analyse(analyse::Args),
    Measure(measure::Args),
    Clean(clean::Args),
    Retarget(retarget::Args),
    Convert(convert::Args),
    Picture(picture::Args),
    Page(page::Args),
    Path(path::Args),
    Reach(reach::Args),
    Navigate(navigate::Args),
    Follow(Box<follow::Args>),
    Footsteps(Box<footsteps::Args>),
    Creature(creature::Args),
    Drive(drive::Args),
    Bench(bench::Args),
    Graph(graph::Args),
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    interrupt::tidy_up();
    let result = progress::at_work(|| match command {
        Command::Demo(args) => demo::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Measure(args) => measure::run(&args),
        Command::Clean(args) => clean::run(&args),
        Command::Retarget(args) => retarget::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Picture(args) => picture::run(&args),
        Command::Page(args) => page::run(&args),
        Command::Path(args) => path::run(&args),
        Command::Reach(args) => reach::run(&args),
        Command::Navigate(args) => navigate::run(&args),
        Command::Follow(args) => follow::run(&args),
        Command::Footsteps(args) => footsteps::run(&args),
        Command::Creature(args) => creature::run(&args),
        Command::Drive(args) => drive::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Graph(args) => graph::run(&args),
    });
    match result {
        Ok(text) => print(&text),
        Err(Failure { code, said, error }) => {
            let _ = print(&said);
            eprintln!("{error}");
            ExitCode::from(code)
        }
    }
}

/// Prints to standard output; a reader that has seen enough (`| head`) is no error, a full disk is.
fn print(text: &str) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln!("refused: cannot write to standard output: {error}");
            ExitCode::from(1)
        }
        _ => ExitCode::SUCCESS,
    }
}
