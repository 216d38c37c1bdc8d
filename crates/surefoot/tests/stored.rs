//! Settings and results as JSON: they come back as they went, what is left out has its usual value, and keys that nobody
//! knows are refused.
#![cfg(feature = "serde")]

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use surefoot::analyse::Study;
use surefoot::character::Character;
use surefoot::glam::{Vec2, Vec3};
use surefoot::ik::{BendLeg, SolveIk, TwoBone};
use surefoot::library::graph::BuildGraph;
use surefoot::library::locomotion::LocomotionClips;
use surefoot::math::FloorPose;
use surefoot::plan::Path;
use surefoot::plan::steps::{FootStyle, Gait, GaitPattern};
use surefoot::plan::walk::Steer;
use surefoot::rig::{ManyLegs, Pose};
use surefoot::stages::Report;
use surefoot::stages::{
    Arrive, BodyOver, Clean, FindWalk, FollowSubgoals, Labyrinth, Lay, PlanCourse, PlanSteps, Prm, RrtConnect,
    TimedSearch, Wander,
};
use surefoot::stages::{FindStances, Repair};
use surefoot::systems::{
    CleanUp, Creature, FollowRoute, Gather, GoTo, Intent, Journey, Locomotor, LocomotorSettings, LocomotorState,
    Navigate, PrepareClips, WalkGraph,
};
use surefoot::world::{Body, Survey, Terrain};

fn settings<T: Serialize + DeserializeOwned + Default + PartialEq + Debug>() {
    let (usual, name) = (T::default(), std::any::type_name::<T>());
    let text = serde_json::to_string(&usual).unwrap_or_else(|error| panic!("{name}: {error}"));
    let back: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error} in {text}"));
    assert_eq!(back, usual, "{name}: {text}");
    let empty: T = serde_json::from_str("{}").unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(empty, usual, "{name}: what is left out has its usual value");
    let unknown = serde_json::from_str::<T>(r#"{ "nobody_knows": 1 }"#);
    let why = unknown.expect_err(name).to_string();
    assert!(why.contains("nobody_knows"), "{name}: {why}");
}

#[test]
fn settings_come_back_and_unknown_keys_are_refused() {
    settings::<Arrive>();
    settings::<BendLeg>();
    settings::<Body>();
    settings::<BodyOver>();
    settings::<BuildGraph>();
    settings::<Clean>();
    settings::<CleanUp>();
    settings::<FollowRoute>();
    settings::<GoTo>();
    settings::<LocomotorSettings>();
    settings::<PrepareClips>();
    settings::<Creature>();
    settings::<FindStances>();
    settings::<FindWalk>();
    settings::<FollowSubgoals>();
    settings::<FootStyle>();
    settings::<Gait>();
    settings::<Gather>();
    settings::<Journey>();
    settings::<Labyrinth>();
    settings::<Lay>();
    settings::<ManyLegs>();
    settings::<Navigate>();
    settings::<PlanCourse>();
    settings::<PlanSteps>();
    settings::<Prm>();
    settings::<Repair>();
    settings::<Report>();
    settings::<RrtConnect>();
    settings::<SolveIk>();
    settings::<Steer>();
    settings::<Study>();
    settings::<Survey>();
    settings::<TimedSearch>();
    settings::<TwoBone>();
    settings::<WalkGraph>();
    settings::<Wander>();
}

#[test]
fn what_was_changed_comes_back() {
    let mut creature = Creature::default();
    creature.steps.course.speed = Some(1.1);
    creature.steps.gait = Gait { pattern: Some(GaitPattern::Trot) };
    let text = serde_json::to_string(&creature).unwrap();
    assert!(text.contains(r#""speed":1.1"#) && text.contains(r#""pattern":"trot""#), "{text}");
    assert_eq!(serde_json::from_str::<Creature>(&text).unwrap(), creature);
    let deep = serde_json::from_str::<Creature>(r#"{ "steps": { "course": { "sped": 1.0 } } }"#);
    assert!(deep.expect_err("misspelt").to_string().contains("sped"), "named wherever it is");
}

#[test]
fn stances_and_reports_come_back() {
    let rig = ManyLegs::default().run();
    let idle = Pose::rest(&rig.skeleton);
    let character = Character::new(rig, idle, &[]).unwrap();
    let path = Path::new(vec![Vec3::ZERO, 2.0 * Vec3::Z]);
    let creature = Creature::default();
    let motion = creature.plan(&character, &path, None, &Terrain::Flat);
    let done = creature.take(&motion, "walk", &Terrain::Flat);
    let (stances, report) = (&done.take.stances, &done.report);
    let text = serde_json::to_string(&(stances, report)).unwrap();
    assert_eq!(serde_json::from_str::<(Vec<_>, _)>(&text).unwrap(), (stances.clone(), *report));
}

#[test]
fn a_live_character_that_was_stored_goes_on_with_the_same_bits() {
    let rig = ManyLegs::default().run();
    let idle = Pose::rest(&rig.skeleton);
    let character = Character::new(rig, idle, &[]).unwrap();
    let prepare = PrepareClips::default();
    let walk = prepare.cycle(&character, &Creature::default().cycle(&character, "walk")).unwrap();
    let clips = LocomotionClips::new(vec![prepare.idle_pose(&character), walk]).unwrap();
    let locomotor = Locomotor::new(&character, clips, Vec::new());
    let ground = Terrain::Rubble { height: 0.1, size: 0.4 };
    let intent = Intent { velocity: Vec2::new(0.2, 0.8), facing: Some(0.3), ..Intent::default() };
    let on = |state: &mut LocomotorState, frames: std::ops::Range<usize>| {
        let mut frame = locomotor.frame();
        for k in frames {
            locomotor.step(state, &intent, &ground, k as f32 / 60.0, 1.0 / 60.0, &mut frame);
        }
    };
    let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
    on(&mut state, 0..90);
    let text = serde_json::to_string(&state).unwrap();
    let mut stored: LocomotorState = serde_json::from_str(&text).unwrap();
    assert_eq!(stored, state);
    on(&mut state, 90..180);
    on(&mut stored, 90..180);
    assert_eq!(stored, state);
}
