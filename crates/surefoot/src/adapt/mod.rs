//! Putting feet where they belong, on this body or another.

mod arrive;
mod clean;
mod field;
mod foot_path;
mod knee;
mod lay;
mod pelvis;
mod stepping;
mod transfer;

pub use arrive::{Arrival, Arrive};
pub use clean::{Clean, Cleaned};
pub(crate) use field::FieldInput;
pub use field::{
    Change, FieldDatabase, FieldEntry, FieldError, FieldSegment, FieldState, FieldWeights, MotionField, Slot, StateAxis,
};
pub use lay::{Laid, Lay};
pub(crate) use stepping::Dip;
pub use stepping::{BodyOver, FootAt};
pub use transfer::{TransferError, same_build, transfer};
