//! How a creature walked.

use super::row;
use serde::Serialize;
use surefoot::motion::Clip;
use surefoot::plan::Path;
use surefoot::systems::{CreatureMotion, CreatureTake};

/// A walk.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CreatureReport {
    /// How many legs it has.
    pub legs: usize,
    /// Its greatest speed, m/s.
    pub speed: f32,
    /// Length of the path, metres.
    #[serde(skip)]
    pub path: f32,
    /// How long it took, seconds.
    pub seconds: f32,
    /// How many whole stances there are.
    pub stances: usize,
    /// How far feet stray while they stand.
    pub drift_mm: DriftReport,
    /// How far standing feet are under the ground at most, millimetres.
    pub penetration_mm: f32,
    /// How far swinging feet are under the ground at most, millimetres.
    pub in_the_air_mm: f32,
    /// By how much a standing foot missed its place at most, millimetres.
    pub missed_mm: f32,
    /// When that is, seconds.
    #[serde(skip)]
    pub missed_s: f32,
    /// Footholds that legs do not reach.
    pub beyond_reach: usize,
    /// Footholds without ground.
    pub without_ground: usize,
}

/// How far feet stray, millimetres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DriftReport {
    /// The median.
    pub median: f32,
    /// The greatest.
    pub max: f32,
}

impl CreatureReport {
    /// Of a walk along a path.
    #[must_use]
    pub fn new(motion: &CreatureMotion, done: &CreatureTake, path: &Path) -> Self {
        let (figures, clip) = (&done.report.figures, &done.take.clip);
        let surefoot::systems::CreatureReport { missed, missed_in, beyond_reach, without_ground, .. } = done.report;
        let course = &motion.plan.course;
        let speeds = (0..clip.frames()).map(|frame| course.at(frame as f32 / clip.rate()).speed);
        Self {
            legs: motion.character.rig.legs.len(),
            speed: speeds.fold(0.0, f32::max),
            path: path.length(),
            seconds: clip.duration(),
            stances: figures.stances,
            drift_mm: DriftReport { median: 1e3 * figures.drift.median, max: 1e3 * figures.drift.max },
            penetration_mm: 1e3 * figures.penetration.max,
            in_the_air_mm: 1e3 * figures.grazing.max,
            missed_mm: 1e3 * missed,
            missed_s: missed_in as f32 / clip.rate(),
            beyond_reach,
            without_ground,
        }
    }

    /// In words.
    pub fn rows(&self, out: &mut String) {
        let Self { legs, speed, path, seconds, stances, .. } = self;
        row(out, "walk", format!("{legs} legs, {path:.2} m at up to {speed:.2} m/s, {seconds:.2} s"));
        row(out, "stances", stances.to_string());
        let DriftReport { median, max } = self.drift_mm;
        row(out, "drift", format!("median {median:.2} mm, at most {max:.2} mm"));
        row(out, "penetration", format!("at most {:.2} mm", self.penetration_mm));
        row(out, "in the air", format!("at most {:.2} mm under the ground", self.in_the_air_mm));
        if self.missed_mm > 1.0 {
            let (missed, at) = (self.missed_mm, self.missed_s);
            row(out, "unreached", format!("a standing foot missed its place by {missed:.2} mm at {at:.2} s"));
        }
        let (far, none) = (self.beyond_reach, self.without_ground);
        if far + none > 0 {
            row(out, "footholds", format!("{far} out of reach, {none} without ground"));
        }
    }
}

/// A walk cycle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CycleReport {
    /// How long a round takes, seconds.
    pub seconds: f32,
    /// Frames of a round.
    pub frames: usize,
    /// Frames a second.
    pub fps: f32,
    /// How far a round goes, metres.
    pub travel: f32,
}

impl CycleReport {
    /// Of one round.
    #[must_use]
    pub fn new(clip: &Clip) -> Self {
        let travel = clip.cycle().map_or(0.0, |travel| travel.translation.length());
        Self { seconds: clip.duration(), frames: clip.frames(), fps: clip.rate(), travel }
    }

    /// In words.
    pub fn rows(&self, out: &mut String) {
        let Self { seconds, frames, travel, .. } = self;
        let speed = travel / seconds;
        row(out, "cycle", format!("{frames} frames, {seconds:.3} s, {travel:.3} m, {speed:.2} m/s"));
    }
}
