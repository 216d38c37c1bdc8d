//! Steps without clips: gaits, the body's course over time, and where every foot stands when.
//!
//! Everything is planned first: [`PlanSteps`] gives a [`StepPlan`], and any time of it can be looked at afterwards.

mod course;
mod flight;
mod foothold;
mod gait;
mod route;
mod stand;
mod step_plan;
mod stride;

pub use course::{Course, Moment, PlanCourse};
pub use flight::{Clearance, Flight, FlightWay};
pub use foothold::{FindFoothold, Foothold};
pub use gait::{Gait, GaitPattern, LegOrder};
pub(crate) use stand::OVER_FEET;
pub use stand::{Stand, StandError, StandLeg};
pub use step_plan::{FootStyle, Footfall, PlanSteps, Roll, StepPlan};
pub use stride::{Stride, StrideLeg};
