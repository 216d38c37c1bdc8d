//! What repair did to a clip, in words.

use super::row;
use std::ops::Range;
use surefoot::rig::Skeleton;
use surefoot::stages::RepairNote;

/// What a repair was, in a few words.
///
/// # Panics
/// If it was one of another skeleton.
#[must_use]
pub fn text(skeleton: &Skeleton, note: &RepairNote) -> String {
    let frames = |frames: &Range<usize>| match frames.len() {
        1 => format!("frame {}", frames.start),
        _ => format!("frames {} to {}", frames.start, frames.end - 1),
    };
    match note {
        RepairNote::Spike { joint, frames: at, turn } => {
            format!("{} was {:.0}° off its path in {}", skeleton.name(*joint), turn.to_degrees(), frames(at))
        }
        RepairNote::Turned { joint, frames: at, turn } => {
            format!("{} turns by {:.0}° at once in {}", skeleton.name(*joint), turn.to_degrees(), frames(at))
        }
        RepairNote::Hop { frames: at, distance } => {
            format!("the root was {:.0} mm off its path in {}", distance * 1e3, frames(at))
        }
        RepairNote::Stray { joint, frames: at, distance } => {
            format!("{} was {:.0} mm off its path in {}", skeleton.name(*joint), distance * 1e3, frames(at))
        }
        RepairNote::Dropped { frames: at } => {
            format!("nothing moves in {} though the body goes on; led it over them", frames(at))
        }
        RepairNote::Frozen { frames: at } => format!("nothing moves in {}; cut them", frames(at)),
        RepairNote::Tilted { tilt } => {
            format!("the floor was askew by {:.1}°; turned the clip to make it level", tilt.to_degrees())
        }
        RepairNote::Cut { kept, jump } => {
            format!("the root jumps at frame {jump}; kept {}", frames(kept))
        }
    }
}

/// What of a repair a person should look at, if anything: a joint that was far off for long, or still is. `rate` is that of
/// the clip, Hz.
///
/// # Panics
/// If it was one of another skeleton.
#[must_use]
pub fn warning(skeleton: &Skeleton, note: &RepairNote, rate: f32) -> Option<String> {
    let at = |frame: usize| frame as f32 / rate;
    match note {
        RepairNote::Spike { joint, frames, turn } if *turn > FAR && at(frames.len()) > LONG => Some(format!(
            "{} was turned away by {:.0}° from {:.2} to {:.2} s, and was interpolated; please check it",
            skeleton.name(*joint),
            turn.to_degrees(),
            at(frames.start),
            at(frames.end)
        )),
        RepairNote::Turned { joint, frames, turn } => Some(format!(
            "{} turns by {:.0}° at once at {:.2} s and stays so; it was left unchanged, since it is not clear which side is right",
            skeleton.name(*joint),
            turn.to_degrees(),
            at(frames.start)
        )),
        _ => None,
    }
}

/// A joint that was off by more than this is looked at, radians.
const FAR: f32 = 0.5;
/// Shorter than this nobody sees what was mended, seconds.
const LONG: f32 = 0.05;

/// Repairs, a line each; the first few of many.
pub fn rows(out: &mut String, repairs: &[String]) {
    // Repairs that are told one by one; of the others their number is.
    const SHOWN: usize = 6;
    for repair in repairs.iter().take(SHOWN) {
        row(out, "repaired", repair);
    }
    if repairs.len() > SHOWN {
        row(out, "repaired", format!("… and {} more", repairs.len() - SHOWN));
    }
}
