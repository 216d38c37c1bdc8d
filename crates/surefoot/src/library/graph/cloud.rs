//! Clouds: the frames of a clip as the frame distance sees them.
//!
//! The distance of two windows of 2H+1 frames is the weighted mean square distance of body points after the floor motion
//! (a shift and a turn about up) that brings the windows nearest to each other, square metres. Floor points are complex
//! numbers c = z + i x, so that turning left by ψ is multiplying by e^{iψ}. With points centred on each frame's own floor
//! centre, what two windows share is a sum over frame pairs (`P`, `Y`) and a short term for the centres' paths; the turn that
//! is best is the argument of the sum:
//!
//! ```text
//! C + iS = Σ_d P(i+d, j+d) + Σ sway_i conj(sway_j)        P = Σ_k u_k conj(u'_k)      Y = Σ_k v_k v'_k
//! D = E_i + E_j - 2 Σ_d Y(i+d, j+d) - 2 |C + iS|
//! ```

use super::points::BodyPoints;
use crate::math::{double, quat};
use crate::motion::Clip;
use crate::rig::{ModelPose, Pose, Skeleton};
use glam::DVec2;

/// Numbers that are worked on at once; every row is padded to a multiple of it with zeros.
pub(super) const LANES: usize = 8;

/// The frames of one clip, ready to be compared with those of another of the same body.
///
/// A *window* is named by its first frame; there are 2H fewer of them than frames.
#[derive(Clone, Debug)]
pub struct Cloud {
    /// H: frames either side of a window's middle.
    pub(super) half: usize,
    pub(super) windows: usize,
    /// Points of a frame.
    pub(super) points: usize,
    /// Where x begins in a row of `plane`.
    pub(super) x_at: usize,
    /// Numbers of a row of `plane` and `turned`.
    pub(super) plane_stride: usize,
    /// Numbers of a row of `heights`.
    pub(super) height_stride: usize,
    /// Numbers of a row of `sway` and `sway_turned`.
    pub(super) sway_stride: usize,
    /// Per frame: z of every point, then x of every point, about the frame's floor centre, times √weight.
    pub(super) plane: Vec<f32>,
    /// Per frame: x of every point, then -z.
    pub(super) turned: Vec<f32>,
    /// Per frame: height over that at rest, times √weight.
    pub(super) heights: Vec<f32>,
    /// Per window: the path of the floor centre about its mean, in 2H orthonormal parts: z, then x.
    pub(super) sway: Vec<f32>,
    /// Per window: x, then -z.
    pub(super) sway_turned: Vec<f32>,
    /// Per window: E, square metres.
    pub(super) energy: Vec<f32>,
    /// Per window: the mean of the floor centres, (z, x), metres.
    pub(super) centre: Vec<DVec2>,
}

/// How two windows lie best on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    /// Weighted mean square distance, square metres, at least 0.
    pub squared: f64,
    /// Turn of the second window, radians, left positive.
    pub turn: f64,
    /// Shift of the second window after turning it about the origin, (x, z), metres.
    pub shift: DVec2,
}

impl Cloud {
    /// Looks at the points of every frame, in windows of `half` frames either side. A clip of no more than 2 `half` frames
    /// has no windows.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn new(skeleton: &Skeleton, points: &BodyPoints, half: usize, clip: &Clip) -> Self {
        assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let (frames, count, width) = (clip.frames(), points.len(), 2 * half + 1);
        let windows = frames.saturating_sub(2 * half);
        let padded = |n: usize| n.next_multiple_of(LANES);
        let (plane_stride, height_stride, sway_stride) = (2 * padded(count), padded(count), padded(4 * half));
        let x_at = padded(count);
        let mut plane = vec![0.0; frames * plane_stride];
        let mut turned = vec![0.0; frames * plane_stride];
        let mut heights = vec![0.0; frames * height_stride];
        // Floor centres (z, x) and what each frame adds to E; in f64, because roots may be far from the origin.
        let mut centres = Vec::with_capacity(frames);
        let mut energies = Vec::with_capacity(frames);
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        let mut floor = vec![DVec2::ZERO; count];
        for frame in 0..frames {
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(skeleton, &mut model);
            let root = clip.roots()[frame];
            let (sin, cos) = double::sin_cos(f64::from(quat::heading(root.rotation).unwrap_or(0.0)));
            let mut mean = DVec2::ZERO;
            let mut energy = 0.0;
            for (k, point) in points.points.iter().enumerate() {
                let at = model[point.joint].transform_point(point.offset);
                let (z, x) = (f64::from(at.z), f64::from(at.x));
                floor[k] = DVec2::new(z * cos - x * sin, x * cos + z * sin);
                mean += point.weight * floor[k];
                let scale = (point.weight / width as f64).sqrt();
                let height = scale * (f64::from(at.y) + f64::from(root.translation.y) - point.height);
                heights[frame * height_stride + k] = height as f32;
                energy += height * height;
            }
            for (k, point) in points.points.iter().enumerate() {
                let u = (point.weight / width as f64).sqrt() * (floor[k] - mean);
                let row = frame * plane_stride;
                (plane[row + k], plane[row + x_at + k]) = (u.x as f32, u.y as f32);
                (turned[row + k], turned[row + x_at + k]) = (u.y as f32, -u.x as f32);
                energy += u.length_squared();
            }
            centres.push(mean + DVec2::new(f64::from(root.translation.z), f64::from(root.translation.x)));
            energies.push(energy);
        }
        let mut cloud = Self {
            half,
            windows,
            points: count,
            x_at,
            plane_stride,
            height_stride,
            sway_stride,
            plane,
            turned,
            heights,
            sway: vec![0.0; windows * sway_stride],
            sway_turned: vec![0.0; windows * sway_stride],
            energy: Vec::with_capacity(windows),
            centre: Vec::with_capacity(windows),
        };
        for window in 0..windows {
            cloud.add_window(window, &centres[window..window + width], &energies[window..window + width]);
        }
        cloud
    }

    fn add_window(&mut self, window: usize, centres: &[DVec2], energies: &[f64]) {
        let (width, parts) = (centres.len(), centres.len() - 1);
        let mean = centres.iter().sum::<DVec2>() / width as f64;
        let row = window * self.sway_stride;
        let mut energy: f64 = energies.iter().sum();
        // Helmert's basis of what has mean 0: part r compares centre r with the mean of those before it.
        let mut sum = centres[0] - mean;
        for r in 1..width {
            let own = centres[r] - mean;
            let part = (sum - r as f64 * own) / ((r * (r + 1)) as f64 * width as f64).sqrt();
            sum += own;
            let k = row + r - 1;
            (self.sway[k], self.sway[k + parts]) = (part.x as f32, part.y as f32);
            (self.sway_turned[k], self.sway_turned[k + parts]) = (part.y as f32, -part.x as f32);
            energy += part.length_squared();
        }
        self.energy.push(energy as f32);
        self.centre.push(mean);
    }

    /// How many windows there are.
    #[must_use]
    pub fn windows(&self) -> usize {
        self.windows
    }

    /// The distance of two windows (by their first frames) and how they lie on each other, in double precision.
    ///
    /// # Panics
    /// If there is no such window.
    #[must_use]
    pub fn align(&self, window: usize, other: &Self, at: usize) -> Alignment {
        // Products of a row with another, and of the row turned by a right angle: z by z, then x by x.
        let dots = |a: &[f32], b: &[f32], pairs: usize, x_at: usize| {
            let (az, ax, bz, bx) = (&a[..pairs], &a[x_at..x_at + pairs], &b[..pairs], &b[x_at..x_at + pairs]);
            let (mut c, mut s) = (0.0, 0.0);
            for ((az, ax), bz) in az.iter().zip(ax).zip(bz) {
                c += f64::from(*az) * f64::from(*bz);
                s += f64::from(*ax) * f64::from(*bz);
            }
            for ((az, ax), bx) in az.iter().zip(ax).zip(bx) {
                c += f64::from(*ax) * f64::from(*bx);
                s -= f64::from(*az) * f64::from(*bx);
            }
            (c, s)
        };
        let (mut c, mut s) = dots(self.sway_row(window), other.sway_row(at), 2 * self.half, 2 * self.half);
        for d in 0..=2 * self.half {
            let (row_c, row_s) = dots(self.plane_row(window + d), other.plane_row(at + d), self.points, self.x_at);
            c += row_c;
            s += row_s;
        }
        let turn = if c * c + s * s < 1e-12 { 0.0 } else { double::atan2(s, c) };
        // Differences after turning, summed directly: no digits are lost where windows are nearly alike.
        let (sin, cos) = double::sin_cos(turn);
        let mut squared = 0.0;
        let mut apart = |a: &[f32], b: &[f32], pairs: usize, x_at: usize| {
            let (az, ax, bz, bx) = (&a[..pairs], &a[x_at..x_at + pairs], &b[..pairs], &b[x_at..x_at + pairs]);
            for k in 0..pairs {
                let (az, ax) = (f64::from(az[k]), f64::from(ax[k]));
                let (bz, bx) = (f64::from(bz[k]), f64::from(bx[k]));
                let (dz, dx) = (az - (bz * cos - bx * sin), ax - (bx * cos + bz * sin));
                squared += dz * dz + dx * dx;
            }
        };
        apart(self.sway_row(window), other.sway_row(at), 2 * self.half, 2 * self.half);
        for d in 0..=2 * self.half {
            apart(self.plane_row(window + d), other.plane_row(at + d), self.points, self.x_at);
        }
        for d in 0..=2 * self.half {
            for (a, b) in self.height_row(window + d)[..self.points].iter().zip(other.height_row(at + d)) {
                squared += (f64::from(*a) - f64::from(*b)).powi(2);
            }
        }
        let (a, b) = (self.centre[window], other.centre[at]);
        let moved = DVec2::new(b.x * cos - b.y * sin, b.y * cos + b.x * sin);
        Alignment { squared, turn, shift: DVec2::new(a.y - moved.y, a.x - moved.x) }
    }

    #[inline(always)]
    pub(super) fn plane_row(&self, frame: usize) -> &[f32] {
        &self.plane[frame * self.plane_stride..(frame + 1) * self.plane_stride]
    }

    #[inline(always)]
    pub(super) fn turned_row(&self, frame: usize) -> &[f32] {
        &self.turned[frame * self.plane_stride..(frame + 1) * self.plane_stride]
    }

    #[inline(always)]
    pub(super) fn height_row(&self, frame: usize) -> &[f32] {
        &self.heights[frame * self.height_stride..(frame + 1) * self.height_stride]
    }

    #[inline(always)]
    pub(super) fn sway_row(&self, window: usize) -> &[f32] {
        &self.sway[window * self.sway_stride..(window + 1) * self.sway_stride]
    }

    #[inline(always)]
    pub(super) fn sway_turned_row(&self, window: usize) -> &[f32] {
        &self.sway_turned[window * self.sway_stride..(window + 1) * self.sway_stride]
    }
}
