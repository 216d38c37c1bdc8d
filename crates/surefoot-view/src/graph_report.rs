//! The capability report of a motion graph in words and as JSON.

use serde_json::{Value, json};
use std::fmt::Write as _;
use surefoot::rig::Side;
use surefoot::stages::Advice;
use surefoot::stages::{Capabilities, Coverage, Round, Stops, Summary, Sustained, TurnTime, Why};

/// The report as lines for people.
#[must_use]
pub fn text(found: &Capabilities) -> String {
    let mut out = String::new();
    let total: f32 = found.takes.iter().map(|take| take.seconds).sum();
    let held = found.takes.iter().filter(|take| take.kept > 0.0).count();
    row(
        &mut out,
        "component",
        format!(
            "{held} of {} clips, {:.1} of {total:.1} s, {} nodes, {} edges, {} of them blends; threshold {:.1} cm",
            found.takes.len(),
            found.seconds,
            found.nodes,
            found.edges,
            found.blends,
            100.0 * found.threshold
        ),
    );
    if let (Some(speed), Some(turning)) = (found.speed, found.turning) {
        let Summary { least, median, most, .. } = speed;
        row(&mut out, "speeds", format!("{least:.2} to {most:.2} m/s, median {median:.2} (over 1 s of the clips)"));
        row(&mut out, "", steps(&found.moments.iter().map(|m| m.speed).collect::<Vec<_>>(), &SPEED_STEPS, "m/s"));
        let [least, median, most] = [turning.least, turning.median, turning.most].map(f32::to_degrees);
        row(&mut out, "turning", format!("{least:+.0} to {most:+.0}°/s, median {median:+.0} (left is +)"));
        let degrees: Vec<f32> = found.moments.iter().map(|m| m.turn_rate.to_degrees()).collect();
        row(&mut out, "", steps(&degrees, &TURN_STEPS, "°/s"));
    }
    let round = |round: &Round| format!("{:.2} m/s ({:.1} s round)", round.speed(), round.seconds);
    let loops = [("slowest", &found.slowest), ("slowest walk", &found.slowest_walk), ("fastest", &found.fastest)];
    for (name, of) in loops {
        row(&mut out, name, of.as_ref().map_or("no loop".into(), round));
    }
    row(&mut out, "left turns", sustained(&found.left));
    row(&mut out, "right turns", sustained(&found.right));
    for pair in found.turns.chunks(2) {
        let degrees = pair[0].angle.to_degrees();
        let both: Vec<String> = pair.iter().map(turn_time).collect();
        row(&mut out, &format!("turn by {degrees:.0}°"), both.join("; "));
    }
    match &found.stops {
        None if found.stands => row(&mut out, "standing", "only where clips begin or end: walks start and stop there"),
        None if found.nodes > 0 => row(&mut out, "standing", "never"),
        None => {}
        Some(stops) => stop_rows(&mut out, stops),
    }
    if let Some(coverage) = &found.coverage {
        coverage_rows(&mut out, coverage);
    }
    for advice in &found.advice {
        row(&mut out, "advice", advice.to_string());
    }
    if found.advice.is_empty() {
        row(&mut out, "advice", "none: it turns both ways, stops, stays and changes speed");
    }
    out
}

fn row(out: &mut String, label: &str, text: impl AsRef<str>) {
    let _ = writeln!(out, "  {label:12} {}", text.as_ref());
}

/// Widths of the steps that speeds are counted in, m/s: the finest that gives few enough.
const SPEED_STEPS: [f32; 7] = [0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0];
/// The same for turning rates, degrees a second.
const TURN_STEPS: [f32; 6] = [5.0, 10.0, 15.0, 30.0, 45.0, 90.0];

/// How often values fall into steps: from the least to the greatest, shares in percent.
pub(crate) fn histogram(values: &[f32], widths: &[f32]) -> (f32, Vec<(f32, f32)>) {
    // Steps at most: they fit two lines of text.
    const MOST: f32 = 12.0;
    let (low, high) = values.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
    let fits = |width: &&f32| (high / **width).floor() - (low / **width).floor() < MOST;
    let width = *widths.iter().find(fits).unwrap_or(&widths[widths.len() - 1]);
    if low > high {
        return (width, Vec::new());
    }
    let first = (low / width).floor();
    let count = ((high / width).floor() - first) as usize + 1;
    let mut shares = vec![0.0; count.min(1000)];
    let last = shares.len() - 1;
    for value in values {
        shares[(((value / width).floor() - first) as usize).min(last)] += 1.0 / values.len() as f32;
    }
    (width, shares.into_iter().enumerate().map(|(k, share)| ((first + k as f32) * width, share)).collect())
}

fn steps(values: &[f32], widths: &[f32], unit: &str) -> String {
    let (width, bins) = histogram(values, widths);
    let decimals =
        if width < 0.1 || (width * 10.0).fract() > 1e-3 && width < 1.0 { 2 } else { usize::from(width < 1.0) };
    let shares: Vec<String> = bins
        .iter()
        .filter(|(_, share)| *share > 0.0)
        .map(|(from, share)| format!("{from:.decimals$}: {}", percent(*share)))
        .collect();
    format!("from {unit}, in steps of {width}: {}", shares.join(", "))
}

fn percent(share: f32) -> String {
    // Nothing that is there is told as none.
    if share > 0.0 && share < 0.005 { "<1 %".into() } else { format!("{:.0} %", 100.0 * share) }
}

fn sustained(side: &Sustained) -> String {
    let Some(fastest) = &side.fastest else { return "none that can be kept up".into() };
    let mut text = format!(
        "{:.0}°/s kept up (a circle in {:.1} s, radius {:.2} m)",
        fastest.turn_rate().abs().to_degrees(),
        fastest.circle(),
        fastest.radius()
    );
    if let Some(tightest) = &side.tightest {
        let _ = write!(text, "; tightest walking {:.2} m at {:.2} m/s", tightest.radius(), tightest.speed());
    }
    text
}

fn turn_time(time: &TurnTime) -> String {
    let side = name(time.side);
    match &time.seconds {
        None => format!("{side} never"),
        Some(seconds) => {
            let some =
                if time.share < 0.995 { format!(", from {} of places", percent(time.share)) } else { String::new() };
            format!("{side} in {:.1} s at best, {:.1} s on average{some}", seconds.least, seconds.mean)
        }
    }
}

fn stop_rows(out: &mut String, stops: &Stops) {
    let stay =
        if stops.stays { "for as long as one likes".into() } else { format!("for {:.1} s at most", stops.longest) };
    row(out, "standing", format!("{stay}; {:.1} s of it in the clips", stops.seconds));
    let times = |of: &Option<Summary>| {
        of.map_or("nothing to start from".into(), |of| {
            format!("{:.1} s at best, {:.1} s on average, {:.1} s at worst", of.least, of.mean, of.most)
        })
    };
    row(out, "stopping", times(&stops.stop));
    row(out, "starting", times(&stops.start));
}

fn coverage_rows(out: &mut String, coverage: &Coverage) {
    let at_least = if coverage.crowded { "at least " } else { "" };
    let parts: Vec<String> = coverage
        .within
        .iter()
        .map(|w| format!("{} of places and {} with headings in {} s", percent(w.cells), percent(w.headings), w.seconds))
        .collect();
    row(out, "room", format!("{0:.0} × {0:.0} m from its middle: {at_least}{1}", coverage.area, parts.join(", ")));
    let (cells, headings) = coverage.lasting_share();
    let border = coverage.border();
    let about = if coverage.crowded { "about " } else { "" };
    let walls = if border > 0.0 { format!("; {border:.1} m along the walls is out of reach") } else { String::new() };
    row(out, "", format!("for ever: {about}{} of places, {} with headings{walls}", percent(cells), percent(headings)));
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

/// The report as JSON, for programs.
#[must_use]
pub fn json(found: &Capabilities) -> Value {
    let summary = |of: &Option<Summary>, scale: f32| {
        of.map(|of| {
            json!({
                "min": of.least * scale,
                "median": of.median * scale,
                "mean": of.mean * scale,
                "max": of.most * scale,
            })
        })
    };
    let degrees = 1.0_f32.to_degrees();
    let speeds: Vec<f32> = found.moments.iter().map(|m| m.speed).collect();
    let rates: Vec<f32> = found.moments.iter().map(|m| m.turn_rate.to_degrees()).collect();
    let sustained =
        |side: &Sustained| json!({ "fastest": round_json(&side.fastest), "tightest_walk": round_json(&side.tightest) });
    let turns = found.turns.iter().map(|turn| {
        json!({
            "side": name(turn.side),
            "angle_deg": turn.angle.to_degrees(),
            "seconds": summary(&turn.seconds, 1.0),
            "share_of_nodes": turn.share,
        })
    });
    json!({
        "takes": found.takes.iter().map(|take| json!({ "name": take.name, "seconds": take.seconds, "kept_s": take.kept })).collect::<Vec<_>>(),
        "nodes": found.nodes,
        "edges": found.edges,
        "blends": found.blends,
        "seconds": found.seconds,
        "threshold_m": found.threshold,
        "leg_length_m": found.leg_length,
        "speed_m_s": summary(&found.speed, 1.0),
        "speed_steps_m_s": histogram_json(&speeds, &SPEED_STEPS),
        "turning_deg_s": summary(&found.turning, degrees),
        "turning_steps_deg_s": histogram_json(&rates, &TURN_STEPS),
        "slowest": round_json(&found.slowest),
        "slowest_walk": round_json(&found.slowest_walk),
        "fastest": round_json(&found.fastest),
        "left": sustained(&found.left),
        "right": sustained(&found.right),
        "turns": turns.collect::<Vec<_>>(),
        "stands": found.stands,
        "standing": found.stops.as_ref().map(|stops| json!({
            "seconds": stops.seconds,
            "longest_s": stops.longest,
            "stays": stops.stays,
            "stop_s": summary(&stops.stop, 1.0),
            "start_s": summary(&stops.start, 1.0),
        })),
        "coverage": found.coverage.as_ref().map(coverage_json),
        "advice": found.advice.iter().map(advice_json).collect::<Vec<_>>(),
    })
}

fn round_json(round: &Option<Round>) -> Value {
    round.as_ref().map_or(Value::Null, |round| {
        json!({
            "seconds": round.seconds,
            "length_m": round.length,
            "turn_deg": round.turn.to_degrees(),
            "speed_m_s": round.speed(),
            "turn_rate_deg_s": round.turn_rate().to_degrees(),
            "edges": round.edges.iter().map(|edge| edge.0).collect::<Vec<_>>(),
        })
    })
}

fn histogram_json(values: &[f32], widths: &[f32]) -> Value {
    let (width, bins) = histogram(values, widths);
    let bins = bins.iter().map(|(from, share)| json!({ "from": from, "share": share }));
    json!({ "step": width, "steps": bins.collect::<Vec<_>>() })
}

fn coverage_json(coverage: &Coverage) -> Value {
    let (cells, headings) = coverage.lasting_share();
    let within = coverage
        .within
        .iter()
        .map(|w| json!({ "seconds": w.seconds, "cells": w.cells, "cells_and_headings": w.headings }));
    // Headings that can be walked for ever, cell by cell.
    let per_cell = coverage.lasting.chunks(coverage.headings).map(|own| own.iter().filter(|is| **is).count());
    json!({
        "area_m": coverage.area,
        "cell_m": coverage.cell(),
        "cells_across": coverage.across,
        "headings": coverage.headings,
        "within": within.collect::<Vec<_>>(),
        "for_ever": { "cells": cells, "cells_and_headings": headings },
        "border_m": coverage.border(),
        "lasting_headings_by_cell": per_cell.collect::<Vec<_>>(),
        "states": coverage.states,
        "is_lower_bound": coverage.crowded,
    })
}

fn advice_json(advice: &Advice) -> Value {
    let mut value = match advice {
        Advice::NoComponent { .. } => json!({ "kind": "no_component" }),
        Advice::LeftOut(missing) => {
            let needed = match missing.why {
                Why::Far(threshold) => json!(threshold),
                _ => Value::Null,
            };
            json!({ "kind": "left_out", "clip": missing.name, "threshold_m": missing.threshold, "needed_threshold_m": needed })
        }
        Advice::NoTurn { side, .. } => json!({ "kind": "no_turn", "side": name(*side) }),
        Advice::WideTurn { side, radius, other, .. } => {
            json!({ "kind": "wide_turn", "side": name(*side), "radius_m": radius, "other_radius_m": other })
        }
        Advice::NoStop { slowest } => json!({ "kind": "no_stop", "slowest_m_s": slowest }),
        Advice::NoStay { longest } => json!({ "kind": "no_stay", "longest_s": longest }),
        Advice::NoWalk => json!({ "kind": "no_walk" }),
        Advice::OneSpeed { slowest, fastest } => {
            json!({ "kind": "one_speed", "slowest_m_s": slowest, "fastest_m_s": fastest })
        }
        Advice::SpeedGap { from, to } => json!({ "kind": "speed_gap", "from_m_s": from, "to_m_s": to }),
        Advice::LittleRoom { area, cells } => json!({ "kind": "little_room", "area_m": area, "cells": cells }),
    };
    value["text"] = advice.to_string().into();
    value
}
