//! The task of four effectors: a captured body with 60 freedoms, poses of a real walk, ankles and wrists moved at random.

use surefoot::glam::{Vec3, Vec3A};
use surefoot::ik::{Effector, Freedom, IkProblem, Reach};
use surefoot::math::quat;
use surefoot::motion::Clip;
use surefoot::random::{Rng, Seed};
use surefoot::rig::{JointId, ModelPose, Pose, Skeleton};
use surefoot_io::{Import, embedded};

/// One pose and where its effectors should go.
pub(crate) struct Case {
    /// The pose to start from.
    pub(crate) pose: Pose,
    /// Targets of the effectors, model space.
    pub(crate) targets: [Reach; 4],
    /// The pose of the next frame.
    pub(crate) next: Pose,
    /// Targets then: up to 5 mm from those before.
    pub(crate) next_targets: [Reach; 4],
}

/// The body and its cases.
pub(crate) struct Task {
    /// The body.
    pub(crate) skeleton: Skeleton,
    /// All 60 freedoms.
    pub(crate) freedoms: Vec<Freedom>,
    /// Prepared for ankles and wrists.
    pub(crate) problem: IkProblem,
    /// Start poses and targets.
    pub(crate) cases: Vec<Case>,
}

const EFFECTORS: [&str; 4] = ["LeftFoot", "RightFoot", "LeftHand", "RightHand"];

/// The task with `count` poses of a walk.
pub(crate) fn task(count: usize) -> Task {
    let Import { skeleton, clips, .. } = embedded::find("16_15").expect("embedded").import();
    let clip = &clips[0];
    let joint = |name: &str| skeleton.find(name).unwrap_or_else(|| panic!("no {name}"));
    let mut freedoms = Freedom::slides(joint("Hips")).to_vec();
    for name in [
        "Hips",
        "LeftUpLeg",
        "RightUpLeg",
        "LeftFoot",
        "RightFoot",
        "LowerBack",
        "Spine",
        "Spine1",
        "Neck",
        "Neck1",
        "Head",
        "LeftShoulder",
        "LeftArm",
        "LeftHand",
        "RightShoulder",
        "RightArm",
        "RightHand",
    ] {
        freedoms.extend(Freedom::ball(joint(name)));
    }
    for name in ["LeftLeg", "RightLeg", "LeftForeArm", "RightForeArm", "LeftToeBase", "RightToeBase"] {
        freedoms.push(Freedom::hinge(joint(name), main_axis(clip, joint(name))));
    }
    let effectors = EFFECTORS.map(joint);
    let problem = IkProblem::new(&skeleton, &freedoms, &effectors.map(Effector::place));

    let mut rng = Rng::new(Seed(60)).stream("reach");
    let mut direction = |least: f32, most: f32| loop {
        let v = Vec3A::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
        if (0.01..1.0).contains(&v.length_squared()) {
            return v.normalize() * rng.range(least, most);
        }
    };
    let mut model = ModelPose::new(&skeleton);
    let mut cases = Vec::new();
    for i in 0..count {
        let frame = i * (clip.frames() - 2) / count;
        let at = |frame: usize| Pose { root: clip.roots()[frame], locals: clip.frame(frame).to_vec() };
        let pose = at(frame);
        pose.to_model(&skeleton, &mut model);
        let targets = effectors.map(|joint| Reach::new(joint, model[joint].translation + direction(0.1, 0.2)));
        let next_targets = targets.map(|reach| Reach { target: reach.target + direction(0.0, 0.005), ..reach });
        cases.push(Case { pose, targets, next: at(frame + 1), next_targets });
    }
    Task { skeleton, freedoms, problem, cases }
}

/// The axis about which a joint turns most in a clip, in its own space.
fn main_axis(clip: &Clip, joint: JointId) -> Vec3A {
    let middle = clip.frame(clip.frames() / 2)[joint.index()].rotation;
    let turns = || (0..clip.frames()).map(|f| quat::log(middle.conjugate() * clip.frame(f)[joint.index()].rotation));
    let mut axis = Vec3::X;
    for _ in 0..50 {
        axis = turns().map(|v| v * v.dot(axis)).sum::<Vec3>().normalize_or(Vec3::X);
    }
    Vec3A::from(axis)
}
