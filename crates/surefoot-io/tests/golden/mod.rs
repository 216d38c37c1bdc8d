//! Scenarios run stage by stage, a digest of what each stage gives, and the file of digests that they are compared with.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

pub mod clean_ups;
pub mod creatures;
mod digests;
pub mod graphs;
pub mod walks;

pub use digests::Bits;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What the stages of a scenario gave, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staged {
    /// Its kind and name, without spaces: `walk/3-gap`.
    pub scenario: String,
    /// Names of stages and digests of what they gave.
    pub stages: Vec<(&'static str, u64)>,
}

impl Staged {
    pub fn new(scenario: impl Into<String>) -> Self {
        Self { scenario: scenario.into(), stages: Vec::new() }
    }

    /// Adds what a stage gave.
    pub fn stage(&mut self, name: &'static str, add: impl FnOnce(&mut Bits)) {
        let mut bits = Bits::default();
        add(&mut bits);
        self.stages.push((name, bits.finish()));
    }

    fn lines(&self) -> Vec<String> {
        let line = |(stage, digest): &(&str, u64)| format!("{} {stage} {digest:016x}", self.scenario);
        self.stages.iter().map(line).collect()
    }
}

/// A file of the project.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

const REWRITE: &str =
    "SUREFOOT_WRITE_GOLDENS=1 cargo test -p surefoot-io --features libm,embedded,navmesh,parallel --test goldens";

/// The first lines of the file.
const HEAD: &str = "\
# What every stage of every scenario gives, as digests of bits under feature `libm`: SCENARIO STAGE DIGEST.
# Compared: cargo test -p surefoot-io --features libm,embedded,navmesh,parallel --test goldens
";

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens.txt")
}

/// Tests run side by side, and there is one file.
static FILE: Mutex<()> = Mutex::new(());

/// Under `libm`, compares all scenarios of a kind with the file, or writes them there if that is wished; else with a second run.
/// Prints them either way.
pub fn assert_golden(kind: &str, run: impl Fn() -> Vec<Staged>) {
    let all = run();
    print(&all);
    let wished = std::env::var_os("SUREFOOT_WRITE_GOLDENS").is_some();
    if cfg!(not(feature = "libm")) {
        assert!(!wished, "goldens are of feature libm: {REWRITE}");
        assert_same(&all, &run(), "a second run");
    } else if wished {
        write(kind, &all);
    } else {
        let stored = stored(kind);
        let names: Vec<&str> = all.iter().map(|staged| staged.scenario.as_str()).collect();
        let gone = stored.iter().find(|line| !names.contains(&scenario(line)));
        assert_eq!(gone, None, "a scenario of the file is not run any more; rewrite it: {REWRITE}");
        assert_stored(&all, &stored);
    }
}

/// Under `libm`, compares some scenarios with the file; any number of them.
pub fn assert_known(all: &[Staged]) {
    if cfg!(feature = "libm") {
        assert_stored(all, &stored(""));
    }
}

/// Compares two runs stage by stage.
pub fn assert_same(one: &[Staged], other: &[Staged], what: &str) {
    assert_eq!(one.len(), other.len(), "scenarios of {what}");
    let differ: Vec<String> =
        one.iter().zip(other).filter_map(|(a, b)| first_difference(&a.lines(), &b.lines())).collect();
    assert!(differ.is_empty(), "{what} gives other bits:\n{}", differ.join("\n"));
}

fn assert_stored(all: &[Staged], stored: &[String]) {
    let differ = |staged: &Staged| {
        let known: Vec<String> = stored.iter().filter(|line| scenario(line) == staged.scenario).cloned().collect();
        first_difference(&known, &staged.lines())
    };
    let differ: Vec<String> = all.iter().filter_map(differ).collect();
    assert!(
        differ.is_empty(),
        "{} of {} scenarios give other bits than tests/goldens.txt:\n{}\nIf that is meant: {REWRITE}",
        differ.len(),
        all.len(),
        differ.join("\n")
    );
}

/// The first line in which a scenario differs from what is known of it.
fn first_difference(known: &[String], now: &[String]) -> Option<String> {
    let at = (0..known.len().max(now.len())).find(|i| known.get(*i) != now.get(*i))?;
    let stage = |lines: &[String]| lines.get(at).map_or("no stage".into(), |line| words(line)[1..].join(" "));
    let name = scenario(now.get(at).or(known.get(at))?);
    let after = (at..now.len()).filter(|i| known.get(*i) != now.get(*i)).count();
    Some(format!("  {name}: first in {} (was {}); {after} of {} stages differ", stage(now), stage(known), now.len()))
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

fn scenario(line: &str) -> &str {
    line.split(' ').next().unwrap_or("")
}

/// Lines of the file whose scenarios are of a kind.
fn stored(kind: &str) -> Vec<String> {
    let _one = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    read().into_iter().filter(|line| line.starts_with(kind)).collect()
}

/// Lines of the file but its first.
fn read() -> Vec<String> {
    let text = std::fs::read_to_string(file()).unwrap_or_default();
    text.lines().filter(|line| !line.starts_with('#')).map(Into::into).collect()
}

/// Writes all scenarios of a kind in the place of those that are there.
fn write(kind: &str, all: &[Staged]) {
    let _one = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut lines = read();
    lines.retain(|line| !line.starts_with(kind));
    lines.extend(all.iter().flat_map(Staged::lines));
    // By scenario; stages stay in their order.
    lines.sort_by(|a, b| scenario(a).cmp(scenario(b)));
    std::fs::write(file(), format!("{HEAD}{}\n", lines.join("\n"))).expect("the folder of tests can be written to");
}

fn print(all: &[Staged]) {
    let mut text = String::from("\n");
    for line in all.iter().flat_map(Staged::lines) {
        let _ = writeln!(text, "golden {line}");
    }
    // At once: tests run side by side.
    print!("{text}");
}
