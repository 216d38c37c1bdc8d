//! What a stride does to the feet: all that planning must know of it.

use crate::math::FloorPose;
use crate::rig::Side;
use glam::{Vec2, Vec3};

/// What a stride does to the feet: all that planning must know of it.
///
/// It begins on a right print and ends on one. Places are those of soles (origin half way from heel to ball, +Z to the ball) in
/// the frame of its first right print: +Z its heading, Y up.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StrideReach {
    /// What a person calls it.
    pub name: String,
    /// How it goes.
    pub kind: StrideKind,
    /// The prints after the first right print, by time; the last is again a right print.
    pub prints: Vec<StridePrint>,
    /// From the middle of the first right stance to the middle of the last, seconds.
    pub seconds: f32,
    /// How fast it is at its first print: 0 walking, 1 running.
    pub entry_speed: f32,
    /// How fast it is at its last print, likewise.
    pub exit_speed: f32,
    /// What planning adds to its cost, seconds: a preference of the person who chose the clips.
    pub penalty: f32,
    /// How far its last print may be put from where the clip has it.
    pub slack: StrideSlack,
    /// The print (an index of `prints`) that it lands on after both feet were in the air, where it may cross a gap.
    pub flight: Option<usize>,
    /// Whether it begins or ends standing on both feet.
    #[cfg_attr(feature = "serde", serde(default))]
    pub stand: Option<StrideStand>,
    /// Whether it turns on the spot: a change of its turn turns its prints about where the body is.
    #[cfg_attr(feature = "serde", serde(default))]
    pub turns_on_spot: bool,
}

/// A stride that begins or ends standing on both feet. The right print is at that end, the left one beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StrideStand {
    /// Which of its ends.
    pub end: StandsAt,
    /// The body as it stands, on the floor, in the frame of the right print of that end: metres and radians.
    pub body: FloorPose,
}

/// An end of a stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum StandsAt {
    /// It sets off from standing.
    Start,
    /// It comes to stand.
    Stop,
}

/// How a stride goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum StrideKind {
    /// A foot is always down.
    Walk,
    /// Feet are in the air between prints.
    Run,
    /// What is done once: a jump, a step up or down, a start, a stop, a turn on the spot.
    Special,
}

/// A print of a stride, in the frame of its first right print.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StridePrint {
    /// The foot.
    pub side: Side,
    /// The sole's place, metres.
    pub place: Vec3,
    /// The sole's heading, radians, left positive.
    pub heading: f32,
    /// The middle of its stance, seconds after that of the first right print.
    pub time: f32,
}

/// How far the last print of a stride may be put from where the clip has it; prints between follow by their share of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StrideSlack {
    /// Along the first print's heading, metres.
    pub along: f32,
    /// Across it, metres.
    pub across: f32,
    /// In heading, radians.
    pub turn: f32,
    /// Up and down at each step, metres.
    pub rise: f32,
}

impl StridePrint {
    /// Its sole on the floor.
    #[must_use]
    pub fn pose(&self) -> FloorPose {
        FloorPose::new(Vec2::new(self.place.x, self.place.z), self.heading)
    }
}

impl StrideReach {
    /// Whether it sets off from standing (`Start`) or comes to stand (`Stop`).
    #[must_use]
    pub fn stands(&self, end: StandsAt) -> bool {
        self.stand.is_some_and(|stand| stand.end == end)
    }

    /// Whether it leads on: it neither begins nor ends standing, nor turns on the spot.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.stand.is_none() && !self.turns_on_spot
    }

    /// Where its last right print is.
    #[must_use]
    pub fn last(&self) -> Option<StridePrint> {
        self.prints.last().copied()
    }

    /// How far its flight leads at most, from the sole that leaves to the sole that lands, metres; 0 if it does not fly.
    #[must_use]
    pub fn gap(&self) -> f32 {
        let Some(land) = self.flight.and_then(|flight| self.prints.get(flight)) else { return 0.0 };
        let leave = self.flight.and_then(|flight| self.prints.get(flight.checked_sub(1)?)).map(|print| print.place);
        let off = land.place - leave.unwrap_or(Vec3::ZERO);
        Vec3 { y: 0.0, ..off }.length() + self.slack.along
    }
}
