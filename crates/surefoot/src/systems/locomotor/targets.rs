//! Eyes and hands of a live character on what it looks at and reaches for, by Newton's method; its feet stay where they are.

use super::{Intent, Locomotor, LocomotorFrame, LocomotorState};
use crate::analyse::BodyParts;
use crate::character::Character;
use crate::ik::{Effector, Freedom, IkProblem, IkState, LookAt, Objective, Reach, SolveIk};
use crate::math::{single, smoothstep};
use crate::rig::{JointId, ModelPose, Pose, Side, Skeleton};
use glam::{Vec3, Vec3A};
use std::f32::consts::FRAC_PI_2;

/// How many targets a character has at most.
pub const MOST_TARGETS: usize = 4;

/// Joints of a character that look or reach, made ready once.
#[derive(Clone, Debug)]
pub struct Targets {
    problem: IkProblem,
    limbs: Vec<TargetLimb>,
    /// How poses are solved for.
    pub solve: SolveIk,
}

/// What looks or reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TargetLimb {
    /// A joint that looks along a direction of its own, a unit vector in its space: a head.
    Look {
        /// The joint.
        joint: JointId,
        /// Where it looks, a unit vector in its space.
        direction: Vec3A,
    },
    /// A joint that comes to a place: a hand.
    Reach {
        /// The joint.
        joint: JointId,
    },
}

/// A target from frame to frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TargetState {
    /// How much it is followed, from 0 to 1.
    pub weight: f32,
    /// Where it is believed to be, metres, world: it is followed smoothly.
    pub place: Vec3,
}

/// Room to solve in; remembers nothing from frame to frame.
#[derive(Clone, Debug)]
pub(super) struct TargetRoom {
    solver: IkState,
    looks: Vec<LookAt>,
    reaches: Vec<Reach>,
}

/// How soon a target that moves is followed, seconds.
const FOLLOWS: f32 = 0.12;
/// Heads and bodies turn to what they look at by no more than this to each side, radians: what is behind is looked at over the
/// shoulder.
const ASIDE: f32 = 1.2;
const UP: f32 = 0.7;
/// Weight of a look beside a reach, square metres: a radian counts as much as 20 cm.
const LOOK: f32 = 0.04;
/// Weight of a reach.
const REACH: f32 = 1.0;
/// Steps that a solve takes at most: it starts from the pose of the walk in every frame.
const STEPS: usize = 8;
/// How much less willingly backs bend than arms and necks.
const BACK: f32 = 6.0;

impl TargetLimb {
    /// The joint.
    #[must_use]
    pub fn joint(&self) -> JointId {
        match self {
            Self::Look { joint, .. } | Self::Reach { joint } => *joint,
        }
    }

    /// A character's head, which looks ahead in its idle pose; `None` if none was found.
    #[must_use]
    pub fn head(character: &Character) -> Option<Self> {
        let (parts, model) = parts(character);
        let joint = parts.head()?;
        Some(Self::Look { joint, direction: (model[joint].rotation.conjugate() * Vec3A::Z).normalize_or(Vec3A::Z) })
    }

    /// A character's hand on a side; `None` if none was found there.
    #[must_use]
    pub fn hand(character: &Character, side: Side) -> Option<Self> {
        let (parts, _) = parts(character);
        let arm = parts.arms.iter().find(|arm| arm.side == side)?;
        arm.hand.first().map(|joint| Self::Reach { joint: *joint })
    }
}

fn parts(character: &Character) -> (BodyParts, ModelPose) {
    let mut model = ModelPose::new(&character.rig.skeleton);
    character.stand.pose.to_model(&character.rig.skeleton, &mut model);
    (BodyParts::find(&character.rig, &model), model)
}

impl Targets {
    /// Limbs of a character that look and reach, in the order of [`Intent::targets`]; those beyond [`MOST_TARGETS`] are left out.
    /// What carries legs does not move for them, so feet stay where they are.
    ///
    /// # Panics
    /// If a joint is of another skeleton.
    #[must_use]
    pub fn new(character: &Character, mut limbs: Vec<TargetLimb>) -> Self {
        limbs.truncate(MOST_TARGETS);
        let skeleton = &character.rig.skeleton;
        let mut bears = vec![false; skeleton.len()];
        for leg in &character.rig.legs {
            bears[skeleton.subtree(leg.hip())].fill(true);
            skeleton.ancestry(leg.hip()).for_each(|joint| bears[joint.index()] = true);
        }
        let mut freedoms = Vec::new();
        let mut effectors = Vec::new();
        for limb in &limbs {
            let joint = limb.joint();
            let up = skeleton.ancestry(joint).skip(1).take_while(|joint| !bears[joint.index()]).count();
            effectors.push(match limb {
                TargetLimb::Look { .. } => Effector::turning(joint).within(up),
                TargetLimb::Reach { .. } => Effector::place(joint).within(up),
            });
        }
        for joint in skeleton.joints().filter(|joint| !bears[joint.index()]) {
            let back = skeleton.side(joint).is_none() && !limbs.iter().any(|limb| limb.joint() == joint);
            freedoms.extend(Freedom::ball(joint).map(|ball| if back { ball.stiff(BACK) } else { ball }));
        }
        let problem = IkProblem::new(skeleton, &freedoms, &effectors);
        Self { problem, limbs, solve: SolveIk { steps: STEPS, near: 2e-3, ..SolveIk::default() } }
    }

    /// Its limbs.
    #[must_use]
    pub fn limbs(&self) -> &[TargetLimb] {
        &self.limbs
    }

    pub(super) fn room(&self, skeleton: &Skeleton) -> TargetRoom {
        let mut room = TargetRoom {
            solver: IkState::new(&self.problem),
            looks: Vec::with_capacity(MOST_TARGETS),
            reaches: Vec::with_capacity(MOST_TARGETS),
        };
        // The first solve reserves what all others need.
        for limb in &self.limbs {
            let (joint, target) = (limb.joint(), Vec3A::new(0.3, 1.0, 0.5));
            match limb {
                TargetLimb::Look { direction, .. } => {
                    room.looks.push(LookAt { joint, direction: *direction, target, weight: LOOK });
                }
                TargetLimb::Reach { .. } => room.reaches.push(Reach { weight: REACH, ..Reach::new(joint, target) }),
            }
        }
        let objectives: [&dyn Objective; 2] = [&room.looks, &room.reaches];
        self.solve.run(&self.problem, &mut room.solver, &objectives, &mut Pose::rest(skeleton));
        room
    }
}

impl Locomotor {
    /// The same with limbs that look and reach, asked for by [`Intent::targets`].
    #[must_use]
    pub fn with_targets(mut self, targets: Targets) -> Self {
        self.targets = Some(targets);
        self
    }

    /// Targets come nearer, and go.
    pub(super) fn advance_targets(&self, state: &mut LocomotorState, intent: &Intent, dt: f32) {
        let Some(targets) = &self.targets else { return };
        let fade = dt / self.settings.fade.max(1e-3);
        let soon = 1.0 - single::exp(-dt / FOLLOWS);
        for (own, wanted) in state.targets.iter_mut().zip(intent.targets).take(targets.limbs.len()) {
            let wanted = wanted.filter(|place| place.is_finite() && place.abs().max_element() < 1e6);
            if let Some(place) = wanted {
                own.place = if own.weight <= 0.0 { place } else { own.place.lerp(place, soon) };
            }
            let goal = if wanted.is_some() { 1.0 } else { 0.0 };
            own.weight += (goal - own.weight).clamp(-fade, fade);
        }
    }

    /// Turns the body above its legs to what it looks at and reaches for.
    pub(super) fn follow_targets(&self, state: &LocomotorState, frame: &mut LocomotorFrame) {
        let LocomotorFrame { pose, model, targets: room, .. } = frame;
        let (Some(targets), Some(room)) = (&self.targets, room) else { return };
        if state.targets.iter().all(|own| own.weight <= 0.0) {
            return;
        }
        let model_from_world = pose.root.inverse();
        room.looks.clear();
        room.reaches.clear();
        for (limb, own) in targets.limbs.iter().zip(&state.targets) {
            let (joint, weight) = (limb.joint(), smoothstep(own.weight));
            let place = model_from_world.transform_point(own.place.into());
            match limb {
                TargetLimb::Look { direction, .. } => {
                    // From where it looks in the walk to where it should.
                    let eyes = model[joint].translation;
                    let now = model[joint].rotation * *direction;
                    let wanted = within_reach_of_eyes(place - eyes);
                    let far = wanted.length().max(0.1);
                    let goal = now.lerp(wanted / far, weight).normalize_or(now);
                    room.looks.push(LookAt {
                        joint,
                        direction: *direction,
                        target: eyes + far.max(1.0) * goal,
                        weight: LOOK,
                    });
                }
                TargetLimb::Reach { .. } => {
                    let now = model[joint].translation;
                    let reach = Reach { weight: REACH, ..Reach::new(joint, now.lerp(place, weight)) };
                    // One that is not followed is not held either.
                    room.reaches.push(Reach { weight: if weight > 0.0 { REACH } else { 0.0 }, ..reach });
                }
            }
        }
        room.solver.reset();
        let objectives: [&dyn Objective; 2] = [&room.looks, &room.reaches];
        targets.solve.run(&targets.problem, &mut room.solver, &objectives, pose);
        pose.to_model(&self.character.rig.skeleton, model);
    }
}

/// The direction to a target as far as a head turns for it, metres, model space.
fn within_reach_of_eyes(to: Vec3A) -> Vec3A {
    let level = (to.x * to.x + to.z * to.z).sqrt();
    if !(to.is_finite() && to.length_squared() > 1e-6) {
        return Vec3A::Z;
    }
    let aside = single::atan2(to.x, to.z);
    // Behind it looks ahead again rather than from one shoulder to the other at once.
    let behind = ((aside.abs() - FRAC_PI_2) / FRAC_PI_2).clamp(0.0, 1.0);
    let aside = aside.clamp(-ASIDE, ASIDE) * (1.0 - smoothstep(behind));
    let up = single::atan2(to.y, level).clamp(-UP, UP);
    let (sin, cos) = single::sin_cos(aside);
    let (rise, flat) = single::sin_cos(up);
    to.length() * Vec3A::new(sin * flat, rise, cos * flat)
}
