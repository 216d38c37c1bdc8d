//! Putting feet where they belong, on this body or another.

pub(crate) mod arrive;
pub(crate) mod clean;
mod clear_skin;
mod even;
pub(crate) mod field;
mod foot_path;
pub mod footsteps;
mod free_legs;
mod knee;
pub(crate) mod lay;
mod pelvis;
pub(crate) mod retarget;
pub(crate) mod scale_legs;
pub(crate) mod soft_knees;
pub(crate) mod stepping;
mod toes;
pub(crate) mod turn_round;

pub(crate) use arrive::Arrival;
pub(crate) use arrive::Arrive;
pub(crate) use clean::Clean;
pub(crate) use clean::{Cleaned, Pass};
pub(crate) use clear_skin::clear_skin;
pub(crate) use even::{SHARES, evenest};
pub(crate) use field::FieldInput;
pub(crate) use field::FieldState;
pub use field::{FieldError, MotionField};
pub(crate) use lay::Laid;
pub(crate) use lay::Lay;
pub use retarget::Build;
pub(crate) use retarget::Lacking;
pub(crate) use retarget::Retarget;
pub use retarget::{ChainMode, ChainModes, RetargetError};
pub(crate) use scale_legs::LegsScaled;
pub(crate) use scale_legs::{ScaleLegs, ScaleLegsError, WalkOnLegs};
pub(crate) use soft_knees::GivesWay;
pub(crate) use stepping::BodyOver;
pub(crate) use stepping::CarryBody;
pub(crate) use stepping::{Airborne, BLADE, Carried, Dip, FeetLie, FootAt, support, swings, under_way};
pub(crate) use toes::BendToes;

/// Whether a clip has so few frames a second (Hz) that it was drawn: its steps are as they should be, and a tremor could not be
/// told from a movement.
pub(crate) fn is_drawn(rate: f32) -> bool {
    rate < 45.0
}
