//! A made creature with as many legs as wished: a body in three parts, and legs of three bones on either side.

use super::{Foot, Joint, JointId, Leg, Mirror, Rig, Side, Skeleton, Tip};
use crate::math::{Rigid, single};
use glam::Vec3A;

/// A creature to try things on, facing +Z, standing at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct ManyLegs {
    /// How many pairs of legs it has.
    pub pairs: usize,
    /// How long a leg is, metres.
    pub leg: f32,
}

impl Default for ManyLegs {
    /// An insect with legs of 0.6 m.
    fn default() -> Self {
        Self { pairs: 3, leg: 0.6 }
    }
}

/// The parts of a leg: hip to knee, knee to ankle, ankle to the ground; they sum to 1.
const BONES: [f32; 3] = [0.35, 0.4, 0.25];
/// How far each rises over its run: knees are up, feet stand steeply.
const RISES: [f32; 3] = [0.45, -1.1, -2.6];
/// How far apart legs of one side are, as a share of their length.
const APART: f32 = 0.42;
/// How far the foremost and the hindmost leg turn ahead and back, radians.
const SPREAD: f32 = 0.7;

impl ManyLegs {
    /// Its rig; at rest every foot is on the floor.
    ///
    /// # Panics
    /// If it would have no legs, more than 60 pairs, or legs without length.
    #[must_use]
    pub fn run(&self) -> Rig {
        assert!((1..=60).contains(&self.pairs) && self.leg > 0.0 && self.leg.is_finite(), "not a creature: {self:?}");
        let size = self.leg;
        let bones: Vec<Vec3A> = BONES
            .iter()
            .zip(RISES)
            .map(|(length, rise)| Vec3A::new(1.0, rise, 0.0).normalize() * (*length * size))
            .collect();
        let height = -bones.iter().map(|bone| bone.y).sum::<f32>();
        let long = APART * (self.pairs - 1) as f32 * size;
        let at = |x: f32, y: f32, z: f32| Rigid::from_translation(size * Vec3A::new(x, y, z));
        let mut joints = vec![
            Joint::new("Body", None, Rigid::from_translation(Vec3A::Y * height)),
            Joint::new("Head", Some(0), Rigid::from_translation(Vec3A::new(0.0, 0.1 * size, 0.5 * long + 0.15 * size))),
            Joint::new("LeftFeeler", Some(1), at(0.07, 0.1, 0.2)),
            Joint::new("RightFeeler", Some(1), at(-0.07, 0.1, 0.2)),
            Joint::new(
                "Tail",
                Some(0),
                Rigid::from_translation(Vec3A::new(0.0, 0.08 * size, -0.5 * long - 0.1 * size)),
            ),
        ];
        let tip = |joint: usize, offset: Vec3A| Tip { joint: JointId(joint as u16), offset: size * offset };
        let tips = [
            tip(2, Vec3A::new(0.05, 0.1, 0.25)),
            tip(3, Vec3A::new(-0.05, 0.1, 0.25)),
            tip(4, Vec3A::new(0.0, 0.02, -0.5)),
        ];
        let mut legs = Vec::with_capacity(2 * self.pairs);
        for (side, sign, name) in [(Side::Left, 1.0, "Left"), (Side::Right, -1.0, "Right")] {
            for k in 0..self.pairs {
                // From front to back.
                let place = 0.5 - k as f32 / (self.pairs - 1).max(1) as f32;
                let place = if self.pairs == 1 { 0.0 } else { place };
                let (sin, cos) = single::sin_cos(2.0 * SPREAD * place);
                let out = |bone: Vec3A| Rigid::from_translation(Vec3A::new(sign * cos * bone.x, bone.y, sin * bone.x));
                let hip = joints.len();
                let first = Vec3A::new(sign * 0.1 * size, 0.0, place * long);
                joints.push(Joint::new(format!("{name}Hip{k}"), Some(0), Rigid::from_translation(first)));
                joints.push(Joint::new(format!("{name}Knee{k}"), Some(hip), out(bones[0])));
                joints.push(Joint::new(format!("{name}Ankle{k}"), Some(hip + 1), out(bones[1])));
                joints.push(Joint::new(format!("{name}Foot{k}"), Some(hip + 2), out(bones[2])));
                let foot =
                    Foot { heel: Vec3A::ZERO, ball: Vec3A::ZERO, up: Vec3A::Y, tip: None, length: 0.0, width: 0.0 };
                let bent = |i: usize| out(bones[i]).translation.cross(out(bones[i + 1]).translation).normalize();
                legs.push(Leg {
                    side: Some(side),
                    chain: (hip..hip + 4).map(|j| JointId(j as u16)).collect(),
                    hinges: vec![bent(0), bent(1)],
                    toe: None,
                    shin: None,
                    foot,
                });
            }
        }
        let skeleton = Skeleton::new(joints).expect("a tree of few joints").with_tips(tips);
        let mirror = Mirror::of(&skeleton).ok();
        Rig { skeleton, legs, mirror }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::ModelPose;

    #[test]
    fn all_feet_are_on_the_floor_and_legs_are_as_long_as_wished() {
        for pairs in [1, 2, 3, 4, 8] {
            let rig = ManyLegs { pairs, leg: 0.7 }.run();
            let rest = ModelPose::new(&rig.skeleton);
            assert_eq!(rig.legs.len(), 2 * pairs);
            for leg in &rig.legs {
                let joints: Vec<Vec3A> = leg.chain.iter().map(|joint| rest[*joint].translation).collect();
                let length: f32 = joints.windows(2).map(|two| two[0].distance(two[1])).sum();
                assert!((length - 0.7).abs() < 1e-5, "{length}");
                assert!(joints[3].y.abs() < 1e-6, "on the floor: {}", joints[3]);
            }
            assert!(rig.mirror.is_some(), "left mirrors right");
        }
    }
}
