//! Spans of time.

use std::ops::Range;

/// A span of time, seconds: from its start on and up to its end, which does not belong to it.
///
/// Frames are a view of it ([`Span::frames`]): those whose time lies in it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Span {
    /// Its first moment, seconds; minus infinity for what has always been.
    pub start: f32,
    /// The moment at which it is over, seconds; infinity for what goes on.
    pub end: f32,
}

/// Times within this share of a frame of one are that frame's, besides what `f32` rounds off.
const SLACK: f64 = 1e-3;
/// What a time in `f32` may be off from that of its frame, as a share of it: four times its last place.
const ROUNDING: f64 = 1.0 / (1 << 22) as f64;

impl Span {
    /// The span that covers frames at a rate, Hz; `None` if there are none.
    #[must_use]
    pub fn of_frames(frames: &Range<usize>, rate: f32) -> Option<Self> {
        let at = |frame: usize| frame as f32 / rate;
        (!frames.is_empty()).then(|| Self { start: at(frames.start), end: at(frames.end) })
    }

    /// How long it lasts, seconds.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        self.end - self.start
    }

    /// Whether a time (seconds) lies in it.
    #[must_use]
    pub fn contains(&self, t: f32) -> bool {
        self.start <= t && t < self.end
    }

    /// The same span so many seconds later.
    #[must_use]
    pub fn later(&self, by: f32) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// What it shares with another; `None` if nothing.
    #[must_use]
    pub fn shared(&self, other: Self) -> Option<Self> {
        let (start, end) = (self.start.max(other.start), self.end.min(other.end));
        (start < end).then_some(Self { start, end })
    }

    /// From the earlier start to the later end of two.
    #[must_use]
    pub fn cover(&self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The frames at a rate (Hz) whose time lies in it, out of the first `count`. A span between two frames is the nearer
    /// one's; one that lies outside of all has none.
    #[must_use]
    pub fn frames(&self, rate: f32, count: usize) -> Range<usize> {
        let place = |t: f32| f64::from(t) * f64::from(rate);
        let first = |t: f32| {
            let x = place(t);
            let slack = if x.is_finite() { SLACK + x.abs() * ROUNDING } else { 0.0 };
            (x - slack).ceil().clamp(0.0, count as f64) as usize
        };
        let (start, end) = (first(self.start), first(self.end));
        let outside = start >= count || place(self.end) <= 0.0;
        if start < end || outside || self.start >= self.end {
            return start..end.max(start);
        }
        let nearest = (0.5 * (place(self.start) + place(self.end))).round().clamp(0.0, count as f64 - 1.0) as usize;
        nearest..nearest + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_as_they_went_in() {
        for rate in [24.0, 29.97, 30.0, 60.0, 119.88, 120.0, 240.0_f32] {
            for start in (0..2_000_000).step_by(7919) {
                let frames = start..start + 1 + start % 17;
                let span = Span::of_frames(&frames, rate).unwrap();
                assert_eq!(span.frames(rate, usize::MAX), frames, "at {rate} Hz");
            }
        }
        assert_eq!(Span::of_frames(&(5..5), 60.0), None);
    }

    #[test]
    fn at_another_rate_frames_are_those_within() {
        let span = Span::of_frames(&(3..8), 60.0).unwrap();
        assert_eq!(span.frames(30.0, 100), 2..4);
        assert_eq!(span.frames(30.0, 3), 2..3, "cut to those that there are");
        let brief = Span { start: 0.34, end: 0.36 };
        assert_eq!(brief.frames(10.0, 100), 4..5, "between two: the nearer one");
        let late = Span { start: 7.0, end: 8.0 };
        assert!(late.frames(10.0, 20).is_empty());
        let always = Span { start: f32::NEG_INFINITY, end: f32::INFINITY };
        assert_eq!(always.frames(10.0, 20), 0..20);
        let before = Span { start: f32::NEG_INFINITY, end: 0.0 };
        assert!(before.frames(10.0, 20).is_empty());
    }

    #[test]
    fn spans_meet_and_cover() {
        let (a, b) = (Span { start: 0.0, end: 2.0 }, Span { start: 1.0, end: 3.0 });
        assert_eq!(a.shared(b), Some(Span { start: 1.0, end: 2.0 }));
        assert_eq!(a.shared(b.later(1.0)), None, "ends do not belong to spans");
        assert_eq!(a.cover(b), Span { start: 0.0, end: 3.0 });
        assert!(a.contains(0.0) && !a.contains(2.0) && a.seconds() == 2.0);
    }
}
