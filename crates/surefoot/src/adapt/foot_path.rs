//! The way of one foot: held at its prints, eased in and out of them.

use super::is_drawn;
use crate::foot::clear_swings;
use crate::math::{Rigid, box_mean, floor, quat, smoothstep, window};
use crate::motion::{Clip, FootTrack, Stance};
use crate::rig::Leg;
use crate::world::GroundAlong;
use glam::{Quat, Vec3, Vec3A};
use std::ops::Range;

/// Where one foot should be: its ankle by frame, and whether it is held there.
pub(super) struct FootPath {
    pub(super) ankles: Vec<Rigid>,
    pub(super) held: Vec<bool>,
}

/// What is under a foot.
pub(super) enum Under<'a> {
    /// The ground goes on as it is at each stance; the foot may go into it by `graze`, metres.
    Level { graze: f32 },
    /// This ground.
    Ground(&'a GroundAlong<'a>),
}

/// How feet roll, in frames.
#[derive(Clone, Copy)]
pub(super) struct Rolling {
    /// Frames over which a foot rolls from heel to flat to ball.
    pub(super) roll: f32,
    /// Frames to either side over which the rotation of a rolling foot is smoothed.
    pub(super) calm: usize,
    /// A stance that the clip's ends cut down to fewer frames than this is held, but the foot does not slow down for it.
    pub(super) brief: usize,
}

/// The stances of one foot, as its ankle should stand in them.
pub(super) struct HeldFoot<'a> {
    leg: &'a Leg,
    holds: Vec<Hold<'a>>,
    /// The ankle in frames in which the foot is held.
    pub(super) ankles: Vec<Option<Rigid>>,
}

impl<'a> HeldFoot<'a> {
    /// `source` is where the ankle was in the clip, by frame. In stances that are left, which are told with them, the foot stays there.
    pub(super) fn new<'b>(
        leg: &'a Leg,
        stances: impl Iterator<Item = (&'b Stance, bool)>,
        (clip, source): (&Clip, &[Rigid]),
        rolling: Rolling,
    ) -> Self {
        // A foot that rolls over a held point carries the whole leg with it: its rotation is calmed first.
        let calm = calmed(source, rolling.calm);
        let mut ankles = vec![None; source.len()];
        let of = |(stance, left)| Hold { already: left, ..Hold::new(leg, stance, clip, rolling) };
        let mut holds: Vec<Hold<'_>> = stances.map(of).collect();
        for hold in &mut holds {
            if hold.already {
                ankles[hold.span.clone()]
                    .iter_mut()
                    .zip(&source[hold.span.clone()])
                    .for_each(|(held, own)| *held = Some(*own));
                continue;
            }
            let there: Vec<usize> = hold.span.clone().filter(|f| hold.is_met(*f, source[*f])).collect();
            // A stance that is held already, but for some frames at its ends, is left alone: cleaning twice is cleaning
            // once. No capture is so still.
            if let (Some(first), Some(last)) = (there.first(), there.last())
                && (3 * there.len() > 2 * hold.span.len() || (there.len() > 2 && there.len() + 5 > hold.span.len()))
            {
                hold.already = true;
                hold.span = *first..last + 1;
                for f in hold.span.clone() {
                    ankles[f] = Some(source[f]);
                }
            } else {
                for f in hold.span.clone() {
                    ankles[f] = Some(hold.ankle(f, &calm));
                }
            }
        }
        Self { leg, holds, ankles }
    }

    /// Whether the foot's held points are where they should be in all of a stance, to a tenth of a millimetre; `number` counts
    /// the foot's stances.
    pub(super) fn is_there(&self, number: usize, source: &[Rigid]) -> bool {
        let Some(hold) = self.holds.get(number) else { return false };
        let moved = |f: usize| {
            let anchor = hold.anchor(f);
            self.ankles[f].map(|held| (held.transform_point(anchor) - source[f].transform_point(anchor)).length())
        };
        hold.already || hold.span.clone().filter_map(moved).all(|moved| moved < MET)
    }

    /// Frames of each stance in which the foot is held.
    pub(super) fn spans(&self) -> impl Iterator<Item = &Range<usize>> {
        self.holds.iter().map(|hold| &hold.span)
    }

    /// Frames from one stance that was not held before to the next, and `reach` frames beyond the first and the last.
    pub(super) fn around_new_holds(&self, reach: usize) -> impl Iterator<Item = Range<usize>> {
        let frames = self.ankles.len();
        let from = move |i: usize| match i.checked_sub(1).map(|k| &self.holds[k]) {
            Some(last) => last.span.end,
            None => self.holds[i].span.start.saturating_sub(reach),
        };
        let to = move |i: usize| match self.holds.get(i + 1) {
            Some(next) => next.span.start,
            None => (self.holds[i].span.end + reach).min(frames),
        };
        (0..self.holds.len()).filter(|i| !self.holds[*i].already).map(move |i| from(i)..to(i).max(from(i)))
    }

    /// Frames of each stance in which the ball holds its place, of those that were not held before.
    pub(super) fn on_ball(&self) -> impl Iterator<Item = Range<usize>> {
        let within = |hold: &Hold<'_>| hold.ball_span.start.max(hold.span.start)..hold.ball_span.end.min(hold.span.end);
        self.holds.iter().filter(|hold| !hold.already).map(within).filter(|span| span.start < span.end)
    }

    /// The foot's way: held in its stances, eased in and out of them over at most `ease` frames, else as in `source`,
    /// the ankles by frame. `rate` in Hz. Feet are kept above the ground that is `under` them.
    pub(super) fn path(&self, source: &[Rigid], ease: f32, rate: f32, under: &Under<'_>) -> FootPath {
        let frames = source.len();
        let ankles = source.iter().zip(&self.ankles).map(|(free, held)| held.unwrap_or(*free)).collect();
        let mut path = FootPath { ankles, held: self.ankles.iter().map(Option::is_some).collect() };
        let mut levels: Vec<Option<f32>> = vec![None; frames];
        for (i, hold) in self.holds.iter().enumerate() {
            if matches!(under, Under::Level { .. }) && !hold.already {
                let around = ease as usize;
                let near = hold.span.start.saturating_sub(around)..(hold.span.end + around).min(frames);
                levels[near].fill(Some(hold.heel.y));
            }
            // Over at most 45 % of the flight, so that two stances of one foot never meet. At the clip's ends there is
            // nothing to meet: the foot is still on its way there.
            let reach = |gap: Option<usize>| gap.map_or(ease, |gap| ease.min(0.45 * gap as f32)) as usize;
            let (first, last) = (hold.span.start, hold.span.end - 1);
            let before = i.checked_sub(1).map(|k| first.saturating_sub(self.holds[k].span.end));
            let after = self.holds.get(i + 1).map(|next| next.span.start.saturating_sub(last + 1));
            let arrive = reach(before);
            if arrive > 0 && first > 0 {
                let edge = Edge::new(hold, first, source, &path.ankles, first - 1, 1.0 / rate);
                for f in first.saturating_sub(arrive)..first {
                    path.ankles[f] = edge.ease(source[f], (first - f) as f32, arrive as f32 + 1.0, 1.0 / rate);
                }
            }
            let leave = reach(after);
            if leave > 0 && last + 1 < frames {
                let edge = Edge::new(hold, last, source, &path.ankles, last + 1, 1.0 / rate);
                for f in last + 1..=(last + leave).min(frames - 1) {
                    path.ankles[f] = edge.ease(source[f], (f - last) as f32, leave as f32 + 1.0, 1.0 / rate);
                }
            }
        }
        match under {
            Under::Level { graze } => {
                let clears = if is_drawn(rate) { CLEARS } else { CLEARS_LEVEL };
                path.lift(self.leg, clears * rate, |f, p| levels[f].map(|level| level - graze - p.y));
            }
            Under::Ground(below) => path.lift(self.leg, CLEARS * rate, |f, p| {
                Some(below.at(floor::of_point(p), f as f32 / rate)?.point.y - p.y)
            }),
        }
        path
    }
}

impl FootPath {
    /// Raises a free foot that would go into the ground, within `reach` frames, and not at all where it is held. `depth` tells how
    /// deep a point is in the ground in a frame, metres, where there is some.
    fn lift(&mut self, leg: &Leg, reach: f32, depth: impl Fn(usize, Vec3A) -> Option<f32>) {
        let sunk = |f: usize| {
            if self.held[f] {
                return 0.0;
            }
            let points = [leg.foot.heel, leg.foot.ball].map(|point| self.ankles[f].transform_point(point));
            points.into_iter().filter_map(|p| depth(f, p)).fold(0.0, f32::max)
        };
        let sunk: Vec<f32> = (0..self.ankles.len()).map(sunk).collect();
        if sunk.iter().all(|depth| *depth < 1e-4) {
            return;
        }
        let raised = clear_swings(&sunk, &self.held, reach.round() as usize);
        self.ankles.iter_mut().zip(raised).for_each(|(ankle, raised)| ankle.translation.y += raised);
    }
}

impl FootPath {
    /// Raises a free foot that goes along flat and lower than `clear` over the ground at a height, both metres.
    pub(super) fn undrag(&mut self, leg: &Leg, ground: f32, clear: f32, rate: f32) {
        let high = |ankle: &Rigid| ankle.transform_point(leg.foot.heel).y.max(ankle.transform_point(leg.foot.ball).y);
        let moves = |f: usize| {
            let (a, b) = (f.saturating_sub(1), (f + 1).min(self.ankles.len() - 1));
            let way = self.ankles[b].translation - self.ankles[a].translation;
            way.with_y(0.0).length() * rate > DRAGS * (b - a) as f32
        };
        let lacks = |f: usize| {
            let free = !self.held[f] && moves(f);
            if free { (clear - (high(&self.ankles[f]) - ground)).clamp(0.0, clear) } else { 0.0 }
        };
        let lacks: Vec<f32> = (0..self.ankles.len()).map(lacks).collect();
        if lacks.iter().all(|lacks| *lacks < 1e-4) {
            return;
        }
        let raised = clear_swings(&lacks, &self.held, (RISES * rate).round() as usize);
        self.ankles.iter_mut().zip(raised).for_each(|(ankle, raised)| ankle.translation.y += raised);
    }
}

impl FootPath {
    /// Lets a foot that flies higher than `high` (world, metres) go down with its body by as much as that is lowered, by frame, and the
    /// end of its leg with it: a leg that must bend more than it did turns faster. `source` is the foot as it was, `rate` in Hz.
    pub(super) fn go_down(&mut self, source: &FootTrack, high: f32, rate: f32, lowered: &[f32], ends: &mut [Vec3A]) {
        let (frames, reach) = (self.ankles.len(), ((FALLS * rate).round() as usize).max(1));
        let free = |f: usize| {
            let lowest = source.heels[f].y.min(source.balls[f].y).min(source.tips[f].y);
            let low = lowest + self.ankles[f].translation.y - source.ankles[f].translation.y;
            if self.held[f] { 0.0 } else { (low - high).clamp(0.0, lowered[f].max(0.0)) }
        };
        let free: Vec<f32> = (0..frames).map(free).collect();
        // Smoothly, and nowhere by more.
        let least = |f: usize| free[window(f, reach, frames)].iter().copied().fold(f32::INFINITY, f32::min);
        let down = box_mean(&(0..frames).map(least).collect::<Vec<_>>(), reach);
        for ((ankle, end), down) in self.ankles.iter_mut().zip(ends).zip(down) {
            ankle.translation.y -= down;
            end.y -= down;
        }
    }
}

impl FootPath {
    /// Keeps a free foot that flies low over level ground as high over it as it was over its own prints, and no lower than it was where
    /// these are brought down: a body that goes down for one foot does not drag the other over the ground. `source` is where its ankle
    /// was, `stands` how much higher its prints are than they were, by frame, `ground` the height of the ground, `low` how high a low
    /// foot flies, metres, world.
    pub(super) fn keep_high(
        &mut self,
        leg: &Leg,
        source: &[Rigid],
        stands: &[f32],
        (ground, low): (f32, f32),
        rate: f32,
    ) {
        let moves = |f: usize| {
            let (a, b) = (f.saturating_sub(1), (f + 1).min(self.ankles.len() - 1));
            let way = (self.ankles[b].translation - self.ankles[a].translation).with_y(0.0).length();
            smoothstep(way * rate / (BRUSHES * (b - a).max(1) as f32))
        };
        // A foot that is brought down to its print comes down to it at the last: in between it flies as high as it did.
        let (frames, reach) = (self.ankles.len(), (COMES_DOWN * rate).round() as usize);
        let near_print = |f: usize| {
            let away = window(f, reach, frames).filter(|g| self.held[*g]).map(|g| g.abs_diff(f)).min();
            away.map_or(0.0, |away| 1.0 - smoothstep(away as f32 / (reach + 1) as f32))
        };
        let stands = |f: usize| if stands[f] < 0.0 { stands[f] * near_print(f) } else { stands[f] };
        let lacks = |f: usize| {
            let ankle = &self.ankles[f];
            let height = ankle.transform_point(leg.foot.heel).y.min(ankle.transform_point(leg.foot.ball).y) - ground;
            let lower = stands(f) - (ankle.translation.y - source[f].translation.y);
            // Higher up it makes no difference.
            let near = 1.0 - smoothstep((height - low) / low);
            if self.held[f] { 0.0 } else { near * moves(f) * lower.clamp(0.0, KEEPS * low) }
        };
        let lacks: Vec<f32> = (0..self.ankles.len()).map(lacks).collect();
        let raised = clear_swings(&lacks, &self.held, (RISES * rate).round() as usize);
        self.ankles.iter_mut().zip(raised).for_each(|(ankle, raised)| ankle.translation.y += raised);
    }
}

impl FootPath {
    /// Frames in which a free foot that is lower than `low` over level ground at a height would be brought nearer to it, if it moved by
    /// so much, by frame. Metres, world.
    pub(super) fn sinks<'a>(
        &'a self,
        leg: &'a Leg,
        by: &'a [Vec3A],
        (ground, low): (f32, f32),
    ) -> impl Iterator<Item = usize> + 'a {
        let height = |ankle: &Rigid| ankle.transform_point(leg.foot.heel).y.min(ankle.transform_point(leg.foot.ball).y);
        let sinks =
            move |f: &usize| !self.held[*f] && by[*f].y < -SINKS && height(&self.ankles[*f]) + by[*f].y - ground < low;
        (0..self.ankles.len()).filter(sinks)
    }
}

/// A foot that comes this much nearer to the ground sinks, metres.
const SINKS: f32 = 0.003;

/// A foot flies high from here on, in leg lengths: above the swings of walks, which the ground is near to.
pub(super) const HIGH: f32 = 0.1;
/// How quickly a foot goes down with its body, seconds; as much again to be smooth.
const FALLS: f32 = 0.07;

/// A low foot that moves faster than this drags, m/s.
const DRAGS: f32 = 0.05;
/// A low foot is raised by this share of what is low at most: more would be a movement of its own.
const KEEPS: f32 = 1.2;
/// The time in which a foot comes down to a print that is lower than where it stood, and leaves it, seconds.
const COMES_DOWN: f32 = 0.06;
/// A low foot that goes as fast as this is kept as high as it was, m/s; a slower one less so.
const BRUSHES: f32 = 1.0;
/// How quickly a foot is raised that drags, seconds.
const RISES: f32 = 0.08;

/// How quickly a foot is raised over level ground that it would graze, seconds.
const CLEARS_LEVEL: f32 = 0.06;
/// How quickly a foot is raised over any other ground, seconds.
const CLEARS: f32 = 0.04;

/// One stance as the ankle sees it: which point is held when, and how level the foot is.
struct Hold<'a> {
    leg: &'a Leg,
    /// Where heel and ball are held, world.
    heel: Vec3A,
    ball: Vec3A,
    /// The print's upward normal, world.
    up: Vec3A,
    /// `world_from_ankle` rotation of the foot flat on its print, by frame of the flat span.
    flat_rotation: Quat,
    flat: Range<usize>,
    heel_span: Range<usize>,
    ball_span: Range<usize>,
    roll: f32,
    /// Time between frames, seconds.
    dt: f32,
    /// Frames in which the foot is held.
    span: Range<usize>,
    /// Whether it was held before, or is left as it is.
    already: bool,
    /// Whether too little of it is seen to slow down for.
    brief: bool,
}

impl<'a> Hold<'a> {
    fn new(leg: &'a Leg, stance: &Stance, clip: &Clip, rolling: Rolling) -> Self {
        let frames = stance.frames(clip);
        let print = stance.print.world_from_sole;
        let ankle_from_sole = leg.foot.ankle_from_sole();
        let world_from_ankle = print * ankle_from_sole.inverse();
        let flat_rotation = world_from_ankle.rotation;
        let up = print.rotation * Vec3A::Y;
        Self {
            leg,
            heel: stance.heel_at,
            ball: stance.ball_at,
            up: if up.y > LEVEL { Vec3A::Y } else { up },
            flat_rotation,
            flat: frames.flat(),
            roll: rolling.roll.max(1.0),
            dt: 1.0 / clip.rate(),
            span: frames.held(),
            already: false,
            brief: stance.open && frames.held().len() < rolling.brief,
            heel_span: frames.heel,
            ball_span: frames.ball,
        }
    }

    /// The ankle at a frame of the stance, given where it is in the source.
    fn ankle(&self, f: usize, source: &[Rigid]) -> Rigid {
        let rotation = self.rotation(f, source);
        let share = self.ball_share(f);
        let by_heel = self.heel - rotation * self.leg.foot.heel;
        let by_ball = self.ball - rotation * self.leg.foot.ball;
        Rigid { rotation, translation: by_heel * (1.0 - share) + by_ball * share }
    }

    /// Whether an ankle has the foot's held points where they should be at a frame, to a tenth of a millimetre.
    fn is_met(&self, f: usize, ankle: Rigid) -> bool {
        let near = |point: Vec3A, place: Vec3A| (ankle.transform_point(point) - place).length() < MET;
        (!self.heel_span.contains(&f) || near(self.leg.foot.heel, self.heel))
            && (!self.ball_span.contains(&f) || near(self.leg.foot.ball, self.ball))
    }

    /// The point of the foot that is held at a frame, in ankle space.
    fn anchor(&self, f: usize) -> Vec3A {
        self.leg.foot.heel.lerp(self.leg.foot.ball, self.ball_share(f))
    }

    /// Level on the print while heel and ball are down. While it rolls over one of them it is as in the source, but
    /// for what levelling changed at the edge, which fades; and never with the other point below the ground.
    fn rotation(&self, f: usize, source: &[Rigid]) -> Quat {
        let now = source[f].rotation;
        let (edge, outside) = if self.flat.is_empty() {
            return self.above_ground(f, self.swivelled(f, source));
        } else if f < self.flat.start {
            (self.flat.start, self.flat.start - f)
        } else if f >= self.flat.end {
            (self.flat.end - 1, f + 1 - self.flat.end)
        } else {
            return self.flat_rotation;
        };
        let levelled = quat::log(self.flat_rotation * source[edge].rotation.conjugate());
        // How fast the source turns there, away from the flat time: it starts from rest.
        let count = 2;
        let far = if f < edge { edge.saturating_sub(count) } else { (edge + count).min(source.len() - 1) };
        let speed = quat::log(source[far].rotation * source[edge].rotation.conjugate());
        let speed = (speed / far.abs_diff(edge).max(1) as f32).clamp_length_max(fastest_roll(self.dt));
        let x = (outside as f32 / self.roll).min(1.0);
        let turn = levelled * smoothstep(1.0 - x) - speed * (self.roll * x * (1.0 - x) * (1.0 - x));
        self.above_ground(f, (quat::exp(turn) * now).normalize())
    }

    /// The rotation of a foot that is never flat, and passes from heel to ball, or the other way, in one frame: turned about the
    /// vertical near that, so that it lies along both places then. Else it would jump aside there.
    fn swivelled(&self, f: usize, source: &[Rigid]) -> Quat {
        let now = source[f].rotation;
        let (heel, ball) = (&self.heel_span, &self.ball_span);
        let (first, second) = if ball.start < heel.start { (ball, heel) } else { (heel, ball) };
        if first.is_empty() || second.is_empty() || second.start > first.end {
            return now;
        }
        let along = |v: Vec3A| floor::of_point(v).try_normalize();
        let own = |f: usize| along(source[f].rotation * (self.leg.foot.ball - self.leg.foot.heel));
        let (Some(before), Some(after)) = (own(first.end - 1), own(second.start)) else { return now };
        let (Some(own), Some(prints)) = ((before + after).try_normalize(), along(self.ball - self.heel)) else {
            return now;
        };
        let turn = crate::math::single::asin(floor::cross(own, prints).clamp(-1.0, 1.0));
        let away = if f < first.end { first.end - 1 - f } else { f - second.start };
        let share = smoothstep(1.0 - (away as f32 / self.roll).min(1.0));
        (quat::from_heading(turn * share) * now).normalize()
    }

    /// The same rotation, pitched about the held point so that neither heel nor ball is below the print.
    fn above_ground(&self, f: usize, rotation: Quat) -> Quat {
        let along = rotation * (self.leg.foot.ball - self.leg.foot.heel);
        let Some(axis) = along.cross(self.up).try_normalize() else { return rotation };
        let pitch = crate::math::single::asin((along.dot(self.up) / along.length()).clamp(-1.0, 1.0));
        // Held by the heel the ball must not be lower, and the other way round; between the two, neither by much.
        let share = self.ball_share(f);
        let (low, high) = (-0.2 * share / (1.0 - share).max(1e-6), 0.2 * (1.0 - share) / share.max(1e-6));
        let wrong = pitch - pitch.clamp(low, high);
        (Quat::from_axis_angle(axis.into(), -wrong) * rotation).normalize()
    }

    /// 0 where the heel is held, 1 where the ball is; passes over while both are down, when it makes no difference.
    fn ball_share(&self, f: usize) -> f32 {
        let (heel, ball) = (&self.heel_span, &self.ball_span);
        if heel.is_empty() {
            return 1.0;
        }
        if ball.is_empty() {
            return 0.0;
        }
        // Most feet land on the heel and leave from the ball; some do otherwise.
        let first = if ball.start < heel.start { 1.0 } else { 0.0 };
        let last = if ball.end >= heel.end { 1.0 } else { 0.0 };
        let (from, to) = if self.flat.is_empty() {
            // From the last frame of the one to the first of the other, so that each holds for just its own span.
            let (early, late) = if ball.start < heel.start { (ball, heel) } else { (heel, ball) };
            (early.end as f32 - 1.0, late.start as f32)
        } else {
            (self.flat.start as f32, self.flat.end as f32 - 1.0)
        };
        let x =
            if to <= from { f32::from(u8::from(f as f32 > from)) } else { smoothstep((f as f32 - from) / (to - from)) };
        first + (last - first) * x
    }
}

/// A foot that turns faster than this as it comes down flat is stopped by the ground and need not slow down before, rad/s.
const FASTEST_ROLL: f32 = 3.0;

/// The same in a frame of `dt` seconds; nothing in clips that were drawn, which roll as they should.
fn fastest_roll(dt: f32) -> f32 {
    if is_drawn(1.0 / dt) { 0.0 } else { FASTEST_ROLL * dt }
}

/// A point that is as near to its place as this is there, metres.
const MET: f32 = 1e-4;

/// A print is level if its upward normal has a y of more than this.
const LEVEL: f32 = 0.999_99;

/// Every rotation by frame as the mean of those within `reach`, as far to the one side as to the other: at the clip's ends a
/// foot that turns goes on turning.
fn calmed(source: &[Rigid], reach: usize) -> Vec<Rigid> {
    let mean = |f: usize| {
        let reach = reach.min(f).min(source.len() - 1 - f);
        let near = source[window(f, reach, source.len())].iter();
        let sum = near
            .map(|ankle| quat::nearest_sign(source[f].rotation, ankle.rotation))
            .fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |a, b| a + b);
        Rigid { rotation: sum.normalize(), ..source[f] }
    };
    (0..source.len()).map(mean).collect()
}

/// The edge of a stance: how far the foot had to be moved and turned there, and how fast it came.
struct Edge {
    /// The held point, in ankle space.
    anchor: Vec3A,
    /// From where the source had it to where it is held, metres.
    moved: Vec3A,
    /// Its speed in the source there, away from the stance, metres per second of distance from it.
    speed: Vec3A,
    /// From how the source had it turned to how it is held, a rotation vector, radians.
    turned: Vec3,
    /// How that changes away from the stance, radians per frame.
    turns: Vec3,
}

/// A foot whose first step away from its print is no more than this acceleration gives leaves it smoothly already. m/s².
const GENTLE: f32 = 3.0;
/// The same in a clip of so few frames that it was drawn: its steps are as they should be.
const GENTLE_DRAWN: f32 = 20.0;

/// Frames of a stance over which is seen how its foot rolls at its edge: one frame's noise is no speed.
const SEEN: usize = 4;

/// Share of the time of easing out of a print after which a foot is as high as in the source again.
const RISES_AFTER: f32 = 0.85;

/// A foot that comes faster than this is stopped by the ground, and need not slow down before. m/s.
const FASTEST: f32 = 1.0;

impl Edge {
    fn new(hold: &Hold<'_>, edge: usize, source: &[Rigid], held: &[Rigid], outside: usize, dt: f32) -> Self {
        let anchor = hold.anchor(edge);
        let at = |ankle: &Rigid| ankle.transform_point(anchor);
        // Over some frames either side: one frame's noise is no speed, and a foot that lands is faster before.
        let count = ((0.02 / dt) as usize).max(1);
        let (back, ahead) = (edge.saturating_sub(count), (edge + count).min(source.len() - 1));
        let (far, near) = if outside > edge { (ahead, back) } else { (back, ahead) };
        let near = if is_drawn(1.0 / dt) { edge } else { near };
        let speed = (at(&source[far]) - at(&source[near])) / (dt * far.abs_diff(near).max(1) as f32);
        let speed = speed.clamp_length_max(FASTEST);
        let gentle = dt * if is_drawn(1.0 / dt) { GENTLE_DRAWN } else { GENTLE };
        let speed = speed * smoothstep((speed.length() - gentle) / gentle);
        // A foot that rolls at its edge goes on as it does.
        let turned = |f: usize| quat::log(held[f].rotation * source[f].rotation.conjugate());
        let inside =
            if outside > edge { edge.max(hold.span.start + SEEN) - SEEN } else { (edge + SEEN).min(hold.span.end - 1) };
        let turns = (turned(edge) - turned(inside)) / edge.abs_diff(inside).max(1) as f32;
        // One that was held before left its print as it should.
        let speed = if hold.already || hold.brief { Vec3A::ZERO } else { speed };
        Self {
            anchor,
            moved: at(&held[edge]) - at(&source[edge]),
            speed,
            turned: turned(edge),
            turns: if hold.already { Vec3::ZERO } else { turns.clamp_length_max(fastest_roll(dt)) },
        }
    }

    /// The ankle `frames` away from the edge: moved all the way there, not at all `reach` frames off, and leaving
    /// the print without a start.
    fn ease(&self, source: Rigid, frames: f32, reach: f32, dt: f32) -> Rigid {
        let x = (frames / reach).min(1.0);
        let w = 1.0 - smoothstep(x);
        // Hermite: at the edge the offset undoes the source's own speed, so that the foot starts from rest.
        let velocity = -self.speed * (reach * dt) * (x * (1.0 - x) * (1.0 - x));
        let turn = self.turned * w + self.turns * (reach * x * (1.0 - x) * (1.0 - x));
        let rotation = (quat::exp(turn) * source.rotation).normalize();
        // A foot that was brought down to its print is soon as high over the ground as it was: else its swing would graze it.
        let soon = self.moved.y < 0.0 && !is_drawn(1.0 / dt);
        let down = if soon { 1.0 - smoothstep(x / RISES_AFTER) } else { w };
        let moved = Vec3A::new(self.moved.x * w, self.moved.y * down, self.moved.z * w);
        let anchor = source.transform_point(self.anchor) + moved + velocity;
        Rigid { rotation, translation: anchor - rotation * self.anchor }
    }
}
