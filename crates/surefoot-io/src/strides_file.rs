//! `clips.toml`: which clips become strides, and how, for a person to write.
//!
//! ```toml
//! version = 1
//!
//! [[clip]]
//! file = "walk.bvh"        # beside this file; the first is the body that all others are brought onto
//! kind = "walk"            # walk and run are blended in groups by how much they turn; special is played by itself
//!
//! [[clip]]
//! file = "hero.glb"
//! clip = "Leap"            # of a file with several
//! kind = "special"
//! from = 0.4               # from the right stance nearest to this time to that nearest to the other, seconds
//! to = 1.9
//! penalty = 1.5            # nobody jumps who need not: seconds that it adds to the cost of a plan
//!
//! [[clip]]
//! file = "halt.bvh"
//! kind = "stop"            # a clip that ends standing; "start" for one that begins so: then ways begin and end standing
//! ```

use crate::{Import, ImportSettings, LoadError, load};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use surefoot::adapt::Clean;
use surefoot::analyse::RigError;
use surefoot::library::strides::{StrideClip, StrideCut, StrideKind, Strides, StridesError};
use surefoot::motion::{Clip, Take};
use surefoot::systems::{Gather, GatherError};

/// The version that is read; others are refused.
const VERSION: u32 = 1;

/// Why a file of clips makes no strides.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StridesFileError {
    /// It cannot be read.
    #[error("{path}: {error}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// It is no TOML, or has unknown or missing entries; the message names the line.
    #[error(transparent)]
    Text(#[from] toml::de::Error),
    /// Another version of the format.
    #[error("version {found} of the format; this program reads version {VERSION}")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// Nothing in it.
    #[error("no [[clip]]: name at least one walk or run")]
    Empty,
    /// A clip's file cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A file without that clip.
    #[error("{file} has no clip {clip:?}; it has {has}")]
    Clip {
        /// The file.
        file: String,
        /// The clip, or nothing for its first.
        clip: String,
        /// What it has.
        has: String,
    },
    /// The first file's body has no legs.
    #[error("{name}: {error}")]
    Rig {
        /// The stride.
        name: String,
        /// Why not.
        error: RigError,
    },
    /// A clip that does not fit the first one's body.
    #[error("{name}: {error}")]
    Gather {
        /// The stride.
        name: String,
        /// Why not.
        error: GatherError,
    },
    /// Clips without strides.
    #[error(transparent)]
    Strides(#[from] StridesError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClipsFile {
    version: u32,
    #[serde(default)]
    clip: Vec<ClipEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClipEntry {
    file: String,
    clip: Option<String>,
    name: Option<String>,
    kind: Kind,
    from: Option<f32>,
    to: Option<f32>,
    #[serde(default)]
    mirror: bool,
    steps: Option<f32>,
    #[serde(default)]
    alone: bool,
    #[serde(default)]
    penalty: f32,
    entry_speed: Option<f32>,
    exit_speed: Option<f32>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Walk,
    Run,
    Special,
    Start,
    Stop,
}

impl ClipEntry {
    fn said(&self) -> StrideClip {
        let kind = match self.kind {
            Kind::Walk => StrideKind::Walk,
            Kind::Run => StrideKind::Run,
            Kind::Special | Kind::Start | Kind::Stop => StrideKind::Special,
        };
        let stem = Path::new(&self.file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = self.name.clone().or_else(|| self.clip.clone()).or(stem).unwrap_or_default();
        let cut = match (self.from, self.to) {
            _ if matches!(self.kind, Kind::Start) => StrideCut::Start,
            _ if matches!(self.kind, Kind::Stop) => StrideCut::Stop,
            (None, None) => StrideCut::Auto,
            (from, to) => StrideCut::Seconds { from: from.unwrap_or(0.0), to: to.unwrap_or(f32::MAX) },
        };
        let mut said = StrideClip::new(name, kind);
        said.cut = cut;
        said.mirror = self.mirror;
        said.steps = self.steps.unwrap_or(1.0);
        said.alone = self.alone;
        said.penalty = self.penalty;
        (said.entry_speed, said.exit_speed) = (self.entry_speed, self.exit_speed);
        said
    }
}

/// Cuts the strides that a `clips.toml` names; its files lie beside it.
///
/// # Errors
/// If it or one of its files cannot be read, a clip does not fit the first one's body, or has no stride.
pub fn load_strides(path: &Path) -> Result<Strides, StridesFileError> {
    let read = std::fs::read_to_string(path);
    let text = read.map_err(|error| StridesFileError::Read { path: path.to_path_buf(), error })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    read_strides(&text, &|file| load(&folder.join(file), &ImportSettings::default()))
}

/// The same of a text; `import` reads the files that it names.
///
/// # Errors
/// As [`load_strides`].
pub fn read_strides(
    text: &str,
    import: &dyn Fn(&str) -> Result<Import, LoadError>,
) -> Result<Strides, StridesFileError> {
    let file: ClipsFile = toml::from_str(text)?;
    if file.version != VERSION {
        return Err(StridesFileError::Version { found: file.version });
    }
    let mut parts: Vec<StridePart> = Vec::with_capacity(file.clip.len());
    for entry in &file.clip {
        let import = import(&entry.file)?;
        let wanted = |clip: &Clip| entry.clip.as_ref().is_none_or(|name| clip.name() == name);
        let Some(clip) = import.clips.iter().position(wanted) else {
            let has: Vec<&str> = import.clips.iter().map(Clip::name).collect();
            let clip = entry.clip.clone().unwrap_or_default();
            return Err(StridesFileError::Clip { file: entry.file.clone(), clip, has: has.join(", ") });
        };
        parts.push(StridePart { said: entry.said(), import, clip });
    }
    cut_strides(parts)
}

/// A clip of an import that becomes a stride.
pub(crate) struct StridePart {
    pub(crate) said: StrideClip,
    pub(crate) import: Import,
    /// Which of its clips.
    pub(crate) clip: usize,
}

/// Strides of clips, brought onto the body of the first and cleaned.
pub(crate) fn cut_strides(parts: Vec<StridePart>) -> Result<Strides, StridesFileError> {
    let first = parts.first().ok_or(StridesFileError::Empty)?;
    let (gather, clean) = (Gather::default(), Clean::default());
    let key = first.import.skeleton.key();
    let own: Vec<&Clip> = parts
        .iter()
        .filter(|part| part.import.skeleton.key() == key)
        .map(|part| &part.import.clips[part.clip])
        .collect();
    let rig = gather
        .rig(&first.import.skeleton, first.import.skin.as_ref(), &own)
        .map_err(|error| StridesFileError::Rig { name: first.said.name.clone(), error })?;
    let mut clips: Vec<(StrideClip, Take)> = Vec::with_capacity(parts.len());
    for StridePart { said, import, clip } in parts {
        let clip = &import.clips[clip];
        let failed = |error: GatherError| StridesFileError::Gather { name: said.name.clone(), error };
        let own = match import.skeleton.key() == key {
            true => rig.clone(),
            false => gather.rig_like(&rig, &import.skeleton, import.skin.as_ref(), &[clip]).map_err(failed)?,
        };
        let take = gather.run(&own, clip, &rig).map_err(failed)?.take;
        clips.push((said, clean.run(&rig, &take).take));
    }
    Ok(Strides::new(&rig, &clips)?)
}

#[cfg(all(test, feature = "embedded"))]
mod tests {
    use super::*;
    use crate::embedded;

    fn read(text: &str) -> Result<Strides, StridesFileError> {
        read_strides(text, &|file| Ok(embedded::find(file).expect("it is embedded").import()))
    }

    #[test]
    fn clips_become_the_strides_that_a_person_asks_for() {
        let strides = read(
            "version = 1\n[[clip]]\nfile = '16_15'\nkind = 'walk'\nmirror = true\n[[clip]]\nfile = '16_15'\nname = 'short'\nkind = 'walk'\nsteps = 0.5\nalone = true\n[[clip]]\nfile = '127_26'\nkind = 'special'\npenalty = 2",
        )
        .unwrap();
        let names: Vec<&str> = strides.strides.iter().map(|stride| stride.name.as_str()).collect();
        assert_eq!(names, ["16_15", "16_15 mirrored", "short", "127_26"]);
        let lengths: Vec<f32> = strides.strides.iter().map(|stride| stride.length).collect();
        assert!((lengths[2] / lengths[0] - 0.5).abs() < 0.02, "half as long: {lengths:?}");
        assert_eq!((strides.walks.samples.len(), strides.runs.samples.len()), (1, 0), "one straight walk, both ways");
        assert_eq!(strides.strides[3].penalty, 2.0);
    }

    #[test]
    fn what_is_wrong_is_told_by_name() {
        let told = |text: &str| read(text).unwrap_err().to_string();
        assert!(told("version = 2").contains("version 2"), "{}", told("version = 2"));
        assert!(told("version = 1").contains("[[clip]]"));
        assert!(told("version = 1\n[[clip]]\nfile = '16_15'\nkind = 'walk'\nclip = 'x'").contains("no clip \"x\""));
        assert!(told("version = 1\n[[clip]]\nfile = '16_15'\nkind = 'hop'").contains("hop"));
        assert!(told("version = 1\n[[clip]]\nfile = '77_02'\nkind = 'walk'").contains("no stride"));
    }
}
