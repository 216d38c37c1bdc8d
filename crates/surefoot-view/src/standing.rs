//! When feet stand in a clip as it is shown or written: of a cycle, within one round.

use std::ops::Range;
use surefoot::motion::{Stance, Take};
use surefoot::rig::{LegId, Rig};
use surefoot::stages::Cycle;

/// A stance within a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownStance {
    /// The leg.
    pub leg: LegId,
    /// The frames that it lasts.
    pub frames: Range<usize>,
    /// Whether the foot comes down at its start; not where the clip begins with it.
    pub strike: bool,
    /// Whether the foot leaves at its end; not where the clip ends with it.
    pub lift: bool,
}

/// The stances of a take; of a cycle, which is studied over several rounds, those of one round.
#[must_use]
pub fn standing(take: &Take, cycle: Option<&Cycle>) -> Vec<ShownStance> {
    let whole = cycle.map_or(0..take.clip.frames(), |cycle| cycle.frames.clone());
    let within = |stance: &Stance| {
        let Range { start, end } = stance.frames(&take.clip).whole;
        let frames = start.max(whole.start)..end.min(whole.end);
        if frames.is_empty() {
            return None;
        }
        // A clip's own ends are neither strikes nor lifts; a round's are not its clip's.
        let cut = stance.open && cycle.is_none();
        Some(ShownStance {
            leg: stance.leg(),
            strike: start >= whole.start && !(cut && start == whole.start),
            lift: end <= whole.end && !(cut && end == whole.end),
            frames: frames.start - whole.start..frames.end - whole.start,
        })
    };
    take.stances.iter().filter_map(within).collect()
}

/// When feet come down and leave, by the name of their ankle, in order of time: seconds, and what happens.
///
/// # Panics
/// If the stances belong to another rig.
#[must_use]
pub fn events(rig: &Rig, stances: &[ShownStance], rate: f32) -> Vec<(f32, String)> {
    let mut events = Vec::new();
    for stance in stances {
        let ankle = rig.skeleton.name(rig.legs[stance.leg.index()].ankle());
        let mut add = |frame: usize, what: &str| events.push((frame as f32 / rate, format!("{ankle} {what}")));
        if stance.strike {
            add(stance.frames.start, "strike");
        }
        if stance.lift {
            add(stance.frames.end, "lift");
        }
    }
    events.sort_by(|a, b| a.0.total_cmp(&b.0));
    events
}
