//! The last look at a motion before it is handed out: what is not as it should be, where and when.

use super::feet::{Slide, skate_in, slides_in};
use super::footing::OnGround;
use super::skin_depth::{Deepest, SkinDepth};
use super::{Footing, find_jumps, find_slips, jump_moments, measure_skin_depth};
use crate::math::floor;
use crate::motion::{FootTrack, Stance, Take};
use crate::rig::{JointId, LegSkin, Rig};
use glam::Vec3A;
use std::ops::Range;

/// How a motion is looked at: limits of a grown person, brought to size by the legs ([`crate::rig::Scale`]).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct CheckMotion {
    /// Skin of feet and legs may be so deep in the ground, metres of a person.
    pub depth: f32,
    /// Held feet may stray so far, and be so far from where they should stand, metres of a person: people see about 21 mm.
    pub drift: f32,
    /// Feet that lie on the ground without being held may slide so far, metres of a person.
    pub slip: f32,
    /// Feet may skate by so much more than a tenth more than the source's, m/s of a person.
    pub skate: f32,
    /// Joints may jump within one frame so many times more often than the source's.
    pub jumps: usize,
    /// What is off by more than this share of the leg's length is refused.
    pub refused: f32,
    /// A body that is moved by more than this share of the leg's length is refused.
    pub moved: f32,
    /// More than this share of stances without ground is refused.
    pub without_ground: f32,
    /// More than this share of stances that the feet do not reach is refused.
    pub unreached: f32,
}

impl Default for CheckMotion {
    fn default() -> Self {
        Self {
            depth: 0.015,
            drift: 0.02,
            slip: 0.06,
            skate: 0.02,
            jumps: 0,
            refused: 0.1,
            moved: 0.25,
            without_ground: 0.1,
            unreached: 0.1,
        }
    }
}

/// Feet that are so far over their places at most are raised for their skin, in leg lengths: a little more than creatures' are.
const RAISED: f32 = 0.125;

/// A motion that is looked at.
#[derive(Clone, Copy)]
pub struct Checked<'a> {
    /// The body.
    pub rig: &'a Rig,
    /// The skin of its legs; if `None`, its soles and knees stand for it.
    pub skin: Option<&'a LegSkin>,
    /// The motion with its stances.
    pub take: &'a Take,
    /// Whether its stances are where feet were sent; else they were found in it, and feet need not be there.
    pub planned: bool,
    /// Its ground.
    pub footing: Footing<'a>,
    /// Frames that are looked at, such as one round of a cycle; all if `None`.
    pub part: Option<&'a Range<usize>>,
}

impl Checked<'_> {
    fn part(&self) -> Range<usize> {
        let all = 0..self.take.clip.frames();
        self.part.map_or(all.clone(), |part| part.start..part.end.min(all.end))
    }
}

/// What a motion was made from; nothing is known of it by default.
#[derive(Clone, Copy, Default)]
pub struct CheckedSource<'a> {
    /// Motions of the same body as they came, each on its own ground: the worst of them is what may be.
    pub motions: &'a [Checked<'a>],
    /// How the body was moved, by frame, metres.
    pub moved: &'a [Vec3A],
}

/// What is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FaultKind {
    /// Skin of a foot is in the ground.
    FootInGround,
    /// Skin of a leg above its foot is in the ground.
    LegInGround,
    /// A held foot strays.
    Drift,
    /// The body was moved far from where the source has it.
    BodyMoved,
    /// Feet stand where there is no ground.
    NoGround,
    /// Feet do not come to where they should stand.
    Unreached,
    /// Feet move over the ground near it.
    Skate,
    /// A foot slides while it lies on the ground, whether it is said to stand or not.
    Slip,
    /// A joint jumps within one frame.
    Jump,
}

/// A fault of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Fault {
    /// What it is.
    pub kind: FaultKind,
    /// How far off, metres; the share of stances without ground or unreached; how fast feet skate, m/s; how often joints jump.
    pub amount: f32,
    /// What the source has, in the same unit; 0 without one.
    pub source: f32,
    /// What is allowed, in the same unit.
    pub allowed: f32,
    /// The joint.
    pub joint: JointId,
    /// When it is worst, seconds.
    pub time: f32,
    /// Whether it is so far off that the motion is of no use.
    pub refused: bool,
}

/// A figure with where and when it is worst.
#[derive(Clone, Copy)]
struct WorstFigure {
    kind: FaultKind,
    amount: f32,
    joint: JointId,
    frame: usize,
}

impl CheckMotion {
    /// Looks at a motion, beside its source where it has one: what comes out no worse than it came in is no fault.
    ///
    /// # Panics
    /// If a take was made for another skeleton.
    #[must_use]
    pub fn run(&self, motion: Checked<'_>, source: &CheckedSource<'_>) -> Vec<Fault> {
        let theirs: Vec<_> = source.motions.iter().map(|source| self.found(*source)).collect();
        let worst = |i: usize| theirs.iter().map(|figures| figures[i].amount).reduce(f32::max);
        let faults = self.found(motion).into_iter().enumerate();
        let mut faults: Vec<Fault> = faults.filter_map(|(i, found)| self.fault(motion, found, worst(i))).collect();
        faults.extend(self.fault(motion, moved(motion.rig, source.moved, motion.part()), None));
        faults
    }

    /// A figure as a fault, if it is one.
    fn fault(&self, motion: Checked<'_>, found: WorstFigure, source: Option<f32>) -> Option<Fault> {
        let WorstFigure { kind, amount, joint, frame } = found;
        let (leg, scale) = (motion.rig.leg_length(), motion.rig.scale());
        let never = f32::INFINITY;
        let [allowed, most] = match kind {
            FaultKind::FootInGround | FaultKind::LegInGround => [scale.length(self.depth), self.refused * leg],
            FaultKind::Drift => [scale.length(self.drift), self.refused * leg],
            FaultKind::BodyMoved => [self.moved * leg; 2],
            FaultKind::NoGround => [0.0, self.without_ground],
            FaultKind::Unreached => [0.0, self.unreached],
            // Toes that swing low skate, too: without a source nobody can say how much that is.
            FaultKind::Skate => [0.1 * source? + scale.speed(self.skate), never],
            FaultKind::Slip => [scale.length(self.slip), never],
            FaultKind::Jump => [self.jumps as f32, never],
        };
        let source = source.unwrap_or(0.0);
        // NaN is over every limit.
        let over = |limit: f32| amount.is_nan() || amount > source + limit;
        let time = frame as f32 / motion.take.clip.rate();
        over(allowed).then(|| Fault { kind, amount, source, allowed, joint, time, refused: over(most) })
    }

    /// All figures of a motion, always in the same order.
    fn found(&self, motion: Checked<'_>) -> [WorstFigure; 8] {
        let Checked { rig, take, footing, .. } = motion;
        let ground = OnGround::new(rig, take, footing);
        let SkinDepth { foot, leg } = measure_skin_depth(rig, motion.skin, take, footing, motion.part());
        let deep = |kind: FaultKind, Deepest { depth, joint, frame }: Deepest| WorstFigure {
            kind,
            amount: depth,
            joint: joint.unwrap_or(rig.body()),
            frame,
        };
        [
            deep(FaultKind::FootInGround, foot),
            deep(FaultKind::LegInGround, leg),
            drift(motion),
            without_ground(motion, &ground),
            self.unreached(motion, &ground),
            skate(motion),
            slip(motion),
            jump(motion),
        ]
    }

    /// The share of stances at whose places feet never are, though they were sent there.
    fn unreached(&self, motion: Checked<'_>, ground: &OnGround<'_>) -> WorstFigure {
        let Checked { rig, take, planned, .. } = motion;
        let tracks = FootTrack::of_all(rig, &take.clip);
        // A foot may be raised for its skin, so that it is over its place and not off it.
        let (near, raised) = (rig.scale().length(self.drift), RAISED * rig.leg_length());
        of_stances(FaultKind::Unreached, motion, |stance| {
            let (times, track) = (stance.frames(&take.clip), &tracks[stance.leg().index()]);
            if !planned {
                return false;
            }
            let strike = times.whole.start;
            let holds = [(stance.heel_at, &track.heels, times.heel), (stance.ball_at, &track.balls, times.ball)];
            holds.into_iter().any(|(at, points, frames)| {
                let at = ground.on_surface(stance, at, strike);
                let is_near = |f: usize| {
                    let off = ground.on_surface(stance, points[f], f) - at;
                    floor::of_point(off).length() <= near && off.y.abs() <= raised
                };
                !frames.is_empty() && !frames.clone().any(is_near)
            })
        })
    }
}

/// The foot that strays farthest.
fn drift(motion: Checked<'_>) -> WorstFigure {
    let Checked { rig, take, footing, .. } = motion;
    let slide = slides_in(rig, take, footing, motion.part()).first().copied();
    let ankle = |slide: &Slide| rig.legs[slide.leg.index()].ankle();
    WorstFigure {
        kind: FaultKind::Drift,
        amount: slide.map_or(0.0, |slide| slide.drift),
        joint: slide.as_ref().map_or(rig.body(), ankle),
        frame: slide.map_or(0, |slide| slide.frame),
    }
}

/// How fast feet move over the ground near it, on average.
fn skate(motion: Checked<'_>) -> WorstFigure {
    let Checked { rig, take, footing, .. } = motion;
    let amount = skate_in(rig, take, footing, motion.part());
    WorstFigure { kind: FaultKind::Skate, amount, joint: rig.body(), frame: motion.part().start }
}

/// The foot that slides farthest while it lies on the ground.
fn slip(motion: Checked<'_>) -> WorstFigure {
    let Checked { rig, take, footing, .. } = motion;
    let slip = find_slips(rig, take, footing, motion.part()).first().copied();
    WorstFigure {
        kind: FaultKind::Slip,
        amount: slip.map_or(0.0, |slip| slip.way),
        joint: slip.map_or(rig.body(), |slip| rig.legs[slip.leg.index()].ankle()),
        frame: slip.map_or(0, |slip| slip.start),
    }
}

/// How often joints jump, and the one that jumps farthest.
fn jump(motion: Checked<'_>) -> WorstFigure {
    let Checked { rig, take, .. } = motion;
    let part = motion.part();
    let mut jumps = find_jumps(&rig.skeleton, &take.clip);
    jumps.retain(|jump| part.start <= jump.frame && jump.frame + 1 < part.end);
    WorstFigure {
        kind: FaultKind::Jump,
        amount: jump_moments(&take.clip, &jumps).len() as f32,
        joint: jumps.first().map_or(rig.body(), |jump| jump.joint),
        frame: jumps.first().map_or(0, |jump| jump.frame),
    }
}

/// The share of stances that have no ground.
fn without_ground(motion: Checked<'_>, ground: &OnGround<'_>) -> WorstFigure {
    of_stances(FaultKind::NoGround, motion, |stance| {
        let strike = stance.frames(&motion.take.clip).whole.start;
        ground.height(stance.print.world_from_sole.translation, strike).is_none()
    })
}

/// The share of stances of which something is so, from the first one on.
fn of_stances(kind: FaultKind, motion: Checked<'_>, is: impl Fn(&Stance) -> bool) -> WorstFigure {
    let Checked { rig, take, .. } = motion;
    let mut first: Option<&Stance> = None;
    let mut count = 0;
    for stance in take.stances.iter().filter(|stance| is(stance)) {
        count += 1;
        if first.is_none_or(|first| stance.strike() < first.strike()) {
            first = Some(stance);
        }
    }
    WorstFigure {
        kind,
        amount: count as f32 / take.stances.len().max(1) as f32,
        joint: first.map_or(rig.body(), |stance| rig.legs[stance.leg().index()].ankle()),
        frame: first.map_or(0, |stance| stance.frames(&take.clip).whole.start),
    }
}

/// How far the body was moved at most.
fn moved(rig: &Rig, by: &[Vec3A], part: Range<usize>) -> WorstFigure {
    let most =
        by.iter().enumerate().filter(|(f, _)| part.contains(f)).max_by(|a, b| a.1.length().total_cmp(&b.1.length()));
    let (frame, amount) = most.map_or((0, 0.0), |(frame, by)| (frame, by.length()));
    WorstFigure { kind: FaultKind::BodyMoved, amount, joint: rig.body(), frame }
}
