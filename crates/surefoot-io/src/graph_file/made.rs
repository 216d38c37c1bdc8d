//! A small graph of made-up walks, for tests of the format and for files that they read.

use surefoot::glam::{Quat, Vec3A};
use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::math::{Rigid, quat};
use surefoot::motion::{Clip, Footprint, Span, Stance, Take};
use surefoot::rig::{Foot, Joint, JointId, Leg, LegId, Mirror, Rig, Side, Skeleton};
use surefoot::stages::Tip;

/// A body of seven joints.
fn body() -> Rig {
    let at = |x: f32, y: f32, z: f32| Rigid::from_translation(Vec3A::new(x, y, z));
    let joint = |name: &str, parent: Option<usize>, rest: Rigid| Joint::new(name, parent, rest);
    let mut joints = vec![joint("Hips", None, at(0.0, 0.9, 0.0))];
    for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
        let hip = joints.len();
        joints.push(joint(&format!("{side}UpLeg"), Some(0), at(x, 0.0, 0.0)));
        joints.push(joint(&format!("{side}Leg"), Some(hip), at(0.0, -0.42, 0.01)));
        joints.push(joint(&format!("{side}Foot"), Some(hip + 1), at(0.0, -0.4, -0.01)));
    }
    let tips = [3, 6].map(|joint| Tip { joint: JointId(joint), offset: Vec3A::new(0.0, -0.06, 0.15) });
    let skeleton = Skeleton::new(joints).unwrap().with_tips(tips);
    let leg = |side: Side, first: u16| Leg {
        side: Some(side),
        chain: (first..first + 3).map(JointId).collect(),
        hinges: vec![Vec3A::X],
        toe: None,
        shin: None,
        foot: Foot {
            heel: Vec3A::new(0.0, -0.08, -0.05),
            ball: Vec3A::new(0.0, -0.08, 0.12),
            up: Vec3A::Y,
            tip: Some(Vec3A::new(0.0, -0.06, 0.15)),
            length: 0.2,
            width: 0.08,
        },
    };
    let mirror = Mirror::of(&skeleton).ok();
    Rig { skeleton, legs: vec![leg(Side::Left, 1), leg(Side::Right, 4)], mirror }
}

/// Legs that swing once a second, at 10 Hz.
fn walk(rig: &Rig, name: &str, frames: usize, swing: f32) -> Take {
    let mut locals = Vec::new();
    for frame in 0..frames {
        let phase = std::f32::consts::TAU * frame as f32 / 10.0;
        let mut pose = rig.skeleton.rest().to_vec();
        pose[0].translation.y += 0.02 * (2.0 * phase).sin();
        pose[0].rotation = quat::exp(surefoot::glam::Vec3::new(0.02, 0.0, 0.04 * phase.cos()));
        pose[1].rotation = Quat::from_rotation_x(swing * phase.sin());
        pose[4].rotation = Quat::from_rotation_x(-swing * phase.sin());
        locals.extend(pose);
    }
    let mut clip = Clip::new(&rig.skeleton, name, 10.0, locals).unwrap();
    for (frame, root) in clip.roots_mut().iter_mut().enumerate() {
        let turn = Quat::from_rotation_y(0.01 * frame as f32);
        *root = Rigid::new(turn, Vec3A::new(0.01, 0.0, 0.12 * frame as f32));
    }
    let span = |frames: std::ops::Range<usize>| Span::of_frames(&frames, 10.0);
    let stance = |leg: u8, start: usize| Stance {
        time: span(start..start + 5).unwrap(),
        heel: span(start..start + 3),
        ball: span(start + 1..start + 5),
        print: Footprint::new(LegId(leg), Rigid::from_translation(Vec3A::new(0.1, 0.0, 0.2))),
        heel_at: Vec3A::new(0.1, 0.0, 0.1),
        ball_at: Vec3A::new(0.1, 0.0, 0.3),
        open: start == 0,
    };
    let starts = |first: usize| (first..frames - 5).step_by(10);
    let stances = starts(0).map(|start| stance(0, start)).chain(starts(5).map(|start| stance(1, start)));
    Take { stances: stances.collect(), ..Take::from(clip) }
}

fn settings() -> BuildGraph {
    BuildGraph { rate: 10.0, window: 1, blend: 0.3, ..BuildGraph::default() }
}

/// A graph of two short walks.
pub(crate) fn small() -> MotionGraph {
    let rig = body();
    let takes = [walk(&rig, "walk", 26, 0.4), walk(&rig, "stride", 23, 0.45)];
    let graph = settings().run(&rig, &takes).unwrap();
    assert!(graph.transitions.len() > 4 && graph.topology.is_connected(), "{graph:?}");
    graph
}
