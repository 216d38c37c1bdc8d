//! A floor path as it is typed, or as a file has it.

use surefoot::glam::Vec2;
use surefoot::plan::Path;

/// A path and what it is called.
#[derive(Clone, Debug)]
pub(crate) struct TypedPath {
    pub(crate) path: Path,
    pub(crate) name: String,
}

/// The farthest that a point may be from the origin, metres.
const FAR: f32 = 1e4;
/// The most points of a path.
const MOST: usize = 10_000;
/// The longest path, metres: a quarter of an hour's walk.
const LONGEST: f32 = 1000.0;

/// Points "x,z x,z" (or with semicolons between), or a file with one on each line; what follows a # is no point.
pub(super) fn typed_path(text: &str) -> Result<TypedPath, String> {
    let file = std::path::Path::new(text.trim());
    let (lines, name) = match file.is_file() {
        true => {
            let read = std::fs::read_to_string(file).map_err(|error| format!("{text}: {error}"))?;
            (read, file.file_stem().map(|stem| stem.to_string_lossy().into_owned()))
        }
        false => (text.to_owned(), None),
    };
    let plain = lines.lines().map(|line| line.split('#').next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    let parts = plain.split(|c: char| c.is_whitespace() || c == ';').filter(|part| !part.is_empty());
    let points = parts.map(point).collect::<Result<Vec<Vec2>, _>>()?;
    if !(2..=MOST).contains(&points.len()) {
        return Err(format!(
            "a path has from 2 to {MOST} points x,z, such as \"0,0 0,6 4,10\"; {} are given",
            points.len()
        ));
    }
    let path = Path::on_floor(&points);
    match path.length() <= LONGEST {
        true => Ok(TypedPath { path, name: name.unwrap_or_else(|| "walk".into()) }),
        false => Err(format!("a path of {:.0} m: the longest is {LONGEST} m", path.length())),
    }
}

fn point(text: &str) -> Result<Vec2, String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(str::parse).collect();
    match numbers.as_deref() {
        Ok(&[x, z]) if x.abs() <= FAR && z.abs() <= FAR => Ok(Vec2::new(x, z)),
        _ => Err(format!("{text:?} is no point: give x,z in metres, without a space, up to {FAR} from the origin")),
    }
}
