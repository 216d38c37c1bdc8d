//! How a creature stands: its idle pose, and where its feet and hips are in it.

use crate::foot::{outline_of_foot, outline_of_skin, under_of_skin};
use crate::ik::{LegChain, LegEnd};
use crate::math::{FloorPose, Rigid, floor, single};
use crate::motion::Clip;
use crate::rig::{Foot, JointId, Leg, LegSkin, ModelPose, Pose, Rig, Skeleton};
use glam::{Vec2, Vec3A};
use std::ops::Range;

/// Why a creature cannot step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StandError {
    /// Steps need two legs at least.
    #[error("{0} legs: a creature steps with two to sixteen")]
    Legs(usize),
    /// A leg has too many bones.
    #[error("leg {0:?} has more bones than can be bent together")]
    Bones(String),
    /// A leg without length in the idle pose, or numbers that are not finite.
    #[error("leg {0:?} has no length in the idle pose")]
    Length(String),
}

/// Where a leg is among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegOrder {
    /// Whether it is on the left.
    pub left: bool,
    /// How many legs of its side are behind it.
    pub from_back: usize,
    /// How many legs its side has.
    pub pairs: usize,
}

/// A leg as it stands in the idle pose.
#[derive(Clone, Debug, PartialEq)]
pub struct StandLeg {
    /// Its joints.
    pub chain: LegChain,
    /// The joint at the base of its toes, which stay on the ground while the heel rises.
    pub toe: Option<JointId>,
    /// Its foot.
    pub foot: Foot,
    /// Its ankle in the sole's own frame.
    pub sole_from_ankle: Rigid,
    /// Heel and ball in the sole's own frame, metres.
    pub sole: [Vec3A; 2],
    /// Where its heel rises about, in the sole's own frame, metres: the ball, or the joint of toes that are high over it.
    pub rolls_over: Vec3A,
    /// The outline of its foot in the sole's own frame, metres: what a riser or an edge meets first.
    pub outline: Vec<Vec3A>,
    /// Where the skin of its sole is lowest, in the sole's own frame, metres; empty for bare bones.
    pub under: Vec<Vec3A>,
    /// Where its sole is on the floor, from the middle of all feet.
    pub anchor: FloorPose,
    /// Its hip, metres, from the middle of all feet on the floor; y is up.
    pub hip: Vec3A,
    /// Its end (see [`LegChain::end`]) over the sole's middle, metres.
    pub end_height: f32,
    /// Its end in the space of its ankle, metres: apart from it where the foot does not hang from the leg.
    pub end_from_ankle: Vec3A,
    /// The sum of its bones, metres; of a leg whose foot hangs outside it, as far as its hip, knee and end stand from each other:
    /// what bends between those stays bent.
    pub length: f32,
    /// From hip to end in the idle pose, metres.
    pub stands_at: f32,
    /// From hip to end as it is folded as far as its joints go together, metres.
    pub nearest: f32,
    /// Places along it from its sole up to its highest joint, metres from the sole's middle, model space: what edges of the
    /// ground beside a leg that is spread meet.
    pub limb: [Vec3A; LIMB],
    /// Its place among the others.
    pub order: LegOrder,
}

/// Places along a leg that are known.
pub(crate) const LIMB: usize = 4;

/// A creature in its idle pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Stand {
    /// The idle pose; its root is not used.
    pub pose: Pose,
    /// The middle of all feet on the floor they stand on, metres, model space.
    pub middle: Vec3A,
    /// Its legs, as the rig has them.
    pub legs: Vec<StandLeg>,
    /// The joints of its legs, and those that carry them, in order.
    pub bearing: Vec<JointId>,
    /// All joints but those that hang from ankles, as ranges in order: what must be composed before legs are bent.
    pub above_feet: Vec<Range<usize>>,
    /// The height that steps go by, metres: of the hips over the ankles, and half a leg at least, for legs that are spread.
    pub hip: f32,
    /// How far ahead of the middle of all feet the hips of the front half of its legs are, and those of the others, metres, on
    /// average; `None` if all are nearly beside each other.
    pub ends: Option<[f32; 2]>,
    /// Mean height of the hips over the floor, metres.
    pub hips_at: f32,
    /// Mean distance of feet from their middle, metres.
    pub radius: f32,
}

/// The height that steps of a grown person go by, metres.
const PERSON_HIPS: f32 = 0.9;

/// The most legs of a creature.
pub(crate) const MOST_LEGS: usize = 16;

/// Skin so near to the ground meets every riser, as a share of the leg's length.
const LOW: f32 = 0.04;

/// Skin so near to the ground is the sole's, likewise.
const UNDER: f32 = 0.01;

/// Feet roll over their balls by so much, the sine of the angle.
const ROLLS: f32 = 0.5;
/// Toes whose joint is higher over the sole than this share of the leg would be shoved ahead by a foot that rolls over its ball
/// by 4 % of the leg, which is seen: such feet roll over that joint.
const HIGH_TOES: f32 = 0.07;

/// A leg that has more joints than its rig tells is stretched to this share of how far those are from each other as it stands.
const TOLD: f32 = 0.97;
/// One that stands folded to less than this share of its bones, as frogs do, unfolds as it steps.
const FOLDED: f32 = 0.7;

/// How much hips stay over their feet when a body tilts with the ground, from 0 (it tilts about its feet) to 1.
pub(crate) const OVER_FEET: f32 = 0.75;

/// Places that a heel comes by that rises about a joint high over it, in the sole's own frame, metres: it goes back, too.
fn goes_back([heel, ball]: [Vec3A; 2], rolls_over: Vec3A) -> impl Iterator<Item = Vec3A> {
    let (back, up) = (ROLLS * rolls_over.y, ROLLS * (rolls_over.z - heel.z));
    let places = [0.4, 1.0].map(|share| heel + share * Vec3A::new(0.0, up, -back));
    places.into_iter().filter(move |_| rolls_over != ball)
}

/// All joints but those that hang from the ankles of legs and are composed when these are bent.
fn above_feet(skeleton: &Skeleton, legs: &[StandLeg]) -> Vec<Range<usize>> {
    let hangs = |joint: usize| {
        legs.iter().any(|leg| {
            let (foot, whole) = (skeleton.subtree(leg.chain.ankle), skeleton.subtree(leg.chain.joints[0]));
            whole.contains(&foot.start) && foot.contains(&joint) && joint != foot.start
        })
    };
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for joint in (0..skeleton.len()).filter(|joint| !hangs(*joint)) {
        match ranges.last_mut().filter(|range| range.end == joint) {
            Some(range) => range.end += 1,
            None => ranges.push(joint..joint + 1),
        }
    }
    ranges
}

/// How far hip, inner joints and end of a leg whose foot hangs outside it are from each other in a pose, as its rig tells them,
/// metres; infinite for others.
fn as_told(leg: &Leg, chain: &LegChain, model: &ModelPose) -> f32 {
    if !matches!(chain.end, LegEnd::Apart(_)) {
        return f32::INFINITY;
    }
    let joints = leg.chain[..leg.chain.len() - 1].iter().map(|joint| model[*joint].translation);
    let places: Vec<Vec3A> = joints.chain([chain.end(model)]).collect();
    let whole = places.windows(2).map(|two| (two[1] - two[0]).length()).sum::<f32>();
    // Where it has no other joints, or unfolds, it is as long as its bones.
    let unfolds = whole < FOLDED * chain.length(model);
    if leg.chain.len() > chain.joints.len() || unfolds { f32::INFINITY } else { TOLD * whole }
}

/// Places along a leg from its sole up to its highest joint, metres from the sole, evenly.
fn limb(chain: &LegChain, model: &ModelPose, sole: Vec3A) -> [Vec3A; LIMB] {
    let mut line = vec![Vec3A::ZERO];
    line.extend(chain.joints.iter().rev().map(|joint| model[*joint].translation - sole));
    let top = (0..line.len()).max_by(|a, b| line[*a].y.total_cmp(&line[*b].y)).unwrap_or(0);
    let mut lengths = vec![0.0_f32];
    for two in line[..=top].windows(2) {
        lengths.push(lengths[lengths.len() - 1] + (two[1] - two[0]).length());
    }
    let whole = lengths[lengths.len() - 1];
    std::array::from_fn(|k| {
        let far = whole * (k + 1) as f32 / (LIMB + 1) as f32;
        let next = lengths.partition_point(|length| *length < far).clamp(1, lengths.len().max(2) - 1);
        let Some(to) = line.get(next).filter(|_| next < lengths.len()) else { return Vec3A::ZERO };
        let (from, long) = (lengths[next - 1], lengths[next] - lengths[next - 1]);
        line[next - 1].lerp(*to, ((far - from) / long.max(1e-6)).clamp(0.0, 1.0))
    })
}

impl Stand {
    /// How a rig stands in a pose, which should face +Z. `clips` tell which joints of the legs bend.
    ///
    /// # Errors
    /// If there are too few or too many legs, or one that cannot be bent.
    ///
    /// # Panics
    /// If the pose was made for another number of joints.
    pub fn new(rig: &Rig, pose: Pose, clips: &[&Clip]) -> Result<Self, StandError> {
        let count = rig.legs.len();
        if !(2..=MOST_LEGS).contains(&count) {
            return Err(StandError::Legs(count));
        }
        let mut model = ModelPose::new(&rig.skeleton);
        pose.to_model(&rig.skeleton, &mut model);
        let soles: Vec<Rigid> = rig.legs.iter().map(|leg| model[leg.ankle()] * leg.foot.ankle_from_sole()).collect();
        let middle = soles.iter().map(|sole| sole.translation).sum::<Vec3A>() / count as f32;
        let name = |i: usize| rig.skeleton.name(rig.legs[i].ankle()).to_owned();
        let mut legs = Vec::with_capacity(count);
        for (i, (leg, sole)) in rig.legs.iter().zip(&soles).enumerate() {
            let chain = LegChain::of(&rig.skeleton, leg, clips).ok_or_else(|| StandError::Bones(name(i)))?;
            let length = chain.length(&model).min(as_told(leg, &chain, &model));
            if !(length > 1e-4 && length.is_finite() && sole.is_finite()) {
                return Err(StandError::Length(name(i)));
            }
            let ahead = sole.rotation * Vec3A::Z;
            let heading = if leg.foot.is_point() { 0.0 } else { single::atan2(ahead.x, ahead.z) };
            let sole_from_ankle = leg.foot.ankle_from_sole().inverse();
            let place = sole.translation - middle;
            let before = |other: &Rigid| (other.translation.x > middle.x) == (place.x > 0.0);
            let points = [leg.foot.heel, leg.foot.ball].map(|point| sole_from_ankle.transform_point(point));
            let of_toes = |toe: JointId| sole.inverse().transform_point(model[toe].translation);
            let high = |joint: &Vec3A| joint.y > HIGH_TOES * length;
            let rolls_over = leg.toe.map(of_toes).filter(high).map_or(points[1], |joint| joint.with_x(points[1].x));
            legs.push(StandLeg {
                foot: leg.foot,
                toe: leg.toe,
                rolls_over,
                sole_from_ankle,
                sole: points,
                outline: outline_of_foot(&leg.foot, points).into_iter().chain(goes_back(points, rolls_over)).collect(),
                under: Vec::new(),
                anchor: FloorPose::new(floor::of_point(place), heading),
                hip: model[chain.joints[0]].translation - middle,
                end_height: chain.end(&model).y - sole.translation.y,
                end_from_ankle: model[chain.ankle].inverse().transform_point(chain.end(&model)),
                length,
                limb: limb(&chain, &model, sole.translation),
                nearest: chain.nearest(&rig.skeleton, &model),
                stands_at: (chain.end(&model) - model[chain.joints[0]].translation).length(),
                order: LegOrder {
                    left: place.x > 0.0,
                    from_back: soles
                        .iter()
                        .filter(|s| before(s) && s.translation.z < sole.translation.z - 1e-6)
                        .count(),
                    pairs: soles.iter().filter(|s| before(s)).count(),
                },
                chain,
            });
        }
        let mean = |value: &dyn Fn(&StandLeg) -> f32| legs.iter().map(value).sum::<f32>() / count as f32;
        let hip = mean(&|leg| (leg.hip.y - leg.end_height).clamp(0.5 * leg.length, leg.length));
        let radius = mean(&|leg| Vec2::length(leg.anchor.position));
        let hips_at = mean(&|leg| leg.hip.y);
        let half = |front: bool| {
            let of_half: Vec<f32> = legs.iter().map(|leg| leg.hip.z).filter(|z| (*z > 0.0) == front).collect();
            of_half.iter().sum::<f32>() / of_half.len() as f32
        };
        let ends = [half(true), half(false)];
        // Without a leg in one half it is not a number, and so not far apart.
        let ends = (ends[0] - ends[1] > 0.3 * hip && legs.len() > 2).then_some(ends);
        let of_legs = legs.iter().flat_map(|leg| leg.chain.joints.iter().copied());
        // Feet that hang elsewhere go with their legs.
        let apart = legs.iter().filter(|leg| matches!(leg.chain.end, LegEnd::Apart(_))).map(|leg| leg.chain.ankle);
        let mut bearing: Vec<JointId> = of_legs
            .chain(apart)
            .flat_map(|joint| std::iter::successors(Some(joint), |joint| rig.skeleton.parent(*joint)))
            .collect();
        bearing.sort();
        bearing.dedup();
        let above_feet = above_feet(&rig.skeleton, &legs);
        Ok(Self { pose, middle, legs, bearing, above_feet, hip, ends, hips_at, radius })
    }

    /// Takes the outlines of its feet from their skin.
    pub(super) fn outline(&mut self, rig: &Rig, skin: &LegSkin) {
        let mut model = ModelPose::new(&rig.skeleton);
        self.pose.to_model(&rig.skeleton, &mut model);
        for (i, leg) in self.legs.iter_mut().enumerate().filter(|(_, leg)| !leg.foot.is_point()) {
            let sole = (model[rig.legs[i].ankle()] * leg.foot.ankle_from_sole()).inverse();
            let of_foot =
                skin.points().iter().filter(|point| point.leg.index() == i && point.in_foot && !point.foreign);
            let points: Vec<Vec3A> = of_foot.map(|point| sole.transform_point(point.place(&model))).collect();
            leg.under = under_of_skin(&points, UNDER * leg.length);
            let mut outline = outline_of_skin(&points, LOW * leg.length);
            if let Some(toe) = leg.toe.filter(|_| !leg.toes_bend()) {
                // Toes are shoved ahead as the foot rolls over its ball.
                let ahead = ROLLS * sole.transform_point(model[toe].translation).y.max(0.0);
                outline.iter_mut().filter(|point| point.z > leg.sole[1].z).for_each(|point| point.z += ahead);
            }
            if !outline.is_empty() {
                outline.extend(goes_back(leg.sole, leg.rolls_over));
                leg.outline = outline;
            }
        }
    }

    /// The least distance between the soles of two feet in the idle pose, over the floor, metres; none for more than four legs,
    /// which are spread like a fan, and step between each other.
    pub(crate) fn least_distance(&self) -> f32 {
        if self.legs.len() > 4 {
            return 0.0;
        }
        let mut least = f32::INFINITY;
        for (i, a) in self.legs.iter().enumerate() {
            for b in &self.legs[..i] {
                least = least.min(a.anchor.position.distance(b.anchor.position));
            }
        }
        least
    }

    /// The least room between a foot and the one behind it on its side in the idle pose, metres; `None` if no side has two, or
    /// one has more.
    pub(crate) fn room_between(&self) -> Option<f32> {
        let mut least: Option<f32> = None;
        for front in self.legs.iter().filter(|leg| leg.order.pairs == 2) {
            let hind = |other: &&StandLeg| {
                other.order.left == front.order.left && other.order.from_back + 1 == front.order.from_back
            };
            for hind in self.legs.iter().filter(hind) {
                let room = front.anchor.position.distance(hind.anchor.position) - 0.5 * (front.long() + hind.long());
                least = Some(least.map_or(room, |least| least.min(room)));
            }
        }
        least
    }

    /// How far its feet are aside of their middle at most, metres.
    pub(crate) fn aside(&self) -> f32 {
        self.legs.iter().map(|leg| leg.anchor.position.x.abs()).fold(0.0, f32::max)
    }

    /// How many times as long as a person it takes for what goes with gravity, by the height that steps go by.
    pub(crate) fn pace(&self) -> f32 {
        (self.hip / PERSON_HIPS).sqrt()
    }

    /// Whether a leg is one of the hind ones, of a creature that has such.
    pub(crate) fn is_behind(&self, leg: &StandLeg) -> bool {
        self.ends.is_some() && leg.hip.z <= 0.0
    }

    /// The end of the body that a leg is at: 0 for front legs, 1 for all others.
    pub(crate) fn end_of(&self, leg: &StandLeg) -> usize {
        usize::from(self.ends.is_none() || self.is_behind(leg))
    }

    /// How far a place of the body is from the hindmost hips (0) to the foremost ones (1), by how far it is ahead of the middle of all
    /// feet, metres.
    pub(crate) fn along(&self, ahead: f32) -> f32 {
        self.ends.map_or(0.5, |[front, back]| ((ahead - back) / (front - back)).clamp(0.0, 1.0))
    }

    /// By how much each leg moves a place of the body so far ahead of the middle of all feet (metres): its number, and its share.
    pub(crate) fn shares_of_trunk(&self, ahead: f32) -> impl Iterator<Item = (usize, f32)> + '_ {
        let front = self.along(ahead);
        let behind = self.legs.iter().filter(|leg| self.is_behind(leg)).count();
        self.legs.iter().enumerate().map(move |(i, leg)| {
            let (share, of) = match (self.ends, self.is_behind(leg)) {
                (None, _) => (1.0, self.legs.len()),
                (Some(_), true) => (1.0 - front, behind),
                (Some(_), false) => (front, self.legs.len() - behind),
            };
            (i, share / of.max(1) as f32)
        })
    }
}

impl StandLeg {
    /// How long its foot is, metres.
    pub(crate) fn long(&self) -> f32 {
        let [low, high] = self.outline.iter().fold([0.0_f32; 2], |[low, high], p| [low.min(p.z), high.max(p.z)]);
        high - low
    }

    /// Height of the hip over the leg's end, metres.
    pub(crate) fn drop(&self) -> f32 {
        self.hip.y - self.end_height
    }

    /// Whether its heel rises about the joint of its toes, which stay: its ball then goes up with the heel.
    pub(crate) fn toes_bend(&self) -> bool {
        self.rolls_over != self.sole[1]
    }

    /// Whether it hangs below its hip rather than being spread.
    #[must_use]
    pub fn hangs(&self) -> bool {
        self.drop() > 0.5 * self.stands_at
    }
}
