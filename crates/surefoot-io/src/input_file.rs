//! Recorded input as files: what a player wanted of a live character, moment by moment, as a table with commas.
//!
//! ```csv
//! # time, where it should go (m/s over the floor of the world), where it should face (degrees, left positive)
//! time, x, z, facing
//! 0.0, 0.0, 1.2, 0
//! 2.5, 0.6, 1.0, 30
//! 4.0, 0.0, 0.0,
//! ```
//!
//! Each row holds until the next. `facing` may be left out or empty: it faces as it did. `style` and `action` name a manner and a
//! clip that is played from that row until one without it.

use surefoot::glam::Vec2;

/// What was wanted from a moment on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputRow {
    /// From when on, seconds.
    pub time: f32,
    /// Where it should go, m/s over the floor of the world (x, z).
    pub velocity: Vec2,
    /// Where it should face, radians, left positive.
    pub facing: Option<f32>,
    /// The name of a manner.
    pub style: Option<String>,
    /// The name of a clip that is played.
    pub action: Option<String>,
}

/// Recorded input: rows in the order of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedInput {
    rows: Vec<InputRow>,
}

/// Why a text is no recorded input.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {what}")]
#[non_exhaustive]
pub struct InputFileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// The fastest that somebody may want to go, m/s, and the longest recording, seconds.
const FASTEST: f32 = 100.0;
const LONGEST: f32 = 3600.0;
/// The most rows: an hour at 1000 Hz.
const MOST: usize = 3_600_000;
/// Columns that there are.
const COLUMNS: [&str; 6] = ["time", "x", "z", "facing", "style", "action"];

impl RecordedInput {
    /// Its rows.
    #[must_use]
    pub fn rows(&self) -> &[InputRow] {
        &self.rows
    }

    /// What is wanted at a time, seconds; the first row before it, and the last after it.
    #[must_use]
    pub fn at(&self, time: f32) -> &InputRow {
        &self.rows[self.rows.partition_point(|row| row.time <= time).max(1) - 1]
    }

    /// When its last row begins, seconds.
    #[must_use]
    pub fn end(&self) -> f32 {
        self.rows[self.rows.len() - 1].time
    }
}

/// Reads recorded input.
///
/// # Errors
/// The first line that is wrong, and why.
pub fn read(text: &str) -> Result<RecordedInput, InputFileError> {
    let mut columns: Option<Vec<&str>> = None;
    let mut rows: Vec<InputRow> = Vec::new();
    let mut last = 0;
    for (index, line) in text.lines().enumerate() {
        let wrong = |what: String| InputFileError { line: index + 1, what };
        last = index + 1;
        let line = line.split('#').next().unwrap_or_default().trim().trim_start_matches('\u{feff}');
        if line.is_empty() {
            continue;
        }
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let Some(columns) = &columns else {
            columns = Some(head(&cells).map_err(wrong)?);
            continue;
        };
        let row = row(columns, &cells).map_err(wrong)?;
        if let Some(before) = rows.last().filter(|before| before.time >= row.time) {
            return Err(wrong(format!("time {} comes after {}: times must grow", row.time, before.time)));
        }
        if rows.len() == MOST {
            return Err(wrong(format!("more than {MOST} rows")));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(InputFileError { line: last.max(1), what: "there is no row of input".into() });
    }
    Ok(RecordedInput { rows })
}

/// The columns of a head.
fn head<'a>(cells: &[&'a str]) -> Result<Vec<&'a str>, String> {
    for (i, cell) in cells.iter().enumerate() {
        if !COLUMNS.contains(cell) {
            return Err(format!("column {cell:?} is not known: there are {}", COLUMNS.join(", ")));
        }
        if cells[..i].contains(cell) {
            return Err(format!("column {cell:?} is there twice"));
        }
    }
    match ["time", "x", "z"].iter().find(|column| !cells.contains(column)) {
        Some(lacking) => {
            Err(format!("there is no column {lacking:?}: the first line names columns, at least time, x, z"))
        }
        None => Ok(cells.to_vec()),
    }
}

fn row(columns: &[&str], cells: &[&str]) -> Result<InputRow, String> {
    if cells.len() != columns.len() {
        return Err(format!("{} cells under {} columns", cells.len(), columns.len()));
    }
    let cell = |name: &str| columns.iter().position(|column| *column == name).map_or("", |at| cells[at]);
    let number = |name: &str, low: f32, high: f32| match cell(name).parse::<f32>() {
        Ok(value) if (low..=high).contains(&value) => Ok(value),
        _ => Err(format!("{name} {:?} is not a number from {low} to {high}", cell(name))),
    };
    let named = |name: &str| Some(cell(name)).filter(|text| !text.is_empty()).map(str::to_owned);
    let facing = if cell("facing").is_empty() { None } else { Some(number("facing", -3600.0, 3600.0)?.to_radians()) };
    Ok(InputRow {
        time: number("time", 0.0, LONGEST)?,
        velocity: Vec2::new(number("x", -FASTEST, FASTEST)?, number("z", -FASTEST, FASTEST)?),
        facing,
        style: named("style"),
        action: named("action"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_until_the_next() {
        let text = "# a walk\ntime, x, z, facing, action\n0, 0, 1.2, 90,\n2.5, 0.5, 1, , Jump # off\n\n4, 0, 0, ,\n";
        let input = read(text).unwrap();
        assert_eq!(input.rows().len(), 3);
        assert_eq!(input.at(-1.0), &input.rows()[0]);
        assert!((input.at(1.0).facing.unwrap() - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        assert_eq!(input.at(2.5).action.as_deref(), Some("Jump"));
        assert_eq!((input.at(9.0).velocity, input.at(9.0).action.as_deref(), input.end()), (Vec2::ZERO, None, 4.0));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, line, part) in [
            ("", 1, "no row"),
            ("time,x\n", 1, "\"z\""),
            ("time,x,z,speed\n", 1, "\"speed\""),
            ("time,x,z,x\n", 1, "twice"),
            ("time,x,z\n0,0\n", 2, "2 cells under 3"),
            ("time,x,z\n0,0,0\n1,NaN,0\n", 3, "x \"NaN\""),
            ("time,x,z\n0,0,1e9\n", 2, "from -100 to 100"),
            ("# c\n\ntime,x,z\n1,0,0\n1,0,0\n", 5, "times must grow"),
            ("time,x,z,facing\n0,0,0,north\n", 2, "facing \"north\""),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.to_string().contains(part), "{text:?}: {error}");
        }
    }
}
