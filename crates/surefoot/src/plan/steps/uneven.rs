//! By how much feet step earlier or later than their gait says: no two creatures march in step, nor do the feet of one.

use super::stride::Stride;
use crate::random::Rng;

/// Feet that a clip lets land together come down one after the other by so many times as much as they are uneven.
const APART: f32 = 2.5;
/// And by this share of what they are uneven by themselves.
const OWN: f32 = 0.25;

/// How much later each foot steps, as a share of the cycle, where feet are uneven by `uneven` at most.
pub(super) fn late(uneven: f32, random: &mut Rng, stride: Option<&Stride>, feet: usize) -> Vec<f32> {
    let own: Vec<f32> = (0..feet).map(|_| random.range(-uneven, uneven)).collect();
    let Some(stride) = stride else { return own };
    let lands: Vec<f32> = stride.legs.iter().map(|leg| leg.lift + leg.air).collect();
    apart(uneven, &own, &lands)
}

/// The same where feet land at these phases: those that land together do so in the order in which they are late by themselves.
fn apart(uneven: f32, own: &[f32], lands: &[f32]) -> Vec<f32> {
    let together = |a: usize, b: usize| {
        let between = (lands[a] - lands[b] + 0.5).rem_euclid(1.0) - 0.5;
        between.abs() < APART * uneven
    };
    let late = |foot: usize| {
        let with: Vec<usize> = (0..own.len()).filter(|other| together(foot, *other)).collect();
        let before = with.iter().filter(|other| (own[**other], **other) < (own[foot], foot)).count();
        let place = before as f32 - 0.5 * (with.len().max(1) - 1) as f32;
        if with.len() > 1 { APART * uneven * place + OWN * own[foot] } else { own[foot] }
    };
    (0..own.len()).map(late).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_that_land_together_come_down_one_after_the_other() {
        let own = [0.004, -0.011, 0.002, 0.009, -0.003];
        let late = apart(0.012, &own, &[0.99, 0.0, 1.01, 0.005, 0.4]);
        assert_eq!(late[4], own[4], "it lands alone");
        let mut four = late[..4].to_vec();
        four.sort_by(f32::total_cmp);
        // A cycle of a second has 60 frames.
        assert!(four.windows(2).all(|two| two[1] - two[0] > 1.0 / 60.0), "{late:?}");
        assert!(late[1] < late[2] && late[2] < late[0] && late[0] < late[3], "in their own order: {late:?}");
    }
}
