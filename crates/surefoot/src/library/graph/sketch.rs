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

/// The sketches of a cloud's windows, number by number: each a row of windows, padded.
pub(super) struct Sketch {
    re: [Vec<f32>; DIRECTIONS],
    im: [Vec<f32>; DIRECTIONS],
    rest: Vec<f32>,
    length: Vec<f32>,
    heights: [Vec<f32>; DIRECTIONS],
    height_rest: Vec<f32>,
}

/// A window's floor points and centre path as one complex vector.
fn floor_vector(cloud: &Cloud, window: usize, out: &mut Vec<[f64; 2]>) {
    out.clear();
    let pairs = |row: &[f32], count: usize, out: &mut Vec<[f64; 2]>| {
        out.extend((0..count).map(|k| [f64::from(row[k]), f64::from(row[k + count])]));
    };
    for d in 0..=2 * cloud.half {
        pairs(cloud.plane_row(window + d), cloud.points, out);
    }
    pairs(cloud.sway_row(window), 2 * cloud.half, out);
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
        let row = || Vec::with_capacity(cloud.windows.next_multiple_of(LANES));
        let rows = || std::array::from_fn(|_| row());
        let mut sketch =
            Self { re: rows(), im: rows(), rest: row(), length: row(), heights: rows(), height_rest: row() };
        let (mut a, mut h) = (Vec::new(), Vec::new());
        for window in 0..cloud.windows {
            floor_vector(cloud, window, &mut a);
            height_vector(cloud, window, &directions.mean_heights, &mut h);
            let length: f64 = a.iter().map(|a| a[0] * a[0] + a[1] * a[1]).sum();
            let mut rest = length;
            let mut height_rest: f64 = h.iter().map(|h| h * h).sum();
            for q in 0..DIRECTIONS {
                let [re, im] = along(&directions.floor[q], &a);
                let height = height_along(&directions.heights[q], &h);
                sketch.re[q].push(re as f32);
                sketch.im[q].push(im as f32);
                sketch.heights[q].push(height as f32);
                rest -= re * re + im * im;
                height_rest -= height * height;
            }
            sketch.rest.push(rest.max(0.0).sqrt() as f32);
            sketch.length.push(length as f32);
            sketch.height_rest.push(height_rest.max(0.0).sqrt() as f32);
        }
        let full = cloud.windows.next_multiple_of(LANES);
        let all = sketch.re.iter_mut().chain(&mut sketch.im).chain(&mut sketch.heights);
        // What pads a row is infinitely high, so never near.
        all.chain([&mut sketch.rest, &mut sketch.length]).for_each(|row| row.resize(full, 0.0));
        sketch.height_rest.resize(full, 1e18);
        sketch
    }

    /// Puts the windows of `other` from `columns` (whole lanes) into `near` whose distance to `window` may be `limit` or less,
    /// square metres.
    #[inline(always)]
    pub(super) fn near(
        &self,
        window: usize,
        other: &Self,
        columns: std::ops::Range<usize>,
        limit: f32,
        near: &mut Vec<u32>,
    ) {
        let lanes = |row: &[f32], at: usize| -> [f32; LANES] {
            let mut out = [0.0; LANES];
            out.copy_from_slice(&row[at..at + LANES]);
            out
        };
        let own: [[f32; 3]; DIRECTIONS] =
            std::array::from_fn(|q| [self.re[q][window], self.im[q][window], self.heights[q][window]]);
        let (rest, length, height_rest) = (2.0 * self.rest[window], self.length[window], self.height_rest[window]);
        for at in columns.step_by(LANES) {
            let mut high: [f32; LANES] = lanes(&other.height_rest, at).map(|h| (h - height_rest) * (h - height_rest));
            for q in 0..DIRECTIONS {
                let theirs = lanes(&other.heights[q], at);
                for lane in 0..LANES {
                    high[lane] += (theirs[lane] - own[q][2]) * (theirs[lane] - own[q][2]);
                }
            }
            if high.iter().all(|high| *high > limit) {
                continue;
            }
            let (mut re, mut im) = ([0.0_f32; LANES], [0.0_f32; LANES]);
            for q in 0..DIRECTIONS {
                let (theirs_re, theirs_im) = (lanes(&other.re[q], at), lanes(&other.im[q], at));
                for lane in 0..LANES {
                    re[lane] += own[q][0] * theirs_re[lane] + own[q][1] * theirs_im[lane];
                    im[lane] += own[q][1] * theirs_re[lane] - own[q][0] * theirs_im[lane];
                }
            }
            let (theirs_rest, theirs_length) = (lanes(&other.rest, at), lanes(&other.length, at));
            let mut far = [false; LANES];
            for lane in 0..LANES {
                let over = length + theirs_length[lane] - rest * theirs_rest[lane] + high[lane] - limit;
                let turned = 4.0 * (re[lane] * re[lane] + im[lane] * im[lane]);
                far[lane] = high[lane] > limit || (over > 0.0 && over * over > turned);
            }
            for (lane, far) in far.iter().enumerate() {
                if !far {
                    near.push((at + lane) as u32);
                }
            }
        }
    }
}
