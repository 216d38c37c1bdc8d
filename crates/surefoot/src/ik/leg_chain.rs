//! Legs of any number of bones: which joints bend, and bringing the foot to its place.

use super::bend::{Bones, MOST};
use super::{LegPose, Swivel, TwoBone};
use crate::math::{Rigid, quat};
use crate::motion::Clip;
use crate::rig::{JointId, Leg, ModelPose, Pose, Skeleton};
use glam::{Quat, Vec3A};

/// A leg as the joints that turn for its foot: two bones (people), three and more (beasts on their toes, horses, spiders).
///
/// Built once from a rig's leg; bone lengths are those of each pose.
#[derive(Clone, Debug, PartialEq)]
pub struct LegChain {
    /// The joints that turn, hip first. Joints of the skeleton between them move as one piece with the joint above.
    pub joints: Vec<JointId>,
    /// Hinge axis of each of them but the hip, a unit vector in its parent's space: turning about it bends the leg more.
    pub hinges: Vec<Vec3A>,
    /// The joint that carries the foot.
    pub ankle: JointId,
    /// What is brought to its place.
    pub end: LegEnd,
}

/// Which point of a leg is brought to its place.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum LegEnd {
    /// The ankle; the foot then turns as it should.
    Ankle,
    /// A point of the foot, metres in ankle space: the foot goes with the last bone, as those do that stand on a point.
    Point(Vec3A),
    /// The end of the last bone, metres in the space of the last joint, for a foot that does not hang from it: the foot is
    /// put to its place.
    Apart(Vec3A),
}

/// Where a leg should come, model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegGoal {
    /// The ankle's place and turn.
    pub ankle: Rigid,
    /// Where the leg's end should be, metres; as it lies to the ankle in the pose if `None`.
    pub end: Option<Vec3A>,
    /// Whether the knee of a leg of two bones is to change its side: it is stretched beyond straight, and should bend its own
    /// way.
    pub turn_over: bool,
}

impl From<Rigid> for LegGoal {
    /// An ankle's place and turn.
    fn from(ankle: Rigid) -> Self {
        Self { ankle, end: None, turn_over: false }
    }
}

/// How legs are brought to their places.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct BendLeg {
    /// How far they may stretch.
    pub stretch: TwoBone,
    /// How much the hip's own turn counts when the leg swivels about the line from hip to end.
    pub hip_weight: f32,
    /// How much the ankle's counts.
    pub ankle_weight: f32,
}

impl Default for BendLeg {
    fn default() -> Self {
        Self { stretch: TwoBone::default(), hip_weight: 1.0, ankle_weight: 0.3 }
    }
}

/// What became of a leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegOutcome {
    /// How far its end is from its place, metres.
    pub missed: f32,
    /// How much more the leg is bent than it was: 1 the same, less where it is stretched. The bend s of its inner joints, or
    /// for two bones the old distance from hip to end over the new one.
    pub bend: f32,
}

impl LegEnd {
    fn of(leg: &Leg) -> Self {
        match leg.shin {
            Some(end) => Self::Apart(end),
            None if leg.foot.is_point() => Self::Point(leg.foot.ball),
            None => Self::Ankle,
        }
    }
}

impl LegChain {
    /// The chain of a rig's leg: every joint between hip and ankle that has a bone worth the name and is bent at rest or
    /// bends in a clip. `None` for a leg of more than twelve such bones.
    #[must_use]
    pub fn of(skeleton: &Skeleton, leg: &Leg, clips: &[&Clip]) -> Option<Self> {
        let (hip, ankle) = (leg.hip(), leg.ankle());
        let last = if leg.shin.is_some() { leg.chain[leg.chain.len() - 2] } else { ankle };
        let end = LegEnd::of(leg);
        let mut path: Vec<JointId> = skeleton.ancestry(last).take_while(|joint| *joint != hip).collect();
        path.push(hip);
        path.reverse();
        // The ankle itself bends only where the foot goes with it.
        if end == LegEnd::Ankle {
            path.pop();
        }
        let seen = Seen::new(skeleton, &path, ankle, end, clips);
        let mut chain = Self { joints: vec![hip], hinges: Vec::new(), ankle, end };
        for (i, joint) in path.iter().enumerate().skip(1) {
            let known = leg.chain[1..].iter().position(|j| j == joint).and_then(|k| leg.hinges.get(k));
            if seen.bends(i) || known.is_some() {
                let fallback = known.copied().unwrap_or_else(|| {
                    // The rig's hinge, as this joint sees it at rest.
                    let at = |joint: JointId| skeleton.parent(joint).map(|p| skeleton.rest_of(p).rotation);
                    let model = at(leg.chain[1]).unwrap_or_default() * leg.hinges[0];
                    at(*joint).unwrap_or_default().conjugate() * model
                });
                chain.joints.push(*joint);
                chain.hinges.push(seen.hinge(i).unwrap_or(fallback));
            }
        }
        (chain.joints.len() <= MOST).then_some(chain)
    }

    /// The joints that turn and the ankle.
    pub(crate) fn moving(&self) -> impl Iterator<Item = JointId> {
        self.joints.iter().copied().chain([self.ankle])
    }

    /// The chain of a rig's leg as the rig tells it: hip and inner joints, with its hinges. What a clip never turns is no joint
    /// of it, so that a clip that is changed as little as can be keeps what it does not bend.
    ///
    /// # Panics
    /// If the leg has fewer than three joints.
    #[must_use]
    pub fn of_rig(leg: &Leg) -> Self {
        let inner = leg.chain.len() - 1;
        Self {
            joints: leg.chain[..inner].to_vec(),
            hinges: leg.hinges[..inner - 1].to_vec(),
            ankle: leg.ankle(),
            end: LegEnd::of(leg),
        }
    }

    /// Number of bones.
    #[must_use]
    pub fn bones(&self) -> usize {
        self.joints.len()
    }

    /// Where its end is in a pose, metres, model space.
    #[must_use]
    pub fn end(&self, model: &ModelPose) -> Vec3A {
        match self.end {
            LegEnd::Ankle => model[self.ankle].translation,
            LegEnd::Point(point) => model[self.ankle].transform_point(point),
            LegEnd::Apart(end) => model[self.joints[self.joints.len() - 1]].transform_point(end),
        }
    }

    /// Where its end must be for an ankle's place, given how they lie to each other in a pose.
    #[must_use]
    pub fn end_at(&self, model: &ModelPose, ankle: Rigid) -> Vec3A {
        match self.end {
            LegEnd::Ankle => ankle.translation,
            LegEnd::Point(point) => ankle.transform_point(point),
            LegEnd::Apart(_) => (ankle * model[self.ankle].inverse()).transform_point(self.end(model)),
        }
    }

    /// Whether any of its bones has a length in a pose, `end` being where its end is, model space.
    fn has_length(&self, model: &ModelPose, end: Vec3A) -> bool {
        let hip = model[self.joints[0]].translation;
        let mut places = self.joints[1..].iter().map(|joint| model[*joint].translation).chain([end]);
        places.any(|place| (place - hip).length_squared() > LEAST_LENGTH * LEAST_LENGTH)
    }

    /// Its bones in a pose, `end` being where its end is, model space.
    fn bent_bones(&self, skeleton: &Skeleton, model: &ModelPose, end: Vec3A) -> Bones {
        let mut bones = Bones::new();
        for (i, joint) in self.joints.iter().enumerate() {
            let next = self.joints.get(i + 1).map_or(end, |next| model[*next].translation);
            let above = skeleton.parent(*joint).map_or(Quat::IDENTITY, |parent| model[parent].rotation);
            let hinge = if i == 0 { Vec3A::ZERO } else { above * self.hinges[i - 1] };
            bones.push(next - model[*joint].translation, hinge);
        }
        bones
    }

    /// How near its end comes to its hip as all its joints fold together from a pose, metres.
    #[must_use]
    pub(crate) fn nearest(&self, skeleton: &Skeleton, model: &ModelPose) -> f32 {
        self.bent_bones(skeleton, model, self.end(model)).nearest()
    }

    /// The sum of its bones in a pose, metres.
    #[must_use]
    pub fn length(&self, model: &ModelPose) -> f32 {
        let places = self.joints.iter().map(|joint| model[*joint].translation).chain([self.end(model)]);
        let mut before: Option<Vec3A> = None;
        places.map(|place| before.replace(place).map_or(0.0, |before| (place - before).length())).sum()
    }
}

/// A leg that is nowhere farther from its hip than this is a point, and is not bent, metres.
const LEAST_LENGTH: f32 = 1e-6;

impl BendLeg {
    /// Turns the joints of a leg so that it comes to its goal, an ankle's place and turn. `model` must be what `pose`
    /// composes to, but for what hangs from the ankle, and is all of it afterwards. A leg with a pointed foot keeps its own angle at the ankle.
    /// Allocates nothing.
    ///
    /// # Panics
    /// If pose, model and chain are not of this skeleton.
    pub fn run(
        &self,
        skeleton: &Skeleton,
        chain: &LegChain,
        pose: &mut Pose,
        model: &mut ModelPose,
        goal: impl Into<LegGoal>,
    ) -> LegOutcome {
        let LegGoal { ankle, end: target, turn_over } = goal.into();
        let target = target.unwrap_or_else(|| chain.end_at(model, ankle));
        let (hip, last) = (model[chain.joints[0]].translation, chain.joints[chain.joints.len() - 1]);
        let end = chain.end(model);
        if !(ankle.is_finite() && chain.has_length(model, end)) {
            model.refresh(skeleton, pose, chain.ankle);
            return LegOutcome { missed: (target - end).length(), bend: 1.0 };
        }
        let above = |model: &ModelPose, joint| skeleton.parent(joint).map_or(Quat::IDENTITY, |p| model[p].rotation);

        // The turn of every joint in model space, without those above it.
        let mut turns = [Quat::IDENTITY; MOST];
        let bend;
        if let [hinge] = chain.hinges[..] {
            let knee = model[last].translation;
            let leg = LegPose { hip, knee, ankle: end, hinge: above(model, last) * hinge, turn_over };
            let bent = self.stretch.solve(&leg, target);
            turns[0] = bent.thigh;
            turns[1] = bent.thigh.conjugate() * bent.shin;
            bend = (end - hip).length() / (bent.ankle - hip).length().max(1e-6);
        } else {
            let bones = chain.bent_bones(skeleton, model, end);
            let found = bones.bend_for((target - hip).length(), self.stretch);
            bend = found.bend;
            for i in 1..bones.count {
                turns[i] = bones.rotation(i, bend);
            }
            // Back to the line it was on, within the plane of the leg, then on to the target the short way.
            let (was, bent) = ((end - hip).normalize_or(-Vec3A::Y), found.end);
            let side = turns[1].xyz().normalize_or(glam::Vec3::X).into();
            let to = (target - hip).normalize_or(was);
            turns[0] = quat::arc(was, to, side) * quat::arc(bent.normalize_or(was), was, side);
        }

        // Among all that reach, the swivel that is nearest to how hip and ankle were turned.
        let foot_free = chain.end == LegEnd::Ankle;
        let shin = turns[1..chain.joints.len()].iter().fold(turns[0], |a, b| a * *b) * model[last].rotation;
        let axis = (target - hip).try_normalize();
        let swivel = Swivel {
            axis: axis.unwrap_or(Vec3A::Y),
            thigh: turns[0] * model[chain.joints[0]].rotation,
            wanted_thigh: model[chain.joints[0]].rotation,
            hip_weight: self.hip_weight,
            shin,
            foot: ankle.rotation,
            wanted_ankle: model[last].rotation.conjugate() * model[chain.ankle].rotation,
            ankle_weight: if foot_free { self.ankle_weight } else { 0.0 },
        };
        if axis.is_some() {
            turns[0] = swivel.turn() * turns[0];
        }

        // What a joint turns by in model space, before those above it turn, is a turn of its local in its parent's space.
        for (joint, turn) in chain.joints.iter().zip(turns) {
            let parent = above(model, *joint);
            let local = &mut pose.locals[joint.index()].rotation;
            let new = parent.conjugate() * turn * parent * *local;
            *local = quat::nearest_sign(*local, new).normalize();
        }
        // What hangs from the ankle, and what comes after it, is composed once, when the ankle is turned.
        let moved = skeleton.subtree(chain.joints[0]);
        let foot = if moved.contains(&chain.ankle.index()) { chain.ankle.index() } else { moved.end };
        model.refresh_range(skeleton, pose, moved.start..foot);
        if !matches!(chain.end, LegEnd::Point(_)) {
            let parent = skeleton.parent(chain.ankle).map_or(Rigid::IDENTITY, |parent| model[parent]);
            let local = &mut pose.locals[chain.ankle.index()];
            let new = parent.rotation.conjugate() * ankle.rotation;
            local.rotation = quat::nearest_sign(local.rotation, new).normalize();
            if matches!(chain.end, LegEnd::Apart(_)) {
                local.translation = (parent.inverse() * ankle).translation;
            }
            if foot == moved.end {
                model.refresh(skeleton, pose, chain.ankle);
            }
        }
        model.refresh_range(skeleton, pose, foot..moved.end);
        LegOutcome { missed: (chain.end(model) - target).length(), bend }
    }
}

/// How the joints of a path are bent, at rest and in clips.
struct Seen {
    /// By joint of the path: the sum of the bends' axes in the parent's space, each as long as its sine.
    axes: Vec<Vec3A>,
    /// Least and greatest angle, radians.
    angles: Vec<[f32; 2]>,
    poses: f32,
    /// Whether the bones on both sides are worth the name.
    whole: Vec<bool>,
}

impl Seen {
    fn new(skeleton: &Skeleton, path: &[JointId], ankle: JointId, end: LegEnd, clips: &[&Clip]) -> Self {
        let chain = LegChain { joints: path.to_vec(), hinges: Vec::new(), ankle, end };
        let mut seen = Self {
            axes: vec![Vec3A::ZERO; path.len()],
            angles: vec![[f32::INFINITY, 0.0]; path.len()],
            poses: 0.0,
            whole: vec![false; path.len()],
        };
        let mut model = ModelPose::new(skeleton);
        let length = chain.length(&model);
        let place = |model: &ModelPose, i: usize| match path.get(i) {
            Some(joint) => model[*joint].translation,
            None => chain.end(model),
        };
        for i in 1..path.len() {
            let bone = |i: usize| (place(&model, i + 1) - place(&model, i)).length();
            seen.whole[i] = bone(i - 1) > 0.03 * length && bone(i) > 0.03 * length;
        }
        let mut look = |model: &ModelPose| {
            seen.poses += 1.0;
            for i in 1..path.len() {
                let before = (place(model, i) - place(model, i - 1)).normalize_or_zero();
                let after = (place(model, i + 1) - place(model, i)).normalize_or_zero();
                let parent = skeleton.parent(path[i]).map_or(Quat::IDENTITY, |p| model[p].rotation);
                let cross = before.cross(after);
                let angle = crate::math::single::atan2(cross.length(), before.dot(after));
                seen.axes[i] += parent.conjugate() * cross;
                seen.angles[i] = [seen.angles[i][0].min(angle), seen.angles[i][1].max(angle)];
            }
        };
        look(&model);
        let mut pose = Pose::rest(skeleton);
        for clip in clips {
            for f in (0..clip.frames()).step_by(clip.frames().div_ceil(40)) {
                pose.locals.copy_from_slice(clip.frame(f));
                pose.to_model(skeleton, &mut model);
                look(&model);
            }
        }
        seen
    }

    /// Whether a joint is one that bends: by more than 8° at some time, or by 5° more than at another.
    fn bends(&self, i: usize) -> bool {
        let [least, most] = self.angles[i];
        self.whole[i] && (most > 0.14 || most - least > 0.09)
    }

    /// Its hinge, where it is bent one way on the whole.
    fn hinge(&self, i: usize) -> Option<Vec3A> {
        let mean = self.axes[i] / self.poses;
        (mean.length() > 0.05).then(|| mean.normalize())
    }
}
