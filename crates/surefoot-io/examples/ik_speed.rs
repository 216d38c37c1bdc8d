//! How fast poses are solved for: 60 freedoms, four effectors, 200 poses of a walk, cold and warm; and legs in closed form.
//!
//! `cargo run --release -p surefoot-io --example ik_speed [FOLDER]`; with a folder, the task is written there as JSON for
//! `scripts/ik_pinocchio.py`, which runs another solver on it.

#[path = "../tests/made_reach/mod.rs"]
mod made_reach;

use made_reach::{Task, task};
use std::hint::black_box;
use std::time::Instant;
use surefoot::glam::Vec3A;
use surefoot::ik::{BendLeg, IkReport, IkState, LegChain, LegEnd, Objective, Reach, SolveIk, TwoBone};
use surefoot::math::Rigid;
use surefoot::rig::{Joint, JointId, ModelPose, Pose, Skeleton};
use surefoot::stages::LegPose;
use surefoot::stages::{FreedomKind, Method};

fn main() -> std::io::Result<()> {
    let task = task(200);
    println!(
        "{} joints, {} freedoms, {} of them move",
        task.skeleton.len(),
        task.freedoms.len(),
        task.problem.freedoms()
    );
    let solve = SolveIk::default();
    let (cold, warm) = run(&task, &solve);
    for (name, reports) in [("cold", &cold), ("warm", &warm)] {
        let count = reports.len() as f64;
        let steps = reports.iter().map(|report| report.steps).sum::<usize>() as f64 / count;
        let most = reports.iter().map(|report| report.steps).max().unwrap_or(0);
        let reached = reports.iter().filter(|report| report.metres <= 1e-3).count();
        let worst = reports.iter().map(|report| report.metres).fold(0.0, f64::max);
        println!(
            "{name}: {reached} of {count} within 1 mm, worst {:.3} mm, {steps:.2} steps, at most {most}",
            1e3 * worst
        );
    }
    let full = SolveIk { method: Method::FullNewton, ..solve };
    let published = run(&task, &full).0;
    let reached = published.iter().filter(|report| report.metres <= 1e-3).count();
    println!("full Newton as published: {reached} of {} within 1 mm in {} steps", published.len(), full.steps);
    // Many short rounds: the best is what it takes when nothing else runs, the median what it took.
    let mut rounds: Vec<[f64; 4]> = (0..200)
        .map(|_| {
            let [cold, warm] = time(&task, &solve);
            [cold, warm, time_leg(), time_chain()]
        })
        .collect();
    for (k, name) in ["cold", "warm", "leg of two bones", "leg of three bones, pose written"].into_iter().enumerate() {
        rounds.sort_by(|a, b| a[k].total_cmp(&b[k]));
        println!("{name}: {:.3} µs at best, {:.3} µs median of {} rounds", rounds[0][k], rounds[100][k], rounds.len());
    }
    if let Some(folder) = std::env::args().nth(1) {
        std::fs::write(std::path::Path::new(&folder).join("task.json"), json(&task).to_string())?;
    }
    Ok(())
}

fn objectives(targets: &[Reach; 4]) -> [&dyn Objective; 4] {
    targets.each_ref().map(|target| target as &dyn Objective)
}

/// Every case, cold and then warm.
fn run(task: &Task, solve: &SolveIk) -> (Vec<IkReport>, Vec<IkReport>) {
    let mut state = IkState::new(&task.problem);
    let mut cold = Vec::new();
    let mut warm = Vec::new();
    for case in &task.cases {
        state.reset();
        cold.push(solve.run(&task.problem, &mut state, &objectives(&case.targets), &mut case.pose.clone()));
        warm.push(solve.run(&task.problem, &mut state, &objectives(&case.next_targets), &mut case.next.clone()));
    }
    (cold, warm)
}

/// Microseconds a solve, cold and warm, over all cases.
fn time(task: &Task, solve: &SolveIk) -> [f64; 2] {
    const ROUNDS: usize = 1;
    let mut state = IkState::new(&task.problem);
    let mut pose = Pose::rest(&task.skeleton);
    let mut starts = Vec::new();
    for case in &task.cases {
        state.reset();
        solve.run(&task.problem, &mut state, &objectives(&case.targets), &mut case.pose.clone());
        starts.push(state.configuration().to_vec());
    }
    let each = |start: Instant| start.elapsed().as_secs_f64() * 1e6 / (ROUNDS * task.cases.len()) as f64;
    let start = Instant::now();
    for case in std::iter::repeat_n(&task.cases, ROUNDS).flatten() {
        pose.clone_from(&case.pose);
        state.reset();
        black_box(solve.run(&task.problem, &mut state, &objectives(&case.targets), &mut pose));
    }
    let cold = each(start);
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for (case, q) in task.cases.iter().zip(&starts) {
            pose.clone_from(&case.next);
            state.start_at(q);
            black_box(solve.run(&task.problem, &mut state, &objectives(&case.next_targets), &mut pose));
        }
    }
    [cold, each(start)]
}

/// Microseconds for one leg of two bones.
fn time_leg() -> f64 {
    let leg = LegPose {
        hip: Vec3A::new(0.1, 1.0, 0.0),
        knee: Vec3A::new(0.1, 0.6, 0.1),
        ankle: Vec3A::new(0.1, 0.2, 0.0),
        hinge: Vec3A::X,
        turn_over: false,
    };
    let targets: Vec<Vec3A> =
        (0..1024).map(|i| Vec3A::new(0.1, 0.15 + 1e-4 * i as f32, 0.2 - 4e-4 * i as f32)).collect();
    let start = Instant::now();
    for _ in 0..4 {
        for target in &targets {
            black_box(TwoBone::default().solve(black_box(&leg), *target));
        }
    }
    start.elapsed().as_secs_f64() * 1e6 / (4 * targets.len()) as f64
}

/// Microseconds for one leg of three bones, with its pose composed and written.
fn time_chain() -> f64 {
    let places = [[0.1, 0.8, 0.0], [0.1, 0.55, 0.15], [0.1, 0.3, -0.1], [0.1, 0.06, 0.0]].map(Vec3A::from_array);
    let rest = |i: usize| Rigid::from_translation(places[i] - if i > 0 { places[i - 1] } else { Vec3A::ZERO });
    let joints = (0..4_usize).map(|i| Joint::new(format!("{i}"), i.checked_sub(1), rest(i)));
    let skeleton = Skeleton::new(joints.collect()).expect("a leg");
    let joints = vec![JointId(0), JointId(1), JointId(2)];
    let chain = LegChain { joints, hinges: vec![Vec3A::X, -Vec3A::X], ankle: JointId(3), end: LegEnd::Ankle };
    let (start, mut pose, mut model) = (Pose::rest(&skeleton), Pose::rest(&skeleton), ModelPose::new(&skeleton));
    let began = Instant::now();
    for i in 0..4096 {
        pose.locals.copy_from_slice(&start.locals);
        pose.to_model(&skeleton, &mut model);
        let x = i as f32 / 4096.0;
        let ankle = Rigid::from_translation(places[3] + Vec3A::new(0.02, 0.15 * x, 0.2 - 0.4 * x));
        black_box(BendLeg::default().run(&skeleton, &chain, &mut pose, &mut model, ankle));
    }
    began.elapsed().as_secs_f64() * 1e6 / 4096.0
}

/// The task for a program that knows nothing of ours: joints with parents, freedoms, and by case the local transforms
/// (rotation xyzw, translation) and the targets.
fn json(task: &Task) -> serde_json::Value {
    use serde_json::json;
    let locals = |pose: &Pose| -> Vec<serde_json::Value> {
        pose.locals.iter().map(|local| json!([local.rotation.to_array(), local.translation.to_array()])).collect()
    };
    let targets = |targets: &[Reach; 4]| targets.map(|reach| json!([reach.joint.0, reach.target.to_array()]));
    let cases: Vec<serde_json::Value> = task
        .cases
        .iter()
        .map(|case| {
            json!({"pose": locals(&case.pose), "targets": targets(&case.targets),
                   "next": locals(&case.next), "next_targets": targets(&case.next_targets)})
        })
        .collect();
    let freedoms: Vec<serde_json::Value> = task
        .freedoms
        .iter()
        .map(|f| json!([f.joint.0, f.kind == FreedomKind::Hinge, f.axis.to_array(), f.stiffness]))
        .collect();
    let parents: Vec<Option<u16>> = task.skeleton.parents().iter().map(|parent| parent.map(|joint| joint.0)).collect();
    json!({"parents": parents, "names": task.skeleton.names(), "freedoms": freedoms, "cases": cases})
}
