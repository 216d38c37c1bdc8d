//! A picture of a reach: the body before and after from two sides, with what it reached for.

use crate::sheet::{FAINT, GRID, LEFT, MARGIN, MIDDLE, PANEL, PAPER, RIGHT, TEXT};
use crate::svg::{Anchor, Stroke, Svg};
use surefoot::glam::{Vec2, Vec3A};
use surefoot::math::Rigid;
use surefoot::rig::{ModelPose, Skeleton};
use surefoot::show::{Draw, Ink, draw_skeleton};

/// Something that was reached for.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The joint's name.
    pub name: String,
    /// Where it should be, metres, model space.
    pub target: Vec3A,
    /// Where it came to be.
    pub reached: Vec3A,
    /// Whether it only stays where it was, as feet do.
    pub held: bool,
}

/// Width of the picture, pixels.
const WIDTH: f32 = 1200.0;
/// Its height, pixels.
const HEIGHT: f32 = 760.0;
/// Colour of the places that are reached for.
const TARGET: &str = "#c2185b";

/// One view of the body: which way is right on the page.
struct View {
    right: Vec3A,
    /// The page place of the model's origin, and pixels per metre.
    origin: [f32; 2],
    scale: f32,
    lines: [Vec<[[f32; 2]; 2]>; 3],
}

impl View {
    fn flat(&self, point: Vec3A) -> [f32; 2] {
        [self.origin[0] + self.scale * point.dot(self.right), self.origin[1] - self.scale * point.y]
    }

    fn ink(&mut self, skeleton: &Skeleton, pose: &ModelPose, colours: [&str; 3], width: f32, svg: &mut Svg) {
        self.lines = Default::default();
        draw_skeleton(skeleton, Rigid::IDENTITY, pose, self);
        for (lines, colour) in self.lines.iter().zip(colours) {
            svg.segments(lines, Stroke::new(colour, width));
        }
    }
}

impl Draw for View {
    fn line(&mut self, a: Vec3A, b: Vec3A, ink: Ink) {
        let kind = match ink {
            Ink::Left => 0,
            Ink::Right => 1,
            Ink::Middle | Ink::Ground => 2,
        };
        let line = [self.flat(a), self.flat(b)];
        self.lines[kind].push(line);
    }
}

/// Draws a body before (grey) and after (left orange, right blue), from the front and from its left, with its goals: rings
/// for what was reached for, squares for what is held. `title` and a line of words go on top.
///
/// # Panics
/// If the poses are of another skeleton.
#[must_use]
pub fn draw(skeleton: &Skeleton, [before, after]: [&ModelPose; 2], goals: &[Goal], [title, words]: [&str; 2]) -> Svg {
    let mut svg = Svg::new(WIDTH, HEIGHT, PAPER);
    svg.text([MARGIN, 40.0], 24.0, TEXT, Anchor::Start, title);
    svg.text([MARGIN, 62.0], 14.0, FAINT, Anchor::Start, words);
    let points = before.joints.iter().chain(&after.joints).map(|joint| joint.translation);
    let points: Vec<Vec3A> = points.chain(goals.iter().map(|goal| goal.target)).filter(|p| p.is_finite()).collect();
    let wide = 0.5 * (WIDTH - 2.0 * MARGIN - 18.0);
    let tall = HEIGHT - 82.0 - MARGIN;
    // From the front the character's left is on the right of the page; from its left it looks to the left of it.
    let views = [("from the front", Vec3A::X), ("from its left", -Vec3A::Z)];
    let span = |values: &mut dyn Iterator<Item = f32>| {
        values.fold(Vec2::new(f32::INFINITY, f32::NEG_INFINITY), |a, v| Vec2::new(a.x.min(v), a.y.max(v)))
    };
    let height = span(&mut points.iter().map(|p| p.y).chain([0.0]));
    let widths = views.map(|(_, right)| span(&mut points.iter().map(|p| p.dot(right))));
    let widest = widths.iter().map(|w| w.y - w.x).fold(0.1, f32::max);
    let scale = ((tall - 90.0) / (height.y - height.x).max(0.1)).min((wide - 120.0) / widest);
    for (i, ((name, right), width)) in views.into_iter().zip(widths).enumerate() {
        let (x, y) = (MARGIN + i as f32 * (wide + 18.0), 82.0);
        svg.rect([x, y, wide, tall], PANEL);
        svg.text([x + 12.0, y + 22.0], 13.0, TEXT, Anchor::Start, name);
        let ground = y + tall - 40.0 + scale * height.x;
        let middle = 0.5 * (width.x + width.y);
        let mut view =
            View { right, origin: [x + 0.5 * wide - scale * middle, ground], scale, lines: Default::default() };
        svg.line([x + 12.0, ground], [x + wide - 12.0, ground], Stroke::new(GRID, 2.0));
        view.ink(skeleton, before, ["#c9cbd1"; 3], 3.0, &mut svg);
        view.ink(skeleton, after, [LEFT, RIGHT, MIDDLE], 4.0, &mut svg);
        goals.iter().filter(|goal| goal.target.is_finite()).for_each(|goal| mark(goal, &view, &mut svg));
    }
    svg
}

/// A ring at a target, a square at what is held; a line to where it came to be, if that is seen.
fn mark(goal: &Goal, view: &View, svg: &mut Svg) {
    let [x, y] = view.flat(goal.target);
    if goal.held {
        svg.rect([x - 4.0, y - 4.0, 8.0, 8.0], TEXT);
        return;
    }
    let [a, b] = view.flat(goal.reached);
    svg.line([a, b], [x, y], Stroke::new(TARGET, 1.5));
    svg.circle([x, y], 7.0, TARGET);
    svg.circle([x, y], 4.0, PANEL);
    let away = (goal.target - goal.reached).length();
    let words = if away > 1e-3 { format!("{}: {:.0} cm short", goal.name, 100.0 * away) } else { goal.name.clone() };
    svg.text([x + 11.0, y - 8.0], 13.0, TARGET, Anchor::Start, &words);
}
