//! Paths over a floor as text: points `x,z` in metres, one on a line or with spaces between, straight in between.

use surefoot::glam::Vec2;

/// The farthest that a point may be from the origin, metres: farther off, places are not fine enough for feet.
const FAR: f32 = 1e4;
/// The most points of a path.
const MOST: usize = 10_000;

/// Why a text is no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathFileError {
    /// Something that is no point.
    #[error("{text:?} is not a point: give x,z in metres, without a space, up to {FAR} from the origin")]
    Point {
        /// What is there; the beginning of it.
        text: String,
    },
    /// Too few points, or too many.
    #[error("a path has from 2 to {MOST} points x,z, such as \"0,0 0,6 4,10\"; {found} are given")]
    Points {
        /// How many there are.
        found: usize,
    },
}

/// Reads points with white space or semicolons between; what follows a `#` on its line is left out.
///
/// # Errors
/// If a point is none, or there are fewer than two or too many.
pub fn read(text: &str) -> Result<Vec<Vec2>, PathFileError> {
    let plain = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let parts = plain.flat_map(|line| line.split(|c: char| c.is_whitespace() || c == ';'));
    let points = parts.filter(|part| !part.is_empty()).map(point).collect::<Result<Vec<Vec2>, _>>()?;
    match points.len() {
        2..=MOST => Ok(points),
        found => Err(PathFileError::Points { found }),
    }
}

fn point(text: &str) -> Result<Vec2, PathFileError> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(str::parse).collect();
    match numbers.as_deref() {
        Ok(&[x, z]) if x.abs() <= FAR && z.abs() <= FAR => Ok(Vec2::new(x, z)),
        _ => Err(PathFileError::Point { text: text.chars().take(40).collect() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_however_they_are_parted() {
        let points = vec![Vec2::new(0.0, 0.0), Vec2::new(-1.5, 2e3)];
        for text in ["0,0 -1.5,2e3", "0,0;-1.5,2e3", "# a path\n0,0 # here\n\n-1.5,2000\n", "0,0\t-1.5,2e3 ;"] {
            assert_eq!(read(text), Ok(points.clone()), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_path_is_told() {
        for text in ["0,0 nan,1", "0,0 1e30,3", "0,0 inf,0", "0,0 1,2,3", "0,0 a", "0,0 1, 2"] {
            let told = read(text).unwrap_err();
            assert!(matches!(told, PathFileError::Point { .. }), "{text:?}: {told}");
        }
        for (text, found) in [("", 0), ("# 0,0 1,1", 0), ("1,2", 1)] {
            assert_eq!(read(text), Err(PathFileError::Points { found }), "{text:?}");
        }
        let told = read(&"9".repeat(1_000_000)).unwrap_err().to_string();
        assert!(told.len() < 200, "{} characters", told.len());
    }
}
