//! Scans: all windows of one clip against all of another, kept where they are near.

use super::cloud::{Cloud, LANES};
use super::sketch::Sketch;
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// Two windows that are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    pub(super) row: u32,
    pub(super) column: u32,
    /// Square metres.
    pub(super) squared: f32,
}

/// Which windows of two clouds are nearer to each other than a limit.
pub(super) struct Scan<'a> {
    pub(super) a: &'a Cloud,
    pub(super) b: &'a Cloud,
    /// Sketches of both, to pass over what cannot be near; without, everything is computed.
    pub(super) sketches: Option<(&'a Sketch, &'a Sketch)>,
    /// Square metres.
    pub(super) limit: f32,
    /// Only windows of b from this many after that of a: for a clip against itself.
    pub(super) apart: Option<usize>,
}

/// Rows and columns that are worked on together, so that frame pairs shared by neighbours stay at hand.
const TILE: (usize, usize) = (64, 256);

/// Rounding of single precision as a share of E_a + E_b, with room to spare.
const DOUBT: f32 = 4e-6;

/// Below this share of E_a + E_b single precision is not good to a ten-thousandth.
const FINE: f32 = 1e-3;

impl Scan<'_> {
    /// Adds pairs of windows `rows` of a with windows of b that are under the limit.
    pub(super) fn rows(&self, rows: Range<usize>, hits: &mut Vec<Hit>) {
        Arch::new().dispatch(Run { scan: self, rows, hits });
    }
}

struct Run<'a, 'b> {
    scan: &'a Scan<'b>,
    rows: Range<usize>,
    hits: &'a mut Vec<Hit>,
}

impl WithSimd for Run<'_, '_> {
    type Output = ();

    /// The same code is compiled for each set of instructions; lanes are fixed, so only fused steps differ.
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        if FUSED && !S::IS_SCALAR {
            self.run::<true>();
        } else {
            self.run::<false>();
        }
    }
}

/// Whether multiplying and adding in one step is an instruction wherever there are vectors, and platforms may differ.
const FUSED: bool = cfg!(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(feature = "libm")));

#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
fn sum(lanes: [f32; LANES]) -> f32 {
    ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
}

/// a · c and b · c.
#[inline(always)]
fn two_dots<const FUSED: bool>(a: &[f32], b: &[f32], c: &[f32]) -> (f32, f32) {
    let (a, b, c) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0, c.as_chunks::<LANES>().0);
    let (mut first, mut second) = ([0.0; LANES], [0.0; LANES]);
    for ((a, b), c) in a.iter().zip(b).zip(c) {
        for lane in 0..LANES {
            first[lane] = multiply_add::<FUSED>(a[lane], c[lane], first[lane]);
            second[lane] = multiply_add::<FUSED>(b[lane], c[lane], second[lane]);
        }
    }
    (sum(first), sum(second))
}

#[inline(always)]
fn dot<const FUSED: bool>(a: &[f32], b: &[f32]) -> f32 {
    let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
    let mut out = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            out[lane] = multiply_add::<FUSED>(a[lane], b[lane], out[lane]);
        }
    }
    sum(out)
}

impl Run<'_, '_> {
    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let Scan { a, b, sketches, limit, apart } = *self.scan;
        let columns = b.windows;
        let width = 2 * a.half + 1;
        // Re, Im and Y of frame pairs of a tile; NaN where not computed yet.
        let stride = TILE.1 + LANES + width;
        let mut pairs = vec![[f32::NAN; 3]; (TILE.0 + width) * stride];
        let mut near: Vec<u32> = Vec::new();
        let mut ends = [0; TILE.0];
        let largest = |cloud: &Cloud| cloud.energy.iter().copied().fold(0.0, f32::max);
        let loose = limit + DOUBT * (largest(a) + largest(b));
        for top in self.rows.clone().step_by(TILE.0) {
            let rows = top..(top + TILE.0).min(self.rows.end);
            for left in (0..columns).step_by(TILE.1) {
                let right = (left + TILE.1).min(columns);
                near.clear();
                for row in rows.clone() {
                    let first = left.max(apart.map_or(0, |apart| row + apart));
                    if first < right {
                        let before = near.len();
                        match sketches {
                            Some((own, other)) => {
                                let whole = first / LANES * LANES..right;
                                own.near(row, other, whole, loose, &mut near);
                                // Whole lanes may begin before the first column.
                                let skip =
                                    near[before..].iter().take_while(|column| (**column as usize) < first).count();
                                near.drain(before..before + skip);
                            }
                            None => near.extend((first..right).map(|column| column as u32)),
                        }
                    }
                    ends[row - top] = near.len();
                }
                if near.is_empty() {
                    continue;
                }
                pairs.fill([f32::NAN; 3]);
                let mut start = 0;
                for row in rows.clone() {
                    let end = ends[row - top];
                    for column in &near[start..end] {
                        let column = *column as usize;
                        let (mut re, mut im) =
                            two_dots::<FUSED>(a.sway_row(row), a.sway_turned_row(row), b.sway_row(column));
                        let mut high = 0.0;
                        for d in 0..width {
                            let pair = &mut pairs[(row - top + d) * stride + column - left + d];
                            if pair[0].is_nan() {
                                let (re, im) = two_dots::<FUSED>(
                                    a.plane_row(row + d),
                                    a.turned_row(row + d),
                                    b.plane_row(column + d),
                                );
                                *pair = [re, im, dot::<FUSED>(a.height_row(row + d), b.height_row(column + d))];
                            }
                            re += pair[0];
                            im += pair[1];
                            high += pair[2];
                        }
                        let both = a.energy[row] + b.energy[column];
                        let mut squared = both - 2.0 * high - 2.0 * (re * re + im * im).sqrt();
                        if squared < FINE * both {
                            // Too fine for single precision. The limit has no say: a distance is the same under any.
                            squared = a.align(row, b, column).squared as f32;
                        }
                        if squared < limit {
                            self.hits.push(Hit { row: row as u32, column: column as u32, squared: squared.max(0.0) });
                        }
                    }
                    start = end;
                }
            }
        }
    }
}
