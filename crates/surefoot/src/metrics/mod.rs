//! Quality figures: one definition each, from the final transforms of a take, a rig and a ground.

pub(crate) mod check;
pub(crate) mod facing;
pub(crate) mod feet;
mod footing;
pub(crate) mod ground_fit;
pub(crate) mod jump;
pub(crate) mod planted;
pub(crate) mod pop;
pub(crate) mod seam;
mod size;
pub(crate) mod skin_depth;
pub(crate) mod slip;
pub(crate) mod spread;
pub(crate) mod travel;
pub(crate) mod way;

pub(crate) use check::CheckedSource;
pub use check::{CheckMotion, Checked, Fault, FaultKind};
pub(crate) use facing::facing_of_all;
pub use facing::measure_facing;
pub(crate) use feet::stands_exactly;
pub use feet::{FootFigures, measure_feet};
pub(crate) use feet::{measure_feet_in, stance_kept_in};
pub use footing::{Footing, SNAP};
pub(crate) use ground_fit::GroundFit;
pub(crate) use jump::Jump;
pub use jump::{find_jumps, jump_moments};
pub use planted::{measure_planted, measure_planted_in};
pub(crate) use pop::{POP_FACTOR, POP_MARGIN, Pop, worst_pop_in};
pub(crate) use seam::{Seams, measure_seams};
pub use skin_depth::measure_skin_depth;
pub use slip::find_slips;
pub(crate) use spread::Spread;
pub use travel::measure_travel;
pub(crate) use travel::stands_between;
pub(crate) use way::{Wanted, WayFigures, measure_way};
