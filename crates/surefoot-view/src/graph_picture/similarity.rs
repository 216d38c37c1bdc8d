//! Similarity of two clips: the distance of every frame of one from every frame of the other, with the transitions in it.

use super::{ALARM, css, cut, ramp};
use crate::sheet::chart::ticks;
use crate::sheet::{FAINT, PAPER, TEXT};
use crate::svg::{Anchor, Image, Stroke, Svg};
use surefoot::library::graph::MotionGraph;
use surefoot::stages::{Cloud, Columns, Transition};

/// Distances of the windows of two clips, and what is marked on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Similarity {
    /// Names of the clips: down and across.
    pub names: [String; 2],
    /// Their places in the graph.
    pub takes: [u32; 2],
    /// Windows of the first clip, then of the second.
    pub size: [usize; 2],
    /// Root mean square metres, row by row: the first clip goes down, the second across.
    pub distances: Vec<f32>,
    /// Frames that come before the middle of the first window.
    pub half: usize,
    /// Frames per second of both.
    pub rate: f32,
    /// Root mean square metres.
    pub threshold: f32,
    /// Frames of a blend, ends included.
    pub blend: usize,
    /// Those between the two clips, either way.
    pub transitions: Vec<Transition>,
}

/// The distances of two takes of a graph.
///
/// # Panics
/// If there is no such take.
#[must_use]
pub fn distances(graph: &MotionGraph, takes: [usize; 2]) -> Similarity {
    let settings = &graph.settings;
    let points = settings.points(&graph.rig);
    let cloud = |take: usize| Cloud::new(&graph.rig.skeleton, &points, settings.window, &graph.takes[take].clip);
    let [a, b] = takes.map(cloud);
    let mut distances = vec![0.0; a.windows() * b.windows()];
    Columns::new(&b).squared(&a, 0..a.windows(), 0..b.windows(), &mut distances);
    distances.iter_mut().for_each(|squared| *squared = squared.sqrt());
    Similarity::new(graph, takes, [a.windows(), b.windows()], distances)
}

impl Similarity {
    /// Of two takes of a graph, from the distances of their windows (root mean square metres), row by row.
    ///
    /// # Panics
    /// If there is no such take, or there are not as many distances as windows.
    #[must_use]
    pub fn new(graph: &MotionGraph, takes: [usize; 2], size: [usize; 2], distances: Vec<f32>) -> Self {
        assert_eq!(distances.len(), size[0] * size[1], "a distance for every pair of windows");
        let own = takes.map(|take| take as u32);
        let between = |t: &&Transition| {
            let pair = [t.from.take, t.to.take];
            pair == own || pair == [own[1], own[0]]
        };
        Self {
            names: takes.map(|take| graph.takes[take].clip.name().to_owned()),
            takes: own,
            size,
            distances,
            half: graph.settings.window,
            rate: graph.settings.rate,
            threshold: graph.chosen.threshold,
            blend: graph.settings.blend_frames(),
            transitions: graph.transitions.iter().filter(between).copied().collect(),
        }
    }

    /// The picture: pale where frames are far apart and dark where they are near, all that is under the threshold in warm
    /// colours; each transition a stroke over its blend, with a dot where it starts.
    #[must_use]
    pub fn draw(&self) -> Svg {
        let [rows, columns] = self.size;
        // As many whole pixels for a frame as fit; long clips get less than one.
        let largest = rows.max(columns).max(1) as f32;
        let scale = if largest < 900.0 { (900.0 / largest).floor().clamp(1.0, 12.0) } else { 900.0 / largest };
        let [height, width] = [rows, columns].map(|frames| (scale * frames as f32).max(40.0));
        let (left, top) = (76.0, 94.0);
        let mut svg = Svg::new((left + width + 130.0).max(560.0), top + height + 40.0, PAPER);
        self.title(&mut svg);
        if rows * columns == 0 {
            svg.text([left, top + 20.0], 13.0, FAINT, Anchor::Start, "a clip is too short to be compared");
            return svg;
        }
        let far = self.far();
        let pixels = self.distances.iter().map(|distance| self.colour(*distance, far)).collect();
        svg.image(Image { width: columns, pixels, frame: [left, top, width, height] });
        self.axes([left, top, width, height], &mut svg);
        svg.clipped([left, top, width, height], |svg| self.marks([left, top, width, height], svg));
        self.bar([left + width + 22.0, top, height.min(360.0)], far, &mut svg);
        svg
    }

    /// The distance that is drawn palest: 95 of 100 are nearer.
    fn far(&self) -> f32 {
        let mut all: Vec<f32> = self.distances.iter().copied().filter(|d| d.is_finite()).collect();
        if all.is_empty() {
            return 2.0 * self.threshold;
        }
        let place = (all.len() * 95 / 100).min(all.len() - 1);
        let (_, far, _) = all.select_nth_unstable_by(place, f32::total_cmp);
        far.max(2.0 * self.threshold)
    }

    fn colour(&self, distance: f32, far: f32) -> [u8; 3] {
        if !distance.is_finite() {
            return [200, 200, 200];
        }
        if distance < self.threshold {
            let share = distance / self.threshold;
            // From dark red to orange.
            let mix = |near: f32, edge: f32| (near + share * (edge - near)) as u8;
            return [mix(120.0, 250.0), mix(20.0, 176.0), mix(30.0, 92.0)];
        }
        ramp(0.85 * (1.0 - ((distance - self.threshold) / (far - self.threshold)).clamp(0.0, 1.0)))
    }

    fn title(&self, svg: &mut Svg) {
        let [a, b] = &self.names;
        let title = if a == b { format!("{a} against itself") } else { format!("{a} (down) against {b} (across)") };
        svg.text([24.0, 34.0], 20.0, TEXT, Anchor::Start, &cut(&title, 860.0, 20.0));
        let under = self.distances.iter().filter(|d| **d < self.threshold).count();
        let (out, back) = self.ways();
        let least = self.transitions.iter().map(|t| t.distance).fold(f32::INFINITY, f32::min);
        let mut facts = format!(
            "{:.1} % of pairs under {:.1} cm · {} transitions",
            100.0 * under as f32 / self.distances.len().max(1) as f32,
            100.0 * self.threshold,
            self.transitions.len()
        );
        if least.is_finite() {
            facts += &format!(", nearest {:.1} cm", 100.0 * least);
        }
        svg.text([24.0, 56.0], 13.0, FAINT, Anchor::Start, &facts);
        if a != b && out + back > 0 {
            svg.text([24.0, 76.0], 12.0, OUT, Anchor::Start, &cut(&format!("{out} from {a}"), 250.0, 12.0));
            svg.text([284.0, 76.0], 12.0, BACK, Anchor::Start, &cut(&format!("{back} from {b}"), 250.0, 12.0));
        }
    }

    /// How many leave the first clip, and the second.
    fn ways(&self) -> (usize, usize) {
        let out = self.transitions.iter().filter(|t| t.from.take == self.takes[0]).count();
        (out, self.transitions.len() - out)
    }

    fn axes(&self, [left, top, width, height]: [f32; 4], svg: &mut Svg) {
        let [rows, columns] = self.size;
        let first = self.half as f32 / self.rate;
        // A window is drawn at the time of its middle.
        let span = |frames: usize| (first, first + frames as f32 / self.rate);
        let (from, to) = span(columns);
        for tick in ticks(from, to, (width / 90.0).ceil().max(1.0) as usize) {
            let at = left + width * (tick.at - from) / (to - from);
            svg.line([at, top + height], [at, top + height + 5.0], Stroke::new(FAINT, 1.0));
            svg.text([at, top + height + 19.0], 11.0, FAINT, Anchor::Middle, &format!("{} s", tick.label));
        }
        let (from, to) = span(rows);
        for tick in ticks(from, to, (height / 60.0).ceil().max(1.0) as usize) {
            let at = top + height * (tick.at - from) / (to - from);
            svg.line([left - 5.0, at], [left, at], Stroke::new(FAINT, 1.0));
            svg.text([left - 9.0, at + 4.0], 11.0, FAINT, Anchor::End, &format!("{} s", tick.label));
        }
    }

    fn marks(&self, [left, top, width, height]: [f32; 4], svg: &mut Svg) {
        let [rows, columns] = self.size;
        let place = |down: f32, across: f32| {
            let at = |frame: f32| frame - self.half as f32 + 0.5;
            [left + width * at(across) / columns as f32, top + height * at(down) / rows as f32]
        };
        let last = self.blend as f32 - 1.0;
        let many = (300.0 / self.transitions.len().max(1) as f32).clamp(0.35, 1.0);
        for transition in &self.transitions {
            let out = transition.from.take == self.takes[0];
            // Where each side is when the blend starts.
            let (leaves, arrives) = (transition.from.frame as f32, transition.to.frame as f32 - last);
            let [down, across] = if out { [leaves, arrives] } else { [arrives, leaves] };
            let (start, end) = (place(down, across), place(down + last, across + last));
            // Both ways of one meeting lie side by side.
            let (colour, aside) = if out { (OUT, 1.0) } else { (BACK, -1.0) };
            let [start, end] = [start, end].map(|[x, y]| [x + aside, y - aside]);
            svg.line(start, end, Stroke::new("#ffffff", 3.4 * many).faded(0.8));
            svg.line(start, end, Stroke::new(colour, 1.8 * many));
            svg.circle(start, 2.6 * many, colour);
        }
    }

    fn bar(&self, [x, y, height]: [f32; 3], far: f32, svg: &mut Svg) {
        const STEPS: usize = 120;
        let each = height / STEPS as f32;
        for k in 0..STEPS {
            let distance = far * (k as f32 + 0.5) / STEPS as f32;
            let at = y + height - each * (k + 1) as f32;
            svg.rect([x, at, 16.0, each + 0.3], &css(self.colour(distance, far)));
        }
        let up = |distance: f32| y + height * (1.0 - distance / far);
        let own = up(self.threshold);
        for tick in ticks(0.0, 100.0 * far, 6) {
            let at = up(tick.at / 100.0);
            svg.line([x + 16.0, at], [x + 20.0, at], Stroke::new(FAINT, 1.0));
            // The threshold's own label goes before.
            if (at - own).abs() > 13.0 {
                svg.text([x + 24.0, at + 4.0], 11.0, FAINT, Anchor::Start, &format!("{} cm", tick.label));
            }
        }
        svg.line([x - 3.0, own], [x + 20.0, own], Stroke::new(ALARM, 1.6));
        svg.text([x + 24.0, own + 4.0], 11.0, ALARM, Anchor::Start, &format!("{:.1} cm", 100.0 * self.threshold));
    }
}

/// Colour of transitions that leave the first clip.
const OUT: &str = "#1b1464";
/// Colour of those that leave the second.
const BACK: &str = "#c2185b";
