//! Planned prints made smooth: the right foot's chain by a binomial kernel, the left ones taken from the strides again.

use super::refine::between;
use super::{Mark, Snap};
use crate::library::strides::{StrideKind, Strides};
use crate::math::{FloorPose, wrap_angle};
use crate::plan::footsteps::FootstepPlan;
use glam::Vec2;

/// How planned prints are made smooth.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct SmoothPrints {
    /// How many times the kernel is run over the chain; 0 leaves prints where they are.
    pub passes: usize,
}

impl Default for SmoothPrints {
    fn default() -> Self {
        Self { passes: 4 }
    }
}

impl SmoothPrints {
    /// Makes the right prints of a plan smooth, cut at those that are fixed, and takes left ones from their strides again.
    pub(crate) fn run(&self, strides: &Strides, plan: &FootstepPlan, marks: &mut [Mark], snap: &Snap<'_>) {
        if self.passes == 0 {
            return;
        }
        let before = marks.to_vec();
        let mut chain: Vec<usize> = plan.strides.iter().map(|stride| stride.first).collect();
        chain.extend(plan.strides.last().map(|stride| stride.last));
        for _ in 0..self.passes {
            let old: Vec<Mark> = chain.iter().map(|i| marks[*i]).collect();
            for k in 0..old.len() {
                if !old[k].fixed {
                    marks[chain[k]].at = snap.near_home(&old[k], kernel(&old, k));
                }
            }
        }
        for planned in &plan.strides {
            let stride = &strides.strides[planned.stride];
            if stride.kind == StrideKind::Special || planned.last != planned.first + 2 {
                continue;
            }
            let reach = stride.reach();
            let [left, right] = [0, 1].map(|k| {
                let print = reach.prints[k];
                FloorPose::new(Vec2::new(print.place.x, print.place.z), print.heading)
            });
            let (from, to) = (marks[planned.first].at, marks[planned.last].at);
            let mark = &mut marks[planned.first + 1];
            if !mark.fixed {
                mark.at = snap.near_home(mark, between([FloorPose::ORIGIN, left, right], [from, to]));
            }
        }
        snap.put_down(&before, marks);
    }
}

/// The kernel (1, 4, 6, 4, 1) / 16 about a print, (1, 2, 1) / 4 where one of its second neighbours is missing or beyond a fixed
/// print, and the print itself at the ends.
fn kernel(chain: &[Mark], k: usize) -> FloorPose {
    let here = chain[k].at;
    if k == 0 || k + 1 >= chain.len() {
        return here;
    }
    // Places and headings from the print's own, so that headings may go round.
    let off = |i: usize| {
        let there = chain[i].at;
        (there.position - here.position, wrap_angle(there.heading - here.heading))
    };
    let wide = k >= 2 && k + 2 < chain.len() && !chain[k - 1].fixed && !chain[k + 1].fixed;
    let ([a, b], [c, d]) =
        ([off(k - 1), off(k + 1)], if wide { [off(k - 2), off(k + 2)] } else { [(Vec2::ZERO, 0.0); 2] });
    let (near, far) = if wide { (4.0 / 16.0, 1.0 / 16.0) } else { (1.0 / 4.0, 0.0) };
    let second = |near: f32, out: f32| near + wrap_angle(out - near);
    let (c_turn, d_turn) = (second(a.1, c.1), second(b.1, d.1));
    FloorPose {
        position: here.position + near * (a.0 + b.0) + far * (c.0 + d.0),
        heading: here.heading + near * (a.1 + b.1) + far * (c_turn + d_turn),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Side;
    use std::f32::consts::PI;

    fn chain(count: usize, at: impl Fn(f32) -> FloorPose) -> Vec<Mark> {
        let mark = |k: usize| Mark {
            side: Side::Right,
            at: at(k as f32),
            height: 0.0,
            fixed: false,
            home: Vec2::ZERO,
            time: 0.0,
        };
        (0..count).map(mark).collect()
    }

    #[test]
    fn even_steps_stay_and_headings_go_round() {
        let even = chain(9, |k| FloorPose::new(Vec2::new(0.3 * k, 1.1 * k), PI - 0.3 + 0.1 * k));
        let wrapped: Vec<Mark> = even.iter().map(|mark| Mark { at: mark.at.wrapped(), ..*mark }).collect();
        for k in 0..9 {
            let smooth = kernel(&wrapped, k);
            assert!((smooth.position - even[k].at.position).length() < 1e-5, "{k}: {smooth:?}");
            assert!(wrap_angle(smooth.heading - even[k].at.heading).abs() < 1e-5, "{k}: {smooth:?}");
        }
    }

    #[test]
    fn what_goes_to_and_fro_is_taken_out_whole() {
        let to_and_fro = chain(9, |k| {
            let side = if (k as usize).is_multiple_of(2) { 1.0 } else { -1.0 };
            FloorPose::new(Vec2::new(0.1 * side, k), 0.2 * side)
        });
        let smooth = kernel(&to_and_fro, 4);
        assert!(smooth.position.x.abs() < 1e-6 && smooth.heading.abs() < 1e-6, "{smooth:?}");
    }

    #[test]
    fn the_kernel_is_the_one_of_four_differences_and_the_printed_one_is_not() {
        let bend = |k: f32| FloorPose::new(Vec2::ZERO, 0.02 * k * k * k - 0.1 * k);
        let marks = chain(9, bend);
        let d = |k: usize| wrap_angle(marks[k + 1].at.heading - marks[k].at.heading);
        let right = marks[4].at.heading + (-d(2) - 5.0 * d(3) + 5.0 * d(4) + d(5)) / 16.0;
        // As printed: (-1, -5, 0, 5, 1) over five.
        let printed = marks[4].at.heading + (-d(2) - 5.0 * d(3) + 5.0 * d(5) + d(6)) / 16.0;
        let ours = kernel(&marks, 4).heading;
        assert!((ours - right).abs() < 1e-5 && (ours - printed).abs() > 1e-2, "{ours}, {right}, {printed}");
    }

    #[test]
    fn a_fixed_print_cuts_the_chain() {
        let mut marks = chain(7, |k| FloorPose::new(Vec2::new(k * k, k), 0.0));
        marks[3].fixed = true;
        let narrow = kernel(&marks, 2).position.x;
        assert!((narrow - (1.0 + 2.0 * 4.0 + 9.0) / 4.0).abs() < 1e-5, "{narrow}: nothing of what is beyond it");
    }
}
