//! Ways over the floor on longer or shorter legs, and the strides in them.
//!
//! With legs `b` times as long the root moves by `moved + (b - 1) swung` a frame, and by `grown` less for each unit that legs grow by
//! in it: the [anchored form](super::Anchor) is linear in the scales.

use super::{Anchor, BodyAt, LegAt};
use crate::math::{FloorPose, box_mean, floor, smoothstep, wrap_angle};
use glam::Vec2;

/// The step to a frame from the one before it, metres over the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WayStep {
    /// As it was captured.
    pub(crate) moved: Vec2,
    /// What is added for each unit that legs are longer by.
    pub(crate) swung: Vec2,
    /// What is taken off for each unit that legs grow by in this step.
    pub(crate) grown: Vec2,
    /// From the root to where it would be without the sway of strides.
    pub(crate) sway: Vec2,
    /// What is added to that for each unit that legs are longer by.
    pub(crate) swung_sway: Vec2,
    /// What the way becomes longer by for each unit that legs do, as a share of it, over a stride: about 1, and less
    /// or more in turns.
    pub(crate) gain: f32,
}

/// A way over the floor, frame by frame.
#[derive(Clone, Copy)]
pub(crate) struct LegWay<'a> {
    pub(crate) roots: &'a [FloorPose],
    /// Headings without the sway of strides, radians.
    pub(crate) calm: &'a [f32],
    /// Frame after frame, leg by leg.
    pub(crate) legs: &'a [LegAt],
    /// How many.
    pub(crate) count: usize,
}

impl LegWay<'_> {
    /// A frame of it.
    pub(crate) fn body(&self, frame: usize) -> BodyAt<'_> {
        let legs = &self.legs[frame * self.count..(frame + 1) * self.count];
        BodyAt { root: self.roots[frame], calm: self.calm[frame], legs }
    }

    /// Its steps, without their sway; the first is none.
    pub(crate) fn steps(&self, anchor: &mut Anchor) -> Vec<WayStep> {
        let (own, double) = (vec![1.0; self.count.max(1)], vec![2.0; self.count.max(1)]);
        let mut step = |k: usize| {
            let moved = self.roots[k].position - self.roots[k - 1].position;
            let (from, to) = (self.body(k - 1), self.body(k));
            // Linear in both scales: two looks tell all.
            let swung = anchor.step(from, to, &double, &double) - moved;
            let grown = moved - anchor.step(from, to, &own, &double);
            WayStep { moved, swung, grown, ..WayStep::NONE }
        };
        std::iter::once(WayStep::NONE).chain((1..self.roots.len()).map(&mut step)).collect()
    }
}

/// Headings of a way without the sway of strides of `2 reach` frames, radians, not wrapped.
pub(crate) fn calm_headings(roots: &[FloorPose], reach: usize) -> Vec<f32> {
    let mut heading = roots.first().map_or(0.0, |root| root.heading);
    let unwrapped = |root: &FloorPose| {
        heading += wrap_angle(root.heading - heading);
        heading
    };
    box_mean(&roots.iter().map(unwrapped).collect::<Vec<f32>>(), reach)
}

impl WayStep {
    /// No step at all.
    const NONE: Self = Self {
        moved: Vec2::ZERO,
        swung: Vec2::ZERO,
        grown: Vec2::ZERO,
        sway: Vec2::ZERO,
        swung_sway: Vec2::ZERO,
        gain: 1.0,
    };

    /// Finds what comes and goes within a stride of `2 reach` frames, and what a stride gains by longer legs; `headings` are
    /// [calm](calm_headings).
    pub(crate) fn look_at_strides(steps: &mut [Self], headings: &[f32], reach: usize) {
        let moved = Strides::new(&steps.iter().map(|step| step.moved).collect::<Vec<_>>(), headings, reach);
        let swung = Strides::new(&steps.iter().map(|step| step.swung).collect::<Vec<_>>(), headings, reach);
        for (k, step) in steps.iter_mut().enumerate() {
            (step.sway, step.swung_sway) = (moved.sway[k], swung.sway[k]);
            let (goes, more) = (moved.mean[k], swung.mean[k]);
            // Who stands gains as much as the legs.
            let going = smoothstep(goes.length() / STANDS - 1.0);
            let share = goes.dot(more) / goes.length_squared().max(1e-12);
            step.gain = 1.0 + going * (share.clamp(GAINS[0], GAINS[1]) - 1.0);
        }
    }
}

/// A body that goes less far than this from frame to frame stands, metres; one that goes twice as far does not.
const STANDS: f32 = 0.004;
/// What a stride gains at least and at most.
const GAINS: [f32; 2] = [0.5, 1.3];

/// A way without the sway of its strides.
struct Strides {
    /// From every place to where it would be.
    sway: Vec<Vec2>,
    /// The mean step over a stride, in a frame that turns with the body.
    mean: Vec<Vec2>,
}

impl Strides {
    /// Velocities are smoothed in a frame that turns with the body, so that a bend is no sway.
    fn new(steps: &[Vec2], headings: &[f32], reach: usize) -> Self {
        let own: Vec<Vec2> = steps.iter().zip(headings).map(|(step, heading)| floor::turned(*step, -heading)).collect();
        // The first step is none; the second stands for it.
        let second = 1.min(own.len() - 1);
        let mean = box_mean(&[&own[second..=second], &own[1..]].concat(), reach);
        let (mut place, mut calm) = (Vec2::ZERO, Vec2::ZERO);
        let mut off = |k: usize| {
            place += steps[k];
            calm += if k > 0 { floor::turned(mean[k], headings[k]) } else { Vec2::ZERO };
            calm - place
        };
        let off: Vec<Vec2> = (0..steps.len()).map(&mut off).collect();
        // What does not come back within a stride is no sway.
        let slow = box_mean(&off, reach);
        Self { sway: off.iter().zip(slow).map(|(off, slow)| *off - slow).collect(), mean }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sway_is_found_on_straights_and_bends_and_a_bend_is_none() {
        for turn in [0.0, 0.9] {
            let at = |f: usize| {
                let t = f as f32 / 30.0;
                let heading = turn * t;
                let side = 0.03 * (std::f32::consts::TAU * t).sin();
                let middle = if turn == 0.0 {
                    Vec2::new(0.0, 1.3 * t)
                } else {
                    1.3 / turn * Vec2::new(1.0 - heading.cos(), heading.sin())
                };
                FloorPose::new(middle + floor::turned(Vec2::new(side, 0.0), heading), heading)
            };
            let roots: Vec<FloorPose> = (0..240).map(at).collect();
            let steps: Vec<Vec2> = (0..240).map(|f| roots[f].position - roots[f.max(1) - 1].position).collect();
            let headings: Vec<f32> = roots.iter().map(|root| root.heading).collect();
            let found = Strides::new(&steps, &headings, 15).sway;
            for f in 40..200 {
                let side = 0.03 * (std::f32::consts::TAU * f as f32 / 30.0).sin();
                let wanted = floor::turned(Vec2::new(-side, 0.0), headings[f]);
                assert!((found[f] - wanted).length() < 0.006, "{f}: {} {wanted}", found[f]);
            }
        }
        assert_eq!(Strides::new(&[Vec2::ZERO], &[0.0], 3).sway, [Vec2::ZERO]);
    }
}
