//! How a body goes: whether it looks where it goes, and whether it jumps.

use super::row;
use serde::Serialize;
use surefoot::analyse::Studied;
use surefoot::metrics::{find_jumps, jump_moments, measure_facing, measure_travel};
use surefoot::motion::Clip;
use surefoot::stages::JumpBy;

/// How a body goes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BodyReport {
    /// Length of its way, without the sway of strides.
    pub path_m: f32,
    /// That over the whole time.
    pub speed_m_s: f32,
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
#[non_exhaustive]
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
    /// Of a clip of a studied body: the one that was studied, or what it was before it was repaired.
    #[must_use]
    pub fn new(studied: &Studied, clip: &Clip) -> Self {
        let rig = &studied.rig;
        let all = 0..clip.frames();
        // Of a cycle one round counts, without the step to the next: who plays it once does not see it.
        let part = if studied.cycle.is_some() { studied.frames() } else { all };
        let facing = measure_facing(rig, clip);
        let travel = measure_travel(rig, &clip.trimmed(part.clone()));
        let mut jumps = find_jumps(&rig.skeleton, clip);
        jumps.retain(|jump| part.start <= jump.frame && jump.frame + 1 < part.end);
        let told = |jump: &surefoot::stages::Jump| JumpReport {
            joint: rig.skeleton.name(jump.joint).to_owned(),
            seconds: studied.seconds(jump.frame),
            degrees: if let JumpBy::Turn(by) = jump.by { Some(by.to_degrees()) } else { None },
            mm: if let JumpBy::Place(by) = jump.by { Some(1e3 * by) } else { None },
        };
        Self {
            path_m: travel.length,
            speed_m_s: travel.speed,
            facing_p95_deg: facing.map(|facing| facing.p95.to_degrees()),
            sideways_percent: facing.map(|facing| 100.0 * facing.sideways),
            facing_worst_s: facing.map(|facing| studied.seconds((facing.most_at * clip.rate()).round() as usize)),
            jumps: jump_moments(clip, &jumps).len(),
            worst_jumps: jumps.iter().take(TOLD).map(told).collect(),
        }
    }

    /// In words.
    pub fn rows(&self, out: &mut String) {
        row(out, "way", format!("{:.2} m at {:.2} m/s", self.path_m, self.speed_m_s));
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
