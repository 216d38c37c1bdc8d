//! Sampling: the pose of a clip at any time, and at another rate.

use super::Clip;
use crate::math::Rigid;
use crate::rig::Pose;

/// Two frames and the share of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Between {
    first: usize,
    second: usize,
    share: f32,
    /// The second frame lies one cycle on.
    wraps: bool,
}

impl Clip {
    /// The pose at time `t` (seconds) into `pose`, interpolated between the two nearest frames. Allocates nothing.
    ///
    /// Before the start and after the end the first and last frames stand; a cyclic clip repeats, its root always in
    /// the first cycle (use [`root_change`](Self::root_change) to travel on). NaN counts as 0.
    ///
    /// # Panics
    /// If `pose` was made for another number of joints.
    pub fn sample(&self, t: f32, pose: &mut Pose) {
        let at = self.between(f64::from(t));
        pose.root = self.root_between(at);
        assert_eq!(pose.locals.len(), self.joints(), "a pose for another number of joints");
        let (first, second) = (self.frame(at.first), self.frame(at.second));
        for ((out, a), b) in pose.locals.iter_mut().zip(first).zip(second) {
            *out = a.lerp(*b, at.share);
        }
    }

    /// Some joints at time `t` (seconds) in place of what is in `locals`, and the root: as [`sample`](Self::sample) gives them.
    pub(crate) fn sample_some(&self, t: f32, joints: &[usize], locals: &mut Vec<Rigid>) -> Rigid {
        let at = self.between(f64::from(t));
        let (first, second) = (self.frame(at.first), self.frame(at.second));
        locals.clear();
        locals.extend(joints.iter().map(|joint| first[*joint].lerp(second[*joint], at.share)));
        self.root_between(at)
    }

    /// `world_from_model` at time `t` (seconds), as [`sample`](Self::sample) gives it.
    #[must_use]
    pub fn root_at(&self, t: f32) -> Rigid {
        self.root_between(self.between(f64::from(t)))
    }

    /// How the root moves from time `from` to time `to` (seconds, either order), in the frame it had at `from`.
    ///
    /// Exact over any number of cycles: changes over adjoining spans compose to the change over the whole.
    #[must_use]
    pub fn root_change(&self, from: f32, to: f32) -> Rigid {
        self.unrolled_root(from).inverse() * self.unrolled_root(to)
    }

    /// The same motion at `rate` Hz (frames per second). Frames that fall on old ones keep their bits.
    ///
    /// A clip that plays once keeps its first frame and ends at most one new frame before its old end; a cyclic one
    /// keeps its duration as nearly as whole frames allow.
    ///
    /// # Panics
    /// If `rate` is not from 0.001 to 100 000 Hz.
    #[must_use]
    pub fn resampled(&self, rate: f32) -> Self {
        let places = self.resampled_places(rate);
        let mut roots = Vec::with_capacity(places.len());
        let mut locals = Vec::with_capacity(places.len() * self.joints());
        for at in places {
            let (first, second) = (self.frame(at.first), self.frame(at.second));
            if at.share == 0.0 {
                roots.push(self.roots()[at.first]);
                locals.extend_from_slice(first);
            } else {
                roots.push(self.root_between(at));
                locals.extend(first.iter().zip(second).map(|(a, b)| a.lerp(*b, at.share)));
            }
        }
        self.with_frames(rate, roots, locals)
    }

    /// Where the frames of another rate (Hz) lie between those of this.
    fn resampled_places(&self, rate: f32) -> impl ExactSizeIterator<Item = Between> {
        assert!((1e-3..=1e5).contains(&rate), "a rate of {rate} Hz");
        // In f64: at 120 Hz an f32 clock is off by a hundredth of a frame after an hour.
        let ratio = f64::from(self.rate()) / f64::from(rate);
        let (count, step) = if self.cycle().is_some() {
            let count = ((self.frames() as f64 / ratio).round() as usize).max(1);
            (count, self.frames() as f64 / count as f64)
        } else {
            // Snapped, so that the rounding of rates such as 23.976 does not cost the last frame.
            (snapped((self.frames() - 1) as f64 / ratio).floor() as usize + 1, ratio)
        };
        (0..count).map(move |index| self.between_frames(index as f64 * step))
    }

    /// The same motion at a lower `rate` (Hz), without what is quicker than a frame of it: each frame is half itself, the rest
    /// what comes half a new frame before it and after it.
    ///
    /// # Panics
    /// As [`resampled`](Self::resampled).
    #[must_use]
    pub(crate) fn softened(&self, rate: f32) -> Self {
        let reach = f64::from(0.5 / rate) * f64::from(self.rate());
        let mut soft = self.clone();
        // Only frames that are looked at.
        let mut asked = vec![false; self.frames()];
        for at in self.resampled_places(rate) {
            asked[at.first] = true;
            asked[at.second] |= at.share != 0.0;
        }
        for frame in (0..self.frames()).filter(|frame| asked[*frame]) {
            let last = (self.frames() - 1) as f64;
            // As far as there is something on both sides, so that nothing lags.
            let reach = if self.cycle().is_some() { reach } else { reach.min(frame as f64).min(last - frame as f64) };
            let [before, after] = [-reach, reach].map(|by| self.between_frames(frame as f64 + by));
            let around = self.root_between(before).lerp(self.root_between(after), 0.5);
            soft.roots_mut()[frame] = around.lerp(self.roots()[frame], 0.5);
            let at = |between: Between, joint: usize| {
                self.frame(between.first)[joint].lerp(self.frame(between.second)[joint], between.share)
            };
            for joint in 0..self.joints() {
                let around = at(before, joint).lerp(at(after, joint), 0.5);
                soft.frame_mut(frame)[joint] = around.lerp(self.frame(frame)[joint], 0.5);
            }
        }
        soft.resampled(rate)
    }

    fn between(&self, t: f64) -> Between {
        self.between_frames(t * f64::from(self.rate()))
    }

    fn between_frames(&self, at: f64) -> Between {
        let count = self.frames();
        let at = if at.is_nan() { 0.0 } else { at };
        let cyclic = self.cycle().is_some();
        let at = if cyclic { at.rem_euclid(count as f64) } else { at.clamp(0.0, (count - 1) as f64) };
        let at = snapped(at);
        // Snapping may lead to the end of a cycle, which is its start.
        let at = if cyclic && at >= count as f64 { 0.0 } else { at };
        let first = (at as usize).min(count - 1);
        let wraps = cyclic && first + 1 == count;
        let second = if wraps { 0 } else { (first + 1).min(count - 1) };
        Between { first, second, share: (at - first as f64) as f32, wraps }
    }

    fn root_between(&self, at: Between) -> Rigid {
        let roots = self.roots();
        let second = match self.cycle() {
            // One cycle on: the start moved by the cycle's change.
            Some(cycle) if at.wraps => roots[0] * cycle,
            _ => roots[at.second],
        };
        roots[at.first].lerp(second, at.share)
    }

    /// The root at any time with the cycles before it counted in.
    fn unrolled_root(&self, t: f32) -> Rigid {
        let Some(cycle) = self.cycle() else { return self.root_at(t) };
        // Turns and what is left of them come from one number: rounding must not put a time into two cycles at once.
        let count = self.frames() as f64;
        let at = snapped(if t.is_nan() { 0.0 } else { f64::from(t) * f64::from(self.rate()) });
        let turns = (at / count).floor();
        // cycle^turns by squaring; within the first cycle this is the identity.
        let mut base = if turns < 0.0 { cycle.inverse() } else { cycle };
        let mut left = turns.abs() as u64;
        let mut advance = Rigid::IDENTITY;
        while left > 0 {
            if left & 1 == 1 {
                advance = advance * base;
            }
            base = base * base;
            left >>= 1;
        }
        let start = self.roots()[0];
        start * advance * start.inverse() * self.root_between(self.between_frames(at - turns * count))
    }
}

/// The nearest whole frame if it is within a hundred-thousandth; so rates that divide each other keep their bits,
/// and times that f32 rounded still mean the frames they came from.
fn snapped(frame: f64) -> f64 {
    // A whole number is next to it, or it is far from all that matter; quicker than rounding, which is a call on many processors.
    let near = (frame + 0.5_f64.copysign(frame)) as i64 as f64;
    if (frame - near).abs() < 1e-5_f64.max(near.abs() * 1e-7) { near } else { frame }
}

#[cfg(test)]
mod tests {
    use super::super::clip::tests::{curve, walker};
    use super::*;
    use crate::math::quat;
    use glam::{Quat, Vec3A};

    #[test]
    fn frames_come_back_and_times_outside_hold_the_ends() {
        let skeleton = walker();
        let clip = curve(&skeleton, 20);
        let mut pose = Pose::rest(&skeleton);
        for frame in [0, 7, 19] {
            clip.sample(frame as f32 / 60.0, &mut pose);
            assert_eq!(pose.locals, clip.frame(frame), "frame {frame}");
        }
        for (t, frame) in [(-5.0, 0), (99.0, 19), (f32::NAN, 0), (f32::INFINITY, 19), (f32::NEG_INFINITY, 0)] {
            clip.sample(t, &mut pose);
            assert_eq!(pose.locals, clip.frame(frame), "t = {t}");
        }
    }

    #[test]
    fn some_joints_are_as_in_the_whole_pose() {
        let skeleton = walker();
        let clip = curve(&skeleton, 20);
        let (mut pose, mut some) = (Pose::rest(&skeleton), Vec::new());
        for t in [0.0, 0.05, 0.1234, 9.0] {
            clip.sample(t, &mut pose);
            assert_eq!(
                (clip.sample_some(t, &[1, 0], &mut some), &some[..]),
                (pose.root, &[pose.locals[1], pose.locals[0]][..])
            );
        }
    }

    #[test]
    fn between_frames_the_pose_lies_between() {
        let skeleton = walker();
        let clip = curve(&skeleton, 20);
        let mut pose = Pose::rest(&skeleton);
        clip.sample(3.25 / 60.0, &mut pose);
        let expected = clip.frame(3)[1].rotation.slerp(clip.frame(4)[1].rotation, 0.25);
        assert!(quat::angle_between(pose.locals[1].rotation, expected) < 1e-5, "a quarter of the way");
        assert!(pose.locals.iter().all(|l| (l.rotation.length() - 1.0).abs() < 1e-5), "still rotations");
    }

    #[test]
    fn one_frame_is_a_clip() {
        let skeleton = walker();
        let clip = curve(&skeleton, 1);
        let mut pose = Pose::rest(&skeleton);
        clip.sample(0.4, &mut pose);
        assert_eq!((pose.locals.as_slice(), clip.duration()), (clip.frame(0), 0.0));
        assert_eq!(clip.resampled(30.0).frames(), 1);
        assert_eq!(clip.with_cycle(Some(Rigid::IDENTITY)).resampled(30.0).frames(), 1);
    }

    #[test]
    fn resampling_to_a_divisor_keeps_the_bits_and_back_and_forth_keeps_the_motion() {
        let clip = curve(&walker(), 121);
        let half = clip.resampled(30.0);
        assert_eq!(half.frames(), 61);
        assert!((0..61).all(|i| half.frame(i) == clip.frame(2 * i)), "every second frame");
        // Five times a broken rate: steps of a fifth that f64 cannot hold still land on the old frames.
        let locals = (0..121).flat_map(|f| clip.frame(f).to_vec()).collect();
        let film = Clip::new(&walker(), "", 23.976, locals).unwrap();
        let fine = film.resampled(119.88);
        assert!((0..121).all(|i| fine.frame(5 * i) == film.frame(i)), "every fifth frame is an old one");
        let odd = clip.resampled(47.0);
        assert_eq!(odd.frames(), 95, "2 s at 47 Hz");
        let mut pose = Pose::rest(&walker());
        odd.sample(1.0, &mut pose);
        let off = (pose.locals[0].translation - clip.frame(60)[0].translation).length();
        assert!(off < 2e-4, "{off} m");
    }

    #[test]
    fn a_cyclic_clip_joins_its_end_to_its_start_and_travels_on() {
        let skeleton = walker();
        let step = Rigid::new(Quat::from_rotation_y(0.3), Vec3A::new(0.0, 0.0, 1.2));
        let mut clip = curve(&skeleton, 30).with_cycle(Some(step));
        for (i, root) in clip.roots_mut().iter_mut().enumerate() {
            *root = Rigid::IDENTITY.lerp(step, i as f32 / 30.0);
        }
        assert_eq!(clip.duration(), 0.5);
        // Half way from the last frame to the first again.
        let root = clip.root_at(29.5 / 60.0);
        assert!((root.translation - Rigid::IDENTITY.lerp(step, 29.5 / 30.0).translation).length() < 1e-2, "{root:?}");
        // Ten cycles and a bit, in one go and in pieces.
        let whole = clip.root_change(0.1, 5.3);
        let pieces =
            (0..52).map(|i| 0.1 + 0.1 * i as f32).fold(Rigid::IDENTITY, |sum, t| sum * clip.root_change(t, t + 0.1));
        assert!((whole.translation - pieces.translation).length() < 1e-3, "{whole:?} {pieces:?}");
        assert!(quat::angle_between(whole.rotation, pieces.rotation) < 1e-3, "{whole:?} {pieces:?}");
        let there_and_back = clip.root_change(0.2, -3.0) * clip.root_change(-3.0, 0.2);
        assert!(there_and_back.translation.length() < 1e-4, "{there_and_back:?}");
        // Every whole number of cycles, whatever the rate: no cycle is lost or counted twice.
        for (frames, rate) in [(7, 24.0), (5, 29.97), (31, 60.0)] {
            let walk = curve(&skeleton, frames);
            let locals: Vec<Rigid> = (0..frames).flat_map(|f| walk.frame(f).to_vec()).collect();
            let walk = Clip::new(&skeleton, "", rate, locals).unwrap();
            let walk = walk.with_cycle(Some(Rigid::from_translation(Vec3A::Z)));
            for cycles in 0..2000 {
                let t = (f64::from(cycles) * frames as f64 / f64::from(rate)) as f32;
                let gone = walk.root_change(0.0, t).translation.z;
                assert!((gone - cycles as f32).abs() < 1e-2, "{cycles} cycles of {frames} frames at {rate} Hz: {gone}");
            }
        }
        assert_eq!(clip.resampled(120.0).frames(), 60);
        assert_eq!(clip.resampled(60.0).roots(), clip.roots());
    }
}
