//! What games ask of live characters, scene by scene: feet stay, keep out of the ground, and no joint jumps.

use surefoot::glam::{Vec2, Vec3, Vec3A};
use surefoot::library::locomotion::LocomotionClips;
use surefoot::math::{FloorPose, Rigid, quat};
use surefoot::metrics::{FootFigures, Footing, measure_feet};
use surefoot::rig::{ManyLegs, Pose};
use surefoot::stages::LocomotionClip;
use surefoot::stages::Recording;
use surefoot::systems::{Action, ActionFeet, Creature, FootEventKind, Intent, Locomotor, PrepareClips};
use surefoot::world::{Ground, GroundHit, LevelGround, SurfaceId, Terrain};
use surefoot_io::{LoadedCharacter, load_character};

const DT: f32 = 1.0 / 60.0;

fn loaded(name: &str) -> LoadedCharacter {
    load_character(format!("{}/../../assets/characters/{name}.glb", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// A character with a clip made ready: one of its own, or what its idle pose makes.
fn walk_of(name: &str, clip: &str) -> (LoadedCharacter, LocomotionClip) {
    let prepare = PrepareClips::default();
    let Some(legs) = name.strip_prefix("legs:") else {
        let subject = loaded(name);
        let walk = prepare.cycle(&subject.character, subject.clip(clip).unwrap()).unwrap();
        return (subject, walk);
    };
    let rig = ManyLegs { pairs: legs.parse::<usize>().unwrap() / 2, ..ManyLegs::default() }.run();
    let subject = LoadedCharacter::of_rig(rig).unwrap();
    let walk = prepare.cycle(&subject.character, &Creature::default().cycle(&subject.character, clip)).unwrap();
    (subject, walk)
}

/// A live character; its first action is a jump, if it has one.
fn live(name: &str) -> Locomotor {
    let prepare = PrepareClips::default();
    if name.starts_with("legs:") {
        let (subject, walk) = walk_of(name, "walk");
        let clips = vec![prepare.idle_pose(&subject.character), walk];
        return Locomotor::new(&subject.character, LocomotionClips::new(clips).unwrap(), Vec::new());
    }
    let subject = loaded(name);
    let found = prepare.choose(&subject.character, &subject.clips, subject.idle).unwrap();
    let jump = subject.clips.iter().find(|clip| clip.name().contains("Jump"));
    let actions = jump.map(|clip| prepare.standing(&subject.character, clip)).into_iter().collect();
    Locomotor::new(&subject.character, found.clips, actions)
}

fn walks_at(locomotor: &Locomotor) -> f32 {
    locomotor.clips().clips()[locomotor.clips().slowest()].motion.velocity.length()
}

/// The farthest that any joint turns within a frame in clips that move, degrees.
fn quickest(locomotor: &Locomotor) -> f32 {
    let skeleton = &locomotor.character().rig.skeleton;
    let (mut before, mut now) = (Pose::rest(skeleton), Pose::rest(skeleton));
    let mut most = 0.0_f32;
    for clip in locomotor.clips().clips().iter().filter(|clip| clip.moves()) {
        let frames = (clip.seconds / DT) as usize;
        clip.pose_at(0.0, &mut before);
        for k in 1..=frames {
            clip.pose_at(k as f32 * DT / clip.seconds, &mut now);
            most = most.max(step_of(&before, &now));
            std::mem::swap(&mut before, &mut now);
        }
    }
    most
}

/// The farthest that any joint turns from one pose to another, degrees.
fn step_of(before: &Pose, now: &Pose) -> f32 {
    let joints = before.locals.iter().zip(&now.locals);
    joints.map(|(a, b)| quat::angle_between(a.rotation, b.rotation).to_degrees()).fold(0.0, f32::max)
}

/// What a scene shows.
struct Seen {
    feet: FootFigures,
    /// The farthest that any joint turned within a frame, degrees, and when, seconds.
    step: [f32; 2],
    /// The farthest that the body moved within a frame beyond what its speed tells, metres.
    jolt: f32,
}

/// Plays a scene: `wish` tells what is wanted at a time, seconds.
fn play(locomotor: &Locomotor, seconds: f32, ground: &dyn Ground, wish: impl Fn(f32) -> Intent) -> Seen {
    let mut state = locomotor.start(FloorPose::ORIGIN, ground, 0.0);
    let mut frame = locomotor.frame();
    let mut recording = Recording::new(&state, 60.0);
    let mut before: Option<(Pose, f32)> = None;
    let mut rises: Option<f32> = None;
    let (mut step, mut jolt) = ([0.0_f32; 2], 0.0_f32);
    for k in 0..(seconds / DT) as usize {
        let time = DT * k as f32;
        locomotor.step(&mut state, &wish(time), ground, time, if k == 0 { 0.0 } else { DT }, &mut frame);
        recording.push(locomotor, &state, &frame);
        let high = frame.pose.root.translation.y;
        if let Some((pose, was)) = before.replace((frame.pose.clone(), high)) {
            let turned = step_of(&pose, &frame.pose);
            if turned > step[0] {
                step = [turned, time];
            }
            let rise = high - was;
            jolt = jolt.max(rises.replace(rise).map_or(0.0, |last| (rise - last).abs()));
        }
    }
    let take = recording.finish(locomotor, "scene");
    Seen { feet: measure_feet(&locomotor.character().rig, &take, Footing::Known(ground)), step, jolt }
}

/// What does not hold of a scene; `most` is how much faster than in the clips a joint may turn.
fn faults(locomotor: &Locomotor, what: &str, seen: &Seen, most: f32) -> Vec<String> {
    let (leg, limit) = (locomotor.character().leg_length, most * quickest(locomotor));
    let size = leg.max(1.0);
    let Seen { feet, step, jolt } = seen;
    let mut faults = Vec::new();
    let mut check = |name: &str, value: f32, limit: f32| {
        if value >= limit {
            faults.push(format!("{what}: {name} {value}, {limit} at most"));
        }
    };
    check("planted feet slide, metres:", feet.drift.max, 1e-3 * size);
    check("standing feet are in the ground, metres:", feet.penetration.max, 0.01 * size);
    check("swinging feet are in the ground, metres:", feet.grazing.max, 0.01 * size);
    check(&format!("a joint turns in the frame at {} s, degrees:", step[1]), step[0], limit);
    check("the body jolts, metres:", *jolt, 0.03 * leg);
    faults
}

fn goes(velocity: Vec2, facing: f32) -> Intent {
    Intent { velocity, facing: Some(facing), ..Intent::default() }
}

const BODIES: [&str; 5] = ["kaykit_Knight", "RobotExpressive", "m2m_fox", "m2m_bird", "m2m_horse"];

#[test]
fn it_starts_and_stops() {
    let mut found = Vec::new();
    for name in ["kaykit_Knight", "RobotExpressive", "m2m_bird", "m2m_horse"] {
        let locomotor = live(name);
        let speed = walks_at(&locomotor);
        let on = |t: f32| if t < 4.0 { goes(speed * Vec2::Y, 0.0) } else { goes(Vec2::ZERO, 0.0) };
        found.extend(faults(
            &locomotor,
            &format!("{name} starts and stops"),
            &play(&locomotor, 6.0, &LevelGround::default(), on),
            1.5,
        ));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn it_goes_backwards_and_sideways() {
    let mut found = Vec::new();
    for name in ["kaykit_Knight", "m2m_fox", "m2m_bird", "m2m_horse"] {
        let locomotor = live(name);
        let speed = 0.7 * walks_at(&locomotor);
        for (what, way) in [("backwards", -Vec2::Y), ("sideways", Vec2::X)] {
            let on = |t: f32| if t < 4.0 { goes(speed * way, 0.0) } else { goes(Vec2::ZERO, 0.0) };
            let seen = play(&locomotor, 6.0, &LevelGround::default(), on);
            found.extend(faults(&locomotor, &format!("{name} goes {what}"), &seen, 1.5));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn it_turns_where_it_stands() {
    let mut found = Vec::new();
    for name in BODIES {
        let locomotor = live(name);
        let on = |t: f32| goes(Vec2::ZERO, if t < 3.0 { 1.5 } else { -1.0 });
        let seen = play(&locomotor, 7.0, &LevelGround::default(), on);
        found.extend(faults(&locomotor, &format!("{name} turns"), &seen, 1.5));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn it_turns_round_at_once() {
    let mut found = Vec::new();
    for name in ["kaykit_Knight", "RobotExpressive", "m2m_bird", "m2m_horse"] {
        let locomotor = live(name);
        let speed = walks_at(&locomotor);
        let on = |t: f32| {
            if t < 3.0 { goes(speed * Vec2::Y, 0.0) } else { goes(-speed * Vec2::Y, std::f32::consts::PI) }
        };
        let seen = play(&locomotor, 8.0, &LevelGround::default(), on);
        found.extend(faults(&locomotor, &format!("{name} turns round"), &seen, 2.0));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn it_winds() {
    let mut found = Vec::new();
    for name in ["kaykit_Knight", "RobotExpressive", "m2m_bird", "m2m_horse"] {
        let locomotor = live(name);
        let speed = walks_at(&locomotor);
        let on = |t: f32| {
            let heading = 1.2 * (0.8 * t).sin();
            goes(speed * Vec2::new(heading.sin(), heading.cos()), heading)
        };
        let seen = play(&locomotor, 9.0, &LevelGround::default(), on);
        found.extend(faults(&locomotor, &format!("{name} winds"), &seen, 1.5));
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// A ridge across the way.
#[test]
fn it_goes_over_a_ridge() {
    let mut found = Vec::new();
    for name in BODIES {
        let locomotor = live(name);
        let (speed, leg) = (walks_at(&locomotor), locomotor.character().leg_length);
        let ridge = |_: f32, z: f32| 0.2 * leg * (1.0 - ((z - 3.0 * leg) / leg).abs()).max(0.0);
        let on = |_: f32| goes(speed * Vec2::Y, 0.0);
        let seen = play(&locomotor, 4.0 + 3.0 * leg / speed, &ridge, on);
        found.extend(faults(&locomotor, &format!("{name} goes over a ridge"), &seen, 2.0));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn it_goes_over_slopes_stairs_and_rubble() {
    let mut found = Vec::new();
    for name in ["kaykit_Knight", "m2m_horse"] {
        let locomotor = live(name);
        let (speed, leg) = (walks_at(&locomotor), locomotor.character().leg_length);
        for ground in [
            Terrain::Slope { angle: 15.0_f32.to_radians() },
            Terrain::Stairs { rise: 0.15 * leg, tread: 0.8 * leg },
            Terrain::Rubble { height: 0.15 * leg, size: 0.8 * leg },
        ] {
            let on = |_: f32| goes(speed * Vec2::Y, 0.0);
            let seen = play(&locomotor, (1.0 + 8.0 * leg) / speed, &ground, on);
            found.extend(faults(&locomotor, &format!("{name} on {ground:?}"), &seen, 2.0));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// The knight's legs fold by more than half as they are drawn: raised over an edge its ankles came to its hips, and its shins jumped by
/// 12 cm in a frame as its feet missed their way by 59 mm.
#[test]
fn feet_that_are_raised_do_not_come_to_their_hips() {
    let locomotor = live("kaykit_Knight");
    let (speed, leg) = (walks_at(&locomotor), locomotor.character().leg_length);
    for ground in
        [Terrain::Slope { angle: -20.0_f32.to_radians() }, Terrain::Stairs { rise: -0.2 * leg, tread: 1.17 * leg }]
    {
        let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
        let mut frame = locomotor.frame();
        for k in 0..400 {
            let time = DT * k as f32;
            let wish = goes(1.4 * speed * Vec2::Y, 0.0);
            locomotor.step(&mut state, &wish, &ground, time, if k == 0 { 0.0 } else { DT }, &mut frame);
            for (missed, leg) in frame.missed.iter().zip(&state.legs) {
                assert!(
                    *missed < 0.02,
                    "{ground:?}: a foot misses its way by {missed} m at {time} s, phase {}",
                    leg.phase
                );
            }
        }
    }
}

/// A foothold that was found in the last frame before it was settled took the foot there at once: by up to 31 cm.
#[test]
fn a_print_that_changes_late_does_not_throw_its_foot() {
    for name in ["m2m_bird", "RobotExpressive", "m2m_spider"] {
        let locomotor = live(name);
        let (speed, leg) = (walks_at(&locomotor), locomotor.character().leg_length);
        let ground = Terrain::Rubble { height: 0.2 * leg, size: 0.8 * leg };
        let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
        let mut frame = locomotor.frame();
        for k in 0..900 {
            let time = DT * k as f32;
            let before = state.legs.clone();
            let heading = 1.2 * (0.8 * time).sin();
            let wish = goes(speed * Vec2::new(heading.sin(), heading.cos()), heading);
            locomotor.step(&mut state, &wish, &ground, time, if k == 0 { 0.0 } else { DT }, &mut frame);
            for (before, now) in before.iter().zip(&state.legs).filter(|(before, now)| before.flying && now.flying) {
                let moved = (now.to.translation - before.to.translation).length() / leg;
                assert!(moved < 0.12, "{name}: a print moves by {moved} leg lengths in the frame at {time} s");
            }
        }
    }
}

/// Necks looked into a turn at once where a back too short to bend told that there was none: 6° in a frame.
#[test]
fn necks_and_tails_follow_a_turn() {
    for name in ["m2m_bird", "m2m_fox"] {
        let locomotor = live(name);
        let (speed, rig) = (walks_at(&locomotor), &locomotor.character().rig);
        let beside_legs =
            |joint: &str| ["neck", "head", "mouth", "tail"].iter().any(|part| joint.to_lowercase().contains(part));
        let mut state = locomotor.start(FloorPose::ORIGIN, &LevelGround::default(), 0.0);
        let mut frame = locomotor.frame();
        let mut steps: Vec<f32> = Vec::new();
        let mut before: Option<Pose> = None;
        for k in 0..500 {
            let time = DT * k as f32;
            let heading = if time < 3.0 { 0.0 } else { 0.9 * (1.3 * (time - 3.0)).sin() };
            let wish = goes(speed * Vec2::new(heading.sin(), heading.cos()), heading);
            locomotor.step(&mut state, &wish, &LevelGround::default(), time, if k == 0 { 0.0 } else { DT }, &mut frame);
            let Some(pose) = before.replace(frame.pose.clone()) else { continue };
            let turned: Vec<f32> = (0..pose.locals.len())
                .map(|i| quat::angle_between(pose.locals[i].rotation, frame.pose.locals[i].rotation).to_degrees())
                .collect();
            for (i, joint) in rig.skeleton.joints().enumerate().take(steps.len()) {
                let (change, joint) = ((turned[i] - steps[i]).abs(), rig.skeleton.name(joint));
                let calm = change < 1.5 || time < 2.0 || !beside_legs(joint);
                assert!(calm, "{name}: {joint} turns {change}° farther than in the frame before, at {time} s");
            }
            steps = turned;
        }
    }
}

/// Waves of a third of a leg in all directions.
#[test]
fn it_goes_over_ground_that_undulates() {
    let mut found = Vec::new();
    for name in ["kaykit_Knight", "m2m_horse", "m2m_bird"] {
        let locomotor = live(name);
        let (speed, leg) = (walks_at(&locomotor), locomotor.character().leg_length);
        let waves = |x: f32, z: f32| 0.15 * leg * (0.9 * z / leg).sin() * (0.7 * x / leg + 0.5).cos();
        let on = |t: f32| {
            let heading = 0.6 * (0.5 * t).sin();
            goes(speed * Vec2::new(heading.sin(), heading.cos()), heading)
        };
        let seen = play(&locomotor, 8.0, &waves, on);
        found.extend(faults(&locomotor, &format!("{name} over waves"), &seen, 2.0));
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Level ground that ends at a line a bit to the right of the way.
struct Brink(f32);

impl Ground for Brink {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        (point.x > self.0).then(|| LevelGround::default().below(point, reach, time)).flatten()
    }
}

#[test]
fn along_the_edge_of_a_gap_no_foot_steps_over_it() {
    for name in BODIES {
        let locomotor = live(name);
        let (speed, leg) = (walks_at(&locomotor), locomotor.character().leg_length);
        // Under the middle of its right feet.
        let places = locomotor.clips().clips()[locomotor.clips().slowest()].legs.iter().map(|leg| leg.place.position.x);
        let brink = Brink(0.7 * places.fold(0.0, f32::min));
        let mut state = locomotor.start(FloorPose::new(Vec2::X * 0.5 * leg, 0.0), &brink, 0.0);
        let mut frame = locomotor.frame();
        let mut before: Option<Pose> = None;
        let (mut prints, mut most) = (0, 0.0_f32);
        for k in 0..600 {
            let time = DT * k as f32;
            // Towards the edge, and along it.
            let heading = if time < 2.0 { -0.2 } else { 0.0 };
            let aside = if state.place.position.x > 0.02 * leg { -0.1 } else { 0.0 };
            let wish = goes(speed * Vec2::new(aside, 1.0), if aside < 0.0 { heading } else { 0.0 });
            locomotor.step(&mut state, &wish, &brink, time, if k == 0 { 0.0 } else { DT }, &mut frame);
            most = most.max(before.replace(frame.pose.clone()).map_or(0.0, |pose| step_of(&pose, &frame.pose)));
            for event in frame.events.iter().filter(|event| event.kind == FootEventKind::Strike) {
                prints += 1;
                let at = event.print.translation;
                assert!(at.x > brink.0 - 0.02 * leg, "{name} steps over the edge at {time} s: {at} of {}", brink.0);
            }
            let height = frame.pose.root.translation.y.abs();
            assert!(height < 0.35 * leg, "{name} goes up or down by {height} m at {time} s");
        }
        assert!(prints > 10, "{name}: {prints} steps");
        let limit = 2.0 * quickest(&locomotor);
        assert!(most < limit, "{name}: a joint turns {most}° in a frame, {limit}° at most");
    }
}

/// From one manner of walking to another and back, in the middle of steps.
#[test]
fn it_changes_its_manner_of_moving() {
    let subject = loaded("kaykit_Knight");
    let prepare = PrepareClips::default();
    let [usual, other] =
        ["Walking_A", "Walking_C"].map(|clip| prepare.cycle(&subject.character, subject.clip(clip).unwrap()).unwrap());
    let speed = 0.9 * other.motion.velocity.length();
    let idle = prepare.idle_pose(&subject.character);
    let styles = vec![("usual".to_owned(), vec![idle.clone(), usual]), ("other".to_owned(), vec![idle, other])];
    let locomotor = Locomotor::new(&subject.character, LocomotionClips::of_styles(styles).unwrap(), Vec::new());
    let on = |t: f32| Intent { style: usize::from((2.3..4.1).contains(&t)), ..goes(speed * Vec2::Y, 0.0) };
    let seen = play(&locomotor, 7.0, &LevelGround::default(), on);
    let found = faults(&locomotor, "the knight changes its manner", &seen, 1.5);
    assert!(found.is_empty(), "{found:#?}");
}

/// A platform that goes to the side, and up and down.
struct Lift;

impl Ground for Lift {
    fn below(&self, point: Vec3, reach: f32, time: f32) -> Option<GroundHit> {
        LevelGround { height: self.world_from_surface(SurfaceId(0), time).translation.y }.below(point, reach, time)
    }

    fn world_from_surface(&self, _: SurfaceId, time: f32) -> Rigid {
        Rigid::from_translation(Vec3A::new(0.5 * time, 0.1 * (1.0 - (0.7 * time).cos()), 0.0))
    }
}

#[test]
fn it_walks_on_a_platform_that_moves() {
    for name in BODIES {
        let locomotor = live(name);
        let speed = walks_at(&locomotor);
        let on = |t: f32| if t < 3.0 { goes(speed * Vec2::Y, 0.0) } else { goes(Vec2::ZERO, 0.0) };
        let mut state = locomotor.start(FloorPose::ORIGIN, &Lift, 0.0);
        let mut frame = locomotor.frame();
        let mut before: Option<Pose> = None;
        let mut most = 0.0_f32;
        for k in 0..300 {
            let time = DT * k as f32;
            locomotor.step(&mut state, &on(time), &Lift, time, if k == 0 { 0.0 } else { DT }, &mut frame);
            most = most.max(before.replace(frame.pose.clone()).map_or(0.0, |pose| step_of(&pose, &frame.pose)));
            for (missed, leg) in frame.missed.iter().zip(&state.legs) {
                let held = leg.flying || *missed < 0.02 * locomotor.character().leg_length;
                assert!(held, "{name}: a planted foot is {missed} m off at {time} s");
            }
        }
        let limit = 2.0 * quickest(&locomotor);
        assert!(most < limit, "{name}: a joint turns {most}° in a frame, {limit}° at most");
    }
}

#[test]
fn it_jumps_in_between() {
    let locomotor = live("kaykit_Knight");
    let speed = walks_at(&locomotor);
    let on = |t: f32| {
        let jump = Action { action: 0, feet: ActionFeet::Free };
        Intent { action: (2.0..3.0).contains(&t).then_some(jump), ..goes(speed * Vec2::Y, 0.0) }
    };
    let seen = play(&locomotor, 6.0, &LevelGround::default(), on);
    assert!(seen.feet.penetration.max < 0.01, "{:?}", seen.feet.penetration);
    // The jump's own joints are as fast as they are drawn.
    assert!(seen.step[0] < 40.0, "a joint turns {}° in a frame at {} s", seen.step[0], seen.step[1]);
}

/// Legs too: prints that are predicted are the clip's own, and so is what is between them.
#[test]
fn at_a_clips_own_speed_on_level_ground_it_moves_as_in_the_clip() {
    let mut found = Vec::new();
    for (name, clip) in [
        ("kaykit_Knight", "Walking_A"),
        ("m2m_horse", "Walk"),
        ("m2m_fox", "Walk"),
        ("khronos_Fox", "Walk"),
        ("m2m_bird", "Walk"),
        ("m2m_kaiju", "Walk"),
        ("m2m_spider", "Walk"),
        ("RobotExpressive", "Walking"),
        ("legs:6", "walk"),
    ] {
        let (subject, walk) = walk_of(name, clip);
        let clips = LocomotionClips::new(vec![PrepareClips::default().idle_pose(&subject.character), walk.clone()]);
        let locomotor = Locomotor::new(&subject.character, clips.unwrap(), Vec::new());
        let ground = LevelGround::default();
        let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
        let mut frame = locomotor.frame();
        let own = Intent { velocity: walk.motion.velocity, facing: Some(0.0), ..Intent::default() };
        let rig = &subject.character.rig;
        let reference = locomotor.clips().clips().iter().find(|own| own.name() == walk.name()).unwrap();
        let mut drawn = Pose::rest(&rig.skeleton);
        let mut worst = (0.0_f32, "");
        for k in 0..1000 {
            locomotor.step(&mut state, &own, &ground, DT * k as f32, DT, &mut frame);
            if k < 700 {
                continue;
            }
            reference.pose_at(state.phase, &mut drawn);
            for joint in rig.skeleton.joints() {
                let i = joint.index();
                let off = quat::angle_between(frame.pose.locals[i].rotation, drawn.locals[i].rotation).to_degrees();
                if off > worst.0 {
                    worst = (off, rig.skeleton.name(joint));
                }
            }
        }
        found.extend((worst.0 >= 2.0).then(|| format!("{name} {clip}: {} is {}° off", worst.1, worst.0)));
    }
    assert!(found.is_empty(), "{found:#?}");
}
