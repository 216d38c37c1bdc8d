//! Prints refined: each brought towards where the strides would put it between its neighbours.

use super::{Mark, Snap};
use crate::math::{FloorPose, floor, wrap_angle};

/// How prints are refined.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct RefinePrints {
    /// How many passes are made; 0 leaves prints where they are. They are a radius, of about the root of half of them in prints:
    /// run on and on, all that was planned would be lost.
    pub passes: usize,
}

impl Default for RefinePrints {
    fn default() -> Self {
        Self { passes: 10 }
    }
}

/// Steps are scaled by no less than this and no more than the other.
const SCALES: [f32; 2] = [0.6, 1.6];
/// Neighbours that are nearer than this tell no direction, metres.
const NEAR: f32 = 0.15;
/// Neighbours that are turned by more than this tell no direction, radians.
const TURNED: f32 = std::f32::consts::FRAC_PI_3;

impl RefinePrints {
    /// Refines prints by those of a free play of the strides, as many.
    pub(crate) fn run(&self, played: &[FloorPose], marks: &mut [Mark], snap: &Snap<'_>) {
        let before = marks.to_vec();
        let mut wanted: Vec<FloorPose> = marks.iter().map(|mark| mark.at).collect();
        for _ in 0..self.passes {
            for i in 1..marks.len().saturating_sub(1) {
                let (last, next) = (marks[i - 1].at, marks[i + 1].at);
                wanted[i] = between([played[i - 1], played[i], played[i + 1]], [last, next]);
            }
            for i in 1..marks.len().saturating_sub(1) {
                if marks[i].fixed {
                    continue;
                }
                // Half of the way: the whole of it would go to and fro between left and right for ever.
                let here = marks[i].at;
                let half = FloorPose {
                    position: here.position.midpoint(wanted[i].position),
                    heading: here.heading + 0.5 * wrap_angle(wanted[i].heading - here.heading),
                };
                marks[i].at = snap.near_home(&marks[i], half);
            }
        }
        snap.put_down(&before, marks);
    }
}

/// The middle one of three prints moved as their ends are: by one turn and one scale where these are told well, else rigidly.
pub(super) fn between([a, b, c]: [FloorPose; 3], [from, to]: [FloorPose; 2]) -> FloorPose {
    let (was, is) = (c.position - a.position, to.position - from.position);
    let turn = wrap_angle(floor::heading_of(is) - floor::heading_of(was));
    if was.length() < NEAR || is.length() < NEAR || turn.abs() > TURNED {
        let [first, last] = [(a, from), (c, to)].map(|(was, is)| wrap_angle(is.heading - was.heading));
        let turn = first + 0.5 * wrap_angle(last - first);
        let off = b.position - a.position.midpoint(c.position);
        return FloorPose {
            position: from.position.midpoint(to.position) + floor::turned(off, turn),
            heading: b.heading + turn,
        };
    }
    let scale = (is.length() / was.length()).clamp(SCALES[0], SCALES[1]);
    // A scale that is not followed leaves the middle where it was between the ends.
    let left = is - scale * floor::turned(was, turn);
    FloorPose {
        position: from.position + scale * floor::turned(b.position - a.position, turn) + 0.5 * left,
        heading: b.heading + turn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Side;
    use crate::world::LevelGround;
    use glam::Vec2;

    const FLOOR: LevelGround = LevelGround { height: 0.0 };

    fn marks(places: &[FloorPose]) -> Vec<Mark> {
        let end = places.len() - 1;
        let mark = |(k, at): (usize, &FloorPose)| Mark {
            side: if k.is_multiple_of(2) { Side::Right } else { Side::Left },
            at: *at,
            height: 0.0,
            fixed: k == 0 || k == end,
            home: at.position,
            time: 0.0,
        };
        places.iter().enumerate().map(mark).collect()
    }

    /// Prints along a bend, feet `wide` metres apart.
    fn bend(count: usize, wide: f32, sign: f32) -> Vec<FloorPose> {
        let print = |k: usize| {
            let heading = sign * 0.05 * k as f32;
            let side = if k.is_multiple_of(2) { -0.5 } else { 0.5 };
            let along = Vec2::new(sign * 10.0 * (1.0 - heading.cos()), sign * 10.0 * heading.sin());
            FloorPose::new(along + floor::turned(Vec2::X * side * wide, heading), heading)
        };
        (0..count).map(print).collect()
    }

    fn refined(played: &[FloorPose], plan: &[FloorPose], passes: usize) -> Vec<FloorPose> {
        let mut marks = marks(plan);
        let snap = Snap { ground: &FLOOR, half_sole: 0.1, toes: 0.15, stray: 9.0 };
        RefinePrints { passes }.run(played, &mut marks, &snap);
        marks.iter().map(|mark| mark.at).collect()
    }

    #[test]
    fn what_was_played_already_stays() {
        let prints = bend(30, 0.19, 1.0);
        let after = refined(&prints, &prints, 10);
        assert!(prints.iter().zip(&after).all(|(a, b)| (a.position - b.position).length() < 1e-4));
    }

    #[test]
    fn step_width_comes_out_and_does_not_go_to_and_fro() {
        let played: Vec<FloorPose> = bend(40, 0.19, 0.0)
            .iter()
            .enumerate()
            .map(|(k, p)| FloorPose::new(Vec2::new(p.position.x, 0.5 * k as f32), 0.0))
            .collect();
        let after = refined(&played, &bend(40, 0.02, 1.0), 10);
        let width = |k: usize| {
            let (a, b, c) = (after[k - 1].position, after[k].position, after[k + 1].position);
            let along = (c - a).normalize();
            floor::cross(along, b - a).abs()
        };
        for k in 6..34 {
            assert!((width(k) - 0.19).abs() < 0.04, "{} m wide at {k}", width(k));
        }
    }

    #[test]
    fn mirrored_input_gives_mirrored_output() {
        let mirror = |all: &[FloorPose]| -> Vec<FloorPose> {
            all.iter().map(|p| FloorPose::new(Vec2::new(-p.position.x, p.position.y), -p.heading)).collect()
        };
        let (played, plan) = (bend(20, 0.19, 0.4), bend(20, 0.1, 1.0));
        let (one, other) = (refined(&played, &plan, 10), refined(&mirror(&played), &mirror(&plan), 10));
        for (a, b) in mirror(&one).iter().zip(&other) {
            assert!((a.position - b.position).length() < 1e-5 && (a.heading - b.heading).abs() < 1e-5);
        }
    }

    #[test]
    fn prints_stay_on_their_ground() {
        let edge = |x: f32, _: f32| if x > 0.05 { f32::NAN } else { 0.0 };
        let mut some = marks(
            &bend(20, 0.02, 0.0)
                .iter()
                .enumerate()
                .map(|(k, p)| FloorPose::new(Vec2::new(p.position.x - 0.1, 0.6 * k as f32), 0.0))
                .collect::<Vec<_>>(),
        );
        let wide: Vec<FloorPose> = some
            .iter()
            .enumerate()
            .map(|(k, m)| FloorPose::new(m.at.position + Vec2::X * if k.is_multiple_of(2) { -0.4 } else { 0.4 }, 0.0))
            .collect();
        RefinePrints::default().run(&wide, &mut some, &Snap { ground: &edge, half_sole: 0.1, toes: 0.15, stray: 9.0 });
        assert!(some.iter().all(|mark| mark.at.position.x <= 0.05), "{some:?}");
    }
}
