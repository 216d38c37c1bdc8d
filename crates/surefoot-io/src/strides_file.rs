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
use surefoot::adapt::Build;
use surefoot::adapt::RetargetError;
use surefoot::analyse::RigError;
use surefoot::library::strides::{StrideClip, StrideCut, StrideKind, Strides, StridesError};
use surefoot::motion::{Clip, Take};
use surefoot::rig::{Rig, Skin};
use surefoot::stages::Clean;
use surefoot::stages::Retarget;
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
    /// A number that means nothing.
    #[error("{file}: {entry} = {value}: give {low} to {high}")]
    Number {
        /// The clip's file.
        file: String,
        /// Its name in the entry.
        entry: &'static str,
        /// What it is.
        value: f32,
        /// The least it may be.
        low: f32,
        /// The most.
        high: f32,
    },
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
    /// A body with other legs.
    #[error("{name}: {error}")]
    Retarget {
        /// The stride, or the body.
        name: String,
        /// Why not.
        error: RetargetError,
    },
    /// Clips without strides.
    #[error(transparent)]
    Strides(#[from] StridesError),
}

/// Clips of one body that become strides, clean: before they are cut, they can be brought onto another.
#[derive(Clone, Debug, PartialEq)]
pub struct StrideTakes {
    /// The body.
    pub rig: Rig,
    /// Each clip with what a person says of it.
    pub clips: Vec<(StrideClip, Take)>,
}

impl StrideTakes {
    /// The strides of them.
    ///
    /// # Errors
    /// If a clip has no stride.
    pub fn cut(&self) -> Result<Strides, StridesFileError> {
        Ok(Strides::new(&self.rig, &self.clips)?)
    }

    /// The same on another body: steps, jumps and all that is measured of strides are that body's own.
    ///
    /// # Errors
    /// If it has not as many legs on each side.
    pub fn onto(&self, rig: &Rig, skin: Option<&Skin>) -> Result<Self, StridesFileError> {
        let [from, to] = [Build::new(self.rig.clone(), None), Build::new(rig.clone(), skin)];
        let bring = |(said, take): &(StrideClip, Take)| {
            let failed = |error| StridesFileError::Retarget { name: said.name.clone(), error };
            let take = Retarget::default().run(&from, take, &to).map_err(failed)?.take.levelled(rig);
            Ok((said.clone(), Clean::default().run(rig, &take).take))
        };
        let clips: Result<Vec<_>, StridesFileError> = self.clips.iter().map(bring).collect();
        Ok(Self { rig: rig.clone(), clips: clips? })
    }
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

/// The latest time in a clip, seconds.
const LATEST: f32 = 1e5;
/// The shortest and the longest that steps may be made, times what they are in the clip.
const STEPS: [f32; 2] = [0.1, 4.0];
/// The most that a stride may add to the cost of a plan, seconds.
const MOST_PENALTY: f32 = 1e4;

impl ClipEntry {
    /// Refuses numbers that mean nothing.
    fn check(&self) -> Result<(), StridesFileError> {
        let numbers = [
            ("from", self.from, [0.0, LATEST]),
            ("to", self.to, [0.0, LATEST]),
            ("steps", self.steps, STEPS),
            ("penalty", Some(self.penalty), [0.0, MOST_PENALTY]),
            ("entry_speed", self.entry_speed, [0.0, 1.0]),
            ("exit_speed", self.exit_speed, [0.0, 1.0]),
        ];
        for (entry, value, [low, high]) in numbers {
            if let Some(value) = value.filter(|value| !(low..=high).contains(value)) {
                return Err(StridesFileError::Number { file: self.file.clone(), entry, value, low, high });
            }
        }
        Ok(())
    }

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
    load_stride_takes(path)?.cut()
}

/// The clips that a `clips.toml` names, before strides are cut from them.
///
/// # Errors
/// As [`load_strides`].
pub fn load_stride_takes(path: &Path) -> Result<StrideTakes, StridesFileError> {
    let read = std::fs::read_to_string(path);
    let text = read.map_err(|error| StridesFileError::Read { path: path.to_path_buf(), error })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    read_stride_takes(&text, &|file| load(&folder.join(file), &ImportSettings::default()))
}

/// The same of a text; `import` reads the files that it names.
///
/// # Errors
/// As [`load_strides`].
pub fn read_strides(
    text: &str,
    import: &dyn Fn(&str) -> Result<Import, LoadError>,
) -> Result<Strides, StridesFileError> {
    read_stride_takes(text, import)?.cut()
}

/// The clips of a text, before strides are cut from them.
fn read_stride_takes(
    text: &str,
    import: &dyn Fn(&str) -> Result<Import, LoadError>,
) -> Result<StrideTakes, StridesFileError> {
    let file: ClipsFile = toml::from_str(text)?;
    if file.version != VERSION {
        return Err(StridesFileError::Version { found: file.version });
    }
    let mut parts: Vec<StridePart> = Vec::with_capacity(file.clip.len());
    for entry in &file.clip {
        entry.check()?;
        let import = import(&entry.file)?;
        let wanted = |clip: &Clip| entry.clip.as_ref().is_none_or(|name| clip.name() == name);
        let Some(clip) = import.clips.iter().position(wanted) else {
            let has: Vec<&str> = import.clips.iter().map(Clip::name).collect();
            let clip = entry.clip.clone().unwrap_or_default();
            return Err(StridesFileError::Clip { file: entry.file.clone(), clip, has: has.join(", ") });
        };
        parts.push(StridePart { said: entry.said(), import, clip });
    }
    stride_takes(parts)
}

/// A clip of an import that becomes a stride.
pub(crate) struct StridePart {
    pub(crate) said: StrideClip,
    pub(crate) import: Import,
    /// Which of its clips.
    pub(crate) clip: usize,
}

/// Clips brought onto the body of the first and cleaned: those of bodies that differ in lengths joint by joint, those of others
/// by retargeting.
pub(crate) fn stride_takes(parts: Vec<StridePart>) -> Result<StrideTakes, StridesFileError> {
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
        let skin = import.skin.as_ref();
        let unfit = |error| StridesFileError::Rig { name: said.name.clone(), error };
        let own = match import.skeleton.key() == key {
            true => rig.clone(),
            false => gather.rig(&import.skeleton, skin, &[clip]).map_err(unfit)?,
        };
        let take = if own.skeleton.same_structure(&rig.skeleton) {
            let take = gather.run(&own, clip, &rig).map_err(failed)?.take;
            clean.run(&rig, &take).take
        } else {
            // Built in another way: on its own body first.
            let take = clean.run(&own, &gather.run(&own, clip, &own).map_err(failed)?.take).take;
            StrideTakes { rig: own, clips: vec![(said.clone(), take)] }.onto(&rig, None)?.clips.remove(0).1
        };
        clips.push((said, take));
    }
    Ok(StrideTakes { rig, clips })
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
        for (number, named) in [
            ("from = nan", "from = NaN"),
            ("to = inf", "to = inf"),
            ("steps = 0", "steps = 0"),
            ("steps = 1e30", "steps = 1"),
            ("penalty = -1", "penalty = -1"),
            ("penalty = nan", "penalty = NaN"),
            ("entry_speed = 2", "entry_speed = 2"),
        ] {
            let told = told(&format!("version = 1\n[[clip]]\nfile = '16_15'\nkind = 'walk'\n{number}"));
            assert!(told.contains(named), "{number}: {told}");
        }
    }
}
