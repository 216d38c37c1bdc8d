//! A database of corrections: what to change, by state, and how entries are weighed.

use super::StateAxis;
use glam::{Vec3, Vec3A};

/// The most slots of a change.
pub(super) const MOST_SLOTS: usize = 64;
/// Entries closer than this, in ranges, are one.
const SAME: f32 = 1e-6;

/// How one slot changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// A turn as a rotation vector about the joint's own axes, radians; not used by goals.
    pub turn: Vec3,
    /// A slide, metres.
    pub slide: Vec3A,
}

/// The most that a correction turns, radians: twice round.
const MOST_TURN: f32 = 2.0 * std::f32::consts::TAU;
/// The most that a correction moves, metres.
const MOST_SLIDE: f32 = 100.0;
/// The most that a state is in any of its units.
const MOST_STATE: f32 = 1e6;

impl Change {
    /// No change.
    pub const NONE: Self = Self { turn: Vec3::ZERO, slide: Vec3A::ZERO };

    /// A turn alone: a rotation vector, radians.
    #[must_use]
    pub fn turn(turn: Vec3) -> Self {
        Self { turn, ..Self::NONE }
    }

    /// Whether it is one that a joint can make; false if a number is not finite.
    fn is_possible(&self) -> bool {
        self.turn.length() <= MOST_TURN && self.slide.length() <= MOST_SLIDE
    }
}

/// A correction at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldEntry {
    /// The state, in the units of the axes.
    pub state: Vec<f32>,
    /// By slot.
    pub changes: Vec<Change>,
}

/// Why a field cannot be changed so.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// A database of a size that cannot be.
    #[error("{axes} axes and {slots} slots were asked for: a database has 1 to 8 axes and 1 to 64 slots")]
    Size {
        /// Axes asked for.
        axes: usize,
        /// Slots asked for.
        slots: usize,
    },
    /// A segment or an entry that does not fit its database.
    #[error("{axes} axes and {slots} slots do not fit a database of {} axes and {} slots", wanted[0], wanted[1])]
    Fit {
        /// Axes given.
        axes: usize,
        /// Slots given.
        slots: usize,
        /// Axes and slots of the database.
        wanted: [usize; 2],
    },
    /// A range that measures nothing.
    #[error("a range of {0}; it must be from 0.000001 to 1000000")]
    Range(f32),
    /// A state or change with NaN, infinity or a number that no body has.
    #[error(
        "a number of the state or of a change is not finite, or far too large: turns go up to 720°, slides to 100 m"
    )]
    NotPossible,
    /// There is no such database.
    #[error("there is no database {0}")]
    NoDatabase(usize),
    /// There is no such segment.
    #[error("there is no segment {0}")]
    NoSegment(usize),
    /// There is no such entry.
    #[error("there is no entry {0}")]
    NoEntry(usize),
}

/// How entries are weighed: by `min(cutoff, 1/d²)`, d being the distance of states in ranges, over the sum of all and `neutral`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldWeights {
    /// The greatest weight, reached at an entry's own state.
    pub cutoff: f32,
    /// The weight of no change. A lone entry has half its effect at a distance of 1/√neutral ranges; with 0 it has all of it
    /// everywhere.
    pub neutral: f32,
}

impl Default for FieldWeights {
    fn default() -> Self {
        Self { cutoff: 1e7, neutral: 1.0 }
    }
}

/// Corrections by state.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDatabase {
    /// What a person calls it.
    pub name: String,
    axes: usize,
    slots: usize,
    entries: Vec<FieldEntry>,
}

impl FieldDatabase {
    pub(super) fn new(name: &str, axes: usize, slots: usize) -> Self {
        Self { name: name.to_owned(), axes, slots, entries: Vec::new() }
    }

    /// How many axes its states have.
    #[must_use]
    pub fn axes(&self) -> usize {
        self.axes
    }

    /// How many slots its changes have.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Its entries.
    #[must_use]
    pub fn entries(&self) -> &[FieldEntry] {
        &self.entries
    }

    fn check(&self, state: Option<&[f32]>, changes: &[Change]) -> Result<(), FieldError> {
        let axes = state.map_or(self.axes, <[f32]>::len);
        if axes != self.axes || changes.len() != self.slots {
            return Err(FieldError::Fit { axes, slots: changes.len(), wanted: [self.axes, self.slots] });
        }
        let possible = state.is_none_or(|state| state.iter().all(|x| x.abs() <= MOST_STATE));
        if possible && changes.iter().all(Change::is_possible) { Ok(()) } else { Err(FieldError::NotPossible) }
    }

    pub(super) fn insert(
        &mut self,
        axes: &[StateAxis],
        state: &[f32],
        changes: &[Change],
    ) -> Result<usize, FieldError> {
        self.check(Some(state), changes)?;
        let same = self.entries.iter().position(|entry| square(axes, &entry.state, state) < SAME * SAME);
        if let Some(same) = same {
            self.entries[same].changes.copy_from_slice(changes);
            return Ok(same);
        }
        self.entries.push(FieldEntry { state: state.to_vec(), changes: changes.to_vec() });
        Ok(self.entries.len() - 1)
    }

    pub(super) fn update(&mut self, entry: usize, changes: &[Change]) -> Result<(), FieldError> {
        self.check(None, changes)?;
        let entry = self.entries.get_mut(entry).ok_or(FieldError::NoEntry(entry))?;
        entry.changes.copy_from_slice(changes);
        Ok(())
    }

    pub(super) fn remove(&mut self, entry: usize) -> Result<FieldEntry, FieldError> {
        if entry < self.entries.len() { Ok(self.entries.remove(entry)) } else { Err(FieldError::NoEntry(entry)) }
    }

    /// The weighted mean of all entries, and of no change.
    pub(super) fn evaluate(&self, axes: &[StateAxis], weights: FieldWeights, state: &[f32], out: &mut [Change]) {
        out.fill(Change::NONE);
        let mut sum = weights.neutral;
        for entry in &self.entries {
            let weight = (1.0 / (square(axes, &entry.state, state) + 1e-12)).min(weights.cutoff);
            sum += weight;
            for (out, change) in out.iter_mut().zip(&entry.changes) {
                out.turn += weight * change.turn;
                out.slide += weight * change.slide;
            }
        }
        if sum > 0.0 {
            for out in out {
                out.turn /= sum;
                out.slide /= sum;
            }
        }
    }
}

/// The squared distance of two states, in ranges.
fn square(axes: &[StateAxis], a: &[f32], b: &[f32]) -> f32 {
    axes.iter().zip(a.iter().zip(b)).map(|(axis, (a, b))| axis.apart(*a, *b).powi(2)).sum()
}
