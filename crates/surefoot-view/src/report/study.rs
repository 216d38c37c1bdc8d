//! How a clip walks: its legs, stances and gait.

use super::feet::FootReport;
use super::{counted, repairs, row};
use serde::Serialize;
use std::ops::Range;
use surefoot::analyse::Studied;
use surefoot::motion::{Stance, StanceFrames};
use surefoot::rig::{Leg, Side, Skeleton};
use surefoot::stages::{Flight, UnevenFeet};

/// What was found out about a clip. Times are seconds; of a cycle, of the round that begins with frame 0, beyond whose end a
/// stance may last.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StudyReport {
    /// Its legs.
    pub legs: Vec<LegReport>,
    /// Height of the ground that it stands on most, metres.
    pub ground_m: f32,
    /// When and where feet stand.
    pub stances: Vec<StanceReport>,
    /// How often a foot comes down.
    pub steps: usize,
    /// How often a foot comes down in a second.
    pub cadence_per_s: f32,
    /// Way from one touchdown of a foot to its next, metres.
    pub stride_length_m: f32,
    /// Time from one touchdown of a foot to its next, seconds.
    pub stride_time_s: f32,
    /// Speed over whole strides, m/s.
    pub stride_speed: f32,
    /// How fast it turns over whole strides, degrees a second; left is positive.
    pub turn_rate_deg_s: f32,
    /// Median speed of the hips, m/s.
    pub hip_speed_median: f32,
    /// How far the pelvis has turned from start to end, degrees; whole turns count, left is positive.
    pub pelvis_yaw_net: f32,
    /// Froude number of that speed: its square over gravity times leg length.
    pub froude: f32,
    /// Walk ratio: step length over steps a second, metres times seconds.
    pub walk_ratio: f32,
    /// Stances per step and leg.
    pub fragmentation: f32,
    /// Share of frames in which a foot is down.
    pub support: f32,
    /// Times in which no foot is down.
    pub flights: Vec<FlightReport>,
    /// Acceleration of the fall in all of these together, m/s²; none where they are too short to tell. Where it is far from 9.8,
    /// the frame rate is wrong.
    pub fall_m_s2: Option<f32>,
    /// The speed at which low feet go in a walk on the spot, m/s.
    pub implied_speed: Option<f32>,
    /// Whether it only stands about.
    pub idle: bool,
    /// What may be wrong with its frame rate or its feet.
    pub doubts: Vec<String>,
    /// What was repaired.
    pub repairs: Vec<String>,
    /// How well its feet stand.
    pub figures: FootReport,
}

/// A leg.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LegReport {
    /// `left`, `right` or `none`.
    pub side: &'static str,
    /// Name of the hip joint.
    pub hip: String,
    /// Name of the first joint below the hip.
    pub knee: String,
    /// Name of the ankle joint.
    pub ankle: String,
    /// Name of the toe joint, where there is one.
    pub toe: Option<String>,
    /// Length from hip to ankle, stretched, metres.
    pub length_m: f32,
    /// Length of the sole, metres.
    pub foot_m: f32,
}

/// A stance.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StanceReport {
    /// Number of its leg in the list of legs.
    pub leg: usize,
    /// From the first touch to the last, seconds.
    pub seconds: [f32; 2],
    /// When the heel holds its place, from and to, seconds.
    pub heel_held: [f32; 2],
    /// When the ball holds its place, likewise.
    pub ball_held: [f32; 2],
    /// When heel or ball does, likewise.
    #[serde(skip)]
    pub held: [f32; 2],
    /// Where the middle of the sole stands, metres.
    pub print_m: [f32; 3],
    /// Whether it is cut by an end of the clip.
    pub open: bool,
}

/// A time in which no foot is down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FlightReport {
    /// From and to, seconds.
    pub seconds: [f32; 2],
    /// Fall measured from the hips' path, where it is long enough to tell.
    pub fall_m_s2: Option<f32>,
}

impl StudyReport {
    /// Of a studied clip.
    #[must_use]
    pub fn new(studied: &Studied) -> Self {
        let rate = studied.take.clip.rate();
        let (rig, analysis) = (&studied.rig, &studied.analysis);
        let round = studied.frames();
        let at = |frame: usize| (frame as f32 - round.start as f32) / rate;
        let seconds = |frames: &Range<usize>| [at(frames.start), at(frames.end)];
        // A point that never holds its place does so for no time where the other begins or ends.
        let or = |frames: &Range<usize>, at: usize| if frames.is_empty() { at..at } else { frames.clone() };
        let stance = |(stance, frames): (&Stance, StanceFrames)| StanceReport {
            leg: stance.leg().index(),
            seconds: seconds(&frames.whole),
            heel_held: seconds(&or(&frames.heel, frames.ball.start)),
            ball_held: seconds(&or(&frames.ball, frames.heel.end)),
            held: seconds(&frames.held()),
            print_m: stance.print.world_from_sole.translation.to_array(),
            open: stance.open,
        };
        let flight = |flight: &Flight| FlightReport { seconds: seconds(&flight.frames), fall_m_s2: flight.gravity };
        let all = studied.take.stances.iter().map(|stance| (stance, stance.frames(&studied.take.clip)));
        let begun = all.filter(|(_, frames)| round.contains(&frames.whole.start));
        let tread = studied.cycle.as_ref().and_then(|cycle| cycle.tread.as_ref());
        Self {
            legs: rig.legs.iter().map(|leg| LegReport::new(&rig.skeleton, leg)).collect(),
            ground_m: studied.take.ground,
            stances: begun.map(stance).collect(),
            steps: analysis.steps,
            cadence_per_s: analysis.cadence,
            stride_length_m: analysis.stride_length,
            stride_time_s: analysis.stride_time,
            stride_speed: analysis.stride_speed,
            turn_rate_deg_s: analysis.turn_rate.to_degrees(),
            hip_speed_median: analysis.hip_speed_median,
            pelvis_yaw_net: analysis.pelvis_yaw_net.to_degrees(),
            froude: analysis.froude,
            walk_ratio: analysis.walk_ratio,
            fragmentation: analysis.fragmentation,
            support: analysis.support,
            flights: analysis.flights.iter().map(flight).collect(),
            fall_m_s2: analysis.fall,
            implied_speed: tread.map(|tread| tread.velocity.length()),
            idle: analysis.idle,
            doubts: analysis.doubts.iter().cloned().chain(uneven_feet(studied)).collect(),
            repairs: studied.notes.iter().map(|note| repairs::text(&rig.skeleton, note)).collect(),
            figures: FootReport::new(&studied.figures, studied),
        }
    }

    /// How it walks, in words; `drawn` is the speed of a walk on the spot as its file has it, m/s.
    pub fn gait_rows(&self, out: &mut String, drawn: Option<f32>) {
        let legs: Vec<String> = self.legs.iter().map(|leg| format!("{} ({:.2} m)", leg.ankle, leg.length_m)).collect();
        row(out, "legs", legs.join(", "));
        row(out, "ground", format!("at {:+.3} m", self.ground_m));
        if self.idle {
            row(out, "gait", "stands about");
        } else {
            let stride = format!("strides of {:.2} m and {:.2} s", self.stride_length_m, self.stride_time_s);
            row(out, "gait", format!("{}, {:.2} a second, {stride}", counted(self.steps, "step"), self.cadence_per_s));
            let (speed, turn) = (self.stride_speed, self.turn_rate_deg_s);
            row(out, "speed", format!("{speed:.2} m/s over whole strides, turning {turn:+.0}°/s (left is +)"));
            let (froude, ratio) = (self.froude, self.walk_ratio);
            row(out, "proportion", format!("Froude number {froude:.2}, walk ratio {ratio:.2} m·s"));
        }
        if let Some(speed) = self.implied_speed {
            let drawn =
                drawn.map_or_else(String::new, |drawn| format!("; {drawn:.2} m/s as drawn, the cycle not closed"));
            row(out, "on the spot", format!("its low feet go at {speed:.2} m/s on average{drawn}"));
        }
        row(out, "hips", format!("{:.2} m/s (median), {:+.0}° net", self.hip_speed_median, self.pelvis_yaw_net));
        let flights = self.flights.len();
        let flights = if flights == 0 { String::new() } else { format!(", {}", counted(flights, "flight")) };
        row(out, "support", format!("a foot is down {:.0} % of the time{flights}", 100.0 * self.support));
        for doubt in &self.doubts {
            row(out, "doubt", doubt);
        }
    }

    /// Its stances, a line each.
    pub fn stance_rows(&self, out: &mut String) {
        for stance in &self.stances {
            let ([start, end], [from, to]) = (stance.seconds, stance.held);
            let open = if stance.open { ", cut by the clip's end" } else { "" };
            let text = format!("{start:.2} to {end:.2} s, held from {from:.2} to {to:.2} s{open}");
            row(out, &self.legs[stance.leg].ankle, text);
        }
    }
}

/// Where the feet of a walk on the spot are drawn for different speeds, in words: which, and what was made of it.
#[must_use]
pub fn uneven_feet(studied: &Studied) -> Option<String> {
    let tread = studied.cycle.as_ref()?.tread.as_ref()?;
    let UnevenFeet { slowest, fastest } = tread.uneven_feet()?;
    let said = |(leg, speed): (usize, f32)| {
        let ankle = studied.rig.legs.get(leg)?.ankle();
        Some(format!("{} at {speed:.2} m/s", studied.rig.skeleton.name(ankle)))
    };
    let (slow, fast, speed) = (said(slowest)?, said(fastest)?, tread.velocity.length());
    Some(format!("feet are drawn for different speeds, from {slow} to {fast}; it goes at their mean, {speed:.2} m/s"))
}

impl LegReport {
    fn new(skeleton: &Skeleton, leg: &Leg) -> Self {
        let name = |joint| skeleton.name(joint).to_owned();
        Self {
            side: match leg.side {
                Some(Side::Left) => "left",
                Some(Side::Right) => "right",
                None => "none",
            },
            hip: name(leg.hip()),
            knee: name(leg.chain[1]),
            ankle: name(leg.ankle()),
            toe: leg.toe.map(name),
            length_m: leg.length(skeleton),
            foot_m: leg.foot.length,
        }
    }
}
