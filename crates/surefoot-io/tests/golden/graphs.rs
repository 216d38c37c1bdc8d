//! Motion graphs of embedded clips: takes → transitions → topology → moves.

use super::Staged;
use surefoot::library::graph::BuildGraph;
use surefoot::motion::{Clip, Take};
use surefoot::stages::Rule;
use surefoot::stages::{NodeId, Play};
use surefoot::systems::Gather;
use surefoot_io::{Import, embedded};

pub fn run() -> Vec<Staged> {
    let by_minima = BuildGraph { rule: Rule::Minima, threshold: Some(0.05), ..BuildGraph::default() };
    vec![
        build("four", &["16_15", "16_17", "16_58", "16_47"], &BuildGraph::default()),
        build("minima", &["16_15", "16_47"], &by_minima),
        // Another person's turn is carried over.
        build("carried", &["16_15", "69_17"], &BuildGraph::default()),
    ]
}

/// A graph of clips and their mirror images, of the first one's body.
fn build(name: &str, clips: &[&str], settings: &BuildGraph) -> Staged {
    let mut staged = Staged::new(format!("graph/{name}"));
    let gather = Gather::default();
    let imports: Vec<Import> = clips.iter().map(|name| embedded::find(name).expect("embedded").import()).collect();
    let body = &imports[0].skeleton;
    let own: Vec<&Clip> =
        imports.iter().filter(|import| import.skeleton.key() == body.key()).map(|import| &import.clips[0]).collect();
    let rig = gather.rig(body, None, &own).expect("embedded");
    staged.stage("rig", |bits| rig.legs.iter().for_each(|leg| bits.leg(leg)));
    let mut takes: Vec<Take> = Vec::new();
    for import in &imports {
        let clip = &import.clips[0];
        let own = if import.skeleton.key() == body.key() {
            rig.clone()
        } else {
            gather.rig(&import.skeleton, None, &[clip]).expect("embedded")
        };
        let take = gather.run(&own, clip, &rig).expect("embedded").take;
        let image = take.mirrored(&rig).expect("a body with two sides");
        takes.extend([take, image]);
    }
    staged.stage("takes", |bits| {
        for take in &takes {
            bits.clip(&take.clip);
            bits.stances(&take.stances);
        }
    });
    let graph = settings.run(&rig, &takes).expect("settings are in range");
    staged.stage("resampled", |bits| {
        for take in &graph.takes {
            bits.clip(&take.clip);
            bits.stances(&take.stances);
        }
    });
    staged.stage("threshold", |bits| bits.numbers(&[graph.chosen.ceiling, graph.chosen.threshold]));
    staged.stage("transitions", |bits| {
        for transition in &graph.transitions {
            bits.point(transition.from);
            bits.point(transition.to);
            bits.number(transition.distance);
        }
    });
    staged.stage("topology", |bits| {
        let topology = &graph.topology;
        for (k, node) in topology.nodes.iter().enumerate() {
            bits.point(*node);
            bits.bool(topology.keeps(NodeId(k as u32)));
        }
        for edge in &topology.edges {
            bits.count(edge.from.index());
            bits.count(edge.to.index());
            bits.count(match edge.play {
                Play::Take => 0,
                Play::Blend(transition) => 1 + transition as usize,
            });
        }
        for component in topology.components() {
            bits.count(component.nodes);
            bits.count(component.frames);
        }
    });
    staged.stage("moves", |bits| {
        graph.blend_ways().into_iter().for_each(|pose| bits.pose(pose));
        bits.number(graph.pace());
        bits.bool(graph.stands());
    });
    staged
}
