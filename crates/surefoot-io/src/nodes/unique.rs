//! Names that are given once.

use std::collections::{BTreeMap, BTreeSet};

/// Gives every name once: the second `Foot` becomes `Foot (2)`.
#[derive(Default)]
pub(crate) struct Unique {
    given: BTreeSet<String>,
    counts: BTreeMap<String, usize>,
}

impl Unique {
    pub(crate) fn of(&mut self, name: String) -> String {
        let count = self.counts.entry(name.clone()).or_default();
        *count += 1;
        let mut unique = if *count == 1 { name.clone() } else { format!("{name} ({count})") };
        while !self.given.insert(unique.clone()) {
            *count += 1;
            unique = format!("{name} ({count})");
        }
        unique
    }

    /// Names that were asked for more than once, and how often.
    pub(crate) fn repeated(self) -> impl Iterator<Item = (String, usize)> {
        self.counts.into_iter().filter(|(_, count)| *count > 1)
    }
}
