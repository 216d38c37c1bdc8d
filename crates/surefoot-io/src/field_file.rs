//! Motion fields as files: databases of corrections and the segments that ask them, in TOML with the joints' own names.

use serde::{Deserialize, Serialize};
use surefoot::adapt::{FieldError, MotionField};
use surefoot::glam::{Vec3, Vec3A};
use surefoot::rig::{LegId, Rig};
use surefoot::stages::{Change, FieldSegment, FieldState, FieldWeights, Slot, StateAxis};

const VERSION: u32 = 1;

/// Why a text is no motion field of a rig.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FieldFileError {
    /// No TOML, or not these entries.
    #[error(transparent)]
    Text(#[from] toml::de::Error),
    /// Another version of the format.
    #[error("version {0} of the format; this program reads version {VERSION}")]
    Version(u32),
    /// A name that the rig, or the file, does not have.
    #[error("{what} {name:?}: there is none")]
    Name {
        /// What was named.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A state that is not known.
    #[error("state {0:?}: give slope, turning, speed, phase, or aside, up or ahead of a foot, such as up:foot.l")]
    State(String),
    /// A number that means nothing.
    #[error("{name} = {value}: give {low} to {high}")]
    Number {
        /// Its name in the file.
        name: &'static str,
        /// What it is.
        value: f32,
        /// The least it may be.
        low: f32,
        /// The most.
        high: f32,
    },
    /// Numbers that do not fit.
    #[error("{place}: {error}")]
    Field {
        /// Where.
        place: String,
        /// Why.
        #[source]
        error: FieldError,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    cutoff: f32,
    neutral: f32,
    #[serde(default)]
    database: Vec<Database>,
    #[serde(default)]
    segment: Vec<Segment>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Database {
    name: String,
    axes: usize,
    slots: usize,
    #[serde(default)]
    entry: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// In the units of the axes: radians, radians a second, metres, metres a second, cycles.
    state: Vec<f32>,
    /// By slot: rotation vectors, degrees.
    turns_deg: Vec<[f32; 3]>,
    /// By slot: metres.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    slides: Vec<[f32; 3]>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Segment {
    name: String,
    database: String,
    /// `joint` names, or `goal:` and the name of a leg's ankle.
    slots: Vec<String>,
    axis: Vec<Axis>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Axis {
    state: String,
    range: f32,
}

/// Reads a motion field for a rig.
///
/// # Errors
/// If the text is no motion field, or names what the rig does not have.
pub fn read(text: &str, rig: &Rig) -> Result<MotionField, FieldFileError> {
    let file: File = toml::from_str(text)?;
    if file.version != VERSION {
        return Err(FieldFileError::Version(file.version));
    }
    for (name, value, bounds) in [("cutoff", file.cutoff, 1e-6..=1e12), ("neutral", file.neutral, 0.0..=1e12)] {
        if !bounds.contains(&value) {
            return Err(FieldFileError::Number { name, value, low: *bounds.start(), high: *bounds.end() });
        }
    }
    let mut field = MotionField::default();
    field.weights = FieldWeights { cutoff: file.cutoff, neutral: file.neutral };
    let placed = |place: &str, error: FieldError| FieldFileError::Field { place: place.to_owned(), error };
    for database in &file.database {
        field.add_database(&database.name, database.axes, database.slots).map_err(|e| placed(&database.name, e))?;
    }
    for segment in &file.segment {
        let named = file.database.iter().position(|database| database.name == segment.database);
        let database = named.ok_or_else(|| unknown("database", &segment.database))?;
        let slots: Result<Vec<Slot>, FieldFileError> = segment.slots.iter().map(|name| slot(rig, name)).collect();
        let axes: Result<Vec<StateAxis>, FieldFileError> = segment
            .axis
            .iter()
            .map(|axis| Ok(StateAxis { state: state(rig, &axis.state)?, range: axis.range }))
            .collect();
        let new = FieldSegment { name: segment.name.clone(), axes: axes?, database, slots: slots? };
        field.add_segment(new).map_err(|error| placed(&segment.name, error))?;
    }
    for (i, database) in file.database.iter().enumerate() {
        for (k, entry) in database.entry.iter().enumerate() {
            let place = format!("entry {} of {}", k + 1, database.name);
            let turn = |slot: usize| Vec3::from(entry.turns_deg[slot].map(f32::to_radians));
            let slide = |slot: usize| entry.slides.get(slot).map_or(Vec3A::ZERO, |slide| Vec3A::from_array(*slide));
            let changes: Vec<Change> =
                (0..entry.turns_deg.len()).map(|slot| Change { turn: turn(slot), slide: slide(slot) }).collect();
            // Any segment of it measures by the same axes; without one there is nothing to measure by.
            let segment = field.segments().iter().position(|segment| segment.database == i);
            let segment = segment.ok_or_else(|| unknown("segment of database", &database.name))?;
            field.insert(segment, &entry.state, &changes).map_err(|error| placed(&place, error))?;
        }
    }
    Ok(field)
}

/// A motion field of a rig as text.
#[must_use]
pub fn write(field: &MotionField, rig: &Rig) -> String {
    let database = |i: usize| {
        let database = &field.databases()[i];
        let entry = |entry: &surefoot::stages::FieldEntry| Entry {
            state: entry.state.clone(),
            turns_deg: entry.changes.iter().map(|change| change.turn.to_array().map(f32::to_degrees)).collect(),
            slides: match entry.changes.iter().all(|change| change.slide == Vec3A::ZERO) {
                true => Vec::new(),
                false => entry.changes.iter().map(|change| change.slide.to_array()).collect(),
            },
        };
        Database {
            name: database.name.clone(),
            axes: database.axes(),
            slots: database.slots(),
            entry: database.entries().iter().map(entry).collect(),
        }
    };
    let ankle = |leg: LegId| rig.skeleton.name(rig.legs[leg.index()].ankle()).to_owned();
    let state = |state: FieldState| match state {
        FieldState::Slope => "slope".to_owned(),
        FieldState::Turning => "turning".to_owned(),
        FieldState::Speed => "speed".to_owned(),
        FieldState::Phase => "phase".to_owned(),
        FieldState::FootAside(leg) => format!("aside:{}", ankle(leg)),
        FieldState::FootUp(leg) => format!("up:{}", ankle(leg)),
        FieldState::FootAhead(leg) => format!("ahead:{}", ankle(leg)),
    };
    let segment = |segment: &FieldSegment| Segment {
        name: segment.name.clone(),
        database: field.databases()[segment.database].name.clone(),
        slots: segment
            .slots
            .iter()
            .map(|slot| match slot {
                Slot::Joint(joint) => rig.skeleton.name(*joint).to_owned(),
                Slot::Goal(leg) => format!("goal:{}", ankle(*leg)),
            })
            .collect(),
        axis: segment.axes.iter().map(|axis| Axis { state: state(axis.state), range: axis.range }).collect(),
    };
    let file = File {
        version: VERSION,
        cutoff: field.weights.cutoff,
        neutral: field.weights.neutral,
        database: (0..field.databases().len()).map(database).collect(),
        segment: field.segments().iter().map(segment).collect(),
    };
    toml::to_string(&file).expect("plain numbers and names")
}

fn unknown(what: &'static str, name: &str) -> FieldFileError {
    FieldFileError::Name { what, name: name.to_owned() }
}

fn leg(rig: &Rig, name: &str) -> Result<LegId, FieldFileError> {
    let found = rig.legs().find(|(_, leg)| rig.skeleton.name(leg.ankle()) == name);
    found.map(|(id, _)| id).ok_or_else(|| unknown("ankle", name))
}

fn slot(rig: &Rig, name: &str) -> Result<Slot, FieldFileError> {
    match name.strip_prefix("goal:") {
        Some(ankle) => Ok(Slot::Goal(leg(rig, ankle)?)),
        None => rig.skeleton.find(name).map(Slot::Joint).ok_or_else(|| unknown("joint", name)),
    }
}

fn state(rig: &Rig, text: &str) -> Result<FieldState, FieldFileError> {
    Ok(match text.split_once(':') {
        None if text == "slope" => FieldState::Slope,
        None if text == "turning" => FieldState::Turning,
        None if text == "speed" => FieldState::Speed,
        None if text == "phase" => FieldState::Phase,
        Some(("aside", ankle)) => FieldState::FootAside(leg(rig, ankle)?),
        Some(("up", ankle)) => FieldState::FootUp(leg(rig, ankle)?),
        Some(("ahead", ankle)) => FieldState::FootAhead(leg(rig, ankle)?),
        _ => return Err(FieldFileError::State(text.to_owned())),
    })
}
