//! Feet that hang from elsewhere, as animators put them who move feet and let legs follow: which limb each belongs to.

use super::body::Body;
use crate::motion::Clip;
use crate::rig::{JointId, ModelPose, Pose};

/// The least that speaks for a foot and a limb to belong together, 0 to 1.
const ENOUGH: f32 = 0.45;
/// Skin that foot and lower leg hold together, as a share of the smaller's: from here on it is sure.
const BLENDS: f32 = 0.06;
/// A lower leg's end this far from its foot speaks half for them, in heights of the body.
const NEAR: f32 = 0.05;
/// A limb that ends farther from a foot than this, in heights of the body and in its own lengths, is another's, unless the two
/// hold skin together.
const FAR: [f32; 2] = [0.1, 0.5];
/// The distance of a foot from its lower leg's joint varies by less than this share in clips.
const RIGID: f32 = 0.04;
/// Poses of a clip that are looked at.
const LOOKS: usize = 12;

/// Feet that belong together: those of a pair with its limbs' order, or one alone.
pub(super) type Feet = [Option<JointId>; 2];

/// Feet that were found their limbs: numbers into the lists given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Joined {
    pub(super) limbs: usize,
    /// The feet by the sides of the limbs.
    pub(super) feet: Feet,
    /// How much speaks for it, 0 to 1.
    pub(super) sure: f32,
}

/// Finds feet their limbs, all at once: so that what speaks for all together is the most. `limbs` are pairs of ways down from
/// the trunk.
pub(super) fn join(body: &Body<'_>, feet: &[Feet], limbs: &[[&[JointId]; 2]], clips: &[&Clip]) -> Vec<Joined> {
    if feet.is_empty() || limbs.is_empty() {
        return Vec::new();
    }
    let looks = Looks::new(body, clips);
    let mut all: Vec<(usize, Joined)> = Vec::new();
    for (f, pair) in feet.iter().enumerate() {
        for (l, ways) in limbs.iter().enumerate() {
            // Feet may be crossed in the pose that is looked at: both ways are tried.
            for feet in [*pair, [pair[1], pair[0]]] {
                let known: Vec<f32> =
                    (0..2).filter_map(|side| Some(evidence(body, &looks, feet[side]?, ways[side]))).collect();
                let sure = known.iter().sum::<f32>() / known.len().max(1) as f32;
                if sure >= ENOUGH && known.iter().all(|sure| *sure > 0.0) {
                    all.push((f, Joined { limbs: l, feet, sure }));
                }
            }
        }
    }
    assign(all, feet.len())
}

/// The choice with the greatest sum, feet and sides of limbs at most once each: the surest first, then feet exchange their
/// limbs while that makes it greater.
fn assign(mut all: Vec<(usize, Joined)>, feet: usize) -> Vec<Joined> {
    all.sort_by(|a, b| b.1.sure.total_cmp(&a.1.sure).then(a.0.cmp(&b.0)).then(a.1.limbs.cmp(&b.1.limbs)));
    let meet = |a: &Joined, b: &Joined| {
        a.limbs == b.limbs && (0..2).any(|side| a.feet[side].is_some() && b.feet[side].is_some())
    };
    let mut chosen: Vec<Option<Joined>> = vec![None; feet];
    for (foot, joined) in &all {
        if chosen[*foot].is_none() && !chosen.iter().flatten().any(|other| meet(other, joined)) {
            chosen[*foot] = Some(*joined);
        }
    }
    // A few rounds are enough for the feet that anything has.
    for _ in 0..feet {
        for a in 0..feet {
            for b in a + 1..feet {
                let (Some(of_a), Some(of_b)) = (chosen[a], chosen[b]) else { continue };
                let other = |foot: usize, limbs: usize| {
                    all.iter().find(|(f, joined)| *f == foot && joined.limbs == limbs).map(|(_, joined)| *joined)
                };
                if let (Some(new_a), Some(new_b)) = (other(a, of_b.limbs), other(b, of_a.limbs))
                    && !meet(&new_a, &new_b)
                    && new_a.sure + new_b.sure > of_a.sure + of_b.sure + 1e-6
                {
                    (chosen[a], chosen[b]) = (Some(new_a), Some(new_b));
                }
            }
        }
    }
    chosen.into_iter().flatten().collect()
}

/// How much speaks for a foot to belong to a limb, 0 to 1: skin that both hold, how near the limb ends, how steady their
/// distance is in clips, sides and names.
fn evidence(body: &Body<'_>, looks: &Looks, foot: JointId, way: &[JointId]) -> f32 {
    let last = way[way.len() - 1];
    let at = body.place(foot);
    // A foot is below its knee, and no farther from it than all of the leg is long.
    let long: f32 = way.windows(2).map(|pair| (body.place(pair[1]) - body.place(pair[0])).length()).sum();
    let knee = body.place(last);
    if at.y > knee.y + 0.1 * long || (at - knee).length() > 3.0 * long {
        return 0.0;
    }
    let mut sum = 0.0;
    let mut most = 0.0;
    let mut weigh = |weight: f32, speaks: f32| {
        sum += weight * speaks;
        most += weight;
    };
    let of_foot = body.skeleton.subtree(foot);
    let mut shared = 0.0;
    if let Some(skin) = body.skin.as_ref().filter(|skin| skin.blends()) {
        let blend = skin.blend(&|joint| of_foot.contains(&joint.index()), &|joint| joint == last);
        shared = f32::min(1.0, blend / BLENDS);
        weigh(3.0, shared);
    }
    // The limb's end, by its end bone or by its skin.
    let near = match (body.end_of(last), &body.skin) {
        (Some(end), _) => Some((end - at).length()),
        (None, Some(skin)) => skin.of(last).iter().map(|vertex| (*vertex - at).length()).reduce(f32::min),
        (None, None) => None,
    };
    // Bare bones do not tell where they end; a shin is about as long as a thigh.
    if near.is_none() {
        let shin = (at - knee).length() / long.max(1e-6);
        weigh(1.0, if (0.4..2.5).contains(&shin) { 1.0 } else { 0.0 });
    }
    if near.is_some_and(|near| near > f32::max(FAR[0] * body.height, FAR[1] * long)) && shared < 0.1 {
        return 0.0;
    }
    if let Some(near) = near {
        weigh(2.0, 1.0 / (1.0 + (near / (NEAR * body.height)).powi(2)));
    }
    if let Some(varies) = looks.steadiness(foot, way) {
        weigh(2.0, 1.0 / (1.0 + (varies / RIGID).powi(2)));
    }
    let named = |joint: JointId| body.skeleton.side(joint);
    let by_name = named(foot).zip(named(last)).map(|(a, b)| a == b);
    let same_side = by_name.unwrap_or(at.x * knee.x > 0.0);
    weigh(1.0, if same_side { 1.0 } else { 0.0 });
    weigh(1.0, names(body, foot, way));
    sum / most
}

/// Words that name a part of any limb tell nothing of which limb.
const PART_WORDS: [&str; 2] = ["upper", "lower"];
/// Words of feet, and of what they belong to.
const FOOT_WORDS: [&str; 7] = ["foot", "feet", "ankle", "toe", "toes", "hoof", "paw"];
const LEG_WORDS: [&str; 6] = ["leg", "shin", "calf", "thigh", "knee", "tibia"];

/// How much names speak for a foot to belong to a limb, 0 to 1: a word in common, such as `front`, or a foot and a leg.
fn names(body: &Body<'_>, foot: JointId, way: &[JointId]) -> f32 {
    let long = |joint: JointId| {
        let mut words = crate::rig::words(body.skeleton.name(joint));
        words.retain(|word| word.chars().count() > 2 && !PART_WORDS.contains(&word.as_str()));
        words
    };
    let (own, others) = (long(foot), way.iter().flat_map(|joint| long(*joint)).collect::<Vec<_>>());
    let has = |words: &[String], known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    if others.iter().any(|word| own.contains(word)) {
        1.0
    } else if has(&own, &FOOT_WORDS) && has(&others, &LEG_WORDS) {
        0.7
    } else {
        0.0
    }
}

/// A few poses of all clips.
struct Looks(Vec<ModelPose>);

impl Looks {
    fn new(body: &Body<'_>, clips: &[&Clip]) -> Self {
        let mut pose = Pose::rest(body.skeleton);
        let mut looks = Vec::new();
        for clip in clips {
            for frame in (0..clip.frames()).step_by(clip.frames().div_ceil(LOOKS)) {
                pose.locals.copy_from_slice(clip.frame(frame));
                let mut model = ModelPose::new(body.skeleton);
                pose.to_model(body.skeleton, &mut model);
                looks.push(model);
            }
        }
        Self(looks)
    }

    /// How much the distance of a foot from the last joint of a limb varies, as a share; `None` if the foot does not move
    /// against the limb's first joint, which would tell something.
    fn steadiness(&self, foot: JointId, way: &[JointId]) -> Option<f32> {
        let varies = |joint: JointId| {
            let apart = |pose: &ModelPose| (pose[foot].translation - pose[joint].translation).length();
            let mut distances: Vec<f32> = self.0.iter().map(apart).collect();
            let middle = |values: &mut Vec<f32>, share: f32| {
                values.sort_by(f32::total_cmp);
                values.get((share * values.len() as f32) as usize).copied().unwrap_or_default()
            };
            // Where legs are pulled too far, their feet come off: the middle counts.
            let median = middle(&mut distances, 0.5);
            let mut off: Vec<f32> = distances.iter().map(|distance| (distance - median).abs()).collect();
            middle(&mut off, 0.6) / median.max(1e-6)
        };
        (varies(way[0]) > RIGID).then(|| varies(way[way.len() - 1]))
    }
}
