//! A uniform grid of buckets: which things may be near a box or a segment of the floor.

use glam::{UVec2, Vec2};

/// Numbers of things by the cells their boxes touch. What lies beyond the grid belongs to the cells at its rim.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Buckets {
    origin: Vec2,
    /// Cells per metre.
    scale: Vec2,
    /// Cells along x and z.
    size: UVec2,
    cells: Vec<Vec<u32>>,
}

impl Buckets {
    /// An empty grid over a box, with about `count` cells.
    pub(super) fn new([low, high]: [Vec2; 2], count: usize) -> Self {
        let extent = (high - low).max(Vec2::splat(1e-3));
        let side = (extent.x * extent.y / count.max(1) as f32).sqrt();
        let size = (extent / side).ceil().clamp(Vec2::ONE, Vec2::splat(1024.0)).as_uvec2();
        let cells = vec![Vec::new(); (size.x * size.y) as usize];
        Self { origin: low, scale: size.as_vec2() / extent, size, cells }
    }

    fn cell(&self, p: Vec2) -> UVec2 {
        // The cast takes what is below 0 to 0.
        ((p - self.origin) * self.scale).as_uvec2().min(self.size - UVec2::ONE)
    }

    fn index(&self, x: u32, z: u32) -> usize {
        (z * self.size.x + x) as usize
    }

    /// Puts a thing into all cells that its box touches.
    pub(super) fn insert(&mut self, thing: u32, [low, high]: [Vec2; 2]) {
        self.each(low, high, |list| list.push(thing));
    }

    /// Takes a thing out of the cells that its box touches.
    pub(super) fn remove(&mut self, thing: u32, [low, high]: [Vec2; 2]) {
        self.each(low, high, |list| list.retain(|other| *other != thing));
    }

    fn each(&mut self, low: Vec2, high: Vec2, mut change: impl FnMut(&mut Vec<u32>)) {
        let (low, high) = (self.cell(low), self.cell(high));
        for z in low.y..=high.y {
            for x in low.x..=high.x {
                let index = self.index(x, z);
                change(&mut self.cells[index]);
            }
        }
    }

    /// Whether `test` holds for something within `reach` metres of the segment a–b; things may be asked about twice.
    pub(super) fn any_along(&self, a: Vec2, b: Vec2, reach: f32, mut test: impl FnMut(u32) -> bool) -> bool {
        // Row by row: the part of the segment in each, widened by the reach.
        let (low, high) = (a.min(b) - reach, a.max(b) + reach);
        let (first, last) = (self.cell(low), self.cell(high));
        let (start, end) = if a.y <= b.y { (a, b) } else { (b, a) };
        let slope = (end.x - start.x) / (end.y - start.y).max(1e-6);
        // Rounding of a row's height moves far along a segment that is almost level: 0.1 mm is added to it.
        for z in first.y..=last.y {
            let (mut left, mut right) = (first.x, last.x);
            // A level segment has no part of its own in each row.
            if last.y > first.y && end.y - start.y > 1e-6 {
                let row = |z: u32| self.origin.y + z as f32 / self.scale.y;
                // The rows at the rim hold everything beyond, too.
                let bottom = if z == 0 { start.y } else { (row(z) - reach - 1e-4).clamp(start.y, end.y) };
                let top = if z + 1 == self.size.y { end.y } else { (row(z + 1) + reach + 1e-4).clamp(start.y, end.y) };
                let x = [start.x + (bottom - start.y) * slope, start.x + (top - start.y) * slope];
                let cell = |x: f32| self.cell(Vec2::new(x, 0.0)).x;
                left = left.max(cell(x[0].min(x[1]).max(low.x + reach) - reach - 1e-4));
                right = right.min(cell(x[0].max(x[1]).min(high.x - reach) + reach + 1e-4));
            }
            for x in left..=right {
                if self.cells[self.index(x, z)].iter().any(|thing| test(*thing)) {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_a_segment_comes_near_is_asked_about(
            a in (-2.0_f32..12.0, -2.0_f32..12.0), b in (-2.0_f32..12.0, -2.0_f32..12.0), steep in 0_i32..9,
            p in (-1.0_f32..11.0, -1.0_f32..11.0), reach in 0.01_f32..1.0,
        ) {
            let (a, mut b, p) = (Vec2::from(a), Vec2::from(b), Vec2::from(p));
            // Level and almost level ones, too: a level segment across many rows was once looked up at its start only.
            b.y = a.y + (b.y - a.y) * [1.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 0.0][steep as usize];
            let mut grid = Buckets::new([Vec2::ZERO, Vec2::new(10.0, 7.0)], 64);
            grid.insert(7, [p, p]);
            let near = super::super::polygon::nearest_on_segment(a, b, p).distance(p) < reach;
            if near {
                prop_assert!(grid.any_along(a, b, reach, |thing| thing == 7));
            }
            grid.remove(7, [p, p]);
            prop_assert!(!grid.any_along(a, b, reach, |_| true));
        }
    }
}
