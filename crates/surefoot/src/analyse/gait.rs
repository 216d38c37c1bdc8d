//! How a clip walks: steps, strides, cadence, speed, turning, flight.

use crate::math::{floor, wrap_angle};
use crate::motion::{Clip, Stance, Take, stance};
use crate::rig::{Rig, Skeleton};
use glam::Vec2;
use std::ops::Range;

/// A span in which no foot is down.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Flight {
    /// Frames.
    pub frames: Range<usize>,
    /// Fall measured from the hips' path, m/s², where the flight is long enough to tell.
    pub gravity: Option<f32>,
}

/// Figures of a clip. Speeds in m/s, lengths in metres, angles in radians, left positive.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Analysis {
    /// Touchdowns seen.
    pub steps: usize,
    /// Touchdowns per second while stepping; 0 if there are fewer than two.
    pub cadence: f32,
    /// Mean distance between touchdowns of one foot, metres.
    pub stride_length: f32,
    /// Mean time between touchdowns of one foot, seconds.
    pub stride_time: f32,
    /// Mean speed over whole strides; over the whole clip if there is none.
    pub stride_speed: f32,
    /// Turning rate over whole strides, rad/s; over the whole clip if there is none.
    pub turn_rate: f32,
    /// Middle of the hips' speed over the floor, frame by frame.
    pub hip_speed_median: f32,
    /// Net turn of the pelvis over the clip.
    pub pelvis_yaw_net: f32,
    /// Froude number of the stride speed, v² / (g · leg): people walk below 0.5 and run above.
    pub froude: f32,
    /// Step length over cadence, metres times seconds: near 0.4 for walking adults.
    pub walk_ratio: f32,
    /// Stances per step and leg: 1 where none is split or missed.
    pub fragmentation: f32,
    /// Share of frames in which a foot is down.
    pub support: f32,
    /// Spans without a foot down.
    pub flights: Vec<Flight>,
    /// Fall measured over all flights together, m/s², where they are long enough together to tell.
    pub fall: Option<f32>,
    /// Whether it stands about: no step leads anywhere.
    pub idle: bool,
    /// What may be wrong with the clip's timing, in words.
    pub doubts: Vec<String>,
}

/// Analyses a clip whose stances are known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Analyse {
    /// Whether somebody chose the clip's timing, as of a cycle: then it is not doubted.
    pub authored: bool,
}

impl Analyse {
    /// Measures a clip.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn run(&self, rig: &Rig, take: &Take) -> Analysis {
        self.run_in(rig, take, 0..take.clip.frames())
    }

    /// Measures a part of a clip, such as one round of a cycle that is played several times: steps, support, flights and
    /// turning are counted in it; strides and what follows from them are taken from the whole.
    ///
    /// # Panics
    /// If the clip was made for another skeleton, or has not all of the frames.
    #[must_use]
    pub fn run_in(&self, rig: &Rig, take: &Take, part: Range<usize>) -> Analysis {
        let Take { clip, stances, .. } = take;
        assert_eq!(clip.skeleton(), rig.skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let rate = clip.rate();
        let place = |frame: usize| floor::of_point(clip.body(&rig.skeleton, frame.min(clip.frames() - 1)).translation);

        let start = |stance: &Stance| stance.frames(clip).whole.start;
        let mut times: Vec<usize> = stances.iter().map(start).filter(|start| *start > 0).collect();
        times.sort_unstable();
        let cadence = match (times.first(), times.last()) {
            (Some(a), Some(b)) if b > a => (times.len() - 1) as f32 * rate / (b - a) as f32,
            _ => 0.0,
        };

        // Strides: touchdown to touchdown of one foot.
        let print = |s: &Stance| floor::of_point(s.print.world_from_sole.translation);
        let mut strides: Vec<(Range<usize>, f32)> = Vec::new();
        for (id, _) in rig.legs() {
            let own: Vec<&Stance> = stance::of_leg(stances, id).filter(|s| start(s) > 0).collect();
            strides.extend(own.windows(2).map(|p| (start(p[0])..start(p[1]), (print(p[1]) - print(p[0])).length())));
        }
        let count = strides.len().max(1) as f32;
        let stride_time = strides.iter().map(|(frames, _)| frames.len() as f32 / rate).sum::<f32>() / count;
        let stride_length = strides.iter().map(|(_, length)| length).sum::<f32>() / count;
        let whole: Vec<Range<usize>> = if strides.is_empty() {
            std::iter::once(0..clip.frames() - 1).collect()
        } else {
            strides.iter().map(|(f, _)| f.clone()).collect()
        };
        let seconds: f32 = whole.iter().map(|f| f.len() as f32 / rate).sum();
        let travelled: f32 = whole.iter().map(|f| (place(f.end) - place(f.start)).length()).sum();
        let headings = headings(&rig.skeleton, clip);
        let turned: f32 = whole.iter().map(|f| headings[f.end.min(headings.len() - 1)] - headings[f.start]).sum();
        let per_second = |value: f32| if seconds > 0.0 { value / seconds } else { 0.0 };

        let (mut flights, fall) = flights(&rig.skeleton, clip, stances);
        flights.retain(|flight| part.contains(&flight.frames.start));
        let mut down = vec![false; clip.frames()];
        stances.iter().for_each(|s| down[s.frames(clip).whole].fill(true));
        let supported = down[part.clone()].iter().filter(|down| **down).count();
        let whole_turn = headings[part.end.min(headings.len() - 1)] - headings[part.start];
        let leg = rig.leg_length();
        let farthest = (0..clip.frames()).map(|f| (place(f) - place(0)).length()).fold(0.0, f32::max);
        let mut analysis = Analysis {
            steps: times.iter().filter(|start| part.contains(start)).count(),
            cadence,
            stride_length,
            stride_time,
            stride_speed: per_second(travelled),
            turn_rate: per_second(turned),
            hip_speed_median: hip_speed_median(&rig.skeleton, clip),
            pelvis_yaw_net: whole_turn,
            froude: per_second(travelled).powi(2) / (9.81 * leg),
            walk_ratio: if cadence > 0.0 { 0.5 * stride_length / cadence } else { 0.0 },
            fragmentation: fragmentation(rig, stances),
            support: supported as f32 / part.len().max(1) as f32,
            flights,
            fall,
            idle: farthest < 0.35 * leg && clip.net_turn(&rig.skeleton).abs() < 0.8 && stride_length < 0.3 * leg,
            doubts: Vec::new(),
        };
        if !self.authored {
            analysis.doubts = doubts(&analysis, rig);
        }
        analysis
    }
}

/// Stances over places stood at: two stances of a foot in one place are one step in pieces.
fn fragmentation(rig: &Rig, stances: &[Stance]) -> f32 {
    let near = 0.1 * rig.leg_length();
    let place = |s: &Stance| floor::of_point(s.print.world_from_sole.translation);
    let mut steps = 0;
    for (id, _) in rig.legs() {
        let own: Vec<&Stance> = stance::of_leg(stances, id).collect();
        let apart = own.windows(2).filter(|pair| (place(pair[1]) - place(pair[0])).length() > near).count();
        steps += apart + usize::from(!own.is_empty());
    }
    if steps == 0 { 1.0 } else { stances.len() as f32 / steps as f32 }
}

fn headings(skeleton: &Skeleton, clip: &Clip) -> Vec<f32> {
    let mut last: Option<f32> = None;
    let mut sum = 0.0;
    (0..clip.frames())
        .map(|frame| {
            if let Some(heading) = crate::math::quat::heading(clip.body(skeleton, frame).rotation) {
                sum += last.map_or(0.0, |last| wrap_angle(heading - last));
                last = Some(heading);
            }
            sum
        })
        .collect()
}

fn hip_speed_median(skeleton: &Skeleton, clip: &Clip) -> f32 {
    let at = |frame: usize| -> Vec2 { floor::of_point(clip.body(skeleton, frame).translation) };
    let mut speeds: Vec<f32> = (1..clip.frames()).map(|f| (at(f) - at(f - 1)).length() * clip.rate()).collect();
    speeds.sort_by(f32::total_cmp);
    speeds.get(speeds.len() / 2).copied().unwrap_or(0.0)
}

/// All flights, and the fall over all of them.
fn flights(skeleton: &Skeleton, clip: &Clip, stances: &[Stance]) -> (Vec<Flight>, Option<f32>) {
    let mut covered: Vec<Range<usize>> = stances.iter().map(|s| s.frames(clip).whole).collect();
    covered.sort_by_key(|span| span.start);
    let mut flights = Vec::new();
    let mut together = Fall::default();
    let mut end = covered.first().map_or(clip.frames(), |first| first.end);
    for span in covered.iter().skip(1) {
        if span.start > end {
            let frames = end..span.start;
            let fall = Fall::of(skeleton, clip, &frames);
            together.add(&fall);
            flights.push(Flight { frames, gravity: fall.gravity(clip.rate()) });
        }
        end = end.max(span.end);
    }
    (flights, together.gravity(clip.rate()))
}

/// Parabolas of one curvature fitted to the hips' height in flights: its share of height, and of itself.
#[derive(Default)]
struct Fall {
    of_height: f64,
    of_itself: f64,
    frames: usize,
}

impl Fall {
    /// Shorter than this flights tell nothing, seconds.
    const SHORTEST: f32 = 0.1;

    /// Of the inner two thirds of a flight, where nothing pushes.
    fn of(skeleton: &Skeleton, clip: &Clip, flight: &Range<usize>) -> Self {
        let sixth = flight.len() / 6;
        let inner = flight.start + sixth..flight.end - sixth;
        if inner.len() < 6 {
            return Self::default();
        }
        // y = a + b t + c (t² - mean t²) with t centred: c is the covariance of y with t² over its variance.
        let n = inner.len() as f64;
        let middle = 0.5 * (inner.start + inner.end - 1) as f64;
        let t2 = |f: usize| ((f as f64 - middle) / f64::from(clip.rate())).powi(2);
        let mean = inner.clone().map(t2).sum::<f64>() / n;
        let mut fall = Self { frames: inner.len(), ..Self::default() };
        for f in inner {
            fall.of_height += (t2(f) - mean) * f64::from(clip.body(skeleton, f).translation.y);
            fall.of_itself += (t2(f) - mean).powi(2);
        }
        fall
    }

    /// Takes in another flight. Least squares weigh a flight by the fifth power of its length.
    fn add(&mut self, other: &Self) {
        self.of_height += other.of_height;
        self.of_itself += other.of_itself;
        self.frames += other.frames;
    }

    /// The acceleration, m/s², if this is long enough to tell.
    fn gravity(&self, rate: f32) -> Option<f32> {
        let tells = self.frames as f32 >= Self::SHORTEST * rate && self.of_itself > 0.0;
        tells.then(|| (-2.0 * self.of_height / self.of_itself) as f32)
    }
}

/// Timing that no body has, with the remedy.
fn doubts(analysis: &Analysis, rig: &Rig) -> Vec<String> {
    let mut doubts = Vec::new();
    // Steps of a run are often too short to tell one by one, but all of them fall alike.
    if let Some(fall) = analysis.fall
        && fall > 25.0
    {
        doubts.push(format!(
            "free fall at {fall:.0} m/s² instead of 9.8: the clip plays about {:.1} times too fast; say the true rate",
            (fall / 9.81).sqrt()
        ));
    }
    // Nobody walks above 2.6 steps a second with two legs; cadence falls with their length.
    let most = 2.6 / rig.scale().time(1.0);
    let cadence = analysis.cadence * 2.0 / rig.legs.len() as f32;
    let walks = analysis.support > 0.97 && analysis.steps >= 2 * rig.legs.len() && analysis.stride_speed > 0.9;
    if walks && cadence > most {
        doubts.push(format!("{cadence:.1} steps a second in a walk: the clip may play too fast; say the true rate"));
    }
    doubts
}
