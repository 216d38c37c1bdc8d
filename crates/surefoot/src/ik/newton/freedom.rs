//! Freedoms: the single turns and slides that a body's joints can make.

use crate::rig::{JointId, Leg, Skeleton};
use glam::Vec3A;

/// How a joint can move in one respect: by one number, an angle or a length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Freedom {
    /// The joint that moves.
    pub joint: JointId,
    /// Whether it turns or slides.
    pub kind: FreedomKind,
    /// The axis, a unit vector: in the joint's own space for hinges, each within the hinges of the joint listed before
    /// it; in the parent's space for slides.
    pub axis: Vec3A,
    /// How unwillingly it moves, as a factor of the solver's pull and damping; > 0. Slides count metres, hinges radians.
    pub stiffness: f32,
    /// The lowest and the highest value, radians from rest for hinges, metres from rest for slides.
    pub limits: Option<[f32; 2]>,
}

/// Whether a freedom turns or slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreedomKind {
    /// A turn about the axis through the joint, radians.
    Hinge,
    /// A shift along the axis, metres.
    Slide,
}

impl Freedom {
    /// A turn about an axis in the joint's own space.
    #[must_use]
    pub fn hinge(joint: JointId, axis: Vec3A) -> Self {
        Self { joint, kind: FreedomKind::Hinge, axis: axis.normalize_or(Vec3A::X), stiffness: 1.0, limits: None }
    }

    /// A shift along an axis in the parent's space. Ten times as stiff as a hinge, so that bodies reach before they walk.
    #[must_use]
    pub fn slide(joint: JointId, axis: Vec3A) -> Self {
        Self { kind: FreedomKind::Slide, stiffness: 10.0, ..Self::hinge(joint, axis) }
    }

    /// Three hinges: any turn of the joint.
    #[must_use]
    pub fn ball(joint: JointId) -> [Self; 3] {
        Vec3A::AXES.map(|axis| Self::hinge(joint, axis))
    }

    /// Three slides: any shift of the joint.
    #[must_use]
    pub fn slides(joint: JointId) -> [Self; 3] {
        Vec3A::AXES.map(|axis| Self::slide(joint, axis))
    }

    /// The same with another stiffness.
    #[must_use]
    pub fn stiff(self, stiffness: f32) -> Self {
        Self { stiffness, ..self }
    }

    /// The same between two values, see [`limits`](Self::limits).
    #[must_use]
    pub fn within(self, low: f32, high: f32) -> Self {
        Self { limits: Some([low, high]), ..self }
    }

    /// The freedoms of a whole body: its first root slides and turns, inner joints of legs are hinges, every other joint
    /// turns any way.
    #[must_use]
    pub fn of_body(skeleton: &Skeleton, legs: &[Leg]) -> Vec<Self> {
        let mut all = Self::slides(JointId(0)).to_vec();
        for joint in skeleton.joints() {
            let hinge = legs.iter().find_map(|leg| {
                let inner = leg.chain.iter().skip(1).position(|j| *j == joint && joint != leg.ankle())?;
                leg.hinges.get(inner).copied()
            });
            match hinge {
                // A hinge's axis is the same before and after the turn, so the rest pose takes it to the joint's space.
                Some(axis) => {
                    let to_joint = skeleton.rest()[joint.index()].rotation.conjugate();
                    all.push(Self::hinge(joint, to_joint * axis));
                }
                // The trunk bends less willingly than limbs.
                None => {
                    let trunk = skeleton.side(joint).is_none() && skeleton.parent(joint).is_some();
                    all.extend(Self::ball(joint).map(|ball| if trunk { ball.stiff(4.0) } else { ball }));
                }
            }
        }
        all
    }
}
