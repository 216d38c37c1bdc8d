//! How a body is built: its parts, and the neutral pose in which all bodies are alike.
//!
//! In the neutral pose arms point to the sides, palms down, legs straight down and soles lie level: every rest pose (T, A, arms
//! down, knees bent) comes to it by the shortest turns, and what bodies do is told by turns from it.

use crate::analyse::BodyParts;
use crate::ik::{LegChain, LegEnd, LegGoal};
use crate::math::{Rigid, quat};
use crate::rig::{FootSkin, JointId, Leg, LegId, LegSkin, ModelPose, Pose, Rig, Side, Skeleton, Skin};
use glam::{Quat, Vec3A};

/// A body that motion can be carried from and to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Build {
    /// The body and its legs.
    pub rig: Rig,
    /// Its other parts.
    pub parts: BodyParts,
    /// Mean length of its legs, metres.
    pub leg_length: f32,
    /// The neutral pose.
    pub(super) neutral: ModelPose,
    /// The joints that are told by turns, and where each part is among them.
    pub(super) turning: Vec<JointId>,
    pub(super) places: Places,
    /// Legs, then arms.
    pub(super) limbs: Vec<Limb>,
    /// The hips' middle, metres in pelvis space.
    pub(super) hips: Vec3A,
    /// The legs that hang from the pelvis itself, by their place in the rig.
    pub(super) hind: Vec<usize>,
    /// By joint, its place in the list of turns, if it is told by one.
    pub(super) turn_of: Vec<Option<usize>>,
    /// Handles that go with limbs they do not hang from.
    pub(super) followers: Vec<Follower>,
    /// The skin of its feet.
    pub(super) feet: FootSkin,
}

/// A joint that goes with another one from which it does not hang: the handle of a hand, the pole of a knee.
#[derive(Clone, Copy, Debug)]
pub(super) struct Follower {
    pub joint: JointId,
    pub after: JointId,
    pub after_from_joint: Rigid,
}

/// Where the parts of a body are in the list of its turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub spine: std::ops::Range<usize>,
    pub neck: std::ops::Range<usize>,
    pub tail: std::ops::Range<usize>,
    pub legs: Vec<LegPlaces>,
    pub arms: Vec<ArmPlaces>,
}

/// Where the joints of a leg are in the list of turns.
#[derive(Clone, Debug)]
pub(super) struct LegPlaces {
    pub bones: std::ops::Range<usize>,
    pub foot: Option<usize>,
    pub toe: Option<usize>,
}

/// Where the joints of an arm are in the list of turns.
#[derive(Clone, Debug)]
pub(super) struct ArmPlaces {
    pub shoulder: Option<usize>,
    pub upper: usize,
    pub fore: usize,
    pub hand: std::ops::Range<usize>,
    pub fingers: Vec<std::ops::Range<usize>>,
}

/// A leg or an arm as a chain that reaches.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    pub chain: LegChain,
    /// The sum of its bones, metres.
    pub length: f32,
    /// Of a leg whose foot does not hang from it, where its end is, metres in ankle space.
    apart: Vec3A,
    /// Of an arm that would reach into the ground, by how much it hangs farther out, radians, to the left.
    pub spread: f32,
}

impl Limb {
    /// Where its end is, metres in the space of the ankle or hand.
    pub(super) fn end_in_ankle(&self) -> Vec3A {
        match self.chain.end {
            LegEnd::Ankle => Vec3A::ZERO,
            LegEnd::Point(point) => point,
            LegEnd::Apart(_) => self.apart,
        }
    }

    /// The goal of a limb whose end is to be in a place, and whose foot or hand turned so, model space.
    pub(super) fn goal(&self, rotation: Quat, end: Vec3A) -> LegGoal {
        let translation = end - rotation * self.end_in_ankle();
        LegGoal { ankle: Rigid { rotation, translation }, end: Some(end), turn_over: false }
    }
}

/// A bind pose whose hips or whose back are farther from the rest pose's than this is one of another frame, radians.
const UPRIGHT: f32 = 0.6;

impl Build {
    /// The build of a body. Its skin, if it has one, tells how it was modelled; without one, it is as it rests.
    #[must_use]
    pub fn new(rig: Rig, skin: Option<&Skin>) -> Self {
        let stand = skin.and_then(|skin| bound(&rig, skin)).unwrap_or_else(|| ModelPose::new(&rig.skeleton));
        let parts = BodyParts::find(&rig, &stand);
        Self::with_parts(rig, skin, parts, &stand)
    }

    /// The same with parts that are known.
    #[must_use]
    pub fn of_parts(rig: Rig, skin: Option<&Skin>, parts: BodyParts) -> Self {
        let stand = skin.and_then(|skin| bound(&rig, skin)).unwrap_or_else(|| ModelPose::new(&rig.skeleton));
        Self::with_parts(rig, skin, parts, &stand)
    }

    fn with_parts(mut rig: Rig, skin: Option<&Skin>, parts: BodyParts, stand: &ModelPose) -> Self {
        let neutral = neutral(&rig, &parts, stand);
        set_hinges(&mut rig, &neutral);
        let mut turning = vec![parts.pelvis];
        let mut add = |joints: &[JointId]| {
            let start = turning.len();
            turning.extend_from_slice(joints);
            start..turning.len()
        };
        let mut places =
            Places { spine: add(&parts.spine), neck: add(&parts.neck), tail: add(&parts.tail), ..Places::default() };
        let mut limbs = Vec::new();
        for leg in &rig.legs {
            let chain = LegChain::of_rig(leg);
            let bones = add(&chain.joints);
            let foot = (!leg.foot_has_no_joint()).then(|| add(&[leg.ankle()]).start);
            let toe = leg.toe.map(|toe| add(&[toe]).start);
            places.legs.push(LegPlaces { bones, foot, toe });
            let length = chain.length(&neutral);
            let apart = stand[chain.ankle].inverse().transform_point(chain.end(stand));
            limbs.push(Limb { chain, length, apart, spread: 0.0 });
        }
        for arm in &parts.arms {
            places.arms.push(ArmPlaces {
                shoulder: arm.shoulder.map(|shoulder| add(&[shoulder]).start),
                upper: add(&[arm.upper]).start,
                fore: add(&[arm.fore]).start,
                hand: add(&arm.hand),
                fingers: arm.fingers.iter().map(|finger| add(&finger.joints)).collect(),
            });
            // Elbows bend forward, as arms point to the sides.
            let axis = aside(arm.side).cross(Vec3A::Z);
            let above = rig.skeleton.parent(arm.fore).map_or(Quat::IDENTITY, |parent| neutral[parent].rotation);
            let hinges = vec![above.conjugate() * axis];
            let chain = LegChain { joints: vec![arm.upper, arm.fore], hinges, ankle: arm.hand[0], end: LegEnd::Ankle };
            let length = chain.length(&neutral);
            let spread = spread(&rig, arm, &neutral);
            limbs.push(Limb { chain, length, apart: Vec3A::ZERO, spread });
        }
        let legs = rig.legs.len();
        let leg_length = limbs[..legs].iter().map(|limb| limb.length).sum::<f32>() / legs.max(1) as f32;
        let hind = hind(&rig, &parts);
        let hips = stand[parts.pelvis].inverse().transform_point(middle(&rig, &hind, stand, parts.pelvis));
        let mut turn_of = vec![None; rig.skeleton.len()];
        for (i, joint) in turning.iter().enumerate() {
            turn_of[joint.index()] = turn_of[joint.index()].or(Some(i));
        }
        let followers = followers(&rig, &parts, stand, &turning);
        let leg_length = leg_length.max(1e-3);
        let skin = skin.and_then(|skin| LegSkin::new(&rig, skin)).unwrap_or_else(|| LegSkin::of_soles(&rig));
        let deep = |(id, leg): (LegId, &Leg)| {
            let sole = neutral[leg.ankle()].transform_point(leg.foot.ball).y;
            skin.lowest_of_foot(id, &neutral, Vec3A::Y).map_or(0.0, |low| (sole - low).max(0.0))
        };
        let under_sole = rig.legs().map(deep).collect();
        let feet = FootSkin { skin, under_sole };
        Self { rig, parts, leg_length, neutral, turning, places, limbs, hips, hind, turn_of, followers, feet }
    }

    /// The neutral pose, model space: arms to the sides, legs straight down, soles level.
    #[must_use]
    pub fn neutral(&self) -> &ModelPose {
        &self.neutral
    }
}

/// A hinge that points this little to the sides in the neutral pose is none that knees of this leg bend about.
const ACROSS: f32 = 0.8;

/// Knees of legs that stand straight down bend about an axis from side to side: forward, unless their own hinge says backward.
fn set_hinges(rig: &mut Rig, neutral: &ModelPose) {
    for leg in &mut rig.legs {
        for (joint, hinge) in leg.chain[1..].iter().zip(&mut leg.hinges) {
            let above = rig.skeleton.parent(*joint).map_or(Quat::IDENTITY, |parent| neutral[parent].rotation);
            let across = (above * *hinge).x;
            if across.abs() < ACROSS {
                *hinge = above.conjugate() * if across < -0.5 { -Vec3A::X } else { Vec3A::X };
            }
        }
    }
}

/// Fingers of arms that hang down stay this share of the shoulder's height over the ground.
const OVER_GROUND: f32 = 0.08;
/// Arms hang farther out by this much at most, radians.
const MOST_SPREAD: f32 = 0.9;

/// By how much an arm hangs farther out so that its fingers stay over the ground, radians, to the left.
fn spread(rig: &Rig, arm: &crate::analyse::Arm, neutral: &ModelPose) -> f32 {
    let from = neutral[arm.upper].translation;
    let joints = arm.hand.iter().flat_map(|hand| rig.skeleton.subtree(*hand));
    let length = joints.map(|j| (neutral[JointId(j as u16)].translation - from).length()).fold(0.0, f32::max);
    let soles = rig.legs.iter().map(|leg| (neutral[leg.ankle()].transform_point(leg.foot.ball)).y);
    let high = (from.y - soles.fold(f32::INFINITY, f32::min)) * (1.0 - OVER_GROUND);
    if !(high > 0.0 && length > high) {
        return 0.0;
    }
    let out = crate::math::single::acos(high / length).min(MOST_SPREAD);
    if arm.side == Side::Left { out } else { -out }
}

/// Where an arm points in the neutral pose.
fn aside(side: Side) -> Vec3A {
    match side {
        Side::Left => Vec3A::X,
        Side::Right => -Vec3A::X,
    }
}

/// The legs that hang from the pelvis itself.
fn hind(rig: &Rig, parts: &BodyParts) -> Vec<usize> {
    let of_spine = |joint: JointId| parts.spine.contains(&joint);
    (0..rig.legs.len()).filter(|leg| !rig.skeleton.ancestry(rig.legs[*leg].hip()).any(of_spine)).collect()
}

/// The middle of the hips of some legs in a pose, metres, model space; where the pelvis is, if there is none.
pub(super) fn middle(rig: &Rig, legs: &[usize], pose: &ModelPose, pelvis: JointId) -> Vec3A {
    let sum: Vec3A = legs.iter().map(|leg| pose[rig.legs[*leg].hip()].translation).sum();
    if legs.is_empty() { pose[pelvis].translation } else { sum / legs.len() as f32 }
}

/// What hangs from the joints that carry the whole body, and is neither body nor foot, goes with the nearest part of the body.
fn followers(rig: &Rig, parts: &BodyParts, stand: &ModelPose, turning: &[JointId]) -> Vec<Follower> {
    let skeleton = &rig.skeleton;
    let above: Vec<JointId> = skeleton.ancestry(parts.pelvis).skip(1).collect();
    let holds = |joint: JointId, part: JointId| skeleton.subtree(joint).contains(&part.index());
    let is_handle = |joint: &JointId| {
        let hangs = skeleton.parent(*joint).is_none_or(|parent| above.contains(&parent));
        hangs && !above.contains(joint) && !turning.iter().any(|part| holds(*joint, *part) || holds(*part, *joint))
    };
    let follower = |joint: JointId| {
        let far = |part: &JointId| (stand[*part].translation - stand[joint].translation).length();
        let after = turning.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b)))?;
        Some(Follower { joint, after, after_from_joint: stand[after].inverse() * stand[joint] })
    };
    skeleton.joints().filter(is_handle).filter_map(follower).collect()
}

/// How a body was modelled: turned as its skin was bound, its bones as they rest. `None` where that is no body that stands.
fn bound(rig: &Rig, skin: &Skin) -> Option<ModelPose> {
    let skeleton = &rig.skeleton;
    let rest = ModelPose::new(skeleton);
    let mut turns: Vec<Option<Quat>> = vec![None; skeleton.len()];
    for bone in &skin.bones {
        let (scale, rotation, _) = bone.joint_from_bind.inverse().to_scale_rotation_translation();
        let turn = &mut turns[bone.joint.index()];
        if turn.is_none() && scale.min_element() > 0.0 && rotation.is_finite() {
            *turn = Some(rotation.normalize());
        }
    }
    let mut model = rest.clone();
    for joint in skeleton.joints() {
        let local = skeleton.rest()[joint.index()];
        let above = skeleton.parent(joint).map_or(Rigid::IDENTITY, |parent| model.joints[parent.index()]);
        let placed = above * local;
        let rotation = turns[joint.index()].unwrap_or(placed.rotation);
        model.joints[joint.index()] = Rigid { rotation, translation: placed.translation };
    }
    // Bones of one name may be bound in frames of their own: it must stand as the rest pose does.
    let stands = |pose: &ModelPose| {
        let hips: Vec<Vec3A> = rig.legs.iter().map(|leg| pose[leg.hip()].translation).collect();
        let [first, last] = [hips.first(), hips.last()].map(|hip| hip.copied().unwrap_or_default());
        let top = pose.joints.iter().map(|joint| joint.translation).max_by(|a, b| a.y.total_cmp(&b.y));
        (first - last, top.unwrap_or_default() - first)
    };
    let ((across, up), (rest_across, rest_up)) = (stands(&model), stands(&rest));
    let near = |a: Vec3A, b: Vec3A| a.angle_between(b) < UPRIGHT;
    let legs_down = rig.legs.iter().all(|leg| {
        let down = leg.shin_end(&model) - model[leg.hip()].translation;
        let at_rest = leg.shin_end(&rest) - rest[leg.hip()].translation;
        down.is_finite() && down.y < 0.3 * at_rest.y.min(0.0)
    });
    (near(across, rest_across) && near(up, rest_up) && legs_down).then_some(model)
}

/// The neutral pose of a body that stands somehow.
fn neutral(rig: &Rig, parts: &BodyParts, stand: &ModelPose) -> ModelPose {
    let mut body = Turned::new(&rig.skeleton, stand);
    for arm in &parts.arms {
        let to = aside(arm.side);
        for (joint, next) in [(arm.upper, arm.fore), (arm.fore, arm.hand[0])] {
            body.straighten(joint, body.model[next].translation, to);
        }
        for hand in &arm.hand {
            let fingers: Vec<Vec3A> = arm
                .fingers
                .iter()
                .filter(|finger| finger.name != crate::analyse::FingerName::Thumb)
                .map(|finger| body.model[finger.joints[0]].translation)
                .collect();
            let from = body.model[*hand].translation;
            let middle = fingers.iter().sum::<Vec3A>() / fingers.len().max(1) as f32;
            if !fingers.is_empty()
                && (middle - from).length() > 0.1 * (from - body.model[arm.fore].translation).length()
            {
                body.straighten(*hand, middle, to);
            }
        }
        body.palm_down(arm);
    }
    for leg in &rig.legs {
        let chain = LegChain::of_rig(leg);
        for (i, joint) in chain.joints.iter().enumerate() {
            let next =
                chain.joints.get(i + 1).map_or_else(|| chain.end(&body.model), |next| body.model[*next].translation);
            body.straighten(*joint, next, -Vec3A::Y);
        }
        if !leg.foot.is_point() {
            body.set(leg.ankle(), leg.foot.ankle_from_sole().rotation.conjugate());
        }
    }
    body.model
}

/// A body whose joints are turned one by one.
struct Turned<'a> {
    skeleton: &'a Skeleton,
    pose: Pose,
    model: ModelPose,
}

impl<'a> Turned<'a> {
    fn new(skeleton: &'a Skeleton, stand: &ModelPose) -> Self {
        let mut pose = Pose::rest(skeleton);
        for joint in skeleton.joints() {
            let above = skeleton.parent(joint).map_or(Rigid::IDENTITY, |parent| stand[parent]);
            pose.locals[joint.index()] = above.inverse() * stand[joint];
        }
        Self { skeleton, pose, model: stand.clone() }
    }

    /// Turns a joint so that it is turned so in model space.
    fn set(&mut self, joint: JointId, rotation: Quat) {
        let above = self.skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| self.model[parent].rotation);
        self.pose.locals[joint.index()].rotation = (above.conjugate() * rotation).normalize();
        self.model.refresh(self.skeleton, &self.pose, joint);
    }

    /// Turns a joint the shortest way so that what is at `next` now comes to lie where `to` points.
    fn straighten(&mut self, joint: JointId, next: Vec3A, to: Vec3A) {
        let here = self.model[joint];
        if let Some(from) = (next - here.translation).try_normalize() {
            self.set(joint, quat::arc(from, to, Vec3A::Z) * here.rotation);
        }
    }

    /// Turns hands of a body that was modelled with its palms ahead or up, a quarter at a time: thumbs point forward.
    fn palm_down(&mut self, arm: &crate::analyse::Arm) {
        let thumb = arm.fingers.iter().find(|finger| finger.name == crate::analyse::FingerName::Thumb);
        let Some(thumb) = thumb else { return };
        let along = aside(arm.side);
        let end = thumb.joints[thumb.joints.len() - 1];
        let out = self.model[end].translation - self.model[arm.hand[0]].translation;
        let out = out - along * out.dot(along);
        if out.length() < 1e-3 * self.model[arm.hand[0]].translation.length().max(0.1) {
            return;
        }
        let angle = crate::math::single::atan2(out.cross(Vec3A::Z).dot(along), out.dot(Vec3A::Z));
        let quarters = (angle / std::f32::consts::FRAC_PI_2).round();
        // A thumb half way down is usual.
        if quarters != 0.0 && angle.abs() > 1.05 {
            let turn = Quat::from_axis_angle(along.into(), quarters * std::f32::consts::FRAC_PI_2);
            for hand in &arm.hand {
                self.set(*hand, turn * self.model[*hand].rotation);
            }
        }
    }
}
