//! Building: from takes to a graph, and adding more takes to one.

use super::cloud::Cloud;
use super::contacts::Contacts;
use super::points::BodyPoints;
use super::sketch::{Directions, Sketch};
use super::topology::{Play, Topology};
use super::transition::{Bench, Meeting, Pair, Point, Rule, Transition};
use super::{Chosen, MotionGraph};
use crate::motion::Take;
use crate::rig::Rig;
use std::ops::Range;

/// How a graph is built from takes of one body.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct BuildGraph {
    /// Frames per second of the graph, Hz, > 0.
    pub rate: f32,
    /// Frames either side of a frame that the distance looks at.
    pub window: usize,
    /// Seconds that a blend takes; at least three frames.
    pub blend: f32,
    /// Seconds that a transition within one take must bridge at least.
    pub apart: f32,
    /// How transitions are picked.
    pub rule: Rule,
    /// Distance under which takes are near, root mean square metres; `None` chooses one from the takes.
    pub threshold: Option<f32>,
    /// Share of [usable](Self::usable) frames that a chosen threshold keeps in the largest component, 0 to 1; of takes that can
    /// be in it at all.
    pub keep: f32,
    /// Weights of the frame distance, one for each joint; `None` weighs joints by the bones that meet there.
    pub weights: Option<Vec<f32>>,
    /// Pairs of takes, by their places in the graph, between which transitions are sought, either way; `None` means all.
    pub anim_pairs: Option<Vec<(usize, usize)>>,
    /// Pass over pairs of frames that cannot be near, by exact lower bounds. Turning it off changes nothing but the time.
    pub skip: bool,
}

impl Default for BuildGraph {
    fn default() -> Self {
        Self {
            rate: 30.0,
            window: 2,
            blend: 13.0 / 30.0,
            apart: 0.5,
            rule: Rule::Regions,
            threshold: None,
            keep: 0.8,
            weights: None,
            anim_pairs: None,
            skip: true,
        }
    }
}

/// Why takes do not make a graph.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// A setting is out of its range.
    #[error("{field} is {value}; it must be {allowed}")]
    Setting {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        allowed: &'static str,
    },
    /// A take was made for another skeleton.
    #[error("{name:?} was made for another body than the graph's")]
    Body {
        /// The take's name.
        name: String,
    },
    /// No takes.
    #[error("a graph needs at least one clip")]
    Empty,
}

/// Blends for each frame of the largest component, in the mean, that a chosen threshold gives where it can. With fewer, walks make
/// detours to where they can turn: of eleven takes of one person, 0.3 a frame lead to walks 1.21 times as long as the shortest way in the
/// median and refuse one goal in five; 3.5 a frame, 1.05 times and one in sixteen.
const CHOICE: f32 = 3.5;

/// From this many pairs of windows on, sketches pay for themselves.
const MANY: usize = 1 << 20;

impl BuildGraph {
    /// Builds a graph from takes of one body, at any rate.
    ///
    /// # Errors
    /// If a setting is out of its range, there is no take, or one was made for another skeleton.
    pub fn run(&self, rig: &Rig, takes: &[Take]) -> Result<MotionGraph, GraphError> {
        self.run_watched(rig, takes, &|_, _| {})
    }

    /// As [`run`](Self::run), telling how many of how many pieces of work are done, from any thread.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_watched(
        &self,
        rig: &Rig,
        takes: &[Take],
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<MotionGraph, GraphError> {
        self.check(rig)?;
        if takes.is_empty() {
            return Err(GraphError::Empty);
        }
        let takes = self.prepared(rig, takes)?;
        let search = Search::new(self, rig, &takes);
        let ceiling = search.ceiling();
        let limit = self.threshold.unwrap_or(ceiling);
        let mut transitions = search.run(limit, &|_, _| true, progress);
        let frames: Vec<usize> = takes.iter().map(|take| take.clip.frames()).collect();
        let chosen = match self.threshold {
            Some(threshold) => Chosen { threshold, ceiling, given: true },
            None => {
                let threshold = least_threshold(self, &frames, &transitions).unwrap_or(ceiling);
                Chosen { threshold, ceiling, given: false }
            }
        };
        transitions.retain(|transition| transition.distance < chosen.threshold);
        let settings = Self { threshold: Some(chosen.threshold), ..self.clone() };
        Ok(MotionGraph::new(rig.clone(), settings, chosen, takes, transitions))
    }

    /// Adds takes to a graph, at its own settings and threshold: the same as building it from all takes at once with that
    /// threshold. New takes are paired with all others, which is added to `anim_pairs` where there are any.
    ///
    /// # Errors
    /// If a take was made for another skeleton than the graph's.
    pub fn add(
        graph: MotionGraph,
        takes: &[Take],
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<MotionGraph, GraphError> {
        let MotionGraph { rig, mut settings, chosen, takes: mut all, transitions: mut found, .. } = graph;
        let old = all.len();
        all.extend(settings.prepared(&rig, takes)?);
        if let Some(pairs) = &mut settings.anim_pairs {
            pairs.extend((old..all.len()).flat_map(|new| (0..=new).map(move |first| (first, new))));
        }
        let search = Search::new(&settings, &rig, &all);
        let new = search.run(chosen.threshold, &|_, second| second >= old, progress);
        // As in building: a root may be rounded up to the threshold.
        found.extend(new.into_iter().filter(|transition| transition.distance < chosen.threshold));
        found.sort_by_key(|transition| (transition.from, transition.to));
        Ok(MotionGraph::new(rig, settings, chosen, all, found))
    }

    /// Takes at the graph's rate.
    fn prepared(&self, rig: &Rig, takes: &[Take]) -> Result<Vec<Take>, GraphError> {
        let fits = |take: &&Take| take.clip.skeleton() != rig.skeleton.key();
        if let Some(other) = takes.iter().find(fits) {
            return Err(GraphError::Body { name: other.clip.name().into() });
        }
        Ok(takes.iter().map(|take| take.resampled(self.rate)).collect())
    }

    /// Whether every setting is in its range for a body.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self, rig: &Rig) -> Result<(), GraphError> {
        let in_range = |field, value: f32, low: f32, high: f32, allowed| {
            let value = f64::from(value);
            if (f64::from(low)..=f64::from(high)).contains(&value) {
                Ok(())
            } else {
                Err(GraphError::Setting { field, value, allowed })
            }
        };
        in_range("rate", self.rate, 1.0, 1000.0, "1 to 1000 Hz")?;
        in_range("window", self.window as f32, 0.0, 64.0, "0 to 64 frames")?;
        in_range("blend", self.blend, 2.0 / self.rate, 10.0, "at least three frames, at most 10 s")?;
        in_range("apart", self.apart, 0.0, 1e4, "0 s or more")?;
        in_range("keep", self.keep, 0.0, 1.0, "0 to 1")?;
        in_range("threshold", self.threshold.unwrap_or(1.0), f32::MIN_POSITIVE, 1e6, "above 0 m")?;
        if let Some(weights) = &self.weights {
            in_range(
                "number of weights",
                weights.len() as f32,
                rig.skeleton.len() as f32,
                rig.skeleton.len() as f32,
                "one for each joint",
            )?;
            let bad = weights.iter().find(|weight| !(**weight >= 0.0 && weight.is_finite()));
            bad.map_or(Ok(()), |bad| in_range("weight", *bad, 0.0, f32::MAX, "0 or more"))?;
            in_range("sum of weights", weights.iter().sum(), f32::MIN_POSITIVE, f32::MAX, "above 0")?;
        }
        Ok(())
    }

    /// Frames of a blend, ends included.
    #[must_use]
    pub fn blend_frames(&self) -> usize {
        ((self.blend * self.rate).round() as usize).max(3)
    }

    /// Frames between where a blend can first arrive and where one can last leave, over takes of these lengths: all that can
    /// be in a component.
    #[must_use]
    pub fn usable(&self, frames: &[usize]) -> usize {
        let last = self.blend_frames() - 1;
        let margin = match self.rule {
            Rule::Regions => self.window + last,
            Rule::Minima => self.window.max(last.div_ceil(2)) + last.div_ceil(2),
        };
        frames.iter().map(|frames| frames.saturating_sub(2 * margin + 1)).sum()
    }

    /// What the frame distance looks at on a body.
    ///
    /// # Panics
    /// If there are weights, but not as many as joints.
    #[must_use]
    pub fn points(&self, rig: &Rig) -> BodyPoints {
        let skeleton = &rig.skeleton;
        self.weights
            .as_ref()
            .map_or_else(|| BodyPoints::by_bone_length(skeleton), |weights| BodyPoints::weighted(skeleton, weights))
    }
}

/// Everything that finding transitions needs, made once.
struct Search<'a> {
    settings: &'a BuildGraph,
    clouds: Vec<Cloud>,
    sketches: Option<Vec<Sketch>>,
    signatures: Vec<Vec<u64>>,
    length: usize,
}

/// A piece of work: two takes, and rows of the first.
struct Piece {
    takes: [usize; 2],
    rows: Range<usize>,
}

impl<'a> Search<'a> {
    fn new(settings: &'a BuildGraph, rig: &Rig, takes: &[Take]) -> Self {
        let points = settings.points(rig);
        let length = settings.blend_frames();
        let clouds = each(takes, |take| Cloud::new(&rig.skeleton, &points, settings.window, &take.clip));
        let windows: usize = clouds.iter().map(Cloud::windows).sum();
        let sketches = (settings.skip && windows.saturating_mul(windows) > MANY).then(|| {
            let directions = Directions::new(&clouds.iter().collect::<Vec<_>>());
            each(&clouds, |cloud| Sketch::new(&directions, cloud))
        });
        let signatures = each(takes, |take| Contacts::new(take, rig.legs.len()).signatures(length));
        Self { settings, clouds, sketches, signatures, length }
    }

    /// The median distance of windows 0.1 s apart in the same take, metres: what is farther is not near.
    fn ceiling(&self) -> f32 {
        let step = ((0.1 * self.settings.rate).round() as usize).max(1);
        let own = |cloud: &Cloud| {
            (step..cloud.windows()).map(|window| cloud.align(window - step, cloud, window).squared).collect::<Vec<_>>()
        };
        let mut all: Vec<f64> = each(&self.clouds, own).concat();
        let middle = all.len() / 2;
        if all.is_empty() {
            return f32::MIN_POSITIVE;
        }
        let (_, median, _) = all.select_nth_unstable_by(middle, f64::total_cmp);
        (median.sqrt() as f32).max(f32::MIN_POSITIVE)
    }

    fn pair(&self, [a, b]: [usize; 2], limit: f32) -> Pair<'_> {
        // Blends within a take must not run into themselves.
        let apart = ((self.settings.apart * self.settings.rate).round() as usize).max(self.length);
        Pair {
            clouds: [&self.clouds[a], &self.clouds[b]],
            sketches: self.sketches.as_ref().map(|sketches| [&sketches[a], &sketches[b]]),
            signatures: [&self.signatures[a], &self.signatures[b]],
            apart: (a == b).then_some(apart),
            rule: self.settings.rule,
            length: self.length,
            // A little more, so that squaring loses nothing; distances are held against the threshold itself afterwards.
            limit: limit * limit * (1.0 + 1e-6),
        }
    }

    /// Finds the transitions between takes (first, second) with first <= second that are `wanted`, both ways, under a limit
    /// (metres); in order of where they leave.
    fn run(
        &self,
        limit: f32,
        wanted: &(dyn Fn(usize, usize) -> bool + Sync),
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Vec<Transition> {
        let allowed = |first: usize, second: usize| {
            let pairs = self.settings.anim_pairs.as_ref();
            pairs.is_none_or(|pairs| pairs.contains(&(first, second)) || pairs.contains(&(second, first)))
        };
        let mut pieces = Vec::new();
        for second in 0..self.clouds.len() {
            for first in (0..=second).filter(|first| wanted(*first, second) && allowed(*first, second)) {
                let takes = [first, second];
                let (rows, block) = (self.clouds[first].windows(), self.pair(takes, limit).block());
                let starts = (0..rows).step_by(block);
                pieces.extend(starts.map(|start| Piece { takes, rows: start..(start + block).min(rows) }));
            }
        }
        let done = std::sync::atomic::AtomicUsize::new(0);
        let found = each_with(&pieces, Bench::default, |bench, piece| {
            let meetings = self.pair(piece.takes, limit).meetings(piece.rows.clone(), bench);
            progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1, pieces.len());
            meetings
        });
        let mut transitions: Vec<Transition> = Vec::new();
        for (piece, meetings) in pieces.iter().zip(&found) {
            transitions.extend(meetings.iter().flat_map(|meeting| self.both_ways(piece.takes, meeting)));
        }
        transitions.retain(|transition| transition.distance < limit);
        transitions.sort_by_key(|transition| (transition.from, transition.to));
        transitions
    }

    fn both_ways(&self, takes: [usize; 2], meeting: &Meeting) -> [Transition; 2] {
        let last = self.length as u32 - 1;
        let way = |from: usize, to: usize| Transition {
            from: Point { take: takes[from] as u32, frame: meeting.starts[from] },
            to: Point { take: takes[to] as u32, frame: meeting.starts[to] + last },
            distance: meeting.squared.sqrt(),
        };
        [way(0, 1), way(1, 0)]
    }
}

/// The least threshold (metres) at which the largest component holds something of every take that all transitions together
/// bring into it, a share of those takes' usable frames, and enough ways on; `None` if not even all transitions give that.
fn least_threshold(settings: &BuildGraph, frames: &[usize], transitions: &[Transition]) -> Option<f32> {
    let mut sorted: Vec<&Transition> = transitions.iter().collect();
    sorted.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let held = |topology: &Topology| {
        let mut held = vec![false; frames.len()];
        for edge in topology.edges.iter().filter(|edge| topology.keeps_edge(edge)) {
            held[topology.nodes[edge.from.index()].take as usize] = true;
        }
        held
    };
    let reached = held(&Topology::new(frames, transitions));
    let within: Vec<usize> = frames.iter().zip(&reached).filter(|(_, reached)| **reached).map(|(n, _)| *n).collect();
    let wanted = settings.keep * settings.usable(&within) as f32;
    let enough = |count: usize| {
        let some: Vec<Transition> = sorted[..count].iter().map(|transition| **transition).collect();
        let topology = Topology::new(frames, &some);
        let largest = topology.components().first().map_or(0, |largest| largest.frames);
        let all = held(&topology).iter().zip(&reached).all(|(held, reached)| *held || !*reached);
        let blends = topology.edges.iter().filter(|edge| edge.play != Play::Take && topology.keeps_edge(edge)).count();
        let choice = blends as f32 >= CHOICE * largest as f32;
        topology.is_connected() && largest as f32 >= wanted && all && choice
    };
    if !enough(sorted.len()) {
        return None;
    }
    // The least number of transitions that is enough; more never break what holds together.
    let (mut few, mut many) = (0, sorted.len());
    while few < many {
        let middle = (few + many) / 2;
        if enough(middle) {
            many = middle;
        } else {
            few = middle + 1;
        }
    }
    // Just above the last one needed, so that it is under the threshold.
    let last = few.checked_sub(1).map(|last| sorted[last].distance)?;
    Some(f32::from_bits(last.to_bits() + 1))
}

/// `f` of every item, in order; on all cores where the feature `parallel` is on.
pub(super) fn each<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    each_with(items, || (), |(), item| f(item))
}

/// As [`each`], with something that each core keeps from item to item.
pub(super) fn each_with<T: Sync, S, R: Send>(
    items: &[T],
    init: impl Fn() -> S + Sync + Send,
    f: impl Fn(&mut S, &T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        items.par_iter().map_init(init, f).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        let mut state = init();
        items.iter().map(|item| f(&mut state, item)).collect()
    }
}
