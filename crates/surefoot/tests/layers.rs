//! Keeps the engine's modules one-way, and ARCHITECTURE.md true to the tree.

use std::fs;
use std::path::{Path, PathBuf};

/// The engine's modules in reading order: each may use only itself and those before it.
const ORDER: [&str; 18] = [
    "math",
    "random",
    "stage_times",
    "world",
    "rig",
    "motion",
    "ik",
    "foot",
    "character",
    "metrics",
    "analyse",
    "library",
    "plan",
    "adapt",
    "systems",
    "show",
    "stages",
    "prelude",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if entry.is_dir() {
            files.extend(rust_files(&entry));
        } else if entry.extension().is_some_and(|e| e == "rs") {
            files.push(entry);
        }
    }
    files.sort();
    files
}

/// Modules named in `crate::x` or `crate::{x::…, y::…}`, doc links left out.
fn uses(text: &str) -> Vec<String> {
    let code: String = text.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut names = Vec::new();
    for after in code.split("crate::").skip(1) {
        let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        if let Some(list) = after.strip_prefix('{') {
            // Names at the first level of the braces.
            let mut depth = 1;
            let mut start = true;
            for (i, c) in list.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 1 => start = true,
                    c if start && depth == 1 && !c.is_whitespace() => {
                        names.push(word(&list[i..]));
                        start = false;
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        } else {
            names.push(word(after));
        }
    }
    names
}

fn place(module: &str) -> Option<usize> {
    ORDER.iter().position(|m| *m == module)
}

#[test]
fn modules_use_only_what_comes_before_them() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for file in rust_files(&source) {
        let inside = file.strip_prefix(&source).unwrap();
        let module = inside.iter().next().unwrap().to_string_lossy().replace(".rs", "");
        if module == "lib" {
            continue;
        }
        let own = place(&module).unwrap_or_else(|| panic!("module {module} is not in the order: add it to ORDER"));
        for used in uses(&fs::read_to_string(&file).unwrap()) {
            if let Some(other) = place(&used) {
                assert!(other <= own, "{}: {module} uses {used}, which comes later", inside.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "the search found almost nothing: {seen} uses");
}

/// Whether code of a file so many modules below `systems` names something outside of its own system: by the whole path, or by
/// going up so far.
fn leaves_system(text: &str, depth: usize) -> bool {
    // What follows is in a module of its own.
    let (code, tests) = text.split_once("#[cfg(test)]\nmod tests {").unwrap_or((text, ""));
    let leaves = |text: &str, depth: usize| {
        let code: String = text.lines().filter(|l| !l.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let ups = code.split("super::").skip(1).scan(0, |ups, after| {
            *ups += 1;
            let here = *ups;
            if !after.is_empty() {
                *ups = 0;
            }
            Some(here)
        });
        uses(&code).iter().any(|used| used == "systems") || ups.max().is_some_and(|most| most >= depth)
    };
    leaves(code, depth) || leaves(tests, depth + 1)
}

#[test]
fn no_system_uses_another() {
    let systems = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/systems");
    let mut seen = std::collections::BTreeSet::new();
    for file in rust_files(&systems) {
        let inside = file.strip_prefix(&systems).unwrap();
        if inside == Path::new("mod.rs") {
            continue;
        }
        let system = inside.iter().next().unwrap().to_string_lossy().replace(".rs", "");
        let depth = inside.iter().count() - usize::from(inside.ends_with("mod.rs"));
        let text = fs::read_to_string(&file).unwrap();
        assert!(!leaves_system(&text, depth), "{}: {system} names what is outside of it", inside.display());
        seen.insert(system);
    }
    assert!(seen.len() > 2, "the search found almost nothing: {seen:?}");
}

#[test]
fn planted_faults_are_found() {
    // In a file of a system's folder, in the folder's own or a lone file, and in tests.
    assert!(!leaves_system("use super::Navigate;\nuse crate::plan::Path;", 2));
    assert!(leaves_system("use super::super::creature::Creature;", 2) && leaves_system("use super::CleanUp;", 1));
    assert!(leaves_system("use crate::systems::CleanUp;", 3) && leaves_system("use crate::{math, systems::X};", 3));
    assert!(!leaves_system("/// see [`super::CleanUp`]\n#[cfg(test)]\nmod tests {\n    use super::*;\n}", 1));
    assert!(leaves_system("#[cfg(test)]\nmod tests {\n    use super::super::CleanUp;\n}", 1));
    assert!(!leaves_system("fn f(a: super::A, b: super::B) {}", 2), "each goes up by one");
    assert_eq!(uses("use crate::plan::X;"), ["plan"]);
    assert_eq!(uses("use crate::{math::{Rigid, quat}, plan::Plan};"), ["math", "plan"]);
    assert_eq!(uses("    /// see [`crate::plan`]\nfn f() -> crate::rig::Pose {}"), ["rig"]);
}

#[test]
fn the_architecture_page_names_what_is_there() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let listed: Vec<&str> = page
        .lines()
        .skip_while(|line| *line != "<!-- folders -->")
        .take_while(|line| *line != "<!-- end of folders -->")
        .filter_map(|line| line.strip_prefix("- `")?.split('`').next())
        .collect();
    assert!(listed.len() > 10, "the list of folders is gone: {listed:?}");
    for folder in &listed {
        assert!(root().join(folder).exists(), "ARCHITECTURE.md names {folder}, which is not there");
    }
    // And the other way round: every module of the engine and every crate is on the page.
    for module in ORDER {
        let [folder, file] = [format!("crates/surefoot/src/{module}/"), format!("crates/surefoot/src/{module}.rs")];
        assert!(listed.contains(&folder.as_str()) || listed.contains(&file.as_str()), "{module} is not on the page");
    }
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = format!("crates/{}/", entry.unwrap().file_name().to_string_lossy());
        assert!(listed.contains(&name.as_str()), "{name} is not on the page");
    }
}
