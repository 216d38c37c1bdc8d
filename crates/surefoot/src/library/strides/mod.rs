//! Clips prepared as strides: from the middle of one right stance to the middle of another.

mod clips;
mod cut;
pub(crate) mod group;
mod plain;
pub(crate) mod reach;
mod shorten;
mod stride;
mod whole;

pub use clips::{StrideClip, StrideCut};
pub(crate) use group::TurnGroup;
pub use plain::plain_strides;
pub(crate) use reach::StandsAt;
pub use reach::StrideKind;
pub(crate) use reach::{StridePrint, StrideReach, StrideSlack, StrideStand};
pub use stride::Stride;
pub(crate) use stride::{FootPoints, Plant, StrideStep, index_of, part_of_round};
pub use whole::{Strides, StridesError};
