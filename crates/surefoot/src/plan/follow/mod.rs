//! Walks of a graph along a drawn path, with legs that may change their length on the way.
//!
//! Both searches go through the same moves and measure them alike ([`Tracker`]): in every frame the squared distance between where the
//! body is, without the sway of its strides, and the point of the path at the length that was walked. [`FollowPath`] keeps the most
//! promising walks side by side from length to length; [`BranchAndBound`] does as the thesis of 2013 did.

pub(crate) mod bound;
pub(crate) mod reference;
mod tracker;

pub(crate) use bound::ProveBound;
pub(crate) use reference::BranchAndBound;

use crate::library::graph::{EdgeId, LegWays, MotionGraph};
use crate::math::FloorPose;
use crate::motion::ScaleClock;
use crate::plan::Path;
use std::collections::HashSet;
use tracker::{NONE, Tracked, Tracker};

/// How a walk along a path is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct FollowPath {
    /// How many walks are kept side by side.
    pub width: usize,
    /// Seconds of a clip that are played before it is left again, least and most.
    pub linger: [f32; 2],
    /// Frames that a distance from the path and a wrong direction at the end of a walk are expected to cost: which walks are kept.
    pub ahead: f32,
}

impl Default for FollowPath {
    fn default() -> Self {
        Self { width: 160, linger: [0.1, 0.35], ahead: 4.0 }
    }
}

/// What is searched: a graph with its ways, a path over the floor, and how long legs are when.
#[derive(Clone, Copy)]
pub struct PathSearch<'a> {
    /// The graph.
    pub graph: &'a MotionGraph,
    /// Where it leads with other legs.
    pub ways: &'a LegWays,
    /// The path; heights do not count.
    pub path: &'a Path,
    /// How long legs are over time, and how fast clips are played.
    pub clock: &'a ScaleClock,
}

/// A walk along a path.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathWalk {
    /// Where the first edge starts.
    pub start: FloorPose,
    /// Edges that follow each other.
    pub edges: Vec<EdgeId>,
    /// Frames of these edges that belong to the walk, both ends included.
    pub frames: usize,
    /// Squared distances from the path, added up over frames, m².
    pub error: f64,
    /// No walk of the graph is nearer to the path than this, m²; 0 where nothing is known.
    pub bound: f64,
    /// Moves that were looked at.
    pub moves: usize,
    /// Whether the search came to its own end; else it was stopped, and this is what it had.
    pub complete: bool,
}

impl PathWalk {
    /// How far from the path it is, root mean square over frames, metres.
    #[must_use]
    pub fn distance(&self) -> f64 {
        (self.error / self.frames.max(1) as f64).sqrt()
    }
}

/// Why there is no walk along a path.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoPathWalk {
    /// The path is too short to walk along.
    #[error("a path of {length:.2} m is too short: a walk needs {LEAST} m")]
    Short {
        /// Its length, metres.
        length: f32,
    },
    /// Nothing in the graph holds together.
    #[error("no clips of the graph are joined into a loop, so a walk could not go on")]
    NothingToWalk,
    /// No walk comes to the end.
    #[error("no walk of the graph comes farther than {reached:.1} m of the path's {length:.1} m")]
    Stuck {
        /// How far it comes, metres.
        reached: f32,
        /// The path's length, metres.
        length: f32,
    },
}

/// The shortest path, metres.
const LEAST: f32 = 0.2;

/// A walk that is farther from its path than this, root mean square, is looked for again, metres.
const FAR: f64 = 0.2;
/// Walks are compared with others that came as far within this length, metres.
const BIN: f32 = 0.15;
/// Walks at one node that are as near to each other as this, metres, and face the same way within an eighth of a right angle, are one.
const ALIKE: f32 = 0.12;

impl FollowPath {
    /// Looks for the walk of a graph that stays nearest to a path.
    ///
    /// # Errors
    /// If the path is too short, or no walk comes along it.
    pub fn run(&self, search: &PathSearch<'_>) -> Result<PathWalk, NoPathWalk> {
        let first = self.look(search)?;
        if first.distance() < FAR {
            return Ok(first);
        }
        // A turn about must be begun before it pays: more walks, and those that leave the path for longer.
        let wider = Self { width: 4 * self.width, ahead: 3.0 * self.ahead, ..*self }.look(search)?;
        let (bound, moves) = (first.bound.max(wider.bound), first.moves + wider.moves);
        let best = if wider.error < first.error { wider } else { first };
        Ok(PathWalk { bound, moves, ..best })
    }

    /// Looks once.
    fn look(&self, search: &PathSearch<'_>) -> Result<PathWalk, NoPathWalk> {
        let mut tracker = Tracker::new(search, self.linger)?;
        let length = tracker.length();
        let bin_of = |state: &Tracked| (state.walked / BIN) as usize;
        let mut bins: Vec<Vec<u32>> = vec![Vec::new(); (length / BIN) as usize + 2];
        let mut states = tracker.begin();
        for (k, state) in states.iter().enumerate() {
            bins[bin_of(state)].push(k as u32);
        }
        let mut best: Option<(f64, u32)> = None;
        // The least error at which a walk was left out: all that it might have become are no better.
        let (mut left_out, mut farthest) = (f64::INFINITY, 0.0_f32);
        let mut seen = HashSet::new();
        let mut children: Vec<Tracked> = Vec::new();
        for bin in 0..bins.len() {
            let mut here = std::mem::take(&mut bins[bin]);
            let rank =
                |k: &u32| states[*k as usize].error + f64::from(self.ahead) * tracker.astray(&states[*k as usize]);
            let mut ranked: Vec<(f64, u32)> = here.drain(..).map(|k| (rank(&k), k)).collect();
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            seen.clear();
            let mut kept = 0;
            for (_, k) in ranked {
                let state = states[k as usize];
                if best.is_some_and(|(error, _)| state.error >= error) {
                    continue;
                }
                let cell = (state.place / ALIKE).round().as_ivec2();
                let sector = (state.facing * 4.0).round().as_ivec2();
                if kept >= self.width || !seen.insert((state.at, state.via == NONE, cell, sector)) {
                    left_out = left_out.min(state.error);
                    continue;
                }
                kept += 1;
                farthest = farthest.max(state.walked);
                children.clear();
                let most = best.map_or(f64::INFINITY, |(error, _)| error);
                tracker.expand(k, &state, most, &mut children);
                for child in children.drain(..) {
                    let number = states.len() as u32;
                    if child.walked >= length {
                        if best.is_none_or(|(error, _)| child.error < error) {
                            best = Some((child.error, number));
                            states.push(child);
                        }
                    } else if best.is_none_or(|(error, _)| child.error < error) {
                        // Never back into the bin that is being looked at: who stands still would do so for ever.
                        let to = bin_of(&child).max(bin + 1).min(bins.len() - 1);
                        if to > bin {
                            bins[to].push(number);
                            states.push(child);
                        }
                    }
                }
            }
        }
        let Some((error, end)) = best else { return Err(NoPathWalk::Stuck { reached: farthest, length }) };
        let bound = left_out.min(error);
        Ok(tracker.walk(&states, end, bound, true))
    }
}
