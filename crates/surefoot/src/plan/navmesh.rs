//! Any-angle shortest paths on a triangulation of the free space (Polyanya, Cui, Harabor & Grastien 2017).

use super::outcome::answer;
use super::{NoRouteReason, PathOutcome};
use crate::world::{GrownMap, Region};
use glam::{DVec2, Vec2};
use polyanya::{Layer, Mesh, Polygon, Vertex};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};
use std::collections::HashMap;

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
    /// Merged into few polygons, which is quick to search, and as triangles: where corners lie in line, a search of the first
    /// may end at a polygon that is not quite convex. `None` if nothing is free.
    meshes: Option<[Mesh; 2]>,
}

impl NavMesh {
    /// The triangulation of a map.
    #[must_use]
    pub fn new(map: &GrownMap) -> Self {
        Self { meshes: meshes(map) }
    }

    /// Takes in a change of the map. The whole floor is triangulated again, whatever the region: cutting a hole into
    /// constraints that cross each other costs more than it saves at some hundred obstacles.
    pub fn repair(&mut self, map: &GrownMap, _region: Region) {
        self.meshes = meshes(map);
    }

    /// The shortest path on the map that this was made of; points are (x, z), metres.
    #[must_use]
    pub fn path(&self, map: &GrownMap, start: Vec2, goal: Vec2) -> PathOutcome {
        let find = |goal: Vec2| self.meshes.iter().flatten().find_map(|mesh| mesh.path(start, goal));
        let route = || match find(goal) {
            Some(found) => Ok(mended(map, [start].into_iter().chain(found.path).collect())),
            None => Err(NoRouteReason::Separated),
        };
        let nearest = || {
            let reaches = |q: Vec2| map.segment_is_free(start, q) || find(q).is_some();
            map.nearest_free_where(goal, reaches).unwrap_or(start)
        };
        answer(map, start, goal, route, nearest)
    }

    /// Its polygons, each as corners (x, z), metres.
    pub fn polygons(&self) -> impl Iterator<Item = Vec<Vec2>> {
        self.meshes.iter().flat_map(|[merged, _]| &merged.layers).flat_map(|layer| {
            let corners = |polygon: &Polygon| {
                polygon.vertices.iter().map(|vertex| layer.vertices[*vertex as usize].coords).collect::<Vec<_>>()
            };
            layer.polygons.iter().map(corners)
        })
    }
}

/// The path with corners put back that the search passed by on the wrong side: it takes a tenth of a millimetre for nothing.
fn mended(map: &GrownMap, mut points: Vec<Vec2>) -> Vec<Vec2> {
    let mut i = 0;
    let mut left = points.len() + 8;
    while i + 1 < points.len() {
        let (a, b) = (points[i], points[i + 1]);
        let along = (b - a) / (b - a).length_squared().max(f32::MIN_POSITIVE);
        let beside = |corner: &Vec2| (*corner - a).perp_dot(b - a).abs() * along.length();
        let corner = map.in_the_way(a, b).filter(|_| left > 0).and_then(|piece| {
            let between =
                piece.corners().iter().filter(|corner| (1e-4..1.0 - 1e-4).contains(&(**corner - a).dot(along)));
            between.min_by(|one, other| beside(one).total_cmp(&beside(other))).filter(|corner| beside(corner) < 1e-2)
        });
        match corner {
            Some(corner) => {
                points.insert(i + 1, *corner);
                left -= 1;
            }
            None => i += 1,
        }
    }
    points
}

/// What corners are rounded to for the triangulation, metres. Walls that stand in line, as on a grid, have edges that differ in
/// their last bits; the slivers between them would close gaps, and crossings at nearly no angle cannot be told apart.
const GRAIN: f64 = 1.0 / 8192.0;

fn rounded(corner: Vec2) -> Point2<f64> {
    let [x, y] = [corner.x, corner.y].map(|v| (f64::from(v) / GRAIN).round() * GRAIN);
    Point2::new(x, y)
}

/// The mesh of a map with its triangles merged where they can be, and as it was before.
fn meshes(map: &GrownMap) -> Option<[Mesh; 2]> {
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
    // Triangles of free space; polyanya's numbers of them.
    let free = free_faces(&cdt, map);
    let mut number = vec![u32::MAX; cdt.all_faces().len()];
    let mut polygons = Vec::new();
    for face in cdt.inner_faces().filter(|face| free[face.index()]) {
        number[face.index()] = polygons.len() as u32;
        polygons.push(Polygon::new(face.vertices().iter().map(|v| v.index() as u32).collect(), false));
    }
    let vertices = cdt.vertices().map(|vertex| {
        let mut around: Vec<u32> = vertex.out_edges().map(|edge| number[edge.face().index()]).collect();
        // The list starts with a polygon, and gaps count once.
        let first = around.iter().position(|polygon| *polygon != u32::MAX).unwrap_or(0);
        around.rotate_left(first);
        around.dedup();
        let at = vertex.position();
        let at = exact.get(&vertex.index()).copied().unwrap_or(DVec2::new(at.x, at.y).as_vec2());
        Vertex::new(at, around)
    });
    let plain = Mesh { layers: vec![Layer::new(vertices.collect(), polygons).ok()?], ..Mesh::default() };
    let mut merged = plain.clone();
    while merged.merge_polygons() {}
    Some([merged, plain].map(finished))
}

/// A mesh that is ready to be searched.
fn finished(mut mesh: Mesh) -> Mesh {
    // Dead ends need not be entered unless the goal is there.
    mesh.update_is_one_way();
    mesh.bake();
    // Ends that touch an obstacle may lie beside the mesh by rounding.
    mesh.set_search_delta(1e-3);
    mesh
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
