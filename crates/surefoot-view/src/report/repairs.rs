//! What repair did to a clip, in words.

use super::row;
use std::ops::Range;
use surefoot::analyse::RepairNote;
use surefoot::rig::Skeleton;

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
        RepairNote::Hop { frames: at, distance } => {
            format!("the root was {:.0} mm off its path in {}", distance * 1e3, frames(at))
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
