//! AMC on a real skeleton, or on one that stands before it in the same bytes: motion or an error.

#![no_main]

mod motion;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use surefoot_io::asf::{self, Document};
use surefoot_io::ImportSettings;

static PERSON: LazyLock<Document> =
    LazyLock::new(|| asf::parse(include_bytes!("../../assets/asfamc/11.asf")).expect("a skeleton").0);
/// Parts a skeleton from its motion.
const PARTS: &[u8] = b"\n===\n";

fuzz_target!(|bytes: &[u8]| {
    let partial = bytes.len() % 2 == 1;
    let settings = ImportSettings { partial, ..ImportSettings::default() };
    let parts = bytes.windows(PARTS.len()).position(|window| window == PARTS);
    let own = parts.and_then(|at| Some((asf::parse(&bytes[..at]).ok()?.0, &bytes[at + PARTS.len()..])));
    let result = match &own {
        Some((document, motion)) => asf::read_motion(motion, document, "fuzz", &settings),
        None => asf::read_motion(bytes, &PERSON, "fuzz", &settings),
    };
    match result {
        Ok(import) => motion::check(&import),
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
});
