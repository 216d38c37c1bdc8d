//! `*.scene.toml`: a world to cross, written by hand: floor, obstacles, what moves, start and goal.
//!
//! `docs/worlds.md` explains every entry with an example.

#[cfg(feature = "navmesh")]
mod bare;
mod check;
mod file;
mod interpret;

use crate::import::{LoadErrorKind, read_file};
use crate::world::WorldImport;
use crate::{ImportError, LoadError};
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
        crate::world::load(&path, &crate::world::WorldSettings::default()).map_err(|error| match error.kind {
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

/// Loads a scene with the map or mesh it refers to; their names are relative to its folder.
///
/// A mesh or a MovingAI map is a scene by itself (with feature `navmesh`): cells of 1 m, a grown person, the usual slopes and steps, and
/// start and goal far apart where a way joins them.
///
/// # Errors
/// If a file cannot be read or is no scene; the error names the file, the line and the number that is wrong.
pub fn load(path: &Path) -> Result<Scene, LoadError> {
    #[cfg(feature = "navmesh")]
    if is_bare_world(path) {
        return load_bare(path);
    }
    let fail = |kind| LoadError { path: path.to_path_buf(), kind };
    let bytes = read_file(path).map_err(|error| fail(LoadErrorKind::Read(error)))?;
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        let what = "no world: scenes (.scene.toml), meshes (.obj, .glb, .gltf) and MovingAI maps (.map) are read";
        return Err(fail(LoadErrorKind::Import(ImportError::new(what))));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    read(&bytes, &Folder(folder)).map_err(|error| fail(LoadErrorKind::Import(error)))
}

#[cfg(feature = "navmesh")]
fn load_bare(path: &Path) -> Result<Scene, LoadError> {
    let fail = |kind| LoadError { path: path.to_path_buf(), kind };
    let [name, file] = [path.file_stem(), path.file_name()].map(|part| part.unwrap_or_default().to_string_lossy());
    let scene = if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("map")) {
        let bytes = read_file(path).map_err(|error| fail(LoadErrorKind::Read(error)))?;
        bare::of_map(&name, &bytes)
    } else {
        bare::of_mesh(&name, &file, crate::world::load(path, &crate::world::WorldSettings::default())?)
    };
    scene.map_err(|error| fail(LoadErrorKind::Import(error)))
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
