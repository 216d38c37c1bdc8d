//! What a person can do about what is odd or wrong in a file.

use crate::{ImportError, Warning};
use std::fmt;

/// How much something in a file matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Dealt with; nothing to do.
    Note,
    /// Dealt with in a way that is worth a look.
    Look,
    /// Something was assumed that changes the result; only a person can tell whether it is right.
    Decide,
    /// The file cannot be used as it is.
    Broken,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Note => "note",
            Self::Look => "look",
            Self::Decide => "decide",
            Self::Broken => "broken",
        })
    }
}

/// How much something matters, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// How much it matters.
    pub severity: Severity,
    /// What to do, as a sentence a person can act on.
    pub what_to_do: String,
}

impl Remedy {
    fn new(severity: Severity, what_to_do: impl Into<String>) -> Self {
        Self { severity, what_to_do: what_to_do.into() }
    }
}

impl Warning {
    /// What to do about it.
    #[must_use]
    pub fn remedy(&self) -> Remedy {
        use Severity::{Decide, Look, Note};
        // Every warning is listed: a new one must be given a remedy.
        match self {
            Self::ChannelCount { .. } => Remedy::new(Note, "nothing: the listed channels count"),
            Self::NoOffset { joint, .. } => {
                Remedy::new(Look, format!("give {joint} its OFFSET if it should not sit on its parent"))
            }
            Self::DuplicateName { name, .. } => {
                Remedy::new(Note, format!("rename all but one {name:?} if programs find joints by name"))
            }
            Self::NameReplaced { .. } => Remedy::new(Note, "rename the joint in its editor if its name matters"),
            Self::SeveralRoots { .. } => {
                Remedy::new(Look, "nothing if the roots are one character's; else split the file")
            }
            Self::FrameCount { .. } => Remedy::new(Note, "nothing: the rows that are there count"),
            Self::PartialRow { .. } => Remedy::new(Look, "fetch or export the file again if its end matters"),
            Self::TrailingText { .. } => Remedy::new(Note, "nothing: it is a footer or left-over text"),
            Self::RateSnapped { rate, .. } => {
                Remedy::new(Note, format!("nothing if it was recorded at {rate} Hz; else say --source-fps"))
            }
            Self::OddRate { rate } => Remedy::new(
                Decide,
                format!("say --source-fps with the true rate, or --source-fps {rate} if it is that"),
            ),
            Self::DeadRows { .. } => Remedy::new(Note, "nothing; --keep-dead-rows keeps them"),
            Self::Teleport { frame, .. } => {
                Remedy::new(Look, format!("look at frame {frame}; repair keeps the longest part without a jump"))
            }
            Self::UnitAssumed { unit, .. } => {
                Remedy::new(Decide, format!("say --unit, with {unit} if that is right; measure a leg if in doubt"))
            }
            Self::UpAssumed { up } => Remedy::new(Decide, format!("say --up, with {up} if that is right")),
            Self::ForwardAssumed { forward } => {
                Remedy::new(Decide, format!("say --forward, with {forward} if that is right"))
            }
            Self::Unnamed { .. } => Remedy::new(Note, "name the bones in their editor if names matter"),
            Self::MadeUnique { name, .. } => {
                Remedy::new(Note, format!("rename all but one {name:?} if programs find joints by name"))
            }
            Self::LeftAlone { .. } => Remedy::new(Note, "nothing: props, cameras and lights are no part of a body"),
            Self::StillAnimation { .. } => Remedy::new(Note, "nothing: it may belong to another object"),
            Self::NoClips => Remedy::new(Look, "export it with its animation if it should have one"),
            Self::ImageMissing { .. } => Remedy::new(Look, "put the picture beside the file before you export from it"),
            Self::WeightsMended { .. } => {
                Remedy::new(Note, "nothing; normalise weights in the editor if its own export should be valid too")
            }
            Self::Mirrored => Remedy::new(
                Decide,
                "export it for right-handed axes; if names of left and right are exchanged, exchange them back",
            ),
            Self::LimitCount { .. } => Remedy::new(Note, "nothing: limits are kept for information only"),
            Self::FrameNumber { .. } => {
                Remedy::new(Look, "check whether frames are missing; they are taken as they follow")
            }
            Self::BonesAtRest { .. } => Remedy::new(Look, "check that motion and skeleton belong to one subject"),
            Self::RateAssumed { rate } => {
                Remedy::new(Decide, format!("say --source-fps, with {rate} if that is right"))
            }
            Self::SkeletonOnly => Remedy::new(Look, "give a motion file; its skeleton is found beside it"),
            Self::RootPreset => {
                Remedy::new(Look, "look at it in a picture; programs differ in what a moved root means")
            }
            Self::StretchIgnored { .. } => Remedy::new(Look, "nothing if bones should keep their length"),
            Self::NoMaterials { .. } => Remedy::new(Note, "nothing: materials are not used"),
            Self::Ignored { .. } => Remedy::new(Note, "nothing if these lines are no ground; else save as polygons"),
            Self::FlatFaces { .. } => Remedy::new(Note, "nothing: nobody can stand on them"),
            Self::CrossingFaces { .. } => Remedy::new(Look, "cut these faces into triangles in their editor"),
            Self::LevelElsewhere { axis } => Remedy::new(Decide, format!("say --up {axis}, or --up y if y is up")),
            Self::FacesDown => Remedy::new(Decide, "flip the faces in their editor (recalculate outside)"),
            Self::ScaleIgnored { .. } => Remedy::new(Note, "nothing, if that part may keep its size"),
            Self::ClipLeftOut { .. } => Remedy::new(
                Look,
                "remove the scale keys of that bone, or bake the motion without scale, to have the clip",
            ),
            Self::MeshesLeftOut { .. } => Remedy::new(
                Look,
                "export it without compression, so that its skin tells where its feet touch the ground",
            ),
            Self::RigUnfit { .. } => Remedy::new(
                Look,
                "look at its legs with `surefoot inspect FILE --picture legs.png`, and pass a rig file with --rig if they are wrong",
            ),
            Self::FbxOddity { .. } => {
                Remedy::new(Look, "export it again from a current program if something is missing")
            }
        }
    }
}

/// What errors say, and what to do about each; the first that fits counts.
const CURES: [(&str, &str); 13] = [
    ("with --partial", "fetch the file again, or say --partial to keep what is whole"),
    ("--skeleton", "give the ASF file of that subject with --skeleton, or put it beside the motion"),
    ("requires the extension", "open it in its editor (or Blender) and export it without compression"),
    (
        "must be scaled evenly",
        "apply that node's scale in its editor (Blender: Apply > Scale, Maya: Freeze Transformations)",
    ),
    ("must keep their size", "remove the scale keys of that bone, or bake the motion without scale"),
    ("no skeleton in it", "export it with its armature and motion; if it is a world, save it as GLB or OBJ"),
    ("without the feature fbx", "build surefoot with the feature fbx, or save the file as GLB or BVH"),
    ("this version of FBX", "open it in a current program and save it as FBX 7.4 (2014) or newer"),
    ("ends early", "fetch the file again: it is cut short"),
    ("UTF-16", "save the file as UTF-8"),
    ("state a lower rate", "say --source-fps with the true rate"),
    ("--forward", "say --forward and --up along different axes"),
    ("no world", "export meshes with faces; lines, points and curves are no ground"),
];

impl ImportError {
    /// What to do about it.
    #[must_use]
    pub fn remedy(&self) -> Remedy {
        let cure = CURES.iter().find(|(says, _)| self.what.contains(says)).map(|(_, cure)| *cure);
        let place =
            self.place.as_ref().map(|place| format!("look at line {} in an editor, or export it again", place.line));
        let otherwise = || place.unwrap_or_else(|| "export it again from its program, as BVH, FBX or GLB".into());
        Remedy::new(Severity::Broken, cure.map_or_else(otherwise, str::to_owned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_are_ordered_and_errors_always_have_a_cure() {
        assert!(Severity::Note < Severity::Look && Severity::Decide < Severity::Broken, "ordered");
        for what in ["", "the file is cut short: 3 of 5 rows are there; with --partial they are taken as they are"] {
            let remedy = ImportError::new(what).remedy();
            assert_eq!(remedy.severity, Severity::Broken);
            assert!(!remedy.what_to_do.is_empty(), "{what}");
        }
        assert!(ImportError::at("x", b"a\nb", 2, 3).remedy().what_to_do.contains("line 2"), "the place");
    }
}
