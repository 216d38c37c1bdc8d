//! From planned footprints to motion: prints smoothed, strides blended over them, bodies led over them, feet brought onto them.

mod body_offsets;
mod fit;
mod groups;
mod mark;
mod midway;
mod play;
mod refine;
mod score;
mod smooth;
mod stand;

pub use body_offsets::BodyOffsets;
pub(crate) use body_offsets::world_root;
pub use groups::BlendGroups;
pub(crate) use groups::GroupCurves;
pub use mark::Mark;
pub(crate) use mark::Snap;
pub(crate) use midway::{Midway, trace_body};
pub use play::PlayStrides;
pub(crate) use play::{Parts, Played};
pub use refine::RefinePrints;
pub(crate) use score::Score;
pub use smooth::SmoothPrints;
pub(crate) use stand::{Prints, lead_feet, stances};
