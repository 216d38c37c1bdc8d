//! Which limbs are legs: pairs that stand at rest and in clips, weighed together and not one by one.

use super::body::Body;
use super::join::{Feet, join};
use super::limb::{self, Limb, Shape};
use super::pair::{Pieces, pieces};
use crate::motion::Clip;
use crate::rig::{JointId, ModelPose, Pose};
use glam::Vec3A;

/// A leg is at least this share of the longest one: teeth and whiskers reach the ground too.
const SHORTEST: f32 = 0.4;
/// A leg's hip is at least at this share of the height of the highest one: toes and claws lie on the ground.
const HIP_HIGH: f32 = 0.3;
/// Limbs whose hips and knees are nearer to each other than this are one limb twice, in lengths of the limb: controls and what follows them.
const TWINS: f32 = 0.05;
/// A leg is on the ground in clips for at least this share of what the one is that stands most.
const STANDS: f32 = 0.3;
/// A foot that is this near to the lowest of all feet is on the ground, in heights of the hip.
const ON_GROUND: f32 = 0.12;
/// Feet that hang from elsewhere begin lower than this, in heights of the body.
const LOOSE_FOOT: f32 = 0.35;
/// What begins lower than this and is shorter is a foot and no leg, in heights of the body.
const SMALL_FOOT: f32 = 0.15;
/// What a body stands on is at most this far above its lowest point, in its heights: a tail may hang lower than feet stand.
const OVER_GROUND: f32 = 0.1;
/// Poses of a clip that are looked at.
const LOOKS: usize = 16;

/// A pair of limbs that may be legs, the left one first.
pub(super) struct Candidate {
    pub(super) limbs: [Limb; 2],
    /// Whether they are legs.
    pub(super) taken: bool,
    /// How much speaks for them, 0 to 1.
    pub(super) confidence: f32,
    /// What speaks against them, or what was assumed; empty if nothing.
    pub(super) doubt: String,
    /// Hip to ground along the bones at rest, metres.
    length: f32,
    /// Of the hips over the ground at rest, metres.
    height: f32,
}

/// What a body stands on.
pub(super) struct Choice {
    pub(super) candidates: Vec<Candidate>,
    /// A leg of one bone, which cannot bend, if that is all there is.
    pub(super) one_bone: Option<JointId>,
}

/// A pair of pieces with its ways down.
struct Piece {
    ways: [Vec<JointId>; 2],
    shapes: [Shape; 2],
}

/// Weighs all limbs of a body.
pub(super) fn choose(body: &Body<'_>, clips: &[&Clip]) -> Choice {
    let Pieces { mut pairs, singles } = pieces(body);
    let lowest = |joint: &JointId| body.lowest_below(*joint);
    let armed = take_armed(body, &mut pairs);
    let ground = pairs.iter().flatten().map(lowest).fold(f32::INFINITY, f32::min);
    // Limbs that end well above what is lowest do not carry it.
    let low = if armed.is_empty() { body.low } else { lowest_beside(body, &armed) };
    let ground = if ground - low < OVER_GROUND * body.height { ground } else { low };
    let built: Vec<Piece> = pairs.iter().map(|pair| Piece::new(body, ground, *pair)).collect();

    // Feet by themselves, and the limbs that they may belong to.
    let is_foot = |shape: Shape| matches!(shape, Shape::FirstBone | Shape::OneBone);
    let low = |joint: JointId| body.place(joint).y - ground < LOOSE_FOOT * body.height;
    let mut feet: Vec<Feet> = Vec::new();
    let mut limbs: Vec<usize> = Vec::new();
    for (p, piece) in built.iter().enumerate() {
        // By its shape, or so small and low that no leg could be in it.
        let small = |side: usize| {
            let way = &piece.ways[side];
            let high = body.place(way[0]).y - ground < SMALL_FOOT * body.height;
            high && along(body, way) < SMALL_FOOT * body.height && piece.shapes[side] != Shape::InTheAir
        };
        if (0..2).all(|side| small(side) || (is_foot(piece.shapes[side]) && low(piece.ways[side][0]))) {
            feet.push([Some(piece.ways[0][0]), Some(piece.ways[1][0])]);
        } else if piece.ways.iter().all(|way| way.len() >= 2) {
            limbs.push(p);
        }
    }
    // A foot of one side only, where the other has its own.
    let stands = |joint: &JointId| limb::shape(body, ground, &[&limb::way_down(body, *joint)]) == Shape::FirstBone;
    let aside = |joint: &JointId| body.place(*joint).x.abs() > 0.03 * body.height;
    let alone = singles.iter().filter(|joint| body.skin.is_some() && stands(joint) && aside(joint) && low(**joint));
    feet.extend(alone.map(|joint| [Some(*joint), None]));
    let ways: Vec<[&[JointId]; 2]> = limbs.iter().map(|p| [0, 1].map(|side| built[*p].ways[side].as_slice())).collect();
    let joined = join(body, &feet, &ways, clips);

    let mut candidates = Vec::new();
    let is_joined = |first: JointId| joined.iter().any(|joined| joined.feet.contains(&Some(first)));
    for (p, piece) in built.iter().enumerate().filter(|(_, piece)| !is_joined(piece.ways[0][0])) {
        let mut own: [Option<(JointId, f32)>; 2] = [None; 2];
        for joined in joined.iter().filter(|joined| limbs[joined.limbs] == p) {
            for side in 0..2 {
                own[side] = joined.feet[side].map(|foot| (foot, joined.sure)).or(own[side]);
            }
        }
        candidates.extend(piece.candidate(body, ground, own));
    }
    weigh(body, clips, &mut candidates);
    let one_bone = built.iter().find(|piece| {
        let high = body.place(piece.ways[0][0]).y - ground > 0.05 * body.height;
        is_foot(piece.shapes[0]) && high && !is_joined(piece.ways[0][0])
    });
    Choice { candidates, one_bone: one_bone.map(|piece| piece.ways[0][0]) }
}

/// Takes out limbs that are called hands and hang below what is called feet: what they hold is on the ground, or in it.
fn take_armed(body: &Body<'_>, pairs: &mut Vec<[JointId; 2]>) -> Vec<JointId> {
    let called = |pair: &[JointId; 2], known: &[&str]| {
        let joints = pair.iter().flat_map(|first| body.skeleton.subtree(*first));
        joints.map(|i| JointId(i as u16)).any(|joint| limb::is_called(body, joint, known))
    };
    let low = |pair: &[JointId; 2]| f32::min(body.lowest_below(pair[0]), body.lowest_below(pair[1]));
    let has_feet = |pair: &[JointId; 2]| called(pair, &limb::FEET);
    let feet = pairs.iter().filter(|pair| has_feet(pair)).map(low).fold(f32::INFINITY, f32::min);
    if !feet.is_finite() {
        return Vec::new();
    }
    let is_armed = |pair: &mut [JointId; 2]| {
        low(pair) < feet - OVER_GROUND * body.height && called(pair, &HANDS) && !has_feet(pair)
    };
    pairs.extract_if(.., is_armed).flatten().collect()
}

/// The lowest skin or joint of a body without some limbs.
fn lowest_beside(body: &Body<'_>, limbs: &[JointId]) -> f32 {
    let beside = |joint: &JointId| !limbs.iter().any(|limb| body.skeleton.subtree(*limb).contains(&joint.index()));
    body.skeleton.joints().filter(beside).map(|joint| body.lowest(joint)).fold(f32::INFINITY, f32::min)
}

impl Piece {
    fn new(body: &Body<'_>, ground: f32, pair: [JointId; 2]) -> Self {
        let ways = pair.map(|first| limb::way_down(body, first));
        let shapes = if ways[0].len() == ways[1].len() {
            [limb::shape(body, ground, &[&ways[0], &ways[1]]); 2]
        } else {
            [0, 1].map(|side| limb::shape(body, ground, &[&ways[side]]))
        };
        Self { ways, shapes }
    }

    /// The pair as legs, with the feet that were found for them; `None` if a side stands on nothing.
    fn candidate(&self, body: &Body<'_>, ground: f32, feet: [Option<(JointId, f32)>; 2]) -> Option<Candidate> {
        // A foot for one side only is none for the pair, unless the other stands by itself.
        let loose = feet.iter().flatten().count();
        let stands = |side: usize| matches!(self.shapes[side], Shape::Stands(_) | Shape::StandsOnShin(_));
        if (0..2).any(|side| feet[side].is_none() && !stands(side)) {
            return None;
        }
        let mut confidence: f32 = 1.0;
        let mut doubt = String::new();
        let mut length = 0.0;
        let mut limbs = Vec::with_capacity(2);
        for side in 0..2 {
            let (way, other) = (&self.ways[side], &self.ways[1 - side]);
            let first_of = |bones: usize, end: Vec3A| limb::hip(body, ground, [way, other], bones, end);
            let limb = match (feet[side], self.shapes[side]) {
                (Some((foot, sure)), _) => {
                    confidence = confidence.min(0.5 + 0.5 * sure);
                    let last = way.len() - 1;
                    let hip = first_of(way.len(), body.place(foot));
                    length += along(body, &way[hip..]) + (body.place(foot) - body.place(way[last])).length();
                    let end = limb::last_below(body, foot);
                    Limb { end, toe: None, ankle: foot, knee: way[last], hip: way[hip] }
                }
                (None, Shape::StandsOnShin(knee)) => {
                    confidence = confidence.min(0.8);
                    doubt = format!("no joint carries the foot, {:?} does", body.skeleton.name(way[knee]));
                    let at = body.place(way[knee]);
                    let hip = first_of(knee + 1, Vec3A::new(at.x, ground, at.z));
                    length += along(body, &way[hip..=knee]) + (at.y - ground);
                    Limb { end: way[knee], toe: None, ankle: way[knee], knee: way[knee], hip: way[hip] }
                }
                (None, Shape::Stands(ankle)) => {
                    let hip = first_of(ankle, body.place(way[ankle]));
                    let knee = limb::knee(body, way, hip, ankle);
                    length += along(body, &way[hip..=ankle]);
                    let end = limb::last_below(body, way[way.len() - 1]);
                    Limb { end, toe: None, ankle: way[ankle], knee: way[knee], hip: way[hip] }
                }
                (None, _) => return None,
            };
            limbs.push(limb);
        }
        if loose == 1 {
            confidence = confidence.min(0.6);
            doubt =
                format!("the foot of one side hangs from {:?}", body.skeleton.name(feet.iter().flatten().next()?.0));
        }
        let limbs = [limbs.remove(0), limbs.remove(0)];
        let height = limbs.iter().map(|limb| body.place(limb.hip).y - ground).sum::<f32>() / 2.0;
        Some(Candidate { limbs, taken: true, confidence, doubt, length: 0.5 * length, height })
    }
}

/// The length of a way along bones, metres.
fn along(body: &Body<'_>, way: &[JointId]) -> f32 {
    way.windows(2).map(|pair| (body.place(pair[1]) - body.place(pair[0])).length()).sum()
}

/// Takes the candidates that stand together: of like length, on the ground in clips, and not called something else.
fn weigh(body: &Body<'_>, clips: &[&Clip], candidates: &mut [Candidate]) {
    let against = |candidate: &mut Candidate, doubt: &str| {
        candidate.taken = false;
        candidate.confidence = candidate.confidence.min(0.3);
        candidate.doubt = doubt.into();
    };
    for candidate in candidates.iter_mut().filter(|candidate| is_called_else(body, &candidate.limbs[0])) {
        against(candidate, "its name says that it is not a leg");
    }
    let longest = candidates.iter().filter(|c| c.taken).map(|c| c.length).fold(0.0, f32::max);
    for candidate in candidates.iter_mut().filter(|c| c.taken && c.length < SHORTEST * longest) {
        against(candidate, "it is short beside the others");
    }
    let highest = candidates.iter().filter(|c| c.taken).map(|c| c.height).fold(0.0, f32::max);
    for candidate in candidates.iter_mut().filter(|c| c.taken && c.height < HIP_HIGH * highest) {
        against(candidate, "it begins near the ground, as toes do");
    }
    for (k, other) in twins(body, candidates) {
        let twin = format!("it lies where the limb of {:?} does", body.skeleton.name(candidates[other].limbs[0].hip));
        against(&mut candidates[k], &twin);
    }
    let standing = standing(body, clips, candidates);
    let most = candidates.iter().zip(&standing).filter(|(c, _)| c.taken).map(|(_, share)| *share).fold(0.0, f32::max);
    for (candidate, share) in candidates.iter_mut().zip(standing) {
        if candidate.taken && share < STANDS * most {
            against(candidate, "it is hardly ever on the ground in the clips");
        }
    }
}

/// Candidates that lie where others do that hold more skin, each with the other.
fn twins(body: &Body<'_>, candidates: &[Candidate]) -> Vec<(usize, usize)> {
    let held = |candidate: &Candidate| -> f32 {
        let joints = candidate.limbs.iter().flat_map(|limb| {
            let leg = body.skeleton.ancestry(limb.ankle).take_while(|joint| *joint != limb.hip);
            leg.filter(|joint| *joint != limb.ankle).chain([limb.hip])
        });
        joints.map(|joint| body.skin.as_ref().map_or(0.0, |skin| skin.weight(joint))).sum()
    };
    let together = |a: &Candidate, b: &Candidate| {
        (0..2).all(|side| {
            let (a_limb, b_limb) = (&a.limbs[side], &b.limbs[side]);
            [(a_limb.hip, b_limb.hip), (a_limb.knee, b_limb.knee)]
                .into_iter()
                .all(|(a_joint, b_joint)| (body.place(a_joint) - body.place(b_joint)).length() < TWINS * a.length)
        })
    };
    let taken = || candidates.iter().enumerate().filter(|(_, candidate)| candidate.taken);
    let less = |(k, a): (usize, &Candidate), (j, b): (usize, &Candidate)| {
        let (own, other) = (held(a), held(b));
        own < other || (own == other && k > j)
    };
    taken()
        .filter_map(|one| {
            let twin = taken().find(|other| one.0 != other.0 && together(one.1, other.1) && less(one, *other));
            twin.map(|(other, _)| (one.0, other))
        })
        .collect()
}

/// The share of time that each candidate's feet are on the ground in clips.
fn standing(body: &Body<'_>, clips: &[&Clip], candidates: &[Candidate]) -> Vec<f32> {
    let soles: Vec<[(JointId, Vec3A); 2]> =
        candidates.iter().map(|candidate| [0, 1].map(|side| lowest_point(body, candidate.limbs[side].ankle))).collect();
    let taken = |i: usize| candidates[i].taken;
    let size = candidates.iter().filter(|c| c.taken).map(|c| c.length).fold(0.0, f32::max);
    let mut on_ground = vec![0.0_f32; candidates.len()];
    let mut poses = 0.0;
    let mut pose = Pose::rest(body.skeleton);
    let mut model = ModelPose::new(body.skeleton);
    for clip in clips {
        for frame in (0..clip.frames()).step_by(clip.frames().div_ceil(LOOKS)) {
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(body.skeleton, &mut model);
            let height = |(joint, point): (JointId, Vec3A)| model[joint].transform_point(point).y;
            let lows: Vec<f32> = soles.iter().map(|pair| f32::min(height(pair[0]), height(pair[1]))).collect();
            let lowest = (0..lows.len()).filter(|i| taken(*i)).map(|i| lows[i]).fold(f32::INFINITY, f32::min);
            poses += 1.0;
            for (sum, low) in on_ground.iter_mut().zip(lows) {
                *sum += if low - lowest < ON_GROUND * size { 1.0 } else { 0.0 };
            }
        }
    }
    on_ground.iter().map(|sum| sum / f32::max(poses, 1.0)).collect()
}

/// The lowest point of a foot at rest, in the space of the joint that holds it, metres.
fn lowest_point(body: &Body<'_>, ankle: JointId) -> (JointId, Vec3A) {
    let mut lowest = (ankle, body.place(ankle));
    for joint in body.skeleton.subtree(ankle).map(|i| JointId(i as u16)) {
        let own = [body.place(joint)];
        for place in body.skin.as_ref().map_or(own.as_slice(), |skin| skin.of(joint)) {
            if place.y < lowest.1.y {
                lowest = (joint, *place);
            }
        }
    }
    (lowest.0, body.rest[lowest.0].inverse().transform_point(lowest.1))
}

/// Words of joints that reach the ground and are no legs; names are the last of all evidence, but skirts and fins are built
/// as legs are.
const ELSE: [&str; 20] = [
    "fin", "fins", "wing", "wings", "feather", "tail", "ear", "ears", "hair", "skirt", "cape", "cloak", "coat",
    "cloth", "sleeve", "ribbon", "weapon", "sword", "tentacle", "finger",
];

/// Words of arms and their parts.
const HANDS: [&str; 6] = ["hand", "arm", "forearm", "wrist", "palm", "fist"];

/// Whether a limb's names say that it is something else than a leg.
fn is_called_else(body: &Body<'_>, limb: &Limb) -> bool {
    [limb.hip, limb.knee].iter().any(|joint| {
        let words = crate::rig::words(body.skeleton.name(*joint));
        words.iter().any(|word| ELSE.contains(&word.as_str()))
    })
}
