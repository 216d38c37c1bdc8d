//! What became of a motion on another body.

use super::feet::FootReport;
use super::study::StudyReport;
use super::{counted, repairs, row};
use serde::Serialize;
use std::fmt::Write as _;
use surefoot::systems::{CleanedUp, OntoReport};

/// A motion on its own body and on another.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RetargetReport {
    /// The clip's name.
    pub clip: String,
    /// How many frames it has.
    pub frames: usize,
    /// Frames a second, Hz.
    pub fps: f32,
    /// How much larger lengths are on the other body.
    pub scale: f32,
    /// The motion as it came.
    pub before: StudyReport,
    /// How well feet stand once it is cleaned on its own body.
    pub cleaned: FootReport,
    /// How well feet stand on the other body.
    pub after: FootReport,
    /// Share of the time in stance that is still in stance, 0 to 1.
    pub stance_kept: f32,
    /// By how much a held foot missed its place at most, millimetres.
    pub missed_mm: f32,
    /// When that is, seconds.
    #[serde(skip)]
    pub missed_s: f32,
    /// Parts that the motion has and the body lacks.
    pub lost: Vec<String>,
    /// Parts that the body has and the motion lacks.
    pub kept_still: Vec<String>,
}

impl RetargetReport {
    /// Of a motion, cleaned on its own body and on another.
    #[must_use]
    pub fn new(source: &CleanedUp, done: &CleanedUp, onto: &OntoReport) -> Self {
        let parts = |lost: bool| {
            let parts = onto.lacking.iter().filter(|lack| lack.lost == lost);
            parts.map(|lack| lack.part.clone()).collect::<Vec<String>>()
        };
        let (missed, frame) = done.missed();
        let clip = &done.take.clip;
        Self {
            clip: clip.name().to_owned(),
            frames: done.before.frames().len(),
            fps: clip.rate(),
            scale: onto.scale,
            before: StudyReport::new(&source.before),
            cleaned: FootReport::new(&source.report.figures, &source.before),
            after: FootReport::new(&done.report.figures, &done.before),
            stance_kept: done.stance_kept(),
            missed_mm: missed * 1e3,
            missed_s: done.before.seconds(frame),
            lost: parts(true),
            kept_still: parts(false),
        }
    }

    /// In words.
    pub fn rows(&self, out: &mut String) {
        let (frames, fps, scale) = (counted(self.frames, "frame"), self.fps, self.scale);
        let _ = writeln!(out, "{}: {frames} at {fps} Hz, lengths times {scale:.3}", self.clip);
        repairs::rows(out, &self.before.repairs);
        let _ = writeln!(out, "on its own body, as it came:");
        self.before.figures.rows(out);
        let _ = writeln!(out, "on the new one:");
        self.after.rows(out);
        row(out, "stance time", format!("{:.1} % kept", 100.0 * self.stance_kept));
        if self.missed_mm > 1.0 {
            let (missed, at) = (self.missed_mm, self.missed_s);
            row(out, "unreached", format!("a foot missed its place by {missed:.1} mm at {at:.2} s"));
        }
        for (parts, what) in [(&self.lost, "lost"), (&self.kept_still, "kept still")] {
            let whose = if what == "lost" { "the body" } else { "the motion" };
            if !parts.is_empty() {
                row(out, what, format!("{}, for {whose} has none", parts.join(", ")));
            }
        }
    }
}
