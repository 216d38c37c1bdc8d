//! What is said of a journey: its report, the files that were written, and what took how long.

use super::journey::{Trip, Walker};
use crate::output;
use serde::Serialize;
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use surefoot_view::journey::JourneyReport;
use surefoot_view::report::row;

/// What programs are told of a journey that was not made.
pub(super) fn refused(why: &str) -> String {
    format!("{:#}\n", json!({ "found": false, "why_not": why }))
}

/// What programs are told of one that was.
#[derive(Serialize)]
struct Said {
    found: bool,
    why_not: Option<String>,
    files: Vec<Written>,
    #[serde(flatten)]
    report: JourneyReport,
    /// What was taken off all places of a world that lies far from the origin, metres.
    offset_m: [f64; 3],
    ms: Times,
}

#[derive(Serialize)]
struct Written {
    file: String,
    bytes: usize,
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
    let file = |(path, bytes): &(PathBuf, usize)| Written { file: path.display().to_string(), bytes: *bytes };
    let said = Said {
        found: true,
        why_not: None,
        files: written.iter().map(file).collect(),
        report: JourneyReport::new(&trip.shown(walker)),
        offset_m: trip.scene.offset().to_array(),
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
        row(&mut out, "no stand", "nothing in the graph stands: the walk begins and ends in the middle of a step");
    } else if trip.goes_on {
        row(
            &mut out,
            "no stand",
            "no stop of the graph could be brought to the goal: the walk begins and ends in the middle of a step",
        );
    }
    let offset = trip.scene.offset();
    if offset.length() > 0.0 {
        let taken = format!("{}, {}, {} m taken off: the world lies far from the origin", offset.x, offset.y, offset.z);
        row(&mut out, "offset", taken);
    }
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
