//! A sheet of what was found in a walk cycle, leg by leg: its track and axis, heights with key times, and its flight.

use crate::foot_name::foot_name;
use crate::sheet::{FAINT, GRID, LEFT, MARGIN, MIDDLE, PANEL, PAPER, RIGHT, TEXT};
use crate::svg::{Anchor, Stroke, Svg};
use surefoot::character::Character;
use surefoot::glam::Vec2;
use surefoot::math::floor;
use surefoot::rig::Side;
use surefoot::stages::LocomotionClip;

/// Pixels across, and of a row and the head.
const WIDTH: f32 = 1500.0;
const ROW: f32 = 210.0;
const HEAD: f32 = 96.0;
/// Pixels between panels, and at their edges.
const GAP: f32 = 14.0;
const EDGE: f32 = 30.0;
/// Looks at a round.
const LOOKS: usize = 120;
/// Size of small text, pixels.
const SMALL: f32 = 11.0;

/// A part of the picture with its own numbers: from low to high, left to right and bottom to top.
struct Plot {
    frame: [f32; 4],
    low: Vec2,
    high: Vec2,
}

impl Plot {
    fn at(&self, point: Vec2) -> [f32; 2] {
        let [x, y, w, h] = self.frame;
        let share = (point - self.low) / (self.high - self.low).max(Vec2::splat(1e-6));
        [x + share.x * w, y + h - share.y * h]
    }

    /// One scale for both ways, about the middle.
    fn even(frame: [f32; 4], low: Vec2, high: Vec2) -> Self {
        let size = Vec2::new(frame[2], frame[3]);
        let scale = ((high - low).max(Vec2::splat(1e-3)) / size).max_element() * 1.15;
        let (middle, half) = (0.5 * (low + high), 0.5 * scale * size);
        Self { frame, low: middle - half, high: middle + half }
    }
}

fn panel(svg: &mut Svg, frame: [f32; 4], title: &str) -> [f32; 4] {
    let [x, y, w, h] = frame;
    svg.rect(frame, PANEL);
    svg.text([x + 8.0, y + 16.0], SMALL, FAINT, Anchor::Start, title);
    [x + EDGE, y + 26.0, w - 2.0 * EDGE, h - 26.0 - EDGE]
}

/// Draws a clip that goes somewhere; `title` says whose it is.
#[must_use]
pub fn draw(character: &Character, clip: &LocomotionClip, title: &str) -> Svg {
    let rows = clip.legs.len().max(1) as f32;
    let mut svg = Svg::new(WIDTH, HEAD + rows * (ROW + GAP) + MARGIN, PAPER);
    svg.text([MARGIN, 34.0], 20.0, TEXT, Anchor::Start, title);
    let v = clip.motion.velocity;
    let facts = format!(
        "{:.2} m/s ({:+.2} to the left, {:+.2} ahead), turning {:+.0}°/s, a round in {:.3} s, {:.2} m",
        v.length(),
        v.x,
        v.y,
        clip.motion.turn_rate.to_degrees(),
        clip.seconds,
        v.length() * clip.seconds
    );
    svg.text([MARGIN, 58.0], 14.0, TEXT, Anchor::Start, &facts);
    let what = "Phases are of the clip. Bars: from touching to leaving, dark while the whole sole is down; S where the leg stands.";
    svg.text([MARGIN, 78.0], SMALL, FAINT, Anchor::Start, what);
    for (k, leg) in character.rig.legs.iter().enumerate().take(clip.legs.len()) {
        let colour = match leg.side {
            Some(Side::Left) => LEFT,
            Some(Side::Right) => RIGHT,
            None => MIDDLE,
        };
        let row = Row { character, clip, leg: k, colour, top: HEAD + k as f32 * (ROW + GAP) };
        row.draw(&mut svg, &foot_name(&character.rig, leg));
    }
    svg
}

struct Row<'a> {
    character: &'a Character,
    clip: &'a LocomotionClip,
    leg: usize,
    colour: &'a str,
    top: f32,
}

impl Row<'_> {
    fn draw(&self, svg: &mut Svg, name: &str) {
        let wide = WIDTH - 2.0 * MARGIN - 2.0 * GAP;
        let [track, heights] = [0.24 * wide, 0.5 * wide];
        let left = MARGIN;
        let frame = panel(svg, [left, self.top, track, ROW], &format!("{name}: its track under the body, from above"));
        self.track(svg, frame);
        let left = left + track + GAP;
        let title = "heel (thick) and ball (thin) over the ground, cm, over a round of the clip";
        let frame = panel(svg, [left, self.top, heights, ROW], title);
        self.heights(svg, frame);
        let left = left + heights + GAP;
        let frame =
            panel(svg, [left, self.top, wide - track - heights, ROW], "flight from print (0) to print (1): height, cm");
        self.flight(svg, frame);
    }

    /// The sole's way in the character's frame; left is left.
    fn track(&self, svg: &mut Svg, frame: [f32; 4]) {
        let cycle = &self.clip.legs[self.leg];
        let point = |leg_phase: f32| {
            let p = floor::of_point(self.clip.sole(self.leg, leg_phase).translation);
            Vec2::new(-p.x, p.y)
        };
        let way: Vec<Vec2> = (0..=LOOKS).map(|i| point(i as f32 / LOOKS as f32)).collect();
        let low = way.iter().fold(Vec2::INFINITY, |low, p| low.min(*p));
        let high = way.iter().fold(Vec2::NEG_INFINITY, |high, p| high.max(*p));
        let plot = Plot::even(frame, low, high);
        if let Some(axis) = self.clip.axis(self.leg) {
            let [a, b] = axis.map(|p| plot.at(Vec2::new(-p.x, p.y)));
            svg.line(a, b, Stroke::new(FAINT, 1.0));
            let length = axis[0].distance(axis[1]);
            let [x, y, ..] = frame;
            svg.text([x - 20.0, y + 12.0], SMALL, FAINT, Anchor::Start, &format!("axis {length:.2} m"));
        }
        let points: Vec<[f32; 2]> = way.iter().map(|p| plot.at(*p)).collect();
        svg.polyline(&points, Stroke::new(self.colour, 1.5).faded(0.6));
        let stands: Vec<[f32; 2]> = (0..=40)
            .map(|i| cycle.strike - 1.0 + (cycle.off - cycle.strike + 1.0) * i as f32 / 40.0)
            .map(|phase| plot.at(point(phase)))
            .collect();
        svg.polyline(&stands, Stroke::new(self.colour, 4.0));
        svg.circle(plot.at(point(0.0)), 5.0, TEXT);
        let place = cycle.place.position;
        let [x, y, w, h] = frame;
        let text = format!("stands {:+.2} m to the left, {:+.2} ahead", place.x, place.y);
        svg.text([x + w, y + h + 18.0], SMALL, FAINT, Anchor::End, &text);
    }

    fn heights(&self, svg: &mut Svg, frame: [f32; 4]) {
        let cycle = &self.clip.legs[self.leg];
        let points = self.character.rig.legs[self.leg].foot;
        let ankle_from_sole = points.ankle_from_sole();
        let sole_from_ankle = ankle_from_sole.inverse();
        let [heel, ball] = [points.heel, points.ball].map(|point| sole_from_ankle.transform_point(point));
        let stance = self.clip.clip_phase(cycle.stance);
        let height = |phase: f32, point| 1e2 * self.clip.sole(self.leg, phase - stance).transform_point(point).y;
        let phases = || (0..=LOOKS).map(|i| i as f32 / LOOKS as f32);
        let top = phases().map(|p| height(p, heel).max(height(p, ball))).fold(1.0, f32::max);
        let plot = Plot { frame, low: Vec2::new(0.0, -0.08 * top), high: Vec2::new(1.0, 1.05 * top) };
        let zero = [plot.at(Vec2::ZERO), plot.at(Vec2::X)];
        svg.line(zero[0], zero[1], Stroke::new(GRID, 1.0));
        let [x, y, _, h] = frame;
        svg.text([x - 4.0, y + 8.0], SMALL, FAINT, Anchor::End, &format!("{top:.0}"));
        for (point, width) in [(heel, 2.5), (ball, 1.2)] {
            let line: Vec<[f32; 2]> = phases().map(|p| plot.at(Vec2::new(p, height(p, point)))).collect();
            svg.polyline(&line, Stroke::new(self.colour, width));
        }
        // Bars may go over the end of the round.
        let mut bar = |from: f32, to: f32, high: f32, opacity: f32| {
            for round in [-1.0, 0.0, 1.0] {
                let (a, b) = ((from + round).max(0.0), (to + round).min(1.0));
                if b > a {
                    let [x0, x1] = [a, b].map(|p| plot.at(Vec2::new(p, 0.0))[0]);
                    svg.fill([x0, y + h + 2.0, x1 - x0, high], self.colour, opacity);
                }
            }
        };
        bar(stance + cycle.strike - 1.0, stance + cycle.off, 8.0, 0.35);
        bar(stance + cycle.land - 1.0, stance + cycle.lift, 8.0, 0.8);
        for (name, at) in
            [("strike", cycle.strike), ("land", cycle.land), ("S", 0.0), ("lift", cycle.lift), ("off", cycle.off)]
        {
            let phase = (stance + at).rem_euclid(1.0);
            let [a, b] = [plot.low.y, plot.high.y].map(|value| plot.at(Vec2::new(phase, value)));
            svg.line(a, b, Stroke::new(if name == "S" { TEXT } else { FAINT }, 1.0).faded(0.6));
            let lower = if matches!(name, "land" | "lift") { 10.0 } else { 0.0 };
            svg.text([b[0] + 2.0, b[1] + 8.0 + lower], 9.0, TEXT, Anchor::Start, &format!("{name} {phase:.2}"));
        }
    }

    fn flight(&self, svg: &mut Svg, frame: [f32; 4]) {
        let cycle = &self.clip.legs[self.leg];
        let shares = || (0..=LOOKS).map(|i| i as f32 / LOOKS as f32);
        let top = shares().map(|share| 1e2 * cycle.height(share)).fold(1.0, f32::max);
        let plot = Plot { frame, low: Vec2::ZERO, high: Vec2::new(1.0, 1.05 * top) };
        svg.line(plot.at(Vec2::ZERO), plot.at(Vec2::X), Stroke::new(GRID, 1.0));
        let way: Vec<[f32; 2]> =
            shares().map(|s| plot.at(Vec2::new(cycle.progress(s), 1e2 * cycle.height(s)))).collect();
        svg.polyline(&way, Stroke::new(self.colour, 2.0));
        for tenth in 0..=10 {
            let share = tenth as f32 / 10.0;
            svg.circle(plot.at(Vec2::new(cycle.progress(share), 1e2 * cycle.height(share))), 2.5, self.colour);
        }
        let [x, y, w, h] = frame;
        svg.text([x - 4.0, y + 8.0], SMALL, FAINT, Anchor::End, &format!("{top:.0}"));
        let seconds = (cycle.strike - cycle.off) * self.clip.seconds;
        svg.text(
            [x + w, y + h + 18.0],
            SMALL,
            FAINT,
            Anchor::End,
            &format!("{seconds:.2} s in the air; dots are tenths"),
        );
    }
}
