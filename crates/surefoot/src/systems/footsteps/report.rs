//! What making motion of footprints took, and how good it is.

use crate::adapt::footsteps::Mark;
use crate::library::strides::Strides;
use crate::math::{quat, wrap_angle};
use crate::motion::{FootTrack, Take};
use crate::plan::footsteps::FootstepPlan;
use std::time::Duration;

/// What making motion of footprints took, and how good it is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FootstepsReport {
    /// Prints that are stepped on.
    pub prints: usize,
    /// Frames of the motion.
    pub frames: usize,
    /// How long it is, seconds.
    pub seconds: f32,
    /// How well it arrives.
    pub arrival: FootArrival,
    /// How far a print was moved from where it was planned at most, metres.
    pub moved_prints: f32,
    /// How far the body was moved over its feet at most, metres.
    pub moved_body: f32,
    /// How far a held foot is from its place at most, metres: where legs do not reach.
    pub missed: f32,
    /// How long each stage took.
    pub times: FootstepsTimes,
}

/// How far the last foot is from its planned print.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootArrival {
    /// Metres.
    pub off: f32,
    /// Radians.
    pub turned: f32,
}

/// How long the stages took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FootstepsTimes {
    /// Making prints smooth.
    pub smooth: Duration,
    /// Playing strides, twice.
    pub play: Duration,
    /// Refining prints, twice.
    pub refine: Duration,
    /// Choosing strides of the groups.
    pub groups: Duration,
    /// Leading the body over its prints.
    pub trace: Duration,
    /// Moving it so that feet come to their prints.
    pub body: Duration,
    /// Bringing feet to their prints.
    pub legs: Duration,
}

impl FootstepsTimes {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.so_far()
    }

    pub(super) fn so_far(&self) -> Duration {
        self.smooth + self.play + self.refine + self.groups + self.trace + self.body + self.legs
    }
}

/// How far a print was moved at most, metres.
pub(super) fn farthest(before: &[Mark], after: &[Mark]) -> f32 {
    let moved = |(a, b): (&Mark, &Mark)| (a.at.position - b.at.position).length();
    before.iter().zip(after).map(moved).fold(0.0, f32::max)
}

/// How far the foot of the last print is from where it was planned, in the last frame in which it lies flat.
pub(super) fn arrival(strides: &Strides, take: &Take, plan: &FootstepPlan) -> FootArrival {
    let Some(last) = plan.prints.last() else { return FootArrival::default() };
    let leg = last.print.leg;
    let frames = take.clip.frames();
    let mut stances = take.stances.iter().filter(|stance| stance.leg() == leg);
    let flat = stances.next_back().map_or(0..0, |stance| stance.frames(&take.clip).flat());
    let frame = if flat.is_empty() { frames - 1 } else { flat.end - 1 };
    let rig = &strides.rig;
    let ankle = FootTrack::of_all(rig, &take.clip.trimmed(frame..frame + 1))[leg.index()].ankles[0];
    let sole = ankle * rig.legs[leg.index()].foot.ankle_from_sole();
    let wanted = last.print.world_from_sole;
    let heading = |rotation| quat::heading(rotation).unwrap_or(0.0);
    FootArrival {
        off: (sole.translation - wanted.translation).length(),
        turned: wrap_angle(heading(sole.rotation) - heading(wanted.rotation)).abs(),
    }
}
