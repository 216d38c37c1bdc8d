//! The one door for files: settings, what comes out, and reading many at once.

use crate::pieces::put_together;
use crate::upright::upright;
use crate::{Axis, ImportError, Unit, Warning, asf, bvh, gltf};
use std::fmt;
use std::path::{Path, PathBuf};
use surefoot::motion::Clip;
use surefoot::rig::{Skeleton, Skin};

/// How position channels relate to a joint's OFFSET in a BVH file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Channels are the whole local translation.
    Replace,
    /// Channels are added to OFFSET.
    Add,
}

/// What to do about a first row that is a rest pose and not motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RestRow {
    /// Take it out where it is one: nearly all zeros, and far from the row after it.
    #[default]
    Detect,
    /// The first row is a rest pose.
    Yes,
    /// The first row is motion.
    No,
}

/// What a skeleton's rest pose was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestPose {
    /// A first row that is a rest pose.
    FirstRow,
    /// Every joint at its OFFSET, unturned.
    Offsets,
    /// The first frame of the motion: the OFFSETs make no body, being in each joint's own axes.
    FirstFrame,
    /// Every node as it stands in the file (glTF, FBX).
    Nodes,
    /// The pose in which the skin was bound (FBX; glTF where the nodes make no body).
    BindPose,
}

/// What the caller knows better than the file. `None` and the defaults mean: find out, and report.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportSettings {
    /// Unit of length.
    pub unit: Option<Unit>,
    /// The axis that points up.
    pub up: Option<Axis>,
    /// The axis that the rest pose faces.
    pub forward: Option<Axis>,
    /// Meaning of position channels (BVH).
    pub positions: Option<Dialect>,
    /// Whether the first row is a rest pose (BVH).
    pub rest_row: RestRow,
    /// Cut leading rows in which the root stands still before it teleports.
    pub cut_dead_rows: bool,
    /// Accept files that end early, keeping what is whole.
    pub partial: bool,
    /// Frames per second, where the file's own figure is wrong. Hz, > 0.
    pub rate: Option<f32>,
    /// The skeleton file (ASF) of a motion file (AMC). `None`: the one beside it, see [`asf::skeleton_beside`].
    pub skeleton: Option<PathBuf>,
}

impl Default for ImportSettings {
    fn default() -> Self {
        Self {
            unit: None,
            up: None,
            forward: None,
            positions: None,
            rest_row: RestRow::Detect,
            cut_dead_rows: true,
            partial: false,
            rate: None,
            skeleton: None,
        }
    }
}

/// A value that was stated or found out, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Inferred<T> {
    /// The value.
    pub value: T,
    /// What it rests on, for a person to judge.
    pub reason: String,
}

/// What the file was before it was brought to surefoot's units and axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Format name, such as `BVH`.
    pub format: &'static str,
    /// Unit of length.
    pub unit: Inferred<Unit>,
    /// The axis that pointed up.
    pub up: Inferred<Axis>,
    /// The axis that the rest pose faced.
    pub forward: Inferred<Axis>,
    /// Meaning of position channels (BVH).
    pub positions: Inferred<Dialect>,
    /// What the rest pose was taken from.
    pub rest: RestPose,
    /// Whether the first row was taken out as the rest pose.
    pub rest_row: bool,
    /// Rows of motion in a BVH file, the rest row included; frames of all clips of a glTF or FBX file.
    pub rows: usize,
    /// Leg length (hip to ankle), metres, where legs were found.
    pub leg: Option<f32>,
    /// Degrees of freedom and their limits, joint by joint, where the format has any (ASF).
    pub freedoms: Vec<asf::Freedom>,
}

/// A file as motion: metres, Y up, the rest pose facing +Z.
#[derive(Clone, Debug)]
pub struct Import {
    /// The body.
    pub skeleton: Skeleton,
    /// Its motions, at least one; BVH files hold one, glTF and FBX files any number.
    pub clips: Vec<Clip>,
    /// Its mesh, where the file has one that follows the joints (glTF, FBX).
    pub skin: Option<Skin>,
    /// What the file was.
    pub source: Source,
    /// The file itself, for clips to be put back into (glTF).
    pub document: Option<gltf::Document>,
    /// What was odd.
    pub warnings: Vec<Warning>,
}

/// Why a file could not be loaded.
#[derive(Debug)]
#[non_exhaustive]
pub struct LoadError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    pub kind: LoadErrorKind,
}

/// What went wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// It could not be read.
    Read(std::io::Error),
    /// Its content is no motion, or no world.
    Import(ImportError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            LoadErrorKind::Read(error) => write!(f, "{}: cannot read: {error}", self.path.display()),
            LoadErrorKind::Import(error) => write!(f, "{}: {error}", self.path.display()),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            LoadErrorKind::Read(error) => Some(error),
            LoadErrorKind::Import(error) => Some(error),
        }
    }
}

/// Files above this size are refused before they are read: no capture comes near it. Bytes.
const MAX_FILE: u64 = 2 << 30;

/// Loads one motion file, whatever its ending says: what counts is what it holds.
///
/// # Errors
/// If the file cannot be read or is no motion; the error names the file, the line and the column.
pub fn load(path: &Path, settings: &ImportSettings) -> Result<Import, LoadError> {
    let fail = |kind| LoadError { path: path.to_path_buf(), kind };
    let bytes = read_file(path).map_err(|e| fail(LoadErrorKind::Read(e)))?;
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let import = if is_fbx(&bytes) {
        let read = |settings: &ImportSettings| read_fbx(&bytes, &name, settings);
        read(settings).map(|import| put_together(upright(import, settings, read)))
    } else if gltf::is_gltf(&bytes) {
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = |beside: &str| read_file(&folder.join(beside));
        let read = |settings: &ImportSettings| gltf::read(&bytes, &name, &beside, settings);
        read(settings).map(|import| put_together(upright(import, settings, read)))
    } else {
        match asf::part(&bytes) {
            Some(asf::Part::Motion) => return asf::load_motion(path, &bytes, &name, settings),
            Some(asf::Part::Skeleton) => asf::read_skeleton(&bytes, &name, settings),
            None if is_bvh(path, &bytes) => {
                let read = |settings: &ImportSettings| bvh::read(&bytes, &name, settings);
                // What is told by feet or by the motion is believed.
                let assumed = |import: &Import| import.warnings.iter().any(|w| matches!(w, Warning::UpAssumed { .. }));
                read(settings).map(|import| if assumed(&import) { upright(import, settings, read) } else { import })
            }
            None => Err(ImportError::new(format!("not a motion file: {}", what_is_read(path)))),
        }
    };
    import.map_err(|e| fail(LoadErrorKind::Import(e)))
}

/// Whether a file is meant to be BVH: by its ending, or by its first word.
fn is_bvh(path: &Path, bytes: &[u8]) -> bool {
    let named = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"));
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    named || start.get(..9).is_some_and(|word| word.eq_ignore_ascii_case(b"HIERARCHY"))
}

/// What can be read instead of a file that is no motion.
fn what_is_read(path: &Path) -> String {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let motion = "surefoot reads BVH, ASF and AMC, glTF (.glb, .gltf, .vrm) and FBX";
    match ending.as_str() {
        "obj" | "map" | "toml" => format!("a .{ending} file is a world or a scene, to be given as --world; {motion}"),
        "graph" => format!("a motion graph is asked by surefoot graph, or given as --graph; {motion}"),
        "blend" | "max" | "ma" | "mb" => format!(".{ending} files must be exported as glTF or FBX first; {motion}"),
        _ => motion.to_owned(),
    }
}

/// Whether bytes look like FBX: the mark of binary files, or what text files start with.
fn is_fbx(bytes: &[u8]) -> bool {
    let start = bytes.get(..4096).unwrap_or(bytes);
    let has = |word: &[u8]| start.windows(word.len()).any(|window| window == word);
    start.starts_with(b"Kaydara FBX Binary") || start.starts_with(b"; FBX") || has(b"FBXHeaderExtension:")
}

#[cfg(feature = "fbx")]
fn read_fbx(bytes: &[u8], name: &str, settings: &ImportSettings) -> Result<Import, ImportError> {
    crate::fbx::read(bytes, name, settings)
}

#[cfg(not(feature = "fbx"))]
fn read_fbx(_: &[u8], _: &str, _: &ImportSettings) -> Result<Import, ImportError> {
    Err(ImportError::new("this is an FBX file, and surefoot was built without the feature fbx; save it as glTF or BVH"))
}

/// The content of a regular file of a sensible size; pipes and devices are refused, they may never end.
pub(crate) fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let refuse = |what: String| std::io::Error::new(std::io::ErrorKind::InvalidInput, what);
    let about = std::fs::metadata(path)?;
    if !about.is_file() {
        return Err(refuse("it is not a regular file".into()));
    }
    if about.len() > MAX_FILE {
        return Err(refuse(format!("{} bytes are more than the {MAX_FILE} that a motion file may have", about.len())));
    }
    std::fs::read(path)
}

/// Loads many files, on all cores with feature `parallel`; results come in the order of `paths`. `done` is called
/// once after each file, from any thread, for a progress bar.
pub fn load_many(
    paths: &[PathBuf],
    settings: &ImportSettings,
    done: impl Fn() + Sync,
) -> Vec<Result<Import, LoadError>> {
    let one = |path: &PathBuf| {
        let result = load(path, settings);
        done();
        result
    };
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        paths.par_iter().map(one).collect()
    }
    #[cfg(not(feature = "parallel"))]
    paths.iter().map(one).collect()
}
