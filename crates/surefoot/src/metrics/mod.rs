//! Quality figures: one definition each, from final transforms, a rig and stances.

mod feet;
mod pop;

pub use feet::{FootFigures, Slide, Spread, measure_feet, slides, stance_kept};
pub use pop::{POP_FACTOR, POP_MARGIN, Pop, worst_pop};
