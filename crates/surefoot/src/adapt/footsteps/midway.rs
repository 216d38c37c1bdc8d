//! The way midway between the feet: a spline in time through the middles of consecutive prints, and bodies led along it.

use super::{Mark, Played};
use crate::math::{FloorPose, floor, wrap_angle};
use glam::Vec2;

/// A Catmull-Rom spline through the middles of consecutive prints: places, headings and heights over time, or over phases.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Midway {
    knots: Vec<Knot>,
}

/// A point of the way, and how it changes there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Knot {
    time: f32,
    at: Place,
    slope: Place,
}

/// A place on the way: x, z, heading (unwrapped) and height.
type Place = glam::Vec4;

/// Prints are at least so far apart in time, seconds.
const APART: f32 = 1e-3;

impl Midway {
    /// Through prints with their heights at times, as many; at ends where it `stands` it rests.
    pub(crate) fn new(
        prints: impl Iterator<Item = (FloorPose, f32)>,
        times: impl Iterator<Item = f32>,
        stands: [bool; 2],
    ) -> Self {
        let mut all: Vec<(Place, f32)> = Vec::new();
        for ((print, height), time) in prints.zip(times) {
            let heading = all.last().map_or(print.heading, |(last, _)| last.z + wrap_angle(print.heading - last.z));
            all.push((Place::new(print.position.x, print.position.y, heading, height), time));
        }
        if all.len() == 1 {
            all.push(all[0]);
        }
        let mut knots: Vec<Knot> = Vec::with_capacity(all.len());
        for pair in all.windows(2) {
            let time = 0.5 * (pair[0].1 + pair[1].1);
            let time = knots.last().map_or(time, |last| time.max(last.time + APART));
            knots.push(Knot { time, at: 0.5 * (pair[0].0 + pair[1].0), slope: Place::ZERO });
        }
        // Who stands stays where he is from then on, or until then.
        if let (true, Some(first)) = (stands[0], knots.first().copied()) {
            knots.insert(0, Knot { time: (first.time - APART).min(all[0].1), ..first });
        }
        if let (true, Some(last)) = (stands[1], knots.last().copied()) {
            knots.push(Knot { time: (last.time + APART).max(all[all.len() - 1].1), ..last });
        }
        let count = knots.len();
        for k in 0..count {
            if (k == 0 && stands[0]) || (k + 1 == count && stands[1]) {
                continue;
            }
            let here = knots[k];
            // Beyond the ends place and time are reflected.
            let mirrored =
                |other: Knot| Knot { time: 2.0 * here.time - other.time, at: 2.0 * here.at - other.at, ..here };
            let (before, after) = match (k.checked_sub(1), knots.get(k + 1)) {
                (Some(before), Some(after)) => (knots[before], *after),
                (Some(before), None) => (knots[before], mirrored(knots[before])),
                (None, Some(after)) => (mirrored(*after), *after),
                (None, None) => continue,
            };
            let (h0, h1) = (here.time - before.time, after.time - here.time);
            knots[k].slope = (h1 * (here.at - before.at) / h0 + h0 * (after.at - here.at) / h1) / (h0 + h1);
        }
        Self { knots }
    }

    /// Through marks at times, as many; at ends where it `stands` it rests.
    pub(crate) fn of_marks(marks: &[Mark], times: &[f32], stands: [bool; 2]) -> Self {
        Self::new(marks.iter().map(|mark| (mark.at, mark.height)), times.iter().copied(), stands)
    }

    /// Where it is at a time: place, and height. Before its start and after its end it goes straight on.
    pub(crate) fn at(&self, time: f32) -> (FloorPose, f32) {
        let place = self.place(time);
        (FloorPose::new(Vec2::new(place.x, place.y), place.z), place.w)
    }

    fn place(&self, time: f32) -> Place {
        let Some(first) = self.knots.first() else { return Place::ZERO };
        let next = self.knots.partition_point(|knot| knot.time <= time);
        if next == 0 {
            return level(first.at + (time - first.time) * first.slope, first.at);
        }
        let a = self.knots[next - 1];
        let Some(b) = self.knots.get(next) else {
            return level(a.at + (time - a.time) * a.slope, a.at);
        };
        let h = b.time - a.time;
        let u = (time - a.time) / h;
        let (u2, u3) = (u * u, u * u * u);
        (2.0 * u3 - 3.0 * u2 + 1.0) * a.at
            + h * (u3 - 2.0 * u2 + u) * a.slope
            + (3.0 * u2 - 2.0 * u3) * b.at
            + h * (u3 - u2) * b.slope
    }

    /// How much it bends at a time, from places `apart` before and after, 1/m, left positive; `None` where it hardly moves.
    pub(crate) fn curvature(&self, time: f32, apart: f32) -> Option<f32> {
        let [a, b, c] = [time - apart, time, time + apart].map(|time| {
            let place = self.place(time);
            Vec2::new(place.x, place.y)
        });
        curvature(a, b, c)
    }
}

/// Beyond its ends nothing climbs.
fn level(place: Place, end: Place) -> Place {
    Place::new(place.x, place.y, place.z, end.w)
}

/// Places that are nearer to each other than this tell no curvature, metres.
const TOO_NEAR: f32 = 0.05;

/// The curvature of the circle through three places, 1/m, left positive; `None` where two of them are too near.
fn curvature(a: Vec2, b: Vec2, c: Vec2) -> Option<f32> {
    let (u, v) = (b - a, c - b);
    let (lu, lv, luv) = (u.length(), v.length(), (u + v).length());
    let far = lu.min(lv).min(luv) >= TOO_NEAR;
    far.then(|| 2.0 * floor::cross(u, v) / (lu * lv * luv))
}

/// The roots of a free play, led along the way of the wanted prints as they went along that of their own. Headings follow.
pub(crate) fn trace_body(played: &Played, own: &Midway, wanted: &Midway, rate: f32) -> Vec<FloorPose> {
    let led = |(f, root): (usize, &FloorPose)| {
        let time = f as f32 / rate;
        let ((from, _), (to, _)) = (own.at(time), wanted.at(time));
        to.then(from.inverse()).then(*root)
    };
    played.roots.iter().enumerate().map(led).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn midway(place: impl Fn(f32) -> (f32, f32), times: &[f32]) -> Midway {
        let print = |t: &f32| {
            let (x, z) = place(*t);
            (FloorPose::new(Vec2::new(x, z), 0.3 * t), 0.1 * t)
        };
        Midway::new(times.iter().map(print), times.iter().copied(), [false; 2])
    }

    #[test]
    fn it_goes_through_the_middles_smoothly_where_times_are_uneven() {
        let times = [0.0, 0.5, 1.3, 1.6, 2.4, 2.5, 3.4];
        let way = midway(|t| (t * t, 2.0 * t), &times);
        for pair in times.windows(2) {
            let t = 0.5 * (pair[0] + pair[1]);
            let x = 0.5 * (pair[0] * pair[0] + pair[1] * pair[1]);
            let (at, height) = way.at(t);
            assert!((at.position - Vec2::new(x, 2.0 * t)).length() < 1e-5, "{at:?}");
            assert!((at.heading - 0.3 * t).abs() < 1e-5 && (height - 0.1 * t).abs() < 1e-5);
            // No jump of its speed there.
            let speed = |t: f32| (way.at(t + 1e-3).0.position - way.at(t).0.position) / 1e-3;
            assert!((speed(t) - speed(t - 1e-3)).length() < 0.05, "{} to {}", speed(t - 1e-3), speed(t));
        }
        // What is even stays so, beyond the ends as well.
        let even = midway(|t| (0.5 * t, -t), &times);
        for t in [-1.0, 0.0, 0.9, 3.0, 4.0] {
            assert!((even.at(t).0.position - Vec2::new(0.5 * t, -t)).length() < 1e-4, "{:?} at {t}", even.at(t));
        }
    }

    #[test]
    fn circles_bend_as_they_do() {
        for (radius, sign) in [(0.8_f32, 1.0_f32), (3.0, -1.0), (20.0, 1.0)] {
            let at = |s: f32| {
                sign * Vec2::new(radius * (1.0 - (s / radius).cos()), 0.0) + Vec2::new(0.0, radius * (s / radius).sin())
            };
            let found = curvature(at(0.0), at(0.4), at(0.8)).unwrap();
            assert!((found - sign / radius).abs() < 0.01 / radius, "{found} for {}", sign / radius);
        }
        assert_eq!(curvature(Vec2::ZERO, Vec2::X * 0.01, Vec2::X), None);
    }

    #[test]
    fn a_body_over_its_own_prints_stays_to_the_bit_and_degenerate_ways_do_not_panic() {
        let times = [0.0, 0.5, 1.0, 1.5];
        let way = midway(|t| (t.sin(), t), &times);
        let roots: Vec<FloorPose> = (0..90).map(|f| FloorPose::new(Vec2::new(0.01 * f as f32, 0.02), 0.1)).collect();
        let played = Played {
            roots: roots.clone(),
            phases: vec![],
            locals: vec![],
            contacts: vec![],
            balls: vec![],
            prints: vec![],
            times: vec![],
        };
        for (a, b) in trace_body(&played, &way, &way, 60.0).iter().zip(&roots) {
            assert!((a.position - b.position).length() < 1e-5 && (a.heading - b.heading).abs() < 1e-6);
        }
        for count in 0..3 {
            let few = midway(|_| (0.0, 0.0), &vec![0.0; count]);
            assert!(few.at(0.3).0.position.is_finite() && few.curvature(0.0, 0.1).is_none());
        }
    }
}
