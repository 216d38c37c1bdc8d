//! Changing one's mind while walking: from the current frame to another goal, or past something new, without a pop.

use super::navigate::{Navigate, NavigateError, Navigated, collision_free};
use crate::adapt::Cleaned;
use crate::analyse::Found;
use crate::library::graph::{EdgeId, MotionGraph, Point, Seam};
use crate::math::{FloorPose, Rigid, quat, smoothstep, wrap_angle};
use crate::metrics::{Wanted, measure_way};
use crate::motion::{Clip, Stance};
use crate::plan::Path;
use crate::plan::walk::{Goal, NoWalk, Sought, Start, Surroundings, WalkPlan};
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

/// Seconds of the walk before the current frame that are looked at again, at least, and over which the old walk goes over into the
/// new one, at most.
const BEFORE: f32 = 2.0;
const OVER: f32 = 0.25;

impl Navigated {
    /// Where this walk can be taken up again after a frame; `None` where it has ended by then.
    #[must_use]
    pub fn resume_after(&self, graph: &MotionGraph, frame: usize) -> Option<Resume> {
        let topology = &graph.topology;
        let mut at = 0;
        for (k, edge) in self.plan.edges.iter().enumerate() {
            let edge = &topology.edges[edge.index()];
            at += graph.edge_frames(edge);
            if at > frame && at < self.walked.played.frames() && topology.keeps(edge.to) {
                let faces = FloorPose::below(self.walked.played.roots()[at])?;
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
    /// Takes up a walk after frame `now` and leads it along the first of `paths` that can be walked, which start where
    /// [`Navigated::resume_after`] says. Frames up to `now` stay as they are, to the bit; from there the old motion goes over
    /// into the new one, along with it in pose and speed. `around` is as of frame 0 of the walk.
    ///
    /// # Errors
    /// If no walk comes through or arrives; the old one goes on then.
    ///
    /// # Panics
    /// If the graph is not the one of the walk, or `resume` is not of it.
    pub fn repair(
        &self,
        graph: &MotionGraph,
        around: Surroundings<'_>,
        (paths, shortest): (&[Path], f32),
        old: &Navigated,
        (now, resume): (usize, Resume),
        goal: Goal,
    ) -> Result<Navigated, NavigateError> {
        let rate = graph.settings.rate;
        let later = Surroundings { time: around.time + resume.frame as f32 / rate, ..around };
        let mut failure = NavigateError::Walk(NoWalk::NothingToWalk);
        let mut looked = 0;
        let again = Again::new(graph, old, now, resume);
        let (from, kept) = (again.from, resume.frame - again.from);
        let over = ((OVER * rate).round() as usize).max(1);
        let soon = resume.frame.max(now + over / 2);
        let gone = soon.max(now + over);
        for path in paths {
            let Sought { walks, moves: more } = match self.find.run(graph, later, path, (resume.start, goal)) {
                Ok(sought) => sought,
                Err(no_walk) => {
                    failure = no_walk.into();
                    continue;
                }
            };
            looked += more;
            let tried = walks.len();
            let mut missed = f32::MAX;
            for plan in walks {
                missed = missed.min(goal.place.distance(plan.end.position));
                let mut joined = graph.play(again.start, &[again.edges, &plan.edges].concat());
                joined.trim(kept + plan.frames);
                let mut stances = self.walk.stances(graph, &joined);
                // Found as it was captured: the old walk may have been led to its goal by then.
                joined.clip.roots_mut()[..kept].copy_from_slice(&old.walked.played.roots()[from..resume.frame]);
                self.arrive.take_back(&mut joined.clip, &mut stances, resume.turned, kept);
                let end = FloorPose { position: goal.place, heading: goal.heading.unwrap_or(plan.end.heading) };
                let Ok(arrived) = self.arrive.run(&mut joined.clip, &mut stances, end, kept) else { continue };
                let until = stay(&mut stances, &old.walked.stood.stances, &(from..resume.frame), [soon, gone]);
                // No foot that lands elsewhere does so before the old walk is over.
                let next = stances.iter().map(|stance| stance.held().start + from).filter(|start| *start >= soon).min();
                let over = over.min(next.map_or(until, |next| until.min(next)) - now);
                let mut walked = self.walk.hold_stances(graph, joined, stances);
                splice(graph, old, (from, now, over), &mut walked);
                let is_free = |p, frame: usize| frame < resume.frame || collision_free(around, p, frame as f32 / rate);
                let wanted = Wanted { is_free: &is_free, shortest, place: goal.place, heading: goal.heading };
                let way = measure_way(&graph.rig, &walked.cleaned.clip, &walked.found.stances, &wanted);
                if way.collisions == 0 {
                    let mut edges = old.plan.edges[..resume.edges].to_vec();
                    edges.extend(&plan.edges);
                    let frames = resume.frame + plan.frames;
                    let plan = WalkPlan { start: old.plan.start, edges, frames, ..plan };
                    return Ok(Navigated { plan, arrived, walked, way, ground: None, moves: looked });
                }
            }
            failure = NavigateError::Missed { tried, missed };
        }
        Err(failure)
    }
}

/// What of an old walk is looked at again.
struct Again<'a> {
    /// From which frame on.
    from: usize,
    /// What is played from there to where it is taken up.
    edges: &'a [EdgeId],
    /// Where that begins if it is to end there.
    start: FloorPose,
}

impl<'a> Again<'a> {
    fn new(graph: &MotionGraph, old: &'a Navigated, now: usize, resume: Resume) -> Self {
        let edges = &old.plan.edges[..resume.edges];
        let (mut first, mut from, mut at) = (0, 0, 0);
        for (k, edge) in edges.iter().enumerate() {
            if at + (BEFORE * graph.settings.rate) as usize <= now {
                (first, from) = (k, at);
            }
            at += graph.edge_frames(&graph.topology.edges[edge.index()]);
        }
        let edges = &edges[first..];
        let way = graph.play(FloorPose::ORIGIN, edges).clip;
        let way = FloorPose::below(way.roots()[way.frames() - 1]).unwrap_or(FloorPose::ORIGIN);
        Self { from, edges, start: resume.start.pose().then(way.inverse()) }
    }
}

/// Feet that stand before frame `soon` go on standing where the old walk holds them, and those that land by then land where they
/// were about to. `stances` count from the first frame of `kept`; by frame `gone` the old walk has gone
/// over into the new one. Gives the frame by which it must have, so that feet are not lifted by the old walk that the new one holds.
fn stay(stances: &mut Vec<Stance>, before: &[Stance], kept: &Range<usize>, [soon, gone]: [usize; 2]) -> usize {
    let mut until = gone;
    let local = |frame: usize| frame.saturating_sub(kept.start);
    let mut all = Vec::with_capacity(stances.len());
    for mut new in stances.drain(..) {
        let (start, end) = (new.frames.start + kept.start, new.frames.end + kept.start);
        if start >= soon {
            all.push(new);
            continue;
        }
        let same = |old: &&Stance| {
            old.leg == new.leg && old.frames.start < end && old.frames.end > start && old.held().start < soon
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
        for old in before.iter().filter(same) {
            let (heel, ball) = (part(&old.heel, &new.heel), part(&old.ball, &new.ball));
            let mut on = Stance { frames: new.frames.clone(), heel, ball, open: new.open, ..old.clone() };
            on.frames.start = on.frames.start.max(local(old.frames.start));
            if old.frames.end < kept.end {
                on.frames.end = local(old.frames.end);
            } else if elsewhere {
                on.frames.end = on.held().end;
            } else {
                own = on.frames.end;
            }
            all.push(on);
        }
        // Nor does one that the old walk does not hold stand before.
        for part in [&mut new.heel, &mut new.ball] {
            *part = part.start.max(own)..part.end.max(part.start.max(own));
        }
        new.frames.start = own.min(new.frames.end);
        all.push(new);
    }
    // Some were over before, some are lifted before they stand.
    all.retain(|stance| !stance.held().is_empty());
    *stances = all;
    until
}

/// Puts the old frames back before a walk that was made anew from frame `from` on, and lets them go over into it after `now`.
fn splice(graph: &MotionGraph, old: &Navigated, (from, now, over): (usize, usize, usize), walked: &mut super::Walked) {
    walked.cleaned.clip = spliced(graph, &old.walked.cleaned.clip, &walked.cleaned.clip, from, now, over as f32);
    walked.played = spliced(graph, &old.walked.played, &walked.played, from, now, 1.0);
    let frames = walked.cleaned.clip.frames();
    let Cleaned { pelvis, missed, stances, .. } = &mut walked.cleaned;
    pelvis.splice(0..0, old.walked.cleaned.pelvis[..from].iter().copied());
    missed.splice(0..0, old.walked.cleaned.missed[..from].iter().copied());
    later(stances, &old.walked.cleaned.stances, from, frames);
    for (found, before) in [(&mut walked.stood, &old.walked.stood), (&mut walked.found, &old.walked.found)] {
        let Found { stances, .. } = found;
        later(stances, &before.stances, from, frames);
    }
    let before = old.walked.seams.iter().filter(|seam| seam.frame < from).copied();
    let after = walked.seams.iter().map(|seam| Seam { frame: seam.frame + from, ..*seam });
    walked.seams = before.chain(after).collect();
}

/// Stances of a part that starts at a frame, and those of the old walk that end before it; `frames` of the whole.
fn later(stances: &mut Vec<Stance>, before: &[Stance], from: usize, frames: usize) {
    let shifted = |range: &Range<usize>| range.start + from..range.end + from;
    for stance in stances.iter_mut() {
        stance.frames = shifted(&stance.frames);
        stance.heel = shifted(&stance.heel);
        stance.ball = shifted(&stance.ball);
        if let Some(whole) = before.iter().find(|other| {
            other.leg == stance.leg && stance.frames.start == from && other.frames.contains(&from) && from > 0
        }) {
            // It began earlier.
            stance.frames.start = whole.frames.start;
            for (part, whole) in [(&mut stance.heel, &whole.heel), (&mut stance.ball, &whole.ball)] {
                part.start = if part.start == from { whole.start.min(from) } else { part.start };
                part.end = if part.end == from { whole.end.min(from) } else { part.end };
            }
        }
        stance.open = stance.frames.start == 0 || stance.frames.end == frames;
    }
    let ended = before.iter().filter(|stance| stance.held().end <= from).cloned();
    let mut all: Vec<Stance> = ended.chain(stances.drain(..)).collect();
    all.sort_by_key(|stance| (stance.leg, stance.frames.start));
    *stances = all;
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
