//! Hands of a body that moves as another: as far from the floor and from each other, in proportion, as the motion's are near them.

use super::posture::IN_PLANE;
use super::{Build, Retarget};
use crate::math::smoothstep;
use crate::motion::{Clip, Take};
use crate::rig::{JointId, ModelPose, Pose};
use glam::Vec3A;

/// Hands lower than this over the ground, in lengths of the leg, are beside it: how high they are counts, not how far they reach.
const LOW: f32 = 0.2;
/// Hands nearer to each other than this share of an arm belong together.
const TOGETHER: f32 = 0.4;

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
                *by = Vec3A::Y * (beside * (scale * high - own_high));
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
                let goal = limb.goal(hand.rotation, hand.translation + *by);
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
