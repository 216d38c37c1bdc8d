//! Finding the legs of a skeleton: by its structure and its motion first, by names second.

use crate::math::quat;
use crate::motion::{Clip, Trajectories};
use crate::rig::{Foot, JointId, Leg, Mirror, ModelPose, Pose, Rig, Side, Skeleton};
use glam::{Mat3, Quat, Vec3, Vec3A};

/// Why a skeleton cannot be given legs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RigError {
    /// No limb ends near the ground.
    #[error("no legs found: no limb of two or more bones ends near the ground, at rest or in the motion")]
    NoLegs,
    /// One leg only.
    #[error("only one leg was found (it ends in {ankle:?}); two or more are needed")]
    OneLeg {
        /// The ankle's name.
        ankle: String,
    },
}

/// A bone counts as one of a leg's long ones from this share of the longest.
const LONG: f32 = 0.45;
/// How far above the sole the toes' joint sits, in leg lengths: 3.5 cm for an adult.
const TOE_HEIGHT: f32 = 0.042;
/// A foot that stands still at more than this to its rest pose's sole is not flat, radians.
const LEAN: f32 = 0.65;
/// How far the heel lies behind the ankle, in distances from ankle to toes.
const HEEL_BACK: f32 = 0.4;

/// Finds the legs of a skeleton from its rest pose, its names and, where given, clips of it.
///
/// A leg is a limb that ends near the ground: its long bones lead from hip to ankle. Hinge axes come from how the
/// inner joints turn in the clips, or from the rest pose's facing; never from a straight leg.
///
/// # Errors
/// If fewer than two legs are found.
pub fn find_rig(skeleton: &Skeleton, clips: &[&Clip]) -> Result<Rig, RigError> {
    let rest = ModelPose::new(skeleton);
    let mut limbs: Vec<Limb> = Vec::new();
    for end in low_ends(skeleton, &rest, clips) {
        if let Some(limb) = limb(skeleton, &rest, end)
            && !limbs.iter().any(|other| other.ankle == limb.ankle)
        {
            limbs.push(limb);
        }
    }
    match limbs.as_slice() {
        [] => return Err(RigError::NoLegs),
        [one] => return Err(RigError::OneLeg { ankle: skeleton.name(one.ankle).into() }),
        _ => {}
    }
    let mut legs: Vec<Leg> = limbs.iter().map(|limb| leg(skeleton, &rest, limb, clips)).collect();
    // Left before right, front before back.
    legs.sort_by(|a, b| {
        let key = |leg: &Leg| (leg.side == Some(Side::Right), rest[leg.hip()].translation.z);
        key(a).0.cmp(&key(b).0).then(key(b).1.total_cmp(&key(a).1))
    });
    Ok(Rig { skeleton: skeleton.clone(), legs, mirror: Mirror::of(skeleton).ok() })
}

/// The leg that a caller knows by its joints: what is not given (side, hinge, toes, foot) is found as
/// [`find_rig`] finds it. `None` if the joints are not hip, knee, ankle and toe of one limb, in that order.
#[must_use]
pub fn find_leg(
    skeleton: &Skeleton,
    [hip, knee, ankle]: [JointId; 3],
    toe: Option<JointId>,
    clips: &[&Clip],
) -> Option<Leg> {
    let above = |below: JointId, wanted: JointId| skeleton.ancestry(below).skip(1).any(|joint| joint == wanted);
    if !(above(ankle, knee) && above(knee, hip)) || toe.is_some_and(|toe| !above(toe, ankle)) {
        return None;
    }
    let rest = ModelPose::new(skeleton);
    // The foot's end: the farthest joint below the toes, or below the ankle.
    let from = toe.unwrap_or(ankle);
    let far = |joint: &JointId| (rest[*joint].translation - rest[ankle].translation).length();
    let below = skeleton.subtree(from).map(|i| JointId(i as u16));
    let end = below.max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(from);
    Some(leg(skeleton, &rest, &Limb { end, toe, ankle, knee, hip }, clips))
}

/// A limb: where it ends, its ankle, its inner joint and its hip.
struct Limb {
    end: JointId,
    /// The toes' joint, where the caller knows it.
    toe: Option<JointId>,
    ankle: JointId,
    knee: JointId,
    hip: JointId,
}

/// Joints without children that are near the ground at rest; those low in the motion if the rest pose has none.
fn low_ends(skeleton: &Skeleton, rest: &ModelPose, clips: &[&Clip]) -> Vec<JointId> {
    let mut lowest: Vec<f32> = rest.joints.iter().map(|joint| joint.translation.y).collect();
    for tip in skeleton.tips() {
        let y = rest[tip.joint].transform_point(tip.offset).y;
        lowest[tip.joint.index()] = lowest[tip.joint.index()].min(y);
    }
    let (low, high) = lowest.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), y| (a.min(*y), b.max(*y)));
    let leaf = |joint: &JointId| skeleton.subtree(*joint).len() == 1;
    let near = |joint: &JointId| lowest[joint.index()] - low < 0.12 * (high - low);
    let mut near: Vec<JointId> = skeleton.joints().filter(leaf).filter(near).collect();
    // Eight legs of eight toes are the most that anybody has drawn.
    near.sort_by(|a, b| lowest[a.index()].total_cmp(&lowest[b.index()]));
    near.truncate(64);
    near.sort();
    if near.len() >= 2 || clips.is_empty() {
        return near;
    }
    let low = Trajectories::new(skeleton, clips[0]).lowest_joints(skeleton);
    // Down from there to a last joint.
    low.into_iter().map(|joint| JointId(skeleton.subtree(joint).end as u16 - 1)).collect()
}

/// The leg above a low end: its own joints up to where another limb or the trunk begins.
fn limb(skeleton: &Skeleton, rest: &ModelPose, end: JointId) -> Option<Limb> {
    // Upwards until a joint that carries more than this limb: something well above it, or another leg.
    let heights = || rest.joints.iter().map(|joint| joint.translation.y);
    let (low, high) = heights().fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
    let tall = high - low;
    let path: Vec<JointId> = skeleton.ancestry(end).collect();
    let trunk = |joint: JointId, below: JointId| {
        // All that hangs from the joint but not from the limb: what comes before it and after it in the order.
        let (all, limb) = (skeleton.subtree(joint), skeleton.subtree(below));
        (all.start + 1..limb.start).chain(limb.end..all.end).any(|i| {
            let over = rest.joints[i].translation.y - rest[joint].translation.y;
            over > 0.1 * tall || over < -0.15 * tall
        })
    };
    let mut own = vec![end];
    own.extend(path.windows(2).take_while(|pair| !trunk(pair[1], pair[0])).map(|pair| pair[1]));

    // Bones between joints of the limb, from the end upwards; the first starts at its own joint's parent.
    let bone = |joint: JointId| {
        let parent = skeleton.parent(joint)?;
        Some((rest[joint].translation - rest[parent].translation).length())
    };
    let bones: Vec<(JointId, f32)> = own.iter().filter_map(|joint| Some((*joint, bone(*joint)?))).collect();
    let longest = bones.iter().map(|(_, length)| *length).fold(0.0, f32::max);
    // A leg bone is long and steep; feet are level, and so are the bones from pelvis to hip unless they are short.
    let steep = |joint: JointId, length: f32| {
        let parent = skeleton.parent(joint).unwrap_or(joint);
        (rest[joint].translation.y - rest[parent].translation.y).abs() > 0.7 * length
    };
    let is_long = |(joint, length): &&(JointId, f32)| *length >= LONG * longest && steep(*joint, *length);
    let long: Vec<JointId> = bones.iter().filter(is_long).map(|(joint, _)| *joint).collect();
    let (ankle, top) = (*long.first()?, *long.last()?);
    let hip = skeleton.parent(top)?;

    // The knee: the joint between them that splits the leg most evenly.
    let place = |joint: JointId| rest[joint].translation;
    let inner = skeleton.ancestry(ankle).skip(1).take_while(|joint| *joint != hip);
    let uneven = |j: &JointId| ((place(*j) - place(hip)).length() - (place(*j) - place(ankle)).length()).abs();
    let knee = inner.min_by(|a, b| uneven(a).total_cmp(&uneven(b)))?;
    // A limb hangs: the ankle is well below the hip.
    let drop = place(hip).y - place(ankle).y;
    (drop > 0.5 * (place(hip) - place(ankle)).length()).then_some(Limb { end, toe: None, ankle, knee, hip })
}

fn leg(skeleton: &Skeleton, rest: &ModelPose, limb: &Limb, clips: &[&Clip]) -> Leg {
    let side = skeleton.side(limb.ankle).or_else(|| {
        let x = rest[limb.ankle].translation.x;
        (x.abs() > 1e-3).then_some(if x > 0.0 { Side::Left } else { Side::Right })
    });
    // The toes' joint: the first below the ankle that stands apart from it.
    let below: Vec<JointId> = skeleton.ancestry(limb.end).take_while(|joint| *joint != limb.ankle).collect();
    let apart = |j: &JointId| (rest[*j].translation - rest[limb.ankle].translation).length() > 1e-3;
    let toe = limb.toe.or_else(|| below.into_iter().rev().find(apart));
    let hinge = hinge(skeleton, rest, limb.knee, clips);
    let mut leg = Leg {
        side,
        chain: vec![limb.hip, limb.knee, limb.ankle],
        hinges: vec![hinge],
        toe,
        foot: Foot { heel: Vec3A::ZERO, ball: Vec3A::ZERO, up: Vec3A::Y, tip: None, length: 0.0, width: 0.0 },
    };
    leg.foot = foot(skeleton, rest, &leg, limb.end, clips);
    leg
}

/// The axis about which a knee turns, in its parent's space, towards the character's left.
fn hinge(skeleton: &Skeleton, rest: &ModelPose, knee: JointId, clips: &[&Clip]) -> Vec3A {
    let parent = skeleton.parent(knee).map_or(Quat::IDENTITY, |p| rest[p].rotation);
    let left = Vec3::from(parent.conjugate() * Vec3A::X);

    // Second moments of how the knee turns away from its mean; the largest axis is the hinge.
    let mut moments = Mat3::ZERO;
    let mut count = 0.0;
    for clip in clips {
        let turns = || (0..clip.frames()).map(|f| quat::log(clip.frame(f)[knee.index()].rotation));
        let mean = turns().sum::<Vec3>() / clip.frames() as f32;
        for v in turns().map(|v| v - mean) {
            moments += Mat3::from_cols(v * v.x, v * v.y, v * v.z);
            count += 1.0;
        }
    }
    // Less than about five degrees of bending tells nothing.
    let mut axis = left;
    let spread = (moments.x_axis.x + moments.y_axis.y + moments.z_axis.z) / f32::max(count, 1.0);
    if spread > 0.008 {
        for _ in 0..50 {
            axis = (moments * axis).normalize_or(left);
        }
    }
    Vec3A::from(if axis.dot(left) < 0.0 { -axis } else { axis })
}

/// Heel, ball and sole: from the rest pose, whose feet stand on the ground, levelled by how they stand in the clips.
fn foot(skeleton: &Skeleton, rest: &ModelPose, leg: &Leg, end: JointId, clips: &[&Clip]) -> Foot {
    let ankle = rest[leg.ankle()];
    let into = |point: Vec3A| ankle.inverse().transform_point(point);
    let tip = skeleton.tips().iter().find(|tip| tip.joint == end).map(|tip| tip.offset);
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
    if up.dot(rest_up) > LEAN.cos() { up } else { rest_up }
}
