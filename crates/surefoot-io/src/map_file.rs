//! `map.toml`: which joints of a motion and of a body are which parts, for a person to read and correct.

use serde::{Deserialize, Serialize};
use surefoot::adapt::Build;
use surefoot::adapt::{ChainMode, ChainModes};
use surefoot::glam::Vec3A;
use surefoot::rig::{JointId, Rig, Side, Skeleton, Skin};
use surefoot::stages::{Arm, BodyParts, Finger, FingerName};

/// The version written; others are refused.
const VERSION: u32 = 1;

/// Why a map does not fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapFileError {
    /// It is no TOML, or has unknown or missing entries; the message names the line.
    #[error(transparent)]
    Text(#[from] toml::de::Error),
    /// Another version of the format.
    #[error("version {found} of the format; this program reads version {VERSION}")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// A joint is not in the skeleton.
    #[error("[{body}] {entry}: the skeleton has no joint {name:?}")]
    Joint {
        /// `motion` or `body`.
        body: &'static str,
        /// The entry.
        entry: String,
        /// The name.
        name: String,
    },
    /// Joints of a part do not hang from each other in this order.
    #[error("[{body}] {entry}: {lower:?} does not hang from {upper:?}")]
    Chain {
        /// `motion` or `body`.
        body: &'static str,
        /// The entry.
        entry: String,
        /// The joint that should be above.
        upper: String,
        /// The joint that should be below.
        lower: String,
    },
    /// A hand without a joint.
    #[error("[{body}] arm {arm}: hand names no joint")]
    NoHand {
        /// `motion` or `body`.
        body: &'static str,
        /// Number of the arm, counted from 1.
        arm: usize,
    },
    /// A number that is not finite.
    #[error("pelvis_offset: three finite numbers, metres")]
    Offset,
}

/// A map as it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapFile {
    version: u32,
    #[serde(default)]
    pelvis_offset: [f32; 3],
    #[serde(default)]
    mode: Modes,
    motion: Parts,
    body: Parts,
}

#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Modes {
    legs: Mode,
    arms: Mode,
    spine: Turns,
    neck: Turns,
    tail: Turns,
    fingers: Turns,
}

#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    #[default]
    Reach,
    Turn,
    Still,
}

#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Turns {
    #[default]
    Turn,
    Still,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    pelvis: String,
    #[serde(default)]
    spine: Vec<String>,
    #[serde(default)]
    neck: Vec<String>,
    #[serde(default)]
    tail: Vec<String>,
    #[serde(default)]
    arm: Vec<ArmEntry>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArmEntry {
    side: SideEntry,
    shoulder: Option<String>,
    upper: String,
    fore: String,
    hand: Vec<String>,
    #[serde(default)]
    thumb: Vec<String>,
    #[serde(default)]
    index: Vec<String>,
    #[serde(default)]
    middle: Vec<String>,
    #[serde(default)]
    ring: Vec<String>,
    #[serde(default)]
    little: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SideEntry {
    Left,
    Right,
}

const HEADER: &str = "\
# Which joints are which parts, as surefoot found them. Change what is wrong and pass the file with --map. Legs are in rig files.
# [motion] is the body that moves, [body] the one that is brought to do the same. spine: from above the pelvis to the chest;
# neck: from above the chest to the head; hand: the hand first, then what else begins at the wrist.
# [mode]: reach (limbs reach as far in proportion), turn (bones turn alike), still (they keep to the part they hang from).
# pelvis_offset: metres by which the body's hips are moved: x to its left, y up, z ahead.
";

/// The map of two bodies as text that [`read`] takes back.
#[must_use]
pub fn write(from: &Build, to: &Build) -> String {
    let [motion, body] = [from, to].map(|build| Parts::of(&build.rig.skeleton, &build.parts));
    let file = MapFile { version: VERSION, pelvis_offset: [0.0; 3], mode: Modes::default(), motion, body };
    format!("{HEADER}{}", toml::to_string(&file).expect("plain names and numbers"))
}

/// Reads a map.
///
/// # Errors
/// If the text is no map of this version.
pub fn read(text: &str) -> Result<MapFile, MapFileError> {
    let file: MapFile = toml::from_str(text)?;
    if file.version != VERSION {
        return Err(MapFileError::Version { found: file.version });
    }
    if !file.pelvis_offset.iter().all(|x| x.is_finite() && x.abs() < 1e3) {
        return Err(MapFileError::Offset);
    }
    Ok(file)
}

impl MapFile {
    /// The body that moves.
    ///
    /// # Errors
    /// If a joint is not there, or does not hang from the one it should.
    pub fn source(&self, rig: Rig, skin: Option<&Skin>) -> Result<Build, MapFileError> {
        let parts = Fitting { body: "motion", skeleton: &rig.skeleton }.parts(&self.motion)?;
        Ok(Build::of_parts(rig, skin, parts))
    }

    /// The body that is brought to do the same.
    ///
    /// # Errors
    /// As [`source`](Self::source).
    pub fn target(&self, rig: Rig, skin: Option<&Skin>) -> Result<Build, MapFileError> {
        let parts = Fitting { body: "body", skeleton: &rig.skeleton }.parts(&self.body)?;
        Ok(Build::of_parts(rig, skin, parts))
    }

    /// How each chain is carried over.
    #[must_use]
    pub fn modes(&self) -> ChainModes {
        let limb = |mode: Mode| match mode {
            Mode::Reach => ChainMode::Reach,
            Mode::Turn => ChainMode::Turn,
            Mode::Still => ChainMode::Still,
        };
        let row = |mode: Turns| if mode == Turns::Turn { ChainMode::Turn } else { ChainMode::Still };
        ChainModes {
            legs: limb(self.mode.legs),
            arms: limb(self.mode.arms),
            spine: row(self.mode.spine),
            neck: row(self.mode.neck),
            tail: row(self.mode.tail),
            fingers: row(self.mode.fingers),
        }
    }

    /// How far the body's hips are moved, metres, model space.
    #[must_use]
    pub fn pelvis_offset(&self) -> Vec3A {
        Vec3A::from(self.pelvis_offset)
    }
}

const FINGERS: [FingerName; 5] =
    [FingerName::Thumb, FingerName::Index, FingerName::Middle, FingerName::Ring, FingerName::Little];

impl ArmEntry {
    fn finger(&self, name: FingerName) -> &Vec<String> {
        match name {
            FingerName::Thumb => &self.thumb,
            FingerName::Index => &self.index,
            FingerName::Middle => &self.middle,
            FingerName::Ring => &self.ring,
            FingerName::Little => &self.little,
        }
    }
}

impl Parts {
    fn of(skeleton: &Skeleton, parts: &BodyParts) -> Self {
        let name = |joint: JointId| skeleton.name(joint).to_owned();
        let names = |joints: &[JointId]| joints.iter().map(|joint| name(*joint)).collect::<Vec<String>>();
        let arm = |arm: &Arm| {
            let finger = |name: FingerName| {
                let own = arm.fingers.iter().find(|finger| finger.name == name);
                own.map(|finger| names(&finger.joints)).unwrap_or_default()
            };
            let [thumb, index, middle, ring, little] = FINGERS.map(finger);
            ArmEntry {
                side: if arm.side == Side::Left { SideEntry::Left } else { SideEntry::Right },
                shoulder: arm.shoulder.map(name),
                upper: name(arm.upper),
                fore: name(arm.fore),
                hand: names(&arm.hand),
                thumb,
                index,
                middle,
                ring,
                little,
            }
        };
        Self {
            pelvis: name(parts.pelvis),
            spine: names(&parts.spine),
            neck: names(&parts.neck),
            tail: names(&parts.tail),
            arm: parts.arms.iter().map(arm).collect(),
        }
    }
}

/// A skeleton that names are looked up in.
struct Fitting<'a> {
    body: &'static str,
    skeleton: &'a Skeleton,
}

impl Fitting<'_> {
    fn parts(&self, parts: &Parts) -> Result<BodyParts, MapFileError> {
        let mut found = BodyParts::default();
        found.pelvis = self.joint("pelvis", &parts.pelvis)?;
        found.spine = self.row("spine", Some(found.pelvis), &parts.spine)?;
        let chest = found.spine.last().copied().unwrap_or(found.pelvis);
        found.neck = self.row("neck", Some(chest), &parts.neck)?;
        found.tail = self.row("tail", None, &parts.tail)?;
        for (i, arm) in parts.arm.iter().enumerate() {
            found.arms.push(self.arm(i + 1, arm)?);
        }
        Ok(found)
    }

    fn arm(&self, number: usize, arm: &ArmEntry) -> Result<Arm, MapFileError> {
        let entry = format!("arm {number}");
        let shoulder = arm.shoulder.as_ref().map(|name| self.joint(&entry, name)).transpose()?;
        let Some(first) = arm.hand.first() else { return Err(MapFileError::NoHand { body: self.body, arm: number }) };
        let limb = self.row(&entry, shoulder, &[arm.upper.clone(), arm.fore.clone(), first.clone()])?;
        let hand = arm.hand.iter().map(|name| self.joint(&entry, name)).collect::<Result<Vec<_>, _>>()?;
        let mut fingers = Vec::new();
        for name in FINGERS {
            let joints = self.row(&entry, None, arm.finger(name))?;
            if !joints.is_empty() {
                fingers.push(Finger { name, joints });
            }
        }
        let side = if arm.side == SideEntry::Left { Side::Left } else { Side::Right };
        Ok(Arm { side, shoulder, upper: limb[0], fore: limb[1], hand, fingers })
    }

    /// Joints that hang from each other, the first from `above`.
    fn row(&self, entry: &str, above: Option<JointId>, names: &[String]) -> Result<Vec<JointId>, MapFileError> {
        let mut joints: Vec<JointId> = Vec::new();
        for name in names {
            let joint = self.joint(entry, name)?;
            let upper = joints.last().copied().or(above);
            if let Some(upper) = upper.filter(|upper| !self.skeleton.ancestry(joint).skip(1).any(|j| j == *upper)) {
                let (upper, lower) = (self.skeleton.name(upper).to_owned(), name.clone());
                return Err(MapFileError::Chain { body: self.body, entry: entry.to_owned(), upper, lower });
            }
            joints.push(joint);
        }
        Ok(joints)
    }

    fn joint(&self, entry: &str, name: &str) -> Result<JointId, MapFileError> {
        let missing = || MapFileError::Joint { body: self.body, entry: entry.to_owned(), name: name.to_owned() };
        self.skeleton.find(name).ok_or_else(missing)
    }
}
