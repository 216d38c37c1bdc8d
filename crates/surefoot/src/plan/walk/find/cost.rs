//! What walks cost: every term that a search weighs, in metres of walking at the pace that is wanted.

use crate::math::smoothstep;
use glam::Vec2;

/// The terms of a walk's cost. What has been walked and what is left are told in the same unit, so that they can be added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cost {
    /// The pace that is wanted, m/s.
    pub(super) pace: f32,
    /// Extra cost of walking too fast or too slowly: metres for each metre by which a stretch is longer or shorter than the pace
    /// gives in its time.
    pub(super) haste: f32,
    /// Cost of turning on the spot: metres for each metre that could have been walked in the time.
    pub(super) turning: f32,
    /// Extra cost of dawdling, which is walking slower than the share `dawdles` of the pace: `dawdling` metres for each metre that is
    /// lacking to that.
    pub(super) dawdles: f32,
    pub(super) dawdling: f32,
    /// Cost of a blend, metres: `blend` for each, and up to `strain` more for one whose two sides are as far apart as the graph allows.
    pub(super) blend: f32,
    pub(super) strain: f32,
    /// Cost of facing away from where the way goes, metres; half of it for facing across it.
    pub(super) facing: f32,
    /// Cost of going amiss, which is without looking there or in leaps: metres for each metre that is gone in the time at the pace.
    pub(super) sidling: f32,
    /// Within this distance of the goal, metres, the heading that is wanted there counts instead, more and more.
    pub(super) arriving: f32,
    /// Cost of each of the last steps that is changed so that the walk ends at the goal, metres.
    pub(super) changed_step: f32,
    /// Cost of stepping back to a place, not facing it, metres; less for stepping aside.
    pub(super) stepping_back: f32,
    /// Walks that come to a place at this much more cost than the first are not followed, metres.
    pub(super) late: f32,
    /// What a second is worth when walks are compared that have lasted unequally, metres: where nobody comes on, those that
    /// made the shortest moves would seem the best.
    pub(super) second: f32,
}

impl Cost {
    /// At a pace, m/s, and with a cost of going without looking there.
    pub(super) fn at(pace: f32, sidling: f32) -> Self {
        Self {
            pace,
            haste: 0.6,
            turning: 0.8,
            dawdles: 0.4,
            dawdling: 3.0,
            blend: 0.06,
            strain: 0.12,
            facing: 2.0,
            sidling,
            arriving: 1.5,
            changed_step: 0.16,
            stepping_back: 16.0,
            late: 2.0,
            second: 0.3,
        }
    }

    /// A stretch of walking: its length, where it goes at the pace that is wanted; more where it is slower, and a little more
    /// where it is faster. Metres and seconds.
    pub(super) fn stretch(&self, length: f32, seconds: f32) -> f32 {
        let due = self.pace * seconds;
        let lacks = (self.dawdles * due - length).max(0.0);
        self.calm_stretch(length, seconds) + self.haste * (length - due).abs() + self.dawdling * lacks
    }

    /// One in which any pace is right, as in coming to a stop.
    pub(super) fn calm_stretch(&self, length: f32, seconds: f32) -> f32 {
        0.5 * length + 0.5 * self.pace * seconds
    }

    /// Turning on the spot for so many seconds.
    pub(super) fn turning(&self, seconds: f32) -> f32 {
        self.turning * self.pace * seconds
    }

    /// Going for so many seconds without looking there, or leaping.
    pub(super) fn amiss(&self, seconds: f32) -> f32 {
        self.sidling * self.pace * seconds
    }

    /// A blend whose sides are apart by a share of the threshold.
    pub(super) fn blend(&self, strain: f32) -> f32 {
        self.blend + self.strain * strain
    }

    /// Cost of stepping to a place that the character does not face: `share` is 0 for stepping ahead, 1 for stepping back.
    pub(super) fn askew(&self, share: f32) -> f32 {
        self.stepping_back * share
    }

    /// Changing so many of the last steps.
    pub(super) fn changed(&self, steps: f32) -> f32 {
        self.changed_step * steps
    }

    /// What is left: the way (metres, and the direction to go), turning towards it, and facing as `wanted` at its end.
    pub(super) fn left(&self, metres: f32, along: Vec2, facing: Vec2, wanted: Option<Vec2>) -> f32 {
        let off = |to: Vec2| 0.5 * (1.0 - facing.dot(to));
        // Near a goal that may be faced any way, overshooting is what counts.
        let now = off(along);
        let askew = wanted.map_or(now, |wanted| {
            let near = 1.0 - smoothstep(metres / self.arriving);
            now + near * (off(wanted) - now)
        });
        metres + self.facing * askew
    }
}
