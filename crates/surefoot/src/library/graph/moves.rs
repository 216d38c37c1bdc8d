//! What a motion graph offers to someone who wants to get somewhere: made once in a graph's life, asked by every search.

use super::spot::Spot;
use super::{Edge, EdgeId, MotionGraph, NodeId, Play, Point};
use crate::math::{FloorPose, smoothstep};
use crate::metrics::{facing_of_all, leaps};
use crate::motion::StanceFrames;
use std::ops::Range;
use std::sync::OnceLock;

/// Where the takes and blends of a graph lead, laid out for searching.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    pub(crate) takes: Vec<TakeWay>,
    pub(crate) blends: Vec<BlendWay>,
    /// Where blends go frame by frame after their start, each in the space of the take it leaves; `blend` spots each.
    ways: Vec<Spot>,
    /// Frames a second.
    pub(crate) rate: f32,
    /// Frames from where a blend leaves to where it arrives.
    pub(crate) blend: u32,
    /// Speed of most of the walking in it, m/s.
    pace: f32,
    /// Mean length of its steps, metres.
    step: f32,
}

/// A take as it goes over the floor.
#[derive(Clone, Debug)]
pub(crate) struct TakeWay {
    /// Where the character is in each frame.
    pub(crate) at: Vec<Spot>,
    /// Length of the way to each frame, metres.
    pub(crate) length: Vec<f32>,
    /// Seconds that it has gone amiss by each frame: without looking where it goes, or leaping, which counts more.
    amiss: Vec<f32>,
    /// Seconds that it has leapt by each frame.
    leaps: Vec<f32>,
    /// How often a foot has come down by each frame.
    strikes: Vec<u32>,
    /// Whether it stands on all its feet and hardly moves, by frame.
    pub(crate) stands: Vec<bool>,
    /// The first frame from each on in which it stands.
    stops: Vec<Option<u32>>,
    /// The node at each frame or after it, and the frames that are nodes of the largest component.
    nodes: Vec<Option<NodeId>>,
    pub(crate) kept: Option<Range<u32>>,
    /// Whether it turns on the spot: on the whole it hardly comes from its place.
    pub(crate) on_spot: bool,
    /// For each frame, the first blend that leaves there or later; one more at the end.
    pub(crate) leaving: Vec<u32>,
}

/// A blend that stays in the component.
#[derive(Clone, Debug)]
pub(crate) struct BlendWay {
    pub(crate) edge: EdgeId,
    pub(crate) from: Point,
    pub(crate) to: Point,
    /// Where it ends, in the space of the take it leaves.
    pub(crate) end: Spot,
    /// The first spot of its way.
    way: usize,
    /// Metres.
    pub(crate) length: f32,
    /// How often a foot comes down in it, about.
    pub(crate) steps: u32,
    /// How far apart its sides are, 0 to 1 of the graph's threshold.
    pub(crate) strain: f32,
    /// Seconds that it goes amiss.
    pub(crate) amiss: f32,
}

/// Spots of a move.
pub(crate) type Way<'a> = std::iter::Chain<std::slice::Iter<'a, Spot>, std::slice::Iter<'a, Spot>>;

/// Something that can be played from a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    /// The node it leads to.
    pub(crate) to: Point,
    /// The frame of its take up to which that is played.
    pub(crate) leaves: u32,
    /// The blend that follows.
    pub(crate) via: Option<u32>,
    /// Where it ends, in the space of the take it leaves.
    pub(crate) end: Spot,
}

/// The speed under which a character with its feet down stands, leg lengths a second.
const STILL: f32 = 0.12;
/// The time over which it must be so slow, seconds.
const SEEN: f32 = 0.2;

/// A take that goes at less than this share of the graph's pace turns on the spot.
const ON_SPOT: f32 = 0.25;
/// Time before a standing character sets off, seconds, at which walks begin: nobody waits longer who has just turned.
const SETTLED: f32 = 0.35;

/// Seconds between places of a take that a walk may begin from, where nothing stands.
const BEGINS: f32 = 0.3;

/// Moves that a graph has made or been given, if it has. They follow from the rest of the graph: all are equal.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownMoves {
    moves: OnceLock<Moves>,
    /// How far aside of where they go its takes look, radians.
    aside: OnceLock<f32>,
}

impl KnownMoves {
    pub(super) fn get(&self) -> Option<&Moves> {
        self.moves.get()
    }
}

impl PartialEq for KnownMoves {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl MotionGraph {
    /// The speed of most of the walking in the graph, m/s: half of it is slower. [Lays it out](Self::lay_out).
    #[must_use]
    pub fn pace(&self) -> f32 {
        self.moves().pace
    }

    /// Whether a character can stand still in it: come from standing and come to standing. [Lays it out](Self::lay_out).
    #[must_use]
    pub fn stands(&self) -> bool {
        self.moves().stands()
    }

    /// Lays the graph out for searching, which else the first search does: some tenths of a second for two minutes of clips. A graph
    /// that has been [given](Self::with_blend_ways) the ways of its blends is laid out but for how far aside of where they go its takes
    /// look, which takes a hundredth of a second.
    pub fn lay_out(&self) {
        self.moves();
        self.looks_aside();
    }

    /// What it offers to a search.
    pub(crate) fn moves(&self) -> &Moves {
        self.known.get().unwrap_or_else(|| {
            // Not made within the lock: cores that share the work would wait for each other there.
            let moves = Moves::new(self, &self.blend_ways());
            self.known.moves.get_or_init(|| moves)
        })
    }

    /// How far aside of where they go its takes look at most in 95 % of the time in which they go, radians.
    pub(crate) fn looks_aside(&self) -> f32 {
        let aside = || facing_of_all(&self.rig, self.takes.iter().map(|take| &take.clip));
        *self.known.aside.get_or_init(aside)
    }

    /// Where every blend of the largest component takes a character that starts at the origin, facing +Z: one pose for each
    /// frame after its start, blend after blend in the order of the topology's edges. Metres and radians.
    #[must_use]
    pub fn blend_ways(&self) -> Vec<FloorPose> {
        self.ways(1, |edge| self.is_kept_blend(edge)).concat()
    }

    /// How many poses its [blends' ways](Self::blend_ways) have.
    #[must_use]
    pub fn blend_poses(&self) -> usize {
        let kept = self.topology.edges.iter().filter(|edge| self.is_kept_blend(edge)).count();
        kept * (self.settings.blend_frames() - 1)
    }

    /// Lays the graph out by [ways of its blends](Self::blend_ways) that were kept, without playing any.
    ///
    /// # Panics
    /// If they are not as many as the graph [has](Self::blend_poses).
    #[must_use]
    pub fn with_blend_ways(mut self, ways: &[FloorPose]) -> Self {
        assert_eq!(ways.len(), self.blend_poses(), "ways of another graph");
        self.known = KnownMoves { moves: Moves::new(&self, ways).into(), ..KnownMoves::default() };
        self
    }

    fn is_kept_blend(&self, edge: &Edge) -> bool {
        matches!(edge.play, Play::Blend(_)) && self.topology.keeps_edge(edge)
    }
}

impl Moves {
    /// Lays out a graph; `ways` are those of its [blends](MotionGraph::blend_ways).
    fn new(graph: &MotionGraph, ways: &[FloorPose]) -> Self {
        let topology = &graph.topology;
        let rate = graph.settings.rate;
        let blend = graph.settings.blend_frames() - 1;
        let mut takes: Vec<TakeWay> = (0..graph.takes.len()).map(|take| TakeWay::new(graph, take)).collect();
        let kept = topology.edges.iter().enumerate().filter(|(_, edge)| graph.is_kept_blend(edge));
        let mut blends: Vec<BlendWay> = Vec::with_capacity(ways.len() / blend);
        let mut spots: Vec<Spot> = Vec::with_capacity(ways.len());
        let mut around: Vec<Spot> = Vec::new();
        let leg = graph.rig.leg_length();
        for ((k, edge), way) in kept.zip(ways.chunks_exact(blend)) {
            let Play::Blend(transition) = edge.play else { continue };
            let transition = &graph.transitions[transition as usize];
            let start = takes[transition.from.take as usize].at[transition.from.frame as usize];
            let first = spots.len();
            spots.extend(way.iter().map(|pose| start.then(Spot::new(*pose))));
            let way = &spots[first..];
            let places = || std::iter::once(&start).chain(way).map(|spot| spot.place);
            let length = places().zip(places().skip(1)).map(|(a, b)| a.distance(b)).sum();
            let strain = (transition.distance / graph.chosen.threshold.max(f32::MIN_POSITIVE)).min(1.0);
            let end = way[way.len() - 1];
            let half = way.len() as u32 / 2;
            let (from, to) = (transition.from, transition.to);
            let steps = takes[from.take as usize].steps(from.frame, from.frame + half)
                + takes[to.take as usize].steps(to.frame - half, to.frame);
            let amiss = {
                // With what comes before and after it, which shows where it goes.
                let near = half_going(rate);
                let (from_take, to_take) = (&takes[from.take as usize].at, &takes[to.take as usize].at);
                let to_from = end.then(to_take[to.frame as usize].inverse());
                around.clear();
                around.extend(&from_take[(from.frame as usize).saturating_sub(near)..=from.frame as usize]);
                let first = around.len() - 1;
                around.extend(way);
                let last = around.len() - 1;
                let after = to.frame as usize + 1..(to.frame as usize + 1 + near).min(to_take.len());
                around.extend(to_take[after].iter().map(|spot| to_from.then(*spot)));
                let aside = (first + 1..=last).map(|frame| goes_aside(&around, frame, rate, leg)).sum::<f32>() / rate;
                let leaps = takes[from.take as usize].leaps(from.frame, from.frame + half)
                    + takes[to.take as usize].leaps(to.frame - half, to.frame);
                aside + LEAPING * leaps
            };
            blends.push(BlendWay { edge: EdgeId(k as u32), from, to, end, way: first, length, steps, strain, amiss });
        }
        blends.sort_by_key(|blend| (blend.from, blend.to));
        for (k, take) in takes.iter_mut().enumerate() {
            let first = |frame: usize| {
                blends.partition_point(|b| b.from < Point { take: k as u32, frame: frame as u32 }) as u32
            };
            take.leaving = (0..=take.at.len()).map(first).collect();
        }
        let (pace, step) = (pace(&takes, rate, leg), step(&takes, leg));
        for take in &mut takes {
            take.on_spot = take.kept.as_ref().is_some_and(|kept| {
                let (from, to) = (kept.start as usize, kept.end as usize - 1);
                (take.length[to] - take.length[from]) * rate < ON_SPOT * pace * (to - from) as f32
            });
        }
        Self { takes, blends, ways: spots, rate, blend: blend as u32, pace, step }
    }

    /// The speed of most of the walking, m/s.
    pub(crate) fn pace(&self) -> f32 {
        self.pace
    }

    /// How long steps are in the mean, metres.
    pub(crate) fn step_length(&self) -> f32 {
        self.step
    }

    /// Whether a character can stand still.
    pub(crate) fn stands(&self) -> bool {
        self.standing().next().is_some()
    }

    /// Nodes from which a standing character can start: of each span of standing one shortly before it sets off, so that nobody
    /// waits who has just turned.
    pub(crate) fn standing(&self) -> impl Iterator<Item = (Point, NodeId)> {
        self.takes.iter().enumerate().flat_map(|(k, take)| {
            let starts = (0..take.stands.len()).filter(|f| take.stands[*f] && (*f == 0 || !take.stands[f - 1]));
            let settled = (SETTLED * self.rate).round() as usize;
            starts.filter_map(move |start| {
                let stood = take.stands[start..].iter().take_while(|stands| **stands).count();
                let kept = take.kept.as_ref()?;
                // Lead-ins may be walked from, tails may not.
                let is_start = |frame: &usize| take.is_node(*frame) && (*frame as u32) < kept.end;
                let sets_off = start + stood - settled.min(stood / 2);
                let late = (start..sets_off).rev().find(is_start);
                let frame = late.or_else(|| (start..start + stood).find(is_start))?;
                Some((Point { take: k as u32, frame: frame as u32 }, take.nodes[frame]?))
            })
        })
    }

    /// Nodes that a walk can begin from: where the character stands, if the graph can, else some of each take, so that it may
    /// begin in a turn as well.
    pub(crate) fn beginnings(&self) -> impl Iterator<Item = Point> {
        let stands = self.stands();
        self.standing().map(|(at, _)| at).chain(self.anywhere().filter(move |_| !stands))
    }

    /// Some nodes of each take.
    pub(crate) fn anywhere(&self) -> impl Iterator<Item = Point> {
        let apart = ((BEGINS * self.rate) as usize).max(1);
        self.takes.iter().enumerate().flat_map(move |(k, take)| {
            let some = take.kept.clone().into_iter().flatten().step_by(apart);
            let nodes = some.filter(|frame| take.is_node(*frame as usize));
            nodes.map(move |frame| Point { take: k as u32, frame })
        })
    }

    /// What can be played from a node: the take to its next node, or a blend at once.
    pub(crate) fn nexts(&self, at: Point) -> impl Iterator<Item = Next> {
        let take = &self.takes[at.take as usize];
        let last = take.at.len() as u32 - 1;
        let on = (at.frame + 1..=last).find(|frame| take.is_node(*frame as usize));
        let on = on.filter(|frame| take.kept.as_ref().is_some_and(|kept| *frame < kept.end));
        self.nexts_within(at, 0, 0).chain(on.map(|frame| self.playing_on(at, frame)))
    }

    /// Blends that leave a take after `least` to `most` frames, and playing on for `most`.
    pub(crate) fn nexts_within(&self, at: Point, least: u32, most: u32) -> impl Iterator<Item = Next> {
        let take = &self.takes[at.take as usize];
        let end = take.kept.as_ref().map_or(0, |kept| kept.end);
        let last = (at.frame + most).min(end.saturating_sub(1));
        let first = at.frame + least;
        let blends = if first <= last { take.leaving[first as usize]..take.leaving[last as usize + 1] } else { 0..0 };
        let on = take.played_on(at.frame, last).filter(|_| most > 0);
        let blend = |via: u32| {
            let blend = &self.blends[via as usize];
            Next { to: blend.to, leaves: blend.from.frame, via: Some(via), end: blend.end }
        };
        blends.map(blend).chain(on.map(move |frame| self.playing_on(at, frame)))
    }

    fn playing_on(&self, at: Point, frame: u32) -> Next {
        let end = self.takes[at.take as usize].at[frame as usize];
        Next { to: Point { frame, ..at }, leaves: frame, via: None, end }
    }

    /// Where the character is in the frames of a move that plays on to frame `leaves` and then perhaps blends, in the space of the
    /// take it leaves, and that space in the world.
    pub(crate) fn way(&self, at: Point, spot: Spot, leaves: u32, via: Option<u32>) -> (Way<'_>, Spot) {
        let take = &self.takes[at.take as usize];
        let world_from_take = spot.then(take.at[at.frame as usize].inverse()).tidied();
        let blended = via.map_or([].as_slice(), |via| self.blend_way(via));
        (take.at[at.frame as usize + 1..=leaves as usize].iter().chain(blended), world_from_take)
    }

    /// Where a blend goes frame by frame after its start, in the space of the take it leaves.
    pub(super) fn blend_way(&self, via: u32) -> &[Spot] {
        let first = self.blends[via as usize].way;
        &self.ways[first..first + self.blend as usize]
    }

    /// The take's own edges between two frames that are nodes.
    pub(crate) fn along(&self, graph: &MotionGraph, take: u32, from: u32, to: u32, edges: &mut Vec<EdgeId>) {
        let topology = &graph.topology;
        let mut node = self.takes[take as usize].nodes[from as usize];
        while let Some(here) = node.filter(|here| topology.nodes[here.index()].frame < to) {
            let own = topology.leaving(here).find(|(_, edge)| edge.play == Play::Take);
            node = own.map(|(id, edge)| {
                edges.push(id);
                edge.to
            });
        }
    }
}

impl TakeWay {
    fn new(graph: &MotionGraph, take: usize) -> Self {
        let clip = &graph.takes[take].clip;
        let frames = clip.frames();
        let topology = &graph.topology;
        let at: Vec<Spot> = (0..frames).map(|frame| Spot::new(graph.place(take, frame))).collect();
        let mut length = vec![0.0];
        at.windows(2).for_each(|pair| length.push(length[length.len() - 1] + pair[0].place.distance(pair[1].place)));
        let nodes: Vec<Option<NodeId>> =
            (0..frames).map(|frame| topology.node_at(Point { take: take as u32, frame: frame as u32 })).collect();
        let own = (0..frames as u32).filter(|frame| {
            nodes[*frame as usize]
                .is_some_and(|node| topology.nodes[node.index()].frame == *frame && topology.keeps(node))
        });
        let kept = own.fold(None, |kept: Option<Range<u32>>, frame| {
            Some(kept.map_or(frame..frame + 1, |kept| kept.start..frame + 1))
        });
        let half = ((0.5 * SEEN * clip.rate()).round() as usize).max(1);
        let still = STILL * graph.rig.leg_length();
        // A foot that is down turns on its ball or heel where it lies flat before or after, not now.
        let mut swivelling = vec![false; frames];
        for stance in &graph.takes[take].stances {
            let StanceFrames { whole, heel, ball } = stance.frames(clip);
            let flat = heel.start.max(ball.start)..heel.end.min(ball.end);
            if !flat.is_empty() {
                whole.filter(|frame| !flat.contains(frame)).for_each(|frame| swivelling[frame] = true);
            }
        }
        let swivels = |frame: usize| swivelling[frame];
        let stands = (0..frames).map(|frame| {
            let (a, b) = (frame.saturating_sub(half), (frame + half).min(frames - 1));
            let moved = at[a].place.distance(at[b].place) * clip.rate() / (b - a).max(1) as f32;
            let turned = at[a].facing.distance(at[b].facing) * clip.rate() / (b - a).max(1) as f32;
            moved < still && turned < 2.0 * STILL && graph.all_stand(take, frame) && !swivels(frame)
        });
        let stands: Vec<bool> = stands.collect();
        let mut stops = vec![None; frames];
        for frame in (0..frames).rev() {
            let later = stops.get(frame + 1).copied().flatten();
            stops[frame] = if stands[frame] { Some(frame as u32) } else { later };
        }
        let mut strikes = vec![0];
        for frame in 1..frames {
            let struck = (0..graph.rig.legs.len()).filter(|leg| graph.strikes(take, *leg, frame)).count();
            strikes.push(strikes[frame - 1] + struck as u32);
        }
        let leaps = leaps(&graph.rig, &graph.takes[take]);
        let aside = aside(&at, clip.rate(), graph.rig.leg_length());
        let amiss = aside.iter().zip(&leaps).map(|(aside, leaps)| aside + LEAPING * leaps).collect();
        Self { stands, stops, strikes, at, length, amiss, leaps, nodes, kept, on_spot: false, leaving: Vec::new() }
    }

    /// Seconds that it goes amiss, from a frame up to another.
    pub(crate) fn amiss(&self, from: u32, to: u32) -> f32 {
        self.amiss[to as usize] - self.amiss[from as usize]
    }

    /// Seconds that it leaps, from a frame up to another.
    fn leaps(&self, from: u32, to: u32) -> f32 {
        self.leaps[to as usize] - self.leaps[from as usize]
    }

    /// How often a foot comes down after a frame and up to another.
    pub(crate) fn steps(&self, from: u32, to: u32) -> u32 {
        self.strikes[to as usize] - self.strikes[from as usize]
    }

    /// The last frame in which a foot comes down, after a frame and up to another.
    pub(crate) fn last_strike(&self, from: u32, to: u32) -> Option<u32> {
        (from + 1..=to).rev().find(|frame| self.steps(frame - 1, *frame) > 0)
    }

    fn is_node(&self, frame: usize) -> bool {
        self.nodes[frame] != self.nodes.get(frame + 1).copied().flatten()
    }

    /// The first frame from a frame on in which it stands, if it comes to that.
    pub(crate) fn comes_to_stand(&self, frame: u32) -> Option<u32> {
        self.stops[frame as usize]
    }

    /// The node to which it is played on from a frame up to about another: the last before, else the first after it that is in
    /// the component.
    pub(crate) fn played_on(&self, from: u32, to: u32) -> Option<u32> {
        let kept = self.kept.as_ref()?;
        let after = || (to + 1..kept.end).find(|frame| self.is_node(*frame as usize));
        self.node_before(to, from + 1).or_else(after)
    }

    /// The last node at or before a frame, and not before another.
    pub(crate) fn node_before(&self, frame: u32, not_before: u32) -> Option<u32> {
        (not_before..=frame).rev().find(|f| self.is_node(*f as usize))
    }
}

/// A second of leaping is as much amiss as so many of going without looking there: a leap is short, and nobody who walks would see
/// a reason for one.
const LEAPING: f32 = 4.0;

/// The time over which it is seen which way somebody goes, seconds, and the slowest that goes anywhere, leg lengths a second.
const GOES: f32 = 0.6;
const GOING: f32 = 0.3;
/// Cosines of how far beside where it looks somebody goes: less than the first (14°) is none, more than the second (38°) is wholly aside.
/// Bodies that walk straight sway by little more: 95 % of the time that walks are recorded go within 17 to 22°.
const ASIDE: [f32; 2] = [0.970, 0.788];

/// Frames either side over which it is seen which way somebody goes.
fn half_going(rate: f32) -> usize {
    ((0.5 * GOES * rate).round() as usize).max(1)
}

/// How much a body goes beside where it looks in a frame, 0 to 1.
fn goes_aside(at: &[Spot], frame: usize, rate: f32, leg: f32) -> f32 {
    let half = half_going(rate);
    let (a, b) = (frame.saturating_sub(half), (frame + half).min(at.len() - 1));
    let way = at[b].place - at[a].place;
    let length = way.length();
    if length * rate < GOING * leg * (b - a) as f32 {
        return 0.0;
    }
    smoothstep((ASIDE[0] - at[frame].facing.dot(way) / length) / (ASIDE[0] - ASIDE[1]))
}

/// How long a body has gone beside where it looks by each frame, seconds.
fn aside(at: &[Spot], rate: f32, leg: f32) -> Vec<f32> {
    let mut all = vec![0.0];
    for frame in 1..at.len() {
        all.push(all[frame - 1] + goes_aside(at, frame, rate, leg) / rate);
    }
    all
}

/// The mean length of steps, metres; a leg's where there are none.
fn step(takes: &[TakeWay], leg: f32) -> f32 {
    let (mut length, mut steps) = (0.0, 0);
    for take in takes {
        let Some(kept) = &take.kept else { continue };
        let (from, to) = (kept.start as usize, kept.end as usize - 1);
        length += take.length[to] - take.length[from];
        steps += take.strikes[to] - take.strikes[from];
    }
    if steps > 0 { length / steps as f32 } else { leg }
}

/// Half of the walking is slower than this, m/s; by the time it takes.
fn pace(takes: &[TakeWay], rate: f32, leg: f32) -> f32 {
    let step = (rate.round() as usize).max(1);
    let mut speeds: Vec<f32> = Vec::new();
    for take in takes {
        let Some(kept) = &take.kept else { continue };
        let frames = kept.start as usize..(kept.end as usize).saturating_sub(step);
        speeds.extend(frames.map(|f| take.at[f].place.distance(take.at[f + step].place) * rate / step as f32));
    }
    speeds.retain(|speed| *speed > 0.4 * leg);
    speeds.sort_by(f32::total_cmp);
    speeds.get(speeds.len() / 2).copied().unwrap_or(leg)
}
