//! glTF: motion and a skin that can be written again, or an error.

#![no_main]

mod motion;

use libfuzzer_sys::fuzz_target;
use surefoot_io::gltf::{self, NewClip, WriteSettings};
use surefoot::analyse::Study;
use surefoot_io::ImportSettings;

fuzz_target!(|bytes: &[u8]| {
    let nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    match gltf::read(bytes, "fuzz", &nothing, &ImportSettings::default()) {
        Ok(import) => {
            motion::check(&import);
            motion::check_skin(&import);
            // Legs and stances that the file tells are taken as they are.
            let clip = &import.clips[0];
            if !import.skeleton.known_legs().is_empty() && clip.frames() * import.skeleton.len() < 10_000 {
                let _ = Study::default().run_skinned(&import.skeleton, import.skin.as_ref(), clip);
            }
            if let Some(document) = &import.document {
                let clips: Vec<NewClip<'_>> = import.clips.iter().map(NewClip::of).collect();
                // It may refuse, but must not break.
                let _ = gltf::write_clips(document, &import.skeleton, &clips, &WriteSettings::default());
            }
        }
        Err(error) => assert!(error.to_string().len() < 2000, "{error}"),
    }
});
