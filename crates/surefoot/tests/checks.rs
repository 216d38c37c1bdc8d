//! What walks do with skin, and what is told of motions that are not as they should be.

use std::sync::Arc;
use surefoot::character::Character;
use surefoot::glam::{Affine3A, Quat, Vec2, Vec3, Vec3A};
use surefoot::metrics::{
    CheckMotion, Checked, Fault, FaultKind, Footing, find_slips, measure_planted, measure_skin_depth, measure_travel,
};
use surefoot::motion::Take;
use surefoot::plan::Path;
use surefoot::rig::{JointId, ManyLegs, ModelPose, Pose, Rig, Skin};
use surefoot::stages::{Bone, CheckedSource, LegSkin};
use surefoot::systems::Creature;
use surefoot::world::{Ground, LevelGround, Terrain};

/// A creature with skin on its feet alone, of which the body holds a share.
fn skinned(held_by_body: f32) -> (Rig, Skin) {
    let rig = ManyLegs { pairs: 2, leg: 1.0 }.run();
    let rest = ModelPose::new(&rig.skeleton);
    let mut skin = Skin::default();
    let bone = |joint: JointId| {
        let place = rest[joint].inverse();
        let joint_from_bind = Affine3A::from_rotation_translation(place.rotation, place.translation.into());
        Bone { joint, joint_from_bind }
    };
    skin.bones.push(bone(rig.body()));
    for leg in &rig.legs {
        skin.bones.push(bone(leg.ankle()));
        let foot = rest[leg.ankle()].transform_point(leg.foot.ball);
        for aside in [Vec3::ZERO, Vec3::new(0.02, 0.01, 0.0), Vec3::new(-0.02, 0.01, 0.01), Vec3::new(0.0, 0.05, 0.0)] {
            skin.positions.push(Vec3::from(foot) + aside);
            skin.joints.push([skin.bones.len() as u16 - 1, 0, 0, 0]);
            skin.weights.push([1.0 - held_by_body, held_by_body, 0.0, 0.0]);
        }
    }
    (rig, skin)
}

fn walk(character: &Arc<Character>, ground: &dyn Ground) -> Take {
    let settings = Creature::default();
    let path = Path::on_floor(&[Vec2::ZERO, Vec2::new(0.0, 3.0)]);
    settings.take(&settings.plan(character, &path, None, ground), "walk", ground).take
}

/// A planned walk on its ground.
fn of_level<'a>(rig: &'a Rig, take: &'a Take, ground: &'a LevelGround) -> Checked<'a> {
    Checked { rig, skin: None, take, planned: true, footing: Footing::Known(ground), part: None }
}

/// All faults of a walk, with no limit.
fn faults(rig: &Rig, skin: Option<&LegSkin>, take: &Take, ground: &dyn Ground) -> Vec<Fault> {
    let strict = CheckMotion { depth: 0.0, drift: 0.0, ..CheckMotion::default() };
    strict.run(
        Checked { rig, skin, take, planned: true, footing: Footing::Known(ground), part: None },
        &CheckedSource::default(),
    )
}

fn amount(faults: &[Fault], kind: FaultKind) -> f32 {
    faults.iter().find(|fault| fault.kind == kind).map_or(0.0, |fault| fault.amount)
}

#[test]
fn skin_that_hangs_from_the_body_in_part_stays_out_of_the_ground() {
    // Waves: a foot on a crest is higher over its body than it stands.
    let ground = |x: f32, z: f32| 0.2 * (3.0 * z).sin() * (2.0 * x).cos();
    let (rig, skin) = skinned(0.4);
    let points = LegSkin::new(&rig, &skin).unwrap();
    let idle = Pose::rest(&rig.skeleton);
    let deep = |skin: Option<&Skin>| {
        let character = Character::skinned(rig.clone(), idle.clone(), &[], skin).unwrap();
        amount(&faults(&rig, Some(&points), &walk(&character, &ground), &ground), FaultKind::FootInGround)
    };
    let (bare, known) = (deep(None), deep(Some(&skin)));
    assert!(bare > 0.012 && known < 0.5 * bare, "{bare} m, {known} m where the skin is known");
}

#[test]
fn skin_that_goes_with_its_foot_changes_nothing() {
    let (rig, skin) = skinned(0.0);
    let idle = Pose::rest(&rig.skeleton);
    let with = |skin: Option<&Skin>| {
        walk(&Character::skinned(rig.clone(), idle.clone(), &[], skin).unwrap(), &LevelGround::default())
    };
    assert_eq!(with(None), with(Some(&skin)));
}

#[test]
fn a_walk_that_is_right_has_no_fault_and_one_that_is_not_is_told_with_leg_and_time() {
    let rig = ManyLegs { pairs: 2, leg: 1.0 }.run();
    let idle = Pose::rest(&rig.skeleton);
    let (character, ground) = (Character::new(rig.clone(), idle, &[]).unwrap(), LevelGround::default());
    let take = walk(&character, &ground);
    let check = |take: &Take| {
        let motion =
            Checked { rig: &rig, skin: None, take, planned: true, footing: Footing::Known(&ground), part: None };
        CheckMotion::default().run(motion, &CheckedSource::default())
    };
    assert_eq!(check(&take), []);

    // One frame sinks: told, by how much and when; from a tenth of the leg on it is refused.
    for (by, refused) in [(0.05, false), (0.2, true), (2.0, true)] {
        let mut sunk = take.clone();
        sunk.clip.roots_mut()[60].translation.y -= by;
        let found = check(&sunk);
        let fault = found.iter().find(|fault| fault.kind == FaultKind::FootInGround).expect("feet are in the ground");
        assert!((fault.amount - by).abs() < 0.02 && (fault.time - 1.0).abs() < 1e-3, "{fault:?}");
        assert_eq!(fault.refused, refused, "{fault:?}");
        assert!(rig.legs.iter().any(|leg| leg.ankle() == fault.joint), "{fault:?}");
    }
    // The body goes on while feet should stand.
    let mut slides = take.clone();
    slides.clip.roots_mut().iter_mut().enumerate().for_each(|(f, root)| root.translation.x += 0.01 * f as f32);
    assert!(check(&slides).iter().any(|fault| fault.kind == FaultKind::Drift && fault.refused));
    // A wall that no foot finds ground in.
    let wall = Terrain::Stairs { rise: 5.0, tread: 0.1 };
    let into = walk(&character, &wall);
    assert!(faults(&rig, None, &into, &wall).iter().any(|fault| fault.kind == FaultKind::NoGround && fault.refused));
}

#[test]
fn what_comes_out_no_worse_than_it_came_in_is_no_fault() {
    let (rig, _) = skinned(0.0);
    let idle = Pose::rest(&rig.skeleton);
    let mut take = walk(&Character::new(rig.clone(), idle, &[]).unwrap(), &LevelGround::default());
    take.clip.roots_mut()[60].translation.y -= 0.2;
    let checked =
        Checked { rig: &rig, skin: None, take: &take, planned: true, footing: Footing::default(), part: None };
    let still = vec![Vec3A::ZERO; take.clip.frames()];
    let same = CheckedSource { motions: &[checked], moved: &still };
    assert_eq!(CheckMotion::default().run(checked, &same), []);
    // But a body that was moved far is.
    let mut far = still.clone();
    far[30] = 0.3 * Vec3A::X;
    let found = CheckMotion::default().run(checked, &CheckedSource { motions: &[checked], moved: &far });
    assert!(matches!(found[..], [Fault { kind: FaultKind::BodyMoved, refused: true, .. }]), "{found:?}");
}

#[test]
fn a_foot_that_slides_is_seen_where_no_stance_is_known_and_a_joint_that_jumps_where_it_does() {
    let rig = ManyLegs { pairs: 2, leg: 1.0 }.run();
    let (character, ground) =
        (Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap(), LevelGround::default());
    let check = |take: &Take, source: &[Take]| {
        let of =
            |take| Checked { rig: &rig, skin: None, take, planned: true, footing: Footing::Known(&ground), part: None };
        let sources: Vec<Checked<'_>> = source.iter().map(of).collect();
        CheckMotion::default().run(of(take), &CheckedSource { motions: &sources, moved: &[] })
    };
    let mut take = walk(&character, &ground);
    take.stances.clear();
    assert_eq!(check(&take, &[]), []);
    // The whole body goes aside at 0.3 m/s for half a second while its feet stand, and nobody says that they do.
    let mut slides = take.clone();
    for (f, root) in slides.clip.roots_mut().iter_mut().enumerate() {
        root.translation.x += 0.3 * (f.clamp(60, 90) - 60) as f32 / 60.0;
    }
    let found = check(&slides, &[]);
    let slip = found.iter().find(|fault| fault.kind == FaultKind::Slip).expect("a foot slides");
    assert!((slip.amount - 0.15).abs() < 0.03 && (slip.time - 1.0).abs() < 0.1 && !slip.refused, "{slip:?}");
    assert!(!found.iter().any(|fault| fault.kind == FaultKind::Skate), "without a source nobody knows: {found:?}");
    assert_eq!(check(&slides, std::slice::from_ref(&slides)), [], "as bad as it came");
    // It goes aside all the time.
    for (f, root) in slides.clip.roots_mut().iter_mut().enumerate() {
        root.translation.x += 0.3 * f as f32 / 60.0;
    }
    let found = check(&slides, std::slice::from_ref(&take));
    let skate = found.iter().find(|fault| fault.kind == FaultKind::Skate).expect("feet skate");
    assert!(skate.amount > skate.source + 0.05, "{skate:?}");
    // A joint jumps once.
    let mut jumps = take.clone();
    let joint = rig.legs[0].hip();
    for f in 80..jumps.clip.frames() {
        let turned = &mut jumps.clip.frame_mut(f)[joint.index()].rotation;
        *turned = (*turned * Quat::from_rotation_x(0.5)).normalize();
    }
    let found = check(&jumps, &[]);
    let jump = found.iter().find(|fault| fault.kind == FaultKind::Jump).expect("a joint jumps");
    assert!(jump.amount == 1.0 && (jump.time - 79.0 / 60.0).abs() < 0.02, "{jump:?}");
}

#[test]
fn feet_that_do_not_come_to_their_prints_are_counted() {
    let rig = ManyLegs { pairs: 2, leg: 1.0 }.run();
    let (character, ground) =
        (Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap(), LevelGround::default());
    let take = walk(&character, &ground);
    let unreached = |moved: usize| {
        let mut off = take.clone();
        off.stances.iter_mut().take(moved).for_each(|stance| stance.heel_at.x += 0.3);
        off.stances.iter_mut().take(moved).for_each(|stance| stance.ball_at.x += 0.3);
        let motion =
            Checked { rig: &rig, skin: None, take: &off, planned: true, footing: Footing::Known(&ground), part: None };
        let faults = CheckMotion::default().run(motion, &CheckedSource::default());
        faults.into_iter().find(|fault| fault.kind == FaultKind::Unreached)
    };
    assert!(unreached(0).is_none());
    let one = unreached(1).expect("one print is missed");
    assert!(!one.refused && (one.amount - 1.0 / take.stances.len() as f32).abs() < 1e-6, "{one:?}");
    assert!(unreached(take.stances.len()).is_some_and(|all| all.refused && all.amount == 1.0));
    // Stances that were found in a motion send no foot anywhere.
    let mut off = take.clone();
    off.stances.iter_mut().for_each(|stance| stance.heel_at.x += 0.3);
    let found = Checked { planned: false, ..of_level(&rig, &off, &ground) };
    assert_eq!(CheckMotion::default().run(found, &CheckedSource::default()), []);
}

#[test]
fn the_greatest_speed_is_one_that_legs_have() {
    let rig = ManyLegs { pairs: 1, leg: 0.8 }.run();
    let character = Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap();
    let greatest = |wish: f32| {
        let mut creature = Creature::default();
        creature.steps.course.speed = Some(wish);
        creature.steps.greatest_speed(&character.stand)
    };
    assert_eq!(greatest(1.0), 1.0, "a stroll is within reach");
    let most = greatest(100.0);
    assert!((1.0..50.0).contains(&most), "{most} m/s");
    assert_eq!(greatest(most), most, "what is offered is possible");
    assert!((greatest(1000.0) - most).abs() < 0.3 * most, "whatever was wished for");
}

#[test]
fn what_feet_do_is_told_without_a_list_of_stances() {
    let rig = ManyLegs { pairs: 2, leg: 1.0 }.run();
    let (character, ground) =
        (Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap(), LevelGround::default());
    let mut take = walk(&character, &ground);
    let known = take.stances.len();
    take.stances.clear();
    let planted = measure_planted(&rig, None, &take, Footing::Known(&ground));
    assert!(known > 8 && planted.stance > 0.5 && planted.air == 0.0, "{planted:?}");
    assert!(planted.drift.max < 0.003 && planted.depth.max < 0.003, "{planted:?}");
    // The ground rises by 2 cm under feet that do not know: they are in it.
    let high = LevelGround { height: 0.02 };
    let sunk = measure_planted(&rig, None, &take, Footing::Known(&high)).depth.max;
    assert!((sunk - 0.02).abs() < 0.003, "{sunk} m");
    // A creep of 4 cm a second shows as drift of feet that lie still otherwise.
    for (f, root) in take.clip.roots_mut().iter_mut().enumerate() {
        root.translation.x += 0.04 * f as f32 / 60.0;
    }
    let creeps = measure_planted(&rig, None, &take, Footing::Known(&ground));
    assert!(creeps.drift.median > 0.004 && creeps.slip.median > planted.slip.median + 0.005, "{creeps:?}");
}

#[test]
fn few_frames_and_no_height_are_measured_without_fail() {
    let rig = ManyLegs { pairs: 1, leg: 1.0 }.run();
    let character = Character::new(rig.clone(), Pose::rest(&rig.skeleton), &[]).unwrap();
    let take = walk(&character, &LevelGround::default());
    for frames in 1..6 {
        let mut clip = take.clip.trimmed(0..frames);
        for flat in [false, true] {
            if flat {
                // All joints in one place.
                (0..frames)
                    .for_each(|f| clip.frame_mut(f).iter_mut().for_each(|local| local.translation = Vec3A::ZERO));
            }
            let few = Take { stances: Vec::new(), ..Take::from(clip.clone()) };
            let footing = Footing::default();
            let planted = measure_planted(&rig, None, &few, footing);
            assert!(planted.skate.is_finite() && planted.drift.max == 0.0, "{planted:?}");
            assert!(find_slips(&rig, &few, footing, 0..frames).is_empty());
            assert!(measure_travel(&rig, &few.clip).top.is_finite());
            assert!(measure_skin_depth(&rig, None, &few, footing, 0..frames).foot.depth.is_finite());
            let motion = Checked { rig: &rig, skin: None, take: &few, planned: true, footing, part: None };
            let _ = CheckMotion::default().run(motion, &CheckedSource::default());
        }
    }
}
