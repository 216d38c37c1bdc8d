//! Inverse kinematics on real bodies: a captured walk with 60 freedoms, and the legs of every character.

mod made_reach;

use made_reach::task;
use std::path::{Path, PathBuf};
use surefoot::analyse::find_skinned_rig;
use surefoot::glam::Vec3A;
use surefoot::ik::{BendLeg, End, IkState, LegChain, LegEnd, Objective, Reach, SolveIk};
use surefoot::math::{Rigid, quat};
use surefoot::metrics::{find_jumps, jump_moments};
use surefoot::motion::Clip;
use surefoot::random::{Rng, Seed};
use surefoot::rig::{ModelPose, Pose};
use surefoot::systems::{ReachGoal, ReachInClip};
use surefoot_io::{Import, ImportSettings, load};

fn objectives(targets: &[Reach; 4]) -> [&dyn Objective; 4] {
    targets.each_ref().map(|target| target as &dyn Objective)
}

#[test]
fn two_hundred_poses_of_a_walk_reach_with_hands_and_feet() {
    let task = task(200);
    assert_eq!((task.freedoms.len(), task.problem.freedoms()), (60, 37));
    let mut state = IkState::new(&task.problem);
    let mut model = ModelPose::new(&task.skeleton);
    let mut steps = [0, 0];
    for (i, case) in task.cases.iter().enumerate() {
        state.reset();
        let rounds = [(&case.pose, &case.targets), (&case.next, &case.next_targets)];
        for (round, (from, targets)) in rounds.into_iter().enumerate() {
            let mut pose = from.clone();
            let report = SolveIk::default().run(&task.problem, &mut state, &objectives(targets), &mut pose);
            assert_eq!(report.end, End::Reached, "case {i}: {report:?}");
            pose.to_model(&task.skeleton, &mut model);
            for reach in targets {
                let away = (model[reach.joint].translation - reach.target).length();
                assert!(away < 1.001e-3, "case {i}: {away} m");
            }
            steps[round] += report.steps;
        }
    }
    assert!(steps[0] <= 5 * 200 && steps[1] <= 2 * 200, "{steps:?} steps cold and warm");
}

fn character(name: &str) -> (Import, Vec<LegChain>) {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/characters").join(name);
    let import = load(&path, &ImportSettings::default()).unwrap();
    let clips: Vec<&Clip> = import.clips.iter().collect();
    let rig = find_skinned_rig(&import.skeleton, import.skin.as_ref(), &clips).unwrap();
    let chains = rig.legs.iter().map(|leg| LegChain::of(&rig.skeleton, leg, &clips).unwrap()).collect();
    (import, chains)
}

#[test]
fn legs_of_every_character_reach() {
    let mut rng = Rng::new(Seed(11)).stream("characters");
    // Bones of the legs, left before right and front before back.
    let characters: [(&str, &[usize]); 9] = [
        ("kaykit_Knight.glb", &[2, 2]),
        ("khronos_Fox.glb", &[2, 3, 2, 3]),
        ("m2m_fox.glb", &[2, 3, 2, 3]),
        ("m2m_horse.glb", &[5, 4, 5, 4]),
        ("m2m_bird.glb", &[2, 2]),
        ("m2m_spider.glb", &[3; 8]),
        ("m2m_kaiju.glb", &[3, 3]),
        ("quaternius_Rat.glb", &[2; 4]),
        ("RobotExpressive.glb", &[2, 2]),
    ];
    for (name, bones) in characters {
        let (Import { skeleton, clips, .. }, chains) = character(name);
        let counts: Vec<usize> = chains.iter().map(LegChain::bones).collect();
        assert_eq!(counts, bones, "{name}");
        let mut pose = Pose::rest(&skeleton);
        let mut model = ModelPose::new(&skeleton);
        let mut worst: f32 = 0.0;
        for clip in &clips {
            for f in (0..clip.frames()).step_by(clip.frames().div_ceil(12)) {
                for chain in &chains {
                    pose.locals.copy_from_slice(clip.frame(f));
                    pose.to_model(&skeleton, &mut model);
                    let (before, length) = (model.clone(), chain.length(&model));
                    let mut v = || Vec3A::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
                    let turn = quat::exp((0.2 * v()).into());
                    let ankle = model[chain.ankle];
                    let ankle = Rigid::new(turn * ankle.rotation, ankle.translation + 0.08 * length * v());
                    let target = chain.end_at(&model, ankle);
                    let hip = model[chain.joints[0]].translation;
                    let outcome = BendLeg::default().run(&skeleton, chain, &mut pose, &mut model, ankle);
                    let inside = (0.5..0.97).contains(&((target - hip).length() / length));
                    if inside {
                        worst = worst.max(outcome.missed / length);
                    }
                    // Joints keep their sides, and nothing is thrown about.
                    for joint in &chain.joints {
                        let moved = (model[*joint].translation - before[*joint].translation).length();
                        assert!(moved < 0.45 * length, "{name} {}: {moved} of {length}", skeleton.name(*joint));
                    }
                    if !matches!(chain.end, LegEnd::Point(_)) {
                        assert!(quat::angle_between(model[chain.ankle].rotation, ankle.rotation) < 2e-3, "{name}");
                    }
                }
            }
        }
        assert!(worst < 2e-4, "{name}: {worst} of a leg");
    }
}

/// Reaches in captured walks: near and far, up and down, with both hands, passing by and holding on.
#[test]
fn a_reach_comes_and_goes_without_a_jump_and_leaves_feet_and_the_rest_alone() {
    for (name, at, hold) in [("16_15", 2.0, 0.0), ("16_15", 1.4, 0.5), ("16_21", 1.0, 0.0), ("47_01", 5.0, 0.5)] {
        let Import { skeleton, clips, .. } = surefoot_io::embedded::find(name).unwrap().import();
        let clip = &clips[0];
        let rig = find_skinned_rig(&skeleton, None, &[clip]).unwrap();
        let mut pose = Pose::rest(&skeleton);
        clip.sample(at, &mut pose);
        let world = |clip: &Clip, f: usize, joint| {
            let mut pose = Pose::rest(&skeleton);
            let mut model = ModelPose::new(&skeleton);
            pose.locals.copy_from_slice(clip.frame(f));
            pose.to_model(&skeleton, &mut model);
            clip.roots()[f] * model[joint]
        };
        let nearest = (at * clip.rate()).round() as usize;
        for (hand, by) in [("LeftHand", [0.2, -0.3, 0.5]), ("RightHand", [0.0, 0.4, 0.2])] {
            let joint = skeleton.find(hand).unwrap();
            let place = world(clip, nearest, joint).translation + Vec3A::from_array(by);
            let reach = ReachInClip { at: nearest as f32 / clip.rate(), blend: 0.6, hold };
            let done = reach.run(&skeleton, &rig.legs, clip, &[ReachGoal { joint, place }]);
            let missed = world(&done.clip, nearest, joint).translation.distance(place);
            assert!(missed < 2e-3, "{name}, {hand}: {missed} m short");
            let jumps = |clip: &Clip| jump_moments(clip, &find_jumps(&skeleton, clip)).len();
            assert!(jumps(&done.clip) <= jumps(clip), "{name}, {hand}: {:?}", find_jumps(&skeleton, &done.clip));
            for f in 0..clip.frames() {
                let away = (f as f32 / clip.rate() - reach.at).abs() - 0.5 * hold;
                if away > reach.blend + 0.05 {
                    assert_eq!(done.clip.frame(f), clip.frame(f), "{name}, {hand}: frame {f} is none of its business");
                }
                for leg in &rig.legs {
                    let (is, was) = (world(&done.clip, f, leg.ankle()), world(clip, f, leg.ankle()));
                    let moved = is.translation.distance(was.translation);
                    // Where a leg is stretched out, it may miss a little: people notice 21 mm.
                    assert!(moved < 5e-3, "{name}, {hand}: a foot moves by {moved} m in frame {f}");
                }
            }
        }
    }
}
