//! Poses: joint transforms in two spaces, as two types that the compiler keeps apart.

use super::{JointId, Skeleton};
use crate::math::Rigid;
use std::ops::Index;

/// A pose as it is animated: where the character is, and each joint relative to its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// `world_from_model`: where the character stands.
    pub root: Rigid,
    /// `parent_from_joint`, by joint; a root joint's parent is the model.
    pub locals: Vec<Rigid>,
}

/// The same pose with every joint relative to the character.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPose {
    /// `model_from_joint`, by joint.
    pub joints: Vec<Rigid>,
}

impl Pose {
    /// The rest pose of a skeleton, at the origin.
    #[must_use]
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self { root: Rigid::IDENTITY, locals: skeleton.rest().to_vec() }
    }

    /// Composes joints from the roots outwards into `model`, whose length must be the skeleton's. Allocates nothing.
    ///
    /// # Panics
    /// If the pose or `model` was made for another number of joints.
    pub fn to_model(&self, skeleton: &Skeleton, model: &mut ModelPose) {
        compose(skeleton.parents(), &self.locals, &mut model.joints, 0..skeleton.len());
    }
}

impl ModelPose {
    /// The rest pose of a skeleton.
    #[must_use]
    pub fn new(skeleton: &Skeleton) -> Self {
        let mut model = Self { joints: vec![Rigid::IDENTITY; skeleton.len()] };
        compose(skeleton.parents(), skeleton.rest(), &mut model.joints, 0..skeleton.len());
        model
    }

    /// Composes again only `from` and what hangs from it, after those locals have changed.
    ///
    /// # Panics
    /// If the pose was made for another number of joints.
    pub fn refresh(&mut self, skeleton: &Skeleton, pose: &Pose, from: JointId) {
        self.refresh_range(skeleton, pose, skeleton.subtree(from));
    }

    /// Composes only [chains](Skeleton::chains_to) of joints; all others stay as they are.
    pub(crate) fn compose_some(&mut self, skeleton: &Skeleton, locals: &[Rigid], joints: &[JointId]) {
        for joint in joints {
            let local = locals[joint.index()];
            let parent = skeleton.parent(*joint);
            self.joints[joint.index()] = parent.map_or(local, |parent| self.joints[parent.index()] * local);
        }
    }

    /// Composes again only a range of joints, whose parents are in it or have not changed.
    pub(crate) fn refresh_range(&mut self, skeleton: &Skeleton, pose: &Pose, range: std::ops::Range<usize>) {
        compose(skeleton.parents(), &pose.locals, &mut self.joints, range);
    }
}

impl Index<JointId> for ModelPose {
    type Output = Rigid;

    #[inline]
    fn index(&self, joint: JointId) -> &Rigid {
        &self.joints[joint.index()]
    }
}

/// `model_from_joint = model_from_parent * parent_from_joint` over a range of joints, parents first.
fn compose(parents: &[Option<JointId>], locals: &[Rigid], model: &mut [Rigid], range: std::ops::Range<usize>) {
    let count = parents.len();
    assert!(
        locals.len() == count && model.len() == count,
        "a pose of {} joints on a skeleton of {count}",
        locals.len()
    );
    let (parents, locals) = (&parents[range.clone()], &locals[range.clone()]);
    for (joint, (parent, local)) in range.zip(parents.iter().zip(locals)) {
        model[joint] = parent.map_or(*local, |parent| model[parent.index()] * *local);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Joint;
    use glam::{Quat, Vec3A};

    fn arm() -> Skeleton {
        let up = Rigid::from_translation(Vec3A::Y);
        Skeleton::new(vec![
            Joint::new("a", None, up),
            Joint::new("b", Some(0), up),
            Joint::new("c", Some(1), up),
            Joint::new("d", Some(0), up),
        ])
        .unwrap()
    }

    #[test]
    fn a_turned_joint_carries_what_hangs_from_it() {
        let arm = arm();
        let mut pose = Pose::rest(&arm);
        pose.locals[1].rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let mut model = ModelPose::new(&arm);
        assert_eq!(model[JointId(2)].translation, Vec3A::new(0.0, 3.0, 0.0));
        pose.to_model(&arm, &mut model);
        // A quarter turn about +Z takes up to +X's opposite.
        assert!((model[JointId(2)].translation - Vec3A::new(-1.0, 2.0, 0.0)).length() < 1e-6, "{model:?}");
        assert_eq!(model[JointId(3)].translation, Vec3A::new(0.0, 2.0, 0.0));
    }

    #[test]
    fn refreshing_a_subtree_equals_composing_all() {
        let arm = arm();
        let mut pose = Pose::rest(&arm);
        let mut partial = ModelPose::new(&arm);
        pose.locals[1].rotation = Quat::from_rotation_x(0.3);
        partial.refresh(&arm, &pose, JointId(1));
        let mut whole = ModelPose::new(&arm);
        pose.to_model(&arm, &mut whole);
        assert_eq!(partial, whole);
        let chain = arm.chains_to([JointId(2)]);
        assert_eq!(chain, [JointId(0), JointId(1), JointId(2)]);
        let mut some = ModelPose::new(&arm);
        some.compose_some(&arm, &pose.locals, &chain);
        assert_eq!(some, whole, "what is left out has not moved");
    }
}
