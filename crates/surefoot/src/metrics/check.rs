//! The last look at a motion before it is handed out: what is not as it should be, where and when.

use super::Footing;
use super::feet::{Slide, slides_in};
use super::footing::OnGround;
use super::skin_depth::{Deepest, SkinDepth};
use crate::motion::Take;
use crate::rig::{JointId, LegSkin, Rig};
use glam::Vec3A;
use std::ops::Range;

/// How a motion is looked at: limits of a grown person, brought to size by the legs ([`crate::rig::Scale`]).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct CheckMotion {
    /// Skin of feet and legs may be so deep in the ground, metres of a person.
    pub depth: f32,
    /// Held feet may stray so far, metres of a person: people see about 21 mm.
    pub drift: f32,
    /// What is off by more than this share of the leg's length is refused.
    pub refused: f32,
    /// A body that is moved by more than this share of the leg's length is refused.
    pub moved: f32,
    /// More than this share of stances without ground is refused.
    pub without_ground: f32,
}

impl Default for CheckMotion {
    fn default() -> Self {
        Self { depth: 0.015, drift: 0.02, refused: 0.1, moved: 0.25, without_ground: 0.1 }
    }
}

/// A motion that is looked at.
#[derive(Clone, Copy)]
pub struct Checked<'a> {
    /// The body.
    pub rig: &'a Rig,
    /// The skin of its legs; if `None`, its soles and knees stand for it.
    pub skin: Option<&'a LegSkin>,
    /// The motion with its stances.
    pub take: &'a Take,
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

/// What a motion was made from.
#[derive(Clone, Copy)]
pub struct CheckedSource<'a> {
    /// The motion as it came, of the same body.
    pub take: &'a Take,
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
}

/// A fault of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Fault {
    /// What it is.
    pub kind: FaultKind,
    /// How far off, metres; of feet without ground, the share of stances.
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
struct Found {
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
    pub fn run(&self, motion: Checked<'_>, source: Option<CheckedSource<'_>>) -> Vec<Fault> {
        let bones;
        let skin = match motion.skin {
            Some(skin) => skin,
            None => {
                bones = LegSkin::of_bones(motion.rig);
                &bones
            }
        };
        let theirs = source.map(|source| found(Checked { take: source.take, ..motion }, skin));
        let mut faults: Vec<Fault> = Vec::new();
        for (i, found) in found(motion, skin).into_iter().enumerate() {
            let before = theirs.as_ref().map_or(0.0, |theirs| theirs[i].amount);
            faults.extend(self.fault(motion, found, before));
        }
        if let Some(source) = source {
            faults.extend(self.fault(motion, moved(motion.rig, source.moved, motion.part()), 0.0));
        }
        faults
    }

    /// A figure as a fault, if it is one.
    fn fault(&self, motion: Checked<'_>, found: Found, source: f32) -> Option<Fault> {
        let Found { kind, amount, joint, frame } = found;
        let (leg, scale) = (motion.rig.leg_length(), motion.rig.scale());
        let [allowed, most] = match kind {
            FaultKind::FootInGround | FaultKind::LegInGround => [scale.length(self.depth), self.refused * leg],
            FaultKind::Drift => [scale.length(self.drift), self.refused * leg],
            FaultKind::BodyMoved => [self.moved * leg; 2],
            FaultKind::NoGround => [0.0, self.without_ground],
        };
        // NaN is over every limit.
        let over = |limit: f32| amount.is_nan() || amount > source + limit;
        let time = frame as f32 / motion.take.clip.rate();
        over(allowed).then(|| Fault { kind, amount, source, allowed, joint, time, refused: over(most) })
    }
}

/// All figures of a motion, always in the same order.
fn found(motion: Checked<'_>, skin: &LegSkin) -> [Found; 4] {
    let Checked { rig, take, footing, .. } = motion;
    let SkinDepth { foot, leg } = SkinDepth::new(rig, skin, take, motion.part(), &OnGround::new(rig, take, footing));
    let deep = |kind: FaultKind, Deepest { depth, joint, frame }: Deepest| Found {
        kind,
        amount: depth,
        joint: joint.unwrap_or(rig.body()),
        frame,
    };
    let slide = slides_in(rig, take, footing, motion.part()).first().copied();
    let ankle = |slide: &Slide| rig.legs[slide.leg.index()].ankle();
    let drift = Found {
        kind: FaultKind::Drift,
        amount: slide.map_or(0.0, |slide| slide.drift),
        joint: slide.as_ref().map_or(rig.body(), ankle),
        frame: slide.map_or(0, |slide| slide.frame),
    };
    [deep(FaultKind::FootInGround, foot), deep(FaultKind::LegInGround, leg), drift, without_ground(motion)]
}

/// The share of stances that have no ground.
fn without_ground(motion: Checked<'_>) -> Found {
    let Checked { rig, take, footing, .. } = motion;
    let ground = OnGround::new(rig, take, footing);
    let frames = |stance: &crate::motion::Stance| stance.frames(&take.clip).whole;
    let bare = |stance: &&crate::motion::Stance| {
        ground.height(stance.print.world_from_sole.translation, frames(stance).start).is_none()
    };
    let first = take.stances.iter().find(bare);
    Found {
        kind: FaultKind::NoGround,
        amount: take.stances.iter().filter(bare).count() as f32 / take.stances.len().max(1) as f32,
        joint: first.map_or(rig.body(), |stance| rig.legs[stance.leg().index()].ankle()),
        frame: first.map_or(0, |stance| frames(stance).start),
    }
}

/// How far the body was moved at most.
fn moved(rig: &Rig, by: &[Vec3A], part: Range<usize>) -> Found {
    let most =
        by.iter().enumerate().filter(|(f, _)| part.contains(f)).max_by(|a, b| a.1.length().total_cmp(&b.1.length()));
    let (frame, amount) = most.map_or((0, 0.0), |(frame, by)| (frame, by.length()));
    Found { kind: FaultKind::BodyMoved, amount, joint: rig.body(), frame }
}
