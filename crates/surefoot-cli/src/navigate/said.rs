//! What is said of a journey: its report, the files that were written, and what took how long.

use super::journey::{Trip, Walker};
use crate::output;
use crate::stepper::{Stepped, Stepper};
use serde::Serialize;
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use surefoot::world::Scene;
use surefoot_view::journey::JourneyReport;
use surefoot_view::report::row;

/// What programs are told of a journey that was not made.
pub(super) fn refused(why: &str) -> String {
    format!("{:#}\n", json!({ "found": false, "why_not": why }))
}

/// Files with their sizes.
pub(super) fn sizes(paths: Vec<PathBuf>) -> Vec<(PathBuf, usize)> {
    let size = |path: &Path| path.metadata().map_or(0, |meta| meta.len() as usize);
    paths.into_iter().map(|path| (size(&path), path)).map(|(size, path)| (path, size)).collect()
}

/// What programs are told of one that was.
#[derive(Serialize)]
struct Said<T> {
    found: bool,
    why_not: Option<String>,
    files: Vec<Written>,
    #[serde(flatten)]
    report: JourneyReport,
    /// What was taken off all places of a world that lies far from the origin, metres.
    offset_m: [f64; 3],
    /// Whether the graph stands anywhere; if not, the walk begins and ends in the middle of a step.
    stands: bool,
    ms: T,
}

/// Milliseconds of a journey by footsteps.
#[derive(Serialize)]
struct StepTimes {
    strides: f64,
    world: f64,
    plan: f64,
    motion: f64,
}

impl StepTimes {
    fn new(stepper: &Stepper, stepped: &Stepped) -> Self {
        let report = &stepped.done.report;
        let [world, plan] = [report.ready, report.planned].map(|time| 1e3 * time.as_secs_f64());
        Self { strides: stepper.ms, world, plan, motion: stepped.motion_ms }
    }
}

#[derive(Serialize)]
struct Written {
    file: String,
    bytes: usize,
}

impl Written {
    fn new((path, bytes): &(PathBuf, usize)) -> Self {
        Self { file: path.display().to_string(), bytes: *bytes }
    }
}

/// Milliseconds.
#[derive(Serialize)]
struct Times {
    load_graph: f64,
    lay_out_moves: f64,
    ready_planner: f64,
    path: f64,
    walk: f64,
}

impl Times {
    fn new(walker: &Walker, trip: &Trip) -> Self {
        let [load_graph, lay_out_moves] = walker.times;
        let times = trip.done.report.times;
        let [ready_planner, path, walk] = [times.ready, times.path, times.walk].map(|time| 1e3 * time.as_secs_f64());
        Self { load_graph, lay_out_moves, ready_planner, path, walk }
    }
}

/// The report for a program.
pub(super) fn json(walker: &Walker, trip: &Trip, written: &[(PathBuf, usize)]) -> String {
    let said = Said {
        found: true,
        why_not: None,
        files: written.iter().map(Written::new).collect(),
        report: JourneyReport::new(&trip.shown(walker)),
        offset_m: trip.scene.offset().to_array(),
        stands: walker.graph.stands(),
        ms: Times::new(walker, trip),
    };
    format!("{:#}\n", json!(said))
}

/// The report for a person.
pub(super) fn in_words(world: &Path, walker: &Walker, trip: &Trip, written: &[(PathBuf, usize)]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}, on {}", world.display(), walker.name);
    JourneyReport::new(&trip.shown(walker)).rows(&mut out);
    if !walker.graph.stands() {
        row(
            &mut out,
            "no stand",
            "nothing in the graph stands: the walk begins and ends in the middle of a step (surefoot graph build makes stops of walks, unless --no-stop is given)",
        );
    } else if trip.goes_on {
        row(
            &mut out,
            "no stand",
            "no stop of the graph could be brought to the goal: the walk begins and ends in the middle of a step",
        );
    }
    tell_offset(&mut out, &trip.scene);
    let Times { load_graph, lay_out_moves, ready_planner, path, walk } = Times::new(walker, trip);
    let planned = ready_planner + path;
    let took =
        format!("graph {load_graph:.0} ms, moves {lay_out_moves:.0} ms, path {planned:.1} ms, walk {walk:.1} ms");
    row(&mut out, "took", took);
    for (path, size) in written {
        row(&mut out, "wrote", format!("{}, {}", path.display(), output::size(*size)));
    }
    out
}

/// The report of a journey by footsteps for a program.
pub(super) fn footsteps_json(stepper: &Stepper, stepped: &Stepped, written: &[(PathBuf, usize)]) -> String {
    let said = Said {
        found: true,
        why_not: None,
        files: written.iter().map(Written::new).collect(),
        report: JourneyReport::of_footsteps(&stepped.shown(stepper), &stepped.done.report, &stepped.drift),
        offset_m: stepped.scene.offset().to_array(),
        stands: stepper.strides.stand(),
        ms: StepTimes::new(stepper, stepped),
    };
    format!("{:#}\n", json!(said))
}

/// And for a person.
pub(super) fn footsteps_in_words(
    world: &Path,
    stepper: &Stepper,
    stepped: &Stepped,
    written: &[(PathBuf, usize)],
) -> String {
    let mut out = format!("{}, on {}, by planned footsteps\n", world.display(), stepper.name);
    let done = &stepped.done;
    let [walks, runs, special] = done.report.strides;
    let prints = done.plan.prints.len();
    row(&mut out, "plan", format!("{prints} prints: {walks} strides walking, {runs} running, {special} special"));
    JourneyReport::of_footsteps(&stepped.shown(stepper), &done.report, &stepped.drift).rows(&mut out);
    tell_offset(&mut out, &stepped.scene);
    let StepTimes { strides, world, plan, motion } = StepTimes::new(stepper, stepped);
    let took = format!("strides {strides:.0} ms, world {world:.0} ms, plan {plan:.1} ms, motion {motion:.1} ms");
    row(&mut out, "took", took);
    for (path, size) in written {
        row(&mut out, "wrote", format!("{}, {}", path.display(), output::size(*size)));
    }
    out
}

/// Tells what was taken off a world that lies far away.
fn tell_offset(out: &mut String, scene: &Scene) {
    let offset = scene.offset();
    if offset.length() > 0.0 {
        let taken = format!("{}, {}, {} m taken off: the world lies far from the origin", offset.x, offset.y, offset.z);
        row(out, "offset", taken);
    }
}
