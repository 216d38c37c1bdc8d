//! The skin: a triangle mesh whose vertices follow joints.

use super::{JointId, ModelPose, Skeleton};
use glam::{Affine3A, Vec3, Vec3A};

/// A joint as one mesh is bound to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// The joint.
    pub joint: JointId,
    /// `joint_from_bind`: takes a vertex from [`Skin::positions`] to the joint's space, metres. Rigid, but for scale
    /// that a file put between the two.
    pub joint_from_bind: Affine3A,
}

/// All meshes of a character as one: triangles over vertices, each held by up to four bones.
///
/// Vertices stand as they were bound, in metres in model space. Where a file's bind pose is the rest pose, that is the
/// character at rest; [`at_rest`](Self::at_rest) gives the rest pose in any case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Places of the vertices as bound, metres, model space.
    pub positions: Vec<Vec3>,
    /// Corners of the triangles, counter-clockwise seen from outside, as indices into `positions`.
    pub triangles: Vec<[u32; 3]>,
    /// The bones that hold the vertices; a joint has one per mesh that was bound to it.
    pub bones: Vec<Bone>,
    /// Per vertex the bones that hold it, as indices into `bones`.
    pub joints: Vec<[u16; 4]>,
    /// Per vertex the share of each of these bones, ≥ 0, with a sum of 1.
    pub weights: Vec<[f32; 4]>,
}

impl Skin {
    /// Places of all vertices in a pose, metres, model space (linear blend skinning). Allocates nothing.
    ///
    /// # Panics
    /// If `out` is not as long as `positions`, or the pose lacks joints that the bones name.
    pub fn deform(&self, pose: &ModelPose, out: &mut [Vec3]) {
        assert_eq!(out.len(), self.positions.len(), "one place per vertex");
        for (vertex, place) in out.iter_mut().enumerate() {
            let bound = Vec3A::from(self.positions[vertex]);
            let mut sum = Vec3A::ZERO;
            for (bone, weight) in self.joints[vertex].into_iter().zip(self.weights[vertex]) {
                if weight > 0.0 {
                    let bone = &self.bones[usize::from(bone)];
                    sum += weight * pose[bone.joint].transform_point(bone.joint_from_bind.transform_point3a(bound));
                }
            }
            *place = sum.into();
        }
    }

    /// Places of all vertices in a skeleton's rest pose, metres, model space.
    ///
    /// # Panics
    /// If the skeleton lacks joints that the bones name.
    #[must_use]
    pub fn at_rest(&self, skeleton: &Skeleton) -> Vec<Vec3> {
        let mut places = vec![Vec3::ZERO; self.positions.len()];
        self.deform(&ModelPose::new(skeleton), &mut places);
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rigid;
    use crate::rig::{Joint, Pose};
    use glam::Quat;

    #[test]
    fn vertices_follow_their_joints() {
        let up = Rigid::from_translation(Vec3A::Y);
        let arm = Skeleton::new(vec![Joint::new("a", None, Rigid::IDENTITY), Joint::new("b", Some(0), up)]).unwrap();
        let bone = |joint: u16, down: f32| Bone {
            joint: JointId(joint),
            joint_from_bind: Affine3A::from_translation(Vec3::new(0.0, -down, 0.0)),
        };
        let skin = Skin {
            positions: vec![Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.0, 2.0, 0.0)],
            triangles: vec![[0, 1, 2]],
            bones: vec![bone(0, 0.0), bone(1, 1.0)],
            joints: vec![[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]],
            weights: vec![[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]],
        };
        let mut out = vec![Vec3::ZERO; 3];
        skin.deform(&ModelPose::new(&arm), &mut out);
        assert_eq!(out, skin.positions, "at rest nothing moves");
        let mut pose = Pose::rest(&arm);
        pose.locals[1].rotation = Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2);
        let mut model = ModelPose::new(&arm);
        pose.to_model(&arm, &mut model);
        skin.deform(&model, &mut out);
        let turned = Vec3::new(1.0, 1.0, 0.0);
        assert!((out[0] - skin.positions[0]).length() < 1e-6 && (out[1] - turned).length() < 1e-6, "{out:?}");
        assert!((out[2] - 0.5 * (skin.positions[2] + turned)).length() < 1e-6, "half way: {out:?}");
    }
}
