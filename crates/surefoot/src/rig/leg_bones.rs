//! Bones of legs and of the body above them, to be made longer or shorter.

use super::{Joint, JointId, Leg, Rig, Skeleton};
use crate::math::Rigid;
use glam::Vec3A;

/// Joints whose distance from the joint above is a bone of a leg, or of spine, head and arms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LegBones {
    /// By leg.
    legs: Vec<Vec<JointId>>,
    upper: Vec<JointId>,
}

impl LegBones {
    pub(crate) fn of(rig: &Rig) -> Self {
        let skeleton = &rig.skeleton;
        let bones = |leg: &Leg| {
            // A foot that does not hang from its leg is no bone of it.
            let last = if leg.shin.is_some() { leg.chain[leg.chain.len() - 2] } else { leg.ankle() };
            skeleton.ancestry(last).take_while(|joint| *joint != leg.hip()).collect()
        };
        let above = |joint: JointId, other: JointId| skeleton.subtree(joint).contains(&other.index());
        let is_upper = |joint: &JointId| {
            let apart = |leg: &Leg| !above(leg.hip(), *joint) && !above(*joint, leg.hip());
            let loose = |leg: &Leg| leg.shin.is_some() && skeleton.ancestry(*joint).any(|j| j == leg.ankle());
            rig.legs.iter().all(|leg| apart(leg) && !loose(leg)) && skeleton.parent(*joint).is_some()
        };
        Self { legs: rig.legs.iter().map(bones).collect(), upper: skeleton.joints().filter(is_upper).collect() }
    }

    /// Makes the bones of a pose longer: each leg's by its scale, the others by `upper`.
    pub(crate) fn scale(&self, locals: &mut [Rigid], legs: &[f32], upper: f32) {
        for (bones, scale) in self.legs.iter().zip(legs) {
            bones.iter().for_each(|joint| locals[joint.index()].translation *= *scale);
        }
        if upper != 1.0 {
            self.upper.iter().for_each(|joint| locals[joint.index()].translation *= upper);
        }
    }
}

impl Rig {
    /// The same body with legs so many times as long, each, and spine, head and arms `upper` times as long. Feet keep their size,
    /// and stand as high as they did.
    ///
    /// # Panics
    /// If there is not a positive scale for each leg.
    #[must_use]
    pub fn with_legs_scaled(&self, legs: &[f32], upper: f32) -> Self {
        assert!(
            legs.len() == self.legs.len() && legs.iter().all(|s| *s > 0.0 && s.is_finite()),
            "a scale for each leg"
        );
        assert!(upper > 0.0 && upper.is_finite(), "a positive scale");
        if legs.iter().all(|scale| *scale == 1.0) && upper == 1.0 {
            return self.clone();
        }
        let old = &self.skeleton;
        let mut rest = old.rest().to_vec();
        LegBones::of(self).scale(&mut rest, legs, upper);
        // What legs have grown by, the body is raised.
        let grown = |(leg, scale): (&Leg, &f32)| {
            (scale - 1.0) * (old.rest_of(leg.hip()).translation.y - old.rest_of(leg.ankle()).translation.y)
        };
        let count = self.legs.len().max(1) as f32;
        let raised = self.legs.iter().zip(legs).map(grown).sum::<f32>() / count;
        for joint in self.carriers() {
            let above = old.parent(joint).map_or(Rigid::IDENTITY, |parent| old.rest_of(parent));
            rest[joint.index()].translation += above.inverse().transform_vector(raised * Vec3A::Y);
        }
        let joint =
            |joint: JointId| Joint::new(old.name(joint), old.parent(joint).map(JointId::index), rest[joint.index()]);
        let skeleton = Skeleton::new(old.joints().map(joint).collect()).expect("as it was, but for lengths");
        let skeleton = skeleton.with_tips(old.tips().iter().copied());
        let skeleton = skeleton.with_pelvis(old.pelvis()).with_legs(old.legs().to_vec());
        let mut scaled = self.legs.clone();
        for (leg, scale) in scaled.iter_mut().zip(legs) {
            leg.shin = leg.shin.map(|end| end * *scale);
            if leg.foot_has_no_joint() {
                leg.foot.heel *= *scale;
                leg.foot.ball *= *scale;
            }
        }
        // Feet keep their size: their soles are no longer as high as legs of this length would have them.
        let skeleton = skeleton.with_known_legs(scaled.clone());
        Self { skeleton, legs: scaled, mirror: self.mirror.clone() }
    }

    /// Whether legs can grow while the body moves: their ends are joints of their own.
    #[must_use]
    pub fn legs_can_grow(&self) -> bool {
        self.legs.iter().all(|leg| leg.shin.is_none() && !leg.foot_has_no_joint())
    }
}

#[cfg(test)]
mod tests {
    use super::super::ManyLegs;

    #[test]
    fn legs_grow_and_feet_stay_on_the_ground() {
        let rig = ManyLegs { ..ManyLegs::default() }.run();
        let scales = vec![1.5; rig.legs.len()];
        let tall = rig.with_legs_scaled(&scales, 1.0);
        assert!((tall.leg_length() / rig.leg_length() - 1.5).abs() < 1e-4, "{}", tall.leg_length());
        let lowest = |rig: &super::Rig| {
            let at = |leg: &super::Leg| rig.skeleton.rest_of(leg.ankle()).transform_point(leg.foot.ball).y;
            rig.legs.iter().map(at).fold(f32::MAX, f32::min)
        };
        assert!((lowest(&tall) - lowest(&rig)).abs() < 0.02, "{} {}", lowest(&tall), lowest(&rig));
        assert_eq!(rig.with_legs_scaled(&vec![1.0; rig.legs.len()], 1.0), rig);
    }
}
