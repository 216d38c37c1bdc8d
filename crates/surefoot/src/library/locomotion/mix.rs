//! Poses mixed by weight in one pass over the joints.

use super::LocomotionClip;
use crate::math::Rigid;
use crate::motion::Clip;
use crate::rig::{Pose, Skeleton};
use glam::{Quat, Vec3A, Vec4};

/// Poses in a mix at most, two around the phase of each clip: the lightest of more clips are left out.
const MOST: usize = 32;

/// Poses to be mixed, with their weights.
pub(crate) struct PoseMix<'a> {
    poses: [&'a [Rigid]; MOST],
    weights: [f32; MOST],
    count: usize,
    total: f32,
    /// Whether signs of rotations must be looked at: over the seam of a joint that goes once about itself in a round.
    turned: bool,
}

impl<'a> PoseMix<'a> {
    pub(crate) fn new() -> Self {
        Self { poses: [&[]; MOST], weights: [0.0; MOST], count: 0, total: 0.0, turned: false }
    }

    /// Adds a clip at a phase of the common round.
    #[inline]
    pub(crate) fn add(&mut self, clip: &'a LocomotionClip, phase: f32, weight: f32) {
        let ([a, b], x, turned) = clip.around(phase);
        let at = if self.count < MOST {
            self.count += 2;
            self.count - 2
        } else {
            let weight_of = |pair: usize| self.weights[2 * pair] + self.weights[2 * pair + 1];
            let lightest = (0..MOST / 2).min_by(|a, b| weight_of(*a).total_cmp(&weight_of(*b))).unwrap_or(0);
            if weight_of(lightest) >= weight {
                return;
            }
            self.total -= weight_of(lightest);
            2 * lightest
        };
        self.turned |= turned;
        self.total += weight;
        (self.poses[at], self.poses[at + 1]) = (a, b);
        (self.weights[at], self.weights[at + 1]) = (weight * (1.0 - x), weight * x);
    }

    /// The mean of all by weight.
    ///
    /// # Panics
    /// If there is none, or poses have fewer joints than `out`.
    pub(crate) fn run(&self, out: &mut [Rigid]) {
        let share = 1.0 / self.total.max(1e-6);
        if self.turned {
            return self.look_at_signs(share, out);
        }
        match self.count {
            2 => self.sum::<2>(share, out),
            4 => self.sum::<4>(share, out),
            6 => self.sum::<6>(share, out),
            8 => self.sum::<8>(share, out),
            _ => self.look_at_signs(share, out),
        }
    }

    /// So many poses, whose rotations have the signs to be added up.
    #[inline]
    fn sum<const N: usize>(&self, share: f32, out: &mut [Rigid]) {
        let poses: [&[Rigid]; N] = std::array::from_fn(|i| &self.poses[i][..out.len()]);
        let weights: [f32; N] = std::array::from_fn(|i| self.weights[i] * share);
        for (joint, local) in out.iter_mut().enumerate() {
            let first = &poses[0][joint];
            let (mut turn, mut place) = (weights[0] * Vec4::from(first.rotation), weights[0] * first.translation);
            for i in 1..N {
                let own = &poses[i][joint];
                turn += weights[i] * Vec4::from(own.rotation);
                place += weights[i] * own.translation;
            }
            *local = Rigid { rotation: unit(turn), translation: place };
        }
    }

    /// As many as there are, each rotation with the sign that is nearer to those before.
    fn look_at_signs(&self, share: f32, out: &mut [Rigid]) {
        for (joint, local) in out.iter_mut().enumerate() {
            let (mut turn, mut place) = (Vec4::ZERO, Vec3A::ZERO);
            for (pose, weight) in self.poses[..self.count].iter().zip(&self.weights) {
                let (own, weight) = (&pose[joint], weight * share);
                let q = Vec4::from(own.rotation);
                turn += if turn.dot(q) < 0.0 { -weight } else { weight } * q;
                place += weight * own.translation;
            }
            *local = Rigid { rotation: unit(turn), translation: place };
        }
    }
}

/// Clips of one length of time that are blended by weights from outside, without feet or travel: for bodies that a game moves by
/// itself, and for measuring.
#[derive(Clone, Debug)]
pub struct BlendClips {
    clips: Vec<LocomotionClip>,
}

impl BlendClips {
    /// Clips of a skeleton, as they are.
    ///
    /// # Panics
    /// If one is of another skeleton.
    #[must_use]
    pub fn new(skeleton: &Skeleton, clips: Vec<Clip>) -> Self {
        let bare = |clip: &Clip| {
            assert_eq!(clip.skeleton(), skeleton.key(), "a clip of another skeleton");
            LocomotionClip::bare(skeleton, clip)
        };
        Self { clips: clips.iter().map(bare).collect() }
    }

    /// The blend at a phase, by weight; the root stays as it is. Allocates nothing.
    ///
    /// # Panics
    /// If the pose is for another number of joints.
    pub fn run(&self, phase: f32, weights: &[f32], pose: &mut Pose) {
        let mut mix = PoseMix::new();
        for (clip, weight) in self.clips.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            mix.add(clip, phase, *weight);
        }
        if mix.count > 0 {
            mix.run(&mut pose.locals);
        }
    }
}

/// The rotation that four numbers stand for.
#[inline]
fn unit(turn: Vec4) -> Quat {
    let square = turn.length_squared();
    if square > 1e-8 { Quat::from_vec4(turn * (1.0 / square.sqrt())) } else { Quat::IDENTITY }
}

/// Gives rotations of a round of poses the signs by which they can be added up: the first ones near a reference, each further
/// one near the one before; whether a joint comes back to its start with the other sign.
pub(super) fn bring_signs_together(poses: &mut [Rigid], reference: &[Rigid]) -> bool {
    let joints = reference.len();
    let mut before: Vec<Quat> = reference.iter().map(|local| local.rotation).collect();
    for pose in poses.chunks_exact_mut(joints) {
        for (local, before) in pose.iter_mut().zip(&mut before) {
            local.rotation = crate::math::quat::nearest_sign(*before, local.rotation);
            *before = local.rotation;
        }
    }
    poses.iter().zip(&before).any(|(first, last)| first.rotation.dot(*last) < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_that_goes_once_about_itself_is_told_and_others_are_brought_together() {
        let turned = |angle: f32| Rigid::from_rotation(Quat::from_rotation_y(angle));
        let idle = [Rigid::IDENTITY];
        let mut spins: Vec<Rigid> = (0..8).map(|k| turned(std::f32::consts::TAU * k as f32 / 8.0)).collect();
        assert!(bring_signs_together(&mut spins, &idle));
        let mut swings: Vec<Rigid> = (0..8).map(|k| turned(3.0 * (0.8 * k as f32).sin())).collect();
        swings[3].rotation = -swings[3].rotation;
        swings.push(swings[0]);
        assert!(!bring_signs_together(&mut swings, &idle));
        assert!(swings.windows(2).all(|pair| pair[0].rotation.dot(pair[1].rotation) >= 0.0));
    }
}
