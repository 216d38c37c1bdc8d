//! The top view: the root's path and the traces of the feet on the floor.

use super::chart::ticks;
use super::{FAINT, GRID, Subject, TEXT};
use crate::svg::{Anchor, Stroke, Svg};
use surefoot::glam::Vec2;
use surefoot::math::{floor, quat};
use surefoot::rig::JointId;
use surefoot::show::print_outline;

/// A foot slower than this and near its lowest counts as standing in this picture. m/s.
const SLOW: f32 = 0.4;

pub(super) fn draw(subject: &Subject<'_>, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
    let Subject { trajectories, feet, .. } = subject;
    svg.text(
        [x + 12.0, y + 20.0],
        13.0,
        TEXT,
        Anchor::Start,
        if subject.stances.is_some() {
            "top view: hips (grey), feet and their prints"
        } else {
            "top view: hips (grey), feet; thick where a foot is low and slow"
        },
    );
    let root = subject.skeleton.pelvis();
    let shown = || std::iter::once(root).chain(feet.iter().map(|(joint, _)| *joint));

    // Seen from above with +Z up the page, the character's left (+X) is on the left.
    let (mut low, mut high) = (Vec2::splat(f32::INFINITY), Vec2::splat(f32::NEG_INFINITY));
    for point in shown().flat_map(|joint| trajectories.path(joint)).map(floor::of_point) {
        (low, high) = (low.min(point), high.max(point));
    }
    let margin = 0.12 * (high - low).max_element().max(0.5);
    let (low, high) = (low - margin, high + margin);
    let room = [x + 10.0, y + 30.0, w - 20.0, h - 40.0];
    let scale = (room[2] / (high.x - low.x)).min(room[3] / (high.y - low.y));
    let middle = 0.5 * (low + high);
    let place = |p: Vec2| {
        let d = (p - middle) * scale;
        [room[0] + 0.5 * room[2] - d.x, room[1] + 0.5 * room[3] - d.y]
    };

    svg.clipped(room, |svg| {
        let reach = 0.5 * Vec2::new(room[2], room[3]) / scale;
        let (from, to) = (middle - reach, middle + reach);
        let ticks = ticks(0.0, (to - from).max_element(), 8);
        let (cells, label) = ticks.get(1).map_or((1.0, "1"), |tick| (tick.at, tick.label.as_str()));
        let lines = |low: f32, high: f32| {
            let first = (low / cells).floor();
            (0..60).map(move |i| (first + i as f32) * cells).take_while(move |at| *at <= high)
        };
        for gx in lines(from.x, to.x) {
            svg.line(place(Vec2::new(gx, from.y)), place(Vec2::new(gx, to.y)), Stroke::new(GRID, 1.0));
        }
        for gz in lines(from.y, to.y) {
            svg.line(place(Vec2::new(from.x, gz)), place(Vec2::new(to.x, gz)), Stroke::new(GRID, 1.0));
        }
        let note = format!("squares of {label} m; +z up the page, +x to the left");
        svg.text([room[0] + room[2] - 4.0, room[1] + room[3] - 6.0], 11.0, FAINT, Anchor::End, &note);

        let path: Vec<[f32; 2]> = trajectories.path(root).map(|p| place(floor::of_point(p))).collect();
        svg.polyline(&path, Stroke::new(FAINT, 1.6));
        headings(subject, &path, svg);
        prints(subject, &place, svg);
        for (joint, colour) in feet {
            let points: Vec<[f32; 2]> = trajectories.path(*joint).map(|p| place(floor::of_point(p))).collect();
            svg.polyline(&points, Stroke::new(colour, 1.0).faded(0.5));
            let planted = if subject.stances.is_some() { Vec::new() } else { planted(subject, *joint) };
            for span in planted {
                svg.polyline(&points[span.clone()], Stroke::new(colour, 5.0));
                svg.circle(points[span.start + span.len() / 2], 4.0, colour);
            }
        }
        svg.circle(path[0], 5.0, "#2f8f5b");
        svg.text([path[0][0] + 9.0, path[0][1] + 4.0], 12.0, "#2f8f5b", Anchor::Start, "start");
    });
}

/// The outlines of footprints: heel to tip, as wide as the sole, brighter where they are closed.
fn prints(subject: &Subject<'_>, place: &dyn Fn(Vec2) -> [f32; 2], svg: &mut Svg) {
    let Some(super::RigStances { rig, stances }) = subject.stances else { return };
    for stance in stances {
        let corners = print_outline(&rig.legs[stance.leg().index()].foot, stance.print.world_from_sole);
        let outline = corners.iter().chain(&corners[..1]).map(|corner| place(floor::of_point(*corner)));
        let colour = subject.feet[stance.leg().index()].1;
        let opacity = if stance.open { 0.4 } else { 1.0 };
        svg.polyline(&outline.collect::<Vec<_>>(), Stroke::new(colour, 1.6).faded(opacity));
    }
}

/// Short strokes that show where the hips face, every half second.
fn headings(subject: &Subject<'_>, path: &[[f32; 2]], svg: &mut Svg) {
    let clip = subject.clip;
    // At most some hundred and fifty, however long the clip is.
    let every = ((0.5 * clip.rate()).round() as usize).max(clip.frames() / 150).max(1);
    for frame in (0..clip.frames()).step_by(every) {
        let Some(heading) = quat::heading(clip.body(subject.skeleton, frame).rotation) else { continue };
        let [x, y] = path[frame];
        let d = floor::direction(heading) * 15.0;
        svg.line([x, y], [x - d.x, y - d.y], Stroke::new(FAINT, 1.6));
        svg.circle([x, y], 2.2, FAINT);
    }
}

/// Spans of frames in which a joint is low and slow.
fn planted(subject: &Subject<'_>, joint: JointId) -> Vec<std::ops::Range<usize>> {
    let trajectories = &subject.trajectories;
    let heights: Vec<f32> = trajectories.path(joint).map(|p| p.y).collect();
    let lowest = heights.iter().copied().fold(f32::INFINITY, f32::min);
    let mut spans: Vec<std::ops::Range<usize>> = Vec::new();
    for (frame, height) in heights.iter().enumerate() {
        if height - lowest > 0.08 || trajectories.floor_speed(frame, joint) > SLOW {
            continue;
        }
        match spans.last_mut() {
            Some(span) if span.end == frame => span.end = frame + 1,
            _ => spans.push(frame..frame + 1),
        }
    }
    // Anything shorter than a twentieth of a second is no step.
    spans.retain(|span| span.len() as f32 >= 0.05 * subject.clip.rate());
    spans
}
