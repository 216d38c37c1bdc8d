//! Parts of a body beside its legs: pelvis, spine, neck, arms, fingers and tail, by names and, where these tell nothing, by structure.

use crate::rig::{JointId, ModelPose, Rig, Side, Skeleton, words};

/// The parts of a body that motion is carried over by. Legs are the rig's.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BodyParts {
    /// The joint that carries legs and spine.
    pub pelvis: JointId,
    /// From above the pelvis to the chest, which carries arms or front legs.
    pub spine: Vec<JointId>,
    /// From above the chest to the head.
    pub neck: Vec<JointId>,
    /// At most one on each side, left before right.
    pub arms: Vec<Arm>,
    /// From its base on.
    pub tail: Vec<JointId>,
}

/// An arm, or a wing.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The side it is on.
    pub side: Side,
    /// What it hangs from the chest by, if anything: collarbone and shoulder.
    pub shoulder: Option<JointId>,
    /// The upper arm.
    pub upper: JointId,
    /// The forearm, which begins at the elbow.
    pub fore: JointId,
    /// The hand first, then what else begins where it does.
    pub hand: Vec<JointId>,
    /// Fingers that have a name.
    pub fingers: Vec<Finger>,
}

/// A finger of a hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Finger {
    /// Which one.
    pub name: FingerName,
    /// From the hand outwards.
    pub joints: Vec<JointId>,
}

/// Which finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "everybody has them")]
pub enum FingerName {
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
}

/// A limb whose end is this share of the leg's length beside the middle of the body is on a side.
const BESIDE: f32 = 0.15;
/// An arm is as long as this share of a leg at least.
const ARM: f32 = 0.3;
/// What begins beyond this share of the forearm begins where the hand does.
const AT_WRIST: f32 = 0.6;

impl BodyParts {
    /// The parts of a rig whose joints are where `stand` says, model space.
    #[must_use]
    pub fn find(rig: &Rig, stand: &ModelPose) -> Self {
        let looked = Looked::new(rig, stand);
        let path = looked.path_to_head();
        let arms = looked.arms(&path);
        let chest = looked.chest(&path, &arms);
        let (spine, neck) = path[1..].split_at(chest);
        let tail = looked.tail(&path, chest);
        Self { pelvis: path[0], spine: spine.to_vec(), neck: neck.to_vec(), arms, tail }
    }

    /// The head, if there is one.
    #[must_use]
    pub fn head(&self) -> Option<JointId> {
        self.neck.last().copied()
    }
}

/// A skeleton as it stands, looked at for its parts.
struct Looked<'a> {
    skeleton: &'a Skeleton,
    rig: &'a Rig,
    stand: &'a ModelPose,
    pelvis: JointId,
    words: Vec<Vec<String>>,
    /// By joint, whether it is of a leg.
    of_leg: Vec<bool>,
    leg: f32,
}

impl<'a> Looked<'a> {
    fn new(rig: &'a Rig, stand: &'a ModelPose) -> Self {
        let skeleton = &rig.skeleton;
        let mut of_leg = vec![false; skeleton.len()];
        for joint in rig.legs.iter().flat_map(|leg| [leg.hip(), leg.ankle()]) {
            of_leg[skeleton.subtree(joint)].fill(true);
        }
        // Blender adds the name of its armature to names that repeat.
        let own = |name: &String| words(name).into_iter().filter(|word| word != "armature").collect();
        let words = skeleton.names().iter().map(own).collect();
        Self { skeleton, rig, stand, pelvis: rig.body(), words, of_leg, leg: rig.leg_length() }
    }

    /// Whether a name has one of some words, or one that ends or begins with it.
    fn says(&self, joint: JointId, any: &[&str]) -> bool {
        self.words[joint.index()].iter().any(|word| any.iter().any(|wanted| word == wanted))
    }

    /// Whether a name, without what parts its words, contains one of some texts.
    fn tells(&self, joint: JointId, any: &[&str]) -> bool {
        let whole: String = self.words[joint.index()].concat();
        any.iter().any(|text| whole.contains(text))
    }

    /// Whether a joint is none of the body's own: an end of a bone, a handle.
    fn is_extra(&self, joint: JointId) -> bool {
        self.says(
            joint,
            &["end", "leaf", "nub", "site", "tip", "ik", "pole", "target", "ctrl", "control", "twist", "roll"],
        )
    }

    fn bears_leg(&self, joint: JointId) -> bool {
        self.rig.legs.iter().any(|leg| self.skeleton.subtree(joint).contains(&leg.hip().index()))
    }

    fn at(&self, joint: JointId) -> glam::Vec3A {
        self.stand[joint].translation
    }

    /// From the pelvis to the head.
    fn path_to_head(&self) -> Vec<JointId> {
        let below: Vec<JointId> = self
            .skeleton
            .subtree(self.pelvis)
            .skip(1)
            .map(|i| JointId(i as u16))
            .filter(|j| !self.of_leg[j.index()])
            .collect();
        let named = |joint: &&JointId| {
            self.says(**joint, &["head"]) && !self.is_extra(**joint) && !self.says(**joint, &["top", "hair", "gear"])
        };
        // The topmost of several that are called so.
        let head = below.iter().find(named).copied().or_else(|| self.farthest(&below));
        let Some(head) = head else { return vec![self.pelvis] };
        let mut path: Vec<JointId> = self.skeleton.ancestry(head).take_while(|joint| *joint != self.pelvis).collect();
        path.push(self.pelvis);
        path.reverse();
        path
    }

    /// The joint in the middle of the body that is farthest up and ahead, without the end of its bone.
    fn farthest(&self, below: &[JointId]) -> Option<JointId> {
        let origin = self.at(self.pelvis);
        let lead = |joint: &JointId| {
            let from = self.at(*joint) - origin;
            (from.x.abs() < BESIDE * self.leg).then_some(from.y + 0.7 * from.z)
        };
        let far = below.iter().filter(|joint| lead(joint).is_some_and(|lead| lead > 0.05 * self.leg));
        let far = *far.max_by(|a, b| lead(a).unwrap_or(0.0).total_cmp(&lead(b).unwrap_or(0.0)))?;
        let last = self.skeleton.children(far).next().is_none();
        let above = self.skeleton.parent(far).filter(|above| *above != self.pelvis && !self.bears_leg(*above));
        Some(if last && self.is_extra(far) { above.unwrap_or(far) } else { far })
    }

    /// Where the chest is on the path: the joint that carries arms or front legs.
    fn chest(&self, path: &[JointId], arms: &[Arm]) -> usize {
        let carries = |joint: JointId| {
            let hips = self.rig.legs.iter().map(crate::rig::Leg::hip);
            let limbs = arms.iter().map(|arm| arm.shoulder.unwrap_or(arm.upper)).chain(hips);
            limbs.into_iter().any(|limb| {
                let from = self.skeleton.ancestry(limb).skip(1).find(|above| path.contains(above));
                from == Some(joint)
            })
        };
        if let Some(chest) = (1..path.len()).rev().find(|i| carries(path[*i])) {
            return chest;
        }
        let neck = path.iter().position(|joint| self.says(*joint, &["neck"]));
        neck.map_or_else(|| path.len().saturating_sub(2), |neck| neck.saturating_sub(1))
    }

    /// Limbs beside the path from pelvis to head that are no legs, the longest on each side.
    fn arms(&self, path: &[JointId]) -> Vec<Arm> {
        let roots = path.iter().flat_map(|joint| self.skeleton.children(*joint));
        let roots =
            roots.filter(|child| !path.contains(child) && !self.of_leg[child.index()] && !self.bears_leg(*child));
        // A chest may be two joints of which each carries what the other does not.
        let found: Vec<(f32, Arm)> = roots.filter_map(|root| self.arm(root)).collect();
        let of_side = |side: Side| {
            let own = found.iter().filter(|(_, arm)| arm.side == side);
            own.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, arm)| arm.clone())
        };
        [Side::Left, Side::Right].into_iter().filter_map(of_side).collect()
    }

    /// A limb as an arm, and how much it is one.
    fn arm(&self, root: JointId) -> Option<(f32, Arm)> {
        let chain = self.chain(root);
        let length = |from: usize, to: usize| -> f32 {
            chain[from..=to].windows(2).map(|two| (self.at(two[1]) - self.at(two[0])).length()).sum()
        };
        let whole = length(0, chain.len() - 1);
        let end = self.at(chain[chain.len() - 1]) - self.at(self.pelvis);
        let named =
            chain.iter().any(|joint| self.tells(*joint, &["arm", "hand", "elbow", "wing", "clavicle", "wrist"]));
        let foreign =
            chain.iter().any(|joint| self.tells(*joint, &["hair", "ear", "brow", "skirt", "cape", "cloth", "eye"]));
        if chain.len() < 3 || end.x.abs() < BESIDE * self.leg || (foreign && !named) || whole < ARM * self.leg {
            return None;
        }
        let fore = chain.iter().position(|joint| self.tells(*joint, &["forearm", "lowerarm", "elbow", "armlower"]));
        let hand = chain.iter().position(|joint| self.tells(*joint, &["hand", "wrist", "fist", "palm"]));
        // Upper arm and forearm are the longest two bones in a row; what is before them is collarbone.
        let longest = (0..chain.len() - 2).max_by(|a, b| length(*a, a + 2).total_cmp(&length(*b, b + 2)))?;
        let upper_of = |fore: usize| {
            let named = (0..fore).find(|i| self.tells(chain[*i], &["upperarm", "armupper", "uparm"]));
            let plain =
                (0..fore).find(|i| self.says(chain[*i], &["arm"]) && !self.tells(chain[*i], &["shoulder", "clavicle"]));
            named.or(plain).unwrap_or(fore - 1)
        };
        let (upper, fore) = match fore {
            Some(fore) if fore > 0 => (upper_of(fore), fore),
            _ => (longest, longest + 1),
        };
        let hand = hand
            .filter(|hand| *hand > fore)
            .unwrap_or_else(|| (fore + 1..chain.len()).find(|i| !self.is_extra(chain[*i])).unwrap_or(fore + 1));
        let hand = *chain.get(hand)?;
        let fore = chain[fore];
        let out = self.at(hand) - self.at(fore);
        let begins = |joint: &JointId| {
            *joint != hand
                && !self.is_extra(*joint)
                && self.skeleton.parent(*joint) == self.skeleton.parent(hand)
                && (self.at(*joint) - self.at(fore)).dot(out) > AT_WRIST * out.length_squared()
        };
        let beside: Vec<JointId> = self.skeleton.subtree(fore).map(|i| JointId(i as u16)).filter(begins).collect();
        let hand: Vec<JointId> = std::iter::once(hand).chain(beside).collect();
        let side = if self.at(chain[upper]).x + end.x > 0.0 { Side::Left } else { Side::Right };
        let shoulder = (upper > 0).then(|| chain[upper - 1]);
        let fingers = self.fingers(&hand);
        let score = whole + if named { 10.0 * self.leg } else { 0.0 };
        Some((score, Arm { side, shoulder, upper: chain[upper], fore, hand, fingers }))
    }

    /// From a joint on to the end that is farthest from it, by way of arms and hands where names tell them.
    fn chain(&self, from: JointId) -> Vec<JointId> {
        let start = self.at(from);
        let far = |joint: JointId| {
            let ends = self.skeleton.subtree(joint).map(|i| (self.at(JointId(i as u16)) - start).length());
            let extra = if self.is_extra(joint) { 0.01 } else { 1.0 };
            let limb = self.tells(joint, &["arm", "hand", "wrist", "fist", "palm", "elbow"]);
            extra * ends.fold(0.0, f32::max) * if limb { 10.0 } else { 1.0 }
        };
        let mut chain = vec![from];
        while let Some(next) = self.skeleton.children(chain[chain.len() - 1]).max_by(|a, b| far(*a).total_cmp(&far(*b)))
        {
            chain.push(next);
        }
        chain
    }

    fn fingers(&self, hand: &[JointId]) -> Vec<Finger> {
        const NAMES: [(FingerName, &[&str]); 5] = [
            (FingerName::Thumb, &["thumb"]),
            (FingerName::Index, &["index", "point"]),
            (FingerName::Middle, &["middle", "mid"]),
            (FingerName::Ring, &["ring"]),
            (FingerName::Little, &["little", "pinky", "pinkie"]),
        ];
        let below = || hand.iter().flat_map(|joint| self.skeleton.subtree(*joint)).map(|i| JointId(i as u16));
        let mut fingers = Vec::new();
        for (name, texts) in NAMES {
            let joints: Vec<JointId> =
                below().filter(|joint| self.tells(*joint, texts) && !self.is_extra(*joint)).collect();
            // A hand that is itself called so has no finger of that name.
            if joints.first().is_some_and(|first| first != &hand[0]) && joints.len() <= 5 {
                fingers.push(Finger { name, joints });
            }
        }
        fingers
    }

    /// A chain that hangs behind from the pelvis or the spine.
    fn tail(&self, path: &[JointId], chest: usize) -> Vec<JointId> {
        let roots = path[..=chest].iter().flat_map(|joint| self.skeleton.children(*joint));
        let roots =
            roots.filter(|child| !path.contains(child) && !self.of_leg[child.index()] && !self.bears_leg(*child));
        let is_tail = |root: &JointId| {
            let chain = self.chain(*root);
            let [base, end] = [*root, chain[chain.len() - 1]].map(|joint| self.at(joint) - self.at(self.pelvis));
            let named = self.tells(*root, &["tail"]);
            let hangs = chain.len() >= 4 && end.z < base.z - 0.2 * self.leg && base.z <= 0.0;
            end.x.abs() < BESIDE * self.leg && (named || hangs)
        };
        let Some(root) = roots.into_iter().find(is_tail) else { return Vec::new() };
        let mut chain = self.chain(root);
        if chain.len() > 1 && self.is_extra(chain[chain.len() - 1]) {
            chain.pop();
        }
        chain
    }
}
