//! The body's course: where it is, how fast it goes and turns at any time, and the ground's height and slope below it.

use super::gait::{Cadence, Gait};
use super::lie::{Lie, Look};
use super::reach::LandsAndLeaves;
use super::route::{Stretch, rounded};
use super::step_plan::FootStyle;
use super::stride::Stride;
use crate::character::{MOST_LEGS, Stand, StandLeg};
use crate::ik::LegEnd;
use crate::math::{FloorPose, floor, plainer, smoothstep, wrap_angle};
use crate::plan::Path;
use crate::rig::GRAVITY;
use crate::world::Ground;
use glam::Vec2;

/// What is known of the body at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CourseMoment {
    /// The middle of the creature's feet and its heading.
    pub place: FloorPose,
    /// Height of the ground along the path, smooth, metres.
    pub height: f32,
    /// How steep the ground is along the path: rise over run, up positive.
    pub slope: f32,
    /// How steep it is across: rise over run, up to the left positive.
    pub side: f32,
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
    pub(super) moments: Vec<CourseMoment>,
    /// What they were made smooth of, at the same times: what it goes on from where it is led elsewhere.
    pub(super) rows: Vec<Row>,
}

/// How far ahead heads look and bodies lean, seconds of a person: the course is what it was for so long where it is led elsewhere.
const LOOKS_AHEAD: f32 = 0.46;

/// Moments a second, Hz.
pub(super) const RATE: f32 = 100.0;

/// How a course is planned along a path. `None` stands for what fits the creature's size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct PlanCourse {
    /// Speed, m/s, > 0; if `None`, that of the walk clip, or a Froude number of 0.16, as people stroll.
    pub speed: Option<f32>,
    /// Speeding up and slowing down, m/s², > 0; if `None`, within a cycle: a step or two.
    pub acceleration: Option<f32>,
    /// Most that it turns, rad/s, > 0.
    pub turning: Option<f32>,
    /// Radius of corners, metres, > 0.
    pub corner: Option<f32>,
    /// How often feet go round without a walk clip; if `None`, as often as is usual for legs of that length (see [`Gait::rate`]).
    pub cadence: Option<Cadence>,
}

/// The numbers of a course as they fit a creature.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FittedCourse {
    /// Speed, m/s.
    pub speed: f32,
    /// Speeding up and slowing down, m/s².
    pub acceleration: f32,
    /// Most that it turns, rad/s.
    pub turning: f32,
    /// Radius of corners, metres.
    pub corner: f32,
    /// The speed at which it walks if nothing is wished for, m/s.
    pub usual: f32,
}

/// Bodies go up and down slopes no faster than this share of √(g h), h being the hips' height: 0.3 m/s for a person.
const UP_AND_DOWN: f32 = 0.1;

/// Slopes limit the speed of a walk that was drawn calmer than a stroll as if it were so many times as fast.
const CALM: f32 = 1.25;

/// The speed at which a creature strolls, m/s: a Froude number of 0.16.
fn stroll(stand: &Stand) -> f32 {
    0.4 * (GRAVITY * stand.hip).sqrt()
}

impl PlanCourse {
    /// What is given, and numbers that fit a creature where nothing is.
    #[must_use]
    pub fn fitted(&self, stand: &Stand, stride: Option<&Stride>) -> FittedCourse {
        let usual = stride.map_or_else(|| stroll(stand), |stride| stride.speed);
        let speed = self.speed.unwrap_or(usual);
        // Who goes faster than the walk that was drawn speeds up as its legs can, not as calmly as that walk.
        let runs = stride.is_none() && self.cadence.is_some_and(|cadence| speed > cadence.speed);
        let natural = if runs { Gait::rate(stand.hip, speed) } else { 0.0 };
        let rate = self.level_rate(stand, stride, speed).max(natural);
        FittedCourse {
            speed,
            usual,
            acceleration: self.acceleration.unwrap_or(speed * rate),
            turning: self.turning.unwrap_or(1.8 * rate),
            corner: self.corner.unwrap_or((1.2 * stand.radius).max(0.8 * stand.hip)),
        }
    }

    /// Cycles a second at a speed (m/s) on the level: of the clip where there is one, or as is said.
    fn level_rate(&self, stand: &Stand, stride: Option<&Stride>, speed: f32) -> f32 {
        match (stride.map(Stride::cadence), self.cadence) {
            (Some(cadence), _) | (None, Some(cadence)) => cadence.at(speed),
            (None, None) => Gait::rate(stand.hip, speed),
        }
    }

    /// The course of a creature along a path, from standing to standing, facing `heading` (radians) first, or where the path
    /// leads. After it has stopped it stands for as long as its feet may need to close.
    pub(super) fn run(&self, pace: Pace<'_>, path: &Path, heading: Option<f32>, ground: &dyn Ground) -> Course {
        let Pace { stand, stride, .. } = pace;
        let fit = self.fitted(stand, stride);
        let points: Vec<Vec2> = path.points().iter().map(|p| floor::of_point((*p).into())).collect();
        // A walk does not follow every bend of a line that was drawn by hand, or laid on a mesh.
        let points = plainer(&points, 0.08 * fit.corner);
        let first = heading.unwrap_or_else(|| path.heading(0.0));
        let legs = rounded(&points, fit.corner, step_of(stand), first);

        // Place and heading at even times; leg by leg, each from standing to standing.
        let mut look = Look::new(stand, ground, path.start());
        let lie = Lie { height: look.at(points[0], 0.0), ..Lie::default() };
        let now = (FloorPose::new(points[0], first), lie);
        // It stands for a moment first, for so long that the means which make it smooth have standing rows to begin with: a
        // body that is slow to speed up would slow down again where they become whole.
        let reach = pace.reach_of_means();
        let pause = ((0.3 * RATE) as usize).max(2 * reach);
        let mut table = vec![now; pause];
        along(&fit, pace, &legs, (&mut look, 0.0), &mut table);
        Course::of(pace, table, &[])
    }

    /// The same course up to a time (seconds) and a little on, as far as heads look ahead, and then along another path, from its
    /// place nearest to where the body is there, and as fast.
    pub(super) fn lead_on(
        &self,
        pace: Pace<'_>,
        course: &Course,
        from: f32,
        path: &Path,
        ground: &dyn Ground,
    ) -> Course {
        let Pace { stand, stride, .. } = pace;
        let fit = self.fitted(stand, stride);
        let kept = ((from.max(0.0) * RATE) as usize + looks_ahead(stand)).min(course.rows.len() - 1);
        let last = (kept + 2 * pace.reach_of_means()).clamp(1, course.rows.len() - 1);
        let mut table = course.rows[..=last].to_vec();
        let (place, lie) = table[last];
        let speed = place.position.distance(table[last - 1].0.position) * RATE;
        // Straight on for as far as it takes to stop, or to have room for a corner, so that any turn may follow.
        let (here, ahead) = (place.position, floor::direction(place.heading));
        let goes = speed > 0.01 * (GRAVITY * stand.hip).sqrt();
        let straight = if goes { (0.5 * speed * speed / fit.acceleration).max(2.0 * fit.corner) } else { 0.0 };
        let mut points = vec![here];
        if goes {
            points.push(here + ahead * straight);
        }
        points.extend(to_come(path, here + ahead * straight));
        let points = plainer(&points, 0.08 * fit.corner);
        let legs = rounded(&points, fit.corner, step_of(stand), place.heading);
        let mut look = Look::new(stand, ground, floor::at_height(here, lie.height));
        along(&fit, pace, &legs, (&mut look, speed), &mut table);
        Course::of(pace, table, &course.moments[..kept.min(course.moments.len())])
    }
}

/// The points of a path that come after its place nearest to a point of the floor.
fn to_come(path: &Path, near: Vec2) -> impl Iterator<Item = Vec2> {
    let points = path.points().iter().map(|p| floor::of_point((*p).into()));
    let away = |(a, b): (Vec2, Vec2)| {
        let way = b - a;
        let x = ((near - a).dot(way) / way.length_squared().max(1e-12)).clamp(0.0, 1.0);
        (a + way * x).distance(near)
    };
    let pieces = points.clone().zip(points.clone().skip(1)).map(away);
    let nearest = pieces.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(piece, _)| piece);
    points.skip(nearest + 1)
}

/// How far places of a way are apart, metres.
fn step_of(stand: &Stand) -> f32 {
    (0.02 * stand.hip).clamp(0.002, 0.05)
}

/// How many moments ahead of the time a body is carried by what its course will be.
fn looks_ahead(stand: &Stand) -> usize {
    (LOOKS_AHEAD * stand.pace() * RATE) as usize + 2
}

/// Goes along all stretches of a way, the first from a speed (m/s), each to standing, and stands at the end for as long as its feet
/// may need to close.
fn along(
    fit: &FittedCourse,
    pace: Pace<'_>,
    legs: &[Stretch],
    (look, speed): (&mut Look<'_>, f32),
    table: &mut Vec<Row>,
) {
    let mut now = table[table.len() - 1];
    for (i, leg) in legs.iter().enumerate() {
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
        let begun = table.len() as f32 / RATE;
        let speed = if i == 0 { speed } else { 0.0 };
        walk(fit, pace, leg, (look, begun, speed), |place, lie| {
            now = (FloorPose { heading: place.heading + offset, ..place }, lie);
            table.push(now);
        });
    }
    table.extend(std::iter::repeat_n(now, ((1.6 * pace.standing_cycle() + 0.5) * RATE) as usize));
}

/// Walks a leg of the line: speeds within the limits of turning and slope, from a speed (m/s) to standing. The ground is looked
/// at from when it `began` (seconds), as it is when the body comes by at the wished speed.
fn walk(
    fit: &FittedCourse,
    pace: Pace<'_>,
    leg: &Stretch,
    (look, began, first): (&mut Look<'_>, f32, f32),
    mut put: impl FnMut(FloorPose, Lie),
) {
    let (samples, step) = (&leg.samples, leg.step);
    let lies = look.along(samples, (step, first > 0.0), |i| began + i as f32 * step / fit.speed.max(1e-3));
    let limit = |i: usize| {
        let bend = fit.turning / samples[i].curvature.abs().max(1e-6);
        // On a slope of 35° less than half as fast as usual; who goes slowly anyhow need not go slower.
        let steep = 1.0 - 0.85 * lies[i].slope.abs().min(0.9);
        let fast = fit.usual.max(fit.speed).max(stroll(pace.stand).min(CALM * fit.usual));
        let climbs = UP_AND_DOWN * (GRAVITY * pace.stand.hip).sqrt() / lies[i].slope.abs().max(1e-3);
        let speed = fit.speed.min(bend).min(fast * steep).min(climbs);
        // Who comes faster than it may slows down as it can.
        let slows = (first * first - 2.0 * fit.acceleration * i as f32 * step).max(0.0).sqrt();
        pace.most(speed, lies[i]).max(slows)
    };
    let mut speeds: Vec<f32> = (0..samples.len()).map(limit).collect();
    let last = samples.len() - 1;
    (speeds[0], speeds[last]) = (first, 0.0);
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
            put(place, lies[i].mix(lies[i + 1], x));
            tick += 1.0;
        }
        begun += takes;
    }
    put(FloorPose::new(samples[last].position, samples[last].heading), lies[last]);
}

pub(super) type Row = (FloorPose, Lie);

/// The mean over `reach` rows either side, twice: speeds change without a corner, and what stands at the ends stays.
fn smooth(rows: &[Row], reach: usize) -> Vec<Row> {
    let mut rows = rows.to_vec();
    for _ in 0..2 {
        let last = rows.len() - 1;
        // Running sums in f64 lose nothing over thousands of rows.
        let mut sums = vec![[0.0_f64; 6]];
        for (place, lie) in &rows {
            let row = [place.position.x, place.position.y, place.heading, lie.height, lie.slope, lie.side];
            let before = sums[sums.len() - 1];
            sums.push(std::array::from_fn(|k| before[k] + f64::from(row[k])));
        }
        let mean = |i: usize| {
            let reach = reach.min(i).min(last - i);
            let (a, b, n) = (sums[i - reach], sums[i + reach + 1], (2 * reach + 1) as f64);
            let m: [f32; 6] = std::array::from_fn(|k| ((b[k] - a[k]) / n) as f32);
            (FloorPose::new(Vec2::new(m[0], m[1]), m[2]), Lie { height: m[3], slope: m[4], side: m[5] })
        };
        rows = (0..=last).map(mean).collect();
    }
    rows
}

/// How fast a creature's feet go round.
#[derive(Clone, Copy)]
pub(super) struct Pace<'a> {
    pub(super) stand: &'a Stand,
    pub(super) stride: Option<&'a Stride>,
    /// How its course is planned.
    pub(super) course: PlanCourse,
    /// The share of a cycle for which feet stand.
    pub(super) duty: f32,
    /// The speed that is wished for, m/s.
    pub(super) speed: f32,
    /// How far heels are up as feet leave after long steps, and toes as they land, as far as legs count on it, radians.
    pub(super) rolls: [f32; 2],
    /// How feet step.
    pub(super) feet: &'a [FootStyle],
    /// How far ahead of where they would stand feet do whose roll lets them reach farther behind than ahead, by leg, metres; below 0
    /// behind it.
    pub(super) trails: [f32; MOST_LEGS],
}

/// Feet of a body that starts, stops or turns on more than two legs go round as often as at this share of the speed that is
/// wished for: it takes short steps at once, and outruns no foot that has not stepped yet.
const STARTS: f32 = 0.6;
/// Steps are at most so many times as fast as they would be on the level.
const HURRY: f32 = 2.0;
/// And so many times at least, however long their flights should take.
const SLOWEST: f32 = 0.8;
/// How fast feet come from where a clip has them to where legs reach as the ground becomes a slope, per rise over run: wholly
/// from 18° on.
const SLOPES: f32 = 3.0;
/// Steps are this much of those that are wished for at least, however near to each other feet are.
const CROWDED: f32 = 0.6;
/// Feet that reach farther behind than ahead stand behind where they would by this share of what would make both alike: with all of it
/// bodies go down for the leg behind.
const TRAILS: f32 = 0.5;
/// By how much longer flights take per rise over run, as a share of the shortest.
const CLIMBS: f32 = 1.0;

impl Pace<'_> {
    /// How long a cycle takes as it sets off, seconds.
    fn standing_cycle(&self) -> f32 {
        1.0 / self.rate(0.0, Lie::default())
    }

    /// Over how many rows either side the means are taken that make a course smooth.
    fn reach_of_means(&self) -> usize {
        (0.12 * self.standing_cycle() * RATE) as usize + 1
    }

    /// Cycles a second at a speed (m/s) on the level, of the clip where there is one.
    fn level_rate(&self, speed: f32) -> f32 {
        self.course.level_rate(self.stand, self.stride, speed)
    }

    /// Cycles a second at a speed (m/s) on ground that lies so: more, with shorter steps, where legs would not reach.
    fn rate(&self, speed: f32, lie: Lie) -> f32 {
        // On two legs every foot steps within half a cycle.
        let slow = if self.stand.legs.len() > 2 { STARTS * self.speed } else { 0.0 };
        let level = self.level_rate(speed.max(slow));
        level.max(0.5 * speed * self.duty / self.reach(lie)).min(self.most_rate(lie).max(SLOWEST * level))
    }

    /// Most cycles a second on ground that lies so: feet that go up and down in their flights need time for it.
    fn most_rate(&self, Lie { slope, .. }: Lie) -> f32 {
        // A calm walk that was drawn says little of how fast legs can go.
        // Nor does a wish to go slowly.
        let half = 0.5 * self.speed.max(self.usual());
        let natural = if self.stride.is_none() { Gait::rate(self.stand.hip, half) } else { 0.0 };
        let level = self.level_rate(half).max(natural);
        let flight = (1.0 + CLIMBS * slope.abs()) * (self.stand.hip / GRAVITY).sqrt();
        let calm = ((1.0 - self.duty) / flight / level).clamp(1.0, HURRY);
        level * (HURRY + smoothstep(4.0 * slope.abs()) * (calm - HURRY))
    }

    /// The speed at which it walks if nothing is wished for, m/s: that of a walk that was drawn, or a stroll.
    fn usual(&self) -> f32 {
        let drawn = self.stride.map(|stride| stride.speed).or(self.course.cadence.map(|cadence| cadence.speed));
        drawn.unwrap_or_else(|| stroll(self.stand))
    }

    /// The speed at which legs still reach, however fast they go, m/s; a wish for more is the start.
    pub(super) fn most(&self, wish: f32, lie: Lie) -> f32 {
        wish.min(2.0 * self.reach(lie) * self.most_rate(lie) / self.duty)
    }

    /// How far feet come ahead and behind on the level at the speed that is wished for, metres.
    pub(super) fn wish(&self) -> f32 {
        0.5 * self.speed * self.duty / self.level_rate(self.speed)
    }

    /// How far ahead and behind a foot may be while it stands, metres. A clip shows itself how far that is on the level.
    fn reach(&self, Lie { slope, side, .. }: Lie) -> f32 {
        let wish = self.wish();
        let at = |lie: [f32; 2]| {
            let uphill = Vec2::new(0.0, self.uphill(lie));
            let reach = |long: f32| {
                self.stand.reach(lie, (wish, self.stride.is_some()), |leg| {
                    (self.below_hip(leg, lie) + uphill, self.rolled(leg, [long; 2], lie))
                })
            };
            // Feet roll the farther the longer their steps are, and reach farther for it.
            let flat = reach(0.0);
            if self.rolls == [0.0; 2] || flat >= wish { flat } else { reach(2.0 * flat / self.duty) }
        };
        if let (None, Some(room)) = (self.stride, self.stand.room_between()) {
            // A foot lands where the one ahead of it on its side has just stood, and not on it.
            let kept = room - 0.5 * self.stand.least_distance();
            return at([slope, side]).min((0.5 * kept).max(CROWDED * wish));
        }
        let shown = self.stride.map_or(0.0, |_| wish / at([0.0; 2]) - 1.0).max(0.0);
        at([slope, side]) * (1.0 + shown * (1.0 - steep([slope, side])))
    }

    /// How long steps are as the body is at a moment, metres.
    pub(super) fn step(&self, moment: &CourseMoment) -> f32 {
        let speed = moment.feet_speed(self.stand);
        let lie = Lie { height: moment.height, slope: moment.slope, side: moment.side };
        moment.speed / self.rate(speed, lie)
    }

    /// What the foot of a leg does to its end as it rolls, as it lands from and leaves for steps so long, metres, on a slope along and
    /// across.
    pub(super) fn rolled(&self, leg: &StandLeg, steps: [f32; 2], lie: [f32; 2]) -> LandsAndLeaves {
        if matches!(leg.chain.end, LegEnd::Apart(_)) {
            // A foot that hangs outside its leg is not farther from the hip than the leg is long, however it rolls.
            return LandsAndLeaves::default();
        }
        let ([heel, toes], rolls) = (self.rolls, leg.rolls());
        // On steep ground feet stand tilted, and bodies that reached farther would go lower.
        let level = 1.0 - steep(lie);
        let [heel, toes] = [level * heel * rolls[0], level * toes * rolls[1]];
        let [lands, leaves] = steps.map(|step| (step / self.stand.hip).min(1.0));
        let foot = self.feet.get(self.number(leg)).copied().unwrap_or_default();
        let over = foot.tip.unwrap_or(leg.rolls_over);
        [leg.rolled(-toes * lands, leg.sole[0]), leg.rolled(foot.heel_up * heel * leaves, over)]
    }

    fn number(&self, leg: &StandLeg) -> usize {
        self.stand.legs.iter().position(|other| std::ptr::eq(other, leg)).unwrap_or(0)
    }

    /// Where a leg's sole is in the middle of its stance under way, from the middle of all feet, on a slope along and across:
    /// as the clip or the idle pose has it, and nearer to its hip where the leg would not reach.
    pub(super) fn middle(&self, leg: &StandLeg, lie: [f32; 2]) -> Vec2 {
        self.below_hip(leg, lie) + Vec2::new(0.0, self.uphill(lie))
    }

    /// How far ahead of where they would be on the level feet come down on a slope, metres.
    fn uphill(&self, lie: [f32; 2]) -> f32 {
        self.stand.uphill(lie, self.wish(), |leg| self.below_hip(leg, lie))
    }

    /// The same before feet come down uphill.
    fn below_hip(&self, leg: &StandLeg, lie: [f32; 2]) -> Vec2 {
        let mut middle = match self.stride {
            Some(stride) => {
                let own = stride.legs[self.number(leg)].anchor.position;
                own.lerp(leg.under_way(own, self.wish()), smoothstep(SLOPES * Vec2::from(lie).length()))
            }
            None => {
                leg.under_way(leg.anchor.position, self.wish())
                    + Vec2::Y * ((1.0 - steep(lie)) * self.trails[self.number(leg)])
            }
        };
        let hip = floor::of_point(leg.hip);
        let spread = leg.anchor.position - hip;
        if let (false, Some(out)) = (leg.hangs(), spread.try_normalize()) {
            // A foot that is spread does not come under its hip, ahead or behind.
            let near = (middle - hip).dot(out) - self.wish() * out.y.abs();
            middle += out * (0.3 * spread.length() - near).max(0.0);
        }
        if self.stand.ends.is_none() {
            // One foot high and one low are nearer to each other.
            middle.x *= 1.0 - 0.5 * smoothstep(lie[1].abs());
        }
        middle
    }

    /// The same where feet stand as they roll on the level.
    pub(super) fn trailing(mut self) -> Self {
        let wish = self.wish();
        for (i, leg) in self.stand.legs.iter().enumerate().filter(|_| self.rolls != [0.0; 2]) {
            let middle = leg.under_way(leg.anchor.position, wish);
            let shift = |long: f32| leg.shift((middle, self.rolled(leg, [long; 2], [0.0; 2])), wish);
            self.trails[i] = TRAILS * (shift(2.0 * wish / self.duty) - shift(0.0));
        }
        self
    }

    /// How much of the walk is in the steps at a speed, m/s: none where it stands.
    pub(super) fn share(&self, speed: f32) -> f32 {
        smoothstep(2.0 * speed / self.speed)
    }
}

/// Speeds and cycles of places at even times; the first moments are known already.
fn timed(pace: Pace<'_>, rows: &[Row], known: &[CourseMoment]) -> Vec<CourseMoment> {
    let last = rows.len() - 1;
    let mut cycles = 0.0_f64;
    let moment = |i: usize| {
        if let Some(moment) = known.get(i) {
            let lie = rows[i].1;
            cycles = f64::from(moment.cycles) + f64::from(pace.rate(moment.feet_speed(pace.stand), lie) / RATE);
            return *moment;
        }
        let (place, lie) = rows[i];
        let (a, b) = (rows[i.saturating_sub(1)].0, rows[(i + 1).min(last)].0);
        let span = ((i + 1).min(last) - i.saturating_sub(1)).max(1) as f32 / RATE;
        let speed = a.position.distance(b.position) / span;
        let turning = (b.heading - a.heading) / span;
        let Lie { height, slope, side } = lie;
        let moment = CourseMoment { place, height, slope, side, speed, turning, cycles: cycles as f32 };
        cycles += f64::from(pace.rate(moment.feet_speed(pace.stand), lie) / RATE);
        moment
    };
    (0..=last).map(moment).collect()
}

/// How much a slope along and across counts as one, from 0 on the level to 1 from 35° on.
pub(super) fn steep([slope, side]: [f32; 2]) -> f32 {
    smoothstep(1.4 * Vec2::new(slope, side).length())
}

impl CourseMoment {
    /// How much the ground counts as steep, from 0 on the level to 1 from 35° on.
    #[must_use]
    pub fn steepness(&self) -> f32 {
        steep([self.slope, self.side])
    }

    /// How fast the ground goes by under the feet, m/s: turning counts too.
    #[must_use]
    pub fn feet_speed(&self, stand: &Stand) -> f32 {
        self.speed + self.turning.abs() * stand.radius
    }
}

impl Course {
    /// Of rows that are not smooth yet; the first moments are known already.
    fn of(pace: Pace<'_>, rows: Vec<Row>, known: &[CourseMoment]) -> Self {
        let moments = timed(pace, &smooth(&rows, pace.reach_of_means()), known);
        Self { moments, rows }
    }

    /// How long it lasts, seconds.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        (self.moments.len() - 1) as f32 / RATE
    }

    /// Cuts what is later than a time, seconds; where the body still moves, nothing is cut.
    pub(super) fn end_after(&mut self, t: f32) {
        let still = |moment: &CourseMoment| moment.speed < 1e-6 && moment.turning.abs() < 1e-6;
        let moves = self.moments.iter().rposition(|moment| !still(moment)).unwrap_or(0);
        let keep = ((t * RATE).ceil().max(0.0) as usize + 1).max(moves + 2);
        self.moments.truncate(keep.max(2));
        self.rows.truncate(keep.max(2));
    }

    /// What is known at a time, seconds; before the start and after the end it stands.
    #[must_use]
    pub fn at(&self, t: f32) -> CourseMoment {
        let last = self.moments.len() - 1;
        let x = if t.is_nan() { 0.0 } else { (t * RATE).clamp(0.0, last as f32) };
        let i = (x as usize).min(last.saturating_sub(1));
        let (a, b, x) = (self.moments[i], self.moments[(i + 1).min(last)], x - i as f32);
        let mix = |a: f32, b: f32| a + x * (b - a);
        CourseMoment {
            place: FloorPose::new(a.place.position.lerp(b.place.position, x), mix(a.place.heading, b.place.heading)),
            height: mix(a.height, b.height),
            slope: mix(a.slope, b.slope),
            side: mix(a.side, b.side),
            speed: mix(a.speed, b.speed),
            turning: mix(a.turning, b.turning),
            cycles: mix(a.cycles, b.cycles),
        }
    }
}
