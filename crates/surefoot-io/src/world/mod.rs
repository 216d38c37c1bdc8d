//! Worlds to walk in: files with polygons become triangles in metres, Y up.
//!
//! OBJ and glTF are read, OBJ is written; MovingAI maps become floors with obstacles.

mod frame;
mod grid;
mod obj;
mod obj_text;
mod polygon;
pub(crate) mod polygons;
mod settle;
mod tiles;

use crate::import::{LoadErrorKind, read_file};
use crate::{Axis, ImportError, Inferred, LoadError, Unit, Warning, gltf};
use std::path::Path;
use surefoot::glam::DVec3;
use surefoot::world::TriangleSoup;

pub use frame::FileFrame;
pub use obj_text::write_obj;
pub use tiles::{Block, TileMap, read_map};

/// What the caller knows better than the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldSettings {
    /// Unit of length; metres if not given.
    pub unit: Option<Unit>,
    /// The axis that points up; +y if not given.
    pub up: Option<Axis>,
}

/// A file as a world.
#[derive(Clone, Debug)]
pub struct WorldImport {
    /// Format name, such as `OBJ`.
    pub format: &'static str,
    /// Its triangles: metres, Y up, near the origin.
    pub mesh: TriangleSoup,
    /// What was taken off every point of a world that lies far from the origin, where `f32` is coarse: metres, whole
    /// ones, in surefoot's axes. A place in the file is the place here plus this.
    pub offset: DVec3,
    /// Unit of length in the file.
    pub unit: Inferred<Unit>,
    /// The axis that points up in the file.
    pub up: Inferred<Axis>,
    /// What was odd.
    pub warnings: Vec<Warning>,
}

impl WorldImport {
    /// Where the file's own numbers are.
    #[must_use]
    pub fn frame(&self) -> FileFrame {
        FileFrame::new(self.unit.value, self.up.value, self.offset)
    }
}

/// Whether a file is read as a world and not as motion: OBJ files by their ending, since they have no mark; glTF files
/// if they have meshes, but no skin and nothing that moves.
#[must_use]
pub fn is_world(path: &Path) -> bool {
    let ends = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    let is_scene = || read_file(path).is_ok_and(|bytes| gltf::is_gltf(&bytes) && gltf::world::is_world(&bytes));
    ends("obj") || ((ends("glb") || ends("gltf")) && is_scene())
}

/// Loads a world.
///
/// # Errors
/// If the file cannot be read or is no world; the error names the file, and line and column or the part of the scene.
pub fn load(path: &Path, settings: &WorldSettings) -> Result<WorldImport, LoadError> {
    let fail = |kind| LoadError { path: path.to_path_buf(), kind };
    let bytes = read_file(path).map_err(|error| fail(LoadErrorKind::Read(error)))?;
    let import = if gltf::is_gltf(&bytes) {
        let folder = path.parent().unwrap_or(Path::new(""));
        read_gltf(&bytes, &|beside| read_file(&folder.join(beside)), settings)
    } else {
        read(&bytes, settings, |library| path.with_file_name(library).is_file())
    };
    import.map_err(|error| fail(LoadErrorKind::Import(error)))
}

/// Reads the text of an OBJ file.
///
/// Polygons may have any number of corners and be concave. Materials are not read.
///
/// # Errors
/// If the text is no OBJ file; the error names line and column. Never panics, whatever the bytes.
pub fn read_obj(bytes: &[u8], settings: &WorldSettings) -> Result<WorldImport, ImportError> {
    read(bytes, settings, |_| true)
}

/// Reads a GLB file or the JSON of a glTF file: the triangles of its scene, every mesh where its nodes put it, a group
/// for each node that shows one. What moves in it stands as its nodes stand; skins and materials are not read.
///
/// # Errors
/// If the bytes are no glTF 2, need an extension that is not read (compression), or contradict themselves; the error
/// names the part. Never panics, whatever the bytes.
pub fn read_gltf(
    bytes: &[u8],
    resolve: gltf::Resolve<'_>,
    settings: &WorldSettings,
) -> Result<WorldImport, ImportError> {
    settle::settle(gltf::world::polygons(bytes, resolve)?, settings)
}

fn read(bytes: &[u8], settings: &WorldSettings, is_there: impl Fn(&str) -> bool) -> Result<WorldImport, ImportError> {
    if bytes.starts_with(b"glTF") {
        return Err(ImportError::new("the file is GLB and no OBJ text"));
    }
    let polygons = obj::parse(bytes)?;
    let missing: Vec<&String> = polygons.libraries.iter().filter(|library| !is_there(library)).collect();
    let missing = missing.first().map(|file| Warning::NoMaterials { file: (*file).clone() });
    let mut world = settle::settle(polygons, settings)?;
    world.warnings.splice(0..0, missing);
    Ok(world)
}
