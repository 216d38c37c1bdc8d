//! Topology: nodes, edges, and what of them holds together.

use super::transition::{Point, Transition};
use petgraph::graph::{DiGraph, NodeIndex};

/// A node's place in `Topology::nodes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// An edge's place in `Topology::edges`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EdgeId(pub u32);

impl NodeId {
    /// As an index into per-node slices.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EdgeId {
    /// As an index into per-edge slices.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is played along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// The take, from one node to the next.
    Take,
    /// A blend: the place of its transition in the graph's list.
    Blend(u32),
}

/// A way from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it ends.
    pub to: NodeId,
    /// What is played.
    pub play: Play,
}

/// Nodes are frames in which something leaves or arrives, and the ends of takes; edges are what is played between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// By take, then by frame.
    pub nodes: Vec<Point>,
    /// By the node they leave.
    pub edges: Vec<Edge>,
    /// For each node, its first edge; one more at the end.
    first: Vec<u32>,
    /// For each node, the number of its strongly connected component; 0 is the largest.
    component: Vec<u32>,
    /// Components by size.
    components: Vec<Component>,
}

/// Nodes that can all reach each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Component {
    /// Its nodes.
    pub nodes: usize,
    /// Frames of takes that are played within it.
    pub frames: usize,
}

impl Topology {
    /// Joins takes of these numbers of frames by transitions.
    ///
    /// # Panics
    /// If a transition names a frame that is not there.
    #[must_use]
    pub fn new(frames: &[usize], transitions: &[Transition]) -> Self {
        // Every frame has a place in one long row, so that nodes are found by looking, not by searching.
        let mut starts = Vec::with_capacity(frames.len());
        let total = frames.iter().fold(0, |sum, frames| {
            starts.push(sum);
            sum + frames
        });
        let place = |point: &Point| {
            let (take, frame) = (point.take as usize, point.frame as usize);
            assert!(take < frames.len() && frame < frames[take], "{point:?} is not in the graph");
            starts[take] + frame
        };
        let mut ids = vec![u32::MAX; total];
        for (start, frames) in starts.iter().zip(frames).filter(|(_, frames)| **frames > 0) {
            (ids[*start], ids[start + frames - 1]) = (0, 0);
        }
        transitions.iter().flat_map(|t| [&t.from, &t.to]).for_each(|point| ids[place(point)] = 0);
        let mut nodes = Vec::new();
        for (take, (start, frames)) in starts.iter().zip(frames).enumerate() {
            for frame in 0..*frames {
                if ids[start + frame] == 0 {
                    ids[start + frame] = nodes.len() as u32;
                    nodes.push(Point { take: take as u32, frame: frame as u32 });
                }
            }
        }
        let find = |point: &Point| NodeId(ids[place(point)]);
        let mut edges: Vec<Edge> = Vec::with_capacity(nodes.len() + transitions.len());
        for (k, pair) in nodes.windows(2).enumerate() {
            if pair[0].take == pair[1].take {
                edges.push(Edge { from: NodeId(k as u32), to: NodeId(k as u32 + 1), play: Play::Take });
            }
        }
        let blends = transitions.iter().enumerate();
        edges.extend(blends.map(|(k, t)| Edge { from: find(&t.from), to: find(&t.to), play: Play::Blend(k as u32) }));
        // Stable: the take's own way comes first, blends in their order.
        edges.sort_by_key(|edge| edge.from);
        let first = (0..=nodes.len()).map(|n| edges.partition_point(|edge| edge.from.index() < n) as u32).collect();
        let (component, components) = components(&nodes, &edges);
        Self { nodes, edges, first, component, components }
    }

    /// Edges that leave a node, with their ids.
    pub fn leaving(&self, node: NodeId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let range = self.first[node.index()] as usize..self.first[node.index() + 1] as usize;
        range.map(|k| (EdgeId(k as u32), &self.edges[k]))
    }

    /// Edges that leave a node and stay in the largest component.
    pub fn kept_leaving(&self, node: NodeId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.leaving(node).filter(|(_, edge)| self.keeps_edge(edge))
    }

    /// Whether a node is in the largest component.
    #[must_use]
    pub fn keeps(&self, node: NodeId) -> bool {
        self.component[node.index()] == 0 && self.is_connected()
    }

    /// Whether both ends of an edge are in the largest component.
    #[must_use]
    pub fn keeps_edge(&self, edge: &Edge) -> bool {
        self.keeps(edge.from) && self.keeps(edge.to)
    }

    /// Whether there is any way round: a component of more than one node.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.components.first().is_some_and(|component| component.nodes > 1)
    }

    /// Strongly connected components, those with most frames first.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The first node at a frame of a take or after it.
    #[must_use]
    pub fn node_at(&self, point: Point) -> Option<NodeId> {
        let k = self.nodes.partition_point(|node| *node < point);
        self.nodes.get(k).filter(|node| node.take == point.take).map(|_| NodeId(k as u32))
    }
}

fn components(nodes: &[Point], edges: &[Edge]) -> (Vec<u32>, Vec<Component>) {
    let mut graph: DiGraph<(), (), u32> = DiGraph::with_capacity(nodes.len(), edges.len());
    for _ in nodes {
        graph.add_node(());
    }
    for edge in edges {
        graph.add_edge(NodeIndex::new(edge.from.index()), NodeIndex::new(edge.to.index()), ());
    }
    // Kosaraju's: Tarjan's recurses as deep as a take is long.
    let found = petgraph::algo::kosaraju_scc(&graph);
    let mut of_node = vec![0; nodes.len()];
    for (number, members) in found.iter().enumerate() {
        members.iter().for_each(|node| of_node[node.index()] = number);
    }
    let mut sizes: Vec<(Component, usize)> =
        found.iter().enumerate().map(|(k, members)| (Component { nodes: members.len(), frames: 0 }, k)).collect();
    for edge in edges.iter().filter(|edge| edge.play == Play::Take) {
        let own = of_node[edge.from.index()];
        if own == of_node[edge.to.index()] {
            sizes[own].0.frames += (nodes[edge.to.index()].frame - nodes[edge.from.index()].frame) as usize;
        }
    }
    // Of equals the one with the first node, so that the order does not depend on how they were found.
    let mut least = vec![usize::MAX; found.len()];
    for (node, number) in of_node.iter().enumerate() {
        least[*number] = least[*number].min(node);
    }
    sizes.sort_by_key(|(size, k)| (std::cmp::Reverse((size.frames, size.nodes)), least[*k]));
    let mut place = vec![0; found.len()];
    for (new, (_, old)) in sizes.iter().enumerate() {
        place[*old] = new as u32;
    }
    (of_node.into_iter().map(|k| place[k]).collect(), sizes.into_iter().map(|(size, _)| size).collect())
}
