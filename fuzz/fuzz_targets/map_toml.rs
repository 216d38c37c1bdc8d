//! Maps of parts between two embedded bodies: a map that retargets, or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use surefoot::stages::Retarget;
use surefoot::analyse::Study;
use surefoot::motion::Take;
use surefoot::rig::Rig;
use surefoot_io::{embedded, map_file};

struct Walker {
    rig: Rig,
    take: Take,
}

/// A few frames of an embedded walk.
static WALK: LazyLock<Walker> = LazyLock::new(|| {
    let import = embedded::find("16_39").expect("an embedded clip").import();
    let studied = Study::default().run(&import.skeleton, &import.clips[0]).expect("it has legs");
    let mut take = studied.take;
    take.clip = take.clip.trimmed(0..6);
    take.stances.clear();
    take.sources.clear();
    Walker { rig: studied.rig, take }
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let told = |error: map_file::MapFileError| assert!(!error.to_string().is_empty(), "no words");
    let map = match map_file::read(text) {
        Ok(map) => map,
        Err(error) => return told(error),
    };
    let Walker { rig, take } = &*WALK;
    match (map.source(rig.clone(), None), map.target(rig.clone(), None)) {
        (Ok(from), Ok(to)) => {
            // What is read can be written, read again, and used.
            map_file::read(&map_file::write(&from, &to)).expect("it was read before");
            let retarget = Retarget { modes: map.modes(), pelvis_offset: map.pelvis_offset(), ..Retarget::default() };
            if let Ok(done) = retarget.run(&from, take, &to) {
                let clip = &done.take.clip;
                let finite = |frame: usize| clip.frame(frame).iter().all(|local| local.is_finite());
                assert!((0..clip.frames()).all(finite), "a pose is no pose");
            }
        }
        (Err(error), _) | (_, Err(error)) => told(error),
    }
});
