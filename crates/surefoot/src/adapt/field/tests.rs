//! What a motion field promises.

use super::*;
use crate::character::Stand;
use crate::math::Rigid;
use crate::plan::steps::CourseMoment;
use crate::rig::{Joint, Skeleton};
use glam::{Quat, Vec3};

fn field(states: &[FieldState], slots: usize) -> MotionField {
    let mut field = MotionField::default();
    let database = field.add_database("d", states.len(), slots).unwrap();
    let axes = states.iter().map(|state| StateAxis { state: *state, range: 0.5 }).collect();
    let slots = (0..slots).map(|i| Slot::Joint(JointId(i as u16))).collect();
    field.add_segment(FieldSegment { name: "s".into(), axes, database, slots }).unwrap();
    field
}

fn at(field: &MotionField, state: &[f32]) -> Vec3 {
    let mut out = [Change::NONE];
    field.evaluate(0, state, &mut out);
    out[0].turn
}

#[test]
fn at_its_state_an_entry_is_itself_among_many() {
    let mut field = field(&[FieldState::Slope, FieldState::Speed], 1);
    let turn = |i: usize| Vec3::new((i % 7) as f32 / 3.5 - 1.0, (i % 5) as f32 / 2.5 - 1.0, 0.2);
    let state = |i: usize| [0.05 * (i % 10) as f32, 0.05 * (i / 10) as f32];
    for i in 0..100 {
        assert_eq!(field.insert(0, &state(i), &[Change::turn(turn(i))]), Ok(i));
    }
    for i in 0..100 {
        let off = (at(&field, &state(i)) - turn(i)).length().to_degrees();
        assert!(off < 0.1, "entry {i} is off by {off}°");
    }
}

#[test]
fn a_lone_entry_fades_with_distance() {
    let mut field = field(&[FieldState::Speed], 1);
    field.insert(0, &[1.0], &[Change::turn(Vec3::X)]).unwrap();
    let half = field.weights.neutral.sqrt().recip() * 0.5;
    assert!((at(&field, &[1.0]).x - 1.0).abs() < 1e-5, "at its state");
    assert!((at(&field, &[1.0 + half]).x - 0.5).abs() < 1e-4, "half at the half-distance");
    assert!(at(&field, &[1.0 + 5.0 * half]).x < 0.05, "{}", at(&field, &[1.0 + 5.0 * half]));
    field.weights.neutral = 0.0;
    assert!((at(&field, &[100.0]).x - 1.0).abs() < 1e-5, "without a neutral weight it acts everywhere");
}

#[test]
fn weights_are_continuous_and_phases_go_round() {
    let mut field = field(&[FieldState::Phase], 1);
    field.insert(0, &[0.95], &[Change::turn(Vec3::X)]).unwrap();
    field.insert(0, &[0.3], &[Change::turn(Vec3::Y)]).unwrap();
    assert!(at(&field, &[0.02]).x > at(&field, &[0.7]).x, "0.02 is nearer to 0.95 than 0.7 is");
    let mut last = at(&field, &[0.0]);
    for i in 1..=20_000 {
        let now = at(&field, &[5e-5 * i as f32]);
        assert!((now - last).length() < 2e-3, "{} at {}", (now - last).length(), 5e-5 * i as f32);
        last = now;
    }
    assert!((last - at(&field, &[0.0])).length() < 1e-5, "round");
}

#[test]
fn entries_are_edited_and_what_does_not_fit_is_refused() {
    let mut field = field(&[FieldState::Speed], 1);
    let turn = |x: f32| [Change::turn(Vec3::X * x)];
    assert_eq!(field.insert(0, &[1.0], &turn(0.1)), Ok(0));
    assert_eq!(field.insert(0, &[2.0], &turn(0.2)), Ok(1));
    assert_eq!(field.insert(0, &[1.0 + 1e-8], &turn(0.3)), Ok(0), "the same state is replaced");
    assert_eq!(field.databases()[0].entries().len(), 2);
    field.update(0, 1, &turn(0.5)).unwrap();
    assert!((at(&field, &[2.0]).x - 0.5).abs() < 1e-4);
    assert_eq!(field.remove(0, 0).unwrap().changes, turn(0.3));
    assert_eq!(field.remove(0, 1), Err(FieldError::NoEntry(1)));
    assert_eq!(field.update(3, 0, &turn(0.0)), Err(FieldError::NoDatabase(3)));
    for wrong in [f32::NAN, 1e30] {
        assert_eq!(field.insert(0, &[wrong], &turn(0.0)), Err(FieldError::NotPossible));
        assert_eq!(field.insert(0, &[0.0], &turn(wrong)), Err(FieldError::NotPossible));
    }
    assert!(matches!(field.insert(0, &[0.0, 0.0], &turn(0.0)), Err(FieldError::Fit { .. })));
    assert!(matches!(field.add_database("x", 0, 1), Err(FieldError::Size { .. })));
    let segment = FieldSegment { database: 0, ..field.segments()[0].clone() };
    let wrong = FieldSegment { axes: vec![StateAxis { state: FieldState::Slope, range: 0.0 }], ..segment };
    assert_eq!(field.add_segment(wrong), Err(FieldError::Range(0.0)));
}

#[test]
fn two_segments_share_a_database() {
    let mut field = field(&[FieldState::FootUp(LegId(0))], 1);
    let other = FieldSegment {
        name: "other".into(),
        axes: vec![StateAxis { state: FieldState::FootUp(LegId(1)), range: 0.5 }],
        database: 0,
        slots: vec![Slot::Joint(JointId(7))],
    };
    field.add_segment(other).unwrap();
    field.insert(1, &[0.2], &[Change::turn(Vec3::Z)]).unwrap();
    let mut out = [Change::NONE];
    field.evaluate(1, &[0.2], &mut out);
    let (shared, own) = (at(&field, &[0.2]), out[0].turn);
    assert_eq!(shared, own);
    assert!((own.z - 1.0).abs() < 1e-4);
}

#[test]
fn no_entry_weighs_more_than_the_cutoff() {
    let mut field = field(&[FieldState::Speed], 1);
    field.insert(0, &[1.0], &[Change::turn(Vec3::X)]).unwrap();
    field.weights = FieldWeights { cutoff: 4.0, neutral: 12.0 };
    assert!((at(&field, &[1.0]).x - 0.25).abs() < 1e-5, "{}", at(&field, &[1.0]));
}

#[test]
fn changes_turn_joints_about_their_own_axes_slide_them_and_move_goals() {
    let joint = |parent| Joint::new("", parent, Rigid::from_translation(Vec3A::Y));
    let skeleton = Skeleton::new(vec![joint(None), joint(Some(0))]).unwrap();
    let mut field = MotionField::default();
    let database = field.add_database("d", 1, 2).unwrap();
    let axes = vec![StateAxis { state: FieldState::Speed, range: 0.5 }];
    let slots = vec![Slot::Joint(JointId(1)), Slot::Goal(LegId(1))];
    field.add_segment(FieldSegment { name: "s".into(), axes, database, slots }).unwrap();
    let (turn, slide) = (Vec3::new(0.3, -0.2, 0.5), Vec3A::new(0.1, 0.2, -0.3));
    field.insert(0, &[1.5], &[Change { turn, slide }, Change { slide: -slide, ..Change::NONE }]).unwrap();

    let stand = Stand {
        pose: Pose::rest(&skeleton),
        middle: Vec3A::ZERO,
        legs: vec![],
        bearing: vec![],
        above_feet: vec![],
        hip: 1.0,
        ends: None,
        hips_at: 1.0,
        radius: 1.0,
    };
    let moment = CourseMoment { speed: 1.5, ..CourseMoment::default() };
    let before = Rigid { rotation: Quat::from_rotation_y(1.0), translation: Vec3A::X };
    let mut pose = stand.pose.clone();
    pose.locals[1] = before;
    let mut goals = [Vec3A::ZERO; 2];
    field.apply(&FieldInput { stand: &stand, moment: &moment, feet: &[] }, &mut pose, &mut goals);
    let after = pose.locals[1];
    assert!((quat::log(before.rotation.conjugate() * after.rotation) - turn).length() < 1e-3, "{after:?}");
    assert!((after.translation - before.translation - slide).length() < 1e-3, "{after:?}");
    assert!(goals[0] == Vec3A::ZERO && (goals[1] + slide).length() < 1e-3, "{goals:?}");
    assert_eq!(pose.locals[0], stand.pose.locals[0], "others stay");
}
