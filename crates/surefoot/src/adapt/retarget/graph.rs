//! A motion graph on another body: its takes carried over, its transitions where they were.

use super::{Build, Lacking, Retarget, RetargetError};
use crate::library::graph::MotionGraph;
use crate::motion::Take;

/// A motion graph on another body.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RetargetedGraph {
    /// The graph, of which steps, turns and stops are the body's own.
    pub graph: MotionGraph,
    /// How much larger lengths are than on the body it was built for.
    pub scale: f32,
    /// What only one of the two bodies has.
    pub lacking: Vec<Lacking>,
}

impl Retarget {
    /// Brings a motion graph onto another body, before anything is searched in it: steps, clearance and arrival are the body's.
    /// Blends are where they were: what is alike on one body is so on the other.
    ///
    /// # Errors
    /// If the bodies have not the same number of legs on each side.
    pub fn run_graph(&self, graph: &MotionGraph, to: &Build) -> Result<RetargetedGraph, RetargetError> {
        let from = Build::new(graph.rig.clone(), None);
        let (mut takes, mut lacking, mut scale): (Vec<Take>, Vec<Lacking>, f32) = (Vec::new(), Vec::new(), 1.0);
        for take in &graph.takes {
            let carried = self.run(&from, take, to)?;
            (lacking, scale) = (carried.lacking, carried.scale);
            takes.push(carried.take.levelled(&to.rig));
        }
        let (settings, chosen) = (graph.settings.clone(), graph.chosen);
        let graph = MotionGraph::new(to.rig.clone(), settings, chosen, takes, graph.transitions.clone());
        Ok(RetargetedGraph { graph, scale, lacking })
    }
}
