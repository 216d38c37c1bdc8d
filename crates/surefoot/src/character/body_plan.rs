//! A body's plan beside its legs: trunk, spine, neck, blades, arms, tails and ears, told by structure and how it stands, not by names.

use super::Stand;
use crate::math::quat;
use crate::rig::{JointId, ModelPose, Rig, Skeleton};
use glam::{Quat, Vec3A};

/// A joint of a body's plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlanJoint {
    pub joint: JointId,
    /// How its parent is turned in the idle pose, model space.
    parent: Quat,
}

impl PlanJoint {
    fn new(skeleton: &Skeleton, model: &ModelPose, joint: JointId) -> Self {
        let parent = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| model[parent].rotation);
        Self { joint, parent }
    }

    /// A turn that is given in model space, as the joint's parent sees it.
    pub(crate) fn turn(&self, turn: Quat) -> Quat {
        self.parent.conjugate() * turn * self.parent
    }

    /// A turn that the joint's parent sees, in model space.
    pub(crate) fn seen(&self, turn: Quat) -> Quat {
        self.parent * turn * self.parent.conjugate()
    }
}

/// An arm, or a wing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlanArm {
    pub upper: PlanJoint,
    pub elbow: Option<PlanJoint>,
    pub hand: Option<PlanJoint>,
    pub left: bool,
}

/// What hangs from a body and comes after it: a tail, an ear.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlanTail {
    /// From its base on, without the tip.
    pub joints: Vec<PlanJoint>,
    /// Whether it is a tail; else one of what hangs from the head.
    pub of_trunk: bool,
}

/// A shoulder blade or hip bone, which carries one leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlanBlade {
    pub joint: PlanJoint,
    /// The number of its leg.
    pub leg: usize,
}

/// A body beside its legs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BodyPlan {
    /// The joint from which all legs and the spine part.
    pub trunk: JointId,
    /// Where it is, metres from the middle of all feet.
    pub trunk_at: Vec3A,
    /// From the trunk to the chest, which carries arms or front legs.
    pub spine: Vec<PlanJoint>,
    /// From the chest to the head.
    pub neck: Vec<PlanJoint>,
    pub arms: Vec<PlanArm>,
    pub tails: Vec<PlanTail>,
    pub blades: Vec<PlanBlade>,
    /// Whether legs hang from the spine, so that chest and trunk each go with legs of their own.
    pub spine_bears: bool,
    /// From 0 (the head is ahead of the trunk) to 1 (it is above).
    pub upright: f32,
    /// From the trunk to the chest, metres.
    pub back_length: f32,
}

/// A joint this share of the hips' height beside the middle of the body is beside it.
const BESIDE: f32 = 0.12;
/// An arm is as long as this share of a leg at least.
const ARM: f32 = 0.3;
/// Necks bend in so many joints at most.
const NECK: usize = 3;
/// A tail has so many joints at least, its tip counted.
const TAIL: usize = 3;

impl BodyPlan {
    pub(crate) fn new(rig: &Rig, stand: &Stand) -> Self {
        let mut model = ModelPose::new(&rig.skeleton);
        stand.pose.to_model(&rig.skeleton, &mut model);
        let body = Body::new(rig, stand, &model);
        let path = body.fore_path();
        let chest = path.iter().rposition(|joint| body.bears(*joint) || body.arms_of(*joint, &path).next().is_some());
        let (spine, neck) = match chest {
            Some(chest) if chest > 0 => path[1..].split_at(chest),
            _ => path[1..].split_at((path.len() - 1).saturating_sub(NECK.min(path.len() / 2))),
        };
        let head = neck.iter().position(|joint| rig.skeleton.children(*joint).count() > 1);
        let neck = &neck[..head.map_or(neck.len(), |head| head + 1).min(NECK)];
        let joint = |joint: &JointId| PlanJoint::new(&rig.skeleton, &model, *joint);
        let top = neck.last().or(spine.last()).unwrap_or(&body.trunk);
        let up = (model[*top].translation - body.at).normalize_or_zero();
        let back = spine.last().map_or(0.0, |chest| (model[*chest].translation - body.at).length());
        let loose: Vec<JointId> = body.loose_arms().collect();
        // A trunk that bent would leave its arms behind.
        let (spine, neck) = if loose.is_empty() { (spine, neck) } else { (&path[..0], &path[..0]) };
        let arms = path.iter().flat_map(|from| body.arms_of(*from, &path)).chain(loose);
        Self {
            trunk: body.trunk,
            trunk_at: body.at - stand.middle,
            spine: spine.iter().map(joint).collect(),
            neck: neck.iter().map(joint).collect(),
            arms: arms.map(|arm| body.arm(arm)).collect(),
            tails: body.tails(&path, chest.unwrap_or(0)),
            blades: body.blades(stand, &path),
            spine_bears: spine.iter().any(|joint| body.bears(*joint)),
            upright: ((up.y - 0.5) / 0.4).clamp(0.0, 1.0),
            back_length: back,
        }
    }
}

/// A skeleton in its idle pose, looked at for its parts.
struct Body<'a> {
    skeleton: &'a Skeleton,
    model: &'a ModelPose,
    hips: Vec<JointId>,
    /// By joint, whether it is of a leg.
    of_leg: Vec<bool>,
    trunk: JointId,
    /// Where the trunk is, model space.
    at: Vec3A,
    /// So far beside the trunk is beside, metres.
    beside: f32,
    /// The shortest arm, metres.
    arm: f32,
}

impl<'a> Body<'a> {
    fn new(rig: &'a Rig, stand: &Stand, model: &'a ModelPose) -> Self {
        let skeleton = &rig.skeleton;
        let hips: Vec<JointId> = stand.legs.iter().map(|leg| leg.chain.joints[0]).collect();
        let mut of_leg = vec![false; skeleton.len()];
        let ankles = rig.legs.iter().map(|leg| leg.ankle());
        for joint in hips.iter().copied().chain(ankles) {
            of_leg[skeleton.subtree(joint)].fill(true);
        }
        // The deepest joint from which all legs hang; a skeleton's joints are in order.
        let holds = |joint: &JointId| hips.iter().all(|hip| skeleton.subtree(*joint).contains(&hip.index()));
        let common = skeleton.joints().filter(|joint| holds(joint) && !of_leg[joint.index()]).last();
        let trunk = common.map(|common| rig.with_trunk(common).unwrap_or(common));
        let arm = ARM * stand.legs.iter().map(|leg| leg.length).sum::<f32>() / stand.legs.len() as f32;
        let beside = BESIDE * stand.hips_at.abs().max(stand.hip);
        let mut body = Self { skeleton, model, hips, of_leg, trunk: skeleton.pelvis(), at: Vec3A::ZERO, beside, arm };
        // Of a body in pieces the trunk is the one that leads farthest up and ahead.
        let own = || skeleton.roots().filter(|root| !body.of_leg[root.index()] && !body.bears(*root));
        let leading = || own().max_by(|a, b| body.leads(*a).total_cmp(&body.leads(*b)));
        body.trunk = trunk.or_else(leading).unwrap_or(body.trunk);
        body.at = model[body.trunk].translation;
        body
    }

    /// Arms that hang from nothing, of a body in pieces.
    fn loose_arms(&self) -> impl Iterator<Item = JointId> + '_ {
        let loose = self.skeleton.roots().filter(|root| *root != self.trunk && !self.of_leg[root.index()]);
        loose.filter(|root| !self.bears(self.trunk) && self.is_arm(*root))
    }

    /// Whether legs hang from a joint.
    fn bears(&self, joint: JointId) -> bool {
        self.hips.iter().any(|hip| self.skeleton.subtree(joint).contains(&hip.index()))
    }

    fn place(&self, joint: usize) -> Vec3A {
        self.model[JointId(joint as u16)].translation - self.at
    }

    fn free_children(&self, joint: JointId) -> impl Iterator<Item = JointId> + '_ {
        self.skeleton.children(joint).filter(|child| !self.of_leg[child.index()])
    }

    /// How far up and ahead the middle of the body leads by way of a joint, metres.
    fn leads(&self, joint: JointId) -> f32 {
        let central = self.skeleton.subtree(joint).filter(|i| !self.of_leg[*i]).map(|i| self.place(i));
        let central = central.filter(|place| place.x.abs() < self.beside);
        central.map(|place| place.y + place.z).fold(f32::NEG_INFINITY, f32::max)
    }

    /// From the trunk to the head: always on to where the body leads farthest up and ahead.
    fn fore_path(&self) -> Vec<JointId> {
        let mut path = vec![self.trunk];
        loop {
            let now = path[path.len() - 1];
            let best = self.free_children(now).max_by(|a, b| self.leads(*a).total_cmp(&self.leads(*b)));
            match best.filter(|best| self.leads(*best) > self.place(now.index()).y + self.place(now.index()).z) {
                Some(best) => path.push(best),
                None => return path,
            }
        }
    }

    /// From a joint on to the end that is farthest from it.
    fn chain(&self, from: JointId) -> Vec<JointId> {
        let start = self.place(from.index());
        let far = |joint: JointId| {
            let ends = self.skeleton.subtree(joint).map(|i| (self.place(i) - start).length());
            ends.fold(0.0, f32::max)
        };
        let mut chain = vec![from];
        while let Some(next) = self.skeleton.children(chain[chain.len() - 1]).max_by(|a, b| far(*a).total_cmp(&far(*b)))
        {
            chain.push(next);
        }
        chain
    }

    fn length(&self, chain: &[JointId]) -> f32 {
        chain.windows(2).map(|two| (self.place(two[1].index()) - self.place(two[0].index())).length()).sum()
    }

    /// Limbs beside the body, of no leg, that hang from a joint of its path from trunk to head.
    fn arms_of<'b>(&'b self, joint: JointId, path: &'b [JointId]) -> impl Iterator<Item = JointId> + 'b {
        self.free_children(joint).filter(|child| !path.contains(child) && self.is_arm(*child))
    }

    fn is_arm(&self, joint: JointId) -> bool {
        let chain = self.chain(joint);
        let end = self.place(chain[chain.len() - 1].index());
        !self.bears(joint) && chain.len() >= 3 && end.x.abs() > self.beside && self.length(&chain) > self.arm
    }

    /// A chain without the joints by which its bones are cut in pieces for their twist, as `upper_arm.001` is of `upper_arm`.
    fn whole_bones(&self, chain: &[JointId]) -> Vec<JointId> {
        let stem = |joint: JointId| {
            let words = crate::rig::words(self.skeleton.name(joint)).into_iter();
            words.filter(|word| !word.chars().all(|c| c.is_ascii_digit()) && word != "twist").collect::<Vec<_>>()
        };
        let mut whole = chain.to_vec();
        whole.dedup_by(|joint, before| stem(*joint) == stem(*before));
        // Of an arm whose joints are only numbered all count.
        if whole.len() < 4 { chain.to_vec() } else { whole }
    }

    fn arm(&self, joint: JointId) -> PlanArm {
        let chain = self.whole_bones(&self.chain(joint));
        // Upper arm and forearm are the longest two bones in a row; what is before them is collarbone.
        let bone = |i: usize| self.length(&chain[i..=i + 1]);
        let both = (0..chain.len() - 2).max_by(|a, b| {
            let [a, b] = [a, b].map(|i| bone(*i) + bone(i + 1));
            a.total_cmp(&b)
        });
        let upper = both.unwrap_or(0);
        let joint = |i: usize| PlanJoint::new(self.skeleton, self.model, chain[i]);
        let left = self.place(chain[chain.len() - 1].index()).x > 0.0;
        PlanArm {
            upper: joint(upper),
            elbow: both.map(|upper| joint(upper + 1)),
            hand: both.map(|upper| joint(upper + 2)),
            left,
        }
    }

    /// The first joint on the way to the hip of each leg that hangs from which no other leg does.
    fn blades(&self, stand: &Stand, path: &[JointId]) -> Vec<PlanBlade> {
        let carries_one = |joint: &JointId| {
            let below = self.skeleton.subtree(*joint);
            self.hips.iter().filter(|hip| below.contains(&hip.index())).count() == 1
        };
        let mut blades = Vec::new();
        for (leg, hip) in self.hips.iter().enumerate().filter(|(leg, _)| stand.legs[*leg].hangs()) {
            let above = self.skeleton.ancestry(*hip).skip(1);
            let own = above.take_while(|joint| carries_one(joint) && !path.contains(joint));
            if let Some(joint) = own.last() {
                blades.push(PlanBlade { joint: PlanJoint::new(self.skeleton, self.model, joint), leg });
            }
        }
        blades
    }

    /// Tails of the body, and what hangs from the head.
    fn tails(&self, path: &[JointId], chest: usize) -> Vec<PlanTail> {
        let mut tails = Vec::new();
        for (i, from) in path.iter().enumerate() {
            for child in self.free_children(*from).filter(|child| !path.contains(child) && !self.bears(*child)) {
                let chain = self.chain(child);
                let [base, end] = [child, chain[chain.len() - 1]].map(|joint| self.place(joint.index()));
                let central = end.x.abs() < self.beside;
                let is_tail = chain.len() >= TAIL && central && i <= chest && (end.z < base.z || i == 0);
                let is_ear = chain.len() >= 2 && !central && i > chest && chest > 0;
                if is_tail || is_ear {
                    let joints = chain[..chain.len() - 1].iter();
                    let joints = joints.map(|joint| PlanJoint::new(self.skeleton, self.model, *joint)).collect();
                    tails.push(PlanTail { joints, of_trunk: is_tail });
                }
            }
        }
        tails
    }
}

/// An arm hangs this far from straight down, radians.
const HANGS: f32 = 0.2;
/// An arm farther than this from straight down, as a rest pose has it, is let hang, radians.
const RAISED: f32 = 0.5;
/// How far an arm that is let hang may be bent, radians: one that is bent more was posed.
const STRAIGHT: f32 = 0.7;

impl BodyPlan {
    /// Lets arms hang that a rest pose spreads to the sides, of a body on two legs that stands upright.
    pub(crate) fn hang_arms(&self, rig: &Rig, stand: &mut Stand) {
        let rest = rig.skeleton.rest();
        let moved = |(a, b): (&crate::math::Rigid, &crate::math::Rigid)| quat::angle_between(a.rotation, b.rotation);
        if self.upright < 0.5 || stand.legs.len() > 2 || stand.pose.locals.iter().zip(rest).any(|two| moved(two) > 1e-3)
        {
            return;
        }
        let mut model = ModelPose::new(&rig.skeleton);
        stand.pose.to_model(&rig.skeleton, &mut model);
        for arm in &self.arms {
            let Some(elbow) = arm.elbow else { continue };
            let [from, bend] = [arm.upper, elbow].map(|joint| model[joint.joint].translation);
            let hand = rig.skeleton.children(elbow.joint).next().map_or(bend, |hand| model[hand].translation);
            let [upper, fore] = [bend - from, hand - bend].map(Vec3A::normalize_or_zero);
            let down = upper.dot(-Vec3A::Y).clamp(-1.0, 1.0);
            let raised = crate::math::single::acos(down) > RAISED;
            if !raised || upper.z.abs() > upper.x.abs() || upper.dot(fore) < crate::math::single::cos(STRAIGHT) {
                continue;
            }
            let (aside, drop) = crate::math::single::sin_cos(HANGS);
            let hangs = Vec3A::new(upper.x.signum() * aside, -drop, 0.0);
            let local = &mut stand.pose.locals[arm.upper.joint.index()].rotation;
            *local = (arm.upper.turn(quat::arc(upper, hangs, Vec3A::Z)) * *local).normalize();
        }
    }
}
