//! Motion of one body on another: real clips and characters, as the command brings them over.

use std::path::PathBuf;
use surefoot::adapt::Build;
use surefoot::adapt::RetargetError;
use surefoot::analyse::{Study, find_skinned_rig};
use surefoot::glam::Vec3A;
use surefoot::metrics::{Footing, measure_feet, measure_skin_depth};
use surefoot::motion::Clip;
use surefoot::rig::{JointId, ModelPose, Pose, Rig, Side};
use surefoot::stages::LegSkin;
use surefoot::stages::Retarget;
use surefoot::systems::{CleanUp, CleanedUp, OntoBody};
use surefoot_io::{Import, ImportSettings, embedded, load, map_file};

fn asset(name: &str) -> Import {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    load(&path, &ImportSettings::default()).unwrap()
}

fn rig_of(import: &Import) -> Rig {
    let clips: Vec<&Clip> = import.clips.iter().collect();
    find_skinned_rig(&import.skeleton, import.skin.as_ref(), &clips).unwrap()
}

fn build(import: &Import) -> Build {
    Build::new(rig_of(import), import.skin.as_ref())
}

const BODIES: [&str; 5] = [
    "characters/kaykit_Knight.glb",
    "characters/RobotExpressive.glb",
    "characters/khronos_CesiumMan.glb",
    "strangers/q_space_Mech_Finn.glb",
    "bvh/07_12.bvh",
];

/// A clip with its body, cleaned there.
fn source(import: &Import, clip: &str) -> (Build, CleanedUp) {
    let clip = import.clips.iter().find(|own| own.name() == clip).unwrap();
    let studied = Study::default().run_skinned(&import.skeleton, import.skin.as_ref(), clip).unwrap();
    (Build::new(studied.rig.clone(), import.skin.as_ref()), CleanUp::default().run_studied(studied))
}

fn poses(build: &Build, clip: &Clip) -> Vec<ModelPose> {
    let skeleton = &build.rig.skeleton;
    let mut pose = Pose::rest(skeleton);
    let at = |f: usize| {
        pose.locals.copy_from_slice(clip.frame(f));
        let mut model = ModelPose::new(skeleton);
        pose.to_model(skeleton, &mut model);
        model
    };
    (0..clip.frames()).map(at).collect()
}

#[test]
fn in_the_neutral_pose_all_bodies_are_alike() {
    for name in BODIES {
        let build = build(&asset(name));
        let at = |joint: JointId| build.neutral()[joint].translation;
        for leg in &build.rig.legs {
            let down = leg.shin_end(build.neutral()) - at(leg.hip());
            assert!(down.normalize().dot(-Vec3A::Y) > 0.999, "{name}: a leg goes {down}");
            let sole = build.neutral()[leg.ankle()] * leg.foot.ankle_from_sole();
            assert!((sole.rotation * Vec3A::Z).dot(Vec3A::Z) > 0.999, "{name}: a foot points ahead");
        }
        for arm in &build.parts.arms {
            let out = (at(arm.hand[0]) - at(arm.upper)).normalize();
            let side = if arm.side == Side::Left { Vec3A::X } else { -Vec3A::X };
            assert!(out.dot(side) > 0.999, "{name}: an arm goes {out}");
        }
    }
}

#[test]
fn the_parts_of_bodies_are_found_by_their_names_and_without() {
    let parts = |name: &str| {
        let import = asset(name);
        let build = build(&import);
        let named = |joint: JointId| import.skeleton.name(joint).to_owned();
        let arms = build.parts.arms.iter();
        let arms: Vec<[String; 3]> = arms.map(|arm| [arm.upper, arm.fore, arm.hand[0]].map(named)).collect();
        (named(build.parts.pelvis), build.parts.head().map(named), arms)
    };
    let of = |names: [&str; 3]| names.map(str::to_owned);
    let (pelvis, head, arms) = parts("characters/kaykit_Knight.glb");
    assert_eq!((pelvis.as_str(), head.as_deref()), ("hips", Some("head")));
    assert_eq!(arms, [of(["upperarm.l", "lowerarm.l", "wrist.l"]), of(["upperarm.r", "lowerarm.r", "wrist.r"])]);
    let (pelvis, head, arms) = parts("characters/RobotExpressive.glb");
    assert_eq!((pelvis.as_str(), head.as_deref()), ("Body", Some("Head")));
    assert_eq!(arms[0][..2], ["UpperArm.L".to_owned(), "LowerArm.L".to_owned()]);
    // Whose joints have numbers for names.
    let (pelvis, _, arms) = parts("characters/khronos_CesiumMan.glb");
    assert_eq!(pelvis, "Skeleton_torso_joint_1");
    assert_eq!(arms[0], of(["Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_L__3_", "Skeleton_arm_joint_L__2_"]));
    let (_, head, arms) = parts("strangers/q_space_Mech_Finn.glb");
    assert!(arms.is_empty() && head.is_some(), "a walker without arms: {arms:?}");
}

#[test]
fn a_posture_that_is_taken_up_again_is_the_pose_it_was_read_from() {
    for (name, clip) in [("characters/kaykit_Knight.glb", "Walking_A"), ("characters/RobotExpressive.glb", "Running")] {
        let import = asset(name);
        let build = build(&import);
        let clip = import.clips.iter().find(|own| own.name() == clip).unwrap();
        let (mut posture, mut pose) = (build.posture(), Pose::rest(&import.skeleton));
        let mut model = ModelPose::new(&import.skeleton);
        for was in poses(&build, clip) {
            build.read(&was, &mut posture);
            build.write(&posture, &mut pose, &mut model);
            for leg in &build.rig.legs {
                // A clip may move hips in their pelvis, which no other body could follow.
                let reach = |pose: &ModelPose| leg.shin_end(pose) - pose[leg.hip()].translation;
                let off = (reach(&model) - reach(&was)).length();
                assert!(off < 2e-3 * build.leg_length, "{name}: a leg is {off} m off");
            }
            let head = build.parts.head().unwrap();
            let off = model[head].rotation.angle_between(was[head].rotation);
            assert!(off < 0.01, "{name}: the head is {off} off");
        }
    }
}

#[test]
fn feet_stand_on_every_body_as_they_do_on_their_own() {
    let knight = asset("characters/kaykit_Knight.glb");
    let robot = asset("characters/RobotExpressive.glb");
    let walk = embedded::find("16_15").unwrap().import();
    let turn = embedded::find("16_17").unwrap().import();
    let stairs = asset("labels/113_19.bvh");
    let sources = [
        (&walk, walk.clips[0].name()),
        (&turn, turn.clips[0].name()),
        (&stairs, stairs.clips[0].name()),
        (&robot, "Wave"),
        (&knight, "Sit_Chair_Down"),
    ];
    for (import, clip) in sources {
        let (from, cleaned) = source(import, clip);
        for name in BODIES {
            let body = asset(name);
            if body.skeleton.key() == import.skeleton.key() {
                continue;
            }
            let to = build(&body);
            let (_, done, report) = OntoBody::default().run_studied(&from, cleaned.before.clone(), &to).unwrap();
            let figures = measure_feet(&to.rig, &done.take, Footing::default());
            let scale = to.rig.scale();
            assert!(figures.drift.p95 < 1e-3, "{clip} on {name}: {:?}", figures.drift);
            assert!(figures.float.p95 < scale.length(5e-3), "{clip} on {name}: {:?}", figures.float);
            assert!(figures.penetration.p95 < scale.length(5e-3), "{clip} on {name}: {:?}", figures.penetration);
            assert!((report.scale - to.leg_length / from.leg_length).abs() < 1e-6);
            let kept = done.stance_kept();
            assert!(kept > 0.75, "{clip} on {name}: {kept} of its stances");
            assert_eq!(done.clip().frames(), cleaned.clip().frames(), "{clip} on {name}");
        }
    }
}

/// Angles between segments of two clips of one body, degrees, sorted.
fn turned(build: &Build, a: &Clip, b: &Clip) -> Vec<f32> {
    let mut pairs: Vec<[JointId; 2]> = Vec::new();
    for leg in &build.rig.legs {
        pairs.push([leg.chain[0], leg.chain[1]]);
        pairs.push([leg.chain[1], leg.ankle()]);
    }
    for arm in &build.parts.arms {
        pairs.push([arm.upper, arm.fore]);
        pairs.push([arm.fore, arm.hand[0]]);
    }
    let mut angles = Vec::new();
    for (a, b) in poses(build, a).iter().zip(poses(build, b)) {
        for [from, to] in &pairs {
            let way = |pose: &ModelPose| pose[*to].translation - pose[*from].translation;
            angles.push(way(a).angle_between(way(&b)).to_degrees());
        }
        for joint in [build.parts.pelvis, build.parts.head().unwrap()] {
            angles.push(a[joint].rotation.angle_between(b[joint].rotation).to_degrees());
        }
    }
    angles.sort_by(f32::total_cmp);
    angles
}

#[test]
fn there_and_back_is_where_it_was() {
    let walk = embedded::find("16_17").unwrap().import();
    let (from, cleaned) = source(&walk, walk.clips[0].name());
    for name in ["characters/kaykit_Knight.glb", "characters/khronos_CesiumMan.glb", "bvh/07_12.bvh"] {
        let to = build(&asset(name));
        let (_, there, _) = OntoBody::default().run_studied(&from, cleaned.before.clone(), &to).unwrap();
        let (_, back, _) = OntoBody::default().run(&to, &there.clip(), &from).unwrap();
        let angles = turned(&from, &cleaned.clip(), &back.clip());
        let at = |share: f32| angles[((angles.len() - 1) as f32 * share) as usize];
        assert!(at(0.5) < 3.0 && at(0.95) < 10.0, "{name}: {} in the median, {} at p95", at(0.5), at(0.95));
    }
}

#[test]
fn a_cycle_stays_one_and_goes_as_fast_as_its_legs_are_long() {
    let knight = asset("characters/kaykit_Knight.glb");
    let (from, cleaned) = source(&knight, "Walking_A");
    let to = build(&asset("characters/khronos_CesiumMan.glb"));
    let (_, done, report) = OntoBody::default().run_studied(&from, cleaned.before.clone(), &to).unwrap();
    let clip = done.clip();
    assert!(clip.cycle().is_some() && clip.frames() == cleaned.clip().frames());
    let speed = |clip: &Clip| clip.course().unwrap().iter().map(|v| v.length()).sum::<f32>();
    assert!((speed(&clip) / speed(&cleaned.clip()) - report.scale).abs() < 1e-3);
    let last = clip.frame(clip.frames() - 1);
    let step = |a: &[surefoot::math::Rigid], b: &[surefoot::math::Rigid]| {
        a.iter().zip(b).map(|(a, b)| a.rotation.angle_between(b.rotation)).fold(0.0, f32::max)
    };
    let most = (1..clip.frames()).map(|f| step(clip.frame(f - 1), clip.frame(f))).fold(0.0, f32::max);
    assert!(step(last, clip.frame(0)) <= most * 1.01, "no jump from its end to its start");
}

#[test]
fn bodies_of_other_kinds_are_refused_with_the_reason() {
    let fox = build(&asset("characters/m2m_fox.glb"));
    let knight = asset("characters/kaykit_Knight.glb");
    let (from, cleaned) = source(&knight, "Walking_A");
    let refused = Retarget::default().run(&from, &cleaned.take, &fox).unwrap_err();
    assert_eq!(refused, RetargetError::Legs { from: 2, to: 4 });
}

#[test]
fn four_legs_go_as_four_legs_do() {
    let fox = asset("characters/m2m_fox.glb");
    let (from, cleaned) = source(&fox, "Walk");
    let to = build(&asset("characters/m2m_horse.glb"));
    let (_, done, _) = OntoBody::default().run_studied(&from, cleaned.before.clone(), &to).unwrap();
    let figures = measure_feet(&to.rig, &done.take, Footing::default());
    assert!(figures.drift.p95 < 1e-3 && figures.stances >= 4, "{figures:?}");
}

#[test]
fn what_is_written_as_a_map_is_read_again_and_what_does_not_fit_is_named() {
    let [robot, knight] = ["characters/RobotExpressive.glb", "characters/kaykit_Knight.glb"].map(asset);
    let (from, to) = (build(&robot), build(&knight));
    let text = map_file::write(&from, &to);
    let map = map_file::read(&text).unwrap();
    assert_eq!(map.source(from.rig.clone(), robot.skin.as_ref()).unwrap().parts, from.parts);
    assert_eq!(map.target(to.rig.clone(), knight.skin.as_ref()).unwrap().parts, to.parts);
    let wrong = map_file::read(&text.replace("upperarm.l", "upperarm.x")).unwrap();
    let why = wrong.target(to.rig.clone(), None).unwrap_err().to_string();
    assert_eq!(why, "[body] arm 1: the skeleton has no joint \"upperarm.x\"");
    let astray = map_file::read(&text.replace("fore = \"lowerarm.l\"", "fore = \"lowerarm.r\"")).unwrap();
    let why = astray.target(to.rig.clone(), None).unwrap_err().to_string();
    assert!(why.contains("does not hang from"), "{why}");
    assert!(map_file::read(&text.replace("version = 1", "version = 9")).is_err());
    assert!(map_file::read("pelvis_offset = [nan, 0, 0]").is_err());
}

#[test]
fn one_frame_and_a_body_without_a_neck_are_no_reason_to_fall_over() {
    let walk = embedded::find("16_15").unwrap().import();
    let (from, cleaned) = source(&walk, walk.clips[0].name());
    let to = build(&asset("characters/kaykit_Knight.glb"));
    let mut take = cleaned.take.clone();
    take.clip = take.clip.trimmed(0..1);
    take.stances.clear();
    let got = Retarget::default().run(&from, &take, &to).unwrap();
    assert_eq!(got.take.clip.frames(), 1);
    let mut parts = to.parts.clone();
    (parts.neck, parts.spine, parts.arms) = (Vec::new(), Vec::new(), Vec::new());
    let bare = Build::of_parts(to.rig.clone(), None, parts);
    let got = Retarget::default().run(&from, &cleaned.take, &bare).unwrap();
    assert!(got.lacking.iter().any(|lack| lack.part == "head" && lack.lost), "{:?}", got.lacking);
}

#[test]
fn a_graph_on_another_body_walks_with_its_own_steps() {
    let graph = embedded::graph();
    let to = build(&asset("characters/kaykit_Knight.glb"));
    let brought = Retarget::default().run_graph(&graph, &to).unwrap();
    assert_eq!(brought.graph.transitions, graph.transitions);
    assert!((brought.graph.pace() / graph.pace() / brought.scale - 1.0).abs() < 0.02, "{}", brought.graph.pace());
    assert_eq!((brought.graph.stands(), graph.stands()), (true, true));
}

/// Every pose of a motion on a body, in the world.
fn in_world(build: &Build, clip: &Clip) -> Vec<Vec<Vec3A>> {
    let place = |(f, pose): (usize, ModelPose)| {
        pose.joints.iter().map(|joint| clip.roots()[f].transform_point(joint.translation)).collect()
    };
    poses(build, clip).into_iter().enumerate().map(place).collect()
}

#[test]
fn handles_go_with_their_limbs_and_long_fingers_stay_over_the_ground() {
    let walk = embedded::find("16_15").unwrap().import();
    let (from, cleaned) = source(&walk, walk.clips[0].name());
    let knight = build(&asset("characters/kaykit_Knight.glb"));
    let (_, done, _) = OntoBody::default().run_studied(&from, cleaned.before.clone(), &knight).unwrap();
    let joint = |name: &str| knight.rig.skeleton.find(name).unwrap().index();
    let apart = |pose: &Vec<Vec3A>| (pose[joint("handIK.l")] - pose[joint("wrist.l")]).length();
    let all: Vec<f32> = in_world(&knight, &done.clip()).iter().map(apart).collect();
    let [least, most] = all.iter().fold([f32::INFINITY, 0.0_f32], |[a, b], d| [a.min(*d), b.max(*d)]);
    assert!(most - least < 0.02, "the handle of a hand is {least} to {most} m from it");
    // Whose arms reach lower than its feet.
    let robot = build(&asset("characters/RobotExpressive.glb"));
    let (_, done, _) = OntoBody::default().run_studied(&from, cleaned.before.clone(), &robot).unwrap();
    let lowest = in_world(&robot, &done.clip()).iter().flatten().map(|place| place.y).fold(f32::INFINITY, f32::min);
    assert!(lowest > done.take.ground - 0.05, "{lowest} m, the ground is at {}", done.take.ground);
}

#[test]
fn toes_of_longer_feet_stay_out_of_the_ground() {
    let walk = embedded::find("16_15").unwrap().import();
    let (from, cleaned) = source(&walk, walk.clips[0].name());
    let figure = build(&embedded::figure());
    let (_, done, _) = OntoBody::default().run_studied(&from, cleaned.before.clone(), &figure).unwrap();
    let tracks = surefoot::stages::FootTrack::of_all(&figure.rig, &done.take.clip);
    let deepest = tracks.iter().flat_map(|track| &track.tips).map(|tip| done.take.ground - tip.y).fold(0.0, f32::max);
    assert!(deepest < 0.03, "{deepest} m");
}

#[test]
fn wide_feet_neither_roll_into_the_ground_nor_pass_through_each_other() {
    let turn = embedded::find("69_17").unwrap().import();
    let (from, cleaned) = source(&turn, turn.clips[0].name());
    // Boots as wide as half of their legs: their edges were 45 mm deep where they roll and swing.
    let import = asset("characters/kaykit_Knight.glb");
    let knight = build(&import);
    let (_, done, _) = OntoBody::default().run_studied(&from, cleaned.before.clone(), &knight).unwrap();
    let skin = import.skin.as_ref().and_then(|skin| LegSkin::new(&knight.rig, skin));
    let frames = 0..done.take.clip.frames();
    let depth = measure_skin_depth(&knight.rig, skin.as_ref(), &done.take, Footing::default(), frames);
    assert!(depth.foot.depth < 0.015, "{depth:?}");
    // Hips as narrow as its shoes are wide: straight under them its shoes would overlap.
    let figure = build(&embedded::figure());
    let (_, done, _) = OntoBody::default().run_studied(&from, cleaned.before.clone(), &figure).unwrap();
    let ankles: Vec<usize> = figure.rig.legs.iter().map(|leg| leg.ankle().index()).collect();
    let widest = figure.rig.legs.iter().map(|leg| leg.foot.width).fold(0.0, f32::max);
    let apart = |pose: &Vec<Vec3A>| (pose[ankles[0]] - pose[ankles[1]]).with_y(0.0).length();
    let least = in_world(&figure, &done.clip()).iter().map(apart).fold(f32::INFINITY, f32::min);
    assert!(least > 0.75 * widest, "ankles come as near as {least} m, and shoes are {widest} m wide");
}
