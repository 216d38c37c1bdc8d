//! The line that a body follows: straight pieces, rounded corners, and turns on the spot where corners are too sharp.

use crate::math::single;
use crate::math::{floor, wrap_angle};
use glam::Vec2;

/// A place on the line, every centimetre or two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) position: Vec2,
    /// Heading of travel, radians, not wrapped.
    pub(super) heading: f32,
    /// Left positive, 1/m.
    pub(super) curvature: f32,
}

/// A part that is walked without a stop.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// At even distances.
    pub(super) samples: Vec<Sample>,
    /// Distance of neighbours, metres.
    pub(super) step: f32,
}

/// Corners rounder than this are walked round, metres, as a share of the wished radius; sharper ones are turned on the spot.
const SHARP: f32 = 0.2;
/// A corner that turns by more than this is turned on the spot, radians.
const BACK: f32 = 2.4;

/// Rounds the corners of a line through floor points with a radius (metres), less where pieces are short. `step` is how
/// far apart places are, metres. Headings go on from `heading`, radians.
pub(super) fn rounded(points: &[Vec2], radius: f32, step: f32, heading: f32) -> Vec<Stretch> {
    let mut points: Vec<Vec2> = points.to_vec();
    points.dedup_by(|a, b| a.distance(*b) < 1e-3);
    let mut legs = Vec::new();
    let mut current: Vec<Sample> = Vec::new();
    let mut heading = heading;
    // How much of the piece before is taken by the last corner.
    let mut cut = 0.0;
    for i in 1..points.len() {
        let (a, b) = (points[i - 1], points[i]);
        let along = (b - a).normalize();
        let length = a.distance(b);
        heading += wrap_angle(floor::heading_of(along) - heading);
        let turn = match points.get(i + 1) {
            Some(c) => wrap_angle(floor::heading_of(*c - b) - heading),
            None => 0.0,
        };
        // The corner's arc takes this much of both pieces.
        let tangent = single::tan(0.5 * turn.abs().min(BACK));
        let room = 0.5 * length.min(points.get(i + 1).map_or(length, |c| b.distance(*c)));
        let taken = (radius * tangent).min(room);
        let round = taken / tangent.max(1e-6);
        let stop = points.get(i + 1).is_none() || turn.abs() > BACK || round < SHARP * radius;
        let end = if stop { length } else { length - taken };
        let count = ((end - cut) / step).ceil().max(1.0) as usize;
        for k in 0..count {
            let s = cut + (end - cut) * k as f32 / count as f32;
            current.push(Sample { position: a + along * s, heading, curvature: 0.0 });
        }
        cut = 0.0;
        if stop {
            current.push(Sample { position: b, heading, curvature: 0.0 });
            legs.push(even(std::mem::take(&mut current), step));
            continue;
        }
        let curvature = turn.signum() / round;
        let arc = round * turn.abs();
        let count = (arc / step).ceil().max(1.0) as usize;
        let start = b - along * taken;
        let centre = start + floor::turned(along, std::f32::consts::FRAC_PI_2 * turn.signum()) * round;
        for k in 0..count {
            let turned = turn * k as f32 / count as f32;
            let position = centre + floor::turned(start - centre, turned);
            current.push(Sample { position, heading: heading + turned, curvature });
        }
        heading += turn;
        cut = taken;
    }
    legs
}

/// The same line with places at even distances.
fn even(samples: Vec<Sample>, step: f32) -> Stretch {
    let mut lengths = vec![0.0_f32];
    for pair in samples.windows(2) {
        lengths.push(lengths[lengths.len() - 1] + pair[0].position.distance(pair[1].position));
    }
    let total = lengths[lengths.len() - 1];
    let count = (total / step).ceil().max(1.0) as usize;
    let mut i = 0;
    let at = |k: usize| {
        let s = total * k as f32 / count as f32;
        while i + 2 < lengths.len() && lengths[i + 1] <= s {
            i += 1;
        }
        let (a, b) = (samples[i], samples[(i + 1).min(samples.len() - 1)]);
        let part = (lengths.get(i + 1).copied().unwrap_or(total) - lengths[i]).max(1e-9);
        let x = ((s - lengths[i]) / part).clamp(0.0, 1.0);
        Sample {
            position: a.position.lerp(b.position, x),
            heading: a.heading + x * (b.heading - a.heading),
            curvature: if x < 0.5 { a.curvature } else { b.curvature },
        }
    };
    let samples: Vec<Sample> = (0..=count).map(at).collect();
    Stretch { samples, step: total / count as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_round_and_ends_are_kept() {
        let points = [Vec2::ZERO, Vec2::new(0.0, 4.0), Vec2::new(3.0, 4.0), Vec2::new(3.0, 8.0)];
        let legs = rounded(&points, 0.8, 0.02, 0.0);
        assert_eq!(legs.len(), 1, "no stop");
        let samples = &legs[0].samples;
        assert_eq!((samples[0].position, samples[samples.len() - 1].position), (points[0], points[3]));
        for pair in samples.windows(2) {
            assert!(pair[0].position.distance(pair[1].position) < 0.021, "even");
            assert!((pair[1].heading - pair[0].heading).abs() < 0.03, "no corner is left");
            let along = floor::heading_of(pair[1].position - pair[0].position);
            assert!(wrap_angle(along - pair[0].heading).abs() < 0.03, "it faces where it goes");
        }
    }

    #[test]
    fn back_and_forth_is_turned_on_the_spot() {
        let legs = rounded(&[Vec2::ZERO, Vec2::new(0.0, 2.0), Vec2::ZERO], 0.5, 0.02, 0.0);
        assert_eq!(legs.len(), 2);
        let (end, start) = (legs[0].samples[legs[0].samples.len() - 1], legs[1].samples[0]);
        assert_eq!(end.position, start.position);
        assert!((start.heading - end.heading).abs() > 3.1, "half a turn");
    }
}
