//! Many live characters at once: in parallel, with as much work for each as it is worth.

use super::{Detail, Intent, Locomotor, LocomotorFrame, LocomotorState};
use crate::world::Ground;

/// One of many.
#[derive(Clone, Debug)]
pub struct Actor {
    /// What it remembers.
    pub state: LocomotorState,
    /// What is wanted of it.
    pub intent: Intent,
    /// Its pose and what its feet did.
    pub frame: LocomotorFrame,
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
    /// Who they are: the most important first, since these get the most work.
    pub actors: Vec<Actor>,
    /// How much work each gets.
    pub detail: DetailCounts,
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
    /// Moves all on by `dt` seconds to `time`. The result is the same however many threads there are. Allocates nothing.
    pub fn step(&mut self, ground: &(dyn Ground + Sync), time: f32, dt: f32) {
        let Self { locomotor, actors, detail } = self;
        let one = |(number, actor): (usize, &mut Actor)| {
            let Actor { state, intent, frame } = actor;
            locomotor.step_with(state, intent, ground, [time, dt], detail.of(number), frame);
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            actors.par_iter_mut().enumerate().with_min_len(64).for_each(one);
        }
        #[cfg(not(feature = "parallel"))]
        actors.iter_mut().enumerate().for_each(one);
    }
}
