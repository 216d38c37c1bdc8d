//! Body points: what the frame distance looks at, and how much each point counts.

use crate::rig::{JointId, ModelPose, Skeleton};
use glam::Vec3A;

/// Points of a body with weights that sum to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPoints {
    /// Points that count, each with its share.
    pub(super) points: Vec<BodyPoint>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BodyPoint {
    /// The joint it moves with.
    pub(super) joint: JointId,
    /// Where, metres in the joint's space.
    pub(super) offset: Vec3A,
    /// Its share of the body.
    pub(super) weight: f64,
    /// Height at rest, metres: taken off before rounding, so that differences keep their digits.
    pub(super) height: f64,
}

/// Points with less than this share of the body do not count: fingers, and joints on top of others.
const LEAST: f64 = 0.005;

impl BodyPoints {
    /// Joints and bone ends, each weighing half of the bones that meet there: what is long counts, fingers hardly do. Joints
    /// that lie on each other at rest are one point.
    #[must_use]
    pub fn by_bone_length(skeleton: &Skeleton) -> Self {
        let rest = skeleton.rest();
        let mut weights = vec![0.0; skeleton.len()];
        let mut ends = Vec::new();
        for joint in skeleton.joints() {
            if let Some(parent) = skeleton.parent(joint) {
                let half = 0.5 * f64::from(rest[joint.index()].translation.length());
                weights[parent.index()] += half;
                weights[joint.index()] += half;
            }
        }
        for tip in skeleton.tips() {
            let half = 0.5 * f64::from(tip.offset.length());
            weights[tip.joint.index()] += half;
            ends.push((tip.joint, tip.offset, half));
        }
        let joints = skeleton.joints().map(|joint| (joint, Vec3A::ZERO, weights[joint.index()]));
        Self::new(skeleton, joints.chain(ends).collect())
    }

    /// Joints with weights of one's own, one for each joint, none negative.
    ///
    /// # Panics
    /// If there are not as many weights as joints.
    #[must_use]
    pub fn weighted(skeleton: &Skeleton, weights: &[f32]) -> Self {
        assert_eq!(weights.len(), skeleton.len(), "a weight for each joint");
        let joints = skeleton.joints().zip(weights);
        Self::new(skeleton, joints.map(|(joint, weight)| (joint, Vec3A::ZERO, f64::from(*weight))).collect())
    }

    fn new(skeleton: &Skeleton, points: Vec<(JointId, Vec3A, f64)>) -> Self {
        let rest = ModelPose::new(skeleton);
        // Points on top of each other at rest are one point with the weight of all.
        let mut merged: Vec<(JointId, Vec3A, f64)> = Vec::with_capacity(points.len());
        for (joint, offset, weight) in points {
            let mut bearer = joint;
            while offset == Vec3A::ZERO && skeleton.rest()[bearer.index()].translation == Vec3A::ZERO {
                let Some(parent) = skeleton.parent(bearer) else { break };
                bearer = parent;
            }
            match merged.iter_mut().find(|(other, at, _)| (*other, *at) == (bearer, offset)) {
                Some((.., sum)) => *sum += weight,
                None => merged.push((bearer, offset, weight)),
            }
        }
        let points = merged;
        let total: f64 = points.iter().map(|(.., weight)| weight).sum();
        let enough = |weight: f64| total > 0.0 && weight >= LEAST * total;
        let mut points: Vec<BodyPoint> = points
            .into_iter()
            .filter(|(.., weight)| enough(*weight))
            .map(|(joint, offset, weight)| BodyPoint {
                joint,
                offset,
                weight,
                height: f64::from(rest[joint].transform_point(offset).y),
            })
            .collect();
        if points.is_empty() {
            // A body without length: its joints all count the same.
            let point = |joint| BodyPoint { joint, offset: Vec3A::ZERO, weight: 1.0, height: 0.0 };
            points = skeleton.joints().map(point).collect();
        }
        let total: f64 = points.iter().map(|point| point.weight).sum();
        points.iter_mut().for_each(|point| point.weight /= total);
        Self { points }
    }

    /// How many points count.
    #[must_use]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether no point counts; never true.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}
