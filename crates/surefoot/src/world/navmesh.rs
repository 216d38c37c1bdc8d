//! Navigation meshes: where a body can stand on a mesh of any number of floors, as convex polygons that share edges.

use super::{Body, Survey, TriangleSoup};
use crate::math::single;
use glam::{UVec3, Vec2, Vec3, Vec3A};
use rerecast::{AreaType, BuildContoursFlags, HeightfieldBuilder, PolygonNavmesh, TriMesh};

/// Turns triangles into a navigation mesh, by Recast's way of voxels (rerecast).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chart {
    /// The room that the character takes: its middle stays this far from walls and edges.
    pub body: Body,
    /// Slopes and steps it can take; head room is the body's height.
    pub survey: Survey,
    /// Size of a voxel along x and z, metres, > 0; places are true to about this.
    pub cell: f32,
    /// Height of a voxel, metres, > 0; steps and head room are true to about this.
    pub cell_height: f32,
}

impl Default for Chart {
    /// A grown person; voxels of half its radius, 5 cm high.
    fn default() -> Self {
        Self { body: Body::default(), survey: Survey::default(), cell: 0.15, cell_height: 0.05 }
    }
}

/// Where a body's middle can be, as convex polygons; those that share an edge are neighbours, on whatever floor.
#[derive(Clone, Debug, Default)]
pub struct NavMesh {
    pub(super) polygons: Vec<Polygon>,
    /// Sideways and upwards distance within which a place counts as being on the mesh, metres.
    pub(super) reach: [f32; 2],
}

/// A convex polygon of a navigation mesh.
#[derive(Clone, Debug)]
pub(super) struct Polygon {
    /// Metres, world space; heights are those of voxels.
    pub(super) corners: Vec<Vec3>,
    /// The polygon beyond the edge from each corner to the next.
    pub(super) neighbours: Vec<Option<usize>>,
}

/// Why triangles give no navigation mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
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
    #[error("{0}")]
    Recast(String),
}

impl Chart {
    /// The most voxels along one side: 16 million columns take about a gigabyte.
    const MOST: u32 = 4096;

    /// Finds where the body can stand. Triangles count as floor only on the side that their corners run counter-clockwise
    /// on, as seen from above.
    ///
    /// # Errors
    /// If there are no triangles, a setting is out of range, or the world is too large for its voxels.
    pub fn run(&self, soup: &TriangleSoup) -> Result<NavMesh, ChartError> {
        let Self { body, survey, cell, cell_height } = *self;
        for (name, value) in [("cell", cell), ("cell_height", cell_height), ("the body's radius", body.radius)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(ChartError::Setting { name, value });
            }
        }
        let [low, high] = soup.bounds().ok_or(ChartError::Empty)?;
        let cells = ((high - low) / Vec3::new(cell, cell_height * 8.0, cell)).max_element();
        if cells > Self::MOST as f32 {
            return Err(ChartError::TooLarge { cells, cell });
        }

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
        places.erode_walkable_area(voxels(body.radius, cell).ceil() as u16);

        // Places to polygons. Regions of less than half a square metre are dropped.
        let square = |metres: f32| voxels(metres, cell * cell) as u16;
        places.build_distance_field();
        places.build_regions(0, square(0.5), square(30.0)).map_err(recast)?;
        let longest = voxels(6.0, cell) as u16;
        let outlined = |error: f32| {
            let contours = places.clone().build_contours(error, longest, BuildContoursFlags::default());
            contours.into_polygon_mesh(6).map_err(recast)
        };
        // Outlines may cross where they are straightened too much.
        let polygons = outlined(1.3).or_else(|_| outlined(0.7)).or_else(|_| outlined(0.1))?;
        Ok(NavMesh::new(&polygons, [2.0 * body.radius + cell, survey.step_height.max(0.5) + cell_height]))
    }
}

fn recast(error: impl std::fmt::Display) -> ChartError {
    ChartError::Recast(error.to_string())
}

impl NavMesh {
    fn new(mesh: &PolygonNavmesh, reach: [f32; 2]) -> Self {
        let most = usize::from(mesh.max_vertices_per_polygon);
        let size = Vec3::new(mesh.cell_size, mesh.cell_height, mesh.cell_size);
        let place = |corner: u16| mesh.aabb.min + mesh.vertices[usize::from(corner)].as_vec3() * size;
        let polygons = mesh.polygons.chunks_exact(most).zip(mesh.polygon_neighbors.chunks_exact(most));
        let polygons = polygons.map(|(corners, neighbours)| {
            let corners: Vec<Vec3> =
                corners.iter().take_while(|corner| **corner != PolygonNavmesh::NO_INDEX).map(|c| place(*c)).collect();
            let count = mesh.polygon_count();
            let beyond = |n: &u16| Some(usize::from(*n)).filter(|n| *n < count);
            let neighbours = neighbours[..corners.len()].iter().map(beyond).collect();
            Polygon { corners, neighbours }
        });
        Self { polygons: polygons.collect(), reach }
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
    pub(super) fn locate(&self, place: Vec3) -> Option<(usize, Vec3)> {
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
        best.map(|(_, index, at)| (index, at))
    }
}

impl Polygon {
    /// The place of it nearest to another seen from above, at its own height.
    fn nearest(&self, place: Vec3) -> Vec3 {
        let flat = |p: Vec3| Vec2::new(p.x, p.z);
        let p = flat(place);
        // Inside one of the triangles it falls into?
        let first = self.corners[0];
        for pair in self.corners[1..].windows(2) {
            let (a, b, c) = (flat(first), flat(pair[0]), flat(pair[1]));
            let whole = (b - a).perp_dot(c - a);
            if whole == 0.0 {
                continue;
            }
            let v = (p - a).perp_dot(c - a) / whole;
            let w = (b - a).perp_dot(p - a) / whole;
            if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
                return Vec3 { y: first.y + v * (pair[0].y - first.y) + w * (pair[1].y - first.y), ..place };
            }
        }
        // Else the nearest place on its edges.
        let edges = (0..self.corners.len()).map(|i| (self.corners[i], self.corners[(i + 1) % self.corners.len()]));
        let on_edge = edges.map(|(a, b)| {
            let along = flat(b) - flat(a);
            let x = ((p - flat(a)).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
            a.lerp(b, x)
        });
        let far = |q: &Vec3| flat(*q).distance_squared(p);
        on_edge.min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(first)
    }
}
