//! Pictures of scenes from above: ground shaded by height, obstacles, what moves and where, start and goal.
//!
//! +Z goes up the page and +X to the left, as in every picture from above.

use crate::report::counted;
use crate::sheet::{FAINT, GRID, LEFT, MARGIN, MIDDLE, PAPER, RIGHT, TEXT};
use crate::svg::{Anchor, Image, Stroke, Svg};
use crate::walk_track::WalkTrack;
use surefoot::glam::{Vec2, Vec3};
use surefoot::math::floor;
use surefoot::rig::Side;
use surefoot::world::{Ground, MeshGround, Mover, Repeat, Scene, ScenePose, SurfaceId};

/// How wide a picture is at most, pixels: it fits a page.
const WIDTH: f32 = 1000.0;
/// Room for the name and two lines of facts above the scene, pixels.
const TOP: f32 = 84.0;
/// Room for the scale bar below it, pixels.
const BOTTOM: f32 = 70.0;
/// Pixels of the picture for one of the shading.
const GRAIN: f32 = 2.0;

/// Colour of obstacles that stand still.
const OBSTACLE: &str = "#4d5560";
/// Colour of the start, and of outlines of a walk mesh.
const START: &str = "#1f6fb2";
/// Colour of the goal.
const GOAL: &str = "#c2453a";
/// Colour of obstacles that move.
const MOVING: &str = "#8a4fa3";
/// Colour of platforms to stand on.
const PLATFORM: &str = "#3f8f5b";
/// Colour of planned ways.
const ROUTE: &str = "#e07b00";

/// World to picture.
struct View {
    /// The greatest x and z, which are at the picture's left and top, metres.
    high: Vec2,
    /// Pixels a metre.
    scale: f32,
}

impl View {
    fn point(&self, p: Vec2) -> [f32; 2] {
        let p = self.scale * (self.high - p);
        [MARGIN + p.x, TOP + p.y]
    }

    fn place(&self, p: Vec3) -> [f32; 2] {
        self.point(Vec2::new(p.x, p.z))
    }
}

/// What is drawn over a scene; metres, world space.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// Ways through it.
    pub routes: Vec<Vec<Vec3>>,
    /// Polygons as thin outlines, such as those of a walk mesh.
    pub outlines: Vec<Vec<Vec3>>,
    /// A walk: its way, its prints, and marks of its time. Ways through the scene are thin beside it.
    pub walk: Option<WalkTrack>,
}

/// Draws a scene from above.
#[must_use]
pub fn draw(scene: &Scene, overlay: &Overlay) -> Svg {
    let [low, high] = bounds(scene);
    let size = (high - low).max(Vec2::splat(0.1));
    let scale = ((WIDTH - 2.0 * MARGIN) / size.x).min(1400.0 / size.y);
    let view = View { high, scale };
    let [w, h] = [scale * size.x, scale * size.y];
    let svg_width = (w + 2.0 * MARGIN).max(640.0);
    let mut svg = Svg::new(svg_width, h + TOP + BOTTOM, PAPER);
    let mut facts = ground(scene, &view, [w, h], &mut svg);

    for platform in &scene.platforms {
        mover(platform, PLATFORM, &view, &mut svg);
    }
    for obstacle in &scene.obstacles {
        mover(obstacle, if obstacle.track.moves() { MOVING } else { OBSTACLE }, &view, &mut svg);
    }
    for outline in &overlay.outlines {
        let points: Vec<[f32; 2]> = outline.iter().chain(outline.first()).map(|p| view.place(*p)).collect();
        svg.polyline(&points, Stroke::new(START, 0.7).faded(0.5));
    }
    for route in &overlay.routes {
        let points: Vec<[f32; 2]> = route.iter().map(|p| view.place(*p)).collect();
        svg.polyline(&points, Stroke::new(ROUTE, if overlay.walk.is_some() { 1.2 } else { 3.0 }));
        let length: f32 = route.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        facts.push(format!("route {length:.1} m"));
    }
    let mut taken = Taken::default();
    pose(&scene.start, scene, START, "start", &view, &mut taken, &mut svg);
    pose(&scene.goal, scene, GOAL, "goal", &view, &mut taken, &mut svg);
    if let Some(track) = &overlay.walk {
        walk(track, &view, &mut taken, &mut svg);
        facts.push(format!("walked in {:.1} s", track.seconds()));
    }

    svg.text([MARGIN, 40.0], 22.0, TEXT, Anchor::Start, &scene.name);
    let straight = scene.start.place.distance(scene.goal.place);
    facts.insert(0, format!("{:.0} × {:.0} m, start to goal {straight:.1} m straight", size.x, size.y));
    for (i, line) in lines_of(&facts, svg_width - 2.0 * MARGIN).iter().take(2).enumerate() {
        svg.text([MARGIN, 60.0 + 16.0 * i as f32], 13.0, FAINT, Anchor::Start, line);
    }
    scale_bar(size.x, scale, TOP + h + 34.0, &mut svg);
    svg
}

/// What must be seen, (x, z).
fn bounds(scene: &Scene) -> [Vec2; 2] {
    let flat = |p: Vec3| Vec2::new(p.x, p.z);
    let [mut low, mut high] = match (&scene.floor, &scene.mesh) {
        (Some(floor), _) => floor.bounds(),
        (None, Some(mesh)) => mesh.soup.bounds().unwrap_or_default().map(flat),
        (None, None) => [flat(scene.start.place); 2],
    };
    let movers = scene.platforms.iter().chain(&scene.obstacles);
    let corners = movers.flat_map(|mover| {
        let corners = mover.corners(0.0);
        let middle = flat(mover.track.position(0.0));
        let keys: Vec<Vec3> = mover.track.keys().map(|(_, place)| place).collect();
        keys.into_iter().flat_map(move |key| corners.clone().into_iter().map(move |c| c - middle + flat(key)))
    });
    for p in corners.chain([flat(scene.start.place), flat(scene.goal.place)]) {
        (low, high) = (low.min(p), high.max(p));
    }
    [low, high]
}

/// Draws what stays; gives what is worth saying of it.
fn ground(scene: &Scene, view: &View, size: [f32; 2], svg: &mut Svg) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(floor) = &scene.floor {
        let points = |corners: &[Vec2]| corners.iter().map(|c| view.point(*c)).collect::<Vec<_>>();
        svg.area(&[points(floor.boundary())], "#f3efe4", Stroke::new(FAINT, 1.5));
        let all: Vec<_> = floor.obstacles().map(|(_, obstacle)| points(obstacle.corners())).collect();
        for outline in &all {
            svg.area(std::slice::from_ref(outline), OBSTACLE, Stroke::new(OBSTACLE, 0.6));
        }
        facts.push(counted(all.len(), "obstacle"));
    }
    if let Some(mesh) = &scene.mesh {
        let ground = mesh.survey.run(&mesh.soup);
        let [low, high] = mesh.soup.bounds().unwrap_or_default();
        svg.image(shade(&ground, [low.y, high.y], view, size));
        let slope = mesh.survey.max_slope.to_degrees();
        facts.push(format!(
            "heights {:.1} to {:.1} m, dark where it can be walked nowhere (over {slope:.0}°)",
            low.y, high.y
        ));
    }
    facts
}

/// The highest place to stand over every pixel, shaded by height and slope; else what is there.
fn shade(ground: &MeshGround, [low, high]: [f32; 2], view: &View, [w, h]: [f32; 2]) -> Image {
    let [columns, rows] = [w, h].map(|size| (size / GRAIN).ceil().max(1.0) as usize);
    // From the upper left of the picture.
    let sun = Vec3::new(0.5, 1.0, 0.6).normalize();
    let reach = high - low + 2.0;
    let pixel = |i: usize| {
        let at = view.high - Vec2::new((i % columns) as f32 + 0.5, (i / columns) as f32 + 0.5) * GRAIN / view.scale;
        let from = floor::at_height(at, high + 1.0);
        let Some(hit) = ground.footing(from, reach).or_else(|| ground.below(from, reach, 0.0)) else {
            return [250, 249, 246];
        };
        let walkable = hit.surface != SurfaceId::NONE;
        let colour = if walkable { ramp((hit.point.y - low) / (high - low).max(1e-3)) } else { [96.0, 104.0, 114.0] };
        let light = 0.62 + 0.38 * hit.normal.dot(sun).max(0.0) / sun.y;
        colour.map(|c| (c * light).clamp(0.0, 255.0) as u8)
    };
    Image { width: columns, pixels: (0..columns * rows).map(pixel).collect(), frame: [MARGIN, TOP, w, h] }
}

/// From low (green) over middle (sand) to high (white).
fn ramp(x: f32) -> [f32; 3] {
    const STOPS: [[f32; 3]; 4] =
        [[134.0, 170.0, 150.0], [200.0, 208.0, 160.0], [222.0, 190.0, 140.0], [250.0, 240.0, 230.0]];
    let at = x.clamp(0.0, 1.0) * (STOPS.len() - 1) as f32;
    let i = (at as usize).min(STOPS.len() - 2);
    std::array::from_fn(|c| STOPS[i][c] + (at - i as f32) * (STOPS[i + 1][c] - STOPS[i][c]))
}

/// Where a mover goes, and its outline at time 0 and, fainter, at its other keys.
fn mover(mover: &Mover, colour: &str, view: &View, svg: &mut Svg) {
    let keys: Vec<(f32, Vec3)> = mover.track.keys().collect();
    let path: Vec<[f32; 2]> = keys.iter().map(|(_, place)| view.place(*place)).collect();
    svg.polyline(&path, Stroke::new(colour, 1.5).faded(0.8));
    let outline = |time: f32| mover.corners(time).iter().map(|c| view.point(*c)).collect::<Vec<_>>();
    for (time, _) in keys.iter().skip(1).filter(|_| mover.track.repeat() != Repeat::Loop || keys.len() > 2) {
        svg.area(&[outline(*time)], colour, Stroke::new(colour, 1.0).faded(0.25));
    }
    svg.area(&[outline(0.0)], colour, Stroke::new(colour, 1.0).faded(0.85));
}

/// Rectangles that have words in them already, so that no others are put there.
#[derive(Default)]
struct Taken {
    /// x, y, width, height.
    boxes: Vec<[f32; 4]>,
}

impl Taken {
    /// The first of some places (left, top) at which words of a size stand over no others; it is taken then.
    fn first_free(&mut self, places: [[f32; 2]; 4], [w, h]: [f32; 2]) -> Option<[f32; 2]> {
        let apart =
            |[x, y]: [f32; 2], b: &[f32; 4]| x + w <= b[0] || b[0] + b[2] <= x || y + h <= b[1] || b[1] + b[3] <= y;
        let free = places.into_iter().find(|place| self.boxes.iter().all(|b| apart(*place, b)))?;
        self.boxes.push([free[0], free[1], w, h]);
        Some(free)
    }
}

/// How wide letters of a size are about, pixels.
fn letters_width(text: &str, size: f32) -> f32 {
    0.56 * size * text.chars().count() as f32
}

/// Facts side by side in lines that fit a width.
fn lines_of(facts: &[String], width: f32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        match lines.last_mut() {
            Some(line) if letters_width(&format!("{line} · {fact}"), 13.0) <= width => {
                line.push_str(" · ");
                line.push_str(fact);
            }
            _ => lines.push(fact.clone()),
        }
    }
    lines
}

/// Seconds between marks of a walk's time: a round number that leaves at most some twenty of them.
fn mark_every(seconds: f32) -> f32 {
    [5.0, 10.0, 20.0, 60.0].into_iter().find(|every| seconds / every < 20.0).unwrap_or(300.0)
}

/// The way of a walk, the prints of its feet in their colours, and its time.
fn walk(track: &WalkTrack, view: &View, taken: &mut Taken, svg: &mut Svg) {
    let way: Vec<[f32; 2]> = track.way.iter().map(|p| view.place(*p)).collect();
    svg.polyline(&way, Stroke::new(MIDDLE, 1.8).faded(0.75));
    for print in &track.prints {
        let colour = match print.side {
            Some(Side::Left) => LEFT,
            Some(Side::Right) => RIGHT,
            None => MIDDLE,
        };
        let outline: Vec<[f32; 2]> = print.outline.iter().map(|p| view.place(*p)).collect();
        svg.area(&[outline], colour, Stroke::new(colour, 0.8).faded(0.85));
    }
    let every = mark_every(track.seconds());
    let marks = (1..).map(|k| k as f32 * every).take_while(|time| *time < track.seconds());
    for time in marks {
        let Some([x, y]) = way.get((time * track.rate).round() as usize) else { break };
        svg.circle([*x, *y], 3.2, TEXT);
        let label = format!("{time} s");
        let wide = letters_width(&label, 12.0) + 4.0;
        // Right or left of its dot, above or below; a dot alone where other words are.
        let places = [[x + 5.0, y - 15.0], [x + 5.0, y + 2.0], [x - 5.0 - wide, y - 15.0], [x - 5.0 - wide, y + 2.0]];
        if let Some([left, top]) = taken.first_free(places, [wide, 15.0]) {
            svg.fill([left, top, wide, 15.0], PAPER, 0.75);
            svg.text([left + 2.0, top + 11.5], 12.0, TEXT, Anchor::Start, &label);
        }
    }
}

/// A circle of the body's size with its facing, and its name beside.
fn pose(pose: &ScenePose, scene: &Scene, colour: &str, name: &str, view: &View, taken: &mut Taken, svg: &mut Svg) {
    let at = view.place(pose.place);
    let radius = (scene.body.radius * view.scale).max(4.0);
    if let Some(heading) = pose.heading {
        arrow(at, -floor::direction(heading), radius, colour, svg);
    }
    svg.circle(at, radius, colour);
    // Towards the middle, so that it stays in the picture.
    let right = at[0] < 0.5 * WIDTH;
    let (x, anchor) = if right { (at[0] + radius + 8.0, Anchor::Start) } else { (at[0] - radius - 8.0, Anchor::End) };
    let y = at[1] - radius - 4.0;
    let left = if right { x } else { x - 36.0 };
    taken.boxes.push([left - 3.0, y - 14.0, 42.0, 19.0]);
    taken.boxes.push([at[0] - radius, at[1] - radius, 2.0 * radius, 2.0 * radius]);
    svg.fill([left - 3.0, y - 14.0, 42.0, 19.0], PAPER, 0.8);
    svg.text([x, y], 15.0, colour, anchor, name);
}

/// An arrow out of a circle, along a unit vector of the picture.
fn arrow([x, y]: [f32; 2], along: Vec2, radius: f32, colour: &str, svg: &mut Svg) {
    let across = along.perp();
    let at = |forward: f32, aside: f32| {
        let d = forward * along + aside * across;
        [x + d.x, y + d.y]
    };
    let (neck, tip) = (radius + 8.0, radius + 20.0);
    svg.line([x, y], at(neck, 0.0), Stroke::new(colour, 3.0));
    svg.area(&[vec![at(neck, -7.0), at(tip, 0.0), at(neck, 7.0)]], colour, Stroke::new(colour, 1.0));
}

/// A bar of a round number of metres.
fn scale_bar(width: f32, scale: f32, y: f32, svg: &mut Svg) {
    let length = [50.0, 20.0, 10.0, 5.0, 2.0, 1.0, 0.5].into_iter().find(|l| *l < 0.3 * width).unwrap_or(0.1);
    let end = MARGIN + length * scale;
    svg.line([MARGIN, y], [end, y], Stroke::new(GRID, 7.0));
    svg.line([MARGIN, y], [end, y], Stroke::new(TEXT, 3.0));
    let words = format!("{length} m; +z up the page, +x to the left");
    svg.text([end + 10.0, y + 5.0], 13.0, TEXT, Anchor::Start, &words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_never_stand_over_words() {
        let mut taken = Taken::default();
        // Fifty marks along a line so short that most must go without words.
        for i in 0..50 {
            let [x, y] = [100.0 + 3.0 * i as f32, 100.0];
            let _ = taken.first_free([[x, y], [x, y + 17.0], [x - 40.0, y], [x - 40.0, y + 17.0]], [35.0, 15.0]);
        }
        assert!(taken.boxes.len() >= 6, "{}", taken.boxes.len());
        for (i, a) in taken.boxes.iter().enumerate() {
            for b in &taken.boxes[i + 1..] {
                let over = |k: usize| a[k] < b[k] + b[k + 2] && b[k] < a[k] + a[k + 2];
                assert!(!(over(0) && over(1)), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn facts_are_all_told_within_the_width() {
        let facts: Vec<String> = (0..7).map(|i| format!("fact number {i} of seven")).collect();
        let lines = lines_of(&facts, 400.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| letters_width(line, 13.0) <= 400.0), "{lines:?}");
        assert_eq!(lines.join(" · "), facts.join(" · "));
        assert!(lines_of(&[], 400.0).is_empty());
    }
}
