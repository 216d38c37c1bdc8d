//! What cleaning made of a clip.

use super::feet::FootReport;
use super::study::StudyReport;
use super::{repairs, row};
use serde::Serialize;
use std::fmt::Write as _;
use surefoot::systems::CleanedUp;

/// A clip before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CleanReport {
    /// The clip before cleaning.
    pub before: StudyReport,
    /// How well its feet stand after cleaning.
    pub after: FootReport,
    /// Share of the time in stance that is still in stance, 0 to 1.
    pub stance_kept: f32,
    /// How many stances are as they were drawn: holding them would cost more than it gives.
    pub let_go: usize,
    /// How far the pelvis was moved at most, millimetres.
    pub pelvis_max_mm: f32,
    /// By how much a joint turns faster than it may, beside its speed before; below 0 where none does.
    pub joint_over_limit_deg_s: f32,
    /// By how much a held foot missed its place at most, millimetres.
    pub missed_mm: f32,
    /// When that is, seconds.
    #[serde(skip)]
    pub missed_s: f32,
    /// The joint whose top speed grew most.
    #[serde(skip)]
    pub gained: JointGain,
}

/// A joint that turns faster than before.
#[derive(Clone, Debug, PartialEq)]
pub struct JointGain {
    /// Its name.
    pub joint: String,
    /// Its top speed before, degrees a second.
    pub before_deg_s: f32,
    /// Its top speed after, degrees a second.
    pub after_deg_s: f32,
    /// When that is, seconds.
    pub seconds: f32,
}

impl CleanReport {
    /// Of a clip that was cleaned.
    #[must_use]
    pub fn new(done: &CleanedUp) -> Self {
        let before = &done.before;
        let most = done.pelvis().iter().fold(0.0_f32, |most, v| most.max(v.length()));
        let (missed, frame) = done.missed();
        let pop = done.worst_pop();
        Self {
            before: StudyReport::new(before),
            after: FootReport::new(&done.report.figures, before),
            stance_kept: done.stance_kept(),
            let_go: done.report.let_go,
            pelvis_max_mm: most * 1e3,
            joint_over_limit_deg_s: pop.over().max(0.0).to_degrees(),
            missed_mm: missed * 1e3,
            missed_s: before.seconds(frame),
            gained: JointGain {
                joint: before.rig.skeleton.name(pop.joint).into(),
                before_deg_s: pop.before.to_degrees(),
                after_deg_s: pop.after.to_degrees(),
                seconds: before.seconds(pop.frame),
            },
        }
    }

    /// In words.
    pub fn rows(&self, out: &mut String) {
        repairs::rows(out, &self.before.repairs);
        let _ = writeln!(out, "before:");
        self.before.figures.rows(out);
        let _ = writeln!(out, "after:");
        self.after.rows(out);
        row(out, "stance time", format!("{:.1} % kept", 100.0 * self.stance_kept));
        if self.let_go > 0 {
            let stances = if self.let_go == 1 { "1 stance is".into() } else { format!("{} stances are", self.let_go) };
            row(
                out,
                "let go",
                format!("{stances} left as drawn: to hold the foot would cost the rest of the body more"),
            );
        }
        row(out, "pelvis", format!("moved {:.0} mm at most", self.pelvis_max_mm));
        let JointGain { joint, before_deg_s, after_deg_s, seconds } = &self.gained;
        let speeds = format!("{after_deg_s:.0}°/s, {before_deg_s:.0}°/s before");
        let over = self.joint_over_limit_deg_s > 0.0;
        let verdict = if over { format!("; over its limit at {seconds:.2} s") } else { String::new() };
        row(out, "joint speed", format!("{joint} gained most: {speeds}{verdict}"));
        if self.missed_mm > 1.0 {
            let (missed, at) = (self.missed_mm, self.missed_s);
            row(out, "unreached", format!("a foot missed its place by {missed:.1} mm at {at:.2} s"));
        }
    }
}
