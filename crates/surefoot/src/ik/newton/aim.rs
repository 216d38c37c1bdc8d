//! Objectives on directions: a normal along its goal, and eyes on a point.

use super::place::add_curvature;
use super::problem::double;
use super::{Kinematics, Miss, Objective, Order, Quadratic};
use crate::math::double as functions;
use crate::rig::JointId;
use glam::{DVec3, Vec3A};

/// A direction of a joint should point along a goal: `w (1 - n·goal) = ½ w |n - goal|²`.
///
/// Two of them hold a joint's whole orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The joint; it must be allowed to turn, or one above it.
    pub joint: JointId,
    /// The direction, a unit vector in the joint's space.
    pub direction: Vec3A,
    /// Where it should point, a unit vector, model space.
    pub goal: Vec3A,
    /// The weight, square metres; with 0.1 a radian counts as much as 30 cm.
    pub weight: f32,
}

impl Aim {
    /// The goal that the slope leads to. Pointing the very opposite way the true slope is zero: then the goal is moved by
    /// a few degrees, any way, which leads down from there.
    fn led_by(&self, n: DVec3) -> DVec3 {
        let goal = double(self.goal);
        if n.dot(goal) < -0.999 { (goal + 0.05 * goal.any_orthonormal_vector()).normalize() } else { goal }
    }
}

impl Objective for Aim {
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic) {
        if !(self.goal.is_finite() && self.goal.is_normalized()) {
            return;
        }
        let n = at.direction(self.joint, double(self.direction));
        let goal = if sum.order() == Order::Energy { double(self.goal) } else { self.led_by(n) };
        let w = f64::from(self.weight);
        let chain = at.chain(self.joint);
        if let Some(mut rows) = sum.add_vector(w, n - goal) {
            for f in chain {
                rows.add(*f, at.turns(*f, n));
            }
        }
        if sum.order() == Order::Newton {
            add_curvature(at, sum, chain, |f| at.turns(f, n), w * (n - goal));
        }
    }

    fn miss(&self, at: &Kinematics<'_>) -> Option<Miss> {
        let n = at.direction(self.joint, double(self.direction));
        Some(Miss::Radians(angle(n, double(self.goal))))
    }
}

/// A direction of a joint should point at a target, from where the joint is: `½ w |n - v/|v||²`, v from joint to target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAt {
    /// The joint, such as the head.
    pub joint: JointId,
    /// The direction it looks in, a unit vector in the joint's space.
    pub direction: Vec3A,
    /// What it should look at, metres, model space.
    pub target: Vec3A,
    /// The weight, square metres.
    pub weight: f32,
}

impl LookAt {
    /// From the joint to the target; `None` within a millimetre of it, where there is no direction.
    fn view(&self, at: &Kinematics<'_>) -> Option<DVec3> {
        let v = double(self.target) - at.origin(self.joint);
        (v.is_finite() && v.length_squared() > 1e-6).then_some(v)
    }
}

impl Objective for LookAt {
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic) {
        let Some(v) = self.view(at) else { return };
        let n = at.direction(self.joint, double(self.direction));
        let w = f64::from(self.weight);
        let distance = v.length();
        let u = v / distance;
        let p = at.origin(self.joint);
        // u = v/|v| turns with -∂p across the line of sight: ∂u = -(∂p - u (u·∂p)) / |v|.
        let across = |column: DVec3| column - u * u.dot(column);
        let chain = at.chain(self.joint);
        let r = n - u;
        if let Some(mut rows) = sum.add_vector(w, r) {
            for f in chain {
                rows.add(*f, at.turns(*f, n) + across(at.moves(*f, p)) / distance);
            }
        }
        if sum.order() < Order::Newton {
            return;
        }
        // Second derivatives of n and, through p, of u.
        add_curvature(at, sum, chain, |f| at.turns(f, n), w * r);
        add_curvature(at, sum, chain, |f| at.moves(f, p), w * across(r) / distance);
        for (k, inner) in chain.iter().enumerate() {
            let b = at.moves(*inner, p);
            for outer in &chain[..=k] {
                // D²u(a, b) = -[(u·a) Pb + (u·b) Pa + (a·Pb) u] / |v|², a and b being changes of v; signs cancel.
                let a = at.moves(*outer, p);
                let bent = across(b) * u.dot(a) + across(a) * u.dot(b) + u * a.dot(across(b));
                sum.add_curvature(*outer, *inner, w * r.dot(bent) / (distance * distance));
            }
        }
    }

    fn miss(&self, at: &Kinematics<'_>) -> Option<Miss> {
        let n = at.direction(self.joint, double(self.direction));
        Some(Miss::Radians(self.view(at).map_or(f64::INFINITY, |v| angle(n, v))))
    }
}

/// The angle between two directions, radians; infinite where one of them is no number.
fn angle(a: DVec3, b: DVec3) -> f64 {
    let angle = functions::atan2(a.cross(b).length(), a.dot(b));
    if angle.is_finite() { angle } else { f64::INFINITY }
}
