//! Any-angle shortest paths on a triangulation of the free space (Polyanya, Cui, Harabor & Grastien 2017).

use super::outcome::answer;
use super::{NoRouteReason, PathOutcome};
use crate::world::{ConvexMesh, GrownMap, Region, merged};
use glam::{DVec2, Vec2};
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
}

impl NavMesh {
    /// The triangulation of a map.
    #[must_use]
    pub fn new(map: &GrownMap) -> Self {
        Self { mesh: mesh(map) }
    }

    /// Takes in a change of the map. The whole floor is triangulated again, whatever the region: cutting a hole into
    /// constraints that cross each other costs more than it saves at some hundred obstacles.
    pub fn update(&mut self, map: &GrownMap, _region: Region) {
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

/// What corners are rounded to for the triangulation, metres. Walls that stand in line, as on a grid, have edges that differ in
/// their last bits; the slivers between them would close gaps, and crossings at nearly no angle cannot be told apart.
const GRAIN: f64 = 1.0 / 8192.0;

fn rounded(corner: Vec2) -> Point2<f64> {
    let [x, y] = [corner.x, corner.y].map(|v| (f64::from(v) / GRAIN).round() * GRAIN);
    Point2::new(x, y)
}

fn mesh(map: &GrownMap) -> ConvexMesh {
    // In f64, so that edges that cross do so on both lines.
    let mut cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    // Corners as they were before they were rounded: paths go round those.
    let mut exact: HashMap<usize, Vec2> = HashMap::new();
    for piece in map.pieces() {
        let mut handles = Vec::with_capacity(piece.corners().len());
        for corner in piece.corners() {
            let Ok(handle) = cdt.insert(rounded(*corner)) else { continue };
            exact.entry(handle.index()).or_insert(*corner);
            handles.push(handle);
        }
        for i in 0..handles.len() {
            let (from, to) = (handles[i], handles[(i + 1) % handles.len()]);
            if from != to {
                cdt.add_constraint_and_split(from, to, |point| point);
            }
        }
    }
    let free = free_faces(&cdt, map);
    let triangles: Vec<Vec<u32>> = cdt
        .inner_faces()
        .filter(|face| free[face.index()])
        .map(|face| face.vertices().iter().map(|v| v.index() as u32).collect())
        .collect();
    let corners: Vec<DVec2> = cdt
        .vertices()
        .map(|v| exact.get(&v.index()).map_or(DVec2::new(v.position().x, v.position().y), |corner| corner.as_dvec2()))
        .collect();
    let polygons = merged(&corners, &triangles);
    ConvexMesh::new(corners, &polygons)
}

/// Which triangles are of free space, by their middles. Slivers, whose middles rounding may put on either side, are free where
/// they lie between free triangles.
fn free_faces(cdt: &ConstrainedDelaunayTriangulation<Point2<f64>>, map: &GrownMap) -> Vec<bool> {
    let mut free = vec![false; cdt.all_faces().len()];
    let mut slivers = vec![false; free.len()];
    for face in cdt.inner_faces() {
        let middle = face.center();
        free[face.index()] = map.is_outside(DVec2::new(middle.x, middle.y).as_vec2());
        let longest = face.adjacent_edges().iter().map(|edge| edge.length_2()).fold(0.0, f64::max).sqrt();
        slivers[face.index()] = !free[face.index()] && 2.0 * face.area() < GRAIN * longest;
    }
    // A sliver is passed through across its long sides, never along them.
    for face in cdt.inner_faces() {
        if !slivers[face.index()] {
            continue;
        }
        let (mut heap, mut rim, mut bordering) = (vec![face], vec![face], Vec::new());
        slivers[face.index()] = false;
        while let Some(sliver) = rim.pop() {
            let long = sliver.adjacent_edges().into_iter().filter(|edge| edge.length_2() > 4.0 * GRAIN * GRAIN);
            for beyond in long.filter_map(|edge| edge.rev().face().as_inner()) {
                if std::mem::take(&mut slivers[beyond.index()]) {
                    heap.push(beyond);
                    rim.push(beyond);
                } else if free[beyond.index()] && !bordering.contains(&beyond.index()) {
                    bordering.push(beyond.index());
                }
            }
        }
        if bordering.len() > 1 {
            heap.iter().for_each(|sliver| free[sliver.index()] = true);
        }
    }
    free
}
