//! How far a body must go down so that its legs reach, and how it does so in time.

use crate::math::{box_mean, floor, window};
use glam::Vec3A;

/// A leg's end that is farther aside than this share of its reach is taken to be so far aside: going down helps it little.
const ASIDE: f32 = 0.95;

/// How far a hip must go down for a leg's end to be within `reach`, metres; below 0 where it could go up by so much. Hip and
/// end in one space, Y up, metres.
#[must_use]
pub(crate) fn drop_to_reach(hip: Vec3A, end: Vec3A, reach: f32) -> f32 {
    let aside = floor::of_point(end - hip).length().min(ASIDE * reach);
    hip.y - end.y - (reach * reach - aside * aside).max(0.0).sqrt()
}

/// Over how many places a body goes down before it must and comes up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settle {
    /// Places either side for which a drop is held.
    pub hold: usize,
    /// Places either side of each mean that makes it smooth; all means together no more than `hold`, so that the body is low
    /// enough at every time.
    pub ease: usize,
    /// How many means are taken: one leaves corners in its speed, two do not.
    pub means: usize,
}

impl Settle {
    /// Drops over time (metres, ≥ 0, at even times) made smooth: as low as is needed at every time.
    #[must_use]
    pub(crate) fn run(&self, needed: &[f32]) -> Vec<f32> {
        debug_assert!(self.means * self.ease <= self.hold, "low enough at every time: {self:?}");
        let most = |i: usize| needed[window(i, self.hold, needed.len())].iter().copied().fold(0.0, f32::max);
        let held: Vec<f32> = (0..needed.len()).map(most).collect();
        (0..self.means).fold(held, |drops, _| box_mean(&drops, self.ease))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hip_that_goes_down_by_what_it_is_told_reaches() {
        for (hip, end) in [
            (Vec3A::new(0.0, 1.0, 0.0), Vec3A::new(0.3, 0.0, 0.4)),
            (Vec3A::new(1.0, 0.7, 0.0), Vec3A::new(1.0, 0.0, -0.2)),
        ] {
            let drop = drop_to_reach(hip, end, 0.9);
            assert!(((hip - Vec3A::Y * drop - end).length() - 0.9).abs() < 1e-5, "{drop}");
        }
        assert!(drop_to_reach(Vec3A::Y, Vec3A::X * 5.0, 0.9).is_finite(), "out of reach");
    }

    #[test]
    fn a_body_settles_before_it_must_and_without_a_jerk() {
        let needed: Vec<f32> = (0..200).map(|i| if (90..96).contains(&i) || i == 4 { 0.1 } else { 0.0 }).collect();
        let settle = Settle { hold: 16, ease: 8, means: 2 };
        let drops = settle.run(&needed);
        assert!(drops.iter().zip(&needed).all(|(drop, needed)| drop >= &(needed - 1e-6)), "low enough");
        assert!(drops.windows(2).all(|two| (two[1] - two[0]).abs() < 0.011), "no jerk");
        assert_eq!((drops[90 - 33], drops[96 + 33]), (0.0, 0.0), "and up again");
        assert!(settle.run(&[]).is_empty() && settle.run(&[0.1]) == [0.1]);
    }
}
