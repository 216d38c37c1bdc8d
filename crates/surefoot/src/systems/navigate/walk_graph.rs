//! From edges of a motion graph to a walk whose feet stand still.

use crate::adapt::{BendToes, Clean, Cleaned, Laid, Lay, clear_skin};
use crate::analyse::FindStances;
use crate::library::graph::{EdgeId, MotionGraph, Played, Seam};
use crate::math::FloorPose;
use crate::metrics::{
    CheckMotion, Checked, CheckedSource, Fault, FootFigures, Footing, Seams, measure_feet, measure_seams,
};
use crate::motion::{Clip, Take};
use crate::world::GroundAlong;
use glam::Vec3A;
use std::collections::BTreeSet;

/// Plays edges of a graph and holds the feet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct WalkGraph {
    /// How feet that are known to stand do so.
    pub stances: FindStances,
    /// How they are held.
    pub clean: Clean,
}

impl Default for WalkGraph {
    fn default() -> Self {
        // Who closes up to stand drags a foot a little, which shows once the other is held still.
        Self { stances: FindStances::default(), clean: Clean { drags: 0.03, ..Clean::default() } }
    }
}

/// A walk along a graph.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Walked {
    /// The motion; its stances are those that are held.
    pub take: Take,
    /// The motion before its feet were held, and where they were to stand.
    pub played: Take,
    /// Where blends are.
    pub seams: Vec<Seam>,
    /// How the pelvis was moved, by frame, metres, world.
    pub pelvis: Vec<Vec3A>,
    /// Greatest distance by which a held foot missed its place, by frame, metres.
    pub missed: Vec<f32>,
}

/// How good a walk is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WalkFigures {
    /// Of the feet before cleaning.
    pub before: FootFigures,
    /// And after.
    pub after: FootFigures,
    /// How much faster and harder joints turn in blends than in the takes, after cleaning.
    pub joints: Seams,
}

impl WalkGraph {
    /// Walks along edges that follow each other, from `start`.
    ///
    /// # Panics
    /// If there is no edge, or one does not start where the one before it ends.
    #[must_use]
    pub fn run(&self, graph: &MotionGraph, start: FloorPose, edges: &[EdgeId]) -> Walked {
        let (take, seams) = self.play(graph, graph.play(start, edges));
        self.hold(graph, take, seams)
    }

    /// What was played as a take with its stances, and where its blends are.
    pub(super) fn play(&self, graph: &MotionGraph, played: Played) -> (Take, Vec<Seam>) {
        let stances = self.stances.run_in(&graph.rig, &played.clip, &graph.known_standing(&played));
        (Take { clip: played.clip, stances, ground: 0.0, sources: played.sources }, played.seams)
    }

    /// Holds the feet of a walk on a level floor.
    pub(super) fn hold(&self, graph: &MotionGraph, played: Take, seams: Vec<Seam>) -> Walked {
        let Cleaned { mut take, pelvis, missed, .. } = self.clean.run(&graph.rig, &played);
        if let Some(feet) = graph.feet() {
            clear_skin(&graph.rig, feet, &mut take);
        }
        Walked { take, played, seams, pelvis, missed }
    }

    /// Lays a walk on a ground and holds its feet there.
    pub(super) fn hold_on(
        &self,
        graph: &MotionGraph,
        mut played: Take,
        seams: Vec<Seam>,
        (lay, ground): (&Lay, &GroundAlong<'_>),
    ) -> (Walked, Laid) {
        let laid = lay.run(&graph.rig, &mut played, ground);
        let clean = Clean { lower: lay.lower, ..self.clean };
        let Cleaned { mut take, pelvis, missed, .. } = clean.run_laid(&graph.rig, &played, &laid.raised, ground);
        BendToes::default().run(&graph.rig, &mut take, ground);
        (Walked { take, played, seams, pelvis, missed }, laid)
    }
}

impl Walked {
    /// What of it is worse than the graph's takes that it plays, or over a limit, on its ground.
    ///
    /// # Panics
    /// If it is not a walk along this graph.
    #[must_use]
    pub fn check(&self, check: &CheckMotion, graph: &MotionGraph, footing: Footing<'_>) -> Vec<Fault> {
        self.check_moved(check, graph, footing, &self.pelvis)
    }

    /// The same, told by how much the pelvis was moved of itself, by frame, metres, world.
    pub(super) fn check_moved(
        &self,
        check: &CheckMotion,
        graph: &MotionGraph,
        footing: Footing<'_>,
        moved: &[Vec3A],
    ) -> Vec<Fault> {
        let of = |take, planned, footing| Checked { rig: &graph.rig, skin: None, take, planned, footing, part: None };
        let played: BTreeSet<usize> = self.take.sources.iter().map(|source| source.take).collect();
        let motions: Vec<Checked<'_>> =
            played.iter().map(|take| of(&graph.takes[*take], false, Footing::default())).collect();
        check.run(of(&self.take, true, footing), &CheckedSource { motions: &motions, moved })
    }

    /// Measures a walk along a graph on its ground.
    #[must_use]
    pub fn measure(&self, graph: &MotionGraph, footing: Footing<'_>) -> WalkFigures {
        let clip = &self.take.clip;
        let blend = graph.settings.blend_frames();
        let spans: Vec<_> = self.seams.iter().map(|seam| seam.frame..(seam.frame + blend).min(clip.frames())).collect();
        let sources: Vec<&Clip> = graph.takes.iter().map(|take| &take.clip).collect();
        WalkFigures {
            before: measure_feet(&graph.rig, &self.played, footing),
            after: measure_feet(&graph.rig, &self.take, footing),
            joints: measure_seams(&graph.rig.skeleton, &sources, clip, &spans),
        }
    }
}
