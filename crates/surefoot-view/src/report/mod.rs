//! What is said of results: models for programs, and rows of words made of them for people.

pub mod cleaned;
pub mod creature;
pub mod feet;
pub mod repairs;
pub mod study;

use std::fmt::Write as _;

/// A line of a report: a label and what there is to say.
pub fn row(out: &mut String, label: &str, text: impl AsRef<str>) {
    let _ = writeln!(out, "  {label:12} {}", text.as_ref());
}
