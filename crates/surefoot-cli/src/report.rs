//! Figures in words and as JSON, the same for every command that prints them.

use serde_json::{Value, json};
use std::fmt::Write as _;
use surefoot::analyse::Studied;
use surefoot::analyse::{Analysis, RepairNote};
use surefoot::metrics::{FootFigures, Spread};
use surefoot::rig::{Side, Skeleton};

/// A line of a report: a label and what there is to say.
pub(crate) fn row(out: &mut String, label: &str, text: impl AsRef<str>) {
    let _ = writeln!(out, "  {label:12} {}", text.as_ref());
}

/// What repair did, a line each; the first few of many.
pub(crate) fn repair_rows(out: &mut String, skeleton: &Skeleton, notes: &[RepairNote]) {
    const SHOWN: usize = 6;
    for note in notes.iter().take(SHOWN) {
        row(out, "repaired", repair_text(skeleton, note));
    }
    if notes.len() > SHOWN {
        row(out, "repaired", format!("… and {} more", notes.len() - SHOWN));
    }
}

pub(crate) fn repair_text(skeleton: &Skeleton, note: &RepairNote) -> String {
    let frames = |frames: &std::ops::Range<usize>| match frames.len() {
        1 => format!("frame {}", frames.start),
        _ => format!("frames {} to {}", frames.start, frames.end - 1),
    };
    match note {
        RepairNote::Spike { joint, frames: at, turn } => {
            format!("{} was {:.0}° off its path in {}", skeleton.name(*joint), turn.to_degrees(), frames(at))
        }
        RepairNote::Hop { frames: at, distance } => {
            format!("the root was {:.0} mm off its path in {}", distance * 1e3, frames(at))
        }
        RepairNote::Frozen { frames: at } => format!("nothing moves in {}; cut them", frames(at)),
        RepairNote::Tilted { tilt } => {
            format!("the floor was askew by {:.1}°; turned the clip to make it level", tilt.to_degrees())
        }
        RepairNote::Cut { kept, jump } => {
            format!("the root jumps at frame {jump}; kept {}", frames(kept))
        }
    }
}

/// How a clip walks.
pub(crate) fn gait_rows(out: &mut String, studied: &Studied, drawn: Option<f32>) {
    let Analysis { steps, cadence, stride_length, stride_time, stride_speed, turn_rate, .. } = studied.analysis;
    let analysis = &studied.analysis;
    let legs: Vec<String> = studied
        .rig
        .legs
        .iter()
        .map(|leg| format!("{} ({:.2} m)", studied.rig.skeleton.name(leg.ankle()), leg.length(&studied.rig.skeleton)))
        .collect();
    row(out, "legs", legs.join(", "));
    row(out, "ground", format!("at {:+.3} m", studied.take.ground));
    if analysis.idle {
        row(out, "gait", "stands about");
    } else {
        let stride = format!("strides of {stride_length:.2} m and {stride_time:.2} s");
        row(out, "gait", format!("{steps} steps, {cadence:.2} a second, {stride}"));
        let turn = turn_rate.to_degrees();
        row(out, "speed", format!("{stride_speed:.2} m/s over whole strides, turning {turn:+.0}°/s (left is +)"));
        let (froude, ratio) = (analysis.froude, analysis.walk_ratio);
        row(out, "proportion", format!("Froude number {froude:.2}, walk ratio {ratio:.2} m·s"));
    }
    if let Some(tread) = studied.cycle.as_ref().and_then(|cycle| cycle.tread.as_ref()) {
        let speed = tread.velocity.length();
        let drawn = drawn.map_or_else(String::new, |drawn| format!("; {drawn:.2} m/s as drawn, the cycle not closed"));
        row(out, "on the spot", format!("its low feet go at {speed:.2} m/s on average{drawn}"));
    }
    row(
        out,
        "hips",
        format!("{:.2} m/s (median), {:+.0}° net", analysis.hip_speed_median, analysis.pelvis_yaw_net.to_degrees()),
    );
    let flight =
        if analysis.flights.is_empty() { String::new() } else { format!(", {} flights", analysis.flights.len()) };
    row(out, "support", format!("a foot is down {:.0} % of the time{flight}", 100.0 * analysis.support));
    for doubt in &analysis.doubts {
        row(out, "doubt", doubt);
    }
}

/// How well feet stand.
pub(crate) fn figure_rows(out: &mut String, figures: &FootFigures, studied: &Studied) {
    let spread = |s: &Spread| {
        let at = studied.seconds(s.worst);
        format!("{:.1} / {:.1} / {:.1} mm (worst at {at:.2} s)", s.median * 1e3, s.p95 * 1e3, s.max * 1e3)
    };
    row(out, "", "median / 95th percentile / greatest");
    row(out, "drift", spread(&figures.drift));
    row(out, "float", spread(&figures.float));
    row(out, "penetration", spread(&figures.penetration));
    row(out, "skate", format!("{:.4} m/s, sliding in {:.1} % of frames", figures.skate, 100.0 * figures.skating_ratio));
    row(out, "stances", format!("{} whole ones", figures.stances));
    row(out, "clearance", format!("{:.0} mm at least in mid-swing", figures.clearance * 1e3));
    row(out, "agreement", format!("{:.1} % of frames stand or fly as their label says", 100.0 * figures.agreement));
    row(out, "extension", format!("{:.3} of a leg at most while standing", figures.extension));
    row(out, "jerk", format!("{:.0} m/s³", figures.jerk));
}

pub(crate) fn figures_json(figures: &FootFigures, studied: &Studied) -> Value {
    let spread = |s: &Spread| json!({ "median_mm": s.median * 1e3, "p95_mm": s.p95 * 1e3, "max_mm": s.max * 1e3, "worst_s": studied.seconds(s.worst) });
    json!({
        "drift": spread(&figures.drift),
        "float": spread(&figures.float),
        "penetration": spread(&figures.penetration),
        "skate_m_s": figures.skate,
        "skating_ratio": figures.skating_ratio,
        "stances": figures.stances,
        "clearance_mm": figures.clearance * 1e3,
        "contact_agreement": figures.agreement,
        "extension": figures.extension,
        "jerk_m_s3": figures.jerk,
    })
}

pub(crate) fn studied_json(studied: &Studied) -> Value {
    let rate = studied.take.clip.rate();
    let skeleton = &studied.rig.skeleton;
    let analysis = &studied.analysis;
    // Of a cycle, the round that begins with frame 0: a stance may last beyond its end.
    let round = studied.frames();
    let at = |frame: usize| (frame as f32 - round.start as f32) / rate;
    // A point that never holds its place does so for no time where the other begins or ends.
    let or = |frames: &std::ops::Range<usize>, at: usize| if frames.is_empty() { at..at } else { frames.clone() };
    let seconds = |frames: &std::ops::Range<usize>| json!([at(frames.start), at(frames.end)]);
    let side = |side: Option<Side>| match side {
        Some(Side::Left) => "left",
        Some(Side::Right) => "right",
        None => "none",
    };
    let legs = studied.rig.legs.iter().map(|leg| {
        json!({
            "side": side(leg.side),
            "hip": skeleton.name(leg.hip()),
            "knee": skeleton.name(leg.chain[1]),
            "ankle": skeleton.name(leg.ankle()),
            "toe": leg.toe.map(|toe| skeleton.name(toe)),
            "length_m": leg.length(skeleton),
            "foot_m": leg.foot.length,
        })
    });
    let stances = studied.take.stances.iter().map(|stance| (stance, stance.frames(&studied.take.clip)));
    let stances = stances.filter(|(_, frames)| round.contains(&frames.whole.start)).map(|(stance, frames)| {
        let print = stance.print.world_from_sole.translation;
        json!({
            "leg": stance.leg().index(),
            "seconds": seconds(&frames.whole),
            "heel_held": seconds(&or(&frames.heel, frames.ball.start)),
            "ball_held": seconds(&or(&frames.ball, frames.heel.end)),
            "print_m": print.to_array(),
            "open": stance.open,
        })
    });
    let flights = analysis
        .flights
        .iter()
        .map(|flight| json!({ "seconds": seconds(&flight.frames), "fall_m_s2": flight.gravity }));
    json!({
        "legs": legs.collect::<Vec<_>>(),
        "ground_m": studied.take.ground,
        "stances": stances.collect::<Vec<_>>(),
        "steps": analysis.steps,
        "cadence_per_s": analysis.cadence,
        "stride_length_m": analysis.stride_length,
        "stride_time_s": analysis.stride_time,
        "stride_speed": analysis.stride_speed,
        "turn_rate_deg_s": analysis.turn_rate.to_degrees(),
        "hip_speed_median": analysis.hip_speed_median,
        "pelvis_yaw_net": analysis.pelvis_yaw_net.to_degrees(),
        "froude": analysis.froude,
        "walk_ratio": analysis.walk_ratio,
        "fragmentation": analysis.fragmentation,
        "support": analysis.support,
        "flights": flights.collect::<Vec<_>>(),
        "fall_m_s2": analysis.fall,
        "implied_speed": studied.cycle.as_ref().and_then(|cycle| Some(cycle.tread.as_ref()?.velocity.length())),
        "idle": analysis.idle,
        "doubts": analysis.doubts,
        "repairs": studied.notes.iter().map(|note| repair_text(skeleton, note)).collect::<Vec<_>>(),
        "figures": figures_json(&studied.figures, studied),
    })
}
