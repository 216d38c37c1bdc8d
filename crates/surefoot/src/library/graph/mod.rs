//! Motion graphs: clips joined where they are alike, so that one can walk on for ever.
//!
//! [`BuildGraph`] compares every frame of every take with every other (`cloud`), finds where takes come near enough
//! to be blended (`Transition`), and keeps what holds together (`Topology`). A walk along its edges is played by
//! [`MotionGraph::play`].

mod blend;
mod build;
pub(crate) mod cloud;
mod contacts;
pub(crate) mod leg_ways;
pub(crate) mod matrix;
mod moves;
pub(crate) mod play;
pub(crate) mod points;
pub(crate) mod report;
pub(crate) mod scan;
mod sketch;
mod spot;
#[cfg(test)]
mod tests;
pub(crate) mod topology;
pub(crate) mod transition;
mod travel;
pub(crate) mod verify;
pub(crate) mod wander;

pub use build::{BuildGraph, GraphError};
pub(crate) use leg_ways::LegWays;
pub(crate) use play::{Played, Seam};
pub(crate) use topology::EdgeId;
pub(crate) use topology::NodeId;
pub(crate) use topology::{Edge, Play, Topology};
pub(crate) use transition::Point;
pub(crate) use transition::Transition;

use contacts::Contacts;
use moves::KnownMoves;
pub(crate) use moves::{Moves, Next};
pub(crate) use spot::Spot;

use crate::motion::Take;
use crate::rig::{FootSkin, Rig};

/// The threshold of a graph and where it came from; all root mean square metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// Sides of a transition are nearer than this.
    pub threshold: f32,
    /// The median distance of frames 0.1 s apart in one take, which a chosen threshold never exceeds.
    pub ceiling: f32,
    /// Whether the threshold was given, not chosen.
    pub given: bool,
}

/// Takes of one body and the transitions between them. What follows from its parts is made in [`MotionGraph::new`] or when it is
/// first needed, and does not notice changes: a graph with other parts is a new one.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionGraph {
    /// The body.
    pub rig: Rig,
    /// How it was built; the threshold is set.
    pub settings: BuildGraph,
    /// Where the threshold came from.
    pub chosen: Chosen,
    /// At the graph's rate.
    pub takes: Vec<Take>,
    /// All that were found under the threshold, in order of where they leave.
    pub transitions: Vec<Transition>,
    /// Nodes, edges and components.
    pub topology: Topology,
    /// Who stands when, by take.
    contacts: Vec<Contacts>,
    /// Whether its takes were brought from another body, on which their feet were held; here they are not.
    carried: bool,
    /// The skin of the feet of a body that its takes were brought to.
    feet: Option<FootSkin>,
    /// What it offers to a search, once that was asked for.
    known: KnownMoves,
}

impl MotionGraph {
    /// From its parts, as [`BuildGraph`] makes them.
    ///
    /// # Panics
    /// If a transition names a frame that is not there.
    #[must_use]
    pub fn new(rig: Rig, settings: BuildGraph, chosen: Chosen, takes: Vec<Take>, transitions: Vec<Transition>) -> Self {
        let frames: Vec<usize> = takes.iter().map(|take| take.clip.frames()).collect();
        let topology = Topology::new(&frames, &transitions);
        let contacts = takes.iter().map(|take| Contacts::new(take, rig.legs.len())).collect();
        let known = KnownMoves::default();
        Self { rig, settings, chosen, takes, transitions, topology, contacts, carried: false, feet: None, known }
    }

    /// The same graph, of takes that were brought from another body: their stances say when feet stand, which cannot be seen in them.
    /// `feet` is the skin of the body's feet.
    pub(crate) fn carried_over(self, feet: FootSkin) -> Self {
        Self { carried: true, feet: Some(feet), ..self }
    }

    /// The skin of the body's feet, if it was brought to that body.
    pub(crate) fn feet(&self) -> Option<&FootSkin> {
        self.feet.as_ref()
    }

    /// The graph without a take.
    ///
    /// # Panics
    /// If there is no such take.
    #[must_use]
    pub fn without(mut self, take: usize) -> Self {
        self.takes.remove(take);
        let gone = take as u32;
        self.transitions.retain(|t| t.from.take != gone && t.to.take != gone);
        for transition in &mut self.transitions {
            for point in [&mut transition.from, &mut transition.to] {
                point.take -= u32::from(point.take > gone);
            }
        }
        if let Some(pairs) = &mut self.settings.anim_pairs {
            pairs.retain(|(a, b)| *a != take && *b != take);
            pairs.iter_mut().for_each(|(a, b)| (*a, *b) = (*a - usize::from(*a > take), *b - usize::from(*b > take)));
        }
        Self::new(self.rig, self.settings, self.chosen, self.takes, self.transitions)
    }

    /// Frames of all takes.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.takes.iter().map(|take| take.clip.frames()).sum()
    }

    /// Frames that an edge takes, from its start to its end.
    #[must_use]
    pub fn edge_frames(&self, edge: &Edge) -> usize {
        match edge.play {
            Play::Take => {
                (self.topology.nodes[edge.to.index()].frame - self.topology.nodes[edge.from.index()].frame) as usize
            }
            Play::Blend(_) => self.settings.blend_frames() - 1,
        }
    }
}
