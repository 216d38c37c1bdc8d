//! What is said of results: models for programs, and rows of words made of them for people.

pub mod body;
pub mod cleaned;
pub mod creature;
pub mod fault;
pub mod feet;
pub mod planted;
pub mod repairs;
pub mod retargeted;
pub mod study;

use std::fmt::Write as _;

/// So many of something, in words: `1 clip`, `2 clips`.
#[must_use]
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A line of a report: a label and what there is to say.
pub fn row(out: &mut String, label: &str, text: impl AsRef<str>) {
    let _ = writeln!(out, "  {label:12} {}", text.as_ref());
}
