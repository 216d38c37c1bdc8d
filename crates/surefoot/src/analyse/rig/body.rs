//! A body as evidence: its skin by joint at rest, what is a mere handle, and how tall it is.

use crate::rig::{JointId, ModelPose, Skeleton, Skin};
use glam::{Vec3, Vec3A};

/// A body in a pose, most often at rest, with what of its skin every joint holds.
pub(super) struct Body<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) rest: &'a ModelPose,
    /// The skin by joint; `None` for bare bones.
    pub(super) skin: Option<SkinByJoint>,
    /// Whether a joint or anything below it holds skin. What does not is a handle, a pole target or the end of a last bone.
    alive: Vec<bool>,
    /// Height of the lowest skin or joint, metres.
    pub(super) low: f32,
    /// From the lowest skin or joint to the highest, metres, never 0.
    pub(super) height: f32,
}

/// A skin at rest, by joint.
pub(super) struct SkinByJoint {
    /// Per joint the vertices that it holds most of, metres, model space at rest.
    vertices: Vec<Vec<Vec3A>>,
    /// Which they are.
    numbers: Vec<Vec<u32>>,
    /// Per joint the sum of its shares in all vertices.
    weights: Vec<f32>,
    /// Per vertex the joints that hold it, with their shares.
    shares: Vec<[(JointId, f32); 4]>,
}

impl SkinByJoint {
    fn new(skeleton: &Skeleton, pose: &ModelPose, skin: &Skin) -> Self {
        let mut by_joint = Self {
            vertices: vec![Vec::new(); skeleton.len()],
            numbers: vec![Vec::new(); skeleton.len()],
            weights: vec![0.0; skeleton.len()],
            shares: Vec::with_capacity(skin.positions.len()),
        };
        let mut places = vec![Vec3::ZERO; skin.positions.len()];
        skin.deform(pose, &mut places);
        for (vertex, place) in places.into_iter().enumerate() {
            let mut shares = [(JointId(0), 0.0); 4];
            let bones = skin.joints[vertex].into_iter().zip(skin.weights[vertex]);
            for (share, (bone, weight)) in shares.iter_mut().zip(bones) {
                *share = (skin.bones[usize::from(bone)].joint, weight);
            }
            let mut most = (JointId(0), 0.0);
            for (joint, weight) in shares {
                by_joint.weights[joint.index()] += weight;
                if weight > most.1 {
                    most = (joint, weight);
                }
            }
            if most.1 > 0.0 && place.is_finite() {
                by_joint.vertices[most.0.index()].push(Vec3A::from(place));
                by_joint.numbers[most.0.index()].push(vertex as u32);
            }
            by_joint.shares.push(shares);
        }
        by_joint
    }

    /// How much skin a joint moves: the sum of its shares in all vertices.
    pub(super) fn weight(&self, joint: JointId) -> f32 {
        self.weights[joint.index()]
    }

    /// The vertices that a joint holds most of, metres, model space at rest.
    pub(super) fn of(&self, joint: JointId) -> &[Vec3A] {
        &self.vertices[joint.index()]
    }

    /// The same without those that joints other than these hold more than a share of.
    pub(super) fn of_alone(
        &self,
        joint: JointId,
        (own, share): (impl Fn(JointId) -> bool, f32),
    ) -> impl Iterator<Item = &Vec3A> {
        let others = move |vertex: u32| -> f32 {
            self.shares[vertex as usize].iter().filter(|(joint, _)| !own(*joint)).map(|(_, weight)| *weight).sum()
        };
        let numbers = self.numbers[joint.index()].iter();
        self.of(joint).iter().zip(numbers).filter(move |(_, vertex)| others(**vertex) <= share).map(|(place, _)| place)
    }

    /// Whether joints share vertices at all: robots are often made of stiff parts.
    pub(super) fn blends(&self) -> bool {
        let shared = self.shares.iter().filter(|shares| shares.iter().all(|(_, weight)| *weight < 0.95)).count();
        20 * shared > self.shares.len()
    }

    /// How much skin two groups of joints hold together, as a share of the smaller one's: blends across an ankle are there
    /// even if the foot hangs from elsewhere.
    pub(super) fn blend(&self, a: &dyn Fn(JointId) -> bool, b: &dyn Fn(JointId) -> bool) -> f32 {
        let (mut both, mut of_a, mut of_b) = (0.0, 0.0, 0.0);
        for shares in &self.shares {
            let sum = |group: &dyn Fn(JointId) -> bool| -> f32 {
                shares.iter().filter(|(joint, weight)| *weight > 0.0 && group(*joint)).map(|(_, weight)| weight).sum()
            };
            let (in_a, in_b) = (sum(a), sum(b));
            both += f32::min(in_a, in_b);
            of_a += in_a;
            of_b += in_b;
        }
        both / f32::min(of_a, of_b).max(1e-6)
    }
}

impl<'a> Body<'a> {
    pub(super) fn new(skeleton: &'a Skeleton, rest: &'a ModelPose, skin: Option<&Skin>) -> Self {
        // A skin that holds nothing tells nothing.
        let skin = skin.map(|skin| SkinByJoint::new(skeleton, rest, skin));
        let skin = skin.filter(|skin| skin.vertices.iter().any(|vertices| !vertices.is_empty()));
        let alive = |joint: JointId| match &skin {
            Some(skin) => skeleton.subtree(joint).any(|i| skin.weights[i] > 0.0),
            None => true,
        };
        let alive = skeleton.joints().map(alive).collect();
        let heights: Vec<f32> = match &skin {
            Some(skin) => skin.vertices.iter().flatten().map(|vertex| vertex.y).collect(),
            None => rest.joints.iter().map(|joint| joint.translation.y).collect(),
        };
        let (low, high) =
            heights.into_iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
        Self { skeleton, rest, skin, alive, low, height: (high - low).max(1e-4) }
    }

    /// Where a joint is at rest, metres.
    pub(super) fn place(&self, joint: JointId) -> Vec3A {
        self.rest[joint].translation
    }

    /// Whether a joint or anything below it holds skin; of bare bones all do.
    pub(super) fn is_alive(&self, joint: JointId) -> bool {
        self.alive[joint.index()]
    }

    /// What hangs from a joint directly and is no mere handle or end.
    pub(super) fn children(&self, joint: JointId) -> impl Iterator<Item = JointId> + '_ {
        self.skeleton.children(joint).filter(|child| self.is_alive(*child))
    }

    /// The lowest that a joint's own skin is at rest; of bare bones the joint itself or the tip of its bone. Infinite for a
    /// joint that holds none.
    pub(super) fn lowest(&self, joint: JointId) -> f32 {
        match &self.skin {
            Some(skin) => skin.of(joint).iter().map(|vertex| vertex.y).fold(f32::INFINITY, f32::min),
            None => {
                let tips = self.skeleton.tips().iter().filter(|tip| tip.joint == joint);
                let tips = tips.map(|tip| self.rest[joint].transform_point(tip.offset).y);
                tips.fold(self.place(joint).y, f32::min)
            }
        }
    }

    /// The lowest of a joint and all below it.
    pub(super) fn lowest_below(&self, joint: JointId) -> f32 {
        self.skeleton.subtree(joint).map(|i| self.lowest(JointId(i as u16))).fold(f32::INFINITY, f32::min)
    }

    /// Where the bone of a joint ends that no joint with skin hangs from: its end bone's place or its tip's, or the middle of
    /// its lowest skin.
    pub(super) fn end_of(&self, joint: JointId) -> Option<Vec3A> {
        let apart = |place: &Vec3A| (*place - self.place(joint)).length() > 0.01 * self.height;
        let bone = self.skeleton.children(joint).map(|child| self.place(child)).find(apart);
        let tip = || {
            let tip = self.skeleton.tips().iter().find(|tip| tip.joint == joint)?;
            Some(self.rest[joint].transform_point(tip.offset))
        };
        bone.or_else(tip)
    }
}
