//! What is still ahead: the least seconds for so many metres straight on, from each speed, until one stands.

use super::fit::{Change, change_of_speed};
use crate::library::strides::StrideReach;

/// The least seconds for a straight way that ends in a walk or a stand.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    /// By metres in steps of [`STEP`], then by pace.
    table: Vec<[f32; PACES]>,
    /// What each metre beyond the table takes, seconds.
    metre: f32,
}

/// Between the entries, metres.
const STEP: f32 = 0.1;
/// The longest way in the table, metres: beyond, all strides are the fastest.
const LONGEST: f32 = 40.0;
/// Speeds from 0 to 1 that are told apart.
const PACES: usize = 3;

impl Ahead {
    /// Of the strides that may be taken; a metre takes at least so many seconds.
    pub(super) fn new<'a>(reaches: impl Iterator<Item = &'a StrideReach>, metre: f32) -> Self {
        // Each stride at five lengths.
        let strides: Vec<(&StrideReach, Vec<(f32, f32)>)> = reaches
            .map(|reach| {
                let length = reach.last().map_or(0.0, |last| last.place.truncate().with_y(last.place.z).length());
                let at = |share: f32| {
                    let change = Change { along: share * reach.slack.along, ..Change::default() };
                    let cost = reach.cost_of(change).unwrap_or(0.0);
                    (length + change.along, cost + reach.seconds + reach.penalty)
                };
                (reach, [-1.0, -0.5, 0.0, 0.5, 1.0].map(at).to_vec())
            })
            .collect();
        let mut table: Vec<[f32; PACES]> = Vec::new();
        for entry in 0..=(LONGEST / STEP) as usize {
            let far = entry as f32 * STEP;
            let mut row = [f32::INFINITY; PACES];
            for (pace, least) in row.iter_mut().enumerate() {
                let speed = pace as f32 / (PACES - 1) as f32;
                if entry == 0 && speed <= 0.5 {
                    *least = 0.0;
                }
                for (reach, lengths) in &strides {
                    let Some(changed) = change_of_speed(speed, reach) else { continue };
                    for (length, cost) in lengths.iter().filter(|(length, _)| *length > STEP) {
                        let left = ((far - length) / STEP).floor();
                        let rest = if left < 0.0 {
                            if reach.exit_speed <= 0.5 { 0.0 } else { f32::INFINITY }
                        } else {
                            table[left as usize][pace_of(reach.exit_speed)]
                        };
                        *least = least.min(changed + cost + rest);
                    }
                }
            }
            table.push(row);
        }
        Self { table, metre }
    }

    /// What is added to the least seconds for so many metres by speeding up and slowing down, and since strides are whole.
    pub(super) fn more(&self, metres: f32, speed: f32) -> f32 {
        (self.seconds(metres, speed) - metres * self.metre).max(0.0)
    }

    /// The least seconds for so many metres at a speed.
    fn seconds(&self, metres: f32, speed: f32) -> f32 {
        let last = self.table.len() - 1;
        let entry = (metres / STEP).max(0.0);
        let (low, share) = (entry as usize, entry.fract());
        let pace = pace_of(speed);
        if low >= last {
            return self.table[last][pace] + (entry - last as f32) * STEP * self.metre;
        }
        let [a, b] = [self.table[low][pace], self.table[low + 1][pace]];
        if a.is_finite() && b.is_finite() { a + share * (b - a) } else { metres * self.metre }
    }
}

fn pace_of(speed: f32) -> usize {
    ((PACES - 1) as f32 * speed).round().clamp(0.0, (PACES - 1) as f32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::strides::plain_strides;

    #[test]
    fn longer_ways_take_longer_and_a_runner_needs_no_run_up() {
        let strides = plain_strides();
        let ahead = Ahead::new(strides.iter(), 0.5);
        for k in 1..500 {
            let far = 0.13 * k as f32;
            assert!(ahead.seconds(far + 1.5, 0.0) > ahead.seconds(far, 0.0), "{far}");
        }
        assert!(ahead.seconds(20.0, 1.0) < ahead.seconds(20.0, 0.0));
        assert_eq!(ahead.seconds(0.0, 0.0), 0.0);
        assert!(ahead.seconds(0.0, 1.0) > 0.5, "a runner must slow down first");
        // Nothing but walks: by their speed.
        let walks = Ahead::new(strides.iter().take(1), 0.8);
        assert!((18.0..22.5).contains(&walks.seconds(26.0, 0.0)), "{}", walks.seconds(26.0, 0.0));
    }
}
