//! Motion fields: corrections of poses stored at states, mixed by nearness and added to what comes in.

pub(crate) mod database;
pub(crate) mod state;

pub(crate) use database::Change;
pub(crate) use database::FieldDatabase;
pub(crate) use database::FieldEntry;
pub use database::FieldError;
pub(crate) use database::FieldWeights;
pub(crate) use state::FieldInput;
pub(crate) use state::FieldState;
pub(crate) use state::StateAxis;

use crate::math::{Rigid, quat};
use crate::rig::{JointId, LegId, Pose};
use database::MOST_SLOTS;
use glam::Vec3A;
use state::MOST_AXES;

/// What a change of a database is applied to in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A joint turns about its own axes, and slides along its parent's.
    Joint(JointId),
    /// The goal of a foot moves while it flies: to the body's left, up and ahead.
    Goal(LegId),
}

/// A database asked with states of its own: several segments may share one, such as one for each leg.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSegment {
    /// What a person calls it.
    pub name: String,
    /// The axes of its state; three or fewer work best.
    pub axes: Vec<StateAxis>,
    /// The database, by index.
    pub database: usize,
    /// What the database's changes are applied to, in their order.
    pub slots: Vec<Slot>,
}

/// Databases and the segments that ask them; segments add up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionField {
    databases: Vec<FieldDatabase>,
    segments: Vec<FieldSegment>,
    /// How entries are weighed.
    pub weights: FieldWeights,
}

impl MotionField {
    /// Its databases.
    #[must_use]
    pub fn databases(&self) -> &[FieldDatabase] {
        &self.databases
    }

    /// Its segments, in the order in which they are added up.
    #[must_use]
    pub fn segments(&self) -> &[FieldSegment] {
        &self.segments
    }

    /// A new database without entries, for states of so many axes and changes of so many slots; gives its index.
    ///
    /// # Errors
    /// If there are no axes or no slots, or too many.
    pub fn add_database(&mut self, name: &str, axes: usize, slots: usize) -> Result<usize, FieldError> {
        if !((1..=MOST_AXES).contains(&axes) && (1..=MOST_SLOTS).contains(&slots)) {
            return Err(FieldError::Size { axes, slots });
        }
        self.databases.push(FieldDatabase::new(name, axes, slots));
        Ok(self.databases.len() - 1)
    }

    /// A new segment; gives its index.
    ///
    /// # Errors
    /// If there is no such database, the segment does not fit it, or a range is not positive.
    pub fn add_segment(&mut self, segment: FieldSegment) -> Result<usize, FieldError> {
        let database = self.databases.get(segment.database).ok_or(FieldError::NoDatabase(segment.database))?;
        let (axes, slots) = (segment.axes.len(), segment.slots.len());
        if (axes, slots) != (database.axes(), database.slots()) {
            return Err(FieldError::Fit { axes, slots, wanted: [database.axes(), database.slots()] });
        }
        if let Some(axis) = segment.axes.iter().find(|axis| !(1e-6..=1e6).contains(&axis.range)) {
            return Err(FieldError::Range(axis.range));
        }
        self.segments.push(segment);
        Ok(self.segments.len() - 1)
    }

    /// Stores a correction at a segment's state (in the units of its axes); gives the entry's index. One that is at the same
    /// state already is replaced.
    ///
    /// # Errors
    /// If there is no such segment, the numbers do not fit it, or one is not finite.
    pub fn insert(&mut self, segment: usize, state: &[f32], changes: &[Change]) -> Result<usize, FieldError> {
        let segment = self.segments.get(segment).ok_or(FieldError::NoSegment(segment))?;
        self.databases[segment.database].insert(&segment.axes, state, changes)
    }

    /// Replaces the changes of an entry.
    ///
    /// # Errors
    /// If there is no such entry, or the changes do not fit.
    pub fn update(&mut self, database: usize, entry: usize, changes: &[Change]) -> Result<(), FieldError> {
        self.databases.get_mut(database).ok_or(FieldError::NoDatabase(database))?.update(entry, changes)
    }

    /// Takes an entry out; those after it move up.
    ///
    /// # Errors
    /// If there is no such entry.
    pub fn remove(&mut self, database: usize, entry: usize) -> Result<FieldEntry, FieldError> {
        self.databases.get_mut(database).ok_or(FieldError::NoDatabase(database))?.remove(entry)
    }

    /// What a segment says at a state, by slot, into `out`. Allocates nothing.
    ///
    /// # Panics
    /// If there is no such segment, or state and `out` do not fit it.
    pub fn evaluate(&self, segment: usize, state: &[f32], out: &mut [Change]) {
        let segment = &self.segments[segment];
        self.databases[segment.database].evaluate(&segment.axes, self.weights, state, out);
    }

    /// Adds everything to a pose; `goals`, by leg, receive how far the goals of feet move, metres: left, up, ahead.
    /// Allocates nothing; without entries nothing changes.
    pub(crate) fn apply(&self, input: &FieldInput<'_>, pose: &mut Pose, goals: &mut [Vec3A]) {
        self.apply_to(&|state| input.value(state), &mut pose.locals, goals);
    }

    /// The same, `value` telling the states.
    pub(crate) fn apply_to(&self, value: &dyn Fn(FieldState) -> f32, locals: &mut [Rigid], goals: &mut [Vec3A]) {
        for segment in &self.segments {
            let database = &self.databases[segment.database];
            if database.entries().is_empty() {
                continue;
            }
            let mut state = [0.0; MOST_AXES];
            let state = &mut state[..segment.axes.len()];
            for (own, axis) in state.iter_mut().zip(&segment.axes) {
                *own = value(axis.state);
            }
            let mut changes = [Change::NONE; MOST_SLOTS];
            let changes = &mut changes[..segment.slots.len()];
            database.evaluate(&segment.axes, self.weights, state, changes);
            for (slot, change) in segment.slots.iter().zip(changes) {
                match slot {
                    Slot::Joint(joint) => {
                        let local = &mut locals[joint.index()];
                        local.rotation = (local.rotation * quat::exp(change.turn)).normalize();
                        local.translation += change.slide;
                    }
                    Slot::Goal(leg) => {
                        if let Some(goal) = goals.get_mut(leg.index()) {
                            *goal += change.slide;
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
