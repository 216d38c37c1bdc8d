//! Scans: all windows of one clip against all of another, kept where they are near.

use super::cloud::{Cloud, LANES};
use super::sketch::{Directions, GROUP, Sketch};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// Two windows that are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Window of the first cloud.
    pub row: u32,
    /// Window of the second.
    pub column: u32,
    /// Square metres.
    pub squared: f32,
}

/// Tells all pairs of windows of clouds of one body that are nearer than `limit` (root mean square, metres), cloud by cloud: each
/// pair of clouds once, a cloud with itself from `apart` windows on. Without `skip` every distance is computed; the pairs are
/// the same.
pub fn near_pairs(clouds: &[Cloud], limit: f32, apart: usize, skip: bool, mut tell: impl FnMut(usize, usize, &[Hit])) {
    let sketches: Option<Vec<Sketch>> = skip.then(|| {
        let directions = Directions::new(&clouds.iter().collect::<Vec<_>>());
        clouds.iter().map(|cloud| Sketch::new(&directions, cloud)).collect()
    });
    let mut hits = Vec::new();
    for first in 0..clouds.len() {
        for second in first..clouds.len() {
            let (a, b) = (&clouds[first], &clouds[second]);
            let sketches = sketches.as_ref().map(|sketches| (&sketches[first], &sketches[second]));
            let scan = Scan { a, b, sketches, limit: limit * limit, apart: (first == second).then_some(apart) };
            hits.clear();
            scan.rows(0..a.windows, &mut hits);
            tell(first, second, &hits);
        }
    }
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

/// Columns that are worked on together, so that what is kept of them stays near.
const STRIP: usize = 512;

/// Rounding of single precision as a share of E_a + E_b, with room to spare.
const DOUBT: f32 = 4e-6;

/// Below this share of E_a + E_b the difference of sums is not good to a ten-thousandth.
const FINE: f32 = 1e-3;

impl Scan<'_> {
    /// Adds pairs of windows `rows` of a with windows of b that are under the limit.
    pub(super) fn rows(&self, rows: Range<usize>, hits: &mut Vec<Hit>) {
        fixed_lanes(Run { scan: self, rows, hits });
    }
}

/// Runs with registers of eight numbers or fewer. Sums are made of eight parts in any case, so every machine gives the same bits.
pub(super) fn fixed_lanes<Op: WithSimd>(run: Op) -> Op::Output {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    match pulp::x86::V3::try_new() {
        Some(simd) => Simd::vectorize(simd, run),
        None => Simd::vectorize(pulp::Scalar::new(), run),
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    pulp::Arch::new().dispatch(run)
}

struct Run<'a, 'b> {
    scan: &'a Scan<'b>,
    rows: Range<usize>,
    hits: &'a mut Vec<Hit>,
}

/// Sixteen partial sums: eight for each of two chunks, so that additions need not wait for each other.
struct Sums<S: Simd>([[S::f32s; LANES]; 2]);

impl<S: Simd> Sums<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        Self([[simd.splat_f32s(0.0); LANES]; 2])
    }

    /// Adds products of one chunk of eight numbers.
    #[inline(always)]
    fn add(&mut self, simd: S, half: usize, a: &[f32; LANES], b: &[f32; LANES]) {
        let (a, b) = (S::as_simd_f32s(a).0, S::as_simd_f32s(b).0);
        for part in 0..LANES / S::F32_LANES {
            self.0[half][part] = simd.mul_add_f32s(a[part], b[part], self.0[half][part]);
        }
    }

    #[inline(always)]
    fn total(self, simd: S) -> f32 {
        let mut lanes = [0.0; LANES];
        let out = S::as_mut_simd_f32s(&mut lanes).0;
        for part in 0..LANES / S::F32_LANES {
            out[part] = simd.add_f32s(self.0[0][part], self.0[1][part]);
        }
        ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
    }
}

/// a · c and b · c.
#[inline(always)]
pub(super) fn two_dots<S: Simd>(simd: S, a: &[f32], b: &[f32], c: &[f32]) -> [f32; 2] {
    let (a, b, c) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0, c.as_chunks::<LANES>().0);
    let (mut first, mut second) = (Sums::new(simd), Sums::new(simd));
    let pairs = (a.as_chunks::<2>(), b.as_chunks::<2>(), c.as_chunks::<2>());
    for ((a, b), c) in pairs.0.0.iter().zip(pairs.1.0).zip(pairs.2.0) {
        for half in 0..2 {
            first.add(simd, half, &a[half], &c[half]);
            second.add(simd, half, &b[half], &c[half]);
        }
    }
    for ((a, b), c) in pairs.0.1.iter().zip(pairs.1.1).zip(pairs.2.1) {
        first.add(simd, 0, a, c);
        second.add(simd, 0, b, c);
    }
    [first.total(simd), second.total(simd)]
}

#[inline(always)]
pub(super) fn dot<S: Simd>(simd: S, a: &[f32], b: &[f32]) -> f32 {
    let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
    let mut sums = Sums::new(simd);
    let pairs = (a.as_chunks::<2>(), b.as_chunks::<2>());
    for (a, b) in pairs.0.0.iter().zip(pairs.1.0) {
        sums.add(simd, 0, &a[0], &b[0]);
        sums.add(simd, 1, &a[1], &b[1]);
    }
    for (a, b) in pairs.0.1.iter().zip(pairs.1.1) {
        sums.add(simd, 0, a, b);
    }
    sums.total(simd)
}

/// Turns that carry a's numbers the way b's point, as (cos, sin).
type Turn = [f32; 2];

/// The squared distance of two windows after a turn, summed from differences: no digits are lost where they are nearly alike.
#[inline(always)]
fn apart_after<S: Simd>(simd: S, a: &Cloud, row: usize, b: &Cloud, column: usize, [cos, sin]: Turn) -> f32 {
    let (c, s) = (simd.splat_f32s(cos), simd.splat_f32s(sin));
    let mut sums = [[simd.splat_f32s(0.0); LANES]; 3];
    for d in 0..=2 * a.half {
        let (own, theirs) = (a.plane_row(row + d).split_at(a.x_at), b.plane_row(column + d).split_at(b.x_at));
        let own = (S::as_simd_f32s(own.0).0, S::as_simd_f32s(own.1).0, S::as_simd_f32s(a.height_row(row + d)).0);
        let theirs =
            (S::as_simd_f32s(theirs.0).0, S::as_simd_f32s(theirs.1).0, S::as_simd_f32s(b.height_row(column + d)).0);
        let parts = LANES / S::F32_LANES;
        for (k, ((az, ax), (bz, bx))) in own.0.iter().zip(own.1).zip(theirs.0.iter().zip(theirs.1)).enumerate() {
            // az - (bz cos - bx sin), ax - (bx cos + bz sin)
            let dz = simd.mul_add_f32s(s, *bx, simd.mul_add_f32s(simd.neg_f32s(c), *bz, *az));
            let dx = simd.mul_add_f32s(simd.neg_f32s(s), *bz, simd.mul_add_f32s(simd.neg_f32s(c), *bx, *ax));
            sums[0][k % parts] = simd.mul_add_f32s(dz, dz, sums[0][k % parts]);
            sums[1][k % parts] = simd.mul_add_f32s(dx, dx, sums[1][k % parts]);
        }
        for (k, (ay, by)) in own.2.iter().zip(theirs.2).enumerate() {
            let dy = simd.sub_f32s(*ay, *by);
            sums[2][k % parts] = simd.mul_add_f32s(dy, dy, sums[2][k % parts]);
        }
    }
    let [z, x, y] = sums;
    let mut total = Sums::<S>([z, x]).total(simd) + Sums::<S>([y, [simd.splat_f32s(0.0); LANES]]).total(simd);
    let parts = 2 * a.half;
    let (own, theirs) = (a.sway_row(row), b.sway_row(column));
    for k in 0..parts {
        let dz = own[k] - (theirs[k] * cos - theirs[k + parts] * sin);
        let dx = own[k + parts] - (theirs[k + parts] * cos + theirs[k] * sin);
        total += dz * dz + dx * dx;
    }
    total
}

/// Frame pairs of windows of one row, by column: Re, Im and Y of each frame of a window.
struct Kept {
    /// One more than the row that a column's window was last looked at in; 0 for never.
    row: Vec<usize>,
    pairs: Vec<[f32; 3]>,
}

impl WithSimd for Run<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Scan { a, b, sketches, limit, apart } = *self.scan;
        let width = 2 * a.half + 1;
        let (mut near, mut blocks): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        let strip = STRIP.min(b.windows);
        // The window before on the diagonal shares all frame pairs but one: rows take turns.
        let kept = || Kept { row: vec![0; strip], pairs: vec![[0.0; 3]; strip * width] };
        let (mut before, mut now) = (kept(), kept());
        let largest = |cloud: &Cloud| cloud.energy.iter().copied().fold(0.0, f32::max);
        let loose = limit + DOUBT * (largest(a) + largest(b));
        for left in (0..b.windows).step_by(STRIP) {
            let right = (left + STRIP).min(b.windows);
            before.row.fill(0);
            now.row.fill(0);
            for row in self.rows.clone() {
                std::mem::swap(&mut before, &mut now);
                let first = left.max(apart.map_or(0, |apart| row + apart));
                near.clear();
                match sketches {
                    Some((own, other)) => {
                        if row % GROUP == 0 || row == self.rows.start {
                            own.near_blocks(simd, row, other, loose.sqrt(), &mut blocks);
                        }
                        own.near(simd, row, other, (&blocks, first..right), loose, &mut near);
                    }
                    None => near.extend((first..right.max(first)).map(|column| column as u32)),
                }
                for column in &near {
                    let column = *column as usize;
                    let place = column - left;
                    let pairs = &mut now.pairs[place * width..(place + 1) * width];
                    let known = if place > 0 && row > 0 && before.row[place - 1] == row {
                        pairs[..width - 1].copy_from_slice(&before.pairs[(place - 1) * width + 1..place * width]);
                        width - 1
                    } else {
                        0
                    };
                    for d in known..width {
                        let theirs = b.plane_row(column + d);
                        let [re, im] = two_dots(simd, a.plane_row(row + d), a.turned_row(row + d), theirs);
                        pairs[d] = [re, im, dot(simd, a.height_row(row + d), b.height_row(column + d))];
                    }
                    now.row[place] = row + 1;
                    let [mut re, mut im] = two_dots(simd, a.sway_row(row), a.sway_turned_row(row), b.sway_row(column));
                    let mut high = 0.0;
                    for pair in &*pairs {
                        re += pair[0];
                        im += pair[1];
                        high += pair[2];
                    }
                    let both = a.energy[row] + b.energy[column];
                    // Every sum is taken in the same order whatever was passed over, so the bits depend on nothing else.
                    let turned = (re * re + im * im).sqrt();
                    let mut squared = both - 2.0 * high - 2.0 * turned;
                    if squared < FINE * both {
                        let turn = if turned > 0.0 { [re / turned, im / turned] } else { [1.0, 0.0] };
                        squared = apart_after(simd, a, row, b, column, turn);
                    }
                    if squared < limit {
                        self.hits.push(Hit { row: row as u32, column: column as u32, squared });
                    }
                }
            }
        }
    }
}
