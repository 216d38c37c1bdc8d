//! What feet do on the ground as anyone sees it, without a list of stances: how long they stand, how still, how deep.

use super::footing::OnGround;
use super::size::{size_of, span};
use super::skin_depth::way_out;
use super::{Footing, Spread};
use crate::math::floor;
use crate::motion::Take;
use crate::rig::{LegSkin, ModelPose, Pose, Rig};
use glam::{Vec2, Vec3A};
use std::ops::Range;

/// Figures of feet that are told from the motion alone. Lengths in metres, speeds in m/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PlantedFigures {
    /// Share of the time that a foot stands, over all feet.
    pub stance: f32,
    /// Share of the time that none does.
    pub air: f32,
    /// Per stance and point of the sole, while the foot lies flat and still: greatest level distance from its mean place.
    pub drift: Spread,
    /// Per stance, the way of the point of the sole that is slowest at each moment: rolling costs little, sliding all.
    pub slip: Spread,
    /// Mean over frames and feet of v (2 - 2^(h/H)), H = 2.5 cm of a person, of the lowest point of the sole (Zhang 2018).
    pub skate: f32,
    /// The least way out of the ground of the deepest point of a sole, upwards or aside, by frame.
    pub depth: Spread,
    /// How far the lowest point of a sole is over the ground while the foot lies flat.
    pub float: Spread,
}

/// Limits of a body whose joints span 1.5 m, which grow with it: lengths in metres, speeds in m/s with its root.
const NEAR_OF_SKIN: f32 = 0.02;
/// The same of soles that are only thought to be there, which are known to about 1 cm.
const NEAR_OF_BONES: f32 = 0.035;
/// A point of a foot that stands is slower than this.
const STANDS: f32 = 0.25;
/// All points of a foot that lies still are.
const STILL: f32 = 0.2;
/// None of them rises or sinks by more than this then.
const LEVEL: f32 = 0.003;
/// A point that touches the ground is faster than this where the foot leaves it.
const LEAVES: f32 = 0.35;
/// Soles lower than this skate.
const SKATES: f32 = 0.025;
/// Skin that is so little over the lowest is sole.
const SOLE: f32 = 0.012;
/// Stances are longer than this, seconds.
const SHORTEST: f32 = 0.1;
/// Gaps in them up to this are none, seconds.
const GAP: f32 = 0.05;
/// A foot that lies still does so for this long at least, without the times that are cut off, seconds.
const LIES: f32 = 0.08;
/// Cut off at both ends, where a foot comes to rest and leaves, seconds.
const ENDS: f32 = 0.02;

/// Measures what feet do; `skin` is that of the legs, without which heel and ball with their sides are the sole.
///
/// # Panics
/// If the take was made for another skeleton.
#[must_use]
pub fn measure_planted(rig: &Rig, skin: Option<&LegSkin>, take: &Take, footing: Footing<'_>) -> PlantedFigures {
    measure_planted_in(rig, skin, take, footing, 0..take.clip.frames())
}

/// The same in a part of a take, such as one round of a cycle.
///
/// # Panics
/// If the take was made for another skeleton, or has not all of the frames.
#[must_use]
pub fn measure_planted_in(
    rig: &Rig,
    skin: Option<&LegSkin>,
    take: &Take,
    footing: Footing<'_>,
    part: Range<usize>,
) -> PlantedFigures {
    let feet = Feet::new(rig, skin, take, footing);
    let frames = part.len().max(1) as f32;
    let (mut drift, mut slip, mut float, mut skate) = (Vec::new(), Vec::new(), Vec::new(), 0.0);
    let mut stands = vec![0_usize; take.clip.frames()];
    let mut depth = vec![0.0_f32; take.clip.frames()];
    for foot in &feet.soles {
        let stances = feet.stances(foot);
        stances.iter().flat_map(Clone::clone).for_each(|f| stands[f] += 1);
        let closed = stances.iter().filter(|stance| stance.start > 0 && stance.end < take.clip.frames());
        for stance in closed.filter(|stance| part.contains(&stance.start)) {
            slip.push((feet.slip(foot, stance), stance.start));
            let Some(flat) = feet.flat(foot, stance) else { continue };
            drift.extend((0..foot.points).map(|k| (foot.drift(k, &flat), flat.start)));
            float.extend(flat.map(|f| (foot.low(f).max(0.0), f)));
        }
        for f in part.clone() {
            skate += feet.skate(foot, f);
            depth[f] = depth[f].max(foot.depths[f]);
        }
    }
    let count = feet.soles.len().max(1) as f32;
    PlantedFigures {
        stance: stands[part.clone()].iter().sum::<usize>() as f32 / (frames * count),
        air: stands[part.clone()].iter().filter(|stands| **stands == 0).count() as f32 / frames,
        drift: Spread::of(drift),
        slip: Spread::of(slip),
        skate: skate / (frames * count),
        depth: Spread::of(part.map(|f| (depth[f], f)).collect()),
        float: Spread::of(float),
    }
}

/// The soles of a body through a motion.
struct Feet {
    soles: Vec<Sole>,
    rate: f32,
    size: f32,
    near: f32,
}

/// The points of one sole, frame after frame.
struct Sole {
    points: usize,
    places: Vec<Vec3A>,
    heights: Vec<f32>,
    /// Speeds over the ground and altogether, m/s.
    sliding: Vec<f32>,
    speeds: Vec<f32>,
    /// How deep the deepest point is, by frame, metres.
    depths: Vec<f32>,
}

impl Feet {
    fn new(rig: &Rig, skin: Option<&LegSkin>, take: &Take, footing: Footing<'_>) -> Self {
        let (clip, skeleton) = (&take.clip, &rig.skeleton);
        let ground = OnGround::new(rig, take, footing);
        let bare;
        let (skin, near) = match skin {
            Some(skin) => (skin, NEAR_OF_SKIN),
            None => {
                bare = LegSkin::of_soles(rig);
                (&bare, NEAR_OF_BONES)
            }
        };
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
        let mut spans = Vec::with_capacity(clip.frames());
        let mut places: Vec<Vec<Vec3A>> = vec![Vec::new(); rig.legs.len()];
        let counts: Vec<usize> = rig
            .legs()
            .map(|(leg, _)| skin.points().iter().filter(|point| point.leg == leg && point.in_foot).count())
            .collect();
        for frame in 0..clip.frames() {
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(skeleton, &mut model);
            spans.push(span(skeleton.joints().map(|joint| model[joint].translation.y)));
            for point in skin.points().iter().filter(|point| point.in_foot) {
                places[point.leg.index()].push(clip.roots()[frame].transform_point(point.place(&model)));
            }
        }
        let size = size_of(spans);
        let soles = places.iter().zip(counts).filter(|(_, count)| *count > 0);
        let soles = soles.map(|(places, count)| Sole::new(places, count, size, clip.rate(), &ground)).collect();
        Self { soles, rate: clip.rate(), size, near: near * size }
    }

    fn frames(&self, seconds: f32) -> usize {
        ((seconds * self.rate).round() as usize).max(1)
    }

    /// Spans of frames in which a point of a sole is near the ground and slow.
    fn stances(&self, sole: &Sole) -> Vec<Range<usize>> {
        let stands =
            |f: usize| sole.at(f).any(|k| sole.heights[k] < self.near && sole.speeds[k] < STANDS * self.size.sqrt());
        runs((0..sole.frames()).map(stands), self.frames(SHORTEST), self.frames(GAP))
    }

    /// The longest time of a stance in which the whole sole is slow and none of it rises or sinks.
    fn flat(&self, sole: &Sole, stance: &Range<usize>) -> Option<Range<usize>> {
        let still = |f: usize| sole.at(f).all(|k| sole.speeds[k] < STILL * self.size.sqrt());
        let usual: Vec<f32> = (0..sole.points)
            .map(|point| {
                let still = stance.clone().filter(|f| still(*f));
                median(still.map(|f| sole.heights[f * sole.points + point]).collect())
            })
            .collect();
        let level = |f: usize| {
            let off = |k: usize| (sole.heights[k] - usual[k % sole.points]).abs();
            still(f) && sole.at(f).all(|k| off(k) < LEVEL * self.size)
        };
        let longest = runs(stance.clone().map(level), 1, 0).into_iter().rev().max_by_key(Range::len)?;
        let cut = self.frames(ENDS);
        let flat = stance.start + longest.start + cut..stance.start + longest.end.saturating_sub(cut);
        (longest.len() >= self.frames(LIES) + 2 * cut).then_some(flat)
    }

    /// How far the point of a sole that is slowest at each moment goes over the ground in a stance, metres.
    fn slip(&self, sole: &Sole, stance: &Range<usize>) -> f32 {
        let slowest = |f: usize| {
            let touching = sole.at(f).filter(|k| sole.heights[*k] < 0.6 * self.near);
            touching.map(|k| sole.sliding[k]).fold(f32::INFINITY, f32::min)
        };
        stance.clone().map(slowest).filter(|speed| *speed < LEAVES * self.size.sqrt()).sum::<f32>() / self.rate
    }

    fn skate(&self, sole: &Sole, frame: usize) -> f32 {
        let Some(low) = sole.at(frame).min_by(|a, b| sole.heights[*a].total_cmp(&sole.heights[*b])) else { return 0.0 };
        let (height, most) = (sole.heights[low], SKATES * self.size);
        if most <= 0.0 || height >= most {
            return 0.0;
        }
        sole.sliding[low] * (2.0 - crate::math::single::exp2(height.max(0.0) / most))
    }
}

impl Sole {
    /// Of all points of a foot, `count` in each frame: those that are the sole in the frame in which it lies flattest.
    fn new(all: &[Vec3A], count: usize, size: f32, rate: f32, ground: &OnGround<'_>) -> Self {
        let frames = all.len() / count;
        let height = |f: usize, place: Vec3A| ground.height(place, f).unwrap_or(FAR);
        let heights: Vec<f32> = all.iter().enumerate().map(|(k, place)| height(k / count, *place)).collect();
        let lowest = |f: usize| heights[f * count..(f + 1) * count].iter().copied().fold(f32::INFINITY, f32::min);
        let usual = median((0..frames).map(lowest).collect());
        let in_sole = |f: usize, k: usize| heights[f * count + k] - lowest(f) <= SOLE * size;
        let low = (0..frames).filter(|f| lowest(*f) <= usual);
        let flattest = low.rev().max_by_key(|f| (0..count).filter(|k| in_sole(*f, *k)).count()).unwrap_or(0);
        let kept: Vec<usize> = (0..count).filter(|k| in_sole(flattest, *k)).collect();
        let kept = spread_out(&kept, &all[..count]);
        let pick = |f: usize| kept.iter().map(move |k| f * count + k);
        let places: Vec<Vec3A> = (0..frames).flat_map(pick).map(|k| all[k]).collect();
        let points = kept.len();
        let velocity = |k: usize| {
            // Over both neighbours, where there are two.
            let f = k / points;
            let (from, to) = (f.saturating_sub(1), (f + 1).min(frames - 1));
            (places[to * points + k % points] - places[from * points + k % points]) * rate / (to - from).max(1) as f32
        };
        let deepest = |f: usize| {
            places[f * points..(f + 1) * points].iter().map(|place| way_out(*place, f, ground)).fold(0.0, f32::max)
        };
        Self {
            points,
            depths: (0..frames).map(deepest).collect(),
            heights: (0..frames).flat_map(pick).map(|k| heights[k]).collect(),
            sliding: (0..places.len()).map(|k| floor::of_point(velocity(k)).length()).collect(),
            speeds: (0..places.len()).map(|k| velocity(k).length()).collect(),
            places,
        }
    }

    fn frames(&self) -> usize {
        self.places.len() / self.points
    }

    /// Where the points of a frame are in the lists.
    fn at(&self, frame: usize) -> Range<usize> {
        frame * self.points..(frame + 1) * self.points
    }

    /// The height of the lowest point, metres.
    fn low(&self, frame: usize) -> f32 {
        self.heights[self.at(frame)].iter().copied().fold(f32::INFINITY, f32::min)
    }

    /// The greatest level distance of a point from its mean place in some frames, metres.
    fn drift(&self, point: usize, frames: &Range<usize>) -> f32 {
        let place = |f: usize| floor::of_point(self.places[f * self.points + point]);
        let mean = frames.clone().map(place).sum::<Vec2>() / frames.len().max(1) as f32;
        frames.clone().map(|f| place(f).distance(mean)).fold(0.0, f32::max)
    }
}

/// So many points stand for a sole.
const POINTS: usize = 10;
/// Points nearer to each other than this are one, metres.
const ONE: f32 = 1e-4;

/// Of some places those that are far from each other, at most [`POINTS`]: the hindmost, then always the one that is farthest from all
/// before.
fn spread_out(some: &[usize], places: &[Vec3A]) -> Vec<usize> {
    let Some(first) = some.iter().copied().min_by(|a, b| places[*a].z.total_cmp(&places[*b].z)) else {
        return Vec::new();
    };
    let mut kept = vec![first];
    let mut away: Vec<f32> = some.iter().map(|k| places[*k].distance(places[first])).collect();
    while kept.len() < POINTS.min(some.len()) {
        // The first of equals.
        let farthest = (0..some.len()).rev().max_by(|a, b| away[*a].total_cmp(&away[*b]));
        let Some(farthest) = farthest.filter(|k| away[*k] > ONE) else { break };
        kept.push(some[farthest]);
        away.iter_mut().zip(some).for_each(|(away, k)| *away = away.min(places[*k].distance(places[some[farthest]])));
    }
    kept
}

/// The height of what has no ground below it, metres: far above.
const FAR: f32 = 9.0;

/// The middle of values; the mean of two where their number is even.
fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    let (low, high) = (values.len().saturating_sub(1) / 2, values.len() / 2);
    match values.get(low) {
        Some(value) => 0.5 * (value + values[high]),
        None => 0.0,
    }
}

/// Spans of true values, at least `least` long, gaps up to `gap` filled.
fn runs(values: impl Iterator<Item = bool>, least: usize, gap: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (k, _) in values.enumerate().filter(|(_, value)| *value) {
        match runs.last_mut() {
            Some(last) if k - last.end <= gap => last.end = k + 1,
            _ => runs.push(k..k + 1),
        }
    }
    runs.retain(|run| run.len() >= least);
    runs
}
