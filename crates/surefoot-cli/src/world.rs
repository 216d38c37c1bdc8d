//! What `surefoot inspect` says of a world.

use crate::input::said_unit;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use surefoot_io::world::{WorldImport, WorldSettings, load};
use surefoot_io::{LoadError, Warning};
use surefoot_view::report::counted;

/// Groups shown at length; the rest are counted.
const SHOWN_GROUPS: usize = 12;

/// A file and what became of it.
pub(crate) struct World<'a> {
    path: &'a Path,
    pub(crate) import: Result<WorldImport, LoadError>,
}

pub(crate) fn load_all<'a>(paths: &'a [PathBuf], settings: &WorldSettings) -> Vec<World<'a>> {
    paths.iter().map(|path| World { path, import: load(path, settings) }).collect()
}

/// The report for a person; `None` if it could not be read.
pub(crate) fn at_length(world: &World<'_>) -> Option<String> {
    let WorldImport { format, mesh, offset, unit, up, warnings } = world.import.as_ref().ok()?;
    let mut out = String::new();
    let (triangles, points) = (mesh.triangles().len(), mesh.positions().len());
    let _ = writeln!(
        out,
        "{}: {format}, {}, {}",
        world.path.display(),
        counted(triangles, "triangle"),
        counted(points, "point")
    );
    let mut row = |label: &str, text: String| {
        let _ = writeln!(out, "  {label:10} {text}");
    };
    row("unit", said_unit(unit.value, &unit.reason));
    row("up", format!("{} ({})", up.value, up.reason));
    let [low, high] = mesh.bounds().unwrap_or_default();
    let size = high - low;
    row("size", format!("{:.2} × {:.2} × {:.2} m (x, height, z)", size.x, size.y, size.z));
    row("from", format!("{:.2}, {:.2}, {:.2} m to {:.2}, {:.2}, {:.2} m", low.x, low.y, low.z, high.x, high.y, high.z));
    if offset.length() > 0.0 {
        row("offset", format!("{}, {}, {} m taken off: it lies far from the origin", offset.x, offset.y, offset.z));
    }
    let shown = mesh.groups().iter().take(SHOWN_GROUPS).map(|g| format!("{} ({})", g.name, g.triangles.len()));
    let more = mesh.groups().len().saturating_sub(SHOWN_GROUPS);
    let more = (more > 0).then(|| format!("and {more} more"));
    let groups: Vec<String> = shown.chain(more).collect();
    row("groups", if groups.is_empty() { "none".into() } else { groups.join(", ") });
    for warning in warnings {
        let _ = writeln!(out, "  warning: {warning}");
    }
    Some(out)
}

/// The report for a program.
pub(crate) fn to_json(world: &World<'_>) -> Value {
    let file = world.path.display().to_string();
    let WorldImport { format, mesh, offset, unit, up, warnings } = match &world.import {
        Ok(import) => import,
        Err(error) => return json!({ "file": file, "error": error.to_string() }),
    };
    let [low, high] = mesh.bounds().unwrap_or_default();
    let groups = mesh.groups().iter().map(|g| json!({ "name": g.name, "triangles": g.triangles.len() }));
    let warning = |w: &Warning| json!({ "code": w.code(), "text": w.to_string() });
    json!({
        "file": file,
        "format": format,
        "triangles": mesh.triangles().len(),
        "points": mesh.positions().len(),
        "metres_per_unit": unit.value.metres(),
        "unit": { "value": unit.value.to_string(), "reason": unit.reason },
        "up": { "value": up.value.to_string(), "reason": up.reason },
        "low_m": low.to_array(),
        "high_m": high.to_array(),
        "offset_m": offset.to_array(),
        "groups": groups.collect::<Vec<_>>(),
        "warnings": warnings.iter().map(warning).collect::<Vec<_>>(),
    })
}
