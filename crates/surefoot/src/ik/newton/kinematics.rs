//! Where everything is for one configuration, and how it moves when a freedom does.

use super::problem::{IkProblem, double, double_rotation};
use crate::math::{Rigid, double as functions};
use crate::rig::{JointId, Pose};
use glam::{DQuat, DVec3, Quat, Vec3A};

/// Rotation and translation in double precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) rotation: DQuat,
    pub(super) origin: DVec3,
}

impl Frame {
    const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, origin: DVec3::ZERO };

    fn of(rigid: Rigid) -> Self {
        Self { rotation: double_rotation(rigid.rotation), origin: double(rigid.translation) }
    }

    fn then(self, b_from_c: Self) -> Self {
        Self { rotation: self.rotation * b_from_c.rotation, origin: self.origin + self.rotation * b_from_c.origin }
    }
}

/// Buffers of a pose under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Moving {
    /// Local transforms of the input pose, by node.
    input: Vec<Frame>,
    /// What the tops of trees hang from, by node (identity for others).
    base: Vec<Frame>,
    /// Angles and lengths of the input pose from rest, by freedom; 0 for freedoms without limits.
    pub(super) input_value: Vec<f64>,
    /// `model_from_joint`, by node.
    frames: Vec<Frame>,
    /// Axes in model space, by freedom.
    axes: Vec<DVec3>,
    /// The configuration these belong to.
    pub(super) q: Vec<f64>,
}

/// A body in one configuration: what an [`Objective`](super::Objective) sees. Model space, metres, radians, in `f64`.
#[derive(Clone, Copy, Debug)]
pub struct Kinematics<'a> {
    pub(super) problem: &'a IkProblem,
    pub(super) moving: &'a Moving,
}

impl Moving {
    pub(super) fn new(problem: &IkProblem) -> Self {
        let (nodes, freedoms) = (problem.nodes.len(), problem.active.len());
        Self {
            input: vec![Frame::IDENTITY; nodes],
            base: vec![Frame::IDENTITY; nodes],
            input_value: vec![0.0; freedoms],
            frames: vec![Frame::IDENTITY; nodes],
            axes: vec![DVec3::ZERO; freedoms],
            q: vec![0.0; freedoms],
        }
    }

    /// Takes in the pose that q = 0 stands for.
    pub(super) fn take_in(&mut self, problem: &IkProblem, pose: &Pose) {
        for (i, node) in problem.nodes.iter().enumerate() {
            let local = pose.locals[node.joint.index()];
            self.input[i] = Frame::of(local);
            if node.parent.is_none() {
                let above = problem.above[i].iter();
                self.base[i] =
                    above.fold(Frame::IDENTITY, |frame, joint| frame.then(Frame::of(pose.locals[joint.index()])));
            }
            if problem.active[node.freedoms.clone()].iter().any(|freedom| freedom.limits.is_some()) {
                self.values_of_input(problem, i, local);
            }
        }
    }

    /// How far the input pose has turned and slid from rest along the freedoms of one node.
    fn values_of_input(&mut self, problem: &IkProblem, node: usize, local: Rigid) {
        let rest = problem.rest[node];
        let range = problem.nodes[node].freedoms.clone();
        let shift = double(local.translation - rest.translation);
        let turn = double_rotation(rest.rotation.conjugate() * local.rotation);
        let mut hinges = range.clone().filter(|f| problem.active[*f].hinge);
        for f in range.clone().filter(|f| !problem.active[*f].hinge) {
            self.input_value[f] = shift.dot(problem.active[f].axis);
        }
        let axis = |f: usize| problem.active[f].axis;
        match (hinges.next(), hinges.next(), hinges.next()) {
            (Some(only), None, _) => self.input_value[only] = twist(turn, axis(only)),
            // Angles of three turns one within the other; the last axis may point either way.
            (Some(a), Some(b), c) => {
                let third = axis(a).cross(axis(b)).normalize_or(DVec3::Z);
                let first = functions::atan2(-(turn * third).dot(axis(b)), (turn * third).dot(third));
                let second = functions::asin((turn * third).dot(axis(a)).clamp(-1.0, 1.0));
                let across = -(turn * axis(b)).dot(axis(a));
                let last = functions::atan2(across, (turn * axis(a)).dot(axis(a)));
                self.input_value[a] = first;
                self.input_value[b] = second;
                if let Some(c) = c {
                    self.input_value[c] = if axis(c).dot(third) < 0.0 { -last } else { last };
                }
            }
            _ => {}
        }
    }

    /// Brings everything to the configuration `self.q`.
    pub(super) fn place(&mut self, problem: &IkProblem) {
        for (i, node) in problem.nodes.iter().enumerate() {
            let parent = node.parent.map_or(self.base[i], |parent| self.frames[parent]);
            let mut frame = parent.then(self.input[i]);
            for f in node.freedoms.clone() {
                let freedom = &problem.active[f];
                if freedom.hinge {
                    self.axes[f] = frame.rotation * freedom.axis;
                    frame.rotation *= turn(freedom.axis, self.q[f]);
                } else {
                    self.axes[f] = parent.rotation * freedom.axis;
                    frame.origin += self.axes[f] * self.q[f];
                }
            }
            self.frames[i] = frame;
        }
    }

    /// Writes the configuration into the pose that was taken in.
    pub(super) fn write(&self, problem: &IkProblem, pose: &mut Pose) {
        for (i, node) in problem.nodes.iter().enumerate().filter(|(_, node)| !node.freedoms.is_empty()) {
            let parent = node.parent.map_or(self.base[i], |parent| self.frames[parent]);
            let rotation = parent.rotation.conjugate() * self.frames[i].rotation;
            let mut origin = self.input[i].origin;
            for f in node.freedoms.clone().take_while(|f| !problem.active[*f].hinge) {
                origin += problem.active[f].axis * self.q[f];
            }
            let local = &mut pose.locals[node.joint.index()];
            let new: Quat = rotation.as_quat().normalize();
            local.rotation = crate::math::quat::nearest_sign(local.rotation, new);
            local.translation = Vec3A::from(origin.as_vec3());
        }
    }
}

/// The rotation by an angle about a unit axis.
fn turn(axis: DVec3, angle: f64) -> DQuat {
    let (sin, cos) = functions::sin_cos(0.5 * angle);
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// The part of a rotation that is about an axis, radians in [-π, π].
fn twist(rotation: DQuat, axis: DVec3) -> f64 {
    let along = DVec3::new(rotation.x, rotation.y, rotation.z).dot(axis);
    let (along, w) = if rotation.w < 0.0 { (-along, -rotation.w) } else { (along, rotation.w) };
    2.0 * functions::atan2(along, w)
}

impl<'a> Kinematics<'a> {
    /// The configuration: angles and lengths by freedom, added to the input pose.
    #[must_use]
    pub fn configuration(&self) -> &'a [f64] {
        &self.moving.q
    }

    /// Where a point of a joint is, `offset` in the joint's space, metres.
    ///
    /// # Panics
    /// If the joint is on no effector's chain (as for every function here).
    #[must_use]
    pub fn point(&self, joint: JointId, offset: DVec3) -> DVec3 {
        let frame = &self.moving.frames[self.problem.node(joint)];
        frame.origin + frame.rotation * offset
    }

    /// Where a joint is, metres.
    #[must_use]
    pub fn origin(&self, joint: JointId) -> DVec3 {
        self.moving.frames[self.problem.node(joint)].origin
    }

    /// Where a direction of a joint points.
    #[must_use]
    pub fn direction(&self, joint: JointId, direction: DVec3) -> DVec3 {
        self.moving.frames[self.problem.node(joint)].rotation * direction
    }

    /// The freedoms that move a joint's direction or points of it, outer first. Those of the joint itself, which come last,
    /// do not move its origin.
    #[must_use]
    pub fn chain(&self, joint: JointId) -> &'a [u16] {
        &self.problem.nodes[self.problem.node(joint)].chain
    }

    /// The freedoms that move a joint's origin, outer first.
    #[must_use]
    pub fn chain_to_origin(&self, joint: JointId) -> &'a [u16] {
        let node = &self.problem.nodes[self.problem.node(joint)];
        let hinges = node.freedoms.clone().filter(|f| self.problem.active[*f].hinge).count();
        &node.chain[..node.chain.len() - hinges]
    }

    /// Whether a freedom is a hinge.
    #[must_use]
    pub fn is_hinge(&self, freedom: u16) -> bool {
        self.problem.active[usize::from(freedom)].hinge
    }

    /// A freedom's axis, a unit vector.
    #[must_use]
    pub fn axis(&self, freedom: u16) -> DVec3 {
        self.moving.axes[usize::from(freedom)]
    }

    /// How a point moves with a freedom of its chain: `∂p/∂q`.
    #[inline]
    #[must_use]
    pub fn moves(&self, freedom: u16, point: DVec3) -> DVec3 {
        let active = &self.problem.active[usize::from(freedom)];
        let axis = self.moving.axes[usize::from(freedom)];
        if active.hinge { axis.cross(point - self.moving.frames[active.node].origin) } else { axis }
    }

    /// How a direction turns with a freedom of its chain: `∂n/∂q`.
    #[inline]
    #[must_use]
    pub fn turns(&self, freedom: u16, direction: DVec3) -> DVec3 {
        if self.is_hinge(freedom) { self.axis(freedom).cross(direction) } else { DVec3::ZERO }
    }

    /// The second derivative of a point or direction, given how it moves with the inner of two freedoms of its chain: the
    /// outer axis turns that column; an outer slide does not.
    #[inline]
    #[must_use]
    pub fn second(&self, outer: u16, inner_column: DVec3) -> DVec3 {
        if self.is_hinge(outer) { self.axis(outer).cross(inner_column) } else { DVec3::ZERO }
    }
}
