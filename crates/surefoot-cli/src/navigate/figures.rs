//! What is said of a journey: figures in words and as JSON.

use super::journey::{Trip, Walker};
use crate::output;
use crate::report::row;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use surefoot::metrics::{Spread, Worst};
use surefoot::systems::GroundFit;
use surefoot::world::ScenePose;

/// What programs are told of a journey that was not made.
pub(super) fn refused(why: &str) -> String {
    format!("{:#}\n", json!({ "found": false, "why_not": why }))
}

/// The report for a program.
pub(super) fn json(walker: &Walker, trip: &Trip, written: &[(PathBuf, usize)]) -> String {
    let Trip { done, clip, .. } = trip;
    let (walk, figures, times) = (&done.walk, &done.report.figures, &done.report.times);
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    let (arrived, way, walked) = (&walk.report.arrival, &walk.report.way, &walk.walked);
    let pose = |pose: &ScenePose| json!({ "at_m": [pose.place.x, pose.place.z], "facing_deg": pose.heading.map(f32::to_degrees) });
    let worst = |worst: Worst| {
        let joint = walker.graph.rig.skeleton.name(worst.joint);
        json!({ "ratio": worst.ratio, "joint": joint, "seconds": worst.frame as f32 / clip.rate() })
    };
    let files: Vec<Value> =
        written.iter().map(|(path, size)| json!({ "file": path.display().to_string(), "bytes": size })).collect();
    let value = json!({
        "found": true,
        "why_not": null,
        "files": files,
        "graph": walker.name,
        "start": pose(&trip.scene.start),
        "goal": pose(&trip.scene.goal),
        "path_m": trip.done.report.path.length(),
        "shortest_m": trip.done.report.shortest,
        "frames": clip.frames(),
        "rate_hz": clip.rate(),
        "seconds": clip.duration(),
        "length_m": way.length,
        "quality": way.quality,
        "collisions": way.collisions,
        "missed_mm": 1e3 * way.missed,
        "askew_deg": way.askew.to_degrees(),
        "arrival": {
            "steps_changed": arrived.steps,
            "shift_mm": 1e3 * arrived.shift.length(),
            "turn_deg": arrived.turn.to_degrees(),
            "most_a_step_mm": 1e3 * arrived.step_shift,
            "most_a_step_deg": arrived.step_turn.to_degrees(),
        },
        "drift_mm": {
            "p95": 1e3 * figures.after.drift.p95,
            "max": 1e3 * figures.after.drift.max,
            "as_played_p95": 1e3 * figures.before.drift.p95,
        },
        "ground": walk.report.ground.as_ref().map(ground_json),
        "transitions": walked.seams.len(),
        "transitions_per_s": walked.seams.len() as f32 / clip.duration(),
        "seams": { "speed": worst(figures.joints.speed), "acceleration": worst(figures.joints.acceleration) },
        "moves_tried": walk.report.moves,
        "ms": {
            "load_graph": walker.times[0],
            "lay_out_moves": walker.times[1],
            "ready_planner": ms(times.ready),
            "path": ms(times.path),
            "walk": ms(times.walk),
        },
    });
    format!("{value:#}\n")
}

fn ground_json(fit: &GroundFit) -> Value {
    let mm = |spread: &Spread| json!({ "p95": 1e3 * spread.p95, "max": 1e3 * spread.max });
    json!({
        "steepest_deg": fit.steepest.to_degrees(),
        "highest_step_mm": 1e3 * fit.highest_step,
        "climb_m_s": fit.climb,
        "body_lowered_mm": 1e3 * fit.lowered,
        "feet_missed_mm": mm(&fit.missed),
        "feet_sunk_mm": mm(&fit.feet.penetration),
        "flying_feet_sunk_mm": mm(&fit.feet.grazing),
        "toes_sunk_mm": mm(&fit.feet.toes),
        "feet_above_mm": mm(&fit.feet.float),
        "prints_without_ground": fit.bare,
    })
}

/// The report for a person.
pub(super) fn in_words(world: &Path, walker: &Walker, trip: &Trip, written: &[(PathBuf, usize)]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}, on {}", world.display(), walker.name);
    rows(&mut out, walker, trip);
    let [load, lay_out] = walker.times;
    let times = trip.done.report.times;
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    row(
        &mut out,
        "took",
        format!(
            "graph {load:.0} ms, moves {lay_out:.0} ms, path {:.1} ms, walk {:.1} ms",
            ms(times.ready + times.path),
            ms(times.walk)
        ),
    );
    for (path, size) in written {
        row(&mut out, "wrote", format!("{}, {}", path.display(), output::size(*size)));
    }
    out
}

/// The figures of a journey, a line each.
fn rows(out: &mut String, walker: &Walker, trip: &Trip) {
    let Trip { done, clip, .. } = trip;
    let walk = &done.walk;
    let (way, walked, figures) = (&walk.report.way, &walk.walked, &done.report.figures);
    let against = match trip.done.report.shortest {
        0.0 => "on the spot".into(),
        path if walk.report.ground.is_some() => {
            let above = way.length / way.quality;
            format!("{:.2} times the path's {above:.2} m seen from above ({path:.2} m over the ground)", way.quality)
        }
        shortest => format!("{:.2} times the shortest way's {shortest:.2} m", way.quality),
    };
    row(out, "walk", format!("{:.1} s, {:.2} m, {against}", clip.duration(), way.length));
    row(out, "collisions", if way.collisions == 0 { "none".into() } else { format!("{} frames", way.collisions) });
    row(out, "arrival", arrival(trip));
    row(out, "last steps", last_steps(trip));
    let blends = walked.seams.len();
    row(out, "transitions", format!("{blends}, {:.2} a second", blends as f32 / clip.duration()));
    let (after, before) = (&figures.after.drift, &figures.before.drift);
    let drift = format!("95 % within {:.2} mm, {:.2} at most", 1e3 * after.p95, 1e3 * after.max);
    row(out, "foot drift", format!("{drift}; as played 95 % within {:.1} mm", 1e3 * before.p95));
    if let Some(fit) = &walk.report.ground {
        ground_rows(out, fit, clip.rate());
    }
    let worst = |worst: Worst| {
        let (name, at) = (walker.graph.rig.skeleton.name(worst.joint), worst.frame as f32 / clip.rate());
        format!("{:.2} times ({name} at {at:.2} s)", worst.ratio)
    };
    let (speed, acceleration) = (worst(figures.joints.speed), worst(figures.joints.acceleration));
    row(out, "seams", format!("joints turn {speed} as fast and {acceleration} as hard as in the clips at most"));
}

/// How the walk fits the ground, and what its clips did not allow.
fn ground_rows(out: &mut String, fit: &GroundFit, rate: f32) {
    let spread = |spread: &Spread| {
        let at = spread.worst as f32 / rate;
        format!("95 % within {:.1} mm, {:.0} mm at {at:.2} s at most", 1e3 * spread.p95, 1e3 * spread.max)
    };
    let (steep, step) = (fit.steepest.to_degrees(), 1e2 * fit.highest_step);
    row(out, "ground", format!("slopes of up to {steep:.0}° underfoot, up to {step:.0} cm from print to print"));
    row(out, "feet in it", format!("standing {}; flying {}", spread(&fit.feet.penetration), spread(&fit.feet.grazing)));
    row(out, "toes in it", spread(&fit.feet.toes));
    row(out, "feet above", format!("standing {}", spread(&fit.feet.float)));
    if fit.bare > 0 {
        row(out, "no ground", format!("under {} prints", fit.bare));
    }
    let reached = match fit.missed.max > MISSED {
        true => format!("legs do not reach: feet miss their prints, {}", spread(&fit.missed)),
        false => "legs reach every print".into(),
    };
    row(out, "legs", format!("{reached}; the body goes down by up to {:.0} cm for that", 1e2 * fit.lowered));
    if fit.climb > FAST {
        row(out, "too fast", format!("it rises or falls by {:.2} m/s where it is steepest", fit.climb));
    }
}

/// A foot that misses its print by more than this is told, metres; a body that climbs faster than people do, m/s.
const MISSED: f32 = 1e-3;
const FAST: f32 = 0.7;

/// Where a journey ended.
pub(super) fn arrival(trip: &Trip) -> String {
    let way = &trip.done.walk.report.way;
    let askew = match trip.scene.goal.heading {
        Some(_) => format!(" and {:.2}°", way.askew.to_degrees()),
        None => String::new(),
    };
    format!("{:.1} mm{askew} off", 1e3 * way.missed)
}

/// How much its last steps were changed for that.
fn last_steps(trip: &Trip) -> String {
    let arrived = &trip.done.walk.report.arrival;
    let (shift, turn) = (1e3 * arrived.shift.length(), arrived.turn.to_degrees());
    let most = format!("{:.0} mm and {:.1}° a step at most", 1e3 * arrived.step_shift, arrived.step_turn.to_degrees());
    format!("{} changed by {shift:.0} mm and {turn:+.1}° in all, {most}", arrived.steps)
}
