//! Quality figures: one definition each, from final transforms, a rig and stances.

mod feet;

pub use feet::{FootFigures, Spread, measure_feet, stance_kept};
