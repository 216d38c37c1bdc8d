//! The way of a body that steps to a place past one corner: straight on, a bend that goes through the corner's place, straight on.

use crate::math::{floor, wrap_angle};
use glam::Vec2;

/// Half of the bend, metres along the two straight parts: two short steps.
const BEND: f32 = 0.25;
/// Who goes round a corner turns less than this, radians: feet that step past each other turn by half of it at most.
const SHARPEST: f32 = 1.75;

/// Where the straight parts meet is looked for so many times: each brings the bend's middle ten times nearer to the corner.
const LOOKS: usize = 3;

/// A way over the floor with one bend, which keeps to the outer side of the line by the corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WayRound {
    from: Vec2,
    to: Vec2,
    /// Where the straight parts would meet, and where the bend begins and ends.
    meet: Vec2,
    bend: [Vec2; 2],
    /// Lengths of the three parts, metres.
    parts: [f32; 3],
}

impl WayRound {
    /// From a place to another through a corner's; `None` where that turns too sharply, or goes nowhere. Metres, (x, z).
    #[must_use]
    pub(crate) fn new(from: Vec2, corner: Vec2, to: Vec2) -> Option<Self> {
        let straight = |meet: Vec2| Some(((meet - from).try_normalize()?, (to - meet).try_normalize()?));
        let (along, onward) = straight(corner)?;
        let half = BEND.min(0.9 * from.distance(corner)).min(0.9 * corner.distance(to));
        let (mut along, mut onward, mut meet) = (along, onward, corner);
        for _ in 0..LOOKS {
            // The middle of a bend is this much within where its straight parts meet.
            meet = corner + 0.25 * half * (along - onward);
            (along, onward) = straight(meet)?;
        }
        if along.angle_to(onward).abs() > SHARPEST {
            return None;
        }
        let bend = [meet - half * along, meet + half * onward];
        let curved = (2.0 * bend[0].distance(bend[1]) + 2.0 * half) / 3.0;
        Some(Self { from, to, meet, bend, parts: [from.distance(bend[0]), curved, bend[1].distance(to)] })
    }

    /// Metres.
    #[must_use]
    pub(crate) fn length(&self) -> f32 {
        self.parts.iter().sum()
    }

    /// The place after a share of the way, and the direction that it goes there.
    #[must_use]
    pub(crate) fn at(&self, share: f32) -> (Vec2, Vec2) {
        let (far, [first, curved, _]) = (share * self.length(), self.parts);
        let [into, out] = self.bend;
        if far <= first {
            let along = (into - self.from).normalize_or_zero();
            (self.from + far * along, along)
        } else if far < first + curved {
            let x = (far - first) / curved;
            let [a, b] = [into.lerp(self.meet, x), self.meet.lerp(out, x)];
            (a.lerp(b, x), (b - a).normalize_or_zero())
        } else {
            let along = (self.to - out).normalize_or_zero();
            (out + (far - first - curved) * along, along)
        }
    }

    /// How far the way has turned after a share of it, radians, left positive.
    #[must_use]
    pub(crate) fn turned(&self, share: f32) -> f32 {
        wrap_angle(floor::heading_of(self.at(share).1) - floor::heading_of(self.at(0.0).1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_round_goes_through_its_corner_and_keeps_outside_of_it() {
        let (from, corner, to) = (Vec2::ZERO, Vec2::new(0.1, 0.6), Vec2::new(0.9, 0.9));
        let way = WayRound::new(from, corner, to).unwrap();
        let places: Vec<Vec2> = (0..=100).map(|k| way.at(0.01 * k as f32).0).collect();
        assert!(places[0].distance(from) < 1e-6 && places[100].distance(to) < 1e-5);
        assert!(places.iter().any(|p| p.distance(corner) < 0.02), "{places:?}");
        // Outside is to the left of both lines here: the way turns to the right.
        let within = |p: &&Vec2| {
            let off = |a: Vec2, b: Vec2| floor::cross((b - a).normalize(), **p - a);
            off(from, corner).min(off(corner, to)) * floor::cross(corner - from, to - corner).signum() > 2e-3
        };
        assert_eq!(places.iter().find(within), None);
        let steps = places.windows(2).map(|pair| pair[0].distance(pair[1]) / way.length());
        assert!(steps.clone().fold(0.0, f32::max) < 0.012 && steps.fold(1.0, f32::min) > 0.007);
        assert!(
            (way.turned(1.0) - wrap_angle(floor::heading_of(to - way.meet) - floor::heading_of(way.meet))).abs() < 1e-5
        );
        // About face is no corner.
        assert_eq!(WayRound::new(from, corner, Vec2::new(0.1, 0.1)), None);
    }
}
