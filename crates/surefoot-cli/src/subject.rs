//! Who walks: a character's file with its idle pose and legs, or one that is made.

use crate::clip_choice::choose;
use crate::failure::Failure;
use crate::input::{ImportArgs, RigArgs, no_legs};
use std::path::Path;
use surefoot::rig::ManyLegs;
use surefoot_io::rig_file::RigFileError;
use surefoot_io::{CharacterError, LoadCharacter, LoadedCharacter, load};

/// Who walks, as it was typed.
pub(crate) struct Subject<'a> {
    /// `--character`: a file, or `legs:N`.
    pub(crate) character: &'a Path,
    /// `--idle`: the clip whose first frame is the idle pose.
    pub(crate) idle: Option<&'a str>,
    pub(crate) rig: &'a RigArgs,
    pub(crate) import: &'a ImportArgs,
}

impl Subject<'_> {
    /// The character, ready to walk.
    pub(crate) fn load(&self) -> Result<LoadedCharacter, Failure> {
        let file = self.character;
        let refused = |error: &dyn std::fmt::Display| Failure::refused(format!("{}: {error}", file.display()));
        if let Some(legs) = file.to_str().and_then(|text| text.strip_prefix("legs:")) {
            let legs = legs.parse().ok().filter(|legs| (2..=16).contains(legs) && legs % 2 == 0);
            let legs: usize =
                legs.ok_or_else(|| Failure::unusable("--character legs:N: an even number from 2 to 16"))?;
            let rig = ManyLegs { pairs: legs / 2, ..ManyLegs::default() }.run();
            return LoadedCharacter::of_rig(rig).map_err(|error| refused(&error));
        }
        let import = load(file, &self.import.settings()).map_err(Failure::unusable)?;
        let chosen = |name: &str| match choose(&import.clips, Some(name)) {
            Ok(index) => Ok(import.clips[index].name().to_owned()),
            Err(why) => Err(Failure::unusable(format!("--idle: {why}"))),
        };
        let idle = self.idle.map(chosen).transpose()?;
        let load = LoadCharacter { idle, rig: self.rig.text()?, ..LoadCharacter::default() };
        load.of_import(import).map_err(|error| match error {
            CharacterError::Rig(error) => no_legs(file, &error, "--rig"),
            CharacterError::RigFile(RigFileError::Rig(error)) => refused(&error),
            CharacterError::RigFile(error) => {
                let file = self.rig.path().map(|path| path.display().to_string()).unwrap_or_default();
                Failure::unusable(format!("--rig {file}: {error}"))
            }
            error => refused(&error),
        })
    }
}
