//! From a drawn path and a plan of leg lengths to a finished walk: walk of the graph → legs → feet → figures.

mod report;

pub use report::{FollowReport, FollowTimes, FollowTrace, JointSpeed, SpeedFit};

use crate::adapt::{Clean, Cleaned, LegsScaled, ScaleLegs, ScaleLegsError, WalkOnLegs, clear_skin};
use crate::analyse::FindStances;
use crate::library::graph::{LegWays, MotionGraph, Played};
use crate::metrics::{CheckMotion, Checked, CheckedSource, Fault, Footing};
use crate::motion::{ScaleClock, ScalePlan, SourceSpan, Span, SpeedLaw, Take};
use crate::plan::{BranchAndBound, FollowPath, NoPathWalk, Path, PathSearch, PathWalk, ProveBound};
use crate::rig::Rig;
use crate::stage_times::Stopwatch;
use glam::Vec3A;
use std::collections::BTreeSet;

/// How a path is followed.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Follow {
    /// How a walk is looked for.
    pub find: FollowPath,
    /// To look for it as the thesis of 2013 did, instead.
    pub reference: Option<BranchAndBound>,
    /// To prove how near a walk could come at all, which may take seconds.
    pub prove: Option<ProveBound>,
    /// How legs are scaled.
    pub legs: ScaleLegs,
    /// How feet that are known to stand do so.
    pub stances: FindStances,
    /// How they are held.
    pub clean: Clean,
}

impl Default for Follow {
    fn default() -> Self {
        Self {
            find: FollowPath::default(),
            reference: None,
            prove: None,
            legs: ScaleLegs::default(),
            stances: FindStances::default(),
            // Who closes up to stand drags a foot a little, which shows once the other is held still.
            // Joints turn faster than in the clips by a fifth at most.
            clean: Clean { drags: 0.03, toes: 0.0, ..Clean::default() },
        }
    }
}

/// What is to be walked: a path over the floor, how long legs are on the way, and how fast that is.
#[derive(Clone, Copy)]
pub struct PathToFollow<'a> {
    /// The path; heights do not count.
    pub path: &'a Path,
    /// How long legs are.
    pub plan: &'a ScalePlan,
    /// How fast a body goes on them.
    pub law: &'a dyn SpeedLaw,
}

/// A path that was followed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FollowedPath {
    /// The body with the legs that it starts with.
    pub rig: Rig,
    /// The motion; its stances are those that are held.
    pub take: Take,
    /// The motion before its feet were held, and where they were to stand.
    pub played: Take,
    /// What of the graph is played.
    pub walk: PathWalk,
    /// How long legs are, by frame.
    pub scales: Vec<f32>,
    /// How the pelvis was moved to hold feet, by frame, metres, world.
    pub pelvis: Vec<Vec3A>,
    /// What it took, and how good it is.
    pub report: FollowReport,
}

/// Why a path was not followed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FollowError {
    /// The graph has no walk along it.
    #[error(transparent)]
    Walk(#[from] NoPathWalk),
    /// Legs cannot be scaled.
    #[error(transparent)]
    Legs(#[from] ScaleLegsError),
    /// A walk that was kept is none of this graph.
    #[error("the walk is of another graph: {why}")]
    OtherGraph {
        /// What does not fit.
        why: &'static str,
    },
}

impl Follow {
    /// Follows a path with walks of a graph: looks for the walk, plays it on legs of the length that is planned, and holds every
    /// foot where it stands.
    ///
    /// # Errors
    /// Why that cannot be done.
    pub fn run(&self, graph: &MotionGraph, wanted: &PathToFollow<'_>) -> Result<FollowedPath, FollowError> {
        let watch = Stopwatch::start();
        let ways = LegWays::new(graph);
        let ready = watch.elapsed();
        let watch = Stopwatch::start();
        let mut walk = self.find(graph, &ways, wanted)?;
        let found = watch.elapsed();
        if let Some(prove) = &self.prove {
            let clock = clock(graph, wanted);
            let search = PathSearch { graph, ways: &ways, path: wanted.path, clock: &clock };
            walk.bound = walk.bound.max(prove.run(&search)).min(walk.error);
        }
        let mut done = self.play(graph, walk, wanted)?;
        done.report.times = FollowTimes { ready, found, ..done.report.times };
        Ok(done)
    }

    /// Looks for a walk only; `ways` are the graph's, made once for many paths.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(&self, graph: &MotionGraph, ways: &LegWays, wanted: &PathToFollow<'_>) -> Result<PathWalk, NoPathWalk> {
        let clock = clock(graph, wanted);
        let search = PathSearch { graph, ways, path: wanted.path, clock: &clock };
        match &self.reference {
            Some(reference) => reference.run(&search),
            None => self.find.run(&search),
        }
    }

    /// Plays a walk that was found, now or long ago.
    ///
    /// # Errors
    /// If it is none of this graph, or legs cannot be scaled.
    pub fn play(
        &self,
        graph: &MotionGraph,
        walk: PathWalk,
        wanted: &PathToFollow<'_>,
    ) -> Result<FollowedPath, FollowError> {
        let watch = Stopwatch::start();
        fits(graph, &walk)?;
        let clock = clock(graph, wanted);
        let mut played = graph.play(walk.start, &walk.edges);
        played.trim(walk.frames);
        // Feet that keep their size slide on shorter legs where they stood: what takes hold is held.
        let shorter = wanted.plan.keys().iter().any(|key| key.scale < 1.0);
        let standing = if shorter { played.standing.clone() } else { graph.known_standing(&played) };
        let (rig, standing) = (&graph.rig, standing.as_slice());
        let on_legs = WalkOnLegs { rig, clip: &played.clip, standing, graph: Some(graph), clock: &clock };
        let scaled = self.legs.run(&on_legs)?;
        let sources = sources(&played, &scaled);
        let stances = self.stances.run_in(&scaled.rig, &scaled.clip, &scaled.standing);
        let free = Take { clip: scaled.clip.clone(), stances, ground: 0.0, sources };
        let Cleaned { mut take, pelvis, missed, .. } = self.clean.run(&scaled.rig, &free);
        if let Some(feet) = graph.feet() {
            clear_skin(&scaled.rig, feet, &mut take);
        }
        let mut report = FollowReport::new(graph, &played, &scaled, (&free, &take), (&walk, wanted));
        report.missed = missed.iter().copied().fold(0.0, f32::max);
        report.times.played = watch.elapsed();
        let LegsScaled { rig, scales, .. } = scaled;
        Ok(FollowedPath { rig, take, played: free, walk, scales, pelvis, report })
    }
}

impl FollowedPath {
    /// What of it is worse than the graph's takes that it plays, or over a limit.
    ///
    /// # Panics
    /// If it is not a walk of this graph.
    #[must_use]
    pub fn check(&self, check: &CheckMotion, graph: &MotionGraph) -> Vec<Fault> {
        let footing = Footing::default();
        let of = |rig, take, planned| Checked { rig, skin: None, take, planned, footing, part: None };
        let played: BTreeSet<usize> = self.take.sources.iter().map(|source| source.take).collect();
        let mut motions: Vec<Checked<'_>> =
            played.iter().map(|take| of(&graph.rig, &graph.takes[*take], false)).collect();
        // Longer legs swing faster: what the clips do on them is no fault of the feet.
        motions.push(of(&self.rig, &self.played, true));
        let source = CheckedSource { motions: &motions, moved: &self.pelvis };
        check.run(of(&self.rig, &self.take, true), &source)
    }

    /// Where root and feet are in every frame.
    #[must_use]
    pub fn trace(&self) -> FollowTrace {
        FollowTrace::of(&self.rig, &self.take, &self.scales)
    }
}

fn clock(graph: &MotionGraph, wanted: &PathToFollow<'_>) -> ScaleClock {
    ScaleClock::new(wanted.plan, wanted.law, graph.rig.leg_length())
}

/// Whether a walk's edges are those of a graph, one after another.
fn fits(graph: &MotionGraph, walk: &PathWalk) -> Result<(), FollowError> {
    let edges = &graph.topology.edges;
    let other = |why| Err(FollowError::OtherGraph { why });
    if walk.edges.is_empty() || walk.frames == 0 {
        return other("it has no edges");
    }
    if walk.edges.iter().any(|edge| edge.index() >= edges.len()) {
        return other("it has edges that the graph has not");
    }
    match walk.edges.windows(2).all(|pair| edges[pair[0].index()].to == edges[pair[1].index()].from) {
        true => Ok(()),
        false => other("its edges do not follow each other"),
    }
}

/// What a walk is made of, at the times at which that is shown.
fn sources(played: &Played, scaled: &LegsScaled) -> Vec<SourceSpan> {
    let at = |time: f32| scaled.shown_at(time, played.clip.rate());
    let shown = |source: &SourceSpan| {
        let time = Span { start: at(source.time.start), end: at(source.time.end) };
        SourceSpan { time, ..*source }
    };
    played.sources.iter().map(shown).collect()
}
