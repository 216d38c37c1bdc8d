//! The side view: poses at even times, laid out along the way that the character travels.

use super::silhouette::outlines;
use super::{FAINT, LEFT, MIDDLE, RIGHT, Subject, TEXT};
use crate::svg::{Anchor, Stroke, Svg};
use surefoot::glam::{DVec2, Vec2, Vec3, Vec3A};
use surefoot::math::{Rigid, floor, quat};
use surefoot::rig::{ModelPose, Pose};
use surefoot::show::{Draw, Ink, draw_joints, leads_to_bone};

/// Poses shown at most: more would hide each other.
const POSES: usize = 16;
/// Poses shown at least where they stand side by side and not to scale.
const FEWEST: usize = 5;
/// Distance of poses that are not to scale, in heights and in lengths of the figure.
const SIDE_BY_SIDE: [f32; 2] = [0.38, 0.8];
/// Room for the panel's title above the figures, pixels.
const ABOVE: f32 = 30.0;
/// Room for times below them, pixels.
const BELOW: f32 = 34.0;
/// Frames looked at for the size of a figure.
const LOOKS: usize = 24;

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

/// How poses are laid out on the page.
pub(super) struct Layout {
    way: Way,
    /// Frames of the poses.
    times: Vec<usize>,
    /// Where the root of each pose stands, metres from the left of the room.
    along: Vec<f32>,
    /// Not to scale along the way, but side by side.
    crowded: bool,
    /// Metres that all poses take.
    wide: f32,
    /// Metres from top to bottom, and of the bottom below the origin.
    tall: f32,
    low: f32,
    /// Pixels per metre.
    scale: f32,
}

impl Layout {
    /// A layout in a room `w` wide and at most `h` high.
    pub(super) fn of(subject: &Subject<'_>, w: f32, h: f32) -> Self {
        let frames = subject.clip.frames();
        let way = Way::of(subject);
        let Bounds { low, high, back, front } = Figure::new(subject).bounds(&way);
        let (tall, long) = (1.08 * (high - low), front - back);

        // To scale along the way if there is room on it for some poses; else side by side.
        let length = way.arc[frames - 1];
        let room = (length / (0.3 * tall).max(0.6 * long)) as usize + 1;
        let crowded = room < FEWEST;
        let apart = (SIDE_BY_SIDE[0] * tall).max(SIDE_BY_SIDE[1] * long);
        let largest = (h - ABOVE - BELOW) / tall;
        let shown = if crowded {
            // As many as leave the figure its height.
            (((w - 60.0) / largest - long) / apart + 1.0).clamp(FEWEST as f32, POSES as f32) as usize
        } else {
            room.min(POSES)
        };
        let shown = shown.min(frames);
        let times: Vec<usize> =
            (0..shown).map(|i| if shown > 1 { i * (frames - 1) / (shown - 1) } else { 0 }).collect();
        let along = |(i, frame): (usize, &usize)| (if crowded { apart * i as f32 } else { way.arc[*frame] }) - back;
        let along = times.iter().enumerate().map(along).collect();
        let wide = long + if crowded { apart * (shown - 1) as f32 } else { length };
        let scale = largest.min((w - 60.0) / wide);
        Self { times, along, crowded, wide, tall, low, scale, way }
    }

    /// Pixels that it takes.
    pub(super) fn height(&self) -> f32 {
        ABOVE + BELOW + self.scale * self.tall
    }
}

pub(super) fn draw(subject: &Subject<'_>, layout: &Layout, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
    let Subject { skeleton, clip, .. } = subject;
    let Layout { way, times, along, crowded, wide, scale, .. } = layout;
    let (crowded, scale) = (*crowded, *scale);
    let left = x + 0.5 * (w - scale * wide);
    let ground = y + h - BELOW + scale * layout.low;
    let shown = shown_joints(subject);
    let mut figure = Figure::new(subject);

    let how = if crowded { "poses at even times, side by side" } else { "to scale along the travel" };
    svg.text([x + 12.0, y + 20.0], 13.0, TEXT, Anchor::Start, &format!("side view, {how}"));
    svg.line([x + 12.0, ground], [x + w - 12.0, ground], Stroke::new(FAINT, 1.0));
    if !crowded {
        let start = left + scale * along[0];
        for metre in 0..=(way.arc[way.arc.len() - 1].min(500.0) as usize) {
            let at = start + scale * metre as f32;
            svg.line([at, ground], [at, ground + 5.0], Stroke::new(FAINT, 1.0));
        }
        svg.text([start, y + h - 8.0], 11.0, FAINT, Anchor::Start, "ticks every metre");
    }

    svg.clipped([x, y + 24.0, w, h - 24.0], |svg| {
        for (i, frame) in times.iter().enumerate() {
            let root = figure.pose(*frame);
            let mut view = SideView {
                centre: way.centre[*frame],
                forward: way.forward[*frame],
                x: left + scale * along[i],
                ground,
                scale,
                lines: [Vec::new(), Vec::new(), Vec::new()],
            };
            // Every second pose lighter, so that neighbours can be told apart where they overlap.
            let odd = i % 2 == 1;
            if let Some(skin) = subject.skin {
                let places: Vec<[f32; 2]> =
                    figure.vertices.iter().map(|v| view.place(root.transform_point((*v).into()))).collect();
                let corners: Vec<_> = skin.triangles.iter().map(|t| t.map(|corner| places[corner as usize])).collect();
                let (fill, line) = if odd { ("#efede8", "#cfccc4") } else { ("#dfdcd4", "#b5b1a7") };
                svg.area(&outlines(&corners), fill, Stroke::new(line, 0.8).faded(0.85));
            }
            draw_joints(skeleton, root, &figure.model, |joint| shown[joint.index()], &mut view);
            let opacity = if odd { 0.45 } else { 1.0 };
            let width = if subject.skin.is_some() { 1.2 } else { 2.0 };
            for (lines, colour) in view.lines.iter().zip([LEFT, RIGHT, MIDDLE]).rev() {
                svg.segments(lines, Stroke::new(colour, width).faded(opacity));
            }
        }
    });
    for (i, frame) in times.iter().enumerate() {
        let label = format!("{:.2} s", *frame as f32 / clip.rate());
        svg.text([left + scale * along[i], y + h - 20.0], 10.0, FAINT, Anchor::Middle, &label);
    }
}

/// Joints that are drawn, by joint: none that hangs from what is above the pelvis, which is no bone, and of a body with a
/// skin none that holds nothing of it with all that hangs from it: controls of the rig.
fn shown_joints(subject: &Subject<'_>) -> Vec<bool> {
    let Subject { skeleton, skin, .. } = subject;
    let mut holds = vec![skin.is_none(); skeleton.len()];
    if let Some(skin) = skin {
        for (bones, weights) in skin.joints.iter().zip(&skin.weights) {
            for (bone, _) in bones.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
                holds[skin.bones[usize::from(*bone)].joint.index()] = true;
            }
        }
    }
    let shown = |joint| leads_to_bone(skeleton, joint) && skeleton.subtree(joint).any(|below| holds[below]);
    skeleton.joints().map(shown).collect()
}

/// The figure in one pose after the other.
struct Figure<'a> {
    subject: &'a Subject<'a>,
    pose: Pose,
    model: ModelPose,
    /// The skin's vertices, model space; empty where there is none.
    vertices: Vec<Vec3>,
}

/// How far a figure reaches from its root on the floor: heights, and along its way. Metres.
struct Bounds {
    low: f32,
    high: f32,
    back: f32,
    front: f32,
}

impl<'a> Figure<'a> {
    fn new(subject: &'a Subject<'a>) -> Self {
        let skeleton = subject.skeleton;
        let vertices = vec![Vec3::ZERO; subject.skin.map_or(0, |skin| skin.positions.len())];
        Self { subject, pose: Pose::rest(skeleton), model: ModelPose::new(skeleton), vertices }
    }

    /// Takes the pose of a frame; gives `world_from_model`.
    fn pose(&mut self, frame: usize) -> Rigid {
        let Subject { skeleton, clip, skin, .. } = self.subject;
        self.pose.locals.copy_from_slice(clip.frame(frame));
        self.pose.to_model(skeleton, &mut self.model);
        if let Some(skin) = skin {
            skin.deform(&self.model, &mut self.vertices);
        }
        clip.roots()[frame]
    }

    fn bounds(&mut self, way: &Way) -> Bounds {
        let mut bounds = Bounds { low: 0.0, high: 0.01, back: 0.0, front: 0.0 };
        let frames = self.subject.clip.frames();
        let every = frames.div_ceil(LOOKS);
        for frame in (0..frames).step_by(every) {
            let root = self.pose(frame);
            let joints = self.model.joints.iter().map(|joint| joint.translation);
            for point in joints.chain(self.vertices.iter().map(|v| (*v).into())) {
                let place = root.transform_point(point);
                let along = (floor::of_point(place) - way.centre[frame]).dot(way.forward[frame]);
                bounds.low = bounds.low.min(place.y);
                bounds.high = bounds.high.max(place.y);
                bounds.back = bounds.back.min(along);
                bounds.front = bounds.front.max(along);
            }
        }
        bounds
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
        // For a person, 15 cm: less is swaying.
        let least = (0.17 * subject.skeleton.rest_of(root).translation.y).max(1e-3);
        let mut heading = 0.0;
        let forward = (0..centre.len()).map(|frame| {
            let (a, b) = (frame.saturating_sub(reach), (frame + reach).min(centre.len() - 1));
            let moved = smooth[b] - smooth[a];
            // Where it hardly moves, the way it faces stands in.
            heading = quat::heading(clip.body(subject.skeleton, frame).rotation).unwrap_or(heading);
            moved.try_normalize().filter(|_| moved.length() > least).unwrap_or_else(|| floor::direction(heading))
        });
        let forward = forward.collect();
        Self { centre, arc, forward }
    }
}
