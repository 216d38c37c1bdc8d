//! From edges of a motion graph to a walk whose feet stand still.

use crate::adapt::{Clean, Cleaned};
use crate::analyse::{FindStances, Found};
use crate::library::graph::{EdgeId, MotionGraph, Played, Seam};
use crate::math::FloorPose;
use crate::metrics::{FootFigures, Seams, measure_feet, measure_seams};
use crate::motion::Clip;

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
    /// The clean motion and how much it was changed.
    pub cleaned: Cleaned,
    /// Where blends are.
    pub seams: Vec<Seam>,
    /// Figures of the feet before cleaning.
    pub before: FootFigures,
    /// Stances of the clean motion.
    pub found: Found,
    /// Figures of the feet after.
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

    /// Holds the feet of what was played, and measures the result.
    #[must_use]
    pub fn hold(&self, graph: &MotionGraph, played: Played) -> Walked {
        let rig = &graph.rig;
        let stances = |clip| Found { stances: self.stances.run_in(rig, clip, &played.standing), ground: 0.0 };
        let found = stances(&played.clip);
        let before = measure_feet(rig, &played.clip, &found, self.clean.snap);
        let cleaned = self.clean.run(rig, &played.clip, &found);
        let found = Found { stances: cleaned.stances.clone(), ground: 0.0 };
        let after = measure_feet(rig, &cleaned.clip, &found, self.clean.snap);
        let blend = graph.settings.blend_frames();
        let spans: Vec<_> =
            played.seams.iter().map(|seam| seam.frame..(seam.frame + blend).min(cleaned.clip.frames())).collect();
        let sources: Vec<&Clip> = graph.takes.iter().map(|take| &take.clip).collect();
        let joints = measure_seams(&rig.skeleton, &sources, &cleaned.clip, &spans);
        Walked { cleaned, seams: played.seams, before, found, after, joints }
    }
}
