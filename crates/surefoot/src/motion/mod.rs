//! What moves: clips of sampled poses, where the character goes in them, and where its feet stand.

mod clip;
mod cycle;
pub(crate) mod foot_track;
mod mirror;
mod ramp;
mod root;
mod sample;
pub(crate) mod scale_clock;
pub(crate) mod scale_plan;
mod span;
mod speed_law;
pub mod stance;
mod take;
pub(crate) mod trajectory;
mod warp;

pub use clip::{Clip, ClipError};
pub use cycle::Loop;
pub(crate) use foot_track::FootTrack;
pub(crate) use ramp::StepRamp;
pub(crate) use scale_clock::ScaleClock;
pub use scale_plan::{ScaleKey, ScalePlan, ScalePlanError};
pub use span::Span;
pub use speed_law::{AsTheClip, Froude, Pullens, SpeedLaw};
pub use stance::{Footprint, Stance, StanceFrames};
pub use take::{SourceSpan, Take};
pub(crate) use trajectory::Trajectories;
pub(crate) use warp::Warp;
