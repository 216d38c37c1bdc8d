//! Which way a body looks, by vote: how feet travel in walks, toes, head and tail, knees, and names last.

use super::body::Body;
use crate::analyse::Treadmill;
use crate::motion::Clip;
use crate::rig::{JointId, Leg, ModelPose, Pose, Rig, Side, Skin, split_sides};
use glam::Vec3A;

/// The weight of what feet's travel says about the way a body faces: it is seldom wrong.
const TRAVEL: f32 = 3.0;
/// The weight of where toes point.
const TOES: f32 = 2.0;
/// The weight of where the head is before the body.
const HEAD: f32 = 2.0;
/// The weight of left and right in names, which are often exchanged.
const NAMES: f32 = 1.0;
/// The weight of the way knees bend, which is the other way round in hind legs.
const KNEES: f32 = 0.4;

/// Toes that are ahead of the lower leg by this have said all, in leg lengths.
const TOES_AHEAD: f32 = 0.08;
/// A head that is ahead of the feet by this, in lengths of the body.
const HEAD_AHEAD: f32 = 0.2;
/// Knees that are ahead of the line from hip to ankle by this, in leg lengths.
const KNEES_AHEAD: f32 = 0.06;
/// A walk this fast, in leg lengths a second.
const WALKS: f32 = 0.3;
/// Poses of a clip that are looked at.
const LOOKS: usize = 12;

/// Which of its two ways a body looks whose sides lie along X: from 1, surely along +Z, to -1, surely along -Z, with the
/// reason. 0 if nothing tells.
#[must_use]
pub fn find_facing(rig: &Rig, skin: Option<&Skin>, clips: &[&Clip]) -> (f32, String) {
    let rest = ModelPose::new(&rig.skeleton);
    let body = Body::new(&rig.skeleton, &rest, skin);
    let votes = [
        (TRAVEL, travel(rig, clips), "feet travel so"),
        (TOES, toes(&body, rig), "toes point there"),
        (HEAD, head(&body, rig), "the head is there"),
        (KNEES, knees(rig, &rest, clips), "knees bend so"),
        (NAMES, names(rig, &rest), "left and right tell it"),
    ];
    let sum: f32 = votes.iter().map(|(weight, vote, _)| weight * vote).sum();
    let cast: f32 = votes.iter().filter(|(_, vote, _)| *vote != 0.0).map(|(weight, ..)| weight).sum();
    if cast <= 0.0 {
        return (0.0, String::new());
    }
    // Those who said it, the loudest first.
    let mut with: Vec<(f32, &str)> = votes
        .iter()
        .map(|(weight, vote, why)| (weight * vote * sum.signum(), *why))
        .filter(|(v, _)| *v > 0.2)
        .collect();
    with.sort_by(|a, b| b.0.total_cmp(&a.0));
    let reasons: Vec<&str> = with.into_iter().map(|(_, why)| why).collect();
    (sum / cast, reasons.join(", "))
}

/// How far ahead the feet of walks go: those that are called so.
fn travel(rig: &Rig, clips: &[&Clip]) -> f32 {
    let points: Vec<(JointId, Vec3A)> =
        rig.legs.iter().map(|leg| (leg.ankle(), 0.5 * (leg.foot.heel + leg.foot.ball))).collect();
    let is_walk = |clip: &&&Clip| {
        let name = clip.name().to_lowercase();
        let ahead = ["walk", "run", "trot", "gallop"].iter().any(|word| name.contains(word));
        ahead
            && !["back", "strafe", "left", "right", "turn"].iter().any(|word| name.contains(word))
            && clip.frames() > 3
    };
    let mut sum = 0.0;
    for clip in clips.iter().filter(is_walk) {
        // Where it goes along, its feet stand; where it does not, they go back under it.
        let at = |frame: usize| {
            let mut model = ModelPose::new(&rig.skeleton);
            let mut pose = Pose::rest(&rig.skeleton);
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(&rig.skeleton, &mut model);
            (clip.roots()[frame] * model[rig.body()]).translation
        };
        let gone = (at(clip.frames() - 1) - at(0)).z / clip.duration().max(1e-3);
        let tread = Treadmill::default().as_drawn(&rig.skeleton, clip, &points, 0.0).y;
        sum += ((gone + tread) / (WALKS * rig.leg_length())).clamp(-1.0, 1.0);
    }
    sum.clamp(-1.0, 1.0)
}

/// How far soles are ahead of the lower legs above them.
fn toes(body: &Body<'_>, rig: &Rig) -> f32 {
    let ahead = |leg: &Leg| {
        let long = leg.length(&rig.skeleton);
        let hip = body.place(leg.hip()).y;
        let middle = |low: f32, high: f32| {
            let skin = body.skin.as_ref()?;
            let of_leg = rig.skeleton.subtree(leg.hip()).chain(rig.skeleton.subtree(leg.ankle()));
            let places = of_leg.flat_map(|i| skin.of(JointId(i as u16)));
            let up = |place: &Vec3A| (place.y - body.low) / (hip - body.low).max(1e-6);
            let between = places.filter(|place| (low..=high).contains(&up(place)));
            let (sum, count) = between.fold((0.0, 0.0), |(sum, n), place| (sum + place.z, n + 1.0));
            (count > 2.0).then_some(sum / count)
        };
        let by_skin = middle(-0.05, 0.1).zip(middle(0.15, 0.4)).map(|(sole, shin)| sole - shin);
        // An ankle is over the back of its foot; one that hangs from elsewhere, or is no joint, may be anywhere.
        let jointed = leg.shin.is_none() && !leg.foot_has_no_joint();
        let by_joint = jointed.then(|| match (&body.skin, leg.toe) {
            (None, Some(toe)) => body.place(toe).z - body.place(leg.ankle()).z,
            (None, None) => 0.0,
            (Some(_), _) => {
                let sole = 0.5 * (leg.foot.heel + leg.foot.ball);
                body.rest[leg.ankle()].transform_point(sole).z - body.place(leg.ankle()).z
            }
        });
        let vote = |ahead: f32| (ahead / (TOES_AHEAD * long.max(1e-6))).clamp(-1.0, 1.0);
        match (by_skin.map(vote), by_joint.map(vote)) {
            (Some(skin), Some(joint)) => (skin + 2.0 * joint) / 3.0,
            (one, other) => one.or(other).unwrap_or_default(),
        }
    };
    rig.legs.iter().map(ahead).sum::<f32>() / rig.legs.len().max(1) as f32
}

/// How far the trunk, whose head has the most of its skin, is ahead of the joint that legs hang from; of beasts on four feet
/// also ahead of these. What stands upright tells less, and so do the many-legged with their abdomens.
fn head(body: &Body<'_>, rig: &Rig) -> f32 {
    let in_leg = |joint: JointId| {
        rig.legs.iter().any(|leg| {
            [leg.hip(), leg.ankle()].iter().any(|first| rig.skeleton.subtree(*first).contains(&joint.index()))
        })
    };
    let joints = rig.skeleton.joints().filter(|joint| body.is_alive(*joint) && !in_leg(*joint));
    let trunk: Vec<Vec3A> = match &body.skin {
        Some(skin) => joints.flat_map(|joint| skin.of(joint).iter().copied()).collect(),
        None => joints.map(|joint| body.place(joint)).collect(),
    };
    if trunk.is_empty() {
        return 0.0;
    }
    let extent = |f: fn(f32, f32) -> f32| trunk.iter().map(|place| place.z).reduce(f).unwrap_or_default();
    let long = extent(f32::max) - extent(f32::min);
    let feet = rig.legs.iter().map(|leg| body.place(leg.ankle()).z).sum::<f32>() / rig.legs.len().max(1) as f32;
    let middle = trunk.iter().map(|place| place.z).sum::<f32>() / trunk.len() as f32;
    let ahead = |of: f32| ((middle - of) / (HEAD_AHEAD * long.max(0.3 * body.height))).clamp(-1.0, 1.0);
    let pelvis = ahead(body.place(rig.body()).z);
    let lies = (long / body.height).min(1.0);
    match rig.legs.len() {
        ..=3 => lies * pelvis,
        4 => lies * 0.5 * (pelvis + ahead(feet)),
        _ => 0.3 * lies * pelvis,
    }
}

/// How far knees of two-legged bodies are ahead of the line from hip to ankle, where they are bent most.
fn knees(rig: &Rig, rest: &ModelPose, clips: &[&Clip]) -> f32 {
    if rig.legs.len() != 2 {
        return 0.0;
    }
    let ahead = |pose: &ModelPose| {
        let of_leg = |leg: &Leg| {
            let [hip, knee] = [leg.hip(), leg.chain[leg.chain.len() - 2]].map(|joint| pose[joint].translation);
            let end = leg.shin_end(pose);
            let line = (end - hip).normalize_or_zero();
            ((knee - hip) - line * (knee - hip).dot(line)).z / leg.length(&rig.skeleton).max(1e-6)
        };
        rig.legs.iter().map(of_leg).sum::<f32>() / rig.legs.len() as f32
    };
    let (mut sum, mut count) = (ahead(rest), 1.0);
    let mut pose = Pose::rest(&rig.skeleton);
    let mut model = ModelPose::new(&rig.skeleton);
    for clip in clips {
        for frame in (0..clip.frames()).step_by(clip.frames().div_ceil(LOOKS)) {
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(&rig.skeleton, &mut model);
            sum += ahead(&model);
            count += 1.0;
        }
    }
    (sum / count / KNEES_AHEAD).clamp(-1.0, 1.0)
}

/// Whether what is called left is at +X: 1, or at -X: -1; 0 if names tell no sides.
fn names(rig: &Rig, rest: &ModelPose) -> f32 {
    let stems = split_sides(rig.skeleton.names());
    let mut sum = 0.0;
    let mut count = 0.0;
    for leg in &rig.legs {
        for joint in [leg.hip(), leg.ankle()] {
            if let Some((side, _)) = &stems[joint.index()] {
                let x = rest[joint].translation.x;
                sum += if (x > 0.0) == (*side == Side::Left) { 1.0 } else { -1.0 };
                count += 1.0;
            }
        }
    }
    if count > 0.0 { sum / count } else { 0.0 }
}
