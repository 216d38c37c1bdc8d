//! Which clips become strides, and how: what a person says of each.

use super::{StandsAt, StrideKind, StrideSlack};

/// What a person says of a clip that becomes a stride.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct StrideClip {
    /// What the stride is called; its clip is found by it.
    pub name: String,
    /// Walks and runs are blended in a group each, by how much they turn; what is special is played by itself.
    pub kind: StrideKind,
    /// Which part of the clip it is.
    #[cfg_attr(feature = "serde", serde(default))]
    pub cut: StrideCut,
    /// Whether its mirror image is a stride as well.
    #[cfg_attr(feature = "serde", serde(default))]
    pub mirror: bool,
    /// How long its steps are made, times what they are in the clip; short ones are for steps and narrow places.
    #[cfg_attr(feature = "serde", serde(default = "whole"))]
    pub steps: f32,
    /// Whether a walk or run is played by itself, as it was planned, and not blended in its group.
    #[cfg_attr(feature = "serde", serde(default))]
    pub alone: bool,
    /// What planning adds to its cost, seconds.
    #[cfg_attr(feature = "serde", serde(default))]
    pub penalty: f32,
    /// How fast it is at its first print, 0 walking, 1 running; `None`: as its kind is, and 1 for what is special.
    #[cfg_attr(feature = "serde", serde(default))]
    pub entry_speed: Option<f32>,
    /// How fast it is at its last print, likewise.
    #[cfg_attr(feature = "serde", serde(default))]
    pub exit_speed: Option<f32>,
    /// How far planning may put its last print from where it is; `None`: as is usual for its kind.
    #[cfg_attr(feature = "serde", serde(default))]
    pub slack: Option<StrideSlack>,
}

/// Which part of a clip is a stride.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum StrideCut {
    /// Of a walk or run that turns, the round in which it turns most; of one that does not, the round that meets its own start
    /// best. Of what is special, from the right stance before its longest flight to the first after it in which feet come down one by
    /// one.
    #[default]
    Auto,
    /// From the right stance nearest to one time to that nearest to another, seconds of the clip.
    Seconds {
        /// The first.
        from: f32,
        /// The last.
        to: f32,
    },
    /// From standing at the clip's beginning to the first step of the foot that sets off, which is made the right one by mirroring.
    Start,
    /// From the last stance before the last step of a clip that ends standing to its end; the foot that closes up is made the right
    /// one by mirroring.
    Stop,
}

impl StrideCut {
    /// The end at which it stands.
    pub(super) fn stand(self) -> Option<StandsAt> {
        match self {
            Self::Start => Some(StandsAt::Start),
            Self::Stop => Some(StandsAt::Stop),
            Self::Auto | Self::Seconds { .. } => None,
        }
    }
}

impl StrideClip {
    /// A clip that is cut by itself.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: StrideKind) -> Self {
        Self {
            name: name.into(),
            kind,
            cut: StrideCut::Auto,
            mirror: false,
            steps: 1.0,
            alone: false,
            penalty: 0.0,
            entry_speed: None,
            exit_speed: None,
            slack: None,
        }
    }

    /// The same with steps that are so many times as long, played by itself.
    #[must_use]
    pub fn with_steps(mut self, steps: f32) -> Self {
        (self.steps, self.alone) = (steps, true);
        self
    }

    /// The same as a start from standing or a stop.
    #[must_use]
    pub fn standing_at(mut self, end: StandsAt) -> Self {
        self.cut = match end {
            StandsAt::Start => StrideCut::Start,
            StandsAt::Stop => StrideCut::Stop,
        };
        self
    }

    /// The same with its mirror image.
    #[must_use]
    pub fn both_ways(mut self) -> Self {
        self.mirror = true;
        self
    }
}

/// Steps as they are.
#[cfg(feature = "serde")]
fn whole() -> f32 {
    1.0
}
