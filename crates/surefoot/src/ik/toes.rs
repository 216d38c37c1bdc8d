//! Toes that are turned up so as not to be in the ground.

use crate::math::{single, smoothstep};
use crate::rig::{JointId, ModelPose, Pose, Skeleton};
use glam::{Quat, Vec3A};

/// Toes are turned up by no more than this, radians.
const MOST_TOES: f32 = 1.0;

/// Toes of a foot, model space.
pub(crate) struct Toes {
    pub(crate) toe: JointId,
    /// Their tip, metres in the joint's space.
    pub(crate) tip: Vec3A,
    /// A point of the ground, and what is up from it.
    pub(crate) ground: Vec3A,
    pub(crate) up: Vec3A,
    /// About what they turn up: to the right of the foot, along the ground.
    pub(crate) axis: Vec3A,
    /// How far they are turned up at least, and at most, radians.
    pub(crate) least: f32,
    pub(crate) most: f32,
}

/// Turns toes up that would be in the ground; by how much, radians. Toes that point straight down or backwards stay as they are.
pub(crate) fn raise_toes(skeleton: &Skeleton, pose: &mut Pose, model: &mut ModelPose, toes: Toes) -> f32 {
    let Toes { toe, tip, ground, up, axis, least, most } = toes;
    let joint = model[toe];
    let out = joint.transform_vector(tip);
    // Turned by θ the tip is cos θ · rise + sin θ · ahead over the joint.
    let (rise, ahead) = (out.dot(up), axis.cross(out).dot(up));
    let far = (rise * rise + ahead * ahead).sqrt();
    if far < 1e-4 {
        return 0.0;
    }
    let should = (-(joint.translation - ground).dot(up)).min(0.9 * far);
    let raise =
        if rise >= should { 0.0 } else { single::atan2(ahead, rise) - single::acos((should / far).clamp(-1.0, 1.0)) };
    let raise = (raise.min(MOST_TOES) * smoothstep(ahead / (0.5 * far)).max(0.0)).max(least).min(most);
    if raise < 1e-4 {
        return 0.0;
    }
    let turn = Quat::from_axis_angle(axis.into(), raise);
    let above = skeleton.parent(toe).map_or(Quat::IDENTITY, |parent| model[parent].rotation);
    pose.locals[toe.index()].rotation = (above.conjugate() * turn * joint.rotation).normalize();
    model.refresh(skeleton, pose, toe);
    raise
}
