//! A pose as lines, bone by bone.

use super::{Draw, Ink};
use crate::math::Rigid;
use crate::rig::{JointId, ModelPose, Side, Skeleton};
use glam::Vec3A;

/// Every bone of a skeleton: the joint it turns with, and its far end in that joint's space at rest (metres).
/// Bones of no length are left out, and so is what [leads to a handle](leads_to_bone).
pub fn bones(skeleton: &Skeleton) -> impl Iterator<Item = (JointId, Vec3A)> + '_ {
    let between = skeleton
        .joints()
        .filter(|child| leads_to_bone(skeleton, *child))
        .filter_map(|child| Some((skeleton.parent(child)?, skeleton.rest()[child.index()].translation)));
    let last = skeleton.tips().iter().map(|tip| (tip.joint, tip.offset));
    between.chain(last).filter(|(_, offset)| offset.length() > 1e-4)
}

/// Whether there is a bone between a joint and its parent: what is above the pelvis carries the body's travel, and what else hangs
/// from there are handles of the rig, such as targets of hands and knees.
#[must_use]
pub fn leads_to_bone(skeleton: &Skeleton, joint: JointId) -> bool {
    let above = |parent: JointId| skeleton.ancestry(skeleton.pelvis()).skip(1).any(|above| above == parent);
    skeleton.parent(joint).is_none_or(|parent| !above(parent))
}

/// Draws a pose: a line from every joint to its parent, and one to every tip.
pub fn draw_skeleton(skeleton: &Skeleton, world_from_model: Rigid, pose: &ModelPose, draw: &mut impl Draw) {
    draw_joints(skeleton, world_from_model, pose, |_| true, draw);
}

/// The same for some joints only: those that `shown` holds for.
pub fn draw_joints(
    skeleton: &Skeleton,
    world_from_model: Rigid,
    pose: &ModelPose,
    shown: impl Fn(JointId) -> bool,
    draw: &mut impl Draw,
) {
    let place = |joint: JointId| world_from_model.transform_point(pose[joint].translation);
    for joint in skeleton.joints().filter(|joint| shown(*joint)) {
        if let Some(parent) = skeleton.parent(joint) {
            draw.line(place(parent), place(joint), ink(skeleton, joint));
        }
    }
    for tip in skeleton.tips().iter().filter(|tip| shown(tip.joint)) {
        let end = (world_from_model * pose[tip.joint]).transform_point(tip.offset);
        draw.line(place(tip.joint), end, ink(skeleton, tip.joint));
    }
}

fn ink(skeleton: &Skeleton, joint: JointId) -> Ink {
    match skeleton.side(joint) {
        Some(Side::Left) => Ink::Left,
        Some(Side::Right) => Ink::Right,
        None => Ink::Middle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Joint;

    #[test]
    fn handles_of_a_rig_are_no_bones() {
        let at = |x: f32, y: f32| Rigid::from_translation(Vec3A::new(x, y, 0.0));
        let joints = vec![
            Joint::new("root", None, at(0.0, 0.0)),
            Joint::new("hips", Some(0), at(0.0, 1.0)),
            Joint::new("leg", Some(1), at(0.1, 0.0)),
            Joint::new("foot", Some(2), at(0.0, -0.9)),
            Joint::new("knee pole", Some(0), at(0.0, 0.5)),
        ];
        let skeleton = Skeleton::new(joints).unwrap();
        let pelvis = skeleton.find("hips");
        let skeleton = skeleton.with_pelvis(pelvis.unwrap());
        let ends: Vec<&str> =
            skeleton.joints().filter(|j| leads_to_bone(&skeleton, *j)).map(|j| skeleton.name(j)).collect();
        assert_eq!(ends, ["root", "leg", "foot"], "neither the pole nor what leads up to the hips");
        assert_eq!(bones(&skeleton).count(), 2);
    }
}
