//! Where a foot of a live character comes down, and how high it goes on its way there.

use super::foot::flown;
use super::{Detail, Locomotor, LocomotorFrame, LocomotorState, Now};
use crate::foot::{PutDown, Sole};
use crate::library::locomotion::{BandSample, steady_place};
use crate::math::{FloorPose, Rigid, floor, single, wrap_angle};
use crate::plan::steps::FindFoothold;
use crate::plan::steps::foothold::Look;
use crate::world::{GroundHit, SurfaceId};
use glam::Vec2;
use std::f32::consts::PI;

/// From this share of a flight on it is decided where a foot comes down.
const DECIDED: f32 = 0.7;
/// A print is looked for again where it should be this much farther, as a share of the leg's length, or turned, radians.
const MOVED: [f32; 2] = [0.005, 0.01];
/// Feet pass over what lies between their prints by this much, and are raised for it by no more, as shares of the leg's length.
const MARGIN: f32 = 0.03;
const HIGHEST: f32 = 0.6;
/// How soon a foot rises to what lies ahead, seconds.
const RISES: f32 = 0.06;
/// Places between two prints at which the ground is looked at.
const BETWEEN: usize = 7;

impl Locomotor {
    /// Where a foot that flies is to come down, and how high it goes for that.
    pub(super) fn aim(&self, state: &mut LocomotorState, k: usize, rate: f32, now: Now<'_>, frame: &LocomotorFrame) {
        let blended = &frame.blend.legs[k];
        let length = self.character.stand.legs[k].length;
        let leg = &state.legs[k];
        let flown = flown(leg.phase, blended);
        let wanted = predicted(state, (1.0 - leg.phase) / rate).then(blended.place);
        let first = !leg.asked.position.is_finite();
        let moved = (wanted.position - leg.asked.position).length() > MOVED[0] * length
            || wrap_angle(wanted.heading - leg.asked.heading).abs() > MOVED[1];
        if first || (moved && flown < DECIDED) {
            let (goal, surface) = self.foothold(state, k, wanted, now);
            let over = self.over(state, k, goal, now, frame);
            let leg = &mut state.legs[k];
            (leg.goal, leg.goal_surface, leg.asked) = (goal, surface, wanted);
            leg.clearance[1] = over;
            if first {
                leg.to = goal;
            }
        }
        let leg = &mut state.legs[k];
        // It comes to its goal by the time that this is decided.
        let left = (DECIDED - flown) * (blended.strike - blended.off) / rate;
        let share = if left <= now.dt { 1.0 } else { now.dt / left };
        leg.to = if share >= 1.0 { leg.goal } else { leg.to.lerp(leg.goal, share) };
        leg.to_surface = leg.goal_surface;
        let rises = 1.0 - single::exp(-now.dt / RISES);
        let [now_at, wanted] = leg.clearance;
        leg.clearance[0] = if flown < 0.05 { wanted } else { now_at + (wanted - now_at) * rises };
    }

    /// A print near a place, and what it is on; level at the character's own height where there is no ground.
    pub(super) fn foothold(
        &self,
        state: &LocomotorState,
        k: usize,
        place: FloorPose,
        now: Now<'_>,
    ) -> (Rigid, SurfaceId) {
        let leg = &self.character.stand.legs[k];
        // Ground that rises as steeply as can be climbed is higher farther away.
        let far = (place.position - state.place.position).length();
        let up = self.settings.step_up * leg.length + far;
        let look = Look { from: state.height + up, reach: 2.0 * up + leg.length, time: now.time };
        let found = if now.detail == Detail::Full {
            FindFoothold::default().run(now.ground, leg, place, look, |_| 0.0)
        } else {
            let sole = Sole { foot: &leg.foot, points: leg.sole, leg: leg.length, outline: &[] };
            let hit = now.ground.below(floor::at_height(place.position, look.from), look.reach, look.time);
            hit.and_then(|hit| PutDown::default().run(sole, place, &|place| Some(on_plane(hit, place))))
        };
        match found {
            Some(found) => (found.print, found.surface),
            None => {
                let level = place.to_rigid();
                (Rigid { translation: level.translation.with_y(state.height), ..level }, SurfaceId(0))
            }
        }
    }

    /// How far a foot must be raised to pass over what lies between its prints, metres.
    fn over(&self, state: &LocomotorState, k: usize, goal: Rigid, now: Now<'_>, frame: &LocomotorFrame) -> f32 {
        let stand = &self.character.stand.legs[k];
        let (from, to) = (state.legs[k].from.translation, goal.translation);
        if now.detail != Detail::Full || (to - from).length() < 0.02 * stand.length {
            return 0.0;
        }
        let up = self.settings.step_up * stand.length;
        let height = |share: f32| {
            let at = from.lerp(to, share);
            let look = floor::at_height(floor::of_point(at), at.y.max(state.height) + up);
            now.ground.below(look, 2.0 * up, now.time).map_or(f32::NEG_INFINITY, |hit| hit.point.y)
        };
        let mut heights = [0.0_f32; BETWEEN + 2];
        for (i, high) in heights.iter_mut().enumerate() {
            *high = match i {
                0 => from.y,
                i if i == BETWEEN + 1 => to.y,
                i => height(i as f32 / (BETWEEN + 1) as f32),
            };
        }
        let mut most = 0.0_f32;
        for i in 1..=BETWEEN {
            let share = i as f32 / (BETWEEN + 1) as f32;
            let ground = heights[i - 1].max(heights[i]).max(heights[i + 1]);
            let line = from.y + share * (to.y - from.y);
            // Level ground asks for nothing: the clip's own height is right for it.
            if ground <= line.max(from.y.min(to.y)) + 0.2 * MARGIN * stand.length && ground <= line + 1e-3 {
                continue;
            }
            let own = self.own_height(k, share, frame);
            let lacking = ground + MARGIN * stand.length - line - own;
            most = most.max(lacking / single::sin(PI * share));
        }
        most.clamp(0.0, HIGHEST * stand.length)
    }

    /// How high clips raise a foot that has come this far from print to print, metres.
    fn own_height(&self, k: usize, progress: f32, frame: &LocomotorFrame) -> f32 {
        let clips = self.clips.clips().iter().zip(&frame.blend.stepping);
        let of_clip = |legs: &[crate::library::locomotion::LegCycle]| {
            let mut flown = 0.0;
            while flown < 1.0 && legs[k].progress(flown) < progress {
                flown += 1.0 / 16.0;
            }
            legs[k].height(flown)
        };
        clips
            .filter(|(clip, weight)| clip.moves() && **weight > 0.01)
            .map(|(clip, weight)| weight * of_clip(&clip.legs))
            .sum()
    }
}

/// Where the character will be in some seconds if it goes on like this.
pub(super) fn predicted(state: &LocomotorState, seconds: f32) -> FloorPose {
    let seconds = seconds.clamp(0.0, 3.0);
    let turn_rate = state.turn_rate.clamp(-PI / seconds.max(1e-3), PI / seconds.max(1e-3));
    let velocity = floor::turned(state.velocity, -state.place.heading);
    state.place.then(steady_place(BandSample { velocity, turn_rate }, seconds))
}

/// Ground that goes on as it is where it was met, at a place (x, z).
fn on_plane(hit: GroundHit, place: Vec2) -> GroundHit {
    let off = place - Vec2::new(hit.point.x, hit.point.z);
    let rise = -off.dot(Vec2::new(hit.normal.x, hit.normal.z)) / hit.normal.y.max(0.1);
    GroundHit { point: floor::at_height(place, hit.point.y + rise), ..hit }
}
