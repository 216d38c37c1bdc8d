//! Finding the legs of a skeleton: by its skin, its structure and its motion first, by names second.

mod body;
mod check;
mod choose;
mod facing;
mod join;
mod limb;
mod pair;
mod sole;
#[cfg(test)]
mod tests;

pub use self::check::check_rig;
pub use self::facing::find_facing;

use self::body::Body;
use self::choose::{Candidate, choose};
use self::limb::Limb;
use crate::math::quat;
use crate::motion::Clip;
use crate::rig::{Foot, JointId, Leg, Mirror, ModelPose, Pose, Rig, Side, Skeleton, Skin};
use glam::{Mat3, Quat, Vec3, Vec3A};

/// Why a skeleton cannot be given legs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
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
    /// What stands has no knee.
    #[error("no legs found that can bend: what stands on the ground, such as {joint:?}, has one bone only")]
    OneBone {
        /// The name of such a leg's joint.
        joint: String,
    },
    /// A sole is not where the mesh stands.
    #[error("the sole of the leg that ends in {ankle:?} is {:.3} m {} the lowest skin of its foot", off.abs(), if *off > 0.0 { "over" } else { "under" })]
    Sole {
        /// The ankle's name.
        ankle: String,
        /// How far over the skin it is, metres.
        off: f32,
    },
    /// A leg ends in the upper half of it: its ankle is no ankle.
    #[error("the leg that ends in {ankle:?} ends at {:.0} % of its hip's height over the ground; name the joint above its foot", high * 100.0)]
    EndsHigh {
        /// The ankle's name.
        ankle: String,
        /// Share of the hip's height.
        high: f32,
    },
    /// A foot is in the air in the pose that should stand.
    #[error(
        "the leg that ends in {ankle:?} is {over:.2} m over the ground that {lowest:?} stands on, in the pose that should stand"
    )]
    InTheAir {
        /// The ankle's name.
        ankle: String,
        /// Metres.
        over: f32,
        /// The name of the ankle whose foot is lowest.
        lowest: String,
    },
}

/// A limb that may be a leg, with what speaks for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LegCandidate {
    /// The limb as a leg.
    pub leg: Leg,
    /// Whether it is taken for one.
    pub taken: bool,
    /// How much speaks for it, 0 to 1.
    pub confidence: f32,
    /// What speaks against it, or what was assumed about it; empty if nothing.
    pub doubt: String,
}

/// Finds the legs of a skeleton from its rest pose, its names and, where given, clips of it.
///
/// A leg is a limb that ends near the ground: its long bones lead from hip to ankle. Hinge axes come from how the
/// inner joints turn in the clips, or from the rest pose's facing; never from a straight leg.
///
/// # Errors
/// If fewer than two legs are found.
pub fn find_rig(skeleton: &Skeleton, clips: &[&Clip]) -> Result<Rig, RigError> {
    find_skinned_rig(skeleton, None, clips)
}

/// Finds the legs of a character with a skin: as [`find_rig`], and the skin tells which joints carry the soles, where
/// heel and ball are, which feet hang outside their legs, and which joints are mere handles. Legs that the skeleton
/// [knows](Skeleton::known_legs) are taken as they are.
///
/// # Errors
/// If fewer than two legs are found.
pub fn find_skinned_rig(skeleton: &Skeleton, skin: Option<&Skin>, clips: &[&Clip]) -> Result<Rig, RigError> {
    let (candidates, one_bone) = look(skeleton, skin, clips);
    let legs: Vec<Leg> = candidates.into_iter().filter(|candidate| candidate.taken).map(|found| found.leg).collect();
    match (legs.as_slice(), one_bone) {
        ([], Some(joint)) => return Err(RigError::OneBone { joint: skeleton.name(joint).into() }),
        ([], None) => return Err(RigError::NoLegs),
        ([one], _) => return Err(RigError::OneLeg { ankle: skeleton.name(one.ankle()).into() }),
        _ => {}
    }
    Ok(Rig { skeleton: skeleton.clone(), legs, mirror: Mirror::of(skeleton).ok() })
}

/// Every limb that may be a leg, those that are taken for legs first, with how sure that is and why: for a person to choose
/// from where [`find_skinned_rig`] finds none, or the wrong ones.
#[must_use]
pub fn weigh_legs(skeleton: &Skeleton, skin: Option<&Skin>, clips: &[&Clip]) -> Vec<LegCandidate> {
    look(skeleton, skin, clips).0
}

/// Weighs limbs at rest; where none stands there, or only on lower legs' ends, as a first frame shows them if that is surer:
/// the rest pose may be no stand. With a leg of one bone, if there is one.
fn look(skeleton: &Skeleton, skin: Option<&Skin>, clips: &[&Clip]) -> (Vec<LegCandidate>, Option<JointId>) {
    let sure = |leg: Leg| LegCandidate { leg, taken: true, confidence: 1.0, doubt: String::new() };
    if !skeleton.known_legs().is_empty() {
        return (skeleton.known_legs().iter().cloned().map(sure).collect(), None);
    }
    if let Some(named) = named_legs(skeleton, skin, clips) {
        return (named, None);
    }
    let rest = ModelPose::new(skeleton);
    let at_rest = look_in(skeleton, &rest, skin, clips);
    // How many legs, and how sure the least sure of them is.
    let worth = |limbs: &[LegCandidate]| {
        let taken = || limbs.iter().filter(|limb| limb.taken);
        (taken().count(), taken().map(|limb| limb.confidence).fold(1.0, f32::min))
    };
    let (legs, sure) = worth(&at_rest.0);
    let has_feet = !at_rest.0.iter().any(|limb| limb.taken && limb.leg.foot_has_no_joint());
    if (legs > 0 && has_feet) || clips.is_empty() {
        return at_rest;
    }
    let idle = clips.iter().find(|clip| clip.name().to_lowercase().contains("idle")).unwrap_or(&clips[0]);
    let mut pose = Pose::rest(skeleton);
    pose.locals.copy_from_slice(idle.frame(0));
    let mut model = ModelPose::new(skeleton);
    pose.to_model(skeleton, &mut model);
    let moving = look_in(skeleton, &model, skin, clips);
    let (more, surer) = worth(&moving.0);
    if more > 0 && (legs == 0 || (more >= legs && surer > sure)) { moving } else { at_rest }
}

/// The legs that the file itself names, if they are legs.
fn named_legs(skeleton: &Skeleton, skin: Option<&Skin>, clips: &[&Clip]) -> Option<Vec<LegCandidate>> {
    let leg = |joints: &Vec<JointId>| {
        find_leg(skeleton, [joints[0], joints[1], joints[2]], joints.get(3).copied(), skin, clips)
    };
    let mut legs: Vec<Leg> = skeleton.legs().iter().map(leg).collect::<Option<_>>()?;
    legs.sort_by_key(|leg| leg.side == Some(Side::Right));
    let sure = |leg: Leg| LegCandidate { leg, taken: true, confidence: 1.0, doubt: String::new() };
    (legs.len() > 1).then(|| legs.into_iter().map(sure).collect())
}

fn look_in(
    skeleton: &Skeleton,
    pose: &ModelPose,
    skin: Option<&Skin>,
    clips: &[&Clip],
) -> (Vec<LegCandidate>, Option<JointId>) {
    let body = Body::new(skeleton, pose, skin);
    let choice = choose(&body, clips);
    let mut legs: Vec<LegCandidate> = Vec::new();
    for Candidate { limbs, taken, confidence, doubt, .. } in choice.candidates {
        for (limb, side) in limbs.iter().zip([Side::Left, Side::Right]) {
            let mut leg = leg(&body, limb, clips);
            leg.side = Some(side);
            legs.push(LegCandidate { leg, taken, confidence, doubt: doubt.clone() });
        }
    }
    // Left before right, front before back.
    legs.sort_by(|a, b| {
        let key = |leg: &Leg| (leg.side == Some(Side::Right), pose[leg.ankle()].translation.z);
        let (a_key, b_key) = (key(&a.leg), key(&b.leg));
        b.taken.cmp(&a.taken).then(a_key.0.cmp(&b_key.0)).then(b_key.1.total_cmp(&a_key.1))
    });
    (legs, choice.one_bone)
}

/// The leg that a caller knows by its joints: what is not given (side, hinge, toes, foot) is found as
/// [`find_skinned_rig`] finds it. The ankle may hang from elsewhere, as feet do that animators move by themselves, and may be
/// the knee itself where the foot has no joint. `None` if the joints are not hip, knee, ankle and toe in that order.
#[must_use]
pub fn find_leg(
    skeleton: &Skeleton,
    [hip, knee, ankle]: [JointId; 3],
    toe: Option<JointId>,
    skin: Option<&Skin>,
    clips: &[&Clip],
) -> Option<Leg> {
    let above = |below: JointId, wanted: JointId| skeleton.ancestry(below).skip(1).any(|joint| joint == wanted);
    // A foot may hang from elsewhere, but not from its own leg's joints upside down; it may have no joint but the knee's.
    let hangs = ankle == knee || above(ankle, knee) || !(above(knee, ankle) || above(ankle, hip));
    if !(hangs && above(knee, hip)) || toe.is_some_and(|toe| !above(toe, ankle)) {
        return None;
    }
    let rest = ModelPose::new(skeleton);
    // The foot's end: the farthest joint below the toes, or below the ankle.
    let from = toe.unwrap_or(ankle);
    let far = |joint: &JointId| (rest[*joint].translation - rest[ankle].translation).length();
    let below = skeleton.subtree(from).map(|i| JointId(i as u16));
    let end = below.max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(from);
    let body = Body::new(skeleton, &rest, skin);
    Some(leg(&body, &Limb { end, toe, ankle, knee, hip }, clips))
}

fn leg(body: &Body<'_>, limb: &Limb, clips: &[&Clip]) -> Leg {
    let (skeleton, rest) = (body.skeleton, body.rest);
    let side = side_of(skeleton, rest, limb.ankle);
    // The toes' joint: the first below the ankle that stands apart from it.
    let below: Vec<JointId> = skeleton.ancestry(limb.end).take_while(|joint| *joint != limb.ankle).collect();
    let apart = |j: &JointId| (rest[*j].translation - rest[limb.ankle].translation).length() > 1e-3;
    // A foot of several toes is one piece: no single joint is their base.
    let stands = |child: &JointId| body.lowest_below(*child) - body.low < 0.05 * body.height;
    let toes = body.children(limb.ankle).filter(|child| apart(child) && stands(child)).count();
    let one_piece = body.skin.is_some() && toes > 1;
    let toe = limb.toe.or_else(|| below.into_iter().rev().find(apart).filter(|_| !one_piece));
    let hinge = hinge(skeleton, rest, limb.knee, clips);
    let hinge = if bends_its_way(skeleton, rest, limb, hinge, clips) { hinge } else { -hinge };
    let mut leg = Leg {
        side,
        chain: vec![limb.hip, limb.knee, limb.ankle],
        hinges: vec![hinge],
        toe,
        shin: (!skeleton.ancestry(limb.ankle).any(|joint| joint == limb.knee))
            .then(|| rest[limb.knee].inverse().transform_point(rest[limb.ankle].translation)),
        foot: Foot { heel: Vec3A::ZERO, ball: Vec3A::ZERO, up: Vec3A::Y, tip: None, length: 0.0, width: 0.0 },
    };
    leg.foot = sole::foot(body, &leg, limb, clips);
    leg
}

/// The side of a joint: by its name, or by its place at rest.
fn side_of(skeleton: &Skeleton, rest: &ModelPose, joint: JointId) -> Option<Side> {
    skeleton.side(joint).or_else(|| {
        let x = rest[joint].translation.x;
        (x.abs() > 1e-3).then_some(if x > 0.0 { Side::Left } else { Side::Right })
    })
}

/// Whether a leg's inner joint lies, on the whole, where its hinge says: in front of the line from hip to ankle if that
/// points to the left. Hocks and elbows of beasts lie behind.
fn bends_its_way(skeleton: &Skeleton, rest: &ModelPose, limb: &Limb, hinge: Vec3A, clips: &[&Clip]) -> bool {
    let side = |pose: &ModelPose| {
        let [hip, knee, ankle] = [limb.hip, limb.knee, limb.ankle].map(|joint| pose[joint].translation);
        let parent = skeleton.parent(limb.knee).map_or(Quat::IDENTITY, |p| pose[p].rotation);
        let line = (ankle - hip).normalize_or_zero();
        let off = (knee - hip) - line * (knee - hip).dot(line);
        off.dot(line.cross(parent * hinge))
    };
    let (mut sum, mut count) = (side(rest), 1.0);
    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::new(skeleton);
    for clip in clips {
        for f in (0..clip.frames()).step_by(clip.frames().div_ceil(40)) {
            pose.locals.copy_from_slice(clip.frame(f));
            pose.to_model(skeleton, &mut model);
            sum += side(&model);
            count += 1.0;
        }
    }
    // A leg that is about straight tells nothing.
    let [hip, knee, ankle] = [limb.hip, limb.knee, limb.ankle].map(|joint| rest[joint].translation);
    sum / count > -0.02 * ((knee - hip).length() + (ankle - knee).length())
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
