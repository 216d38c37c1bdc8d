//! Clips prepared as strides: from the middle of one right stance to the middle of another.

mod plain;
mod reach;

pub use plain::plain_strides;
pub use reach::{StrideKind, StridePrint, StrideReach, StrideSlack};
