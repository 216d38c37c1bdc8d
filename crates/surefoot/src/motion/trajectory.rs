//! Where the joints of a clip are in the world, frame by frame.

use super::Clip;
use crate::math::{floor, quat};
use crate::rig::{JointId, ModelPose, Pose, Skeleton};
use glam::Vec3A;

/// World positions of every joint in every frame of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectories {
    rate: f32,
    joints: usize,
    points: Vec<Vec3A>,
}

impl Trajectories {
    /// Composes every frame of a clip.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn new(skeleton: &Skeleton, clip: &Clip) -> Self {
        assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let mut pose = Pose::rest(skeleton);
        let mut model = ModelPose::new(skeleton);
        let mut points = Vec::with_capacity(clip.frames() * skeleton.len());
        for frame in 0..clip.frames() {
            pose.locals.copy_from_slice(clip.frame(frame));
            pose.to_model(skeleton, &mut model);
            let world_from_model = clip.roots()[frame];
            points.extend(model.joints.iter().map(|joint| world_from_model.transform_point(joint.translation)));
        }
        Self { rate: clip.rate(), joints: skeleton.len(), points }
    }

    /// Number of frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.points.len() / self.joints
    }

    /// Where a joint is in a frame, metres.
    ///
    /// # Panics
    /// If there is no such frame or joint.
    #[must_use]
    pub fn point(&self, frame: usize, joint: JointId) -> Vec3A {
        assert!(joint.index() < self.joints, "joint {} of {}", joint.0, self.joints);
        self.points[frame * self.joints + joint.index()]
    }

    /// The whole path of a joint, metres.
    pub fn path(&self, joint: JointId) -> impl ExactSizeIterator<Item = Vec3A> + '_ {
        (0..self.frames()).map(move |frame| self.point(frame, joint))
    }

    /// Speed of a joint over the floor around a frame, m/s; 0 in a clip of one frame.
    #[must_use]
    pub fn floor_speed(&self, frame: usize, joint: JointId) -> f32 {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(self.frames() - 1));
        if after == before {
            return 0.0;
        }
        let moved = floor::of_point(self.point(after, joint) - self.point(before, joint)).length();
        moved * self.rate / (after - before) as f32
    }

    /// Length of a joint's path over the floor, metres.
    #[must_use]
    pub fn floor_length(&self, joint: JointId) -> f32 {
        let points: Vec<_> = self.path(joint).map(floor::of_point).collect();
        points.windows(2).map(|pair| (pair[1] - pair[0]).length()).fold(0.0, |sum, step| sum + step)
    }

    /// The joints on which the character stands, lowest first and at most eight: one at the end of each limb that
    /// comes as near to the ground as the lowest does, within a sixth of the character's height.
    #[must_use]
    pub fn lowest_joints(&self, skeleton: &Skeleton) -> Vec<JointId> {
        // Low where a joint is in its lowest tenth of frames.
        let low = |joint: JointId| {
            let mut heights: Vec<f32> = self.path(joint).map(|p| p.y).collect();
            let tenth = heights.len() / 10;
            *heights.select_nth_unstable_by(tenth, f32::total_cmp).1
        };
        let mut ranked: Vec<(JointId, f32)> = skeleton.joints().map(|joint| (joint, low(joint))).collect();
        ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (bottom, top) = (ranked[0].1, ranked[ranked.len() - 1].1);
        let mut chosen: Vec<JointId> = Vec::new();
        for (joint, height) in ranked {
            let near = height - bottom <= (top - bottom) / 6.0;
            let related = |other: &JointId| {
                skeleton.subtree(*other).contains(&joint.index()) || skeleton.subtree(joint).contains(&other.index())
            };
            if near && chosen.len() < 8 && !chosen.iter().any(related) {
                chosen.push(joint);
            }
        }
        chosen
    }
}

impl Clip {
    /// The joint that turns most from the frame before to this one, and by how much (radians); `None` for frame 0.
    #[must_use]
    pub fn largest_turn(&self, frame: usize) -> Option<(JointId, f32)> {
        let (before, now) = (self.frame(frame.checked_sub(1)?), self.frame(frame));
        let turns = before.iter().zip(now).map(|(a, b)| quat::angle_between(a.rotation, b.rotation));
        turns.enumerate().map(|(joint, turn)| (JointId(joint as u16), turn)).max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::clip::tests::{curve, walker};
    use super::*;

    #[test]
    fn paths_lengths_and_speeds_agree_with_the_curve() {
        let skeleton = walker();
        let clip = curve(&skeleton, 61);
        let trajectories = Trajectories::new(&skeleton, &clip);
        let hips = JointId(0);
        assert_eq!(trajectories.point(30, hips), clip.frame(30)[0].translation);
        // A circle of 1 m at 0.8 rad/s for one second.
        assert!((trajectories.floor_length(hips) - 0.8).abs() < 1e-3, "{}", trajectories.floor_length(hips));
        assert!((trajectories.floor_speed(30, hips) - 0.8).abs() < 1e-3, "{}", trajectories.floor_speed(30, hips));
    }

    #[test]
    fn moving_the_root_moves_the_points() {
        let skeleton = walker();
        let mut clip = curve(&skeleton, 20);
        let before = Trajectories::new(&skeleton, &clip);
        clip.extract_root(&skeleton);
        let after = Trajectories::new(&skeleton, &clip);
        let off = |j| before.path(j).zip(after.path(j)).map(|(a, b)| (a - b).length()).fold(0.0, f32::max);
        assert!(skeleton.joints().all(|j| off(j) < 1e-5), "the same world");
    }

    #[test]
    fn one_frame_has_no_speed_and_largest_turns_are_found() {
        let skeleton = walker();
        let one = curve(&skeleton, 1);
        assert_eq!(Trajectories::new(&skeleton, &one).floor_speed(0, JointId(0)), 0.0);
        assert_eq!(one.largest_turn(0), None);
        let mut clip = curve(&skeleton, 5);
        clip.frame_mut(3)[2].rotation *= glam::Quat::from_rotation_z(1.0);
        let (joint, turn) = clip.largest_turn(3).unwrap();
        assert!(joint == JointId(2) && (turn - 1.0).abs() < 0.1, "{joint:?} {turn}");
    }
}
