//! Live characters for a long time, and at the edges of ground: nothing breaks, legs keep their order, feet stay near their hips.
//!
//! Half a minute each; `SUREFOOT_SOAK=1` an hour each, as `.ci/slow` asks for.

use surefoot::glam::{Vec2, Vec3};
use surefoot::library::locomotion::LocomotionClips;
use surefoot::math::{FloorPose, Rigid, wrap_angle};
use surefoot::metrics::{Footing, measure_feet};
use surefoot::random::{Rng, Seed};
use surefoot::rig::{JointId, Leg, ManyLegs, ModelPose, Pose, Skeleton};
use surefoot::stages::Recording;
use surefoot::systems::{
    Action, ActionFeet, BodyPlace, Creature, Detail, Intent, JointMask, Layer, Locomotor, LocomotorFrame,
    LocomotorState, PrepareClips, TargetLimb, Targets,
};
use surefoot::world::{Ground, GroundHit, Mover, Outline, Repeat, SurfaceId, Terrain, Track, World};
use surefoot_io::{LoadedCharacter, load_character};

const DT: f32 = 1.0 / 60.0;

/// A character with all that it can have: actions, layers, looks.
fn locomotor(name: &str) -> Locomotor {
    let prepare = PrepareClips::default();
    if let Some(legs) = name.strip_prefix("legs:") {
        let rig = ManyLegs { pairs: legs.parse::<usize>().unwrap() / 2, ..ManyLegs::default() }.run();
        let subject = LoadedCharacter::of_rig(rig).unwrap();
        let walk = prepare.cycle(&subject.character, &Creature::default().cycle(&subject.character, "walk")).unwrap();
        let clips = LocomotionClips::new(vec![prepare.idle_pose(&subject.character), walk]).unwrap();
        return Locomotor::new(&subject.character, clips, Vec::new());
    }
    let file = format!("{}/../../assets/characters/{name}.glb", env!("CARGO_MANIFEST_DIR"));
    let subject = load_character(file).unwrap();
    let character = &subject.character;
    let (mut moving, _) = prepare.moving(character, &subject.clips);
    moving.insert(0, prepare.stands(character, &subject.clips, subject.idle));
    let clips = LocomotionClips::new(moving).unwrap();
    let jumps = subject.clips.iter().find(|clip| clip.name().to_lowercase().contains("jump"));
    let jump: Vec<_> = jumps.map(|clip| prepare.standing(character, clip)).into_iter().collect();
    let layers = jump.iter().map(|clip| Layer::over(clip.clone(), &JointMask::upper_body(character))).collect();
    let limbs = TargetLimb::head(character).into_iter().collect();
    Locomotor::new(character, clips, jump).with_layers(layers).with_targets(Targets::new(character, limbs))
}

fn walks_at(locomotor: &Locomotor) -> f32 {
    locomotor.clips().clips()[locomotor.clips().slowest()].motion.velocity.length()
}

/// Ground with holes that come and go.
struct Vanishing {
    ground: Terrain,
}

impl Ground for Vanishing {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        let gone = (0.3 * time).sin() > 0.8
            || ((3.0 * point.x).sin() + (2.0 * point.z).cos() > 1.6 && (0.7 * time).sin() > 0.0);
        if gone { None } else { self.ground.below(point, reach, time) }
    }
}

/// Wishes at random; hostile ones too.
fn wish(rng: &mut Rng, locomotor: &Locomotor, state: &LocomotorState, hostile: bool) -> Intent {
    let speed = 1.2 * locomotor.clips().fastest() * rng.unit();
    let way = std::f32::consts::TAU * rng.unit();
    let mut intent = Intent {
        velocity: if rng.unit() < 0.2 { Vec2::ZERO } else { speed * Vec2::new(way.sin(), way.cos()) },
        facing: (rng.unit() < 0.7).then_some(std::f32::consts::TAU * rng.unit()),
        ..Intent::default()
    };
    intent.layers[0] = if rng.unit() < 0.3 { rng.unit() } else { 0.0 };
    if rng.unit() < 0.3 {
        let at = state.place.position;
        intent.targets[0] =
            Some(Vec3::new(at.x + 4.0 * rng.unit() - 2.0, state.height + rng.unit(), at.y + 4.0 * rng.unit()));
    }
    if rng.unit() < 0.1 {
        let feet = if rng.unit() < 0.5 { ActionFeet::Free } else { ActionFeet::Stay };
        intent.action = Some(Action { action: 0, feet });
    }
    if !hostile {
        return intent;
    }
    match (12.0 * rng.unit()) as usize {
        0 => intent.velocity = Vec2::new(f32::NAN, 1.0),
        1 => intent.velocity = Vec2::splat(1e6),
        2 => intent.facing = Some(f32::INFINITY),
        3 => intent.body = Some(BodyPlace { position: Vec3::splat(f32::NAN), heading: 0.0 }),
        4 => {
            let far = Vec3::new(100.0 * rng.unit(), 5.0 * rng.unit(), -50.0 * rng.unit());
            intent.body = Some(BodyPlace { position: far, heading: 10.0 * rng.unit() });
        }
        5 => intent.style = 99,
        6 => intent.layers = [f32::NAN, -3.0, 1e9, f32::INFINITY],
        7 => intent.targets = [Some(Vec3::NAN), Some(Vec3::splat(1e30)), Some(Vec3::ZERO), None],
        8 => intent.action = Some(Action { action: 77, feet: ActionFeet::Free }),
        9 => intent.body = Some(BodyPlace { position: Vec3::splat(1e30), heading: f32::NAN }),
        _ => {}
    }
    intent
}

/// The bones of a leg from hip to ankle, metres; of one whose foot does not hang from it, between its joints.
fn bones(skeleton: &Skeleton, model: &ModelPose, leg: &Leg) -> f32 {
    let apart = |a: JointId, b: JointId| (model[a].translation - model[b].translation).length();
    if leg.shin.is_some() {
        return leg.chain.windows(2).map(|pair| apart(pair[0], pair[1])).sum();
    }
    let path: Vec<JointId> = skeleton.ancestry(leg.ankle()).take_while(|joint| *joint != leg.hip()).collect();
    path.iter().map(|joint| apart(*joint, skeleton.parent(*joint).unwrap())).sum()
}

/// How far the farthest foot is from its hip, and how long the bones of the longest leg are, both in lengths of the leg at rest.
fn stretched(locomotor: &Locomotor, pose: &Pose) -> [f32; 2] {
    let rig = &locomotor.character().rig;
    let rest = ModelPose::new(&rig.skeleton);
    let mut model = rest.clone();
    pose.to_model(&rig.skeleton, &mut model);
    let of_leg = |leg: &Leg| {
        let foot = (model[leg.hip()].translation - model[leg.ankle()].translation).length();
        [foot, bones(&rig.skeleton, &model, leg)].map(|length| length / bones(&rig.skeleton, &rest, leg))
    };
    rig.legs.iter().map(of_leg).fold([0.0; 2], |most, own| [most[0].max(own[0]), most[1].max(own[1])])
}

fn finite(frame: &LocomotorFrame) -> bool {
    frame.pose.root.is_finite() && frame.pose.locals.iter().all(|local| local.is_finite())
}

fn soak(name: &str, seconds: f32, hostile: bool) {
    let locomotor = locomotor(name);
    let leg = locomotor.character().leg_length;
    let rubble = Terrain::Rubble { height: 0.15 * leg, size: 0.5 * leg };
    let vanishing = Vanishing { ground: rubble };
    let ground: &dyn Ground = if hostile { &vanishing } else { &rubble };
    let mut state = locomotor.start(FloorPose::ORIGIN, ground, 0.0);
    let (mut frame, mut rng) = (locomotor.frame(), Rng::new(Seed(11)).stream("soak"));
    let (mut intent, mut time) = (Intent::default(), 0.0_f32);
    // Some clips stretch bones a little.
    let mut far = 1.0_f32;
    let mut pose = frame.pose.clone();
    for clip in locomotor.clips().clips().iter().chain(locomotor.actions()) {
        for look in 0..60 {
            clip.pose_at(look as f32 / 60.0, &mut pose);
            far = stretched(&locomotor, &pose).into_iter().fold(far, f32::max);
        }
    }
    // Feet that do not hang from their legs are led by these, not held.
    let loose = if locomotor.character().rig.legs.iter().any(|leg| leg.shin.is_some()) { 1.1 } else { 1.02 };
    let mut detail = Detail::Full;
    for k in 0..(60.0 * seconds) as usize {
        if k % if hostile { 6 } else { 40 } == 0 {
            intent = wish(&mut rng, &locomotor, &state, hostile);
            // Ten teleports a second, for a second in twenty.
            if hostile && (k / 60) % 20 == 7 {
                let at = Vec3::new(40.0 * rng.unit(), rng.unit(), 40.0 * rng.unit());
                intent.body = Some(BodyPlace { position: at, heading: 6.0 * rng.unit() });
            }
            let levels = [Detail::Full, Detail::Full, Detail::CheapLegs, Detail::NoIk];
            detail = levels[(4.0 * rng.unit()) as usize % 4];
            // A home that it goes back to: an hour of one way leads out of the world.
            if state.place.position.length() > 200.0 * leg {
                intent.velocity = -state.place.position.normalize_or_zero() * walks_at(&locomotor);
            }
        }
        let dt = if hostile { [DT, 0.0, 0.25, 1e-4, f32::NAN, -1.0, DT][k % 7] } else { DT };
        time += if dt > 0.0 { dt } else { 0.0 };
        locomotor.step_with(&mut state, &intent, ground, [time, dt], detail, &mut frame);
        assert!(finite(&frame), "{name}: frame {k} {state:?}");
        let [foot, _] = stretched(&locomotor, &frame.pose);
        assert!(
            foot < loose * far,
            "{name}: a foot is {foot} leg lengths from its hip in frame {k}; {far} in the clips"
        );
        // What was broken is put down again within a second.
        assert!(state.velocity.is_finite() && state.height.is_finite() && state.phase.is_finite(), "{state:?}");
    }
    // After all that it walks as its clip does, every leg at its place in the round.
    let walk = &locomotor.clips().clips()[locomotor.clips().slowest()];
    let heading = state.place.heading;
    let velocity = surefoot::math::floor::turned(walk.motion.velocity, heading);
    let ahead = Intent { velocity, facing: Some(heading), ..Intent::default() };
    let level = |_: f32, _: f32| 0.0;
    for k in 0..900 {
        locomotor.step(&mut state, &ahead, &level, time + DT * k as f32, DT, &mut frame);
    }
    for (k, leg) in state.legs.iter().enumerate() {
        let nominal = state.phase - walk.legs[k].stance;
        let off = wrap_angle(std::f32::consts::TAU * (leg.phase - nominal)) / std::f32::consts::TAU;
        assert!(off.abs() < 0.01 && !leg.parked, "{name}: leg {k} is {off} of a round off");
    }
}

#[test]
fn nothing_breaks_in_a_long_time() {
    let long = std::env::var_os("SUREFOOT_SOAK").is_some();
    let seconds = if long { 3600.0 } else { 30.0 };
    let few = ["kaykit_Knight", "m2m_fox", "legs:6"];
    let all = [
        "kaykit_Knight",
        "RobotExpressive",
        "m2m_fox",
        "khronos_Fox",
        "m2m_horse",
        "m2m_spider",
        "m2m_bird",
        "quaternius_Rat",
        "m2m_kaiju",
        "legs:6",
    ];
    for name in if long { all.as_slice() } else { few.as_slice() } {
        for hostile in [false, true] {
            soak(name, seconds, hostile);
        }
    }
}

/// Walks straight ahead over a ground; its figures, how low its feet came and how far the body moved up or down in a frame.
fn ahead(
    locomotor: &Locomotor,
    ground: &dyn Ground,
    seconds: f32,
) -> (surefoot::metrics::FootFigures, LocomotorState, f32) {
    let mut state = locomotor.start(FloorPose::ORIGIN, ground, 0.0);
    let mut frame = locomotor.frame();
    let mut recording = Recording::new(&state, 60.0);
    let speed = walks_at(locomotor);
    let (mut before, mut rises): (Option<f32>, f32) = (None, 0.0);
    for k in 0..(60.0 * seconds) as usize {
        let intent = Intent { velocity: Vec2::new(0.0, speed), facing: Some(0.0), ..Intent::default() };
        locomotor.step(&mut state, &intent, ground, DT * k as f32, if k == 0 { 0.0 } else { DT }, &mut frame);
        recording.push(locomotor, &state, &frame);
        let high = frame.pose.root.translation.y;
        rises = rises.max(before.replace(high).map_or(0.0, |before| (high - before).abs()));
        assert!(finite(&frame), "a pose of numbers");
    }
    let take = recording.finish(locomotor, "ahead");
    (measure_feet(&locomotor.character().rig, &take, Footing::Known(ground)), state, rises)
}

#[test]
fn edges_ridges_and_gaps_are_walked_over() {
    for name in ["kaykit_Knight", "m2m_fox"] {
        let locomotor = locomotor(name);
        let leg = locomotor.character().leg_length;
        let far = 3.0 * leg;
        let ledge = move |_: f32, z: f32| if z > far { -0.3 * leg } else { 0.0 };
        let ridge = move |_: f32, z: f32| if (far..far + 0.12 * leg).contains(&z) { 0.25 * leg } else { 0.0 };
        let gap = move |_: f32, z: f32| if (far..far + 0.25 * leg).contains(&z) { f32::NAN } else { 0.0 };
        let seconds = 7.0 * leg / walks_at(&locomotor) + 1.0;
        let grounds: [(&str, &dyn Ground); 3] = [("ledge", &ledge), ("ridge", &ridge), ("gap", &gap)];
        for (what, ground) in grounds {
            let (figures, state, rises) = ahead(&locomotor, ground, seconds);
            assert!(state.place.position.y > far + leg, "{name}: over the {what}, to {}", state.place.position);
            assert!(figures.drift.max < 3e-3, "{name} {what}: {:?}", figures.drift);
            assert!(figures.penetration.max < 0.02 * leg.max(0.5), "{name} {what}: {:?}", figures.penetration);
            assert!(rises < 0.1 * leg, "{name} {what}: the body moves by {rises} m in a frame");
        }
    }
}

#[test]
fn feet_ride_on_a_platform_that_moves_while_somebody_walks_on_it() {
    let locomotor = locomotor("kaykit_Knight");
    let track = Track::new(&[(0.0, Vec3::ZERO), (4.0, Vec3::new(3.0, 0.0, 0.0))], Repeat::BackAndForth).unwrap();
    let raft =
        Mover { outline: Outline::Rectangle { half: Vec2::splat(6.0) }, height: 0.3, track, heading: 0.0, spin: 0.1 };
    let world = World { platforms: vec![raft.clone()], ..World::default() };
    let mut state = locomotor.start(FloorPose::ORIGIN, &world, 0.0);
    let mut frame = locomotor.frame();
    let on = World::platform_surface(0);
    let stands = |state: &LocomotorState, k: usize| {
        let leg = &state.legs[k];
        (!leg.flying && !leg.landed && leg.from_surface == on).then_some(leg.from)
    };
    let mut kept: Vec<Option<(Rigid, f32)>> = vec![None; state.legs.len()];
    let (mut slid, mut stood) = (0.0_f32, 0);
    for k in 0..360 {
        let time = DT * k as f32;
        let speed = walks_at(&locomotor);
        let intent =
            Intent { velocity: Vec2::new(0.0, if k < 240 { speed } else { 0.0 }), facing: None, ..Intent::default() };
        locomotor.step(&mut state, &intent, &world, time, DT, &mut frame);
        for (leg, kept) in kept.iter_mut().enumerate() {
            // A print that stands stays where it is on the raft.
            let now = stands(&state, leg).map(|print| (raft.world_from_mover(time).inverse() * print, time));
            if let (Some((before, _)), Some((now, _))) = (*kept, now) {
                slid = slid.max((before.translation - now.translation).length());
                stood += 1;
            }
            *kept = now;
        }
    }
    assert!(stood > 120, "{stood} frames on the raft");
    assert!(slid < 1e-3, "a print slides by {slid} m on the raft in a frame");
    assert_eq!(state.surface, on);
    assert_ne!(on, SurfaceId(0));
}
