//! Derivatives against differences, thousands of random problems, and what a solve promises.

use super::derivatives::derivative_error;
use super::freedom::FreedomKind;
use super::place::Mass;
use super::single::Inertia;
use super::solve::Method;
use super::*;
use crate::math::{Rigid, quat};
use crate::random::{Rng, Seed};
use crate::rig::{Joint, JointId, ModelPose, Pose, Skeleton};
use glam::{Vec3, Vec3A};

fn point(rng: &mut Rng, size: f32) -> Vec3A {
    Vec3A::new(rng.range(-size, size), rng.range(-size, size), rng.range(-size, size))
}

fn unit(rng: &mut Rng) -> Vec3A {
    loop {
        let v = point(rng, 1.0);
        if (0.01..1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

/// A tree of up to 14 joints with bones of any length, some of none, and freedoms of every kind.
fn body(rng: &mut Rng) -> (Skeleton, Vec<Freedom>) {
    let count = 2 + rng.below(13);
    let mut joints: Vec<Joint> = Vec::new();
    let mut freedoms = Vec::new();
    for i in 0..count {
        // Any joint on the way to the last one may carry the next, so that the order stays depth first.
        let mut parent = i.checked_sub(1);
        for _ in 0..rng.below(4) {
            parent = parent.and_then(|p| joints[p].parent).or(parent);
        }
        let length = if rng.below(5) == 0 { 0.0 } else { rng.range(0.02, 0.5) };
        let rest = Rigid::new(quat::exp(Vec3::from(point(rng, 1.5))), unit(rng) * length);
        joints.push(Joint::new(format!("{i}"), parent, rest));
        let joint = JointId(i as u16);
        match rng.below(6) {
            0 => freedoms.extend(Freedom::slides(joint).iter().take(1 + rng.below(3)).copied()),
            1 | 2 => freedoms.extend(Freedom::ball(joint)),
            3 | 4 => freedoms.push(Freedom::hinge(joint, unit(rng))),
            _ => freedoms
                .push(Freedom::hinge(joint, unit(rng)).within(-rng.unit(), rng.unit()).stiff(rng.range(0.1, 5.0))),
        }
    }
    (Skeleton::new(joints).unwrap(), freedoms)
}

fn any_pose(rng: &mut Rng, skeleton: &Skeleton) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for local in &mut pose.locals {
        local.rotation = (local.rotation * quat::exp(Vec3::from(point(rng, 0.5)))).normalize();
    }
    pose
}

fn any_joint(rng: &mut Rng, skeleton: &Skeleton) -> JointId {
    JointId(rng.below(skeleton.len()) as u16)
}

#[test]
fn every_objective_has_the_derivatives_it_claims() {
    let mut rng = Rng::new(Seed(1)).stream("derivatives");
    let mut checked = 0;
    for _ in 0..60 {
        let (skeleton, freedoms) = body(&mut rng);
        let all: Vec<Effector> = skeleton.joints().map(Effector::turning).collect();
        let problem = IkProblem::new(&skeleton, &freedoms, &all);
        let pose = any_pose(&mut rng, &skeleton);
        let q: Vec<f64> = (0..problem.freedoms()).map(|_| f64::from(rng.range(-0.8, 0.8))).collect();
        let weights: Vec<f64> = q.iter().map(|_| f64::from(rng.unit())).collect();
        let expected: Vec<f64> = q.iter().map(|_| f64::from(rng.unit())).collect();
        let masses: Vec<Mass> = skeleton
            .joints()
            .map(|joint| Mass { joint, middle: point(&mut rng, 0.2), share: rng.range(0.1, 3.0) })
            .collect();
        let [a, b, c] = [0; 3].map(|_| any_joint(&mut rng, &skeleton));
        let (target, goal) = (point(&mut rng, 1.0), unit(&mut rng));
        // A new objective is added here.
        let objectives: [(&str, &dyn Objective); 11] = [
            ("reach", &Reach { weight: 0.7, ..Reach::new(a, target) }),
            ("reach with a point off the joint", &Reach { offset: point(&mut rng, 0.3), ..Reach::new(a, target) }),
            ("inertia of a point", &Reach::going_on(b, target, goal, 0.1, 0.3)),
            ("aim", &Aim { joint: a, direction: unit(&mut rng), goal, weight: 0.4 }),
            ("look at", &LookAt { joint: b, direction: unit(&mut rng), target: target + goal, weight: 0.4 }),
            ("pole", &Pole { joints: [a, b, c], direction: goal, bend: 0.2, along: 0.4, weight: 0.6 }),
            ("centre of mass", &CentreOfMass { masses: &masses, target, weights: Vec3A::new(1.0, 0.0, 0.5) }),
            ("regulariser", &Regulariser { weight: 0.3 }),
            ("limiter", &Limiter { weight: 0.02, s: 1.5, whole_turns: false }),
            ("limiter over whole turns", &Limiter { weight: 0.02, s: 1.1, whole_turns: true }),
            ("inertia of angles", &Inertia { expected: &expected, weights: &weights }),
        ];
        for (name, objective) in objectives {
            let error = derivative_error(&problem, &pose, &q, objective);
            assert!(error.gradient < 1e-7 && error.hessian < 1e-7 && error.energy == 0.0, "{name}: {error:?}");
            checked += usize::from(problem.freedoms() > 0);
        }
    }
    assert!(checked > 500, "{checked} objectives had freedoms to move");
}

/// An objective whose Jacobian is wrong in one place.
struct Wrong(Reach);

impl Objective for Wrong {
    fn add_to(&self, at: &Kinematics<'_>, sum: &mut Quadratic) {
        let p = at.point(self.0.joint, glam::DVec3::ZERO);
        if let Some(mut rows) = sum.add_vector(1.0, p - self.0.target.as_dvec3()) {
            at.chain_to_origin(self.0.joint).iter().skip(1).for_each(|f| rows.add(*f, at.moves(*f, p)));
        }
    }
}

#[test]
fn a_wrong_derivative_is_found() {
    let mut rng = Rng::new(Seed(2)).stream("wrong");
    let skeleton = Skeleton::new(
        (0..4_usize).map(|i| Joint::new("", i.checked_sub(1), Rigid::from_translation(Vec3A::Y))).collect(),
    )
    .unwrap();
    let freedoms: Vec<Freedom> = skeleton.joints().flat_map(Freedom::ball).collect();
    let problem = IkProblem::new(&skeleton, &freedoms, &[Effector::place(JointId(3))]);
    let q: Vec<f64> = (0..problem.freedoms()).map(|_| f64::from(rng.range(-0.5, 0.5))).collect();
    let wrong = Wrong(Reach::new(JointId(3), Vec3A::new(0.5, 1.0, 0.2)));
    let error = derivative_error(&problem, &Pose::rest(&skeleton), &q, &wrong);
    assert!(error.gradient > 1e-2 && error.hessian > 1e-2, "{error:?}");
}

#[test]
fn ten_thousand_random_problems() {
    let mut rng = Rng::new(Seed(3)).stream("problems");
    // Of problems that have a solution, by construction, and of the others.
    let (mut reached, mut solvable, mut missed) = (0, 0, 0);
    for case in 0..10_000 {
        let (skeleton, freedoms) = body(&mut rng);
        let before = any_pose(&mut rng, &skeleton);
        let mut model = ModelPose::new(&skeleton);
        before.to_model(&skeleton, &mut model);
        let effectors: Vec<Effector> = (0..1 + rng.below(4))
            .map(|_| Effector { joint: any_joint(&mut rng, &skeleton), depth: rng.below(8), turns: rng.below(2) == 0 })
            .collect();
        let problem = IkProblem::new(&skeleton, &freedoms, &effectors);
        let possible = rng.below(2) == 0;
        let there = within_reach(&mut rng, &skeleton, &problem, &before);
        let targets: Vec<Reach> = effectors
            .iter()
            .map(|effector| {
                let here = model[effector.joint].translation;
                let target = match rng.below(9) {
                    _ if possible => there[effector.joint].translation,
                    0 => here,
                    1 => model.joints[0].translation,
                    2 => here + unit(&mut rng) * 10.0,
                    3 => unit(&mut rng) * 1e9,
                    4 => Vec3A::splat([f32::INFINITY, f32::NAN, f32::NEG_INFINITY][rng.below(3)]),
                    _ => here + point(&mut rng, 0.2),
                };
                Reach::new(effector.joint, target)
            })
            .collect();
        let aim = Aim { joint: effectors[0].joint, direction: unit(&mut rng), goal: unit(&mut rng), weight: 0.1 };
        let mut objectives: Vec<&dyn Objective> = targets.iter().map(|target| target as &dyn Objective).collect();
        if !possible && rng.below(3) == 0 {
            objectives.push(&aim);
        }
        let method = if case % 10 == 0 { Method::FullNewton } else { Method::GaussNewton };
        // Levers of centimetres feel the pull and the limits' margins, so those are left out where all must be reached.
        let weak = Limiter { weight: 1e-9, ..Limiter::default() };
        let solve = match possible {
            true => SolveIk { method, pull: 1e-7, limiter: weak, ..SolveIk::default() },
            false => SolveIk { method, ..SolveIk::default() },
        };
        let mut state = IkState::new(&problem);
        let mut pose = before.clone();
        let report = solve.run(&problem, &mut state, &objectives, &mut pose);

        let [first, last] = report.energy;
        assert!(first.is_finite() && last <= first, "case {case}: {report:?}");
        assert!(pose.locals.iter().all(|local| local.is_finite()), "case {case}: {pose:?}");
        for (local, old) in pose.locals.iter().zip(&before.locals) {
            assert!((local.rotation.length() - 1.0).abs() < 1e-4, "case {case}: a rotation");
            let slid = local.translation != old.translation;
            assert!(
                !slid || freedoms.iter().any(|f| f.kind == FreedomKind::Slide),
                "case {case}: bones keep their length"
            );
        }
        // What it says is where it is.
        pose.to_model(&skeleton, &mut model);
        for (target, miss) in targets.iter().zip(state.misses()) {
            let Some(Miss::Metres(said)) = miss else { panic!("case {case}: {miss:?}") };
            let is = f64::from((model[target.joint].translation - target.target).length());
            if is.is_finite() {
                // Poses are in single precision, which is metres for a body that a far target has dragged along.
                let far = model.joints.iter().chain(&pose.locals).map(|joint| joint.translation.length());
                let size = f64::from(far.fold(target.target.length(), f32::max));
                assert!((said - is).abs() < 1e-5 + 1e-6 * size, "case {case}: said {said}, is {is}");
            } else {
                assert_eq!(*said, f64::INFINITY, "case {case}");
            }
        }
        if possible && method == Method::GaussNewton {
            solvable += 1;
            reached += usize::from(report.end == End::Reached);
        } else {
            missed += usize::from(report.unreached > 0);
        }
        assert!(report.end != End::Reached || report.unreached == 0, "case {case}: {report:?}");
    }
    assert!(missed > 3000, "{missed} could not be reached");
    assert!(reached * 100 > solvable * 98 && solvable > 4000, "{reached} of {solvable} that can be reached were");
}

/// The body moved by its freedoms at random, within their limits: targets taken from it can be reached.
fn within_reach(rng: &mut Rng, skeleton: &Skeleton, problem: &IkProblem, pose: &Pose) -> ModelPose {
    let mut moving = kinematics::Moving::new(problem);
    moving.take_in(problem, pose);
    for (j, freedom) in problem.active.iter().enumerate() {
        let input = moving.input_value[j];
        let [low, high] = freedom.limits.map_or([-0.5, 0.5], |[low, high]| [low - input, high - input]);
        moving.q[j] = f64::from(rng.range(-0.5, 0.5)).clamp(low.min(0.0), high.max(0.0));
    }
    moving.place(problem);
    let mut there = pose.clone();
    moving.write(problem, &mut there);
    let mut model = ModelPose::new(skeleton);
    there.to_model(skeleton, &mut model);
    model
}

#[test]
fn energy_falls_with_every_step() {
    let mut rng = Rng::new(Seed(4)).stream("energy");
    for method in [Method::GaussNewton, Method::FullNewton] {
        for _ in 0..50 {
            let (skeleton, freedoms) = body(&mut rng);
            let joint = any_joint(&mut rng, &skeleton);
            let problem = IkProblem::new(&skeleton, &freedoms, &[Effector::turning(joint)]);
            let reach = Reach::new(joint, point(&mut rng, 2.0));
            let mut last = f64::INFINITY;
            for steps in 0..12 {
                let mut state = IkState::new(&problem);
                let solve = SolveIk { method, steps, ..SolveIk::default() };
                let report = solve.run(&problem, &mut state, &[&reach], &mut Pose::rest(&skeleton));
                assert!(report.energy[1] <= last, "{} after {steps} steps, {last} before", report.energy[1]);
                last = report.energy[1];
            }
        }
    }
}

/// Spine of three, an arm of three at its end on either side.
fn two_arms() -> Skeleton {
    let bone = |v: [f32; 3]| Rigid::from_translation(Vec3A::from_array(v) * 0.25);
    let arm = |side: f32, joints: &mut Vec<Joint>| {
        for i in 0..3 {
            let parent = if i == 0 { 2 } else { joints.len() - 1 };
            let bend = if i == 1 { 0.3 } else { 0.0 };
            joints.push(Joint::new(format!("arm {i} {side}"), Some(parent), bone([side, bend, 0.0])));
        }
    };
    let spine = (0..3_usize).map(|i| Joint::new(format!("spine {i}"), i.checked_sub(1), bone([0.0, 1.0, 0.0])));
    let mut joints: Vec<Joint> = spine.collect();
    arm(1.0, &mut joints);
    arm(-1.0, &mut joints);
    Skeleton::new(joints).unwrap()
}

#[test]
fn depths_make_trees_and_what_is_outside_stays() {
    let skeleton = two_arms();
    let freedoms: Vec<Freedom> = skeleton.joints().flat_map(Freedom::ball).collect();
    let [left, right] = [JointId(5), JointId(8)];
    // The left hand may move the top of the spine, the right only its own two joints: but the spine moves it too.
    let effectors = [Effector::place(left).within(3), Effector::place(right).within(2)];
    let problem = IkProblem::new(&skeleton, &freedoms, &effectors);
    let mut moving: Vec<u16> = problem.joints().map(|joint| joint.0).collect();
    moving.dedup();
    assert_eq!(moving, [2, 3, 4, 6, 7]);
    let targets = [Reach::new(left, Vec3A::new(0.4, 1.0, 0.3)), Reach::new(right, Vec3A::new(-0.5, 0.7, 0.3))];
    let mut pose = Pose::rest(&skeleton);
    let mut state = IkState::new(&problem);
    let report = SolveIk::default().run(&problem, &mut state, &[&targets[0], &targets[1]], &mut pose);
    assert_eq!((report.end, report.unreached), (End::Reached, 0), "{report:?}");
    for joint in [0, 1, 5, 8] {
        assert_eq!(pose.locals[joint], skeleton.rest()[joint], "joint {joint} stays");
    }
    assert!(pose.locals[2] != skeleton.rest()[2], "the shared joint moves");
    // Again from there: nothing is left to do.
    let again = SolveIk::default().run(&problem, &mut state, &[&targets[0], &targets[1]], &mut Pose::rest(&skeleton));
    assert_eq!((again.steps, again.end), (0, End::Reached));
}

#[test]
fn limits_hold_and_are_counted_from_rest() {
    let skeleton = two_arms();
    let elbow = JointId(4);
    let freedoms = [Freedom::hinge(JointId(3), Vec3A::Z), Freedom::hinge(elbow, Vec3A::Z).within(-0.2, 1.0)];
    let problem = IkProblem::new(&skeleton, &freedoms, &[Effector::place(JointId(5))]);
    let mut rng = Rng::new(Seed(5)).stream("limits");
    let mut at_limit = 0;
    for _ in 0..200 {
        let mut pose = Pose::rest(&skeleton);
        let start = rng.range(-0.2, 1.0);
        pose.locals[4].rotation = glam::Quat::from_rotation_z(start);
        let reach = Reach::new(JointId(5), Vec3A::new(0.0, 0.5, 0.0) + point(&mut rng, 0.7));
        SolveIk::default().run(&problem, &mut IkState::new(&problem), &[&reach], &mut pose);
        let angle = quat::log(pose.locals[4].rotation).z;
        assert!((-0.2 - 1e-4..=1.0 + 1e-4).contains(&angle), "{angle} from {start}");
        at_limit += usize::from(!(-0.1..=0.9).contains(&angle));
    }
    assert!(at_limit > 20, "limits were met {at_limit} times");
}

#[test]
fn limits_cut_off_and_push_back_each_on_its_own() {
    let skeleton = two_arms();
    let freedoms = [Freedom::hinge(JointId(3), Vec3A::Z), Freedom::hinge(JointId(4), Vec3A::Z).within(-0.2, 1.0)];
    let problem = IkProblem::new(&skeleton, &freedoms, &[Effector::place(JointId(5))]);
    let angles = |weight: f64| {
        let mut rng = Rng::new(Seed(6)).stream("limits");
        let solve = SolveIk { limiter: Limiter { weight, ..Limiter::default() }, ..SolveIk::default() };
        let angle = |_| {
            let reach = Reach::new(JointId(5), Vec3A::new(0.0, 0.5, 0.0) + point(&mut rng, 0.7));
            let mut pose = Pose::rest(&skeleton);
            solve.run(&problem, &mut IkState::new(&problem), &[&reach], &mut pose);
            quat::log(pose.locals[4].rotation).z
        };
        (0..200).map(angle).collect::<Vec<f32>>()
    };
    // Nothing pushes back: they go to the very limit, not beyond.
    let hard = angles(0.0);
    assert!(hard.iter().all(|angle| (-0.2 - 1e-4..=1.0 + 1e-4).contains(angle)), "{hard:?}");
    assert!(hard.iter().filter(|angle| !(-0.199..=0.999).contains(*angle)).count() > 20, "{hard:?}");
    // The margin is 75 mrad: pushed back strongly they come only a little into it.
    let soft = angles(1.0);
    assert!(soft.iter().all(|angle| (-0.16..=0.96).contains(angle)), "{soft:?}");
}

#[test]
fn a_strong_pull_holds_the_pose() {
    let skeleton = two_arms();
    let freedoms: Vec<Freedom> = skeleton.joints().flat_map(Freedom::ball).collect();
    let problem = IkProblem::new(&skeleton, &freedoms, &[Effector::place(JointId(5))]);
    let reach = Reach::new(JointId(5), Vec3A::new(0.4, 0.8, 0.1));
    let turned = |pull: f64| {
        let mut pose = Pose::rest(&skeleton);
        SolveIk { pull, ..SolveIk::default() }.run(&problem, &mut IkState::new(&problem), &[&reach], &mut pose);
        let pairs = pose.locals.iter().zip(skeleton.rest());
        pairs.map(|(a, b)| quat::angle_between(a.rotation, b.rotation)).fold(0.0, f32::max)
    };
    assert!(turned(1e-4) > 0.1 && turned(100.0) < 0.01, "{} {}", turned(1e-4), turned(100.0));
}

#[test]
fn a_joint_that_looks_the_very_opposite_way_turns_round() {
    let skeleton = two_arms();
    let hand = JointId(5);
    let freedoms: Vec<Freedom> = [JointId(4), hand].into_iter().flat_map(Freedom::ball).collect();
    let problem = IkProblem::new(&skeleton, &freedoms, &[Effector::turning(hand).within(1)]);
    for (direction, goal) in [(Vec3A::Z, -Vec3A::Z), (Vec3A::X, -Vec3A::X), (Vec3A::Y, Vec3A::Z)] {
        let aim = Aim { joint: hand, direction, goal, weight: 0.1 };
        let mut pose = Pose::rest(&skeleton);
        let report = SolveIk::default().run(&problem, &mut IkState::new(&problem), &[&aim], &mut pose);
        assert!(report.end == End::Reached && report.radians < 0.02, "{direction} to {goal}: {report:?}");
    }
}

#[test]
fn other_objectives_do_what_they_say() {
    let skeleton = two_arms();
    let freedoms: Vec<Freedom> = skeleton.joints().flat_map(Freedom::ball).collect();
    let hand = JointId(5);
    let all: Vec<Effector> = skeleton.joints().map(Effector::turning).collect();
    let problem = IkProblem::new(&skeleton, &freedoms, &all);
    let reach = Reach::new(hand, Vec3A::new(0.4, 0.8, 0.1));
    let mut model = ModelPose::new(&skeleton);
    let mut solve = |objectives: &[&dyn Objective]| {
        let mut pose = Pose::rest(&skeleton);
        let report = SolveIk::default().run(&problem, &mut IkState::new(&problem), objectives, &mut pose);
        pose.to_model(&skeleton, &mut model);
        (report, model.clone())
    };
    // A knee, here an elbow, on either side of its line.
    for direction in [Vec3A::Z, -Vec3A::Z] {
        let joints = [JointId(3), JointId(4), hand];
        let (_, model) = solve(&[&reach, &Pole { joints, direction, bend: 0.15, along: 0.5, weight: 0.3 }]);
        let [a, b, c] = joints.map(|joint| model[joint].translation);
        assert!((b - 0.5 * (a + c)).dot(direction) > 0.05, "{direction}: {b} between {a} and {c}");
        assert!((c - reach.target).length() < 5e-3, "and it still reaches: {c}");
    }
    let head = JointId(2);
    let look = LookAt { joint: head, direction: Vec3A::Z, target: Vec3A::new(1.0, 1.0, 1.0), weight: 0.1 };
    let (report, model) = solve(&[&reach, &look]);
    let sight = (look.target - model[head].translation).normalize();
    assert!((model[head].rotation * Vec3A::Z).angle_between(sight) < 0.02, "{report:?}");
    let masses: Vec<Mass> = skeleton.joints().map(|joint| Mass { joint, middle: Vec3A::ZERO, share: 1.0 }).collect();
    let balance =
        CentreOfMass { masses: &masses, target: Vec3A::new(0.05, 0.0, 0.0), weights: Vec3A::new(1.0, 0.0, 1.0) };
    let (report, model) = solve(&[&reach, &balance]);
    let centre = model.joints.iter().map(|joint| joint.translation).sum::<Vec3A>() / model.joints.len() as f32;
    assert!((centre.x - 0.05).abs() < 1e-3 && centre.z.abs() < 1e-3 && report.metres <= 1e-3, "{centre} {report:?}");
}
