//! The outline of the free space: the floor without all grown pieces, as rings that cross nowhere.

use crate::world::{GrownMap, SLACK};
use glam::{DVec2, Vec2};
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_float::int::point::IntPoint;
use i_overlay::i_shape::flat::buffer::FlatContoursBuffer;
use std::collections::HashMap;

/// How much smaller pieces are taken, metres: less than half of the [`SLACK`] that a planner may use of each. So gaps as wide as the
/// body stay open, and turns that are moved out to the corners of one piece do not get too deep into another.
const INSET: f64 = 0.4 * SLACK as f64;

/// What corners are rounded to, metres: 15 µm, a third of [`INSET`]. Walls that stand in line, as on a grid, have edges that differ in
/// their last bits; most are one edge then.
const GRAIN: f64 = 1.0 / 65536.0;

/// The most grains from the origin to a corner: as far as an `f64` tells them apart, 69 million kilometres.
const MOST: f64 = (1_u64 << 52) as f64;

/// A corner of the outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutlineCorner {
    /// Where it is (x, z), metres: whole numbers of grains.
    pub(super) at: DVec2,
    /// The corner of a grown piece that it was; paths turn there.
    pub(super) turn: Vec2,
}

/// The rings of a map's free space, which is to the left of each of them.
pub(super) fn free_outline(map: &GrownMap) -> Vec<Vec<OutlineCorner>> {
    let grains = |at: DVec2| {
        let [x, y] = [at.x, at.y].map(|v| (v / GRAIN).round().clamp(-MOST, MOST) as i64);
        IntPoint::new(x, y)
    };
    let mut overlay = Overlay::<i64>::new(12 * map.pieces().count());
    overlay.add_path_iter(map.map().boundary().iter().map(|corner| grains(corner.as_dvec2())), ShapeType::Subject);
    let mut turns = HashMap::new();
    for piece in map.pieces() {
        let inset: Vec<IntPoint<i64>> = piece.inset(INSET).map(grains).collect();
        for (at, corner) in inset.iter().zip(piece.corners()) {
            turns.entry([at.x, at.y]).or_insert(*corner);
        }
        overlay.add_path_iter(inset.into_iter(), ShapeType::Clip);
    }
    let mut free = FlatContoursBuffer::default();
    overlay.overlay_into(OverlayRule::Difference, FillRule::NonZero, &mut free);
    let corner = |p: &IntPoint<i64>| {
        let at = DVec2::new(p.x as f64, p.y as f64) * GRAIN;
        OutlineCorner { at, turn: turns.get(&[p.x, p.y]).copied().unwrap_or(at.as_vec2()) }
    };
    free.ranges.iter().map(|ring| free.points[ring.clone()].iter().map(corner).collect()).collect()
}
