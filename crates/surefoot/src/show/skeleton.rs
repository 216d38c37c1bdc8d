//! A pose as lines, bone by bone.

use super::{Draw, Ink};
use crate::math::Rigid;
use crate::rig::{JointId, ModelPose, Side, Skeleton};
use glam::Vec3A;

/// Every bone of a skeleton: the joint it turns with, and its far end in that joint's space at rest (metres).
/// Bones of no length are left out.
pub fn bones(skeleton: &Skeleton) -> impl Iterator<Item = (JointId, Vec3A)> + '_ {
    let between = skeleton
        .joints()
        .filter_map(|child| Some((skeleton.parent(child)?, skeleton.rest()[child.index()].translation)));
    let last = skeleton.tips().iter().map(|tip| (tip.joint, tip.offset));
    between.chain(last).filter(|(_, offset)| offset.length() > 1e-4)
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
