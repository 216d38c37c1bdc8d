//! Meshes as ground: triangles in a tree of boxes, and which of them can be walked on.

use super::columns::Columns;
use super::connected::join;
use super::ground::{Ground, GroundHit, SurfaceId};
use super::{Body, Survey, TriangleSoup};
use crate::math::single;
use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::{PointQueryWithLocation, Ray, RayCast, ShapeCastOptions, cast_shapes};
use parry3d::shape::{Capsule, TriMesh};
use std::cell::Cell;

/// Triangles to walk on and to bump into. Both sides of a triangle can be touched, but only the side that its corners run
/// counter-clockwise on can be walked: the inside of a hollow block is no floor.
///
/// Its surfaces are the regions of triangles within the slope limit that hang together by common edges and by steps; others
/// are [`SurfaceId::NONE`]. Head room differs from place to place on one triangle, so it is asked per place:
/// [`MeshGround::footing`].
pub struct MeshGround {
    mesh: Option<TriMesh>,
    /// The triangles of the mesh, as vertical lines meet them.
    facets: Vec<Facet>,
    columns: Columns,
    surfaces: Vec<SurfaceId>,
    regions: usize,
    dropped: usize,
    survey: Survey,
}

/// A place on a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshPoint {
    /// The place, metres, world space.
    pub point: Vec3,
    /// Its distance from where was asked, metres.
    pub distance: f32,
    /// The triangle, as an index of [`MeshGround::triangle`].
    pub triangle: usize,
}

impl Survey {
    /// Puts the triangles of a soup into a tree and finds what of them can be walked on. Triangles without area are left
    /// out and counted.
    #[must_use]
    pub fn run(&self, soup: &TriangleSoup) -> MeshGround {
        let kept: Vec<[u32; 3]> =
            (0..soup.triangles().len()).filter(|i| has_area(soup.corners(*i))).map(|i| soup.triangles()[i]).collect();
        let dropped = soup.triangles().len() - kept.len();
        // Only a mesh without triangles is refused.
        let mesh = TriMesh::new(soup.positions().to_vec(), kept).ok();
        let facets: Vec<Facet> = mesh.as_ref().map_or_else(Vec::new, |mesh| {
            let corners = |indices: &[u32; 3]| indices.map(|corner| mesh.vertices()[corner as usize]);
            mesh.indices().iter().map(|indices| Facet::new(corners(indices), *indices)).collect()
        });
        let columns = Columns::new(facets.iter().map(|facet| facet.corners));
        let mut ground = MeshGround { mesh, facets, columns, surfaces: Vec::new(), regions: 0, dropped, survey: *self };
        let least = single::cos(self.max_slope);
        let gentle: Vec<bool> = (0..ground.len()).map(|i| outer(ground.triangle(i)).y >= least).collect();
        (ground.surfaces, ground.regions) = join(&ground, &gentle);
        ground
    }
}

impl MeshGround {
    /// How many triangles there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.facets.len()
    }

    /// Whether there is no triangle.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mesh.is_none()
    }

    /// How many triangles were left out because they have no area.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// How many surfaces there are: their ids count from 0.
    #[must_use]
    pub fn surfaces(&self) -> usize {
        self.regions
    }

    /// The surface a triangle belongs to; [`SurfaceId::NONE`] if it is too steep or faces down.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[must_use]
    pub fn surface(&self, triangle: usize) -> SurfaceId {
        self.surfaces[triangle]
    }

    /// What it was surveyed by.
    #[must_use]
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// The corners of one triangle, metres.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[must_use]
    pub fn triangle(&self, index: usize) -> [Vec3; 3] {
        self.facets[index].corners
    }

    /// The corners of one triangle as indices of points that neighbours share.
    pub(super) fn indices(&self, index: usize) -> [u32; 3] {
        self.mesh.as_ref().map_or([0; 3], |mesh| mesh.indices()[index])
    }

    /// The highest of the triangles that `accept` holds for, between two heights (metres) over a floor point (x, z): its
    /// height and index. A vertical line through the common edge of two triangles always meets one of them.
    pub(super) fn highest(
        &self,
        [x, z]: [f32; 2],
        heights: [f32; 2],
        accept: impl Fn(usize) -> bool,
    ) -> Option<(f32, usize)> {
        let best: Cell<Option<(f32, usize)>> = Cell::new(None);
        // What lies lower than what was met is not looked at.
        let lowest = || best.get().map_or(heights[0], |(y, _)| y);
        self.columns.each([x, z], heights[1], lowest, |index| {
            let met = self.facets[index].height_over([x, z]);
            let better = |y: f32| y >= heights[0] && y <= heights[1] && best.get().is_none_or(|(best, _)| y > best);
            if let Some(y) = met.filter(|y| better(*y) && accept(index)) {
                best.set(Some((y, index)));
            }
        });
        best.get()
    }

    fn hit(&self, [x, z]: [f32; 2], (y, triangle): (f32, usize)) -> GroundHit {
        let normal = self.facets[triangle].normal;
        GroundHit { point: Vec3::new(x, y, z), normal, surface: self.surfaces[triangle] }
    }

    /// As [`Ground::below`], but only what can be stood on: within the slope limit, and with head room above.
    #[must_use]
    pub fn footing(&self, point: Vec3, reach: f32) -> Option<GroundHit> {
        self.stood_on(point, reach).map(|met| self.hit([point.x, point.z], met))
    }

    /// The height of what can be stood on, as [`MeshGround::footing`], metres.
    pub(crate) fn footing_height(&self, point: Vec3, reach: f32) -> Option<f32> {
        self.stood_on(point, reach).map(|(y, _)| y)
    }

    /// The height of the ground, as [`Ground::below`], metres.
    pub(crate) fn height_below(&self, point: Vec3, reach: f32) -> Option<f32> {
        let known = point.is_finite() && !reach.is_nan();
        self.highest([point.x, point.z], [point.y - reach, point.y], |_| known).map(|(y, _)| y)
    }

    /// The highest that can be stood on, and its triangle.
    fn stood_on(&self, point: Vec3, reach: f32) -> Option<(f32, usize)> {
        let at = [point.x, point.z];
        let gentle = |triangle: usize| self.surfaces[triangle] != SurfaceId::NONE;
        let mut top = point.y;
        let least = point.y - reach;
        // What lies under a low ceiling is passed over; the next one down may be free.
        while point.is_finite() && !reach.is_nan() {
            let (y, triangle) = self.highest(at, [least, top], gentle)?;
            if self.free_above(Vec3::new(point.x, y, point.z)) {
                return Some((y, triangle));
            }
            top = y.next_down();
        }
        None
    }

    /// Whether nothing hangs lower than the head room over a place on the ground. What begins within 5 cm of it counts as
    /// ground, as floors are laid on floors.
    fn free_above(&self, place: Vec3) -> bool {
        const THICKNESS: f32 = 0.05;
        let heights = [place.y + THICKNESS, place.y + self.survey.head_room];
        self.highest([place.x, place.z], heights, |_| true).is_none()
    }

    /// A route laid on the ground: places to stand at most `spacing` metres apart (> 0), each within a step of the one before.
    /// Cracks of up to a foot's length, 0.25 m, are stepped over. `None` where the ground breaks off. Heights of `points` count
    /// for the first one only, to 1 m.
    #[must_use]
    pub fn drape(&self, points: &[Vec3], spacing: f32) -> Option<Vec<Vec3>> {
        const CRACK: f32 = 0.25;
        let first = *points.first()?;
        let mut places = vec![self.footing(first + Vec3::Y, 2.0)?.point];
        for pair in points.windows(2) {
            let parts = (pair[0].distance(pair[1]) / spacing).ceil().max(1.0) as usize;
            for part in 1..=parts {
                let at = pair[0].lerp(pair[1], part as f32 / parts as f32);
                let last = places[places.len() - 1];
                let away = Vec3 { y: last.y, ..at }.distance(last);
                // A step, or a slope of 45° from one place to the next.
                let climb = self.survey.step_height + away;
                match self.footing(Vec3 { y: last.y + climb, ..at }, 2.0 * climb) {
                    Some(hit) => places.push(hit.point),
                    None if away > CRACK => return None,
                    None => {}
                }
            }
        }
        // It must not end over a crack.
        let (last, end) = (places[places.len() - 1], points[points.len() - 1]);
        (Vec3 { y: last.y, ..end }.distance(last) < spacing).then_some(places)
    }

    /// The first triangle that a ray meets: `direction` is of unit length, `reach` in metres.
    #[must_use]
    pub fn cast_ray(&self, origin: Vec3, direction: Vec3, reach: f32) -> Option<MeshPoint> {
        let mesh = self.mesh.as_ref().filter(|_| origin.is_finite() && direction.is_finite())?;
        let hit = mesh.cast_local_ray_and_get_normal(&Ray::new(origin, direction), reach, false)?;
        let distance = hit.time_of_impact;
        // Backs of triangles are numbered after the fronts.
        let triangle = hit.feature.unwrap_face() as usize % mesh.num_triangles();
        Some(MeshPoint { point: origin + distance * direction, distance, triangle })
    }

    /// The nearest place on any triangle within `reach` metres.
    #[must_use]
    pub fn nearest(&self, point: Vec3, reach: f32) -> Option<MeshPoint> {
        let mesh = self.mesh.as_ref().filter(|_| point.is_finite())?;
        let found = mesh.project_local_point_and_get_location_with_max_dist(point, false, reach);
        let (projection, (triangle, _)) = found?;
        let distance = projection.point.distance(point);
        Some(MeshPoint { point: projection.point, distance, triangle: triangle as usize })
    }

    /// How far a body whose lowest point is at `foot` gets along `motion` before it touches a triangle: from 0 (it touches
    /// at once) to 1 (all the way), to 1 mm. Lift it off the ground it stands on.
    #[must_use]
    pub fn sweep(&self, body: Body, foot: Vec3, motion: Vec3) -> f32 {
        let Some(mesh) = self.mesh.as_ref().filter(|_| foot.is_finite() && motion.is_finite()) else { return 1.0 };
        let half = (0.5 * body.height - body.radius).max(0.0);
        let middle = foot + (half + body.radius) * Vec3::Y;
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let capsule = Capsule::new_y(half, body.radius);
        let at = Pose::from_translation(middle);
        let hit = cast_shapes(&Pose::IDENTITY, Vec3::ZERO, mesh, &at, motion, &capsule, options);
        hit.ok().flatten().map_or(1.0, |hit| hit.time_of_impact.clamp(0.0, 1.0))
    }

    /// Whether a body whose lowest point is at `foot` touches no triangle.
    #[must_use]
    pub fn is_free(&self, body: Body, foot: Vec3) -> bool {
        let Some(mesh) = self.mesh.as_ref().filter(|_| foot.is_finite()) else { return true };
        let half = (0.5 * body.height - body.radius).max(0.0);
        let middle = foot + (half + body.radius) * Vec3::Y;
        let capsule = Capsule::new_y(half, body.radius);
        let touch = parry3d::query::intersection_test(&Pose::IDENTITY, mesh, &Pose::from_translation(middle), &capsule);
        !touch.unwrap_or(false)
    }
}

impl Ground for MeshGround {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        if !point.is_finite() || reach.is_nan() || !time.is_finite() {
            return None;
        }
        let at = [point.x, point.z];
        Some(self.hit(at, self.highest(at, [point.y - reach, point.y], |_| true)?))
    }
}

impl std::fmt::Debug for MeshGround {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { regions, dropped, survey, .. } = self;
        write!(f, "MeshGround({} triangles, {dropped} dropped, {regions} surfaces, {survey:?})", self.len())
    }
}

/// The upward normal of a triangle.
pub(super) fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    let n = outer([a, b, c]);
    if n.y < 0.0 { -n } else { n }
}

/// The normal of the side that a triangle's corners run counter-clockwise on.
fn outer([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a).normalize_or(Vec3::Y)
}

/// Whether a triangle is at least a micrometre thick.
fn has_area([a, b, c]: [Vec3; 3]) -> bool {
    let longest = (b - a).length().max((c - b).length()).max((a - c).length());
    (b - a).cross(c - a).length() > 1e-6 * longest
}

/// A triangle as vertical lines meet it.
struct Facet {
    corners: [Vec3; 3],
    /// Whether the edge that lies opposite to each corner is reckoned from its second end: both triangles of a common edge
    /// reckon it from the same one, so that no line passes between them.
    swapped: [bool; 3],
    /// Upwards, of unit length.
    normal: Vec3,
}

impl Facet {
    /// Of corners, whose indices neighbours share.
    fn new(corners: [Vec3; 3], [a, b, c]: [u32; 3]) -> Self {
        Self { corners, swapped: [b > c, c > a, a > b], normal: normal(corners) }
    }

    /// The height at which a vertical line meets it, metres. Edges belong to it.
    fn height_over(&self, [x, z]: [f32; 2]) -> Option<f32> {
        let (x, z) = (f64::from(x), f64::from(z));
        let [a, b, c] = &self.corners;
        // Twice the area of edge and point: differences are exact in f64, and signs opposite for the neighbour.
        let side = |from: &Vec3, to: &Vec3, swapped: bool| {
            let (from, to) = if swapped { (to, from) } else { (from, to) };
            let (along, up) = (f64::from(from.x), f64::from(from.z));
            let area = (f64::from(to.x) - along) * (z - up) - (f64::from(to.z) - up) * (x - along);
            if swapped { -area } else { area }
        };
        let [of_a, of_b, of_c] =
            [side(b, c, self.swapped[0]), side(c, a, self.swapped[1]), side(a, b, self.swapped[2])];
        let sum = of_a + of_b + of_c;
        let same = (of_a >= 0.0 && of_b >= 0.0 && of_c >= 0.0) || (of_a <= 0.0 && of_b <= 0.0 && of_c <= 0.0);
        if !same || sum == 0.0 {
            return None;
        }
        let y = (of_a * f64::from(a.y) + of_b * f64::from(b.y) + of_c * f64::from(c.y)) / sum;
        Some((y as f32).clamp(a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y)))
    }
}

#[cfg(test)]
#[path = "surfaces_tests.rs"]
mod tests;
