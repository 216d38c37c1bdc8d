//! What is kept of a path that was followed, as files that load again.

use crate::failure::Failure;
use serde_json::json;
use std::path::Path;
use surefoot::motion::Stance;
use surefoot::stages::{FollowTrace, PathWalk};
use surefoot_io::walk_file;

/// Something that is kept.
pub(super) enum Kept<'a> {
    Walk(&'a PathWalk),
    Footsteps(&'a [Stance]),
    Trace(&'a FollowTrace),
}

/// The version of footsteps and traces that is written.
const VERSION: u32 = 1;

impl Kept<'_> {
    /// As the text of a file.
    pub(super) fn text(&self) -> String {
        let value = match self {
            Self::Walk(walk) => return walk_file::write(walk),
            Self::Footsteps(steps) => json!({ "version": VERSION, "footsteps": steps }),
            Self::Trace(trace) => json!({ "version": VERSION, "trace": trace }),
        };
        format!("{value}\n")
    }

    /// Reads a walk that was kept.
    pub(super) fn walk(path: &Path) -> Result<PathWalk, Failure> {
        let unreadable = |why: &dyn std::fmt::Display| Failure::unusable(format!("--walk {}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(&error))?;
        walk_file::read(&text).map_err(|why| unreadable(&why))
    }
}
