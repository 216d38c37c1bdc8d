//! Creatures that are led elsewhere while they walk, and ways that are walked in pieces.

use std::sync::Arc;
use surefoot::character::Character;
use surefoot::glam::{Vec2, Vec3A};
use surefoot::math::floor;
use surefoot::plan::Path;
use surefoot::rig::{ManyLegs, Pose};
use surefoot::systems::{Creature, CreatureFrame, CreatureMotion};
use surefoot::world::Terrain;

/// A creature with so many pairs of legs, half a metre high.
fn creature(pairs: usize) -> Arc<Character> {
    let rig = ManyLegs { pairs, leg: 1.0 }.run();
    let idle = Pose::rest(&rig.skeleton);
    Character::new(rig, idle, &[]).unwrap()
}

fn grounds() -> [Terrain; 4] {
    [
        Terrain::Flat,
        Terrain::Slope { angle: 0.4 },
        Terrain::Stairs { rise: 0.1, tread: 0.3 },
        Terrain::Rubble { height: 0.1, size: 0.3 },
    ]
}

/// Where all joints are at a time, metres, world.
fn places(motion: &CreatureMotion, t: f32) -> Vec<Vec3A> {
    let mut frame = CreatureFrame::new(&motion.character.rig);
    motion.pose_at(t, &mut frame);
    let joints = motion.character.rig.skeleton.joints();
    joints.map(|joint| frame.pose.root.transform_point(frame.model[joint].translation)).collect()
}

/// By how much the step of a joint around a time is off the steps before and after it, metres: a jump is.
fn jump(motion: &CreatureMotion, t: f32) -> f32 {
    let looks = [-1.5, -0.5, 0.5, 1.5].map(|k: f32| places(motion, t + k / 120.0));
    let off = |j: usize| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k: usize| looks[k][j]);
        ((c - b) - 0.5 * ((b - a) + (d - c))).length()
    };
    (0..looks[0].len()).map(off).fold(0.0, f32::max)
}

#[test]
fn a_walk_that_is_led_elsewhere_goes_on_without_a_jump_and_stands_as_well() {
    let settings = Creature::default();
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 5.0)]);
    for (pairs, ground) in [1, 2, 3].into_iter().flat_map(|pairs| grounds().map(|ground| (pairs, ground))) {
        let motion = settings.plan(&creature(pairs), &path, None, &ground);
        // Left, nearly straight on, and back.
        for (goal, share) in [([2.0, 3.5], 0.3), ([0.4, 6.0], 0.5), ([0.5, -1.0], 0.4), ([-2.0, 3.0], 0.02)] {
            let from = share * motion.seconds();
            let other = Path::on_floor(&[Vec2::ZERO, Vec2::from(goal)]);
            let led = settings.replan(&motion, from, &other, &ground);
            let what = format!("{pairs} pairs on {ground:?} to {goal:?} at {from}");
            for k in 0..20 {
                let t = from * k as f32 / 20.0;
                assert_eq!(places(&led, t), places(&motion, t), "before that nothing changes, {what}");
            }
            let (now, was) = (jump(&led, from), jump(&motion, from));
            assert!(now < 1.2 * was + 5e-4, "{now} m where it was {was}, {what}");
            let done = settings.take(&led, "walk", &ground);
            let report = &done.report;
            assert!(report.figures.drift.max < 1e-3 && report.figures.penetration.max < 5e-3, "{report:?}, {what}");
            assert!(report.missed < 1e-3, "{report:?}, {what}");
            let place = led.plan.course.at(led.seconds()).place.position;
            assert!(place.distance(Vec2::from(goal)) < 1e-3, "it ends at {place}, {what}");
            // Looks closer together see no faster joints.
            let (fast, faster) = (led.fastest(2e-3).speed, led.fastest(2e-4).speed);
            assert!(faster < 1.6 * fast + 0.5, "{fast} and {faster} m/s, {what}");
        }
    }
}

#[test]
fn a_way_in_pieces_is_walked_without_a_halt() {
    let settings = Creature::default();
    let (ground, character) = (Terrain::Rubble { height: 0.08, size: 0.4 }, creature(2));
    let piece = |from: f32| Path::on_floor(&[Vec2::new(0.0, from), Vec2::new(0.0, from + 3.0)]);
    let mut motion = settings.plan(&character, &piece(0.0), None, &ground);
    let at = |motion: &CreatureMotion, t: f32| motion.plan.course.at(t).place.position.y;
    let mut t = 0.0;
    while at(&motion, t) < 8.0 {
        t += 0.5;
        // What is planned ahead is never more than a few steps.
        motion = settings.replan(&motion, t, &piece(at(&motion, t)), &ground);
        assert!(motion.seconds() < t + 9.0, "{} s are planned at {t}", motion.seconds());
    }
    let usual = settings.steps.course.fitted(&character.stand, None).speed;
    for k in 20..(100.0 * t) as usize {
        let now = motion.plan.course.at(0.01 * k as f32);
        let early = floor::of_point(places(&motion, 0.01 * k as f32)[0]).y < 1.0;
        assert!(early || now.speed > 0.7 * usual, "{} m/s at {}", now.speed, now.place.position);
    }
    let report = settings.take(&motion, "walk", &ground).report;
    assert!(report.figures.drift.max < 1e-3 && report.missed < 1e-3, "{report:?}");
}

#[test]
fn odd_times_and_paths_lead_somewhere() {
    let settings = Creature::default();
    let motion = settings.plan(&creature(2), &Path::on_floor(&[Vec2::ZERO, Vec2::Y]), None, &Terrain::Flat);
    for from in [f32::NAN, f32::INFINITY, -1.0, 0.0, motion.seconds(), 1e9] {
        for points in [vec![Vec2::ZERO], vec![Vec2::Y], vec![Vec2::ZERO, Vec2::ZERO], vec![Vec2::X, -Vec2::X]] {
            let led = settings.replan(&motion, from, &Path::on_floor(&points), &Terrain::Flat);
            let finite = places(&led, led.seconds()).iter().all(|place| place.is_finite());
            assert!(finite && led.seconds() < 60.0, "{points:?} at {from}: {} s", led.seconds());
        }
    }
}
