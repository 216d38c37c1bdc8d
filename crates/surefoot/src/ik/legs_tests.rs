//! Legs of three and more bones: reach, sides of joints, smoothness through full stretch, odd bodies.

use super::leg_chain::LegOutcome;
use super::*;
use crate::math::{Rigid, quat};
use crate::random::{Rng, Seed};
use crate::rig::{Foot, Joint, JointId, Leg, ModelPose, Pose, Skeleton};
use glam::{Quat, Vec3, Vec3A};

/// A leg of a skeleton of its own, through these points, and a foot.
fn leg(points: &[Vec3A], foot: Foot) -> (Skeleton, LegChain) {
    let mut last = Vec3A::ZERO;
    let joints = points.iter().enumerate().map(|(i, point)| {
        let rest = Rigid::from_translation(*point - last);
        last = *point;
        Joint::new(format!("{i}"), i.checked_sub(1), rest)
    });
    let skeleton = Skeleton::new(joints.collect()).unwrap();
    let ids: Vec<JointId> = skeleton.joints().collect();
    let rig_leg = Leg {
        side: None,
        chain: vec![ids[0], ids[points.len() / 2], ids[points.len() - 1]],
        hinges: vec![Vec3A::X],
        toe: None,
        shin: None,
        foot,
    };
    let chain = LegChain::of(&skeleton, &rig_leg, &[]).unwrap();
    (skeleton, chain)
}

fn flat() -> Foot {
    let (heel, ball) = (Vec3A::new(0.0, -0.05, -0.04), Vec3A::new(0.0, -0.05, 0.1));
    Foot { heel, ball, up: Vec3A::Y, tip: None, length: 0.2, width: 0.08 }
}

fn pointed() -> Foot {
    let point = Vec3A::new(0.2, -0.2, 0.0);
    Foot { heel: point, ball: point, up: Vec3A::Y, tip: None, length: 0.0, width: 0.0 }
}

/// A beast on its toes: stifle in front, hock behind.
fn hind_leg() -> (Skeleton, LegChain) {
    leg(&[[0.1, 0.8, 0.0], [0.1, 0.55, 0.15], [0.1, 0.3, -0.1], [0.1, 0.06, 0.0]].map(Vec3A::from), flat())
}

/// A spider: up, out, down, on a point, all in a slanting plane.
fn spider_leg() -> (Skeleton, LegChain) {
    leg(&[[0.1, 0.3, 0.0], [0.3, 0.5, 0.1], [0.6, 0.45, 0.2], [0.8, 0.25, 0.3]].map(Vec3A::from), pointed())
}

fn all() -> [(Skeleton, LegChain); 3] {
    let human = leg(&[[0.1, 0.9, 0.0], [0.1, 0.5, 0.05], [0.1, 0.1, 0.0]].map(Vec3A::from), flat());
    [human, hind_leg(), spider_leg()]
}

struct Solved {
    pose: Pose,
    model: ModelPose,
    outcome: LegOutcome,
}

fn solve(skeleton: &Skeleton, chain: &LegChain, ankle: Rigid) -> Solved {
    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::new(skeleton);
    let outcome = BendLeg::default().run(skeleton, chain, &mut pose, &mut model, ankle);
    Solved { pose, model, outcome }
}

/// Which side each inner joint is bent to: positive its own way.
fn sides(skeleton: &Skeleton, chain: &LegChain, model: &ModelPose) -> Vec<f32> {
    let mut places: Vec<Vec3A> = chain.joints.iter().map(|joint| model[*joint].translation).collect();
    places.push(chain.end(model));
    (1..chain.joints.len())
        .map(|i| {
            let parent = model[skeleton.parent(chain.joints[i]).unwrap()].rotation;
            let (a, b) = ((places[i] - places[i - 1]).normalize(), (places[i + 1] - places[i]).normalize());
            a.cross(b).dot(parent * chain.hinges[i - 1])
        })
        .collect()
}

#[test]
fn chains_are_the_joints_that_bend() {
    let bones = all().map(|(_, chain)| chain.bones());
    assert_eq!(bones, [2, 3, 4], "a spider's pointed foot is a bone of its own");
    let (skeleton, chain) = hind_leg();
    assert_eq!(chain.end, LegEnd::Ankle);
    assert!(
        sides(&skeleton, &chain, &ModelPose::new(&skeleton)).iter().all(|side| *side > 0.2),
        "hinges point their way"
    );
    assert!(chain.hinges[0].x > 0.9 && chain.hinges[1].x < -0.9, "knee to the front, hock to the back: {chain:?}");
    // A joint half way down a straight bone is no joint, one without length neither.
    let twist = leg(
        &[[0.0, 0.9, 0.0], [0.0, 0.7, 0.0], [0.0, 0.5, 0.0], [0.0, 0.5, 0.0], [0.0, 0.1, -0.1]].map(Vec3A::from),
        flat(),
    );
    assert_eq!(twist.1.joints, [JointId(0), JointId(2)]);
}

#[test]
fn the_pose_itself_changes_nothing_and_what_is_in_reach_is_reached() {
    let mut rng = Rng::new(Seed(6)).stream("legs");
    for (skeleton, chain) in all() {
        let rest = ModelPose::new(&skeleton);
        let same = solve(&skeleton, &chain, rest[chain.ankle]);
        for (a, b) in same.model.joints.iter().zip(&rest.joints) {
            assert!((a.translation - b.translation).length() < 1e-5, "{chain:?}");
            assert!(quat::angle_between(a.rotation, b.rotation) < 2e-3, "{chain:?}");
        }
        let (hip, length) = (rest[chain.joints[0]].translation, chain.length(&rest));
        let mut worst = 0.0_f32;
        for _ in 0..2000 {
            let mut v = || Vec3A::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
            // The foot moves and turns; reach is told by where the end comes to be.
            let place = rest[chain.ankle].translation + 0.25 * length * v();
            let turn = quat::exp(Vec3::from(0.4 * v())) * rest[chain.ankle].rotation;
            let ankle = Rigid::new(turn, place);
            let target = chain.end_at(&rest, ankle);
            let Solved { model, outcome, .. } = solve(&skeleton, &chain, ankle);
            assert!((outcome.missed - (chain.end(&model) - target).length()).abs() < 1e-5, "truthful");
            if ((target - hip).length() / length) < 0.99 {
                worst = worst.max(outcome.missed);
                if chain.end == LegEnd::Ankle {
                    assert!(quat::angle_between(model[chain.ankle].rotation, turn) < 1e-3, "the foot turns as told");
                }
            }
        }
        assert!(worst < 1e-4 * length, "{worst} m with {} bones", chain.bones());
    }
}

#[test]
fn joints_keep_their_sides_and_feet_go_smoothly_through_full_stretch() {
    for (skeleton, chain) in all() {
        let rest = ModelPose::new(&skeleton);
        let (hip, length) = (rest[chain.joints[0]].translation, chain.length(&rest));
        let toward = (chain.end(&rest) - hip).normalize();
        let from_ankle = rest[chain.ankle].translation - chain.end(&rest);
        // From near the hip to far out of reach, straight down its own line and at a slant.
        for slant in [0.0, 0.4, -0.6] {
            let direction = Quat::from_rotation_x(slant) * toward;
            let step = 1e-3 * length;
            let mut last: Option<(Vec3A, Pose, f32)> = None;
            let mut speed: Option<Vec3A> = None;
            for i in 0..=1600 {
                let distance = length * 0.25 + step * i as f32;
                let ankle = Rigid::new(rest[chain.ankle].rotation, hip + direction * distance + from_ankle);
                let Solved { pose, model, outcome } = solve(&skeleton, &chain, ankle);
                let sides = sides(&skeleton, &chain, &model);
                assert!(sides.iter().all(|side| *side > -1e-3), "at {distance}: {sides:?}, {} bones", chain.bones());
                let end = chain.end(&model);
                if distance > length {
                    assert!((outcome.missed - (distance - (end - hip).length())).abs() < 1e-4, "truthful: {outcome:?}");
                }
                if let Some((before, old, missed)) = last {
                    let moved = end - before;
                    assert!(moved.length() < 1.2 * step, "a jump at {distance}: {moved}");
                    // Where it starts to miss on the near side is a corner; through full stretch there is none.
                    if let Some(speed) = speed.filter(|_| {
                        distance > 0.6 * length && missed.min(outcome.missed) < 1e-5 * length || distance > length
                    }) {
                        assert!(
                            (moved - speed).length() < 0.12 * step,
                            "a corner at {distance}: {moved} after {speed}"
                        );
                    }
                    speed = Some(moved);
                    let turns =
                        pose.locals.iter().zip(&old.locals).map(|(a, b)| quat::angle_between(a.rotation, b.rotation));
                    let most = turns.fold(0.0, f32::max);
                    assert!(most < 0.03, "a pop of {most} at {distance} with {} bones, {sides:?}", chain.bones());
                }
                last = Some((end, pose, outcome.missed));
            }
        }
    }
}

#[test]
fn knees_do_not_flip_when_the_foot_goes_round() {
    for (skeleton, chain) in all() {
        let rest = ModelPose::new(&skeleton);
        let (hip, length) = (rest[chain.joints[0]].translation, chain.length(&rest));
        let toward = (chain.end(&rest) - hip).normalize();
        let from_ankle = rest[chain.ankle].translation - chain.end(&rest);
        // Circles about the line down, up to 75° off it, in and out of reach.
        for (tilt, reach) in [(0.3, 0.7), (0.8, 0.9), (1.3, 0.6), (1.3, 1.3)] {
            let out = Quat::from_axis_angle(toward.any_orthonormal_vector().into(), tilt) * toward;
            let mut last: Option<ModelPose> = None;
            for i in 0..=720 {
                let round = Quat::from_axis_angle(toward.into(), i as f32 * std::f32::consts::TAU / 720.0);
                let place = hip + (round * out) * (reach * length) + from_ankle;
                let Solved { model, .. } = solve(&skeleton, &chain, Rigid::new(rest[chain.ankle].rotation, place));
                if let Some(last) = last {
                    for joint in &chain.joints {
                        let moved = (model[*joint].translation - last[*joint].translation).length();
                        assert!(
                            moved < 0.03 * length,
                            "joint {joint:?} jumps {moved} at {i}, tilt {tilt}, reach {reach}"
                        );
                    }
                }
                last = Some(model);
            }
        }
    }
}

#[test]
fn odd_legs_and_targets_do_not_break() {
    let mut rng = Rng::new(Seed(7)).stream("odd legs");
    for case in 0..10_000 {
        let count = 3 + rng.below(6);
        let mut v = |size: f32| Vec3A::new(rng.range(-size, size), rng.range(-size, size), rng.range(-size, size));
        let mut points: Vec<Vec3A> = Vec::new();
        for i in 0..count {
            let next = match case % 5 {
                // Bones without length, and legs that are quite straight.
                0 if i % 2 == 1 => points[i - 1],
                1 => Vec3A::new(0.0, 1.0 - 0.2 * i as f32, 0.0),
                2 if i > 0 => points[0],
                _ => v(0.5),
            };
            points.push(next);
        }
        let (skeleton, chain) = leg(&points, if case % 2 == 0 { flat() } else { pointed() });
        let target = match case % 7 {
            0 => points[0],
            1 => *points.last().unwrap(),
            2 => Vec3A::splat(1e9),
            3 => Vec3A::splat([f32::NAN, f32::INFINITY][case % 2]),
            _ => v(2.0),
        };
        let Solved { pose, model, outcome } = solve(&skeleton, &chain, Rigid::from_translation(target));
        assert!(pose.locals.iter().all(|local| local.is_finite()), "case {case}: {points:?} to {target}");
        if target.is_finite() {
            let is = (chain.end(&model) - chain.end_at(&ModelPose::new(&skeleton), Rigid::from_translation(target)))
                .length();
            assert!((outcome.missed - is).abs() <= 1e-4 + 1e-5 * is, "case {case}: {} said, {is} is", outcome.missed);
        }
    }
}
