//! Stops that are made of real walks which never stand: feet keep their places, bodies stand, and graphs can start and arrive.

#![cfg(feature = "embedded")]

use surefoot::glam::Vec2;
use surefoot::library::graph::BuildGraph;
use surefoot::math::Rigid;
use surefoot::metrics::{Footing, measure_feet};
use surefoot::motion::{Clip, Take};
use surefoot::rig::{Joint, Rig, Skeleton};
use surefoot::stages::MakeStop;
use surefoot::systems::Gather;
use surefoot_io::embedded;

const WALKS: [&str; 3] = ["16_15", "16_58", "16_47"];

fn gathered() -> (Rig, Vec<Take>) {
    let imports: Vec<_> = WALKS.iter().map(|name| embedded::find(name).unwrap().import()).collect();
    let clips: Vec<&Clip> = imports.iter().flat_map(|import| &import.clips).collect();
    let gather = Gather::default();
    let rig = gather.rig(&imports[0].skeleton, None, &clips).unwrap();
    let takes = clips.iter().map(|clip| gather.run(&rig, clip, &rig).unwrap().take.resampled(30.0)).collect();
    (rig, takes)
}

/// How fast the body is, by frame, m/s.
fn speeds(rig: &Rig, clip: &Clip) -> Vec<f32> {
    let at = |f: usize| clip.body(&rig.skeleton, f).translation.with_y(0.0);
    (1..clip.frames()).map(|f| at(f).distance(at(f - 1)) * clip.rate()).collect()
}

fn fastest_turn(clip: &Clip) -> f32 {
    let turn = |f: usize| {
        let joints = clip.frame(f - 1).iter().zip(clip.frame(f));
        joints.map(|(a, b)| a.rotation.angle_between(b.rotation)).fold(0.0, f32::max)
    };
    (1..clip.frames()).map(turn).fold(0.0, f32::max)
}

#[test]
fn a_walk_slows_down_stands_and_walks_on() {
    let (rig, takes) = gathered();
    for take in &takes {
        let name = take.clip.name();
        let stop = MakeStop::default().of_take(&rig, take).unwrap_or_else(|| panic!("{name} can stop"));
        let speeds = speeds(&rig, &stop.clip);
        let still = speeds.iter().filter(|speed| **speed < 0.02).count() as f32 / stop.clip.rate();
        assert!((0.7..1.5).contains(&still), "{name} stands for {still} s");
        assert!(speeds[0] > 0.5 && speeds[speeds.len() - 1] > 0.5, "{name} comes and goes walking");
        // Its fastest joint is not faster than the walk's own, but for what putting a foot down takes.
        let (own, made) = (fastest_turn(&take.clip), fastest_turn(&stop.clip));
        assert!(made < 1.1 * own, "{name}: {made} against {own}");
        let feet = measure_feet(&rig, &stop, Footing::default());
        let before = measure_feet(&rig, take, Footing::default());
        // More frames at one place of a capture that slides: its others are farther from the mean.
        assert!(feet.drift.p95 < 1.5 * before.drift.p95 + 1e-3, "{name}: {:?} against {:?}", feet.drift, before.drift);
        assert!(feet.penetration.max < before.penetration.max + 5e-3, "{name}: {:?}", feet.penetration);
        // In the middle of the stand every foot stands flat, and on the ground.
        let middle = speeds.iter().enumerate().filter(|(_, speed)| **speed < 1e-4).map(|(f, _)| f).nth(4).unwrap();
        for (id, _) in rig.legs() {
            let mut own = stop.stances.iter().filter(|stance| stance.leg() == id);
            let stands = own.find(|stance| stance.frames(&stop.clip).flat().contains(&middle));
            let print = stands.unwrap_or_else(|| panic!("{name}: {id:?} stands in frame {middle}")).print;
            assert!(print.world_from_sole.translation.y.abs() < 0.06, "{name}: {print:?}");
        }
    }
}

#[test]
fn a_graph_of_walks_that_never_stand_can_stand_then() {
    let (rig, takes) = gathered();
    let graph = BuildGraph::default().run(&rig, &takes[..2]).unwrap();
    assert!(!graph.stands(), "nothing to make otherwise");
    let clips = graph.takes.len();
    let (graph, names) = MakeStop::default().run(graph).unwrap();
    assert!(graph.stands() && graph.takes.len() == clips + names.len(), "{names:?}");
    assert!(names.iter().all(|name| name.ends_with("stopped")), "{names:?}");
    // A graph that stands is left alone.
    let (again, none) = MakeStop::default().run(graph.clone()).unwrap();
    assert!(none.is_empty() && again == graph);
}

#[test]
fn what_does_not_walk_is_not_stopped() {
    let (rig, takes) = gathered();
    let brief = Take { clip: takes[0].clip.trimmed(0..3), ..takes[0].clone() };
    assert_eq!(MakeStop::default().of_take(&rig, &brief), None, "too short");
    let mut still = takes[0].clone();
    let first = still.clip.roots()[0];
    still.clip.roots_mut().fill(first);
    assert_eq!(MakeStop::default().of_take(&rig, &still), None, "it goes nowhere");
    let bare = Take { stances: Vec::new(), ..takes[0].clone() };
    assert_eq!(MakeStop::default().of_take(&rig, &bare), None, "nothing stands in it");
    let frozen = MakeStop { slow: 0.0, stand: 0.0, ..MakeStop::default() };
    assert!(frozen.of_take(&rig, &takes[0]).is_some_and(|stop| stop.clip.frames() > 2), "in no time");
}

#[test]
fn bodies_of_any_size_stop() {
    let (rig, _) = gathered();
    let by = 0.3;
    let small = Skeleton::new(
        rig.skeleton
            .joints()
            .map(|joint| {
                let rest = rig.skeleton.rest()[joint.index()];
                let rest = Rigid { translation: rest.translation * by, ..rest };
                Joint::new(rig.skeleton.name(joint), rig.skeleton.parent(joint).map(|p| p.index()), rest)
            })
            .collect(),
    )
    .unwrap();
    let import = embedded::find(WALKS[0]).unwrap().import();
    let clip = &import.clips[0];
    let locals = (0..clip.frames()).flat_map(|f| clip.frame(f).to_vec());
    let locals = locals.map(|local| Rigid { translation: local.translation * by, ..local }).collect();
    let mut little = Clip::new(&small, "little", clip.rate(), locals).unwrap();
    for (to, from) in little.roots_mut().iter_mut().zip(clip.roots()) {
        *to = Rigid { translation: from.translation * by, ..*from };
    }
    let gather = Gather::default();
    let rig = gather.rig(&small, None, &[&little]).unwrap();
    let take = gather.run(&rig, &little, &rig).unwrap().take.resampled(30.0);
    let stop = MakeStop::default().of_take(&rig, &take).expect("it walks");
    let travel = stop.clip.roots();
    let first = Vec2::new(travel[0].translation.x, travel[0].translation.z);
    let last = travel[travel.len() - 1].translation;
    assert!(first.distance(Vec2::new(last.x, last.z)) > 0.3, "it goes on afterwards");
}
