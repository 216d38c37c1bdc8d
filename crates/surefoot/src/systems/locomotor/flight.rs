//! How a foot of a live character is raised over what lies between its prints: up before on, and down from above.

use super::{Detail, Locomotor, LocomotorFrame, LocomotorState, Now};
use crate::math::{Rigid, floor, smoothstep};
use glam::{Vec2, Vec3A};

/// At so many even times of a flight it is told how far a foot is raised.
pub(super) const KNOTS: usize = 8;
/// Places along the way of a foot at which the ground is looked at, from behind its heel on the first print to before its toes
/// on the second.
const LOOKS: usize = 14;
/// Times of a flight at which a foot is held against the ground.
const TIMES: usize = 12;
/// Feet pass over what lies between their prints by this much, and are raised for it by no more, as shares of the leg's length.
const MARGIN: f32 = 0.03;
const HIGHEST: f32 = 0.6;
/// Feet are up and come down no sooner than within this share of a flight, and in quick steps than in this time, seconds, but
/// within the second share at the latest: they would be thrown up.
const SOONEST: f32 = 0.14;
const UP_IN: f32 = 0.05;
const LATEST: f32 = 0.4;
/// What of a clip's own height is counted on: steps that are short are lifted less.
const COUNTED: f32 = 0.8;

/// How far a foot is raised at a share of its flight, metres: a smooth curve that begins and ends with nothing.
pub(super) fn raised(knots: &[f32; KNOTS], flown: f32) -> f32 {
    let at = flown.clamp(0.0, 1.0) * (KNOTS + 1) as f32;
    let i = (at as usize).min(KNOTS);
    let u = at - i as f32;
    let knot = |k: usize| if k == 0 || k > KNOTS { 0.0 } else { knots[k - 1] };
    let [before, from, to, after] = [knot(i.max(1) - 1), knot(i), knot(i + 1), knot((i + 2).min(KNOTS + 1))];
    let (out, into) = (0.5 * (to - before), 0.5 * (after - from));
    let curve = from + u * (out + u * (3.0 * (to - from) - 2.0 * out - into + u * (2.0 * (from - to) + out + into)));
    curve.max(0.0)
}

/// Feet that are raised by more than this, as a share of the leg's length, for a step that is as high as the other, go on later, or
/// are over their print sooner: by this share slower at first, or at last.
const RAISED: f32 = 0.04;
const STEP: f32 = 0.2;
const AWAITS: f32 = 0.6;

/// The share of a flight at which clips have a foot where it is, if it goes on later (above 0) or arrives sooner (below 0).
pub(super) fn awaited(flown: f32, awaits: f32) -> f32 {
    flown * (1.0 - awaits * (1.0 - flown))
}

/// The way of a foot from print to print, and the ground that was met under it.
#[derive(Clone, Copy)]
struct Way {
    /// Heights, metres, from behind its heel on the first print on, [`Way::apart`] each; below all where there is none.
    ground: [f32; LOOKS],
    /// How far the foot reaches behind its middle (below 0) and before it, metres.
    behind: f32,
    before: f32,
    apart: f32,
    /// How far the prints are apart over the floor, and in height, metres.
    run: f32,
    rise: f32,
    /// How steeply soles lie on them along the way, rise over run.
    tilts: [f32; 2],
    /// Of unit length, over the floor.
    along: Vec2,
    /// The share of the flight within which the foot is up no sooner, and comes down no later.
    soonest: f32,
}

/// How a foot passes over what lies between its prints.
#[derive(Clone, Copy, Default)]
pub(super) struct PassesOver {
    /// How far it is raised at even times of its flight, metres.
    pub(super) knots: [f32; KNOTS],
    /// By which share it goes on more slowly at first; below 0 at last.
    pub(super) awaits: f32,
}

impl Locomotor {
    /// How far a foot must be raised at even times of its flight to pass over what lies between its prints, and how it awaits it.
    pub(super) fn over(
        &self,
        state: &LocomotorState,
        k: usize,
        goal: Rigid,
        now: Now<'_>,
        frame: &LocomotorFrame,
    ) -> PassesOver {
        let level = PassesOver::default();
        let stand = &self.character.stand.legs[k];
        let (from, length) = (state.legs[k].from, stand.length);
        let way = floor::of_point(goal.translation - from.translation);
        let run = way.length();
        if now.detail != Detail::Full || run < 0.02 * length {
            return level;
        }
        let along = way / run;
        // How far the foot reaches behind its middle and before it.
        let (mut behind, mut before) = (0.0_f32, 0.0_f32);
        for point in stand.sole.iter().chain(&stand.outline) {
            for print in [from, goal] {
                let at = floor::of_point(print.rotation * *point).dot(along);
                (behind, before) = (behind.min(at), before.max(at));
            }
        }
        let up = self.settings.step_up * length;
        let rise = goal.translation.y - from.translation.y;
        let apart = (run + before - behind) / (LOOKS - 1) as f32;
        let ground: [f32; LOOKS] = std::array::from_fn(|i| {
            let far = behind + apart * i as f32;
            let line = from.translation.y + rise * (far / run).clamp(0.0, 1.0);
            let at = floor::of_point(from.translation) + along * far;
            let hit = now.ground.below(floor::at_height(at, line.max(state.height) + up), 2.0 * up, now.time);
            hit.map_or(f32::NEG_INFINITY, |hit| hit.point.y)
        });
        // Soles lie on slopes as these do.
        let tilts = [0.0, 1.0].map(|progress| self.grade(k, [from, goal], progress).dot(along));
        // Nothing is higher than the sole's ends where they pass over it.
        let clear = |far: f32, height: f32| {
            [behind, before].into_iter().all(|end| {
                let share = ((far - end) / run).clamp(0.0, 1.0);
                let tilt = tilts[0] + share * (tilts[1] - tilts[0]);
                height <= from.translation.y + rise * share + end * tilt + 1e-3 * length
            })
        };
        if ground.iter().enumerate().all(|(i, height)| clear(behind + apart * i as f32, *height)) {
            return level;
        }
        let blended = &frame.blend.legs[k];
        let seconds = (blended.strike - blended.off) / state.cadence.max(0.1);
        let soonest = (UP_IN / seconds.max(1e-3)).clamp(SOONEST, LATEST);
        let way = Way { ground, behind, before, apart, run, rise, tilts, along, soonest };
        let knots = self.knots(state, k, &way, 0.0, frame);
        let most = knots.iter().copied().fold(0.0, f32::max);
        if most < RAISED * length {
            return PassesOver { knots, awaits: 0.0 };
        }
        // The way on which it hurries least.
        let most = AWAITS * rise.signum() * smoothstep(rise.abs() / (STEP * length));
        let mut best = (PassesOver { knots, awaits: 0.0 }, self.hurry(k, &way, &knots, 0.0, frame));
        for awaits in [0.5 * most, most] {
            let knots = self.knots(state, k, &way, awaits, frame);
            let hurry = self.hurry(k, &way, &knots, awaits, frame);
            if hurry < best.1 {
                best = (PassesOver { knots, awaits }, hurry);
            }
        }
        best.0
    }

    /// The longest part of a foot's way in an even part of its flight, metres.
    fn hurry(&self, k: usize, way: &Way, knots: &[f32; KNOTS], awaits: f32, frame: &LocomotorFrame) -> f32 {
        let mut before = Vec2::ZERO;
        let mut most = 0.0_f32;
        for j in 1..=TIMES {
            let flown = j as f32 / TIMES as f32;
            let (progress, _) = self.drawn_flight(k, awaited(flown, awaits), frame);
            let at = Vec2::new(progress * way.run, progress * way.rise + raised(knots, flown));
            most = most.max(at.distance(before));
            before = at;
        }
        most
    }

    /// How far a foot must be raised at even times of its flight over a way, if it goes on later or arrives sooner ([`awaited`]).
    fn knots(&self, state: &LocomotorState, k: usize, way: &Way, awaits: f32, frame: &LocomotorFrame) -> [f32; KNOTS] {
        let Way { ground, behind, before, apart, run, rise, tilts, along, soonest } = *way;
        let mut knots = [0.0_f32; KNOTS];
        let stand = &self.character.stand.legs[k];
        let (from, length) = (state.legs[k].from, stand.length);
        let ends = [false, true].map(|front| {
            let points = stand.sole.iter().chain(&stand.outline);
            let far = |point: &&Vec3A| if front { point.z } else { -point.z };
            *points.max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(&Vec3A::ZERO)
        });
        let margin = MARGIN * length;
        for j in 1..TIMES {
            let flown = j as f32 / TIMES as f32;
            let (own_progress, own) = self.drawn_flight(k, flown, frame);
            let progress =
                if awaits == 0.0 { own_progress } else { self.drawn_flight(k, awaited(flown, awaits), frame).0 };
            // Clips swing feet beyond where they come down, and back.
            let blended = &frame.blend.legs[k];
            let (sole, drawn) = self.drawn(state, k, blended.off + flown * (blended.strike - blended.off), frame);
            let drawn_at = drawn[0].position.lerp(drawn[1].position, own_progress);
            let beyond = floor::turned(floor::of_point(sole.translation) - drawn_at, state.place.heading).dot(along);
            // Toes that hang are lower than ball and heel.
            let low = ends.map(|point| (sole.rotation * point).y).into_iter().fold(f32::INFINITY, f32::min);
            let own = own.min((sole.translation.y + low).max(0.0));
            let (far, tilt) = (progress * run + beyond, tilts[0] + progress * (tilts[1] - tilts[0]));
            let line = from.translation.y + rise * progress + beyond * tilt;
            let mut over = 0.0_f32;
            for (i, height) in ground.iter().enumerate() {
                let off = behind + apart * i as f32 - far;
                if (behind - apart..=before + apart).contains(&off) {
                    over = over.max(height - off.clamp(behind, before) * tilt - line);
                }
            }
            // Level ground asks for nothing: the clip's own height is right for it.
            let lacks = over + over.min(margin) - COUNTED * own;
            if over <= 1e-3 * length || lacks <= 0.0 {
                continue;
            }
            let top = flown.clamp(soonest, 1.0 - soonest);
            for (i, knot) in knots.iter_mut().enumerate() {
                let at = (i + 1) as f32 / (KNOTS + 1) as f32;
                let share = if at < top { at / top } else { (1.0 - at) / (1.0 - top) };
                *knot = knot.max(lacks.min(HIGHEST * length) * smoothstep(share));
            }
        }
        knots
    }

    /// How far clips have brought a foot from print to print at a share of its flight, from 0 to 1, and how high, metres.
    pub(super) fn drawn_flight(&self, k: usize, flown: f32, frame: &LocomotorFrame) -> (f32, f32) {
        let clips = self.clips.clips().iter().zip(&frame.blend.stepping);
        let (mut progress, mut height) = (0.0, 0.0);
        for (clip, weight) in clips.filter(|(clip, weight)| clip.moves() && **weight > 1e-3) {
            progress += weight * clip.legs[k].progress(flown);
            height += weight * clip.legs[k].height(flown);
        }
        (progress.clamp(0.0, 1.0), height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_that_awaits_an_edge_goes_on_later_or_arrives_sooner_and_never_back() {
        for awaits in [-AWAITS, 0.0, 0.5 * AWAITS, AWAITS] {
            assert!(awaited(0.0, awaits).abs() < 1e-6 && (awaited(1.0, awaits) - 1.0).abs() < 1e-6, "{awaits}");
            for i in 1..=100 {
                let [before, now] = [i - 1, i].map(|i| i as f32 / 100.0);
                assert!(awaited(now, awaits) > awaited(before, awaits), "back at {now}, {awaits}");
                assert!((now - awaited(now, awaits)) * awaits >= -1e-6, "the wrong way at {now}, {awaits}");
            }
        }
        assert!(awaited(0.25, AWAITS) < 0.15 && awaited(0.75, -AWAITS) > 0.85, "it shows");
    }

    #[test]
    fn a_foot_is_raised_by_its_knots_and_by_nothing_at_the_ends() {
        let knots: [f32; KNOTS] = std::array::from_fn(|i| 0.1 * (i % 3) as f32);
        assert!(raised(&knots, 0.0).abs() + raised(&knots, 1.0).abs() < 1e-6, "nothing but rounding");
        let mut before = 0.0;
        for i in 0..=900 {
            let flown = i as f32 / 900.0;
            let now = raised(&knots, flown);
            assert!((now - before).abs() < 0.004, "a jump at {flown}: {before} to {now}");
            before = now;
        }
        for (i, knot) in knots.iter().enumerate() {
            let at = (i + 1) as f32 / (KNOTS + 1) as f32;
            assert!((raised(&knots, at) - knot).abs() < 1e-4, "knot {i}");
        }
    }
}
