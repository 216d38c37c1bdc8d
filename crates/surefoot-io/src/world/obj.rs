//! OBJ text to polygons, in the file's own unit and axes.

use super::polygons::{Face, Polygons};
use crate::lines::{Lines, Word};
use crate::number::shorten;
use crate::{ImportError, Warning};
use std::collections::BTreeMap;
use surefoot::glam::DVec3;

/// The most points and corners of polygons that a file may have.
const MOST: usize = 1 << 27;
/// What OBJ files may hold that is no surface: normals, texture places, materials, points, lines.
const SILENT: [&str; 9] = ["vn", "vt", "usemtl", "s", "p", "l", "usemap", "vp", "lod"];

pub(super) fn parse(bytes: &[u8]) -> Result<Polygons, ImportError> {
    let mut lines = Lines::obj(bytes);
    let mut polygons = Polygons::new("OBJ");
    let mut ignored: BTreeMap<&[u8], (usize, usize)> = BTreeMap::new();
    let (mut words, mut last_face) = (Vec::new(), None);
    // A corner may name a point that comes later; the farthest of them is looked at when all are there.
    let mut farthest: Option<(u32, Word<'_>)> = None;
    while lines.next(&mut words) {
        let key = words[0];
        match key.text {
            b"v" => {
                polygons.points.push(DVec3::from(lines.numbers::<3>(&words, "a point")?));
            }
            b"f" | b"fo" => {
                for word in &words[1..] {
                    let corner = corner(&lines, *word, polygons.points.len())?;
                    polygons.corners.push(corner);
                    if farthest.is_none_or(|(most, _)| corner > most) {
                        farthest = Some((corner, *word));
                    }
                }
                polygons.faces.push(Face { end: polygons.corners.len(), line: Some(lines.line_of(key)) });
                last_face = Some(key);
            }
            b"g" | b"o" => {
                let names: Vec<String> = words[1..].iter().map(|word| word.to_text()).collect();
                polygons.groups.push((names.join(" "), polygons.faces.len()));
            }
            b"mtllib" => polygons.libraries.extend(words[1..].iter().map(|word| word.to_text())),
            _ if SILENT.iter().any(|silent| key.is(silent)) => {}
            _ => {
                let line = ignored.get(key.text).map_or_else(|| lines.line_of(key), |(line, _)| *line);
                ignored.entry(key.text).or_insert((line, 0)).1 += 1;
                // A text of another kind has nothing but words like these.
                if ignored.len() > 64 {
                    return Err(lines.error("not an OBJ file: too many lines that mean nothing in one", key));
                }
            }
        }
        if polygons.points.len().max(polygons.corners.len()) > MOST {
            return Err(lines.error(format!("more than {MOST} points or corners"), key));
        }
    }
    if let Some((most, word)) = farthest.filter(|(most, _)| *most as usize >= polygons.points.len()) {
        let what = format!("a corner names point {}; the file has {}", u64::from(most) + 1, polygons.points.len());
        return Err(lines.error(what, word));
    }
    if last_face.is_none() {
        let stray = ignored.iter().min_by_key(|(_, (line, _))| *line);
        let why = stray.map(|(word, (line, _))| format!("; line {line} starts with {}", shorten(word)));
        return Err(lines.error_at_end(format!("no OBJ world: it has no face (f){}", why.unwrap_or_default())));
    }
    let note = |(keyword, (line, count)): (&[u8], (usize, usize))| {
        let keyword: String = String::from_utf8_lossy(keyword).chars().take(24).collect();
        Warning::Ignored { line, keyword, count }
    };
    polygons.warnings.extend(ignored.into_iter().map(note));
    Ok(polygons)
}

/// The point that a corner such as `7`, `7/1/3`, `7//3` or `-1` names, counted from 0.
fn corner(lines: &Lines<'_>, word: Word<'_>, points: usize) -> Result<u32, ImportError> {
    let index = word.text.split(|b| *b == b'/').next().unwrap_or_default();
    let value = std::str::from_utf8(index).ok().and_then(|text| text.parse::<i64>().ok());
    let digits = !index.is_empty() && index.iter().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+'));
    match value {
        Some(0) => Err(lines.error("a corner names point 0; points are counted from 1", word)),
        Some(value) if value > 0 && value <= 1 << 31 => Ok((value - 1) as u32),
        // Negative ones count back from the last point so far.
        Some(value) if value < 0 && value.unsigned_abs() <= points as u64 => {
            Ok((points as u64 - value.unsigned_abs()) as u32)
        }
        Some(value) if value < 0 => {
            Err(lines.error(format!("a corner names point {value}, and there are {points} so far"), word))
        }
        _ if digits => Err(lines.error(format!("there is no point {}", shorten(index)), word)),
        _ => {
            Err(lines
                .error(format!("{} is not a corner of a face: give the number of a point", shorten(word.text)), word))
        }
    }
}
