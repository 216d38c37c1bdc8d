//! Steps without clips: gaits, the body's course over time, and where every foot stands when.
//!
//! Everything is planned first: [`PlanSteps`] gives a [`StepPlan`], and any time of it can be looked at afterwards.

mod course;
mod foothold;
mod gait;
mod reach;
mod route;
mod step_plan;
mod stride;
mod swing;

pub use course::{Course, CourseMoment, FittedCourse, PlanCourse};
pub use foothold::FindFoothold;
pub use gait::{Gait, GaitPattern};
pub use step_plan::{FootStyle, Footfall, PlanSteps, Roll, StepPlan};
pub use stride::{Stride, StrideLeg};
pub(crate) use swing::Swing;
pub use swing::SwingShape;
