//! Hands of a body that moves as another: as far from the floor and from each other, in proportion, as the motion's are near them.

use super::build::aside;
use super::posture::IN_PLANE;
use super::{Build, Retarget};
use crate::math::smoothstep;
use crate::motion::{Clip, Take};
use crate::rig::{JointId, ModelPose, Pose};
use glam::Vec3A;

/// Hands lower than this over the ground, in lengths of the leg, are beside it: how high they are counts, not how far they reach.
const LOW: f32 = 0.3;
/// Hands nearer to each other than this share of an arm belong together.
const TOGETHER: f32 = 0.4;
/// Fingers stay this far over the ground at least, in lengths of the leg: joints have flesh around them.
const FLESH: f32 = 0.03;

/// An arm of each body on the same side.
struct Pair {
    /// By their place among the parts.
    theirs: usize,
    own: usize,
}

impl Retarget {
    /// Puts the hands of a clip where the motion's are beside the floor and each other.
    pub(super) fn place_hands(&self, (from, take): (&Build, &Take), (to, clip): (&Build, &mut Clip), scale: f32) {
        let pair = |(own, arm): (usize, &crate::analyse::Arm)| {
            let theirs = from.parts.arms.iter().position(|other| other.side == arm.side)?;
            Some(Pair { theirs, own })
        };
        let pairs: Vec<Pair> = to.parts.arms.iter().enumerate().filter_map(pair).collect();
        let (skeleton, own) = (&from.rig.skeleton, &to.rig.skeleton);
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
        let (mut own_pose, mut own_model) = (Pose::rest(own), ModelPose::new(own));
        let mut moves = vec![Vec3A::ZERO; pairs.len()];
        for f in 0..clip.frames() {
            pose.locals.copy_from_slice(take.clip.frame(f));
            pose.to_model(skeleton, &mut model);
            own_pose.locals.copy_from_slice(clip.frame(f));
            own_pose.to_model(own, &mut own_model);
            let ground = take.ground - take.clip.roots()[f].translation.y;
            let own_ground = take.ground * scale - clip.roots()[f].translation.y;
            moves.fill(Vec3A::ZERO);
            for (pair, by) in pairs.iter().zip(&mut moves) {
                let high = lowest(from, pair.theirs, &model) - ground;
                let own_high = lowest(to, pair.own, &own_model) - own_ground;
                let beside = smoothstep(1.0 - high / (LOW * from.leg_length));
                let up = beside * (scale * high - own_high);
                *by = Vec3A::Y * (up + at_least(FLESH * to.leg_length - own_high - up, FLESH * to.leg_length));
            }
            if let [a, b] = &pairs[..] {
                let between = |build: &Build, model: &ModelPose, arms: [usize; 2]| {
                    let [a, b] = arms.map(|arm| model[build.parts.arms[arm].hand[0]].translation);
                    b - a
                };
                let theirs = between(from, &model, [a.theirs, b.theirs]);
                let arm = |build: &Build, arm: usize| build.limbs[build.rig.legs.len() + arm].length;
                let (length, own_length) = (arm(from, a.theirs), arm(to, a.own));
                let near = smoothstep(2.0 * (1.0 - theirs.length() / (TOGETHER * length.max(1e-6))));
                let apart = between(to, &own_model, [a.own, b.own]) + moves[1] - moves[0];
                let lacks = near * (theirs * (own_length / length.max(1e-6)) - apart);
                moves[0] -= 0.5 * lacks;
                moves[1] += 0.5 * lacks;
            }
            let mut moved = false;
            for (pair, by) in pairs.iter().zip(&moves).filter(|(_, by)| by.length() > LEAST * to.leg_length) {
                let limb = &to.limbs[to.rig.legs.len() + pair.own];
                let hand = own_model[limb.chain.ankle];
                let shoulder = own_model[limb.chain.joints[0]].translation;
                let outward = aside(to.parts.arms[pair.own].side);
                let end = shoulder + swung(hand.translation - shoulder, *by, outward);
                let goal = limb.goal(hand.rotation, end);
                IN_PLANE.run(own, &limb.chain, &mut own_pose, &mut own_model, goal);
                moved = true;
            }
            if moved {
                clip.frame_mut(f).copy_from_slice(&own_pose.locals);
            }
        }
    }
}

/// Hands that would move less than this stay where they are, in lengths of the leg.
const LEAST: f32 = 1e-5;

/// The height of the lowest joint of a hand, metres, model space.
fn lowest(build: &Build, arm: usize, model: &ModelPose) -> f32 {
    let hands = build.parts.arms[arm].hand.iter();
    let joints = hands.flat_map(|hand| build.rig.skeleton.subtree(*hand));
    joints.map(|joint| model[JointId(joint as u16)].translation.y).fold(f32::INFINITY, f32::min)
}

/// An arm that is moved at its end by so much, up and down by swinging, so that it reaches as far as before; `outward` is where it
/// goes that hangs straight down.
fn swung(arm: Vec3A, by: Vec3A, outward: Vec3A) -> Vec3A {
    let length = arm.length();
    let moved = arm + by;
    let level = Vec3A::new(moved.x, 0.0, moved.z);
    let high = moved.y.clamp(-length, length);
    let wide = (length * length - high * high).max(0.0).sqrt();
    // What is moved aside keeps to its place; what is moved up only goes out.
    let share = (by.y.abs() / by.length().max(1e-9)).clamp(0.0, 1.0);
    let way = (level + SPREADS * length * outward).try_normalize().unwrap_or(outward);
    let out = way * wide + Vec3A::Y * high;
    moved * (1.0 - share) + out * share
}

/// How much an arm that is raised goes outward beside where it is, in lengths of it.
const SPREADS: f32 = 0.1;

/// What is lacking, if anything, with a smooth start over `ease`.
fn at_least(lacking: f32, ease: f32) -> f32 {
    match lacking {
        x if x <= -ease => 0.0,
        x if x >= ease => x,
        x => (x + ease) * (x + ease) / (4.0 * ease.max(1e-9)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lacking_comes_in_without_a_corner() {
        let slope = |x: f32| (at_least(x + 1e-3, 0.1) - at_least(x - 1e-3, 0.1)) / 2e-3;
        for i in -30..30 {
            let x = 0.01 * i as f32;
            assert!((slope(x + 0.01) - slope(x)).abs() < 0.06 && at_least(x, 0.1) >= x.max(0.0), "{x}");
        }
        assert_eq!((at_least(-0.1, 0.1), at_least(0.3, 0.1)), (0.0, 0.3));
    }
}
