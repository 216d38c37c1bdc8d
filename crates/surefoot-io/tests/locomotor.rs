//! Live characters on real files: feet that stand, poses that keep to their clips, and nothing that breaks them.

use surefoot::glam::{Vec2, Vec3, Vec3A};
use surefoot::library::locomotion::LocomotionClips;
use surefoot::math::{FloorPose, quat};
use surefoot::metrics::{FootFigures, Footing, measure_feet};
use surefoot::plan::Path;
use surefoot::random::{Rng, Seed};
use surefoot::rig::{ManyLegs, Pose};
use surefoot::stages::LocomotionClip;
use surefoot::stages::Recording;
use surefoot::stages::RouteState;
use surefoot::systems::{
    Actor, BodyPlace, Creature, Crowd, Detail, DetailCounts, FollowRoute, Intent, Locomotor, LocomotorState,
    PrepareClips,
};
use surefoot::world::{Ground, GroundHit, LevelGround, Terrain};
use surefoot_io::{LoadedCharacter, load_character};

const DT: f32 = 1.0 / 60.0;

fn loaded(name: &str) -> LoadedCharacter {
    let file = format!("{}/../../assets/characters/{name}.glb", env!("CARGO_MANIFEST_DIR"));
    load_character(file).unwrap()
}

fn locomotor(name: &str) -> Locomotor {
    if let Some(legs) = name.strip_prefix("legs:") {
        let rig = ManyLegs { pairs: legs.parse::<usize>().unwrap() / 2, ..ManyLegs::default() }.run();
        let subject = LoadedCharacter::of_rig(rig).unwrap();
        let prepare = PrepareClips::default();
        // From almost nothing: its idle pose makes its walk.
        let walk = prepare.cycle(&subject.character, &Creature::default().cycle(&subject.character, "walk")).unwrap();
        let clips = vec![prepare.idle_pose(&subject.character), walk];
        return Locomotor::new(&subject.character, LocomotionClips::new(clips).unwrap(), Vec::new());
    }
    let subject = loaded(name);
    let found = PrepareClips::default().choose(&subject.character, &subject.clips, subject.idle).unwrap();
    Locomotor::new(&subject.character, found.clips, Vec::new())
}

fn walks_at(locomotor: &Locomotor) -> f32 {
    locomotor.clips().clips()[locomotor.clips().slowest()].motion.velocity.length()
}

/// Follows a path, and measures the feet.
fn drive(locomotor: &Locomotor, places: &[[f32; 2]], ground: &dyn Ground) -> (LocomotorState, FootFigures, bool) {
    let path = Path::new(places.iter().map(|[x, z]| Vec3::new(*x, 0.0, *z)).collect());
    let route = FollowRoute {
        speed: walks_at(locomotor),
        braking: 0.6 * locomotor.acceleration(0.0),
        ..FollowRoute::default()
    };
    let mut state = locomotor.start(FloorPose::new(Vec2::from(places[0]), path.heading(0.0)), ground, 0.0);
    let (mut frame, mut along) = (locomotor.frame(), RouteState::default());
    let mut recording = Recording::new(&state, 60.0);
    for k in 0..(60.0 * (4.0 + 3.0 * path.length() / route.speed)) as usize {
        let intent = route.run(&path, &mut along, &state, DT);
        locomotor.step(&mut state, &intent, ground, DT * k as f32, if k == 0 { 0.0 } else { DT }, &mut frame);
        recording.push(locomotor, &state, &frame);
    }
    let take = recording.finish(locomotor, "drive");
    (state, measure_feet(&locomotor.character().rig, &take, Footing::Known(ground)), along.arrived)
}

#[test]
fn standing_feet_stay_where_they_are_on_any_ground() {
    for name in ["kaykit_Knight", "m2m_fox", "m2m_bird", "legs:6"] {
        let locomotor = locomotor(name);
        let leg = locomotor.character().leg_length;
        let far = 5.0 * leg.max(0.6);
        for ground in [
            Terrain::Flat,
            Terrain::Slope { angle: 0.26 },
            Terrain::Rubble { height: 0.1 * leg, size: 0.4 * leg },
            Terrain::Stairs { rise: 0.1 * leg, tread: 0.5 * leg },
        ] {
            let (state, figures, arrived) =
                drive(&locomotor, &[[0.0, 0.0], [0.0, far], [0.5 * far, 1.5 * far]], &ground);
            assert!(arrived, "{name} {ground:?}: at {:?}", state.place);
            assert!(figures.drift.max < 1e-3 * leg.max(1.0) * 3.0, "{name} {ground:?}: {:?}", figures.drift);
            assert!(figures.penetration.max < 0.01 * leg.max(1.0), "{name} {ground:?}: {:?}", figures.penetration);
            assert!(state.legs.iter().all(|leg| leg.parked), "{name} {ground:?}: it stands at its end");
        }
    }
}

#[test]
fn on_level_ground_at_a_clips_own_speed_the_body_moves_as_in_the_clip() {
    for (name, clip) in [("kaykit_Knight", "Walking_A"), ("m2m_horse", "Walk")] {
        let subject = loaded(name);
        let prepare = PrepareClips::default();
        let walk: LocomotionClip = prepare.cycle(&subject.character, subject.clip(clip).unwrap()).unwrap();
        let clips = LocomotionClips::new(vec![prepare.idle_pose(&subject.character), walk.clone()]).unwrap();
        let locomotor = Locomotor::new(&subject.character, clips, Vec::new());
        let ground = LevelGround::default();
        let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
        let mut frame = locomotor.frame();
        let velocity = walk.motion.velocity;
        let own = Intent { velocity, facing: Some(0.0), ..Intent::default() };
        for k in 0..600 {
            locomotor.step(&mut state, &own, &ground, DT * k as f32, DT, &mut frame);
        }
        assert!((state.velocity - velocity).length() < 1e-3 * velocity.length(), "{name}: {}", state.velocity);
        // Legs stand and step as the clip has them, and what is no leg is the clip's own.
        let (rig, mut worst) = (&subject.character.rig, 0.0_f32);
        let in_leg = |joint: usize| rig.legs.iter().any(|leg| rig.skeleton.subtree(leg.hip()).contains(&joint));
        let mut drawn = Pose::rest(&rig.skeleton);
        let reference = locomotor.clips().clips().iter().find(|own| own.name() == clip).unwrap();
        reference.pose_at(state.phase, &mut drawn);
        for joint in rig.skeleton.joints().filter(|joint| !in_leg(joint.index())) {
            let (a, b) = (frame.pose.locals[joint.index()].rotation, drawn.locals[joint.index()].rotation);
            worst = worst.max(quat::angle_between(a, b).to_degrees());
        }
        assert!(worst < 2.0, "{name}: {worst}°");
        for leg in &state.legs {
            assert!(!leg.parked, "{name}: every leg steps");
        }
    }
}

/// What a hostile game does to a character for so many frames; whether all stays within bounds is asserted on the way.
fn torment(name: &str, frames: usize, hostile: bool) {
    let locomotor = locomotor(name);
    let leg = locomotor.character().leg_length;
    let rubble = Terrain::Rubble { height: 0.15 * leg, size: 0.5 * leg };
    let mut state = locomotor.start(FloorPose::ORIGIN, &rubble, 0.0);
    let (mut frame, mut rng) = (locomotor.frame(), Rng::new(Seed(7)).stream("torment"));
    let mut intent = Intent::default();
    let hole = |x: f32, z: f32| if (x * 3.0).sin() + (z * 2.0).cos() > 1.5 { f32::NAN } else { 0.1 * leg * x.sin() };
    for k in 0..frames {
        if k % 20 == 0 {
            let speed = 1.5 * locomotor.clips().fastest() * rng.unit();
            let way = std::f32::consts::TAU * rng.unit();
            intent = Intent {
                velocity: speed * Vec2::new(way.sin(), way.cos()),
                facing: (rng.unit() < 0.7).then_some(std::f32::consts::TAU * rng.unit()),
                ..Intent::default()
            };
            if hostile {
                match (8.0 * rng.unit()) as usize {
                    0 => intent.velocity = Vec2::new(f32::NAN, 1.0),
                    1 => intent.velocity = Vec2::splat(1e6),
                    2 => intent.facing = Some(f32::INFINITY),
                    3 => intent.body = Some(BodyPlace { position: Vec3::splat(f32::NAN), heading: 0.0 }),
                    4 => {
                        let far = Vec3::new(100.0 * rng.unit(), 5.0 * rng.unit(), -50.0 * rng.unit());
                        intent.body = Some(BodyPlace { position: far, heading: 10.0 * rng.unit() });
                    }
                    5 => intent.style = 99,
                    _ => {}
                }
            }
        }
        let dt = if hostile { [DT, 0.0, 0.25, 1e-4, f32::NAN, -1.0][k % 6] } else { DT };
        let ground: &dyn Ground = if hostile && (k / 200) % 2 == 1 { &hole } else { &rubble };
        locomotor.step(&mut state, &intent, ground, DT * k as f32, dt, &mut frame);
        assert!(frame.pose.root.is_finite(), "{name}: frame {k} {state:?}");
        assert!(frame.pose.locals.iter().all(|local| local.is_finite()), "{name}: frame {k}");
        for (i, own) in locomotor.character().rig.legs.iter().enumerate() {
            let far = (frame.model[own.hip()].translation - frame.model[own.ankle()].translation).length();
            assert!(far < 1.6 * locomotor.character().leg_length, "{name}: leg {i} is {far} m long in frame {k}");
        }
    }
}

#[test]
fn nothing_that_a_game_does_breaks_a_character() {
    for name in ["kaykit_Knight", "m2m_fox", "legs:6"] {
        torment(name, 3000, false);
        torment(name, 3000, true);
    }
}

#[test]
fn a_state_that_is_put_back_goes_on_with_the_same_bits() {
    let locomotor = locomotor("m2m_fox");
    let ground = Terrain::Rubble { height: 0.1, size: 0.4 };
    let intent = Intent { velocity: Vec2::new(0.5, 1.0), facing: Some(0.6), ..Intent::default() };
    let run = |state: &mut LocomotorState, from: usize, to: usize| {
        let mut frame = locomotor.frame();
        for k in from..to {
            locomotor.step(state, &intent, &ground, DT * k as f32, DT, &mut frame);
        }
        frame.pose
    };
    let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
    run(&mut state, 0, 100);
    let kept = state.clone();
    let once = run(&mut state, 100, 200);
    let ended = state.clone();
    state.copy_from(&kept);
    assert_eq!(run(&mut state, 100, 200), once, "what is put back goes on as it did");
    assert_eq!(state, ended);
    // A frame of no time changes nothing.
    let mut frame = locomotor.frame();
    locomotor.step(&mut state, &intent, &ground, DT * 199.0, 0.0, &mut frame);
    assert_eq!(state.place, ended.place);
    let same =
        |(a, b): (&surefoot::math::Rigid, &surefoot::math::Rigid)| quat::angle_between(a.rotation, b.rotation) < 1e-3;
    assert!(frame.pose.locals.iter().zip(&once.locals).all(same));
}

#[test]
fn a_capsule_that_pops_up_a_step_does_not_pop_the_body() {
    let locomotor = locomotor("kaykit_Knight");
    let leg = locomotor.character().leg_length;
    let step = |_: f32, z: f32| if z > 1.0 { 0.3 * leg } else { 0.0 };
    let mut state = locomotor.start(FloorPose::ORIGIN, &step, 0.0);
    let mut frame = locomotor.frame();
    let (mut before, mut most): (Option<f32>, f32) = (None, 0.0);
    for k in 0..240 {
        let z = 0.5 * DT * k as f32;
        let body = BodyPlace { position: Vec3::new(0.0, step(0.0, z), z), heading: 0.0 };
        let intent = Intent { body: Some(body), ..Intent::default() };
        locomotor.step(&mut state, &intent, &step, DT * k as f32, DT, &mut frame);
        let high = frame.pose.root.translation.y;
        most = most.max(before.replace(high).map_or(0.0, |before| (high - before).abs()));
    }
    assert!(most < 0.12 * leg, "{most} m in a frame; the capsule jumps {} m", 0.3 * leg);
    assert!((frame.pose.root.translation.y - 0.3 * leg).abs() < 0.1 * leg, "up it goes");
}

/// A platform that goes to the side, and up and down.
struct Lift;

impl Ground for Lift {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        let y = self.world_from_surface(surefoot::world::SurfaceId(0), time).translation.y;
        LevelGround { height: y }.below(point, reach, time)
    }

    fn world_from_surface(&self, _: surefoot::world::SurfaceId, time: f32) -> surefoot::math::Rigid {
        surefoot::math::Rigid::from_translation(Vec3A::new(0.8 * time, 0.2 * (1.0 - (0.7 * time).cos()), 0.0))
    }
}

#[test]
fn feet_ride_with_the_ground_they_stand_on() {
    let locomotor = locomotor("kaykit_Knight");
    let mut state = locomotor.start(FloorPose::ORIGIN, &Lift, 0.0);
    let mut frame = locomotor.frame();
    for k in 0..300 {
        locomotor.step(&mut state, &Intent::default(), &Lift, DT * k as f32, DT, &mut frame);
    }
    let there = Lift.world_from_surface(surefoot::world::SurfaceId(0), DT * 299.0).translation;
    assert!((state.place.position.x - there.x).abs() < 0.01, "{} of {}", state.place.position.x, there.x);
    assert!((state.height - there.y).abs() < 1e-3 && state.legs.iter().all(|leg| leg.parked), "it stands still on it");
}

#[test]
fn a_crowd_has_the_same_bits_on_any_number_of_threads_and_goes_the_same_way_at_any_detail() {
    let locomotor = locomotor("kaykit_Knight");
    let ground = Terrain::Slope { angle: 0.1 };
    let crowd = |detail: DetailCounts| {
        let actors = (0..200).map(|i| {
            let place = FloorPose::new(Vec2::new(i as f32, 0.0), 0.1 * i as f32);
            let way = 0.3 * i as f32;
            let intent = Intent { velocity: Vec2::new(way.sin(), way.cos()), facing: Some(way), ..Intent::default() };
            Actor { intent, ..Actor::new(&locomotor, place, &ground, 0.0) }
        });
        let mut crowd = Crowd::new(locomotor.clone(), actors.collect(), detail);
        for k in 0..90 {
            crowd.step(&ground, DT * k as f32, DT);
        }
        crowd
    };
    let mixed = DetailCounts { full: 20, cheap_legs: 60, no_ik: 100 };
    let two = crowd(mixed);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| crowd(mixed));
    let full = crowd(DetailCounts::ALL_FULL);
    for ((a, b), c) in one.actors.iter().zip(&two.actors).zip(&full.actors) {
        assert_eq!(a.pose, b.pose);
        assert_eq!((a.state.place, a.state.velocity), (c.state.place, c.state.velocity), "where it goes");
    }
    assert_eq!([0, 20, 80, 180].map(|i| mixed.of(i)), [Detail::Full, Detail::CheapLegs, Detail::NoIk, Detail::Frozen]);
}
