//! Bodies are carried over their feet: they move with their steps, and their feet stand none the less.

use std::sync::Arc;
use surefoot::character::Character;
use surefoot::glam::{Quat, Vec3, Vec3A};
use surefoot::math::{Rigid, quat};
use surefoot::plan::Path;
use surefoot::rig::{Foot, Joint, JointId, Leg, ManyLegs, Mirror, Pose, Rig, Side, Skeleton};
use surefoot::stages::CarryBody;
use surefoot::systems::{Creature, CreatureFrame, CreatureMotion};
use surefoot::world::{Ground, Terrain};

/// A person of bare bones in a T-pose: names tell nothing.
fn person() -> Rig {
    let at = |x: f32, y: f32, z: f32| Rigid::from_translation(Vec3A::new(x, y, z));
    let mut joints = vec![
        Joint::new("a", None, at(0.0, 0.92, 0.0)),
        Joint::new("b", Some(0), at(0.0, 0.15, 0.0)),
        Joint::new("c", Some(1), at(0.0, 0.25, 0.0)),
        Joint::new("d", Some(2), at(0.0, 0.12, 0.0)),
        Joint::new("e", Some(3), at(0.0, 0.12, 0.02)),
    ];
    for side in [1.0, -1.0] {
        let first = joints.len();
        joints.push(Joint::new("f", Some(2), at(0.05 * side, 0.08, 0.0)));
        joints.push(Joint::new("g", Some(first), at(0.19 * side, 0.0, 0.0)));
        joints.push(Joint::new("h", Some(first + 1), at(0.28 * side, 0.0, 0.0)));
        joints.push(Joint::new("i", Some(first + 2), at(0.25 * side, 0.0, 0.0)));
        joints.push(Joint::new("j", Some(first + 3), at(0.08 * side, 0.0, 0.0)));
    }
    let mut legs = Vec::new();
    for side in [1.0, -1.0] {
        let first = joints.len();
        joints.push(Joint::new("k", Some(0), at(0.09 * side, -0.05, 0.0)));
        joints.push(Joint::new("l", Some(first), at(0.0, -0.42, 0.03)));
        joints.push(Joint::new("m", Some(first + 1), at(0.0, -0.38, -0.05)));
        legs.push(first as u16);
    }
    let skeleton = Skeleton::new(joints).unwrap();
    let leg = |first: u16, side: Side| Leg {
        chain: [first, first + 1, first + 2].map(JointId).to_vec(),
        toe: None,
        side: Some(side),
        hinges: vec![Vec3A::X],
        shin: None,
        foot: Foot {
            heel: Vec3A::new(0.0, -0.07, -0.06),
            ball: Vec3A::new(0.0, -0.07, 0.12),
            tip: None,
            up: Vec3A::Y,
            length: 0.24,
            width: 0.09,
        },
    };
    let legs = vec![leg(legs[0], Side::Left), leg(legs[1], Side::Right)];
    Rig { mirror: Mirror::of(&skeleton).ok(), skeleton, legs }
}

fn straight(far: f32) -> Path {
    Path::new(vec![Vec3::ZERO, Vec3::Z * far])
}

fn walk(character: &Arc<Character>, carry: CarryBody, path: &Path) -> CreatureMotion {
    Creature { carry, ..Creature::default() }.plan(character, path, None, &Terrain::Flat)
}

/// The pose at a time.
fn look(motion: &CreatureMotion, t: f32) -> CreatureFrame {
    let mut frame = CreatureFrame::new(&motion.character.rig);
    motion.pose_at(t, &mut frame);
    frame
}

#[test]
fn arms_hang_and_swing_against_the_legs() {
    let rig = person();
    let hand = JointId(8);
    let character = Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap();
    let motion = walk(&character, CarryBody::default(), &straight(6.0));
    let stands = look(&motion, 0.0);
    for hand in [hand, JointId(13)] {
        assert!(stands.model[hand].translation.y < 0.95, "arms of a T-pose hang: {:?}", stands.model[hand]);
    }
    // Over the walk the left hand is ahead while the left foot is behind.
    let (mut against, mut swing) = (0.0_f32, 0.0_f32);
    for i in 0..200 {
        let frame = look(&motion, 1.5 + 0.01 * i as f32);
        let ahead = |joint: JointId| frame.model[joint].translation.z;
        let [hands, feet] = [ahead(hand) - ahead(JointId(13)), ahead(rig.legs[0].ankle()) - ahead(rig.legs[1].ankle())];
        against += hands * feet;
        swing = swing.max(hands.abs());
    }
    assert!(against < 0.0 && swing > 0.15, "{against}, {swing} m");
}

#[test]
fn hands_come_after_their_arms() {
    let rig = person();
    let character = Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap();
    let turns = |carry: CarryBody, joint: JointId| {
        let motion = walk(&character, carry, &straight(6.0));
        let turn = |i: usize| look(&motion, 1.5 + 0.02 * i as f32).pose.locals[joint.index()].rotation;
        (1..60).map(|i| quat::angle_between(turn(0), turn(i))).fold(0.0, f32::max)
    };
    let (hand, arm) = (JointId(8), JointId(6));
    let [hands, arms] = [hand, arm].map(|joint| turns(CarryBody::default(), joint));
    assert!(0.05 < hands && hands < arms, "{hands} of {arms} rad");
    assert_eq!(turns(CarryBody { arms: 0.0, ..CarryBody::default() }, hand), 0.0);
}

#[test]
fn a_body_rides_as_high_as_it_is_told_on_slopes_too() {
    let rig = person();
    let character = Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap();
    for ground in [Terrain::Flat, Terrain::Slope { angle: 0.3 }] {
        let carry = CarryBody { rides: Some(0.93), ..CarryBody::default() };
        let motion = Creature { carry, ..Creature::default() }.plan(&character, &straight(6.0), None, &ground);
        let high = |k: usize| {
            let frame = look(&motion, motion.seconds() * (0.4 + 0.003 * k as f32));
            let trunk = frame.pose.root.transform_point(frame.model[JointId(0)].translation);
            trunk.y - ground.below(Vec3::from(trunk), 3.0, 0.0).unwrap().point.y
        };
        let mean = (0..100).map(high).sum::<f32>() / 100.0;
        // It stands at 0.92 m.
        assert!((0.9..0.945).contains(&(mean / 0.92)), "{ground:?}: {mean} m");
    }
}

#[test]
fn a_body_moves_and_its_feet_stand() {
    for pairs in [1, 2, 3, 5] {
        let rig = ManyLegs { pairs, ..ManyLegs::default() }.run();
        let character = Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap();
        let turned = |carry: CarryBody| {
            let settings = Creature { carry, ..Creature::default() };
            let motion = settings.plan(&character, &straight(3.0), None, &Terrain::Flat);
            let done = settings.take(&motion, "walk", &Terrain::Flat);
            assert!(
                done.report.figures.drift.max < 1e-3 && done.report.missed < 1e-3,
                "{pairs} pairs: {:?}",
                done.report
            );
            let [a, b] = [1.0, 1.15].map(|t| look(&motion, t).pose.locals[1].rotation);
            quat::angle_between(a, b)
        };
        assert_eq!(turned(CarryBody::STILL), 0.0, "a statue is one");
        let [calm, usual, lively] = [CarryBody::calm(), CarryBody::default(), CarryBody::lively()].map(turned);
        assert!(0.0 < calm && calm < usual && usual < lively, "{pairs} pairs: {calm}, {usual}, {lively}");
    }
}

#[test]
fn a_body_is_as_smooth_as_its_steps() {
    let rig = person();
    let character = Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap();
    let motion =
        walk(&character, CarryBody::default(), &Path::new(vec![Vec3::ZERO, Vec3::Z * 3.0, Vec3::new(2.0, 0.0, 4.0)]));
    let joints = [0, 1, 2, 3, 4, 6, 7].map(JointId);
    let step = 1.0 / 240.0;
    let speeds = |t: f32| {
        let (a, b) = (look(&motion, t), look(&motion, t + step));
        joints.map(|joint| {
            let [a, b] = [&a, &b].map(|frame| (frame.pose.root.rotation * frame.model[joint].rotation).normalize());
            quat::log(nearest(a, b) * a.conjugate()) / step
        })
    };
    let mut before = speeds(0.0);
    for i in 1..(motion.seconds() / step) as usize - 1 {
        let now = speeds(i as f32 * step);
        for (k, (a, b)) in before.iter().zip(&now).enumerate() {
            let faster = (*a - *b).length() / step;
            assert!(faster < 60.0, "joint {k} at {} s: {faster} rad/s²", i as f32 * step);
        }
        before = now;
    }
}

fn nearest(reference: Quat, q: Quat) -> Quat {
    quat::nearest_sign(reference, q)
}

#[test]
fn a_run_flies_as_it_must() {
    let rig = person();
    let character = Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap();
    let mut settings = Creature::default();
    settings.steps.course.speed = Some(4.0);
    let motion = settings.plan(&character, &straight(30.0), None, &Terrain::Flat);
    let stands =
        |t: f32| motion.plan.legs.iter().flatten().any(|fall| (fall.stance.strike()..fall.stance.off()).contains(&t));
    let middle = 0.5 * motion.seconds();
    let times: Vec<f32> = (0..400).map(|i| middle + 0.0025 * i as f32).collect();
    let in_air: Vec<f32> = times.iter().copied().filter(|t| !stands(*t)).collect();
    assert!(in_air.len() > 20, "it runs");
    // In a flight hips fall as everything falls, but for what legs that reach for the ground hold them down before.
    let height = |t: f32| look(&motion, t).pose.root.transform_point(look(&motion, t).model[JointId(0)].translation).y;
    let h = 0.005;
    let falls = |t: &f32| (height(t + h) - 2.0 * height(*t) + height(t - h)) / (h * h);
    let deep: Vec<f32> = in_air.iter().filter(|t| !stands(**t - 0.01) && !stands(**t + 0.01)).map(falls).collect();
    let mean = deep.iter().sum::<f32>() / deep.len().max(1) as f32;
    assert!(!deep.is_empty() && (-14.0..-4.0).contains(&mean), "{mean} m/s² in {} looks", deep.len());
}

#[test]
fn six_feet_do_not_land_as_one_and_no_two_creatures_step_alike() {
    let rig = ManyLegs::default().run();
    let character = Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap();
    let landings = |seed: u64| {
        let mut settings = Creature::default();
        settings.steps.seed = surefoot::random::Seed(seed);
        let motion = settings.plan(&character, &straight(4.0), None, &Terrain::Flat);
        let mut times: Vec<f32> = motion.plan.legs.iter().flatten().map(|fall| fall.stance.strike()).collect();
        times.retain(|t| t.is_finite());
        times.sort_by(f32::total_cmp);
        times
    };
    let times = landings(1);
    let together = times.windows(2).filter(|two| two[1] - two[0] < 1.0 / 120.0).count();
    assert!(together * 10 <= times.len(), "{together} of {} land together", times.len());
    assert_eq!(times, landings(1));
    assert_ne!(times, landings(2));
}

#[test]
fn a_body_is_as_high_on_slopes_as_on_the_level() {
    let rig = person();
    let character = Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap();
    let height = |angle: f32| {
        let ground = Terrain::Slope { angle };
        let motion = Creature::default().plan(&character, &straight(8.0), None, &ground);
        let at = |k: usize| {
            let frame = look(&motion, motion.seconds() * (0.5 + 0.003 * k as f32));
            let hips = frame.pose.root.transform_point(frame.model[JointId(0)].translation);
            hips.y - ground.below(hips.into(), 2.0, 0.0).unwrap().point.y
        };
        let mut heights: Vec<f32> = (0..100).map(at).collect();
        heights.sort_by(f32::total_cmp);
        heights[50]
    };
    let level = height(0.0);
    for degrees in [-30.0_f32, -15.0, 15.0, 30.0] {
        let share = height(degrees.to_radians()) / level;
        assert!((0.92..1.05).contains(&share), "{share} at {degrees}°");
    }
}
