//! ASF: a skeleton or an error.

#![no_main]

mod motion;

use libfuzzer_sys::fuzz_target;
use surefoot_io::{ImportSettings, asf};

fuzz_target!(|bytes: &[u8]| {
    match asf::read_skeleton(bytes, "fuzz", &ImportSettings::default()) {
        Ok(import) => motion::check(&import),
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
});
