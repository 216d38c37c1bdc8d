//! `rig.toml`: which joints are legs and where feet touch the ground, for a person to read and correct.

use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use surefoot::analyse::{RigError, check_rig, find_leg, find_skinned_rig};
use surefoot::glam::Vec3A;
use surefoot::motion::Clip;
use surefoot::rig::{JointId, Leg, Mirror, ModelPose, Pose, Rig, Side, Skeleton, Skin};
use surefoot::stages::LegCandidate;

/// The version written; others are refused.
const VERSION: u32 = 1;

/// Why a rig file does not fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RigFileError {
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
    #[error("leg {leg}: the skeleton has no joint {name:?}")]
    Joint {
        /// Number of the leg, counted from 1.
        leg: usize,
        /// The name.
        name: String,
    },
    /// The joints of a leg do not hang from each other.
    #[error("leg {leg}: {hip:?}, {knee:?}, {ankle:?} (and its toe) are not hip, knee, ankle and toe of one limb")]
    Chain {
        /// Number of the leg, counted from 1.
        leg: usize,
        /// Names as given.
        hip: String,
        /// Names as given.
        knee: String,
        /// Names as given.
        ankle: String,
    },
    /// A number is not finite, or a direction has no length.
    #[error("leg {leg}: {entry} is not a usable number")]
    Number {
        /// Number of the leg, counted from 1.
        leg: usize,
        /// The entry's name.
        entry: &'static str,
    },
    /// Too few legs, in the file and on the body.
    #[error(transparent)]
    Rig(#[from] RigError),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    #[serde(default)]
    leg: Vec<LegEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LegEntry {
    side: Option<SideEntry>,
    hip: String,
    knee: String,
    ankle: String,
    toe: Option<String>,
    hinge: Option<[f32; 3]>,
    heel: Option<[f32; 3]>,
    ball: Option<[f32; 3]>,
    up: Option<[f32; 3]>,
    length: Option<f32>,
    width: Option<f32>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SideEntry {
    Left,
    Right,
}

/// A rig as text that [`read`] takes back.
#[must_use]
pub fn write(rig: &Rig) -> String {
    let file = File { version: VERSION, leg: rig.legs.iter().map(|leg| LegEntry::of(&rig.skeleton, leg)).collect() };
    format!("{HEADER}{}", text(&file))
}

fn text(file: &File) -> String {
    toml::to_string(file).expect("plain names and numbers")
}

/// A rig as text that [`read`] takes back, with how sure each leg is and the limbs that were not taken as comments; where
/// none was found, a template with what there is to choose from and what is missing.
#[must_use]
pub fn write_weighed(skeleton: &Skeleton, rig: Result<&Rig, &RigError>, candidates: &[LegCandidate]) -> String {
    let mut out = match rig {
        Ok(rig) => write(rig),
        Err(error) => format!("{HEADER}#\n# {error}.\n{MISSING}version = {VERSION}\n"),
    };
    let name = |joint: JointId| skeleton.name(joint);
    for candidate in candidates.iter().filter(|candidate| candidate.taken && rig.is_ok()) {
        let doubt = if candidate.doubt.is_empty() { String::new() } else { format!(", {}", candidate.doubt) };
        let sure = 100.0 * candidate.confidence;
        let _ = write!(out, "\n# {}: {sure:.0} % sure{doubt}", name(candidate.leg.ankle()));
    }
    let others = candidates.iter().filter(|candidate| !candidate.taken || rig.is_err());
    for candidate in others {
        let file = File { version: VERSION, leg: vec![LegEntry::of(skeleton, &candidate.leg)] };
        let why = if candidate.doubt.is_empty() { "it stands on the ground" } else { &candidate.doubt };
        let _ = write!(out, "\n# A limb that may be a leg ({:.0} %): {why}.\n", 100.0 * candidate.confidence);
        for line in text(&file).lines().filter(|line| !line.starts_with("version") && !line.is_empty()) {
            let _ = writeln!(out, "# {line}");
        }
    }
    if rig.is_err() {
        let _ =
            write!(out, "\n# What ends lowest at rest, from the trunk down, with its height over the lowest joint:\n");
        for (way, height) in lowest_ways(skeleton) {
            let _ =
                writeln!(out, "#   {:.3} m: {}", height, way.iter().map(|j| name(*j)).collect::<Vec<_>>().join(" > "));
        }
    } else {
        out.push('\n');
    }
    out
}

/// The ways from the trunk down to the joints that end lowest, with their heights over the lowest, metres.
fn lowest_ways(skeleton: &Skeleton) -> Vec<(Vec<JointId>, f32)> {
    /// As many as a person wants to read.
    const MOST: usize = 12;
    let rest = ModelPose::new(skeleton);
    let height = |joint: JointId| rest[joint].translation.y;
    let mut ends: Vec<JointId> = skeleton.joints().filter(|joint| skeleton.subtree(*joint).len() == 1).collect();
    ends.sort_by(|a, b| height(*a).total_cmp(&height(*b)).then(a.cmp(b)));
    let low = ends.first().map_or(0.0, |end| height(*end));
    let way = |end: &JointId| {
        let mut way: Vec<JointId> = skeleton.ancestry(*end).collect();
        way.reverse();
        (way, height(*end) - low)
    };
    ends.iter().take(MOST).map(way).collect()
}

const MISSING: &str = "\
# To make it walk, give two legs or more: take the marks off limbs below that are legs, or write them so:
# [[leg]]
# side = \"left\"
# hip = \"the joint that the thigh turns about\"
# knee = \"the joint that bends\"
# ankle = \"the joint that carries the foot, or the knee again where none does\"
";

impl LegEntry {
    fn of(skeleton: &Skeleton, leg: &Leg) -> Self {
        let name = |joint: JointId| skeleton.name(joint).to_owned();
        Self {
            side: leg.side.map(|side| if side == Side::Left { SideEntry::Left } else { SideEntry::Right }),
            hip: name(leg.hip()),
            knee: name(leg.chain[leg.chain.len() - 2]),
            ankle: name(leg.ankle()),
            toe: leg.toe.map(name),
            hinge: Some(leg.hinges[0].to_array()),
            heel: Some(leg.foot.heel.to_array()),
            ball: Some(leg.foot.ball.to_array()),
            up: Some(leg.foot.up.to_array()),
            length: Some(leg.foot.length),
            width: Some(leg.foot.width),
        }
    }
}

const HEADER: &str = "\
# Legs and feet, as surefoot found them. Change what is wrong and pass the file with --rig.
# hip, knee, ankle, toe: joints by name; the ankle is the knee again where no joint carries the foot. What is left out (toe, hinge, heel, ball, up, length, width) is found anew.
# hinge: the knee's axis in its parent's space, towards the character's left.
# heel, ball: where the sole touches the ground, metres in the ankle's space; up: the sole's normal there.
# length, width: of the sole, metres.
";

/// Reads a rig for a skeleton; what it leaves out is found from the skeleton and `clips`. A file without legs finds them
/// all.
///
/// # Errors
/// If the text is no rig file of this version, or does not fit the skeleton.
pub fn read(text: &str, skeleton: &Skeleton, clips: &[&Clip]) -> Result<Rig, RigFileError> {
    read_skinned(text, skeleton, None, clips)
}

/// As [`read`], for a body with a skin: what is left out is found from that too, and a leg that does not fit it is refused.
///
/// # Errors
/// If the text is no rig file of this version, or does not fit skeleton and skin.
pub fn read_skinned(
    text: &str,
    skeleton: &Skeleton,
    skin: Option<&Skin>,
    clips: &[&Clip],
) -> Result<Rig, RigFileError> {
    let file: File = toml::from_str(text)?;
    if file.version != VERSION {
        return Err(RigFileError::Version { found: file.version });
    }
    if file.leg.is_empty() {
        return Ok(find_skinned_rig(skeleton, skin, clips)?);
    }
    let legs = file.leg.iter().enumerate().map(|(i, entry)| entry.leg(i + 1, skeleton, skin, clips));
    let legs = legs.collect::<Result<Vec<Leg>, RigFileError>>()?;
    let rig = Rig { skeleton: skeleton.clone(), legs, mirror: Mirror::of(skeleton).ok() };
    if skin.is_some() {
        check_rig(&rig, skin, &Pose::rest(skeleton))?;
    }
    Ok(rig)
}

impl LegEntry {
    fn leg(
        &self,
        number: usize,
        skeleton: &Skeleton,
        skin: Option<&Skin>,
        clips: &[&Clip],
    ) -> Result<Leg, RigFileError> {
        let joint =
            |name: &String| skeleton.find(name).ok_or_else(|| RigFileError::Joint { leg: number, name: name.clone() });
        let chain = [joint(&self.hip)?, joint(&self.knee)?, joint(&self.ankle)?];
        let toe = self.toe.as_ref().map(joint).transpose()?;
        let mut leg = find_leg(skeleton, chain, toe, skin, clips).ok_or_else(|| RigFileError::Chain {
            leg: number,
            hip: self.hip.clone(),
            knee: self.knee.clone(),
            ankle: self.ankle.clone(),
        })?;
        if let Some(side) = self.side {
            leg.side = Some(if matches!(side, SideEntry::Left) { Side::Left } else { Side::Right });
        }
        let vector = |value: Option<[f32; 3]>, entry: &'static str, found: Vec3A, unit: bool| {
            let Some(v) = value.map(Vec3A::from_array) else { return Ok(found) };
            let usable = v.is_finite() && v.length() < 1e3 && (!unit || v.length() > 1e-3);
            let given = if unit { v.normalize_or(found) } else { v };
            usable.then_some(given).ok_or(RigFileError::Number { leg: number, entry })
        };
        let size = |value: Option<f32>, entry: &'static str, found: f32| match value {
            Some(v) if v.is_finite() && v >= 0.0 => Ok(v),
            Some(_) => Err(RigFileError::Number { leg: number, entry }),
            None => Ok(found),
        };
        leg.hinges[0] = vector(self.hinge, "hinge", leg.hinges[0], true)?;
        leg.foot.heel = vector(self.heel, "heel", leg.foot.heel, false)?;
        leg.foot.ball = vector(self.ball, "ball", leg.foot.ball, false)?;
        // A foot without a joint rolls over a point.
        if leg.foot_has_no_joint() {
            let middle = 0.5 * (leg.foot.heel + leg.foot.ball);
            (leg.foot.heel, leg.foot.ball) = (middle, middle);
        }
        leg.foot.up = vector(self.up, "up", leg.foot.up, true)?;
        leg.foot.length = size(self.length, "length", leg.foot.length)?;
        leg.foot.width = size(self.width, "width", leg.foot.width)?;
        Ok(leg)
    }
}

#[cfg(all(test, feature = "embedded"))]
mod tests {
    use super::*;
    use crate::Import;
    use surefoot::analyse::find_rig;

    fn walk() -> (Skeleton, Clip, Rig) {
        let Import { skeleton, mut clips, .. } = crate::embedded::find("16_15").unwrap().import();
        let clip = clips.remove(0);
        let rig = find_rig(&skeleton, &[&clip]).unwrap();
        (skeleton, clip, rig)
    }

    #[test]
    fn a_rig_comes_back() {
        let (skeleton, clip, rig) = walk();
        let back = read(&write(&rig), &skeleton, &[&clip]).unwrap();
        for (a, b) in rig.legs.iter().zip(&back.legs) {
            assert_eq!((a.side, &a.chain, a.toe), (b.side, &b.chain, b.toe));
            assert!(
                (a.foot.heel - b.foot.heel).length() < 1e-6 && (a.hinges[0] - b.hinges[0]).length() < 1e-6,
                "{b:?}"
            );
        }
    }

    #[test]
    fn what_is_given_overrules_and_what_is_not_is_found() {
        let (skeleton, clip, rig) = walk();
        let text = "version = 1\n[[leg]]\nhip = \"LeftUpLeg\"\nknee = \"LeftLeg\"\nankle = \"LeftFoot\"\nheel = [0.0, -0.1, -0.2]\n\
                    [[leg]]\nhip = \"RightUpLeg\"\nknee = \"RightLeg\"\nankle = \"RightFoot\"\n";
        let read = read(text, &skeleton, &[&clip]).unwrap();
        assert_eq!(read.legs[0].foot.heel, Vec3A::new(0.0, -0.1, -0.2));
        assert_eq!(read.legs[1].foot, rig.legs[1].foot);
        assert_eq!(read.legs[0].foot.ball, rig.legs[0].foot.ball);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_reason() {
        let (skeleton, clip, rig) = walk();
        let good = write(&rig);
        for (from, to, wanted) in [
            ("version = 1", "version = 7", "version 7"),
            ("LeftUpLeg", "LeftHip", "no joint \"LeftHip\""),
            ("knee = \"LeftLeg\"", "knee = \"RightLeg\"", "of one limb"),
            ("side = \"left\"", "sied = \"left\"", "unknown field `sied`"),
            ("side = \"left\"", "side = \"up\"", "unknown variant"),
            ("heel = [", "heel = [nan, ", "heel is not a usable number"),
            ("[[leg]]", "[[leg", "TOML parse error"),
        ] {
            assert!(good.contains(from), "{from}");
            let error = read(&good.replacen(from, to, 1), &skeleton, &[&clip]).unwrap_err().to_string();
            assert!(error.contains(wanted), "{to}: {error}");
        }
        let nan = "version = 1\n[[leg]]\nhip = \"LeftUpLeg\"\nknee = \"LeftLeg\"\nankle = \"LeftFoot\"\nup = [0.0, nan, 0.0]\n";
        assert!(matches!(read(nan, &skeleton, &[&clip]), Err(RigFileError::Number { leg: 1, entry: "up" })), "NaN");
    }

    #[test]
    fn broken_rig_files_give_a_rig_or_an_error() {
        let (skeleton, clip, rig) = walk();
        let good = write(&rig).into_bytes();
        let mut rng = surefoot::random::Rng::new(surefoot::random::Seed(4)).stream("rig");
        for _ in 0..3000 {
            let mut bytes = good.clone();
            for _ in 0..=rng.below(4) {
                let at = rng.below(bytes.len());
                bytes[at] = rng.bits() as u8;
            }
            bytes.truncate(rng.below(bytes.len() + 1).max(bytes.len() / 2));
            if let Ok(rig) = read(&String::from_utf8_lossy(&bytes), &skeleton, &[&clip]) {
                let usable = |leg: &Leg| {
                    leg.foot.heel.is_finite() && leg.foot.up.is_normalized() && leg.hinges[0].is_normalized()
                };
                assert!(rig.legs.iter().all(usable), "{rig:?}");
            }
        }
    }
}
