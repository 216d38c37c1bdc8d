//! The search of the thesis (Pullens 2013, appendix A), to compare with: branch and bound, committed piece by piece.

use super::tracker::{Tracked, Tracker};
use super::{FollowPath, NoPathWalk, PathSearch, PathWalk};

/// How a path is followed by branch and bound.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct BranchAndBound {
    /// The best walk is committed to every so many metres.
    pub iteration_length: f32,
    /// A walk of a smaller error is good enough for its piece, m².
    pub iteration_threshold: f64,
    /// Seconds of a clip that are played before it is left again, least and most; as [`FollowPath::linger`].
    pub linger: [f32; 2],
    /// Moves that are looked at before the first walk that comes is taken.
    pub patience: usize,
}

impl Default for BranchAndBound {
    fn default() -> Self {
        let linger = FollowPath::default().linger;
        Self { iteration_length: 10.0, iteration_threshold: 0.0, linger, patience: 20_000_000 }
    }
}

impl BranchAndBound {
    /// Looks for a walk of a graph along a path.
    ///
    /// # Errors
    /// If the path is too short, or no walk comes along it.
    pub fn run(&self, search: &PathSearch<'_>) -> Result<PathWalk, NoPathWalk> {
        self.run_while(search, &mut || true)
    }

    /// As [`run`](Self::run), for as long as `goes_on` says so, which is asked now and then: after that the first walk that comes is
    /// taken.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_while(
        &self,
        search: &PathSearch<'_>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<PathWalk, NoPathWalk> {
        let mut tracker = Tracker::new(search, self.linger)?;
        let length = tracker.length();
        // States that are on the stack, or led to one: the best of a piece and what led to it.
        let mut states: Vec<Tracked> = tracker.begin();
        let mut stack: Vec<u32> = (0..states.len() as u32).rev().collect();
        let (mut children, mut farthest, mut complete) = (Vec::new(), 0.0_f32, true);
        let mut committed = 0.0;
        loop {
            let (mut best, mut found): (f64, Option<u32>) = (f64::INFINITY, None);
            // All that belongs to the committed walk stays; the rest of the list is this piece's.
            while let Some(k) = stack.pop().filter(|_| best > self.iteration_threshold) {
                if complete && tracker.looked.is_multiple_of(64) {
                    complete = tracker.looked < self.patience && goes_on();
                }
                if !complete && found.is_some() {
                    break;
                }
                // What was popped lies last, but for parents of what is still to come.
                let state = states[k as usize];
                farthest = farthest.max(state.walked);
                let goes = state.walked < length && state.walked - committed < self.iteration_length.max(0.01);
                if state.error >= best {
                    continue;
                }
                if !goes {
                    (best, found) = (state.error, Some(k));
                    continue;
                }
                children.clear();
                tracker.expand(k, &state, best, &mut children);
                // The best comes last, to be looked at first.
                children.sort_by(|a: &Tracked, b: &Tracked| b.error.total_cmp(&a.error));
                for child in children.drain(..) {
                    stack.push(states.len() as u32);
                    states.push(child);
                }
                tracker.tidy(&mut states, &mut stack, found.as_mut());
            }
            let Some(end) = found else { return Err(NoPathWalk::Stuck { reached: farthest, length }) };
            let state = states[end as usize];
            if state.walked >= length {
                // Exact only where all was looked at in one piece.
                let whole = complete && committed == 0.0 && self.iteration_threshold <= 0.0;
                let bound = if whole { state.error } else { 0.0 };
                return Ok(tracker.walk(&states, end, bound, complete));
            }
            committed = state.walked;
            stack = vec![end];
        }
    }
}
