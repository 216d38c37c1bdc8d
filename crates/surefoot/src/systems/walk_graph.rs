//! From edges of a motion graph to a walk whose feet stand still.

use crate::adapt::{Clean, Cleaned, Laid, Lay};
use crate::analyse::{FindStances, Found};
use crate::library::graph::{EdgeId, MotionGraph, Played, Seam};
use crate::math::FloorPose;
use crate::metrics::{FootFigures, Seams, measure_feet, measure_seams};
use crate::motion::{Clip, Stance};
use crate::world::Below;

/// Plays edges of a graph and holds the feet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WalkGraph {
    /// How feet that are known to stand do so.
    pub stances: FindStances,
    /// How they are held.
    pub clean: Clean,
}

/// A walk along a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Walked {
    /// The motion as it was played.
    pub played: Clip,
    /// Its stances.
    pub stood: Found,
    /// The clean motion and how much it was changed.
    pub cleaned: Cleaned,
    /// Stances of the clean motion.
    pub found: Found,
    /// Where blends are.
    pub seams: Vec<Seam>,
}

/// How good a walk is.
#[derive(Clone, Debug, PartialEq)]
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
        self.hold(graph, graph.play(start, edges))
    }

    /// Holds the feet of what was played.
    #[must_use]
    pub fn hold(&self, graph: &MotionGraph, played: Played) -> Walked {
        let stood = self.stances(graph, &played);
        self.hold_stances(graph, played, stood)
    }

    /// The stances of what was played.
    #[must_use]
    pub fn stances(&self, graph: &MotionGraph, played: &Played) -> Vec<Stance> {
        self.stances.run_in(&graph.rig, &played.clip, &played.standing)
    }

    /// Holds feet where these stances are.
    #[must_use]
    pub fn hold_stances(&self, graph: &MotionGraph, played: Played, stances: Vec<Stance>) -> Walked {
        let Played { clip: played, seams, .. } = played;
        let stood = Found { stances, ground: 0.0 };
        let cleaned = self.clean.run(&graph.rig, &played, &stood);
        let found = Found { stances: cleaned.stances.clone(), ground: 0.0 };
        Walked { played, stood, cleaned, found, seams }
    }

    /// Lays a walk with these stances on a ground and holds its feet there.
    #[must_use]
    pub fn hold_on(
        &self,
        graph: &MotionGraph,
        played: Played,
        mut stances: Vec<Stance>,
        (lay, below): (&Lay, &Below<'_>),
    ) -> (Walked, Laid) {
        let Played { clip: mut played, seams, .. } = played;
        let laid = lay.run(&graph.rig, &mut played, &mut stances, below);
        let clean = Clean { lower: lay.lower, ..self.clean };
        let cleaned = clean.run_laid(&graph.rig, &played, &stances, &laid.raised);
        let stood = Found { stances, ground: 0.0 };
        let found = Found { stances: cleaned.stances.clone(), ground: 0.0 };
        (Walked { played, stood, cleaned, found, seams }, laid)
    }
}

impl Walked {
    /// Measures a walk along a graph.
    #[must_use]
    pub fn measure(&self, graph: &MotionGraph) -> WalkFigures {
        let (rig, snap) = (&graph.rig, Clean::default().snap);
        let clip = &self.cleaned.clip;
        let blend = graph.settings.blend_frames();
        let spans: Vec<_> = self.seams.iter().map(|seam| seam.frame..(seam.frame + blend).min(clip.frames())).collect();
        let sources: Vec<&Clip> = graph.takes.iter().map(|take| &take.clip).collect();
        WalkFigures {
            before: measure_feet(rig, &self.played, &self.stood, snap),
            after: measure_feet(rig, clip, &self.found, snap),
            joints: measure_seams(&rig.skeleton, &sources, clip, &spans),
        }
    }
}
