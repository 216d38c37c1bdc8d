//! Files of clips that become strides: strides or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::LazyLock;
use surefoot_io::{Import, ImportSettings, embedded, load, strides_file};

/// A walk of two strides.
static WALK: LazyLock<Import> = LazyLock::new(|| embedded::find("16_39").expect("an embedded clip").import());

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // Cleaning a clip is long work: a few show what there is to see.
    if text.matches("[[").count() > 2 {
        return;
    }
    let import = |file: &str| match file {
        "walk" => Ok(WALK.clone()),
        _ => load(Path::new("no such file.bvh"), &ImportSettings::default()),
    };
    match strides_file::read_strides(text, &import) {
        Ok(strides) => {
            for stride in &strides.strides {
                assert!(stride.length.is_finite() && stride.penalty.is_finite(), "{}", stride.name);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty(), "no words"),
    }
});
