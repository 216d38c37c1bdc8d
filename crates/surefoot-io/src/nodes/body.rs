//! The nodes that are joints, and what they tell together.

use super::similar::Similar;
use crate::infer::Figure;
use surefoot::glam::Vec3;
use surefoot::math::Rigid;
use surefoot::rig::{JointId, Side};

/// Transforms that all clips may unfold to beyond one for each byte of the file: a day in two keys is not a motion.
const ALLOWANCE: usize = 1 << 20;
/// Frames looked at to find out about axes.
const LOOKS: usize = 9;

/// The most transforms that the clips of a file of this size may unfold to.
pub(crate) fn budget(bytes: usize) -> usize {
    crate::bounds::MAX_TRANSFORMS.min(ALLOWANCE + bytes)
}

/// The nodes that make the skeleton, depth first.
pub(crate) struct Body {
    pub(crate) joints: Vec<Joint>,
    /// The joint that a node is.
    pub(crate) of_node: Vec<Option<usize>>,
    /// Whether a node stands above a root: its transform is part of all joints' places.
    pub(crate) is_above: Vec<bool>,
}

/// A node as a joint.
pub(crate) struct Joint {
    pub(crate) node: usize,
    pub(crate) parent: Option<usize>,
    pub(crate) name: String,
    /// What the node's own transform is put into: for a root the place of the node above it in the scene, for others
    /// the scale of everything above. File units.
    pub(crate) above: Similar,
    /// The node's own scale.
    pub(crate) scale: f32,
}

/// One animation, sampled: `parent_from_joint` frame after frame in file units, all scale taken in.
pub(crate) struct Motion {
    pub(crate) name: String,
    /// Its index in the file; `None` for the rest pose as a clip.
    pub(crate) animation: Option<usize>,
    /// The time of its first key, seconds.
    pub(crate) start: f32,
    pub(crate) locals: Vec<Rigid>,
}

impl Joint {
    /// A node transform in its parent joint's space, or in the scene for a root: file units, all scale taken in.
    pub(crate) fn placed(&self, local: Rigid) -> Rigid {
        self.above.then(Similar { rigid: local, scale: 1.0 }).rigid
    }
}

impl Body {
    /// The body in the file's own axes, at rest and in a few frames.
    pub(crate) fn figure<'a>(&'a self, rest: &[Rigid], motions: &[Motion]) -> Figure<'a> {
        let positions = |locals: &[Rigid]| {
            let mut model: Vec<Rigid> = Vec::with_capacity(locals.len());
            for (joint, local) in self.joints.iter().zip(locals) {
                model.push(joint.parent.map_or(*local, |parent| model[parent] * *local));
            }
            model.into_iter().map(|joint| Vec3::from(joint.translation)).collect::<Vec<_>>()
        };
        // One frame of each of the first motions.
        let joints = self.joints.len();
        let looks = motions.iter().take(LOOKS).map(|motion| {
            let middle = motion.locals.len() / joints / 2;
            positions(&motion.locals[middle * joints..(middle + 1) * joints])
        });
        Figure::new(
            self.joints.iter().map(|joint| joint.name.as_str()).collect(),
            self.joints.iter().map(|joint| joint.parent).collect(),
            positions(rest),
            looks.collect(),
        )
    }

    /// Brings poses from the file's unit and axes to ours: `unit` is metres per unit of the file.
    pub(crate) fn convert(&self, locals: &mut [Rigid], unit: f32, turn: Rigid) {
        for (local, joint) in locals.iter_mut().zip(self.joints.iter().cycle()) {
            local.translation *= unit;
            if joint.parent.is_none() {
                *local = turn * *local;
            }
        }
    }

    /// Whether nothing hangs from a joint.
    pub(crate) fn is_last(&self, joint: usize) -> bool {
        self.joints.get(joint + 1).is_none_or(|next| next.parent != Some(joint))
    }

    /// Whether a pose is none that a body stands in.
    pub(crate) fn is_no_body(&self, rest: &[Rigid], motions: &[Motion]) -> bool {
        let figure = self.figure(rest, motions);
        figure.rest_is_no_body() || (self.joints.len() > 1 && figure.size() <= 0.0)
    }

    /// Locals of the pose in which joints stand where `placed` has them in the scene; others as in `standing`.
    pub(crate) fn bound_pose(&self, placed: Vec<Option<Rigid>>, standing: &[Rigid]) -> Vec<Rigid> {
        let mut model: Vec<Rigid> = Vec::with_capacity(placed.len());
        let mut locals = Vec::with_capacity(placed.len());
        for (joint, own) in placed.into_iter().enumerate() {
            let parent = self.joints[joint].parent.map_or(Rigid::IDENTITY, |parent| model[parent]);
            let own = own.unwrap_or(parent * standing[joint]);
            let local = parent.inverse() * own;
            locals.push(Rigid { rotation: local.rotation.normalize(), ..local });
            model.push(own);
        }
        locals
    }

    /// The joint that the legs hang from. Where that is a root, feet are controls that hang from it (a rig's, for its
    /// own IK), and a joint that is called so is the pelvis.
    pub(crate) fn pelvis(&self, figure: &Figure<'_>) -> JointId {
        let found = figure.pelvis();
        let sides = Side::of_names(&self.joints.iter().map(|joint| joint.name.as_str()).collect::<Vec<_>>());
        let called = |joint: &usize| {
            let name = self.joints[*joint].name.to_lowercase();
            sides[*joint].is_none() && (name.contains("hips") || name.contains("pelvis"))
        };
        let controls = self.joints[found].parent.is_none();
        let named = (0..self.joints.len()).find(called).filter(|_| controls);
        JointId(named.unwrap_or(found) as u16)
    }
}
