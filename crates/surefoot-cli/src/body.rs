//! The body that motion is brought onto.

use crate::failure::Failure;
use crate::format::Own;
use crate::input::no_legs;
use std::path::{Path, PathBuf};
use surefoot::adapt::Build;
use surefoot::analyse::find_skinned_rig;
use surefoot::library::graph::MotionGraph;
use surefoot::motion::Clip;
use surefoot::rig::Rig;
use surefoot::stages::Repair;
use surefoot::stages::Retarget;
use surefoot::stages::RetargetedGraph;
use surefoot_io::strides_file::StrideTakes;
use surefoot_io::{Import, ImportSettings, load, rig_file};

/// Who walks.
#[derive(clap::Args)]
#[command(next_help_heading = "Who walks")]
pub(crate) struct CharacterArgs {
    /// A character of your own (.glb, .gltf, .vrm, .fbx, .bvh): the walks are transferred to its body before the way is planned, so
    /// that steps, reach and arrival fit it; a GLB result contains its mesh
    #[arg(long, value_name = "C")]
    character: Option<PathBuf>,
    /// Its legs and feet from a file (`surefoot inspect C --write-rig rig.toml` makes one)
    #[arg(long, value_name = "rig.toml", requires = "character")]
    character_rig: Option<PathBuf>,
}

impl CharacterArgs {
    /// The files that are read.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.character.iter().chain(&self.character_rig)
    }

    /// Its rig file, if one was given.
    pub(crate) fn rig_option(&self) -> RigOption<'_> {
        RigOption { name: "--character-rig", file: self.character_rig.as_deref() }
    }

    /// The character, if one was given.
    pub(crate) fn load(&self) -> Result<Option<Body>, Failure> {
        self.character.as_deref().map(|path| Body::load(path, self.rig_option())).transpose()
    }
}

/// A body with what its file has.
pub(crate) struct Body {
    pub(crate) import: Import,
    pub(crate) rig: Rig,
    pub(crate) path: PathBuf,
}

/// A rig file and the option that it is given by.
#[derive(Clone, Copy)]
pub(crate) struct RigOption<'a> {
    pub(crate) name: &'static str,
    pub(crate) file: Option<&'a Path>,
}

impl Body {
    /// Loads a body; `rig` names its legs where they are not to be found.
    pub(crate) fn load(path: &Path, rig: RigOption<'_>) -> Result<Self, Failure> {
        Self::of_import(load(path, &ImportSettings::default()).map_err(Failure::unusable)?, path, rig)
    }

    /// The body of a file that has been read.
    pub(crate) fn of_import(import: Import, path: &Path, option: RigOption<'_>) -> Result<Self, Failure> {
        let repair = |clip: &Clip| Repair::default().run(&import.skeleton, clip).clip;
        let repaired: Vec<Clip> = import.clips.iter().map(repair).collect();
        let clips: Vec<&Clip> = repaired.iter().collect();
        let skin = import.skin.as_ref();
        let rig = match option.file {
            Some(path) => rig_file::read_skinned(&text(path)?, &import.skeleton, skin, &clips)
                .map_err(|error| Failure::unusable(format!("{} {}: {error}", option.name, path.display())))?,
            None => {
                find_skinned_rig(&import.skeleton, skin, &clips).map_err(|error| no_legs(path, &error, option.name))?
            }
        };
        Ok(Self { import, rig, path: path.to_owned() })
    }

    /// What it brings along for a result.
    pub(crate) fn own(&self) -> Own<'_> {
        Own { rest_row: self.import.source.rest_row, ..Own::of(&self.import.document, &self.import.skin) }
    }

    /// Clips of another body that become strides, on this one.
    pub(crate) fn bring_strides(&self, takes: &StrideTakes) -> Result<StrideTakes, Failure> {
        let unfit = |error| Failure::refused(format!("{}: {error}", self.path.display()));
        takes.onto(&self.rig, self.import.skin.as_ref()).map_err(unfit)
    }

    /// A graph of another body on this one.
    pub(crate) fn bring(&self, graph: &MotionGraph) -> Result<RetargetedGraph, Failure> {
        let to = Build::new(self.rig.clone(), self.import.skin.as_ref());
        let unfit = |error| Failure::refused(format!("{}: {error}", self.path.display()));
        Retarget::default().run_graph(graph, &to).map_err(unfit)
    }
}

/// The text of a file.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::unusable(format!("{}: cannot read: {error}", path.display())))
}
