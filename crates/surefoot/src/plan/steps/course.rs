//! The body's course: where it is, how fast it goes and turns at any time, and the ground's height and slope below it.

use super::gait::Gait;
use super::route::{Leg, rounded};
use super::stand::Stand;
use super::stride::Stride;
use crate::math::{FloorPose, floor, smoothstep, wrap_angle};
use crate::plan::Path;
use crate::world::Ground;
use glam::{Vec2, Vec3};

/// What is known of the body at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// The middle of the creature's feet and its heading.
    pub place: FloorPose,
    /// Height of the ground along the path, smooth, metres.
    pub height: f32,
    /// How steep the ground is along the path: rise over run, up positive.
    pub slope: f32,
    /// Speed over the floor, m/s.
    pub speed: f32,
    /// Turning rate, rad/s, left positive.
    pub turning: f32,
    /// Cycles of the gait so far.
    pub cycles: f32,
}

/// A body's course over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// At even times.
    pub(super) moments: Vec<Moment>,
}

/// Moments a second, Hz.
pub(super) const RATE: f32 = 100.0;

/// How a course is planned along a path. Zeros stand for what fits the creature's size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanCourse {
    /// Speed, m/s; 0: that of the walk clip, or a Froude number of 0.16, as people stroll.
    pub speed: f32,
    /// Speeding up and slowing down, m/s²; 0: within two or three cycles.
    pub acceleration: f32,
    /// Most that it turns, rad/s; 0: by size.
    pub turning: f32,
    /// Radius of corners, metres; 0: by size.
    pub corner: f32,
}

impl PlanCourse {
    /// The same with numbers that fit a creature where there were zeros.
    #[must_use]
    pub fn fitted(&self, stand: &Stand, stride: Option<&Stride>) -> Self {
        let or = |given: f32, usual: f32| if given > 0.0 { given } else { usual };
        let stroll = 0.4 * (super::gait::GRAVITY * stand.hip).sqrt();
        let speed = or(self.speed, stride.map_or(stroll, |stride| stride.speed));
        Self {
            speed,
            acceleration: or(self.acceleration, 0.4 * speed * Gait::rate(stand.hip, speed)),
            turning: or(self.turning, 1.8 * Gait::rate(stand.hip, speed)),
            corner: or(self.corner, (1.2 * stand.radius).max(0.8 * stand.hip)),
        }
    }

    /// The course of a creature along a path, from standing to standing, facing `heading` (radians) first, or where the path
    /// leads. After it has stopped it stands for as long as its feet may need to close.
    #[must_use]
    pub fn run(
        &self,
        stand: &Stand,
        stride: Option<&Stride>,
        path: &Path,
        heading: Option<f32>,
        ground: &dyn Ground,
    ) -> Course {
        let fit = self.fitted(stand, stride);
        let points: Vec<Vec2> = path.points().iter().map(|p| floor::of_point((*p).into())).collect();
        let step = (0.02 * stand.hip).clamp(0.002, 0.05);
        let first = heading.unwrap_or_else(|| path.heading(0.0));
        let legs = rounded(&points, fit.corner, step, first);

        // Place and heading at even times; leg by leg, each from standing to standing.
        let (mut table, mut now) = (Vec::new(), (FloorPose::new(points[0], first), 0.0, 0.0));
        let mut look = Look::new(stand, ground, path.start());
        (now.1, _) = look.at(points[0]);
        // It stands for a moment first.
        let pause = (0.3 * RATE) as usize;
        table.extend(std::iter::repeat_n(now, pause));
        for leg in &legs {
            let start = leg.samples[0];
            let turn = wrap_angle(start.heading - now.0.heading);
            let ticks = (1.5 * turn.abs() / fit.turning * RATE).ceil() as usize;
            let from = now.0.heading;
            for k in 1..=ticks {
                now.0.heading = from + turn * smoothstep(k as f32 / ticks as f32);
                table.push(now);
            }
            // Headings of the path go on from here, whatever whole turns lie between.
            let offset = now.0.heading - start.heading;
            walk(&fit, (stand, stride), leg, &mut look, |place, height, slope| {
                now = (FloorPose { heading: place.heading + offset, ..place }, height, slope);
                table.push(now);
            });
        }
        let cycle = 1.0 / rate(stand, stride, 0.0, 0.0);
        table.extend(std::iter::repeat_n(now, ((1.6 * cycle + 0.5) * RATE) as usize));
        timed(stand, stride, smooth(table, (0.12 * cycle * RATE) as usize + 1))
    }
}

/// Walks a leg of the line: speeds within the limits of turning and slope, from standing to standing.
fn walk(
    fit: &PlanCourse,
    (stand, stride): (&Stand, Option<&Stride>),
    leg: &Leg,
    look: &mut Look<'_>,
    mut put: impl FnMut(FloorPose, f32, f32),
) {
    let (samples, step) = (&leg.samples, leg.step);
    let heights: Vec<(f32, f32)> = look.along(samples.iter().map(|s| s.position), step);
    let limit = |i: usize| {
        let bend = fit.turning / samples[i].curvature.abs().max(1e-6);
        // On a slope of 35° less than half as fast.
        let steep = 1.0 - 0.85 * heights[i].1.abs().min(0.9);
        let speed = fit.speed.min(bend) * steep;
        // As long as its legs reach, however fast they go.
        speed.min(2.0 * reach(stand, stride, heights[i].1) * HURRY * rate(stand, stride, 0.5 * speed, 0.0) / DUTY)
    };
    let mut speeds: Vec<f32> = (0..samples.len()).map(limit).collect();
    let last = samples.len() - 1;
    (speeds[0], speeds[last]) = (0.0, 0.0);
    let reachable = |from: f32| (from * from + 2.0 * fit.acceleration * step).sqrt();
    for i in 1..=last {
        speeds[i] = speeds[i].min(reachable(speeds[i - 1]));
    }
    for i in (0..last).rev() {
        speeds[i] = speeds[i].min(reachable(speeds[i + 1]));
    }
    // Even speeding up within each step gives the time it takes; ticks fall where they may.
    let (mut begun, mut tick) = (0.0_f64, 1.0_f64);
    for i in 0..last {
        let (v, w) = (f64::from(speeds[i]), f64::from(speeds[i + 1]));
        let takes = 2.0 * f64::from(step) / (v + w).max(1e-4);
        while tick / f64::from(RATE) <= begun + takes {
            let t = tick / f64::from(RATE) - begun;
            let x = ((v * t + 0.5 * (w - v) * t * t / takes) / f64::from(step)).clamp(0.0, 1.0) as f32;
            let (a, b) = (samples[i], samples[i + 1]);
            let heading = a.heading + x * (b.heading - a.heading);
            let place = FloorPose::new(a.position.lerp(b.position, x), heading);
            let [height, slope] = [
                heights[i].0 + x * (heights[i + 1].0 - heights[i].0),
                heights[i].1 + x * (heights[i + 1].1 - heights[i].1),
            ];
            put(place, height, slope);
            tick += 1.0;
        }
        begun += takes;
    }
    put(FloorPose::new(samples[last].position, samples[last].heading), heights[last].0, heights[last].1);
}

type Row = (FloorPose, f32, f32);

/// The mean over `reach` rows either side, twice: speeds change without a corner, and what stands at the ends stays.
fn smooth(rows: Vec<Row>, reach: usize) -> Vec<Row> {
    let mut rows = rows;
    for _ in 0..2 {
        let last = rows.len() - 1;
        // Running sums in f64 lose nothing over thousands of rows.
        let mut sums = vec![[0.0_f64; 5]];
        for (place, height, slope) in &rows {
            let row = [place.position.x, place.position.y, place.heading, *height, *slope];
            let before = sums[sums.len() - 1];
            sums.push(std::array::from_fn(|k| before[k] + f64::from(row[k])));
        }
        let mean = |i: usize| {
            let reach = reach.min(i).min(last - i);
            let (a, b, n) = (sums[i - reach], sums[i + reach + 1], (2 * reach + 1) as f64);
            let m: [f32; 5] = std::array::from_fn(|k| ((b[k] - a[k]) / n) as f32);
            (FloorPose::new(Vec2::new(m[0], m[1]), m[2]), m[3], m[4])
        };
        rows = (0..=last).map(mean).collect();
    }
    rows
}

/// The share of a cycle for which feet stand, as far as reach is concerned.
const DUTY: f32 = 0.62;
/// Steps are at most so many times as fast as they would be on the level.
const HURRY: f32 = 2.0;

/// Cycles a second at a speed (m/s) on a slope (rise over run): those of the clip where there is one, and faster, with
/// shorter steps, where legs would not reach.
fn rate(stand: &Stand, stride: Option<&Stride>, speed: f32, slope: f32) -> f32 {
    let level = stride.map_or_else(|| Gait::rate(stand.hip, speed), |stride| stride.rate(speed));
    let needed = 0.5 * speed * DUTY / reach(stand, stride, slope);
    level.max(needed.min(HURRY * level))
}

/// How far ahead and behind a foot may be while it stands, metres; a clip says itself how far that is on the level.
fn reach(stand: &Stand, stride: Option<&Stride>, slope: f32) -> f32 {
    let own = stride.map_or(0.0, |stride| 0.5 * stride.speed * DUTY / stride.rate(stride.speed));
    stand.reach(slope) * (own / stand.reach(0.0)).max(1.0)
}

/// Speeds and cycles of places at even times.
fn timed(stand: &Stand, stride: Option<&Stride>, rows: Vec<Row>) -> Course {
    let last = rows.len() - 1;
    let mut cycles = 0.0_f64;
    let moment = |i: usize| {
        let (place, height, slope) = rows[i];
        let (a, b) = (rows[i.saturating_sub(1)].0, rows[(i + 1).min(last)].0);
        let span = ((i + 1).min(last) - i.saturating_sub(1)).max(1) as f32 / RATE;
        let speed = a.position.distance(b.position) / span;
        let turning = (b.heading - a.heading) / span;
        let moment = Moment { place, height, slope, speed, turning, cycles: cycles as f32 };
        cycles += f64::from(rate(stand, stride, moment.feet_speed(stand), slope) / RATE);
        moment
    };
    Course { moments: (0..=last).map(moment).collect() }
}

impl Moment {
    /// How fast the ground goes by under the feet, m/s: turning counts too.
    #[must_use]
    pub fn feet_speed(&self, stand: &Stand) -> f32 {
        self.speed + self.turning.abs() * stand.radius
    }
}

impl Course {
    /// How long it lasts, seconds.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        (self.moments.len() - 1) as f32 / RATE
    }

    /// Cuts what is later than a time, seconds; where the body still moves, nothing is cut.
    pub(super) fn end_after(&mut self, t: f32) {
        let still = |moment: &Moment| moment.speed < 1e-6 && moment.turning.abs() < 1e-6;
        let moves = self.moments.iter().rposition(|moment| !still(moment)).unwrap_or(0);
        let keep = ((t * RATE).ceil().max(0.0) as usize + 1).max(moves + 2);
        self.moments.truncate(keep.max(2));
    }

    /// What is known at a time, seconds; before the start and after the end it stands.
    #[must_use]
    pub fn at(&self, t: f32) -> Moment {
        let last = self.moments.len() - 1;
        let x = if t.is_nan() { 0.0 } else { (t * RATE).clamp(0.0, last as f32) };
        let i = (x as usize).min(last.saturating_sub(1));
        let (a, b, x) = (self.moments[i], self.moments[(i + 1).min(last)], x - i as f32);
        let mix = |a: f32, b: f32| a + x * (b - a);
        Moment {
            place: FloorPose::new(a.place.position.lerp(b.place.position, x), mix(a.place.heading, b.place.heading)),
            height: mix(a.height, b.height),
            slope: mix(a.slope, b.slope),
            speed: mix(a.speed, b.speed),
            turning: mix(a.turning, b.turning),
            cycles: mix(a.cycles, b.cycles),
        }
    }
}

/// Looks down along the way, from not far above where the ground was last.
struct Look<'a> {
    ground: &'a dyn Ground,
    from: f32,
    climb: f32,
    window: f32,
}

impl<'a> Look<'a> {
    fn new(stand: &Stand, ground: &'a dyn Ground, start: Vec3) -> Self {
        let mut look = Self { ground, from: start.y, climb: stand.hip, window: stand.hip.max(stand.radius) };
        // A path on the floor may start under the ground.
        if look.hit(floor::of_point(start.into())).is_none() {
            let high = Vec3 { y: start.y + 1e4, ..start };
            look.from = ground.below(high, 2e4, 0.0).map_or(start.y, |hit| hit.point.y);
        }
        look
    }

    fn hit(&self, at: Vec2) -> Option<f32> {
        let hit = self.ground.below(floor::at_height(at, self.from + self.climb), 4.0 * self.climb, 0.0);
        hit.map(|hit| hit.point.y)
    }

    fn at(&mut self, at: Vec2) -> (f32, bool) {
        let hit = self.hit(at);
        self.from = hit.unwrap_or(self.from);
        (self.from, hit.is_some())
    }

    /// Heights along places that are `step` apart, smoothed, and how steep they are.
    fn along(&mut self, places: impl Iterator<Item = Vec2>, step: f32) -> Vec<(f32, f32)> {
        let raw: Vec<f32> = places.map(|place| self.at(place).0).collect();
        let reach = ((0.5 * self.window / step.max(1e-4)) as usize).max(1);
        let last = raw.len() - 1;
        let mean = |i: usize| {
            // Beyond the ends the ground goes on as it is there.
            let near = (0..=2 * reach).map(|k| raw[(i + k).saturating_sub(reach).min(last)]);
            near.sum::<f32>() / (2 * reach + 1) as f32
        };
        let means: Vec<f32> = (0..=last).map(mean).collect();
        let slope = |i: usize| {
            let (a, b) = (i.saturating_sub(reach), (i + reach).min(last));
            (means[b] - means[a]) / ((b - a).max(1) as f32 * step.max(1e-6))
        };
        (0..=last).map(|i| (means[i], slope(i))).collect()
    }
}
