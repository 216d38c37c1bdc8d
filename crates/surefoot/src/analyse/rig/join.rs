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
/// The distance of a foot from its lower leg's joint varies by less than this share in clips.
const RIGID: f32 = 0.04;
/// Poses of a clip that are looked at.
const LOOKS: usize = 12;

/// A foot that was found its limb: numbers into the lists given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Joined {
    pub(super) foot: usize,
    pub(super) limb: usize,
    /// How much speaks for it, 0 to 1.
    pub(super) sure: f32,
}

/// Finds every foot its limb, all at once: so that what speaks for all together is the most. `limbs` are ways down from the
/// trunk, `feet` the first joints of feet.
pub(super) fn join(body: &Body<'_>, feet: &[JointId], limbs: &[&[JointId]], clips: &[&Clip]) -> Vec<Joined> {
    let steady = Steadiness::new(body, feet, limbs, clips);
    let mut all: Vec<Joined> = Vec::new();
    for (foot, joint) in feet.iter().enumerate() {
        for (limb, way) in limbs.iter().enumerate() {
            let sure = evidence(body, *joint, way, steady.of(foot, limb));
            if sure >= ENOUGH {
                all.push(Joined { foot, limb, sure });
            }
        }
    }
    assign(&all, feet.len(), limbs.len())
}

/// The choice of pairs, each foot and limb at most once, with the greatest sum: by exchanging while that makes it greater.
fn assign(all: &[Joined], feet: usize, limbs: usize) -> Vec<Joined> {
    let sure = |foot: usize, limb: usize| {
        all.iter().find(|joined| joined.foot == foot && joined.limb == limb).map_or(0.0, |joined| joined.sure)
    };
    let mut sorted = all.to_vec();
    sorted.sort_by(|a, b| b.sure.total_cmp(&a.sure).then(a.foot.cmp(&b.foot)).then(a.limb.cmp(&b.limb)));
    let mut limb_of: Vec<Option<usize>> = vec![None; feet];
    let mut taken = vec![false; limbs];
    for joined in sorted {
        if limb_of[joined.foot].is_none() && !taken[joined.limb] {
            limb_of[joined.foot] = Some(joined.limb);
            taken[joined.limb] = true;
        }
    }
    // Two feet may be better off with each other's limbs; a few rounds are enough for sixteen feet.
    for _ in 0..feet {
        for a in 0..feet {
            for b in a + 1..feet {
                if let (Some(la), Some(lb)) = (limb_of[a], limb_of[b])
                    && sure(a, lb).min(sure(b, la)) > 0.0
                    && sure(a, lb) + sure(b, la) > sure(a, la) + sure(b, lb) + 1e-6
                {
                    (limb_of[a], limb_of[b]) = (Some(lb), Some(la));
                }
            }
        }
    }
    let joined = limb_of.iter().enumerate();
    joined.filter_map(|(foot, limb)| limb.map(|limb| Joined { foot, limb, sure: sure(foot, limb) })).collect()
}

/// How much speaks for a foot to belong to a limb, 0 to 1: skin that both hold, how near the limb ends, how steady their
/// distance is in clips, sides and names.
fn evidence(body: &Body<'_>, foot: JointId, way: &[JointId], steady: Option<f32>) -> f32 {
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
    if let Some(skin) = &body.skin {
        let blend = skin.blend(&|joint| of_foot.contains(&joint.index()), &|joint| joint == last);
        weigh(3.0, f32::min(1.0, blend / BLENDS));
    }
    // The limb's end, by its end bone or by its skin.
    let near = match (body.end_of(last), &body.skin) {
        (Some(end), _) => Some((end - at).length()),
        (None, Some(skin)) => skin.of(last).iter().map(|vertex| (*vertex - at).length()).reduce(f32::min),
        (None, None) => None,
    };
    if let Some(near) = near {
        weigh(2.0, 1.0 / (1.0 + (near / (NEAR * body.height)).powi(2)));
    }
    if let Some(varies) = steady {
        weigh(2.0, 1.0 / (1.0 + (varies / RIGID).powi(2)));
    }
    let same_side = at.x * knee.x > 0.0;
    weigh(1.0, if same_side { 1.0 } else { 0.0 });
    weigh(1.0, if share_a_word(body, foot, way) { 1.0 } else { 0.0 });
    sum / most
}

/// Whether names of a foot and of a limb have a word in common that not all joints have: `front`, `back`, `leg`.
fn share_a_word(body: &Body<'_>, foot: JointId, way: &[JointId]) -> bool {
    let words = |joint: JointId| -> Vec<String> {
        let name = body.skeleton.name(joint);
        let mut words: Vec<String> = vec![String::new()];
        for c in name.chars() {
            if c.is_uppercase() || !c.is_alphanumeric() {
                words.push(String::new());
            }
            if let (true, Some(word)) = (c.is_alphabetic(), words.last_mut()) {
                word.extend(c.to_lowercase());
            }
        }
        words.retain(|word| word.chars().count() > 2);
        words
    };
    let own = words(foot);
    way.iter().any(|joint| words(*joint).iter().any(|word| own.contains(word)))
}

/// How much the distances of feet from the last joints of limbs vary in clips.
struct Steadiness {
    limbs: usize,
    /// By foot and limb: number of poses, sum, sum of squares, metres.
    sums: Vec<[f64; 3]>,
    /// Whether anything moved.
    moves: bool,
}

impl Steadiness {
    fn new(body: &Body<'_>, feet: &[JointId], limbs: &[&[JointId]], clips: &[&Clip]) -> Self {
        let mut sums = vec![[0.0; 3]; feet.len() * limbs.len()];
        let mut moves = false;
        let mut pose = Pose::rest(body.skeleton);
        let mut model = ModelPose::new(body.skeleton);
        if sums.is_empty() {
            return Self { limbs: limbs.len(), sums, moves };
        }
        for clip in clips {
            for frame in (0..clip.frames()).step_by(clip.frames().div_ceil(LOOKS)) {
                pose.locals.copy_from_slice(clip.frame(frame));
                pose.to_model(body.skeleton, &mut model);
                moves |= frame > 0;
                for (f, foot) in feet.iter().enumerate() {
                    for (l, way) in limbs.iter().enumerate() {
                        let apart = model[*foot].translation - model[way[way.len() - 1]].translation;
                        let apart = f64::from(apart.length());
                        let sum = &mut sums[f * limbs.len() + l];
                        *sum = [sum[0] + 1.0, sum[1] + apart, sum[2] + apart * apart];
                    }
                }
            }
        }
        Self { limbs: limbs.len(), sums, moves }
    }

    /// The spread of a distance as a share of its mean; `None` without clips that move.
    fn of(&self, foot: usize, limb: usize) -> Option<f32> {
        let [count, sum, squares] = self.sums[foot * self.limbs + limb];
        if !self.moves || count < 2.0 || sum <= 0.0 {
            return None;
        }
        let mean = sum / count;
        Some(((squares / count - mean * mean).max(0.0).sqrt() / mean) as f32)
    }
}
