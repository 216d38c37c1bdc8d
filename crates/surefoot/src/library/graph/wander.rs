//! Wandering: a random walk along a graph.

use super::MotionGraph;
use super::topology::{EdgeId, NodeId, Play};
use crate::random::{Rng, Seed};

/// Walks on at random, within the largest component.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Wander {
    /// Seconds to walk at least.
    pub seconds: f32,
    /// Where randomness comes from.
    pub seed: Seed,
    /// Seconds between blends, at least: how long a take is played before it may be left again.
    pub linger: f32,
}

impl Default for Wander {
    fn default() -> Self {
        Self { seconds: 20.0, seed: Seed(1), linger: 0.5 }
    }
}

impl Wander {
    /// Edges of a walk from a random node; empty if nothing in the graph holds together.
    #[must_use]
    pub fn run(&self, graph: &MotionGraph) -> Vec<EdgeId> {
        let topology = &graph.topology;
        let mut rng = Rng::new(self.seed).stream("wander");
        let kept: Vec<NodeId> =
            (0..topology.nodes.len() as u32).map(NodeId).filter(|node| topology.keeps(*node)).collect();
        let mut edges = Vec::new();
        if kept.is_empty() {
            return edges;
        }
        let pick = |count: usize, rng: &mut Rng| ((rng.unit() * count as f32) as usize).min(count - 1);
        let mut node = kept[pick(kept.len(), &mut rng)];
        let (mut frames, mut since) = (0, 0);
        let enough = (self.seconds.max(0.0) * graph.settings.rate).ceil() as usize;
        while frames < enough {
            let ways: Vec<EdgeId> = topology.kept_leaving(node).map(|(id, _)| id).collect();
            let own = ways.iter().copied().find(|id| topology.edges[id.index()].play == Play::Take);
            // On with the take while it lasts, unless it is time for something else.
            let soon = (since as f32) < self.linger * graph.settings.rate;
            let edge = match own {
                Some(own) if soon || rng.unit() < 0.5 => own,
                _ => ways[pick(ways.len(), &mut rng)],
            };
            let way = &topology.edges[edge.index()];
            let taken = graph.edge_frames(way);
            since = if way.play == Play::Take { since + taken } else { 0 };
            frames += taken;
            node = way.to;
            edges.push(edge);
        }
        edges
    }
}
