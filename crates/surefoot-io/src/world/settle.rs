//! Polygons to a world: unit, axes, the place of the origin, triangles.

use super::polygon::{Cut, cut};
use super::polygons::Polygons;
use super::{FileFrame, WorldImport, WorldSettings};
use crate::unit::{Axis, Unit};
use crate::{ImportError, Inferred, Warning};
use surefoot::glam::{DVec3, Vec3};
use surefoot::stages::Group;
use surefoot::world::TriangleSoup;

/// A world farther from the origin than this, and than it is large, is brought there: `f32` is coarser than 0.06 mm
/// beyond. Metres.
const FAR: f64 = 1000.0;

pub(super) fn settle(mut polygons: Polygons, settings: &WorldSettings) -> Result<WorldImport, ImportError> {
    let reason = || match polygons.format {
        "glTF" => "glTF's own".to_owned(),
        format => format!("assumed: {format} files say none"),
    };
    let unit = match settings.unit {
        Some(stated) => Inferred { value: stated, reason: "stated".into() },
        None => Inferred { value: Unit::Metre, reason: reason() },
    };
    let up = match settings.up {
        Some(stated) => Inferred { value: stated, reason: "stated".into() },
        None => Inferred { value: Axis::Y, reason: reason() },
    };
    let frame = FileFrame::new(unit.value, up.value, DVec3::ZERO);
    polygons.points.iter_mut().for_each(|point| *point = frame.place(*point));
    let offset = offset(&polygons);
    let positions: Vec<Vec3> = polygons.points.iter().map(|point| (*point - offset).as_vec3()).collect();
    let mut warnings = std::mem::take(&mut polygons.warnings);
    let (triangles, groups) = triangulate(&polygons, &positions, &mut warnings);
    let mesh = TriangleSoup::new(positions, triangles, groups).map_err(|error| ImportError::new(error.to_string()))?;
    if mesh.triangles().is_empty() {
        return Err(ImportError::new("no face has an area: there is no world to stand on"));
    }
    if settings.up.is_none() {
        note_level(&mesh, &mut warnings);
    }
    Ok(WorldImport { format: polygons.format, mesh, offset, unit, up, warnings })
}

/// What to take off a far world: the middle of its corners in whole metres, per axis where that is far.
fn offset(polygons: &Polygons) -> DVec3 {
    let corners = || polygons.corners.iter().map(|corner| polygons.points[*corner as usize]);
    let (Some(low), Some(high)) = (corners().reduce(DVec3::min), corners().reduce(DVec3::max)) else {
        return DVec3::ZERO;
    };
    let (middle, size) = (0.5 * (low + high), high - low);
    let axis = |i: usize| {
        let far = middle[i].abs() > FAR && middle[i].abs() > size.max_element();
        if far { middle[i].round() } else { 0.0 }
    };
    DVec3::new(axis(0), axis(1), axis(2))
}

fn triangulate(polygons: &Polygons, positions: &[Vec3], warnings: &mut Vec<Warning>) -> (Vec<[u32; 3]>, Vec<Group>) {
    let mut triangles: Vec<[u32; 3]> = Vec::with_capacity(polygons.faces.len());
    let mut groups: Vec<Group> = Vec::new();
    let mut names = polygons.groups.iter().peekable();
    // How many, and the line of the first.
    let (mut flat, mut crossing) = ((0, None), (0, None));
    let mut from = 0;
    for (index, face) in polygons.faces.iter().enumerate() {
        // The last name before the face holds.
        while let Some((name, _)) = names.next_if(|(_, first)| *first <= index) {
            let first = triangles.len();
            groups.push(Group { name: name.clone(), triangles: first..first });
        }
        let corners = &polygons.corners[from..face.end];
        from = face.end;
        let note =
            |count: &mut (usize, Option<usize>)| *count = (count.0 + 1, if count.0 == 0 { face.line } else { count.1 });
        match cut(corners, |corner| positions[corner as usize].as_dvec3(), &mut triangles) {
            Cut::Whole => {}
            Cut::Crossing => note(&mut crossing),
            Cut::Nothing => note(&mut flat),
        }
        if let Some(group) = groups.last_mut() {
            group.triangles.end = triangles.len();
        }
    }
    groups.retain(|group| !group.triangles.is_empty());
    if flat.0 > 0 {
        warnings.push(Warning::FlatFaces { count: flat.0, line: flat.1 });
    }
    if crossing.0 > 0 {
        warnings.push(Warning::CrossingFaces { count: crossing.0, line: crossing.1 });
    }
    (triangles, groups)
}

/// Warns where the ground seems to be along another axis, or to face down.
fn note_level(mesh: &TriangleSoup, warnings: &mut Vec<Warning>) {
    let normals = || (0..mesh.triangles().len()).map(|triangle| mesh.normal(triangle).as_dvec3());
    let all: DVec3 = normals().map(DVec3::abs).sum();
    let upward: f64 = normals().map(|n| n.y.max(0.0)).sum();
    let downward: f64 = normals().map(|n| (-n.y).max(0.0)).sum();
    if all.z > 3.0 * all.y {
        warnings.push(Warning::LevelElsewhere { axis: Axis::Z });
    } else if downward > 3.0 * upward {
        warnings.push(Warning::FacesDown);
    }
}
