//! Any-angle shortest paths on a triangulation of the free space (Polyanya, Cui, Harabor & Grastien 2017).

use super::outcome::answer;
use super::{NoRouteReason, PathOutcome};
use crate::world::{ConvexMesh, GrownMap, Region, merged};
use glam::{DVec2, Vec2};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// How far beside the mesh a free place may be, metres: those that touch an obstacle, by rounding.
const BESIDE: f64 = 1e-3;

/// The free space of a map as convex polygons that share edges. Its paths are shortest, to 0.1 %.
///
/// ```
/// use surefoot::glam::Vec2;
/// use surefoot::plan::NavMesh;
/// use surefoot::world::{GrownMap, Labyrinth};
///
/// let map = GrownMap::new(Labyrinth::default().build(), 0.3)?;
/// let path = NavMesh::new(&map).path(&map, Vec2::new(1.0, 1.0), Vec2::new(39.0, 39.0)).into_path().unwrap();
/// assert!(path.is_free(&map));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NavMesh {
    mesh: ConvexMesh,
}

impl NavMesh {
    /// The triangulation of a map.
    #[must_use]
    pub fn new(map: &GrownMap) -> Self {
        Self { mesh: mesh(map) }
    }

    /// Takes in a change of the map. The whole floor is triangulated again, whatever the region: cutting a hole into
    /// constraints that cross each other costs more than it saves at some hundred obstacles.
    pub fn repair(&mut self, map: &GrownMap, _region: Region) {
        self.mesh = mesh(map);
    }

    /// The shortest path on the map that this was made of; points are (x, z), metres.
    #[must_use]
    pub fn path(&self, map: &GrownMap, start: Vec2, goal: Vec2) -> PathOutcome {
        let at = |p: Vec2| Some((self.mesh.polygon_at(p.as_dvec2(), BESIDE)?, p.as_dvec2()));
        let route = || {
            let way = at(start).zip(at(goal)).and_then(|(start, goal)| self.mesh.way(start, goal));
            let turns = way.ok_or(NoRouteReason::Separated)?.turns;
            let turns = turns.iter().map(|(_, at)| at.as_vec2());
            Ok([start].into_iter().chain(turns).chain([goal]).collect())
        };
        let nearest = || {
            let from = at(start);
            let together = |q| from.zip(at(q)).is_some_and(|(from, to)| self.mesh.hang_together(from.0, to.0));
            let reaches = |q: Vec2| map.segment_is_free(start, q) || together(q);
            map.nearest_free_where(goal, reaches).unwrap_or(start)
        };
        answer(map, start, goal, route, nearest)
    }

    /// Its polygons, each as corners (x, z), metres.
    pub fn polygons(&self) -> impl Iterator<Item = Vec<Vec2>> {
        self.mesh.polygons()
    }
}

fn mesh(map: &GrownMap) -> ConvexMesh {
    // In f64, so that edges that cross do so on both lines.
    let mut cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    for piece in map.pieces() {
        let handles: Vec<_> = (piece.corners().iter())
            .filter_map(|corner| cdt.insert(Point2::new(f64::from(corner.x), f64::from(corner.y))).ok())
            .collect();
        for i in 0..handles.len() {
            let (from, to) = (handles[i], handles[(i + 1) % handles.len()]);
            if from != to {
                cdt.add_constraint_and_split(from, to, |point| point);
            }
        }
    }
    // Triangles of free space, by their middles.
    let free = cdt.inner_faces().filter(|face| {
        let middle = face.center();
        map.is_outside(DVec2::new(middle.x, middle.y).as_vec2())
    });
    let triangles: Vec<Vec<u32>> =
        free.map(|face| face.vertices().iter().map(|v| v.index() as u32).collect()).collect();
    let corners: Vec<DVec2> = cdt.vertices().map(|v| DVec2::new(v.position().x, v.position().y)).collect();
    let polygons = merged(&corners, &triangles);
    ConvexMesh::new(corners, &polygons)
}
