//! What every import must hold, whatever the bytes were.

use surefoot_io::Import;

/// Checks a body and its clips.
pub(crate) fn check(import: &Import) {
    assert!(import.skeleton.rest().iter().all(|rest| rest.is_finite()), "rest");
    for clip in &import.clips {
        assert!(clip.frames() > 0 && clip.rate() > 0.0, "{} frames at {} Hz", clip.frames(), clip.rate());
        for frame in 0..clip.frames() {
            for local in clip.frame(frame) {
                let unit = (local.rotation.length_squared() - 1.0).abs() < 1e-3;
                assert!(local.is_finite() && unit, "{local:?}");
            }
        }
    }
    for warning in &import.warnings {
        assert!(warning.to_string().len() < 4000, "{warning}");
    }
}
