//! Columns: which triangles a vertical line may meet, by a grid over the floor.

use glam::{Vec2, Vec3};

/// Triangles by the cells of a grid that their boxes touch, the highest first.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    low: Vec2,
    high: Vec2,
    /// Cells per metre.
    scale: f32,
    /// Cells along x.
    wide: u32,
    /// For each cell, its first triangle; one more at the end.
    first: Vec<u32>,
    triangles: Vec<u32>,
    /// The least and greatest corner of each triangle, metres.
    boxes: Vec<[Vec3; 2]>,
}

/// Cells for each triangle, and some more for small meshes.
const CELLS: [usize; 2] = [4, 64];
/// The most places in cells for each triangle, and some more for small meshes: larger cells are taken until it is so.
const PLACES: [usize; 2] = [12, 1024];

impl Columns {
    /// Of triangles by their corners.
    pub(super) fn new(triangles: impl ExactSizeIterator<Item = [Vec3; 3]>) -> Self {
        let count = triangles.len();
        let boxes: Vec<[Vec3; 2]> = triangles.map(|[a, b, c]| [a.min(b).min(c), a.max(b).max(c)]).collect();
        let flat = |p: Vec3| Vec2::new(p.x, p.z);
        let low = boxes.iter().fold(Vec2::INFINITY, |low, own| low.min(flat(own[0])));
        let high = boxes.iter().fold(Vec2::NEG_INFINITY, |high, own| high.max(flat(own[1])));
        let extent = (high - low).max(Vec2::splat(1e-3));
        let most = PLACES[0] * count + PLACES[1];
        let mut scale = ((CELLS[0] * count + CELLS[1]) as f32 / (extent.x * extent.y)).sqrt();
        // Long and narrow meshes have no more cells than others.
        scale = scale.min((CELLS[0] * count + CELLS[1]) as f32 / extent.max_element());
        let mut columns = Self { low, high, scale, wide: 1, first: vec![0, 0], triangles: Vec::new(), boxes };
        if count == 0 || !extent.is_finite() || !scale.is_finite() {
            // Nothing to meet, or too large to be told apart: all in one cell.
            columns.scale = 0.0;
        }
        while columns.scale > 0.0 && (0..count).map(|i| columns.cells(i).area()).sum::<usize>() > most {
            columns.scale *= 0.7;
        }
        columns.wide = columns.cell(high).0 + 1;
        let cells = (columns.wide * (columns.cell(high).1 + 1)) as usize;
        let mut first = vec![0_u32; cells + 1];
        for i in 0..count {
            columns.cells(i).each(columns.wide, |cell| first[cell + 1] += 1);
        }
        for cell in 0..cells {
            first[cell + 1] += first[cell];
        }
        let mut order: Vec<u32> = (0..count as u32).collect();
        order
            .sort_by(|a, b| columns.boxes[*b as usize][1].y.total_cmp(&columns.boxes[*a as usize][1].y).then(a.cmp(b)));
        let mut next = first.clone();
        let mut placed = vec![0; first[cells] as usize];
        for triangle in order {
            columns.cells(triangle as usize).each(columns.wide, |cell| {
                placed[next[cell] as usize] = triangle;
                next[cell] += 1;
            });
        }
        (columns.first, columns.triangles) = (first, placed);
        columns
    }

    /// Triangles whose boxes a vertical line meets between two heights, metres, the highest first; `lowest` is asked before each
    /// how low they may still be.
    pub(super) fn each(&self, [x, z]: [f32; 2], top: f32, lowest: impl Fn() -> f32, mut meet: impl FnMut(usize)) {
        let at = Vec2::new(x, z);
        if !(at.cmpge(self.low).all() && at.cmple(self.high).all()) {
            return;
        }
        let (column, row) = self.cell(at);
        let cell = (row * self.wide + column) as usize;
        for triangle in &self.triangles[self.first[cell] as usize..self.first[cell + 1] as usize] {
            let [low, high] = self.boxes[*triangle as usize];
            if high.y < lowest() {
                break;
            }
            if low.y <= top && x >= low.x && x <= high.x && z >= low.z && z <= high.z {
                meet(*triangle as usize);
            }
        }
    }

    /// The cell of a place; it grows with x and z, so that what is within a box is in one of the box's cells.
    fn cell(&self, at: Vec2) -> (u32, u32) {
        let cell = (at - self.low) * self.scale;
        (cell.x as u32, cell.y as u32)
    }

    fn cells(&self, triangle: usize) -> Cells {
        let [low, high] = self.boxes[triangle];
        Cells { low: self.cell(Vec2::new(low.x, low.z)), high: self.cell(Vec2::new(high.x, high.z)) }
    }
}

/// A block of cells, its ends among them.
struct Cells {
    low: (u32, u32),
    high: (u32, u32),
}

impl Cells {
    fn area(&self) -> usize {
        (self.high.0 - self.low.0 + 1) as usize * (self.high.1 - self.low.1 + 1) as usize
    }

    fn each(&self, wide: u32, mut with: impl FnMut(usize)) {
        for row in self.low.1..=self.high.1 {
            for column in self.low.0..=self.high.0 {
                with((row * wide + column) as usize);
            }
        }
    }
}
