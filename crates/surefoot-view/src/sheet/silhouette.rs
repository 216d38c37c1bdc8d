//! Silhouettes: the outline of everything that triangles cover, as few polygons.
//!
//! Triangles are filled into a bitmap finer than the picture, and the border of what is filled is followed along the
//! bitmap's edges and thinned. That costs the same few kilobytes for any mesh.

use surefoot::glam::Vec2;
use surefoot::math::plainer;

/// Bitmap cells per pixel, each way.
const FINE: f32 = 2.0;
/// Outlines may stray this far from the bitmap's steps, pixels.
const SMOOTH: f32 = 0.45;
/// Cells a bitmap may have each way.
const MOST: f32 = 4096.0;

/// The outlines of all that triangles cover on the page, holes included. `corners` are their corners on the page,
/// pixels, three for each triangle.
pub(crate) fn outlines(corners: &[[[f32; 2]; 3]]) -> Vec<Vec<[f32; 2]>> {
    let finite = |triangle: &&[[f32; 2]; 3]| triangle.as_flattened().iter().all(|v| v.is_finite());
    let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
    for point in corners.iter().filter(finite).flatten() {
        for axis in 0..2 {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    if low[0] > high[0] {
        return Vec::new();
    }
    let cells = |axis: usize| ((high[axis] - low[axis]) * FINE).ceil().min(MOST) as i32 + 3;
    let (width, height) = (cells(0), cells(1));
    let mut bitmap = Bitmap { width, height, filled: vec![false; width as usize * height as usize] };
    // One empty cell all around.
    let place = |point: [f32; 2]| [(point[0] - low[0]) * FINE + 1.0, (point[1] - low[1]) * FINE + 1.0];
    for triangle in corners.iter().filter(finite) {
        bitmap.fill(triangle.map(place));
    }
    let back = |point: [i32; 2]| [0, 1].map(|axis| low[axis] + (point[axis] as f32 - 1.0) / FINE);
    let outlines = bitmap.borders().into_iter().map(|border| {
        let points: Vec<[f32; 2]> = border.into_iter().map(back).collect();
        thinned(&points)
    });
    outlines.filter(|outline| outline.len() > 2).collect()
}

struct Bitmap {
    width: i32,
    height: i32,
    filled: Vec<bool>,
}

impl Bitmap {
    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| y as usize * self.width as usize + x as usize)
    }

    fn at(&self, x: i32, y: i32) -> bool {
        self.index(x, y).is_some_and(|index| self.filled[index])
    }

    /// Fills the cells whose middle is in a triangle; if there is none, those of its corners, so that thin ones leave a
    /// trace.
    fn fill(&mut self, [a, b, c]: [[f32; 2]; 3]) {
        let mut thin = true;
        let low = a[1].min(b[1]).min(c[1]).floor().max(0.0) as i32;
        let high = (a[1].max(b[1]).max(c[1]).ceil() as i32).min(self.height);
        for row in low..high {
            let y = row as f32 + 0.5;
            let (mut from, mut to) = (f32::INFINITY, f32::NEG_INFINITY);
            for [p, q] in [[a, b], [b, c], [c, a]] {
                if (p[1] <= y) != (q[1] <= y) {
                    let x = p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
                    (from, to) = (from.min(x), to.max(x));
                }
            }
            if from <= to {
                let first = (from - 0.5).ceil().max(0.0) as i32;
                let last = ((to - 0.5).floor() as i32).min(self.width - 1);
                for x in first..=last {
                    thin = false;
                    self.set(x, row);
                }
            }
        }
        if thin {
            [a, b, c].into_iter().for_each(|[x, y]| self.set(x as i32, y as i32));
        }
    }

    fn set(&mut self, x: i32, y: i32) {
        if let Some(index) = self.index(x, y) {
            self.filled[index] = true;
        }
    }

    /// The closed ways along the edges of what is filled, which is always on their right.
    fn borders(&self) -> Vec<Vec<[i32; 2]>> {
        // An edge starts at a corner of the grid and goes right, down, left or up; each is walked once.
        const STEPS: [[i32; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];
        // The cells on the right and on the left of an edge, seen from its start.
        const RIGHT: [[i32; 2]; 4] = [[0, 0], [-1, 0], [-1, -1], [0, -1]];
        const LEFT: [[i32; 2]; 4] = [[0, -1], [0, 0], [-1, 0], [-1, -1]];
        let is_edge = |[x, y]: [i32; 2], way: usize| {
            let at = |cells: [[i32; 2]; 4]| self.at(x + cells[way][0], y + cells[way][1]);
            at(RIGHT) && !at(LEFT)
        };
        let mut walked = vec![false; self.filled.len()];
        let mut borders = Vec::new();
        for y in 0..self.height {
            for x in 0..self.width {
                // Every border has an edge that goes right.
                if !is_edge([x, y], 0) || self.index(x, y).is_none_or(|index| walked[index]) {
                    continue;
                }
                let (mut point, mut way) = ([x, y], 0);
                let mut border = Vec::new();
                loop {
                    if let Some(index) = self.index(point[0], point[1]).filter(|_| way == 0) {
                        walked[index] = true;
                    }
                    border.push(point);
                    point = [point[0] + STEPS[way][0], point[1] + STEPS[way][1]];
                    // Turning right where two ways are open keeps cells that touch at a corner apart.
                    way = [1, 0, 3]
                        .map(|turn| (way + turn) % 4)
                        .into_iter()
                        .find(|way| is_edge(point, *way))
                        .unwrap_or(way);
                    if point == [x, y] && way == 0 {
                        break;
                    }
                }
                borders.push(border);
            }
        }
        borders
    }
}

/// A closed line with the points left out that lie near the line through the others.
fn thinned(points: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let mut points: Vec<Vec2> = points.iter().copied().map(Vec2::from).collect();
    let Some(first) = points.first().copied() else { return Vec::new() };
    // Two ends: the first point and the one farthest from it.
    let far = (0..points.len()).max_by(|a, b| points[*a].distance(first).total_cmp(&points[*b].distance(first)));
    let far = far.unwrap_or(0);
    points.push(first);
    let mut kept = plainer(&points[..=far], SMOOTH);
    kept.pop();
    kept.extend(plainer(&points[far..], SMOOTH));
    kept.pop();
    kept.iter().map(Vec2::to_array).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(outline: &[[f32; 2]]) -> f32 {
        let next = outline.iter().cycle().skip(1);
        0.5 * outline.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f32>()
    }

    #[test]
    fn overlapping_triangles_have_one_outline_and_holes_are_kept() {
        let square = |x: f32, y: f32, w: f32, h: f32| {
            let (a, b, c, d) = ([x, y], [x + w, y], [x + w, y + h], [x, y + h]);
            [[a, b, c], [a, c, d]]
        };
        let one = outlines(&[square(10.0, 10.0, 20.0, 20.0), square(20.0, 10.0, 20.0, 20.0)].concat());
        assert_eq!(one.len(), 1, "{one:?}");
        assert!(one[0].len() <= 6 && (area(&one[0]).abs() - 600.0).abs() < 40.0, "{one:?}");
        // A frame of four bars around a hole.
        let bars = [(0.0, 0.0, 30.0, 5.0), (0.0, 25.0, 30.0, 5.0), (0.0, 0.0, 5.0, 30.0), (25.0, 0.0, 5.0, 30.0)];
        let frame = outlines(&bars.map(|(x, y, w, h)| square(x, y, w, h)).concat());
        assert_eq!(frame.len(), 2, "{frame:?}");
        assert!(area(&frame[0]) * area(&frame[1]) < 0.0, "the hole runs the other way round");
    }

    #[test]
    fn nothing_and_no_numbers_have_no_outline() {
        assert!(outlines(&[]).is_empty());
        assert!(outlines(&[[[f32::NAN, 0.0], [1.0, 0.0], [0.0, 1.0]]]).is_empty());
    }
}
