//! What swings of a clip are raised by to clear the ground, by frame.

use crate::math::{box_mean, smoothstep, window};

/// What a foot is raised by in every frame of a clip: by `lacks` (metres, ≥ 0) at least where it swings, smoothly, and not at
/// all in frames that are `held`. It goes up and down within `reach` frames, and as much again to be smooth.
///
/// # Panics
/// If there are not as many numbers as frames.
#[must_use]
pub(crate) fn clear_swings(lacks: &[f32], held: &[bool], reach: usize) -> Vec<f32> {
    assert_eq!(lacks.len(), held.len(), "by frame");
    let frames = lacks.len();
    if lacks.iter().all(|lacks| *lacks < LEAST) {
        return vec![0.0; frames];
    }
    let reach = reach.max(1);
    let most = |f: usize| lacks[window(f, reach, frames)].iter().copied().fold(0.0, f32::max);
    let lift = box_mean(&(0..frames).map(most).collect::<Vec<_>>(), reach);
    let raised = |f: usize| {
        // It comes in with the distance from the held frames.
        let away = window(f, reach, frames).filter(|g| held[*g]).map(|g| g.abs_diff(f)).min();
        let w = away.map_or(1.0, |away| smoothstep(away as f32 / (reach + 1) as f32));
        w * lift[f]
    };
    (0..frames).map(raised).collect()
}

/// Swings that lack less than this are left alone, metres.
const LEAST: f32 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swings_of_a_clip_are_raised_where_they_lack_and_nowhere_they_are_held() {
        let held: Vec<bool> = (0..120).map(|f| !(30..90).contains(&f)).collect();
        let lacks: Vec<f32> = (0..120).map(|f| if (50..54).contains(&f) { 0.08 } else { 0.0 }).collect();
        let raised = clear_swings(&lacks, &held, 2);
        assert!((0..120).all(|f| !held[f] || raised[f] == 0.0), "standing feet stay");
        assert!((50..54).all(|f| raised[f] >= 0.08 - 1e-6), "{raised:?}");
        assert!(raised.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.05), "{raised:?}");
        assert_eq!(clear_swings(&[0.0; 5], &[false; 5], 2), [0.0; 5]);
        assert_eq!(clear_swings(&[0.1], &[true], 2), [0.0]);
        assert!(clear_swings(&[], &[], 2).is_empty());
    }
}
