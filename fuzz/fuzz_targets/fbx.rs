//! FBX: motion and a skin, or an error. The C code is instrumented too, see scripts/fuzz.sh.

#![no_main]

mod motion;

use libfuzzer_sys::fuzz_target;
use surefoot_io::{ImportSettings, fbx};

fuzz_target!(|bytes: &[u8]| {
    match fbx::read(bytes, "fuzz", &ImportSettings::default()) {
        Ok(import) => {
            motion::check(&import);
            motion::check_skin(&import);
        }
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
});
