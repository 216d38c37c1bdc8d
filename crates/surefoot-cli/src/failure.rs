//! How commands fail: the exit code and the words, in one place.

use std::fmt::Display;
use std::path::Path;

/// A command that did not do what was asked.
pub(crate) struct Failure {
    /// The exit code: 1 refused, 2 bad usage or unreadable input.
    pub(crate) code: u8,
    /// What was found out before, for standard output.
    pub(crate) said: String,
    /// What went wrong, for standard error.
    pub(crate) error: String,
}

impl Failure {
    /// The input is fine, but this will not be done with it.
    pub(crate) fn refused(why: impl Display) -> Self {
        Self { code: 1, said: String::new(), error: format!("refused: {why}") }
    }

    /// The input cannot be read, or makes no sense.
    pub(crate) fn unusable(why: impl Display) -> Self {
        Self { code: 2, said: String::new(), error: format!("error: {why}") }
    }

    /// A file or folder could not be written.
    pub(crate) fn unwritable(path: &Path, why: &std::io::Error) -> Self {
        Self::refused(format!("cannot write {}: {why}", path.display()))
    }
}
