//! Where a foot of a live character comes down, and how high it goes on its way there.

use super::foot::flown;
use super::{Detail, Locomotor, LocomotorFrame, LocomotorState, Now};
use crate::foot::{PutDown, Sole};
use crate::library::locomotion::{BandSample, steady_place};
use crate::math::{FloorPose, Rigid, floor, quat, single, wrap_angle};
use crate::plan::steps::FindFoothold;
use crate::plan::steps::foothold::Look;
use crate::world::{GroundHit, SurfaceId};
use glam::Vec2;

/// From this share of a flight on it is decided where a foot comes down.
const DECIDED: f32 = 0.7;
/// By this share it is over it: a print that changes at the last would throw the foot there.
const THERE: f32 = 0.87;
/// A print is looked for again where it should be this much farther, as a share of the leg's length, or turned, radians.
const MOVED: [f32; 2] = [0.005, 0.01];
/// Feet are turned beside the body by no more than this where they come down, radians: hips turn no farther.
const MOST_TURN: f32 = 0.8;
/// How soon a foot rises to what lies ahead, seconds.
const RISES: f32 = 0.06;
/// How soon it goes on later, or arrives sooner, for an edge that comes into its way, seconds: a foot that hurries shows more than one
/// that is high.
const COMES_TO_AWAIT: f32 = 0.15;

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
            (leg.clearance[1], leg.awaits[1]) = (over.knots, over.awaits);
            if first {
                leg.to = goal;
            }
        }
        let leg = &mut state.legs[k];
        // It comes to its goal well before it lands.
        let left = (THERE - flown) * (blended.strike - blended.off) / rate;
        let share = if left <= now.dt { 1.0 } else { now.dt / left };
        leg.to = if share >= 1.0 { leg.goal } else { leg.to.lerp(leg.goal, share) };
        leg.to_surface = leg.goal_surface;
        let rises = 1.0 - single::exp(-now.dt / RISES);
        let rises = if flown < 0.05 { 1.0 } else { rises };
        let [at, wanted] = &mut leg.clearance;
        at.iter_mut().zip(wanted).for_each(|(at, wanted)| *at += (*wanted - *at) * rises);
        let comes = if flown < 0.05 { 1.0 } else { 1.0 - single::exp(-now.dt / COMES_TO_AWAIT) };
        leg.awaits[0] += (leg.awaits[1] - leg.awaits[0]) * comes;
        leg.step = leg.to.translation - leg.from.translation;
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
            let body = quat::from_heading(state.place.heading);
            FindFoothold::default().run(now.ground, leg, place, (look, body), |_| 0.0)
        } else {
            let sole = Sole { foot: &leg.foot, points: leg.sole, leg: leg.length, outline: &[], under: &[] };
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
}

/// Where the character will be in some seconds if it goes on like this: what speeds up, slows down or stops
/// turning does so to its end.
pub(super) fn predicted(state: &LocomotorState, seconds: f32) -> FloorPose {
    let seconds = seconds.clamp(0.0, 3.0);
    let most = MOST_TURN / seconds.max(1e-3);
    let turn_rate = lasting(state.turn_rate, state.turn_change, seconds).clamp(-most, most);
    let speed = state.velocity.length();
    let change = state.acceleration.dot(state.velocity) / speed.max(1e-6);
    let mean = if change > 0.0 && state.wished > speed {
        // It speeds up until it is as fast as it should be.
        let until = ((state.wished - speed) / change).min(seconds);
        speed + change * until * (1.0 - 0.5 * until / seconds.max(1e-3))
    } else {
        lasting(speed, change, seconds)
    };
    let velocity = state.velocity * (mean / speed.max(1e-6));
    let velocity = floor::turned(velocity, -state.place.heading);
    state.place.then(steady_place(BandSample { velocity, turn_rate }, seconds))
}

/// What a rate is on average over some seconds if it goes down as it does now; one that grows stays.
fn lasting(rate: f32, change: f32, seconds: f32) -> f32 {
    if rate * change >= 0.0 || seconds <= 0.0 {
        return rate;
    }
    let until = (rate / -change).min(seconds);
    (rate + 0.5 * change * until) * until / seconds
}

/// Ground that goes on as it is where it was met, at a place (x, z).
fn on_plane(hit: GroundHit, place: Vec2) -> GroundHit {
    let off = place - Vec2::new(hit.point.x, hit.point.z);
    let rise = -off.dot(Vec2::new(hit.normal.x, hit.normal.z)) / hit.normal.y.max(0.1);
    GroundHit { point: floor::at_height(place, hit.point.y + rise), ..hit }
}
