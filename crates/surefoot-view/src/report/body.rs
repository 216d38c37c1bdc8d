//! How a body goes: whether it looks where it goes, and whether it jumps.

use super::row;
use serde::Serialize;
use surefoot::analyse::Studied;
use surefoot::metrics::{JumpBy, find_jumps, jump_moments, measure_facing};

/// How a body goes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyReport {
    /// The angle between where it faces and where it goes that 95 of 100 frames do not exceed; none where it stands.
    pub facing_p95_deg: Option<f32>,
    /// Share of the time that it goes in which it goes sideways or backwards, by more than 45°, percent.
    pub sideways_percent: Option<f32>,
    /// When that angle is greatest, seconds in the clip as it came.
    pub facing_worst_s: Option<f32>,
    /// How often a joint jumps within one frame; joints that jump together count once.
    pub jumps: usize,
    /// The joints that jump farthest.
    pub worst_jumps: Vec<JumpReport>,
}

/// A joint that jumps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JumpReport {
    /// The joint.
    pub joint: String,
    /// When, seconds in the clip as it came.
    pub seconds: f32,
    /// By how much it turns out of line, where it turns.
    pub degrees: Option<f32>,
    /// By how much its place is out of line, where it moves.
    pub mm: Option<f32>,
}

/// Jumps that are told one by one.
const TOLD: usize = 3;

impl BodyReport {
    /// Of a studied clip.
    #[must_use]
    pub fn new(studied: &Studied) -> Self {
        let (rig, clip) = (&studied.rig, &studied.take.clip);
        let facing = measure_facing(rig, clip);
        // Of a cycle one round counts, without the step to the next: who plays it once does not see it.
        let part = studied.frames();
        let mut jumps = find_jumps(&rig.skeleton, clip);
        jumps.retain(|jump| part.start <= jump.frame && jump.frame + 1 < part.end);
        let told = |jump: &surefoot::metrics::Jump| JumpReport {
            joint: rig.skeleton.name(jump.joint).to_owned(),
            seconds: studied.seconds(jump.frame),
            degrees: if let JumpBy::Turn(by) = jump.by { Some(by.to_degrees()) } else { None },
            mm: if let JumpBy::Place(by) = jump.by { Some(1e3 * by) } else { None },
        };
        Self {
            facing_p95_deg: facing.map(|facing| facing.p95.to_degrees()),
            sideways_percent: facing.map(|facing| 100.0 * facing.sideways),
            facing_worst_s: facing.map(|facing| studied.seconds((facing.most_at * clip.rate()).round() as usize)),
            jumps: jump_moments(clip, &jumps).len(),
            worst_jumps: jumps.iter().take(TOLD).map(told).collect(),
        }
    }

    /// In words.
    pub fn rows(&self, out: &mut String) {
        let facing = match (self.facing_p95_deg, self.sideways_percent, self.facing_worst_s) {
            (Some(p95), Some(sideways), Some(worst)) => {
                format!(
                    "{p95:.0}° off the way it goes (95 %), sideways {sideways:.1} % of the time (worst at {worst:.2} s)"
                )
            }
            _ => "it stands".into(),
        };
        row(out, "facing", facing);
        let worst = self.worst_jumps.iter().map(|jump| {
            let by = jump.degrees.map(|by| format!("{by:.0}°")).or(jump.mm.map(|by| format!("{by:.0} mm")));
            format!("{} by {} at {:.2} s", jump.joint, by.unwrap_or_default(), jump.seconds)
        });
        let worst: Vec<String> = worst.collect();
        row(
            out,
            "jumps",
            if self.jumps == 0 { "none".into() } else { format!("{}: {}", self.jumps, worst.join(", ")) },
        );
    }
}
