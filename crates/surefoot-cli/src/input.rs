//! Reading motion files as the command line says.

use crate::clip_choice::{choose, choose_several};
use crate::failure::Failure;
use crate::format::Own;
use crate::number::frame_rate;
use std::path::{Path, PathBuf};
use surefoot::analyse::{RigError, Studied, Study, find_skinned_rig};
use surefoot::motion::Clip;
use surefoot::rig::{Rig, Skeleton, Skin};
use surefoot::stages::Repair;

use surefoot_io::gltf::Document;
use surefoot_io::rig_file::{self, RigFileError};
use surefoot_io::world::WorldSettings;
use surefoot_io::{Axis, Dialect, Import, ImportSettings, RestRow, Unit, Warning, load};

/// The unit of a file and how it is known, for people.
pub(crate) fn said_unit(unit: Unit, reason: &str) -> String {
    match unit {
        Unit::Metre => format!("metres ({reason})"),
        Unit::Other(metres) => format!("{metres} m ({reason})"),
        unit => format!("1 {unit} = {} m ({reason})", unit.metres()),
    }
}

/// What the file does not say, or says wrongly.
#[derive(clap::Args)]
#[command(next_help_heading = "How the file is read (found out and reported where not given)")]
pub(crate) struct ImportArgs {
    /// Which clip of a file with several: its name (the part before the last | may be left out), a part of the name that fits only
    /// one, or its number; the first if not given. Where several make sense (graph build): names with commas between, or a pattern such as walk*
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,
    /// Unit of length in the file: m, dm, cm, mm, in, ft, cmu, or its length in metres
    #[arg(long, value_name = "UNIT")]
    unit: Option<Unit>,
    /// Axis that points up: x, y, z, -x, -y or -z
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    up: Option<Axis>,
    /// Axis that the body faces in its rest pose: x, y, z, -x, -y or -z
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    forward: Option<Axis>,
    /// Whether position channels replace a joint's OFFSET or are added to it (BVH)
    #[arg(long, value_name = "HOW")]
    positions: Option<Positions>,
    /// Whether the first row is a rest pose and not motion (BVH)
    #[arg(long, value_name = "WHETHER", default_value = "auto")]
    rest_row: RestRowArg,
    /// The true frame rate, if the one in the file is wrong (some CMU clips say 120 and are 60)
    #[arg(long, value_name = "FPS", value_parser = frame_rate)]
    source_fps: Option<f32>,
    /// The skeleton (ASF) of an AMC file; without it, the one beside it: 02.asf for 02_01.amc
    #[arg(long, value_name = "FILE.asf")]
    skeleton: Option<PathBuf>,
    /// Keep leading frames in which the root stands still before it jumps away; they are cut otherwise
    #[arg(long)]
    keep_dead_rows: bool,
    /// Accept a file that ends early and use its complete frames
    #[arg(long)]
    partial: bool,
}

/// How a clip is studied before anything is built upon it.
#[derive(clap::Args)]
#[command(next_help_heading = "How the clip is studied")]
pub(crate) struct StudyArgs {
    /// Use the clip as it is: do not repair spikes, and do not cut it where the root jumps
    #[arg(long)]
    no_repair: bool,
    #[command(flatten)]
    rig: RigArgs,
}

/// A body that has no legs to be found, and what to do about it.
pub(crate) fn no_legs(file: &Path, error: &dyn std::fmt::Display, option: &str) -> Failure {
    let file = file.display();
    Failure::refused(format!(
        "{file}: {error}; `surefoot inspect {file} --write-rig rig.toml` writes a file in which you can choose its legs; then pass it with {option} rig.toml"
    ))
}

impl StudyArgs {
    /// Studies a loaded clip; refuses bodies without legs.
    pub(crate) fn run(&self, file: &Path, loaded: &Loaded) -> Result<Studied, Failure> {
        match self.rig(loaded)? {
            Some(rig) => Ok(self.study().run_on(rig, &loaded.clip)),
            None => loaded.study(&self.study()).map_err(|error| no_legs(file, &error, "--rig")),
        }
    }

    /// How clips are studied.
    pub(crate) fn study(&self) -> Study {
        if self.no_repair { as_it_is() } else { Study::default() }
    }

    /// The rig file's text, if one was given.
    pub(crate) fn rig_text(&self) -> Result<Option<String>, Failure> {
        self.rig.text()
    }

    /// Whether a rig file was given.
    pub(crate) fn is_told(&self) -> bool {
        self.rig.path().is_some()
    }

    /// The rig file's legs for a body, if one was given.
    pub(crate) fn rig(&self, loaded: &Loaded) -> Result<Option<Rig>, Failure> {
        self.rig_for(&loaded.skeleton, loaded.skin.as_ref(), &[&loaded.clip])
    }

    /// As [`rig`](Self::rig), from several clips.
    pub(crate) fn rig_for(
        &self,
        skeleton: &Skeleton,
        skin: Option<&Skin>,
        clips: &[&Clip],
    ) -> Result<Option<Rig>, Failure> {
        self.rig.rig_for(skeleton, skin, clips)
    }
}

/// Legs as a file names them.
#[derive(clap::Args)]
#[group(id = "rig_file")]
pub(crate) struct RigArgs {
    /// Legs and feet from a file (`surefoot inspect FILE --write-rig rig.toml` makes one)
    #[arg(long, value_name = "rig.toml")]
    rig: Option<PathBuf>,
}

impl RigArgs {
    /// The rig file, if one was given.
    pub(crate) fn path(&self) -> Option<&PathBuf> {
        self.rig.as_ref()
    }

    /// The rig file's text, if one was given.
    pub(crate) fn text(&self) -> Result<Option<String>, Failure> {
        let read = |path: &PathBuf| {
            let unusable = |error| Failure::unusable(format!("--rig {}: cannot read: {error}", path.display()));
            std::fs::read_to_string(path).map_err(unusable)
        };
        self.rig.as_ref().map(read).transpose()
    }

    /// The rig file's legs for a body, if one was given.
    pub(crate) fn rig_for(
        &self,
        skeleton: &Skeleton,
        skin: Option<&Skin>,
        clips: &[&Clip],
    ) -> Result<Option<Rig>, Failure> {
        let (Some(path), Some(text)) = (&self.rig, self.text()?) else { return Ok(None) };
        let unusable = |error: &dyn std::fmt::Display| Failure::unusable(format!("--rig {}: {error}", path.display()));
        match rig_file::read_skinned(&text, skeleton, skin, clips) {
            Ok(rig) => Ok(Some(rig)),
            Err(RigFileError::Rig(error)) => Err(Failure::refused(format!("{}: {error}", path.display()))),
            Err(error) => Err(unusable(&error)),
        }
    }
}

/// A study that mends nothing.
pub(crate) fn as_it_is() -> Study {
    Study { repair: Repair { spikes: false, teleports: false, ..Repair::default() }, ..Study::default() }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Positions {
    Replace,
    Add,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum RestRowArg {
    Auto,
    Yes,
    No,
}

impl ImportArgs {
    pub(crate) fn settings(&self) -> ImportSettings {
        ImportSettings {
            unit: self.unit,
            up: self.up,
            forward: self.forward,
            positions: self.positions.map(|p| match p {
                Positions::Replace => Dialect::Replace,
                Positions::Add => Dialect::Add,
            }),
            rest_row: match self.rest_row {
                RestRowArg::Auto => RestRow::Detect,
                RestRowArg::Yes => RestRow::Yes,
                RestRowArg::No => RestRow::No,
            },
            cut_dead_rows: !self.keep_dead_rows,
            partial: self.partial,
            rate: self.source_fps,
            skeleton: self.skeleton.clone(),
        }
    }

    /// What of this is said about worlds.
    pub(crate) fn world_settings(&self) -> WorldSettings {
        WorldSettings { unit: self.unit, up: self.up }
    }

    /// Loads a file and takes the clip that was asked for.
    pub(crate) fn load(&self, path: &Path) -> Result<Loaded, Failure> {
        Ok(self.load_all(path)?.0)
    }

    /// The same, and the file's other clips in their order.
    pub(crate) fn load_all(&self, path: &Path) -> Result<(Loaded, Vec<Clip>), Failure> {
        self.take(path, self.clip.as_deref())
    }

    /// Loads a file for its body: its first clip is taken, whatever was asked for.
    pub(crate) fn load_body(&self, path: &Path) -> Result<Loaded, Failure> {
        Ok(self.take(path, None)?.0)
    }

    fn take(&self, path: &Path, wanted: Option<&str>) -> Result<(Loaded, Vec<Clip>), Failure> {
        let import = load(path, &self.settings()).map_err(Failure::unusable)?;
        let option = if wanted.is_some() { "--clip: " } else { "" };
        let index = choose(&import.clips, wanted)
            .map_err(|why| Failure::unusable(format!("{}: {option}{why}", path.display())))?;
        let count = import.clips.len();
        let Import { skeleton, mut clips, skin, document, warnings, source, .. } = import;
        let clip = clips.remove(index);
        let title = match (count, wanted) {
            (1, _) => path.display().to_string(),
            (_, Some(_)) => format!("{}, clip {}", path.display(), clip.name()),
            (_, None) => {
                format!("{}, clip {} (the first of {count}; --clip NAME takes another)", path.display(), clip.name())
            }
        };
        Ok((Loaded { title, skeleton, clip, skin, document, rest_row: source.rest_row, warnings }, clips))
    }

    /// Which of a file's clips are asked for where all are taken unless one is named, or why that cannot be told.
    pub(crate) fn choose_all(&self, clips: &[Clip]) -> Result<Vec<usize>, String> {
        match &self.clip {
            Some(wanted) => choose_several(clips, wanted).map_err(|why| format!("--clip: {why}")),
            None => Ok((0..clips.len()).collect()),
        }
    }

    /// Which of a file's clips is asked for, or why that cannot be told.
    pub(crate) fn choose(&self, clips: &[Clip]) -> Result<usize, String> {
        let option = if self.clip.is_some() { "--clip: " } else { "" };
        choose(clips, self.clip.as_deref()).map_err(|why| format!("{option}{why}"))
    }
}

/// A body and one motion of it.
#[derive(Clone)]
pub(crate) struct Loaded {
    /// The file's name, and the clip's where there are several.
    pub(crate) title: String,
    pub(crate) skeleton: Skeleton,
    pub(crate) clip: Clip,
    pub(crate) skin: Option<Skin>,
    /// The file itself, for clips to be put back into.
    pub(crate) document: Option<Document>,
    /// Whether the file has the rest pose as a row before the motion.
    pub(crate) rest_row: bool,
    pub(crate) warnings: Vec<Warning>,
}

impl Loaded {
    /// What it brings along for a result.
    pub(crate) fn own(&self) -> Own<'_> {
        Own { rest_row: self.rest_row, ..Own::of(&self.document, &self.skin) }
    }

    /// Its legs, told by the skin where there is one.
    pub(crate) fn rig(&self) -> Result<Rig, RigError> {
        let clip = Repair::default().run(&self.skeleton, &self.clip).clip;
        find_skinned_rig(&self.skeleton, self.skin.as_ref(), &[&clip])
    }

    /// Studies its clip.
    pub(crate) fn study(&self, study: &Study) -> Result<Studied, RigError> {
        study.run_skinned(&self.skeleton, self.skin.as_ref(), &self.clip)
    }

    /// What was assumed or odd, a line each.
    pub(crate) fn warning_lines(&self) -> String {
        self.warnings.iter().map(|warning| format!("warning: {warning}\n")).collect()
    }
}
