//! What swings are raised by to clear the ground: by frame in a clip, as a spline in a plan that is looked at at any time.

use crate::math::{box_mean, smoothstep, window};

/// Parts of a planned swing.
const PARTS: usize = 20;
/// The first and last of this many coefficients are nothing, so that height and speed begin and end with nothing.
const ENDS: usize = 2;

/// What a planned swing is raised by, over its time: a cubic spline that is nothing at both ends and passes over all that it was
/// asked to clear. Raising it at a place raises the coefficients around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// At even shares of the time, metres, from `ENDS` parts after the start on.
    heights: [f32; PARTS + 1 - 2 * ENDS],
}

impl Clearance {
    /// Nothing to clear.
    pub const NONE: Self = Self { heights: [0.0; PARTS + 1 - 2 * ENDS] };

    /// Raises it to a height (metres) at a share of the time, where it is lower. Near the ends it rises as far as it can.
    pub fn raise(&mut self, x: f32, height: f32) {
        let (first, weights) = Self::weights(x);
        let free = |k: usize| (first + k).checked_sub(ENDS + 1).filter(|i| *i < PARTS + 1 - 2 * ENDS);
        // Some of the coefficients here may be bound to nothing; the others do their part.
        let share: f32 = (0..4).filter(|k| free(*k).is_some()).map(|k| weights[k]).sum();
        for i in (0..4).filter_map(free) {
            self.heights[i] = self.heights[i].max(height / share.max(0.6));
        }
    }

    /// How much it is at a share of the time, metres.
    #[must_use]
    pub fn at(&self, x: f32) -> f32 {
        let (first, weights) = Self::weights(x);
        let height =
            |k: usize| (first + k).checked_sub(ENDS + 1).and_then(|i| self.heights.get(i)).copied().unwrap_or(0.0);
        (0..4).map(|k| weights[k] * height(k)).sum()
    }

    /// Weights of four coefficients in a row, and the number of the first of them, counted from the one before the start.
    fn weights(x: f32) -> (usize, [f32; 4]) {
        let x = x.clamp(0.0, 1.0) * PARTS as f32;
        let i = (x as usize).min(PARTS - 1);
        let u = x - i as f32;
        let v = 1.0 - u;
        let inner = |u: f32| (4.0 - 6.0 * u * u + 3.0 * u * u * u) / 6.0;
        // Coefficient i - 1 .. i + 2.
        (i, [v * v * v / 6.0, inner(u), inner(v), u * u * u / 6.0])
    }
}

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
    fn clearance_is_as_high_as_it_was_asked_to_be_and_smooth() {
        let asked = [(0.11, 0.05), (0.3, 0.4), (0.31, 0.2), (0.77, 0.1), (0.85, 0.3)];
        let mut clearance = Clearance::NONE;
        for (x, height) in asked {
            clearance.raise(x, height);
        }
        for (x, height) in asked {
            assert!(clearance.at(x) >= height - 1e-6, "{} at {x}, not {height}", clearance.at(x));
        }
        assert!(clearance.at(0.55) < 0.05, "where nothing is asked it comes down: {}", clearance.at(0.55));
        let speed = |x: f32| (clearance.at(x + 5e-4) - clearance.at(x - 5e-4)) / 1e-3;
        for i in 1..999 {
            let x = 1e-3 * i as f32;
            assert!((speed(x + 1e-3) - speed(x)).abs() < 1.0, "no corner at {x}");
        }
        assert_eq!(Clearance::NONE.at(0.4), 0.0);
    }

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
