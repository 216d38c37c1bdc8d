//! Sketches: a few numbers of each window from which a lower bound of any distance follows.
//!
//! A window's floor points, one long complex vector a, keep their length and their angles to fixed directions up to the turn
//! that a floor motion gives them all. With m orthonormal directions, α the parts of a along them and ra the length of the
//! rest, Cauchy and Schwarz bound what the rest can do; heights need no turn:
//!
//! ```text
//! D >= max(0, |a|² + |b|² - 2 |α·β*| - 2 ra rb) + |ha - hb|² + (rha - rhb)²
//! ```

use super::cloud::{Cloud, LANES};
use super::scan::{dot, fixed_lanes, two_dots};
use pulp::{Simd, WithSimd};

/// Directions for floor points, and as many for heights.
const DIRECTIONS: usize = 4;

/// Windows that the directions are taken from.
const SAMPLES: usize = 192;

/// Directions common to the windows that are compared: the main ones of a sample of them.
pub(super) struct Directions {
    /// Complex directions, (z, x) of each place of a window.
    floor: [Vec<[f64; 2]>; DIRECTIONS],
    heights: [Vec<f64>; DIRECTIONS],
    mean_heights: Vec<f64>,
}

/// Where a sketch has the real parts of its shares of the directions on the floor.
const RE: usize = 0;
/// Where it has the imaginary parts.
const IM: usize = RE + DIRECTIONS;
/// Where it has its shares of the directions in height.
const HEIGHT: usize = IM + DIRECTIONS;
/// Where it has the length of what is left on the floor.
const REST: usize = HEIGHT + DIRECTIONS;
/// Where it has the squared length of all on the floor.
const LENGTH: usize = REST + 1;
/// Where it has the length of what is left of heights.
const HEIGHT_REST: usize = LENGTH + 1;
/// How many numbers a sketch has.
const NUMBERS: usize = HEIGHT_REST + 1;

/// Sketches of eight windows, number by number.
type Block = [[f32; LANES]; NUMBERS];

/// Neighbouring windows that one of them stands for.
pub(super) const GROUP: usize = 4;

/// The sketches of a cloud's windows.
pub(super) struct Sketch {
    windows: Vec<Block>,
    /// Sketches of the windows that stand for a group, and how far the others of their group are from them at most, metres.
    groups: Vec<Block>,
    radius: Vec<[f32; LANES]>,
}

/// A window's floor points and centre path as one complex vector.
fn floor_vector(cloud: &Cloud, window: usize, out: &mut Vec<[f64; 2]>) {
    out.clear();
    let pairs = |row: &[f32], count: usize, x_at: usize, out: &mut Vec<[f64; 2]>| {
        out.extend((0..count).map(|k| [f64::from(row[k]), f64::from(row[k + x_at])]));
    };
    for d in 0..=2 * cloud.half {
        pairs(cloud.plane_row(window + d), cloud.points, cloud.x_at, out);
    }
    pairs(cloud.sway_row(window), 2 * cloud.half, 2 * cloud.half, out);
}

fn height_vector(cloud: &Cloud, window: usize, mean: &[f64], out: &mut Vec<f64>) {
    out.clear();
    for d in 0..=2 * cloud.half {
        out.extend(cloud.height_row(window + d)[..cloud.points].iter().map(|h| f64::from(*h)));
    }
    out.iter_mut().zip(mean).for_each(|(height, mean)| *height -= mean);
}

/// Uᴴ a: how much of a complex vector lies along a direction.
fn along(direction: &[[f64; 2]], a: &[[f64; 2]]) -> [f64; 2] {
    let (mut re, mut im) = (0.0, 0.0);
    for (u, a) in direction.iter().zip(a) {
        re += u[0] * a[0] + u[1] * a[1];
        im += u[0] * a[1] - u[1] * a[0];
    }
    [re, im]
}

fn height_along(direction: &[f64], a: &[f64]) -> f64 {
    direction.iter().zip(a).map(|(u, a)| u * a).sum()
}

impl Directions {
    /// From windows of all clouds, evenly picked.
    pub(super) fn new(clouds: &[&Cloud]) -> Self {
        let total: usize = clouds.iter().map(|cloud| cloud.windows).sum();
        let step = total.div_ceil(SAMPLES).max(1);
        let all = clouds.iter().flat_map(|cloud| (0..cloud.windows).map(move |window| (*cloud, window)));
        let picked: Vec<(&Cloud, usize)> = all.step_by(step).collect();
        let mut floor = Vec::with_capacity(picked.len());
        let mut heights: Vec<Vec<f64>> = Vec::with_capacity(picked.len());
        for (cloud, window) in &picked {
            let mut a = Vec::new();
            floor_vector(cloud, *window, &mut a);
            floor.push(a);
            let mut h = Vec::new();
            height_vector(cloud, *window, &[], &mut h);
            heights.push(h);
        }
        let size = heights.first().map_or(0, Vec::len);
        let mut mean_heights = vec![0.0; size];
        for h in &heights {
            mean_heights.iter_mut().zip(h).for_each(|(mean, h)| *mean += h / picked.len() as f64);
        }
        for h in &mut heights {
            h.iter_mut().zip(&mean_heights).for_each(|(h, mean)| *h -= mean);
        }
        Self { floor: main_floor(&floor), heights: main_heights(&heights), mean_heights }
    }
}

/// Directions as rows to multiply with those of a cloud.
struct Laid {
    /// By direction: a row for each frame of a window (z, then x, as in `plane`), and one for the centre's path.
    floor: [(Vec<f32>, Vec<f32>); DIRECTIONS],
    heights: [Vec<f32>; DIRECTIONS],
    /// What the mean heights give along each direction.
    mean: [f32; DIRECTIONS],
    mean_heights: Vec<f32>,
}

impl Laid {
    fn new(directions: &Directions, cloud: &Cloud) -> Self {
        let (points, parts, width) = (cloud.points, 2 * cloud.half, 2 * cloud.half + 1);
        let floor = |q: usize| {
            let direction = &directions.floor[q];
            let (mut frames, mut path) = (vec![0.0; width * cloud.plane_stride], vec![0.0; cloud.sway_stride]);
            for (n, [z, x]) in direction.iter().enumerate() {
                let (d, k) = (n / points, n % points);
                if d < width {
                    let row = d * cloud.plane_stride;
                    (frames[row + k], frames[row + cloud.x_at + k]) = (*z as f32, *x as f32);
                } else {
                    let k = n - width * points;
                    (path[k], path[k + parts]) = (*z as f32, *x as f32);
                }
            }
            (frames, path)
        };
        let padded = |numbers: &[f64]| {
            let mut rows = vec![0.0; width * cloud.height_stride];
            for (n, number) in numbers.iter().enumerate() {
                rows[n / points * cloud.height_stride + n % points] = *number as f32;
            }
            rows
        };
        Self {
            floor: std::array::from_fn(floor),
            heights: std::array::from_fn(|q| padded(&directions.heights[q])),
            mean: std::array::from_fn(|q| height_along(&directions.heights[q], &directions.mean_heights) as f32),
            mean_heights: padded(&directions.mean_heights),
        }
    }
}

/// Sketches every window of a cloud.
struct Draw<'a> {
    cloud: &'a Cloud,
    laid: &'a Laid,
    windows: &'a mut [Block],
}

impl WithSimd for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Draw { cloud, laid, windows } = self;
        let width = 2 * cloud.half + 1;
        // Heights over the mean, frame by frame of a window.
        let mut over = vec![0.0; width * cloud.height_stride];
        for window in 0..cloud.windows {
            let plane = &cloud.plane[window * cloud.plane_stride..(window + width) * cloud.plane_stride];
            let turned = &cloud.turned[window * cloud.plane_stride..(window + width) * cloud.plane_stride];
            let heights = &cloud.heights[window * cloud.height_stride..(window + width) * cloud.height_stride];
            let (path, path_turned) = (cloud.sway_row(window), cloud.sway_turned_row(window));
            for ((over, height), mean) in over.iter_mut().zip(heights).zip(&laid.mean_heights) {
                *over = height - mean;
            }
            let (block, lane) = (&mut windows[window / LANES], window % LANES);
            let length = dot(simd, plane, plane) + dot(simd, path, path);
            let all_high = dot(simd, &over, &over);
            let (mut rest, mut height_rest) = (length, all_high);
            for q in 0..DIRECTIONS {
                let (frames, own_path) = &laid.floor[q];
                let [re, im] = two_dots(simd, plane, turned, frames);
                let [path_re, path_im] = two_dots(simd, path, path_turned, own_path);
                let (re, im) = (re + path_re, im + path_im);
                let high = dot(simd, heights, &laid.heights[q]) - laid.mean[q];
                block[RE + q][lane] = re;
                block[IM + q][lane] = im;
                block[HEIGHT + q][lane] = high;
                rest -= re * re + im * im;
                height_rest -= high * high;
            }
            // Rounding may only make the rest larger, which makes the bound smaller.
            block[REST][lane] = (rest.max(0.0) + ROUNDING * length).sqrt();
            block[LENGTH][lane] = length;
            block[HEIGHT_REST][lane] = height_rest.max(0.0).sqrt();
        }
    }
}

/// What single precision may be off by, as a share of a sum of squares.
const ROUNDING: f32 = 1e-6;

/// Rounds of subspace iteration: any orthonormal directions give a bound, main ones a tight one.
const ROUNDS: usize = 3;

fn main_floor(samples: &[Vec<[f64; 2]>]) -> [Vec<[f64; 2]>; DIRECTIONS] {
    let size = samples.first().map_or(0, Vec::len);
    let pick = |q: usize| samples.get(q * samples.len() / DIRECTIONS).cloned().unwrap_or_default();
    let mut basis: [Vec<[f64; 2]>; DIRECTIONS] = std::array::from_fn(pick);
    for round in 0..=ROUNDS {
        if round > 0 {
            basis = std::array::from_fn(|q| {
                let mut sum = vec![[0.0; 2]; size];
                for a in samples {
                    let [re, im] = along(&basis[q], a);
                    for (sum, a) in sum.iter_mut().zip(a) {
                        // a (Uᴴ a)*: the direction itself turns with neither.
                        sum[0] += a[0] * re + a[1] * im;
                        sum[1] += a[1] * re - a[0] * im;
                    }
                }
                sum
            });
        }
        for q in 0..DIRECTIONS {
            let (before, rest) = basis.split_at_mut(q);
            let own = &mut rest[0];
            // Twice, so that rounding leaves nothing of the earlier ones.
            for _ in 0..2 {
                for other in before.iter() {
                    let [re, im] = along(other, own);
                    for (own, u) in own.iter_mut().zip(other) {
                        own[0] -= u[0] * re - u[1] * im;
                        own[1] -= u[0] * im + u[1] * re;
                    }
                }
            }
            let length = own.iter().map(|a| a[0] * a[0] + a[1] * a[1]).sum::<f64>().sqrt();
            let scale = if length > 1e-9 { 1.0 / length } else { 0.0 };
            own.iter_mut().for_each(|a| *a = [a[0] * scale, a[1] * scale]);
        }
    }
    basis
}

fn main_heights(samples: &[Vec<f64>]) -> [Vec<f64>; DIRECTIONS] {
    // Real vectors are complex ones without an imaginary part.
    let complex: Vec<Vec<[f64; 2]>> = samples.iter().map(|a| a.iter().map(|a| [*a, 0.0]).collect()).collect();
    main_floor(&complex).map(|direction| direction.into_iter().map(|a| a[0]).collect())
}

impl Sketch {
    pub(super) fn new(directions: &Directions, cloud: &Cloud) -> Self {
        let mut windows = empty(cloud.windows);
        let laid = Laid::new(directions, cloud);
        fixed_lanes(Draw { cloud, laid: &laid, windows: &mut windows });
        let count = cloud.windows.div_ceil(GROUP);
        let mut groups = empty(count);
        let mut radius = vec![[0.0; LANES]; groups.len()];
        for group in 0..count {
            let (first, last) = (group * GROUP, (group * GROUP + GROUP).min(cloud.windows));
            let middle = (first + last - 1) / 2;
            for number in 0..NUMBERS {
                groups[group / LANES][number][group % LANES] = windows[middle / LANES][number][middle % LANES];
            }
            let far = (first..last).map(|other| cloud.align(middle, cloud, other).squared).fold(0.0, f64::max);
            radius[group / LANES][group % LANES] = far.sqrt() as f32 * 1.001;
        }
        Self { windows, groups, radius }
    }

    /// Puts the blocks of windows of `other` into `blocks` that may hold one nearer than `limit` (metres) to one of the group that
    /// a window of this cloud is in.
    #[inline(always)]
    pub(super) fn near_blocks<S: Simd>(&self, simd: S, window: usize, other: &Self, limit: f32, blocks: &mut Vec<u32>) {
        blocks.clear();
        let group = window / GROUP;
        let own = Own::<S>::new(simd, &self.groups[group / LANES], group % LANES);
        let reach = simd.splat_f32s(limit + self.radius[group / LANES][group % LANES]);
        let mut over = [0.0; LANES];
        for (k, (theirs, radius)) in other.groups.iter().zip(&other.radius).enumerate() {
            for part in 0..LANES / S::F32_LANES {
                let reach = simd.add_f32s(reach, S::as_simd_f32s(radius).0[part]);
                S::as_mut_simd_f32s(&mut over).0[part] = own.too_far(simd, theirs, part, simd.mul_f32s(reach, reach));
            }
            // A block of windows is a few groups.
            for (n, over) in over.chunks_exact(LANES / GROUP).enumerate() {
                let block = k * GROUP + n;
                if over.iter().any(|over| *over <= 0.0) && block < other.windows.len() {
                    blocks.push(block as u32);
                }
            }
        }
    }

    /// Puts the windows `columns` of `other`, of those in `blocks`, into `near` whose distance to `window` may be `limit` or
    /// less, square metres.
    #[inline(always)]
    pub(super) fn near<S: Simd>(
        &self,
        simd: S,
        window: usize,
        other: &Self,
        (blocks, columns): (&[u32], std::ops::Range<usize>),
        limit: f32,
        near: &mut Vec<u32>,
    ) {
        let own = Own::<S>::new(simd, &self.windows[window / LANES], window % LANES);
        let limit = simd.splat_f32s(limit);
        let mut over = [0.0; LANES];
        for block in blocks {
            let first = *block as usize * LANES;
            if first + LANES <= columns.start || first >= columns.end {
                continue;
            }
            let theirs = &other.windows[*block as usize];
            let mut least = f32::INFINITY;
            for part in 0..LANES / S::F32_LANES {
                let too_far = own.too_far(simd, theirs, part, limit);
                least = least.min(simd.reduce_min_f32s(too_far));
                S::as_mut_simd_f32s(&mut over).0[part] = too_far;
            }
            if least > 0.0 {
                continue;
            }
            for (lane, over) in over.iter().enumerate() {
                if *over <= 0.0 && columns.contains(&(first + lane)) {
                    near.push((first + lane) as u32);
                }
            }
        }
    }
}

/// Blocks for so many sketches; what pads them is infinitely high, so never near.
fn empty(count: usize) -> Vec<Block> {
    let mut block = [[0.0; LANES]; NUMBERS];
    block[HEIGHT_REST] = [1e18; LANES];
    vec![block; count.div_ceil(LANES)]
}

#[inline(always)]
fn load<S: Simd>(numbers: &[f32; LANES], part: usize) -> S::f32s {
    S::as_simd_f32s(numbers).0[part]
}

/// One sketch, to be held against many.
struct Own<S: Simd>([S::f32s; NUMBERS]);

impl<S: Simd> Own<S> {
    #[inline(always)]
    fn new(simd: S, block: &Block, lane: usize) -> Self {
        // A loop, since closures are not compiled for the vector unit.
        let mut own = [simd.splat_f32s(0.0); NUMBERS];
        for number in 0..NUMBERS {
            own[number] = simd.splat_f32s(block[number][lane]);
        }
        own[REST] = simd.mul_f32s(simd.splat_f32s(-2.0), own[REST]);
        Self(own)
    }

    /// Above 0 where the bound exceeds the limit, square metres.
    #[inline(always)]
    fn too_far(&self, simd: S, block: &Block, part: usize, limit: S::f32s) -> S::f32s {
        let (own, zero) = (&self.0, simd.splat_f32s(0.0));
        // What is left of nearly nothing is all rounding, hence the tolerance.
        let apart = simd.abs_f32s(simd.sub_f32s(load::<S>(&block[HEIGHT_REST], part), own[HEIGHT_REST]));
        let apart = simd.max_f32s(simd.sub_f32s(apart, simd.splat_f32s(TOLERANCE)), zero);
        let mut high = simd.mul_f32s(apart, apart);
        for q in 0..DIRECTIONS {
            let apart = simd.sub_f32s(load::<S>(&block[HEIGHT + q], part), own[HEIGHT + q]);
            high = simd.mul_add_e_f32s(apart, apart, high);
        }
        let too_high = simd.sub_f32s(high, limit);
        let (mut re, mut im, mut less) = (zero, zero, zero);
        for q in 0..DIRECTIONS {
            let (theirs_re, theirs_im) = (load::<S>(&block[RE + q], part), load::<S>(&block[IM + q], part));
            re = simd.mul_add_e_f32s(own[RE + q], theirs_re, re);
            im = simd.mul_add_e_f32s(own[IM + q], theirs_re, im);
            re = simd.mul_add_e_f32s(own[IM + q], theirs_im, re);
            less = simd.mul_add_e_f32s(own[RE + q], theirs_im, less);
        }
        let im = simd.sub_f32s(im, less);
        let turned = simd.mul_add_e_f32s(re, re, simd.mul_f32s(im, im));
        // |a|² + |b|² - 2 ra rb + heights - limit <= 2 |α·β*|, squared.
        let both = simd.add_f32s(own[LENGTH], load::<S>(&block[LENGTH], part));
        let left = simd.add_f32s(simd.mul_add_e_f32s(own[REST], load::<S>(&block[REST], part), both), too_high);
        let left = simd.max_f32s(left, zero);
        let too_far = simd.mul_add_e_f32s(left, left, simd.mul_f32s(simd.splat_f32s(-4.0), turned));
        simd.max_f32s(too_far, too_high)
    }
}

/// Metres that the length of what is left of heights may be off by; for bodies of any size, as their weights sum to 1 and
/// heights are taken from those at rest.
const TOLERANCE: f32 = 1e-4;
