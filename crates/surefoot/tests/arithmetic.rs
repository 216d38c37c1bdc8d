//! Keeps functions whose last bits differ between platforms in one place, so that feature `libm` reaches them all.

use std::fs;
use std::path::{Path, PathBuf};

const NAMES: [&str; 14] =
    ["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sin_cos", "hypot", "exp", "exp2", "ln", "powf", "cbrt"];

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files(&entry, out);
        } else {
            out.push(entry);
        }
    }
}

#[test]
fn the_engine_calls_no_platform_functions_directly() {
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    let mut found = Vec::new();
    for file in all.iter().filter(|file| !file.ends_with("math/functions.rs")) {
        let text = fs::read_to_string(file).unwrap();
        // Tests may call what they like.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (line, content) in code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for name in NAMES.iter().filter(|name| content.contains(&format!(".{name}("))) {
                found.push(format!("{}:{}: .{name}()", file.display(), line + 1));
            }
        }
    }
    assert!(found.is_empty(), "use surefoot::math::single or double:\n{}", found.join("\n"));
}
