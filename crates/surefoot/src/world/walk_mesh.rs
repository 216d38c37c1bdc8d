//! Walk meshes: where a body can stand on a mesh of any number of floors, as convex polygons that share edges.

use super::convex_mesh::ConvexMesh;
use super::{Body, Survey, TriangleSoup};
use crate::math::single;
use glam::{UVec3, Vec2, Vec3, Vec3A};
use rerecast::{
    AreaType, BuildContoursFlags, CompactHeightfield, DetailNavmesh, HeightfieldBuilder, PolygonNavmesh, TriMesh,
};

/// Turns triangles into a walk mesh, by Recast's way of voxels (rerecast).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Chart {
    /// The room that the character takes: its middle stays at least this far from walls and edges, and up to two voxels
    /// further.
    pub body: Body,
    /// Slopes and steps it can take; head room is the body's height.
    pub survey: Survey,
    /// Size of a voxel along x and z, metres, > 0; places are true to about this. If not told, a fifth of the body's radius,
    /// in worlds of more than a million such columns up to a third of it, and at most 0.15 m; larger only where the world
    /// would be more than 2000 voxels long.
    pub cell: Option<f32>,
    /// Height of a voxel, metres, > 0; steps and head room are true to about this.
    pub cell_height: f32,
}

impl Default for Chart {
    /// A grown person; voxels as large as body and world ask for, 5 cm high.
    fn default() -> Self {
        Self { body: Body::default(), survey: Survey::default(), cell: None, cell_height: 0.05 }
    }
}

/// Where a body's middle can be, as convex polygons; those that share an edge are neighbours, on whatever floor.
#[derive(Clone, Debug)]
pub struct WalkMesh {
    /// The polygons seen from above.
    pub(super) mesh: ConvexMesh,
    pub(super) polygons: Vec<Polygon>,
    /// Sideways and upwards distance within which a place counts as being on the mesh, metres.
    pub(super) reach: [f32; 2],
}

/// A convex polygon of a walk mesh.
#[derive(Clone, Debug)]
pub(super) struct Polygon {
    /// Metres, world space; heights are those of voxels.
    pub(super) corners: Vec<Vec3>,
    /// Triangles that follow the ground to [`HEIGHT_ERROR`], and cover it.
    pub(super) ground: Vec<[Vec3; 3]>,
}

/// How far heights may be off those of voxels, metres.
const HEIGHT_ERROR: f32 = 0.1;
/// How far apart heights are looked at, metres.
const HEIGHT_SPACING: f32 = 0.9;

/// Why triangles give no walk mesh.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChartError {
    /// There are no triangles.
    #[error("there are no triangles")]
    Empty,
    /// A setting is out of its range.
    #[error("{name} is {value}; it must be more than 0 and finite")]
    Setting {
        /// Which.
        name: &'static str,
        /// Its value, metres.
        value: f32,
    },
    /// Too many voxels along one side.
    #[error("the world is {cells} voxels of {cell} m long; at most {} are possible: take larger ones", Chart::MOST)]
    TooLarge {
        /// Voxels along the longest side.
        cells: f32,
        /// Size of one, metres.
        cell: f32,
    },
    /// What rerecast says.
    #[error(transparent)]
    Recast(Box<dyn std::error::Error + Send + Sync>),
}

impl Chart {
    /// The most voxels along one side: 16 million columns take about a gigabyte.
    const MOST: u32 = 4096;

    /// Finds where the body can stand. Triangles count as floor only on the side that their corners run counter-clockwise
    /// on, as seen from above.
    ///
    /// # Errors
    /// If there are no triangles, a setting is out of range, or the world is too large for its voxels.
    pub fn run(&self, soup: &TriangleSoup) -> Result<WalkMesh, ChartError> {
        let Self { body, cell_height, .. } = *self;
        let cell = self.cell.unwrap_or(body.radius);
        for (name, value) in [("cell", cell), ("cell_height", cell_height), ("the body's radius", body.radius)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(ChartError::Setting { name, value });
            }
        }
        let [low, high] = soup.bounds().ok_or(ChartError::Empty)?;
        let cell = self.cell.unwrap_or_else(|| fitting(body.radius, high - low));
        let cells = ((high - low) / Vec3::new(cell, cell_height * 8.0, cell)).max_element();
        if cells > Self::MOST as f32 {
            return Err(ChartError::TooLarge { cells, cell });
        }
        // A wall by itself has no width, and rerecast panics where there is not one voxel.
        let high = high.max(low + Vec3::new(cell, 0.0, cell));
        // rerecast refuses some outlines, which depends on how walls happen to lie on the voxels: others may do.
        let finer = |by: f32| self.attempt(by * cell, soup, [low, high]);
        finer(1.0).or_else(|_| finer(0.95)).or_else(|_| finer(0.9)).or_else(|_| finer(0.85))
    }

    fn attempt(&self, cell: f32, soup: &TriangleSoup, [low, high]: [Vec3; 2]) -> Result<WalkMesh, ChartError> {
        let Self { body, survey, cell_height, .. } = *self;
        // Triangles to voxels; the right slope is a floor.
        let least = single::cos(survey.max_slope);
        let upright = |i: usize| soup.normal(i).normalize_or_zero().y >= least;
        let area = |i: usize| if upright(i) { AreaType::DEFAULT_WALKABLE } else { AreaType::NOT_WALKABLE };
        let mesh = TriMesh {
            vertices: soup.positions().iter().map(|p| Vec3A::from(*p)).collect(),
            indices: soup.triangles().iter().map(|corners| UVec3::from(*corners)).collect(),
            area_types: (0..soup.triangles().len()).map(area).collect(),
        };
        let mut aabb = mesh.compute_aabb().ok_or(ChartError::Empty)?;
        (aabb.min, aabb.max) = (low, high);
        let builder = HeightfieldBuilder { aabb, cell_size: cell, cell_height };
        let mut field = builder.build().map_err(recast)?;
        let voxels = |metres: f32, size: f32| (metres / size).clamp(0.0, 60_000.0);
        let climb = (voxels(survey.step_height, cell_height) + 1e-3).floor() as u16;
        let room = voxels(body.height, cell_height).ceil() as u16;
        field.rasterize_triangles(&mesh, climb).map_err(recast)?;

        // Voxels to places where a body can be.
        field.filter_low_hanging_walkable_obstacles(climb);
        field.filter_ledge_spans(room, climb);
        field.filter_walkable_low_height_spans(room);
        let mut places = field.into_compact(room, climb).map_err(recast)?;
        for span in too_near(&places, body.radius / cell) {
            places.areas[span] = AreaType::NOT_WALKABLE;
        }

        // Places to polygons. Regions of less than half a square metre are dropped.
        let square = |metres: f32| voxels(metres, cell * cell) as u16;
        places.build_distance_field();
        places.build_regions(0, square(0.5), square(30.0)).map_err(recast)?;
        let longest = voxels(6.0, cell) as u16;
        // Outlines follow voxels, so that they cut no corner. Polygons stay triangles: rerecast's way of merging them takes
        // longer than all the rest, and shortest paths are found as quickly without.
        let outlines = places.build_contours(0.0, longest, BuildContoursFlags::default());
        let polygons = outlines.into_polygon_mesh(3).map_err(recast)?;
        let heights = DetailNavmesh::new(&polygons, &places, HEIGHT_SPACING, HEIGHT_ERROR).map_err(recast)?;
        let reach = [2.0 * body.radius + cell, survey.step_height.max(0.5) + cell_height];
        Ok(WalkMesh::new(&polygons, &heights, reach))
    }
}

/// The size of a voxel for a body's radius and a world's size, all in metres: a whole number of them is a touch more than the
/// radius, so that nothing of it is given away.
fn fitting(radius: f32, size: Vec3) -> f32 {
    // The most columns of voxels, which memory and time grow with.
    const COLUMNS: f32 = 1e6;
    // The most voxels along a side.
    const LONGEST: f32 = 2000.0;
    let parts = |count: f32| (1.005 * radius / count).min(0.15);
    let few = |cell: &f32| size.x * size.z <= COLUMNS * cell * cell;
    [5.0, 4.0].map(parts).into_iter().find(few).unwrap_or(parts(3.0)).max(size.max_element() / LONGEST)
}

/// The places nearer to a wall or an edge than a radius, which is in voxels. Voxels that cannot be walked on count as wall all
/// over, and distances are between what is nearest of two voxels, so that every point of those that are left keeps the radius.
fn too_near(places: &CompactHeightfield, radius: f32) -> Vec<usize> {
    let neighbour = |x: i32, z: i32, span: usize, dir: u8| {
        let con = places.spans[span].con(dir)?;
        Some(places.con_indices(x, z, dir, con)).filter(|(.., next)| places.areas[*next].is_walkable())
    };
    let near = |dx: i32, dz: i32| {
        let [x, z] = [dx, dz].map(|d| (d.abs() - 1).max(0) as f32);
        x * x + z * z < radius * radius
    };
    let mut found = vec![false; places.spans.len()];
    // The wall's voxel that a place was last reached from.
    let mut reached = vec![0_u32; places.spans.len()];
    let (mut walls, mut open) = (0, Vec::new());
    for z in 0..i32::from(places.height) {
        for x in 0..i32::from(places.width) {
            for span in places.cell_at(x as u16, z as u16).index_range() {
                if !places.areas[span].is_walkable() {
                    continue;
                }
                for dir in (0..4).filter(|dir| neighbour(x, z, span, *dir).is_none()) {
                    walls += 1;
                    let (wall_x, wall_z) = (x + [-1, 0, 1, 0][usize::from(dir)], z + [0, 1, 0, -1][usize::from(dir)]);
                    open.push((x, z, span));
                    while let Some((x, z, span)) = open.pop() {
                        if reached[span] == walls || !near(x - wall_x, z - wall_z) {
                            continue;
                        }
                        (reached[span], found[span]) = (walls, true);
                        open.extend((0..4).filter_map(|dir| neighbour(x, z, span, dir)));
                    }
                }
            }
        }
    }
    (0..found.len()).filter(|span| found[*span]).collect()
}

fn recast(error: impl std::error::Error + Send + Sync + 'static) -> ChartError {
    ChartError::Recast(Box::new(error))
}

impl WalkMesh {
    fn new(mesh: &PolygonNavmesh, heights: &DetailNavmesh, reach: [f32; 2]) -> Self {
        let most = usize::from(mesh.max_vertices_per_polygon);
        let size = Vec3::new(mesh.cell_size, mesh.cell_height, mesh.cell_size);
        let corners: Vec<Vec3> = mesh.vertices.iter().map(|v| mesh.aabb.min + v.as_vec3() * size).collect();
        let at = |corner: &u32| corners[*corner as usize];
        let mut rings: Vec<Vec<u32>> = (mesh.polygons.chunks_exact(most))
            .map(|ring| ring.iter().take_while(|c| **c != PolygonNavmesh::NO_INDEX).map(|c| u32::from(*c)).collect())
            .collect();
        for ring in &mut rings {
            let first = flat(at(&ring[0]));
            let twice = |pair: &[u32]| (flat(at(&pair[0])) - first).perp_dot(flat(at(&pair[1])) - first);
            if ring.windows(2).map(twice).sum::<f32>() < 0.0 {
                ring.reverse();
            }
        }
        let polygons = rings.iter().zip(&heights.meshes).map(|(ring, part)| {
            let points = &heights.vertices[part.base_vertex_index as usize..][..part.vertex_count as usize];
            let triangles = &heights.triangles[part.base_triangle_index as usize..][..part.triangle_count as usize];
            let ground = triangles.iter().map(|corners| corners.map(|corner| points[usize::from(corner)])).collect();
            Polygon { corners: ring.iter().map(at).collect(), ground }
        });
        let polygons = polygons.collect();
        Self { mesh: ConvexMesh::new(corners.iter().map(|c| flat(*c).as_dvec2()).collect(), &rings), polygons, reach }
    }

    /// How many polygons there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.polygons.len()
    }

    /// Whether a body can stand nowhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.polygons.is_empty()
    }

    /// The corners of every polygon, metres, world space; heights are those of voxels.
    pub fn polygons(&self) -> impl ExactSizeIterator<Item = &[Vec3]> {
        self.polygons.iter().map(|polygon| polygon.corners.as_slice())
    }

    /// The polygon nearest to a place and the place on it: first those right below or above within reach, else those beside.
    pub(super) fn locate(&self, place: Vec3) -> Option<(u32, Vec3)> {
        let mut best: Option<(f32, usize, Vec3)> = None;
        for (index, polygon) in self.polygons.iter().enumerate() {
            let at = polygon.nearest(place);
            let beside = Vec2::new(at.x - place.x, at.z - place.z).length();
            let above = (at.y - place.y).abs();
            if beside > self.reach[0] || above > self.reach[1] + beside {
                continue;
            }
            // A metre beside is as bad as ten above: a place has its floor, but heights are rough.
            let badness = 10.0 * beside + above;
            if best.is_none_or(|(least, ..)| badness < least) {
                best = Some((badness, index, at));
            }
        }
        best.map(|(_, index, at)| (index as u32, at))
    }
}

impl Polygon {
    /// The place of it nearest to another seen from above, at the height of its ground.
    pub(super) fn nearest(&self, place: Vec3) -> Vec3 {
        let p = flat(place);
        let mut best = (f32::INFINITY, self.corners[0]);
        for [a, b, c] in &self.ground {
            let (u, v, to) = (flat(*b) - flat(*a), flat(*c) - flat(*a), p - flat(*a));
            let whole = u.perp_dot(v);
            if whole != 0.0 {
                let (s, t) = (to.perp_dot(v) / whole, u.perp_dot(to) / whole);
                if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
                    return Vec3 { y: a.y + s * (b.y - a.y) + t * (c.y - a.y), ..place };
                }
            }
            for (a, b) in [(a, b), (b, c), (c, a)] {
                let along = flat(*b) - flat(*a);
                let x = ((p - flat(*a)).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
                let on = a.lerp(*b, x);
                let far = flat(on).distance_squared(p);
                if far < best.0 {
                    best = (far, on);
                }
            }
        }
        best.1
    }
}

/// A place seen from above.
pub(super) fn flat(place: Vec3) -> Vec2 {
    Vec2::new(place.x, place.z)
}
