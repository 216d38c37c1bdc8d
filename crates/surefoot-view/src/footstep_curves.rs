//! Curves of footsteps over time: how the way bends and how fast it is gone, as figures 3.6 and 4.3 to 4.5 of Granberg's thesis.

use crate::footsteps::ShownFootsteps;
use crate::svg::{Anchor, Stroke, Svg};
use std::fmt::Write as _;
use surefoot::glam::Vec2;
use surefoot::math::FloorPose;

/// Curves over the seconds of a walk.
#[derive(Clone, Debug, PartialEq)]
pub struct FootstepCurves {
    /// Its place and name, for a file.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub says: &'static str,
    /// What each curve is, its colour, and its places (seconds, value).
    curves: Vec<(&'static str, &'static str, Vec<[f32; 2]>)>,
    /// The least and greatest value that is drawn.
    range: [f32; 2],
}

/// The picture, pixels.
const WIDTH: f32 = 1000.0;
const HEIGHT: f32 = 380.0;
/// Left, top, right and bottom of the curves, pixels from the picture's edges.
const MARGINS: [f32; 4] = [60.0, 50.0, 20.0, 40.0];
/// The body's way bends more than anybody turns where it hardly moves, 1/m.
const MOST_TURN: f32 = 3.0;

impl ShownFootsteps<'_> {
    /// How the way bends, and how fast it is gone; nothing without groups.
    #[must_use]
    pub fn curves(&self) -> Vec<FootstepCurves> {
        let stages = &self.done.stages;
        if stages.turns.is_empty() {
            return Vec::new();
        }
        let at_prints = |values: &[f32]| -> Vec<[f32; 2]> {
            stages.times.iter().zip(values).map(|(time, value)| [*time, *value]).collect()
        };
        let estimated = bends(&stages.traced, &stages.times, self.clip.rate());
        let turn = vec![
            ("strides as they were planned", "#2f6fd0", steps(&at_prints(&stages.planned_turns))),
            ("the body's way", "#222222", estimated),
            ("what strides are blended by", "#d03a2f", at_prints(&stages.turns)),
        ];
        let speed = vec![("0 walking, 1 running", "#d03a2f", at_prints(&stages.speeds))];
        vec![
            FootstepCurves {
                name: "9-turn",
                says: "how the way bends, 1/m, left positive",
                curves: turn,
                range: [-MOST_TURN, MOST_TURN],
            },
            FootstepCurves { name: "10-speed", says: "how fast it is gone", curves: speed, range: [0.0, 1.0] },
        ]
    }
}

/// Values that hold from one place to the next, as steps.
fn steps(values: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let stay = values.windows(2).flat_map(|pair| [pair[0], [pair[1][0], pair[0][1]]]);
    stay.chain(values.last().copied()).collect()
}

/// How a way bends (1/m) by the circle through the places a stride before and after, which is from print to next but one.
fn bends(way: &[FloorPose], prints: &[f32], rate: f32) -> Vec<[f32; 2]> {
    let mut values = Vec::new();
    for f in 0..way.len() {
        let time = f as f32 / rate;
        let next = prints.partition_point(|print| *print <= time).clamp(1, prints.len().max(2) - 1);
        let [Some(last), Some(after)] = [prints.get(next.saturating_sub(1)), prints.get(next + 1)] else { continue };
        let stride = ((after - last) * rate).round() as usize;
        let (Some(before), Some(on)) = (f.checked_sub(stride), way.get(f + stride)) else { continue };
        let [a, b, c]: [Vec2; 3] = [way[before].position, way[f].position, on.position];
        let (u, v) = (b - a, c - b);
        let long = u.length() * v.length() * (c - a).length();
        if long > 1e-3 {
            // Floor points are (x, z): positive is to the left.
            values.push([time, (2.0 * (u.y * v.x - u.x * v.y) / long).clamp(-MOST_TURN, MOST_TURN)]);
        }
    }
    values
}

impl FootstepCurves {
    /// A picture of them.
    #[must_use]
    pub fn picture(&self, title: &str) -> Svg {
        let mut svg = Svg::new(WIDTH, HEIGHT, "#ffffff");
        let [left, top, right, bottom] = MARGINS;
        svg.text([left, 28.0], 17.0, "#222222", Anchor::Start, &format!("{title}: {}", self.says));
        let all = || self.curves.iter().flat_map(|(_, _, points)| points);
        let end = all().map(|[time, _]| *time).fold(1.0, f32::max);
        let [low, high] = self.range;
        let (wide, tall) = (WIDTH - left - right, HEIGHT - top - bottom);
        let place = |[time, value]: [f32; 2]| {
            [left + wide * time / end, top + tall * (high - value.clamp(low, high)) / (high - low)]
        };
        for line in 0..=4 {
            let value = low + (high - low) * line as f32 / 4.0;
            let ([x, y], [to, _]) = (place([0.0, value]), place([end, value]));
            svg.line([x, y], [to, y], Stroke::new("#dddddd", 1.0));
            svg.text([x - 8.0, y + 4.0], 12.0, "#555555", Anchor::End, &format!("{value:.2}"));
        }
        let every = if end > 60.0 { 30.0 } else { 5.0 };
        for mark in 0..=(end / every) as usize {
            let time = every * mark as f32;
            let [x, y] = place([time, low]);
            svg.text([x, y + 18.0], 12.0, "#555555", Anchor::Middle, &format!("{time} s"));
        }
        for (number, (says, colour, points)) in self.curves.iter().enumerate() {
            let drawn: Vec<[f32; 2]> = points.iter().map(|point| place(*point)).collect();
            svg.polyline(&drawn, Stroke::new(colour, 1.8));
            svg.text([left + 8.0 + 230.0 * number as f32, 45.0], 12.0, colour, Anchor::Start, says);
        }
        svg
    }

    /// Its numbers as comma-separated values.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = String::from("what,time_s,value\n");
        for (says, _, points) in &self.curves {
            for [time, value] in points {
                let _ = writeln!(out, "{says},{time:.4},{value:.4}");
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_bend_to_their_side_and_steps_stay() {
        let circle = |side: f32| -> Vec<FloorPose> {
            let at = |f: usize| {
                let angle = 0.01 * f as f32;
                FloorPose::new(Vec2::new(side * 2.0 * (1.0 - angle.cos()), 2.0 * angle.sin()), side * angle)
            };
            (0..400).map(at).collect()
        };
        let prints: Vec<f32> = (0..13).map(|k| 0.5 * k as f32).collect();
        for side in [1.0, -1.0] {
            let found = bends(&circle(side), &prints, 60.0);
            assert!(found.len() > 100 && found.iter().all(|[_, bend]| (bend - side * 0.5).abs() < 1e-2), "{found:?}");
        }
        assert_eq!(steps(&[[0.0, 1.0], [2.0, 3.0]]), [[0.0, 1.0], [2.0, 1.0], [2.0, 3.0]]);
        assert!(steps(&[]).is_empty() && bends(&[], &[], 60.0).is_empty());
    }
}
