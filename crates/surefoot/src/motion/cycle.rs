//! Cycles: clips that meet their start, told, closed and unrolled.

use super::Clip;
use crate::math::{FloorPose, Rigid};
use crate::rig::{ModelPose, Pose, Skeleton};
use glam::{Vec2, Vec3A};

/// How a clip meets its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// The last frame is the first again.
    Closed,
    /// The last frame is one step before the first.
    Open,
}

/// A last frame that is off the first by less than this share of a usual step is the first again.
const SAME: f32 = 0.25;
/// From the last frame to the first it may be this many usual steps: clips that do not meet their start are four steps
/// off and more.
const STEP: f32 = 2.0;
/// The same for clips that travel: a captured stride that comes near its start by chance is no cycle.
const STRIDE: f32 = 1.2;

/// A clip that travels rests where it is slower than this share of its mean speed.
const RESTS: f32 = 0.1;

impl Clip {
    /// Whether the clip meets its start, its travel over the floor aside: with its last frame, or one step later.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn find_loop(&self, skeleton: &Skeleton) -> Option<Loop> {
        let frames = self.frames();
        if frames < 6 {
            return None;
        }
        let first = self.shape(skeleton, 0);
        let apart = |a: &[Vec3A], b: &[Vec3A]| {
            (a.iter().zip(b).map(|(a, b)| (*a - *b).length_squared()).sum::<f32>() / a.len() as f32).sqrt()
        };
        let mut steps: Vec<f32> = Vec::with_capacity(frames - 1);
        let mut previous = first.clone();
        for f in 1..frames {
            let now = self.shape(skeleton, f);
            steps.push(apart(&previous, &now));
            previous = now;
        }
        steps.sort_by(f32::total_cmp);
        let usual = steps[steps.len() / 2];
        let gap = apart(&previous, &first);
        let place = |f: usize| self.body(skeleton, f).translation.with_y(0.0);
        let far = (place(frames - 1) - place(0)).length();
        let travels = far > 0.1 * skeleton.height();
        let few = (frames / 8).clamp(1, 5);
        let rests = |from: usize| (place(from + few) - place(from)).length() < RESTS * far * few as f32 / frames as f32;
        if travels && rests(0) && rests(frames - 1 - few) {
            // From standing to standing: it would stop and start in every round.
            return None;
        }
        if usual < 1e-7 {
            // Nothing moves: any frame is the first again.
            return (gap < 1e-6).then_some(Loop::Closed);
        }
        if gap < SAME * usual {
            return Some(Loop::Closed);
        }
        (gap < if travels { STRIDE } else { STEP } * usual).then_some(Loop::Open)
    }

    /// The clip as a cycle, if it meets its start: a closing frame that repeats the first is dropped. A clip that travels
    /// gets its travel on the root.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn looped(&self, skeleton: &Skeleton) -> Option<Self> {
        if self.cycle().is_some() {
            return Some(self.clone());
        }
        let found = self.find_loop(skeleton)?;
        let mut clip = self.clone();
        let place = |f: usize| self.body(skeleton, f).translation;
        let travel = place(self.frames() - 1) - place(0);
        let size = skeleton.height();
        if Vec3A::new(travel.x, 0.0, travel.z).length() > 0.1 * size || self.net_turn(skeleton).abs() > 0.2 {
            clip.extract_root(skeleton);
        }
        let last = clip.frames() - 1;
        let roots = clip.roots();
        let whole = roots[0].inverse() * roots[last];
        let step = |f: usize| roots[f].inverse() * roots[f + 1];
        let cycle = match found {
            Loop::Closed => whole,
            Loop::Open => whole * step(last - 1).lerp(step(0), 0.5),
        };
        let end = if found == Loop::Closed { last } else { last + 1 };
        let course = self.course().and_then(|course| course.get(..end)).map(<[Vec2]>::to_vec);
        Some(clip.trimmed(0..end).with_cycle(Some(cycle)).with_course(course))
    }

    /// A cyclic clip played several times, one after the other, as a clip that plays once; others are given back as they
    /// are.
    #[must_use]
    pub fn unrolled(&self, times: usize) -> Self {
        let Some(cycle) = self.cycle() else { return self.clone() };
        let start = self.roots()[0];
        let world_cycle = start * cycle * start.inverse();
        let mut turn = Rigid::IDENTITY;
        let (mut roots, mut locals) = (Vec::new(), Vec::new());
        for _ in 0..times.max(1) {
            for f in 0..self.frames() {
                roots.push(turn * self.roots()[f]);
                locals.extend_from_slice(self.frame(f));
            }
            turn = turn * world_cycle;
        }
        self.with_frames(self.rate(), roots, locals).with_cycle(None)
    }

    /// Where every joint is in a frame, in the body's own place and heading on the floor, metres.
    fn shape(&self, skeleton: &Skeleton, frame: usize) -> Vec<Vec3A> {
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        pose.locals.copy_from_slice(self.frame(frame));
        pose.to_model(skeleton, &mut model);
        let body = self.body(skeleton, frame);
        let below = FloorPose::below(body).map_or(Rigid::IDENTITY, FloorPose::to_rigid);
        let own = below.inverse() * self.roots()[frame];
        model.joints.iter().map(|joint| own.transform_point(joint.translation)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::clip::tests::walker;
    use super::*;
    use glam::Quat;

    /// Legs that swing once in `period` frames, hips that go `stride` metres meanwhile.
    fn swing(skeleton: &Skeleton, frames: usize, period: usize, stride: f32) -> Clip {
        let mut locals = Vec::new();
        for f in 0..frames {
            let x = f as f32 / period as f32;
            let mut pose = skeleton.rest().to_vec();
            pose[0].translation.z += stride * x;
            pose[0].translation.y += 0.02 * (2.0 * std::f32::consts::TAU * x).sin();
            pose[0].rotation = Quat::from_rotation_z(0.05 * (std::f32::consts::TAU * x).sin());
            pose[1].translation.x += 0.05 * (std::f32::consts::TAU * x).cos();
            locals.extend(pose);
        }
        Clip::new(skeleton, "swing", 30.0, locals).unwrap()
    }

    #[test]
    fn loops_are_told_closed_and_open_or_not_at_all() {
        let skeleton = walker();
        for stride in [0.0, 1.5] {
            assert_eq!(swing(&skeleton, 31, 30, stride).find_loop(&skeleton), Some(Loop::Closed), "{stride}");
            assert_eq!(swing(&skeleton, 30, 30, stride).find_loop(&skeleton), Some(Loop::Open), "{stride}");
            assert_eq!(swing(&skeleton, 25, 30, stride).find_loop(&skeleton), None, "{stride}");
            assert_eq!(swing(&skeleton, 36, 30, stride).find_loop(&skeleton), None, "{stride}");
        }
        assert_eq!(swing(&skeleton, 3, 30, 0.0).find_loop(&skeleton), None, "too short to tell");
    }

    #[test]
    fn a_walk_from_standing_to_standing_is_no_cycle() {
        let skeleton = walker();
        let even = swing(&skeleton, 121, 30, 1.5);
        assert_eq!(even.find_loop(&skeleton), Some(Loop::Closed));
        // The same frames, slowly at both ends.
        let ease = |f: usize| 120.0 * crate::math::smoothstep(f as f32 / 240.0);
        let mut pose = Pose::rest(&skeleton);
        let mut locals = Vec::new();
        for f in 0..=240 {
            even.sample(ease(f) / even.rate(), &mut pose);
            locals.extend_from_slice(&pose.locals);
        }
        let eased = Clip::new(&skeleton, "eased", 60.0, locals).unwrap();
        assert_eq!(eased.find_loop(&skeleton), None);
    }

    #[test]
    fn a_cycle_that_is_unrolled_goes_on_as_the_motion_did() {
        let skeleton = walker();
        let long = swing(&skeleton, 91, 30, 1.5);
        for frames in [30, 31] {
            let once = swing(&skeleton, frames, 30, 1.5).looped(&skeleton).unwrap();
            assert_eq!(once.frames(), 30, "a closing frame is dropped");
            let travel = once.cycle().unwrap().translation;
            assert!((travel.z - 1.5).abs() < 1e-3, "{travel}");
            let three = once.unrolled(3);
            assert_eq!((three.frames(), three.cycle()), (90, None));
            for f in 0..90 {
                let (a, b) = (three.body(&skeleton, f).translation, long.body(&skeleton, f).translation);
                assert!((a - b).length() < 2e-3, "frame {f}: {a} {b}");
            }
        }
        let spot = swing(&skeleton, 30, 30, 0.0).looped(&skeleton).unwrap();
        assert!(spot.cycle().unwrap().translation.length() < 1e-4, "on the spot");
    }
}
