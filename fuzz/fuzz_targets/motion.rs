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

/// Checks the skin, if there is one, and lets it follow the first frame of every clip.
#[allow(dead_code, reason = "not every reader has skins")]
pub(crate) fn check_skin(import: &Import) {
    let Some(skin) = &import.skin else { return };
    let vertices = skin.positions.len();
    assert!(skin.joints.len() == vertices && skin.weights.len() == vertices, "one of each per vertex");
    assert!(skin.positions.iter().all(|p| p.is_finite()), "positions");
    assert!(skin.triangles.iter().flatten().all(|corner| (*corner as usize) < vertices), "triangles");
    assert!(skin.joints.iter().flatten().all(|bone| usize::from(*bone) < skin.bones.len()), "bones");
    assert!(skin.weights.iter().all(|w| (w.iter().sum::<f32>() - 1.0).abs() < 1e-3), "weights");
    let _ = skin.at_rest(&import.skeleton);
}
