//! A picture of a walk: from the side over its ground, with the ways of its feet, and its prints from above.

use crate::sheet::silhouette::outlines;
use crate::sheet::{FAINT, LEFT, MARGIN, MIDDLE, PANEL, PAPER, RIGHT, TEXT};
use crate::shown_walk::{BodyPlace, ShownWalk};
use crate::svg::{Anchor, Stroke, Svg};
use surefoot::glam::{Vec2, Vec3A};
use surefoot::math::floor;
use surefoot::rig::{LegId, ModelPose, Pose};
use surefoot::show::leads_to_bone;
use surefoot::stages::FootTrack;

/// Width of the picture, pixels.
const WIDTH: f32 = 1600.0;
/// How high the view from the side is at most, pixels: wide rather than high, as walks are.
const SIDE: f32 = 560.0;
/// How high the view from above is, pixels.
const TOP: f32 = 318.0;
/// Poses shown: more would hide each other.
const POSES: usize = 9;
/// Colour of the ground.
const SOIL: &str = "#e7e0d2";
/// Colour of the path, behind all else.
const PATH: &str = "#dcd9d2";

/// Where the body is along its way, by frame: place, direction, length so far.
struct Way {
    centre: Vec<Vec2>,
    forward: Vec<Vec2>,
    arc: Vec<f32>,
}

impl Way {
    fn of(course: &[BodyPlace]) -> Self {
        let places: Vec<_> = course.iter().map(|body| body.place).collect();
        let mut arc = vec![0.0];
        for pair in places.windows(2) {
            arc.push(arc[arc.len() - 1] + pair[0].position.distance(pair[1].position));
        }
        Self {
            centre: places.iter().map(|p| p.position).collect(),
            forward: places.iter().map(|p| p.forward()).collect(),
            arc,
        }
    }

    /// A point of a frame on the side view: along the way, and up. Metres.
    fn side(&self, frame: usize, point: Vec3A) -> [f32; 2] {
        let along = (floor::of_point(point) - self.centre[frame]).dot(self.forward[frame]);
        [self.arc[frame] + along, point.y]
    }

    /// The floor point at a length of the way, before its start and beyond its end too.
    fn at(&self, s: f32) -> (Vec2, usize) {
        let i = self.arc.partition_point(|arc| *arc <= s).clamp(1, self.arc.len()) - 1;
        (self.centre[i] + self.forward[i] * (s - self.arc[i]), i)
    }
}

type Points = Vec<[f32; 2]>;

/// The poses that are shown, from the side, metres.
struct Shapes {
    frames: Vec<usize>,
    /// Joints, and corners of the skin.
    points: Vec<(Points, Points)>,
    /// Least and greatest along the way, and up.
    bounds: [[f32; 2]; 2],
}

impl Shapes {
    fn of(walk: &ShownWalk<'_>, way: &Way) -> Self {
        let (clip, skeleton, skin) = (&walk.take.clip, &walk.character.rig.skeleton, walk.skin);
        let frames: Vec<usize> = (0..POSES).map(|i| i * (clip.frames() - 1) / (POSES - 1)).collect();
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
        let mut vertices = vec![surefoot::glam::Vec3::ZERO; skin.map_or(0, |skin| skin.positions.len())];
        let mut points = Vec::new();
        for frame in &frames {
            pose.locals.copy_from_slice(clip.frame(*frame));
            pose.to_model(skeleton, &mut model);
            let root = clip.roots()[*frame];
            let joints: Vec<[f32; 2]> =
                model.joints.iter().map(|joint| way.side(*frame, root.transform_point(joint.translation))).collect();
            if let Some(skin) = skin {
                skin.deform(&model, &mut vertices);
            }
            let skin: Vec<[f32; 2]> =
                vertices.iter().map(|v| way.side(*frame, root.transform_point((*v).into()))).collect();
            points.push((joints, skin));
        }
        let all = || points.iter().flat_map(|(joints, skin)| joints.iter().chain(skin));
        let fold =
            |k: usize| all().fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], p| [low.min(p[k]), high.max(p[k])]);
        let bounds = [fold(0), fold(1)];
        Self { frames, points, bounds }
    }

    fn tall(&self) -> f32 {
        (self.bounds[1][1] - self.bounds[1][0]).max(0.1)
    }

    /// Pixels a metre, so that all fits.
    fn scale(&self, [w, h]: [f32; 2]) -> f32 {
        ((w - 40.0) / (self.bounds[0][1] - self.bounds[0][0])).min((h - 60.0) / self.tall())
    }
}

impl ShownWalk<'_> {
    /// The picture.
    ///
    /// # Panics
    /// If motion, course and skin are not of the character and as long as each other.
    #[must_use]
    pub fn picture(&self, title: &str) -> Svg {
        let way = Way::of(self.course);
        let shapes = Shapes::of(self, &way);
        let w = WIDTH - 2.0 * MARGIN;
        // As high as the walk needs at the full width.
        let side_height = (shapes.tall() * shapes.scale([w, f32::INFINITY]) + 60.0).clamp(200.0, SIDE);
        let top_at = 76.0 + side_height + 18.0;
        let mut svg = Svg::new(WIDTH, top_at + TOP + MARGIN, PAPER);
        svg.text([MARGIN, 38.0], 24.0, TEXT, Anchor::Start, title);
        let facts = format!(
            "{} legs · {} stances · {:.2} s · {:.2} m · lines are the ways of the balls of the feet; grey squares stand every second",
            self.character.rig.legs.len(),
            self.take.stances.len(),
            self.take.clip.duration(),
            way.arc[way.arc.len() - 1],
        );
        svg.text([MARGIN, 60.0], 14.0, FAINT, Anchor::Start, &facts);
        self.draw_side(&shapes, &way, [MARGIN, 76.0, w, side_height], &mut svg);
        self.draw_top(&way, [MARGIN, top_at, w, TOP], &mut svg);
        svg
    }

    fn colour(&self, leg: LegId) -> &'static str {
        if self.is_left(leg) { LEFT } else { RIGHT }
    }

    fn draw_side(&self, shapes: &Shapes, way: &Way, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
        svg.rect([x, y, w, h], PANEL);
        let (clip, skeleton, frames) = (&self.take.clip, &self.character.rig.skeleton, self.take.clip.frames());
        let Shapes { frames: times, points, bounds: [[left, right], [low, _]] } = shapes;
        let (left, right, low) = (*left, *right, *low);
        let scale = shapes.scale([w, h]);
        let start = x + 0.5 * (w - scale * (right - left));
        let page = |[along, up]: [f32; 2]| [start + scale * (along - left), y + h - 30.0 - scale * (up - low)];

        // The ground under the middle of the way.
        let mut soil = Vec::new();
        for i in 0..=(w as usize) {
            let s = left + (right - left) * i as f32 / w;
            let (place, frame) = way.at(s);
            let hip = self.character.stand.hip;
            let from = self.course[frame].height + hip;
            if let Some(hit) = self.ground.below(floor::at_height(place, from), 4.0 * hip, 0.0) {
                soil.push(page([s, hit.point.y]));
            }
        }
        svg.clipped([x, y, w, h], |svg| {
            if let (Some(first), Some(last)) = (soil.first(), soil.last()) {
                let mut outline = soil.clone();
                outline.extend([[last[0], y + h], [first[0], y + h]]);
                svg.area(&[outline], SOIL, Stroke::new(FAINT, 1.0));
            }
            for (i, (joints, places)) in points.iter().enumerate() {
                let odd = i % 2 == 1;
                if let Some(skin) = self.skin {
                    let places: Vec<[f32; 2]> = places.iter().map(|p| page(*p)).collect();
                    let corners: Vec<_> =
                        skin.triangles.iter().map(|t| t.map(|corner| places[corner as usize])).collect();
                    let (fill, line) = if odd { ("#efede8", "#cfccc4") } else { ("#dfdcd4", "#b5b1a7") };
                    svg.area(&outlines(&corners), fill, Stroke::new(line, 0.8).faded(0.85));
                }
                let opacity = if odd { 0.45 } else { 1.0 };
                let body: Vec<[[f32; 2]; 2]> = skeleton
                    .joints()
                    .filter(|joint| leads_to_bone(skeleton, *joint))
                    .filter_map(|joint| Some([skeleton.parent(joint)?, joint].map(|joint| page(joints[joint.index()]))))
                    .collect();
                svg.segments(&body, Stroke::new(MIDDLE, 0.8).faded(0.5 * opacity));
                for ((id, _), leg) in self.character.rig.legs().zip(&self.character.stand.legs) {
                    let mut line: Vec<[f32; 2]> = leg.chain.joints.iter().map(|j| page(joints[j.index()])).collect();
                    line.push(page(joints[leg.chain.ankle.index()]));
                    svg.polyline(&line, Stroke::new(self.colour(id), 1.6).faded(opacity));
                }
            }
            for ((id, _), track) in self.character.rig.legs().zip(FootTrack::of_all(&self.character.rig, clip)) {
                let line: Vec<[f32; 2]> = (0..frames).map(|f| page(way.side(f, track.balls[f]))).collect();
                svg.polyline(&line, Stroke::new(self.colour(id), 1.0).faded(0.5));
            }
        });
        svg.text([x + 12.0, y + 20.0], 13.0, TEXT, Anchor::Start, "side view along the way, to scale");
        let mut last = f32::NEG_INFINITY;
        for frame in times {
            let label = format!("{:.2} s", *frame as f32 / clip.rate());
            let at = page([way.arc[*frame], low])[0];
            // Where it hardly moved, one time is enough.
            if at - last > 45.0 {
                svg.text([at, y + h - 10.0], 10.0, FAINT, Anchor::Middle, &label);
                last = at;
            }
        }
    }

    fn draw_top(&self, way: &Way, [x, y, w, h]: [f32; 4], svg: &mut Svg) {
        svg.rect([x, y, w, h], PANEL);
        svg.text(
            [x + 12.0, y + 20.0],
            13.0,
            TEXT,
            Anchor::Start,
            "prints from above, +Z to the right, +X up; the broad grey line is the path",
        );
        let prints =
            || self.take.stances.iter().map(|stance| floor::of_point(stance.print.world_from_sole.translation));
        let path = || self.path.points().iter().map(|p| floor::of_point((*p).into()));
        let (low, high) = prints()
            .chain(way.centre.iter().copied())
            .chain(path())
            .fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
        let (size, middle) = ((high - low).max(Vec2::splat(0.2)), 0.5 * (low + high));
        let scale = (0.9 * w / size.y).min(0.8 * h / size.x);
        let page = |p: Vec2| [x + 0.5 * w + scale * (p.y - middle.y), y + 0.5 * h - scale * (p.x - middle.x)];
        svg.polyline(&path().map(page).collect::<Vec<_>>(), Stroke::new(PATH, 4.0));
        let line: Vec<[f32; 2]> = way.centre.iter().map(|p| page(*p)).collect();
        svg.polyline(&line, Stroke::new(FAINT, 1.0));
        for f in (0..way.centre.len()).step_by(self.take.clip.rate().round().max(1.0) as usize) {
            let [px, py] = page(way.centre[f]);
            svg.rect([px - 2.0, py - 2.0, 4.0, 4.0], FAINT);
        }
        for stance in &self.take.stances {
            let colour = self.colour(stance.leg());
            let sole = &self.character.stand.legs[stance.leg().index()];
            let [heel, ball] =
                sole.sole.map(|p| page(floor::of_point(stance.print.world_from_sole.transform_point(p))));
            if sole.foot.is_point() {
                svg.circle(heel, 3.0, colour);
            } else {
                svg.line(heel, ball, Stroke::new(colour, (scale * sole.foot.width * 0.5).clamp(2.0, 12.0)));
            }
        }
    }
}
