//! How much a body moves, taken from a walk that was drawn for it.

use super::Creature;
use super::body_moves::{BodyMoves, heaves};
use crate::adapt::{BLADE, CarryBody, swings};
use crate::character::{Character, PlanBlade, StandLeg};
use crate::math::{quat, single};
use crate::motion::Clip;
use crate::plan::steps::{PlanCourse, PlanSteps, Stride};
use crate::rig::{GRAVITY, JointId, ModelPose, Pose};
use std::f32::consts::TAU;
use std::sync::Arc;

/// Bodies are fitted to this many times what was drawn: a walk over a way has slow parts, which a drawn cycle has not.
const MORE: f32 = 1.6;
/// Blades and arms are fitted to so many times what was drawn: steps are shorter there, but hands that swing farther are flung about.
const MORE_OF_BLADES: f32 = 1.2;
const MORE_OF_ARMS: f32 = 1.12;
/// How often amounts are fitted: movements add up as squares, and some joints move by themselves.
const FITS: usize = 3;
/// No amount becomes less or greater than these.
const AMOUNTS: [f32; 2] = [0.2, 5.0];
/// Bodies go no higher and no lower than they stand than this while they walk, in heights of the hips.
const CROUCHES: [f32; 2] = [-0.4, 0.25];
/// Arms swing no more than this many times as far as is usual.
const ARMS: f32 = 5.0;
/// Shoulder blades and hip bones take no more than so many times their legs' swing: some that are drawn are thighs in all but name.
const BLADES: f32 = 2.0 / BLADE;
/// Hips sway, roll and turn no more than so many times as far as is usual, and go up and down by no more than so many times what
/// stiff legs would do to them; on two legs they roll as usual at most, since the knee below the hip that comes down bends.
const SWAYS: f32 = 3.0;
const STIFF: f32 = 3.0;
/// Hips turn with their legs by this share of what is usual at least: legs would not reach as far.
const LEAST_TWIST: f32 = 0.4;
/// Hips that stay lower than drawn by this share of their height go up and down by less.
const SINKS: f32 = 0.03;
/// What is known to move by less than this is as good as still: metres for hips a metre high, and radians.
const STILL: f32 = 1e-4;

impl Creature {
    /// How its body is carried if it is as high, its hips move and its joints turn as much as in a drawn walk of the same
    /// character; by a clip it is as high as that anyhow. Plans a few walks to find out: for when a character is loaded, not for every frame.
    #[must_use]
    pub fn carry_like(&self, character: &Arc<Character>, walk: &Stride) -> CarryBody {
        let drawn = MORE * life(character, &walk.clip);
        let (high, swung) =
            (height(character, &walk.clip), [0, 1].map(|end| MORE_OF_BLADES * blades(character, &walk.clip, end)));
        let bladed = [0, 1].map(|end| blade_swings(character, walk, end));
        let course = PlanCourse { speed: Some(walk.speed), ..self.steps.course };
        let steps = PlanSteps { course, stride: None, ..self.steps.clone() };
        let mut creature = Self { steps, ..self.clone() };
        for (end, bladed) in bladed.iter().enumerate() {
            [creature.carry.blades[end], creature.carry.lifts[end]] = bladed.unwrap_or_default();
        }
        let (hips, late) = BodyMoves::drawn(character, walk);
        // Bodies low between spread legs have no room to go down farther than is usual.
        let hangs = character.stand.legs.iter().any(StandLeg::hangs);
        (creature.carry.stiff, creature.carry.late) = (hangs.then_some(0.5), late);
        let unit = (GRAVITY * character.stand.hip).sqrt();
        creature.carry.heaves = self.carry.heaves.max(heaves(character, &walk.clip) / unit);
        let rolls = if character.stand.legs.len() < 3 { 1.0 } else { SWAYS };
        let mut amount = 1.0_f32;
        for fit in 0..FITS {
            let cycle = creature.cycle(character, "walk");
            let lower = (height(character, &cycle) - high) / character.stand.hip;
            if self.steps.stride.is_none() {
                creature.carry.crouch = (creature.carry.crouch + lower).clamp(CROUCHES[0], CROUCHES[1]);
            }
            for (end, swung) in swung.into_iter().enumerate().filter(|(end, _)| bladed[*end].is_some()) {
                let more = swung / blades(character, &cycle, end).max(1e-3 * swung);
                let CarryBody { blades, lifts, .. } = &mut creature.carry;
                blades[end] = (blades[end] * more).clamp(0.0, BLADES);
                lifts[end] = (lifts[end] * more).clamp(-BLADES, BLADES);
            }
            let still = STILL * character.stand.hip;
            let own = BodyMoves::of(character, &cycle);
            let carry = &mut creature.carry;
            // Legs that are as straight as they may be have no room for hips that go up.
            let sinks = fit > 0 && lower < -SINKS;
            let more = if sinks { 0.5 } else { hips.down / own.down.max(still) };
            carry.stiff = carry.stiff.map(|stiff| (stiff * more).min(STIFF));
            let fitted =
                |amount: f32, drawn: f32, own: f32| (amount.abs().max(0.05) * drawn / own).clamp(-SWAYS, SWAYS);
            carry.sway = fitted(carry.sway, hips.aside, own.aside.max(still));
            carry.roll = fitted(carry.roll, hips.roll, own.roll.max(STILL)).clamp(-rolls, rolls);
            carry.twist = fitted(carry.twist, hips.turn, own.turn.max(STILL)).max(LEAST_TWIST);
            let own = life(character, &cycle);
            if own > 1e-3 {
                amount = (amount * drawn / own).clamp(AMOUNTS[0], AMOUNTS[1]);
            }
            let CarryBody { arms, follow, .. } = self.carry;
            // Arms by themselves: hands that swing for what a head nods in the clip are flung about.
            let (drawn, own) = (MORE_OF_ARMS * arms_of(character, &walk.clip), arms_of(character, &cycle));
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

/// Feet of a drawn walk that come down no farther from where they stand than this share of the leg come down on the same floor.
const SAME_FLOOR: f32 = 0.03;

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
    let (down, floor) = (lowest.iter().sum::<f32>() / lowest.len().max(1) as f32, character.stand.middle.y);
    let down = if (down - floor).abs() < SAME_FLOOR * character.leg_length { floor } else { down };
    sum / clip.frames().max(1) as f32 - down
}

/// Root mean square of how fast joints outside legs and arms turn in a cycle that carry no leg by themselves, rad/s.
fn life(character: &Character, clip: &Clip) -> f32 {
    let (skeleton, plan) = (&character.rig.skeleton, &character.body_plan);
    let legs: Vec<_> = character.stand.legs.iter().map(|leg| skeleton.subtree(leg.chain.joints[0])).collect();
    let feet: Vec<_> = character.rig.legs.iter().map(|leg| skeleton.subtree(leg.ankle())).collect();
    let limbs = |joint: &JointId| {
        plan.blades.iter().any(|blade| blade.joint.joint == *joint)
            || plan.arms.iter().any(|arm| skeleton.subtree(arm.upper.joint).contains(&joint.index()))
    };
    let counts = |joint: &JointId| {
        // What hangs beside the trunk are handles for legs and hands.
        let of_body = skeleton.subtree(plan.trunk).contains(&joint.index()) && *joint != plan.trunk;
        of_body && !limbs(joint) && !legs.iter().chain(&feet).any(|leg| leg.contains(&joint.index()))
    };
    turning(clip, skeleton.joints().filter(counts))
}

/// The same of the arms.
fn arms_of(character: &Character, clip: &Clip) -> f32 {
    let arms = character.body_plan.arms.iter();
    turning(clip, arms.flat_map(|arm| [Some(arm.upper), arm.elbow]).flatten().map(|joint| joint.joint))
}

/// The joints that carry one leg each, of those at one end of the body.
fn blades_at(character: &Character, end: usize) -> impl Iterator<Item = &PlanBlade> {
    let stand = &character.stand;
    character.body_plan.blades.iter().filter(move |blade| stand.end_of(&stand.legs[blade.leg]) == end)
}

/// The same of the joints that carry one leg each, of those at one end of the body; 0 without such.
fn blades(character: &Character, clip: &Clip, end: usize) -> f32 {
    turning(clip, blades_at(character, end).map(|blade| blade.joint.joint))
}

/// How far the joints that carry one leg each at one end of the body swing ahead with it, and ahead while it flies, for how far it
/// swings itself and in the unit of [`CarryBody::blades`], on average; `None` without such, or where they do not move.
fn blade_swings(character: &Character, walk: &Stride, end: usize) -> Option<[f32; 2]> {
    let (clip, count) = (&walk.clip, blades_at(character, end).count() as f32);
    let step = walk.speed * clip.duration();
    let mut sum = [0.0_f32; 2];
    for blade in blades_at(character, end) {
        let leg = &walk.legs[blade.leg];
        let stands = leg.lift - 0.5 * (1.0 - leg.air);
        let joint = blade.joint.joint.index();
        let idle = character.stand.pose.locals[joint].rotation;
        let mut swung = [0.0_f32; 2];
        for f in 0..clip.frames() {
            let change = blade.joint.seen(clip.frame(f)[joint].rotation * idle.conjugate());
            let ahead = -2.0 * single::atan2(change.x * change.w.signum(), change.w.abs());
            let (sin, cos) = single::sin_cos(TAU * (f as f32 / clip.frames() as f32 - stands));
            swung = [swung[0] - ahead * sin, swung[1] - ahead * cos];
        }
        let usual = BLADE * swings(&character.stand.legs[blade.leg], step).max(1e-3) * 0.5 * clip.frames() as f32;
        sum = [0, 1].map(|k| sum[k] + swung[k] / usual / count);
    }
    (sum[0].abs().max(sum[1].abs()) > 1e-3).then(|| [sum[0].clamp(0.0, BLADES), sum[1].clamp(-BLADES, BLADES)])
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Character;
    use crate::math::Rigid;
    use crate::rig::{LegId, ManyLegs, Rig};
    use glam::Vec3A;

    fn character(pairs: usize) -> Arc<Character> {
        let rig: Rig = ManyLegs { pairs, ..ManyLegs::default() }.run();
        let idle = Pose::rest(&rig.skeleton);
        Character::new(rig, idle, &[]).unwrap()
    }

    /// A walk as a creature is carried, as if it were drawn.
    fn walk(creature: &Creature, character: &Arc<Character>) -> Stride {
        let cycle = creature.cycle(character, "walk");
        let long = cycle.duration();
        let standing = creature.cycle_standing(character);
        let steps: Vec<_> = standing
            .iter()
            .enumerate()
            .map(|(leg, time)| {
                let time = time.expect("every foot steps");
                (LegId(leg as u8), [time.end, time.start].map(|at| (at / long).rem_euclid(1.0)))
            })
            .collect();
        let travel = cycle.cycle().expect("it goes round").translation.length();
        Stride::new(&character.rig, &character.stand, &cycle, travel / long, &steps).expect("every foot steps")
    }

    #[test]
    fn hips_move_as_in_a_drawn_walk() {
        // They are carried otherwise than is usual: low and rolling, or swaying late and level.
        let carriages = [
            CarryBody { stiff: Some(1.0), sway: 0.3, roll: 2.0, twist: 0.6, ..CarryBody::default() },
            CarryBody { stiff: Some(0.1), sway: 1.5, roll: 0.1, late: [0.4, 1.2, 0.0], ..CarryBody::default() },
        ];
        let six = character(3);
        for carry in carriages {
            let drawn = Creature { carry, ..Creature::default() };
            let walk = walk(&drawn, &six);
            let course = PlanCourse { speed: Some(walk.speed), ..PlanCourse::default() };
            let plain = Creature { steps: PlanSteps { course, ..PlanSteps::default() }, ..Creature::default() };
            let like = Creature { carry: plain.carry_like(&six, &walk), ..plain.clone() };
            let moves = |creature: &Creature| BodyMoves::of(&six, &creature.cycle(&six, "walk"));
            let (theirs, own, usual) = (BodyMoves::of(&six, &walk.clip), moves(&like), moves(&plain));
            let near = |of: fn(&BodyMoves) -> f32, what: &str| {
                let [theirs, own, usual] = [&theirs, &own, &usual].map(of);
                assert!(
                    (own - theirs).abs() < 0.3 * (usual - theirs).abs() + 0.1 * theirs,
                    "{what}: drawn {theirs}, own {own}, usual {usual}; {carry:?} -> {:?}",
                    like.carry
                );
            };
            near(|moves| moves.aside, "aside");
            near(|moves| moves.roll, "roll");
        }
    }

    #[test]
    fn feet_that_sink_a_little_stand_on_the_same_floor() {
        let six = character(3);
        let sunk = |by: f32| {
            let mut clip = Clip::new(&six.rig.skeleton, "stands", 30.0, six.stand.pose.locals.clone()).unwrap();
            let root = Rigid::from_translation(-Vec3A::Y * by);
            clip.roots_mut().fill(root);
            height(&six, &clip)
        };
        let leg = six.leg_length;
        // A spider's feet are drawn 2 cm under its floor; its body is as much lower than its legs tell.
        assert!((sunk(0.0) - sunk(0.012 * leg) - 0.012 * leg).abs() < 1e-4, "it is lower on the same floor");
        assert!((sunk(0.0) - sunk(0.5 * leg)).abs() < 1e-4, "the whole walk is elsewhere");
    }
}
