//! Motion fields of a made creature: a field or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use surefoot::rig::{ManyLegs, Rig};
use surefoot_io::field_file;

static INSECT: LazyLock<Rig> = LazyLock::new(|| ManyLegs::default().run());

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match field_file::read(text, &INSECT) {
        // What is read can be written and read again.
        Ok(field) => {
            let again = field_file::read(&field_file::write(&field, &INSECT), &INSECT).expect("it was read before");
            assert_eq!(field.segments(), again.segments());
        }
        Err(error) => assert!(!error.to_string().is_empty(), "no words"),
    }
});
