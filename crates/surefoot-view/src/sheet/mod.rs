//! The contact sheet: one picture from which a person judges a clip.
//!
//! A stroboscopic side view along the travel, a top view with the traces of the feet, heights and speeds of the
//! joints that the character stands on, and the largest turn of any joint from frame to frame, where glitches show.

pub(crate) mod chart;
pub(crate) mod silhouette;
mod strobe;
mod top;

use crate::svg::{Anchor, Svg};
use chart::{Bar, Chart, Curve};
use surefoot::math::floor;
use surefoot::motion::{Clip, Stance};
use surefoot::rig::{JointId, Rig, Side, Skeleton, Skin};
use surefoot::stages::Trajectories;

/// Width of the sheet, pixels.
const WIDTH: f32 = 1600.0;
/// Its height, pixels.
const HEIGHT: f32 = 1120.0;
/// Room around everything, pixels.
pub(crate) const MARGIN: f32 = 28.0;

/// Colour of the background.
pub(crate) const PAPER: &str = "#fbfaf7";
/// Colour of panels on it.
pub(crate) const PANEL: &str = "#ffffff";
/// Colour of words.
pub(crate) const TEXT: &str = "#2b2d33";
/// Colour of words that matter less.
pub(crate) const FAINT: &str = "#8a8d96";
/// Colour of grid lines.
pub(crate) const GRID: &str = "#e4e2dc";
/// Left limbs, for every picture.
pub(crate) const LEFT: &str = "#d9691e";
/// Right limbs.
pub(crate) const RIGHT: &str = "#2166c4";
/// The middle of the body.
pub(crate) const MIDDLE: &str = "#5a5d66";
/// Colours of several left limbs, from front to back: warm ones.
const LEFTS: [&str; 4] = [LEFT, "#b23a48", "#c79a10", "#8a4b2a"];
/// Colours of several right limbs, from front to back: cold ones.
const RIGHTS: [&str; 4] = [RIGHT, "#19818f", "#7a52c7", "#2f8f5b"];
/// Colours of limbs without a side, by turns.
const MIDDLES: [&str; 4] = [MIDDLE, "#8c4bb0", "#917a1b", "#2b2d33"];

/// A clip with what every panel needs.
struct Subject<'a> {
    skeleton: &'a Skeleton,
    clip: &'a Clip,
    /// Its mesh, where it has one.
    skin: Option<&'a Skin>,
    trajectories: Trajectories,
    /// The joints the character stands on, with a colour each; the rig's legs in their order, where they are known.
    feet: Vec<(JointId, &'static str)>,
    /// Its legs and stances, where they are known.
    stances: Option<RigStances<'a>>,
}

/// Where the feet of a rig stand.
#[derive(Clone, Copy, Debug)]
pub struct RigStances<'a> {
    /// The body and its legs.
    pub rig: &'a Rig,
    /// Its stances in the clip.
    pub stances: &'a [Stance],
}

/// Draws the contact sheet of a clip, with the silhouette of its skin and with bars and prints for its stances where
/// they are given. `notes` go below the title, a line each.
///
/// # Panics
/// If the clip or the skin was made for another skeleton.
#[must_use]
pub fn draw(
    skeleton: &Skeleton,
    clip: &Clip,
    skin: Option<&Skin>,
    stances: Option<RigStances<'_>>,
    notes: &[String],
) -> Svg {
    let trajectories = Trajectories::new(skeleton, clip);
    let feet = match stances {
        Some(RigStances { rig, .. }) => rig.legs.iter().map(|leg| (leg.toe.unwrap_or(leg.ankle()), leg.side)).collect(),
        None => {
            let lowest = trajectories.lowest_joints(skeleton).into_iter();
            lowest.map(|joint| (joint, skeleton.side(joint))).collect()
        }
    };
    let subject = Subject { skeleton, clip, skin, trajectories, feet: coloured(feet), stances };

    let mut svg = Svg::new(WIDTH, HEIGHT, PAPER);
    title(&subject, notes, &mut svg);
    let top = 74.0 + 17.0 * notes.len().min(4) as f32;
    let wide = WIDTH - 2.0 * MARGIN;
    let layout = strobe::Layout::of(&subject, wide, 310.0);
    let strobe_height = layout.height();
    strobe::draw(&subject, &layout, panel([MARGIN, top, wide, strobe_height], &mut svg), &mut svg);

    let below = top + strobe_height + 18.0;
    let tall = HEIGHT - below - MARGIN;
    let map_width = 600.0;
    top::draw(&subject, panel([MARGIN, below, map_width, tall], &mut svg), &mut svg);

    let left = MARGIN + map_width + 18.0;
    let each = (tall - 2.0 * 14.0) / 3.0;
    for (i, chart) in charts(&subject).into_iter().enumerate() {
        let frame = [left, below + i as f32 * (each + 14.0), WIDTH - MARGIN - left, each];
        chart.draw(panel(frame, &mut svg), &mut svg);
    }
    svg
}

/// Draws one quantity before and after: the first values in grey, the second in the colour of a side.
#[must_use]
pub fn compare(title: &str, rate: f32, side: Option<Side>, before: &[f32], after: &[f32]) -> Svg {
    let colour = match side {
        Some(Side::Left) => LEFT,
        Some(Side::Right) => RIGHT,
        None => MIDDLE,
    };
    let curve = |name: &str, colour, values: &[f32]| Curve { name: name.to_owned(), colour, values: values.to_vec() };
    let curves = vec![curve("before", "#b4b6bd", before), curve("after", colour, after)];
    let chart = Chart { title: title.to_owned(), rate, curves, marks: Vec::new(), bars: Vec::new() };
    let mut svg = Svg::new(560.0, 240.0, PANEL);
    chart.draw([0.0, 0.0, 560.0, 240.0], &mut svg);
    svg
}

fn title(subject: &Subject<'_>, notes: &[String], svg: &mut Svg) {
    let Subject { skeleton, clip, trajectories, .. } = subject;
    svg.text([MARGIN, 38.0], 24.0, TEXT, Anchor::Start, clip.name());
    let root = skeleton.pelvis();
    let ends = trajectories.point(trajectories.frames() - 1, root) - trajectories.point(0, root);
    let facts = format!(
        "{} joints · {} frames · {} Hz · {:.2} s · path {:.2} m · start to end {:.2} m",
        skeleton.len(),
        clip.frames(),
        clip.rate(),
        clip.duration(),
        trajectories.floor_length(root),
        floor::of_point(ends).length(),
    );
    svg.text([MARGIN, 60.0], 14.0, FAINT, Anchor::Start, &facts);
    for (i, note) in notes.iter().take(4).enumerate() {
        svg.text([MARGIN, 78.0 + 17.0 * i as f32], 12.5, FAINT, Anchor::Start, note);
    }
    let legend = [("left", LEFT), ("right", RIGHT), ("middle", MIDDLE)];
    for (i, (name, colour)) in legend.into_iter().enumerate() {
        let x = WIDTH - MARGIN - 210.0 + 76.0 * i as f32;
        svg.rect([x, 30.0, 14.0, 6.0], colour);
        svg.text([x + 20.0, 38.0], 13.0, TEXT, Anchor::Start, name);
    }
}

/// A white panel; gives the room inside it.
pub(crate) fn panel(frame: [f32; 4], svg: &mut Svg) -> [f32; 4] {
    svg.rect(frame, PANEL);
    frame
}

/// A colour for each foot: those of a side can be told from each other, and from the other side's.
pub(crate) fn coloured(feet: Vec<(JointId, Option<Side>)>) -> Vec<(JointId, &'static str)> {
    let mut used = [0; 3];
    let mut colour = |side: Option<Side>| {
        let (row, colours) = match side {
            Some(Side::Left) => (0, LEFTS),
            Some(Side::Right) => (1, RIGHTS),
            None => (2, MIDDLES),
        };
        used[row] += 1;
        colours[(used[row] - 1) % colours.len()]
    };
    feet.into_iter().map(|(joint, side)| (joint, colour(side))).collect()
}

fn charts(subject: &Subject<'_>) -> [Chart; 3] {
    let Subject { skeleton, clip, trajectories, feet, .. } = subject;
    let of_feet = |value: &dyn Fn(usize, JointId) -> f32| -> Vec<Curve> {
        let curve = |(joint, colour): &(JointId, &'static str)| Curve {
            name: skeleton.name(*joint).to_owned(),
            colour,
            values: (0..clip.frames()).map(|frame| value(frame, *joint)).collect(),
        };
        feet.iter().map(curve).collect()
    };
    let turns: Vec<Option<(JointId, f32)>> = (0..clip.frames()).map(|frame| clip.largest_turn(frame)).collect();
    let degrees: Vec<f32> = turns.iter().map(|turn| turn.map_or(0.0, |(_, angle)| angle.to_degrees())).collect();
    let marks = peaks(&degrees).into_iter().filter_map(|frame| {
        let (joint, angle) = turns[frame]?;
        Some((frame, format!("{} {:.0}° at frame {frame}", skeleton.name(joint), angle.to_degrees())))
    });
    let bars = bars(subject);
    let chart = |title: &str, curves, marks| {
        let bars = if title.starts_with("height") { bars.clone() } else { Vec::new() };
        Chart { title: title.to_owned(), rate: clip.rate(), curves, marks, bars }
    };
    [
        chart("height over the origin, m", of_feet(&|frame, joint| trajectories.point(frame, joint).y), vec![]),
        chart("speed over the floor, m/s", of_feet(&|frame, joint| trajectories.floor_speed(frame, joint)), vec![]),
        chart(
            "largest turn of a joint in one frame, degrees",
            vec![Curve { name: String::new(), colour: MIDDLE, values: degrees }],
            marks.collect(),
        ),
    ]
}

/// A bar for every stance: the leg's row, its colour, and the frames it lasts, those in which it is held dark.
fn bars(subject: &Subject<'_>) -> Vec<Bar> {
    let Some(RigStances { stances, .. }) = subject.stances else { return Vec::new() };
    let bar = |stance: &Stance| {
        let (leg, frames) = (stance.leg().index(), stance.frames(subject.clip));
        Bar { row: leg, colour: subject.feet[leg].1, held: frames.held(), frames: frames.whole }
    };
    stances.iter().map(bar).collect()
}

/// The up to three highest values that stand apart by a thirtieth of the clip, if they tower over the usual.
fn peaks(values: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let (usual, most) = (values[order[order.len() / 10]], values[order[0]]);
    let apart = values.len() / 30 + 1;
    let mut peaks: Vec<usize> = Vec::new();
    for frame in order {
        let minor = values[frame] < 1.5 * usual || values[frame] < 0.3 * most || values[frame] < 0.5;
        if peaks.len() == 3 || minor {
            break;
        }
        if peaks.iter().all(|p| p.abs_diff(frame) >= apart) {
            peaks.push(frame);
        }
    }
    peaks
}
