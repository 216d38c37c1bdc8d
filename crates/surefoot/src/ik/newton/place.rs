//! Objectives on places: a point at its target, inertia of a point, a knee off its line, the centre of mass.

use super::problem::double;
use super::{Kinematics, Miss, Objective, Order, Quadratic};
use crate::rig::JointId;
use glam::{DVec3, Vec3A};

/// A point of a joint should be at its target: `½ w |p - target|²`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The joint.
    pub joint: JointId,
    /// The point, metres in the joint's space; zero is the joint itself.
    pub offset: Vec3A,
    /// Where it should be, metres, model space. A target that is no number or infinite asks for nothing, and is missed.
    pub target: Vec3A,
    /// The weight, ≥ 0.
    pub weight: f32,
}

impl Reach {
    /// A joint to its target, with weight 1.
    #[must_use]
    pub fn new(joint: JointId, target: Vec3A) -> Self {
        Self { joint, offset: Vec3A::ZERO, target, weight: 1.0 }
    }

    fn place(&self, at: &Kinematics<'_>) -> DVec3 {
        if self.offset == Vec3A::ZERO { at.origin(self.joint) } else { at.point(self.joint, double(self.offset)) }
    }

    /// Inertia of a joint: it should go on as it went, to `place + velocity · dt` (metres, metres a second, seconds;
    /// model space).
    #[must_use]
    pub fn going_on(joint: JointId, place: Vec3A, velocity: Vec3A, dt: f32, weight: f32) -> KeepGoing {
        KeepGoing(Self { weight, ..Self::new(joint, place + velocity * dt) })
    }
}

impl Objective for Reach {
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic) {
        if !self.target.is_finite() {
            return;
        }
        let p = self.place(at);
        let r = p - double(self.target);
        let w = f64::from(self.weight);
        let own = self.offset != Vec3A::ZERO;
        let chain = if own { at.chain(self.joint) } else { at.chain_to_origin(self.joint) };
        if let Some(mut rows) = sum.add_vector(w, r) {
            for f in chain {
                rows.add(*f, at.moves(*f, p));
            }
        }
        if sum.order() == Order::Newton {
            add_curvature(at, sum, chain, |f| at.moves(f, p), w * r);
        }
    }

    fn miss(&self, at: &Kinematics<'_>) -> Option<Miss> {
        let away = (self.place(at) - double(self.target)).length();
        Some(Miss::Metres(if away.is_finite() { away } else { f64::INFINITY }))
    }
}

/// Adds `f · ∂²x/∂q_o∂q_i` of a point or direction x over all pairs of its chain, `column` being `∂x/∂q`.
pub(super) fn add_curvature(
    at: &Kinematics<'_>,
    sum: &mut Quadratic,
    chain: &[u16],
    column: impl Fn(u16) -> DVec3,
    f: DVec3,
) {
    for (n, inner) in chain.iter().enumerate() {
        let column = column(*inner);
        for outer in &chain[..=n] {
            sum.add_curvature(*outer, *inner, f.dot(at.second(*outer, column)));
        }
    }
}

/// Inertia of a point: as [`Reach`], but nothing that must be reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeepGoing(pub Reach);

impl Objective for KeepGoing {
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic) {
        self.0.add_to(at, sum);
    }
}

/// A knee should lie off the line from hip to ankle in a direction: `½ w |m - bend · d|²`, m leading from that line to
/// the knee. It chooses among the knees that reach; where the leg must be straight it can do nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pole {
    /// Hip, knee and ankle, or any three joints in a row.
    pub joints: [JointId; 3],
    /// The way the knee should point, a unit vector, model space.
    pub direction: Vec3A,
    /// How far off the line it should be, metres.
    pub bend: f32,
    /// Where on the line: 0 at the hip, 1 at the ankle.
    pub along: f32,
    /// The weight, ≥ 0.
    pub weight: f32,
}

impl Pole {
    /// Weights of the three points in m.
    fn shares(&self) -> [f64; 3] {
        let s = f64::from(self.along);
        [s - 1.0, 1.0, -s]
    }

    fn off(&self, at: &Kinematics<'_>) -> DVec3 {
        let parts = self.joints.iter().zip(self.shares());
        parts.map(|(joint, share)| share * at.origin(*joint)).sum()
    }
}

impl Objective for Pole {
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic) {
        let w = f64::from(self.weight);
        let r = self.off(at) - double(self.direction) * f64::from(self.bend);
        if !r.is_finite() {
            return;
        }
        let joints = self.joints;
        if let Some(mut rows) = sum.add_vector(w, r) {
            for (joint, share) in joints.iter().zip(self.shares()) {
                let p = at.origin(*joint);
                for f in at.chain_to_origin(*joint) {
                    rows.add(*f, share * at.moves(*f, p));
                }
            }
        }
        if sum.order() == Order::Newton {
            for (joint, share) in joints.iter().zip(self.shares()) {
                let p = at.origin(*joint);
                add_curvature(at, sum, at.chain_to_origin(*joint), |f| at.moves(f, p), share * w * r);
            }
        }
    }
}

/// A part of the body with a mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mass {
    /// The joint it moves with.
    pub joint: JointId,
    /// Its middle, metres in the joint's space.
    pub middle: Vec3A,
    /// Its share of the body; only ratios count.
    pub share: f32,
}

/// The centre of mass should be at its target, axis by axis: `½ Σ w (c - target)²`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CentreOfMass<'a> {
    /// The parts of the body; their joints must be watched.
    pub masses: &'a [Mass],
    /// Where it should be, metres, model space.
    pub target: Vec3A,
    /// Weights of the three axes; (1, 0, 1) leaves the height free.
    pub weights: Vec3A,
}

impl CentreOfMass<'_> {
    /// Where it is, metres, model space; the origin for a body without mass.
    #[must_use]
    pub fn place(&self, at: &Kinematics<'_>) -> DVec3 {
        let parts = self.masses.iter().map(|mass| self.part(mass) * at.point(mass.joint, double(mass.middle)));
        parts.sum()
    }

    /// A part's share of the whole.
    fn part(&self, mass: &Mass) -> f64 {
        let whole: f64 = self.masses.iter().map(|mass| f64::from(mass.share)).sum();
        if whole > 0.0 { f64::from(mass.share) / whole } else { 0.0 }
    }
}

impl Objective for CentreOfMass<'_> {
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic) {
        // Weights of axes go into the residual.
        let axes = double(self.weights.max(Vec3A::ZERO));
        let scale = DVec3::new(axes.x.sqrt(), axes.y.sqrt(), axes.z.sqrt());
        let r = scale * (self.place(at) - double(self.target));
        if !r.is_finite() {
            return;
        }
        if let Some(mut rows) = sum.add_vector(1.0, r) {
            for mass in self.masses {
                let p = at.point(mass.joint, double(mass.middle));
                for f in at.chain(mass.joint) {
                    rows.add(*f, scale * at.moves(*f, p) * self.part(mass));
                }
            }
        }
        if sum.order() == Order::Newton {
            for mass in self.masses {
                let p = at.point(mass.joint, double(mass.middle));
                add_curvature(at, sum, at.chain(mass.joint), |f| at.moves(f, p), scale * r * self.part(mass));
            }
        }
    }

    fn miss(&self, at: &Kinematics<'_>) -> Option<Miss> {
        let counts = double(Vec3A::select(self.weights.cmpgt(Vec3A::ZERO), Vec3A::ONE, Vec3A::ZERO));
        let away = (counts * (self.place(at) - double(self.target))).length();
        Some(Miss::Metres(if away.is_finite() { away } else { f64::INFINITY }))
    }
}
