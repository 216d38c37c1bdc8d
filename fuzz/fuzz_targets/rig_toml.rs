//! Rig files on an embedded body: a rig or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use surefoot_io::{Import, embedded, rig_file};

static WALK: LazyLock<Import> = LazyLock::new(|| {
    let mut import = embedded::find("16_15").expect("an embedded clip").import();
    // A few frames: legs are found anew for every rig.
    import.clips[0] = import.clips[0].trimmed(0..30);
    import
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let skeleton = &WALK.skeleton;
    match rig_file::read(text, skeleton, &[&WALK.clips[0]]) {
        Ok(rig) => {
            for leg in &rig.legs {
                assert!(leg.foot.heel.is_finite() && leg.foot.ball.is_finite(), "{:?}", leg.foot);
                assert!(leg.foot.up.is_normalized() && leg.hinges[0].is_normalized(), "{leg:?}");
                assert!(leg.chain.iter().all(|joint| joint.index() < skeleton.len()), "{leg:?}");
            }
            // What is read can be written and read again.
            rig_file::read(&rig_file::write(&rig), skeleton, &[&WALK.clips[0]]).expect("it was read before");
        }
        Err(error) => assert!(!error.to_string().is_empty(), "no words"),
    }
});
