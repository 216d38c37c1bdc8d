//! Limbs: which joints carry a body, from its structure and its skin.

use super::sole::SkinnedBody;
use crate::motion::{Clip, Trajectories};
use crate::rig::{JointId, ModelPose, Side, Skeleton};

/// A bone counts as one of a leg's long ones from this share of the longest.
const LONG: f32 = 0.45;
/// A leg is at least this share of the longest one: teeth and whiskers reach the ground too.
const SHORTEST: f32 = 0.4;

/// A limb: where it ends, its ankle, its inner joint and its hip.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    pub(super) end: JointId,
    /// The toes' joint, where the caller knows it.
    pub(super) toe: Option<JointId>,
    pub(super) ankle: JointId,
    pub(super) knee: JointId,
    pub(super) hip: JointId,
}

/// Every limb of a body that ends near the ground.
pub(super) fn limbs(
    skeleton: &Skeleton,
    rest: &ModelPose,
    skin: Option<&SkinnedBody<'_>>,
    clips: &[&Clip],
) -> Vec<Limb> {
    let mut found: Vec<Limb> = Vec::new();
    let mut loose: Vec<JointId> = Vec::new();
    for end in low_ends(skeleton, rest, skin, clips) {
        match limb(skeleton, rest, skin, end) {
            Some(limb) if !found.iter().any(|other| other.ankle == limb.ankle) => found.push(limb),
            Some(_) => {}
            None => loose.push(end),
        }
    }
    // Feet that hang from elsewhere, as animators put them who move feet and let legs follow: the nearest lower leg
    // that ends in the air is theirs. Only a skin tells feet from handles.
    if let Some(skin) = skin {
        let bare = |joint: JointId| skeleton.parent(joint).is_none_or(|parent| skin.weight(parent) == 0.0);
        for end in loose.into_iter().filter(|end| skin.weight(*end) > 0.0 && bare(*end)) {
            let knee = lower_leg_over(skeleton, rest, skin, end);
            if let Some((knee, hip)) = knee.and_then(|knee| Some((knee, skeleton.parent(knee)?))) {
                // What looked like a foot is that lower leg's skin.
                found.retain(|limb| limb.ankle != knee && limb.knee != knee);
                found.push(Limb { end, toe: None, ankle: end, knee, hip });
            }
        }
    }
    let place = |joint: JointId| rest[joint].translation;
    let length =
        |limb: &Limb| (place(limb.knee) - place(limb.hip)).length() + (place(limb.ankle) - place(limb.knee)).length();
    let longest = found.iter().map(length).fold(0.0, f32::max);
    found.retain(|limb| length(limb) >= SHORTEST * longest);
    // Where legs come in pairs, what hangs in the middle is a tail.
    let sided = |limb: &Limb| side_of(skeleton, rest, limb.ankle).is_some();
    if found.iter().filter(|limb| sided(limb)).count() >= 2 {
        found.retain(sided);
    }
    found
}

/// The side of a joint: by its name, or by its place at rest.
pub(super) fn side_of(skeleton: &Skeleton, rest: &ModelPose, joint: JointId) -> Option<Side> {
    skeleton.side(joint).or_else(|| {
        let x = rest[joint].translation.x;
        (x.abs() > 1e-3).then_some(if x > 0.0 { Side::Left } else { Side::Right })
    })
}

/// Joints without children that are near the ground at rest; those low in the motion if the rest pose has none.
fn low_ends(skeleton: &Skeleton, rest: &ModelPose, skin: Option<&SkinnedBody<'_>>, clips: &[&Clip]) -> Vec<JointId> {
    let mut lowest: Vec<f32> = rest.joints.iter().map(|joint| joint.translation.y).collect();
    for tip in skeleton.tips() {
        let y = rest[tip.joint].transform_point(tip.offset).y;
        lowest[tip.joint.index()] = lowest[tip.joint.index()].min(y);
    }
    if let Some(skin) = skin {
        skeleton.joints().for_each(|j| lowest[j.index()] = lowest[j.index()].min(skin.lowest(j)));
    }
    let (low, high) = lowest.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), y| (a.min(*y), b.max(*y)));
    let leaf = |joint: &JointId| skeleton.subtree(*joint).len() == 1;
    // What neither moves any skin nor hangs from what does is a handle of the animator's.
    let alive = |joint: &JointId| {
        skin.is_none_or(|skin| {
            skin.weight(*joint) > 0.0 || skeleton.parent(*joint).is_some_and(|parent| skin.weight(parent) > 0.0)
        })
    };
    let near = |joint: &JointId| lowest[joint.index()] - low < 0.12 * (high - low);
    let mut near: Vec<JointId> = skeleton.joints().filter(leaf).filter(alive).filter(near).collect();
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
fn limb(skeleton: &Skeleton, rest: &ModelPose, skin: Option<&SkinnedBody<'_>>, end: JointId) -> Option<Limb> {
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
    let place = |joint: JointId| rest[joint].translation;
    let bone = |joint: JointId| Some((place(joint) - place(skeleton.parent(joint)?)).length());
    let bones: Vec<(JointId, f32)> = own.iter().filter_map(|joint| Some((*joint, bone(*joint)?))).collect();
    let longest = bones.iter().map(|(_, length)| *length).fold(0.0, f32::max);
    // A leg bone is long and steep; feet are level, and so are the bones from pelvis to hip unless they are short. Legs
    // that sprawl, as a spider's do, are not steep anywhere.
    let top = *own.last()?;
    let reach = place(end) - place(top);
    let sprawls = crate::math::single::hypot(reach.x, reach.z) > 1.5 * -reach.y;
    let steep = |joint: JointId, length: f32| {
        let parent = skeleton.parent(joint).unwrap_or(joint);
        sprawls || (place(joint).y - place(parent).y).abs() > 0.7 * length
    };
    let is_long = |(joint, length): &&(JointId, f32)| *length >= LONG * longest && steep(*joint, *length);
    let long: Vec<JointId> = bones.iter().filter(is_long).map(|(joint, _)| *joint).collect();
    let hip = skeleton.parent(*long.last()?)?;
    // The skin tells which joint carries the sole; else the lowest long bone ends in it.
    let ankle = skin.and_then(|skin| skin.topmost_on_ground(&own, hip)).unwrap_or(*long.first()?);

    // The knee: the joint between them that splits the leg most evenly.
    let inner = skeleton.ancestry(ankle).skip(1).take_while(|joint| *joint != hip);
    let uneven = |j: &JointId| ((place(*j) - place(hip)).length() - (place(*j) - place(ankle)).length()).abs();
    let knee = inner.min_by(|a, b| uneven(a).total_cmp(&uneven(b)))?;
    // A limb hangs: the ankle is well below the hip.
    let drop = place(hip).y - place(ankle).y;
    let hangs = sprawls || drop > 0.5 * (place(hip) - place(ankle)).length();
    hangs.then_some(Limb { end, toe: None, ankle, knee, hip })
}

/// The lower leg nearest to a foot that does not hang from one: it ends in the air, on the same side, and above.
fn lower_leg_over(skeleton: &Skeleton, rest: &ModelPose, skin: &SkinnedBody<'_>, foot: JointId) -> Option<JointId> {
    let place = |joint: JointId| rest[joint].translation;
    let side = side_of(skeleton, rest, foot);
    let apart = |joint: &JointId| (place(*joint) - place(foot)).length();
    let fits = |joint: &JointId| {
        let Some(parent) = skeleton.parent(*joint) else { return false };
        skeleton.subtree(*joint).len() == 1
            && skin.weight(*joint) > 0.0
            && side_of(skeleton, rest, *joint) == side
            && place(*joint).y > place(foot).y
            && place(parent).y > place(*joint).y
            && apart(joint) < 1.2 * place(parent).y
    };
    skeleton.joints().filter(|joint| *joint != foot).filter(fits).min_by(|a, b| apart(a).total_cmp(&apart(b)))
}
