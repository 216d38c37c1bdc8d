//! Live characters beside walking: layers, looks and reaches, motion fields, captured motion, ways around what moves.

use std::sync::Arc;
use surefoot::adapt::MotionField;
use surefoot::character::Character;
use surefoot::glam::{Vec2, Vec3, Vec3A};
use surefoot::library::locomotion::LocomotionClips;
use surefoot::math::{FloorPose, quat};
use surefoot::metrics::{Footing, measure_feet};
use surefoot::plan::walk::{Steer, Wish};
use surefoot::plan::{Path, ScenePaths};
use surefoot::rig::{Pose, Side};
use surefoot::stages::Recording;
use surefoot::stages::{Change, FieldSegment, FieldState, Slot, StateAxis};
use surefoot::systems::{
    Actor, Creature, Crowd, DetailCounts, FollowRoute, GoTo, Going, GoingAround, Intent, JointMask, Layer, Locomotor,
    LocomotorFrame, LocomotorState, PrepareClips, SteeredWalk, TargetLimb, Targets,
};
use surefoot::world::{Ground, Mover, Outline, Repeat, Terrain, Track};
use surefoot_io::{LoadedCharacter, embedded, load_character, scene};

const DT: f32 = 1.0 / 60.0;

fn loaded(name: &str) -> LoadedCharacter {
    let file = format!("{}/../../assets/characters/{name}.glb", env!("CARGO_MANIFEST_DIR"));
    load_character(file).unwrap()
}

fn locomotor(subject: &LoadedCharacter) -> Locomotor {
    let found = PrepareClips::default().choose(&subject.character, &subject.clips, subject.idle).unwrap();
    Locomotor::new(&subject.character, found.clips, Vec::new())
}

fn walks_at(locomotor: &Locomotor) -> f32 {
    locomotor.clips().clips()[locomotor.clips().slowest()].motion.velocity.length()
}

/// Frames of a walk straight ahead, the wish of each told by its number.
fn walk(
    locomotor: &Locomotor,
    ground: &dyn Ground,
    frames: usize,
    wish: impl Fn(usize, &mut Intent),
) -> Vec<(Pose, LocomotorState)> {
    let mut state = locomotor.start(FloorPose::ORIGIN, ground, 0.0);
    let mut frame = locomotor.frame();
    let speed = walks_at(locomotor);
    let mut all = Vec::new();
    for k in 0..frames {
        let mut intent = Intent { velocity: Vec2::new(0.0, speed), facing: Some(0.0), ..Intent::default() };
        wish(k, &mut intent);
        locomotor.step(&mut state, &intent, ground, DT * k as f32, DT, &mut frame);
        all.push((frame.pose.clone(), state.clone()));
    }
    all
}

/// The most that a joint turns from one frame to the next, radians.
fn fastest_turn(frames: &[(Pose, LocomotorState)]) -> f32 {
    let turns = frames.windows(2).flat_map(|pair| {
        let [a, b] = [&pair[0].0, &pair[1].0];
        let turned =
            |(a, b): (&surefoot::math::Rigid, &surefoot::math::Rigid)| quat::angle_between(a.rotation, b.rotation);
        a.locals.iter().zip(&b.locals).map(turned).collect::<Vec<_>>()
    });
    turns.fold(0.0, f32::max)
}

#[test]
fn a_layer_moves_the_arms_and_leaves_the_legs_to_walk() {
    let subject = loaded("kaykit_Knight");
    let prepare = PrepareClips::default();
    let clip = |name: &str| prepare.standing(&subject.character, subject.clip(name).unwrap());
    let mask = JointMask::upper_body(&subject.character);
    let layers = vec![Layer::over(clip("Blocking"), &mask), Layer::added(clip("Cheer"), &mask)];
    let plain = locomotor(&subject);
    let layered = plain.clone().with_layers(layers);
    let ground = Terrain::Rubble { height: 0.04, size: 0.2 };
    let bare = walk(&plain, &ground, 240, |_, _| {});
    let with = walk(&layered, &ground, 240, |k, intent| {
        intent.layers[0] = if (60..150).contains(&k) { 1.0 } else { 0.0 };
        intent.layers[1] = if (100..200).contains(&k) { 0.5 } else { f32::NAN };
    });
    let (skeleton, block) = (&subject.character.rig.skeleton, subject.clip("Blocking").unwrap());
    for (k, (a, b)) in bare.iter().zip(&with).enumerate() {
        assert_eq!(a.1.place, b.1.place, "frame {k}: it goes where it went");
        for (leg, own) in a.1.legs.iter().zip(&b.1.legs) {
            assert_eq!((leg.from, leg.to), (own.from, own.to), "frame {k}: feet stand where they stood");
        }
        for joint in skeleton.joints().filter(|joint| mask.shares()[joint.index()] == 0.0) {
            let (a, b) = (a.0.locals[joint.index()].rotation, b.0.locals[joint.index()].rotation);
            assert!(quat::angle_between(a, b) < 1e-3, "frame {k}: {} is not of the layer", skeleton.name(joint));
        }
    }
    // Whole, it is the clip itself; gone, it leaves nothing.
    let arm = skeleton
        .joints()
        .find(|joint| mask.shares()[joint.index()] == 1.0 && skeleton.name(*joint).contains("lowerarm"));
    let arm = arm.expect("an arm").index();
    let nearest = block.frames();
    let near = (0..nearest).map(|f| quat::angle_between(block.frame(f)[arm].rotation, with[95].0.locals[arm].rotation));
    assert!(near.fold(f32::INFINITY, f32::min) < 0.02, "the arm is as in the clip");
    assert!(quat::angle_between(bare[95].0.locals[arm].rotation, with[95].0.locals[arm].rotation) > 0.3);
    assert!(quat::angle_between(bare[120].0.locals[arm].rotation, with[120].0.locals[arm].rotation) > 0.1);
    for (k, own) in with.iter().enumerate().filter(|(k, _)| *k < 60) {
        assert_eq!(own.0, bare[k].0, "frame {k}: nothing before it comes in");
    }
    // A number that is none is no wish: the second layer stays as it was when nobody asked for anything else.
    assert!((with[239].1.layers[1].weight - 0.5).abs() < 1e-6);
    // It fades: no joint turns faster than the walk, the clips and a fade over a quarter of a second let it.
    let faded = fastest_turn(&with);
    assert!(faded < fastest_turn(&bare) + 0.5, "{faded} rad in a frame");
}

#[test]
fn eyes_and_hands_come_to_their_targets_while_feet_stay() {
    let subject = loaded("kaykit_Knight");
    let character = &subject.character;
    let head = TargetLimb::head(character).expect("a head");
    let hand = TargetLimb::hand(character, Side::Left).expect("a hand");
    let plain = locomotor(&subject);
    let seeing = plain.clone().with_targets(Targets::new(character, vec![head, hand]));
    let ground = Terrain::Slope { angle: 0.1 };
    let speed = walks_at(&plain);
    let leg = character.leg_length;
    // A lamp beside the way, and a rail at hand that goes along.
    let bare = walk(&plain, &ground, 200, |_, _| {});
    let rail = |k: usize| {
        let (pose, state) = &bare[k];
        let side = Vec3A::from(Vec3::new(0.7 * leg, 0.0, 0.45 * leg));
        (pose.root.translation + side + Vec3A::Y * (1.75 * leg) + Vec3A::Y * 0.0 * state.height, state)
    };
    let with = walk(&seeing, &ground, 200, |k, intent| {
        if (40..160).contains(&k) {
            intent.targets[0] = Some(Vec3::new(4.0, 1.5, 0.5 * speed * DT * k as f32 + 4.0));
            intent.targets[1] = Some(rail(k).0.into());
        }
    });
    let (TargetLimb::Look { joint: head, direction }, TargetLimb::Reach { joint: hand }) = (head, hand) else {
        panic!()
    };
    let skeleton = &character.rig.skeleton;
    let mut model = surefoot::rig::ModelPose::new(skeleton);
    let (mut reached, mut looked) = (0.0_f32, 0.0_f32);
    for (k, ((pose, state), (old, _))) in with.iter().zip(&bare).enumerate() {
        pose.to_model(skeleton, &mut model);
        for own in &character.rig.legs {
            for joint in &own.chain {
                assert_eq!(pose.locals[joint.index()], old.locals[joint.index()], "frame {k}: legs stay as they are");
            }
        }
        assert_eq!(pose.root, old.root);
        if (80..155).contains(&k) {
            let at = pose.root.transform_point(model[hand].translation);
            reached = reached.max((at - Vec3A::from(state.targets[1].place)).length());
            let eyes = pose.root * model[head];
            let to = (Vec3A::from(state.targets[0].place) - eyes.translation).normalize();
            looked = looked.max((eyes.rotation * direction).angle_between(to));
        }
        if k < 40 {
            assert_eq!(pose, old, "frame {k}: nothing before it is asked for");
        }
    }
    assert!(reached < 0.06 * leg, "the hand misses by {reached} m");
    assert!(looked < 0.15, "eyes miss by {} degrees", looked.to_degrees());
    assert!(
        quat::angle_between(with[199].0.locals[head.index()].rotation, bare[199].0.locals[head.index()].rotation)
            < 1e-3
    );
    let turn = fastest_turn(&with);
    assert!(turn < fastest_turn(&bare).max(0.35), "{turn} rad in a frame");
    // What is behind, nowhere or no number does no harm.
    for target in [Vec3::new(0.0, 1.0, -5.0), Vec3::splat(f32::NAN), Vec3::splat(1e9), Vec3::ZERO] {
        let odd = walk(&seeing, &ground, 60, |_, intent| intent.targets = [Some(target); 4]);
        assert!(odd.iter().all(|(pose, _)| pose.locals.iter().all(surefoot_is_finite)));
    }
}

fn surefoot_is_finite(local: &surefoot::math::Rigid) -> bool {
    local.is_finite() && (local.rotation.length() - 1.0).abs() < 1e-3
}

#[test]
fn a_motion_field_corrects_live_poses_where_it_was_told_to() {
    let subject = loaded("kaykit_Knight");
    let spine =
        subject.character.rig.skeleton.joints().find(|joint| subject.character.rig.skeleton.name(*joint) == "spine");
    let spine = spine.expect("a spine");
    let mut field = MotionField::default();
    let database = field.add_database("lean", 1, 2).unwrap();
    let axes = vec![StateAxis { state: FieldState::Speed, range: 0.3 }];
    let slots = vec![Slot::Joint(spine), Slot::Goal(surefoot::rig::LegId(0))];
    let segment = field.add_segment(FieldSegment { name: "lean".into(), axes, database, slots }).unwrap();
    let plain = locomotor(&subject);
    let speed = walks_at(&plain);
    let lean = Change { turn: Vec3::new(0.3, 0.0, 0.0), slide: Vec3A::ZERO };
    let lift = Change { turn: Vec3::ZERO, slide: Vec3A::new(0.0, 0.05, 0.0) };
    field.insert(segment, &[speed], &[lean, lift]).unwrap();
    field.insert(segment, &[0.0], &[Change::NONE; 2]).unwrap();
    let corrected = plain.clone().with_field(field);
    let ground = Terrain::Flat;
    let (bare, with) = (walk(&plain, &ground, 240, |_, _| {}), walk(&corrected, &ground, 240, |_, _| {}));
    let turned = |k: usize| {
        let [a, b] = [&bare[k].0, &with[k].0].map(|pose| pose.locals[spine.index()].rotation);
        quat::angle_between(a, b)
    };
    assert!(turned(0) < 0.05, "it stands as it stood: {}", turned(0));
    assert!((turned(230) - 0.3).abs() < 0.02, "{}", turned(230));
    // A foot in the air is raised by it; prints stay where they were.
    let high = |walked: &[(Pose, LocomotorState)]| {
        let skeleton = &subject.character.rig.skeleton;
        let mut model = surefoot::rig::ModelPose::new(skeleton);
        let ankle = subject.character.rig.legs[0].ankle();
        walked[120..].iter().fold(0.0_f32, |most, (pose, _)| {
            pose.to_model(skeleton, &mut model);
            most.max(pose.root.transform_point(model[ankle].translation).y)
        })
    };
    let raised = high(&with) - high(&bare);
    assert!((0.03..0.06).contains(&raised), "{raised} m");
    assert_eq!(bare[230].1.legs[0].from, with[230].1.legs[0].from);
}

/// A character of the embedded graph's body.
fn captured(graph: &surefoot::library::graph::MotionGraph) -> (Arc<Character>, Locomotor) {
    let walk = SteeredWalk::new(graph, FloorPose::ORIGIN);
    let mut idle = Pose::rest(&graph.rig.skeleton);
    idle.locals.copy_from_slice(walk.locals());
    let clips: Vec<_> = graph.takes.iter().map(|take| &take.clip).collect();
    let character = Character::new(graph.rig.clone(), idle, &clips).unwrap();
    let prepare = PrepareClips::default();
    let own = prepare.cycle(&character, &Creature::default().cycle(&character, "walk")).unwrap();
    let clips = LocomotionClips::new(vec![prepare.idle_pose(&character), own]).unwrap();
    (Arc::clone(&character), Locomotor::new(&character, clips, Vec::new()))
}

#[test]
fn captured_motion_is_steered_live_over_uneven_ground() {
    let graph = embedded::graph();
    let (character, locomotor) = captured(&graph);
    let leg = character.leg_length;
    for (name, ground, drift) in [
        ("flat", Terrain::Flat, 2e-3),
        ("slope", Terrain::Slope { angle: 0.15 }, 2e-3),
        ("rubble", Terrain::Rubble { height: 0.08, size: 0.5 }, 2e-3),
    ] {
        let mut walk = SteeredWalk::new(&graph, FloorPose::ORIGIN);
        let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
        let mut frame: LocomotorFrame = locomotor.frame();
        let mut recording = Recording::new(&state, 60.0);
        let mut strikes = 0;
        let (mut before, mut fastest): (Option<f32>, f32) = (None, 0.0);
        for k in 0..600 {
            let t = DT * k as f32;
            let velocity = if t < 6.0 { 1.2 * Vec2::new((0.2 * t).sin(), (0.2 * t).cos()) } else { Vec2::ZERO };
            let wish = Wish { velocity, heading: None };
            let given = walk.step(&graph, &Steer::default(), None, &wish, if k == 0 { 0.0 } else { DT });
            locomotor.step_given(
                &mut state,
                given,
                &Intent::default(),
                &ground,
                [t, if k == 0 { 0.0 } else { DT }],
                &mut frame,
            );
            recording.push(&locomotor, &state, &frame);
            strikes += frame.events.iter().filter(|e| e.kind == surefoot::systems::FootEventKind::Strike).count();
            assert!(
                frame.pose.root.is_finite() && frame.pose.locals.iter().all(surefoot_is_finite),
                "{name}: frame {k}"
            );
            let high = frame.pose.root.translation.y;
            fastest = fastest.max(before.replace(high).map_or(0.0, |before| (high - before).abs()));
        }
        let take = recording.finish(&locomotor, name);
        let figures = measure_feet(&character.rig, &take, Footing::Known(&ground));
        let gone = state.place.position.length();
        assert!(gone > 4.0 && strikes > 8, "{name}: {gone} m, {strikes} strikes");
        assert!(figures.drift.max < drift, "{name}: {:?}", figures.drift);
        assert!(figures.penetration.max < 0.012, "{name}: {:?}", figures.penetration);
        assert!(fastest < 0.04 * leg, "{name}: the body moves up or down by {fastest} m in a frame");
    }
}

/// Follows a going to its end; how near it came to what moves, and how long it took.
fn go(
    locomotor: &Locomotor,
    goes: GoTo,
    going: &mut Going,
    around: GoingAround<'_>,
    ground: &dyn Ground,
) -> (f32, f32, LocomotorState) {
    let start = going.path().start();
    let mut state =
        locomotor.start(FloorPose::new(Vec2::new(start.x, start.z), going.path().heading(0.0)), ground, 0.0);
    let mut frame = locomotor.frame();
    let mut nearest = f32::INFINITY;
    for k in 0..60 * 60 {
        let time = DT * k as f32;
        let intent = goes.run(going, around, &state, time, DT);
        locomotor.step(&mut state, &intent, ground, time, DT, &mut frame);
        let near = around.movers.iter().map(|mover| mover.distance(state.place.position, time));
        nearest = nearest.min(near.fold(f32::INFINITY, f32::min));
        if going.arrived() && state.legs.iter().all(|leg| leg.parked) {
            return (nearest, time, state);
        }
    }
    (nearest, f32::INFINITY, state)
}

#[test]
fn it_goes_to_a_place_around_what_moves_and_arrives_facing_as_it_should() {
    let subject = loaded("kaykit_Knight");
    let locomotor = locomotor(&subject);
    let speed = walks_at(&locomotor);
    let ground = Terrain::Flat;
    let goes = |facing| GoTo {
        follow: FollowRoute { speed, braking: 0.6 * locomotor.acceleration(0.0), facing, ..FollowRoute::default() },
        ..GoTo::default()
    };
    let path = || Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 8.0)]);
    let free = go(&locomotor, goes(Some(1.0)), &mut Going::along(path()), GoingAround::default(), &ground);
    assert!(free.1.is_finite(), "it arrives");
    // Somebody who comes towards it, one who crosses, and one who stands in the way.
    let disc = |keys: &[(f32, Vec3)]| Mover {
        outline: Outline::Disc { radius: 0.3 },
        height: 1.8,
        track: Track::new(keys, Repeat::Hold).unwrap(),
        heading: 0.0,
        spin: 0.0,
    };
    let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let comes = disc(&[(0.0, at(0.0, 9.0)), (12.0, at(0.0, -3.0))]);
    let crosses = disc(&[(0.0, at(-4.0, 3.0)), (8.0, at(4.0, 3.0))]);
    let stands = disc(&[(0.0, at(0.1, 5.0))]);
    for (name, movers) in [
        ("comes", vec![comes.clone()]),
        ("crosses", vec![crosses.clone()]),
        ("stands", vec![stands.clone()]),
        ("all", vec![comes, crosses, stands]),
    ] {
        let mut going = Going::along(path());
        let around = GoingAround { movers: &movers, floor: None };
        let (nearest, time, state) = go(&locomotor, goes(Some(1.0)), &mut going, around, &ground);
        assert!(time < free.1 + 12.0, "{name}: {time} s beside {} s, at {:?}", free.1, state.place);
        assert!(nearest > 0.25, "{name}: its middle came to {nearest} m of what moves");
        let off = (state.place.position - Vec2::new(0.0, 8.0)).length();
        assert!(off < 0.03, "{name}: {off} m off");
        assert!((state.place.heading - 1.0).abs() < 0.05, "{name}: faces {}", state.place.heading);
    }
}

#[test]
fn ways_through_a_scene_are_planned_and_planned_again() {
    let subject = loaded("kaykit_Knight");
    let locomotor = locomotor(&subject);
    let speed = walks_at(&locomotor);
    for name in ["6-rooms", "mesh-recast-undulating"] {
        let file = format!("{}/../../scenarios/{name}.scene.toml", env!("CARGO_MANIFEST_DIR"));
        let scene = scene::load(file.as_ref()).unwrap();
        let ways = ScenePaths::of(&scene).unwrap();
        let world = scene.world();
        let path = ways.path(scene.start.place, scene.goal.place).unwrap();
        let mut going = Going::along(path.clone());
        let goes = GoTo {
            follow: FollowRoute { speed, braking: 0.6 * locomotor.acceleration(0.0), ..FollowRoute::default() },
            radius: scene.body.radius,
            ..GoTo::default()
        };
        let around = GoingAround { movers: &world.obstacles, floor: ways.map() };
        let begin = FloorPose::new(Vec2::new(path.start().x, path.start().z), path.heading(0.0));
        let mut state = locomotor.start(begin, &world, 0.0);
        let mut frame = locomotor.frame();
        let seconds = 30.0 + 3.0 * path.length() / speed;
        let mut arrived = None;
        for k in 0..(60.0 * seconds) as usize {
            let time = DT * k as f32;
            if k == 300 {
                // Another wish in the middle of the way, and back.
                let here = Vec3::new(state.place.position.x, state.height, state.place.position.y);
                let back = ways.path(here, scene.start.place).unwrap();
                going.lead(back);
            }
            if k == 480 || (k > 480 && going.strayed) {
                let here = Vec3::new(state.place.position.x, state.height, state.place.position.y);
                going.lead(ways.path(here, scene.goal.place).unwrap());
            }
            let intent = goes.run(&mut going, around, &state, time, DT);
            locomotor.step(&mut state, &intent, &world, time, DT, &mut frame);
            if k > 480 && going.arrived() {
                arrived = Some(time);
                break;
            }
        }
        let end = Vec2::new(scene.goal.place.x, scene.goal.place.z);
        let off = (state.place.position - end).length();
        assert!(
            arrived.is_some() && off < 0.5,
            "{name}: {off} m from its goal after {seconds} s, at {:?}",
            state.place
        );
    }
}

#[test]
fn levels_of_detail_go_over_into_each_other() {
    let subject = loaded("kaykit_Knight");
    let locomotor = locomotor(&subject);
    let ground = Terrain::Rubble { height: 0.03, size: 0.3 };
    let speed = walks_at(&locomotor);
    let counts = [
        DetailCounts { full: 1, cheap_legs: 0, no_ik: 0 },
        DetailCounts { full: 0, cheap_legs: 1, no_ik: 0 },
        DetailCounts { full: 0, cheap_legs: 0, no_ik: 1 },
        DetailCounts { full: 0, cheap_legs: 0, no_ik: 0 },
    ];
    let run = |detail: &dyn Fn(usize) -> DetailCounts| {
        let intent = Intent { velocity: Vec2::new(0.0, speed), facing: Some(0.0), ..Intent::default() };
        let actor = Actor { intent, ..Actor::new(&locomotor, FloorPose::ORIGIN, &ground, 0.0) };
        let mut crowd = Crowd::new(locomotor.clone(), vec![actor], counts[0]);
        let mut all = Vec::new();
        for k in 0..900 {
            crowd.detail = detail(k);
            crowd.step(&ground, DT * k as f32, DT);
            all.push((crowd.actors[0].pose.clone(), crowd.actors[0].state.clone()));
        }
        all
    };
    let full = run(&|_| counts[0]);
    // Every level after every other.
    let order = [0, 1, 0, 2, 1, 2, 0, 3, 2, 3, 1, 3, 0, 0, 0];
    let mixed = run(&|k| counts[order[k / 60]]);
    assert!(full.iter().zip(&mixed).all(|(a, b)| a.1.place == b.1.place), "where it goes is the same");
    let (usual, most) = (fastest_turn(&full[120..]), fastest_turn(&mixed[120..]));
    assert!(most < 1.5 * usual + 0.1, "{most} rad in a frame; {usual} without changes");
    let rises = |all: &[(Pose, LocomotorState)]| {
        let steps = all.windows(2).map(|pair| (pair[1].0.root.translation - pair[0].0.root.translation).y.abs());
        steps.fold(0.0, f32::max)
    };
    let (usual, most) = (rises(&full[120..]), rises(&mixed[120..]));
    assert!(most < usual + 0.01, "{most} m up or down in a frame; {usual} without changes");
}
