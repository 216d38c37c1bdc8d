//! Per-frame code allocates nothing: counted, not claimed.
#![expect(unsafe_code, reason = "a global allocator that counts can only be written so")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use surefoot::adapt::Build;
use surefoot::adapt::{ChainModes, MotionField};
use surefoot::character::Character;
use surefoot::glam::{Quat, Vec2, Vec3, Vec3A};
use surefoot::ik::{
    Aim, BendLeg, CentreOfMass, Effector, Freedom, FullBody, IkProblem, IkState, LegChain, LegEnd, LookAt, Objective,
    Pole, Reach, SolveIk,
};
use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::library::locomotion::LocomotionClips;
use surefoot::math::{FloorPose, Rigid};
use surefoot::motion::Clip;
use surefoot::plan::Path;
use surefoot::plan::walk::{Driven, Start, Steer, Surroundings, Wish};
use surefoot::rig::{Joint, JointId, LegId, ManyLegs, Mirror, ModelPose, Pose, Skeleton};
use surefoot::stages::Carry;
use surefoot::stages::Method;
use surefoot::stages::{Change, EdgeId, FieldSegment, FieldState, Mass, Play, Slot, StateAxis};
use surefoot::systems::{
    Actor, Creature, CreatureFrame, CreatureMotion, Crowd, DetailCounts, GoTo, Going, GoingAround, Intent, JointMask,
    Layer, Locomotor, PrepareClips, TargetLimb, Targets,
};
use surefoot::world::{FloorMap, GrownMap, Mover, Outline, Repeat, Terrain, Track};

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes straight to the system allocator; only a number is kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations that `work` makes on this thread.
fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

fn body() -> (Skeleton, Clip) {
    let step = |i: usize| Rigid::new(Quat::from_rotation_x(0.01 * i as f32), Vec3A::new(0.0, 0.1, 0.0));
    let joints = (0..67_usize).map(|i| Joint::new(format!("joint {i}"), i.checked_sub(1), step(i)));
    let skeleton = Skeleton::new(joints.collect()).unwrap();
    let locals = (0..30).flat_map(|frame| (0..67).map(move |joint| step(frame + joint)));
    let clip = Clip::new(&skeleton, "clip", 30.0, locals.collect()).unwrap();
    (skeleton, clip.with_cycle(Some(Rigid::IDENTITY)))
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1_u8; 100]))) > 0, "an allocation must be seen");
}

#[test]
fn sampling_and_composing_allocate_nothing() {
    let (skeleton, clip) = body();
    let mut pose = Pose::rest(&skeleton);
    let mut model = ModelPose::new(&skeleton);
    let count = allocations(|| {
        for i in 0..1000 {
            clip.sample(0.013 * i as f32, &mut pose);
            pose.to_model(&skeleton, &mut model);
            model.refresh(&skeleton, &pose, JointId(30));
            std::hint::black_box(clip.root_change(0.0, 0.013 * i as f32));
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn mirroring_a_pose_allocates_nothing() {
    let (skeleton, clip) = body();
    let mirror = Mirror::of(&skeleton).unwrap();
    let mut out = skeleton.rest().to_vec();
    assert_eq!(allocations(|| mirror.locals(&skeleton, clip.frame(3), &mut out)), 0);
}

#[test]
fn solving_poses_allocates_nothing_after_the_first_time() {
    let (skeleton, clip) = body();
    let freedoms: Vec<Freedom> =
        skeleton.joints().take(20).flat_map(Freedom::ball).chain(Freedom::slides(JointId(0))).collect();
    let joints = [JointId(5), JointId(10), JointId(20)];
    let problem = IkProblem::new(&skeleton, &freedoms, &joints.map(Effector::turning));
    let masses = joints.map(|joint| Mass { joint, middle: Vec3A::ZERO, share: 1.0 });
    let mut pose = Pose::rest(&skeleton);
    for method in [Method::GaussNewton, Method::FullNewton] {
        let mut state = IkState::new(&problem);
        let solve = SolveIk { method, steps: 5, ..SolveIk::default() };
        let mut run = |i: usize| {
            clip.sample(0.013 * i as f32, &mut pose);
            let reach = Reach::new(joints[2], Vec3A::new(0.2, 1.0 + 0.01 * i as f32, 0.3));
            let aim = Aim { joint: joints[2], direction: Vec3A::Z, goal: Vec3A::X, weight: 0.1 };
            let look = LookAt { joint: joints[1], direction: Vec3A::Z, target: Vec3A::ONE, weight: 0.1 };
            let pole = Pole { joints, direction: Vec3A::Z, bend: 0.1, along: 0.5, weight: 0.1 };
            let mass = CentreOfMass { masses: &masses, target: Vec3A::Y, weights: Vec3A::new(0.1, 0.0, 0.1) };
            let objectives: [&dyn Objective; 5] = [&reach, &aim, &look, &pole, &mass];
            std::hint::black_box(solve.run(&problem, &mut state, &objectives, &mut pose));
        };
        run(0);
        assert_eq!(allocations(|| (1..50).for_each(&mut run)), 0, "{method:?}");
    }
}

#[test]
fn bending_legs_allocates_nothing() {
    let (skeleton, clip) = body();
    let mut pose = Pose::rest(&skeleton);
    let mut model = ModelPose::new(&skeleton);
    for bones in [2, 3, 6] {
        let joints: Vec<JointId> = (0..bones).map(|i| JointId(10 + 5 * i)).collect();
        let hinges = vec![Vec3A::X; joints.len() - 1];
        let chain = LegChain { joints, hinges, ankle: JointId(50), end: LegEnd::Ankle };
        let count = allocations(|| {
            for i in 0..200 {
                clip.sample(0.013 * i as f32, &mut pose);
                pose.to_model(&skeleton, &mut model);
                let mut ankle = model[chain.ankle];
                ankle.translation.y += 0.01 * i as f32;
                std::hint::black_box(BendLeg::default().run(&skeleton, &chain, &mut pose, &mut model, ankle));
            }
        });
        assert_eq!(count, 0, "{bones} bones");
    }
}

#[test]
fn whole_bodies_reach_without_allocating() {
    let (skeleton, clip) = body();
    let mut full = FullBody::new(&skeleton, &[], &[JointId(30), JointId(60)]);
    let mut pose = Pose::rest(&skeleton);
    let mut run = |i: usize| {
        clip.sample(0.013 * i as f32, &mut pose);
        let targets = [Vec3A::new(0.1, 2.0, 0.2), Vec3A::new(0.2, 3.0 + 0.01 * i as f32, 0.4)];
        std::hint::black_box(full.run(&skeleton, &mut pose, &targets));
    };
    run(0);
    assert_eq!(allocations(|| (1..30).for_each(&mut run)), 0);
}

fn creature() -> std::sync::Arc<Character> {
    let rig = ManyLegs::default().run();
    let idle = Pose::rest(&rig.skeleton);
    Character::new(rig, idle, &[]).unwrap()
}

#[test]
fn a_creature_s_frame_allocates_nothing() {
    let character = creature();
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 3.0)]);
    let ground = Terrain::Rubble { height: 0.1, size: 0.3 };
    let mut motion = Creature::default().plan(&character, &path, None, &ground);
    let mut frame = CreatureFrame::new(&character.rig);
    let mut run = |motion: &CreatureMotion| {
        allocations(|| {
            for i in 0..500 {
                motion.pose_at(0.01 * i as f32, &mut frame);
            }
        })
    };
    assert_eq!(run(&motion), 0);
    motion.field = field();
    assert_eq!(run(&motion), 0, "with a motion field");
}

/// Corrections of a joint and of a foot's goal at a dozen states of three axes.
fn field() -> MotionField {
    let mut field = MotionField::default();
    let database = field.add_database("lean", 3, 2).unwrap();
    let states = [FieldState::Slope, FieldState::Phase, FieldState::FootAhead(LegId(1))];
    let axes = states.map(|state| StateAxis { state, range: 0.3 }).to_vec();
    let slots = vec![Slot::Joint(JointId(0)), Slot::Goal(LegId(0))];
    let segment = field.add_segment(FieldSegment { name: "lean".into(), axes, database, slots }).unwrap();
    for i in 0..12 {
        let x = 0.1 * i as f32;
        let slide = Change { slide: Vec3A::new(0.0, 0.01 * x, 0.0), ..Change::NONE };
        field.insert(segment, &[x, x, -x], &[Change::turn(Vec3::new(0.1 * x, 0.0, 0.0)), slide]).unwrap();
    }
    field
}

#[test]
fn a_motion_field_allocates_nothing() {
    let field = field();
    let mut out = [Change::NONE; 2];
    let count = allocations(|| {
        for i in 0..500 {
            field.evaluate(0, &[0.01 * i as f32, 0.002 * i as f32, 0.1], &mut out);
            std::hint::black_box(&out);
        }
    });
    assert_eq!(count, 0);
}

/// A graph of two walks of a creature, which bend to the left and to the right.
fn graph(settings: BuildGraph) -> MotionGraph {
    let character = creature();
    let walk = |side: f32| {
        let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 3.0), Vec2::new(3.0 * side, 6.0)]);
        let motion = Creature::default().plan(&character, &path, None, &Terrain::Flat);
        Creature::default().take(&motion, "walk", &Terrain::Flat).take
    };
    settings.run(&character.rig, &[walk(1.0), walk(-1.0)]).unwrap()
}

#[test]
fn steering_allocates_nothing_after_the_first_move() {
    let graph = graph(BuildGraph::default());
    let floor = FloorMap::rectangle(Vec2::splat(-50.0), Vec2::splat(50.0)).unwrap();
    let map = GrownMap::new(floor, 0.3).unwrap();
    for around in [None, Some(Surroundings::still(&map))] {
        let mut driven = Driven::new(&graph, Start::Standing(FloorPose::ORIGIN));
        let mut run = |i: usize| {
            let wish = Wish { velocity: 0.5 * Vec2::from_angle(0.1 * i as f32), heading: None };
            let decided = Steer::default().run(&graph, around, &mut driven, &wish);
            assert!(!decided.edges.is_empty(), "it must move on");
        };
        run(0);
        assert_eq!(allocations(|| (1..400).for_each(&mut run)), 0, "{}", around.is_some());
    }
}

/// Blends are played as clips, all frames at once: what they need is asked for by blend, not by frame.
#[test]
fn blending_allocates_by_blend_and_not_by_frame() {
    let blends = |seconds: f32| {
        let graph = graph(BuildGraph { blend: seconds, ..BuildGraph::default() });
        let found = graph.topology.edges.iter().position(|edge| matches!(edge.play, Play::Blend(_)));
        let edge = EdgeId(found.expect("a blend") as u32);
        let mut played = None;
        let count = allocations(|| played = Some(graph.play(FloorPose::ORIGIN, &[edge])));
        (played.unwrap().clip.frames(), count)
    };
    let ((few, least), (many, most)) = (blends(0.2), blends(0.8));
    // Lists of frames double as they grow, which is less than one a frame.
    assert!(many > few && most - least < many - few, "{few} frames: {least}, {many} frames: {most}");
}

#[test]
fn a_posture_goes_from_body_to_body_without_allocating() {
    let small = Build::new(ManyLegs::default().run(), None);
    let large = Build::new(ManyLegs { leg: 1.3, ..ManyLegs::default() }.run(), None);
    let carry = Carry::new(&small, &large, &ChainModes::default()).unwrap();
    let (mut from, mut to) = (small.posture(), large.posture());
    let model = ModelPose::new(&small.rig.skeleton);
    let (mut pose, mut there) = (Pose::rest(&large.rig.skeleton), ModelPose::new(&large.rig.skeleton));
    let count = allocations(|| {
        for _ in 0..100 {
            small.read(&model, &mut from);
            carry.run(&from, &mut to);
            large.write(&to, &mut pose, &mut there);
            std::hint::black_box(&there);
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn a_live_character_allocates_nothing() {
    let rig = ManyLegs { pairs: 2, ..ManyLegs::default() }.run();
    let idle = Pose::rest(&rig.skeleton);
    let character = Character::new(rig, idle, &[]).unwrap();
    let prepare = PrepareClips::default();
    let walk = prepare.cycle(&character, &Creature::default().cycle(&character, "walk")).unwrap();
    let clips = LocomotionClips::new(vec![prepare.idle_pose(&character), walk]).unwrap();
    let locomotor = Locomotor::new(&character, clips, Vec::new());
    let ground = Terrain::Rubble { height: 0.1, size: 0.4 };
    let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
    let mut frame = locomotor.frame();
    let mut kept = state.clone();
    let count = allocations(|| {
        for k in 0..600 {
            let way = 0.01 * k as f32;
            let intent = Intent { velocity: Vec2::new(0.5 * way.sin(), 0.8), facing: Some(way), ..Intent::default() };
            locomotor.step(&mut state, &intent, &ground, k as f32 / 60.0, 1.0 / 60.0, &mut frame);
        }
        kept.copy_from(&state);
    });
    assert_eq!(count, 0);
    assert_eq!(kept, state);
}

#[test]
fn layers_looks_fields_crowds_and_ways_around_movers_allocate_nothing() {
    let rig = ManyLegs { pairs: 2, ..ManyLegs::default() }.run();
    let idle = Pose::rest(&rig.skeleton);
    let character = Character::new(rig, idle, &[]).unwrap();
    let prepare = PrepareClips::default();
    let walk = prepare.cycle(&character, &Creature::default().cycle(&character, "walk")).unwrap();
    let layer = Layer::added(walk.clone(), &JointMask::upper_body(&character));
    let clips = LocomotionClips::new(vec![prepare.idle_pose(&character), walk]).unwrap();
    let head = character.rig.skeleton.find("Head").unwrap();
    let looks = TargetLimb::Look { joint: head, direction: Vec3A::Z };
    let mut field = MotionField::default();
    let database = field.add_database("lean", 1, 1).unwrap();
    let axes = vec![StateAxis { state: FieldState::Speed, range: 1.0 }];
    let segment = FieldSegment { name: "lean".into(), axes, database, slots: vec![Slot::Joint(head)] };
    let segment = field.add_segment(segment).unwrap();
    field.insert(segment, &[0.5], &[Change { turn: Vec3::X * 0.1, slide: Vec3A::ZERO }]).unwrap();
    let locomotor = Locomotor::new(&character, clips, Vec::new())
        .with_layers(vec![layer])
        .with_targets(Targets::new(&character, vec![looks]))
        .with_field(field);
    let ground = Terrain::Rubble { height: 0.1, size: 0.4 };
    let track = Track::new(&[(0.0, Vec3::new(-2.0, 0.0, 2.0)), (6.0, Vec3::new(2.0, 0.0, 2.0))], Repeat::BackAndForth);
    let outline = Outline::Disc { radius: 0.3 };
    let movers = [Mover { outline, height: 1.0, track: track.unwrap(), heading: 0.0, spin: 0.0 }];
    let mut going = Going::along(Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 5.0)]));
    let around = GoingAround { movers: &movers, floor: None };
    let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
    let mut frame = locomotor.frame();
    let actors =
        (0..4).map(|i| Actor::new(&locomotor, FloorPose::new(Vec2::X * i as f32, 0.0), &ground, 0.0)).collect();
    let mut crowd = Crowd::new(locomotor.clone(), actors, DetailCounts { full: 1, cheap_legs: 1, no_ik: 1 });
    // On this thread alone: what the pool of threads does is counted by nobody.
    let count = allocations(|| {
        for k in 0..300 {
            let time = k as f32 / 60.0;
            let mut intent = GoTo::default().run(&mut going, around, &state, time, 1.0 / 60.0);
            intent.layers[0] = if k > 60 { 1.0 } else { 0.0 };
            intent.targets[0] = (k > 30).then_some(Vec3::new(3.0, 1.0, 0.02 * k as f32));
            locomotor.step(&mut state, &intent, &ground, time, 1.0 / 60.0, &mut frame);
        }
    });
    assert_eq!(count, 0);
    crowd.step(&ground, 0.0, 1.0 / 60.0);
    #[cfg(not(feature = "parallel"))]
    assert_eq!(allocations(|| (1..60).for_each(|k| crowd.step(&ground, k as f32 / 60.0, 1.0 / 60.0))), 0);
    assert_eq!(crowd.actors.len(), 4);
}
