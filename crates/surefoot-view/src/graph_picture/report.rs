//! What a graph can do: speeds and turns, time to turn and stop, coverage of a room, advice.

use super::{ALARM, KEPT, css, ramp, wrapped};
use crate::sheet::chart::ticks;
use crate::sheet::{FAINT, GRID, LEFT, MARGIN, PAPER, RIGHT, TEXT, panel};
use crate::svg::{Anchor, Stroke, Svg};
use surefoot::math::floor;
use surefoot::rig::Side;
use surefoot::stages::{Capabilities, Coverage, Round, Summary};

/// Width of the picture, pixels.
const WIDTH: f32 = 1600.0;
/// Its height, pixels.
const HEIGHT: f32 = 1120.0;

/// Draws a capability report.
#[must_use]
pub fn draw(found: &Capabilities) -> Svg {
    let mut svg = Svg::new(WIDTH, HEIGHT, PAPER);
    svg.text([MARGIN, 38.0], 24.0, TEXT, Anchor::Start, "what this graph can do");
    let held = found.takes.iter().filter(|take| take.kept > 0.0).count();
    let facts = format!(
        "{held} of {} clips · {:.1} s · {} nodes · {} edges, {} of them blends · threshold {:.1} cm",
        found.takes.len(),
        found.seconds,
        found.nodes,
        found.edges,
        found.blends,
        100.0 * found.threshold,
    );
    svg.text([MARGIN, 62.0], 14.0, FAINT, Anchor::Start, &facts);
    let top = 80.0;
    speeds(found, panel([MARGIN, top, 640.0, 470.0], &mut svg), &mut svg);
    times(found, panel([MARGIN, top + 488.0, 640.0, 252.0], &mut svg), &mut svg);
    let left = MARGIN + 658.0;
    let room = panel([left, top, WIDTH - MARGIN - left, 740.0], &mut svg);
    match &found.coverage {
        Some(coverage) => cover(coverage, room, &mut svg),
        None => empty("no coverage was asked for, or there is no component", room, &mut svg),
    }
    let below = top + 758.0;
    let rest = HEIGHT - MARGIN - below;
    over_time(found, panel([MARGIN, below, 640.0, rest], &mut svg), &mut svg);
    advice(found, panel([left, below, WIDTH - MARGIN - left, rest], &mut svg), &mut svg);
    svg
}

fn empty(text: &str, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
    svg.text([x + 0.5 * w, y + 0.5 * h], 13.0, FAINT, Anchor::Middle, text);
}

/// Speed across, turning rate upwards to the left side: how much of the clips is there, and where loops are.
fn speeds(found: &Capabilities, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
    let title = "speed and turning over 1 s of the clips; rings are loops that can be kept up";
    svg.text([x + 12.0, y + 20.0], 13.0, TEXT, Anchor::Start, title);
    if found.moments.is_empty() {
        return empty("nothing", [x, y, w, h], svg);
    }
    let degrees = |rate: f32| rate.to_degrees();
    let rounds: Vec<(&str, &Round)> = [
        ("slowest", &found.slowest),
        ("fastest", &found.fastest),
        ("left turn", &found.left.fastest),
        ("right turn", &found.right.fastest),
        ("tightest left", &found.left.tightest),
        ("tightest right", &found.right.tightest),
    ]
    .into_iter()
    .filter_map(|(name, round)| Some((name, round.as_ref()?)))
    .collect();
    let fastest = found.moments.iter().map(|m| m.speed).chain(rounds.iter().map(|(_, r)| r.speed()));
    let sharpest = found.moments.iter().map(|m| m.turn_rate).chain(rounds.iter().map(|(_, r)| r.turn_rate()));
    let most = 1.08 * fastest.fold(0.1, f32::max);
    // At least so wide that walking straight looks straight.
    let widest = 1.12 * degrees(sharpest.map(f32::abs).fold(0.0, f32::max)).max(30.0);
    let [left, top, width, height] = [x + 56.0, y + 34.0, w - 76.0, h - 80.0];
    let across = |speed: f32| left + width * speed / most;
    // Left turns go to the left of a walker who comes up the page: up here, as in the top view +x is left.
    let up = |rate: f32| top + 0.5 * height * (1.0 - degrees(rate) / widest);

    const COLUMNS: usize = 60;
    const ROWS: usize = 41;
    let mut counts = vec![0_u32; COLUMNS * ROWS];
    for moment in &found.moments {
        let column = ((moment.speed / most) * COLUMNS as f32) as usize;
        let row = (0.5 * (1.0 - degrees(moment.turn_rate) / widest) * ROWS as f32) as usize;
        counts[row.min(ROWS - 1) * COLUMNS + column.min(COLUMNS - 1)] += 1;
    }
    let highest = counts.iter().copied().max().unwrap_or(1).max(1) as f32;
    let (cw, ch) = (width / COLUMNS as f32, height / ROWS as f32);
    for (k, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let (column, row) = ((k % COLUMNS) as f32, (k / COLUMNS) as f32);
        // Roots, so that rare things are seen beside common ones.
        let colour = css(ramp(0.18 + 0.82 * (*count as f32 / highest).sqrt()));
        svg.rect([left + column * cw, top + row * ch, cw + 0.1, ch + 0.1], &colour);
    }
    for tick in ticks(0.0, most, 8) {
        svg.line([across(tick.at), top], [across(tick.at), top + height], Stroke::new(GRID, 1.0).faded(0.7));
        svg.text([across(tick.at), top + height + 16.0], 11.0, FAINT, Anchor::Middle, &tick.label);
    }
    for tick in ticks(-widest, widest, 8) {
        let at = up(tick.at.to_radians());
        svg.line([left, at], [left + width, at], Stroke::new(GRID, 1.0).faded(0.7));
        svg.text([left - 6.0, at + 4.0], 11.0, FAINT, Anchor::End, &tick.label);
    }
    svg.text([left + width, top + height + 34.0], 11.0, FAINT, Anchor::End, "speed, m/s");
    svg.text([left + 4.0, top + 12.0], 11.0, FAINT, Anchor::Start, "turning left, °/s");
    svg.text([left + 4.0, top + height - 6.0], 11.0, FAINT, Anchor::Start, "turning right");
    marks(&rounds, &|round| [across(round.speed()), up(round.turn_rate())], [left, width], svg);
}

/// Rings at loops with their names; those at one place share a line, and lines keep apart.
fn marks(rounds: &[(&str, &Round)], place: &dyn Fn(&Round) -> [f32; 2], [left, width]: [f32; 2], svg: &mut Svg) {
    let mut groups: Vec<([f32; 2], String)> = Vec::new();
    for (name, round) in rounds {
        let at = place(round);
        let near = |(other, _): &&mut ([f32; 2], String)| (other[0] - at[0]).hypot(other[1] - at[1]) < 7.0;
        match groups.iter_mut().find(near) {
            Some((_, names)) => {
                names.push_str(", ");
                names.push_str(name);
            }
            None => groups.push((at, (*name).to_owned())),
        }
    }
    for (at, _) in &groups {
        let ring: Vec<[f32; 2]> = (0..=24)
            .map(|k| {
                let (sin, cos) = (k as f32 / 24.0 * std::f32::consts::TAU).sin_cos();
                [at[0] + 6.0 * sin, at[1] + 6.0 * cos]
            })
            .collect();
        svg.polyline(&ring, Stroke::new("#ffffff", 4.0).faded(0.8));
        svg.polyline(&ring, Stroke::new(ALARM, 2.0));
    }
    // Names keep clear of rings and of each other: right or left of theirs, else farther down.
    let rings: Vec<[f32; 4]> = groups.iter().map(|(at, _)| [at[0] - 8.0, at[1] - 8.0, 16.0, 16.0]).collect();
    let mut taken = rings;
    for (at, names) in &groups {
        let wide = 6.7 * names.chars().count() as f32;
        let room = |right: bool, down: f32| {
            let x = if right { at[0] + 10.0 } else { at[0] - 10.0 - wide };
            [x, at[1] - 7.0 + down, wide, 14.0]
        };
        let free = |[x, y, w, h]: &[f32; 4]| {
            let apart = |[ox, oy, ow, oh]: &[f32; 4]| ox + ow <= *x || x + w <= *ox || oy + oh <= *y || y + h <= *oy;
            *x > left && x + w < left + width && taken.iter().all(apart)
        };
        let places = (0..8).flat_map(|k| [room(true, 7.0 * k as f32), room(false, 7.0 * k as f32)]);
        let own = places.into_iter().find(free).unwrap_or(room(true, 0.0));
        taken.push(own);
        svg.fill(own, "#ffffff", 0.75);
        svg.text([own[0] + 1.0, own[1] + 11.0], 11.0, ALARM, Anchor::Start, names);
    }
}

/// Bars: how long it takes to turn, stop and start. Light to the mean, dark to the least.
fn times(found: &Capabilities, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
    let title = "seconds from straight walking until turned by, stopped, started: least dark, mean light";
    svg.text([x + 12.0, y + 20.0], 13.0, TEXT, Anchor::Start, title);
    let mut rows: Vec<(String, &str, Option<Summary>)> = Vec::new();
    for turn in &found.turns {
        let (name, colour) = match turn.side {
            Side::Left => ("left", LEFT),
            Side::Right => ("right", RIGHT),
        };
        rows.push((format!("{:.0}° {name}", turn.angle.to_degrees()), colour, turn.seconds));
    }
    let stops = found.stops.as_ref();
    rows.push(("stop".into(), KEPT, stops.and_then(|stops| stops.stop)));
    rows.push(("start".into(), KEPT, stops.and_then(|stops| stops.start)));
    let most = rows.iter().filter_map(|(_, _, of)| Some(of.as_ref()?.mean)).fold(0.5, f32::max) * 1.15;
    let [left, top, width] = [x + 92.0, y + 36.0, w - 150.0];
    let each = (h - 66.0) / rows.len() as f32;
    let bottom = top + each * rows.len() as f32;
    for tick in ticks(0.0, most, 8) {
        let at = left + width * tick.at / most;
        svg.line([at, top - 2.0], [at, bottom], Stroke::new(GRID, 1.0));
        svg.text([at, bottom + 16.0], 11.0, FAINT, Anchor::Middle, &format!("{} s", tick.label));
    }
    for (k, (name, colour, of)) in rows.iter().enumerate() {
        let at = top + each * k as f32;
        let base = at + 0.5 * each + 4.0;
        svg.text([left - 8.0, base], 12.0, TEXT, Anchor::End, name);
        match of {
            Some(of) => {
                let bar = |seconds: f32| [left, at + 3.0, (width * seconds / most).max(1.0), each - 6.0];
                svg.fill(bar(of.mean), colour, 0.35);
                svg.fill(bar(of.least), colour, 0.95);
                let label = format!("{:.1} / {:.1}", of.least, of.mean);
                svg.text([left + width * of.mean / most + 6.0, base], 11.0, FAINT, Anchor::Start, &label);
            }
            None => svg.text([left + 6.0, base], 12.0, ALARM, Anchor::Start, "never"),
        }
    }
}

/// The room: how many headings each cell can be walked in for ever, with a stroke for each of them.
fn cover(coverage: &Coverage, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
    let title = format!(
        "an empty room of {0:.0} × {0:.0} m from its middle: headings that can be walked for ever, in cells of {1:.1} m",
        coverage.area,
        coverage.cell()
    );
    svg.text([x + 12.0, y + 20.0], 13.0, TEXT, Anchor::Start, &title);
    let side = (h - 70.0).min(w - 220.0);
    let [left, top] = [x + 36.0, y + 36.0];
    let each = side / coverage.across as f32;
    let mut strokes: Vec<[[f32; 2]; 2]> = Vec::new();
    let mut dead: Vec<[[f32; 2]; 2]> = Vec::new();
    for cell in 0..coverage.across * coverage.across {
        // Seen from above with +Z up the page, +X is on the left.
        let (column, row) =
            (coverage.across - 1 - cell % coverage.across, coverage.across - 1 - cell / coverage.across);
        let own = cell * coverage.headings..(cell + 1) * coverage.headings;
        let share = own.clone().filter(|k| coverage.lasting[*k]).count() as f32 / coverage.headings as f32;
        let corner = [left + each * column as f32, top + each * row as f32];
        let ever = own.clone().any(|k| coverage.reached[k].is_finite());
        let colour = match share {
            0.0 if ever => "#ecd3d0".into(),
            0.0 => "#f1f0ec".into(),
            share => css(ramp(0.06 + 0.6 * share)),
        };
        svg.rect([corner[0], corner[1], each - 0.6, each - 0.6], &colour);
        let centre = [corner[0] + 0.5 * each, corner[1] + 0.5 * each];
        for k in own {
            let angle = std::f32::consts::TAU * (k % coverage.headings) as f32 / coverage.headings as f32;
            let d = floor::direction(angle);
            let at = |reach: f32| [centre[0] - reach * each * d.x, centre[1] - reach * each * d.y];
            if coverage.lasting[k] {
                strokes.push([at(0.16), at(0.44)]);
            } else if coverage.reached[k].is_finite() {
                dead.push([at(0.16), at(0.44)]);
            }
        }
    }
    let width = (0.05 * each).clamp(0.3, 1.3);
    svg.segments(&strokes, Stroke::new("#0c1e5c", width).faded(0.7));
    svg.segments(&dead, Stroke::new(ALARM, width));
    let middle = [left + 0.5 * side, top + 0.5 * side];
    svg.circle(middle, 5.0, ALARM);
    svg.line(middle, [middle[0], middle[1] - 18.0], Stroke::new(ALARM, 2.5));

    let right = left + side + 24.0;
    let mut at = top + 14.0;
    let mut line = |text: &str, size: f32, colour: &str, svg: &mut Svg| {
        svg.text([right, at], size, colour, Anchor::Start, text);
        at += size + 7.0;
    };
    let percent = |share: f32| format!("{:.0} %", 100.0 * share);
    let (cells, headings) = coverage.lasting_share();
    line("for ever", 13.0, TEXT, svg);
    line(&format!("{} of cells", percent(cells)), 12.0, FAINT, svg);
    line(&format!("{} with headings", percent(headings)), 12.0, FAINT, svg);
    let border = coverage.border();
    if border > 0.0 {
        line(&format!("not {border:.1} m along walls"), 12.0, ALARM, svg);
    }
    for within in &coverage.within {
        line("", 4.0, TEXT, svg);
        line(&format!("within {} s", within.seconds), 13.0, TEXT, svg);
        line(&format!("{} of cells", percent(within.cells)), 12.0, FAINT, svg);
        line(&format!("{} with headings", percent(within.headings)), 12.0, FAINT, svg);
    }
    if coverage.crowded {
        line("", 4.0, TEXT, svg);
        line("at least (for ever: about),", 11.0, FAINT, svg);
        line("not all states looked at", 11.0, FAINT, svg);
    }
    line("", 8.0, TEXT, svg);
    line("colour: share of headings", 11.0, FAINT, svg);
    for k in 0..20 {
        let share = k as f32 / 19.0;
        svg.rect([right + 6.0 * k as f32, at - 8.0, 6.2, 10.0], &css(ramp(0.06 + 0.6 * share)));
    }
    at += 22.0;
    for (colour, text) in [("#ecd3d0", "reached, but stuck there"), ("#f1f0ec", "never reached")] {
        svg.rect([right, at - 9.0, 12.0, 10.0], colour);
        svg.text([right + 18.0, at], 11.0, FAINT, Anchor::Start, text);
        at += 18.0;
    }
    svg.line([right + 2.0, at - 4.0], [right + 11.0, at - 4.0], Stroke::new(ALARM, 1.5));
    svg.text([right + 18.0, at], 11.0, FAINT, Anchor::Start, "heading that gets stuck");
    svg.text([left, top + side + 18.0], 11.0, FAINT, Anchor::Start, "+z up the page, +x to the left");
}

/// Shares of cells and headings over time.
fn over_time(found: &Capabilities, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
    svg.text([x + 12.0, y + 20.0], 13.0, TEXT, Anchor::Start, "share of the room reached over time");
    let Some(coverage) = &found.coverage else { return empty("nothing", [x, y, w, h], svg) };
    let [left, top, width, height] = [x + 56.0, y + 34.0, w - 76.0, h - 64.0];
    let until = coverage.within.iter().map(|within| within.seconds).fold(1.0, f32::max);
    let per_cell: Vec<f32> = coverage
        .reached
        .chunks(coverage.headings)
        .map(|own| own.iter().copied().fold(f32::INFINITY, f32::min))
        .collect();
    for tick in ticks(0.0, 100.0, 4) {
        let at = top + height * (1.0 - tick.at / 100.0);
        svg.line([left, at], [left + width, at], Stroke::new(GRID, 1.0));
        svg.text([left - 6.0, at + 4.0], 11.0, FAINT, Anchor::End, &format!("{} %", tick.label));
    }
    for tick in ticks(0.0, until, 10) {
        let at = left + width * tick.at / until;
        svg.text([at, top + height + 16.0], 11.0, FAINT, Anchor::Middle, &format!("{} s", tick.label));
    }
    for (k, (values, colour, name)) in
        [(&per_cell, KEPT, "cells"), (&coverage.reached, RIGHT, "cells with headings")].into_iter().enumerate()
    {
        let mut sorted: Vec<f32> = values.iter().copied().filter(|t| t.is_finite()).collect();
        sorted.sort_by(f32::total_cmp);
        let points: Vec<[f32; 2]> = (0..=240)
            .map(|k| {
                let time = until * k as f32 / 240.0;
                let share = sorted.partition_point(|t| *t <= time) as f32 / values.len().max(1) as f32;
                [left + width * time / until, top + height * (1.0 - share)]
            })
            .collect();
        svg.polyline(&points, Stroke::new(colour, 1.8));
        svg.text([x + w - 14.0 - 150.0 * k as f32, y + 20.0], 12.0, colour, Anchor::End, name);
    }
}

fn advice(found: &Capabilities, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
    svg.text([x + 12.0, y + 20.0], 13.0, TEXT, Anchor::Start, "what to do");
    let mut at = y + 42.0;
    let none = ["nothing: it turns both ways, stops, stays and changes speed".to_owned()];
    let texts: Vec<String> = found.advice.iter().map(ToString::to_string).collect();
    let texts = if texts.is_empty() { &none[..] } else { &texts };
    for (k, text) in texts.iter().enumerate() {
        let lines = wrapped(text, w - 44.0, 12.5);
        let more = texts.len() - k;
        // Room for this one, and for a line that says that there are more.
        let needed = 17.0 * lines.len() as f32 + if more > 1 { 20.0 } else { 0.0 };
        if at - 12.0 + needed > y + h {
            svg.text([x + 26.0, at], 12.5, FAINT, Anchor::Start, &format!("… and {more} more"));
            return;
        }
        svg.circle([x + 17.0, at - 4.0], 2.5, ALARM);
        for line in lines {
            svg.text([x + 26.0, at], 12.5, TEXT, Anchor::Start, &line);
            at += 17.0;
        }
        at += 4.0;
    }
}
