//! The side view: poses at even times, laid out along the way that the character travels.

use super::{FAINT, LEFT, MIDDLE, RIGHT, Subject, TEXT};
use crate::svg::{Anchor, Stroke, Svg};
use surefoot::glam::{DVec2, Vec2, Vec3A};
use surefoot::math::{floor, quat};
use surefoot::rig::{ModelPose, Pose};
use surefoot::show::{Draw, Ink, draw_skeleton};

/// Poses shown at most.
const POSES: usize = 16;
/// Distance of poses that are not to scale, in heights of the figure.
const SIDE_BY_SIDE: f32 = 0.38;

/// One pose seen from the character's right: forward is to the right of the page.
struct SideView {
    /// The root on the floor, and the direction of travel there.
    centre: Vec2,
    forward: Vec2,
    /// Where the root stands on the page, and the ground's height there.
    x: f32,
    ground: f32,
    /// Pixels per metre.
    scale: f32,
    /// Lines so far, by ink.
    lines: [Vec<[[f32; 2]; 2]>; 3],
}

impl SideView {
    fn place(&self, point: Vec3A) -> [f32; 2] {
        let along = (floor::of_point(point) - self.centre).dot(self.forward);
        [self.x + self.scale * along, self.ground - self.scale * point.y]
    }
}

impl Draw for SideView {
    fn line(&mut self, a: Vec3A, b: Vec3A, ink: Ink) {
        let line = [self.place(a), self.place(b)];
        let kind = match ink {
            Ink::Left => 0,
            Ink::Right => 1,
            Ink::Middle | Ink::Ground => 2,
        };
        self.lines[kind].push(line);
    }
}

pub(super) fn draw(subject: &Subject<'_>, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
    let Subject { skeleton, clip, trajectories, .. } = subject;
    let frames = clip.frames();
    let way = Way::of(subject);

    // Heights of everything, for the scale.
    let all =
        || (0..frames).flat_map(|f| skeleton.joints().map(move |j| (f, j))).map(|(f, j)| trajectories.point(f, j).y);
    let (low, high) = all().fold((0.0_f32, 0.1_f32), |(a, b), v| (a.min(v), b.max(v)));
    let tall = 1.08 * (high - low);

    // To scale along the way if there is room on it for some poses; else side by side.
    let length = way.arc[frames - 1];
    let room = (length / (0.3 * tall)) as usize + 1;
    let crowded = room < 6;
    let shown = if crowded { POSES } else { room.min(POSES) }.min(frames);
    let times: Vec<usize> = (0..shown).map(|i| if shown > 1 { i * (frames - 1) / (shown - 1) } else { 0 }).collect();
    let spread = if crowded { SIDE_BY_SIDE * tall * (shown - 1) as f32 } else { length };
    let scale = ((h - 64.0) / tall).min((w - 60.0) / (spread + 0.9 * tall));
    let along = |i: usize| if crowded { SIDE_BY_SIDE * tall * i as f32 } else { way.arc[times[i]] };
    let left = x + 0.5 * (w - scale * spread);
    let ground = y + h - 34.0 + scale * low;

    let how = if crowded { "evenly spaced poses" } else { "to scale along the travel" };
    svg.text([x + 12.0, y + 20.0], 13.0, TEXT, Anchor::Start, &format!("side view, {how}"));
    svg.line([x + 12.0, ground], [x + w - 12.0, ground], Stroke::new(FAINT, 1.0));
    if !crowded {
        for metre in 0..=(spread.min(500.0) as usize) {
            let at = left + scale * metre as f32;
            svg.line([at, ground], [at, ground + 5.0], Stroke::new(FAINT, 1.0));
        }
        svg.text([left, y + h - 8.0], 11.0, FAINT, Anchor::Start, "ticks every metre");
    }

    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::new(skeleton);
    svg.clipped([x, y + 24.0, w, h - 24.0], |svg| {
        for (i, frame) in times.iter().enumerate() {
            pose.locals.copy_from_slice(clip.frame(*frame));
            pose.to_model(skeleton, &mut model);
            let mut view = SideView {
                centre: way.centre[*frame],
                forward: way.forward[*frame],
                x: left + scale * along(i),
                ground,
                scale,
                lines: [Vec::new(), Vec::new(), Vec::new()],
            };
            draw_skeleton(skeleton, clip.roots()[*frame], &model, &mut view);
            // Every second pose lighter, so that neighbours can be told apart where they overlap.
            let opacity = if i % 2 == 0 { 1.0 } else { 0.45 };
            for (lines, colour) in view.lines.iter().zip([LEFT, RIGHT, MIDDLE]).rev() {
                svg.segments(lines, Stroke::new(colour, 2.0).faded(opacity));
            }
        }
    });
    for (i, frame) in times.iter().enumerate() {
        let label = format!("{:.2} s", *frame as f32 / clip.rate());
        svg.text([left + scale * along(i), y + h - 20.0], 10.0, FAINT, Anchor::Middle, &label);
    }
}

/// The root's way over the floor with its sway smoothed out: place, length so far, and direction, by frame.
struct Way {
    centre: Vec<Vec2>,
    arc: Vec<f32>,
    forward: Vec<Vec2>,
}

impl Way {
    fn of(subject: &Subject<'_>) -> Self {
        let Subject { clip, trajectories, .. } = subject;
        let root = subject.skeleton.pelvis();
        let centre: Vec<Vec2> = trajectories.path(root).map(floor::of_point).collect();
        // Half a second either side is about a stride.
        let reach = (0.5 * clip.rate()).round() as usize;
        // Sums so far make every mean one difference, however long the reach.
        let mut sums = vec![DVec2::ZERO];
        for place in &centre {
            sums.push(sums[sums.len() - 1] + place.as_dvec2());
        }
        let mean = |frame: usize| {
            let (from, to) = (frame.saturating_sub(reach), (frame + reach + 1).min(centre.len()));
            ((sums[to] - sums[from]) / (to - from) as f64).as_vec2()
        };
        let smooth: Vec<Vec2> = (0..centre.len()).map(mean).collect();
        let mut arc = vec![0.0; centre.len()];
        for frame in 1..centre.len() {
            arc[frame] = arc[frame - 1] + (smooth[frame] - smooth[frame - 1]).length();
        }
        let mut heading = 0.0;
        let forward = (0..centre.len()).map(|frame| {
            let (a, b) = (frame.saturating_sub(reach), (frame + reach).min(centre.len() - 1));
            let moved = smooth[b] - smooth[a];
            // Where it hardly moves, the way it faces stands in.
            heading = quat::heading(clip.body(subject.skeleton, frame).rotation).unwrap_or(heading);
            moved.try_normalize().filter(|_| moved.length() > 0.15).unwrap_or_else(|| floor::direction(heading))
        });
        let forward = forward.collect();
        Self { centre, arc, forward }
    }
}
