//! The outline of the free space: the floor without all grown pieces, as rings that cross nowhere.

use crate::world::{GrownMap, SLACK};
use glam::{DVec2, Vec2};
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_float::int::point::IntPoint;
use i_overlay::i_shape::flat::buffer::FlatContoursBuffer;
use std::collections::HashMap;

/// How much smaller pieces are taken, metres. What a planner may use of a piece is [`SLACK`]; half of it opens gaps that are as wide
/// as the body, and half is left for rounding.
const INSET: f64 = 0.5 * SLACK as f64;

/// What corners are rounded to, metres: 15 µm, a third of [`INSET`]. Walls that stand in line, as on a
/// grid, have edges that differ in their last bits; most are one edge then.
const GRAIN: f64 = 1.0 / 65536.0;

/// The most grains from the origin to a corner: as far as an `f64` tells them apart, 69 million kilometres.
const MOST: f64 = (1_u64 << 52) as f64;

/// Where the middle of a circle may be. Corners are (x, z) in metres, whole numbers of grains.
pub(super) struct FreeOutline {
    /// Free space is to the left of every ring.
    pub(super) rings: Vec<Vec<DVec2>>,
    /// The corners of grown pieces as they were, by where they are now.
    pub(super) corners: HashMap<[u64; 2], Vec2>,
}

impl FreeOutline {
    /// The outline of a map.
    pub(super) fn of(map: &GrownMap) -> Self {
        let rounded = |at: DVec2| {
            let [x, y] = [at.x, at.y].map(|v| (v / GRAIN).round().clamp(-MOST, MOST) as i64);
            IntPoint::new(x, y)
        };
        let metres = |p: IntPoint<i64>| DVec2::new(p.x as f64, p.y as f64) * GRAIN;
        let mut overlay = Overlay::<i64>::new(16 * map.pieces().count());
        overlay.add_path_iter(map.map().boundary().iter().map(|corner| rounded(corner.as_dvec2())), ShapeType::Subject);
        let mut corners = HashMap::new();
        for piece in map.pieces() {
            let inset: Vec<IntPoint<i64>> = piece.inset(INSET).map(rounded).collect();
            for (at, corner) in inset.iter().zip(piece.corners()) {
                corners.entry(Self::key(metres(*at))).or_insert(*corner);
            }
            overlay.add_path_iter(inset.into_iter(), ShapeType::Clip);
        }
        let mut free = FlatContoursBuffer::default();
        overlay.overlay_into(OverlayRule::Difference, FillRule::NonZero, &mut free);
        let rings = free.ranges.iter().map(|ring| free.points[ring.clone()].iter().map(|p| metres(*p)).collect());
        Self { rings: rings.collect(), corners }
    }

    /// A corner as what a map of corners knows it by.
    pub(super) fn key(at: DVec2) -> [u64; 2] {
        // Adding 0 makes one of both zeros.
        [at.x + 0.0, at.y + 0.0].map(f64::to_bits)
    }
}
