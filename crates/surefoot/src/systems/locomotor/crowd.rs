//! Many live characters at once: in parallel, with as much work for each as it is worth.

use super::{Detail, FootEvent, Intent, Locomotor, LocomotorFrame, LocomotorState};
use crate::math::FloorPose;
use crate::rig::Pose;
use crate::world::Ground;

/// One of many.
#[derive(Clone, Debug)]
pub struct Actor {
    /// What it remembers.
    pub state: LocomotorState,
    /// What is wanted of it.
    pub intent: Intent,
    /// Its pose; its root is where it is in the world.
    pub pose: Pose,
    /// What its feet did in the last frame.
    pub events: Vec<FootEvent>,
    /// How it moved in the last frame, in the frame it had before.
    pub root_motion: FloorPose,
    /// How much of the pose in which it was frozen is still in it, from 0 to 1.
    pub frozen: f32,
}

/// How many actors get how much work, the first ones the most; all others stand frozen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DetailCounts {
    /// With whole soles on the ground.
    pub full: usize,
    /// With one look at the ground for each foot.
    pub cheap_legs: usize,
    /// With legs as in the clips.
    pub no_ik: usize,
}

/// Characters of one kind that are moved together.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// What they share.
    pub locomotor: Locomotor,
    /// Who they are: the most important first, since these get the most work. The order may change between frames.
    pub actors: Vec<Actor>,
    /// How much work each gets.
    pub detail: DetailCounts,
    /// Room to work, which remembers nothing: one for each part of the crowd, so that it stays in the processor's cache.
    rooms: Vec<LocomotorFrame>,
}

/// Parts that a crowd is moved in: enough for any number of cores.
const PARTS: usize = 64;

impl Actor {
    /// One that stands at a place.
    #[must_use]
    pub fn new(locomotor: &Locomotor, place: FloorPose, ground: &dyn Ground, time: f32) -> Self {
        let mut pose = locomotor.character().stand.pose.clone();
        let state = locomotor.start(place, ground, time);
        pose.root = place.to_rigid();
        pose.root.translation.y = state.height;
        let events = Vec::with_capacity(4 * state.legs.len());
        Self { state, intent: Intent::default(), pose, events, root_motion: FloorPose::ORIGIN, frozen: 0.0 }
    }

    fn step(
        &mut self,
        locomotor: &Locomotor,
        ground: &dyn Ground,
        clock: [f32; 2],
        detail: Detail,
        room: &mut LocomotorFrame,
    ) {
        locomotor.step_with(&mut self.state, &self.intent, ground, clock, detail, room);
        self.events.clear();
        self.events.extend_from_slice(&room.events);
        self.root_motion = room.root_motion;
        self.pose.root = room.pose.root;
        if detail == Detail::Frozen {
            self.frozen = 1.0;
        } else if self.frozen > 0.0 {
            // Each frame takes its share of what is left, so that it comes in at an even pace.
            let fade = clock[1].max(0.0) / locomotor.settings.fade.max(1e-3);
            let share = (fade / self.frozen).min(1.0);
            self.frozen = (self.frozen - fade).max(0.0);
            for (local, new) in self.pose.locals.iter_mut().zip(&room.pose.locals) {
                *local = local.lerp(*new, share);
            }
        } else {
            self.pose.locals.copy_from_slice(&room.pose.locals);
        }
    }
}

impl DetailCounts {
    /// The same for all.
    pub const ALL_FULL: Self = Self { full: usize::MAX, cheap_legs: 0, no_ik: 0 };

    /// How much work the actor of a number gets.
    #[must_use]
    pub fn of(&self, number: usize) -> Detail {
        let cheap = self.full.saturating_add(self.cheap_legs);
        match number {
            n if n < self.full => Detail::Full,
            n if n < cheap => Detail::CheapLegs,
            n if n < cheap.saturating_add(self.no_ik) => Detail::NoIk,
            _ => Detail::Frozen,
        }
    }
}

impl Crowd {
    /// Characters of one kind.
    #[must_use]
    pub fn new(locomotor: Locomotor, actors: Vec<Actor>, detail: DetailCounts) -> Self {
        let rooms = vec![locomotor.frame(); PARTS];
        Self { locomotor, actors, detail, rooms }
    }

    /// Moves all on by `dt` seconds to `time`. The result is the same however many threads there are. Allocates nothing.
    pub fn step(&mut self, ground: &(dyn Ground + Sync), time: f32, dt: f32) {
        let Self { locomotor, actors, detail, rooms } = self;
        let size = actors.len().div_ceil(PARTS).max(1);
        let part = |(part, (actors, room)): (usize, (&mut [Actor], &mut LocomotorFrame))| {
            for (i, actor) in actors.iter_mut().enumerate() {
                actor.step(locomotor, ground, [time, dt], detail.of(part * size + i), room);
            }
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            actors.par_chunks_mut(size).zip(rooms.par_iter_mut()).enumerate().for_each(part);
        }
        #[cfg(not(feature = "parallel"))]
        actors.chunks_mut(size).zip(rooms.iter_mut()).enumerate().for_each(part);
    }
}
