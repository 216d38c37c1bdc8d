//! One limb: the way from the trunk to where it touches the ground, and which of its joints are hip, knee and ankle.

use super::body::Body;
use crate::rig::JointId;
use glam::Vec3A;

/// A limb stands if it comes this near to the ground at rest, in heights of the hip; poses are not always level.
const STANDS: f32 = 0.08;
/// Skin that is this near to the ground at rest touches it, in heights of the hip.
const TOUCHES: f32 = 0.045;
/// A foot has at least [`FOOT`] of its skin below this, in heights of the hip; lower legs that touch the ground have not.
const FOOT_HIGH: f32 = 0.2;
/// The share of a foot's skin that is below [`FOOT_HIGH`], at least.
const FOOT: f32 = 0.5;
/// The last joint of a limb that is higher than this is a lower leg whose foot has no joint, in heights of the hip.
const LOWER_LEG: f32 = 0.25;
/// A bone counts as one of a bare leg's long ones from this share of the longest.
const LONG: f32 = 0.45;
/// A bone is steep if it goes down by this share of its length.
const STEEP: f32 = 0.7;
/// A first joint lies inside the trunk if it is nearer to its mirror image than this share of what the next one is: shoulder
/// blades and pelvis bones.
const INSIDE: f32 = 0.65;
/// A first bone that is shorter than this share of the rest and not steep is none of the leg's, wherever it lies.
const STUB: f32 = 0.15;
/// A shoulder blade or pelvis bone goes down by less than this share of its height over the ground.
const BLADE_DROP: f32 = 0.3;
/// It is shorter than this share of the rest of the limb.
const BLADE_LENGTH: f32 = 0.7;

/// A limb: where it ends, its ankle, its inner joint and its hip.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    pub(super) end: JointId,
    /// The toes' joint, where the caller knows it.
    pub(super) toe: Option<JointId>,
    /// The joint that carries the foot; the knee itself where the foot has none.
    pub(super) ankle: JointId,
    pub(super) knee: JointId,
    pub(super) hip: JointId,
}

/// What a limb does with the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// It does not touch it.
    InTheAir,
    /// It touches it with its first bone: a foot by itself, a leg of one bone, or something that lies there.
    FirstBone,
    /// A foot hangs from its first bone: a leg of one bone with a foot, or a foot with toes.
    OneBone,
    /// It stands, on a foot that is carried by the joint of this number.
    Stands(usize),
    /// It stands on the end of a lower leg, the joint of this number, whose foot has no joint.
    StandsOnShin(usize),
}

/// From the first joint of a limb down to the joint that is lowest, and on to a last one.
pub(super) fn way_down(body: &Body<'_>, first: JointId) -> Vec<JointId> {
    let near = 0.03 * (body.place(first).y - body.low).max(0.1 * body.height);
    let mut way = vec![first];
    loop {
        let last = way[way.len() - 1];
        let below: Vec<(JointId, f32)> = body.children(last).map(|child| (child, body.lowest_below(child))).collect();
        let Some(lowest) = below.iter().map(|(_, low)| *low).reduce(f32::min) else { return way };
        // Of several toes, the one with the most skin.
        let skin = |joint: JointId| -> usize {
            let of = |skin: &super::body::SkinByJoint| {
                body.skeleton.subtree(joint).map(|i| skin.of(JointId(i as u16)).len()).sum()
            };
            body.skin.as_ref().map_or(0, of)
        };
        let mut next: Option<(JointId, usize)> = None;
        for (child, low) in below {
            // An infinite lowest is a joint with a share in some skin and most of none.
            let is_low = low <= lowest + near;
            if is_low && next.is_none_or(|(_, most)| skin(child) > most) {
                next = Some((child, skin(child)));
            }
        }
        let Some((next, _)) = next else { return way };
        way.push(next);
    }
}

/// Height of a limb's first joint over the ground, metres, never 0.
pub(super) fn hip_height(body: &Body<'_>, ground: f32, first: JointId) -> f32 {
    (body.place(first).y - ground).max(0.02 * body.height)
}

/// What limbs of equal build do with the ground, judged together: mirror images are one.
pub(super) fn shape(body: &Body<'_>, ground: f32, ways: &[&[JointId]]) -> Shape {
    let Some(joints) = ways.iter().map(|way| way.len()).min().filter(|joints| *joints > 0) else {
        return Shape::InTheAir;
    };
    let high = ways.iter().map(|way| hip_height(body, ground, way[0])).sum::<f32>() / ways.len() as f32;
    // Small pieces are measured by the body.
    let size = high.max(0.25 * body.height);
    let lowest = |k: usize| {
        let joints = ways.iter().flat_map(|way| piece(body, way, k));
        joints.map(|joint| body.lowest(joint)).fold(f32::INFINITY, f32::min) - ground
    };
    let height = |k: usize| ways.iter().map(|way| body.place(way[k]).y - ground).fold(f32::INFINITY, f32::min);
    let touches = |k: usize| lowest(k) < TOUCHES * size;
    let stands = |k: &usize| lowest(*k) < f32::max(STANDS * size, 0.03 * body.height);
    let Some(last) = (0..joints).rev().find(|k| touches(*k)).or((0..joints).rev().find(stands)) else {
        return Shape::InTheAir;
    };
    if body.skin.is_none() {
        return bare_shape(body, ways, last);
    }
    let is_foot = |k: &usize| touches(*k) && share_below(body, ways, *k, ground + FOOT_HIGH * size) >= FOOT;
    // What touches the ground from its first bone on lies there, as tails do.
    if touches(0) {
        return Shape::FirstBone;
    }
    // The topmost that stands flat; else the last that touches at all.
    let foot = (2..joints).find(is_foot).unwrap_or(last);
    let carried = height(foot) > LOWER_LEG * size && (foot + 1..joints).all(|k| !touches(k));
    match foot {
        0 => Shape::FirstBone,
        1 if carried => Shape::StandsOnShin(1),
        1 => Shape::OneBone,
        _ if carried => Shape::StandsOnShin(foot),
        _ => Shape::Stands(foot),
    }
}

/// The joints that move as one with the joint of a number: itself and what hangs from it beside the way, such as twist bones,
/// bones that hold the skin for it, and other toes. Of the first joint only itself: coats may hang from there.
fn piece(body: &Body<'_>, way: &[JointId], k: usize) -> impl Iterator<Item = JointId> + use<> {
    let all = body.skeleton.subtree(way[k]);
    let next = way.get(k + 1).map_or(all.end..all.end, |next| body.skeleton.subtree(*next));
    let all = if k == 0 { all.start..all.start + 1 } else { all };
    all.filter(move |i| !next.contains(i)).map(|i| JointId(i as u16))
}

/// The share of the skin of joints that is below a height.
fn share_below(body: &Body<'_>, ways: &[&[JointId]], k: usize, height: f32) -> f32 {
    let Some(skin) = &body.skin else { return 1.0 };
    let all = || ways.iter().flat_map(|way| piece(body, way, k)).flat_map(|joint| skin.of(joint));
    all().filter(|vertex| vertex.y < height).count() as f32 / all().count().max(1) as f32
}

/// As [`shape`], of bare bones: the ankle is where the lowest long bone ends.
fn bare_shape(body: &Body<'_>, ways: &[&[JointId]], last: usize) -> Shape {
    let way = ways[0];
    let place = |k: usize| body.place(way[k]);
    let length = |k: usize| (place(k) - place(k - 1)).length();
    let longest = (1..way.len()).map(length).fold(0.0, f32::max);
    // A leg's bones are long and steep; feet are level. Legs that sprawl, as a spider's do, are not steep anywhere.
    let reach = place(way.len() - 1) - place(0);
    let sprawls = crate::math::single::hypot(reach.x, reach.z) > 1.5 * -reach.y;
    let steep = |k: usize| sprawls || (place(k).y - place(k - 1).y).abs() > STEEP * length(k);
    let long = |k: &usize| length(*k) >= LONG * longest && steep(*k);
    // A joint that is called a foot is one, where nothing but names tells bones below it from toes and an animator's handles.
    let called = (0..way.len()).find(|k| is_called(body, way[*k], &FEET)).filter(|k| *k >= 2);
    match called.or_else(|| (1..way.len()).rev().find(long)) {
        Some(ankle) if ankle >= 2 => Shape::Stands(ankle),
        // The lower leg's end has no joint.
        Some(1) if last >= 1 && body.end_of(way[1]).is_some_and(|end| place(1).y - end.y > 0.3 * length(1)) => {
            Shape::StandsOnShin(1)
        }
        Some(_) => Shape::OneBone,
        None => Shape::FirstBone,
    }
}

/// Words of feet and their parts.
pub(super) const FEET: [&str; 8] = ["foot", "feet", "ankle", "hoof", "paw", "heel", "toe", "toes"];

pub(super) fn is_called(body: &Body<'_>, joint: JointId, known: &[&str]) -> bool {
    crate::rig::words(body.skeleton.name(joint)).iter().any(|word| known.contains(&word.as_str()))
}

/// The number of a limb's hip among its joints: the first that is not inside the trunk, as shoulder blades and pelvis bones
/// are. `bones` is how many joints of the ways belong to the leg, `end` where its last bone ends.
pub(super) fn hip(body: &Body<'_>, ground: f32, ways: [&[JointId]; 2], bones: usize, end: Vec3A) -> usize {
    let [way, other] = ways;
    let joints = bones.min(way.len()).min(other.len());
    let place = |k: usize| if k < joints { body.place(way[k]) } else { end };
    let apart = |k: usize| (body.place(way[k]).x - body.place(other[k]).x).abs();
    // Legs that sprawl, as a spider's do, are level from the start.
    let reach = end - place(0);
    let sprawls = crate::math::single::hypot(reach.x, reach.z) > 1.5 * -reach.y;
    let mut hip = 0;
    // Two bones must be left.
    while hip + 3 <= joints {
        let bone = place(hip + 1) - place(hip);
        let rest: f32 = (hip + 1..joints).map(|k| (place(k + 1) - place(k)).length()).sum();
        // Of bare bones a short one may be steep too: thighs are cut in two for their twist.
        let level = -bone.y < STEEP * bone.length() || body.skin.is_none();
        let nothing = bone.length() < 0.02 * rest || (!sprawls && bone.length() < STUB * rest && level);
        let longest = (hip + 1..joints).map(|k| (place(k + 1) - place(k)).length()).fold(0.0, f32::max);
        let anchor = sprawls && apart(hip) < 0.75 * apart(hip + 1) && bone.length() < LONG * longest;
        let inside = !sprawls
            && apart(hip) < INSIDE * apart(hip + 1)
            && -bone.y < STEEP * bone.length()
            && -bone.y < BLADE_DROP * (place(hip).y - ground)
            && bone.length() < BLADE_LENGTH * rest;
        if !(inside || anchor || nothing) {
            break;
        }
        hip += 1;
    }
    hip
}

/// The number of the joint between hip and ankle that splits the leg most evenly.
pub(super) fn knee(body: &Body<'_>, way: &[JointId], hip: usize, ankle: usize) -> usize {
    let place = |k: usize| body.place(way[k]);
    let uneven = |k: &usize| ((place(*k) - place(hip)).length() - (place(*k) - place(ankle)).length()).abs();
    (hip + 1..ankle).min_by(|a, b| uneven(a).total_cmp(&uneven(b))).unwrap_or(ankle)
}

/// Down from a joint to a last one, end bones and all: the lowest.
pub(super) fn last_below(body: &Body<'_>, joint: JointId) -> JointId {
    let mut last = joint;
    loop {
        let lower = |a: &JointId, b: &JointId| body.place(*a).y.total_cmp(&body.place(*b).y);
        match body.skeleton.children(last).min_by(lower) {
            Some(next) => last = next,
            None => return last,
        }
    }
}
