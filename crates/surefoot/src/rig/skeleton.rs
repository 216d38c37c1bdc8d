//! The skeleton: named joints in depth-first order with a rest pose.

use super::{Leg, Side};
use crate::math::Rigid;
use glam::Vec3A;
use std::ops::Range;

/// The place of a joint in its skeleton's depth-first order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointId(pub u16);

impl JointId {
    /// As an index into per-joint slices.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One joint as [`Skeleton::new`] takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name in the source file; may repeat.
    pub name: String,
    /// The joint it hangs from, as an index into the same list; `None` for a root.
    pub parent: Option<usize>,
    /// `parent_from_joint` at rest.
    pub rest: Rigid,
}

impl Joint {
    /// From its parts.
    #[must_use]
    pub fn new(name: impl Into<String>, parent: Option<usize>, rest: Rigid) -> Self {
        Self { name: name.into(), parent, rest }
    }
}

/// The far end of a last bone (a BVH "End Site"): a point fixed to a joint, such as a toe tip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tip {
    /// The joint it is fixed to.
    pub joint: JointId,
    /// Where, metres in the joint's space.
    pub offset: Vec3A,
}

/// Whether a name is that of the end of a bone of another name.
#[must_use]
pub fn is_end_name(name: &str, above: &str) -> bool {
    let [own, above] = [name, above].map(str::to_lowercase);
    let added = own.strip_prefix(above.as_str()).filter(|_| !above.is_empty());
    added.is_some_and(|added| ["end", "nub"].iter().any(|end| added.contains(end)))
}

/// A fingerprint of a skeleton: equal for equal names, parents and rest transforms. Clips carry the one they were
/// made for, so that a clip on the wrong body is caught at the door.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SkeletonKey(pub u64);

/// Why a list of joints is no skeleton.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// The list is empty.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// More joints than a [`JointId`] can name.
    #[error("{count} joints are more than the {} that a skeleton may have", Skeleton::MAX_JOINTS)]
    TooMany {
        /// How many there were.
        count: usize,
    },
    /// A joint does not come right after its parent or one of its parent's descendants.
    #[error(
        "joint {joint} ({name:?}) is not in depth-first order: parent {parent} must be an ancestor of, or equal to, the joint before it"
    )]
    Order {
        /// Index of the joint.
        joint: usize,
        /// Its name.
        name: String,
        /// Index of its parent.
        parent: usize,
    },
    /// A rest transform holds NaN or infinity, or a rotation that is not of unit length.
    #[error("the rest transform of joint {joint} ({name:?}) is not a finite rigid transform")]
    Rest {
        /// Index of the joint.
        joint: usize,
        /// Its name.
        name: String,
    },
}

/// Named joints in depth-first order: a parent comes before its children, and a subtree is one range.
///
/// Never changes once built; shared by reference between clips, poses and threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    names: Vec<String>,
    parents: Vec<Option<JointId>>,
    subtree_ends: Vec<u16>,
    rest: Vec<Rigid>,
    tips: Vec<Tip>,
    known: Vec<Leg>,
    sides: Vec<Option<Side>>,
    pelvis: JointId,
    legs: Vec<Vec<JointId>>,
    key: SkeletonKey,
}

impl Skeleton {
    /// The most joints a skeleton may have.
    pub const MAX_JOINTS: usize = 16_384;

    /// From a list of joints in depth-first order (see [`depth_first`](Self::depth_first) for other orders).
    ///
    /// # Errors
    /// If the list is empty, too long, out of order, or holds a rest transform that is not rigid.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        let count = joints.len();
        if count == 0 {
            return Err(SkeletonError::Empty);
        }
        if count > Self::MAX_JOINTS {
            return Err(SkeletonError::TooMany { count });
        }

        // The joints from the root down to the last one seen: a new joint must hang from one of them.
        let mut open: Vec<usize> = Vec::new();
        let mut subtree_ends = vec![0_u16; count];
        for (index, joint) in joints.iter().enumerate() {
            while open.last().copied() != joint.parent {
                match open.pop() {
                    Some(closed) => subtree_ends[closed] = index as u16,
                    None => {
                        let parent = joint.parent.unwrap_or_default();
                        return Err(SkeletonError::Order { joint: index, name: joint.name.clone(), parent });
                    }
                }
            }
            let unit = (joint.rest.rotation.length_squared() - 1.0).abs() < 1e-3;
            if !(joint.rest.is_finite() && unit) {
                return Err(SkeletonError::Rest { joint: index, name: joint.name.clone() });
            }
            open.push(index);
        }
        for left in open {
            subtree_ends[left] = count as u16;
        }

        let mut skeleton = Self {
            names: Vec::with_capacity(count),
            parents: Vec::with_capacity(count),
            rest: Vec::with_capacity(count),
            subtree_ends,
            tips: Vec::new(),
            known: Vec::new(),
            sides: Vec::new(),
            pelvis: JointId(0),
            legs: Vec::new(),
            key: SkeletonKey(0),
        };
        for joint in joints {
            skeleton.names.push(joint.name);
            skeleton.parents.push(joint.parent.map(|p| JointId(p as u16)));
            skeleton.rest.push(joint.rest);
        }
        // A joint without a side in its name has that of the joint it hangs from.
        let own = Side::of_names(&skeleton.names);
        for (side, parent) in own.into_iter().zip(&skeleton.parents) {
            let above = parent.and_then(|p| skeleton.sides[p.index()]);
            skeleton.sides.push(side.or(above));
        }
        skeleton.key = skeleton.fingerprint();
        Ok(skeleton)
    }

    /// The same skeleton with the far ends of its last bones. Tips of joints that do not exist are left out.
    #[must_use]
    pub fn with_tips(mut self, tips: impl IntoIterator<Item = Tip>) -> Self {
        self.tips =
            tips.into_iter().filter(|tip| tip.joint.index() < self.names.len() && tip.offset.is_finite()).collect();
        self
    }

    /// The same skeleton with legs that are known and need not be found: those that a file was made with, or a body of which
    /// this is made. None are kept if one of them is no chain of three or more of its joints.
    #[must_use]
    pub fn with_known_legs(mut self, legs: Vec<Leg>) -> Self {
        let count = self.names.len();
        let fits = |leg: &Leg| leg.chain.len() >= 3 && leg.chain.iter().chain(&leg.toe).all(|j| j.index() < count);
        self.known = if legs.iter().all(fits) { legs } else { Vec::new() };
        self
    }

    /// Legs that are known and need not be found; empty where there are none.
    #[must_use]
    pub fn known_legs(&self) -> &[Leg] {
        &self.known
    }

    /// The side of a joint: that of its own name, or of the nearest joint above whose name tells one.
    #[must_use]
    pub fn side(&self, joint: JointId) -> Option<Side> {
        self.sides[joint.index()]
    }

    /// Whether a joint is the end that an exporter gave a last bone: called after it, as `Toe_end` is after `Toe`.
    #[must_use]
    pub fn is_added_end(&self, joint: JointId) -> bool {
        let above =
            self.parent(joint).map(|parent| self.name(parent)).filter(|_| self.children(joint).next().is_none());
        above.is_some_and(|above| is_end_name(self.name(joint), above))
    }

    /// The same skeleton with another joint as its pelvis; the first root if there is no such joint.
    #[must_use]
    pub fn with_pelvis(mut self, pelvis: JointId) -> Self {
        self.pelvis = if pelvis.index() < self.names.len() { pelvis } else { JointId(0) };
        self
    }

    /// The same skeleton with legs that its file names: hip, knee, ankle and, if it is named, toe of each. Those that are not
    /// three or four of its joints are left out.
    #[must_use]
    pub fn with_legs(mut self, legs: Vec<Vec<JointId>>) -> Self {
        let count = self.names.len();
        self.legs = legs;
        self.legs.retain(|leg| (3..=4).contains(&leg.len()) && leg.iter().all(|joint| joint.index() < count));
        self
    }

    /// Legs that its file names, as a VRM file does: hip, knee, ankle and, if it is named, toe of each; empty where none does.
    #[must_use]
    pub fn legs(&self) -> &[Vec<JointId>] {
        &self.legs
    }

    /// Height of the rest pose from its lowest joint to its highest, metres; 1.7 for one that has none.
    #[must_use]
    pub fn height(&self) -> f32 {
        let rest = super::ModelPose::new(self);
        let heights = rest.joints.iter().map(|joint| joint.translation.y);
        let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
        if high - low > 1e-3 { high - low } else { 1.7 }
    }

    /// The joint from which the legs hang: the body is where it is. The first root unless told otherwise; some
    /// skeletons have a root on the ground below it.
    #[must_use]
    pub fn pelvis(&self) -> JointId {
        self.pelvis
    }

    /// `model_from_joint` at rest of one joint.
    #[must_use]
    pub fn rest_of(&self, joint: JointId) -> Rigid {
        self.ancestry(joint).fold(Rigid::IDENTITY, |below, j| self.rest[j.index()] * below)
    }

    /// An order of joints that is depth-first, given each one's parent: `order[new] = old`. Siblings keep their
    /// order. Joints on a cycle, which hang from no root, are left out.
    #[must_use]
    pub fn depth_first(parents: &[Option<usize>]) -> Vec<usize> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
        let mut open: Vec<usize> = Vec::new();
        for (joint, parent) in parents.iter().enumerate().rev() {
            match parent {
                Some(parent) if *parent < parents.len() => children[*parent].push(joint),
                _ => open.push(joint),
            }
        }
        let mut order = Vec::with_capacity(parents.len());
        while let Some(joint) = open.pop() {
            order.push(joint);
            open.append(&mut children[joint]);
        }
        order
    }

    /// Number of joints, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a skeleton is never empty")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// All joints, depth first.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = JointId> + use<> {
        (0..self.names.len() as u16).map(JointId)
    }

    /// Names by joint.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The name of a joint.
    #[must_use]
    pub fn name(&self, joint: JointId) -> &str {
        &self.names[joint.index()]
    }

    /// The first joint of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.names.iter().position(|n| n == name).map(|i| JointId(i as u16))
    }

    /// Parents by joint; `None` for roots.
    #[must_use]
    #[inline]
    pub fn parents(&self) -> &[Option<JointId>] {
        &self.parents
    }

    /// The joint that `joint` hangs from.
    #[must_use]
    pub fn parent(&self, joint: JointId) -> Option<JointId> {
        self.parents[joint.index()]
    }

    /// Joints that hang from `joint` directly.
    pub fn children(&self, joint: JointId) -> impl Iterator<Item = JointId> + '_ {
        self.subtree(joint).skip(1).map(|i| JointId(i as u16)).filter(move |c| self.parent(*c) == Some(joint))
    }

    /// `joint` and all that hangs from it, as a range of indices.
    #[must_use]
    #[inline]
    pub fn subtree(&self, joint: JointId) -> Range<usize> {
        joint.index()..usize::from(self.subtree_ends[joint.index()])
    }

    /// `joint`, its parent, and so on up to a root.
    pub fn ancestry(&self, joint: JointId) -> impl Iterator<Item = JointId> + '_ {
        std::iter::successors(Some(joint), |j| self.parent(*j))
    }

    /// Some joints and all that they hang from, parents first.
    pub(crate) fn chains_to(&self, joints: impl IntoIterator<Item = JointId>) -> Vec<JointId> {
        let mut chosen = vec![false; self.len()];
        for joint in joints.into_iter().flat_map(|joint| self.ancestry(joint)) {
            chosen[joint.index()] = true;
        }
        self.joints().filter(|joint| chosen[joint.index()]).collect()
    }

    /// Joints without a parent; most skeletons have one.
    pub fn roots(&self) -> impl Iterator<Item = JointId> + '_ {
        self.joints().filter(|j| self.parent(*j).is_none())
    }

    /// `parent_from_joint` at rest, by joint. The rest pose stands over the origin and faces +Z.
    #[must_use]
    pub fn rest(&self) -> &[Rigid] {
        &self.rest
    }

    /// The far ends of last bones.
    #[must_use]
    pub fn tips(&self) -> &[Tip] {
        &self.tips
    }

    /// The fingerprint that clips of this skeleton carry.
    #[must_use]
    pub fn key(&self) -> SkeletonKey {
        self.key
    }

    /// Whether another skeleton has the same joints in the same places of the tree, whatever its bone lengths:
    /// motion can then be carried over joint by joint.
    #[must_use]
    pub fn same_structure(&self, other: &Self) -> bool {
        self.names == other.names && self.parents == other.parents
    }

    fn fingerprint(&self) -> SkeletonKey {
        let mut hash = crate::math::Digest::new();
        for ((name, parent), rest) in self.names.iter().zip(&self.parents).zip(&self.rest) {
            hash.bytes(name.as_bytes());
            hash.word(parent.map_or(u64::MAX, |p| u64::from(p.0)));
            hash.rigid(*rest);
        }
        SkeletonKey(hash.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, parent: Option<usize>) -> Joint {
        Joint::new(name, parent, Rigid::IDENTITY)
    }

    fn tree() -> Skeleton {
        // a ─ b ─ c, a ─ d, and a second root e
        Skeleton::new(vec![
            joint("a", None),
            joint("b", Some(0)),
            joint("c", Some(1)),
            joint("d", Some(0)),
            joint("e", None),
        ])
        .unwrap()
    }

    #[test]
    fn ends_that_exporters_add_are_told_by_their_names() {
        for (name, above, is) in [
            ("Toe_end", "Toe", true),
            ("toes.l_end", "toes.l", true),
            ("Bip01 L Toe0Nub", "Bip01 L Toe0", true),
            ("leg_tip", "leg", false),
            ("Tendril", "Toe", false),
            ("end", "", false),
        ] {
            assert_eq!(is_end_name(name, above), is, "{name} below {above}");
        }
        let joints = ["foot", "toe", "toe_end", "toe_end_end"].iter().enumerate();
        let joints = joints.map(|(i, name)| Joint::new(*name, i.checked_sub(1), Rigid::IDENTITY)).collect();
        let skeleton = Skeleton::new(joints).unwrap();
        // The last of two: what has something below is a bone.
        assert_eq!(
            skeleton.joints().map(|joint| skeleton.is_added_end(joint)).collect::<Vec<_>>(),
            [false, false, false, true]
        );
    }

    #[test]
    fn subtrees_are_ranges() {
        let tree = tree();
        let ranges: Vec<_> = tree.joints().map(|j| tree.subtree(j)).collect();
        assert_eq!(ranges, [0..4, 1..3, 2..3, 3..4, 4..5]);
        assert_eq!(tree.children(JointId(0)).collect::<Vec<_>>(), [JointId(1), JointId(3)]);
        assert_eq!(tree.ancestry(JointId(2)).collect::<Vec<_>>(), [JointId(2), JointId(1), JointId(0)]);
        assert_eq!(tree.roots().collect::<Vec<_>>(), [JointId(0), JointId(4)]);
    }

    #[test]
    fn wrong_orders_are_refused_by_name() {
        let cases = [
            vec![joint("a", Some(0))],
            vec![joint("a", None), joint("b", Some(2)), joint("c", Some(0))],
            vec![joint("a", None), joint("b", Some(0)), joint("c", Some(0)), joint("late", Some(1))],
            vec![joint("a", None), joint("b", None), joint("late", Some(0))],
        ];
        for joints in cases {
            let error = Skeleton::new(joints.clone()).expect_err("out of order");
            assert!(matches!(error, SkeletonError::Order { .. }), "{joints:?}: {error}");
        }
        assert_eq!(Skeleton::new(vec![]), Err(SkeletonError::Empty));
    }

    #[test]
    fn rest_transforms_must_be_rigid() {
        let mut bad = joint("a", None);
        bad.rest.translation.x = f32::NAN;
        assert!(matches!(Skeleton::new(vec![bad.clone()]), Err(SkeletonError::Rest { .. })), "NaN");
        bad.rest = Rigid { rotation: glam::Quat::from_xyzw(0.0, 0.0, 0.0, 2.0), translation: Vec3A::ZERO };
        assert!(matches!(Skeleton::new(vec![bad]), Err(SkeletonError::Rest { .. })), "a rotation of length 2");
    }

    #[test]
    fn any_order_can_be_made_depth_first() {
        // Parents after children, two roots, and a cycle (5 ↔ 6) that hangs from nothing.
        let parents = [Some(3), Some(0), None, None, Some(3), Some(6), Some(5)];
        let order = Skeleton::depth_first(&parents);
        assert_eq!(order, [2, 3, 0, 1, 4]);
        let mut place = vec![usize::MAX; parents.len()];
        for (new, old) in order.iter().enumerate() {
            place[*old] = new;
        }
        let joints = order.iter().map(|old| joint("j", parents[*old].map(|p| place[p]))).collect();
        assert!(Skeleton::new(joints).is_ok(), "accepted");
    }

    #[test]
    fn keys_tell_skeletons_apart() {
        let longer = Skeleton::new(vec![
            Joint::new("a", None, Rigid::from_translation(Vec3A::Y)),
            joint("b", Some(0)),
            joint("c", Some(1)),
            joint("d", Some(0)),
            joint("e", None),
        ])
        .unwrap();
        assert_eq!(tree().key(), tree().key());
        assert_ne!(tree().key(), longer.key());
        assert!(tree().same_structure(&longer), "only the lengths differ");
    }
}
