//! Every number of a scene file checked, with its line; unknown keys with the nearest known one.

use super::file::Numbers;
use crate::ImportError;
use std::ops::RangeInclusive;
use surefoot::glam::{DVec3, Vec2};
use toml::Spanned;

/// A text, to say where in it something is wrong.
pub(super) struct Text<'a>(pub(super) &'a str);

/// Coordinates beyond this are a mistake, metres.
const FAR: f64 = 1e6;

impl Text<'_> {
    /// An error at an entry.
    pub(super) fn fail<T>(&self, entry: &Spanned<T>, what: impl Into<String>) -> ImportError {
        self.at(entry.span(), what)
    }

    fn at(&self, span: std::ops::Range<usize>, what: impl Into<String>) -> ImportError {
        ImportError::at(what, self.0.as_bytes(), span.start, span.end)
    }

    /// A number within its limits.
    pub(super) fn number(
        &self,
        name: &str,
        entry: &Spanned<f64>,
        allowed: RangeInclusive<f64>,
        unit: &str,
    ) -> Result<f32, ImportError> {
        let value = *entry.get_ref();
        if allowed.contains(&value) {
            return Ok(value as f32);
        }
        let (low, high) = (allowed.start(), allowed.end());
        Err(self.fail(entry, format!("{name} is {value}; it must be {low} to {high} {unit}")))
    }

    /// A floor point or size (x, z).
    pub(super) fn floor_point(&self, name: &str, entry: &Numbers) -> Result<Vec2, ImportError> {
        match entry.get_ref()[..] {
            [x, z] if near(&[x, z]) => Ok(Vec2::new(x as f32, z as f32)),
            _ => Err(self.wrong(name, entry, "[x, z]")),
        }
    }

    /// A size (x, z) that is more than nothing.
    pub(super) fn size(&self, name: &str, entry: &Numbers) -> Result<Vec2, ImportError> {
        let size = self.floor_point(name, entry)?;
        let positive = size.min_element() >= 1e-3;
        if positive { Ok(size) } else { Err(self.wrong(name, entry, "[x, z], each at least 0.001,")) }
    }

    /// A place (x, z) on the floor or (x, y, z).
    pub(super) fn place(&self, name: &str, entry: &Numbers) -> Result<DVec3, ImportError> {
        match entry.get_ref()[..] {
            [x, z] if near(&[x, z]) => Ok(DVec3::new(x, 0.0, z)),
            [x, y, z] if near(&[x, y, z]) => Ok(DVec3::new(x, y, z)),
            _ => Err(self.wrong(name, entry, "[x, z] or [x, y, z]")),
        }
    }

    fn wrong(&self, name: &str, entry: &Numbers, form: &str) -> ImportError {
        let found = list(entry.get_ref());
        self.fail(entry, format!("{name} is {found}; it must be {form} in metres, within ±{FAR}"))
    }

    /// Corners (x, z) of a polygon.
    pub(super) fn corners(&self, name: &str, entry: &Spanned<Vec<Vec<f64>>>) -> Result<Vec<Vec2>, ImportError> {
        let corner = |(i, numbers): (usize, &Vec<f64>)| match numbers[..] {
            [x, z] if near(&[x, z]) => Ok(Vec2::new(x as f32, z as f32)),
            _ => {
                let found = list(numbers);
                let what = format!("{name}: corner {} is {found}; it must be [x, z] in metres, within ±{FAR}", i + 1);
                Err(self.fail(entry, what))
            }
        };
        entry.get_ref().iter().enumerate().map(corner).collect()
    }

    /// Places (x, z) at height 0, or (x, y, z).
    pub(super) fn places(&self, name: &str, entry: &Spanned<Vec<Vec<f64>>>) -> Result<Vec<DVec3>, ImportError> {
        let place = |(i, numbers): (usize, &Vec<f64>)| match numbers[..] {
            [x, z] if near(&[x, z]) => Ok(DVec3::new(x, 0.0, z)),
            [x, y, z] if near(&[x, y, z]) => Ok(DVec3::new(x, y, z)),
            _ => {
                let (form, found) = ("[x, z] or [x, y, z] in metres", list(numbers));
                let what = format!("{name}: corner {} is {found}; it must be {form}, within ±{FAR}", i + 1);
                Err(self.fail(entry, what))
            }
        };
        entry.get_ref().iter().enumerate().map(place).collect()
    }

    /// Keys of a track: [time, x, z] or [time, x, y, z].
    pub(super) fn keys(&self, name: &str, entry: &Spanned<Vec<Vec<f64>>>) -> Result<Vec<(f64, DVec3)>, ImportError> {
        let key = |(i, numbers): (usize, &Vec<f64>)| match numbers[..] {
            [time, x, z] if near(&[time, x, z]) => Ok((time, DVec3::new(x, 0.0, z))),
            [time, x, y, z] if near(&[time, x, y, z]) => Ok((time, DVec3::new(x, y, z))),
            _ => {
                let form = "[seconds, x, z] or [seconds, x, y, z] in metres";
                let what = format!("{name}: key {} is {}; it must be {form}, within ±{FAR}", i + 1, list(numbers));
                Err(self.fail(entry, what))
            }
        };
        entry.get_ref().iter().enumerate().map(key).collect()
    }

    /// What the TOML reader says, with the line itself, and the nearest known key for one that is not known.
    pub(super) fn syntax(&self, error: &toml::de::Error) -> ImportError {
        let message = error.message();
        let what = unknown(message).unwrap_or_else(|| message.chars().take(400).collect());
        match error.span() {
            Some(span) => self.at(span, what),
            None => ImportError::new(what),
        }
    }
}

fn near(numbers: &[f64]) -> bool {
    numbers.iter().all(|number| number.abs() <= FAR)
}

fn list(numbers: &[f64]) -> String {
    let shown: Vec<String> = numbers.iter().take(6).map(ToString::to_string).collect();
    format!("[{}{}]", shown.join(", "), if numbers.len() > 6 { ", …" } else { "" })
}

/// What to say of an unknown key, from serde's words: "unknown field `a`, expected one of `b`, `c`".
fn unknown(message: &str) -> Option<String> {
    let rest = message.strip_prefix("unknown field `")?;
    let (key, rest) = rest.split_once("`, expected")?;
    let known: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    let nearest = known.iter().min_by_key(|name| distance(key, name))?;
    let key: String = key.chars().take(40).collect();
    let hint = match distance(&key, nearest) <= 2 + key.chars().count() / 3 {
        true => format!("did you mean `{nearest}`?"),
        false => format!("known here: {}", known.join(", ")),
    };
    Some(format!("`{key}` is not a key here; {hint}"))
}

/// How many letters must be put in, taken out or changed to make one word another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(80).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
