//! The way of a foot over what lies between its prints: up before on, as a taut line would lie over it, and down from above.

use super::swing::{Swing, SwingShape, raised};
use crate::character::StandLeg;
use crate::math::{floor, smoothstep};
use crate::world::Ground;
use glam::{Vec2, Vec3, Vec3A};
use std::ops::RangeInclusive;

/// Parts of a flight's time.
const PARTS: usize = 20;
/// The first and last of this many places are the prints, so that speed and acceleration begin and end with nothing.
const ENDS: usize = 1;
/// Places between two prints at which the ground is looked at.
const LOOKS: usize = 32;
/// Ground that is higher than a foot on its way by this share of the leg is gone over.
const LEAST: f32 = 0.003;
/// Feet pass over edges by this share of the leg.
const MARGIN: f32 = 0.025;
/// Going up and down takes so many times as long as going as far along.
const UPWARDS: f32 = 1.4;
/// By which share of the flight's time feet are up before they go on, and stay up before they go down.
const EARLY: f32 = 0.06;
/// How often a way is raised where its curve cuts a corner.
const RAISINGS: usize = 5;

/// The way of a foot over its flight: a cubic spline over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Over {
    /// At even shares of the time.
    knots: [Knot; PARTS + 1],
    /// How long the way is, metres; up and down count for more.
    pub(crate) length: f32,
}

/// A place on the way of a foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Knot {
    /// The share of the way between both prints.
    pub along: f32,
    /// How far over the line between them, metres.
    pub up: f32,
}

impl Over {
    /// Where the foot is at a share of the flight's time.
    #[must_use]
    pub(crate) fn at(&self, x: f32) -> Knot {
        let x = x.clamp(0.0, 1.0) * PARTS as f32;
        let i = (x as usize).min(PARTS - 1);
        let u = x - i as f32;
        let v = 1.0 - u;
        let inner = |u: f32| (4.0 - 6.0 * u * u + 3.0 * u * u * u) / 6.0;
        let weights = [v * v * v / 6.0, inner(u), inner(v), u * u * u / 6.0];
        let mut at = Knot::default();
        for (k, weight) in weights.into_iter().enumerate() {
            let knot = self.knots[(i + k).saturating_sub(1).min(PARTS)];
            at.along += weight * knot.along;
            at.up += weight * knot.up;
        }
        at
    }

    /// Raises it by a height (metres) around a share of the time.
    fn raise(&mut self, x: f32, height: f32) {
        let i = (x.clamp(0.0, 1.0) * PARTS as f32) as usize;
        for k in i.max(ENDS + 1)..=(i + 1).min(PARTS - ENDS - 1) {
            self.knots[k].up += height;
        }
    }
}

/// What a foot meets between its prints.
struct Between {
    /// How high the ground is over the line between both prints at even shares of the way, metres.
    needs: [f32; LOOKS + 1],
    /// How far the prints are apart over the floor, and in height, metres.
    run: f32,
    rise: f32,
}

impl Between {
    /// Looks at the ground under the whole foot, all the way.
    fn look(leg: &StandLeg, swing: &Swing, time: f32, ground: &dyn Ground) -> Self {
        let line = Swing { shape: SwingShape { height: 0.0, over: None, ..swing.shape }, ..*swing };
        let way = swing.to.translation - swing.from.translation;
        let high = 0.5 * leg.length + way.y.abs();
        let points = if leg.foot.is_point() { &leg.sole[..1] } else { &leg.outline[..] };
        let mut needs = [0.0; LOOKS + 1];
        for (k, need) in needs.iter_mut().enumerate().take(LOOKS).skip(1) {
            let sole = line.along(k as f32 / LOOKS as f32);
            let aside = sole.rotation * Vec3A::X * swing.shape.aside.by;
            let lacks = |point: Vec3A| {
                let at = Vec3::from(point);
                let hit = ground.below(at + high * Vec3::Y, high + leg.length, time);
                hit.map_or(0.0, |hit| hit.point.y - at.y)
            };
            let places = points.iter().chain(&leg.sole).map(|point| sole.transform_point(*point));
            *need = places.clone().map(lacks).fold(0.0, f32::max);
            if aside != Vec3A::ZERO {
                *need = places.map(|place| lacks(place + aside)).fold(*need, f32::max);
            }
        }
        Self { needs, run: floor::of_point(way).length(), rise: way.y }
    }

    /// How high the ground is around a share of the way, metres over the line between both prints.
    fn need(&self, along: f32) -> f32 {
        let i = ((along.clamp(0.0, 1.0) * LOOKS as f32) as usize).min(LOOKS - 1);
        self.highest(i.saturating_sub(1)..=(i + 2).min(LOOKS), along)
    }

    /// The highest of what some looks have met, metres over the line at a share of the way.
    fn highest(&self, looks: RangeInclusive<usize>, along: f32) -> f32 {
        let met = looks.filter(|k| self.needs[*k] > 0.0);
        met.map(|k| self.needs[k] + (k as f32 / LOOKS as f32 - along) * self.rise).fold(0.0, f32::max)
    }
}

impl SwingShape {
    /// The same over all that lies between both prints, under the whole foot. `time` is when it passes by, seconds.
    #[must_use]
    pub(crate) fn over(self, leg: &StandLeg, swing: Swing, time: f32, ground: &dyn Ground) -> Self {
        let plain = Self { over: None, ..self };
        let between = Between::look(leg, &swing, time, ground);
        let lacks = |x: f32| between.need(plain.along(x)) - 0.8 * self.height * raised(x);
        let most = (1..2 * PARTS).map(|i| lacks(i as f32 / (2 * PARTS) as f32)).fold(0.0, f32::max);
        if most < LEAST * leg.length {
            return plain;
        }
        let mut over = taut(&between, self.height, MARGIN * leg.length);
        for _ in 0..RAISINGS {
            let mut cut = false;
            for i in 1..4 * PARTS {
                let x = i as f32 / (4 * PARTS) as f32;
                let at = over.at(x);
                let lacks = between.need(at.along) - at.up;
                // At the very ends the foot is where it stands.
                if (0.01..0.99).contains(&at.along) && lacks > 0.2 * LEAST * leg.length {
                    over.raise(x, lacks);
                    cut = true;
                }
            }
            if !cut {
                break;
            }
        }
        Self { over: Some(over), ..self }
    }
}

/// A taut line over all that is between, gone along without a jerk.
fn taut(between: &Between, height: f32, margin: f32) -> Over {
    let Between { run, rise, .. } = between;
    // Along and up, metres, from the first print; what is high is wide by a look either side.
    let mut points = vec![Vec2::ZERO];
    for k in 0..=LOOKS {
        let x = k as f32 / LOOKS as f32;
        let near = between.highest(k.saturating_sub(1)..=(k + 1).min(LOOKS), x);
        let clears = if near > 0.0 { near + margin } else { 0.0 };
        let arch = if k == 0 || k == LOOKS { 0.0 } else { 0.8 * height * arch(x) };
        points.push(Vec2::new(x * run, x * rise + clears.max(arch)));
    }
    points.push(Vec2::new(*run, *rise));
    let hull = upper_hull(&points);
    let mut lengths = vec![0.0_f32];
    for pair in hull.windows(2) {
        let step = pair[1] - pair[0];
        lengths.push(lengths[lengths.len() - 1] + Vec2::new(step.x, UPWARDS * step.y).length());
    }
    let total = lengths[lengths.len() - 1].max(1e-6);
    let place = |x: f32| {
        let far = total * smoothstep(x);
        let k = lengths.partition_point(|length| *length < far).clamp(1, hull.len() - 1);
        let (from, to) = (lengths[k - 1], lengths[k]);
        hull[k - 1].lerp(hull[k], ((far - from) / (to - from).max(1e-6)).clamp(0.0, 1.0))
    };
    let knot = |i: usize| {
        let x = (i.clamp(ENDS, PARTS - ENDS) - ENDS) as f32 / (PARTS - 2 * ENDS) as f32;
        // A spline cuts corners: it is up a little earlier than along, and down a little later.
        let early = EARLY * (1.0 - 2.0 * x);
        let (along, up) = (place(x - early), place(x + early));
        let along = if *run > 1e-4 { along.x / run } else { smoothstep(x) };
        match i {
            0..=ENDS => Knot { along: 0.0, up: 0.0 },
            _ if i >= PARTS - ENDS => Knot { along: 1.0, up: 0.0 },
            _ => Knot { along, up: up.y - along * rise },
        }
    };
    Over { knots: std::array::from_fn(knot), length: total }
}

/// How a foot that has nothing to clear is raised along its way, from 0 to 1.
fn arch(along: f32) -> f32 {
    smoothstep(along / 0.3) * smoothstep((1.0 - along) / 0.5)
}

/// Of points in order of x, those on the hull's upper side, with the first and the last.
fn upper_hull(points: &[Vec2]) -> Vec<Vec2> {
    let mut hull: Vec<Vec2> = Vec::with_capacity(points.len());
    for point in points {
        while let [.., a, b] = hull[..] {
            if (b - a).perp_dot(*point - a) < 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(*point);
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_lies_over_all_points() {
        let points: Vec<Vec2> = (0..=20).map(|i| Vec2::new(i as f32, ((i * 7) % 11) as f32)).collect();
        let hull = upper_hull(&points);
        assert_eq!((hull[0], hull[hull.len() - 1]), (points[0], points[20]));
        for pair in hull.windows(2) {
            let under = points.iter().all(|p| (pair[1] - pair[0]).perp_dot(*p - pair[0]) <= 1e-4);
            assert!(under, "{pair:?}");
        }
    }

    #[test]
    fn a_way_begins_and_ends_at_rest_on_its_prints_and_clears_what_is_between() {
        // A riser right ahead of the first print, and one in the middle.
        let mut needs = [0.0; LOOKS + 1];
        for (k, need) in needs.iter_mut().enumerate().take(LOOKS).skip(1) {
            let along = k as f32 / LOOKS as f32;
            *need = if along < 0.5 { 0.2 } else { 0.4 } - 0.4 * along;
        }
        let between = Between { needs, run: 0.8, rise: 0.4 };
        let over = taut(&between, 0.05, 0.025);
        let [first, last] = [0.0, 1.0].map(|x| over.at(x));
        assert!(first.along.abs() < 1e-6 && first.up.abs() < 1e-6, "{first:?}");
        assert!((last.along - 1.0).abs() < 1e-6 && last.up.abs() < 1e-6, "{last:?}");
        let speed = |x: f32| (over.at(x + 1e-3).up - over.at(x - 1e-3).up).abs() / 2e-3;
        assert!(speed(0.001) < 0.02 && speed(0.999) < 0.02, "{} {}", speed(0.001), speed(0.999));
        for i in 1..100 {
            let at = over.at(i as f32 / 100.0);
            if (0.02..0.98).contains(&at.along) {
                assert!(at.up > between.need(at.along) - 0.02, "{at:?} under {}", between.need(at.along));
            }
        }
    }
}
