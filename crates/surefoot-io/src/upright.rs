//! Files that lie down: what is up is told by the legs that would stand so, where the file's own axis gives none or poor ones.

use crate::{Axis, Import, ImportError, ImportSettings, Warning};
use surefoot::analyse::weigh_legs;
use surefoot::glam::Vec3A;
use surefoot::motion::Clip;
use surefoot::rig::{JointId, Leg, ModelPose, Skeleton};

/// Clips that are looked at, at most: legs are told by the first few as well as by all.
const CLIPS: usize = 3;
/// Legs whose hips are this share of their length over their soles stand as well as can be.
const STANDS: f32 = 0.6;
/// A body that stands as well as this is believed as it is.
const WELL: f32 = 0.5;
/// So many legs may be spread flat: they are believed as they are.
const MANY: usize = 6;
/// A body of many limbs that stands on a few of them may lie: along another axis it must stand on this many times as many.
const TIMES: usize = 3;
/// Legs of another axis must be as sure as this, and stand as well as can be.
const SURE: f32 = 0.7;
/// And as long as this share of the body's greatest extent: eyelids and lips stand on a face that lies down.
const LONG: f32 = 0.1;

/// How well a body stands.
struct Standing {
    legs: usize,
    /// Limbs that are about as long as its legs, these included.
    limbs: usize,
    /// The least of its legs', 0 to 1.
    confidence: f32,
    /// How high hips are over soles, as a share of [`STANDS`] leg lengths, 0 to 1, on average.
    height: f32,
    /// How long its legs are on average, as a share of its greatest extent.
    long: f32,
    /// Whether it stands on what is named as hands and on nothing that is named as feet, though others are.
    on_hands: bool,
}

/// What names tell of a limb.
struct LimbWords {
    /// Parts of names.
    parts: &'static [&'static str],
    /// A whole word: it is part of others, as arm is of armature.
    whole: &'static str,
}

/// How hands and arms are called.
const HANDS: LimbWords = LimbWords { parts: &["hand", "palm", "wrist", "finger"], whole: "arm" };
/// How feet and legs are called.
const FEET: LimbWords = LimbWords { parts: &["foot", "toe", "ankle", "hoof", "paw"], whole: "leg" };

impl LimbWords {
    fn tell(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let mut words = name.split(|c: char| !c.is_alphabetic());
        self.parts.iter().any(|part| name.contains(part)) || words.any(|word| word == self.whole)
    }
}

impl Standing {
    fn of(import: &Import) -> Self {
        let clips: Vec<&Clip> = import.clips.iter().take(CLIPS).collect();
        let skeleton = &import.skeleton;
        let limbs = weigh_legs(skeleton, import.skin.as_ref(), &clips);
        let legs: Vec<&Leg> = limbs.iter().filter(|limb| limb.taken).map(|limb| &limb.leg).collect();
        let rest = ModelPose::new(skeleton);
        let height = |leg: &&Leg| {
            let sole = rest[leg.ankle()].transform_point(leg.foot.ball).y;
            let share = (rest[leg.hip()].translation.y - sole) / leg.length(skeleton).max(1e-6);
            (share / STANDS).clamp(0.0, 1.0)
        };
        let named = |joint: usize, words: &LimbWords| words.tell(skeleton.name(JointId(joint as u16)));
        let mut of_leg = vec![false; skeleton.len()];
        legs.iter().for_each(|leg| skeleton.subtree(leg.hip()).for_each(|joint| of_leg[joint] = true));
        let any = |inside: bool, words: &LimbWords| (0..skeleton.len()).any(|j| of_leg[j] == inside && named(j, words));
        Self {
            on_hands: any(true, &HANDS) && !any(true, &FEET) && any(false, &FEET),
            long: legs.iter().map(|leg| leg.length(skeleton)).sum::<f32>() / legs.len().max(1) as f32 / extent(&rest),
            legs: legs.len(),
            limbs: legs.iter().map(|leg| limbs_like(skeleton, leg)).max().unwrap_or(0),
            confidence: limbs.iter().filter(|limb| limb.taken).map(|limb| limb.confidence).fold(1.0, f32::min),
            height: legs.iter().map(height).sum::<f32>() / legs.len().max(1) as f32,
        }
    }

    fn is_believed(&self) -> bool {
        self.legs >= MANY || (self.stands() && !self.stands_on_few())
    }

    fn stands(&self) -> bool {
        self.legs > 0 && !self.on_hands && self.confidence * self.height >= WELL
    }

    /// Whether it stands on a few of many limbs, as a spider does that is laid on its side.
    fn stands_on_few(&self) -> bool {
        self.limbs >= MANY && TIMES * self.legs <= self.limbs
    }

    /// Whether it stands so surely that it stood otherwise by accident.
    fn is_sure_beside(&self, own: &Self) -> bool {
        let many = self.legs >= MANY && self.legs >= TIMES * own.legs && self.height > 0.0;
        let stands = !own.stands() && self.legs > 1 && !self.on_hands && self.height >= 1.0;
        self.confidence >= SURE && self.long >= LONG && (many || stands)
    }
}

/// The greatest extent of a body's joints along an axis, metres, never 0.
fn extent(pose: &ModelPose) -> f32 {
    let places = || pose.joints.iter().map(|joint| joint.translation);
    let (low, high) = (places().reduce(Vec3A::min), places().reduce(Vec3A::max));
    low.zip(high).map_or(0.0, |(low, high)| (high - low).max_element()).max(1e-6)
}

/// How many limbs are about as long as a leg, the leg itself included: chains of joints that end in nothing and branch nowhere.
fn limbs_like(skeleton: &Skeleton, leg: &Leg) -> usize {
    let own = leg.length(skeleton);
    let is_last = |joint: &JointId| skeleton.children(*joint).next().is_none();
    let length = |last: JointId| {
        let alone =
            |joint: &JointId| skeleton.parent(*joint).is_some_and(|above| skeleton.children(above).count() == 1);
        let bones = skeleton.ancestry(last).take_while(alone);
        bones.map(|joint| skeleton.rest()[joint.index()].translation.length()).sum::<f32>()
    };
    skeleton.joints().filter(is_last).filter(|last| (0.5 * own..=2.0 * own).contains(&length(*last))).count()
}

/// The import, or the one that `again` gives with another axis up if the body stands there and not as it is. Whoever says what
/// is up is believed, and a file that knows its legs.
pub(crate) fn upright(
    import: Import,
    settings: &ImportSettings,
    again: impl Fn(&ImportSettings) -> Result<Import, ImportError>,
) -> Import {
    if settings.up.is_some() || !import.skeleton.known_legs().is_empty() {
        return import;
    }
    let (own, as_it_is) = (import.source.up.value, Standing::of(&import));
    if as_it_is.is_believed() {
        return import;
    }
    let down = |axis: Axis| Axis { negative: true, ..axis };
    for up in [Axis::Z, down(Axis::Z), Axis::Y, down(Axis::Y)].into_iter().filter(|up| *up != own) {
        let Ok(mut other) = again(&ImportSettings { up: Some(up), ..settings.clone() }) else { continue };
        let standing = Standing::of(&other);
        if standing.is_sure_beside(&as_it_is) {
            let few = if as_it_is.stands() { as_it_is.legs.to_string() } else { "none".to_owned() };
            other.source.up.reason = format!("{} legs stand so, and {few} along {own}", standing.legs);
            other.warnings.push(Warning::UpAssumed { up });
            return other;
        }
    }
    import
}
