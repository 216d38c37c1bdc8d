//! Contacts in a blend: which feet stand when it starts, and which strikes and lifts fall into it.

use crate::motion::Take;

/// A strike or lift of a leg: the first frame of the new state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) leg: usize,
    pub(super) frame: usize,
}

/// Strikes and lifts of a take after its first frame, by leg, then by time, and which stance each leg is in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Contacts {
    legs: usize,
    events: Vec<Event>,
    /// Per leg and frame: one more than the place of the stance it is in, 0 in flight.
    standing: Vec<u32>,
    /// Per leg and frame: whether heel and ball hold their places.
    held: Vec<[bool; 2]>,
    frames: usize,
}

impl Contacts {
    pub(super) fn new(take: &Take, legs: usize) -> Self {
        let frames = take.clip.frames();
        let mut standing = vec![0; legs * frames];
        let mut held = vec![[false; 2]; legs * frames];
        for (k, stance) in take.stances.iter().enumerate() {
            let (row, times) = (stance.leg().index() * frames, stance.frames(&take.clip));
            standing[row + times.whole.start..row + times.whole.end].fill(k as u32 + 1);
            times.heel.for_each(|f| held[row + f][0] = true);
            times.ball.for_each(|f| held[row + f][1] = true);
        }
        let events = (0..legs).flat_map(|leg| {
            let row = &standing[leg * frames..(leg + 1) * frames];
            row.windows(2)
                .enumerate()
                .filter(|(_, pair)| pair[0] != pair[1])
                .map(move |(frame, _)| Event { leg, frame: frame + 1 })
        });
        Self { legs, events: events.collect(), standing, held, frames }
    }

    pub(super) fn stands(&self, leg: usize, frame: usize) -> bool {
        self.stance(leg, frame).is_some()
    }

    /// Which stance a leg is in, by its place in the take; `None` in flight.
    pub(super) fn stance(&self, leg: usize, frame: usize) -> Option<u32> {
        self.standing[leg * self.frames + frame].checked_sub(1)
    }

    /// Whether the heel and the ball of a leg hold their places.
    pub(super) fn held(&self, leg: usize, frame: usize) -> [bool; 2] {
        self.held[leg * self.frames + frame]
    }

    /// What happens to a leg in frames (from, to].
    pub(super) fn events(&self, leg: usize, from: usize, to: usize) -> &[Event] {
        let first = self.events.partition_point(|event| (event.leg, event.frame) <= (leg, from));
        let last = self.events.partition_point(|event| (event.leg, event.frame) <= (leg, to));
        &self.events[first..last]
    }

    /// For each frame that a blend of `length` frames can start in: who stands once it has begun and how often each leg strikes
    /// or lifts until it has all but ended. Equal numbers mean that every stance of one side has a partner on the other, so
    /// that blending splits none.
    pub(super) fn signatures(&self, length: usize) -> Vec<u64> {
        let starts = (self.frames + 1).saturating_sub(length);
        (0..starts)
            .map(|start| {
                let core = core(start, length);
                (0..self.legs).fold(0, |sign, leg| {
                    let events = self.events(leg, core.start, core.end).len() as u64;
                    // Mixed, since there may be more legs than bits for them.
                    let own = 2 * events + u64::from(self.stands(leg, core.start)) + 1;
                    (sign ^ own).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                })
            })
            .collect()
    }
}

/// The part of a blend in which both sides count: before it the second has less than a tenth, after it the first.
pub(super) fn core(start: usize, length: usize) -> std::ops::Range<usize> {
    let margin = length / 6;
    start + margin..start + length - 1 - margin
}
