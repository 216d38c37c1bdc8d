//! Quality figures: one definition each, from the final transforms of a take, a rig and a ground.

mod check;
mod facing;
pub(crate) mod feet;
mod footing;
mod ground_fit;
mod jump;
mod planted;
pub(crate) mod pop;
pub(crate) mod seam;
mod size;
mod skin_depth;
mod slip;
mod spread;
mod travel;
pub(crate) mod way;

pub use check::{CheckMotion, Checked, CheckedSource, Fault, FaultKind};
pub use facing::{FacingFigures, measure_facing};
pub use feet::{FootFigures, measure_feet};
pub(crate) use feet::{measure_feet_in, stance_kept_in};
pub use footing::{Footing, SNAP};
pub use ground_fit::GroundFit;
pub use jump::{Jump, JumpBy, find_jumps, jump_moments};
pub use planted::{PlantedFigures, measure_planted, measure_planted_in};
pub(crate) use pop::{POP_FACTOR, POP_MARGIN, Pop, worst_pop_in};
pub(crate) use seam::{Seams, measure_seams};
pub use skin_depth::{Deepest, SkinDepth, measure_skin_depth};
pub use slip::{Slip, find_slips};
pub use spread::Spread;
pub use travel::{TravelFigures, measure_travel};
pub(crate) use way::{Wanted, WayFigures, measure_way};
