//! The whole matrix of distances of two takes, for pictures and for those who want every number.

use super::cloud::Cloud;
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// Columns of a block.
const BLOCK: usize = 16;
/// Rows that share what is loaded of the columns.
const ROWS: usize = 4;
/// Columns of a strip: what is kept of it stays in the nearest cache.
const STRIP: usize = 256;
/// Columns of a strip and those that its last windows reach, in whole blocks.
const REACH: usize = STRIP + 2 * BLOCK;

/// A number of sixteen frames.
type Block = [f32; BLOCK];

/// A cloud turned on its side, in blocks of frames: they can be worked on many at once.
pub struct Columns<'a> {
    cloud: &'a Cloud,
    /// By block of frames, then by point: z, x and z - x.
    plane: Vec<[Block; 3]>,
    /// By block of frames, then by point.
    heights: Vec<Block>,
    /// By block of windows, then by part: z and x.
    sway: Vec<[Block; 2]>,
    /// By block of windows.
    energy: Vec<Block>,
}

impl<'a> Columns<'a> {
    /// Of a cloud.
    #[must_use]
    pub fn new(cloud: &'a Cloud) -> Self {
        let frames = if cloud.windows == 0 { 0 } else { cloud.windows + 2 * cloud.half };
        // A block more than there are frames may be read, never used.
        let blocks = frames.div_ceil(BLOCK) + 1;
        let (points, parts) = (cloud.points, 2 * cloud.half);
        let mut plane = vec![[[0.0; BLOCK]; 3]; blocks * points];
        let mut heights = vec![[0.0; BLOCK]; blocks * points];
        for frame in 0..frames {
            let (block, lane) = (frame / BLOCK * points, frame % BLOCK);
            for k in 0..points {
                let (z, x) = (cloud.plane_row(frame)[k], cloud.plane_row(frame)[cloud.x_at + k]);
                let own = &mut plane[block + k];
                (own[0][lane], own[1][lane], own[2][lane]) = (z, x, z - x);
                heights[block + k][lane] = cloud.height_row(frame)[k];
            }
        }
        let mut sway = vec![[[0.0; BLOCK]; 2]; blocks * parts];
        let mut energy = vec![[0.0; BLOCK]; blocks];
        for window in 0..cloud.windows {
            let (block, lane) = (window / BLOCK, window % BLOCK);
            for k in 0..parts {
                sway[block * parts + k][0][lane] = cloud.sway_row(window)[k];
                sway[block * parts + k][1][lane] = cloud.sway_row(window)[parts + k];
            }
            energy[block][lane] = cloud.energy[window];
        }
        Self { cloud, plane, heights, sway, energy }
    }

    /// How many windows there are.
    #[must_use]
    pub fn windows(&self) -> usize {
        self.cloud.windows
    }

    /// Squared distances (square metres) of windows `rows` of `other` to windows `columns` of this cloud, row after row. They are
    /// good to a ten-millionth of the body's size squared; [`Cloud::align`] is exact.
    ///
    /// # Panics
    /// If `out` is not as long as the rows take, the windows are not there, or the clouds look at other points.
    pub fn squared(&self, other: &Cloud, rows: Range<usize>, columns: Range<usize>, out: &mut [f32]) {
        assert!(rows.end <= other.windows && columns.end <= self.cloud.windows, "windows that are there");
        assert_eq!((other.points, other.half), (self.cloud.points, self.cloud.half), "the same points and windows");
        assert_eq!(out.len(), rows.len() * columns.len(), "a number for each pair");
        Arch::new().dispatch(Run { strips: Strips { columns: self, other, rows, across: columns }, out });
    }
}

struct Run<'a, 'b> {
    strips: Strips<'a, 'b>,
    out: &'a mut [f32],
}

struct Strips<'a, 'b> {
    columns: &'a Columns<'b>,
    other: &'a Cloud,
    rows: Range<usize>,
    across: Range<usize>,
}

impl WithSimd for Run<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.strips.run(simd, self.out);
    }
}

/// What a frame shares with those of a strip: Re, Im and Y.
#[derive(Clone, Copy)]
struct Shared {
    re: [f32; REACH],
    im: [f32; REACH],
    high: [f32; REACH],
}

/// As many numbers as a register holds.
#[inline(always)]
fn load<S: Simd>(numbers: &[f32], at: usize) -> S::f32s {
    S::as_simd_f32s(&numbers[at..at + S::F32_LANES]).0[0]
}

#[inline(always)]
fn store<S: Simd>(numbers: &mut [f32], at: usize, value: S::f32s) {
    S::as_mut_simd_f32s(&mut numbers[at..at + S::F32_LANES]).0[0] = value;
}

impl Strips<'_, '_> {
    #[inline(always)]
    fn run<S: Simd>(&self, simd: S, out: &mut [f32]) {
        let other = self.other;
        let width = 2 * other.half + 1;
        // As many rows as a window has, and those that are being worked on.
        let ring = (width + ROWS).next_power_of_two();
        let mut kept = vec![Shared { re: [0.0; REACH], im: [0.0; REACH], high: [0.0; REACH] }; ring];
        let frames = self.rows.start..self.rows.end + width - 1;
        // Rows as they are needed, a few frames side by side, for each point.
        let points = other.points;
        let mut plane = vec![[[0.0; ROWS]; 3]; frames.len().div_ceil(ROWS) * points];
        let mut heights = vec![[0.0; ROWS]; plane.len()];
        for n in 0..frames.len().next_multiple_of(ROWS) {
            // Past the end the last frame is taken again; nobody looks at what it gives.
            let frame = (frames.start + n).min(frames.end - 1);
            let (row, high) = (other.plane_row(frame), other.height_row(frame));
            let (few, r) = (n / ROWS * points, n % ROWS);
            for k in 0..points {
                let (z, x) = (row[k], row[other.x_at + k]);
                (plane[few + k][0][r], plane[few + k][1][r], plane[few + k][2][r]) = (z, x, z + x);
                heights[few + k][r] = high[k];
            }
        }
        let mut own = Own { rows: vec![0; width], sway: vec![[simd.splat_f32s(0.0); 2]; width - 1] };
        let mut squared = [0.0; STRIP];
        for left in (self.across.start / BLOCK * BLOCK..self.across.end).step_by(STRIP) {
            let right = (left + STRIP).min(self.across.end);
            let wanted = left.max(self.across.start)..right;
            let mut next = self.rows.start;
            for (few, top) in frames.clone().step_by(ROWS).enumerate() {
                let (plane, heights) =
                    (&plane[few * points..(few + 1) * points], &heights[few * points..(few + 1) * points]);
                let bottom = (top + ROWS).min(frames.end);
                let rows: [usize; ROWS] = std::array::from_fn(|r| (top + r) & (ring - 1));
                for block in left / BLOCK..(right + width - 1).div_ceil(BLOCK) {
                    for half in (0..BLOCK).step_by(S::F32_LANES) {
                        let place = block * BLOCK - left + half;
                        let [re, im] = self.floor(simd, plane, block, half);
                        let high = self.high(simd, heights, block, half);
                        for r in 0..ROWS {
                            let row = &mut kept[rows[r]];
                            store::<S>(&mut row.re, place, re[r]);
                            store::<S>(&mut row.im, place, im[r]);
                            store::<S>(&mut row.high, place, high[r]);
                        }
                    }
                }
                while next + width <= bottom && next < self.rows.end {
                    own.set(simd, other, next, ring);
                    self.sum(simd, (next, &own), left, &kept, &mut squared[..right - left]);
                    let row = (next - self.rows.start) * self.across.len() + wanted.start - self.across.start;
                    out[row..row + wanted.len()].copy_from_slice(&squared[wanted.start - left..right - left]);
                    next += 1;
                }
            }
        }
    }

    /// Re and Im of a few frames with some of a block: three products for each point where four are usual, by
    /// `x z' - z x' = (z + x)(z' - x') - z z' + x x'`.
    #[inline(always)]
    fn floor<S: Simd>(&self, simd: S, own: &[[[f32; ROWS]; 3]], block: usize, half: usize) -> [[S::f32s; ROWS]; 2] {
        let points = self.other.points;
        let zero = simd.splat_f32s(0.0);
        let (mut zz, mut xx, mut both) = ([zero; ROWS], [zero; ROWS], [zero; ROWS]);
        let theirs = &self.columns.plane[block * points..(block + 1) * points];
        for ([own_z, own_x, own_both], [z, x, apart]) in own.iter().zip(theirs) {
            let (z, x, apart) = (load::<S>(z, half), load::<S>(x, half), load::<S>(apart, half));
            for r in 0..ROWS {
                zz[r] = simd.mul_add_e_f32s(simd.splat_f32s(own_z[r]), z, zz[r]);
                xx[r] = simd.mul_add_e_f32s(simd.splat_f32s(own_x[r]), x, xx[r]);
                both[r] = simd.mul_add_e_f32s(simd.splat_f32s(own_both[r]), apart, both[r]);
            }
        }
        let (mut re, mut im) = ([zero; ROWS], [zero; ROWS]);
        for r in 0..ROWS {
            re[r] = simd.add_f32s(zz[r], xx[r]);
            im[r] = simd.sub_f32s(both[r], simd.sub_f32s(zz[r], xx[r]));
        }
        [re, im]
    }

    /// Y of a few frames with some of a block.
    #[inline(always)]
    fn high<S: Simd>(&self, simd: S, own: &[[f32; ROWS]], block: usize, half: usize) -> [S::f32s; ROWS] {
        let points = self.other.points;
        let mut high = [simd.splat_f32s(0.0); ROWS];
        for (own, y) in own.iter().zip(&self.columns.heights[block * points..(block + 1) * points]) {
            let y = load::<S>(y, half);
            for r in 0..ROWS {
                high[r] = simd.mul_add_e_f32s(simd.splat_f32s(own[r]), y, high[r]);
            }
        }
        high
    }

    /// Distances of one window to those of a strip.
    #[inline(always)]
    fn sum<S: Simd>(&self, simd: S, (window, own): (usize, &Own<S>), left: usize, kept: &[Shared], out: &mut [f32]) {
        let (columns, other) = (self.columns, self.other);
        let parts = 2 * other.half;
        let energy = simd.splat_f32s(other.energy[window]);
        let zero = simd.splat_f32s(0.0);
        let mut squares = [0.0; BLOCK];
        for place in (0..out.len()).step_by(S::F32_LANES) {
            let (mut re, mut im, mut high) = (zero, zero, zero);
            for (d, row) in own.rows.iter().enumerate() {
                let row = &kept[*row];
                re = simd.add_f32s(re, load::<S>(&row.re, place + d));
                im = simd.add_f32s(im, load::<S>(&row.im, place + d));
                high = simd.add_f32s(high, load::<S>(&row.high, place + d));
            }
            let (block, half) = ((left + place) / BLOCK, (left + place) % BLOCK);
            let (mut more_re, mut more_im) = (zero, zero);
            for ([own_z, own_x], [z, x]) in own.sway.iter().zip(&columns.sway[block * parts..(block + 1) * parts]) {
                let (z, x) = (load::<S>(z, half), load::<S>(x, half));
                re = simd.mul_add_e_f32s(*own_z, z, re);
                im = simd.mul_add_e_f32s(*own_x, z, im);
                more_re = simd.mul_add_e_f32s(*own_x, x, more_re);
                more_im = simd.mul_add_e_f32s(*own_z, x, more_im);
            }
            let (re, im) = (simd.add_f32s(re, more_re), simd.sub_f32s(im, more_im));
            let turned = simd.sqrt_f32s(simd.mul_add_e_f32s(re, re, simd.mul_f32s(im, im)));
            let both = simd.add_f32s(energy, load::<S>(&columns.energy[block], half));
            let squared = simd.mul_add_e_f32s(simd.splat_f32s(-2.0), simd.add_f32s(high, turned), both);
            let squared = simd.max_f32s(squared, zero);
            if place + S::F32_LANES <= out.len() {
                store::<S>(out, place, squared);
            } else {
                store::<S>(&mut squares, 0, squared);
                let count = out.len() - place;
                out[place..].copy_from_slice(&squares[..count]);
            }
        }
    }
}

/// What one window brings to a strip.
struct Own<S: Simd> {
    /// Where its frames are kept.
    rows: Vec<usize>,
    /// Its centre's path: z and x of each part.
    sway: Vec<[S::f32s; 2]>,
}

impl<S: Simd> Own<S> {
    #[inline(always)]
    fn set(&mut self, simd: S, cloud: &Cloud, window: usize, ring: usize) {
        for (d, row) in self.rows.iter_mut().enumerate() {
            *row = (window + d) & (ring - 1);
        }
        let (path, parts) = (cloud.sway_row(window), self.sway.len());
        for (k, [z, x]) in self.sway.iter_mut().enumerate() {
            (*z, *x) = (simd.splat_f32s(path[k]), simd.splat_f32s(path[parts + k]));
        }
    }
}
