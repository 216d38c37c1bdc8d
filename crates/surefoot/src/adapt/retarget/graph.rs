//! A motion graph on another body: its takes carried over, its transitions where they were.

use super::{Build, Lacking, Retarget, RetargetError};
use crate::analyse::FindStances;
use crate::library::graph::MotionGraph;
use crate::motion::{StanceFrames, Take, stance};

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
            // A foot that is let go of as it turns on a body that it was captured on, and stays there, would slide on another.
            let standing: Vec<Vec<StanceFrames>> = (graph.rig.legs())
                .map(|(leg, _)| stance::of_leg(&take.stances, leg).map(|stance| stance.frames(&take.clip)).collect())
                .collect();
            let stances = FindStances::default().run_in(&graph.rig, &take.clip, &standing);
            let carried = self.run(&from, &Take { stances, ..take.clone() }, to)?;
            (lacking, scale) = (carried.lacking, carried.scale);
            takes.push(carried.take.levelled(&to.rig));
        }
        let (settings, chosen) = (graph.settings.clone(), graph.chosen);
        let graph = MotionGraph::new(to.rig.clone(), settings, chosen, takes, graph.transitions.clone());
        Ok(RetargetedGraph { graph: graph.carried_over(to.feet.clone()), scale, lacking })
    }
}
