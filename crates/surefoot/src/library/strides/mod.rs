//! Clips prepared as strides: from the middle of one right stance to the middle of another.

mod reach;

pub use reach::{StrideKind, StridePrint, StrideReach, StrideSlack};
