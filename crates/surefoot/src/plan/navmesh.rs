//! Any-angle shortest paths on a triangulation of the free space (Polyanya, Cui, Harabor & Grastien 2017).

use super::free_outline::free_outline;
use super::outcome::answer;
use super::{NoRouteReason, PathOutcome};
use crate::world::{ConvexMesh, GrownMap, Region, merged};
use glam::{DVec2, Vec2};
use spade::handles::FixedDirectedEdgeHandle;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// How far beside the mesh a free place may be, metres: those that touch an obstacle, by rounding.
const BESIDE: f64 = 1e-3;

/// The free space of a map as convex polygons that share edges. Its paths are shortest, to 0.1 %.
///
/// ```
/// use surefoot::glam::Vec2;
/// use surefoot::stages::{Labyrinth, NavMesh};
/// use surefoot::world::GrownMap;
///
/// let map = GrownMap::new(Labyrinth::default().build(), 0.3)?;
/// let path = NavMesh::new(&map).path(&map, Vec2::new(1.0, 1.0), Vec2::new(39.0, 39.0)).into_path().unwrap();
/// assert!(path.is_free(&map));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NavMesh {
    mesh: ConvexMesh,
    /// Per corner of the mesh, that of a grown piece: paths turn there.
    turns: Vec<Vec2>,
}

impl NavMesh {
    /// The triangulation of a map.
    #[must_use]
    pub fn new(map: &GrownMap) -> Self {
        let mut cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
        let mut turns: Vec<Vec2> = Vec::new();
        let mut edges: Vec<FixedDirectedEdgeHandle> = Vec::new();
        for ring in free_outline(map) {
            let mut corners = Vec::with_capacity(ring.len());
            for corner in ring {
                let Ok(handle) = cdt.insert(Point2::new(corner.at.x, corner.at.y)) else { continue };
                if handle.index() == turns.len() {
                    turns.push(corner.turn);
                }
                corners.push(handle);
            }
            for i in 0..corners.len() {
                let (from, to) = (corners[i], corners[(i + 1) % corners.len()]);
                if from != to {
                    edges.extend(cdt.try_add_constraint(from, to));
                }
            }
        }
        Self { mesh: mesh(&cdt, edges), turns }
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
            let turns = turns.iter().map(|turn| turn.corner.map_or(turn.at.as_vec2(), |c| self.turns[c as usize]));
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

    /// Two free places (x, z) far apart that a path joins, metres: ends for who has none. `None` if nothing is free.
    #[must_use]
    pub fn far_apart(&self) -> Option<[Vec2; 2]> {
        Some(self.mesh.far_apart()?.map(|polygon| self.mesh.middle(polygon).as_vec2()))
    }

    /// Its polygons, each as corners (x, z), metres.
    pub fn polygons(&self) -> impl Iterator<Item = Vec<Vec2>> {
        self.mesh.polygons()
    }
}

/// The free space of a triangulated outline as convex polygons. The outline crosses itself nowhere and its corners are whole numbers of
/// grains, for which the triangulation is exact: nothing is left to rounding.
fn mesh(cdt: &ConstrainedDelaunayTriangulation<Point2<f64>>, outline: Vec<FixedDirectedEdgeHandle>) -> ConvexMesh {
    // Free space is to the left of every edge of the outline, and reaches as far as the next.
    let mut free = vec![false; cdt.all_faces().len()];
    let mut open = outline;
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
