//! What one would not want of a walk that arrives: a detour, looking aside, standing on the way, leaping.

use super::{Navigated, Trip};
use crate::library::graph::MotionGraph;
use crate::metrics::{leaps, measure_facing, stands_between};

/// What is not as it should be in a walk that arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lacks {
    /// Whether it goes so much farther than it must that another path may be shorter to walk.
    detour: bool,
    /// By how many times the shortest way it is farther than who goes [round about](ROUND_ABOUT).
    round_about: f32,
    /// By how much it looks farther aside of where it goes than one would, radians.
    aside: f32,
    /// For how much longer than one would it stands on its way, seconds.
    stands: f32,
    /// For how long it leaps, seconds.
    leaps: f32,
    /// Its length, metres.
    length: f32,
}

/// A walk that is longer than the shortest way there is by this share of it, and by so many metres, is a detour: one in ten is. On a
/// short way that is so much sooner, from a share of it on.
const DETOUR_SHARE: f32 = 0.1;
const DETOUR: f32 = 1.0;
const DETOUR_NEAR: f32 = 0.3;
/// A walk may look this much farther aside of where it goes than the takes of its graph do, radians: 4°. Blends and steps that are
/// changed turn a body a little.
const LOOKS: f32 = 4.0 * std::f32::consts::PI / 180.0;
/// A walk that stands for longer between going and going on halts, seconds.
const HALTS: f32 = 0.9;
/// A walk of more than this many times the shortest way goes round about: who would walk it steps round the first corner.
const ROUND_ABOUT: f32 = 1.3;
/// Looking aside by so much more counts as much as a second of standing or one more shortest way, radians: 10°.
const AS_MUCH: f32 = 10.0 * std::f32::consts::PI / 180.0;

impl Lacks {
    pub(super) fn of(graph: &MotionGraph, trip: &Trip<'_>, done: &Navigated) -> Self {
        let (clip, length, shortest) = (&done.walked.take.clip, done.report.way.length, trip.shortest);
        let looks = measure_facing(&graph.rig, clip).map_or(0.0, |facing| facing.p95);
        // Who waits for something that moves stands as long as it takes.
        let still = trip.around.moving.is_empty();
        let stands = if still { stands_between(&graph.rig, clip) } else { 0.0 };
        Self {
            // Who stands beside a door must step back to come through it straight.
            detour: length - shortest > (DETOUR_SHARE * shortest).max(DETOUR.min(DETOUR_NEAR * shortest)),
            round_about: (length / shortest.max(0.1) - ROUND_ABOUT).max(0.0),
            aside: (looks - graph.looks_aside() - LOOKS).max(0.0),
            stands: (stands - HALTS).max(0.0),
            leaps: leaps(&graph.rig, &done.walked.take).last().copied().unwrap_or(0.0),
            length,
        }
    }

    /// Whether nothing is wrong with it.
    pub(super) fn nothing(&self) -> bool {
        !self.detour && !self.asks_again()
    }

    /// Whether other walks to the same end are worth a look.
    pub(super) fn asks_again(&self) -> bool {
        self.aside > 0.0 || self.stands > 0.0 || self.leaps > 0.0
    }

    /// Whether steps before it may be better.
    pub(super) fn asks_for_steps(&self) -> bool {
        self.asks_again() || self.round_about > 0.0
    }

    /// Whether it is less than what another one lacks: fewer things, or less of them; else it is shorter.
    pub(super) fn is_less(&self, than: &Self) -> bool {
        let keys = |lacks: &Self| {
            let things = [lacks.round_about, lacks.aside / AS_MUCH, lacks.stands, lacks.leaps];
            let count = things.iter().filter(|thing| **thing > 0.0).count();
            [count as f32, things.iter().sum(), lacks.length]
        };
        keys(self) < keys(than)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_looks_where_he_goes_is_better_than_who_is_shorter() {
        let walk = |aside: f32, length: f32| Lacks { aside, length, ..Lacks::default() };
        assert!(walk(0.0, 5.0).is_less(&walk(0.1, 4.9)) && !walk(0.1, 4.9).is_less(&walk(0.0, 5.0)));
        assert!(walk(0.05, 5.0).is_less(&walk(0.1, 4.9)), "both look aside");
        assert!(walk(0.0, 4.9).is_less(&walk(0.0, 5.0)) && !walk(0.0, 5.0).is_less(&walk(0.0, 5.0)));
        let far = Lacks { round_about: 0.9, ..walk(0.0, 9.0) };
        assert!(walk(0.05, 5.0).is_less(&far) && !far.is_less(&walk(0.05, 5.0)), "one thing each, and more of it");
        let leaping = Lacks { leaps: 0.5, ..walk(0.0, 4.0) };
        assert!(walk(0.0, 5.0).is_less(&leaping) && leaping.asks_again() && !leaping.nothing());
        let both = Lacks { stands: 0.1, ..walk(0.01, 4.0) };
        assert!(walk(0.3, 5.0).is_less(&both), "one thing is less than two");
        assert!(walk(0.0, 1.0).nothing() && !walk(0.1, 1.0).nothing() && !both.nothing());
        assert!(far.asks_for_steps() && !far.asks_again());
    }
}
