//! Postures: what a body does, independent of how long and of how many bones its limbs are (Kulpa 2005).
//!
//! Segments are told by their turns from the neutral pose, limbs by how far they reach in shares of their length, and the body by
//! how far its hips went in lengths of its legs.

use super::Build;
use super::build::middle;
use crate::ik::{BendLeg, TwoBone};
use crate::math::{Rigid, quat, smoothstep};
use crate::rig::{JointId, ModelPose, Pose, Skeleton};
use glam::{Quat, Vec3A};

/// What a body does at one moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Posture {
    /// Where the middle of its hips is, in lengths of its legs, model space.
    pub hips: Vec3A,
    /// How each part is turned from the neutral pose, model space, in the order of its [`Build`].
    pub turns: Vec<Quat>,
    /// From hip or shoulder to ankle or wrist, in lengths of the limb: legs, then arms; model space. `None` where nothing tells.
    pub reaches: Vec<Option<Vec3A>>,
}

/// Legs and arms that keep their plane, and stretch as far as those they are like.
pub(super) const IN_PLANE: BendLeg = BendLeg { stretch: TwoBone { soft: 0.999 }, hip_weight: 0.0, ankle_weight: 0.0 };

impl Build {
    /// Room for a posture.
    #[must_use]
    pub fn posture(&self) -> Posture {
        Posture {
            hips: Vec3A::ZERO,
            turns: vec![Quat::IDENTITY; self.turning.len()],
            reaches: vec![None; self.limbs.len()],
        }
    }

    /// Reads the posture of a pose. Allocates nothing.
    ///
    /// # Panics
    /// If pose or posture are of another body.
    pub fn read(&self, model: &ModelPose, posture: &mut Posture) {
        posture.hips = middle(&self.rig, &self.hind, model, self.parts.pelvis) / self.leg_length;
        for (joint, turn) in self.turning.iter().zip(&mut posture.turns) {
            *turn = model[*joint].rotation * self.neutral[*joint].rotation.conjugate();
        }
        for (limb, reach) in self.limbs.iter().zip(&mut posture.reaches) {
            let end = limb.chain.end(model) - model[limb.chain.joints[0]].translation;
            *reach = Some(end / limb.length.max(1e-6));
        }
    }

    /// Takes up a posture of its own kind. Allocates nothing.
    ///
    /// # Panics
    /// If pose or posture are of another body.
    pub fn write(&self, posture: &Posture, pose: &mut Pose, model: &mut ModelPose) {
        let skeleton = &self.rig.skeleton;
        pose.locals.copy_from_slice(skeleton.rest());
        for at in skeleton.joints() {
            let parent = skeleton.parent(at).map_or(Rigid::IDENTITY, |parent| model[parent]);
            let local = &mut pose.locals[at.index()];
            if let Some(turn) = self.turn_of[at.index()] {
                let rotation = posture.turns[turn] * self.neutral[at].rotation;
                local.rotation = (parent.rotation.conjugate() * rotation).normalize();
            }
            if at == self.parts.pelvis {
                let rotation = parent.rotation * local.rotation;
                let place = posture.hips * self.leg_length - rotation * self.hips;
                local.translation = parent.inverse().transform_point(place);
            }
            model.joints[at.index()] = parent * *local;
        }
        for (limb, reach) in self.limbs.iter().zip(&posture.reaches) {
            let Some(reach) = reach else { continue };
            let chain = &limb.chain;
            let mut reach = *reach;
            let mut rotation = model[chain.ankle].rotation;
            if limb.spread != 0.0 {
                let chest = self.places.spine.clone().next_back().unwrap_or(0);
                let out = self.outward(limb.spread, posture.turns[chest], reach);
                (reach, rotation) = (out * reach, out * rotation);
                turn_limb(skeleton, chain.joints[0], out, pose, model);
            }
            let end = model[chain.joints[0]].translation + reach * limb.length;
            IN_PLANE.run(skeleton, chain, pose, model, limb.goal(rotation, end));
        }
        for follower in &self.followers {
            let parent = skeleton.parent(follower.joint).map_or(Rigid::IDENTITY, |parent| model[parent]);
            let local = parent.inverse() * (model[follower.after] * follower.after_from_joint);
            let kept = &mut pose.locals[follower.joint.index()];
            *kept = Rigid { rotation: quat::nearest_sign(kept.rotation, local.rotation), ..local };
            model.refresh(skeleton, pose, follower.joint);
        }
    }

    /// A turn of an arm away from the body by what it hangs farther out, less for one that is raised.
    fn outward(&self, spread: f32, chest: Quat, reach: Vec3A) -> Quat {
        let down = -(reach.normalize_or_zero().dot(chest * Vec3A::Y));
        Quat::from_axis_angle((chest * Vec3A::Z).into(), spread * smoothstep((down - 0.2) / 0.6))
    }
}

/// Turns a limb at its root, in model space.
fn turn_limb(skeleton: &Skeleton, joint: JointId, turn: Quat, pose: &mut Pose, model: &mut ModelPose) {
    let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| model[parent].rotation);
    let local = &mut pose.locals[joint.index()].rotation;
    *local = (above.conjugate() * turn * above * *local).normalize();
    model.refresh(skeleton, pose, joint);
}
