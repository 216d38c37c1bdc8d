//! Runs of frames in which something is so, and what is least nearby.

use std::ops::Range;

/// On where `enter` holds, and on from there while `stay` does, in both directions of time.
pub(super) fn hysteresis(count: usize, enter: impl Fn(usize) -> bool, stay: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut on: Vec<bool> = (0..count).map(&enter).collect();
    for f in 1..count {
        on[f] |= on[f - 1] && stay(f);
    }
    for f in (1..count).rev() {
        on[f - 1] |= on[f] && stay(f - 1);
    }
    on
}

/// Runs of `true`.
pub(super) fn spans(on: &[bool]) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    for (f, on) in on.iter().enumerate() {
        if *on {
            match spans.last_mut() {
                Some(span) if span.end == f => span.end += 1,
                _ => spans.push(f..f + 1),
            }
        }
    }
    spans
}

/// Joins spans with at most `gap` frames between them.
pub(super) fn bridge(spans: &mut Vec<Range<usize>>, gap: usize) {
    spans.dedup_by(|next, last| {
        let joined = next.start - last.end <= gap;
        if joined {
            last.end = next.end;
        }
        joined
    });
}

/// The least value within `reach` either side, by frame.
pub(super) fn sliding_minimum(values: &[f32], reach: usize) -> Vec<f32> {
    // A queue of candidates, lowest first: each value enters and leaves once.
    let mut queue = std::collections::VecDeque::new();
    let mut out = Vec::with_capacity(values.len());
    for f in 0..values.len() + reach {
        if f < values.len() {
            while queue.back().is_some_and(|last: &usize| values[*last] >= values[f]) {
                queue.pop_back();
            }
            queue.push_back(f);
        }
        if f >= reach {
            let centre = f - reach;
            while queue.front().is_some_and(|first| *first + reach < centre) {
                queue.pop_front();
            }
            out.push(queue.front().map_or(values[centre], |first| values[*first]));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sliding_minimum_is_the_minimum() {
        let values: Vec<f32> = (0..50).map(|i| ((i * 37) % 23) as f32).collect();
        for reach in [0, 1, 5, 60] {
            let fast = sliding_minimum(&values, reach);
            for (f, least) in fast.iter().enumerate() {
                let window = &values[f.saturating_sub(reach)..(f + reach + 1).min(values.len())];
                assert_eq!(*least, window.iter().copied().fold(f32::INFINITY, f32::min), "reach {reach}, frame {f}");
            }
        }
    }

    #[test]
    fn spans_are_found_and_bridged() {
        let on = [true, true, false, true, false, false, false, true];
        let mut found = spans(&on);
        assert_eq!(found, [0..2, 3..4, 7..8]);
        bridge(&mut found, 1);
        assert_eq!(found, [0..4, 7..8]);
    }

    #[test]
    fn hysteresis_holds_on_both_ways() {
        let x = [9, 4, 1, 4, 9, 4];
        assert_eq!(hysteresis(6, |f| x[f] < 2, |f| x[f] < 5), [false, true, true, true, false, false]);
    }
}
