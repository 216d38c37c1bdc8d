//! Reading motion files as the command line says.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
use surefoot::analyse::Repair;
use surefoot::motion::Clip;
use surefoot::rig::{Rig, Skeleton};
use surefoot::systems::{Studied, Study};
use surefoot_io::rig_file::{self, RigFileError};
use surefoot_io::world::WorldSettings;
use surefoot_io::{Axis, Dialect, Import, ImportSettings, RestRow, Unit, Warning, load};

/// What the file does not say, or says wrongly.
#[derive(clap::Args)]
#[command(next_help_heading = "How the file is read (found out and reported where not given)")]
pub(crate) struct ImportArgs {
    /// Unit of length in the file: m, dm, cm, mm, in, ft, cmu, or its length in metres
    #[arg(long, value_name = "UNIT")]
    unit: Option<Unit>,
    /// Axis that points up: x, y, z, -x, -y or -z
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    up: Option<Axis>,
    /// Axis that the rest pose faces
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    forward: Option<Axis>,
    /// Whether position channels replace a joint's OFFSET or are added to it
    #[arg(long, value_name = "HOW")]
    positions: Option<Positions>,
    /// Whether the first row is a rest pose and not motion
    #[arg(long, value_name = "WHETHER", default_value = "auto")]
    rest_row: RestRowArg,
    /// The true frame rate, where the file's own is wrong (some CMU clips say 120 and are 60)
    #[arg(long, value_name = "FPS", value_parser = frame_rate)]
    source_fps: Option<f32>,
    /// The skeleton (ASF) of an AMC file; without it, the one beside it: 02.asf for 02_01.amc
    #[arg(long, value_name = "FILE.asf")]
    skeleton: Option<PathBuf>,
    /// Keep leading rows in which the root stands still before it jumps away
    #[arg(long)]
    keep_dead_rows: bool,
    /// Accept a file that ends early and keep its whole rows
    #[arg(long)]
    partial: bool,
}

/// How a clip is studied before anything is built upon it.
#[derive(clap::Args)]
#[command(next_help_heading = "How the clip is studied")]
pub(crate) struct StudyArgs {
    /// Take the clip as it is: mend no spikes, cut at no jump of the root
    #[arg(long)]
    no_repair: bool,
    /// Legs and feet from a file (`surefoot inspect FILE --write-rig rig.toml` makes one)
    #[arg(long, value_name = "rig.toml")]
    rig: Option<PathBuf>,
}

impl StudyArgs {
    /// Studies a loaded clip; refuses bodies without legs.
    pub(crate) fn run(&self, file: &Path, loaded: &Loaded) -> Result<Studied, Failure> {
        let on = !self.no_repair;
        let study = Study { repair: Repair { spikes: on, teleports: on, ..Repair::default() }, ..Study::default() };
        match self.rig(loaded)? {
            Some(rig) => Ok(study.run_on(rig, &loaded.clip)),
            None => {
                let studied = study.run(&loaded.skeleton, &loaded.clip);
                studied.map_err(|error| Failure::refused(format!("{}: {error}", file.display())))
            }
        }
    }

    /// The rig file's legs for a body, if one was given.
    pub(crate) fn rig(&self, loaded: &Loaded) -> Result<Option<Rig>, Failure> {
        let Some(path) = &self.rig else { return Ok(None) };
        let unusable = |error: &dyn std::fmt::Display| Failure::unusable(format!("{}: {error}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| unusable(&format!("cannot read: {error}")))?;
        match rig_file::read(&text, &loaded.skeleton, &[&loaded.clip]) {
            Ok(rig) => Ok(Some(rig)),
            Err(RigFileError::Rig(error)) => Err(Failure::refused(format!("{}: {error}", path.display()))),
            Err(error) => Err(unusable(&error)),
        }
    }
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

    /// Loads a file with one clip.
    pub(crate) fn load(&self, path: &Path) -> Result<Loaded, Failure> {
        let Import { skeleton, clips, warnings, .. } = load(path, &self.settings()).map_err(Failure::unusable)?;
        let clip = clips
            .into_iter()
            .next()
            .ok_or_else(|| Failure::unusable(format!("{}: there is no clip in it", path.display())))?;
        Ok(Loaded { skeleton, clip, warnings })
    }
}

/// A body and one motion of it.
pub(crate) struct Loaded {
    pub(crate) skeleton: Skeleton,
    pub(crate) clip: Clip,
    pub(crate) warnings: Vec<Warning>,
}

impl Loaded {
    /// What was assumed or odd, a line each.
    pub(crate) fn warning_lines(&self) -> String {
        self.warnings.iter().map(|warning| format!("warning: {warning}\n")).collect()
    }
}

/// Frames per second, for clap.
pub(crate) fn frame_rate(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (0.01..=10_000.0).contains(&value) => Ok(value),
        _ => Err(format!("{text:?} is no frame rate: give 0.01 to 10000")),
    }
}
