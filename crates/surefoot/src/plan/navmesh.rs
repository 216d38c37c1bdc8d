//! Any-angle shortest paths on a triangulation of the free space (Polyanya, Cui, Harabor & Grastien 2017).

use super::free_outline::FreeOutline;
use super::outcome::answer;
use super::{NoRouteReason, Path, PathOutcome};
use crate::world::{ConvexMesh, GrownMap, Region, merged};
use glam::{DVec2, Vec2};
use spade::handles::FixedDirectedEdgeHandle;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};
use std::collections::HashMap;

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
    /// The corners of grown pieces, by those of the mesh: paths turn there.
    corners: HashMap<[u64; 2], Vec2>,
}

impl NavMesh {
    /// The triangulation of a map.
    #[must_use]
    pub fn new(map: &GrownMap) -> Self {
        let outline = FreeOutline::of(map);
        Self { mesh: mesh(&outline), corners: outline.corners }
    }

    /// Takes in a change of the map. The whole floor is triangulated again, whatever the region: cutting a hole into
    /// constraints that cross each other costs more than it saves at some hundred obstacles.
    pub fn update(&mut self, map: &GrownMap, _region: Region) {
        *self = Self::new(map);
    }

    /// The shortest path on the map that this was made of; points are (x, z), metres.
    #[must_use]
    pub fn path(&self, map: &GrownMap, start: Vec2, goal: Vec2) -> PathOutcome {
        let at = |p: Vec2| Some((self.mesh.polygon_at(p.as_dvec2(), BESIDE)?, p.as_dvec2()));
        let route = || {
            let way = at(start).zip(at(goal)).and_then(|(start, goal)| self.mesh.way(start, goal));
            let turns = way.ok_or(NoRouteReason::Separated)?.turns;
            let through = |turns: &mut dyn Iterator<Item = Vec2>| -> Vec<Vec2> {
                [start].into_iter().chain(turns).chain([goal]).collect()
            };
            let exact = through(&mut turns.iter().map(|(_, at)| self.exact(*at)));
            // Where two pieces leave no more than their slack, the corner of one may be too deep in the other.
            if Path::on_floor(&exact).is_free(map) {
                return Ok(exact);
            }
            Ok(through(&mut turns.iter().map(|(_, at)| at.as_vec2())))
        };
        let nearest = || {
            let from = at(start);
            let together = |q| from.zip(at(q)).is_some_and(|(from, to)| self.mesh.hang_together(from.0, to.0));
            let reaches = |q: Vec2| map.segment_is_free(start, q) || together(q);
            map.nearest_free_where(goal, reaches).unwrap_or(start)
        };
        answer(map, start, goal, route, nearest)
    }

    /// The corner of a grown piece that a corner of the mesh stands for.
    fn exact(&self, at: DVec2) -> Vec2 {
        self.corners.get(&FreeOutline::key(at)).copied().unwrap_or(at.as_vec2())
    }

    /// Its polygons, each as corners (x, z), metres.
    pub fn polygons(&self) -> impl Iterator<Item = Vec<Vec2>> {
        self.mesh.polygons()
    }
}

/// The free space as convex polygons. The outline crosses itself nowhere and its corners are whole numbers of grains, for which the
/// triangulation is exact: nothing is left to rounding.
fn mesh(outline: &FreeOutline) -> ConvexMesh {
    let mut cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    let mut edges: Vec<FixedDirectedEdgeHandle> = Vec::new();
    for ring in &outline.rings {
        let handles: Vec<_> = ring.iter().filter_map(|at| cdt.insert(Point2::new(at.x, at.y)).ok()).collect();
        for i in 0..handles.len() {
            let (from, to) = (handles[i], handles[(i + 1) % handles.len()]);
            if from != to {
                edges.extend(cdt.try_add_constraint(from, to));
            }
        }
    }
    // Free space is to the left of every edge of the outline, and reaches as far as the next.
    let mut free = vec![false; cdt.all_faces().len()];
    let mut open = edges;
    while let Some(edge) = open.pop() {
        let Some(face) = cdt.directed_edge(edge).face().as_inner() else { continue };
        if !std::mem::replace(&mut free[face.index()], true) {
            let inner = face.adjacent_edges().into_iter().filter(|edge| !edge.is_constraint_edge());
            open.extend(inner.map(|edge| edge.rev().fix()));
        }
    }
    let triangles: Vec<Vec<u32>> = cdt
        .inner_faces()
        .filter(|face| free[face.index()])
        .map(|face| face.vertices().iter().map(|v| v.index() as u32).collect())
        .collect();
    let corners: Vec<DVec2> = cdt.vertices().map(|v| DVec2::new(v.position().x, v.position().y)).collect();
    let polygons = merged(&corners, &triangles);
    ConvexMesh::new(corners, &polygons)
}
