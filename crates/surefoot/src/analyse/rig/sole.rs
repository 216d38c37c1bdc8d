//! Soles: where a foot touches the ground, from its skin, or from its rest pose and its motion.

use super::body::{Body, SkinByJoint};
use super::limb::Limb;
use crate::math::{Rigid, quat};
use crate::motion::Clip;
use crate::rig::{Foot, JointId, Leg, ModelPose, Pose, Skeleton};
use glam::{Quat, Vec3A};

/// How far above the sole the toes' joint sits, in leg lengths: 3.5 cm for an adult.
const TOE_HEIGHT: f32 = 0.042;
/// A foot that stands still at more than this to its rest pose's sole is not flat, radians.
const LEAN: f32 = 0.65;
/// How far the heel lies behind the ankle, in distances from ankle to toes.
const HEEL_BACK: f32 = 0.4;
/// The sole is the skin within this of the foot's lowest point, in leg lengths.
const SOLE: f32 = 0.025;
/// Skin of which joints outside the leg hold more than this share moves on its own.
const FOREIGN: f32 = 0.05;
/// What is left without such skin is a sole if it is this share as long.
const ALONE: f32 = 0.6;
/// A sole that is shorter than this is a point, in leg lengths.
const POINT: f32 = 0.04;

/// How steeply feet roll over their front and over their heel, rise over run: tangents of 0.6 and 0.3 radians, a little more
/// than steps ask for.
const ROLLS: [f32; 2] = [0.68, 0.31];

/// Where skin ends that rolls forwards over the ground at a height: nothing of it in front of there comes below the ground
/// while it is rolled no more steeply than `rolls`, rise over run.
fn front_edge<'a>(skin: impl Iterator<Item = &'a Vec3A>, ground: f32, rolls: f32) -> f32 {
    skin.map(|v| v.z - (v.y - ground) / rolls).fold(f32::NEG_INFINITY, f32::max)
}

/// The same for skin that rolls backwards.
fn back_edge<'a>(skin: impl Iterator<Item = &'a Vec3A>, ground: f32, rolls: f32) -> f32 {
    skin.map(|v| v.z + (v.y - ground) / rolls).fold(f32::INFINITY, f32::min)
}

/// How high the sole of a leg's foot lies at rest, metres: its lowest skin. Skin that hangs from the body in part lies elsewhere as
/// the foot stands: it counts where the foot has no sole without it.
fn level(body: &Body<'_>, skin: &SkinByJoint, leg: &Leg) -> f32 {
    let (of_leg, of_foot) = (body.skeleton.subtree(leg.hip()), body.skeleton.subtree(leg.ankle()));
    let own = |joint: JointId| of_leg.contains(&joint.index()) || of_foot.contains(&joint.index());
    let all: Vec<Vec3A> = of_foot.clone().flat_map(|joint| skin.of(JointId(joint as u16))).copied().collect();
    let alone: Vec<Vec3A> =
        of_foot.clone().flat_map(|joint| skin.of_alone(JointId(joint as u16), (own, FOREIGN))).copied().collect();
    let sole = |skin: &[Vec3A]| {
        let low = skin.iter().map(|v| v.y).fold(f32::INFINITY, f32::min);
        let sole = skin.iter().filter(|v| v.y < low + SOLE * leg.length(body.skeleton));
        let [back, front] =
            sole.fold([f32::INFINITY, f32::NEG_INFINITY], |[back, front], v| [back.min(v.z), front.max(v.z)]);
        (low, front - back)
    };
    let ((low, long), (own_low, own_long)) = (sole(&all), sole(&alone));
    if own_long > ALONE * long { own_low } else { low }
}

/// Heel, ball and sole of a leg's foot, from the skin of its ankle and all below; `None` if there is none.
fn skinned_foot(body: &Body<'_>, leg: &Leg) -> Option<Foot> {
    let skin = body.skin.as_ref()?;
    let ankle = body.rest[leg.ankle()];
    let below = || body.skeleton.subtree(leg.ankle()).flat_map(|joint| skin.of(JointId(joint as u16)));
    let low = level(body, skin, leg);
    let no_joint = leg.foot_has_no_joint();
    let shin = if no_joint { (ankle.translation.y - low).max(0.0) } else { 0.0 };
    let size = leg.length(body.skeleton) + shin;
    let sole: Vec<Vec3A> = below().filter(|v| v.y < low + SOLE * size).copied().collect();
    let first = *sole.first()?;
    let (least, most) = sole.iter().fold((first, first), |(a, b), v| (a.min(*v), b.max(*v)));
    let middle = 0.5 * (least + most);
    let at = |z: f32| ankle.inverse().transform_point(Vec3A::new(middle.x, low, z));
    let up = ankle.rotation.conjugate() * Vec3A::Y;
    let length = most.z - least.z;
    // What goes with the lower leg rolls over a point.
    if length < POINT * size || no_joint {
        let point = at(middle.z);
        return Some(Foot { heel: point, ball: point, up, tip: None, length, width: most.x - least.x });
    }
    let heel = back_edge(below(), low, ROLLS[1]).min(least.z);
    let front = most.z - 0.1 * length;
    let edge = front_edge(below(), low, ROLLS[0]).max(front);
    // The ball is under the toes' joint, but where most of the front is not held by the toes, as with a thumb among fingers; a
    // foot without toes is one piece up to its edge.
    let toe = leg.toe.filter(|toe| skin.weight(*toe) > 0.0).map(|toe| (toe, body.rest[toe]));
    let bends = |(toe, place): &(JointId, Rigid)| {
        let toes = body.skeleton.subtree(*toe);
        let others = body.skeleton.subtree(leg.ankle()).filter(|joint| !toes.contains(joint));
        let others = front_edge(others.flat_map(|joint| skin.of(JointId(joint as u16))), low, ROLLS[0]);
        others < 0.5 * (place.translation.z + edge)
    };
    let under_toes = toe.filter(bends).map(|(_, toe)| toe.translation.z);
    let ball = under_toes.map_or(edge, |z| z.clamp(least.z + 0.4 * length, front));
    let tip = Vec3A::new(middle.x, low, most.z);
    let tip = toe.map_or(ankle, |(_, toe)| toe).inverse().transform_point(tip);
    Some(Foot { heel: at(heel), ball: at(ball), up, tip: Some(tip), length: most.z - heel, width: most.x - least.x })
}

/// The foot of a leg: from its skin, where it has one, else from bones and motion.
pub(super) fn foot(body: &Body<'_>, leg: &Leg, limb: &Limb, clips: &[&Clip]) -> Foot {
    skinned_foot(body, leg).unwrap_or_else(|| boned_foot(body.skeleton, body.rest, leg, limb.end, clips))
}

/// Heel, ball and sole: from the rest pose, whose feet stand on the ground, levelled by how they stand in the clips.
fn boned_foot(skeleton: &Skeleton, rest: &ModelPose, leg: &Leg, end: JointId, clips: &[&Clip]) -> Foot {
    let ankle = rest[leg.ankle()];
    let into = |point: Vec3A| ankle.inverse().transform_point(point);
    let tip = skeleton.tips().iter().find(|tip| tip.joint == end).map(|tip| tip.offset);
    if leg.foot_has_no_joint() {
        let bone = skeleton.children(leg.ankle()).map(|child| into(rest[child].translation)).next();
        let point = bone.or(tip).unwrap_or(Vec3A::ZERO);
        let up = ankle.rotation.conjugate() * Vec3A::Y;
        return Foot { heel: point, ball: point, up, tip: None, length: 0.0, width: 0.0 };
    }
    let front_joint = leg.toe.unwrap_or(leg.ankle());
    let front = match (leg.toe, tip) {
        (Some(toe), _) => rest[toe].translation,
        (None, Some(tip)) => rest[end].transform_point(tip),
        (None, None) => ankle.translation + Vec3A::new(0.0, 0.0, 0.12 * leg.length(skeleton)),
    };
    let up = standing_up(skeleton, leg, clips, ankle.rotation.conjugate() * Vec3A::Y);
    let front = into(front);
    let drop = TOE_HEIGHT * leg.length(skeleton);
    let ball = front - up * drop;
    // The ankle on the sole's plane, then back.
    let below = -up * (drop - front.dot(up));
    let along = (front - up * front.dot(up)).normalize_or_zero();
    let heel = below - along * (HEEL_BACK * (front - up * front.dot(up)).length());
    let tip_point = tip.map(|tip| rest[front_joint].inverse().transform_point(rest[end].transform_point(tip)));
    let tip_ahead = tip.map_or(0.0, |tip| (into(rest[end].transform_point(tip)) - front).length());
    let length = (ball - heel).length() + tip_ahead;
    Foot { heel, ball, up, tip: tip_point, length, width: 0.38 * length }
}

/// The direction that is up in ankle space while the foot stands still; the rest pose's if it hardly ever does, or
/// if it stands at such an angle that it cannot be flat.
fn standing_up(skeleton: &Skeleton, leg: &Leg, clips: &[&Clip], rest_up: Vec3A) -> Vec3A {
    let mut ups: Vec<Vec3A> = Vec::new();
    let mut model = ModelPose::new(skeleton);
    let mut pose = Pose::rest(skeleton);
    for clip in clips {
        let mut places: Vec<(Vec3A, Vec3A, Quat)> = Vec::with_capacity(clip.frames());
        for frame in 0..clip.frames() {
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(skeleton, &mut model);
            let world = clip.roots()[frame];
            let (ankle, toe) = (world * model[leg.ankle()], world * model[leg.toe.unwrap_or(leg.ankle())]);
            places.push((ankle.translation, toe.translation, ankle.rotation));
        }
        for three in places.windows(3) {
            let speed = |a: Vec3A, b: Vec3A| (b - a).length() * 0.5 * clip.rate();
            // Still, and not rolling.
            let turning = quat::angle_between(three[0].2, three[2].2) * 0.5 * clip.rate();
            if speed(three[0].0, three[2].0) < 0.15 && speed(three[0].1, three[2].1) < 0.15 && turning < 0.6 {
                ups.push(three[1].2.conjugate() * Vec3A::Y);
            }
        }
    }
    if let Some(up) = held_up(&ups) {
        return up;
    }
    let rate = clips.first().map_or(0.0, |clip| clip.rate());
    if ups.len() < 20.max((0.25 * rate) as usize) {
        return rest_up;
    }
    // The median by component shrugs off frames in which the foot is still but not flat.
    let middle = |pick: fn(&Vec3A) -> f32| {
        let mut values: Vec<f32> = ups.iter().map(pick).collect();
        values.sort_by(f32::total_cmp);
        values[values.len() / 2]
    };
    let up = Vec3A::new(middle(|v| v.x), middle(|v| v.y), middle(|v| v.z)).normalize_or(rest_up);
    if up.dot(rest_up) > crate::math::single::cos(LEAN) { up } else { rest_up }
}

/// Directions that differ by less than this are the same, radians: no captured foot is as still, but one that is held is.
const HELD: f32 = 1e-3;
/// A direction is held if it is that of this share of the frames in which the foot is still.
const HELD_SHARE: f32 = 0.25;
/// It is that of so many frames at least: fewer may agree by chance.
const HELD_FRAMES: usize = 5;
/// Directions that are tried for it, at most.
const TRIED: usize = 200;

/// The direction in which a foot is held in many frames, as a clean clip has it: cleaning it again finds the same sole.
fn held_up(ups: &[Vec3A]) -> Option<Vec3A> {
    let same = |up: &Vec3A| ups.iter().filter(|other| (**other - *up).length() < HELD).count();
    let tried = ups.iter().step_by(ups.len().div_ceil(TRIED).max(1));
    let (count, up) = tried.map(|up| (same(up), *up)).max_by_key(|(count, _)| *count)?;
    let most = ups.iter().filter(|other| (**other - up).length() < HELD);
    (count >= HELD_FRAMES && count as f32 > HELD_SHARE * ups.len() as f32)
        .then(|| most.copied().sum::<Vec3A>().normalize_or(up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_comes_below_the_ground_as_a_foot_rolls_over_its_edges() {
        // A boot: flat below, round in front, its heel cut off aslant.
        let boot = [(0.0, -0.06), (0.03, -0.09), (0.0, 0.12), (0.01, 0.17), (0.04, 0.2), (0.1, 0.2)];
        let boot = boot.map(|(y, z)| Vec3A::new(0.0, y, z));
        let turned = |pivot: f32, angle: f32| {
            let turn = Quat::from_rotation_x(angle);
            boot.iter().map(|v| (turn * (*v - Vec3A::Z * pivot)).y).fold(f32::INFINITY, f32::min)
        };
        let (front, back) = (front_edge(boot.iter(), 0.0, ROLLS[0]), back_edge(boot.iter(), 0.0, ROLLS[1]));
        assert!((0.12..0.17).contains(&front) && (-0.09..=-0.06).contains(&back), "{front} {back}");
        for share in [0.1, 0.5, 1.0] {
            let lows = [turned(front, 0.6 * share), turned(back, -0.3 * share)];
            assert!(lows.iter().all(|low| *low > -1e-4), "{lows:?} at {share}");
        }
    }
}
