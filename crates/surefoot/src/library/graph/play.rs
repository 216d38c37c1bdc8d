//! Playing a walk along a graph's edges.

use super::blend::{BlendJoints, Blended, Blender, Sides};
use super::contacts::Contacts;
use super::topology::{EdgeId, Play};
use super::{MotionGraph, Transition};
use crate::math::{FloorPose, Rigid, floor, quat};
use crate::motion::{Clip, SourceSpan, Span, StanceFrames};
use std::ops::Range;

/// A walk as a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The motion, at the graph's rate.
    pub clip: Clip,
    /// Where blends are in it.
    pub seams: Vec<Seam>,
    /// When each leg stands, and its heel and ball are held in the takes, by leg and time: frames of the walk. Stances of takes go over
    /// into each other in blends.
    pub standing: Vec<Vec<StanceFrames>>,
    /// Which takes of the graph it is made of; both sides of a blend for as long as it lasts.
    pub sources: Vec<SourceSpan>,
}

/// A blend in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seam {
    /// The first frame of the blend.
    pub frame: usize,
    /// The transition's place in the graph's list.
    pub transition: u32,
}

impl MotionGraph {
    /// Plays edges one after another, the first from where `start` is.
    ///
    /// # Panics
    /// If there is no edge, or one does not start where the one before it ends.
    #[must_use]
    pub fn play(&self, start: FloorPose, edges: &[EdgeId]) -> Played {
        let nodes = &self.topology.nodes;
        let mut roots: Vec<FloorPose> = Vec::new();
        let mut locals: Vec<Rigid> = Vec::new();
        let mut seams = Vec::new();
        let mut sources: Vec<SourceSpan> = Vec::new();
        let rate = self.settings.rate;
        let mut source = |frames: Range<usize>, take: usize, from: usize| {
            let (time, from) =
                (Span { start: frames.start as f32 / rate, end: frames.end as f32 / rate }, from as f32 / rate);
            match sources.last_mut() {
                // A take that goes on where it was.
                Some(last) if last.take == take && last.time.end == time.start => last.time.end = time.end,
                _ => sources.push(SourceSpan { time, take, from }),
            }
        };
        let mut standing = StanceSpans::new(self.rig.legs.len());
        let joints = BlendJoints::all(&self.rig);
        let (mut blender, mut blended) = (Blender::new(&self.rig, &joints), Blended::default());
        let first = self.topology.edges[edges.first().expect("a walk has an edge").index()];
        let from = nodes[first.from.index()];
        let mut at = start;
        roots.push(at);
        locals.extend_from_slice(self.takes[from.take as usize].clip.frame(from.frame as usize));
        standing.add(&self.contacts, from.take as usize, from.frame as usize);
        let mut here = first.from;
        for edge in edges.iter().map(|edge| &self.topology.edges[edge.index()]) {
            assert_eq!(edge.from, here, "edges of a walk follow each other");
            match edge.play {
                Play::Take => {
                    let take = nodes[edge.from.index()].take as usize;
                    let clip = &self.takes[take].clip;
                    let (from, to) = (nodes[edge.from.index()].frame as usize, nodes[edge.to.index()].frame as usize);
                    source(roots.len() - 1..roots.len() - 1 + to - from, take, from);
                    let back = place(clip, from).inverse();
                    for frame in from + 1..=to {
                        standing.add(&self.contacts, take, frame);
                        roots.push(at.then(back.then(place(clip, frame))));
                        locals.extend_from_slice(clip.frame(frame));
                    }
                }
                Play::Blend(transition) => {
                    seams.push(Seam { frame: roots.len() - 1, transition });
                    let sides = self.sides(&self.transitions[transition as usize]);
                    blender.run(&sides, [&[]; 2], &mut blended);
                    roots.extend(blended.roots[1..].iter().map(|root| at.then(*root)));
                    locals.extend_from_slice(&blended.locals[self.rig.skeleton.len()..]);
                    let ends = [nodes[edge.from.index()], nodes[edge.to.index()]].map(|node| node.take as usize);
                    let span = seams[seams.len() - 1].frame..roots.len() - 1;
                    for (take, start) in ends.into_iter().zip(sides.starts) {
                        source(span.clone(), take, start);
                    }
                    let mut last = 0;
                    for (side, frame) in &blended.sources[1..] {
                        if *side != last {
                            standing.cross();
                        }
                        last = *side;
                        standing.add(&self.contacts, ends[*side], *frame);
                    }
                }
            }
            at = roots[roots.len() - 1];
            here = edge.to;
        }
        let mut clip =
            Clip::new(&self.rig.skeleton, "walk", self.settings.rate, locals).expect("frames of takes are rigid");
        clip.roots_mut().iter_mut().zip(roots).for_each(|(out, root)| *out = root.to_rigid());
        Played { clip, seams, standing: standing.spans, sources }
    }

    pub(super) fn sides(&self, transition: &Transition) -> Sides<'_> {
        let length = self.settings.blend_frames();
        let (from, to) = (transition.from, transition.to);
        let both = [from.take as usize, to.take as usize];
        Sides {
            takes: both.map(|take| &self.takes[take]),
            contacts: both.map(|take| &self.contacts[take]),
            starts: [from.frame as usize, (to.frame as usize + 1) - length],
            length,
        }
    }
}

impl MotionGraph {
    /// What has to be known of how a walk of this graph stands: of one whose feet stand in its takes, only when.
    #[must_use]
    pub fn known_standing(&self, played: &Played) -> Vec<Vec<StanceFrames>> {
        if self.carried { played.standing.clone() } else { played.standing_only() }
    }
}

impl Played {
    /// When each leg stands, without when its heel and ball are held.
    #[must_use]
    pub fn standing_only(&self) -> Vec<Vec<StanceFrames>> {
        let only = |stance: &StanceFrames| StanceFrames { whole: stance.whole.clone(), heel: 0..0, ball: 0..0 };
        self.standing.iter().map(|stances| stances.iter().map(only).collect()).collect()
    }

    /// Leaves out what comes after the first `frames` frames.
    ///
    /// # Panics
    /// If there are no frames to leave.
    pub fn trim(&mut self, frames: usize) {
        if frames >= self.clip.frames() {
            return;
        }
        self.clip = self.clip.trimmed(0..frames);
        self.seams.retain(|seam| seam.frame < frames);
        let end = frames as f32 / self.clip.rate();
        self.sources.retain(|source| source.time.start < end);
        self.sources.iter_mut().for_each(|source| source.time.end = source.time.end.min(end));
        for spans in &mut self.standing {
            spans.retain(|stance| stance.whole.start < frames);
            for span in spans.iter_mut().flat_map(|stance| [&mut stance.whole, &mut stance.heel, &mut stance.ball]) {
                *span = span.start.min(frames)..span.end.min(frames);
            }
        }
    }
}

/// Stances of a walk as they come.
struct StanceSpans {
    spans: Vec<Vec<StanceFrames>>,
    /// The stance that each leg is in.
    now: Vec<Option<u32>>,
    /// Going over into another take: what stands there goes on standing.
    crossing: bool,
    frames: usize,
}

impl StanceSpans {
    fn new(legs: usize) -> Self {
        Self { spans: vec![Vec::new(); legs], now: vec![None; legs], crossing: false, frames: 0 }
    }

    fn cross(&mut self) {
        self.crossing = true;
    }

    fn add(&mut self, contacts: &[Contacts], take: usize, frame: usize) {
        for (leg, (spans, now)) in self.spans.iter_mut().zip(&mut self.now).enumerate() {
            let next = contacts[take].stance(leg, frame);
            let goes_on = next.is_some() && (*now == next || (self.crossing && now.is_some()));
            let here = self.frames;
            match spans.last_mut() {
                Some(last) if goes_on => last.whole.end = here + 1,
                _ if next.is_some() => {
                    spans.push(StanceFrames { whole: here..here + 1, heel: here..here, ball: here..here });
                }
                _ => {}
            }
            if let Some(stance) = spans.last_mut().filter(|_| next.is_some()) {
                let [heel, ball] = contacts[take].held(leg, frame);
                for (span, _) in
                    [(&mut stance.heel, heel), (&mut stance.ball, ball)].into_iter().filter(|(_, held)| *held)
                {
                    *span = if span.start == span.end { here } else { span.start }..here + 1;
                }
            }
            *now = next;
        }
        self.crossing = false;
        self.frames += 1;
    }
}

/// Where the character is in a frame.
pub(super) fn place(clip: &Clip, frame: usize) -> FloorPose {
    let root = clip.roots()[frame];
    FloorPose { position: floor::of_point(root.translation), heading: quat::heading(root.rotation).unwrap_or(0.0) }
}
