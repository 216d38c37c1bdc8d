//! Quality figures: one definition each, from final transforms, a rig and stances.

mod feet;
mod laid;
mod on_ground;
mod pop;
mod seam;
mod way;

pub use feet::{FootFigures, Slide, Spread, measure_feet, measure_feet_in, slides, stance_kept, stance_kept_in};
pub use laid::{LaidFigures, measure_laid};
pub use on_ground::{GroundFigures, measure_on_ground};
pub use pop::{POP_FACTOR, POP_MARGIN, Pop, worst_pop, worst_pop_in};
pub use seam::{Seams, Worst, measure_seams};
pub use way::{Wanted, WayFigures, arrival, measure_way};
