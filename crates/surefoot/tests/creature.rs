//! Made creatures with two to eight legs over made ground.

use std::sync::Arc;
use surefoot::character::Character;
use surefoot::glam::{Vec2, Vec3, Vec3A};
use surefoot::math::{Rigid, floor};
use surefoot::motion::StanceFrames;
use surefoot::plan::Path;
use surefoot::plan::steps::{FootStyle, Gait, GaitPattern};
use surefoot::rig::{JointId, LegId, ManyLegs, ModelPose, Pose};
use surefoot::stages::{Change, FieldSegment, FieldState, Hardness, Slot, StateAxis};
use surefoot::systems::{Creature, CreatureFrame, CreatureMotion};
use surefoot::world::{Ground, Terrain};

/// A creature with so many pairs of legs, half a metre high.
fn creature(pairs: usize) -> Arc<Character> {
    let rig = ManyLegs { pairs, leg: 1.0 }.run();
    let idle = Pose::rest(&rig.skeleton);
    Character::new(rig, idle, &[]).unwrap()
}

fn path() -> Path {
    Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 3.0), Vec2::new(1.5, 4.0)])
}

fn grounds() -> [Terrain; 4] {
    [
        Terrain::Flat,
        Terrain::Slope { angle: 35_f32.to_radians() },
        Terrain::Stairs { rise: 0.12, tread: 0.3 },
        Terrain::Rubble { height: 0.12, size: 0.3 },
    ]
}

/// Every number of a pose.
fn bits(frame: &CreatureFrame) -> Vec<u32> {
    let all = std::iter::once(&frame.pose.root).chain(&frame.pose.locals);
    all.flat_map(|r| r.rotation.to_array().into_iter().chain(r.translation.to_array())).map(f32::to_bits).collect()
}

#[test]
fn feet_stand_still_on_any_ground_with_any_number_of_legs() {
    for pairs in 1..=4 {
        let character = creature(pairs);
        for ground in grounds() {
            let settings = Creature::default();
            let motion = settings.plan(&character, &path(), None, &ground);
            let done = settings.take(&motion, "walk", &ground);
            let what = format!("{} legs on {ground:?}: {:?}", 2 * pairs, done.report);
            assert!(done.report.figures.stances > 8 * pairs, "{what}");
            assert!(done.report.figures.drift.max < 1e-3, "{what}");
            assert!(done.report.figures.penetration.max < 5e-3, "{what}");
            // Penetration is of feet that are held: as long as they stand.
            let held = |frames: StanceFrames| frames.held() == frames.whole;
            assert!(done.take.stances.iter().all(|stance| held(stance.frames(&done.take.clip))), "{what}");
            assert!(done.report.figures.grazing.max < 5e-3, "in the air, {what}");
            assert!(done.report.missed < 1e-3, "{what}");
            // It gets there.
            let end = motion.plan.course.at(motion.seconds()).place.position;
            assert!(end.distance(Vec2::new(1.5, 4.0)) < 1e-3, "{end}");
            // No jump: with a tenth of the time between looks, joints are not faster.
            let (fast, faster) = (motion.fastest(2e-3).speed, motion.fastest(2e-4).speed);
            assert!(fast < 30.0 && faster < 1.5 * fast + 0.5, "{fast} and {faster} m/s, {what}");
        }
    }
}

#[test]
fn any_time_can_be_looked_at_in_any_order() {
    let character = creature(3);
    let ground = Terrain::Rubble { height: 0.1, size: 0.3 };
    let motion = Creature::default().plan(&character, &path(), None, &ground);
    let mut frame = CreatureFrame::new(&character.rig);
    let mut forward = Vec::new();
    let count = (motion.seconds() * 60.0) as usize;
    for i in 0..count {
        motion.pose_at(i as f32 / 60.0, &mut frame);
        forward.push(bits(&frame));
    }
    // Backwards, from a frame that has seen other things, and each for itself.
    for i in (0..count).rev() {
        motion.pose_at(i as f32 / 60.0, &mut frame);
        assert_eq!(bits(&frame), forward[i], "rewound to frame {i}");
    }
    let again = Creature::default().plan(&character, &path(), None, &ground);
    let mut fresh = CreatureFrame::new(&character.rig);
    again.pose_at(97.0 / 60.0, &mut fresh);
    assert_eq!(bits(&fresh), forward[97], "planned anew");
}

#[test]
fn every_gait_walks() {
    for (pairs, pattern) in (1..=4).flat_map(|pairs| GaitPattern::ALL.map(|pattern| (pairs, pattern))) {
        let character = creature(pairs);
        let mut settings = Creature::default();
        settings.steps.gait = Gait { pattern: Some(pattern) };
        let motion = settings.plan(&character, &path(), None, &Terrain::Flat);
        let done = settings.take(&motion, "walk", &Terrain::Flat);
        assert!(
            done.report.figures.drift.max < 1e-3 && done.report.missed < 1e-3,
            "{pairs} {pattern:?}: {:?}",
            done.report.figures
        );
        let steps: Vec<usize> = motion.plan.legs.iter().map(Vec::len).collect();
        assert!(steps.iter().all(|steps| *steps >= 5), "{pattern:?}: every leg steps: {steps:?}");
    }
}

#[test]
fn a_cycle_goes_on_without_a_seam() {
    for pairs in 1..=4 {
        let character = creature(pairs);
        let clip = Creature::default().cycle(&character, "walk");
        let travel = clip.cycle().unwrap();
        let (mut pose, mut models) =
            (Pose::rest(&character.rig.skeleton), [(); 3].map(|()| ModelPose::new(&character.rig.skeleton)));
        let step = 1.0 / clip.rate();
        let mut at = |t: f32, model: &mut ModelPose| {
            clip.sample(t, &mut pose);
            pose.to_model(&character.rig.skeleton, model);
            pose.root
        };
        let roots = [
            at(clip.duration() - step, &mut models[0]),
            travel * at(0.0, &mut models[1]),
            travel * at(step, &mut models[2]),
        ];
        for joint in character.rig.skeleton.joints() {
            let [a, b, c] = [0, 1, 2].map(|k| roots[k].transform_point(models[k][joint].translation));
            // Speeds before and after hardly differ.
            assert!((c - b - (b - a)).length() < 0.03, "{} legs, {}", 2 * pairs, character.rig.skeleton.name(joint));
        }
        let speed = Creature::default().steps.course.fitted(&character.stand, None).speed;
        assert!((travel.translation.z / clip.duration() - speed).abs() < 0.01 * speed, "{travel:?}");
        // Every foot comes down once in a round, and stands for a part of it.
        let round = clip.frames() as f32 / clip.rate();
        for time in Creature::default().cycle_standing(&character) {
            let time = time.expect("every foot steps");
            assert!((0.0..round).contains(&time.start) && (0.2..0.95).contains(&(time.seconds() / round)), "{time:?}");
        }
    }
}

#[test]
fn a_foot_has_a_step_of_its_own() {
    let character = creature(1);
    let mut settings = Creature::default();
    let plain = settings.plan(&character, &path(), None, &Terrain::Flat);
    settings.steps.feet = vec![FootStyle { height: 2.0, length: 0.7, late: 0.1, ..FootStyle::default() }];
    let limp = settings.plan(&character, &path(), None, &Terrain::Flat);
    let mean = |motion: &CreatureMotion, leg: usize, what: fn(&surefoot::stages::Footfall) -> f32| {
        let falls = &motion.plan.legs[leg][2..motion.plan.legs[leg].len() - 2];
        falls.iter().map(what).sum::<f32>() / falls.len() as f32
    };
    let stood = |motion: &CreatureMotion, leg: usize| mean(motion, leg, |fall| fall.stance.time.seconds());
    let raised = |motion: &CreatureMotion, leg: usize| mean(motion, leg, |fall| fall.swing.height);
    assert!(stood(&limp, 0) < 0.8 * stood(&plain, 0), "it stands for less time");
    assert!((stood(&limp, 1) - stood(&plain, 1)).abs() < 0.03, "the other as before");
    assert!(raised(&limp, 0) > 1.8 * raised(&plain, 0) && raised(&limp, 1) < 1.1 * raised(&plain, 1));
    let done = settings.take(&limp, "limp", &Terrain::Flat);
    assert!(done.report.figures.drift.max < 1e-3 && done.report.missed < 1e-3, "{:?}", done.report.figures);
}

#[test]
fn a_creature_turns_on_the_spot_and_back() {
    let character = creature(2);
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 1.5), Vec2::ZERO]);
    let settings = Creature::default();
    let motion = settings.plan(&character, &path, Some(2.0), &Terrain::Flat);
    let done = settings.take(&motion, "walk", &Terrain::Flat);
    assert!(done.report.figures.drift.max < 1e-3 && done.report.missed < 1e-3, "{:?}", done.report);
    let (start, end) = (motion.plan.course.at(0.0).place, motion.plan.course.at(motion.seconds()).place);
    assert!((start.heading - 2.0).abs() < 1e-5, "{start:?}");
    assert!((end.heading.abs() - std::f32::consts::PI).abs() < 1e-3 && end.position.length() < 1e-3, "{end:?}");
    // In the end it stands as it does in its idle pose.
    let mut frame = CreatureFrame::new(&character.rig);
    motion.pose_at(motion.seconds(), &mut frame);
    for (leg, foot) in character.stand.legs.iter().zip(&frame.feet) {
        let off = floor::of_point(foot.world_from_sole.translation).distance(end.transform_point(leg.anchor.position));
        assert!(off < 0.035 * leg.length, "{off}");
    }
}

#[test]
fn a_low_body_is_raised_over_what_lies_between_its_feet() {
    let character = creature(3);
    // A ridge along the way, narrower than the creature stands.
    let ridge = |x: f32, z: f32| if x.abs() < 0.1 && z > 1.5 { 0.4 * character.stand.hips_at } else { 0.0 };
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 4.0)]);
    let settings = Creature::default();
    let motion = settings.plan(&character, &path, None, &ridge);
    let mut frame = CreatureFrame::new(&character.rig);
    let (mut least, mut most) = (f32::INFINITY, 0.0_f32);
    for i in 0..(motion.seconds() * 60.0) as usize {
        motion.pose_at(i as f32 / 60.0, &mut frame);
        let body = frame.pose.root.transform_point(frame.model[JointId(0)].translation);
        least = least.min(body.y - ridge(body.x, body.z));
        most = most.max(body.y);
    }
    assert!(
        least > 0.6 * character.stand.hips_at,
        "{least} m over the ground, {} m in the idle pose",
        character.stand.hips_at
    );
    assert!(most > 1.05 * character.stand.hips_at, "it goes up for it: {most}");
    let done = settings.take(&motion, "walk", &ridge);
    assert!(done.report.figures.drift.max < 1e-3 && done.report.missed < 1e-3, "{:?}", done.report);
}

#[test]
fn what_cannot_be_stood_on_is_told() {
    let character = creature(2);
    // An abyss that is wider than a step.
    let abyss = |_: f32, z: f32| if (1.0..2.5).contains(&z) { f32::NAN } else { 0.0 };
    let settings = Creature::default();
    let motion = settings.plan(&character, &path(), None, &abyss);
    let done = settings.take(&motion, "walk", &abyss);
    assert!(done.report.without_ground > 0, "{:?}", done.report);
    assert!(abyss.below(Vec3::new(0.0, 1.0, 2.0), 5.0, 0.0).is_none());
    let hard = motion.hard_step(&abyss).unwrap();
    assert!(matches!(hard.why, Hardness::NoGround { again: Some(far) } if far > 0.5), "{hard:?}");
    assert!((1.0..2.5).contains(&hard.at.z), "{hard:?}");
    assert!(done.take.clip.roots().iter().all(|root| root.is_finite()), "finite all the same");
}

#[test]
fn a_step_that_is_too_high_is_named() {
    let character = creature(2);
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 4.0)]);
    let hard = |ground: Terrain| Creature::default().plan(&character, &path, None, &ground).hard_step(&ground);
    for ground in grounds() {
        assert_eq!(hard(ground), None, "{ground:?}");
    }
    let length = character.stand.legs[0].length;
    for rise in [0.9 * length, 3.0 * length, -0.9 * length] {
        let found = hard(Terrain::Stairs { rise, tread: 1.5 }).unwrap();
        let Hardness::High { rise: told, most } = found.why else { panic!("{found:?}") };
        assert!((told - rise).abs() < 1e-3 && (most - 0.6 * length).abs() < 1e-3, "{found:?} for {rise}");
        // Made stairs begin a metre ahead.
        assert!((1.0..2.5).contains(&found.at.z) && found.number > 0, "{found:?}");
    }
}

#[test]
fn a_field_corrects_the_pose_and_leaves_no_trace_when_removed() {
    let character = creature(2);
    let ground = Terrain::Slope { angle: 0.4 };
    let mut motion = Creature::default().plan(&character, &path(), None, &ground);
    let mut frame = CreatureFrame::new(&character.rig);
    let times: Vec<f32> = (0..60).map(|i| motion.seconds() * i as f32 / 59.0).collect();
    let mut look = |motion: &CreatureMotion| -> Vec<Vec<u32>> {
        times
            .iter()
            .map(|t| {
                motion.pose_at(*t, &mut frame);
                bits(&frame)
            })
            .collect()
    };
    let before = look(&motion);
    let database = motion.field.add_database("body", 2, 2).unwrap();
    let axes = [FieldState::Slope, FieldState::FootUp(LegId(0))].map(|state| StateAxis { state, range: 0.2 });
    let slots = vec![Slot::Joint(JointId(0)), Slot::Goal(LegId(0))];
    let segment = FieldSegment { name: "bow".into(), axes: axes.to_vec(), database, slots };
    let segment = motion.field.add_segment(segment).unwrap();
    assert_eq!(look(&motion), before, "nothing is stored yet");

    // A correction for one moment in the middle of a flight: the body bows and the foot is raised.
    let fall = motion.plan.legs[0][3];
    let off = fall.stance.off();
    let t = off + 0.45 * (motion.plan.legs[0][4].stance.strike() - off);
    let bow = Change::turn(Vec3::X * 0.2);
    let raise = Change { slide: Vec3A::Y * 0.05, ..Change::NONE };
    let state = motion.state_at(segment, t);
    let entry = motion.field.insert(segment, &state, &[bow, raise]).unwrap();
    let mut pose = CreatureFrame::new(&character.rig);
    motion.pose_at(t, &mut pose);
    let turned = character.stand.pose.locals[0].rotation.conjugate() * pose.pose.locals[0].rotation;
    let off = (surefoot::math::quat::log(turned) - bow.turn).length().to_degrees();
    assert!(off < 0.1, "{off}° off the entry");
    let corrected = look(&motion);
    assert!(corrected.iter().zip(&before).any(|(a, b)| a != b), "it changes something");
    // Feet still stand where they should.
    let done = Creature::default().take(&motion, "bowing", &ground);
    assert!(
        done.report.figures.drift.max < 1e-3 && done.report.figures.penetration.max < 5e-3,
        "{:?}",
        done.report.figures
    );

    motion.field.remove(database, entry).unwrap();
    assert_eq!(look(&motion), before, "bit for bit as it was");
}

/// How deep the deepest point of a leg's foot is in the ground, metres.
fn depth(motion: &CreatureMotion, leg: usize, sole: Rigid, ground: &dyn Ground) -> f32 {
    let deep = |point: &Vec3A| {
        let at = Vec3::from(sole.transform_point(*point));
        ground.below(at + Vec3::Y, 4.0, 0.0).map_or(0.0, |hit| hit.point.y - at.y)
    };
    motion.character.stand.legs[leg].outline.iter().map(deep).fold(0.0, f32::max)
}

#[test]
fn whole_feet_stand_on_treads_and_fly_over_edges() {
    for pairs in [1, 2] {
        let character = creature(pairs);
        for ground in &grounds()[2..] {
            let motion = Creature::default().plan(&character, &path(), None, ground);
            for (leg, falls) in motion.plan.legs.iter().enumerate() {
                for fall in falls {
                    let deep = depth(&motion, leg, fall.print(), ground);
                    assert!(deep < 0.01, "{deep} m of leg {leg} at {} s on {ground:?}", fall.stance.strike());
                }
            }
            let mut frame = CreatureFrame::new(&character.rig);
            let (mut inside, mut looks) = (0, 0);
            for i in 0..(60.0 * motion.seconds()) as usize {
                motion.pose_at(i as f32 / 60.0, &mut frame);
                for (leg, foot) in frame.feet.iter().enumerate().filter(|(_, foot)| foot.flight.is_some()) {
                    looks += 1;
                    inside += usize::from(depth(&motion, leg, foot.world_from_sole, ground) > 0.02);
                }
            }
            assert!(inside * 50 < looks, "{inside} of {looks} flying feet are in the ground, {ground:?}");
        }
    }
}

#[test]
fn a_body_does_not_follow_every_foot() {
    let character = creature(2);
    let ground = Terrain::Rubble { height: 0.2, size: 0.4 };
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 4.0)]);
    let motion = Creature::default().plan(&character, &path, None, &ground);
    let mut frame = CreatureFrame::new(&character.rig);
    let (mut roll, mut fastest, mut before) = (0.0_f32, 0.0_f32, None);
    for i in 0..(60.0 * motion.seconds()) as usize {
        motion.pose_at(i as f32 / 60.0, &mut frame);
        roll = roll.max((frame.pose.root.rotation * Vec3A::X).y.abs());
        let high = frame.pose.root.translation.y;
        fastest = fastest.max(before.map_or(0.0, |before: f32| (high - before).abs() * 60.0));
        before = Some(high);
    }
    assert!(roll < 0.15, "sine of its roll: {roll}");
    assert!(fastest < 0.5, "it goes up or down at {fastest} m/s");
}

#[test]
fn feet_do_not_land_on_each_other() {
    let character = creature(2);
    let ground = Terrain::Rubble { height: 0.15, size: 0.3 };
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 4.0)]);
    let motion = Creature::default().plan(&character, &path, None, &ground);
    let idle = |i: usize| character.stand.legs[i].anchor.position;
    for (i, falls) in motion.plan.legs.iter().enumerate() {
        for (j, others) in motion.plan.legs.iter().enumerate().take(i) {
            for (a, b) in falls.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
                if a.stance.strike() < b.stance.off() && b.stance.strike() < a.stance.off() {
                    let apart = (a.print().translation - b.print().translation).with_y(0.0).length();
                    assert!(apart > 0.4 * idle(i).distance(idle(j)).min(0.5), "{apart} m between {i} and {j}");
                }
            }
        }
    }
}
