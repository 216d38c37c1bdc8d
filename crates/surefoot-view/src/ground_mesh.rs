//! Ground along a way as a mesh to draw: the cells of a grid, with upright faces where it jumps.

use std::collections::HashMap;
use surefoot::glam::{Vec2, Vec3};
use surefoot::math::floor;
use surefoot::world::Ground;

/// A piece of ground to draw; metres, world space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroundMesh {
    /// Corners of its faces.
    pub points: Vec<Vec3>,
    /// Faces with four corners, which need not be in one plane; ground that can be stood on is seen counterclockwise from above.
    pub quads: Vec<[u32; 4]>,
}

/// Samples ground along a way.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawGround {
    /// How large cells are, metres; larger where there would be too many.
    pub cell: f32,
    /// How far from the way ground is drawn, metres.
    pub reach: f32,
    /// How far its border goes down, metres; 0 leaves it open.
    pub rim: f32,
    /// Along x and along z, one line at which the ground may jump or bend and the distance to the next, metres: cells end there.
    pub seams: [Option<[f32; 2]>; 2],
}

/// Cells there are at most.
const MOST: usize = 40_000;
/// Places that are looked at for cells at most.
const ROOM: usize = 4_000_000;
/// Corners are asked for so far inside a cell, as a share of the way to its middle.
const INSIDE: f32 = 0.01;
/// Heights that differ by less than this share of a cell are one.
const SAME: f32 = 0.02;
/// A cell with a corner so far from the plane at its middle has an edge in it; as a share of a cell.
const EDGE: f32 = 0.5;

impl DrawGround {
    /// The ground near the points of a way (metres, world space, near the ground), at time 0.
    #[must_use]
    pub fn run(&self, ground: &dyn Ground, way: &[Vec3]) -> GroundMesh {
        let mut cell = self.cell;
        loop {
            match Grid::new(self, cell, way) {
                Some(grid) => return grid.mesh(ground, cell, self),
                None => cell *= 1.3,
            }
        }
    }

    /// Lines across an axis between two coordinates.
    fn lines(&self, axis: usize, cell: f32, [low, high]: [f32; 2]) -> Vec<f32> {
        let [first, step] = self.seams[axis].filter(|[_, step]| 4.0 * step >= cell).unwrap_or([0.0, cell]);
        let parts = (step / cell).ceil().max(1.0);
        let at = |i: i64| first + step / parts * i as f32;
        let index = |x: f32| f64::from(x - first) / f64::from(step / parts);
        (index(low).floor() as i64..=index(high).ceil() as i64).map(at).collect()
    }
}

/// Cells near a way.
struct Grid {
    x: Vec<f32>,
    z: Vec<f32>,
    /// By cell, x first: the height of the nearest point of the way, for cells near it.
    near: Vec<Option<f32>>,
}

impl Grid {
    /// `None` if it would have too many cells.
    fn new(settings: &DrawGround, cell: f32, way: &[Vec3]) -> Option<Self> {
        let reach = settings.reach;
        let (low, high) = way.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
        let size = (high - low + 2.0 * reach).max(Vec3::ZERO) / cell;
        if way.is_empty() || !size.is_finite() {
            return Some(Self { x: Vec::new(), z: Vec::new(), near: Vec::new() });
        }
        if size.x * size.z > ROOM as f32 {
            return None;
        }
        let x = settings.lines(0, cell, [low.x - reach, high.x + reach]);
        let z = settings.lines(1, cell, [low.z - reach, high.z + reach]);
        let mut nearest = vec![(reach, None); (x.len() - 1) * (z.len() - 1)];
        let mut last = Vec3::INFINITY;
        for p in way.iter().filter(|p| p.is_finite()) {
            if p.distance(last) < 0.5 * cell {
                continue;
            }
            last = *p;
            let range = |lines: &[f32], at: f32| {
                let from = lines.partition_point(|line| *line < at - reach).saturating_sub(1);
                from..lines.partition_point(|line| *line < at + reach).min(lines.len() - 1)
            };
            for i in range(&x, p.x) {
                for j in range(&z, p.z) {
                    let best = &mut nearest[i * (z.len() - 1) + j];
                    let distance = middle(&x, &z, [i, j]).distance(floor::of_point((*p).into()));
                    if distance < best.0 {
                        *best = (distance, Some(p.y));
                    }
                }
            }
        }
        let near: Vec<Option<f32>> = nearest.into_iter().map(|(_, y)| y).collect();
        (near.iter().flatten().count() <= MOST).then_some(Self { x, z, near })
    }

    fn mesh(&self, ground: &dyn Ground, cell: f32, settings: &DrawGround) -> GroundMesh {
        let (reach, rim) = (settings.reach, settings.rim);
        let mut mesh = GroundMesh::default();
        let columns = self.z.len().saturating_sub(1);
        let mut known: HashMap<[usize; 2], Vec<u32>> = HashMap::new();
        let cells: Vec<Option<[u32; 4]>> = (0..self.near.len())
            .map(|k| {
                let (i, j) = (k / columns, k % columns);
                let heights = self.heights([i, j], self.near[k]?, ground, [cell, reach])?;
                let mut quad = [0; 4];
                for ((corner, height), place) in quad.iter_mut().zip(heights).zip(CORNERS) {
                    let [a, b] = [i + place[0], j + place[1]];
                    let here = known.entry([a, b]).or_default();
                    let same = |point: &&u32| (mesh.points[**point as usize].y - height).abs() < SAME * cell;
                    *corner = here.iter().find(same).copied().unwrap_or_else(|| {
                        here.push(mesh.points.len() as u32);
                        mesh.points.push(Vec3::new(self.x[a], height, self.z[b]));
                        here[here.len() - 1]
                    });
                }
                mesh.quads.push(quad);
                Some(quad)
            })
            .collect();
        let at = |i: usize, j: usize| cells.get(i * columns + j).copied().flatten().filter(|_| j < columns);
        for k in 0..cells.len() {
            let (i, j) = (k / columns, k % columns);
            let here = at(i, j);
            mesh.between(here.map(|q| [q[3], q[2]]), at(i + 1, j).map(|q| [q[0], q[1]]), rim);
            mesh.between(here.map(|q| [q[2], q[1]]), at(i, j + 1).map(|q| [q[3], q[0]]), rim);
            if i == 0 {
                mesh.between(here.map(|q| [q[0], q[1]]), None, rim);
            }
            if j == 0 {
                mesh.between(here.map(|q| [q[3], q[0]]), None, rim);
            }
        }
        mesh
    }

    /// Heights of a cell's corners, metres; `None` without ground at its middle.
    fn heights(&self, at: [usize; 2], near: f32, ground: &dyn Ground, [cell, reach]: [f32; 2]) -> Option<[f32; 4]> {
        let middle = middle(&self.x, &self.z, at);
        // As high above the way as steep ground rises within reach.
        let look = |p: Vec2| ground.below(Vec3::new(p.x, near + 1.2 * reach, p.y), 2.4 * reach, 0.0);
        let hit = look(middle)?;
        let slope = if hit.normal.y > 0.1 { Vec2::new(hit.normal.x, hit.normal.z) / -hit.normal.y } else { Vec2::ZERO };
        let corners = CORNERS.map(|[a, b]| Vec2::new(self.x[at[0] + a], self.z[at[1] + b]));
        let plane = corners.map(|corner| hit.point.y + slope.dot(corner - middle));
        let mut heights = plane;
        for (height, corner) in heights.iter_mut().zip(corners) {
            if let Some(inside) = look(corner.lerp(middle, INSIDE)) {
                *height = hit.point.y + (inside.point.y - hit.point.y) / (1.0 - INSIDE);
            }
        }
        let whole = heights.iter().zip(plane).all(|(height, plane)| (height - plane).abs() < EDGE * cell);
        Some(if whole { heights } else { plane })
    }
}

/// Corners of a cell, counterclockwise from above: which of its lines along x and along z.
const CORNERS: [[usize; 2]; 4] = [[0, 0], [0, 1], [1, 1], [1, 0]];

/// The middle of a cell, (x, z).
fn middle(x: &[f32], z: &[f32], [i, j]: [usize; 2]) -> Vec2 {
    0.5 * Vec2::new(x[i] + x[i + 1], z[j] + z[j + 1])
}

impl GroundMesh {
    /// Its faces as triangles.
    #[must_use]
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        self.quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect()
    }

    /// The upright face between two neighbours' sides if they are apart; below the side of one alone, a rim.
    fn between(&mut self, one: Option<[u32; 2]>, other: Option<[u32; 2]>, rim: f32) {
        match (one, other) {
            (Some(a), Some(b)) if a != b => self.quads.push([a[0], a[1], b[1], b[0]]),
            (Some(side), None) | (None, Some(side)) if rim > 0.0 => {
                let below = side.map(|point| {
                    self.points.push(self.points[point as usize] - rim * Vec3::Y);
                    self.points.len() as u32 - 1
                });
                self.quads.push([side[0], side[1], below[1], below[0]]);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::world::Terrain;

    const WAY: [Vec3; 3] = [Vec3::ZERO, Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.0, 0.4, 2.0)];

    #[test]
    fn stairs_are_level_and_upright() {
        let stairs = Terrain::Stairs { rise: 0.15, tread: 0.32 };
        let mesh = DrawGround { cell: 0.25, reach: 1.0, rim: 0.08, seams: stairs.seams() }.run(&stairs, &WAY);
        let mut faces = [0, 0];
        for quad in &mesh.quads {
            let corners = quad.map(|i| mesh.points[i as usize]);
            let size = |of: fn(&Vec3) -> f32| {
                let all = corners.iter().map(of);
                all.clone().fold(f32::NEG_INFINITY, f32::max) - all.fold(f32::INFINITY, f32::min)
            };
            let [x, y, z] = [size(|p| p.x), size(|p| p.y), size(|p| p.z)];
            assert!(y < 1e-5 || x < 1e-5 || z < 1e-5, "a ramp: {corners:?}");
            faces[usize::from(y > 1e-5)] += 1;
        }
        assert!(faces[0] > 50 && faces[1] > 20, "{faces:?}");
        let first_rise = mesh.points.iter().filter(|p| (p.z - 1.0).abs() < 1e-5);
        assert!(first_rise.clone().any(|p| p.y == 0.0) && first_rise.clone().any(|p| p.y == 0.15), "both ends");
    }

    #[test]
    fn slopes_have_no_cracks() {
        let slope = Terrain::Slope { angle: 0.5 };
        let mesh = DrawGround { cell: 0.2, reach: 0.8, rim: 0.06, seams: slope.seams() }.run(&slope, &WAY);
        let down = |quad: &&[u32; 4]| mesh.points[quad[0] as usize].x == mesh.points[quad[2] as usize].x;
        let lowest = mesh.points.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
        assert!((lowest + 0.06).abs() < 1e-5, "{lowest}");
        // Upright faces are those of the rim alone, whose lower corners belong to nothing else.
        for quad in mesh.quads.iter().filter(down) {
            assert!(mesh.quads.iter().filter(|other| other.contains(&quad[3])).count() == 1, "{quad:?}");
        }
    }

    #[test]
    fn without_a_rim_it_is_the_ground_alone() {
        let stairs = Terrain::Stairs { rise: 0.15, tread: 0.32 };
        let mesh = DrawGround { cell: 0.05, reach: 1.0, rim: 0.0, seams: stairs.seams() }.run(&stairs, &WAY);
        assert!(mesh.points.iter().all(|p| p.y >= 0.0), "nothing is below the lowest tread");
        let triangles = mesh.triangles();
        assert_eq!(triangles.len(), 2 * mesh.quads.len());
        // Triangles that can be stood on are at the height of the ground at their middle.
        let mut level = 0;
        for corners in triangles.iter().map(|t| t.map(|i| mesh.points[i as usize])) {
            if (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize().y > 0.5 {
                let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
                let hit = stairs.below(middle + Vec3::Y, 3.0, 0.0).unwrap();
                assert!((hit.point.y - middle.y).abs() < 1e-5, "{corners:?}: {hit:?}");
                level += 1;
            }
        }
        assert!(level > 1000, "{level}");
    }

    #[test]
    fn long_ways_get_large_cells_and_no_ground_no_mesh() {
        let far: Vec<Vec3> = (0..2000).map(|i| Vec3::new(0.1 * i as f32, 0.0, 0.1 * i as f32)).collect();
        let settings = DrawGround { cell: 0.02, reach: 2.0, rim: 0.1, seams: [Some([0.0, 0.01]); 2] };
        let mesh = settings.run(&Terrain::Flat, &far);
        assert!((10_000..2 * MOST).contains(&mesh.quads.len()), "{}", mesh.quads.len());
        assert_eq!(settings.run(&|_: f32, _: f32| f32::NAN, &WAY), GroundMesh::default());
        assert_eq!(settings.run(&Terrain::Flat, &[]), GroundMesh::default());
    }
}
