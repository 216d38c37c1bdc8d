//! The command run as a program, and what it leaves behind.

#![allow(dead_code, reason = "each test file uses some of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) fn surefoot(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_surefoot")).args(args).output().unwrap()
}

pub(crate) fn asset(name: &str) -> String {
    root().join("assets").join(name).display().to_string()
}

pub(crate) fn scenario(name: &str) -> String {
    root().join("scenarios").join(name).display().to_string()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An empty folder of this test's own.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The name of a file of this test's own that is not there yet.
pub(crate) fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What was printed as JSON.
#[track_caller]
pub(crate) fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// All that was printed, of a run that must end with this code and say these words.
#[track_caller]
pub(crate) fn assert_exit(output: &Output, code: i32, words: &[&str]) -> String {
    let all = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{all}");
    for word in words {
        assert!(all.contains(word), "{word:?} is not in:\n{all}");
    }
    assert!(!all.contains("panicked"), "{all}");
    all
}
