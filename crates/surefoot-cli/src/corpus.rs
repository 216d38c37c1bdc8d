//! Everything below a folder as one table: what loads as what, and what is refused for which reason.

use crate::doctor::{self, headline};
use crate::failure::Failure;
use crate::input::{ImportArgs, StudyArgs};
use crate::output::ending;
use std::fmt::Write as _;
use std::path::PathBuf;
use surefoot_io::world::{self, WorldImport, is_world};
use surefoot_io::{Import, Severity, Warning, load};
use surefoot_view::report::counted;

/// Endings of the formats that are read: what such a file is refused for is worth saying.
const READ: [&str; 8] = ["amc", "asf", "bvh", "fbx", "glb", "gltf", "obj", "vrm"];

/// Files as they are; for a folder everything below it but hidden files, in order of names. Links are not followed.
pub(crate) fn expand(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in given {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        let mut folders = vec![path.clone()];
        while let Some(folder) = folders.pop() {
            let unreadable = |error| Failure::unusable(format!("{}: cannot read: {error}", folder.display()));
            for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                let hidden = entry.file_name().to_string_lossy().starts_with('.');
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && !hidden => folders.push(entry.path()),
                    Ok(kind) if kind.is_file() && !hidden => files.push(entry.path()),
                    _ => {}
                }
            }
        }
        files[before..].sort();
    }
    Ok(files)
}

/// The table in Markdown; names are relative to the folder they were found in.
pub(crate) fn table(
    given: &[PathBuf],
    files: &[PathBuf],
    import: &ImportArgs,
    study: &StudyArgs,
) -> Result<String, Failure> {
    let (settings, world_settings) = (import.settings(), import.world_settings());
    let mut out = String::from(
        "| file | format | outcome | joints | clips | frames | Hz | unit | legs | triangles | odd |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let (mut loaded, mut refused) = (0, 0);
    for file in files {
        let folder = given.iter().find(|folder| folder.is_dir() && file.starts_with(folder));
        let name = folder.and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file).display().to_string();
        let row = if is_world(file) {
            world::load(file, &world_settings).map(|world| world_row(&world))
        } else {
            match load(file, &settings) {
                Ok(import) => Ok(motion_row(&import, study)?),
                Err(error) => Err(error),
            }
        };
        let row = match row {
            Ok(row) => {
                loaded += 1;
                row
            }
            Err(error) => {
                refused += 1;
                // The folder is nobody's business but the reader's.
                let place = |folder: &PathBuf| format!("{}/", folder.display());
                let reason = if READ.contains(&ending(file).as_str()) {
                    headline(&error)
                } else {
                    "neither a motion file nor a world that surefoot reads".into()
                };
                let reason = folder.map_or(reason.clone(), |folder| reason.replace(&place(folder), ""));
                format!(".{} | refused: {} | | | | | | | | ", ending(file), cell(&reason))
            }
        };
        let _ = writeln!(out, "| `{}` | {row} |", cell(&name));
    }
    let _ = writeln!(out, "\n{}: {loaded} can be read, {refused} cannot.", counted(files.len(), "file"));
    Ok(out)
}

fn motion_row(import: &Import, study: &StudyArgs) -> Result<String, Failure> {
    let legs = doctor::legs(import, study)?.map_or_else(|_| "none".to_owned(), |rig| rig.legs.len().to_string());
    // That there are no legs has a column of its own.
    let findings = if legs == "none" { Vec::new() } else { doctor::study_findings(import, study)? };
    let decide = findings.iter().filter(|finding| finding.severity >= Severity::Decide).map(|finding| finding.code);
    let frames: usize = import.clips.iter().map(surefoot::motion::Clip::frames).sum();
    let rest = if import.source.rest_row { " + rest" } else { "" };
    let triangles = import.skin.as_ref().map(|skin| skin.triangles.len().to_string()).unwrap_or_default();
    Ok(format!(
        "{} | loads | {} | {} | {frames}{rest} | {} | {} | {legs} | {triangles} | {}",
        import.source.format,
        import.skeleton.len(),
        import.clips.len(),
        import.clips[0].rate(),
        import.source.unit.value,
        codes(import.warnings.iter().map(Warning::code).chain(decide)),
    ))
}

fn world_row(world: &WorldImport) -> String {
    let (unit, triangles) = (world.unit.value, world.mesh.triangles().len());
    format!(
        "{} world | loads | | | | | {unit} | | {triangles} | {}",
        world.format,
        codes(world.warnings.iter().map(Warning::code))
    )
}

fn codes<'a>(codes: impl Iterator<Item = &'a str>) -> String {
    let mut codes: Vec<&str> = codes.collect();
    codes.dedup();
    codes.join(", ")
}

/// Text that does not break a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
