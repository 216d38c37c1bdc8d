//! Graphs of real clips: the same whichever way they come about, on one body only.

#![cfg(feature = "embedded")]

use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::math::Rigid;
use surefoot::motion::{Clip, Take};
use surefoot::rig::{Joint, ManyLegs, Rig, Skeleton};
use surefoot::stages::Trajectories;
use surefoot::systems::{Gather, GatherError};
use surefoot_io::{embedded, graph_file};

fn clips(names: &[&str]) -> (Skeleton, Vec<Clip>) {
    let mut imports = names.iter().map(|name| embedded::find(name).unwrap().import());
    let first = imports.next().unwrap();
    let mut clips = first.clips;
    clips.extend(imports.flat_map(|import| import.clips));
    (first.skeleton, clips)
}

fn gathered(names: &[&str]) -> (Rig, Vec<Take>) {
    let (skeleton, clips) = clips(names);
    let gather = Gather::default();
    let rig = gather.rig(&skeleton, None, &clips.iter().collect::<Vec<_>>()).unwrap();
    let takes = clips.iter().map(|clip| gather.run(&rig, clip, &rig).unwrap().take).collect();
    (rig, takes)
}

const WALKS: [&str; 5] = ["16_11", "16_15", "16_17", "16_31", "16_58"];

/// The skeleton with every bone longer or shorter.
fn scaled(skeleton: &Skeleton, by: f32) -> Skeleton {
    let joints = skeleton.joints().map(|joint| {
        let rest = skeleton.rest()[joint.index()];
        let rest = Rigid { translation: rest.translation * by, ..rest };
        Joint::new(skeleton.name(joint), skeleton.parent(joint).map(|parent| parent.index()), rest)
    });
    Skeleton::new(joints.collect()).unwrap().with_pelvis(skeleton.pelvis())
}

#[test]
fn a_real_graph_comes_back_from_its_file() {
    let (rig, mut takes) = gathered(&WALKS);
    let mirrored: Vec<Take> = takes.iter().map(|take| take.mirrored(&rig).unwrap()).collect();
    takes.extend(mirrored);
    let graph = BuildGraph::default().run(&rig, &takes).unwrap();
    let bytes = graph_file::write(&graph);
    let back = graph_file::read(&bytes).unwrap();
    assert_eq!(back, graph);
    assert_eq!(graph_file::write(&back), bytes, "bit for bit");
    for (a, b) in back.takes.iter().zip(&graph.takes) {
        assert_eq!(a.clip.digest(), b.clip.digest(), "{}", a.clip.name());
    }
    assert_eq!(back.misfits(usize::MAX), [], "distances are what they are said to be");
    let (first, second) = (back.chosen, graph.chosen);
    assert_eq!((first.threshold.to_bits(), first.given), (second.threshold.to_bits(), false), "kept in the file");
}

#[test]
fn adding_is_building_at_the_same_threshold() {
    let (rig, takes) = gathered(&WALKS);
    for (anim_pairs, threshold) in [(None, None), (Some(vec![(0, 1), (1, 1)]), Some(0.06))] {
        let settings = BuildGraph { anim_pairs, threshold, ..BuildGraph::default() };
        let few = settings.run(&rig, &takes[..3]).unwrap();
        // By way of a file, as the command does.
        let few = graph_file::read(&graph_file::write(&few)).unwrap();
        let threshold = few.chosen.threshold;
        let more = BuildGraph::add(few, &takes[3..], &|_, _| {}).unwrap();
        let all = BuildGraph { threshold: Some(threshold), ..more.settings.clone() }.run(&rig, &takes).unwrap();
        assert!(all.transitions.iter().any(|t| t.from.take >= 3 && t.to.take < 3), "something new is joined");
        assert_eq!(more.transitions, all.transitions);
        assert_eq!((&more.topology, &more.takes), (&all.topology, &all.takes));
        // And taking away again gives what was there, but for the pairs of what is gone.
        let back = more.without(4).without(3);
        let few = settings.run(&rig, &takes[..3]).unwrap();
        assert_eq!((back.transitions, back.topology), (few.transitions, few.topology));
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (rig, takes) = gathered(&WALKS);
    let build = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| graph_file::write(&BuildGraph::default().run(&rig, &takes).unwrap()))
    };
    let one = build(1);
    assert!(one == build(2) && one == build(5), "the same bytes");
}

#[test]
fn other_bodies_are_carried_over_and_other_numbers_of_legs_refused() {
    let (skeleton, clips) = clips(&["16_15"]);
    let gather = Gather::default();
    let rig = gather.rig(&skeleton, None, &[&clips[0]]).unwrap();
    let own = gather.run(&rig, &clips[0], &rig).unwrap();
    assert_eq!((own.rounds, own.carried), (1, None));

    // Onto a child and back again from it: the same take but for what lengths change.
    let child_skeleton = scaled(&skeleton, 0.5);
    let small = Clip::new(&child_skeleton, "small", clips[0].rate(), {
        let frames = (0..clips[0].frames()).flat_map(|frame| clips[0].frame(frame).to_vec());
        frames.map(|local| Rigid { translation: local.translation * 0.5, ..local }).collect()
    });
    let small = small.unwrap();
    let child = gather.rig(&child_skeleton, None, &[&small]).unwrap();
    let carried = gather.run(&child, &small, &rig).unwrap();
    assert!((carried.carried.unwrap() - 0.5).abs() < 1e-3, "{:?}", carried.carried);
    assert_eq!(carried.take.clip.skeleton(), skeleton.key());
    let (a, b) = (&own.take, &carried.take);
    assert_eq!(a.stances.len(), b.stances.len(), "as many stances");
    let off = a.clip.roots().iter().zip(b.clip.roots()).map(|(a, b)| (a.translation - b.translation).length());
    assert!(off.fold(0.0, f32::max) < 0.02, "the same way");
    // A graph takes it in like any other.
    let graph = BuildGraph::default().run(&rig, &[own.take, carried.take]).unwrap();
    assert!(graph.transitions.iter().any(|t| t.from.take != t.to.take), "they are joined");

    // A body that is built in another way: its thumbs are called tails, which changes nothing of how it walks.
    let mut joints: Vec<Joint> = skeleton
        .joints()
        .map(|joint| {
            let parent = skeleton.parent(joint).map(|parent| parent.index());
            Joint::new(skeleton.name(joint), parent, skeleton.rest()[joint.index()])
        })
        .collect();
    let thumb = joints.iter().position(|joint| joint.name.contains("Thumb")).expect("a thumb");
    joints[thumb].name = "Tail".into();
    let stranger = Skeleton::new(joints).unwrap();
    let frames = (0..clips[0].frames()).flat_map(|frame| clips[0].frame(frame).to_vec());
    let strange = Clip::new(&stranger, "strange", clips[0].rate(), frames.collect()).unwrap();
    let body = gather.rig(&stranger, None, &[&strange]).unwrap();
    let carried = gather.run(&body, &strange, &rig).unwrap().take;
    let own = gather.run(&rig, &clips[0], &rig).unwrap().take;
    assert_eq!(carried.stances.len(), own.stances.len(), "as many stances");
    let ankle = rig.legs[0].ankle();
    let [a, b] = [&own, &carried].map(|take| Trajectories::new(&skeleton, &take.clip));
    let off = (0..a.frames()).map(|f| (a.point(f, ankle) - b.point(f, ankle)).length());
    assert!(off.fold(0.0, f32::max) < 0.02, "the same walk");

    let six = ManyLegs::default().run();
    let error = gather.run(&rig, &clips[0], &six).unwrap_err();
    assert!(matches!(error, GatherError::Retarget(_)) && error.to_string().contains("2 legs"), "{error}");
}

#[test]
fn one_pose_is_no_take_and_cycles_are_played_three_times() {
    let (skeleton, clips) = clips(&["16_15"]);
    let gather = Gather::default();
    let rig = gather.rig(&skeleton, None, &[&clips[0]]).unwrap();
    let still = Clip::new(&skeleton, "T-pose", 30.0, skeleton.rest().repeat(20)).unwrap();
    assert_eq!(gather.run(&rig, &still, &rig), Err(GatherError::Still));
    assert_eq!(gather.run(&rig, &clips[0].trimmed(3..4), &rig), Err(GatherError::Still));
    // A stretch of walking that is said to be a cycle.
    let mut stride = clips[0].trimmed(40..110);
    stride.extract_root(&skeleton);
    let travel = stride.roots()[0].inverse() * stride.roots()[69];
    let frames = stride.frames();
    let gathered = gather.run(&rig, &stride.with_cycle(Some(travel)), &rig).unwrap();
    assert_eq!((gathered.rounds, gathered.take.clip.frames()), (3, 3 * frames));
    let roots = gathered.take.clip.roots();
    let gone = (roots[3 * frames - 1].translation - roots[0].translation).length();
    assert!(gone > 2.5 * travel.translation.length(), "{gone} m over three rounds of {}", travel.translation.length());
}

#[test]
fn a_distance_that_is_not_true_is_found() {
    let (rig, takes) = gathered(&WALKS[..2]);
    let graph: MotionGraph = BuildGraph::default().run(&rig, &takes).unwrap();
    let mut wrong = graph.clone();
    wrong.transitions[7].distance *= 0.5;
    let misfits = wrong.misfits(usize::MAX);
    assert_eq!(misfits.len(), 1);
    let measured = misfits[0].measured.unwrap();
    assert!(misfits[0].transition == 7 && (measured - graph.transitions[7].distance).abs() < 1e-4, "{misfits:?}");
}
