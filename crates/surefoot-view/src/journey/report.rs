//! What is said of a journey: a model for programs, and in words.

use super::ShownJourney;
#[cfg(feature = "png")]
use crate::footsteps::ShownFootsteps;
use crate::report::row;
use serde::Serialize;
use surefoot::stages::{GroundFit, Spread, Worst};
#[cfg(feature = "png")]
use surefoot::systems::FootstepJourneyReport;
use surefoot::world::ScenePose;

/// The figures of a journey.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JourneyReport {
    /// What the motion graph is called, or the strides.
    pub graph: String,
    /// Where it started.
    pub start: EndReport,
    /// Where it was to end.
    pub goal: EndReport,
    /// Length of the path that was planned.
    pub path_m: f32,
    /// Length of the shortest way there is; 0 on the spot.
    pub shortest_m: f32,
    /// Frames of the motion.
    pub frames: usize,
    /// Frames a second.
    pub rate_hz: f32,
    /// How long the walk lasts, seconds.
    pub seconds: f32,
    /// Length walked, without the sway of strides.
    pub length_m: f32,
    /// Length walked divided by the shortest length there is.
    pub quality: f32,
    /// Frames in which the body had no room.
    pub collisions: usize,
    /// How far the end is from the goal, millimetres.
    pub missed_mm: f32,
    /// How far it faces from where it should, degrees.
    pub askew_deg: f32,
    /// What was done to arrive.
    pub arrival: ArrivalReport,
    /// How far feet stray while they stand, millimetres.
    pub drift_mm: DriftReport,
    /// How it fits the ground, if it was laid on one.
    pub ground: Option<GroundReport>,
    /// Blends from clip to clip.
    pub transitions: usize,
    /// And how many of them a second.
    pub transitions_per_s: f32,
    /// How joints turn in blends; nothing of planned footsteps, which are blended all the way.
    pub seams: Option<SeamsReport>,
    /// Moves of a motion graph that were looked at to find it.
    pub moves_tried: Option<usize>,
}

/// An end of a journey.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EndReport {
    /// (x, z).
    pub at_m: [f32; 2],
    /// The way faced there, if it was asked for.
    pub facing_deg: Option<f32>,
}

/// How the last steps were changed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ArrivalReport {
    /// How many steps were changed.
    pub steps_changed: usize,
    /// By how much they were moved in all, millimetres.
    pub shift_mm: f32,
    /// By how much they were turned in all, degrees.
    pub turn_deg: f32,
    /// The most that a single step was moved, millimetres.
    pub most_a_step_mm: f32,
    /// The most that a single step was turned, degrees.
    pub most_a_step_deg: f32,
}

/// How far feet stray, millimetres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DriftReport {
    /// 95 of 100 are below this.
    pub p95: f32,
    /// The greatest.
    pub max: f32,
    /// 95 of 100 were below this in the clips as they were played.
    pub as_played_p95: Option<f32>,
}

/// How a walk fits the ground, and what its clips did not allow.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GroundReport {
    /// The steepest ground under a print.
    pub steepest_deg: f32,
    /// The highest step from one print to the next.
    pub highest_step_mm: f32,
    /// The fastest rise or fall.
    pub climb_m_s: f32,
    /// How far the body had to go down at most.
    pub body_lowered_mm: f32,
    /// How far held feet are from their prints.
    pub feet_missed_mm: SpreadReport,
    /// How deep standing feet are in the ground.
    pub feet_sunk_mm: SpreadReport,
    /// How deep swinging feet are in the ground.
    pub flying_feet_sunk_mm: SpreadReport,
    /// How deep tips of toes are in the ground, standing or swinging.
    pub toes_sunk_mm: SpreadReport,
    /// How far feet that stand are above it.
    pub feet_above_mm: SpreadReport,
    /// Prints under which there is no ground.
    pub prints_without_ground: usize,
}

/// How a figure spreads, millimetres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SpreadReport {
    /// 95 of 100 are below this.
    pub p95: f32,
    /// The greatest.
    pub max: f32,
    /// When that is.
    #[serde(skip)]
    pub seconds: f32,
}

/// How much faster and harder joints turn in blends than in the clips.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SeamsReport {
    /// How many times as fast as in the clips.
    pub speed: WorstReport,
    /// How many times as hard, which is to say with how much more acceleration.
    pub acceleration: WorstReport,
}

/// The joint that is farthest beyond what it does in the clips.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WorstReport {
    /// How many times as much as in the clips.
    pub ratio: f32,
    /// Its name.
    pub joint: String,
    /// When that is.
    pub seconds: f32,
}

/// A foot that misses its print by more than this is told, millimetres: less cannot be seen.
const MISSED: f32 = 1.0;
/// A body that rises or falls faster than this is told, m/s: people climb stairs at half of it.
const FAST: f32 = 0.7;

impl JourneyReport {
    /// Of a journey.
    #[must_use]
    pub fn new(shown: &ShownJourney<'_>) -> Self {
        let ShownJourney { done, clip, .. } = shown;
        let (walk, figures) = (&done.walk, &done.report.figures);
        let (arrived, way, walked) = (&walk.report.arrival, &walk.report.way, &walk.walked);
        let worst = |worst: Worst| WorstReport {
            ratio: worst.ratio,
            joint: shown.rig.skeleton.name(worst.joint).into(),
            seconds: worst.frame as f32 / clip.rate(),
        };
        Self {
            graph: shown.graph.into(),
            start: EndReport::new(&shown.scene.start),
            goal: EndReport::new(&shown.scene.goal),
            path_m: done.report.path.length(),
            shortest_m: done.report.shortest,
            frames: clip.frames(),
            rate_hz: clip.rate(),
            seconds: clip.duration(),
            length_m: way.length,
            quality: way.quality,
            collisions: way.collisions,
            missed_mm: 1e3 * way.missed,
            askew_deg: way.askew.to_degrees(),
            arrival: ArrivalReport {
                steps_changed: arrived.steps,
                shift_mm: 1e3 * arrived.shift.length(),
                turn_deg: arrived.turn.to_degrees(),
                most_a_step_mm: 1e3 * arrived.step_shift,
                most_a_step_deg: arrived.step_turn.to_degrees(),
            },
            drift_mm: DriftReport {
                p95: 1e3 * figures.after.drift.p95,
                max: 1e3 * figures.after.drift.max,
                as_played_p95: Some(1e3 * figures.before.drift.p95),
            },
            ground: walk.report.ground.as_ref().map(|fit| GroundReport::new(fit, clip.rate())),
            transitions: walked.seams.len(),
            transitions_per_s: walked.seams.len() as f32 / clip.duration(),
            seams: Some(SeamsReport {
                speed: worst(figures.joints.speed),
                acceleration: worst(figures.joints.acceleration),
            }),
            moves_tried: Some(walk.report.moves),
        }
    }

    /// Of a journey by planned footsteps, in a scene with the start and goal that were taken.
    #[cfg(feature = "png")]
    #[must_use]
    pub fn of_footsteps(shown: &ShownFootsteps<'_>, journey: &FootstepJourneyReport, drift: &Spread) -> Self {
        let (clip, way) = (shown.clip, &journey.way);
        let changes = shown.changes_of_stride;
        Self {
            graph: shown.strides.into(),
            start: EndReport::new(&shown.scene.start),
            goal: EndReport::new(&shown.scene.goal),
            path_m: journey.path.length(),
            shortest_m: journey.path.length(),
            frames: clip.frames(),
            rate_hz: clip.rate(),
            seconds: clip.duration(),
            length_m: way.length,
            quality: way.quality,
            collisions: way.collisions,
            missed_mm: 1e3 * way.missed,
            askew_deg: way.askew.to_degrees(),
            // Its last steps are planned to where they should be.
            arrival: ArrivalReport {
                steps_changed: 0,
                shift_mm: 0.0,
                turn_deg: 0.0,
                most_a_step_mm: 0.0,
                most_a_step_deg: 0.0,
            },
            drift_mm: DriftReport { p95: 1e3 * drift.p95, max: 1e3 * drift.max, as_played_p95: None },
            ground: Some(GroundReport::new(&journey.ground, clip.rate())),
            transitions: changes,
            transitions_per_s: changes as f32 / clip.duration(),
            seams: None,
            moves_tried: None,
        }
    }

    /// In words.
    pub fn rows(&self, out: &mut String) {
        row(out, "walk", format!("{:.1} s, {:.2} m, {}", self.seconds, self.length_m, self.against()));
        let collisions = self.collisions;
        row(out, "collisions", if collisions == 0 { "none".into() } else { format!("{collisions} frames") });
        row(out, "arrival", self.arrived());
        row(out, "last steps", self.arrival.text());
        row(out, "transitions", format!("{}, {:.2} a second", self.transitions, self.transitions_per_s));
        let DriftReport { p95, max, as_played_p95 } = self.drift_mm;
        let drift = format!("95 % within {p95:.2} mm, {max:.2} at most");
        let played = as_played_p95.map_or(String::new(), |p95| format!("; as played 95 % within {p95:.1} mm"));
        row(out, "foot drift", format!("{drift}{played}"));
        if let Some(ground) = &self.ground {
            ground.rows(out);
        }
        if let Some(seams) = &self.seams {
            let (speed, acceleration) = (seams.speed.text(), seams.acceleration.text());
            row(
                out,
                "seams",
                format!("joints turn {speed} as fast and {acceleration} as hard as in the clips at most"),
            );
        }
    }

    /// Its length against the shortest.
    fn against(&self) -> String {
        let quality = self.quality;
        match self.shortest_m {
            0.0 => "on the spot".into(),
            path if self.ground.is_some() => {
                let above = self.length_m / quality;
                format!("{quality:.2} times the path's {above:.2} m seen from above ({path:.2} m over the ground)")
            }
            shortest => format!("{quality:.2} times the shortest way's {shortest:.2} m"),
        }
    }

    /// Where it ended, in words.
    #[must_use]
    pub fn arrived(&self) -> String {
        let askew = match self.goal.facing_deg {
            Some(_) => format!(" and {:.2}°", self.askew_deg),
            None => String::new(),
        };
        format!("{:.1} mm{askew} off", self.missed_mm)
    }
}

impl EndReport {
    fn new(pose: &ScenePose) -> Self {
        Self { at_m: [pose.place.x, pose.place.z], facing_deg: pose.heading.map(f32::to_degrees) }
    }
}

impl ArrivalReport {
    fn text(&self) -> String {
        let Self { steps_changed, shift_mm, turn_deg, most_a_step_mm, most_a_step_deg } = self;
        let most = format!("{most_a_step_mm:.0} mm and {most_a_step_deg:.1}° a step at most");
        format!("{steps_changed} changed by {shift_mm:.0} mm and {turn_deg:+.1}° in all, {most}")
    }
}

impl GroundReport {
    fn new(fit: &GroundFit, rate: f32) -> Self {
        let spread = |spread: &Spread| SpreadReport {
            p95: 1e3 * spread.p95,
            max: 1e3 * spread.max,
            seconds: spread.worst as f32 / rate,
        };
        Self {
            steepest_deg: fit.steepest.to_degrees(),
            highest_step_mm: 1e3 * fit.highest_step,
            climb_m_s: fit.climb,
            body_lowered_mm: 1e3 * fit.lowered,
            feet_missed_mm: spread(&fit.missed),
            feet_sunk_mm: spread(&fit.feet.penetration),
            flying_feet_sunk_mm: spread(&fit.feet.grazing),
            toes_sunk_mm: spread(&fit.feet.toes),
            feet_above_mm: spread(&fit.feet.float),
            prints_without_ground: fit.bare,
        }
    }

    fn rows(&self, out: &mut String) {
        let (steep, step) = (self.steepest_deg, 0.1 * self.highest_step_mm);
        row(out, "ground", format!("slopes of up to {steep:.0}° underfoot, up to {step:.0} cm from print to print"));
        let (standing, flying) = (self.feet_sunk_mm.text(), self.flying_feet_sunk_mm.text());
        row(out, "feet in it", format!("standing {standing}; flying {flying}"));
        row(out, "toes in it", self.toes_sunk_mm.text());
        row(out, "feet above", format!("standing {}", self.feet_above_mm.text()));
        if self.prints_without_ground > 0 {
            row(out, "no ground", format!("under {} prints", self.prints_without_ground));
        }
        let reached = match self.feet_missed_mm.max > MISSED {
            true => format!("legs do not reach: feet miss their prints, {}", self.feet_missed_mm.text()),
            false => "legs reach every print".into(),
        };
        let lowered = 0.1 * self.body_lowered_mm;
        row(out, "legs", format!("{reached}; the body goes down by up to {lowered:.0} cm for that"));
        if self.climb_m_s > FAST {
            row(out, "too fast", format!("it rises or falls by {:.2} m/s where it is steepest", self.climb_m_s));
        }
    }
}

impl SpreadReport {
    fn text(&self) -> String {
        let Self { p95, max, seconds } = self;
        format!("95 % within {p95:.1} mm, {max:.0} mm at {seconds:.2} s at most")
    }
}

impl WorstReport {
    fn text(&self) -> String {
        let Self { ratio, joint, seconds } = self;
        format!("{ratio:.2} times ({joint} at {seconds:.2} s)")
    }
}
