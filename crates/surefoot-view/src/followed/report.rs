//! What is said of a path that was followed: a model for programs, and in words.

use super::ShownFollowed;
use crate::foot_name::side_word;
use crate::report::row;
use serde::Serialize;
use surefoot::metrics::measure_travel;
use surefoot::motion::Stance;
use surefoot::stages::Spread;

/// The figures of a path that was followed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FollowedReport {
    /// What the motion graph is called.
    pub graph: String,
    /// What the law of speeds is called.
    pub law: String,
    /// Length of the path.
    pub path_m: f32,
    /// Length walked, without the sway of strides.
    pub length_m: f32,
    /// Frames of the motion.
    pub frames: usize,
    /// Frames a second.
    pub rate_hz: f32,
    /// How long the walk lasts.
    pub seconds: f32,
    /// Squared distances from the path, added up over frames of the graph.
    pub error_m2: f64,
    /// No walk of the graph has less; 0 where nothing is known.
    pub bound_m2: f64,
    /// How far from the path it is, root mean square.
    pub distance_mm: f64,
    /// Moves that were looked at to find it.
    pub moves_tried: usize,
    /// Whether the search came to its own end.
    pub complete: bool,
    /// Blends from clip to clip.
    pub transitions: usize,
    /// The least and the greatest scale of legs.
    pub scales: [f32; 2],
    /// How the speed on straights fits the law.
    pub speed: SpeedReport,
    /// How far feet stray while they stand.
    pub drift_mm: SpreadReport,
    /// The same before they were held.
    pub drift_as_played_mm: SpreadReport,
    /// How far standing feet are above the ground.
    pub feet_above_mm: SpreadReport,
    /// How deep standing feet are in it.
    pub feet_sunk_mm: SpreadReport,
    /// How far held feet are from their places at most.
    pub feet_missed_mm: f32,
    /// The joint that turns fastest beside the clips played at the law's rate.
    pub joint: JointReport,
    /// How many times as fast joints turn in blends as elsewhere.
    pub seams_speed: f32,
    /// Every step.
    pub steps: Vec<StepReport>,
}

/// How the speed on straights fits a law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SpeedReport {
    /// How much of the walk is straight, seconds.
    pub straight_s: f32,
    /// The mean speed there.
    pub m_s: f32,
    /// Speed over what the law asks for, the median.
    pub median: f32,
    /// And the farthest from 1, of all but one frame in twenty.
    pub worst: f32,
}

/// How a figure spreads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SpreadReport {
    /// 95 of 100 are below this.
    pub p95: f32,
    /// The greatest.
    pub max: f32,
}

/// A joint's top speed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JointReport {
    /// Its name.
    pub name: String,
    /// As played.
    pub as_played_deg_s: f32,
    /// Now.
    pub deg_s: f32,
    /// When that is.
    pub seconds: f32,
}

/// A footprint.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StepReport {
    /// Whose foot.
    pub side: String,
    /// Where, (x, z).
    pub at_m: [f32; 2],
    /// From its strike until it is off.
    pub seconds: [f32; 2],
}

impl SpreadReport {
    fn new(spread: &Spread) -> Self {
        Self { p95: 1e3 * spread.p95, max: 1e3 * spread.max }
    }

    fn text(&self) -> String {
        format!("95 % within {:.2} mm, {:.2} at most", self.p95, self.max)
    }
}

impl FollowedReport {
    /// Of a path that was followed.
    #[must_use]
    pub fn new(shown: &ShownFollowed<'_>) -> Self {
        let ShownFollowed { done, clip, .. } = shown;
        let report = &done.report;
        let (rig, joint) = (&done.rig, report.joint);
        let step = |stance: &Stance| {
            let at = stance.print.world_from_sole.translation;
            let side = side_word(rig.legs[stance.leg().index()].side).into();
            StepReport { side, at_m: [at.x, at.z], seconds: [stance.strike(), stance.off()] }
        };
        Self {
            graph: shown.graph.into(),
            law: shown.law.into(),
            path_m: report.path,
            length_m: measure_travel(rig, clip).length,
            frames: clip.frames(),
            rate_hz: clip.rate(),
            seconds: clip.duration(),
            error_m2: report.error,
            bound_m2: report.bound,
            distance_mm: 1e3 * report.distance,
            moves_tried: report.moves,
            complete: report.complete,
            transitions: report.transitions,
            scales: report.scales,
            speed: SpeedReport {
                straight_s: report.speed.straight,
                m_s: report.speed.speed,
                median: report.speed.median,
                worst: report.speed.worst,
            },
            drift_mm: SpreadReport::new(&report.after.drift),
            drift_as_played_mm: SpreadReport::new(&report.before.drift),
            feet_above_mm: SpreadReport::new(&report.after.float),
            feet_sunk_mm: SpreadReport::new(&report.after.penetration),
            feet_missed_mm: 1e3 * report.missed,
            joint: JointReport {
                name: rig.skeleton.name(joint.joint).into(),
                as_played_deg_s: joint.before.to_degrees(),
                deg_s: joint.after.to_degrees(),
                seconds: joint.time,
            },
            seams_speed: report.seams.speed.ratio,
            steps: done.take.stances.iter().map(step).collect(),
        }
    }

    /// In words.
    pub fn rows(&self, out: &mut String) {
        let [least, most] = self.scales;
        row(out, "walk", format!("{:.1} s, {:.2} m along a path of {:.2} m", self.seconds, self.length_m, self.path_m));
        let bound = match self.bound_m2 {
            bound if bound > 0.0 => format!("no walk of the graph comes under {bound:.3} m²"),
            _ => "nothing is known of how near others come".into(),
        };
        let whole = if self.complete { "" } else { "; the search was stopped" };
        let error =
            format!("{:.0} mm in the mean ({:.3} m² over frames; {bound}{whole})", self.distance_mm, self.error_m2);
        row(out, "off the path", error);
        let legs = if least == most { format!("{least:.2}") } else { format!("{least:.2} to {most:.2}") };
        row(out, "legs", format!("{legs} times as long, speed by {}", self.law));
        let SpeedReport { straight_s, m_s, median, worst } = self.speed;
        let speed = match straight_s > 0.0 {
            true => format!("{m_s:.2} m/s on straights, {median:.3} of what the law asks for, {worst:.3} at worst"),
            false => "the walk is nowhere straight".into(),
        };
        row(out, "speed", speed);
        row(
            out,
            "transitions",
            format!("{}, {:.2} a second", self.transitions, self.transitions as f32 / self.seconds),
        );
        row(out, "foot drift", format!("{}; as played {}", self.drift_mm.text(), self.drift_as_played_mm.text()));
        let (above, sunk) = (self.feet_above_mm.text(), self.feet_sunk_mm.text());
        row(out, "on ground", format!("standing feet above it {above}; in it {sunk}"));
        let JointReport { name, as_played_deg_s, deg_s, seconds } = &self.joint;
        row(out, "joints", format!("{name} turns by {deg_s:.0}°/s at {seconds:.2} s, {as_played_deg_s:.0} as played"));
    }
}
