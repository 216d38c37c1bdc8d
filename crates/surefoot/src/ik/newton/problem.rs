//! A body with its freedoms and effectors, prepared once: which freedoms move what.

use super::Freedom;
use super::freedom::FreedomKind;
use crate::rig::{JointId, Skeleton};
use glam::{DQuat, DVec3, Vec3A};

/// A joint that objectives speak of, and how much of the body may move for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effector {
    /// The joint.
    pub joint: JointId,
    /// How many bones towards the root may move for it, at least: its parent's, its grandparent's, and so on. 0 only
    /// watches it. What other effectors move above it moves it too.
    pub depth: usize,
    /// Whether the joint itself may turn, which moves its direction and points off its origin.
    pub turns: bool,
}

impl Effector {
    /// A joint for whose place the whole body above it may move.
    #[must_use]
    pub fn place(joint: JointId) -> Self {
        Self { joint, depth: usize::MAX, turns: false }
    }

    /// A joint for whose place and direction it may turn itself, and the whole body above it may move.
    #[must_use]
    pub fn turning(joint: JointId) -> Self {
        Self { joint, depth: usize::MAX, turns: true }
    }

    /// A joint that is only looked at.
    #[must_use]
    pub fn watched(joint: JointId) -> Self {
        Self { joint, depth: 0, turns: false }
    }

    /// The same with another depth.
    #[must_use]
    pub fn within(self, depth: usize) -> Self {
        Self { depth, ..self }
    }
}

/// One joint of the trees that move, parents first.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) joint: JointId,
    /// The node it hangs from; `None` at the top of a tree.
    pub(super) parent: Option<usize>,
    /// Its freedoms, a range of the active ones: slides first.
    pub(super) freedoms: std::ops::Range<usize>,
    /// Freedoms at or above it, outer first.
    pub(super) chain: Vec<u16>,
}

/// A freedom that moves an effector.
#[derive(Clone, Debug)]
pub(super) struct Active {
    pub(super) node: usize,
    pub(super) hinge: bool,
    pub(super) axis: DVec3,
    pub(super) stiffness: f64,
    pub(super) limits: Option<[f64; 2]>,
}

/// A body prepared for solving: its freedoms, the trees that its effectors' chains merge into, and who moves what.
///
/// Never changes once built; shared between any number of [`IkState`](super::IkState)s. It needs nothing of the skeleton
/// but the tree: bone lengths are those of each pose.
#[derive(Clone, Debug)]
pub struct IkProblem {
    pub(super) nodes: Vec<Node>,
    pub(super) active: Vec<Active>,
    /// Node of each joint of the skeleton, if it has one.
    node_of: Vec<Option<u16>>,
    /// The joints above the trees, by tree top: the path from the skeleton's root down to the parent.
    pub(super) above: Vec<Vec<JointId>>,
    /// Rest rotations by node, for angles from rest.
    pub(super) rest: Vec<crate::math::Rigid>,
}

impl IkProblem {
    /// Prepares a body. Freedoms may come in any order; those of one joint keep theirs (outer first) but for slides, which
    /// come before hinges. Freedoms that move no effector are left out, as are those without room (low = high).
    #[must_use]
    pub fn new(skeleton: &Skeleton, freedoms: &[Freedom], effectors: &[Effector]) -> Self {
        let count = skeleton.len();
        // Which joints may move: from each effector as many bones up as its depth says.
        let mut moves = vec![false; count];
        let mut watched = vec![false; count];
        for effector in effectors.iter().filter(|effector| effector.joint.index() < count) {
            watched[effector.joint.index()] = true;
            moves[effector.joint.index()] |= effector.turns;
            for joint in skeleton.ancestry(effector.joint).skip(1).take(effector.depth) {
                moves[joint.index()] = true;
            }
        }
        // A joint is in a tree if it moves or hangs from one that does, and leads to an effector.
        let mut inside = vec![false; count];
        for joint in skeleton.joints() {
            let leads = skeleton.subtree(joint).any(|below| watched[below]);
            let hangs = skeleton.parent(joint).is_some_and(|parent| inside[parent.index()]);
            inside[joint.index()] = leads && (moves[joint.index()] || hangs || watched[joint.index()]);
        }

        let mut problem = Self {
            nodes: Vec::new(),
            active: Vec::new(),
            node_of: vec![None; count],
            above: Vec::new(),
            rest: Vec::new(),
        };
        for joint in skeleton.joints().filter(|joint| inside[joint.index()]) {
            let parent = skeleton.parent(joint).and_then(|p| problem.node_of[p.index()]).map(usize::from);
            let mut chain = parent.map_or(Vec::new(), |parent| problem.nodes[parent].chain.clone());
            let first = problem.active.len();
            let room = |f: &&Freedom| f.limits.is_none_or(|[low, high]| high > low);
            let own = || freedoms.iter().filter(|f| f.joint == joint && moves[joint.index()]).filter(room);
            let of = |kind| own().filter(move |f| f.kind == kind);
            for freedom in of(FreedomKind::Slide).chain(of(FreedomKind::Hinge)) {
                chain.push(problem.active.len() as u16);
                problem.active.push(Active {
                    node: problem.nodes.len(),
                    hinge: freedom.kind == FreedomKind::Hinge,
                    axis: freedom.axis.as_dvec3(),
                    stiffness: f64::from(freedom.stiffness.max(1e-6)),
                    limits: freedom.limits.map(|limits| limits.map(f64::from)),
                });
            }
            problem.node_of[joint.index()] = Some(problem.nodes.len() as u16);
            let path = match parent {
                Some(_) => Vec::new(),
                None => {
                    let mut path: Vec<JointId> = skeleton.ancestry(joint).skip(1).collect();
                    path.reverse();
                    path
                }
            };
            problem.above.push(path);
            problem.rest.push(skeleton.rest()[joint.index()]);
            problem.nodes.push(Node { joint, parent, freedoms: first..problem.active.len(), chain });
        }
        problem
    }

    /// Number of freedoms that move an effector: the length of a configuration.
    #[must_use]
    pub fn freedoms(&self) -> usize {
        self.active.len()
    }

    /// The joint of each of these freedoms.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = JointId> + '_ {
        self.active.iter().map(|freedom| self.nodes[freedom.node].joint)
    }

    /// Whether a joint moves with these freedoms, or is watched.
    #[must_use]
    pub fn holds(&self, joint: JointId) -> bool {
        self.node_of.get(joint.index()).is_some_and(Option::is_some)
    }

    /// The node of a joint.
    ///
    /// # Panics
    /// If the joint is on no chain of an effector.
    pub(super) fn node(&self, joint: JointId) -> usize {
        let node = self.node_of.get(joint.index()).copied().flatten();
        usize::from(node.unwrap_or_else(|| panic!("joint {} is on no effector's chain: watch it", joint.0)))
    }
}

/// A point or direction in double precision: derivatives are compared with differences to seven digits, and a pull of
/// 1e-4 stands beside residuals of 1e-6 m².
pub(super) fn double(v: Vec3A) -> DVec3 {
    v.as_dvec3()
}

/// A rotation in double precision, of unit length.
pub(super) fn double_rotation(q: glam::Quat) -> DQuat {
    let q = q.as_dquat();
    // One step of Newton's for 1/√ is enough for what single precision leaves.
    q * (1.5 - 0.5 * q.length_squared())
}
