//! What moves through a scene, as a page shows it.

use crate::page::{MoverKey, MoverKind, PageMover};
use surefoot::glam::{Vec2, Vec3};
use surefoot::world::{Mover, Track};

/// How tall a mover is drawn at least, metres.
const FLAT: f32 = 0.02;

/// What a page knows of a mover up to a time.
pub(crate) fn page_mover(mover: &Mover, kind: MoverKind, seconds: f32) -> PageMover {
    // Its outline where it neither is nor turns.
    let own = Mover { track: Track::still(Vec3::ZERO), heading: 0.0, spin: 0.0, ..mover.clone() };
    let key = |time: f32| MoverKey {
        time,
        place: mover.track.position(time).to_array(),
        heading: mover.heading + mover.spin * time,
    };
    PageMover {
        kind,
        corners: own.corners(0.0).iter().map(Vec2::to_array).collect(),
        height: mover.height.max(FLAT),
        keys: mover.track.turns([0.0, seconds]).into_iter().map(key).collect(),
    }
}
