//! Numbers on the command line: each option says which it takes, and others are refused by name before any work.

use std::ops::RangeInclusive;
use surefoot::glam::{DVec2, DVec3};
use surefoot_io::world::FileFrame;

/// The largest coordinate of a place in a world file's own numbers, metres: maps count from the equator.
pub(crate) const FARTHEST: f64 = 1e8;
/// The farthest from where a world's own origin is put that a place may be, metres: beyond it numbers are not fine enough for
/// feet.
pub(crate) const FAR: f32 = 1e5;

/// The most joint transforms that a result may have: a gigabyte of them.
pub(crate) const MOST_TRANSFORMS: f64 = 3.3e7;

/// A number within bounds; `what` it is and its unit are for the message.
pub(crate) fn within(
    what: &'static str,
    bounds: RangeInclusive<f32>,
) -> impl Fn(&str) -> Result<f32, String> + Clone + Send + Sync + 'static {
    move |text| match text.trim().parse::<f32>() {
        Ok(value) if bounds.contains(&value) => Ok(value),
        _ => Err(format!("{what} is a number from {} to {}", bounds.start(), bounds.end())),
    }
}

/// Frames a second.
pub(crate) fn frame_rate(text: &str) -> Result<f32, String> {
    within("a frame rate", 0.01..=10_000.0)(text)
}

/// A speed, m/s.
pub(crate) fn speed(text: &str) -> Result<f32, String> {
    within("a speed in m/s", 0.01..=100.0)(text)
}

/// An angle, degrees.
pub(crate) fn degrees(text: &str) -> Result<f32, String> {
    within("an angle in degrees", -3600.0..=3600.0)(text)
}

/// A moment or a length of time, seconds.
pub(crate) fn seconds(text: &str) -> Result<f32, String> {
    within("a time in seconds", 0.0..=1e5)(text)
}

/// A place as it is typed, in the world file's own numbers; in f64, as far worlds have more digits than an f32.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    /// On the floor: the two numbers that are no height.
    Floor(DVec2),
    /// All three numbers.
    Whole(DVec3),
}

impl Place {
    /// Where that is in a world.
    pub(crate) fn here(self, frame: &FileFrame) -> DVec3 {
        match self {
            Self::Floor(place) => frame.floor_place(place),
            Self::Whole(place) => frame.place(place),
        }
    }
}

/// A place `x,z` on the floor or `x,y,z`.
pub(crate) fn place(text: &str) -> Result<Place, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse::<f64>()).collect();
    let near = |numbers: &[f64]| numbers.iter().all(|x| x.abs() <= FARTHEST);
    match numbers.as_deref() {
        Ok(&[x, z]) if near(&[x, z]) => Ok(Place::Floor(DVec2::new(x, z))),
        Ok(&[x, y, z]) if near(&[x, y, z]) => Ok(Place::Whole(DVec3::new(x, y, z))),
        _ => Err(format!("{text:?} is not a place: give two numbers x,z or three x,y,z in metres")),
    }
}
