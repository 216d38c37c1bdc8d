//! What is said of a path that was followed: its report, the files that were written, and what took how long.

use crate::output;
use serde::Serialize;
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;
use surefoot::stages::FollowTimes;
use surefoot_view::followed::{FollowedReport, ShownFollowed};
use surefoot_view::report::row;

/// What programs are told of a path that was not followed.
pub(super) fn refused(why: &str) -> String {
    format!("{:#}\n", json!({ "found": false, "why_not": why }))
}

/// What programs are told of one that was.
#[derive(Serialize)]
struct Said<'a> {
    found: bool,
    why_not: Option<String>,
    files: Vec<Written>,
    #[serde(flatten)]
    report: FollowedReport,
    ms: &'a Times,
}

#[derive(Serialize)]
struct Written {
    file: String,
    bytes: usize,
}

/// Milliseconds.
#[derive(Default, Serialize)]
pub(super) struct Times {
    pub(super) graph: f64,
    pub(super) lay_out: f64,
    search: f64,
    play: f64,
}

impl Times {
    /// Adds what the stages took.
    pub(super) fn add(&mut self, times: &FollowTimes) {
        let [ready, found, played] = [times.ready, times.found, times.played].map(|time| 1e3 * time.as_secs_f64());
        self.lay_out += ready;
        (self.search, self.play) = (found, played);
    }
}

/// The report for a program.
pub(super) fn json(shown: &ShownFollowed<'_>, times: &Times, written: &[(PathBuf, usize)]) -> String {
    let file = |(path, bytes): &(PathBuf, usize)| Written { file: path.display().to_string(), bytes: *bytes };
    let files = written.iter().map(file).collect();
    let said = Said { found: true, why_not: None, files, report: FollowedReport::new(shown), ms: times };
    format!("{:#}\n", json!(said))
}

/// The report for a person.
pub(super) fn in_words(shown: &ShownFollowed<'_>, times: &Times, written: &[(PathBuf, usize)]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}, on {}", shown.clip.name(), shown.graph);
    FollowedReport::new(shown).rows(&mut out);
    let Times { graph, lay_out, search, play } = times;
    let took = format!("graph {graph:.0} ms, moves {lay_out:.0} ms, search {search:.0} ms, motion {play:.0} ms");
    row(&mut out, "took", took);
    for (path, size) in written {
        row(&mut out, "wrote", format!("{}, {}", path.display(), output::size(*size)));
    }
    out
}
