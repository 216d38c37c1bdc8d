//! A graph in words and as JSON.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;
use surefoot::library::graph::MotionGraph;
use surefoot::stages::Rule;
use surefoot::stages::{Component, NodeId};
use surefoot_view::report::row;

/// The part of a clip that is in the largest component, frames from and to.
type Span = Option<(u32, u32)>;

/// For each clip, its part in the largest component. It is one piece: what lies between two nodes of a component on the same
/// take is in it as well.
pub(super) fn spans(graph: &MotionGraph) -> Vec<Span> {
    let mut spans: Vec<Span> = vec![None; graph.takes.len()];
    for (k, node) in graph.topology.nodes.iter().enumerate() {
        if graph.topology.keeps(NodeId(k as u32)) {
            let span = &mut spans[node.take as usize];
            *span = Some((span.map_or(node.frame, |(first, _)| first), node.frame));
        }
    }
    spans
}

/// Nodes and edges of the largest component, and its share of what can be kept.
struct Kept {
    component: Component,
    edges: usize,
    usable: usize,
    share: f32,
}

fn kept(graph: &MotionGraph) -> Kept {
    let topology = &graph.topology;
    let component = topology.components().first().copied().filter(|_| topology.is_connected()).unwrap_or_default();
    let frames: Vec<usize> = graph.takes.iter().map(|take| take.clip.frames()).collect();
    let usable = graph.settings.usable(&frames);
    let edges = topology.edges.iter().filter(|edge| topology.keeps_edge(edge)).count();
    Kept { component, edges, usable, share: component.frames as f32 / usable.max(1) as f32 }
}

/// Components other than the largest, of more than one node.
fn others(graph: &MotionGraph) -> Vec<Component> {
    graph.topology.components().iter().skip(1).copied().filter(|component| component.nodes > 1).collect()
}

fn rule(graph: &MotionGraph) -> &'static str {
    match graph.settings.rule {
        Rule::Regions => "regions",
        Rule::Minima => "minima",
    }
}

/// More clips than this are not listed one by one.
const LISTED: usize = 100;

/// A graph as lines for people.
pub(crate) fn in_words(title: &str, graph: &MotionGraph) -> String {
    let rate = graph.settings.rate;
    let seconds = |frames: usize| frames as f32 / rate;
    let (topology, skeleton) = (&graph.topology, &graph.rig.skeleton);
    let mut out = format!("{title}\n");
    let frames = graph.frames();
    let (clips, length) = (graph.takes.len(), seconds(frames));
    row(&mut out, "clips", format!("{clips}, {frames} frames at {rate} Hz, {length:.1} s"));
    row(&mut out, "body", format!("{} joints, {} legs", skeleton.len(), graph.rig.legs.len()));
    let kept = kept(graph);
    row(&mut out, "threshold", threshold_text(graph, kept.share));
    let blend = (graph.settings.blend_frames() - 1) as f32 / rate;
    let pairs = match &graph.settings.anim_pairs {
        Some(pairs) => format!(", between {} pairs of clips only", pairs.len()),
        None => String::new(),
    };
    let count = graph.transitions.len();
    row(&mut out, "transitions", format!("{count} by the rule {:?}, blends of {blend:.2} s{pairs}", rule(graph)));
    row(&mut out, "nodes", format!("{}, {} of them hold together", topology.nodes.len(), kept.component.nodes));
    row(&mut out, "edges", format!("{}, {} of them between these", topology.edges.len(), kept.edges));
    let (held, usable) = (seconds(kept.component.frames), seconds(kept.usable));
    let share = 100.0 * kept.share;
    if kept.component.nodes == 0 {
        row(&mut out, "component", "nothing holds together: no transition leads back to where it came from");
    } else {
        row(
            &mut out,
            "component",
            format!("{held:.1} s can be walked on for ever, {share:.0} % of what could ({usable:.1} s)"),
        );
    }
    let others = others(graph);
    if !others.is_empty() {
        let list: Vec<String> = others.iter().take(4).map(|other| format!("{:.1} s", seconds(other.frames))).collect();
        let more = if others.len() > 4 { ", …" } else { "" };
        row(&mut out, "apart", format!("{} more hold together by themselves: {}{more}", others.len(), list.join(", ")));
    }
    clip_rows(&mut out, graph);
    out
}

fn threshold_text(graph: &MotionGraph, share: f32) -> String {
    let chosen = graph.chosen;
    let (now, most) = (1e3 * chosen.threshold, 1e3 * chosen.ceiling);
    let wanted = 100.0 * graph.settings.keep;
    let ceiling = format!("{most:.1} mm, the median distance of frames 0.1 s apart");
    if chosen.given {
        return format!("{now:.1} mm, as given; clips themselves move {ceiling}");
    }
    if chosen.threshold < chosen.ceiling {
        return format!("{now:.1} mm, chosen: the least that keeps {wanted:.0} %; at most {ceiling}");
    }
    let share = 100.0 * share;
    let why = if share >= wanted {
        "not every clip is reached".to_owned()
    } else {
        format!("{share:.0} % is kept where {wanted:.0} % were wanted")
    };
    format!("{now:.1} mm, chosen: the most there may be ({ceiling}); {why}")
}

fn clip_rows(out: &mut String, graph: &MotionGraph) {
    let rate = graph.settings.rate;
    let at = |frame: u32| frame as f32 / rate;
    let wide = graph.takes.iter().map(|take| take.clip.name().chars().count()).max().unwrap_or(0).clamp(4, 48);
    let _ = writeln!(out, "  {:wide$}   length   from       to   lead-in     tail", "clip");
    for (take, span) in graph.takes.iter().zip(spans(graph)).take(LISTED) {
        let last = take.clip.frames() as u32 - 1;
        let _ = write!(out, "  {:wide$} {:6.2} s", take.clip.name(), at(last));
        let _ = match span {
            None => writeln!(out, "   not in the component"),
            Some((first, end)) => {
                let (tail, first, end) = (at(last - end), at(first), at(end));
                writeln!(out, " {first:6.2} {end:6.2} s  {first:6.2} s {tail:6.2} s")
            }
        };
    }
    let _ = writeln!(out, "  Walks leave out lead-ins (nothing leads back to them) and tails (they lead nowhere).");
    if graph.takes.len() > LISTED {
        let _ = writeln!(out, "  … and {} more; --json lists all", graph.takes.len() - LISTED);
    }
}

/// How long it took.
pub(crate) fn times(out: &mut String, studied: Duration, compared: Duration) {
    let (studied, compared) = (studied.as_secs_f32(), compared.as_secs_f32());
    row(out, "took", format!("{studied:.1} s to read and study, {compared:.1} s to compare"));
}

/// A graph for programs.
pub(crate) fn json(graph: &MotionGraph) -> Value {
    let rate = graph.settings.rate;
    let kept = kept(graph);
    let name = |take: usize| graph.takes[take].clip.name();
    let mut leaving = vec![0_usize; graph.takes.len()];
    let mut arriving = leaving.clone();
    for transition in &graph.transitions {
        leaving[transition.from.take as usize] += 1;
        arriving[transition.to.take as usize] += 1;
    }
    let clips = graph.takes.iter().zip(spans(graph)).enumerate().map(|(k, (take, span))| {
        let last = take.clip.frames() as u32 - 1;
        json!({
            "name": take.clip.name(),
            "frames": take.clip.frames(),
            "seconds": last as f32 / rate,
            "stances": take.stances.len(),
            "component_frames": span.map(|(first, end)| [first, end]),
            "lead_in_s": span.map(|(first, _)| first as f32 / rate),
            "tail_s": span.map(|(_, end)| (last - end) as f32 / rate),
            "transitions_leaving": leaving[k],
            "transitions_arriving": arriving[k],
        })
    });
    let pairs = graph.settings.anim_pairs.as_ref();
    json!({
        "format_version": surefoot_io::graph_file::VERSION,
        "clips": clips.collect::<Vec<_>>(),
        "frames": graph.frames(),
        "fps": rate,
        "joints": graph.rig.skeleton.len(),
        "legs": graph.rig.legs.len(),
        "rule": rule(graph),
        "window": graph.settings.window,
        "blend_s": graph.settings.blend,
        "blend_frames": graph.settings.blend_frames(),
        "pairs": pairs.map(|pairs| pairs.iter().map(|(a, b)| [name(*a), name(*b)]).collect::<Vec<_>>()),
        "threshold": {
            "metres": graph.chosen.threshold,
            "ceiling": graph.chosen.ceiling,
            "given": graph.chosen.given,
            "keep": graph.settings.keep,
        },
        "transitions": graph.transitions.len(),
        "nodes": graph.topology.nodes.len(),
        "edges": graph.topology.edges.len(),
        "component": {
            "nodes": kept.component.nodes,
            "edges": kept.edges,
            "frames": kept.component.frames,
            "usable_frames": kept.usable,
            "share": kept.share,
        },
        "other_components": others(graph).iter().map(|c| json!({ "nodes": c.nodes, "frames": c.frames })).collect::<Vec<_>>(),
    })
}
