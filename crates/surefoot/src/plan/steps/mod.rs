//! Steps without clips: gaits, the body's course over time, and where every foot stands when.
//!
//! Everything is planned first: `PlanSteps` gives a `StepPlan`, and any time of it can be looked at afterwards.

pub(crate) mod course;
pub(crate) mod footfall;
pub(crate) mod foothold;
pub(crate) mod gait;
mod lie;
pub(crate) mod over;
mod reach;
mod route;
pub(crate) mod step_plan;
pub(crate) mod stride;
pub(crate) mod swing;
mod uneven;

pub(crate) use course::PlanCourse;
pub(crate) use course::{Course, CourseMoment};
pub(crate) use footfall::{Footfall, Roll};
pub(crate) use foothold::FindFoothold;
pub use gait::{Gait, GaitPattern};
pub use step_plan::FootStyle;
pub(crate) use step_plan::{PlanSteps, StepPlan};
pub(crate) use stride::Stride;
pub(crate) use swing::SwingShape;
pub(crate) use swing::{Aside, Swing};
