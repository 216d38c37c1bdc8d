//! Points of a plane by cells, to ask which lie in a box.

use surefoot::glam::{DVec2, UVec2};

/// Points in square cells, about one a cell.
pub(super) struct Grid {
    low: DVec2,
    /// Cells per unit of length, along each axis.
    scale: DVec2,
    side: u32,
    /// Where each cell's points start in `points`; one more at the end.
    starts: Vec<u32>,
    points: Vec<usize>,
}

impl Grid {
    /// From all points of a ring; those named by `members` are put into cells.
    pub(super) fn new(ring: &[DVec2], members: &[usize]) -> Self {
        let fold = |f: fn(DVec2, DVec2) -> DVec2| ring.iter().copied().reduce(f).unwrap_or_default();
        let (low, high) = (fold(DVec2::min), fold(DVec2::max));
        let side = (members.len() as f64).sqrt().ceil().clamp(1.0, 1024.0);
        let scale = side / (high - low).max(DVec2::splat(f64::MIN_POSITIVE));
        let mut grid = Self { low, scale, side: side as u32, starts: Vec::new(), points: vec![0; members.len()] };

        // Counted, summed up, filled from behind.
        grid.starts = vec![0; (grid.side * grid.side + 1) as usize];
        for member in members {
            let cell = grid.index(grid.cell(ring[*member]));
            grid.starts[cell] += 1;
        }
        let mut sum = 0;
        for start in &mut grid.starts {
            sum += *start;
            *start = sum;
        }
        for member in members {
            let cell = grid.index(grid.cell(ring[*member]));
            grid.starts[cell] -= 1;
            grid.points[grid.starts[cell] as usize] = *member;
        }
        grid
    }

    /// The points in the cells that a box touches, a slice for each row of cells.
    pub(super) fn near(&self, low: DVec2, high: DVec2) -> impl Iterator<Item = &[usize]> {
        let (first, last) = (self.cell(low), self.cell(high));
        (first.y..=last.y).map(move |y| {
            let row = self.index(UVec2::new(first.x, y))..=self.index(UVec2::new(last.x, y));
            &self.points[self.starts[*row.start()] as usize..self.starts[row.end() + 1] as usize]
        })
    }

    fn cell(&self, point: DVec2) -> UVec2 {
        // Casts of what is below 0 or not a number give 0.
        ((point - self.low) * self.scale).as_uvec2().min(UVec2::splat(self.side - 1))
    }

    fn index(&self, cell: UVec2) -> usize {
        (cell.y * self.side + cell.x) as usize
    }
}
