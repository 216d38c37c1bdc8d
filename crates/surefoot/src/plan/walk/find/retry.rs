//! When a search goes back and looks more widely: the only place that decides so.

/// How often and how far a search goes back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Retry {
    /// Moves that are taken back at first; twice as many each further time.
    pub(super) back: usize,
    /// How often moves are taken back in one place before the search gives up.
    pub(super) times: usize,
    /// How often the width of the search is doubled each time, and at most in all.
    pub(super) wider: usize,
    pub(super) widest: usize,
    /// A search that has come this many moves beyond the place where it was stuck goes on at its usual width.
    pub(super) beyond: usize,
    /// Walks come nearer to the goal if they do so by this much, metres.
    pub(super) nearer: f32,
    /// Moves in which walks must come nearer, else they are taken back: at first, which is enough to turn round on the spot, and
    /// after they were taken back; and how often that is done.
    pub(super) patience: [usize; 2],
    pub(super) dithers: usize,
    /// A walk that was found and comes no nearer to the goal for `idle` seconds, or goes slower than a quarter of the pace for
    /// `halts` seconds on its way, is looked for once more, with `whole_wider` times as many walks side by side.
    pub(super) idle: f32,
    pub(super) halts: f32,
    pub(super) whole_wider: usize,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            back: 3,
            times: 4,
            wider: 2,
            widest: 6,
            beyond: 3,
            nearer: 0.5,
            patience: [9, 5],
            dithers: 2,
            idle: 4.0,
            halts: 0.7,
            whole_wider: 4,
        }
    }
}

/// Which walks are looked for, one kind after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Attempt {
    /// Whether takes that turn on the spot are played, too. A walk that needs them shuffles about; turns before and after a walk are
    /// made from how the character stands and need none.
    pub(super) on_spot: bool,
    /// Whether the search is wide from its beginning.
    pub(super) wide: bool,
    /// Whether walks that should stand at their ends begin and end in the middle of a step: where steps are too long to bring a
    /// stop to the goal.
    pub(super) passes: bool,
}

impl Attempt {
    /// Those that are made in turn until one finds a walk; `stops` says whether it should end standing and can.
    pub(super) fn all(stops: bool) -> Vec<Self> {
        let stopping = [(false, false), (true, false), (false, true)];
        let stopping = stopping.map(|(wide, on_spot)| Self { on_spot, wide, passes: false });
        let passing = stops.then_some(Self { on_spot: false, wide: false, passes: true });
        stopping.into_iter().chain(passing).collect()
    }
}

/// How a walk is looked for along one of several paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PathTry {
    /// Which path.
    pub(crate) path: usize,
    /// How often the width of the search is doubled: the next path is looked at more widely.
    pub(crate) doublings: usize,
    /// Whether a walk has arrived that looks aside or stands on its way: others are looked for with less
    /// [work](Self::LESS_WORK).
    pub(crate) spare: bool,
    /// Whether all paths have been looked at before.
    again: bool,
    /// Whether only walks are wanted that look where they go: that they do not costs [`STRICTER`](Self::STRICTER) times as much.
    pub(crate) stricter: bool,
}

impl PathTry {
    /// Where all walks lack something, going without looking there costs this many times as much as it does.
    pub(crate) const STRICTER: f32 = 3.0;
    /// Where there is a walk already this many times fewer moves are looked at, at most.
    pub(crate) const LESS_WORK: usize = 8;
    /// Of walks that come along one path so many are finished where the first of them lack something.
    pub(crate) const FINISHED: usize = 6;

    /// The first path; `spare` says whether there is a walk already.
    pub(crate) fn first(spare: bool) -> Self {
        Self { spare, ..Self::default() }
    }

    /// What is tried after this, of `paths` paths. Once all have been looked at, they are once more: for walks that look where they go,
    /// where some arrived and all of them [lack](Tried::Lacks) something, and more widely where they only came near the goal.
    pub(crate) fn next(self, paths: usize, tried: Tried) -> Option<Self> {
        let wider = (self.doublings + 2).min(4);
        if self.path + 1 < paths {
            return Some(Self { path: self.path + 1, doublings: wider, spare: tried == Tried::Lacks, ..self });
        }
        match tried {
            Tried::Misses | Tried::Lacks if self.again => None,
            Tried::Ends => None,
            Tried::Misses => Some(Self { path: 0, doublings: wider, spare: false, again: true, stricter: false }),
            Tried::Lacks => Some(Self { path: 0, doublings: 0, spare: true, again: true, stricter: true }),
        }
    }
}

/// What came of all that was tried so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tried {
    /// No walk comes near the goal; or one arrives that is only a detour.
    Ends,
    /// Walks come near the goal, and none arrives.
    Misses,
    /// Those that arrive look aside, or stand on their way.
    Lacks,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advice {
    /// Go on, at the usual width or at the present one.
    GoOn { usual_width: bool },
    /// Go back to the first `layers` layers, and make the search twice as wide, `doublings` times.
    Back { layers: usize, doublings: usize },
    /// All has been tried.
    GiveUp,
}

/// How a search is getting on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    policy: Retry,
    /// Where walks last ended, in layers, and how often they did there.
    stuck: usize,
    backed: usize,
    /// The layer in which walks last came nearer, how near, metres, and until when they should again.
    came: usize,
    left: f32,
    until: usize,
}

impl Progress {
    pub(super) fn new(policy: Retry) -> Self {
        Self { policy, stuck: 0, backed: 0, came: 0, left: f32::INFINITY, until: policy.patience[0] }
    }

    /// After so many layers, walks having come to `left` metres from the goal; `ended` says whether none goes on, `arrived`
    /// whether one has arrived.
    pub(super) fn advise(&mut self, layers: usize, left: f32, ended: bool, arrived: bool) -> Advice {
        let policy = self.policy;
        if left < self.left - policy.nearer {
            (self.came, self.left, self.until) = (layers, left, layers + policy.patience[0]);
        }
        // Those that are left turn round and round on one spot: the others have died there, or all that can be reached there
        // has been.
        let dithers = layers > self.until && !arrived && self.backed < policy.dithers;
        if !ended && !dithers {
            return Advice::GoOn { usual_width: layers > self.stuck + policy.beyond };
        }
        // Back to where there was a choice, and more walks from there.
        let end = if dithers { self.came + 1 } else { layers };
        self.backed = if end <= self.stuck + policy.beyond { self.backed + 1 } else { 1 };
        (self.stuck, self.until) = (end, end + policy.patience[1]);
        if self.backed > policy.times || arrived {
            return Advice::GiveUp;
        }
        let layers = end.saturating_sub(policy.back << self.backed).max(1);
        Advice::Back { layers, doublings: (policy.wider * self.backed).min(policy.widest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_back_farther_each_time_and_gives_up() {
        let mut progress = Progress::new(Retry::default());
        let mut backs = Vec::new();
        loop {
            match progress.advise(40, 10.0, true, false) {
                Advice::Back { layers, doublings } => backs.push((layers, doublings)),
                Advice::GiveUp => break,
                Advice::GoOn { .. } => panic!("all walks have ended"),
            }
        }
        assert_eq!(backs, [(34, 2), (28, 4), (16, 6), (1, 6)]);
    }

    #[test]
    fn paths_are_tried_in_turn_and_once_more_where_that_may_help() {
        let tries = |tried: Tried| {
            let all = std::iter::successors(Some(PathTry::default()), |one| one.next(3, tried));
            all.map(|one| (one.path, one.doublings, one.stricter)).collect::<Vec<_>>()
        };
        let first = [(0, 0, false), (1, 2, false), (2, 4, false)];
        assert_eq!(tries(Tried::Ends), first);
        let wider = [(0, 4, false), (1, 4, false), (2, 4, false)];
        assert_eq!(tries(Tried::Misses), [first, wider].concat());
        let stricter = [(0, 0, true), (1, 2, true), (2, 4, true)];
        assert_eq!(tries(Tried::Lacks), [first, stricter].concat());
    }

    #[test]
    fn who_comes_nearer_is_left_alone() {
        let mut progress = Progress::new(Retry::default());
        for layer in 1..200 {
            let advice = progress.advise(layer, 300.0 - layer as f32, false, false);
            assert!(matches!(advice, Advice::GoOn { .. }), "{layer}: {advice:?}");
        }
        let stays =
            (200..220).find(|layer| progress.advise(*layer, 101.0, false, false) != Advice::GoOn { usual_width: true });
        assert_eq!(stays, Some(209));
    }
}
