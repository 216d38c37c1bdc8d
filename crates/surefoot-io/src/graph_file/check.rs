//! From what a file holds to a graph: every number, name and index is checked on the way.

use super::GraphFileError;
use super::stored::{self, RULES, Vector};
use crate::bounds::{MAX_DEPTH, MAX_NUMBER};
use std::ops::Range;
use surefoot::glam::{Vec2, Vec3A};
use surefoot::library::graph::{BuildGraph, Chosen, MotionGraph};
use surefoot::math::{FloorPose, Rigid};
use surefoot::motion::{Clip, Footprint, Span, Stance, StanceFrames, Take};
use surefoot::rig::{Foot, Joint, JointId, Leg, LegId, Mirror, Rig, Side, Skeleton};
use surefoot::stages::{Point, Tip, Transition};

type Result<T> = std::result::Result<T, GraphFileError>;

fn damaged<T>(what: String) -> Result<T> {
    Err(GraphFileError::damaged(what))
}

pub(super) fn graph(stored: stored::Graph) -> Result<MotionGraph> {
    let stored::Graph { joints, tips, pelvis, legs, settings, threshold, ceiling, given, takes, transitions } = stored;
    let skeleton = skeleton(joints, &tips, pelvis)?;
    let legs: Vec<Leg> =
        legs.iter().enumerate().map(|(k, stored)| leg(&skeleton, k + 1, stored)).collect::<Result<_>>()?;
    if legs.len() > usize::from(u8::MAX) {
        return damaged(format!("{} legs", legs.len()));
    }
    let mirror = Mirror::of(&skeleton).ok();
    let rig = Rig { skeleton, legs, mirror };
    let settings = build(settings, &rig, takes.len())?;
    let chosen = Chosen { threshold, ceiling, given };
    if !(threshold.is_finite() && threshold > 0.0 && ceiling.is_finite() && ceiling >= 0.0) {
        return damaged(format!("a threshold of {threshold} m and a ceiling of {ceiling} m"));
    }
    if settings.threshold.is_some_and(|told| told.to_bits() != threshold.to_bits()) {
        return damaged("two thresholds".into());
    }
    if takes.is_empty() {
        return damaged("it holds no clip".into());
    }
    let takes: Vec<Take> = takes.into_iter().map(|stored| take(&rig, &settings, stored)).collect::<Result<_>>()?;
    let transitions = join(&settings, &takes, &transitions)?;
    Ok(MotionGraph::new(rig, settings, chosen, takes, transitions))
}

/// The graph with its moves: as many numbers as it has blends for.
pub(super) fn moves(graph: MotionGraph, stored: &stored::Moves) -> Result<MotionGraph> {
    let (has, wants) = (stored.ways.len(), graph.blend_poses());
    if has != wants {
        return damaged(format!("its blends go through {has} places, and should through {wants}"));
    }
    let pose = |(k, way): (usize, &Vector)| {
        let [x, z, heading] = vector(*way, || format!("place {k} of its blends")).map(|way| way.to_array())?;
        Ok(FloorPose { position: Vec2::new(x, z), heading })
    };
    let ways: Vec<FloorPose> = stored.ways.iter().enumerate().map(pose).collect::<Result<_>>()?;
    Ok(graph.with_blend_ways(&ways))
}

fn skeleton(joints: Vec<stored::Joint>, tips: &[stored::Tip], pelvis: u16) -> Result<Skeleton> {
    let count = joints.len();
    let known = |joint: u16| usize::from(joint) < count;
    if !known(pelvis) {
        return damaged(format!("the pelvis is joint {pelvis} of {count}"));
    }
    let mut depths: Vec<usize> = Vec::with_capacity(count);
    for (k, joint) in joints.iter().enumerate() {
        let of = || format!("the rest pose of joint {:?}", joint.name);
        rigid(joint.rest, of)?;
        let depth = match joint.parent {
            None => 0,
            Some(parent) if usize::from(parent) < k => depths[usize::from(parent)] + 1,
            Some(parent) => return damaged(format!("joint {k} ({:?}) hangs from joint {parent}", joint.name)),
        };
        if depth > MAX_DEPTH {
            return damaged(format!("joints are nested deeper than {MAX_DEPTH}"));
        }
        depths.push(depth);
    }
    for tip in tips {
        if !known(tip.joint) {
            return damaged(format!("a bone ends at joint {} of {count}", tip.joint));
        }
        vector(tip.offset, || "the end of a bone".into())?;
    }
    let tips: Vec<Tip> =
        tips.iter().map(|tip| Tip { joint: JointId(tip.joint), offset: Vec3A::from_array(tip.offset) }).collect();
    let joints = joints.into_iter().map(|j| Joint::new(j.name, j.parent.map(usize::from), j.rest.into())).collect();
    let skeleton = Skeleton::new(joints).map_err(|error| GraphFileError::damaged(error.to_string()))?;
    Ok(skeleton.with_tips(tips).with_pelvis(JointId(pelvis)))
}

fn leg(skeleton: &Skeleton, number: usize, stored: &stored::Leg) -> Result<Leg> {
    let stored::Leg { left, chain, hinges, toe, shin, heel, ball, up, tip, length, width } = stored;
    let joint = |joint: &u16| {
        if usize::from(*joint) < skeleton.len() {
            return Ok(JointId(*joint));
        }
        damaged(format!("leg {number} has joint {joint} of {}", skeleton.len()))
    };
    if chain.len() < 3 || hinges.len() != chain.len() - 2 {
        return damaged(format!("leg {number} has {} joints and {} hinges", chain.len(), hinges.len()));
    }
    let of = |what: &'static str| move || format!("the {what} of leg {number}");
    let point = |v: &Vector, what: &'static str| vector(*v, of(what));
    let unit = |v: &Vector, what: &'static str| {
        let direction = vector(*v, of(what))?;
        if (direction.length_squared() - 1.0).abs() < UNIT {
            Ok(direction)
        } else {
            damaged(of(what)() + " is not a direction")
        }
    };
    if !([length, width].iter().all(|size| (0.0..1e6).contains(*size))) {
        return damaged(format!("leg {number} has a sole of {length} m by {width} m"));
    }
    Ok(Leg {
        side: left.map(|left| if left { Side::Left } else { Side::Right }),
        chain: chain.iter().map(joint).collect::<Result<_>>()?,
        hinges: hinges.iter().map(|hinge| unit(hinge, "hinge")).collect::<Result<_>>()?,
        toe: toe.as_ref().map(joint).transpose()?,
        shin: shin.as_ref().map(|end| point(end, "shin")).transpose()?,
        foot: Foot {
            heel: point(heel, "heel")?,
            ball: point(ball, "ball")?,
            up: unit(up, "sole")?,
            tip: tip.as_ref().map(|tip| point(tip, "tip")).transpose()?,
            length: *length,
            width: *width,
        },
    })
}

fn build(stored: stored::Settings, rig: &Rig, takes: usize) -> Result<BuildGraph> {
    let stored::Settings { rate, window, blend, apart, rule, threshold, keep, weights, anim_pairs, skip } = stored;
    let Some(rule) = RULES.get(usize::from(rule)).copied() else { return damaged(format!("rule number {rule}")) };
    let pairs = anim_pairs.map(|pairs| pairs.iter().map(|(a, b)| (*a as usize, *b as usize)).collect::<Vec<_>>());
    if let Some((a, b)) = pairs.iter().flatten().find(|(a, b)| *a.max(b) >= takes) {
        return damaged(format!("clips {a} and {b} of {takes} are a pair"));
    }
    let settings = BuildGraph {
        rate,
        window: window as usize,
        blend,
        apart,
        rule,
        threshold,
        keep,
        weights,
        anim_pairs: pairs,
        skip,
    };
    settings.check(rig).map_err(|error| GraphFileError::damaged(error.to_string()))?;
    Ok(settings)
}

fn take(rig: &Rig, settings: &BuildGraph, stored: stored::Take) -> Result<Take> {
    let stored::Take { name, rate, cycle, roots, rotations, moved, translations, stances } = stored;
    let (frames, joints) = (roots.len(), rig.skeleton.len());
    let bad = |what: String| damaged(format!("clip {name:?}: {what}"));
    if rate.to_bits() != settings.rate.to_bits() {
        return bad(format!("its rate is {rate} Hz, the graph's {} Hz", settings.rate));
    }
    let whole = |numbers: usize, each: usize| frames.checked_mul(each) == Some(numbers);
    if frames == 0 || !whole(rotations.len(), joints) || !whole(translations.len(), moved.len()) {
        let (turns, places) = (rotations.len(), translations.len());
        return bad(format!("{frames} frames of {joints} joints, but {turns} rotations and {places} translations"));
    }
    if moved.iter().any(|joint| usize::from(*joint) >= joints) || !moved.is_sorted_by(|a, b| a < b) {
        return bad("joints that move are out of order".into());
    }
    let mut locals: Vec<Rigid> = Vec::with_capacity(rotations.len());
    let mut places = translations.iter();
    for (frame, turns) in rotations.chunks(joints).enumerate() {
        let start = locals.len();
        for (joint, turn) in turns.iter().enumerate() {
            let translation = rig.skeleton.rest()[joint].translation.to_array();
            let of = || format!("clip {name:?}: joint {:?} in frame {frame}", rig.skeleton.names()[joint]);
            locals.push(rigid(stored::Rigid { rotation: *turn, translation }, of)?);
        }
        for (joint, place) in moved.iter().zip(&mut places) {
            let joint = usize::from(*joint);
            let of = || format!("clip {name:?}: joint {:?} in frame {frame}", rig.skeleton.names()[joint]);
            locals[start + joint].translation = vector(*place, of)?;
        }
    }
    let mut world = Vec::with_capacity(frames);
    for (frame, root) in roots.iter().enumerate() {
        world.push(rigid(*root, || format!("clip {name:?}: the root in frame {frame}"))?);
    }
    let cycle = cycle.map(|cycle| rigid(cycle, || format!("clip {name:?}: its cycle"))).transpose()?;
    let stances: Vec<Stance> =
        stances.iter().map(|stored| stance(rig, &name, (frames, rate), stored)).collect::<Result<_>>()?;
    if !stances.is_sorted_by(|a, b| (a.leg(), a.strike()) <= (b.leg(), b.strike())) {
        return bad("its stances are out of order".into());
    }
    let clip = Clip::new(&rig.skeleton, name, rate, locals);
    let mut clip = clip.map_err(|error| GraphFileError::damaged(error.to_string()))?.with_cycle(cycle);
    clip.roots_mut().copy_from_slice(&world);
    Ok(Take { stances, ..Take::from(clip) })
}

fn stance(rig: &Rig, name: &str, (frames, rate): (usize, f32), stored: &stored::Stance) -> Result<Stance> {
    let stored::Stance { leg, frames: whole, heel, ball, world_from_sole, heel_at, ball_at, open } = stored;
    if usize::from(*leg) >= rig.legs.len() {
        return damaged(format!("clip {name:?}: leg {leg} of {} stands", rig.legs.len()));
    }
    let of = || format!("clip {name:?}: the place of a stance");
    let span = |(start, end): (u32, u32)| -> Result<Range<usize>> {
        let range = start as usize..end as usize;
        if range.start <= range.end && range.end <= frames {
            return Ok(range);
        }
        damaged(format!("clip {name:?}: a foot stands in frames {start} to {end} of {frames}"))
    };
    let mut stance = Stance {
        print: Footprint::new(LegId(*leg), rigid(*world_from_sole, of)?),
        time: Span { start: 0.0, end: 0.0 },
        heel: None,
        ball: None,
        heel_at: vector(*heel_at, of)?,
        ball_at: vector(*ball_at, of)?,
        open: *open,
    };
    let frames = StanceFrames { whole: span(*whole)?, heel: span(*heel)?, ball: span(*ball)? };
    stance.set_frames(&frames, rate);
    Ok(stance)
}

/// Transitions whose blends lie inside their takes, in order.
fn join(settings: &BuildGraph, takes: &[Take], stored: &[stored::Transition]) -> Result<Vec<Transition>> {
    let length = settings.blend_frames();
    let point = |(take, frame): (u32, u32)| Point { take, frame };
    let frames = |point: Point| takes.get(point.take as usize).map_or(0, |take| take.clip.frames());
    let mut transitions = Vec::with_capacity(stored.len());
    for (k, stored) in stored.iter().enumerate() {
        let (from, to, distance) = (point(stored.from), point(stored.to), stored.distance);
        let leaves = from.frame as usize + length <= frames(from);
        let arrives = (to.frame as usize) < frames(to) && to.frame as usize + 1 >= length;
        if !(leaves && arrives) {
            let place = |point: Point| format!("frame {} of clip {}", point.frame, point.take);
            return damaged(format!("transition {k} from {} to {} does not fit", place(from), place(to)));
        }
        if !(distance.is_finite() && distance >= 0.0) {
            return damaged(format!("transition {k} has a distance of {distance} m"));
        }
        transitions.push(Transition { from, to, distance });
    }
    if !transitions.is_sorted_by_key(|transition| (transition.from, transition.to)) {
        return damaged("its transitions are out of order".into());
    }
    Ok(transitions)
}

/// How far a squared length may be from 1.
const UNIT: f32 = 1e-3;

fn rigid(stored: stored::Rigid, of: impl Fn() -> String) -> Result<Rigid> {
    vector(stored.translation, &of)?;
    let length: f32 = stored.rotation.iter().map(|x| x * x).sum();
    // NaN is no unit length either.
    if (length - 1.0).abs() < UNIT { Ok(stored.into()) } else { damaged(of() + " is not a rotation") }
}

fn vector(stored: Vector, of: impl Fn() -> String) -> Result<Vec3A> {
    if stored.iter().all(|x| x.abs() <= MAX_NUMBER as f32) {
        Ok(Vec3A::from_array(stored))
    } else {
        damaged(of() + " has a number that is none")
    }
}
