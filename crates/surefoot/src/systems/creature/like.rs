//! How much a body moves, taken from a walk that was drawn for it.

use super::Creature;
use crate::adapt::{BLADE, CarryBody};
use crate::character::Character;
use crate::math::quat;
use crate::motion::Clip;
use crate::plan::steps::{PlanCourse, PlanSteps, Stride};
use crate::rig::{JointId, ModelPose, Pose};
use std::sync::Arc;

/// Bodies are fitted to this many times what was drawn: a walk over a way has slow parts, which a drawn cycle has not.
const MORE: f32 = 1.3;
/// How often amounts are fitted: movements add up as squares, and some joints move by themselves.
const FITS: usize = 3;
/// No amount becomes less or greater than these.
const AMOUNTS: [f32; 2] = [0.2, 5.0];
/// Bodies go no higher and no lower than they stand than this while they walk, in heights of the hips.
const CROUCHES: [f32; 2] = [-0.4, 0.25];
/// Arms swing no more than this many times as far as is usual.
const ARMS: f32 = 4.0;
/// Shoulder blades and hip bones take no more than half of their legs' swing.
const BLADES: f32 = 0.5 / BLADE;
/// The same for how much hips and shoulders turn, which move everything else.
const TWISTS: [f32; 2] = [0.4, 1.0];

impl Creature {
    /// How its body is carried if it is as high and its joints turn as much as in a drawn walk of the same character, its hips no
    /// more than is usual; by a clip it is as high as that anyhow. Plans a few walks to find out: for when a character is loaded, not for every frame.
    #[must_use]
    pub fn carry_like(&self, character: &Arc<Character>, walk: &Stride) -> CarryBody {
        let drawn = MORE * life(character, &walk.clip);
        let (high, swung) = (height(character, &walk.clip), blades(character, &walk.clip));
        let course = PlanCourse { speed: Some(walk.speed), ..self.steps.course };
        let steps = PlanSteps { course, stride: None, ..self.steps.clone() };
        let mut creature = Self { steps, ..self.clone() };
        let mut amount = 1.0_f32;
        for _ in 0..FITS {
            let cycle = creature.cycle(character, "walk");
            let lower = (height(character, &cycle) - high) / character.stand.hip;
            if self.steps.stride.is_none() {
                creature.carry.crouch = (creature.carry.crouch + lower).clamp(CROUCHES[0], CROUCHES[1]);
            }
            if self.steps.stride.is_none() && swung > 0.0 {
                let own = blades(character, &cycle).max(1e-3 * swung);
                creature.carry.blades = (creature.carry.blades * swung / own).clamp(0.0, BLADES);
            }
            let own = life(character, &cycle);
            if own < 1e-3 {
                break;
            }
            amount = (amount * drawn / own).clamp(AMOUNTS[0], AMOUNTS[1]);
            let CarryBody { twist, arms, follow, .. } = self.carry;
            creature.carry.twist = twist * amount.clamp(TWISTS[0], TWISTS[1]);
            // Arms by themselves: hands that swing for what a head nods in the clip are flung about.
            let (drawn, own) = (arms_of(character, &walk.clip), arms_of(character, &cycle));
            creature.carry.arms = if own > 1e-3 {
                (creature.carry.arms * drawn / own).clamp(AMOUNTS[0] * arms, ARMS * arms)
            } else {
                arms * amount.min(ARMS)
            };
            creature.carry.follow = follow * amount;
        }
        let stands = character.body_plan.trunk_at.y;
        creature.carry.rides = (stands > 0.0).then_some(high / stands);
        creature.carry
    }
}

/// How high the trunk is over where feet come down, on average, metres.
fn height(character: &Character, clip: &Clip) -> f32 {
    let rig = &character.rig;
    let mut pose = Pose::rest(&rig.skeleton);
    let mut model = ModelPose::new(&rig.skeleton);
    let (mut sum, mut lowest) = (0.0, vec![f32::INFINITY; rig.legs.len()]);
    for (locals, root) in (0..clip.frames()).map(|f| clip.frame(f)).zip(clip.roots()) {
        pose.locals.copy_from_slice(locals);
        pose.to_model(&rig.skeleton, &mut model);
        sum += root.transform_point(model[character.body_plan.trunk].translation).y;
        for (leg, lowest) in rig.legs.iter().zip(&mut lowest) {
            let sole = model[leg.ankle()].transform_point(leg.foot.ankle_from_sole().translation);
            *lowest = lowest.min(root.transform_point(sole).y);
        }
    }
    sum / clip.frames().max(1) as f32 - lowest.iter().sum::<f32>() / lowest.len().max(1) as f32
}

/// Root mean square of how fast joints outside the legs turn in a cycle, rad/s.
fn life(character: &Character, clip: &Clip) -> f32 {
    let (skeleton, plan) = (&character.rig.skeleton, &character.body_plan);
    let legs: Vec<_> = character.stand.legs.iter().map(|leg| skeleton.subtree(leg.chain.joints[0])).collect();
    let feet: Vec<_> = character.rig.legs.iter().map(|leg| skeleton.subtree(leg.ankle())).collect();
    let counts = |joint: &JointId| {
        // What hangs beside the trunk are handles for legs and hands.
        let of_body = skeleton.subtree(plan.trunk).contains(&joint.index()) && *joint != plan.trunk;
        of_body && !legs.iter().chain(&feet).any(|leg| leg.contains(&joint.index()))
    };
    turning(clip, skeleton.joints().filter(counts))
}

/// The same of the arms.
fn arms_of(character: &Character, clip: &Clip) -> f32 {
    let arms = character.body_plan.arms.iter();
    turning(clip, arms.flat_map(|arm| [Some(arm.upper), arm.elbow]).flatten().map(|joint| joint.joint))
}

/// The same of the joints that carry one leg each; 0 without such.
fn blades(character: &Character, clip: &Clip) -> f32 {
    turning(clip, character.body_plan.blades.iter().map(|blade| blade.joint.joint))
}

/// Root mean square of how fast joints turn in a cycle, rad/s.
fn turning(clip: &Clip, joints: impl Iterator<Item = JointId>) -> f32 {
    let (mut sum, mut seen) = (0.0, 0.0_f32);
    for joint in joints {
        for f in 0..clip.frames() {
            let [a, b] = [f, (f + 1) % clip.frames()].map(|f| clip.frame(f)[joint.index()].rotation);
            sum += (quat::angle_between(a, b) * clip.rate()).powi(2);
            seen += 1.0;
        }
    }
    (sum / seen.max(1.0)).sqrt()
}
