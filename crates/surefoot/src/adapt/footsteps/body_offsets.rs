//! Bodies moved a little over their feet: so that standing feet come to their prints with as little bending of legs as can be.

use super::fit::{Levels, Sample};
use super::{Mark, Played};
use crate::math::{FloorPose, Rigid, floor, single, smoothstep};
use crate::motion::Stance;
use glam::{Vec2, Vec3A};

/// How bodies are moved over their feet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct BodyOffsets {
    /// The coarsest spacing of what they are moved by, seconds.
    pub coarsest: f32,
    /// How many times it is halved, and once.
    pub levels: usize,
    /// Time in which a foot begins to count after its strike, and ceases to before it is off, seconds.
    pub fade: f32,
}

impl Default for BodyOffsets {
    fn default() -> Self {
        Self { coarsest: 1.2, levels: 2, fade: 0.1 }
    }
}

/// A foot that stands, on the floor, metres: where it is and where it should be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Stands {
    /// From the root, in the world's directions.
    at: Vec2,
    target: Vec2,
    /// How much higher it should be.
    rise: f32,
    weight: f32,
}

/// A body's offset: where its root should be, how much higher, and how far it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Offset {
    moved: Vec2,
    rise: f32,
    turned: f32,
}

/// How much of an error of one foot is met by shifting (1/s of it) and by turning (rad/m²).
const SHIFTS: f32 = 0.5;
const TURNS: f32 = 1.0;
/// Two feet turn a body by this much at most, radians: 20°.
const MOST_TURN: f32 = 0.35;
/// Time in which a body that stands comes to be where it should, seconds.
const STANDING: f32 = 0.8;
/// Two feet nearer than this tell no turn, metres.
const NEAR: f32 = 0.05;

impl BodyOffsets {
    /// Moves roots, at heights by frame, so that standing feet come to where their stances are; not where the way begins or ends
    /// standing, since that is where it should be. Gives how far each was moved, metres.
    pub(crate) fn run(
        &self,
        played: &Played,
        stances: &[(Stance, Mark)],
        rate: f32,
        stands: [bool; 2],
        (roots, heights): (&mut [FloorPose], &mut [f32]),
    ) -> Vec<f32> {
        let mut standing: Vec<[Option<(usize, f32)>; 2]> = vec![[None; 2]; roots.len()];
        for (k, (stance, mark)) in stances.iter().enumerate() {
            let Some(held) = stance.held() else { continue };
            for f in held.frames(rate, roots.len()) {
                let time = f as f32 / rate;
                let inside = (time - held.start).min(held.end - time) / self.fade.max(1e-3);
                standing[f][crate::library::strides::index_of(mark.side)] = Some((k, smoothstep(inside)));
            }
        }
        let soles: Vec<[Vec3A; 2]> = stances.iter().map(|(stance, _)| [stance.heel_at, stance.ball_at]).collect();
        let mut samples: Vec<Sample<4>> = Vec::with_capacity(roots.len());
        for (f, root) in roots.iter().enumerate() {
            let mut feet = [Stands::default(); 2];
            for (side, foot) in feet.iter_mut().enumerate() {
                let Some((k, weight)) = standing[f][side] else { continue };
                let contact = played.contacts[f][side];
                let [heel, ball] = soles[k];
                // The same point of the print as of the foot.
                let share = played.balls[f][side];
                let target = heel.lerp(ball, share);
                *foot = Stands {
                    at: floor::turned(floor::of_point(contact), root.heading),
                    target: floor::of_point(target),
                    rise: target.y - heights[f] - contact.y,
                    weight,
                };
            }
            let weight = (feet[0].weight + feet[1].weight).min(1.0);
            let offset = offset(root.position, feet);
            let value = offset.map_or([0.0; 4], |o| [o.moved.x, o.moved.y, o.rise, o.turned]);
            let weight = if offset.is_some() { weight } else { 0.0 };
            samples.push(Sample { time: f as f32 / rate, value, weight });
        }
        let levels = Levels { coarsest: self.coarsest, count: self.levels, rate };
        let found = levels.run(&mut samples);
        let mut moved = Vec::with_capacity(found.len());
        let end = (found.len().max(1) - 1) as f32 / rate;
        for (f, ((root, height), [x, z, rise, turned])) in roots.iter_mut().zip(heights).zip(found).enumerate() {
            let time = f as f32 / rate;
            let [from, to] = [(stands[0], time), (stands[1], end - time)]
                .map(|(stands, off)| if stands { smoothstep(off / STANDING) } else { 1.0 });
            let [x, z, turned] = [x, z, turned].map(|value| from * to * value);
            root.position += Vec2::new(x, z);
            root.heading += turned;
            *height += rise;
            moved.push(Vec2::new(x, z).length());
        }
        moved
    }
}

/// How a body is to be moved for its feet to be where they should, turned about the vertical only; `None` if none stands.
fn offset(root: Vec2, feet: [Stands; 2]) -> Option<Offset> {
    let sum = feet[0].weight + feet[1].weight;
    if sum <= 1e-4 {
        return None;
    }
    let mean = |of: &dyn Fn(&Stands) -> Vec2| feet.iter().map(|foot| foot.weight * of(foot)).sum::<Vec2>() / sum;
    let (at, target) = (mean(&|foot| foot.at), mean(&|foot| foot.target));
    let rise = feet.iter().map(|foot| foot.weight * foot.rise).sum::<f32>() / sum;
    // One foot: part of its error is met by turning.
    let error = target - root - at;
    let one = TURNS * floor::cross(at, error) / (SHIFTS + TURNS * at.length_squared());
    // Two feet: as the line between them should lie.
    let (mut along, mut across) = (0.0, 0.0);
    for foot in &feet {
        let (is, should) = (foot.at - at, foot.target - target);
        along += foot.weight / sum * is.dot(should);
        across += foot.weight / sum * floor::cross(is, should);
    }
    let [less, more] = [feet[0].weight.min(feet[1].weight), feet[0].weight.max(feet[1].weight)];
    let sure = smoothstep(less / more) * smoothstep((feet[0].at - feet[1].at).length() / NEAR - 1.0);
    let two = single::atan2(across, along).clamp(-MOST_TURN, MOST_TURN);
    let turned = one + sure * (two - one);
    Some(Offset { moved: target - floor::turned(at, turned) - root, rise, turned })
}

/// The root in the world.
pub(crate) fn world_root(root: FloorPose, height: f32) -> Rigid {
    let mut world = root.to_rigid();
    world.translation.y = height;
    world
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stands(at: Vec2, target: Vec2, weight: f32) -> Stands {
        Stands { at, target, rise: 0.0, weight }
    }

    /// Where a foot is once its body is moved.
    fn after(root: Vec2, offset: Offset, at: Vec2) -> Vec2 {
        root + offset.moved + floor::turned(at, offset.turned)
    }

    #[test]
    fn one_foot_comes_to_its_print_exactly_and_the_printed_torque_does_not() {
        let (root, at) = (Vec2::new(0.3, -1.0), Vec2::new(0.1, 0.85));
        let target = root + at + Vec2::new(0.1, 0.02);
        let foot = stands(at, target, 1.0);
        let found = offset(root, [foot, Stands::default()]).unwrap();
        assert!((after(root, found, at) - target).length() < 1e-6);
        // The limit of the iteration p += F/2, heading += r × F, which this replaces.
        let limit = |sign: f32| {
            let (mut p, mut heading) = (root, 0.0);
            for _ in 0..12 {
                let r = floor::turned(at, heading);
                let error = target - p - r;
                p += 0.5 * error;
                heading += sign * floor::cross(r, error);
            }
            (heading, (target - p - floor::turned(at, heading)).length())
        };
        let (turned, missed) = limit(1.0);
        assert!(missed < 1e-3 && (turned - found.turned).abs() < 0.02 * turned.abs() + 1e-3, "{turned} {found:?}");
        assert!(limit(-1.0).1 > 0.1, "F × r, as printed, goes away from it");
    }

    #[test]
    fn two_feet_recover_a_turn_whole_and_pass_into_one() {
        let root = Vec2::new(2.0, 1.0);
        let feet = [Vec2::new(-0.1, 0.35), Vec2::new(0.1, -0.3)];
        let turn = 10.0_f32.to_radians();
        let targets = feet.map(|at| root + Vec2::new(0.03, -0.02) + floor::turned(at, turn));
        let both = |w: f32| offset(root, [stands(feet[0], targets[0], 1.0), stands(feet[1], targets[1], w)]).unwrap();
        assert!((both(1.0).turned - turn).abs() < 1e-4, "{:?}", both(1.0));
        for (at, target) in feet.iter().zip(targets) {
            assert!((after(root, both(1.0), *at) - target).length() < 1e-5);
        }
        let mut last = both(0.0);
        for k in 1..=200 {
            let now = both(0.005 * k as f32);
            assert!((now.turned - last.turned).abs() < 0.02 && (now.moved - last.moved).length() < 0.02, "at {k}");
            last = now;
        }
        assert_eq!(offset(root, [Stands::default(); 2]), None);
    }
}
