//! Where a live character goes: by its own wish, or with a capsule that the game moves.

use super::{Intent, Locomotor, LocomotorFrame, LocomotorState, Now};
use crate::math::{FloorPose, floor, quat, single, wrap_angle};
use glam::{Vec2, Vec3};

/// How fast velocity comes to what is wished, 1/s, and facing likewise.
const EAGER: f32 = 8.0;
const FACES: f32 = 5.0;
/// How fast the velocity of a capsule is believed, 1/s.
const BELIEVED: f32 = 15.0;
/// How fast an acceleration is felt, 1/s.
const FELT: f32 = 6.0;
/// How fast spine and neck come to bend as the body turns, 1/s: a turn that begins at once would throw heads and tails.
const BENDS: f32 = 8.0;
/// Feet of a body that turns go at most this many times as fast as in its slowest walk.
const FEET: f32 = 0.8;
/// Feet are turned by no more than this from one step of a side to the next, radians.
const TURN_A_STEP: f32 = 0.8;
/// A body whose hips are farther from its middle than this share of the leg's length is long.
const SHORT_BODY: f32 = 0.1;
/// The hips of a long body go sideways by no more than this share of how fast it goes ahead, and where it stands by this
/// share of the speed √(g h).
const SLIPS: f32 = 0.35;
const SHUFFLES: f32 = 0.08;
/// When the first foot leaves after a character sets out, seconds, and the last, rounds later: of two legs, and of more.
const FIRST_OFF: f32 = 0.12;
const LAST_OFF: [f32; 2] = [0.5, 0.65];
/// The last foot to leave may be farther behind than in the walk by this, as a share.
const BEHIND: f32 = 1.15;
/// Feet that stand farther back than in the walk slow its setting out down to this share.
const LEFT: f32 = 0.5;
/// They do so from this share of the way on that feet go back in the walk.
const SPARE: f32 = 0.3;
/// It gets going no slower than this share of what one step asks for.
const LEAST: f32 = 0.6;
/// Places farther from the origin than this are none, metres.
const FARTHEST: f32 = 1e6;

impl Locomotor {
    /// Moves the character on; whether it was put somewhere else in one frame.
    pub(super) fn travel(
        &self,
        state: &mut LocomotorState,
        intent: &Intent,
        now: Now<'_>,
        frame: &mut LocomotorFrame,
    ) -> bool {
        let (before, leg) = (state.place, self.character.leg_length);
        frame.root_motion = FloorPose::ORIGIN;
        let carried = self.ride(state, now);
        let (old, old_turn) = (state.velocity, state.turn_rate);
        let wanted = intent.body.filter(|body| {
            body.position.is_finite() && body.heading.is_finite() && body.position.abs().max_element() < FARTHEST
        });
        let mut jumped = carried > leg;
        match wanted {
            Some(body) => {
                let place = Vec2::new(body.position.x, body.position.z);
                let (moved, turned) = (place - state.place.position, wrap_angle(body.heading - state.place.heading));
                let most = leg + 2.0 * state.velocity.length() * now.dt;
                jumped |= moved.length() > most || (body.position.y - state.height).abs() > 2.0 * leg;
                if now.dt > 0.0 && !jumped {
                    let believed = 1.0 - single::exp(-BELIEVED * now.dt);
                    state.velocity += (moved / now.dt - state.velocity) * believed;
                    state.turn_rate += (turned / now.dt - state.turn_rate) * believed;
                    state.wished = state.velocity.length();
                } else if jumped {
                    (state.velocity, state.turn_rate) = (Vec2::ZERO, 0.0);
                }
                state.place = FloorPose::new(place, state.place.heading + turned);
                state.height = body.position.y;
            }
            None => self.go(state, intent, now),
        }
        if wanted.is_none() || state.action.is_none() {
            // What it stands on; where there is nothing it keeps its height.
            let up = self.settings.step_up * leg;
            let from = floor::at_height(state.place.position, state.height + up);
            match now.ground.below(from, up + 1.5 * leg, now.time) {
                Some(hit) => (state.surface, state.height, state.falls) = (hit.surface, hit.point.y, 0.0),
                None if wanted.is_none() => self.fall(state, now),
                None => state.falls = 0.0,
            }
        }
        if now.dt > 0.0 {
            let acceleration = (state.velocity - old) / now.dt;
            let felt = 1.0 - single::exp(-FELT * now.dt);
            let turn_change = ((state.turn_rate - old_turn) / now.dt).clamp(-50.0, 50.0);
            state.turn_change += (turn_change - state.turn_change) * (1.0 - single::exp(-2.0 * FELT * now.dt));
            state.acceleration += (acceleration.clamp_length_max(20.0) - state.acceleration) * felt;
            state.bends_by += (state.turn_rate - state.bends_by) * (1.0 - single::exp(-now.dt * BENDS));
        }
        frame.root_motion = before.inverse().then(state.place);
        state.place.heading = wrap_angle(state.place.heading);
        jumped
    }

    /// Goes by wish.
    fn go(&self, state: &mut LocomotorState, intent: &Intent, now: Now<'_>) {
        let settings = &self.settings;
        let most = settings.most_speed * self.clips.fastest();
        let wished = if intent.velocity.is_finite() { intent.velocity.clamp_length_max(most) } else { state.velocity };
        let facing = intent.facing.filter(|facing| facing.is_finite()).unwrap_or(state.place.heading);
        let off = wrap_angle(facing - state.place.heading);
        let most = settings.turn_rate.min(self.nimble());
        let quick = settings.turn_acceleration * most / settings.turn_rate.max(1e-3) * now.dt;
        // No faster than it can stop turning in time.
        let brakes = (quick / now.dt.max(1e-6) * off.abs()).sqrt();
        let [least, greatest] = self.turns_at(state);
        let wanted = (off * FACES).clamp(-brakes, brakes).clamp(-most, most).clamp(least, greatest);
        let turn_rate = state.turn_rate + (wanted - state.turn_rate).clamp(-quick, quick);
        let turn_rate = if off.abs() < 1e-4 && turn_rate.abs() < 1e-3 { 0.0 } else { turn_rate };
        // What it does already turns with it, as far as it should.
        let way = if state.velocity.length() > 1e-3 && wished.length() > 1e-3 {
            wrap_angle(floor::heading_of(wished) - floor::heading_of(state.velocity))
        } else {
            0.0
        };
        let by = turn_rate * now.dt;
        let by = if by * way > 0.0 { by.clamp(-way.abs(), way.abs()) } else { 0.0 };
        let turned = floor::turned(state.velocity, by);
        state.wished = wished.length();
        let change = (wished - turned) * (1.0 - single::exp(-EAGER * now.dt));
        let velocity = turned + change.clamp_length_max(self.acceleration(wished.length()) * now.dt);
        let velocity = if (velocity - wished).length_squared() < 1e-8 { wished } else { velocity };
        let position = state.place.position + 0.5 * (velocity + state.velocity) * now.dt;
        let heading = state.place.heading + 0.5 * (turn_rate + state.turn_rate) * now.dt;
        (state.velocity, state.turn_rate) = (velocity, turn_rate);
        state.place = FloorPose::new(position.clamp(Vec2::splat(-FARTHEST), Vec2::splat(FARTHEST)), heading);
    }

    /// How fast it gets going and stops on its way to a speed (m/s), m/s²: no faster than its legs can follow in a step, and so
    /// that the last foot to leave is no farther behind than in the walk, or the body would go down for it.
    #[must_use]
    pub fn acceleration(&self, speed: f32) -> f32 {
        let slowest = &self.clips.clips()[self.clips.slowest()];
        let speed = slowest.motion.velocity.length().max(speed);
        let usual = speed / (self.settings.first_step * slowest.seconds).max(1e-3);
        let count = slowest.legs.len();
        let off = slowest.legs.iter().map(|leg| leg.off).sum::<f32>() / count.max(1) as f32;
        let leaves = FIRST_OFF + LAST_OFF[usize::from(count > 2)] * slowest.seconds;
        let walks = off * slowest.seconds * speed;
        let behind = 2.0 * BEHIND * walks / (leaves * leaves);
        // Feet that stand farther back than they do in the middle of a stance have less far to go until they are behind.
        let legs = slowest.legs.iter().zip(&self.character.stand.legs);
        let back = legs.map(|(leg, stand)| leg.place.position.y - stand.anchor.position.y).fold(0.0, f32::max);
        let left = (1.0 + SPARE - back / walks.max(1e-6)).clamp(LEFT, 1.0);
        self.settings.acceleration.min(usual).min(left * behind.max(LEAST * usual))
    }

    /// How fast it turns at most, rad/s: with feet that go no faster than in its slowest walk, and that are turned by no more than
    /// hips can in a step.
    fn nimble(&self) -> f32 {
        let slowest = &self.clips.clips()[self.clips.slowest()];
        let swings = FEET * slowest.motion.velocity.length() / self.character.stand.radius.max(1e-3);
        let steps = TURN_A_STEP * 2.0 * self.settings.cadence[1] / slowest.seconds.max(0.05);
        swings.min(steps)
    }

    /// The least and greatest turning rate of a body whose hips are far from its middle, rad/s: they go along with it, not
    /// sideways.
    fn turns_at(&self, state: &LocomotorState) -> [f32; 2] {
        let (stand, plan) = (&self.character.stand, &self.character.body_plan);
        let behind = -(stand.middle + plan.trunk_at).z;
        if behind.abs() < SHORT_BODY * self.character.leg_length {
            return [f32::NEG_INFINITY, f32::INFINITY];
        }
        let own = floor::turned(state.velocity, -state.place.heading);
        let slips = (SLIPS * own.y.abs()).max(SHUFFLES * (crate::rig::GRAVITY * stand.hip).sqrt());
        let [a, b] = [own.x - slips, own.x + slips].map(|aside| aside / behind);
        [a.min(b).min(0.0), a.max(b).max(0.0)]
    }

    /// Is carried by what it stands on, with its feet; how far that carries it, metres.
    fn ride(&self, state: &mut LocomotorState, now: Now<'_>) -> f32 {
        let Some(last) = state.time.filter(|last| *last != now.time) else { return 0.0 };
        let moved = |surface| {
            let [from, to] = [last, now.time].map(|time| now.ground.world_from_surface(surface, time));
            (from != to).then(|| to * from.inverse())
        };
        for leg in &mut state.legs {
            if let Some(by) = moved(leg.from_surface) {
                leg.from = by * leg.from;
            }
            if let Some(by) = moved(leg.to_surface) {
                leg.to = by * leg.to;
            }
            if let Some(by) = moved(leg.goal_surface) {
                leg.goal = by * leg.goal;
                leg.asked.position =
                    floor::of_point(by.transform_point(floor::at_height(leg.asked.position, 0.0).into()));
            }
        }
        let Some(by) = moved(state.surface) else { return 0.0 };
        let here = floor::at_height(state.place.position, state.height);
        let there = Vec3::from(by.transform_point(here.into()));
        state.place.position = Vec2::new(there.x, there.z);
        state.place.heading += quat::heading(by.rotation).unwrap_or(0.0);
        state.base += there.y - state.height;
        state.height = there.y;
        (there - here).length()
    }
}
