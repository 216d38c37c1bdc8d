//! Ways in which the feet of a drawn clip may be held, of which that one is taken that costs the motion least.

use super::Held;
use crate::adapt::{GivesWay, SHARES};
use crate::analyse::Studied;
use crate::metrics::{Changed, harm};
use crate::motion::{Clip, Stance, StanceFrames};
use crate::rig::LegId;
use std::ops::Range;

/// A way to hold feet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    /// By which share of what legs can follow a walk on the spot goes more evenly than its feet were drawn.
    pub(super) share: f32,
    /// How body and swinging feet give way to knees in a clip that was drawn.
    pub(super) gives: GivesWay,
    /// By which share of what it may the body goes down so that legs reach; what they do not reach is let go.
    pub(super) lowered: f32,
    /// How many times as long as usual a foot eases into its print and out of it.
    pub(super) ease: f32,
    /// Frames at the beginning and the end of each stance in which the foot is not held.
    pub(super) cut: usize,
    /// Stances that are not held.
    pub(super) let_go: Vec<LetGo>,
}

impl Default for Way {
    fn default() -> Self {
        Self { share: SHARES[0], gives: GivesWay::No, lowered: 1.0, ease: 1.0, cut: 0, let_go: Vec::new() }
    }
}

/// A stance that is not held: a foot that stands as it was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LetGo {
    leg: LegId,
    /// From when until when it stands, seconds.
    stands: (f32, f32),
    /// After how long it does so again, seconds; never, where a clip is no cycle.
    again: Option<f32>,
}

impl Way {
    /// The stances as they are held, and which of them are left as they are.
    pub(super) fn held(&self, stances: &mut [Stance], clip: &Clip) -> Vec<bool> {
        for stance in stances.iter_mut().filter(|stance| self.cut > 0 && !stance.print.pinned) {
            let StanceFrames { whole, heel, ball } = stance.frames(clip);
            if whole.len() < LEFT * self.cut {
                continue;
            }
            let kept = whole.start + self.cut..whole.end - self.cut;
            let cut = |part: Range<usize>| {
                let start = part.start.clamp(kept.start, kept.end);
                start..part.end.clamp(start, kept.end)
            };
            stance.set_frames(&StanceFrames { heel: cut(heel), ball: cut(ball), whole: kept.clone() }, clip.rate());
        }
        stances.iter().map(|stance| self.leaves(stance)).collect()
    }

    /// Whether a stance is left as it is.
    fn leaves(&self, stance: &Stance) -> bool {
        let is = |gone: &LetGo| {
            let middle = 0.5 * (stance.strike() + stance.off()) - gone.stands.0;
            let since = gone.again.map_or(middle, |again| middle.rem_euclid(again));
            gone.leg == stance.leg() && (0.0..=gone.stands.1 - gone.stands.0).contains(&since)
        };
        self.let_go.iter().any(is)
    }

    /// The same without a stance.
    fn without(&self, stance: &Stance, again: Option<f32>) -> Self {
        let gone = LetGo { leg: stance.leg(), stands: (stance.strike(), stance.off()), again };
        let mut other = self.clone();
        other.let_go.push(gone);
        other
    }
}

/// Shares of how far a body may go down that are tried.
const LOWERED: [f32; 3] = [1.0, 0.5, 0.0];

/// Frames that are cut from either end of stances that are tried.
const CUT: [usize; 3] = [0, 1, 2];
/// Stances of fewer times as many frames are left whole.
const LEFT: usize = 8;
/// How many times as long as usual feet may ease that is tried.
const EASE: [f32; 3] = [1.0, 2.0, 0.5];

/// Ways are changed in one thing at a time, so many times over.
const ROUNDS: usize = 2;

/// A way that costs more than this share of the best so far is no better.
const BETTER: f32 = 0.98;

/// Of a clip with more stances than this none is let go: too many would have to be tried.
const MOST_STANCES: usize = 24;

/// Holds the feet of a drawn clip in that way that costs least of the motion as it is handed out. Few frames a second leave no room for
/// what is smooth at any rate of capture, and no one way is good for all: what is tried is measured. The first in which nothing is seen is
/// taken, else the least bad, and a stance that costs more than it gives is not held.
pub(super) fn least_harmful(studied: &Studied, hold: impl FnMut(&Way) -> Held) -> Held {
    let mut search = Search::new(studied, hold);
    let uneven = studied.cycle.as_ref().and_then(|cycle| cycle.tread.as_ref()).is_some_and(|tread| !tread.even);
    for _ in 0..ROUNDS {
        for share in SHARES.into_iter().filter(|_| uneven) {
            search.attempt(Way { share, ..search.way.clone() });
        }
        for gives in [GivesWay::No, GivesWay::Softly, GivesWay::Firmly] {
            search.attempt(Way { gives, ..search.way.clone() });
        }
        for lowered in LOWERED {
            search.attempt(Way { lowered, ..search.way.clone() });
        }
        for cut in CUT {
            search.attempt(Way { cut, ..search.way.clone() });
        }
        for ease in EASE {
            search.attempt(Way { ease, ..search.way.clone() });
        }
    }
    // Who walks on the spot does so on feet that are held.
    if studied.cycle.as_ref().is_none_or(|cycle| cycle.tread.is_none()) {
        search.let_go();
    }
    search.best
}

/// The best way so far.
struct Search<'a, F> {
    studied: &'a Studied,
    hold: F,
    way: Way,
    best: Held,
    harm: f32,
    tried: Vec<Way>,
}

impl<'a, F: FnMut(&Way) -> Held> Search<'a, F> {
    fn new(studied: &'a Studied, mut hold: F) -> Self {
        let way = Way::default();
        let best = hold(&way);
        let mut new = Self { studied, hold, harm: f32::INFINITY, tried: vec![way.clone()], way, best };
        new.harm = new.harm_of(&new.best);
        new
    }

    /// Lets go of one stance after the other, and of all.
    fn let_go(&mut self) {
        let (frames, rate) = (self.studied.frames(), self.studied.take.clip.rate());
        let within = |stance: &&Stance| frames.contains(&((0.5 * (stance.strike() + stance.off()) * rate) as usize));
        let stances: Vec<&Stance> = self.studied.take.stances.iter().filter(within).collect();
        let again = self.studied.cycle.as_ref().map(|cycle| cycle.frames.len() as f32 / rate);
        for stance in stances.iter().filter(|_| stances.len() <= MOST_STANCES) {
            self.attempt(self.way.without(stance, again));
        }
        let as_it_is = Way { lowered: 0.0, ..Way::default() };
        self.attempt(stances.iter().fold(as_it_is, |way, stance| way.without(stance, again)));
    }

    /// Tries another way, unless nothing is seen of the best so far.
    fn attempt(&mut self, other: Way) {
        if self.harm <= 1.0 || self.tried.contains(&other) {
            return;
        }
        let held = (self.hold)(&other);
        let harm = self.harm_of(&held);
        if harm < BETTER * self.harm {
            (self.harm, self.best, self.way) = (harm, held, other.clone());
        }
        self.tried.push(other);
    }

    /// What it costs to hold feet so.
    fn harm_of(&self, held: &Held) -> f32 {
        let [was, now] = [&self.studied.take, &held.take].map(|take| (take, as_played(self.studied, &take.clip)));
        let [was, now] = [&was, &now].map(|(take, played)| Changed { take, played });
        harm(&self.studied.rig, &was, &now, &held.pelvis, self.studied.frames())
    }
}

/// A clip as it is played once it is handed out: of a cycle the middle round over and over, so that its seam is looked at as well, and a
/// walk on the spot stays there.
fn as_played(studied: &Studied, clip: &Clip) -> Clip {
    let Some(cycle) = &studied.cycle else { return clip.clone() };
    let mut round = clip.trimmed(cycle.frames.clone()).with_cycle(Some(cycle.travel));
    if cycle.tread.is_some() {
        round.stay_in_place();
    }
    round.unrolled(3)
}
