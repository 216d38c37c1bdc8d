//! glTF: motion and a skin that can be written again, or an error.

#![no_main]

mod motion;

use libfuzzer_sys::fuzz_target;
use surefoot_io::gltf::{self, NewClip, WriteSettings};
use surefoot_io::ImportSettings;

fuzz_target!(|bytes: &[u8]| {
    let nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    match gltf::read(bytes, "fuzz", &nothing, &ImportSettings::default()) {
        Ok(import) => {
            motion::check(&import);
            motion::check_skin(&import);
            if let Some(document) = &import.document {
                let clips: Vec<NewClip<'_>> = import.clips.iter().map(NewClip::of).collect();
                // It may refuse, but must not break.
                let _ = gltf::write_clips(document, &import.skeleton, &clips, &WriteSettings::default());
            }
        }
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
});
