//! `*.scene.toml`: a world to cross, written by hand: floor, obstacles, what moves, start and goal.
//!
//! `docs/worlds.md` explains every entry with an example.

mod check;
mod file;
mod interpret;

use crate::import::{LoadErrorKind, read_file};
use crate::world::WorldImport;
use crate::{ImportError, LoadError};
use std::path::Path;
use surefoot::glam::{DVec3, Vec3};
use surefoot::random::Seed;
use surefoot::world::{Body, FloorMap, Mover, Survey, TriangleSoup};

/// The version of the format that is read.
const VERSION: i64 = 1;

/// A world to cross, and from where to where.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What a person calls it; may be empty.
    pub name: String,
    /// Seed of everything random.
    pub seed: Seed,
    /// The room that the character takes.
    pub body: Body,
    /// Where it starts.
    pub start: ScenePose,
    /// Where it should go.
    pub goal: ScenePose,
    /// The floor with all obstacles that stay; `None` where a mesh is the ground.
    pub floor: Option<FloorMap>,
    /// The mesh that is the ground, and what of it can be walked on.
    pub mesh: Option<SceneMesh>,
    /// What can be stood on and moves.
    pub platforms: Vec<Mover>,
    /// What is in the way and moves; with a mesh, also what stays.
    pub obstacles: Vec<Mover>,
}

/// A place and perhaps a facing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScenePose {
    /// The place, metres; y = 0 on a floor.
    pub place: Vec3,
    /// The heading, radians, left positive; any if not given.
    pub heading: Option<f32>,
}

/// A mesh to walk on.
#[derive(Clone, Debug)]
pub struct SceneMesh {
    /// Its name as the scene gives it.
    pub file: String,
    /// Its triangles, metres.
    pub soup: TriangleSoup,
    /// What was taken off all places because the mesh lies far from the origin, metres.
    pub offset: DVec3,
    /// What can be walked on.
    pub survey: Survey,
}

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

/// Loads a scene with the map or mesh it refers to; their names are relative to its folder.
///
/// # Errors
/// If a file cannot be read or is no scene; the error names the file, the line and the number that is wrong.
pub fn load(path: &Path) -> Result<Scene, LoadError> {
    let fail = |kind| LoadError { path: path.to_path_buf(), kind };
    let bytes = read_file(path).map_err(|error| fail(LoadErrorKind::Read(error)))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    read(&bytes, &Folder(folder)).map_err(|error| fail(LoadErrorKind::Import(error)))
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

#[cfg(feature = "mesh")]
impl Scene {
    /// Everything to walk on and around, as one ground.
    #[must_use]
    pub fn world(&self) -> surefoot::world::World {
        use surefoot::world::World;
        let ground = match (&self.mesh, &self.floor) {
            (Some(mesh), _) => World::new(mesh.survey.run(&mesh.soup)),
            (None, Some(floor)) => World::new(floor.clone()),
            (None, None) => World::default(),
        };
        World { platforms: self.platforms.clone(), obstacles: self.obstacles.clone(), ..ground }
    }
}

#[cfg(test)]
mod tests;
