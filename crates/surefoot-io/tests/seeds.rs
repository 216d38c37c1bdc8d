//! Seeds of fuzzing, with those that once went wrong: each is read into a body that can be drawn, or refused with words.

use std::path::Path;
use surefoot_io::{ImportSettings, gltf};

#[test]
fn gltf_seeds_have_a_skin_at_finite_places_or_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/gltf");
    let nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let mut read = [0, 0];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        match gltf::read(&bytes, "seed", &nothing, &ImportSettings::default()) {
            Ok(import) => {
                let skin = import.skin.as_ref();
                let finite = skin.is_none_or(|skin| skin.positions.iter().all(|place| place.is_finite()));
                assert!(finite, "{}", path.display());
                read[0] += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty(), "{}", path.display());
                read[1] += 1;
            }
        }
    }
    assert!(read[0] >= 2 && read[1] >= 1, "some are bodies, one is not: {read:?}");
}
