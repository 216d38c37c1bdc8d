//! All strides of a character: what it can do with its feet, and what planning must know of it.

use super::cut::Cut;
use super::shorten::shortened;
use super::stride::index_of;
use super::{Plant, StandsAt, Stride, StrideClip, StrideKind, StridePrint, StrideReach, TurnGroup};
use crate::math::{floor, wrap_angle};
use crate::motion::Take;
use crate::rig::{LegId, Rig, Side};

/// All strides of a character.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Strides {
    /// The body.
    pub rig: Rig,
    /// The strides; plans name them by their place here.
    pub strides: Vec<Stride>,
    /// Walks, by how much they turn.
    pub walks: TurnGroup,
    /// Runs, by how much they turn.
    pub runs: TurnGroup,
    /// The right leg and the left one.
    legs: [LegId; 2],
}

/// Why clips make no strides.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StridesError {
    /// The body has not two legs.
    #[error("strides are of two legs, a right and a left one; this body has {legs}")]
    Legs {
        /// How many it has.
        legs: usize,
    },
    /// A clip without a whole stride.
    #[error("{name}: no stride from one right stance to the next in {rights} right and {lefts} left stances")]
    NoStride {
        /// The clip.
        name: String,
        /// How many stances the right foot has.
        rights: usize,
        /// How many the left foot has.
        lefts: usize,
    },
    /// Neither walks nor runs.
    #[error("none of the {clips} clips is a walk or a run, which are needed between special clips")]
    NoGait {
        /// How many clips there are.
        clips: usize,
    },
}

impl Strides {
    /// Cuts strides out of takes of a body, each as a person has said. Takes should be clean; they are levelled first.
    ///
    /// # Errors
    /// If the body has not two legs, a clip has no stride, or there is neither walk nor run.
    ///
    /// # Panics
    /// If a take was made for another skeleton.
    pub fn new(rig: &Rig, clips: &[(StrideClip, Take)]) -> Result<Self, StridesError> {
        let of = |side: Side| rig.legs().find(|(_, leg)| leg.side == Some(side)).map(|(id, _)| id);
        let (Some(right), Some(left), 2) = (of(Side::Right), of(Side::Left), rig.legs.len()) else {
            return Err(StridesError::Legs { legs: rig.legs.len() });
        };
        let legs = [right, left];
        let mut strides = Vec::new();
        for (said, take) in clips {
            let mut take = take.clone().levelled(rig);
            if said.steps != 1.0 && said.steps.is_finite() {
                take = shortened(rig, &take, said.steps.clamp(0.1, 2.0));
            }
            let refused = || {
                let count = |leg: LegId| take.stances.iter().filter(|stance| stance.leg() == leg).count();
                StridesError::NoStride { name: said.name.clone(), rights: count(right), lefts: count(left) }
            };
            let cut = |take: &Take, name: String| Cut { rig, legs, take }.run(said, name);
            let own = cut(&take, said.name.clone());
            // A mirror image without a whole stride adds nothing. Starts and stops are of either foot.
            let other = said.mirror || own.is_none() && said.cut.stand().is_some();
            let mirrored = other.then(|| take.mirrored(rig)).flatten();
            let mirrored = mirrored.and_then(|take| cut(&take, format!("{} mirrored", said.name)));
            if own.is_none() && mirrored.is_none() {
                return Err(refused());
            }
            strides.extend(own.into_iter().chain(mirrored));
        }
        let group = |kind: StrideKind| TurnGroup::of(&strides, |stride| stride.grouped && stride.kind == kind);
        let (walks, runs) = (group(StrideKind::Walk), group(StrideKind::Run));
        if walks.samples.is_empty() && runs.samples.is_empty() {
            return Err(StridesError::NoGait { clips: clips.len() });
        }
        Ok(Self { rig: rig.clone(), strides, walks, runs, legs })
    }

    /// Whether ways begin and end standing: there is a start and a stop.
    #[must_use]
    pub fn stand(&self) -> bool {
        let any = |end| self.strides.iter().any(|stride| stride.stand.is_some_and(|stand| stand.end == end));
        any(StandsAt::Start) && any(StandsAt::Stop)
    }

    /// The leg of a side.
    #[must_use]
    pub fn leg(&self, side: Side) -> LegId {
        self.legs[index_of(side)]
    }

    /// The side of a leg.
    #[must_use]
    pub fn side(&self, leg: LegId) -> Side {
        if leg == self.legs[0] { Side::Right } else { Side::Left }
    }

    /// What planning must know of each stride, in order.
    #[must_use]
    pub fn reaches(&self) -> Vec<StrideReach> {
        self.strides.iter().map(Stride::reach).collect()
    }
}

/// Both feet must be in the air for this long to cross a gap, seconds: else one falls into it.
const FLIES: f32 = 0.12;

impl Stride {
    /// What planning must know of it, as the clip has it.
    #[must_use]
    pub fn reach(&self) -> StrideReach {
        let first = self.plants[0].sole;
        let print = |plant: &Plant, sole: crate::math::FloorPose, phase: f32| {
            let there = first.inverse().then(sole);
            StridePrint {
                side: plant.side,
                place: floor::at_height(there.position, plant.height),
                heading: wrap_angle(there.heading),
                time: self.time_at(phase) - self.time_at(0.0),
            }
        };
        let mut prints: Vec<StridePrint> =
            self.plants[1..].iter().map(|plant| print(plant, plant.sole, plant.phase)).collect();
        if self.is_cycle() {
            let next = self.ways[self.ways.len() - 1].then(first);
            prints.push(StridePrint { time: self.seconds, ..print(&self.plants[0], next, 0.0) });
        }
        StrideReach {
            name: self.name.clone(),
            kind: self.kind,
            prints,
            seconds: self.seconds,
            entry_speed: self.entry_speed,
            exit_speed: self.exit_speed,
            penalty: self.penalty,
            slack: self.slack,
            // Who turns on the spot has a foot down, though its prints are not in the order in which feet land.
            flight: (self.kind == StrideKind::Special && !self.turns_on_spot).then(|| self.longest_flight()).flatten(),
            stand: self.stand,
            turns_on_spot: self.turns_on_spot,
        }
    }

    /// The print after the first on which it lands from its longest flight, as an index of the reach's prints.
    fn longest_flight(&self) -> Option<usize> {
        let time = |plant: &Plant, off: f32| self.time_at(plant.phase + off);
        let before = |k: usize| self.plants[..k].iter().map(|plant| time(plant, plant.off)).fold(f32::MIN, f32::max);
        let all = (1..self.plants.len()).map(|k| (k - 1, time(&self.plants[k], self.plants[k].strike) - before(k)));
        let longest = all.max_by(|a, b| a.1.total_cmp(&b.1));
        longest.filter(|(_, seconds)| *seconds > FLIES).map(|(k, _)| k)
    }
}
