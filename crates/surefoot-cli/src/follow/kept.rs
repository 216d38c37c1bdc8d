//! What is kept of a path that was followed, as files that load again.

use crate::failure::Failure;
use serde::Deserialize;
use serde_json::json;
use std::path::Path;
use surefoot::motion::Stance;
use surefoot::plan::PathWalk;
use surefoot::stages::FollowTrace;

/// Something that is kept.
pub(super) enum Kept<'a> {
    Walk(&'a PathWalk),
    Footsteps(&'a [Stance]),
    Trace(&'a FollowTrace),
}

/// The file of a walk.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WalkFile {
    version: u32,
    walk: PathWalk,
}

/// The version that is written and read.
const VERSION: u32 = 1;

impl Kept<'_> {
    /// As the text of a file.
    pub(super) fn text(&self) -> String {
        let value = match self {
            Self::Walk(walk) => json!({ "version": VERSION, "walk": walk }),
            Self::Footsteps(steps) => json!({ "version": VERSION, "footsteps": steps }),
            Self::Trace(trace) => json!({ "version": VERSION, "trace": trace }),
        };
        format!("{value}\n")
    }

    /// Reads a walk that was kept.
    pub(super) fn walk(path: &Path) -> Result<PathWalk, Failure> {
        let unreadable = |why: &dyn std::fmt::Display| Failure::unusable(format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
        let file: WalkFile = serde_json::from_str(&text).map_err(|error| unreadable(&error))?;
        if file.version != VERSION {
            return Err(unreadable(&format!("version {}; this reads version {VERSION}", file.version)));
        }
        if !(file.walk.start.position.is_finite() && file.walk.start.heading.is_finite()) {
            return Err(unreadable(&"its start is no place"));
        }
        Ok(file.walk)
    }
}
