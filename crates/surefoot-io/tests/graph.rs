//! Motion graphs of real walks: what holds together, what is played, and that nothing depends on luck.

use rayon::prelude::*;
use surefoot::adapt::Build;
use surefoot::analyse::{Study, find_rig};
use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::math::{FloorPose, floor, quat, wrap_angle};
use surefoot::metrics::Footing;
use surefoot::motion::{Clip, StanceFrames, Take, stance};
use surefoot::random::Seed;
use surefoot::rig::Rig;
use surefoot::stages::FindStances;
use surefoot::stages::Retarget;
use surefoot::stages::Rule;
use surefoot::stages::{EdgeId, NodeId, Play, Wander, slides};
use surefoot::systems::{Gather, WalkGraph};
use surefoot_io::Import;
use surefoot_io::embedded;

/// Repaired takes of embedded clips of one body, each with its mirror image.
fn takes(names: &[&str]) -> (Rig, Vec<Take>) {
    let imports: Vec<Import> = names.iter().map(|name| embedded::find(name).expect("embedded").import()).collect();
    let clips: Vec<&Clip> = imports.iter().map(|import| &import.clips[0]).collect();
    let rig = find_rig(&imports[0].skeleton, &clips).unwrap();
    let mut takes = Vec::new();
    for clip in clips {
        let take = Study::default().run_on(rig.clone(), clip).take.levelled(&rig);
        let mut image = take.mirrored(&rig).unwrap();
        image.clip = image.clip.named(format!("{} mirrored", clip.name()));
        takes.extend([take, image]);
    }
    (rig, takes)
}

const WALKS: [&str; 14] = [
    "16_11", "16_13", "16_15", "16_17", "16_19", "16_21", "16_23", "16_25", "16_27", "16_29", "16_31", "16_33",
    "16_47", "16_58",
];

fn walks() -> MotionGraph {
    let (rig, takes) = takes(&WALKS);
    BuildGraph::default().run(&rig, &takes).unwrap()
}

/// First and last frame of a take that are in the component.
fn kept(graph: &MotionGraph, name: &str) -> Option<(u32, u32)> {
    let take = graph.takes.iter().position(|take| take.clip.name() == name)?;
    let topology = &graph.topology;
    let nodes = topology
        .nodes
        .iter()
        .enumerate()
        .filter(|(k, node)| node.take as usize == take && topology.keeps(NodeId(*k as u32)));
    let frames: Vec<u32> = nodes.map(|(_, node)| node.frame).collect();
    Some((*frames.first()?, *frames.last()?))
}

#[test]
fn three_jogs_and_their_images_hold_together() {
    let (rig, takes) = takes(&["16_36", "16_37", "16_39"]);
    for rule in [Rule::Regions, Rule::Minima] {
        let graph = BuildGraph { rule, ..BuildGraph::default() }.run(&rig, &takes).unwrap();
        for take in &graph.takes {
            let part = kept(&graph, take.clip.name());
            assert!(part.is_some_and(|(first, last)| last > first), "{rule:?}: {} is lost", take.clip.name());
        }
        assert!(graph.chosen.threshold <= graph.chosen.ceiling && !graph.chosen.given, "{:?}", graph.chosen);
        // The thesis: 87 nodes and 147 edges, 74 and 120 after pruning, of two other clips.
        let edges = graph.topology.edges.iter().filter(|edge| graph.topology.keeps_edge(edge)).count();
        let nodes = (0..graph.topology.nodes.len()).filter(|k| graph.topology.keeps(NodeId(*k as u32))).count();
        assert!(nodes > 30 && edges > nodes, "{nodes} nodes, {edges} edges");
    }
}

#[test]
fn walks_start_and_stop_in_the_component() {
    for rule in [Rule::Regions, Rule::Minima] {
        let (rig, takes) = takes(&WALKS);
        let graph = BuildGraph { rule, ..BuildGraph::default() }.run(&rig, &takes).unwrap();
        let speed = |name: &str, frame: u32| {
            let take = graph.takes.iter().find(|take| take.clip.name() == name).unwrap();
            let frame = frame as usize;
            let span = frame.saturating_sub(2)..(frame + 2).min(take.clip.frames() - 1);
            let step = take.clip.roots()[span.end].translation - take.clip.roots()[span.start].translation;
            floor::of_point(step).length() * 30.0 / span.len() as f32
        };
        for image in ["", " mirrored"] {
            let start = format!("16_31{image}");
            let stop = format!("16_33{image}");
            let (first, _) = kept(&graph, &start).unwrap();
            let (_, last) = kept(&graph, &stop).unwrap();
            assert!(speed(&start, first) < 0.3, "{rule:?}: it starts at {} m/s", speed(&start, first));
            assert!(speed(&stop, last) < 0.3, "{rule:?}: it stops at {} m/s", speed(&stop, last));
        }
    }
}

#[test]
fn threads_change_nothing() {
    let (rig, takes) = takes(&["16_15", "16_17", "16_36", "16_11", "16_31", "16_33", "16_58", "16_47"]);
    let build = || BuildGraph::default().run(&rig, &takes).unwrap();
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(build);
    let one = on(1);
    assert!(one == on(2), "one thread and two");
    // And passing over what cannot be near is only faster.
    assert!(
        one.transitions == BuildGraph { skip: false, ..BuildGraph::default() }.run(&rig, &takes).unwrap().transitions,
        "skipping"
    );
}

#[test]
fn adding_is_building() {
    let (rig, takes) = takes(&["16_15", "16_17", "16_58", "16_47"]);
    let some = BuildGraph::default().run(&rig, &takes[..5]).unwrap();
    let threshold = Some(some.chosen.threshold);
    let added = BuildGraph::add(some, &takes[5..], &|_, _| {}).unwrap();
    let whole = BuildGraph { threshold, ..BuildGraph::default() }.run(&rig, &takes).unwrap();
    assert!(
        added.transitions == whole.transitions,
        "{} and {} transitions",
        added.transitions.len(),
        whole.transitions.len()
    );
    assert!(added.topology == whole.topology && added.takes == whole.takes, "what holds together");
    // Taking one out is as if it had never been there.
    let mut fewer = takes.clone();
    fewer.remove(2);
    let never = BuildGraph { threshold, ..BuildGraph::default() }.run(&rig, &fewer).unwrap();
    assert!(whole.without(2).transitions == never.transitions, "{} transitions", never.transitions.len());
}

#[test]
fn only_pairs_that_are_asked_for_are_joined() {
    let (rig, takes) = takes(&["16_15", "16_47"]);
    let all = BuildGraph { threshold: Some(0.06), ..BuildGraph::default() }.run(&rig, &takes).unwrap();
    let pairs = Some(vec![(2, 0), (1, 1)]);
    let some =
        BuildGraph { threshold: Some(0.06), anim_pairs: pairs, ..BuildGraph::default() }.run(&rig, &takes).unwrap();
    let fits = |a: u32, b: u32| matches!((a, b), (0, 2) | (2, 0) | (1, 1));
    let expected: Vec<_> = all.transitions.iter().copied().filter(|t| fits(t.from.take, t.to.take)).collect();
    assert!(!expected.is_empty() && expected.len() < all.transitions.len(), "some, not all");
    assert_eq!(some.transitions, expected);
}

/// A blend with what is played before and after it, about `around` frames.
fn in_context(graph: &MotionGraph, blend: EdgeId, around: usize) -> Vec<EdgeId> {
    let topology = &graph.topology;
    let own = |node: NodeId| topology.leaving(node).find(|(_, edge)| edge.play == Play::Take);
    let edge = &topology.edges[blend.index()];
    let mut edges = vec![blend];
    let (mut node, mut frames) = (edge.from, 0);
    while frames < around && node.0 > 0 {
        let before = NodeId(node.0 - 1);
        let Some((id, way)) = own(before).filter(|(_, way)| way.to == node) else { break };
        frames += graph.edge_frames(way);
        edges.insert(0, id);
        node = before;
    }
    let (mut node, mut frames) = (edge.to, 0);
    while frames < around {
        let Some((id, way)) = own(node) else { break };
        frames += graph.edge_frames(way);
        edges.push(id);
        node = way.to;
    }
    edges
}

/// Greatest turn of each joint from frame to frame, radians, and greatest step of the root to a side, metres.
fn steps(clip: &Clip, frames: std::ops::Range<usize>) -> (Vec<f32>, f32) {
    let mut turns = vec![0.0_f32; clip.joints()];
    let mut aside = 0.0_f32;
    for frame in frames {
        let (before, now) = (clip.frame(frame - 1), clip.frame(frame));
        for ((turn, before), now) in turns.iter_mut().zip(before).zip(now) {
            *turn = turn.max(quat::angle_between(before.rotation, now.rotation));
        }
        let [from, to] = [frame - 1, frame].map(|frame| FloorPose::below(clip.roots()[frame]).unwrap());
        let half_way = from.heading + 0.5 * wrap_angle(to.heading - from.heading);
        aside = aside.max(floor::turned(to.position - from.position, -half_way).x.abs());
    }
    (turns, aside)
}

/// Greatest drift of heel or ball in closed stances, metres: while they stand still, and from when they are slow until they leave,
/// which is for how long they are held.
#[derive(Clone, Copy, Debug, Default)]
struct Drift {
    still: f32,
    held: f32,
}

impl Drift {
    /// Of stances of which only that they are there is known.
    fn of(rig: &Rig, clip: &Clip, standing: &[Vec<StanceFrames>]) -> Self {
        let most = |find: FindStances| {
            let take = Take { stances: find.run_in(rig, clip, standing), ..Take::from(clip.clone()) };
            slides(rig, &take, Footing::default()).first().map_or(0.0, |slide| slide.drift)
        };
        let held = FindStances::default();
        Self { still: most(FindStances { settles_within: 0.0, ..held }), held: most(held) }
    }

    fn max(self, other: Self) -> Self {
        Self { still: self.still.max(other.still), held: self.held.max(other.held) }
    }
}

#[test]
fn every_edge_can_be_played() {
    let graph = walks();
    let rig = &graph.rig;
    let mut own_turns = vec![0.0_f32; rig.skeleton.len()];
    let (mut own_aside, mut own_drift) = (0.0_f32, Drift::default());
    for take in &graph.takes {
        let (turns, aside) = steps(&take.clip, 1..take.clip.frames());
        own_turns.iter_mut().zip(turns).for_each(|(own, turn)| *own = own.max(turn));
        own_aside = own_aside.max(aside);
        let only =
            |s: &surefoot::motion::Stance| StanceFrames { whole: s.frames(&take.clip).whole, heel: 0..0, ball: 0..0 };
        let spans = |leg| stance::of_leg(&take.stances, leg).map(only).collect();
        let standing: Vec<Vec<_>> = rig.legs().map(|(leg, _)| spans(leg)).collect();
        own_drift = own_drift.max(Drift::of(rig, &take.clip, &standing));
    }
    let topology = &graph.topology;
    let blends: Vec<EdgeId> = (0..topology.edges.len() as u32)
        .map(EdgeId)
        .filter(|id| {
            matches!(topology.edges[id.index()].play, Play::Blend(_))
                && topology.keeps_edge(&topology.edges[id.index()])
        })
        .collect();
    assert!(blends.len() > 5000, "{} blends", blends.len());
    blends.par_iter().for_each(|blend| {
        let played = graph.play(FloorPose::ORIGIN, &in_context(&graph, *blend, 20));
        let seam = played.seams[0].frame;
        let transition = graph.transitions[played.seams[0].transition as usize];
        let (turns, aside) = steps(&played.clip, seam + 1..seam + graph.settings.blend_frames());
        for (joint, (turn, own)) in turns.iter().zip(&own_turns).enumerate() {
            let name = &rig.skeleton.names()[joint];
            assert!(*turn <= 1.2 * own + 1e-4, "{transition:?}: {name} turns {turn} in a frame, {own} in the clips");
        }
        assert!(aside <= own_aside, "{transition:?}: {aside} m to a side in a frame, {own_aside} in the clips");
        let slid = Drift::of(rig, &played.clip, &played.standing_only());
        assert!(
            slid.still < own_drift.still + 0.005,
            "{transition:?}: a foot slides {slid:?}, {own_drift:?} in the clips"
        );
        // Two heels that come down half a frame apart make one that comes down more slowly.
        assert!(
            slid.held < own_drift.held + 0.0075,
            "{transition:?}: a foot slides {slid:?}, {own_drift:?} in the clips"
        );
    });
}

#[test]
fn ten_minutes_at_random_never_get_stuck_and_feet_stand() {
    let graph = walks();
    let edges = Wander { seconds: 600.0, seed: Seed(11), ..Wander::default() }.run(&graph);
    let walked = WalkGraph::default().run(&graph, FloorPose::ORIGIN, &edges);
    assert!(walked.take.clip.frames() >= 18_000, "{} frames", walked.take.clip.frames());
    assert!(walked.seams.len() > 200, "{} blends", walked.seams.len());
    let figures = walked.measure(&graph, Footing::default());
    assert!(figures.after.drift.max < 1e-3, "{:?}", figures.after.drift);
    assert!(figures.after.float.p95 < 5e-3 && figures.after.penetration.p95 < 5e-3, "{:?}", figures.after);
    let played = graph.play(FloorPose::ORIGIN, &edges);
    let raw = Drift::of(&graph.rig, &played.clip, &played.standing_only());
    assert!(raw.still < 0.025, "{raw:?}");
    // Feet are held from when they are slow, and slide a little until they stand.
    assert!(figures.before.drift.max < 0.032, "{:?}", figures.before.drift);
    // Against what 999 of 1000 frames of the clips do.
    assert!(figures.joints.speed.ratio < 1.3 && figures.joints.acceleration.ratio < 1.5, "{:?}", figures.joints);
    // Legs take turns: hardly ever does one stand twice while the other does not move.
    let [left, right] = [0, 1].map(|leg| walked.take.stances.iter().filter(|s| s.leg().index() == leg).count());
    assert!(left > 400 && left.abs_diff(right) < left / 20, "{left} left, {right} right");
    // The same seed walks the same way.
    assert_eq!(edges, Wander { seconds: 600.0, seed: Seed(11), ..Wander::default() }.run(&graph));
}

#[test]
fn what_holds_nothing_together_says_so() {
    let (rig, takes) = takes(&["16_15"]);
    let lone = BuildGraph { threshold: Some(1e-6), ..BuildGraph::default() }.run(&rig, &takes[..1]).unwrap();
    assert!(!lone.topology.is_connected() && Wander::default().run(&lone).is_empty(), "nowhere to go");
    let short = Take::from(takes[0].clip.trimmed(0..3));
    let short = BuildGraph::default().run(&rig, &[short]).unwrap();
    assert!(short.transitions.is_empty(), "too short for a window");
    for (build, field) in [
        (BuildGraph { rate: 0.0, ..BuildGraph::default() }, "rate"),
        (BuildGraph { threshold: Some(f32::NAN), ..BuildGraph::default() }, "threshold"),
        (BuildGraph { blend: 0.01, ..BuildGraph::default() }, "blend"),
        (BuildGraph { weights: Some(vec![1.0]), ..BuildGraph::default() }, "number of weights"),
    ] {
        let error = build.run(&rig, &takes).unwrap_err().to_string();
        assert!(error.starts_with(field), "{error}");
    }
    assert!(BuildGraph::default().run(&rig, &[]).is_err(), "no clips");
}

#[test]
fn a_chosen_threshold_gives_ways_on_or_all_that_there_are() {
    for clips in [&["16_11", "16_13", "16_15", "16_17", "16_19", "16_31", "16_33"][..], &["47_01"]] {
        let imports: Vec<_> = clips.iter().map(|name| embedded::find(name).unwrap().import()).collect();
        let gather = Gather::default();
        let rig = gather.rig(&imports[0].skeleton, None, &[&imports[0].clips[0]]).unwrap();
        let takes: Vec<Take> = imports
            .iter()
            .flat_map(|import| {
                let take = gather.run(&rig, &import.clips[0], &rig).unwrap().take;
                let mirrored = take.mirrored(&rig);
                [Some(take), mirrored].into_iter().flatten()
            })
            .collect();
        let graph = BuildGraph::default().run(&rig, &takes).unwrap();
        let blends = graph.blend_poses() / (graph.settings.blend_frames() - 1);
        let frames = graph.topology.components()[0].frames;
        let all = graph.chosen.threshold >= graph.chosen.ceiling;
        assert!(all || 2 * blends >= 7 * frames, "{blends} blends for {frames} frames, {:?}", graph.chosen);
        assert!(graph.chosen.threshold <= graph.chosen.ceiling, "{:?}", graph.chosen);
    }
}

/// A graph's walk on a body of other proportions stands as it was told: what its takes hold is held through blends.
#[test]
fn walks_on_other_bodies_are_measured_as_they_were_told() {
    let graph = embedded::graph();
    for file in ["kaykit_Knight", "RobotExpressive"] {
        let path = format!("{}/../../assets/characters/{file}.glb", env!("CARGO_MANIFEST_DIR"));
        let loaded = surefoot_io::load_character(path).unwrap();
        let build = Build::new(loaded.character.rig.clone(), None);
        let graph = Retarget::default().run_graph(&graph, &build).unwrap().graph;
        let edges = Wander { seconds: 120.0, seed: Seed(5), ..Wander::default() }.run(&graph);
        let walked = WalkGraph::default().run(&graph, FloorPose::ORIGIN, &edges);
        let told = walked.measure(&graph, Footing::default()).after.drift;
        let measured = Study::default().run_on(graph.rig.clone(), &walked.take.clip).figures.drift;
        assert!((told.p95 - measured.p95).abs() < 1e-4, "{file}: {told:?} was told, {measured:?} is measured");
        assert!((told.max - measured.max).abs() < 1e-4, "{file}: {told:?} was told, {measured:?} is measured");
    }
}
