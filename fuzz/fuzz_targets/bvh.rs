//! BVH: motion or an error.

#![no_main]

mod motion;

use libfuzzer_sys::fuzz_target;
use surefoot_io::{ImportSettings, bvh};

fuzz_target!(|bytes: &[u8]| {
    let partial = bytes.len() % 2 == 1;
    match bvh::read(bytes, "fuzz", &ImportSettings { partial, ..ImportSettings::default() }) {
        Ok(import) => motion::check(&import),
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
});
