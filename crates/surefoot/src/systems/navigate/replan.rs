//! Changing one's mind while walking: from the current frame to another goal, or past something new, without a pop.

use super::lacks::Lacks;
use super::{Navigate, NavigateError, Navigated, Trip, Walked};
use crate::adapt::Arrive;
use crate::library::graph::{EdgeId, MotionGraph, Played, Point, Seam};
use crate::math::{FloorPose, Rigid, quat, smoothstep, wrap_angle};
use crate::motion::{Clip, SourceSpan, Span, Stance, StanceFrames, Take};
use crate::plan::Path;
use crate::plan::walk::{Errand, PathTry, Start, WalkPlan};
use std::ops::Range;

/// Where a walk can be taken up again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resume {
    /// The frame of the walk.
    pub frame: usize,
    /// The node of the graph it is in then, where the character is, and which way it goes.
    pub start: Start,
    /// How far it is turned from there by then to arrive where it was to, radians.
    turned: f32,
    /// How many of the walk's edges lie before it.
    edges: usize,
}

/// Seconds of the walk before the current frame that are looked at again, at least.
const BEFORE: f32 = 2.0;
/// Seconds over which the old walk goes over into the new one, at most.
const OVER: f32 = 0.25;

impl Navigated {
    /// Where this walk can be taken up again after a frame; `None` where it has ended by then, or does nothing more than turn on
    /// the spot.
    #[must_use]
    pub fn resume_after(&self, graph: &MotionGraph, frame: usize) -> Option<Resume> {
        let topology = &graph.topology;
        let mut at = self.turned_first;
        let end = at + self.plan.frames;
        for (k, edge) in self.plan.edges.iter().enumerate() {
            let edge = &topology.edges[edge.index()];
            at += graph.edge_frames(edge);
            if at > frame && at < end && topology.keeps(edge.to) {
                let faces = FloorPose::below(self.walked.played.clip.roots()[at])?;
                let goes = FloorPose::below(*graph.play(self.plan.start, &self.plan.edges[..=k]).clip.roots().last()?)?;
                let pose = FloorPose { heading: goes.heading, ..faces };
                let turned = wrap_angle(faces.heading - goes.heading);
                let node: Point = topology.nodes[edge.to.index()];
                return Some(Resume { frame: at, start: Start::Walking { pose, at: node }, turned, edges: k + 1 });
            }
        }
        None
    }
}

impl Navigate {
    /// Takes up a walk after frame `now` and leads it along the first path of the trip that can be walked; paths start where
    /// [`Navigated::resume_after`] says, and what is around is told as of the walk's first frame. Frames up to `now` stay as
    /// they are, to the bit; from there the old motion goes over into the new one, along with it in pose and speed. A walk
    /// that was laid on a ground stays on it.
    ///
    /// # Errors
    /// If no walk comes through or arrives; the old one goes on then.
    ///
    /// # Panics
    /// If the graph is not the one of the walk, or `resume` is not of it.
    pub fn replan(
        &self,
        graph: &MotionGraph,
        trip: &Trip<'_>,
        old: &Navigated,
        now: usize,
        resume: Resume,
    ) -> Result<Navigated, NavigateError> {
        let mut trip = Trip { start: resume.start, ..trip.clone() };
        trip.around.time += resume.frame as f32 / graph.settings.rate;
        let onward = Onward::new(graph, old, now, resume);
        let errand = Errand { start: resume.start, goal: trip.goal };
        let find = |_: PathTry, path: &Path| self.find.run(graph, trip.around, path, errand);
        let finish = |plan| self.finish(graph, &trip, plan, Some(self.arrive), Some(&onward));
        self.first_that_arrives(graph, &trip, find, finish, |_| Lacks::default()).map(|(_, done)| done)
    }
}

/// An old walk that goes on as a new one.
pub(super) struct Onward<'a> {
    old: &'a Navigated,
    now: usize,
    pub(super) resume: Resume,
    /// From which frame on the old walk is looked at again.
    from: usize,
    /// How many of its frames come before the new ones.
    pub(super) kept: usize,
    /// What is played from there to where it is taken up.
    edges: &'a [EdgeId],
    /// Where that begins if it is to end there.
    start: FloorPose,
    /// Frames over which the old walk goes over into the new one, at most.
    over: usize,
}

impl<'a> Onward<'a> {
    fn new(graph: &MotionGraph, old: &'a Navigated, now: usize, resume: Resume) -> Self {
        let edges = &old.plan.edges[..resume.edges];
        let mut at = old.turned_first;
        let (mut first, mut from) = (0, at);
        for (k, edge) in edges.iter().enumerate() {
            if at + (BEFORE * graph.settings.rate) as usize <= now {
                (first, from) = (k, at);
            }
            at += graph.edge_frames(&graph.topology.edges[edge.index()]);
        }
        let edges = &edges[first..];
        let way = graph.play(FloorPose::ORIGIN, edges).clip;
        let way = FloorPose::below(way.roots()[way.frames() - 1]).unwrap_or(FloorPose::ORIGIN);
        let start = resume.start.pose().then(way.inverse());
        let over = ((OVER * graph.settings.rate).round() as usize).max(1);
        // A turn on the spot is made as it was begun.
        let now = now.max(from);
        Self { old, now, resume, from, kept: resume.frame - from, edges, start, over }
    }

    /// Plays the last of the old walk and then the new one.
    pub(super) fn play(&self, graph: &MotionGraph, plan: &WalkPlan) -> Played {
        graph.play(self.start, &[self.edges, &plan.edges].concat())
    }

    /// Puts the old roots back, as they were on a level floor: the old walk may have been led to its goal by then, and stances
    /// are found as it was captured. What was turned for that goal is turned back step by step.
    pub(super) fn lead_in(&self, arrive: &Arrive, take: &mut Take) {
        let roots = self.old.walked.played.clip.roots()[self.from..self.resume.frame].iter();
        let level = roots.map(|root| Rigid { translation: root.translation.with_y(0.0), ..*root });
        take.clip.roots_mut()[..self.kept].iter_mut().zip(level).for_each(|(new, old)| *new = old);
        arrive.take_back(take, self.resume.turned, self.kept);
    }

    /// The height of the old walk in a frame before the new one, metres.
    pub(super) fn height(&self, frame: usize) -> f32 {
        self.old.walked.played.clip.roots()[self.from + frame].translation.y
    }

    /// Lets feet stand that the old walk holds, and gives the frames over which it goes over into the new one.
    pub(super) fn stay(&self, take: &mut Take) -> usize {
        let soon = self.resume.frame.max(self.now + self.over / 2);
        let gone = soon.max(self.now + self.over);
        let rate = take.clip.rate();
        let laid = self.old.report.ground.is_some();
        let until = stay(take, (&self.old.walked.played, laid), &(self.from..self.resume.frame), [soon, gone]);
        // No foot that lands elsewhere does so before the old walk is over.
        let starts = take.stances.iter().map(|s| s.frames_at(rate, usize::MAX).held().start + self.from);
        let next = starts.filter(|start| *start >= soon).min();
        self.over.min(next.map_or(until, |next| until.min(next)) - self.now)
    }

    /// Frames that the old walk turned on the spot at first.
    pub(super) fn turned_first(&self) -> usize {
        self.old.turned_first
    }

    /// The whole plan: of the old walk and of the new one.
    pub(super) fn joined(&self, plan: WalkPlan) -> WalkPlan {
        let mut edges = self.old.plan.edges[..self.resume.edges].to_vec();
        edges.extend(&plan.edges);
        let frames = self.resume.frame - self.old.turned_first + plan.frames;
        let WalkPlan { first_steps, turns_first, start, .. } = self.old.plan;
        WalkPlan { first_steps, turns_first, start, edges, frames, ..plan }
    }

    /// Puts the old frames back before a walk that was made anew, and lets them go over into it after `now`, over so many
    /// frames.
    pub(super) fn splice(&self, graph: &MotionGraph, over: usize, walked: &mut Walked) {
        let (old, from, now) = (&self.old.walked, self.from, self.now);
        for stance in walked.take.stances.iter_mut().chain(&mut walked.played.stances) {
            stance.print.pinned = false;
        }
        walked.take.clip = spliced(graph, &old.take.clip, &walked.take.clip, from, now, over as f32);
        walked.played.clip = spliced(graph, &old.played.clip, &walked.played.clip, from, now, 1.0);
        walked.pelvis.splice(0..0, old.pelvis[..from].iter().copied());
        walked.missed.splice(0..0, old.missed[..from].iter().copied());
        for (take, before) in [(&mut walked.take, &old.take), (&mut walked.played, &old.played)] {
            later(take, before, from);
        }
        let before = old.seams.iter().filter(|seam| seam.frame < from).copied();
        let after = walked.seams.iter().map(|seam| Seam { frame: seam.frame + from, ..*seam });
        walked.seams = before.chain(after).collect();
    }
}

/// Feet that stand before frame `soon` go on standing where the old walk holds them, and those that land by then land where they
/// were about to. The take counts from the first frame of `kept`; by frame `gone` the old walk has gone
/// over into the new one. Gives the frame by which it must have, so that feet are not lifted by the old walk that the new one holds.
fn stay(take: &mut Take, (before, laid): (&Take, bool), kept: &Range<usize>, [soon, gone]: [usize; 2]) -> usize {
    let mut until = gone;
    let local = |frame: usize| frame.saturating_sub(kept.start);
    let rate = take.clip.rate();
    let before: Vec<(Stance, StanceFrames)> =
        before.stances.iter().map(|stance| (*stance, stance.frames(&before.clip))).collect();
    let mut all = Vec::with_capacity(take.stances.len());
    for stance in take.stances.drain(..) {
        let mut new = stance.frames_at(rate, usize::MAX);
        let (start, end) = (new.whole.start + kept.start, new.whole.end + kept.start);
        if start >= soon {
            all.push(stance);
            continue;
        }
        let same = |(other, old): &&(Stance, StanceFrames)| {
            other.leg() == stance.leg() && old.whole.start < end && old.whole.end > start && old.held().start < soon
        };
        // A foot that shuffles may be found to hold another place, later.
        let elsewhere = new.held().start > local(gone);
        let mut part = |old: &Range<usize>, new: &Range<usize>| {
            // What has begun or ended by then did so when it did.
            let begun = old.start < kept.end;
            let start = if begun { local(old.start) } else { new.start.max(local(old.start.min(gone))) };
            let lifted = if elsewhere || new.is_empty() { kept.len() } else { new.end.max(kept.len()) };
            let end = if old.end < soon { lifted.min(local(old.end)) } else { lifted };
            if (soon..until).contains(&old.end) && local(old.end) < end {
                until = old.end;
            }
            start..end.max(start)
        };
        let mut own = local(soon);
        for (other, old) in before.iter().filter(same) {
            let (heel, ball) = (part(&old.heel, &new.heel), part(&old.ball, &new.ball));
            let mut on = StanceFrames { whole: new.whole.clone(), heel, ball };
            on.whole.start = on.whole.start.max(local(old.whole.start));
            if old.whole.end < kept.end {
                on.whole.end = local(old.whole.end);
            } else if elsewhere {
                on.whole.end = on.held().end;
            } else {
                own = on.whole.end;
            }
            let mut held = Stance { open: stance.open, ..*other };
            held.set_frames(&on, rate);
            // Where the old walk has laid it; on a level floor it is put down as the old walk did that.
            held.print.pinned = laid;
            all.push(held);
        }
        // Nor does one that the old walk does not hold stand before.
        for part in [&mut new.heel, &mut new.ball] {
            *part = part.start.max(own)..part.end.max(part.start.max(own));
        }
        new.whole.start = own.min(new.whole.end);
        let mut stance = stance;
        stance.set_frames(&new, rate);
        all.push(stance);
    }
    // Some were over before, some are lifted before they stand.
    all.retain(|stance| stance.held().is_some());
    take.stances = all;
    until
}

/// Stances of a part that starts at a frame, and those of the old walk that end before it.
fn later(take: &mut Take, before: &Take, from: usize) {
    let (rate, frames) = (take.clip.rate(), take.clip.frames());
    let shifted = |range: &Range<usize>| if range.is_empty() { 0..0 } else { range.start + from..range.end + from };
    let old: Vec<(Stance, StanceFrames)> =
        before.stances.iter().map(|stance| (*stance, stance.frames(&before.clip))).collect();
    let mut all: Vec<Stance> =
        old.iter().filter(|(_, frames)| frames.held().end <= from).map(|(stance, _)| *stance).collect();
    for mut stance in take.stances.drain(..) {
        let StanceFrames { whole, heel, ball } = stance.frames_at(rate, usize::MAX);
        let mut on = StanceFrames { whole: shifted(&whole), heel: shifted(&heel), ball: shifted(&ball) };
        let begun = |(other, old): &&(Stance, StanceFrames)| {
            other.leg() == stance.leg() && on.whole.start == from && old.whole.contains(&from) && from > 0
        };
        if let Some((_, whole)) = old.iter().find(begun) {
            // It began earlier.
            on.whole.start = whole.whole.start;
            for (part, whole) in [(&mut on.heel, &whole.heel), (&mut on.ball, &whole.ball)] {
                if Range::is_empty(part) {
                    *part = whole.start.min(from)..whole.end.min(from);
                } else if part.start == from {
                    part.start = whole.start.min(from);
                }
            }
        }
        stance.set_frames(&on, rate);
        stance.open = on.whole.start == 0 || on.whole.end == frames;
        all.push(stance);
    }
    all.sort_by(|a, b| a.leg().cmp(&b.leg()).then(a.strike().total_cmp(&b.strike())));
    take.stances = all;
    let part = Span::of_frames(&(0..from), rate);
    let sources =
        before.sources.iter().filter_map(|source| Some(SourceSpan { time: source.time.shared(part?)?, ..*source }));
    let by = from as f32 / rate;
    let after = take.sources.iter().map(|source| SourceSpan { time: source.time.later(by), ..*source });
    take.sources = sources.chain(after).collect();
}

fn spliced(graph: &MotionGraph, old: &Clip, new: &Clip, from: usize, now: usize, over: f32) -> Clip {
    let frames = from + new.frames();
    let mut locals: Vec<Rigid> = Vec::with_capacity(frames * graph.rig.skeleton.len());
    let mut roots: Vec<Rigid> = Vec::with_capacity(frames);
    for frame in 0..frames {
        let share = smoothstep((frame as f32 - now as f32) / over);
        if frame <= now || frame < from {
            locals.extend_from_slice(old.frame(frame));
            roots.push(old.roots()[frame]);
        } else if share >= 1.0 || frame >= old.frames() {
            locals.extend_from_slice(new.frame(frame - from));
            roots.push(new.roots()[frame - from]);
        } else {
            let pairs = old.frame(frame).iter().zip(new.frame(frame - from));
            locals.extend(pairs.map(|(a, b)| mixed(*a, *b, share)));
            roots.push(mixed(old.roots()[frame], new.roots()[frame - from], share));
        }
    }
    let mut clip = Clip::new(&graph.rig.skeleton, new.name(), new.rate(), locals).expect("frames of walks are rigid");
    clip.roots_mut().copy_from_slice(&roots);
    clip
}

fn mixed(a: Rigid, b: Rigid, share: f32) -> Rigid {
    let near = quat::nearest_sign(a.rotation, b.rotation);
    Rigid { rotation: a.rotation.slerp(near, share).normalize(), translation: a.translation.lerp(b.translation, share) }
}
