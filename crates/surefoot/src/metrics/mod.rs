//! Quality figures: one definition each, from the final transforms of a take, a rig and a ground.

mod feet;
mod footing;
mod pop;
mod seam;
mod spread;
mod way;

pub use feet::{FootFigures, Slide, measure_feet, measure_feet_in, slides, stance_kept, stance_kept_in};
pub use footing::{Footing, SNAP};
pub use pop::{POP_FACTOR, POP_MARGIN, Pop, worst_pop, worst_pop_in};
pub use seam::{Seams, Worst, measure_seams};
pub use spread::Spread;
pub use way::{Wanted, WayFigures, arrival, measure_way};
