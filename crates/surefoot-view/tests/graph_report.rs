//! What motion graphs of real clips can do, in figures, words and pictures.

use surefoot::analyse::{Study, find_rig};
use surefoot::library::graph::{BuildGraph, MotionGraph};
use surefoot::math::{FloorPose, Rigid, wrap_angle};
use surefoot::motion::{Clip, StanceFrames, Take};
use surefoot::rig::Rig;
use surefoot::stages::{Advice, Report, Rule};
use surefoot::stages::{Capabilities, EdgeId, NodeId, Stops, Why};
use surefoot_io::embedded;
use surefoot_view::{graph_picture, graph_report};

fn takes(names: &[&str]) -> (Rig, Vec<Take>) {
    let imports: Vec<_> = names.iter().map(|name| embedded::find(name).unwrap().import()).collect();
    let clips: Vec<&Clip> = imports.iter().map(|import| &import.clips[0]).collect();
    let rig = find_rig(&imports[0].skeleton, &clips).unwrap();
    let take = |clip: &&Clip| Study::default().run_on(rig.clone(), clip).take.levelled(&rig);
    let takes = clips.iter().map(take).collect();
    (rig, takes)
}

fn mirrored(rig: &Rig, takes: Vec<Take>) -> Vec<Take> {
    let mirrors: Vec<Take> = takes.iter().map(|take| take.mirrored(rig).unwrap()).collect();
    takes.into_iter().chain(mirrors).collect()
}

fn build(rig: &Rig, takes: &[Take]) -> MotionGraph {
    BuildGraph::default().run(rig, takes).unwrap()
}

/// The take with one frame held for some more.
fn held(rig: &Rig, take: &Take, at: usize, count: usize) -> Take {
    let source = |frame: usize| if frame <= at { frame } else { frame.saturating_sub(count).max(at) };
    let frames = take.clip.frames() + count;
    let locals: Vec<Rigid> = (0..frames).flat_map(|frame| take.clip.frame(source(frame)).to_vec()).collect();
    let mut clip = Clip::new(&rig.skeleton, "held", take.clip.rate(), locals).unwrap();
    for (frame, root) in clip.roots_mut().iter_mut().enumerate() {
        *root = take.clip.roots()[source(frame)];
    }
    let later = |frame: usize| if frame > at { frame + count } else { frame };
    let mut stances = take.stances.clone();
    for stance in &mut stances {
        let StanceFrames { mut whole, mut heel, mut ball } = stance.frames(&take.clip);
        for span in [&mut whole, &mut heel, &mut ball] {
            *span = later(span.start)..later(span.end);
        }
        stance.set_frames(&StanceFrames { whole, heel, ball }, clip.rate());
    }
    Take { stances, ..Take::from(clip) }
}

#[test]
fn travels_are_where_playing_ends() {
    let (rig, takes) = takes(&["16_15", "16_17"]);
    let graph = build(&rig, &takes);
    let travels = graph.travels();
    assert_eq!(travels.len(), graph.topology.edges.len(), "one for each edge");
    // A walk that takes another edge each time.
    let mut node = (0..graph.topology.nodes.len() as u32).map(NodeId).find(|n| graph.topology.keeps(*n)).unwrap();
    let mut edges = Vec::new();
    let mut at = FloorPose::ORIGIN;
    for k in 0..60 {
        let ways: Vec<EdgeId> = graph.topology.kept_leaving(node).map(|(id, _)| id).collect();
        let edge = ways[(7 * k) % ways.len()];
        at = at.then(travels[edge.index()]);
        node = graph.topology.edges[edge.index()].to;
        edges.push(edge);
    }
    let played = graph.play(FloorPose::ORIGIN, &edges);
    let end = FloorPose::below(*played.clip.roots().last().unwrap()).unwrap();
    assert!((end.position - at.position).length() < 1e-3, "{end:?} is not {at:?}");
    assert!(wrap_angle(end.heading - at.heading).abs() < 1e-3, "{end:?} is not {at:?}");
}

#[test]
fn mirrors_make_turning_even() {
    let (rig, takes) = takes(&["16_15", "16_17", "16_31"]);
    let found = Report::default().run(&build(&rig, &mirrored(&rig, takes)));
    let (left, right) = (found.left.fastest.as_ref().unwrap(), found.right.fastest.as_ref().unwrap());
    let close = |a: f32, b: f32, by: f32| (a - b).abs() <= by * a.abs().max(b.abs());
    assert!(close(left.turn_rate(), -right.turn_rate(), 0.05), "{} and {}", left.turn_rate(), right.turn_rate());
    let (left, right) = (found.left.tightest.as_ref().unwrap(), found.right.tightest.as_ref().unwrap());
    assert!(close(left.radius(), right.radius(), 0.1), "{} and {}", left.radius(), right.radius());
    let turning = found.turning.unwrap();
    assert!(close(turning.least, -turning.most, 0.02), "{turning:?}");
    for pair in found.turns.chunks(2) {
        let [left, right] = [pair[0], pair[1]].map(|turn| turn.seconds.unwrap().mean);
        assert!(close(left, right, 0.1), "{left} and {right} s by {}", pair[0].angle);
    }
    let uneven = |advice: &Advice| matches!(advice, Advice::NoTurn { .. } | Advice::WideTurn { .. });
    assert!(!found.advice.iter().any(uneven), "{:?}", found.advice);
}

#[test]
fn a_straight_walk_cannot_turn() {
    let (rig, takes) = takes(&["16_15"]);
    let found = Report::default().run(&build(&rig, &takes));
    assert_eq!((&found.left.fastest, &found.right.fastest), (&None, &None), "no circle");
    assert!(!found.turns.is_empty() && found.turns.iter().all(|turn| turn.seconds.is_none()), "{:?}", found.turns);
    let none = found.advice.iter().filter(|advice| matches!(advice, Advice::NoTurn { mirror: false, .. }));
    assert_eq!(none.count(), 2, "{:?}", found.advice);
    assert!(found.advice.iter().any(|advice| matches!(advice, Advice::NoStop { .. })), "{:?}", found.advice);
    assert!(!found.stands, "and no walk of it stops");
    let (fastest, slowest) = (found.fastest.unwrap().speed(), found.slowest.unwrap().speed());
    assert!((0.9..1.3).contains(&slowest) && slowest <= fastest, "{slowest} to {fastest} m/s");
}

#[test]
fn loops_turn_as_told_when_they_are_played() {
    let (rig, takes) = takes(&["16_15", "16_17", "16_19"]);
    let graph = build(&rig, &takes);
    let found = Report::default().run(&graph);
    for round in [found.left.fastest.unwrap(), found.right.tightest.unwrap(), found.fastest.unwrap()] {
        let rounds: Vec<EdgeId> = round.edges.iter().copied().cycle().take(4 * round.edges.len()).collect();
        let clip = graph.play(FloorPose::ORIGIN, &rounds).clip;
        assert_eq!(clip.frames() - 1, (4.0 * round.seconds * clip.rate()).round() as usize, "as long as told");
        let mut turn = 0.0;
        for pair in clip.roots().windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|root| FloorPose::below(root).unwrap().heading);
            turn += wrap_angle(b - a);
        }
        assert!((turn - 4.0 * round.turn).abs() < 0.02, "{turn} is not four times {}", round.turn);
    }
}

#[test]
fn standing_is_found() {
    let graph = embedded::graph();
    let found = Report { area: None, ..Report::default() }.run(&graph);
    assert!(found.stands && graph.stands());
    let Some(Stops { stays, longest, stop, start, .. }) = found.stops else { panic!("it stands: {:?}", found.slowest) };
    assert!(stays && longest > 0.2, "stands for {longest} s");
    let (stop, start) = (stop.unwrap(), start.unwrap());
    assert!(stop.least < stop.mean && stop.mean <= stop.most && start.least > 0.0, "{stop:?} {start:?}");
    let stuck = |advice: &Advice| matches!(advice, Advice::NoStop { .. } | Advice::NoStay { .. });
    assert!(!found.advice.iter().any(stuck), "{:?}", found.advice);
}

#[test]
fn who_is_held_in_the_middle_of_a_step_does_not_stand() {
    let (rig, takes) = takes(&["16_15", "16_47"]);
    let held = held(&rig, &takes[0], 110, 240);
    let graph = build(&rig, &[takes[0].clone(), takes[1].clone(), held]);
    let found = Report { area: None, ..Report::default() }.run(&graph);
    assert!(!graph.stands() && !found.stands && found.stops.is_none(), "one foot is in the air: {:?}", found.stops);
    assert!(found.advice.iter().any(|advice| matches!(advice, Advice::NoStop { .. })), "{:?}", found.advice);
}

#[test]
fn thresholds_that_are_told_bring_takes_in() {
    let (rig, takes) = takes(&["16_15", "16_47", "16_17", "16_21"]);
    let tight = BuildGraph { threshold: Some(0.03), ..BuildGraph::default() };
    let found = Report { area: None, seek: Some(4.0), ..Report::default() }.run(&tight.run(&rig, &takes).unwrap());
    let mut told = 0;
    for (k, missing) in found.advice.iter().filter_map(|advice| match advice {
        Advice::LeftOut(missing) => {
            Some((found.takes.iter().position(|take| take.name == missing.name).unwrap(), missing))
        }
        _ => None,
    }) {
        assert_eq!(found.takes[k].kept, 0.0, "{missing} is left out");
        let Why::Far(from) = missing.why else { continue };
        assert!(from >= 0.03, "{missing} is farther than the threshold");
        let at = |threshold| {
            let settings = BuildGraph { threshold: Some(threshold), ..BuildGraph::default() };
            let report = Report { area: None, seek: None, ..Report::default() };
            report.run(&settings.run(&rig, &takes).unwrap()).takes[k].kept
        };
        assert!(at(from * 1.001) > 0.0, "{missing}");
        told += 1;
    }
    assert!(told > 0, "{:?}", found.advice);
}

#[test]
fn reports_do_not_depend_on_threads_or_on_when_they_are_made() {
    let (rig, takes) = takes(&["16_15", "16_17"]);
    let graph = build(&rig, &takes);
    let report = Report { moves: 200_000, ..Report::default() };
    let once = report.run(&graph);
    assert_eq!(report.run(&graph), once, "the same twice");
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| report.run(&graph)), once, "the same on {threads} threads");
    }
}

#[test]
fn coverage_grows_with_time_and_stays_in_the_room() {
    let (rig, takes) = takes(&["16_15", "16_17", "16_19"]);
    let graph = build(&rig, &takes);
    let found = Report { moves: 500_000, ..Report::default() }.run(&graph);
    let coverage = found.coverage.unwrap();
    assert_eq!(coverage.reached.len(), 20 * 20 * 16, "a time for each cell and heading");
    for pair in coverage.within.windows(2) {
        assert!(pair[0].cells <= pair[1].cells && pair[0].headings <= pair[1].headings, "{pair:?}");
    }
    let (cells, headings) = coverage.lasting_share();
    assert!(cells >= headings && cells > 0.5, "{cells} of cells, {headings} with headings");
    for (lasting, reached) in coverage.lasting.iter().zip(&coverage.reached) {
        assert!(!lasting || reached.is_finite(), "what lasts was reached");
    }
    // A closet is too small to walk in.
    let closet = Report { area: Some(0.6), cell: 0.3, ..Report::default() }.run(&graph).coverage.unwrap();
    assert_eq!(closet.lasting_share(), (0.0, 0.0), "no way to walk on in a closet");
}

/// Everything that is printed and drawn of a report, without a panic.
fn show(graph: &MotionGraph, found: &Capabilities) -> String {
    let text = graph_report::text(found);
    let json = graph_report::json(found);
    assert!(json["advice"].is_array() && json["takes"].is_array(), "{json}");
    for svg in [graph_picture::graph(graph), graph_picture::report(found)] {
        assert!(svg.finish().ends_with("</svg>\n"), "whole");
        assert!(!svg.finish().contains("NaN") && !svg.finish().contains("inf"), "numbers only");
        assert!(svg.png().starts_with(b"\x89PNG"), "renders");
    }
    text
}

#[test]
fn a_graph_without_a_component_is_reported() {
    let (rig, takes) = takes(&["69_17"]);
    let graph = build(&rig, &takes);
    assert!(!graph.topology.is_connected(), "nothing leads back");
    let found = Report::default().run(&graph);
    assert!(matches!(found.advice[..], [Advice::NoComponent { .. }]), "{:?}", found.advice);
    assert!(show(&graph, &found).contains("raise it"), "says what to do");
    // Shorter than a window.
    let short = Take::from(takes[0].clip.resampled(1.0));
    let graph = build(&rig, &[short]);
    show(&graph, &Report::default().run(&graph));
}

#[test]
fn reports_are_shown() {
    let (rig, takes) = takes(&["16_15", "16_17", "16_36"]);
    let graph = BuildGraph { rule: Rule::Minima, ..BuildGraph::default() }.run(&rig, &takes).unwrap();
    let text = show(&graph, &Report::default().run(&graph));
    for label in ["component", "speeds", "left turns", "turn by 180°", "room"] {
        assert!(text.contains(label), "{label} is missing:\n{text}");
    }
}

#[test]
fn similarity_is_drawn_with_its_transitions() {
    let (rig, takes) = takes(&["16_15", "16_47"]);
    let graph = build(&rig, &takes);
    let own = graph_picture::distances(&graph, [0, 0]);
    let windows = own.size[0];
    assert!((0..windows).all(|k| own.distances[k * windows + k] < 1e-3), "a clip is like itself");
    let both = graph_picture::distances(&graph, [0, 1]);
    assert!(!both.transitions.is_empty(), "walks meet");
    // Blends start and end on pairs that are under the threshold.
    let last = both.blend as u32 - 1;
    for transition in both.transitions.iter().filter(|t| t.from.take == 0) {
        for k in [0, last] {
            let [row, column] =
                [transition.from.frame + k, transition.to.frame - last + k].map(|frame| frame as usize - both.half);
            let distance = both.distances[row * both.size[1] + column];
            assert!(distance <= both.threshold + 1e-5, "{distance} m at {row}, {column}");
        }
    }
    let svg = both.draw();
    assert!(svg.finish().contains("data:image/png;base64,"), "the matrix is an image");
    assert!(svg.png().starts_with(b"\x89PNG"), "renders");
}
