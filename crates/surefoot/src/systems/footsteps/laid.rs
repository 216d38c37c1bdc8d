//! Strides laid one after the other on a level floor: the plan of a walk that nobody had to search for.

use crate::library::strides::{StrideKind, StridePrint, Strides};
use crate::math::FloorPose;
use crate::motion::Footprint;
use crate::plan::footsteps::{FootstepPlan, PlannedPrint, PlannedStride};
use crate::rig::Side;
use glam::Vec2;

/// Strides in an order laid one after the other on a level floor at y = 0, as their clips have them, from where the first right
/// sole stands. Its ends and the prints of what is special are fixed.
///
/// # Panics
/// If there is no such stride.
#[must_use]
pub fn lay_strides(strides: &Strides, order: &[usize], first: FloorPose) -> FootstepPlan {
    let mut plan = FootstepPlan::default();
    let print = |side: Side, at: FloorPose, time: f32, fixed: bool| PlannedPrint {
        print: Footprint::new(strides.leg(side), at.to_rigid()),
        time,
        fixed,
    };
    let reaches = strides.reaches();
    let mut here = first;
    plan.prints.push(print(Side::Right, here, 0.0, true));
    for stride in order.iter().copied() {
        let reach = &reaches[stride];
        let special = reach.kind == StrideKind::Special;
        let (from, start) = (plan.prints.len() - 1, plan.seconds);
        plan.prints[from].fixed |= special;
        let place = |step: &StridePrint| here.then(FloorPose::new(Vec2::new(step.place.x, step.place.z), step.heading));
        let steps = reach.prints.iter().map(|step| print(step.side, place(step), start + step.time, special));
        plan.prints.extend(steps);
        here = reach.last().map_or(here, |last| place(&last));
        plan.seconds += reach.seconds;
        plan.strides.push(PlannedStride { stride, first: from, last: plan.prints.len() - 1 });
    }
    if let Some(last) = plan.prints.last_mut() {
        last.fixed = true;
    }
    plan
}
