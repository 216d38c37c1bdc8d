//! From a file to a character that can walk: its legs, its idle pose and its clips, with the file to write back into.

use crate::gltf::{Document, NewClip, WriteError, WriteSettings};
use crate::rig_file::{self, RigFileError};
use crate::{Import, ImportSettings, LoadError, Warning, glb, gltf, load};
use std::path::Path;
use std::sync::Arc;
use surefoot::analyse::{RigError, check_rig, find_skinned_rig};
use surefoot::character::{Character, StandError};
use surefoot::motion::Clip;
use surefoot::rig::{Pose, Rig, Skeleton, Skin};

/// How a character is loaded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadCharacter {
    /// How its file is read.
    pub import: ImportSettings,
    /// The clip whose first frame is the idle pose, by its name; if `None`, the one with the shortest name that has "idle" in
    /// it, else the rest pose.
    pub idle: Option<String>,
    /// Its legs as a rig file names them (its text, see [`rig_file`]); found if `None`.
    pub rig: Option<String>,
}

/// A character with the clips and the file that it came with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedCharacter {
    /// The body as it stands in its idle pose; share it.
    pub character: Arc<Character>,
    /// Which of the clips the idle pose is the first frame of; `None`: it is the rest pose.
    pub idle: Option<usize>,
    /// Its clips.
    pub clips: Vec<Clip>,
    /// Its mesh, if it has one.
    pub skin: Option<Skin>,
    /// The file itself, for clips to be put back into (glTF).
    pub document: Option<Document>,
    /// What was odd about the file.
    pub warnings: Vec<Warning>,
}

/// Why a file is no character that can walk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CharacterError {
    /// It cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It has no legs, or legs that it cannot stand on.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// The rig file does not fit it.
    #[error(transparent)]
    RigFile(#[from] RigFileError),
    /// There is no clip of the name that the idle pose should come from.
    #[error("no clip is called {name:?}; there are {}", clips.join(", "))]
    NoClip {
        /// The name that was wanted.
        name: String,
        /// Those that there are.
        clips: Vec<String>,
    },
    /// It cannot stand or step.
    #[error(transparent)]
    Stand(#[from] StandError),
}

/// Loads a character from a BVH, FBX or glTF file: finds its legs and its idle pose. [`LoadCharacter`] has what can be said
/// about it.
///
/// # Errors
/// If the file cannot be read, or its body cannot walk.
pub fn load_character(path: impl AsRef<Path>) -> Result<LoadedCharacter, CharacterError> {
    LoadCharacter::default().run(path)
}

impl LoadCharacter {
    /// Loads a character from a file.
    ///
    /// # Errors
    /// If the file cannot be read, has no clip of the name for the idle pose, or its body cannot walk.
    pub fn run(&self, path: impl AsRef<Path>) -> Result<LoadedCharacter, CharacterError> {
        self.of_import(load(path.as_ref(), &self.import)?)
    }

    /// Makes a character of what has been loaded.
    ///
    /// # Errors
    /// If there is no clip of the name for the idle pose, or the body cannot walk.
    pub fn of_import(&self, import: Import) -> Result<LoadedCharacter, CharacterError> {
        let Import { skeleton, clips, skin, document, warnings, .. } = import;
        let all: Vec<&Clip> = clips.iter().collect();
        let rig = match &self.rig {
            Some(text) => rig_file::read_skinned(text, &skeleton, skin.as_ref(), &all)?,
            None => find_skinned_rig(&skeleton, skin.as_ref(), &all)?,
        };
        let idle = match &self.idle {
            Some(name) => Some(named(&clips, name)?),
            None => idle_clip(&clips),
        };
        let character = stand(rig, idle.map(|index| &clips[index]), &all, skin.as_ref())?;
        check_rig(&character.rig, skin.as_ref(), &character.stand.pose)?;
        Ok(LoadedCharacter { character, idle, clips, skin, document, warnings })
    }
}

impl LoadedCharacter {
    /// A body without a file, standing in its rest pose.
    ///
    /// # Errors
    /// If it cannot stand or step.
    pub fn of_rig(rig: Rig) -> Result<Self, StandError> {
        let character = stand(rig, None, &[], None)?;
        Ok(Self { character, idle: None, clips: Vec::new(), skin: None, document: None, warnings: Vec::new() })
    }

    /// Its skeleton.
    #[must_use]
    pub fn skeleton(&self) -> &Skeleton {
        &self.character.rig.skeleton
    }

    /// The clip of a name.
    #[must_use]
    pub fn clip(&self, name: &str) -> Option<&Clip> {
        self.clips.iter().find(|clip| clip.name() == name)
    }

    /// New clips as the bytes of a GLB file: in place of the clips of its own file, mesh and all; with the shape of its
    /// mesh, or plain bones if it has none, if that was none of glTF.
    ///
    /// # Errors
    /// If its own file cannot be written, see [`gltf::write_clips`].
    ///
    /// # Panics
    /// If a clip was made for another skeleton.
    pub fn glb(&self, clips: &[&Clip]) -> Result<Vec<u8>, WriteError> {
        let clips: Vec<NewClip<'_>> =
            clips.iter().map(|clip| NewClip { rig: Some(&self.character.rig), ..NewClip::of(clip) }).collect();
        match &self.document {
            Some(document) => gltf::write_clips(document, self.skeleton(), &clips, &WriteSettings::default()),
            None => Ok(glb::write_clips(self.skeleton(), self.skin.as_ref(), &clips)),
        }
    }
}

fn named(clips: &[Clip], name: &str) -> Result<usize, CharacterError> {
    let names = || clips.iter().map(|clip| clip.name().to_owned()).collect();
    let found = clips.iter().position(|clip| clip.name() == name);
    found.ok_or_else(|| CharacterError::NoClip { name: name.to_owned(), clips: names() })
}

/// The shortest of such names: "Idle" rather than "Sit_Chair_Idle".
fn idle_clip(clips: &[Clip]) -> Option<usize> {
    let idles = clips.iter().enumerate().filter(|(_, clip)| clip.name().to_lowercase().contains("idle"));
    idles.min_by_key(|(_, clip)| clip.name().len()).map(|(i, _)| i)
}

/// A rig in the first frame of a clip, or in its rest pose.
fn stand(rig: Rig, idle: Option<&Clip>, clips: &[&Clip], skin: Option<&Skin>) -> Result<Arc<Character>, StandError> {
    let mut pose = Pose::rest(&rig.skeleton);
    if let Some(idle) = idle {
        pose.locals.copy_from_slice(idle.frame(0));
    }
    Character::skinned(rig, pose, clips, skin)
}
