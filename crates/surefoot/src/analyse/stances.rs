//! Finding stances: spans in which a foot's heel or ball stays where it is, near the ground.

use super::hovering::drop_hovering;
use super::known::known_take;
use super::long_feet::{LONG, is_near, lie_flat};
use super::runs::{bridge, hysteresis, sliding_minimum, spans};
use crate::math::{Rigid, floor};
use crate::motion::{Clip, FootTrack, Footprint, Span, Stance, StanceFrames, Take};
use crate::rig::{Foot, Leg, LegId, Rig, Scale, Skeleton};
use glam::{DVec2, Quat, Vec2, Vec3A};
use std::ops::Range;

/// How stances are told from flight. Lengths and speeds are a person's ([`Scale`]).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct FindStances {
    /// A point slower than this may stand, m/s.
    pub slow: f32,
    /// Runners' feet slide and roll: a point slower than this share of the hips' speed may stand too.
    pub slow_share: f32,
    /// A point stays down until it is faster than this many times the limit.
    pub slow_exit: f32,
    /// A foot whose slowest point is faster than this many times the limit, on average over 0.16 s, is on its way.
    pub shuffle: f32,
    /// A point lower than this over the lowest place of its foot nearby may stand, metres.
    pub low: f32,
    /// A point stays down until it is higher than this, metres.
    pub low_exit: f32,
    /// How far nearby reaches, seconds either side.
    pub nearby: f32,
    /// A point that is slow for this long stands, whatever its height: on a step, on a box. Seconds; if `None`, none does.
    pub steady: Option<f32>,
    /// Gaps up to this are bridged, seconds.
    pub bridge: f32,
    /// Anything shorter is no stance, seconds.
    pub shortest: f32,
    /// A heel or ball higher than this over its print is up, metres.
    pub lifted: f32,
    /// A heel that is on average higher than this over its ball, each while it holds, is not down, metres: runners land
    /// on the ball.
    pub hovers: f32,
    /// A heel or ball that strays farther than this from its place is not held there, metres.
    pub held_within: f32,
    /// A heel or ball that is down comes to its place from no farther than this, and leaves it likewise, metres: what slides
    /// farther is not standing yet, or no more.
    pub settles_within: f32,
    /// A heel and a ball that hold one after the other, and are off the foot's own size apart by more than this, slid from one place
    /// to the other: only the longer hold counts, metres.
    pub slides: f32,
}

impl Default for FindStances {
    fn default() -> Self {
        Self {
            slow: 0.40,
            slow_share: 0.23,
            slow_exit: 1.35,
            shuffle: 0.75,
            low: 0.05,
            low_exit: 0.07,
            nearby: 0.3,
            steady: Some(0.15),
            bridge: 0.05,
            shortest: 0.06,
            lifted: 0.012,
            hovers: 0.012,
            held_within: 0.03,
            settles_within: 0.07,
            slides: 0.015,
        }
    }
}

impl FindStances {
    /// For walks that were drawn, not captured, and go over a ground that was told from their feet: these slide so much
    /// that height says more than speed.
    #[must_use]
    pub fn drawn() -> Self {
        Self {
            slow: 1.2,
            slow_share: 0.6,
            shuffle: 1.0,
            low: 0.045,
            low_exit: 0.065,
            steady: None,
            lifted: 0.025,
            held_within: 0.2,
            settles_within: 0.0,
            slides: 0.1,
            ..Self::default()
        }
    }

    /// Finds every stance of a clip, as it [says](Clip::standing) or shows, and the height of the ground on which it mostly stands.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn run(&self, rig: &Rig, clip: Clip) -> Take {
        if let Some(take) = known_take(rig, &clip) {
            return take;
        }
        let tracks = FootTrack::of_all(rig, &clip);
        let scale = rig.scale();
        let limits = self.speed_limits(&rig.skeleton, &clip, scale);
        let mut stances = Vec::new();
        for ((id, leg), track) in rig.legs().zip(&tracks) {
            let own = self.of_foot(&clip, track, &limits, scale);
            let speeds = [speeds(&track.heels, clip.rate()), speeds(&track.balls, clip.rate())];
            let found = |frames| self.stance(id, leg, track, &speeds, frames, &clip, Known { scale, held: None });
            stances.extend(own.into_iter().map(found));
        }
        drop_hovering(&mut stances, &clip, &tracks, scale, scale.speed(self.slow));
        let ground = ground_of(&stances, &clip, &tracks);
        Take { stances, ground, ..Take::from(clip) }
    }

    /// The stances of a clip of which it is known when each leg stands, and in which frames its heel and ball hold their places in any
    /// case, by leg; none is empty. When else they do, and where, is found.
    ///
    /// # Panics
    /// If the clip was made for another skeleton, there are not as many lists as legs, or a span is empty or outside the clip.
    #[must_use]
    pub fn run_in(&self, rig: &Rig, clip: &Clip, standing: &[Vec<StanceFrames>]) -> Vec<Stance> {
        assert_eq!(standing.len(), rig.legs.len(), "a list of spans for each leg");
        let tracks = FootTrack::of_all(rig, clip);
        let scale = rig.scale();
        let mut stances = Vec::new();
        for (((id, leg), track), spans) in rig.legs().zip(&tracks).zip(standing) {
            let speeds = [speeds(&track.heels, clip.rate()), speeds(&track.balls, clip.rate())];
            let known = |times: &StanceFrames| {
                self.stance(id, leg, track, &speeds, times.whole.clone(), clip, Known { scale, held: Some(times) })
            };
            stances.extend(spans.iter().map(known));
        }
        stances
    }

    /// The speed below which a point may stand, by frame, m/s.
    fn speed_limits(&self, skeleton: &Skeleton, clip: &Clip, scale: Scale) -> Vec<f32> {
        let reach = ((0.15 * clip.rate()).round() as usize).max(1);
        let places: Vec<Vec2> =
            (0..clip.frames()).map(|f| floor::of_point(clip.body(skeleton, f).translation)).collect();
        let limit = |frame: usize| {
            let (a, b) = (frame.saturating_sub(reach), (frame + reach).min(clip.frames() - 1));
            let moved = (places[b] - places[a]).length();
            let hips = if b > a { moved * clip.rate() / (b - a) as f32 } else { 0.0 };
            (scale.speed(self.slow)).max(self.slow_share * hips)
        };
        (0..clip.frames()).map(limit).collect()
    }

    /// Spans in which a foot's heel or ball is down.
    fn of_foot(&self, clip: &Clip, track: &FootTrack, limits: &[f32], scale: Scale) -> Vec<Range<usize>> {
        let rate = clip.rate();
        let frames = clip.frames();
        let reach = (self.nearby * rate).round() as usize;
        let floor: Vec<f32> = {
            let heights: Vec<f32> = (0..frames).map(|f| track.height(f)).collect();
            sliding_minimum(&heights, reach)
        };
        // A foot that shuffles along is not standing: its slowest point is on its way for a while.
        let all = [&track.heels, &track.balls, &track.tips].map(|points| speeds(points, rate));
        let slowest: Vec<f32> = (0..frames).map(|f| all.iter().map(|v| v[f]).fold(f32::INFINITY, f32::min)).collect();
        let near = ((0.08 * rate).round() as usize).max(1);
        let shuffles = |f: usize| {
            let window = &slowest[f.saturating_sub(near)..(f + near + 1).min(frames)];
            window.iter().sum::<f32>() / window.len() as f32 > self.shuffle * limits[f]
        };
        let mut down = vec![false; frames];
        for points in [&track.heels, &track.balls, &track.tips] {
            let speeds = speeds(points, rate);
            let slow: Vec<bool> =
                hysteresis(frames, |f| speeds[f] < limits[f], |f| speeds[f] < self.slow_exit * limits[f]);
            let over = |f: usize| points[f].y - floor[f];
            let low =
                hysteresis(frames, |f| over(f) < scale.length(self.low), |f| over(f) < scale.length(self.low_exit));
            let steady = self.steady.map_or(usize::MAX, |steady| (steady * rate).round() as usize);
            for span in spans(&slow) {
                let long = span.len() >= steady && span.clone().any(|f| speeds[f] < 0.5 * limits[f]);
                for f in span {
                    down[f] |= long || low[f];
                }
            }
        }
        let mut found = spans(&down);
        bridge(&mut found, (self.bridge * rate).round() as usize);
        // Shuffling ends a stance only inside it: at its ends every foot is on its way.
        let mut found: Vec<Range<usize>> = found
            .into_iter()
            .flat_map(|span| {
                let mut standing = vec![true; span.len()];
                let moving: Vec<bool> = span.clone().map(&shuffles).collect();
                for run in spans(&moving).into_iter().filter(|run| run.start > 0 && run.end < span.len()) {
                    standing[run].fill(false);
                }
                spans(&standing).into_iter().map(move |part| span.start + part.start..span.start + part.end)
            })
            .collect();
        // A longer gap is a glitch too if the foot stands where it stood before.
        let wide = (2.0 * self.bridge * rate).round() as usize;
        found.dedup_by(|next, last| {
            let moved = |points: &[Vec3A]| (points[next.start] - points[last.end - 1]).length();
            let joined = next.start - last.end <= wide
                && moved(&track.heels).min(moved(&track.balls)) < scale.length(0.03)
                && (last.end..next.start).all(|f| track.height(f) - floor[f] < scale.length(self.low));
            if joined {
                last.end = next.end;
            }
            joined
        });
        let shortest = (self.shortest * rate).round() as usize;
        found.retain(|span| span.len() >= shortest || span.start == 0 || span.end == frames);
        found
    }

    #[expect(clippy::too_many_arguments, reason = "one foot's tracks, seen from one place")]
    fn stance(
        &self,
        id: LegId,
        leg: &Leg,
        track: &FootTrack,
        [heel_speeds, ball_speeds]: &[Vec<f32>; 2],
        frames: Range<usize>,
        clip: &Clip,
        Known { scale, held: known }: Known<'_>,
    ) -> Stance {
        // Who asks for still frames alone gets no turns between them.
        let known = known.filter(|_| self.settles_within > 0.0);
        let stands = known.is_some();
        // The level of the ground: where the lower point is for half of the time.
        let mut heights: Vec<f32> = frames.clone().map(|f| track.height(f)).collect();
        heights.sort_by(f32::total_cmp);
        let level = heights[heights.len() / 2];
        let rate = clip.rate();
        let point_down = |points: &[Vec3A], speeds: &[f32]| -> Held {
            let limit = scale.speed(self.slow);
            let down: Vec<bool> = frames
                .clone()
                .map(|f| points[f].y - level < scale.length(self.lifted) && speeds[f] < self.slow_exit * limit)
                .collect();
            let mut found = spans(&down);
            bridge(&mut found, (self.bridge * rate).round() as usize);
            let longest = found.into_iter().max_by_key(|span| span.len()).unwrap_or(0..0);
            let span = frames.start + longest.start..frames.start + longest.end;
            let settled = |f: usize| speeds[f] < SETTLES * limit;
            held(points, span, scale.length(self.held_within), (scale.length(self.settles_within), &settled))
        };
        let down = [point_down(&track.heels, heel_speeds), point_down(&track.balls, ball_speeds)];
        let [mut heel, mut ball] = [down[0].still.clone(), down[1].still.clone()];
        if leg.foot.is_point() {
            heel = ball.start..ball.start;
        }
        // A touch of a few frames beside a proper hold is an accident; what is not as still as one that someone put there turns about it.
        let beside_put = |own: usize| down[1 - own].put && !down[own].put;
        let brief = |own: usize| if beside_put(own) { usize::MAX } else { (0.04 * rate).round() as usize };
        if heel.len() <= brief(0) && ball.len() > heel.len() {
            heel = ball.start..ball.start;
        } else if ball.len() <= brief(1) && heel.len() > ball.len() {
            ball = heel.end..heel.end;
        }
        // A heel that hovers over a ball that stands, as a runner's does, is not down.
        let mean = |points: &[Vec3A], span: &Range<usize>| {
            span.clone().map(|f| points[f].y).sum::<f32>() / span.len().max(1) as f32
        };
        if !heel.is_empty() && !ball.is_empty() {
            let higher = mean(&track.heels, &heel) - mean(&track.balls, &ball);
            if higher > scale.length(self.hovers) {
                heel = ball.start..ball.start;
            }
        }
        // What is known to hold does so, whatever it does.
        if let Some(known) = known {
            (heel, ball) = (cover(&heel, &known.heel), cover(&ball, &known.ball));
        }
        if heel.is_empty() && ball.is_empty() {
            // A foot that slides through its whole stance still stands on something: on its ball.
            ball = frames.clone();
        }
        if heel.is_empty() {
            heel = ball.start..ball.start;
        }
        if ball.is_empty() {
            ball = heel.end..heel.end;
        }
        // A foot that slides from its heel's place to its ball's cannot hold both: the longer hold counts.
        let slides = if stands { self.slides.max(TURNS) } else { self.slides };
        if heel.end <= ball.start || ball.end <= heel.start {
            let mean = |points: &[Vec3A], span: &Range<usize>| {
                floor::of_point(span.clone().map(|f| points[f]).sum::<Vec3A>() / span.len().max(1) as f32)
            };
            let apart = (mean(&track.balls, &ball) - mean(&track.heels, &heel)).length();
            let rigid = (leg.foot.ball - leg.foot.heel).length();
            let both = known.is_some_and(|known| !known.heel.is_empty() && !known.ball.is_empty());
            if !both && !heel.is_empty() && !ball.is_empty() && (apart - rigid).abs() > scale.length(slides) {
                if heel.len() > ball.len() {
                    ball = heel.end..heel.end;
                } else {
                    heel = ball.start..ball.start;
                }
            }
        }
        if stands && leg.foot.length > scale.length(LONG) {
            let low = |points: &[Vec3A], f: usize| points[f].y - level < scale.length(self.low);
            lie_flat(&mut heel, &mut ball, [&|f| low(&track.heels, f), &|f| low(&track.balls, f)], &|part| {
                [&track.heels, &track.balls].iter().all(|points| is_near(&points[part.clone()], leg.foot.length))
            });
        }
        let Placed { print, heel_at, ball_at } = placed(id, leg, track, &frames, &heel, &ball, stands);
        // Where it stands is told by the time in which it is still; it stands there from when it is down. A foot that stands in
        // two places does so one after the other.
        let apart = heel.end.min(ball.end) <= heel.start.max(ball.start);
        let first = heel.start <= ball.start;
        for (span, down, early) in [(&mut heel, &down[0], first), (&mut ball, &down[1], !first)] {
            let holds = span.start < span.end && span.start <= down.still.start && span.end >= down.still.end;
            if holds && !down.still.is_empty() {
                let start = if apart && !early { span.start } else { span.start.min(down.down.start) };
                let end = if apart && early { span.end } else { span.end.max(down.down.end) };
                *span = start..end;
            }
        }
        if stands {
            self.take_over(&mut heel, &mut ball, &|f| track.height(f) - level < scale.length(self.low), rate);
        }
        let open = frames.start == 0 || frames.end == clip.frames();
        let at = |frame: usize| frame as f32 / rate;
        let time = Span { start: at(frames.start), end: at(frames.end) };
        let (heel, ball) = (Span::of_frames(&heel, rate), Span::of_frames(&ball, rate));
        Stance { print, time, heel, ball, heel_at, ball_at, open }
    }

    /// One end of a foot takes over from the other at once, where the foot stays low in between: it turned there, and stood.
    fn take_over(&self, heel: &mut Range<usize>, ball: &mut Range<usize>, low: &dyn Fn(usize) -> bool, rate: f32) {
        if heel.start == heel.end || ball.start == ball.end {
            return;
        }
        let (first, second) = if heel.start <= ball.start { (heel, ball) } else { (ball, heel) };
        let between = first.end..second.start.max(first.end);
        if between.len() <= (TURN * rate).round() as usize && between.clone().all(low) {
            second.start = second.start.min(first.end).max(first.start);
        }
    }
}

/// What is known of a body and its stances.
#[derive(Clone, Copy)]
struct Known<'a> {
    scale: Scale,
    /// When the foot is known to stand, and its heel and ball to hold their places, whatever they do.
    held: Option<&'a StanceFrames>,
}

/// A heel and a ball of a foot that is known to stand may be off its own size apart by so much, metres: it turned.
const TURNS: f32 = 0.05;

/// The longest that a foot turns between holding its heel and its ball, seconds.
const TURN: f32 = 0.2;

/// From where the first of two spans starts to where the last ends; an empty one does not count.
fn cover(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b.clone(),
        (_, true) => a.clone(),
        _ => a.start.min(b.start)..a.end.max(b.end),
    }
}

/// A point that is held.
struct Held {
    /// Frames in which it is still.
    still: Range<usize>,
    /// The same with those in which it comes there and leaves.
    down: Range<usize>,
    /// Whether it is so still that someone put it there.
    put: bool,
}

/// The longest part of a span in which a point stays within `reach` of one place, without the frames at its ends in
/// which it is not yet, or no longer, there: farther off than its own unrest in the middle explains. It comes there from within
/// `settles`, and leaves likewise, as long as it is `settled`.
fn held(points: &[Vec3A], span: Range<usize>, reach: f32, (settles, settled): (f32, &dyn Fn(usize) -> bool)) -> Held {
    let place = |f: usize| floor::of_point(points[f]);
    // Grow from every start; a part ends where the point leaves the disc about the part's mean.
    let mut best = span.start..span.start;
    let mut start = span.start;
    while start < span.end && span.end - start > best.len() {
        let mut sum = Vec2::ZERO;
        let mut end = start;
        while end < span.end && (end == start || (place(end) - sum / (end - start) as f32).length() < reach) {
            sum += place(end);
            end += 1;
        }
        if end - start > best.len() {
            best = start..end;
        }
        start += 1 + (end - start) / 16;
    }
    if best.len() < 4 {
        let put = best.clone().all(|f| (place(f) - place(best.start)).as_dvec2().length() < HELD);
        return Held { still: best.clone(), down: best, put };
    }
    // Its home is where it is stillest, over two fifths of the part.
    let size = (best.len() * 2 / 5).max(4);
    let mut sums = vec![(DVec2::ZERO, 0.0)];
    for f in best.clone() {
        // Relative to one place, so that squares stay small.
        let p = (place(f) - place(best.start)).as_dvec2();
        let (sum, squares) = sums[sums.len() - 1];
        sums.push((sum + p, squares + p.length_squared()));
    }
    let n = size as f64;
    let still = |i: usize| {
        let (sum, squares) = (sums[i + size].0 - sums[i].0, sums[i + size].1 - sums[i].1);
        ((squares / n - (sum / n).length_squared()).max(0.0), sum / n)
    };
    let core = (0..=best.len() - size).min_by(|a, b| still(*a).0.total_cmp(&still(*b).0)).unwrap_or(0);
    let (variance, mean) = still(core);
    let home = place(best.start).as_dvec2() + mean;
    let unrest = variance.sqrt();
    // Nothing that was captured is as still as a foot that was put there: of that, what moves at all is off.
    let put = unrest < ROUNDED;
    let limit = match unrest {
        unrest if unrest < 0.4 * HELD => HELD,
        unrest if unrest < ROUNDED => 4.0 * unrest,
        unrest => (4.0 * unrest).clamp(0.5 * f64::from(reach), f64::from(reach)),
    };
    let near = |f: usize, limit: f64| (place(f).as_dvec2() - home).length() <= limit;
    let core = best.start + core..best.start + core + size;
    let start = (best.start..core.start).rev().take_while(|f| near(*f, limit)).last().unwrap_or(core.start);
    let end = (core.end..best.end).take_while(|f| near(*f, limit)).last().map_or(core.end, |f| f + 1);
    if put || settles == 0.0 {
        return Held { still: start..end, down: start..end, put };
    }
    let far = limit.max(f64::from(settles));
    let first = (span.start..start).rev().take_while(|f| near(*f, far) && settled(*f)).last().unwrap_or(start);
    let last = (end..span.end).take_while(|f| near(*f, far) && settled(*f)).last().map_or(end, |f| f + 1);
    Held { still: start..end, down: first..last, put }
}

/// A point stands from when it is slower than this share of the limit until it is faster: what is held while it is faster comes
/// and goes with a jerk.
const SETTLES: f32 = 0.8;

/// A point that moves less than this is held, metres.
const HELD: f64 = 5e-5;
/// A point that was put there and whose file is rounded to tenths of a millimetre moves by less than this, metres, root mean
/// square: a tenth of a millimetre over the root of twelve, both ways, and a half more for turns that are rounded, too.
const ROUNDED: f64 = 6e-5;

/// Where a stance is.
pub(crate) struct Placed {
    pub print: Footprint,
    pub heel_at: Vec3A,
    pub ball_at: Vec3A,
}

/// Where a foot stands that holds its heel and its ball in some frames of a stance, each of which may be none; whether a foot that
/// turns has them as far apart as it is long.
pub(crate) fn placed(
    id: LegId,
    leg: &Leg,
    track: &FootTrack,
    frames: &Range<usize>,
    heel: &Range<usize>,
    ball: &Range<usize>,
    turns: bool,
) -> Placed {
    let sole = print_of(leg, track, frames, heel, ball);
    let [heel_at, ball_at] =
        if heel.is_empty() || ball.is_empty() || heel.end.min(ball.end) > heel.start.max(ball.start) {
            let world_from_ankle = sole * leg.foot.ankle_from_sole().inverse();
            [leg.foot.heel, leg.foot.ball].map(|point| world_from_ankle.transform_point(point))
        } else {
            // Never flat: a foot that turns between heel and ball stands in two places.
            let means = [(&track.heels, heel), (&track.balls, ball)].map(|(points, span)| {
                let mean = span.clone().map(|f| points[f]).sum::<Vec3A>() / span.len().max(1) as f32;
                mean.with_y(sole.translation.y)
            });
            // As it is turned when the one takes over from the other.
            let over = heel.end.min(ball.end).min(track.heels.len() - 1);
            let along = (track.balls[over] - track.heels[over]).with_y(0.0);
            if turns { one_foot_apart(leg, means, along, heel.len() > ball.len()) } else { means }
        };
    Placed { print: Footprint::new(id, sole), heel_at, ball_at }
}

/// The places of a heel and a ball, as far apart as they are in the foot and `along` as it is turned, so that nothing slides as one takes
/// over from the other: the one that is held for less time is moved.
fn one_foot_apart(leg: &Leg, [heel, ball]: [Vec3A; 2], along: Vec3A, moves_ball: bool) -> [Vec3A; 2] {
    let sole_from_ankle = leg.foot.ankle_from_sole().inverse();
    let [own_heel, own_ball] =
        [leg.foot.heel, leg.foot.ball].map(|p| floor::of_point(sole_from_ankle.transform_point(p)));
    let Some(along) = along.try_normalize() else { return [heel, ball] };
    let foot = along * (own_ball - own_heel).length();
    if moves_ball { [heel, heel + foot] } else { [ball - foot, ball] }
}

/// The rigid print that heel and ball share: level, at the mean of where they are while down.
fn print_of(leg: &Leg, track: &FootTrack, frames: &Range<usize>, heel: &Range<usize>, ball: &Range<usize>) -> Rigid {
    let flat = heel.start.max(ball.start)..heel.end.min(ball.end);
    let facing = if flat.is_empty() { frames } else { &flat };
    let direction: Vec2 = facing.clone().map(|f| floor::of_point(track.balls[f] - track.heels[f])).sum();
    let rotation = Quat::from_rotation_y(floor::heading_of(direction));
    let sole_from_ankle = leg.foot.ankle_from_sole().inverse();
    let place = |points: &[Vec3A], down: &Range<usize>, point: Vec3A| {
        let mean = down.clone().map(|f| points[f]).sum::<Vec3A>() / down.len().max(1) as f32;
        mean - rotation * sole_from_ankle.transform_point(point)
    };
    let from_heel = place(&track.heels, heel, leg.foot.heel);
    let from_ball = place(&track.balls, ball, leg.foot.ball);
    let share = ball.len() as f32 / (ball.len() + heel.len()).max(1) as f32;
    // It will lie flat: under its ankle, where it leans to a side. One laid flat about its sole would take the ankle that much to the
    // side: that of a runner in a bend towards the other leg.
    let lean = flat.clone().map(|f| lean(&leg.foot, &track.ankles[f])).sum::<Vec3A>() / flat.len().max(1) as f32;
    Rigid { rotation, translation: from_heel * (1.0 - share) + from_ball * share + lean }
}

/// How far the middle of a foot's sole moves over the floor, metres, world, if the foot is put upright about its ankle.
fn lean(foot: &Foot, ankle: &Rigid) -> Vec3A {
    let (along, up) = (ankle.rotation * (foot.ball - foot.heel), ankle.rotation * foot.up);
    let Some(along) = along.try_normalize() else { return Vec3A::ZERO };
    let across = |v: Vec3A| (v - along * v.dot(along)).try_normalize();
    let (Some(up), Some(level)) = (across(up), across(Vec3A::Y)) else { return Vec3A::ZERO };
    if up.dot(level) < LEANS {
        return Vec3A::ZERO;
    }
    let sole = ankle.rotation * (0.5 * (foot.heel + foot.ball));
    (Quat::from_rotation_arc(up.into(), level.into()) * sole - sole).with_y(0.0)
}

/// A foot leans if its sole's normal is no farther from upright than this cosine (45°); others lie on their sides.
const LEANS: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// The height at which most standing is done: the middle of all, or, where there are steps, of the 6 cm that hold the
/// most stance time.
pub(super) fn ground_of(stances: &[Stance], clip: &Clip, tracks: &[FootTrack]) -> f32 {
    let print = |s: &Stance| (s.print.world_from_sole.translation.y, s.frames(clip).whole.len() as f32);
    let mut prints: Vec<(f32, f32)> = stances.iter().map(print).collect();
    if prints.is_empty() {
        let lowest = tracks.iter().flat_map(|t| (0..t.heels.len()).map(|f| t.height(f))).fold(f32::INFINITY, f32::min);
        return if lowest.is_finite() { lowest } else { 0.0 };
    }
    prints.sort_by(|a, b| a.0.total_cmp(&b.0));
    // One floor, however crooked the capture made it: the middle of all standing.
    let total: f32 = prints.iter().map(|(_, t)| t).sum();
    let at_share = |share: f32| {
        let mut sum = 0.0;
        prints
            .iter()
            .find(|(_, t)| {
                sum += t;
                sum >= share * total
            })
            .map_or(prints[0].0, |(y, _)| *y)
    };
    if at_share(0.97) - at_share(0.03) < 0.14 {
        return at_share(0.5);
    }
    let within = |low: f32| prints.iter().filter(move |(y, _)| *y >= low && *y <= low + 0.06);
    let best = prints.iter().map(|(low, _)| *low).max_by(|a, b| {
        let time = |low: f32| within(low).map(|(_, t)| t).sum::<f32>();
        // Of equals the lower: stairs are climbed from the ground.
        time(*a).total_cmp(&time(*b)).then(b.total_cmp(a))
    });
    let low = best.unwrap_or(0.0);
    let half = 0.5 * within(low).map(|(_, t)| t).sum::<f32>();
    let mut sum = 0.0;
    within(low)
        .find(|(_, t)| {
            sum += t;
            sum >= half
        })
        .map_or(low, |(y, _)| *y)
}

/// Speed of a point by frame, over some 25 ms, m/s.
fn speeds(points: &[Vec3A], rate: f32) -> Vec<f32> {
    let k = ((0.0125 * rate).round() as usize).max(1);
    let speed = |f: usize| {
        let (a, b) = (f.saturating_sub(k), (f + k).min(points.len() - 1));
        if b > a { (points[b] - points[a]).length() * rate / (b - a) as f32 } else { 0.0 }
    };
    (0..points.len()).map(speed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_that_leans_is_put_under_its_ankle() {
        let [heel, ball] = [-0.04, 0.14].map(|z| Vec3A::new(0.0, -0.08, z));
        let foot = Foot { heel, ball, up: Vec3A::Y, tip: None, length: 0.25, width: 0.08 };
        for (degrees, aside) in [(0.0_f32, 0.0), (15.0, -0.0207), (-15.0, 0.0207), (80.0, 0.0)] {
            let leaning = Rigid::new(Quat::from_rotation_z(degrees.to_radians()), Vec3A::new(1.0, 0.08, 2.0));
            let lean = lean(&foot, &leaning);
            assert!((lean - aside * Vec3A::X).length() < 1e-4, "{degrees}: {lean}");
        }
    }
}
