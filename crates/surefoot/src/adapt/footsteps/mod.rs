//! From planned footprints to motion: prints smoothed, strides blended over them, bodies led over them, feet brought onto them.

pub(crate) mod body_offsets;
mod fit;
pub(crate) mod groups;
pub(crate) mod mark;
mod midway;
pub(crate) mod play;
pub(crate) mod refine;
mod score;
pub(crate) mod smooth;
mod stand;

pub(crate) use body_offsets::BodyOffsets;
pub(crate) use body_offsets::world_root;
pub(crate) use groups::BlendGroups;
pub(crate) use groups::GroupCurves;
pub(crate) use mark::Mark;
pub(crate) use mark::Snap;
pub(crate) use midway::{Midway, trace_body};
pub(crate) use play::PlayStrides;
pub(crate) use play::{Parts, Played};
pub(crate) use refine::RefinePrints;
pub(crate) use score::Score;
pub(crate) use smooth::SmoothPrints;
pub(crate) use stand::{Prints, lead_feet, stances};
