//! A floor map grown by a radius: where the middle of a circle may be, as convex pieces that all planners share.

use super::buckets::Buckets;
use super::floor_map::{Blocker, FloorMap, FloorMapError, Obstacle, ObstacleId};
use super::polygon;
use crate::math::floor::{cross, turned};
use crate::math::single;
#[cfg(feature = "navmesh")]
use glam::DVec2;
use glam::Vec2;
use std::f32::consts::{FRAC_PI_4, PI};

/// How deep a circle's middle may be in a grown piece and still count as beside it, metres: rounding, not licence.
pub const SLACK: f32 = 1e-4;

/// What a segment has more than a point, metres, so that rounding does not take one from an end that is free: sides of 50 m are
/// known to this.
const ROUNDING: f32 = 1e-5;

/// The largest turn between neighbouring edges of a rounded corner, radians.
const CORNER_TURN: f32 = FRAC_PI_4;

/// The smallest radius, metres: a thinner edge of the floor could be slipped through.
const LEAST_RADIUS: f32 = 1e-3;

/// Why a map cannot be grown.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[error("a radius of {radius} m: it must be finite and at least {LEAST_RADIUS} m")]
pub struct RadiusError {
    /// What was asked for, metres.
    pub radius: f32,
}

/// A convex polygon that the middle of the circle must not enter.
#[derive(Clone, Debug, PartialEq)]
pub struct GrownPiece {
    /// Whose it is.
    pub owner: Blocker,
    corners: Vec<Vec2>,
    /// Per edge: its outward unit normal and, relative to the first corner, how far out it lies.
    sides: Vec<(Vec2, f32)>,
    bounds: [Vec2; 2],
}

impl GrownPiece {
    fn new(owner: Blocker, corners: Vec<Vec2>) -> Self {
        let sides = polygon::edges(&corners)
            .map(|[a, b]| {
                let along = (b - a).normalize_or_zero();
                let out = Vec2::new(-along.y, along.x);
                (out, out.dot(a - corners[0]))
            })
            .collect();
        let bounds = polygon::bounds(&corners);
        Self { owner, corners, sides, bounds }
    }

    /// Its corners (x, z), metres, counter-clockwise seen from above.
    #[must_use]
    pub fn corners(&self) -> &[Vec2] {
        &self.corners
    }

    /// Its corners with all sides moved inwards, `by` metres (little).
    #[cfg(feature = "navmesh")]
    pub(crate) fn inset(&self, by: f64) -> impl Iterator<Item = DVec2> {
        let n = self.corners.len();
        (0..n).map(move |i| {
            let [before, after] = [i + n - 1, i].map(|side| self.sides[side % n].0.as_dvec2());
            // Neighbouring sides turn by 90° at most; more is rounding of sides next to nothing.
            self.corners[i].as_dvec2() - by * (before + after) / (1.0 + before.dot(after)).max(0.5)
        })
    }

    /// How deep a point lies inside, metres; negative outside (then not a distance).
    #[must_use]
    pub fn depth(&self, p: Vec2) -> f32 {
        let p = p - self.corners[0];
        self.sides.iter().map(|(out, reach)| reach - out.dot(p)).fold(f32::MAX, f32::min)
    }

    /// Whether the segment a–b comes deeper inside than [`SLACK`], beyond rounding.
    fn is_crossed(&self, a: Vec2, b: Vec2) -> bool {
        let [low, high] = self.bounds;
        if a.max(b).cmplt(low).any() || a.min(b).cmpgt(high).any() {
            return false;
        }
        // Rounding must not tell there from back.
        let (a, b) = if (a.x, a.y) > (b.x, b.y) { (b, a) } else { (a, b) };
        let (a, along) = (a - self.corners[0], b - a);
        let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
        for (out, reach) in &self.sides {
            // Inside this side where `ahead + t rate > 0`.
            let ahead = reach - SLACK - ROUNDING - out.dot(a);
            let rate = -out.dot(along);
            if rate.abs() < 1e-9 {
                if ahead <= 0.0 {
                    return false;
                }
                continue;
            }
            let t = -ahead / rate;
            if rate > 0.0 {
                enter = enter.max(t);
            } else {
                leave = leave.min(t);
            }
            if enter >= leave {
                return false;
            }
        }
        true
    }
}

/// A [`FloorMap`] for a circle of one radius: the circle fits where its middle is in no grown piece.
///
/// **The one definition that all planners use.** Every obstacle is cut into convex parts, and every part is grown by
/// the radius. Edges move out by exactly the radius; a rounded corner becomes tangents that turn by at most 45° each, so
/// the grown part holds the exact one and exceeds it by at most 8.3 % of the radius, at the corners of its corners. The floor's edge is grown
/// inwards the same way. The middle may touch a piece; [`SLACK`] is for rounding.
///
/// Obstacles come, move and go through this type: only their own pieces are made anew.
///
/// ```
/// use surefoot::glam::Vec2;
/// use surefoot::world::{FloorMap, GrownMap};
///
/// let floor = FloorMap::rectangle(Vec2::ZERO, Vec2::new(10.0, 8.0))?;
/// let map = GrownMap::new(floor, 0.3)?;
/// assert!(map.is_free(Vec2::new(0.3, 4.0)) && !map.is_free(Vec2::new(0.2, 4.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GrownMap {
    map: FloorMap,
    radius: f32,
    pieces: Vec<Option<GrownPiece>>,
    /// Places of `pieces` that are empty.
    spare: Vec<u32>,
    near: Buckets,
}

/// The box of the floor that a change touched, (x, z) in metres: what planners look at again.
pub type Region = [Vec2; 2];

impl GrownMap {
    /// The map for a circle of `radius` metres.
    ///
    /// # Errors
    /// If the radius is not finite, or under a millimetre.
    pub fn new(map: FloorMap, radius: f32) -> Result<Self, RadiusError> {
        if !(radius.is_finite() && radius >= LEAST_RADIUS) {
            return Err(RadiusError { radius });
        }
        let near = Buckets::new(map.bounds(), 4096);
        let mut grown = Self { map, radius, pieces: Vec::new(), spare: Vec::new(), near };
        let boundary = grown.map.boundary().to_vec();
        let n = boundary.len();
        // Where the floor turns outwards, flat ends of two edges overlap; where it turns inwards they need rounding.
        let reflex = |i: usize| {
            let [a, b, c] = [i + n - 1, i, i + 1].map(|i| boundary[i % n]);
            cross(b - a, c - b) < 0.0
        };
        for i in 0..n {
            let ends = [boundary[i], boundary[(i + 1) % n]];
            let corners = grow(&ends, radius, |end| reflex((i + end) % n));
            grown.insert(GrownPiece::new(Blocker::FloorEdge, corners));
        }
        let ids: Vec<ObstacleId> = grown.map.obstacles().map(|(id, _)| id).collect();
        for id in ids {
            grown.grow_obstacle(id);
        }
        Ok(grown)
    }

    fn insert(&mut self, piece: GrownPiece) {
        let slot = self.spare.pop().unwrap_or_else(|| {
            self.pieces.push(None);
            self.pieces.len() as u32 - 1
        });
        self.near.insert(slot, piece.bounds);
        self.pieces[slot as usize] = Some(piece);
    }

    fn grow_obstacle(&mut self, id: ObstacleId) -> Region {
        let Some(obstacle) = self.map.obstacle(id) else { return [Vec2::MAX, Vec2::MIN] };
        let mut region = [Vec2::MAX, Vec2::MIN];
        for part in polygon::convex_parts(obstacle.corners()) {
            let piece = GrownPiece::new(Blocker::Obstacle(id), grow(&part, self.radius, |_| true));
            region = joined(region, piece.bounds);
            self.insert(piece);
        }
        region
    }

    fn shrink_obstacle(&mut self, id: ObstacleId) -> Region {
        let mut region = [Vec2::MAX, Vec2::MIN];
        for slot in 0..self.pieces.len() {
            if let Some(piece) = self.pieces[slot].take_if(|piece| piece.owner == Blocker::Obstacle(id)) {
                region = joined(region, piece.bounds);
                self.near.remove(slot as u32, piece.bounds);
                self.spare.push(slot as u32);
            }
        }
        region
    }

    /// Puts an obstacle on the floor: its id, and what that touched.
    ///
    /// # Errors
    /// As [`FloorMap::add`].
    pub fn add(&mut self, obstacle: Obstacle) -> Result<(ObstacleId, Region), FloorMapError> {
        let id = self.map.add(obstacle)?;
        Ok((id, self.grow_obstacle(id)))
    }

    /// Takes an obstacle off the floor; gives what that touched.
    ///
    /// # Errors
    /// As [`FloorMap::remove`].
    pub fn remove(&mut self, id: ObstacleId) -> Result<Region, FloorMapError> {
        self.map.remove(id)?;
        Ok(self.shrink_obstacle(id))
    }

    /// Moves, turns or reshapes an obstacle; gives what that touched, both where it was and where it is.
    ///
    /// # Errors
    /// As [`FloorMap::replace`].
    pub fn replace(&mut self, id: ObstacleId, obstacle: Obstacle) -> Result<Region, FloorMapError> {
        self.map.replace(id, obstacle)?;
        let before = self.shrink_obstacle(id);
        Ok(joined(before, self.grow_obstacle(id)))
    }

    /// The map as it was given, and as changed since.
    #[must_use]
    pub fn map(&self) -> &FloorMap {
        &self.map
    }

    /// The circle's radius, metres.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// All pieces; they may overlap.
    pub fn pieces(&self) -> impl Iterator<Item = &GrownPiece> {
        self.pieces.iter().flatten()
    }

    fn piece(&self, slot: u32) -> &GrownPiece {
        self.pieces[slot as usize].as_ref().expect("the grid holds only what is there")
    }

    /// What keeps the circle from having its middle at a point, if anything does: the piece it is deepest in.
    #[must_use]
    pub fn blocker(&self, p: Vec2) -> Option<Blocker> {
        if !self.map.is_on_floor(p) {
            return Some(Blocker::OffFloor);
        }
        let mut deepest = (SLACK, None);
        self.near.any_along(p, p, 0.0, |slot| {
            let depth = self.piece(slot).depth(p);
            if depth > deepest.0 {
                deepest = (depth, Some(self.piece(slot).owner));
            }
            false
        });
        deepest.1
    }

    /// Whether the circle's middle may be at a point.
    #[must_use]
    pub fn is_free(&self, p: Vec2) -> bool {
        self.map.is_on_floor(p) && !self.near.any_along(p, p, 0.0, |slot| self.piece(slot).depth(p) > SLACK)
    }

    /// Whether the circle's middle may go straight from a to b. One of them must be on the floor.
    #[must_use]
    pub fn segment_is_free(&self, a: Vec2, b: Vec2) -> bool {
        !self.near.any_along(a, b, 0.0, |slot| self.piece(slot).is_crossed(a, b))
    }

    /// A piece that is in the way from a to b, if one is.
    #[must_use]
    pub fn in_the_way(&self, a: Vec2, b: Vec2) -> Option<&GrownPiece> {
        let mut found = None;
        self.near.any_along(a, b, 0.0, |slot| {
            let crossed = self.piece(slot).is_crossed(a, b);
            found = crossed.then(|| self.piece(slot));
            crossed
        });
        found
    }

    /// The free point nearest to a point: itself if it is free, else the nearest place where pieces end. `None` if
    /// nothing is free.
    #[must_use]
    pub fn nearest_free(&self, p: Vec2) -> Option<Vec2> {
        self.nearest_free_where(p, |_| true)
    }

    /// The nearest free point for which `admits` holds, which is asked of few points.
    #[must_use]
    pub fn nearest_free_where(&self, p: Vec2, mut admits: impl FnMut(Vec2) -> bool) -> Option<Vec2> {
        if self.is_free(p) && admits(p) {
            return Some(p);
        }
        // It lies on the edge of one piece, or where the edges of two cross.
        let edges: Vec<[Vec2; 2]> = self.pieces().flat_map(|piece| polygon::edges(&piece.corners)).collect();
        let by_distance = |list: &mut Vec<(f32, Vec2)>| list.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut points: Vec<(f32, Vec2)> = Vec::new();
        for [a, b] in &edges {
            let on = polygon::nearest_on_segment(*a, *b, p);
            points.push((on.distance_squared(p), on));
        }
        by_distance(&mut points);
        let best = points.iter().find(|(_, q)| self.is_free(*q) && admits(*q)).copied();
        let limit = best.map_or(f32::MAX, |(d, _)| d);
        let close: Vec<&[Vec2; 2]> =
            edges.iter().filter(|[a, b]| polygon::nearest_on_segment(*a, *b, p).distance_squared(p) < limit).collect();
        let mut crossings = Vec::new();
        for (i, one) in close.iter().enumerate() {
            for two in &close[i + 1..] {
                if let Some(q) = crossing(**one, **two)
                    && q.distance_squared(p) < limit
                {
                    crossings.push((q.distance_squared(p), q));
                }
            }
        }
        by_distance(&mut crossings);
        let crossed = crossings.iter().find(|(_, q)| self.is_free(*q) && admits(*q)).copied();
        crossed.or(best).map(|(_, q)| q)
    }
}

fn joined(a: Region, b: Region) -> Region {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// Where two segments cross, if they do at one point.
fn crossing([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> Option<Vec2> {
    let (u, v) = (b - a, d - c);
    let area = cross(u, v);
    let t = cross(c - a, v) / area;
    let s = cross(c - a, u) / area;
    (area != 0.0 && (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s)).then(|| a + u * t)
}

/// A convex counter-clockwise polygon (or a segment, as two corners) grown by r; corners not `round` get a flat end.
fn grow(corners: &[Vec2], r: f32, round: impl Fn(usize) -> bool) -> Vec<Vec2> {
    let n = corners.len();
    let normal = |i: usize| {
        let along = (corners[(i + 1) % n] - corners[i % n]).normalize_or_zero();
        Vec2::new(-along.y, along.x)
    };
    let mut grown = Vec::with_capacity(4 * n);
    for i in 0..n {
        let (before, after) = (normal(i + n - 1), normal(i));
        if !round(i) {
            grown.extend([corners[i] + before * r, corners[i] + after * r]);
            continue;
        }
        let turn = if n == 2 { PI } else { single::atan2(cross(before, after), before.dot(after)) };
        // Corners on a straight edge are none; rounding may even turn them the other way.
        if turn < 1e-4 {
            continue;
        }
        let count = (turn / CORNER_TURN - 1e-3).ceil().max(1.0);
        let half = 0.5 * turn / count;
        let reach = r / single::cos(half);
        for k in 0..count as usize {
            grown.push(corners[i] + turned(before, half * (2 * k + 1) as f32) * reach);
        }
    }
    grown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::FloorPose;
    use proptest::prelude::*;

    fn v(x: f32, z: f32) -> Vec2 {
        Vec2::new(x, z)
    }

    /// A floor with a notch, and boxes on it.
    fn notched(boxes: &[(f32, f32, f32, f32, f32)]) -> FloorMap {
        let corners = [(0.0, 0.0), (10.0, 0.0), (10.0, 8.0), (6.0, 8.0), (5.0, 5.0), (4.0, 8.0), (0.0, 8.0)];
        let mut map = FloorMap::polygon(corners.map(Vec2::from).to_vec()).unwrap();
        for (x, z, heading, width, depth) in boxes {
            map.add(Obstacle::rectangle("", FloorPose::new(v(*x, *z), *heading), v(*width, *depth))).ok();
        }
        let arrow = [(7.0, 2.0), (8.5, 2.5), (7.0, 3.0), (7.5, 2.5)];
        map.add(Obstacle::polygon("arrow", arrow.map(Vec2::from).to_vec())).unwrap();
        map
    }

    fn any_boxes() -> impl Strategy<Value = Vec<(f32, f32, f32, f32, f32)>> {
        proptest::collection::vec((0.0_f32..10.0, 0.0_f32..8.0, -3.0_f32..3.0, 0.1_f32..3.0, 0.1_f32..2.0), 0..8)
    }

    proptest! {
        #[test]
        fn free_is_between_the_radius_and_a_little_more(
            boxes in any_boxes(), a in (-1.0_f32..11.0, -1.0_f32..9.0), b in (-1.0_f32..11.0, -1.0_f32..9.0), r in 0.05_f32..0.8,
        ) {
            let map = notched(&boxes);
            let grown = GrownMap::new(map.clone(), r).unwrap();
            let (a, b) = (Vec2::from(a), Vec2::from(b));
            let clearance = map.clearance(a);
            if grown.is_free(a) {
                prop_assert!(clearance > r - 2.0 * SLACK, "{clearance}");
            } else {
                prop_assert!(clearance < 1.083 * r + SLACK, "{clearance}");
            }
            prop_assert_eq!(grown.is_free(a), grown.blocker(a).is_none());
            if map.is_on_floor(a) {
                let clearance = map.segment_clearance(a, b);
                if grown.segment_is_free(a, b) {
                    prop_assert!(clearance > r - 2.0 * SLACK, "{clearance}");
                } else {
                    prop_assert!(clearance < 1.083 * r + SLACK, "{clearance}");
                }
            }
        }

        #[test]
        fn the_nearest_free_point_is_free_and_none_is_nearer(
            boxes in any_boxes(), p in (0.0_f32..10.0, 0.0_f32..8.0), r in 0.05_f32..0.8,
        ) {
            let grown = GrownMap::new(notched(&boxes), r).unwrap();
            let p = Vec2::from(p);
            let nearest = grown.nearest_free(p);
            let distance = nearest.map_or(f32::MAX, |q| q.distance(p));
            prop_assert!(nearest.is_none_or(|q| grown.is_free(q)));
            for i in 0..2000 {
                let q = v((i % 50) as f32 * 0.2, (i / 50) as f32 * 0.2);
                prop_assert!(!grown.is_free(q) || q.distance(p) > distance - 1e-3, "{q} is free, {nearest:?} was found");
            }
        }

        #[test]
        fn changing_is_the_same_as_making_anew(boxes in any_boxes(), x in 1.0_f32..9.0, z in 1.0_f32..4.0, h in -3.0_f32..3.0) {
            let mut map = notched(&boxes);
            let mut grown = GrownMap::new(map.clone(), 0.3).unwrap();
            let place = |x, z| Obstacle::rectangle("cart", FloorPose::new(v(x, z), h), v(1.5, 0.7));
            let (id, region) = grown.add(place(x, z)).unwrap();
            map.add(place(x, z)).unwrap();
            prop_assert!(region[0].x < x && region[1].y > z);
            grown.replace(id, place(5.0, 2.0)).unwrap();
            let first = map.obstacles().next().unwrap().0;
            grown.remove(first).unwrap();
            map.replace(id, place(5.0, 2.0)).unwrap();
            map.remove(first).unwrap();
            let anew = GrownMap::new(map, 0.3).unwrap();
            let sorted = |grown: &GrownMap| {
                let mut all: Vec<String> = grown.pieces().map(|piece| format!("{piece:?}")).collect();
                all.sort();
                all
            };
            prop_assert_eq!(sorted(&grown), sorted(&anew));
        }
    }

    #[test]
    fn radii_that_mean_nothing_are_refused() {
        for radius in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(GrownMap::new(notched(&[]), radius).is_err(), "{radius}");
        }
    }
}
