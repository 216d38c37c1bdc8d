//! Putting feet where they belong, on this body or another.

mod arrive;
mod clean;
mod foot_path;
mod knee;
mod lay;
mod pelvis;
mod transfer;

pub use arrive::{Arrive, Arrived};
pub use clean::{Clean, Cleaned};
pub use lay::{Laid, Lay};
pub use transfer::{TransferError, same_build, transfer};
