//! Legs and feet: what a character stands on.

use super::{JointId, Mirror, Side, Skeleton};
use crate::math::Rigid;
use glam::{Mat3, Quat, Vec3, Vec3A};

/// The place of a leg in its rig's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LegId(pub u8);

impl LegId {
    /// As an index into per-leg slices.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The sole: points rigid in ankle space that touch the ground. Joints are not foot points; they sit above it and
/// move as the foot rolls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// Hindmost point of the sole, metres in ankle space.
    pub heel: Vec3A,
    /// The ball, under the toes' joint, metres in ankle space.
    pub ball: Vec3A,
    /// The sole's upward normal, a unit vector in ankle space.
    pub up: Vec3A,
    /// Tip of the toes, metres in toe space (ankle space if there is no toe joint); for clearance only.
    pub tip: Option<Vec3A>,
    /// Heel to tip, metres.
    pub length: f32,
    /// Across, metres.
    pub width: f32,
}

/// One leg: a chain of joints that ends in a foot.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// The side it is on, if it has one.
    pub side: Option<Side>,
    /// Hip, inner joints, ankle. Joints of the skeleton between them move as one piece with the joint above. Where no joint
    /// carries the foot, the last inner joint stands for the ankle too, and the foot is a point.
    pub chain: Vec<JointId>,
    /// Hinge axis of each inner joint, a unit vector in that joint's parent space: towards the character's left where the
    /// joint lies in front of the line from hip to ankle, as knees do, to the right where it lies behind.
    pub hinges: Vec<Vec3A>,
    /// The joint at the base of the toes.
    pub toe: Option<JointId>,
    /// Where the lower leg ends, metres in the space of the last inner joint, for a foot that does not hang from it;
    /// `None` where the ankle is that end.
    pub shin: Option<Vec3A>,
    /// The foot.
    pub foot: Foot,
}

/// A skeleton that knows what it walks on.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// The body.
    pub skeleton: Skeleton,
    /// Its legs, left before right.
    pub legs: Vec<Leg>,
    /// Its symmetry, if it has one.
    pub mirror: Option<Mirror>,
}

impl Foot {
    /// Whether it touches the ground in one point only, as a spider's does: it has no direction to keep.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.heel == self.ball
    }

    /// The sole's own frame: origin half way from heel to ball, +Z from heel to ball, +Y up from the ground.
    #[must_use]
    pub fn ankle_from_sole(&self) -> Rigid {
        let up = Vec3::from(self.up);
        let along = Vec3::from(self.ball - self.heel);
        let forward = (along - up * along.dot(up)).normalize_or(up.any_orthonormal_vector());
        let axes = Mat3::from_cols(up.cross(forward), up, forward);
        Rigid { rotation: Quat::from_mat3(&axes).normalize(), translation: 0.5 * (self.heel + self.ball) }
    }
}

impl Leg {
    /// The joint it hangs from the body by.
    ///
    /// # Panics
    /// If the chain is empty.
    #[must_use]
    pub fn hip(&self) -> JointId {
        self.chain[0]
    }

    /// The last joint of the chain, which carries the foot.
    ///
    /// # Panics
    /// If the chain is empty.
    #[must_use]
    pub fn ankle(&self) -> JointId {
        self.chain[self.chain.len() - 1]
    }

    /// Whether its foot goes with the lower leg: one that stands on a point has no direction to keep.
    #[must_use]
    pub fn goes_with_shin(&self) -> bool {
        self.foot.is_point() && self.shin.is_none()
    }

    /// Whether no joint carries its foot: the lower leg ends in it, and stands on a point.
    #[must_use]
    pub fn foot_has_no_joint(&self) -> bool {
        self.chain.len() > 1 && self.chain[self.chain.len() - 2] == self.ankle()
    }

    /// Where the lower leg ends in a pose, metres, model space.
    ///
    /// # Panics
    /// If the chain has fewer than two joints.
    #[must_use]
    pub fn shin_end(&self, pose: &super::ModelPose) -> Vec3A {
        let last = self.chain[self.chain.len() - 2];
        let no_joint = self.foot_has_no_joint().then_some(self.foot.ball);
        let end = self.shin.or(no_joint);
        end.map_or(pose[self.ankle()].translation, |end| pose[last].transform_point(end))
    }

    /// Hip to ankle along the joints at rest, metres; to the sole where the foot has no joint.
    #[must_use]
    pub fn length(&self, skeleton: &Skeleton) -> f32 {
        // From the root down, as poses are composed, and without room for one.
        fn at(skeleton: &Skeleton, joint: JointId) -> Rigid {
            let local = skeleton.rest()[joint.index()];
            skeleton.parent(joint).map_or(local, |parent| at(skeleton, parent) * local)
        }
        let place = |joint: JointId| at(skeleton, joint).translation;
        let bones: f32 = self.chain.windows(2).map(|pair| (place(pair[1]) - place(pair[0])).length()).sum();
        if self.foot_has_no_joint() { bones + self.foot.ball.length() } else { bones }
    }
}

/// A trunk rises by this share of a leg over the joint that carries the legs.
const TRUNK: f32 = 0.4;
/// A trunk has so many joints at least, its head counted.
const TRUNK_JOINTS: usize = 3;

impl Rig {
    /// Mean leg length, metres; 1 for a rig without legs.
    #[must_use]
    pub fn leg_length(&self) -> f32 {
        if self.legs.is_empty() {
            return 1.0;
        }
        self.legs.iter().map(|leg| leg.length(&self.skeleton)).sum::<f32>() / self.legs.len() as f32
    }

    /// How large it is.
    #[must_use]
    pub fn scale(&self) -> super::Scale {
        super::Scale::of_leg(self.leg_length())
    }

    /// The joint that carries all legs: moving it moves every hip. The skeleton's pelvis for a rig without legs.
    #[must_use]
    pub fn body(&self) -> JointId {
        self.carrier().unwrap_or(self.skeleton.pelvis())
    }

    /// The joints that must move together for every hip to move: the one that carries all legs, or all roots of a body that has
    /// none, but for feet that hang from nothing.
    pub(crate) fn carriers(&self) -> Vec<JointId> {
        let foot = |root: JointId| {
            let loose = self.legs.iter().filter(|leg| leg.shin.is_some());
            loose.into_iter().any(|leg| self.skeleton.ancestry(leg.ankle()).any(|joint| joint == root))
        };
        let carries = |root: JointId| {
            self.legs.iter().any(|leg| self.skeleton.ancestry(leg.hip()).any(|joint| joint == root)) || !foot(root)
        };
        match self.carrier() {
            Some(one) => vec![one],
            None if self.legs.is_empty() => vec![self.skeleton.pelvis()],
            None => self.skeleton.roots().filter(|root| carries(*root)).collect(),
        }
    }

    /// The joint that all legs hang from, and the trunk with them, if there is one.
    fn carrier(&self) -> Option<JointId> {
        let above = |leg: &Leg| self.skeleton.ancestry(leg.hip()).skip(1).collect::<Vec<_>>();
        let mut legs = self.legs.iter().map(above);
        let first = legs.next()?;
        let rest: Vec<Vec<JointId>> = legs.collect();
        let all = first.iter().find(|joint| rest.iter().all(|other| other.contains(joint))).copied()?;
        Some(self.with_trunk(all).unwrap_or(all))
    }

    /// The joint above one that carries all legs and nothing else, if a trunk hangs from it beside them.
    pub(crate) fn with_trunk(&self, carrier: JointId) -> Option<JointId> {
        let skeleton = &self.skeleton;
        let has = |joint: JointId, other: JointId| skeleton.subtree(joint).contains(&other.index());
        let bears = |joint: JointId| self.legs.iter().any(|leg| has(joint, leg.hip()));
        if !skeleton.children(carrier).all(bears) {
            return None;
        }
        let rest = super::ModelPose::new(skeleton);
        let high = rest[carrier].translation.y + TRUNK * self.leg_length();
        let is_trunk = |joint: JointId| {
            let joints = skeleton.subtree(joint);
            !bears(joint)
                && joints.len() >= TRUNK_JOINTS
                && joints.into_iter().any(|i| rest.joints[i].translation.y > high)
        };
        skeleton.ancestry(carrier).skip(1).find(|above| skeleton.children(*above).any(is_trunk))
    }

    /// Every leg with its id.
    pub fn legs(&self) -> impl Iterator<Item = (LegId, &Leg)> {
        self.legs.iter().enumerate().map(|(i, leg)| (LegId(i as u8), leg))
    }
}
