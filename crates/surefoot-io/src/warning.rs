//! What was odd about a file and was dealt with: values for the caller, never prints.

use crate::unit::{Axis, Unit};
use std::fmt;

/// Something odd in a file that could be read all the same.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// `CHANNELS n` lists another number of channels; the listed ones count.
    ChannelCount {
        /// Line in the file.
        line: usize,
        /// The joint.
        joint: String,
        /// The number given.
        declared: usize,
        /// The number listed.
        listed: usize,
    },
    /// A joint without OFFSET sits on its parent.
    NoOffset {
        /// Line in the file.
        line: usize,
        /// The joint.
        joint: String,
    },
    /// Several joints share a name.
    DuplicateName {
        /// The name.
        name: String,
        /// How many joints have it.
        count: usize,
    },
    /// A joint's name is empty, too long or not UTF-8; this one stands in.
    NameReplaced {
        /// Line in the file.
        line: usize,
        /// The name used.
        name: String,
    },
    /// More than one ROOT.
    SeveralRoots {
        /// How many.
        count: usize,
    },
    /// The header announces another number of frames than there are rows; the rows count.
    FrameCount {
        /// Frames announced.
        declared: usize,
        /// Rows found.
        rows: usize,
    },
    /// The last row is not whole and was dropped (only where the caller allowed it).
    PartialRow {
        /// The row, counted from 0.
        row: usize,
    },
    /// Text after the last row was not read.
    TrailingText {
        /// Line where it starts.
        line: usize,
        /// How many bytes.
        bytes: usize,
    },
    /// The frame time was rounded by the exporter; the frame rate it stands for is used.
    RateSnapped {
        /// Frames per second by the letter of the file.
        printed: f32,
        /// Frames per second used.
        rate: f32,
    },
    /// A frame rate hardly any capture or animation has.
    OddRate {
        /// Frames per second.
        rate: f32,
    },
    /// Leading rows in which the root stands still before it jumps away were cut off.
    DeadRows {
        /// How many rows.
        rows: usize,
        /// How far the jump goes, metres.
        jump: f32,
    },
    /// The root jumps inside the clip, faster than anybody runs.
    Teleport {
        /// The frame it jumps to.
        frame: usize,
        /// How far, metres.
        jump: f32,
        /// How many such jumps there are.
        count: usize,
    },
    /// The unit of length could not be told from the body and was assumed.
    UnitAssumed {
        /// The unit assumed.
        unit: Unit,
        /// Why it could not be told.
        why: String,
    },
    /// The upward axis could not be told from the body and was assumed.
    UpAssumed {
        /// The axis assumed.
        up: Axis,
    },
    /// The facing could not be told from the body and was assumed.
    ForwardAssumed {
        /// The axis assumed.
        forward: Axis,
    },
    /// Joints without a name are called after their nodes (glTF).
    Unnamed {
        /// How many.
        count: usize,
    },
    /// Several joints share a name; all but the first got a number (glTF).
    MadeUnique {
        /// The name.
        name: String,
        /// How many joints have it.
        count: usize,
    },
    /// Animated nodes that are no part of the skeleton were left alone (glTF).
    LeftAlone {
        /// How many.
        count: usize,
        /// One of them.
        example: String,
    },
    /// An animation that moves no joint of the skeleton was passed over (glTF).
    StillAnimation {
        /// Its name.
        name: String,
    },
    /// The file moves no joint: its rest pose stands in as a clip of one frame (glTF).
    NoClips,
    /// An image beside the file could not be read; exports will refer to it and not hold it (glTF).
    ImageMissing {
        /// Its index in the file.
        image: usize,
        /// What happened.
        why: String,
    },
    /// Weights of vertices did not sum up to 1, which glTF forbids; they do now, here and in exports (glTF).
    WeightsMended {
        /// How many vertices.
        vertices: usize,
        /// How far the worst sum was off 1.
        farthest: f32,
    },
    /// Toes point forward on a body whose left side is on the right: the file was made for left-handed axes.
    Mirrored,
    /// A bone has another number of limits than degrees of freedom (ASF); the rest are without.
    LimitCount {
        /// Line in the file.
        line: usize,
        /// The bone.
        bone: String,
        /// Its degrees of freedom.
        degrees: usize,
        /// Its limits.
        limits: usize,
    },
    /// Frame numbers do not count up from 1 (AMC); frames are taken as they follow.
    FrameNumber {
        /// The first number that is off.
        found: usize,
        /// The frame it stands at, counted from 1.
        frame: usize,
    },
    /// Bones that could move are named in no frame (AMC); they stay at rest.
    BonesAtRest {
        /// How many.
        count: usize,
        /// The first of them.
        first: String,
    },
    /// The file shows no usual frame rate, and this one was taken.
    RateAssumed {
        /// Frames per second.
        rate: f32,
    },
    /// A skeleton without motion: one frame at rest stands in.
    SkeletonOnly,
    /// The root of the skeleton is moved or turned before any motion (ASF), which programs read in two ways.
    RootPreset,
    /// A bone changes its length (ASF); it keeps the one it has.
    StretchIgnored {
        /// The first such bone.
        bone: String,
    },
    /// A material file that a world asks for is not there; materials are not used anyway.
    NoMaterials {
        /// Its name.
        file: String,
    },
    /// Lines of a kind that is not read (OBJ).
    Ignored {
        /// The first such line.
        line: usize,
        /// What it starts with.
        keyword: String,
        /// How many there are.
        count: usize,
    },
    /// Faces without an area were left out.
    FlatFaces {
        /// How many.
        count: usize,
        /// The line of the first, in a text.
        line: Option<usize>,
    },
    /// Faces that cross themselves were cut into triangles as well as possible.
    CrossingFaces {
        /// How many.
        count: usize,
        /// The line of the first, in a text.
        line: Option<usize>,
    },
    /// Most of a world's area is level along another axis than the one assumed to be up.
    LevelElsewhere {
        /// That axis.
        axis: Axis,
    },
    /// Most of a world's level area faces down: its faces may be inside out.
    FacesDown,
    /// A last joint is scaled unevenly, or changes its size: nothing hangs from it, so only its own skin is drawn otherwise.
    ScaleIgnored {
        /// What messages call the node.
        node: String,
    },
    /// A clip was left out: it changes the size of bones that others hang from.
    ClipLeftOut {
        /// The clip's name.
        name: String,
        /// What it does.
        why: String,
    },
    /// Meshes were left out: they are compressed in a way that is not read.
    MeshesLeftOut {
        /// How many parts of meshes.
        count: usize,
        /// The extension that compresses them.
        extension: &'static str,
    },
    /// The rig that the file says it was made with does not fit it; legs, unit and axes were found anew (glTF).
    RigUnfit {
        /// What does not fit.
        why: String,
    },
    /// The FBX reader found something odd in the file's structure and went on.
    FbxOddity {
        /// What, in the reader's words.
        what: String,
        /// How often.
        count: usize,
    },
}

impl Warning {
    /// A short name for programs that read reports.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::ChannelCount { .. } => "channel-count",
            Self::NoOffset { .. } => "no-offset",
            Self::DuplicateName { .. } => "duplicate-name",
            Self::NameReplaced { .. } => "name-replaced",
            Self::SeveralRoots { .. } => "several-roots",
            Self::FrameCount { .. } => "frame-count",
            Self::PartialRow { .. } => "partial-row",
            Self::TrailingText { .. } => "trailing-text",
            Self::RateSnapped { .. } => "rate-snapped",
            Self::OddRate { .. } => "odd-rate",
            Self::DeadRows { .. } => "dead-rows",
            Self::Teleport { .. } => "teleport",
            Self::UnitAssumed { .. } => "unit-assumed",
            Self::UpAssumed { .. } => "up-assumed",
            Self::ForwardAssumed { .. } => "forward-assumed",
            Self::Unnamed { .. } => "unnamed",
            Self::MadeUnique { .. } => "made-unique",
            Self::LeftAlone { .. } => "left-alone",
            Self::StillAnimation { .. } => "still-animation",
            Self::NoClips => "no-clips",
            Self::ImageMissing { .. } => "image-missing",
            Self::WeightsMended { .. } => "weights-mended",
            Self::Mirrored => "mirrored",
            Self::LimitCount { .. } => "limit-count",
            Self::FrameNumber { .. } => "frame-number",
            Self::BonesAtRest { .. } => "bones-at-rest",
            Self::RateAssumed { .. } => "rate-assumed",
            Self::SkeletonOnly => "skeleton-only",
            Self::RootPreset => "root-preset",
            Self::StretchIgnored { .. } => "stretch-ignored",
            Self::NoMaterials { .. } => "no-materials",
            Self::Ignored { .. } => "ignored",
            Self::FlatFaces { .. } => "flat-faces",
            Self::CrossingFaces { .. } => "crossing-faces",
            Self::LevelElsewhere { .. } => "level-elsewhere",
            Self::ScaleIgnored { .. } => "scale-ignored",
            Self::ClipLeftOut { .. } => "clip-left-out",
            Self::MeshesLeftOut { .. } => "meshes-left-out",
            Self::RigUnfit { .. } => "rig-unfit",
            Self::FbxOddity { .. } => "fbx-oddity",
            Self::FacesDown => "faces-down",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ChannelCount { line, joint, declared, listed } => {
                write!(
                    f,
                    "line {line}: CHANNELS of {joint} announces {declared} channels and lists {listed}; using the {listed} listed"
                )
            }
            Self::NoOffset { line, joint } => write!(f, "line {line}: {joint} has no OFFSET; put it on its parent"),
            Self::DuplicateName { name, count } => write!(f, "{count} joints are named {name:?}"),
            Self::NameReplaced { line, name } => {
                write!(f, "line {line}: the joint's name is empty, too long or not UTF-8; called it {name:?}")
            }
            Self::SeveralRoots { count } => write!(f, "{count} ROOTs; the first one leads the motion"),
            Self::FrameCount { declared, rows } => {
                write!(f, "the header announces {declared} frames, the file has {rows} rows; using the rows")
            }
            Self::PartialRow { row } => write!(f, "row {row} is not whole; dropped it"),
            Self::TrailingText { line, bytes } => {
                write!(f, "line {line}: ignored {} after the last row", counted(*bytes, "byte", "bytes"))
            }
            Self::RateSnapped { printed, rate } => {
                write!(f, "the frame time as printed means {printed} Hz; using {rate} Hz")
            }
            Self::OddRate { rate } => write!(f, "{rate} frames per second is unusual; check the frame time"),
            Self::DeadRows { rows, jump } => {
                let rows = counted(*rows, "leading row", "leading rows");
                write!(f, "cut {rows} in which the root stands still before it jumps {jump:.2} m")
            }
            Self::Teleport { frame, jump, count } => {
                write!(f, "the root jumps {jump:.2} m at frame {frame}")?;
                match count {
                    0 | 1 => Ok(()),
                    2 => write!(f, " (and once more)"),
                    _ => write!(f, " (and {} times more)", count - 1),
                }
            }
            Self::UnitAssumed { unit, why } => {
                let length = if let Unit::Other(metres) = unit { format!("{metres} m") } else { format!("1 {unit}") };
                write!(f, "assumed that 1 unit is {length}: {why}; give --unit if it is not")
            }
            Self::UpAssumed { up } => write!(f, "assumed that {up} is up; give --up if it is not"),
            Self::ForwardAssumed { forward } => {
                write!(f, "assumed that the body faces {forward}; give --forward if it does not")
            }
            Self::Unnamed { count } => {
                let joints = counted(*count, "joint has no name; it is", "joints have no names; they are");
                write!(f, "{joints} called after their nodes in the file")
            }
            Self::MadeUnique { name, count } => {
                write!(f, "{count} joints are named {:?}; numbered all but the first", excerpt(name))
            }
            Self::LeftAlone { count, example } => {
                let nodes = counted(*count, "animated node is", "animated nodes are");
                write!(f, "{nodes} no part of the skeleton and left alone, such as {example}")
            }
            Self::StillAnimation { name } => write!(f, "the animation {name:?} moves no joint; skipped it"),
            Self::NoClips => write!(f, "nothing moves in it; its rest pose is used as a clip of one frame"),
            Self::ImageMissing { image, why } => write!(f, "image {image} cannot be read: {why}"),
            Self::WeightsMended { vertices, farthest } => {
                let off =
                    if *farthest < 0.01 { "by less than 0.01".to_owned() } else { format!("by up to {farthest:.2}") };
                write!(
                    f,
                    "the weights of {} did not add up to 1 (off {off}); exports have them in proportion, as viewers draw them",
                    counted(*vertices, "vertex", "vertices")
                )
            }
            Self::Mirrored => {
                write!(f, "toes point forward but left and right are exchanged: made for left-handed axes?")
            }
            Self::LimitCount { line, bone, degrees, limits } => {
                let degrees = counted(*degrees, "degree of freedom", "degrees of freedom");
                write!(f, "line {line}: {bone} has {degrees} and {}", counted(*limits, "limit", "limits"))
            }
            Self::FrameNumber { found, frame } => {
                write!(f, "frame {frame} is numbered {found}; using the frames in the order of the file")
            }
            Self::BonesAtRest { count, first } => {
                let bones = counted(*count, "bone that could move has", "bones that could move have");
                write!(f, "{bones} no motion ({first} is the first); left at rest")
            }
            Self::RateAssumed { rate } => {
                write!(f, "the file has no usual frame rate; using {rate} Hz, give --source-fps if it is another")
            }
            Self::SkeletonOnly => write!(f, "a skeleton without motion; using one frame at rest"),
            Self::RootPreset => {
                write!(
                    f,
                    "the skeleton's root is moved or turned before any motion; programs interpret that differently"
                )
            }
            Self::StretchIgnored { bone } => write!(f, "{bone} changes its length, which is ignored"),
            Self::NoMaterials { file } => write!(f, "the material file {file:?} is not there; not needed"),
            Self::Ignored { line, keyword, count } => {
                let lines = counted(*count, "line that starts", "lines that start");
                write!(f, "line {line}: ignored {lines} with {keyword:?}")
            }
            Self::FlatFaces { count, line } => {
                let faces = counted(*count, "face", "faces");
                write!(f, "left out {faces} without area{}", first_in(*line))
            }
            Self::CrossingFaces { count, line } => {
                let faces = counted(*count, "face crosses itself", "faces cross themselves");
                write!(f, "{faces}{}; cut into triangles as well as possible", first_in(*line))
            }
            Self::LevelElsewhere { axis } => {
                write!(f, "most of the area is level along {axis}; give --up if that axis is up")
            }
            Self::ScaleIgnored { node } => {
                write!(
                    f,
                    "{node} is scaled unevenly or over time; nothing hangs from it, so that its scale was ignored"
                )
            }
            Self::ClipLeftOut { name, why } => write!(f, "left out the clip {name:?}: {why}"),
            Self::MeshesLeftOut { count, extension } => {
                write!(
                    f,
                    "left out {}: {extension} is needed to read it; legs and feet are found by the bones alone",
                    counted(*count, "part of a mesh", "parts of meshes")
                )
            }
            Self::RigUnfit { why } => {
                write!(
                    f,
                    "ignored the rig that is stored in the file, since it does not fit: {why}; found the legs anew"
                )
            }
            Self::FbxOddity { what, count } => {
                write!(
                    f,
                    "odd in the FBX file{}: {what}",
                    if *count > 1 { format!(", {count} times") } else { String::new() }
                )
            }
            Self::FacesDown => write!(f, "most of the level area faces down; are the faces inside out?"),
        }
    }
}

/// So many of something: `1 face`, `3 faces`.
pub(crate) fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

fn first_in(line: Option<usize>) -> String {
    line.map(|line| format!(" (the first in line {line})")).unwrap_or_default()
}

/// A name or message of a file for a message of ours: whole if it is short.
pub(crate) fn excerpt(text: &str) -> String {
    const LONG: usize = 80;
    let mut short: String = text.chars().take(LONG).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
