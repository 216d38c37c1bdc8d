//! Clips prepared as strides: from the middle of one right stance to the middle of another.

mod clips;
mod cut;
mod group;
mod plain;
mod reach;
mod shorten;
mod stride;
mod whole;

pub use clips::{StrideClip, StrideCut};
pub use group::{GroupSample, TurnGroup};
pub use plain::plain_strides;
pub use reach::{StandsAt, StrideKind, StridePrint, StrideReach, StrideSlack, StrideStand};
pub use stride::Stride;
pub(crate) use stride::{FootPoints, Plant, StrideStep, index_of, part_of_round};
pub use whole::{Strides, StridesError};
