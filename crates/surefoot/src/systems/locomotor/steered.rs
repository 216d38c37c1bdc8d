//! Captured motion, live: walks of a motion graph, steered move by move, as poses for [`Locomotor::step_given`].
//!
//! [`Locomotor::step_given`]: super::Locomotor::step_given

use super::posed::{GivenLeg, GivenPose, NextStep};
use crate::library::graph::{MotionGraph, Played};
use crate::math::{FloorPose, Rigid, floor, quat};
use crate::plan::walk::{Driven, Start, Steer, Surroundings, Wish};
use crate::rig::LegId;
use glam::Vec3A;

/// A character on a motion graph, frame by frame. One move is decided ahead, so that it is known where feet come down.
///
/// Frames allocate nothing; a decision, every few tenths of a second, does.
#[derive(Clone, Debug)]
pub struct SteeredWalk {
    driven: Driven,
    now: Option<Played>,
    next: Option<Played>,
    /// How far into `now` it is, frames.
    at: f32,
    locals: Vec<Rigid>,
    legs: Vec<GivenLeg>,
    place: FloorPose,
}

impl SteeredWalk {
    /// One that stands at a place, where the graph begins.
    ///
    /// # Panics
    /// If the graph has nothing to walk on.
    #[must_use]
    pub fn new(graph: &MotionGraph, place: FloorPose) -> Self {
        let driven = Driven::new(graph, Start::Standing(place));
        let locals = graph.takes[driven.at.take as usize].clip.frame(driven.at.frame as usize).to_vec();
        let legs = vec![GivenLeg { stands: true, next: None }; graph.rig.legs.len()];
        Self { driven, now: None, next: None, at: 0.0, locals, legs, place }
    }

    /// The joints of its pose, as [`Pose::locals`](crate::rig::Pose::locals).
    #[must_use]
    pub fn locals(&self) -> &[Rigid] {
        &self.locals
    }

    /// Where it will be when what is decided is played.
    #[must_use]
    pub fn decided(&self) -> FloorPose {
        self.driven.pose
    }

    /// Goes on by `dt` seconds as it is wished, and gives the pose. Where every move would hit something it stays as it is.
    ///
    /// # Panics
    /// If it was made for another graph.
    pub fn step(
        &mut self,
        graph: &MotionGraph,
        steer: &Steer,
        around: Option<Surroundings<'_>>,
        wish: &Wish,
        dt: f32,
    ) -> GivenPose<'_> {
        if self.now.is_none() {
            self.now = self.decide(graph, steer, around, wish);
        }
        if self.next.is_none() {
            self.next = self.decide(graph, steer, around, wish);
        }
        self.at += dt.clamp(0.0, 0.25) * graph.settings.rate;
        while let Some(now) = &self.now {
            let last = (now.clip.frames() - 1) as f32;
            if self.at < last || self.next.is_none() {
                self.at = self.at.min(last);
                break;
            }
            self.at -= last;
            self.now = self.next.take();
            self.next = self.decide(graph, steer, around, wish);
        }
        self.pose(graph);
        GivenPose { locals: &self.locals, place: self.place, legs: &self.legs }
    }

    fn decide(
        &mut self,
        graph: &MotionGraph,
        steer: &Steer,
        around: Option<Surroundings<'_>>,
        wish: &Wish,
    ) -> Option<Played> {
        let from = self.driven.pose;
        let edges = steer.run(graph, around, &mut self.driven, wish).edges;
        (!edges.is_empty()).then(|| graph.play(from, edges))
    }

    /// Pose and legs of the moment.
    fn pose(&mut self, graph: &MotionGraph) {
        let Some(now) = &self.now else { return };
        let clip = &now.clip;
        let first = (self.at as usize).min(clip.frames() - 1);
        let second = (first + 1).min(clip.frames() - 1);
        let share = self.at - first as f32;
        for ((local, a), b) in self.locals.iter_mut().zip(clip.frame(first)).zip(clip.frame(second)) {
            *local = a.lerp(*b, share);
        }
        let root = clip.roots()[first].lerp(clip.roots()[second], share);
        self.place = FloorPose::below(root).unwrap_or(self.place);
        for k in 0..self.legs.len() {
            let stands = now.standing[k].iter().any(|stance| stance.whole.contains(&first));
            let next = if stands { None } else { self.next_step(graph, k, first, now) };
            self.legs[k] = GivenLeg { stands, next };
        }
    }

    /// Where a leg that is in the air comes down, as far as that is decided.
    fn next_step(&self, graph: &MotionGraph, k: usize, frame: usize, now: &Played) -> Option<NextStep> {
        let after = |played: &Played, from: usize| {
            played.standing[k].iter().map(|stance| stance.whole.start).filter(|start| *start >= from).min()
        };
        let rate = graph.settings.rate;
        let step = |played: &Played, frame: usize, frames: f32| NextStep {
            place: sole_at(graph, played, k, frame),
            seconds: (frames / rate).max(0.0),
        };
        if let Some(strike) = after(now, frame + 1) {
            return Some(step(now, strike, strike as f32 - self.at));
        }
        let next = self.next.as_ref()?;
        let strike = after(next, 0)?;
        Some(step(next, strike, (now.clip.frames() - 1 + strike) as f32 - self.at))
    }
}

/// Where a sole is in a frame of a walk, on level ground.
fn sole_at(graph: &MotionGraph, played: &Played, k: usize, frame: usize) -> FloorPose {
    let (rig, clip) = (&graph.rig, &played.clip);
    let leg = &rig.legs[LegId(k as u8).index()];
    let locals = clip.frame(frame);
    let mut model = Rigid::IDENTITY;
    for joint in rig.skeleton.ancestry(leg.ankle()) {
        model = locals[joint.index()] * model;
    }
    let sole = clip.roots()[frame] * model * leg.foot.ankle_from_sole();
    let ahead = floor::of_point(sole.rotation * Vec3A::Z);
    let heading = if leg.foot.is_point() || ahead.length_squared() < 1e-6 {
        quat::heading(clip.roots()[frame].rotation).unwrap_or(0.0)
    } else {
        floor::heading_of(ahead)
    };
    FloorPose::new(floor::of_point(sole.translation), heading)
}
