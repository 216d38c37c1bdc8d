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
    /// Keys show no usual frame rate; clips were sampled at this one (glTF).
    RateAssumed {
        /// Frames per second.
        rate: f32,
    },
    /// An image beside the file could not be read; exports will refer to it and not hold it (glTF).
    ImageMissing {
        /// Its index in the file.
        image: usize,
        /// What happened.
        why: String,
    },
    /// Toes point forward on a body whose left side is on the right: the file was made for left-handed axes.
    Mirrored,
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
            Self::RateAssumed { .. } => "rate-assumed",
            Self::ImageMissing { .. } => "image-missing",
            Self::Mirrored => "mirrored",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ChannelCount { line, joint, declared, listed } => {
                write!(
                    f,
                    "line {line}: CHANNELS of {joint} announces {declared} channels and lists {listed}; took the {listed} listed"
                )
            }
            Self::NoOffset { line, joint } => write!(f, "line {line}: {joint} has no OFFSET; put it on its parent"),
            Self::DuplicateName { name, count } => write!(f, "{count} joints are named {name:?}"),
            Self::NameReplaced { line, name } => {
                write!(f, "line {line}: the joint's name is empty, too long or not UTF-8; called it {name:?}")
            }
            Self::SeveralRoots { count } => write!(f, "{count} ROOTs; the first one leads the motion"),
            Self::FrameCount { declared, rows } => {
                write!(f, "the header announces {declared} frames, the file has {rows} rows; took the rows")
            }
            Self::PartialRow { row } => write!(f, "row {row} is not whole; dropped it"),
            Self::TrailingText { line, bytes } => write!(f, "line {line}: ignored {bytes} bytes after the last row"),
            Self::RateSnapped { printed, rate } => {
                write!(f, "frame time means {printed} Hz by the letter; took {rate} Hz")
            }
            Self::OddRate { rate } => write!(f, "{rate} frames per second is unusual; check the frame time"),
            Self::DeadRows { rows, jump } => {
                write!(f, "cut {rows} leading rows in which the root stands still before it jumps {jump:.2} m")
            }
            Self::Teleport { frame, jump, count } => {
                write!(f, "the root jumps {jump:.2} m at frame {frame}")?;
                if *count > 1 { write!(f, " (and {} times more)", count - 1) } else { Ok(()) }
            }
            Self::UnitAssumed { unit, why } => {
                write!(f, "assumed that 1 unit is 1 {unit}: {why}; say --unit if it is not")
            }
            Self::UpAssumed { up } => write!(f, "assumed that {up} is up; say --up if it is not"),
            Self::ForwardAssumed { forward } => {
                write!(f, "assumed that the body faces {forward}; say --forward if it does not")
            }
            Self::Unnamed { count } => write!(f, "{count} joints have no name; called them after their nodes"),
            Self::MadeUnique { name, count } => {
                write!(f, "{count} joints are named {:?}; numbered all but the first", excerpt(name))
            }
            Self::LeftAlone { count, example } => {
                write!(f, "{count} animated nodes are no part of the skeleton and were left alone, such as {example}")
            }
            Self::StillAnimation { name } => write!(f, "the animation {name:?} moves no joint; passed it over"),
            Self::NoClips => write!(f, "nothing moves in it; its rest pose stands in as a clip of one frame"),
            Self::RateAssumed { rate } => {
                write!(f, "keys show no usual frame rate; sampled at {rate} Hz; say --source-fps for another")
            }
            Self::ImageMissing { image, why } => write!(f, "image {image} cannot be read: {why}"),
            Self::Mirrored => {
                write!(f, "toes point forward but left and right are exchanged: made for left-handed axes?")
            }
        }
    }
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
