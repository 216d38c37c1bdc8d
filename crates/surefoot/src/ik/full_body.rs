//! A whole body that reaches with some of its joints while its feet stay where they are.

use super::{Aim, Effector, Freedom, IkProblem, IkReport, IkState, Objective, Reach, SolveIk};
use crate::rig::{JointId, Leg, ModelPose, Pose, Skeleton};
use glam::Vec3A;

/// A body prepared for reaching, with what lives from frame to frame.
///
/// Feet keep their place and turn of each pose that comes in, so that a walk stays a walk while hands reach. Allocates when
/// made and in the first solve only.
#[derive(Clone, Debug)]
pub struct FullBody {
    /// How a pose is solved for.
    pub solve: SolveIk,
    problem: IkProblem,
    state: IkState,
    model: ModelPose,
    hands: Vec<Reach>,
    feet: Vec<Reach>,
    soles: Vec<Aim>,
}

impl FullBody {
    /// Weight of a foot against that of a hand: targets out of reach must not drag feet along.
    const FOOT: f32 = 100.0;
    /// Weight of a foot's direction, square metres: a degree counts as much as 4 mm.
    const SOLE: f32 = 5.0;

    /// A body whose joints `reaching` go to targets. Legs that reach themselves are not held; without legs the root is all
    /// that holds the body, unwillingly.
    #[must_use]
    pub fn new(skeleton: &Skeleton, legs: &[Leg], reaching: &[JointId]) -> Self {
        let mut effectors: Vec<Effector> = reaching.iter().map(|joint| Effector::place(*joint)).collect();
        let hands = reaching.iter().map(|joint| Reach::new(*joint, Vec3A::ZERO)).collect();
        let (mut feet, mut soles) = (Vec::new(), Vec::new());
        for leg in legs.iter().filter(|leg| !leg.chain.iter().any(|joint| reaching.contains(joint))) {
            let ankle = leg.ankle();
            effectors.push(Effector::turning(ankle));
            // A pointed foot stands on its point; another keeps its place and turn.
            let offset = if leg.foot.is_point() { leg.foot.ball } else { Vec3A::ZERO };
            feet.push(Reach { offset, weight: Self::FOOT, ..Reach::new(ankle, Vec3A::ZERO) });
            if !leg.foot.is_point() {
                let along = |direction: Vec3A| Aim { joint: ankle, direction, goal: direction, weight: Self::SOLE };
                soles.extend([Vec3A::Y, Vec3A::Z].map(along));
            }
            // A lower leg that its foot does not hang from must still end where it did.
            if let Some(end) = leg.shin {
                let last = leg.chain[leg.chain.len() - 2];
                effectors.push(Effector::turning(last));
                feet.push(Reach { offset: end, weight: Self::FOOT, ..Reach::new(last, Vec3A::ZERO) });
            }
        }
        let problem = IkProblem::new(skeleton, &Freedom::of_body(skeleton, legs), &effectors);
        let state = IkState::new(&problem);
        // Bodies that bend down to the floor are far from their input: a weaker pull lets them come there.
        let solve = SolveIk { pull: 1e-5, ..SolveIk::default() };
        Self { solve, problem, state, model: ModelPose::new(skeleton), hands, feet, soles }
    }

    /// Starts the next solve from its input pose, not from where the last one ended.
    pub fn reset(&mut self) {
        self.state.reset();
    }

    /// Moves a pose so that each reaching joint comes to its target (metres, model space, in their order), while the feet
    /// stay where this pose has them.
    ///
    /// # Panics
    /// If there are not as many targets as reaching joints, or the pose is of another skeleton.
    pub fn run(&mut self, skeleton: &Skeleton, pose: &mut Pose, targets: &[Vec3A]) -> IkReport {
        assert!(targets.len() == self.hands.len(), "{} targets for {} joints", targets.len(), self.hands.len());
        pose.to_model(skeleton, &mut self.model);
        for (hand, target) in self.hands.iter_mut().zip(targets) {
            hand.target = *target;
        }
        for foot in &mut self.feet {
            foot.target = self.model[foot.joint].transform_point(foot.offset);
        }
        for sole in &mut self.soles {
            sole.goal = (self.model[sole.joint].rotation * sole.direction).normalize();
        }
        let objectives: [&dyn Objective; 3] = [&self.hands, &self.feet, &self.soles];
        self.solve.run(&self.problem, &mut self.state, &objectives, pose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ik::End;
    use crate::math::{Rigid, quat};
    use crate::rig::{Foot, Joint};

    /// Pelvis, two legs of two bones, spine, an arm of two.
    fn body() -> (Skeleton, Vec<Leg>) {
        let mut joints = Vec::new();
        let mut joint = |name: &str, parent: Option<usize>, at: [f32; 3]| {
            joints.push(Joint::new(name, parent, Rigid::from_translation(Vec3A::from_array(at))));
        };
        joint("pelvis", None, [0.0, 1.0, 0.0]);
        for (i, x) in [0.1, -0.1].into_iter().enumerate() {
            joint("hip", Some(0), [x, -0.05, 0.0]);
            joint("knee", Some(3 * i + 1), [0.0, -0.42, 0.04]);
            joint("ankle", Some(3 * i + 2), [0.0, -0.42, -0.04]);
        }
        joint("chest", Some(0), [0.0, 0.4, 0.0]);
        joint("shoulder", Some(7), [0.2, 0.1, 0.0]);
        joint("elbow", Some(8), [0.05, -0.28, -0.02]);
        joint("hand", Some(9), [0.0, -0.25, 0.05]);
        let (heel, ball) = (Vec3A::new(0.0, -0.08, -0.05), Vec3A::new(0.0, -0.08, 0.14));
        let leg = |first: u16| Leg {
            side: None,
            chain: vec![JointId(first), JointId(first + 1), JointId(first + 2)],
            hinges: vec![Vec3A::X],
            toe: None,
            shin: None,
            foot: Foot { heel, ball, up: Vec3A::Y, tip: None, length: 0.25, width: 0.08 },
        };
        (Skeleton::new(joints).unwrap(), vec![leg(1), leg(4)])
    }

    #[test]
    fn a_hand_reaches_while_the_feet_stay() {
        let (skeleton, legs) = body();
        let hand = skeleton.find("hand").unwrap();
        let mut body = FullBody::new(&skeleton, &legs, &[hand]);
        let rest = ModelPose::new(&skeleton);
        let mut model = rest.clone();
        // High up, far in front, and down to the floor beside the foot.
        for target in [Vec3A::new(0.3, 1.9, 0.3), Vec3A::new(0.2, 1.1, 0.7), Vec3A::new(0.35, 0.15, 0.25)] {
            let mut pose = Pose::rest(&skeleton);
            body.reset();
            let report = body.run(&skeleton, &mut pose, &[target]);
            pose.to_model(&skeleton, &mut model);
            assert_eq!(report.end, End::Reached, "{target}: {report:?}");
            assert!((model[hand].translation - target).length() < 1.1e-3, "{target}");
            for leg in &legs {
                let (now, was) = (model[leg.ankle()], rest[leg.ankle()]);
                assert!((now.translation - was.translation).length() < 1.1e-3, "{target}: {report:?}");
                assert!(quat::angle_between(now.rotation, was.rotation) < 0.03, "{target}: {report:?}");
            }
        }
    }

    #[test]
    fn out_of_reach_is_said() {
        let (skeleton, legs) = body();
        let hand = skeleton.find("hand").unwrap();
        let mut body = FullBody::new(&skeleton, &legs, &[hand]);
        let mut pose = Pose::rest(&skeleton);
        let report = body.run(&skeleton, &mut pose, &[Vec3A::new(0.0, 1.0, 4.0)]);
        assert!(report.unreached > 0 && report.metres > 0.5, "{report:?}");
        let (rest, mut model) = (ModelPose::new(&skeleton), ModelPose::new(&skeleton));
        pose.to_model(&skeleton, &mut model);
        for leg in &legs {
            let moved = (model[leg.ankle()].translation - rest[leg.ankle()].translation).length();
            assert!(moved < 0.03, "a target out of reach drags the feet by {moved} m");
        }
    }
}
