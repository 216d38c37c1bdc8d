//! From one body's postures to another's: which turn of the one tells which of the other.

use super::{Build, Posture};
use crate::math::{quat, single};
use crate::rig::{JointId, LegId, Side};
use glam::{Quat, Vec3A};
use std::ops::Range;

/// Why motion cannot be carried from one body to another.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RetargetError {
    /// They walk on different numbers of legs.
    #[error(
        "the motion is for a body with {from} legs and this one has {to}: motion is transferred only between equal numbers of legs"
    )]
    Legs {
        /// Legs of the body that moves.
        from: usize,
        /// Legs of the other.
        to: usize,
    },
    /// A side has more legs on one body than on the other.
    #[error("the legs are on other sides: {from} on the left of the body that moves, {to} on the left of this one")]
    Sides {
        /// Left legs of the body that moves.
        from: usize,
        /// Left legs of the other.
        to: usize,
    },
}

/// A part that one of two bodies has and the other lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Lacking {
    /// What it is: `left arm`, `tail`, `left thumb`.
    pub part: String,
    /// Whether the motion has it and the body has not: its movement is lost. Else the body's own keeps still.
    pub lost: bool,
}

/// How a turn of the one body is told by the other's.
#[derive(Clone, Copy, Debug)]
struct Mix {
    /// Two turns of the source, and how much of the second.
    of: [usize; 2],
    share: f32,
    /// Turned further, in the neutral pose.
    and: Quat,
}

impl Mix {
    fn one(turn: usize) -> Self {
        Self { of: [turn, turn], share: 0.0, and: Quat::IDENTITY }
    }

    fn turn(&self, turns: &[Quat]) -> Quat {
        let [a, b] = self.of.map(|i| turns[i]);
        let mixed = if self.share == 0.0 { a } else { quat::nlerp(a, b, self.share) };
        mixed * self.and
    }
}

/// How a chain of a body is told by the motion's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum ChainMode {
    /// A limb reaches as far in proportion, in the same plane.
    Reach,
    /// Bones turn alike.
    Turn,
    /// It keeps to the part that it hangs from.
    Still,
}

/// How each chain is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
#[expect(missing_docs, reason = "parts of a body")]
pub struct ChainModes {
    pub legs: ChainMode,
    pub arms: ChainMode,
    pub spine: ChainMode,
    pub neck: ChainMode,
    pub tail: ChainMode,
    pub fingers: ChainMode,
}

impl Default for ChainModes {
    fn default() -> Self {
        let (reach, turn) = (ChainMode::Reach, ChainMode::Turn);
        Self { legs: reach, arms: reach, spine: turn, neck: turn, tail: turn, fingers: turn }
    }
}

/// A pair of bodies of which one moves as the other does.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Carry {
    turns: Vec<Mix>,
    reaches: Vec<Option<usize>>,
    feet: Vec<FootTilt>,
    /// How much of the pelvis' roll is kept by a body whose hips are wider beside its legs: so they rise and sink as far in
    /// proportion.
    roll: f32,
    /// By leg, how much farther out it stands.
    aside: Vec<Aside>,
    /// By leg of the body, the leg of the motion's that it moves as.
    pub legs: Vec<LegId>,
    /// What only one of the two has.
    pub lacking: Vec<Lacking>,
}

/// A foot that tilts less than the motion's, for it is longer or wider beside its leg: so its ankle rises as far in proportion.
#[derive(Clone, Copy, Debug)]
struct FootTilt {
    /// Its turn, and that of its toes.
    foot: usize,
    toe: Option<usize>,
    /// How much it keeps of its pitch, up and down, and of its roll, to its sides.
    pitch: f32,
    roll: f32,
}

/// A leg that stands farther out than the motion's, for its foot is wider or its hips are narrower beside its length: so feet pass each
/// other with as much room in proportion.
#[derive(Clone, Copy, Debug)]
struct Aside {
    /// How far to its own left, in lengths of the limb.
    by: f32,
}

/// Legs stand farther out by this much at most, in lengths of the leg: 7°.
const MOST_ASIDE: f32 = 0.12;

impl Aside {
    fn new(from: (&Build, usize), to: (&Build, usize)) -> Self {
        // From the inner edge of a foot straight under its hip to the body's middle, in lengths of the leg.
        let room = |(build, leg): (&Build, usize)| {
            let hip = build.neutral[build.rig.legs[leg].hip()].translation.x;
            let middle = build.neutral[build.parts.pelvis].translation.x;
            ((hip - middle).abs() - 0.5 * build.rig.legs[leg].foot.width) / build.limbs[leg].length.max(1e-6)
        };
        let lacks = (room(from) - room(to)).clamp(0.0, MOST_ASIDE);
        Self { by: if is_left(to.0, to.1) { lacks } else { -lacks } }
    }

    /// Leads a leg out to its side, whatever it does: feet that stand while a body sits down stay where they are.
    fn apply(self, reach: &mut Vec3A, pelvis: Quat) {
        *reach += (pelvis * Vec3A::X) * self.by;
    }
}

/// Feet keep this share of their pitch at least and at most.
const PITCH: [f32; 2] = [0.25, 1.5];
/// Feet keep this share of their roll at least, and no more than all.
const LEAST_ROLL: f32 = 0.25;

impl FootTilt {
    /// Turns a foot and its toes about the foot's own axes, from side to side and along it.
    fn apply(&self, turns: &mut [Quat]) {
        let foot = turns[self.foot];
        let pitch = single::asin((foot * Vec3A::Z).y.clamp(-1.0, 1.0));
        let roll = single::asin((foot * Vec3A::X).y.clamp(-1.0, 1.0));
        let turn = Quat::from_axis_angle((foot * Vec3A::X).into(), (1.0 - self.pitch) * pitch)
            * Quat::from_axis_angle((foot * Vec3A::Z).into(), (self.roll - 1.0) * roll);
        for at in [Some(self.foot), self.toe].into_iter().flatten() {
            turns[at] = (turn * turns[at]).normalize();
        }
    }
}

/// A pelvis keeps this share of its roll at least.
const ROLL: f32 = 0.25;

/// The distance between the hips that hang from the pelvis, in lengths of the leg.
fn hip_width(build: &Build) -> f32 {
    let places = || build.hind.iter().map(|leg| build.neutral[build.rig.legs[*leg].hip()].translation.x);
    let [low, high] = [places().fold(f32::INFINITY, f32::min), places().fold(f32::NEG_INFINITY, f32::max)];
    if high > low { (high - low) / build.leg_length } else { 0.0 }
}

/// Arms that nothing tells hang so far from the sides, radians.
const HANGS: f32 = 1.25;

/// A turn of a row of the source's joints at each of a row of the body's; both start after `base`.
fn along(base: usize, from: &Range<usize>, count: usize) -> impl Iterator<Item = Mix> {
    let (start, len) = (from.start, from.len());
    (1..=count).map(move |i| {
        let at = i as f32 / count as f32 * len as f32;
        let below = (at as usize).min(len);
        let turn = |i: usize| if i == 0 { base } else { start + i - 1 };
        let share = at - below as f32;
        let next = if share > 1e-4 { below + 1 } else { below };
        Mix { of: [turn(below), turn(next)], share: if next > below { share } else { 0.0 }, and: Quat::IDENTITY }
    })
}

impl Carry {
    /// Matches two bodies part by part.
    ///
    /// # Errors
    /// If they have not the same number of legs on each side.
    pub fn new(from: &Build, to: &Build, modes: &ChainModes) -> Result<Self, RetargetError> {
        let legs = match_legs(from, to)?;
        let mut turns = vec![Mix::one(0); to.turning.len()];
        let mut fill = |at: &Range<usize>, mixes: &mut dyn Iterator<Item = Mix>| {
            turns[at.clone()].iter_mut().zip(mixes).for_each(|(turn, mix)| *turn = mix);
        };
        let (source, own) = (&from.places, &to.places);
        let none = 0..0;
        let told =
            |mode: ChainMode, row: &'_ Range<usize>| if mode == ChainMode::Still { none.clone() } else { row.clone() };
        fill(&own.spine, &mut along(0, &told(modes.spine, &source.spine), own.spine.len()));
        let chest = if source.spine.is_empty() { 0 } else { source.spine.end - 1 };
        fill(&own.neck, &mut along(chest, &told(modes.neck, &source.neck), own.neck.len()));
        fill(&own.tail, &mut along(0, &told(modes.tail, &source.tail), own.tail.len()));
        let mut lacking = Vec::new();
        let mut lack = |there: bool, here: bool, part: &dyn Fn() -> String| {
            if there != here {
                lacking.push(Lacking { part: part(), lost: there });
            }
        };
        lack(!source.neck.is_empty(), !own.neck.is_empty(), &|| "head".into());
        lack(!source.tail.is_empty(), !own.tail.is_empty(), &|| "tail".into());

        let reaching = |mode: ChainMode| (mode == ChainMode::Reach).then_some(());
        let mut reaches: Vec<Option<usize>> =
            legs.iter().map(|leg| reaching(modes.legs).map(|()| leg.index())).collect();
        let (mut feet, mut aside) = (Vec::new(), Vec::new());
        for (i, (leg, places)) in legs.iter().zip(&own.legs).enumerate() {
            let theirs = &source.legs[leg.index()];
            aside.push(Aside::new((from, leg.index()), (to, i)));
            let count = places.bones.len();
            // Thighs are told by thighs, and the last bones by the last ones.
            let bone = |i: usize| {
                let last = theirs.bones.len() - 1;
                theirs.bones.start + if count > 1 { (i * last + (count - 1) / 2) / (count - 1) } else { last }
            };
            fill(&places.bones, &mut (0..count).map(|i| Mix::one(bone(i))));
            let foot = theirs.foot.unwrap_or(theirs.bones.end - 1);
            if let Some(at) = places.foot {
                fill(&(at..at + 1), &mut std::iter::once(Mix::one(foot)));
                let size = |build: &Build, leg: usize| {
                    let foot = &build.rig.legs[leg].foot;
                    [foot.length, foot.width].map(|size| size / build.limbs[leg].length.max(1e-6))
                };
                let [theirs, own] = [size(from, leg.index()), size(to, i)];
                if theirs[0] > 0.0 && own[0] > 0.0 {
                    let pitch = (theirs[0] / own[0]).clamp(PITCH[0], PITCH[1]);
                    let roll = if own[1] > 0.0 { (theirs[1] / own[1]).clamp(LEAST_ROLL, 1.0) } else { 1.0 };
                    feet.push(FootTilt { foot: at, toe: places.toe, pitch, roll });
                }
            }
            if let Some(at) = places.toe {
                fill(&(at..at + 1), &mut std::iter::once(Mix::one(theirs.toe.unwrap_or(foot))));
            }
        }
        for (arm, places) in to.parts.arms.iter().zip(&own.arms) {
            let side = match arm.side {
                Side::Left => "left",
                Side::Right => "right",
            };
            let index = from.parts.arms.iter().position(|other| other.side == arm.side);
            lack(index.is_some(), true, &|| format!("{side} arm"));
            let index = index.filter(|_| modes.arms != ChainMode::Still);
            reaches.push(reaching(modes.arms).and(index).map(|i| from.rig.legs.len() + i));
            let Some(index) = index else {
                let down = if arm.side == Side::Left { -HANGS } else { HANGS };
                let hangs = Mix { and: Quat::from_rotation_z(down), ..Mix::one(chest) };
                if let Some(at) = places.shoulder {
                    fill(&(at..at + 1), &mut std::iter::once(Mix::one(chest)));
                }
                let rest = places.upper..places.fingers.last().map_or(places.hand.end, |finger| finger.end);
                let count = rest.len();
                fill(&rest, &mut std::iter::repeat_n(hangs, count));
                continue;
            };
            let theirs = &source.arms[index];
            if let Some(at) = places.shoulder {
                fill(&(at..at + 1), &mut std::iter::once(Mix::one(theirs.shoulder.unwrap_or(chest))));
            }
            for (at, turn) in [(places.upper, theirs.upper), (places.fore, theirs.fore)] {
                fill(&(at..at + 1), &mut std::iter::once(Mix::one(turn)));
            }
            fill(&places.hand, &mut std::iter::repeat_n(Mix::one(theirs.hand.start), places.hand.len()));
            for (finger, at) in arm.fingers.iter().zip(&places.fingers) {
                let other = from.parts.arms[index].fingers.iter().position(|other| other.name == finger.name);
                lack(other.is_some(), true, &|| format!("{side} {:?} finger", finger.name).to_lowercase());
                let other = other.filter(|_| modes.fingers != ChainMode::Still);
                let hand = theirs.hand.start;
                match other.map(|i| &theirs.fingers[i]) {
                    // A finger of fewer joints tells the first ones; the others go with them.
                    Some(other) => fill(at, &mut (0..at.len()).map(|i| Mix::one((other.start + i).min(other.end - 1)))),
                    None => fill(at, &mut std::iter::repeat_n(Mix::one(hand), at.len())),
                }
            }
        }
        for arm in &from.parts.arms {
            let there = to.parts.arms.iter().any(|other| other.side == arm.side);
            lack(true, there, &|| format!("{:?} arm", arm.side).to_lowercase());
        }
        let roll = (hip_width(from) / hip_width(to).max(1e-6)).clamp(ROLL, 1.0);
        Ok(Self { turns, reaches, feet, roll, aside, legs, lacking })
    }

    /// The posture of the body for one of the motion's. Allocates nothing.
    ///
    /// # Panics
    /// If a posture is of another body.
    pub fn run(&self, from: &Posture, to: &mut Posture) {
        to.hips = from.hips;
        for (mix, turn) in self.turns.iter().zip(&mut to.turns) {
            *turn = mix.turn(&from.turns).normalize();
        }
        self.feet.iter().for_each(|foot| foot.apply(&mut to.turns));
        let pelvis = to.turns[0];
        let roll = single::asin((pelvis * Vec3A::X).y.clamp(-1.0, 1.0));
        let back = Quat::from_axis_angle((pelvis * Vec3A::Z).into(), (self.roll - 1.0) * roll);
        to.turns[0] = (back * pelvis).normalize();
        for (theirs, reach) in self.reaches.iter().zip(&mut to.reaches) {
            *reach = theirs.and_then(|i| from.reaches[i]);
        }
        for (aside, reach) in self.aside.iter().zip(&mut to.reaches) {
            if let Some(reach) = reach {
                aside.apply(reach, pelvis);
            }
        }
    }
}

/// Which leg of the source each leg of a body moves as: of those on its side, by how far ahead they are.
fn match_legs(from: &Build, to: &Build) -> Result<Vec<LegId>, RetargetError> {
    let [a, b] = [from, to].map(|build| build.rig.legs.len());
    if a != b {
        return Err(RetargetError::Legs { from: a, to: b });
    }
    let hip = |build: &Build, leg: usize| build.neutral[build.rig.legs[leg].hip()].translation;
    let ordered = |build: &Build, left: bool| {
        let mut legs: Vec<usize> = (0..build.rig.legs.len()).filter(|leg| is_left(build, *leg) == left).collect();
        legs.sort_by(|a, b| hip(build, *b).z.total_cmp(&hip(build, *a).z));
        legs
    };
    let mut legs = vec![LegId(0); b];
    for left in [true, false] {
        let [theirs, own] = [from, to].map(|build| ordered(build, left));
        if theirs.len() != own.len() {
            let [from, to] = [from, to].map(|build| ordered(build, true).len());
            return Err(RetargetError::Sides { from, to });
        }
        for (theirs, own) in theirs.iter().zip(&own) {
            legs[*own] = LegId(*theirs as u8);
        }
    }
    Ok(legs)
}

/// Whether a leg is on the left.
fn is_left(build: &Build, leg: usize) -> bool {
    let at = |joint: JointId| build.neutral[joint].translation.x;
    let leg = &build.rig.legs[leg];
    leg.side.map_or(at(leg.hip()) > 0.0, |side| side == Side::Left)
}
