//! Poses that come from elsewhere, such as captured motion, on a live character: its feet are put on uneven ground, and stay.

use super::flight::KNOTS;
use super::foot::FootGoal;
use super::{Detail, FootEvent, FootEventKind, Intent, Locomotor, LocomotorFrame, LocomotorState, Now};
use crate::foot::drop_to_reach;
use crate::ik::foot_place::FootPlace;
use crate::math::{FloorPose, Rigid, floor, quat, single, smoothstep, wrap_angle};
use crate::rig::LegId;
use crate::world::Ground;
use glam::{Quat, Vec2, Vec3A};
use std::f32::consts::PI;

/// A pose as somebody else has it on level ground.
#[derive(Clone, Copy, Debug)]
pub struct GivenPose<'a> {
    /// Joints as in [`Pose::locals`](crate::rig::Pose::locals), the ground at height 0.
    pub locals: &'a [Rigid],
    /// Where the character is on the floor of the world.
    pub place: FloorPose,
    /// By leg, what it does.
    pub legs: &'a [GivenLeg],
}

/// What a leg of a given pose does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GivenLeg {
    /// Whether its foot is on the ground.
    pub stands: bool,
    /// Where its sole comes down next on level ground and in how many seconds, if that is known; for a leg that is in the air.
    pub next: Option<NextStep>,
}

/// A step that is to come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NextStep {
    /// Where the sole will be, world.
    pub place: FloorPose,
    /// In how many seconds.
    pub seconds: f32,
}

/// How long a flight is taken to be whose end is not known yet, seconds for a grown person, and how much of it is flown at most.
const FLIGHT: f32 = 0.4;
const UNKNOWN: f32 = 0.6;
/// How soon a foot that came down elsewhere is where it should be, seconds.
const SETTLES: f32 = 0.08;
/// How soon a print that is looked for is believed, seconds.
const BELIEVED: f32 = 0.08;
/// From this share of a flight on it is decided where a foot comes down.
const DECIDED: f32 = 0.7;
/// Feet pass over what lies between their prints by this share of the leg's length.
const MARGIN: f32 = 0.03;
/// Places between two prints at which the ground is looked at.
const BETWEEN: usize = 5;
/// By this share of a flight the body is as low as its landing asks for; a leg that lands is stretched by this share at most.
const FORESEEN: f32 = 0.7;
const REACHES: f32 = 0.98;
/// How soon a body goes down for a foot that will land, and comes up again, seconds.
const LOWERS: f32 = 0.05;
const RISES: f32 = 0.15;
/// A stance that moves farther than this from its print on level ground, as a share of the leg's length, is another one.
const ELSEWHERE: f32 = 0.5;

impl Locomotor {
    /// As [`step`](Self::step), but with a pose that is given instead of blended from clips: [`MotionGraph`] walks by
    /// [`Steer`], a recording, or a pose of a physics engine. Feet that it says stand are put on the ground below and stay;
    /// those in the air go over what is in their way; the body follows. Of the intent, layers and targets are asked. Allocates
    /// nothing.
    ///
    /// [`MotionGraph`]: crate::library::graph::MotionGraph
    /// [`Steer`]: crate::plan::walk::Steer
    ///
    /// # Panics
    /// If pose, state or frame are for another character.
    pub fn step_given(
        &self,
        state: &mut LocomotorState,
        given: GivenPose<'_>,
        intent: &Intent,
        ground: &dyn Ground,
        clock: [f32; 2],
        frame: &mut LocomotorFrame,
    ) {
        let [time, dt] = clock;
        let dt = if dt > 0.0 { dt.min(super::LONGEST) } else { 0.0 };
        let now = Now { ground, time, dt, detail: Detail::Full };
        frame.events.clear();
        frame.pose.locals.copy_from_slice(given.locals);
        self.advance_layers(state, intent, dt);
        self.advance_targets(state, intent, dt);
        self.put_layers(state, &mut frame.pose);
        let jumped = self.go_with(state, given.place, now, frame);
        frame.pose.to_model(&self.character.rig.skeleton, &mut frame.model);
        // Hips where they would be if the body did not go down for feet that will land.
        let count = given.legs.len().max(1) as f32;
        let lowered: f32 = state.legs.iter().map(|leg| leg.lowers).sum::<f32>() / count;
        for (k, leg) in given.legs.iter().enumerate() {
            let stand = &self.character.stand.legs[k];
            let ankle = frame.model[self.character.rig.legs[k].ankle()];
            let sole = given.place.to_rigid() * (ankle * stand.sole_from_ankle.inverse());
            let mut foot = self.given_foot(state, k, *leg, sole, jumped, now, &mut frame.events);
            let hip =
                frame.pose.root.transform_point(frame.model[stand.chain.joints[0]].translation) + lowered * Vec3A::Y;
            self.lower_ahead(state, k, *leg, hip, now);
            foot.base.y -= state.legs[k].lowers;
            frame.feet[k] = foot;
        }
        (state.hold, state.action, state.phase) = (1.0, None, 0.0);
        self.correct(state, frame);
        frame.pose.to_model(&self.character.rig.skeleton, &mut frame.model);
        self.carry(state, now, frame, true);
        self.bend_legs(state, now, frame);
        if state.targets.iter().any(|target| target.weight > 0.0) {
            self.follow_targets(state, frame);
        }
        state.time = Some(time);
    }

    /// The character goes to where its pose is; whether it was put somewhere else at once.
    fn go_with(&self, state: &mut LocomotorState, place: FloorPose, now: Now<'_>, frame: &mut LocomotorFrame) -> bool {
        let leg = self.character.leg_length;
        let moved = place.position - state.place.position;
        let jumped = moved.length() > leg + 2.0 * state.velocity.length() * now.dt;
        frame.root_motion = state.place.inverse().then(place);
        if now.dt > 0.0 {
            state.velocity = if jumped { Vec2::ZERO } else { moved / now.dt };
            state.turn_rate = if jumped { 0.0 } else { wrap_angle(place.heading - state.place.heading) / now.dt };
        }
        // Captured bodies lean and bend by themselves.
        (state.acceleration, state.bends_by) = (Vec2::ZERO, 0.0);
        state.place = FloorPose::new(place.position, wrap_angle(place.heading));
        let up = self.settings.step_up * leg;
        let from = floor::at_height(place.position, state.height + up);
        let reach = if jumped { 1e3 * leg } else { up + 1.5 * leg };
        if let Some(hit) = now.ground.below(from, reach, now.time) {
            (state.surface, state.height) = (hit.surface, hit.point.y);
        }
        jumped
    }

    /// Where a foot is to be whose sole is at `sole` on level ground, world.
    #[expect(clippy::too_many_arguments, reason = "one foot of one frame")]
    fn given_foot(
        &self,
        state: &mut LocomotorState,
        k: usize,
        given: GivenLeg,
        sole: Rigid,
        jumped: bool,
        now: Now<'_>,
        events: &mut Vec<FootEvent>,
    ) -> FootGoal {
        let stand = &self.character.stand.legs[k];
        let level = level_of(sole, stand.foot.is_point(), state.place.heading);
        let kept = state.legs[k];
        let elsewhere = (level.position - kept.asked.position).length() > ELSEWHERE * stand.length;
        let strikes = given.stands && (kept.flying || jumped || elsewhere || !kept.asked.position.is_finite());
        if strikes {
            // The print that it was led to, if it came there.
            let led = !jumped && kept.flying && (kept.asked.position - level.position).length() < 0.1 * stand.length;
            let (print, surface) = if led { (kept.to, kept.to_surface) } else { self.foothold(state, k, level, now) };
            let flew = if led { kept.asked } else { level };
            // Where its flight has brought it, beside where it stands: that settles.
            let off = sole.translation + print.translation - floor_of(flew) - self.stood_at(k, print, sole, level);
            let leg = &mut state.legs[k];
            (leg.from, leg.from_surface, leg.to, leg.to_surface) = (print, surface, print, surface);
            (leg.asked, leg.parked, leg.landed, leg.flat) = (level, false, true, 0.0);
            leg.residual = if jumped { Vec3A::ZERO } else { off.clamp_length_max(0.2 * stand.length) };
            (leg.flying, leg.phase) = (false, 0.0);
            events.push(FootEvent { leg: LegId(k as u8), kind: FootEventKind::Strike, print });
        } else if !given.stands && !kept.flying {
            let stood = self.stood_at(k, kept.from, sole, level);
            let leg = &mut state.legs[k];
            (leg.flying, leg.landed, leg.phase, leg.flat) = (true, false, 0.0, 0.0);
            // What it is beside level ground, which fades over the flight.
            leg.residual += stood - sole.translation;
            (leg.clearance, leg.awaits) = ([[0.0; KNOTS]; 2], [0.0; 2]);
            events.push(FootEvent { leg: LegId(k as u8), kind: FootEventKind::Off, print: leg.from });
        }
        if state.legs[k].flying {
            self.given_flight(state, k, given, sole, now)
        } else {
            let leg = &mut state.legs[k];
            leg.residual -= leg.residual * (1.0 - single::exp(-now.dt / SETTLES));
            let turn = leg.from.rotation * tilt_of(sole.rotation, level.heading);
            let ankle_turn = (turn * stand.sole_from_ankle.rotation).normalize();
            let mut ankle = FootPlace::default().ankle(&stand.foot, leg.from, ankle_turn);
            ankle.translation += leg.residual;
            let up = leg.from.rotation * Vec3A::Y;
            let base = leg.from.translation + leg.residual;
            let ahead = leg.from.rotation * Vec3A::Z;
            let (lands, lands_drawn) = (leg.from, level);
            FootGoal {
                ankle,
                base,
                up,
                flown: None,
                as_drawn: 1.0,
                parked: false,
                ahead,
                lands,
                lands_drawn,
                left: 0.0,
            }
        }
    }

    /// A foot in the air: as it is given, beside what its prints are beside level ground.
    fn given_flight(
        &self,
        state: &mut LocomotorState,
        k: usize,
        given: GivenLeg,
        sole: Rigid,
        now: Now<'_>,
    ) -> FootGoal {
        let stand = &self.character.stand.legs[k];
        let level = level_of(sole, stand.foot.is_point(), state.place.heading);
        let known = given.next.filter(|next| next.seconds.is_finite() && next.seconds >= 0.0);
        let wanted = known.map_or(level, |next| next.place);
        let first = state.legs[k].phase == 0.0;
        state.legs[k].phase += now.dt.max(1e-6);
        let flight = self.character.scale.time(FLIGHT);
        // At an even pace to where it comes down, also when that becomes known later.
        let before = state.legs[k].flat;
        let flown = match known {
            Some(next) if next.seconds > now.dt => before + (1.0 - before) * now.dt / (next.seconds + now.dt),
            Some(_) => 1.0,
            None => (before + now.dt / flight).min(before.max(UNKNOWN)),
        }
        .clamp(0.0, 1.0);
        state.legs[k].flat = flown;
        let moved = (wanted.position - state.legs[k].asked.position).length() > 0.01 * stand.length && flown < DECIDED;
        let (goal, surface) = if first || moved {
            self.foothold(state, k, wanted, now)
        } else {
            (state.legs[k].goal, state.legs[k].goal_surface)
        };
        let over = if first || moved { self.between(state, k, goal, now) } else { state.legs[k].clearance[1][0] };
        let leg = &mut state.legs[k];
        if first {
            leg.to = goal;
        }
        (leg.goal, leg.goal_surface, leg.clearance[1][0]) = (goal, surface, over);
        if first || moved {
            leg.asked = wanted;
        }
        let wanted = leg.asked;
        let soon = 1.0 - single::exp(-now.dt / BELIEVED);
        // It is at its goal by the time that it comes down.
        let left = known.map_or(f32::INFINITY, |next| next.seconds);
        leg.to = leg.to.lerp(leg.goal, soon.max(now.dt / left.max(now.dt).max(1e-6)).min(1.0));
        leg.to_surface = leg.goal_surface;
        leg.step = leg.to.translation - leg.from.translation;
        leg.clearance[0][0] += (leg.clearance[1][0] - leg.clearance[0][0]) * soon;
        let share = smoothstep(flown);
        let beside_goal = leg.to.translation - floor_of(wanted);
        let raised = leg.clearance[0][0] * single::sin(PI * flown) * Vec3A::Y;
        let place = sole.translation + leg.residual.lerp(beside_goal, share) + raised;
        let tilts = [leg.from, leg.to].map(|print| {
            let heading = quat::heading(print.rotation).unwrap_or(0.0);
            (print.rotation * quat::from_heading(-heading)).normalize()
        });
        let turn = (tilts[0].lerp(tilts[1], share) * sole.rotation).normalize();
        let at = Rigid { rotation: turn, translation: place };
        let base = leg.from.translation.lerp(leg.to.translation, share);
        let up = (leg.from.rotation * Vec3A::Y).lerp(leg.to.rotation * Vec3A::Y, share).normalize_or(Vec3A::Y);
        FootGoal {
            ankle: at * stand.sole_from_ankle,
            base,
            up,
            flown: Some(flown),
            as_drawn: 1.0,
            parked: false,
            ahead: leg.from.rotation.lerp(leg.to.rotation, share) * Vec3A::Z,
            lands: leg.to,
            lands_drawn: wanted,
            left: left.min(flight),
        }
    }

    /// How far the body goes down so that a leg reaches where it will land: in time, and up again when it has.
    fn lower_ahead(&self, state: &mut LocomotorState, k: usize, given: GivenLeg, hip: Vec3A, now: Now<'_>) {
        let stand = &self.character.stand.legs[k];
        let (velocity, count) = (state.velocity, state.legs.len() as f32);
        let leg = &mut state.legs[k];
        let lacks = match given.next.filter(|_| leg.flying) {
            Some(next) => {
                let then = hip + next.seconds.min(0.5) * Vec3A::from(floor::at_height(velocity, 0.0));
                let lands = (leg.to * stand.sole_from_ankle).translation;
                let counts = smoothstep(leg.flat / FORESEEN);
                count * counts * drop_to_reach(then, lands, REACHES * stand.length).clamp(0.0, 0.3 * stand.length)
            }
            None => 0.0,
        };
        let soon = if lacks > leg.lowers { LOWERS } else { RISES };
        leg.lowers += (lacks - leg.lowers) * (1.0 - single::exp(-now.dt / soon));
    }

    /// Where a sole is that stands on a print, turned as it is given, metres.
    fn stood_at(&self, k: usize, print: Rigid, sole: Rigid, level: FloorPose) -> Vec3A {
        let stand = &self.character.stand.legs[k];
        let turn = print.rotation * tilt_of(sole.rotation, level.heading);
        let ankle_turn = (turn * stand.sole_from_ankle.rotation).normalize();
        let ankle = FootPlace::default().ankle(&stand.foot, print, ankle_turn);
        (ankle * stand.sole_from_ankle.inverse()).translation
    }

    /// How far a foot must be raised to pass over what lies between its prints, metres.
    fn between(&self, state: &LocomotorState, k: usize, goal: Rigid, now: Now<'_>) -> f32 {
        let length = self.character.stand.legs[k].length;
        let (from, to) = (state.legs[k].from.translation, goal.translation);
        let up = self.settings.step_up * length;
        let mut most = 0.0_f32;
        for i in 1..=BETWEEN {
            let share = i as f32 / (BETWEEN + 1) as f32;
            let at = from.lerp(to, share);
            let look = floor::at_height(floor::of_point(at), at.y.max(state.height) + up);
            let Some(hit) = now.ground.below(look, 2.0 * up, now.time) else { continue };
            let lacking = hit.point.y - at.y;
            if lacking > 1e-3 {
                most = most.max((lacking + MARGIN * length) / single::sin(PI * share));
            }
        }
        most.min(0.6 * length)
    }
}

/// Where a sole lies on level ground.
fn level_of(sole: Rigid, point: bool, heading: f32) -> FloorPose {
    let ahead = floor::of_point(sole.rotation * Vec3A::Z);
    let heading = if point || ahead.length_squared() < 1e-6 { heading } else { floor::heading_of(ahead) };
    FloorPose::new(floor::of_point(sole.translation), heading)
}

fn floor_of(place: FloorPose) -> Vec3A {
    floor::at_height(place.position, 0.0).into()
}

/// How a sole is turned beside lying level and heading this way: pitch and roll.
fn tilt_of(sole: Quat, heading: f32) -> Quat {
    quat::split_heading(quat::from_heading(-heading) * sole, 0.0).1
}
