//! What is not as it should be with a motion, in words.

use surefoot::metrics::{Fault, FaultKind};
use surefoot::rig::Skeleton;

/// A fault in one line: what, how far, where and when.
#[must_use]
pub fn line(fault: &Fault, skeleton: &Skeleton) -> String {
    let Fault { kind, amount, source, allowed, joint, time, .. } = *fault;
    let (name, mm) = (skeleton.name(joint), 1e3 * amount);
    let what = match kind {
        FaultKind::FootInGround => format!("the skin of the foot at {name} is {mm:.0} mm in the ground"),
        FaultKind::LegInGround => format!("the skin of the leg at {name} is {mm:.0} mm in the ground"),
        FaultKind::Drift => format!("the foot at {name} strays by {mm:.0} mm while it stands"),
        FaultKind::BodyMoved => format!("{name} is moved by {mm:.0} mm"),
        FaultKind::NoGround => {
            return format!("{:.0} % of all steps have no ground, from {name} at {time:.2} s on", 100.0 * amount);
        }
        FaultKind::Unreached => {
            let share = 100.0 * amount;
            return format!("feet do not reach {share:.0} % of their footholds, from {name} at {time:.2} s on");
        }
        FaultKind::Skate => {
            let [now, before] = [amount, source].map(|speed| 100.0 * speed);
            return format!(
                "feet move over the ground near it at {now:.1} cm/s on average ({before:.1} cm/s in the source)"
            );
        }
        FaultKind::Slip => format!("the foot at {name} slides by {mm:.0} mm while it lies on the ground"),
        FaultKind::Jump => {
            let before = if source > 0.0 { format!(" ({source:.0} in the source)") } else { String::new() };
            let times = super::counted(amount as usize, "time");
            return format!("joints jump within one frame {times}{before}, most of all {name} at {time:.2} s");
        }
        _ => format!("{name} is {mm:.0} mm off"),
    };
    let before = if source > 0.5e-3 { format!("{:.0} mm in the source, ", 1e3 * source) } else { String::new() };
    let more = if source > 0.5e-3 { " more" } else { "" };
    format!("{what} at {time:.2} s ({before}{:.0} mm{more} allowed)", 1e3 * allowed)
}
