//! Curves over time.

use super::{FAINT, GRID, TEXT};
use crate::svg::{Anchor, Stroke, Svg};
use std::ops::Range;

/// One curve: a value per frame.
pub(super) struct Curve {
    pub(super) name: String,
    pub(super) colour: &'static str,
    pub(super) values: Vec<f32>,
}

/// A span of frames to be shown as a bar below the curves.
#[derive(Clone)]
pub(super) struct Bar {
    pub(super) row: usize,
    pub(super) colour: &'static str,
    pub(super) frames: Range<usize>,
    pub(super) held: Range<usize>,
}

/// Curves of one quantity over the time of a clip.
pub(super) struct Chart {
    pub(super) title: String,
    /// Frames per second.
    pub(super) rate: f32,
    pub(super) curves: Vec<Curve>,
    /// Frames of the first curve to be named.
    pub(super) marks: Vec<(usize, String)>,
    /// Stances.
    pub(super) bars: Vec<Bar>,
}

impl Chart {
    pub(super) fn draw(&self, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
        let rows = self.bars.iter().map(|bar| bar.row + 1).max().unwrap_or(0);
        svg.text([x + 12.0, y + 20.0], 13.0, TEXT, Anchor::Start, &self.title);
        let second = self.legend([x, y, w], svg);
        let plot = [x + 52.0, y + 30.0 + second, w - 66.0, h - 54.0 - second - 9.0 * rows as f32];
        let [left, top, width, height] = plot;

        let values = || self.curves.iter().flat_map(|c| c.values.iter().copied()).filter(|v| v.is_finite());
        let (low, high) = values().fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low.min(0.0), high.max(low + 1e-3)) };
        let frames = self.curves.iter().map(|c| c.values.len()).max().unwrap_or(0);
        let duration = (frames.max(2) - 1) as f32 / self.rate;
        let across = |frame: usize| left + width * (frame as f32 / self.rate) / duration;
        let up = |value: f32| top + height * (1.0 - (value - low) / (high - low));

        for tick in ticks(low, high, 4) {
            svg.line([left, up(tick.at)], [left + width, up(tick.at)], Stroke::new(GRID, 1.0));
            svg.text([left - 6.0, up(tick.at) + 4.0], 11.0, FAINT, Anchor::End, &tick.label);
        }
        for curve in &self.curves {
            let points: Vec<[f32; 2]> = curve.values.iter().enumerate().map(|(i, v)| [across(i), up(*v)]).collect();
            svg.polyline(&points, Stroke::new(curve.colour, 1.4));
        }
        for bar in &self.bars {
            let at = top + height + 4.0 + 9.0 * bar.row as f32;
            // The last frame is the end of the axis.
            let to = |frame: usize| across(frame.min(frames - 1));
            let span = |span: &Range<usize>| [to(span.start), at, (to(span.end) - to(span.start)).max(1.0), 6.0];
            svg.fill(span(&bar.frames), bar.colour, 0.35);
            if !bar.held.is_empty() {
                svg.fill(span(&bar.held), bar.colour, 1.0);
            }
        }
        let height = height + 9.0 * rows as f32;
        for tick in ticks(0.0, duration, 10) {
            let at = left + width * tick.at / duration;
            svg.line([at, top + height], [at, top + height + 4.0], Stroke::new(FAINT, 1.0));
            svg.text([at, top + height + 17.0], 11.0, FAINT, Anchor::Middle, &format!("{} s", tick.label));
        }
        for (i, (frame, label)) in self.marks.iter().enumerate() {
            let at = [across(*frame), up(self.curves[0].values[*frame])];
            let anchor = if at[0] > left + 0.7 * width { Anchor::End } else { Anchor::Start };
            let nudge = if anchor == Anchor::End { -7.0 } else { 7.0 };
            svg.circle(at, 3.0, "#b23a48");
            // A row each, so that neighbours do not write over each other.
            svg.text([at[0] + nudge, at[1] + 10.0 + 13.0 * i as f32], 11.0, "#b23a48", anchor, label);
        }
    }
}

impl Chart {
    /// The names of the curves at the right of the title, or in a line below it if there are many. Gives that line's
    /// height.
    fn legend(&self, [x, y, w]: [f32; 3], svg: &mut Svg) -> f32 {
        let named: Vec<&Curve> = self.curves.iter().filter(|curve| !curve.name.is_empty()).collect();
        // Letters are about this wide for their size; some air between names.
        const LETTER: f32 = 0.62;
        const AIR: f32 = 16.0;
        let total = |letter: f32| named.iter().map(|c| letter * c.name.chars().count() as f32 + AIR).sum::<f32>();
        let beside = w - 40.0 - 13.0 * LETTER * self.title.chars().count() as f32;
        let (size, at, second) =
            if total(12.0 * LETTER) <= beside { (12.0, y + 20.0, 0.0) } else { (10.5, y + 36.0, 14.0) };
        // Names that still do not fit are cut.
        let most = ((w - 24.0) / named.len().max(1) as f32 - AIR) / (size * LETTER);
        let fits = second == 0.0 || total(size * LETTER) <= w - 24.0;
        let mut right = x + w - 12.0;
        for curve in named.iter().rev() {
            let letters = curve.name.chars().count();
            let name = if fits || letters as f32 <= most {
                curve.name.clone()
            } else {
                let kept = (most as usize).saturating_sub(1);
                // Ends tell limbs apart more often than beginnings.
                format!("…{}", curve.name.chars().skip(letters - kept.min(letters)).collect::<String>())
            };
            svg.text([right, at], size, curve.colour, Anchor::End, &name);
            right -= size * LETTER * name.chars().count() as f32 + AIR;
        }
        second
    }
}

pub(crate) struct Tick {
    pub(crate) at: f32,
    pub(crate) label: String,
}

/// Round numbers within a range, about `count` of them.
pub(crate) fn ticks(low: f32, high: f32, count: usize) -> Vec<Tick> {
    let rough = (high - low) / count as f32;
    if !(rough > 0.0 && rough.is_finite()) {
        return Vec::new();
    }
    let power = 10.0_f32.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= rough * 0.999).unwrap_or(power);
    let decimals = (-(step * 1.001).log10().floor()).max(0.0) as usize;
    let first = (low / step).ceil();
    let tick = |i: usize| {
        // Adding zero turns a negative zero into a plain one.
        let at = (first + i as f32) * step + 0.0;
        Tick { at, label: format!("{at:.decimals$}") }
    };
    (0..4 * count).map(tick).take_while(|tick| tick.at <= high + 1e-3 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let labels = |low, high, count| ticks(low, high, count).into_iter().map(|t| t.label).collect::<Vec<_>>();
        assert_eq!(labels(0.0, 10.98, 10), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(-0.03, 0.4, 4), ["0.0", "0.2", "0.4"]);
        assert_eq!(labels(0.0, 0.0, 4), Vec::<String>::new());
        assert!(labels(0.0, f32::INFINITY, 4).is_empty(), "no endless axis");
    }
}
