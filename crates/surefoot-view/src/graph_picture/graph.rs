//! The graph: clips as bars in time, nodes as ticks, transitions as arcs.

use super::{KEPT, LEFT_OUT, css, cut, ramp};
use crate::sheet::chart::ticks;
use crate::sheet::{FAINT, GRID, MARGIN, PAPER, TEXT, panel};
use crate::svg::{Anchor, Stroke, Svg};
use surefoot::library::graph::MotionGraph;
use surefoot::stages::{Play, Transition};

/// Width of the picture, pixels.
const WIDTH: f32 = 1600.0;
/// Room for title and facts above, pixels.
const TOP: f32 = 92.0;
/// Room for the names of clips at the left, pixels.
const NAMES: f32 = 150.0;

/// Clips that are drawn at most: more could not be told apart.
const CLIPS: usize = 400;
/// Arcs that are drawn at most, likewise.
const ARCS: usize = 2500;

/// Draws a graph: a bar for every clip, coloured where it is in the largest component; a tick for every node; an arc for each
/// of the nearest transitions, darker where the sides are nearer.
#[must_use]
pub fn draw(graph: &MotionGraph) -> Svg {
    let topology = &graph.topology;
    let shown = graph.takes.len().min(CLIPS);
    let row = (1100.0 / shown.max(1) as f32).clamp(12.0, 110.0);
    let bar = (0.3 * row).clamp(4.0, 16.0);
    let height = TOP + row * shown as f32 + 60.0;
    let mut svg = Svg::new(WIDTH, height + MARGIN, PAPER);
    let [x, _, w, _] = panel([MARGIN, TOP - 12.0, WIDTH - 2.0 * MARGIN, height - TOP + 12.0], &mut svg);
    let (left, width) = (x + NAMES, w - NAMES - 20.0);
    let rate = graph.settings.rate;
    let longest = graph.takes.iter().take(shown).map(|take| take.clip.frames()).max().unwrap_or(1).max(2) - 1;
    let across = |frame: u32| left + width * frame as f32 / longest as f32;
    // Arcs within a clip rise above its bar.
    let middle = |take: u32| TOP + row * (take as f32 + 0.7);

    let duration = longest as f32 / rate;
    let bottom = TOP + row * shown as f32;
    for tick in ticks(0.0, duration, 12) {
        let at = left + width * tick.at / duration;
        svg.line([at, TOP - 4.0], [at, bottom + 6.0], Stroke::new(GRID, 1.0));
        svg.text([at, bottom + 22.0], 11.0, FAINT, Anchor::Middle, &format!("{} s", tick.label));
    }

    let arcs = nearest(graph, shown);
    title(graph, arcs.len(), &mut svg);
    let farthest = arcs.last().map_or(1.0, |(_, t)| t.distance).max(1e-9);
    let opacity = (250.0 / arcs.len().max(1) as f32).clamp(0.2, 0.7);
    // The nearest come last, over the others.
    for (kept, Transition { from, to, distance }) in arcs.iter().rev() {
        let (a, b) = ([across(from.frame), middle(from.take)], [across(to.frame), middle(to.take)]);
        let colour = if *kept { css(ramp(1.0 - 0.55 * distance / farthest)) } else { "#b9a58f".to_owned() };
        let half = 0.5 * bar;
        let line = if from.take == to.take {
            let rise = (0.3 * (a[0] - b[0]).abs()).clamp(4.0, 0.75 * row).min(row - bar);
            let top = |[x, y]: [f32; 2], lift: f32| [x, y - half - lift];
            [top(a, 0.0), top(a, rise), top(b, rise), top(b, 0.0)]
        } else {
            let down = if a[1] < b[1] { 1.0 } else { -1.0 };
            let (a, b) = ([a[0], a[1] + down * half], [b[0], b[1] - down * half]);
            let bend = 0.45 * (b[1] - a[1]);
            [a, [a[0], a[1] + bend], [b[0], b[1] - bend], b]
        };
        svg.curve(line, Stroke::new(&colour, 0.9).faded(opacity));
    }

    let size = (0.6 * row).clamp(8.0, 12.0);
    for (k, take) in graph.takes.iter().take(shown).enumerate() {
        let (k, last) = (k as u32, take.clip.frames().saturating_sub(1) as u32);
        let y = middle(k) - 0.5 * bar;
        svg.rect([across(0), y, across(last) - across(0), bar], LEFT_OUT);
        let own = |edge: &&surefoot::stages::Edge| {
            edge.play == Play::Take && topology.keeps_edge(edge) && topology.nodes[edge.from.index()].take == k
        };
        let mut kept = false;
        for edge in topology.edges.iter().filter(own) {
            let [from, to] = [edge.from, edge.to].map(|node| across(topology.nodes[node.index()].frame));
            svg.rect([from, y, to - from + 0.1, bar], KEPT);
            kept = true;
        }
        let colour = if kept { TEXT } else { FAINT };
        let name = cut(take.clip.name(), NAMES - 24.0, size);
        svg.text([left - 10.0, middle(k) + 0.35 * size], size, colour, Anchor::End, &name);
        let nodes = topology.nodes.iter().filter(|node| node.take == k);
        let strokes: Vec<[[f32; 2]; 2]> =
            nodes.map(|node| [[across(node.frame), y], [across(node.frame), y + bar]]).collect();
        svg.segments(&strokes, Stroke::new("#ffffff", 0.7).faded(0.55));
    }
    svg
}

/// The transitions that are drawn, nearest first, and whether they are in the component. Those of the component come before
/// others.
fn nearest(graph: &MotionGraph, shown: usize) -> Vec<(bool, Transition)> {
    let topology = &graph.topology;
    let mut arcs: Vec<(bool, Transition)> = Vec::new();
    for edge in &topology.edges {
        if let Play::Blend(place) = edge.play {
            let transition = graph.transitions[place as usize];
            if (transition.from.take as usize) < shown && (transition.to.take as usize) < shown {
                arcs.push((topology.keeps_edge(edge), transition));
            }
        }
    }
    arcs.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.distance.total_cmp(&b.1.distance)));
    arcs.truncate(ARCS);
    arcs.sort_by(|a, b| a.1.distance.total_cmp(&b.1.distance));
    arcs
}

fn title(graph: &MotionGraph, drawn: usize, svg: &mut Svg) {
    let topology = &graph.topology;
    svg.text([MARGIN, 38.0], 24.0, TEXT, Anchor::Start, "motion graph");
    let kept = topology.edges.iter().filter(|edge| topology.keeps_edge(edge));
    let (all, blends) =
        kept.fold((0, 0), |(all, blends), edge| (all + 1, blends + usize::from(edge.play != Play::Take)));
    let component = topology.components().first().copied().unwrap_or_default();
    let facts = format!(
        "{} clips · {:.1} s · {} transitions under {:.1} cm · component: {} nodes, {all} edges ({blends} blends), {:.1} s",
        graph.takes.len(),
        graph.frames() as f32 / graph.settings.rate,
        graph.transitions.len(),
        100.0 * graph.chosen.threshold,
        if topology.is_connected() { component.nodes } else { 0 },
        component.frames as f32 / graph.settings.rate,
    );
    svg.text([MARGIN, 62.0], 14.0, FAINT, Anchor::Start, &facts);
    let left_out = graph.transitions.len() - drawn;
    let mut y = 38.0;
    let mut legend = |colour: &str, text: &str, svg: &mut Svg| {
        svg.rect([WIDTH - MARGIN - 330.0, y - 7.0, 22.0, 6.0], colour);
        svg.text([WIDTH - MARGIN - 300.0, y], 12.0, TEXT, Anchor::Start, text);
        y += 17.0;
    };
    legend(KEPT, "in the largest component; ticks are nodes", svg);
    legend(LEFT_OUT, "not in it", svg);
    let arcs = match left_out {
        0 => "transitions, the nearer the darker".into(),
        _ => format!("the {drawn} nearest transitions; {left_out} are left out"),
    };
    legend(&css(ramp(0.8)), &arcs, svg);
    let hidden = graph.takes.len().saturating_sub(CLIPS);
    if hidden > 0 {
        svg.text([MARGIN + 220.0, 38.0], 14.0, FAINT, Anchor::Start, &format!("{hidden} more clips are not drawn"));
    }
}
