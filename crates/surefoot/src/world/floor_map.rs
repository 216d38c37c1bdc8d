//! A floor with obstacles: polygons on a polygon, and how near a circle comes to them.

use super::buckets::Buckets;
use super::polygon;
use crate::math::FloorPose;
use glam::Vec2;

/// Which obstacle of a map; stays the same when others come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(pub u32);

/// Something that cannot be walked through: a simple polygon on the floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// What a person calls it; may be empty.
    pub name: String,
    corners: Vec<Vec2>,
    /// Least and greatest coordinates of the corners.
    bounds: [Vec2; 2],
}

/// What keeps a circle from a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocker {
    /// The place is not on the floor.
    OffFloor,
    /// The edge of the floor is nearer than the radius.
    FloorEdge,
    /// An obstacle is nearer than the radius.
    Obstacle(ObstacleId),
}

/// The largest coordinate of a floor or an obstacle, metres: an `f32` tells 6 cm apart there.
const FARTHEST: f32 = 1e6;

/// What is wrong with a polygon.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolygonFault {
    /// Two corners or fewer.
    #[error("has too few corners ({0}); a polygon needs three")]
    TooFewCorners(usize),
    /// A coordinate is NaN or infinite.
    #[error("corner {0} is not finite")]
    NotFinite(usize),
    /// A coordinate is so large that numbers tell nothing apart there.
    #[error("corner {0} is more than {FARTHEST} m from the origin")]
    TooFar(usize),
    /// Two edges meet that are no neighbours, or fold back.
    #[error("edges {0} and {1} cross or touch")]
    CrossesItself(usize, usize),
    /// It covers nothing.
    #[error("covers no area")]
    NoArea,
    /// No part of it is on the floor.
    #[error("lies outside the floor")]
    BesideTheFloor,
}

/// Why a polygon cannot be part of a map.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FloorMapError {
    /// The floor's own boundary is at fault.
    #[error("the floor {0}")]
    Floor(#[source] PolygonFault),
    /// An obstacle is at fault.
    #[error("obstacle {index}{} {fault}", if name.is_empty() { String::new() } else { format!(" ({name})") })]
    Obstacle {
        /// Its place in the order of adding, or its id when it is moved.
        index: usize,
        /// Its name, if it has one.
        name: String,
        /// What is wrong.
        #[source]
        fault: PolygonFault,
    },
    /// There is no obstacle of that id (any more).
    #[error("there is no obstacle {0}")]
    NoSuchObstacle(u32),
}

impl Obstacle {
    /// A polygon of corners (x, z), metres, in either direction of running. Checked when it is put on a map.
    #[must_use]
    pub fn polygon(name: impl Into<String>, corners: Vec<Vec2>) -> Self {
        Self { name: name.into(), bounds: polygon::bounds(&corners), corners }
    }

    /// A rectangle about a place: `size` is its width (along x at heading 0) and its depth (along z), metres.
    #[must_use]
    pub fn rectangle(name: impl Into<String>, centre: FloorPose, size: Vec2) -> Self {
        let half = 0.5 * size;
        let corners = [half, Vec2::new(half.x, -half.y), -half, Vec2::new(-half.x, half.y)];
        Self::polygon(name, corners.map(|corner| centre.transform_point(corner)).to_vec())
    }

    /// Its corners (x, z), metres; counter-clockwise seen from above once it is on a map.
    #[must_use]
    pub fn corners(&self) -> &[Vec2] {
        &self.corners
    }

    /// The same moved about: its corners as `world_from_obstacle` takes them.
    #[must_use]
    pub fn moved(&self, by: FloorPose) -> Self {
        let corners = self.corners.iter().map(|corner| by.transform_point(*corner)).collect();
        Self::polygon(self.name.clone(), corners)
    }
}

/// A floor of any simple shape with obstacles on it; all points are (x, z) in metres.
///
/// Obstacles may overlap each other and the floor's edge. Distances are exact, to rounding.
///
/// ```
/// use surefoot::glam::Vec2;
/// use surefoot::math::FloorPose;
/// use surefoot::world::{FloorMap, Obstacle};
///
/// let mut map = FloorMap::rectangle(Vec2::ZERO, Vec2::new(10.0, 8.0))?;
/// let crate_ = map.add(Obstacle::rectangle("crate", FloorPose::new(Vec2::new(5.0, 4.0), 0.0), Vec2::new(2.0, 1.0)))?;
/// assert_eq!(map.clearance(Vec2::new(5.0, 6.5)), 1.5); // the floor's edge is nearer than the crate
/// assert!(!map.segment_is_free(Vec2::new(3.0, 3.3), Vec2::new(7.0, 3.3), 0.3));
/// map.remove(crate_)?;
/// assert!(map.segment_is_free(Vec2::new(3.0, 3.3), Vec2::new(7.0, 3.3), 0.3));
/// # Ok::<(), surefoot::world::FloorMapError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FloorMap {
    boundary: Vec<Vec2>,
    obstacles: Vec<Option<Obstacle>>,
    /// Edges of the floor first, then obstacles.
    near: Buckets,
}

/// Corners that run counter-clockwise seen from above, or what is wrong with them.
fn checked(mut corners: Vec<Vec2>) -> Result<Vec<Vec2>, PolygonFault> {
    if let Some(corner) = corners.iter().position(|corner| !corner.is_finite()) {
        return Err(PolygonFault::NotFinite(corner));
    }
    if let Some(corner) = corners.iter().position(|corner| corner.abs().max_element() > FARTHEST) {
        return Err(PolygonFault::TooFar(corner));
    }
    // A corner that is written twice, or the first one again at the end, is no edge.
    corners.dedup();
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    if corners.len() < 3 {
        return Err(PolygonFault::TooFewCorners(corners.len()));
    }
    let area = polygon::double_area(&corners);
    if area == 0.0 {
        return Err(PolygonFault::NoArea);
    }
    if let Some([i, j]) = polygon::self_crossing(&corners) {
        return Err(PolygonFault::CrossesItself(i, j));
    }
    if area < 0.0 {
        corners.reverse();
    }
    Ok(corners)
}

impl FloorMap {
    /// An empty floor between two corners, metres.
    ///
    /// # Errors
    /// If it has no area or a coordinate is not finite.
    pub fn rectangle(low: Vec2, high: Vec2) -> Result<Self, FloorMapError> {
        Self::polygon(vec![low, Vec2::new(low.x, high.y), high, Vec2::new(high.x, low.y)])
    }

    /// An empty floor within a simple polygon, metres, running either way.
    ///
    /// # Errors
    /// If the polygon is at fault.
    pub fn polygon(boundary: Vec<Vec2>) -> Result<Self, FloorMapError> {
        let boundary = checked(boundary).map_err(FloorMapError::Floor)?;
        let mut near = Buckets::new(polygon::bounds(&boundary), 1024);
        for (i, edge) in polygon::edges(&boundary).enumerate() {
            near.insert(i as u32, polygon::bounds(&edge));
        }
        Ok(Self { boundary, obstacles: Vec::new(), near })
    }

    /// Puts an obstacle on the floor.
    ///
    /// # Errors
    /// If its polygon is at fault, or no part of it is on the floor.
    pub fn add(&mut self, obstacle: Obstacle) -> Result<ObstacleId, FloorMapError> {
        let id = ObstacleId(self.obstacles.len() as u32);
        let obstacle = self.admitted(id, obstacle)?;
        self.near.insert(self.thing(id), polygon::bounds(&obstacle.corners));
        self.obstacles.push(Some(obstacle));
        Ok(id)
    }

    /// Takes an obstacle off the floor. Its id is not given again.
    ///
    /// # Errors
    /// If there is none of that id.
    pub fn remove(&mut self, id: ObstacleId) -> Result<Obstacle, FloorMapError> {
        let slot = self.obstacles.get_mut(id.0 as usize).and_then(Option::take);
        let obstacle = slot.ok_or(FloorMapError::NoSuchObstacle(id.0))?;
        self.near.remove(self.thing(id), polygon::bounds(&obstacle.corners));
        Ok(obstacle)
    }

    /// Puts another polygon in an obstacle's place: moves, turns or reshapes it. Nothing changes on an error.
    ///
    /// # Errors
    /// If there is none of that id, or as [`add`](Self::add).
    pub fn replace(&mut self, id: ObstacleId, obstacle: Obstacle) -> Result<(), FloorMapError> {
        if self.obstacle(id).is_none() {
            return Err(FloorMapError::NoSuchObstacle(id.0));
        }
        let obstacle = self.admitted(id, obstacle)?;
        self.remove(id)?;
        self.near.insert(self.thing(id), polygon::bounds(&obstacle.corners));
        self.obstacles[id.0 as usize] = Some(obstacle);
        Ok(())
    }

    fn admitted(&self, id: ObstacleId, obstacle: Obstacle) -> Result<Obstacle, FloorMapError> {
        let Obstacle { name, corners, .. } = obstacle;
        let checked = checked(corners).and_then(|corners| {
            let meets = |[a, b]: [Vec2; 2]| polygon::edges(&self.boundary).any(|e| polygon::segments_meet([a, b], e));
            let on_floor = polygon::contains(&self.boundary, corners[0])
                || polygon::contains(&corners, self.boundary[0])
                || polygon::edges(&corners).any(meets);
            if on_floor { Ok(corners) } else { Err(PolygonFault::BesideTheFloor) }
        });
        match checked {
            Ok(corners) => Ok(Obstacle::polygon(name, corners)),
            Err(fault) => Err(FloorMapError::Obstacle { index: id.0 as usize, name, fault }),
        }
    }

    fn thing(&self, id: ObstacleId) -> u32 {
        self.boundary.len() as u32 + id.0
    }

    /// The floor's corners (x, z), metres, counter-clockwise seen from above.
    #[must_use]
    pub fn boundary(&self) -> &[Vec2] {
        &self.boundary
    }

    /// The least and the greatest coordinates of the floor, metres.
    #[must_use]
    pub fn bounds(&self) -> [Vec2; 2] {
        polygon::bounds(&self.boundary)
    }

    /// One obstacle, if it is (still) there.
    #[must_use]
    pub fn obstacle(&self, id: ObstacleId) -> Option<&Obstacle> {
        self.obstacles.get(id.0 as usize)?.as_ref()
    }

    /// All obstacles in the order of adding.
    pub fn obstacles(&self) -> impl Iterator<Item = (ObstacleId, &Obstacle)> {
        self.obstacles.iter().enumerate().filter_map(|(i, o)| Some((ObstacleId(i as u32), o.as_ref()?)))
    }

    /// Whether a point lies within the floor's boundary, obstacles or not.
    #[must_use]
    pub fn is_on_floor(&self, p: Vec2) -> bool {
        polygon::contains(&self.boundary, p)
    }

    /// The distance from a point to the nearest obstacle or edge of the floor, metres; 0 inside one or off the floor.
    #[must_use]
    pub fn clearance(&self, p: Vec2) -> f32 {
        self.segment_clearance(p, p)
    }

    /// The least clearance along the segment a–b, metres. Looks at everything: to compare with a radius,
    /// [`segment_is_free`](Self::segment_is_free) is quicker.
    #[must_use]
    pub fn segment_clearance(&self, a: Vec2, b: Vec2) -> f32 {
        if !self.is_on_floor(a) {
            return 0.0;
        }
        let edges = polygon::edges(&self.boundary).map(|edge| polygon::distance_squared(edge, [a, b]));
        let obstacles = self.obstacles().map(|(_, obstacle)| obstacle_distance_squared(obstacle, a, b));
        edges.chain(obstacles).fold(f32::MAX, f32::min).sqrt()
    }

    /// Whether a circle of `radius` metres fits at a point; touching is allowed.
    #[must_use]
    pub fn is_free(&self, p: Vec2, radius: f32) -> bool {
        self.segment_is_free(p, p, radius)
    }

    /// Whether a circle of `radius` metres can be pushed from a to b; touching is allowed.
    #[must_use]
    pub fn segment_is_free(&self, a: Vec2, b: Vec2, radius: f32) -> bool {
        self.is_on_floor(a) && !self.near.any_along(a, b, radius, |thing| self.is_near(thing, a, b, radius))
    }

    /// What keeps a circle of `radius` metres from a point, if anything does.
    #[must_use]
    pub fn blocker(&self, p: Vec2, radius: f32) -> Option<Blocker> {
        if !self.is_on_floor(p) {
            return Some(Blocker::OffFloor);
        }
        let mut found = None;
        // Obstacles are the better answer where the floor's edge is near, too.
        self.near.any_along(p, p, radius, |thing| {
            if self.is_near(thing, p, p, radius) {
                found = found.max(Some(thing));
            }
            false
        });
        let edges = self.boundary.len() as u32;
        found.map(|thing| if thing < edges { Blocker::FloorEdge } else { Blocker::Obstacle(ObstacleId(thing - edges)) })
    }

    fn is_near(&self, thing: u32, a: Vec2, b: Vec2, radius: f32) -> bool {
        let (thing, n) = (thing as usize, self.boundary.len());
        if thing < n {
            let edge = [self.boundary[thing], self.boundary[(thing + 1) % n]];
            // A radius of 0 still does not cross the edge.
            let distance = polygon::distance_squared(edge, [a, b]);
            return distance < radius * radius || (radius == 0.0 && distance == 0.0);
        }
        let obstacle = self.obstacles[thing - n].as_ref().expect("the grid holds only what is there");
        if a == b {
            let [low, high] = obstacle.bounds;
            if a.clamp(low, high).distance_squared(a) > radius * radius {
                return false;
            }
        }
        let distance = obstacle_distance_squared(obstacle, a, b);
        distance < radius * radius || (radius == 0.0 && distance == 0.0)
    }
}

/// The least squared distance from a segment to a polygon's area.
fn obstacle_distance_squared(obstacle: &Obstacle, a: Vec2, b: Vec2) -> f32 {
    if polygon::contains(&obstacle.corners, a) {
        return 0.0;
    }
    polygon::edges(&obstacle.corners).map(|edge| polygon::distance_squared(edge, [a, b])).fold(f32::MAX, f32::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn v(x: f32, z: f32) -> Vec2 {
        Vec2::new(x, z)
    }

    fn room() -> FloorMap {
        FloorMap::rectangle(Vec2::ZERO, v(10.0, 8.0)).unwrap()
    }

    #[test]
    fn faults_are_named() {
        let mut map = room();
        let add = |map: &mut FloorMap, corners| map.add(Obstacle::polygon("x", corners)).unwrap_err().to_string();
        assert_eq!(
            add(&mut map, vec![v(1.0, 1.0), v(2.0, 2.0)]),
            "obstacle 0 (x) has too few corners (2); a polygon needs three"
        );
        assert_eq!(
            add(&mut map, vec![v(1.0, 1.0), v(2.0, f32::NAN), v(1.0, 2.0)]),
            "obstacle 0 (x) corner 1 is not finite"
        );
        assert_eq!(
            add(&mut map, vec![v(1.0, 1.0), v(2.0, 1.0), v(1.0, -2e6)]),
            "obstacle 0 (x) corner 2 is more than 1000000 m from the origin"
        );
        let bow = vec![v(1.0, 1.0), v(2.0, 3.0), v(2.0, 1.0), v(1.0, 2.0)];
        assert_eq!(add(&mut map, bow), "obstacle 0 (x) edges 0 and 2 cross or touch");
        let flat = vec![v(1.0, 1.0), v(2.0, 1.0), v(3.0, 1.0)];
        assert_eq!(add(&mut map, flat), "obstacle 0 (x) covers no area");
        let far = vec![v(20.0, 1.0), v(21.0, 1.0), v(21.0, 2.0)];
        assert_eq!(add(&mut map, far), "obstacle 0 (x) lies outside the floor");
        assert_eq!(map, room(), "nothing was added");
        assert_eq!(
            FloorMap::rectangle(v(0.0, 0.0), v(0.0, 1.0)).unwrap_err().to_string(),
            "the floor has too few corners (2); a polygon needs three"
        );
        assert_eq!(map.remove(ObstacleId(3)).unwrap_err(), FloorMapError::NoSuchObstacle(3));
    }

    #[test]
    fn a_floor_within_an_obstacle_and_an_obstacle_over_the_edge_are_allowed() {
        let mut map = room();
        map.add(Obstacle::rectangle("", FloorPose::new(v(10.0, 4.0), 0.3), v(2.0, 2.0))).unwrap();
        map.add(Obstacle::rectangle("", FloorPose::new(v(5.0, 4.0), 0.0), v(200.0, 200.0))).unwrap();
        assert_eq!(map.blocker(v(1.0, 1.0), 0.1), Some(Blocker::Obstacle(ObstacleId(1))));
    }

    #[test]
    fn blockers_are_told_apart() {
        let mut map = room();
        let id = map.add(Obstacle::rectangle("", FloorPose::new(v(5.0, 4.0), 0.0), v(2.0, 1.0))).unwrap();
        assert_eq!(map.blocker(v(5.0, 4.0), 0.3), Some(Blocker::Obstacle(id)));
        assert_eq!(map.blocker(v(5.0, 4.7), 0.3), Some(Blocker::Obstacle(id)));
        assert_eq!(map.blocker(v(5.0, 4.9), 0.3), None);
        assert_eq!(map.blocker(v(0.2, 4.9), 0.3), Some(Blocker::FloorEdge));
        assert_eq!(map.blocker(v(-0.2, 4.9), 0.3), Some(Blocker::OffFloor));
    }

    proptest! {
        #[test]
        fn the_grid_answers_as_the_distances_do(
            boxes in proptest::collection::vec((0.0_f32..10.0, 0.0_f32..8.0, -3.0_f32..3.0, 0.1_f32..4.0, 0.1_f32..2.0), 1..12),
            a in (-1.0_f32..11.0, -1.0_f32..9.0), b in (-1.0_f32..11.0, -1.0_f32..9.0), radius in 0.05_f32..1.0, gone in 0_usize..12,
        ) {
            let mut map = room();
            for (x, z, heading, width, depth) in &boxes {
                map.add(Obstacle::rectangle("", FloorPose::new(v(*x, *z), *heading), v(*width, *depth))).unwrap();
            }
            if gone < boxes.len() {
                map.remove(ObstacleId(gone as u32)).unwrap();
            }
            let (a, b) = (Vec2::from(a), Vec2::from(b));
            let clearance = map.segment_clearance(a, b);
            if (clearance - radius).abs() > 1e-5 {
                prop_assert_eq!(map.segment_is_free(a, b, radius), clearance > radius, "{}", clearance);
            }
            // The least of many points along it is never less, and hardly more.
            let points = (0..=200).map(|i| map.clearance(a.lerp(b, i as f32 / 200.0))).fold(f32::MAX, f32::min);
            prop_assert!(points > clearance - 1e-4 && points < clearance + a.distance(b) / 400.0 + 1e-4, "{points} {clearance}");
        }
    }
}
