//! Leaps: flights that are longer than those of a run.

use crate::motion::Take;
use crate::rig::{GRAVITY, Rig};

/// Flights of runs are shorter than this, seconds of a person; sprinters fly for 0.15 s.
const FLIGHT: f32 = 0.25;
/// In the middle of a flight a body is higher than at its ends by this share of what falling tells; else its feet were only not found
/// to stand.
const RISES: f32 = 0.5;

/// How long a take has leapt by each frame, seconds.
pub(crate) fn leaps(rig: &Rig, take: &Take) -> Vec<f32> {
    let clip = &take.clip;
    let mut down = vec![false; clip.frames()];
    for stance in &take.stances {
        stance.frames(clip).whole.for_each(|frame| down[frame] = true);
    }
    let height = |frame: usize| clip.body(&rig.skeleton, frame).translation.y;
    leapt(&down, clip.rate(), rig.scale().time(FLIGHT), height)
}

/// The same of a body of which is known when a foot is down, and how high it is: metres, frames a second, seconds.
fn leapt(down: &[bool], rate: f32, longest: f32, height: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut seconds = vec![0.0; down.len()];
    let mut first = 0;
    while first < down.len() {
        let flight = down[first..].iter().take_while(|down| !**down).count();
        let end = first + flight.max(1);
        let time = flight as f32 / rate;
        // One that was begun or goes on outside the take does not tell how high it goes.
        if time > longest && first > 0 && end < down.len() {
            let rises = height(first + flight / 2) - 0.5 * (height(first) + height(end - 1));
            if rises > RISES * 0.125 * GRAVITY * time * time {
                seconds[first..end].fill(1.0 / rate);
            }
        }
        first = end;
    }
    for frame in 1..seconds.len() {
        seconds[frame] += seconds[frame - 1];
    }
    seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds of leaping over 3 s at 60 Hz of who is in the air from one second on, and rises by a share of what falling tells.
    fn after(flight: f32, rises: f32) -> f32 {
        let down: Vec<bool> = (0..180).map(|f| !(1.0..1.0 + flight).contains(&(f as f32 / 60.0))).collect();
        let height = |frame: usize| {
            let time = (frame as f32 / 60.0 - 1.0).clamp(0.0, flight);
            1.0 + rises * 0.5 * GRAVITY * time * (flight - time)
        };
        leapt(&down, 60.0, FLIGHT, height)[179]
    }

    #[test]
    fn what_flies_for_longer_than_a_run_and_rises_leaps() {
        assert!((after(0.5, 1.0) - 0.5).abs() < 0.02, "{}", after(0.5, 1.0));
        assert_eq!(after(0.15, 1.0), 0.0, "a run");
        assert_eq!(after(0.5, 0.0), 0.0, "feet that were not found to stand");
        assert_eq!(after(3.0, 1.0), 0.0, "who knows");
    }

    #[test]
    fn takes_of_no_frames_or_no_foot_have_none() {
        assert_eq!(leapt(&[], 60.0, FLIGHT, |_| 1.0), []);
        assert_eq!(leapt(&[false; 100], 60.0, FLIGHT, |_| 1.0), [0.0; 100]);
    }
}
