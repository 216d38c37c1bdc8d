//! Notes on clips as files: key times and speeds that a person knows better than looking at the clip tells, in TOML.
//!
//! ```toml
//! version = 1
//!
//! [[clip]]
//! name = "Walk"
//! speed = 1.2                                  # m/s; its direction stays
//! [[clip.leg]]
//! foot = "foot.l"                              # the joint of the ankle
//! strike = 0.02                                # phases of the clip, 0 to 1: strike, land, stance, lift, off
//! off = 0.6
//! ```

use serde::{Deserialize, Serialize};
use surefoot::library::locomotion::{ClipNotes, LegNotes};
use surefoot::rig::Rig;
use surefoot::stages::LocomotionClip;

const VERSION: u32 = 1;

/// Notes on the clips of a character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NotesFile {
    clips: Vec<(String, Option<f32>, Vec<LegNotes>)>,
}

/// Why a text has no notes on clips.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotesFileError {
    /// No TOML, or not these entries.
    #[error(transparent)]
    Text(#[from] toml::de::Error),
    /// Another version of the format.
    #[error("version {0} of the format; this program reads version {VERSION}")]
    Version(u32),
    /// A foot that the rig does not have.
    #[error("clip {clip:?}: foot {foot:?}: there is none; its feet are {feet}")]
    Foot {
        /// The clip.
        clip: String,
        /// What was named.
        foot: String,
        /// Those that there are.
        feet: String,
    },
    /// A number that means nothing.
    #[error("clip {clip:?}: {name} = {value}: give {low} to {high}")]
    Number {
        /// The clip.
        clip: String,
        /// Its name in the file.
        name: &'static str,
        /// What it is.
        value: f32,
        /// The least it may be.
        low: f32,
        /// The most.
        high: f32,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    #[serde(default)]
    clip: Vec<NotedClip>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotedClip {
    name: String,
    speed: Option<f32>,
    #[serde(default)]
    leg: Vec<NotedLeg>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotedLeg {
    foot: String,
    strike: Option<f32>,
    land: Option<f32>,
    stance: Option<f32>,
    lift: Option<f32>,
    off: Option<f32>,
}

/// Reads notes on clips of a rig.
///
/// # Errors
/// What is wrong, and where.
pub fn read(text: &str, rig: &Rig) -> Result<NotesFile, NotesFileError> {
    let file: File = toml::from_str(text)?;
    if file.version != VERSION {
        return Err(NotesFileError::Version(file.version));
    }
    let mut clips = Vec::new();
    for NotedClip { name: clip, speed, leg } in file.clip {
        let number = |name: &'static str, value: Option<f32>, low: f32, high: f32| match value {
            Some(value) if !(low..=high).contains(&value) => {
                Err(NotesFileError::Number { clip: clip.clone(), name, value, low, high })
            }
            value => Ok(value),
        };
        let mut legs = vec![LegNotes::default(); rig.legs.len()];
        for own in leg {
            let at = rig.legs.iter().position(|leg| rig.skeleton.name(leg.ankle()) == own.foot);
            let at = at.ok_or_else(|| {
                let feet: Vec<&str> = rig.legs.iter().map(|leg| rig.skeleton.name(leg.ankle())).collect();
                NotesFileError::Foot { clip: clip.clone(), foot: own.foot.clone(), feet: feet.join(", ") }
            })?;
            legs[at] = LegNotes {
                strike: number("strike", own.strike, 0.0, 1.0)?,
                land: number("land", own.land, 0.0, 1.0)?,
                stance: number("stance", own.stance, 0.0, 1.0)?,
                lift: number("lift", own.lift, 0.0, 1.0)?,
                off: number("off", own.off, 0.0, 1.0)?,
            };
        }
        let speed = number("speed", speed, 0.01, 100.0)?;
        clips.push((clip, speed, legs));
    }
    Ok(NotesFile { clips })
}

impl NotesFile {
    /// The notes on a clip, if there are any.
    #[must_use]
    pub fn of(&self, clip: &LocomotionClip) -> Option<ClipNotes> {
        let (_, speed, legs) = self.clips.iter().find(|(name, ..)| name == clip.name())?;
        let velocity = speed.map(|speed| clip.motion.velocity.normalize_or_zero() * speed);
        Some(ClipNotes { velocity, legs: legs.clone() })
    }
}
