//! What a motion graph offers to someone who wants to get somewhere: made once for a graph, asked by every search.

use super::spot::Spot;
use crate::library::graph::{EdgeId, MotionGraph, NodeId, Play, Point};
use glam::Vec2;
use std::ops::Range;

/// Where the takes and blends of a graph lead, laid out for searching. Belongs to the graph it was made of.
#[derive(Clone, Debug)]
pub struct Moves {
    pub(super) takes: Vec<TakeWay>,
    pub(super) blends: Vec<BlendWay>,
    /// Frames a second.
    pub(super) rate: f32,
    /// Frames from where a blend leaves to where it arrives.
    pub(super) blend: u32,
    /// Speed of most of the walking in it, m/s.
    pace: f32,
}

/// A take as it goes over the floor.
#[derive(Clone, Debug)]
pub(super) struct TakeWay {
    /// Where the character is in each frame.
    pub(super) at: Vec<Spot>,
    /// Length of the way to each frame, metres.
    pub(super) length: Vec<f32>,
    /// How often a foot has come down by each frame.
    strikes: Vec<u32>,
    /// Whether it stands on all its feet and hardly moves, by frame.
    pub(super) stands: Vec<bool>,
    /// The first frame from each on in which it stands.
    stops: Vec<Option<u32>>,
    /// The node at each frame or after it, and the frames that are nodes of the largest component.
    nodes: Vec<Option<NodeId>>,
    pub(super) kept: Option<Range<u32>>,
    /// For each frame, the first blend that leaves there or later; one more at the end.
    pub(super) leaving: Vec<u32>,
}

/// A blend that stays in the component.
#[derive(Clone, Debug)]
pub(super) struct BlendWay {
    pub(super) edge: EdgeId,
    pub(super) from: Point,
    pub(super) to: Point,
    /// Where it ends, in the space of the take it leaves.
    pub(super) end: Spot,
    /// Where it goes frame by frame after its start, likewise.
    pub(super) way: Vec<Spot>,
    /// Metres.
    pub(super) length: f32,
    /// How often a foot comes down in it, about.
    pub(super) steps: u32,
    /// How far apart its sides are, 0 to 1 of the graph's threshold.
    pub(super) strain: f32,
}

/// Spots of a move.
pub(super) type Way<'a> = std::iter::Chain<std::slice::Iter<'a, Spot>, std::slice::Iter<'a, Spot>>;

/// Something that can be played from a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    /// The node it leads to.
    pub(super) to: Point,
    /// The frame of its take up to which that is played.
    pub(super) leaves: u32,
    /// The blend that follows.
    pub(super) via: Option<u32>,
    /// Where it ends, in the space of the take it leaves.
    pub(super) end: Spot,
}

/// Speed under which a character with its feet down stands, in leg lengths a second, and the time over which that is seen.
const STILL: f32 = 0.12;
const SEEN: f32 = 0.2;

impl Moves {
    /// Lays out a graph.
    #[must_use]
    pub fn new(graph: &MotionGraph) -> Self {
        let topology = &graph.topology;
        let rate = graph.settings.rate;
        let mut takes: Vec<TakeWay> = (0..graph.takes.len()).map(|take| TakeWay::new(graph, take)).collect();
        let ways = graph.ways(1, |edge| matches!(edge.play, Play::Blend(_)) && topology.keeps_edge(edge));
        let mut blends: Vec<BlendWay> = Vec::new();
        for (k, (edge, way)) in topology.edges.iter().zip(ways).enumerate() {
            let (Play::Blend(transition), false) = (edge.play, way.is_empty()) else { continue };
            let transition = &graph.transitions[transition as usize];
            let start = takes[transition.from.take as usize].at[transition.from.frame as usize];
            let way: Vec<Spot> = way.iter().map(|pose| start.then(Spot::new(*pose))).collect();
            let places = || std::iter::once(&start).chain(&way).map(|spot| spot.place);
            let length = places().zip(places().skip(1)).map(|(a, b)| a.distance(b)).sum();
            let strain = (transition.distance / graph.chosen.threshold.max(f32::MIN_POSITIVE)).min(1.0);
            let end = way[way.len() - 1];
            let half = way.len() as u32 / 2;
            let (from, to) = (transition.from, transition.to);
            let steps = takes[from.take as usize].steps(from.frame, from.frame + half)
                + takes[to.take as usize].steps(to.frame - half, to.frame);
            blends.push(BlendWay { edge: EdgeId(k as u32), from, to, end, way, length, steps, strain });
        }
        blends.sort_by_key(|blend| (blend.from, blend.to));
        for (k, take) in takes.iter_mut().enumerate() {
            let first = |frame: usize| {
                blends.partition_point(|b| b.from < Point { take: k as u32, frame: frame as u32 }) as u32
            };
            take.leaving = (0..=take.at.len()).map(first).collect();
        }
        let pace = pace(&takes, rate, graph.rig.leg_length());
        Self { takes, blends, rate, blend: graph.settings.blend_frames() as u32 - 1, pace }
    }

    /// The speed of most of the walking in the graph, m/s: half of it is slower.
    #[must_use]
    pub fn pace(&self) -> f32 {
        self.pace
    }

    /// Whether a character can stand still in it: come from standing and come to standing.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.standing().next().is_some()
    }

    /// Nodes from which a standing character can start: of each span of standing the first.
    pub(super) fn standing(&self) -> impl Iterator<Item = (Point, NodeId)> {
        self.takes.iter().enumerate().flat_map(|(k, take)| {
            let starts = (0..take.stands.len()).filter(|f| take.stands[*f] && (*f == 0 || !take.stands[f - 1]));
            starts.filter_map(move |frame| {
                let node = take.nodes[frame]?;
                let kept = take.kept.as_ref()?;
                let frame = (frame..take.at.len()).find(|f| take.nodes[*f] == Some(node) && take.is_node(*f))?;
                // Lead-ins may be walked from, tails may not.
                let still = take.stands[frame] && (frame as u32) < kept.end;
                still.then_some((Point { take: k as u32, frame: frame as u32 }, node))
            })
        })
    }

    /// Nodes that a walk can begin from: where the character stands, if the graph can, else the first of each take.
    pub(super) fn beginnings(&self) -> impl Iterator<Item = Point> {
        let stands = self.stands();
        let any = self.takes.iter().enumerate().filter_map(move |(k, take)| {
            let first = take.kept.as_ref().filter(|_| !stands)?.start;
            Some(Point { take: k as u32, frame: first })
        });
        self.standing().map(|(at, _)| at).chain(any)
    }

    /// What can be played from a node: the take to its next node, or a blend at once.
    pub(super) fn nexts(&self, at: Point) -> impl Iterator<Item = Next> {
        let take = &self.takes[at.take as usize];
        let last = take.at.len() as u32 - 1;
        let on = (at.frame + 1..=last).find(|frame| take.is_node(*frame as usize));
        let on = on.filter(|frame| take.kept.as_ref().is_some_and(|kept| *frame < kept.end));
        self.nexts_within(at, 0, 0).chain(on.map(|frame| self.playing_on(at, frame)))
    }

    /// Blends that leave a take after `least` to `most` frames, and playing on for `most`.
    pub(super) fn nexts_within(&self, at: Point, least: u32, most: u32) -> impl Iterator<Item = Next> {
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
    pub(super) fn way(&self, at: Point, spot: Spot, leaves: u32, via: Option<u32>) -> (Way<'_>, Spot) {
        let take = &self.takes[at.take as usize];
        let world_from_take = spot.then(take.at[at.frame as usize].inverse()).tidied();
        let blended = via.map_or([].as_slice(), |via| self.blends[via as usize].way.as_slice());
        (take.at[at.frame as usize + 1..=leaves as usize].iter().chain(blended), world_from_take)
    }

    /// The take's own edges between two frames that are nodes.
    pub(super) fn along(&self, graph: &MotionGraph, take: u32, from: u32, to: u32, edges: &mut Vec<EdgeId>) {
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
        let stands = (0..frames).map(|frame| {
            let (a, b) = (frame.saturating_sub(half), (frame + half).min(frames - 1));
            let moved = at[a].place.distance(at[b].place) * clip.rate() / (b - a).max(1) as f32;
            let turned = at[a].facing.distance(at[b].facing) * clip.rate() / (b - a).max(1) as f32;
            moved < still && turned < 2.0 * STILL && graph.all_stand(take, frame)
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
        Self { stands, stops, strikes, at, length, nodes, kept, leaving: Vec::new() }
    }

    /// How often a foot comes down after a frame and up to another.
    pub(super) fn steps(&self, from: u32, to: u32) -> u32 {
        self.strikes[to as usize] - self.strikes[from as usize]
    }

    /// The last frame in which a foot comes down, after a frame and up to another.
    pub(super) fn last_strike(&self, from: u32, to: u32) -> Option<u32> {
        (from + 1..=to).rev().find(|frame| self.steps(frame - 1, *frame) > 0)
    }

    fn is_node(&self, frame: usize) -> bool {
        self.nodes[frame] != self.nodes.get(frame + 1).copied().flatten()
    }

    /// The first frame from a frame on in which it stands, if it comes to that.
    pub(super) fn comes_to_stand(&self, frame: u32) -> Option<u32> {
        self.stops[frame as usize]
    }

    /// The node to which it is played on from a frame up to about another: the last before, else the first after it that is in
    /// the component.
    pub(super) fn played_on(&self, from: u32, to: u32) -> Option<u32> {
        let kept = self.kept.as_ref()?;
        let after = || (to + 1..kept.end).find(|frame| self.is_node(*frame as usize));
        self.node_before(to, from + 1).or_else(after)
    }

    /// The last node at or before a frame, and not before another.
    pub(super) fn node_before(&self, frame: u32, not_before: u32) -> Option<u32> {
        (not_before..=frame).rev().find(|f| self.is_node(*f as usize))
    }
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

/// The direction from one place to another, and how far it is, metres; none where they are one.
pub(super) fn towards(from: Vec2, to: Vec2) -> (Vec2, f32) {
    let along = to - from;
    let distance = along.length();
    (if distance > 1e-6 { along / distance } else { Vec2::ZERO }, distance)
}
