//! What feet and sides are called on pages.

use surefoot::rig::{Leg, Rig, Side};

/// A side as pages have it: `left`, `right` or empty.
pub(crate) fn side_word(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::Left) => "left",
        Some(Side::Right) => "right",
        None => "",
    }
}

/// What a leg's foot is called: by its side where that tells it, else by its ankle.
pub(crate) fn foot_name(rig: &Rig, leg: &Leg) -> String {
    let alone = rig.legs.iter().filter(|other| other.side == leg.side).count() == 1;
    match leg.side.filter(|_| alone) {
        Some(Side::Left) => "left foot".into(),
        Some(Side::Right) => "right foot".into(),
        None => rig.skeleton.name(leg.ankle()).into(),
    }
}
