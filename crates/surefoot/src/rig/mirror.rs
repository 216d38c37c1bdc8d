//! Mirroring: which joint mirrors which, and how a pose turns into its mirror image.

use super::side::split_sides;
use super::{JointId, Side, Skeleton};
use crate::math::{Rigid, quat};
use glam::Quat;
use std::collections::BTreeMap;

/// Why a skeleton cannot be mirrored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MirrorError {
    /// A joint of one side has no counterpart on the other.
    #[error("joint {joint:?} is on one side of the body and no joint mirrors it")]
    Unpaired {
        /// The joint's name.
        joint: String,
    },
    /// Two joints mirror each other by name but hang from joints that do not.
    #[error("{left:?} and {right:?} should mirror each other but hang from joints that do not")]
    Structure {
        /// One joint's name.
        left: String,
        /// The other's.
        right: String,
    },
}

/// The left-right symmetry of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Mirror {
    partners: Vec<JointId>,
    /// Per joint, the turn from the mirror image of its partner's axes to its own; the identity where joint axes
    /// mirror each other, as in BVH files.
    corrections: Vec<Quat>,
}

/// Axes that are mirror images within this angle count as such: less is a crooked pose, not another convention.
const AXES_AGREE: f32 = 0.35;

impl Mirror {
    /// Pairs joints by the sides in their names and checks that the tree agrees. Joints without a side mirror
    /// themselves. A skeleton whose names tell no sides mirrors every joint onto itself.
    ///
    /// # Errors
    /// If a joint has a side but no partner, or partners hang from different places.
    pub fn of(skeleton: &Skeleton) -> Result<Self, MirrorError> {
        let partners = pair_by_name(skeleton)?;

        // Axes of partners at rest, in model space: B. The correction is C_j = (M B_partner M)⁻¹ B_j.
        let model = super::ModelPose::new(skeleton);
        let mut corrections: Vec<Quat> = skeleton
            .joints()
            .map(|j| model[partners[j.index()]].mirrored().rotation.conjugate() * model[j].rotation)
            .collect();
        if corrections.iter().all(|c| quat::angle_between(*c, Quat::IDENTITY) < AXES_AGREE) {
            corrections.fill(Quat::IDENTITY);
        }
        Ok(Self { partners, corrections })
    }

    /// How many joints have a partner on the other side; 0 where no name tells a side.
    #[must_use]
    pub fn paired(&self) -> usize {
        self.partners.iter().enumerate().filter(|(i, partner)| partner.index() != *i).count()
    }

    /// The joint on the other side; the joint itself on the middle line.
    #[must_use]
    pub fn partner(&self, joint: JointId) -> JointId {
        self.partners[joint.index()]
    }

    /// The mirror image of a pose's locals: what the left side did, the right side does.
    ///
    /// Bone lengths stay the body's own: a joint takes over its partner's change from rest, not its length. Mirroring
    /// twice gives the pose back.
    ///
    /// # Panics
    /// If a slice was made for another skeleton.
    pub fn locals(&self, skeleton: &Skeleton, locals: &[Rigid], out: &mut [Rigid]) {
        let rest = skeleton.rest();
        assert!(locals.len() == self.partners.len() && out.len() == locals.len(), "slices of another skeleton");
        for (j, out) in out.iter_mut().enumerate() {
            let p = self.partners[j].index();
            let parent_correction =
                skeleton.parents()[j].map_or(Quat::IDENTITY, |parent| self.corrections[parent.index()]);
            let undo = parent_correction.conjugate();
            let moved = Rigid::from_translation(locals[p].translation - rest[p].translation).mirrored().translation;
            *out = Rigid {
                rotation: undo * locals[p].mirrored().rotation * self.corrections[j],
                translation: rest[j].translation + undo * moved,
            };
        }
    }
}

fn pair_by_name(skeleton: &Skeleton) -> Result<Vec<JointId>, MirrorError> {
    // By stem: the left joints and the right ones. Several may share a stem; the n-th left belongs to the n-th right.
    let mut pairs: BTreeMap<String, [Vec<JointId>; 2]> = BTreeMap::new();
    for (joint, split) in skeleton.joints().zip(split_sides(skeleton.names())) {
        if let Some((side, stem)) = split {
            pairs.entry(stem).or_default()[usize::from(side == Side::Right)].push(joint);
        }
    }
    let mut partners: Vec<JointId> = skeleton.joints().collect();
    for [left, right] in pairs.values() {
        if let Some(lonely) = left.get(right.len()).or(right.get(left.len())) {
            return Err(MirrorError::Unpaired { joint: skeleton.name(*lonely).into() });
        }
        for (l, r) in left.iter().zip(right) {
            (partners[l.index()], partners[r.index()]) = (*r, *l);
        }
    }
    for joint in skeleton.joints() {
        let partner = partners[joint.index()];
        let mirrored_parent = skeleton.parent(joint).map(|p| partners[p.index()]);
        if skeleton.parent(partner) != mirrored_parent {
            if partner == joint {
                return Err(MirrorError::Unpaired { joint: skeleton.name(joint).into() });
            }
            let (left, right) = (skeleton.name(joint).into(), skeleton.name(partner).into());
            return Err(MirrorError::Structure { left, right });
        }
    }
    Ok(partners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::{Joint, ModelPose};
    use glam::{Vec3, Vec3A};

    /// A pelvis with two legs; `axes` turns the right leg's joint axes, as glTF exporters do.
    fn body(axes: Quat) -> Skeleton {
        let at = |x: f32, y: f32, z: f32| Rigid::from_translation(Vec3A::new(x, y, z));
        let turned = Rigid::from_rotation(axes);
        Skeleton::new(vec![
            Joint::new("Hips", None, at(0.0, 0.9, 0.0)),
            Joint::new("LeftUpLeg", Some(0), at(0.1, 0.0, 0.0)),
            Joint::new("LeftFoot", Some(1), at(0.0, -0.8, 0.1)),
            Joint::new("RightUpLeg", Some(0), at(-0.12, 0.0, 0.0) * turned),
            Joint::new("RightFoot", Some(3), turned.inverse() * at(0.0, -0.7, 0.1) * turned),
        ])
        .unwrap()
    }

    fn crooked(skeleton: &Skeleton) -> Vec<Rigid> {
        let mut locals = skeleton.rest().to_vec();
        for (i, local) in locals.iter_mut().enumerate() {
            let i = i as f32;
            local.rotation *= quat::exp(Vec3::new(0.1 * i, 0.2, -0.3 + 0.1 * i));
        }
        locals[0].translation += Vec3A::new(0.3, 0.1, 0.5);
        locals
    }

    #[test]
    fn twice_is_the_identity_and_rest_stays_rest() {
        for axes in [Quat::IDENTITY, quat::exp(Vec3::new(1.0, -0.5, 2.0))] {
            let body = body(axes);
            let mirror = Mirror::of(&body).unwrap();
            let (mut once, mut twice) = (body.rest().to_vec(), body.rest().to_vec());
            mirror.locals(&body, body.rest(), &mut once);
            for (a, b) in once.iter().zip(body.rest()) {
                assert!(
                    quat::angle_between(a.rotation, b.rotation) < 1e-5
                        && (a.translation - b.translation).length() < 1e-6,
                    "rest {a:?} {b:?}"
                );
            }
            let locals = crooked(&body);
            mirror.locals(&body, &locals, &mut once);
            mirror.locals(&body, &once, &mut twice);
            for (a, b) in twice.iter().zip(&locals) {
                assert!(
                    quat::angle_between(a.rotation, b.rotation) < 1e-5
                        && (a.translation - b.translation).length() < 1e-6,
                    "twice {a:?} {b:?}"
                );
            }
        }
    }

    #[test]
    fn the_picture_is_the_same_whatever_the_joint_axes() {
        let (plain, turned) = (body(Quat::IDENTITY), body(quat::exp(Vec3::new(1.0, -0.5, 2.0))));
        let swing = Quat::from_rotation_x(-0.6) * Quat::from_rotation_z(0.2);
        let mirrored_feet = |body: &Skeleton| {
            // Swing the left leg, mirror, and see where the right foot is.
            let mut locals = body.rest().to_vec();
            locals[1].rotation = swing * locals[1].rotation;
            let mut out = locals.clone();
            Mirror::of(body).unwrap().locals(body, &locals, &mut out);
            let mut model = ModelPose::new(body);
            crate::rig::Pose { root: Rigid::IDENTITY, locals: out }.to_model(body, &mut model);
            [model.joints[2].translation, model.joints[4].translation]
        };
        let (a, b) = (mirrored_feet(&plain), mirrored_feet(&turned));
        assert!((a[0] - b[0]).length() < 1e-5 && (a[1] - b[1]).length() < 1e-5, "{a:?} {b:?}");
        // The right leg now swings as the left one did, with its own length.
        let reach = a[1] - Vec3A::new(-0.12, 0.9, 0.0);
        let expected = Rigid::from_rotation(swing).mirrored().rotation * Vec3A::new(0.0, -0.7, 0.1);
        assert!((reach - expected).length() < 1e-5, "{reach} {expected}");
    }

    #[test]
    fn unfit_skeletons_are_refused_by_name() {
        let joint = |name: &str, parent| Joint::new(name, parent, Rigid::IDENTITY);
        let lonely = Skeleton::new(vec![joint("Hips", None), joint("LeftLeg", Some(0))]).unwrap();
        assert_eq!(Mirror::of(&lonely), Err(MirrorError::Unpaired { joint: "LeftLeg".into() }));
        let crooked = Skeleton::new(vec![
            joint("Hips", None),
            joint("LeftLeg", Some(0)),
            joint("Tail", Some(0)),
            joint("RightLeg", Some(2)),
        ])
        .unwrap();
        assert!(matches!(Mirror::of(&crooked), Err(MirrorError::Structure { .. })), "different parents");
        let prop =
            [joint("Hips", None), joint("LeftHand", Some(0)), joint("Sword", Some(1)), joint("RightHand", Some(0))];
        let prop = Mirror::of(&Skeleton::new(prop.to_vec()).unwrap());
        assert_eq!(prop, Err(MirrorError::Unpaired { joint: "Sword".into() }));
    }
}
