//! Putting feet where they belong.

mod clean;

pub use clean::{Clean, Cleaned};
