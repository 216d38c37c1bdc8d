//! The skin of legs: the points of it that could touch the ground first, each moved by all joints that hold it.

use super::{Foot, JointId, LegId, ModelPose, Rig, Skin};
use crate::math::single;
use glam::{Vec3, Vec3A};
use std::collections::BTreeMap;

/// The skin of a character's legs and feet, thinned out to what can touch the ground first.
///
/// Skin is rarely held by the foot alone: a share of it may hang from the lower leg or from the body, and goes with them. So
/// these points are placed as the mesh is, in the pose that is asked about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LegSkin {
    points: Vec<SkinPoint>,
}

/// The skin of a body's feet beside the soles that it stands on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FootSkin {
    /// The skin.
    pub(crate) skin: LegSkin,
    /// By leg, how deep it is under the sole of a foot that stands, metres.
    pub(crate) under_sole: Vec<f32>,
}

/// A vertex of a leg's skin.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SkinPoint {
    /// The leg it belongs to.
    pub leg: LegId,
    /// The joint that holds most of it.
    pub joint: JointId,
    /// Whether it is of the foot: of the ankle or what hangs from it.
    pub in_foot: bool,
    /// How far it goes with its foot, from 0 to 1.
    pub with_foot: f32,
    /// Whether joints that are not of its leg hold a part of it.
    pub foreign: bool,
    /// By joint that holds it: the joint, the vertex in its space (metres), and its share.
    held: [Held; 4],
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Held {
    joint: JointId,
    at: Vec3A,
    share: f32,
}

impl SkinPoint {
    /// Where it is in a pose, metres, model space.
    ///
    /// # Panics
    /// If the pose was made for fewer joints.
    #[must_use]
    pub fn place(&self, pose: &ModelPose) -> Vec3A {
        let held = self.held.iter().filter(|held| held.share > 0.0);
        held.map(|held| held.share * pose[held.joint].transform_point(held.at)).sum()
    }
}

/// Vertices that lie farthest in so many directions are kept of every part of the skin that moves as one.
const DIRECTIONS: usize = 48;
/// Directions that point up more steeply than this are left out: no leg comes to the ground upside down.
const UPWARDS: f32 = 0.5;
/// A share of more than this in joints outside the leg makes a vertex move on its own.
const FOREIGN: f32 = 0.05;

/// What moves as one: the joint that holds most, by how much (in quarters), and whether the body has a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    leg: LegId,
    joint: JointId,
    quarters: u8,
    foreign: bool,
}

impl LegSkin {
    /// The skin of a rig's legs; `None` if a leg has none.
    ///
    /// # Panics
    /// If the skin's bones name joints that the rig has not.
    #[must_use]
    pub fn new(rig: &Rig, skin: &Skin) -> Option<Self> {
        let rest = skin.at_rest(&rig.skeleton);
        let mut parts: BTreeMap<Part, Vec<(Vec3, SkinPoint)>> = BTreeMap::new();
        for (leg, _) in rig.legs() {
            let within = Within::of(rig, leg);
            for (vertex, place) in rest.iter().enumerate().filter(|(_, place)| place.is_finite()) {
                if let Some((part, point)) = within.point(skin, vertex) {
                    parts.entry(part).or_default().push((*place, point));
                }
            }
        }
        let directions = directions();
        let points: Vec<SkinPoint> = parts.values().flat_map(|part| outermost(part, &directions)).collect();
        let has_foot = |leg: LegId| points.iter().any(|point| point.leg == leg && point.in_foot);
        rig.legs().all(|(leg, _)| has_foot(leg)).then_some(Self { points })
    }

    /// All of the skin of a rig's feet, in the order of its vertices, not thinned out; `None` if a foot has none. Measures that
    /// choose points for themselves need it.
    ///
    /// # Panics
    /// If the skin's bones name joints that the rig has not.
    #[must_use]
    pub fn of_feet(rig: &Rig, skin: &Skin) -> Option<Self> {
        let mut points = Vec::new();
        for (leg, _) in rig.legs() {
            let within = Within::of(rig, leg);
            let of_leg = (0..skin.positions.len()).filter_map(|vertex| within.point(skin, vertex));
            let before = points.len();
            points.extend(of_leg.map(|(_, point)| point).filter(|point| point.in_foot));
            if points.len() == before {
                return None;
            }
        }
        Some(Self { points })
    }

    /// What stands for the skin of bare bones: heel and ball of every foot, and the inner joints of its leg.
    #[must_use]
    pub fn of_bones(rig: &Rig) -> Self {
        let mut points = Vec::new();
        for (id, leg) in rig.legs() {
            let nothing = Held { joint: JointId(0), at: Vec3A::ZERO, share: 0.0 };
            let point = |joint: JointId, at: Vec3A, in_foot: bool| SkinPoint {
                leg: id,
                joint,
                in_foot,
                with_foot: if in_foot { 1.0 } else { 0.5 },
                foreign: false,
                held: [Held { joint, at, share: 1.0 }, nothing, nothing, nothing],
            };
            points.extend([leg.foot.heel, leg.foot.ball].map(|at| point(leg.ankle(), at, true)));
            let inner = leg.chain.iter().skip(1).filter(|joint| **joint != leg.ankle());
            points.extend(inner.map(|joint| point(*joint, Vec3A::ZERO, false)));
        }
        Self { points }
    }

    /// What stands for the skin of bare soles: heel and ball of every foot, their sides, and what is between.
    #[must_use]
    pub fn of_soles(rig: &Rig) -> Self {
        let mut points = Vec::new();
        for (id, leg) in rig.legs() {
            let nothing = Held { joint: JointId(0), at: Vec3A::ZERO, share: 0.0 };
            let Foot { heel, ball, up, width, .. } = leg.foot;
            let aside = up.cross(ball - heel).normalize_or_zero() * (0.5 * width);
            // Heels are narrower.
            let sole =
                [heel, ball, heel + 0.6 * aside, heel - 0.6 * aside, ball + aside, ball - aside, 0.5 * (heel + ball)];
            points.extend(sole.map(|at| SkinPoint {
                leg: id,
                joint: leg.ankle(),
                in_foot: true,
                with_foot: 1.0,
                foreign: false,
                held: [Held { joint: leg.ankle(), at, share: 1.0 }, nothing, nothing, nothing],
            }));
        }
        Self { points }
    }

    /// How high the lowest point of a leg's foot is in a pose, metres along `up`, a unit vector of model space; `None` if the foot has
    /// none.
    ///
    /// # Panics
    /// If the pose was made for fewer joints.
    #[must_use]
    pub fn lowest_of_foot(&self, leg: LegId, pose: &ModelPose, up: Vec3A) -> Option<f32> {
        let own = self.points.iter().filter(|point| point.leg == leg && point.in_foot);
        own.map(|point| point.place(pose).dot(up)).min_by(f32::total_cmp)
    }

    /// Its points, leg by leg.
    #[must_use]
    pub fn points(&self) -> &[SkinPoint] {
        &self.points
    }
}

/// The joints of one leg.
struct Within {
    leg: LegId,
    /// By joint: whether it is of the foot, and whether it is of the leg above it.
    of_foot: Vec<bool>,
    of_leg: Vec<bool>,
    /// The joint that the foot hangs from, which moves half as much as the foot does.
    last: JointId,
}

impl Within {
    fn of(rig: &Rig, id: LegId) -> Self {
        let (skeleton, leg) = (&rig.skeleton, &rig.legs[id.index()]);
        let (foot, limb) = (skeleton.subtree(leg.ankle()), skeleton.subtree(leg.hip()));
        let of_foot: Vec<bool> = (0..skeleton.len()).map(|joint| foot.contains(&joint)).collect();
        let of_leg = (0..skeleton.len()).map(|joint| limb.contains(&joint) && !of_foot[joint]).collect();
        Self { leg: id, of_foot, of_leg, last: leg.chain[leg.chain.len().saturating_sub(2)] }
    }

    /// A vertex as a point of this leg, with the part that it moves with; `None` if it is not of this leg.
    fn point(&self, skin: &Skin, vertex: usize) -> Option<(Part, SkinPoint)> {
        let bound = Vec3A::from(skin.positions[vertex]);
        let mut held = [Held { joint: JointId(0), at: Vec3A::ZERO, share: 0.0 }; 4];
        for ((held, bone), share) in held.iter_mut().zip(skin.joints[vertex]).zip(skin.weights[vertex]) {
            if share > 0.0 {
                let bone = &skin.bones[usize::from(bone)];
                *held = Held { joint: bone.joint, at: bone.joint_from_bind.transform_point3a(bound), share };
            }
        }
        let most = held.iter().max_by(|a, b| a.share.total_cmp(&b.share)).filter(|held| held.share > 0.0)?;
        let (joint, quarters) = (most.joint, (4.0 * most.share) as u8);
        let in_foot = self.of_foot[joint.index()];
        if !(in_foot || self.of_leg[joint.index()]) {
            return None;
        }
        let share = |of: &dyn Fn(JointId) -> bool| -> f32 {
            held.iter().filter(|held| of(held.joint)).map(|held| held.share).sum()
        };
        let own = |joint: JointId| self.of_foot[joint.index()] || self.of_leg[joint.index()];
        let foot = share(&|joint| self.of_foot[joint.index()]);
        let above = share(&|joint| joint == self.last && !self.of_foot[joint.index()]);
        let foreign = share(&|joint| !own(joint)) > FOREIGN;
        let point = SkinPoint { leg: self.leg, joint, in_foot, with_foot: foot + 0.5 * above, foreign, held };
        Some((Part { leg: self.leg, joint, quarters, foreign }, point))
    }
}

/// Directions spread evenly over the sphere (Fibonacci's spiral), but for those that point up.
fn directions() -> Vec<Vec3> {
    let turn = std::f32::consts::PI * (3.0 - 5.0_f32.sqrt());
    let direction = |i: usize| {
        let y = 1.0 - (2.0 * i as f32 + 1.0) / DIRECTIONS as f32;
        let (sin, cos) = single::sin_cos(turn * i as f32);
        Vec3::new(cos, 0.0, sin) * (1.0 - y * y).sqrt() + Vec3::Y * y
    };
    (0..DIRECTIONS).map(direction).filter(|direction| direction.y < UPWARDS).collect()
}

/// Of vertices that move as one, those that lie farthest in a direction, each once.
fn outermost(part: &[(Vec3, SkinPoint)], directions: &[Vec3]) -> Vec<SkinPoint> {
    let farthest = |direction: &Vec3| {
        let far = |i: &usize| part[*i].0.dot(*direction);
        (0..part.len()).max_by(|a, b| far(a).total_cmp(&far(b)))
    };
    let mut kept: Vec<usize> = directions.iter().filter_map(farthest).collect();
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|i| part[i].1).collect()
}
