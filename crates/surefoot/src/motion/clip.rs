//! Clips: poses sampled at a steady rate.

use super::StanceFrames;
use crate::math::{Digest, Rigid};
use crate::rig::{Skeleton, SkeletonKey};
use glam::Vec2;
use std::ops::Range;

/// A motion of one skeleton, sampled at a steady rate.
///
/// Frame i is the pose at time i / rate. A clip that plays once ends with its last frame; a cyclic one goes on from
/// its last frame to its first, so its duration is one frame longer.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    name: String,
    skeleton: SkeletonKey,
    rate: f32,
    joints: usize,
    cycle: Option<Rigid>,
    course: Option<Vec<Vec2>>,
    standing: Option<Vec<Vec<StanceFrames>>>,
    roots: Vec<Rigid>,
    locals: Vec<Rigid>,
}

/// Why numbers do not make a clip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClipError {
    /// No frames.
    #[error("a clip needs at least one frame")]
    Empty,
    /// The number of transforms is not a multiple of the number of joints.
    #[error("{transforms} transforms do not make whole frames of {joints} joints")]
    Ragged {
        /// Transforms given.
        transforms: usize,
        /// Joints of the skeleton.
        joints: usize,
    },
    /// The sample rate is not a positive number.
    #[error("a sample rate of {rate} Hz; it must be above 0 and finite")]
    Rate {
        /// The rate given, Hz.
        rate: f32,
    },
    /// A transform holds NaN or infinity, or a rotation that is not of unit length.
    #[error("frame {frame}, joint {joint}: not a finite rigid transform")]
    Transform {
        /// The frame.
        frame: usize,
        /// The joint's index.
        joint: usize,
    },
}

impl Clip {
    /// From `parent_from_joint` transforms, frame after frame, at `rate` Hz. The character stands at the origin
    /// (see [`extract_root`](Self::extract_root) for clips that travel).
    ///
    /// # Errors
    /// If there is no frame, the last frame is not whole, the rate is not positive, or a transform is not rigid.
    pub fn new(skeleton: &Skeleton, name: impl Into<String>, rate: f32, locals: Vec<Rigid>) -> Result<Self, ClipError> {
        let joints = skeleton.len();
        if locals.is_empty() {
            return Err(ClipError::Empty);
        }
        if !locals.len().is_multiple_of(joints) {
            return Err(ClipError::Ragged { transforms: locals.len(), joints });
        }
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(ClipError::Rate { rate });
        }
        let rigid = |local: &Rigid| local.is_finite() && (local.rotation.length_squared() - 1.0).abs() < 1e-3;
        if let Some(bad) = locals.iter().position(|local| !rigid(local)) {
            return Err(ClipError::Transform { frame: bad / joints, joint: bad % joints });
        }
        let frames = locals.len() / joints;
        Ok(Self {
            name: name.into(),
            skeleton: skeleton.key(),
            rate,
            joints,
            cycle: None,
            course: None,
            standing: None,
            roots: vec![Rigid::IDENTITY; frames],
            locals,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same clip under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The skeleton it was made for.
    #[must_use]
    pub fn skeleton(&self) -> SkeletonKey {
        self.skeleton
    }

    /// Frames per second, Hz.
    #[must_use]
    pub fn rate(&self) -> f32 {
        self.rate
    }

    /// Number of joints.
    #[must_use]
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// Number of frames, at least 1.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.roots.len()
    }

    /// Seconds from the first frame to the last, or to the first again if the clip is cyclic.
    #[must_use]
    pub fn duration(&self) -> f32 {
        let steps = if self.cycle.is_some() { self.frames() } else { self.frames() - 1 };
        steps as f32 / self.rate
    }

    /// For a cyclic clip, where one cycle takes the root, in the frame of its start; the identity for a walk on the
    /// spot. `None` if the clip plays once.
    #[must_use]
    pub fn cycle(&self) -> Option<Rigid> {
        self.cycle
    }

    /// The same clip, cyclic (with the root's change over one cycle, in the frame of its start) or playing once.
    #[must_use]
    pub fn with_cycle(mut self, cycle: Option<Rigid>) -> Self {
        self.cycle = cycle;
        self
    }

    /// Of a walk on the spot, the velocities over the ground that its feet keep to, one for each frame, m/s, x to its left
    /// and y the way it faces at the start; `None` where nobody has said so.
    #[must_use]
    pub fn course(&self) -> Option<&[Vec2]> {
        self.course.as_deref()
    }

    /// The same clip with another [`course`](Self::course); one that has not a finite velocity for each frame is left out.
    #[must_use]
    pub fn with_course(mut self, course: Option<Vec<Vec2>>) -> Self {
        let fits = |course: &Vec<Vec2>| course.len() == self.roots.len() && course.iter().all(|v| v.is_finite());
        self.course = course.filter(fits);
        self
    }

    /// When each foot stands, by leg, in order of time; `None` where nobody has said so and it is to be found.
    #[must_use]
    pub fn standing(&self) -> Option<&[Vec<StanceFrames>]> {
        self.standing.as_deref()
    }

    /// The same clip with another [`standing`](Self::standing); one of which a span is empty, outside the clip, or not within
    /// its stance is left out.
    #[must_use]
    pub fn with_standing(mut self, standing: Option<Vec<Vec<StanceFrames>>>) -> Self {
        let frames = self.roots.len();
        let fits = |times: &StanceFrames| {
            let within = |part: &Range<usize>| {
                part.start <= part.end
                    && (part.is_empty() || part.start >= times.whole.start && part.end <= times.whole.end)
            };
            times.whole.start < times.whole.end
                && times.whole.end <= frames
                && within(&times.heel)
                && within(&times.ball)
        };
        let in_order = |leg: &Vec<StanceFrames>| leg.windows(2).all(|pair| pair[0].whole.end <= pair[1].whole.start);
        self.standing = standing.filter(|legs| legs.iter().all(|leg| leg.iter().all(fits) && in_order(leg)));
        self
    }

    /// `world_from_model` of every frame.
    #[must_use]
    pub fn roots(&self) -> &[Rigid] {
        &self.roots
    }

    /// `world_from_model` of every frame, to be changed in place.
    pub fn roots_mut(&mut self) -> &mut [Rigid] {
        &mut self.roots
    }

    /// `parent_from_joint` of one frame, by joint.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    #[inline]
    pub fn frame(&self, frame: usize) -> &[Rigid] {
        &self.locals[frame * self.joints..(frame + 1) * self.joints]
    }

    /// `parent_from_joint` of one frame, to be changed in place.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn frame_mut(&mut self, frame: usize) -> &mut [Rigid] {
        &mut self.locals[frame * self.joints..(frame + 1) * self.joints]
    }

    /// The frames in `range` as a clip of their own, playing once. The range is cut to the clip and never empty.
    #[must_use]
    pub fn trimmed(&self, range: Range<usize>) -> Self {
        let start = range.start.min(self.frames() - 1);
        let end = range.end.clamp(start + 1, self.frames());
        Self {
            name: self.name.clone(),
            cycle: None,
            course: None,
            standing: None,
            roots: self.roots[start..end].to_vec(),
            locals: self.locals[start * self.joints..end * self.joints].to_vec(),
            ..*self
        }
    }

    /// A fingerprint of every transform, the rate and the cycle: equal only for equal bits.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        digest.word(self.skeleton.0);
        digest.number(self.rate);
        for rigid in self.cycle.iter().chain(&self.roots).chain(&self.locals) {
            digest.rigid(*rigid);
        }
        digest.finish()
    }

    /// A clip of the same skeleton and cycle from other frames; for the stages of this module.
    pub(super) fn with_frames(&self, rate: f32, roots: Vec<Rigid>, locals: Vec<Rigid>) -> Self {
        debug_assert_eq!(roots.len() * self.joints, locals.len(), "whole frames");
        Self { name: self.name.clone(), rate, roots, locals, course: None, standing: None, ..*self }
    }

    pub(super) fn set_cycle(&mut self, cycle: Option<Rigid>) {
        self.cycle = cycle;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::math::quat;
    use crate::rig::Joint;
    use glam::{Quat, Vec3, Vec3A};

    pub(crate) fn walker() -> Skeleton {
        let at = |x: f32, y: f32, z: f32| Rigid::from_translation(Vec3A::new(x, y, z));
        Skeleton::new(vec![
            Joint::new("Hips", None, at(0.0, 0.9, 0.0)),
            Joint::new("LeftLeg", Some(0), at(0.1, 0.0, 0.0)),
            Joint::new("RightLeg", Some(0), at(-0.1, 0.0, 0.0)),
        ])
        .unwrap()
    }

    /// A walk along a curve to the left, hips swaying, legs swinging in turn.
    pub(crate) fn curve(skeleton: &Skeleton, frames: usize) -> Clip {
        let mut locals = Vec::new();
        for frame in 0..frames {
            let t = frame as f32 / 60.0;
            let heading = Quat::from_rotation_y(0.8 * t);
            let mut pose = skeleton.rest().to_vec();
            pose[0].translation = Vec3A::new(1.0 - (0.8 * t).cos(), 0.9 + 0.02 * (9.0 * t).sin(), (0.8 * t).sin());
            pose[0].rotation = heading * quat::exp(Vec3::new(0.1, 0.0, 0.05 * (6.0 * t).sin()));
            pose[1].rotation = Quat::from_rotation_x(0.5 * (6.0 * t).sin());
            pose[2].rotation = Quat::from_rotation_x(-0.5 * (6.0 * t).sin());
            locals.extend(pose);
        }
        Clip::new(skeleton, "curve", 60.0, locals).unwrap()
    }

    #[test]
    fn what_is_no_clip_is_refused_with_the_numbers() {
        let skeleton = walker();
        let frame = skeleton.rest().to_vec();
        assert_eq!(Clip::new(&skeleton, "", 30.0, vec![]), Err(ClipError::Empty));
        assert_eq!(
            Clip::new(&skeleton, "", 30.0, frame[..2].to_vec()),
            Err(ClipError::Ragged { transforms: 2, joints: 3 })
        );
        for rate in [0.0, -30.0, f32::INFINITY] {
            assert_eq!(Clip::new(&skeleton, "", rate, frame.clone()), Err(ClipError::Rate { rate }));
        }
        let mut bad = [frame.clone(), frame].concat();
        bad[4].translation.y = f32::NAN;
        assert_eq!(Clip::new(&skeleton, "", 30.0, bad), Err(ClipError::Transform { frame: 1, joint: 1 }));
    }

    #[test]
    fn trimming_keeps_the_frames_and_cuts_the_range() {
        let clip = curve(&walker(), 10);
        let cut = clip.trimmed(3..7);
        assert_eq!((cut.frames(), cut.frame(0)), (4, clip.frame(3)));
        assert_eq!(clip.trimmed(8..99).frames(), 2);
        assert_eq!(clip.trimmed(99..120).frames(), 1);
    }

    #[test]
    fn the_digest_sees_every_bit() {
        let clip = curve(&walker(), 5);
        let mut other = clip.clone();
        assert_eq!(clip.digest(), other.digest());
        other.frame_mut(4)[2].translation.x += 1e-7;
        assert_ne!(clip.digest(), other.digest());
    }
}
