//! `*.scene.toml`: a world to cross, written by hand: floor, obstacles, what moves, start and goal.
//!
//! `docs/worlds.md` explains every entry with an example.

#[cfg(feature = "navmesh")]
mod bare;
mod blocks;
mod check;
mod file;
mod interpret;

use crate::import::{LoadErrorKind, read_file};
use crate::world::{FileFrame, WorldImport, WorldSettings};
use crate::{Axis, ImportError, Inferred, LoadError, Unit, Warning};
use std::path::Path;
use surefoot::world::Scene;

/// The version of the format that is read.
const VERSION: i64 = 1;

/// What a scene refers to, by the names it gives.
pub trait Beside {
    /// The bytes of a MovingAI map.
    ///
    /// # Errors
    /// Why there are none.
    fn map(&self, file: &str) -> Result<Vec<u8>, String>;

    /// A mesh.
    ///
    /// # Errors
    /// Why there is none.
    fn mesh(&self, file: &str) -> Result<WorldImport, String>;
}

/// Files in the folder of a scene, and below it or beside it.
struct Folder<'a>(&'a Path);

impl Beside for Folder<'_> {
    fn map(&self, file: &str) -> Result<Vec<u8>, String> {
        read_file(&self.0.join(file)).map_err(|error| error.to_string())
    }

    fn mesh(&self, file: &str) -> Result<WorldImport, String> {
        let path = self.0.join(file);
        crate::world::load(&path, &WorldSettings::default()).map_err(|error| match error.kind {
            LoadErrorKind::Read(error) => error.to_string(),
            LoadErrorKind::Import(error) => error.to_string(),
        })
    }
}

/// Whether a file is a scene, by its name.
#[must_use]
pub fn is_scene(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().ends_with(".scene.toml"))
}

/// Whether a file is a world by itself, by its ending: a mesh (`.obj`, `.glb`, `.gltf`) or a MovingAI map (`.map`).
#[must_use]
pub fn is_bare_world(path: &Path) -> bool {
    path.extension()
        .is_some_and(|own| ["map", "obj", "glb", "gltf"].iter().any(|ending| own.eq_ignore_ascii_case(ending)))
}

/// Whether a file is a mesh that is a world by itself, by its ending (`.obj`, `.glb`, `.gltf`).
#[must_use]
pub fn is_bare_mesh(path: &Path) -> bool {
    is_bare_world(path) && !path.extension().is_some_and(|own| own.eq_ignore_ascii_case("map"))
}

/// A scene, and how the numbers of its file are to be understood.
#[derive(Clone, Debug)]
pub struct LoadedScene {
    /// The scene: metres, Y up, near the origin.
    pub scene: Scene,
    /// Where the file's own numbers are.
    pub frame: FileFrame,
    /// What was understood of a mesh that is the scene by itself.
    pub mesh: Option<BareMesh>,
}

/// What was understood of a mesh that is a scene by itself.
#[derive(Clone, Debug)]
pub struct BareMesh {
    /// Unit of length in the file.
    pub unit: Inferred<Unit>,
    /// The axis that points up in the file.
    pub up: Inferred<Axis>,
    /// What was odd.
    pub warnings: Vec<Warning>,
}

/// Loads a scene with the map or mesh it refers to; their names are relative to its folder.
///
/// A mesh or a MovingAI map is a scene by itself (with feature `navmesh`): cells of 1 m, a grown person, the usual slopes and steps, and
/// start and goal far apart where a way joins them.
///
/// # Errors
/// If a file cannot be read or is no scene; the error names the file, the line and the number that is wrong.
pub fn load(path: &Path) -> Result<Scene, LoadError> {
    load_as(path, &WorldSettings::default()).map(|loaded| loaded.scene)
}

/// The same, with what the caller knows better of a mesh that is the scene by itself; scenes and maps say all themselves.
///
/// # Errors
/// As [`load`].
pub fn load_as(path: &Path, settings: &WorldSettings) -> Result<LoadedScene, LoadError> {
    #[cfg(feature = "navmesh")]
    if is_bare_world(path) {
        return load_bare(path, settings);
    }
    #[cfg(not(feature = "navmesh"))]
    let _ = settings;
    let scene = load_written(path)?;
    Ok(LoadedScene { frame: FileFrame::moved(scene.offset()), scene, mesh: None })
}

/// A scene that somebody has written.
fn load_written(path: &Path) -> Result<Scene, LoadError> {
    let fail = |kind| LoadError { path: path.to_path_buf(), kind };
    let bytes = read_file(path).map_err(|error| fail(LoadErrorKind::Read(error)))?;
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        let what =
            "not a world: surefoot reads scenes (.scene.toml), meshes (.obj, .glb, .gltf) and MovingAI maps (.map)";
        return Err(fail(LoadErrorKind::Import(ImportError::new(what))));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    read(&bytes, &Folder(folder)).map_err(|error| fail(LoadErrorKind::Import(error)))
}

#[cfg(feature = "navmesh")]
fn load_bare(path: &Path, settings: &WorldSettings) -> Result<LoadedScene, LoadError> {
    let fail = |kind| LoadError { path: path.to_path_buf(), kind };
    let wrong = |error| fail(LoadErrorKind::Import(error));
    let [name, file] = [path.file_stem(), path.file_name()].map(|part| part.unwrap_or_default().to_string_lossy());
    if !is_bare_mesh(path) {
        let bytes = read_file(path).map_err(|error| fail(LoadErrorKind::Read(error)))?;
        let scene = bare::of_map(&name, &bytes).map_err(wrong)?;
        return Ok(LoadedScene { frame: FileFrame::moved(scene.offset()), scene, mesh: None });
    }
    let mut world = crate::world::load(path, settings)?;
    let frame = world.frame();
    let warnings = std::mem::take(&mut world.warnings);
    let mesh = Some(BareMesh { unit: world.unit.clone(), up: world.up.clone(), warnings });
    Ok(LoadedScene { scene: bare::of_mesh(&name, &file, world).map_err(wrong)?, frame, mesh })
}

/// Reads the text of a scene.
///
/// # Errors
/// If the text is no scene; the error names the line and the number that is wrong. Never panics, whatever the bytes.
pub fn read(bytes: &[u8], beside: &dyn Beside) -> Result<Scene, ImportError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        ImportError::at("these bytes are no text (UTF-8)", bytes, at, at + 1)
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let checks = check::Text(text);
    // The version first: another one may have other keys.
    #[derive(serde::Deserialize)]
    struct Head {
        version: Option<toml::Spanned<i64>>,
    }
    let head: Head = toml::from_str(text).map_err(|error| checks.syntax(&error))?;
    match head.version {
        None => return Err(ImportError::new(format!("there is no `version = {VERSION}`"))),
        Some(found) if *found.get_ref() != VERSION => {
            let what = format!("version {} of the format; this program reads version {VERSION}", found.get_ref());
            return Err(checks.fail(&found, what));
        }
        Some(_) => {}
    }
    let file: file::File = toml::from_str(text).map_err(|error| checks.syntax(&error))?;
    interpret::scene(&checks, file, beside)
}

#[cfg(test)]
mod tests;
