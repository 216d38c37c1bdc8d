//! Changing one's mind while walking: from the current frame to another goal, or past something new, without a pop.

use super::navigate::{Navigate, NavigateError, Navigated, collision_free};
use crate::adapt::Cleaned;
use crate::analyse::Found;
use crate::library::graph::{MotionGraph, Played, Point, Seam};
use crate::math::{FloorPose, Rigid, quat, smoothstep};
use crate::metrics::{Wanted, measure_way};
use crate::motion::{Clip, Stance};
use crate::plan::Path;
use crate::plan::walk::{Goal, Moves, NoWalk, Sought, Start, Surroundings, WalkPlan};
use std::ops::Range;

/// Where a walk can be taken up again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resume {
    /// The frame of the walk.
    pub frame: usize,
    /// The node of the graph it is in then, and where the character is.
    pub start: Start,
    /// How many of the walk's edges lie before it.
    edges: usize,
}

/// Seconds of the walk before the current frame that are looked at again, and over which the old walk goes over into the new one.
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
                let pose = FloorPose::below(self.walked.played.roots()[at])?;
                let node: Point = topology.nodes[edge.to.index()];
                return Some(Resume { frame: at, start: Start::Walking { pose, at: node }, edges: k + 1 });
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
    #[expect(clippy::too_many_arguments, reason = "a walk, and all that a walk is made from")]
    pub fn repair(
        &self,
        graph: &MotionGraph,
        moves: &Moves,
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
        let from = now.saturating_sub((BEFORE * rate) as usize);
        for path in paths {
            let Sought { walks, moves: more } = match self.find.run(graph, moves, later, path, (resume.start, goal)) {
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
                let mut played = graph.play(plan.start, &plan.edges);
                played.trim(plan.frames);
                let mut joined = join(graph, old, from..resume.frame, played);
                let end = FloorPose { position: goal.place, heading: goal.heading.unwrap_or(plan.end.heading) };
                let mut stances = self.walk.stances(graph, &joined);
                let kept = resume.frame - from;
                let Ok(arrived) = self.arrive.run(&mut joined.clip, &mut stances, end, kept) else { continue };
                let mut walked = self.walk.hold_stances(graph, joined, stances);
                splice(graph, old, from, now, &mut walked);
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

/// Frames of an old walk as it was played, and a new one from the frame after them on; stances and seams of both.
fn join(graph: &MotionGraph, old: &Navigated, kept: Range<usize>, new: Played) -> Played {
    let before = &old.walked.played;
    let count = kept.len();
    let mut locals: Vec<Rigid> = kept.clone().flat_map(|frame| before.frame(frame)).copied().collect();
    locals.extend((0..new.clip.frames()).flat_map(|frame| new.clip.frame(frame)));
    let mut clip = Clip::new(&graph.rig.skeleton, "walk", before.rate(), locals).expect("frames of walks are rigid");
    let roots = before.roots()[kept.clone()].iter().chain(new.clip.roots());
    clip.roots_mut().iter_mut().zip(roots).for_each(|(out, root)| *out = *root);
    let seams = old.walked.seams.iter().filter(|seam| kept.contains(&seam.frame));
    let seams = seams.map(|seam| Seam { frame: seam.frame - kept.start, ..*seam });
    let seams = seams.chain(new.seams.iter().map(|seam| Seam { frame: seam.frame + count, ..*seam })).collect();
    let mut standing: Vec<Vec<Range<usize>>> = vec![Vec::new(); graph.rig.legs.len()];
    for Stance { leg, frames, .. } in &old.walked.stood.stances {
        let (start, end) = (frames.start.max(kept.start), frames.end.min(kept.end));
        if start < end {
            standing[leg.index()].push(start - kept.start..end - kept.start);
        }
    }
    for (spans, more) in standing.iter_mut().zip(new.standing) {
        for span in more {
            let span = span.start + count..span.end + count;
            match spans.last_mut() {
                // The foot that stands goes on standing.
                Some(last) if last.end == count && span.start == count => last.end = span.end,
                _ => spans.push(span),
            }
        }
    }
    Played { clip, seams, standing }
}

/// Puts the old frames back before a walk that was made anew from frame `from` on, and lets them go over into it after `now`.
fn splice(graph: &MotionGraph, old: &Navigated, from: usize, now: usize, walked: &mut super::Walked) {
    let over = (OVER * graph.settings.rate).round().max(1.0);
    walked.cleaned.clip = spliced(graph, &old.walked.cleaned.clip, &walked.cleaned.clip, from, now, over);
    walked.played = spliced(graph, &old.walked.played, &walked.played, from, now, 1.0);
    let Cleaned { pelvis, missed, stances, .. } = &mut walked.cleaned;
    pelvis.splice(0..0, old.walked.cleaned.pelvis[..from].iter().copied());
    missed.splice(0..0, old.walked.cleaned.missed[..from].iter().copied());
    later(stances, &old.walked.cleaned.stances, from);
    for (found, before) in [(&mut walked.stood, &old.walked.stood), (&mut walked.found, &old.walked.found)] {
        let Found { stances, .. } = found;
        later(stances, &before.stances, from);
    }
    let before = old.walked.seams.iter().filter(|seam| seam.frame < from).copied();
    let after = walked.seams.iter().map(|seam| Seam { frame: seam.frame + from, ..*seam });
    walked.seams = before.chain(after).collect();
}

/// Stances of a part that starts at a frame, and those of the old walk that end before it.
fn later(stances: &mut Vec<Stance>, before: &[Stance], from: usize) {
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
        }
    }
    let ended = before.iter().filter(|stance| stance.frames.end <= from).cloned();
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
