//! Quality figures: one definition each, from final transforms, a rig and stances.

mod feet;

pub use feet::{FootFigures, Slide, Spread, measure_feet, slides, stance_kept};
