//! Where a foot of a live character is: on its print, or between two.

use super::blend::BlendedLeg;
use super::flight::{awaited, raised};
use super::{LegState, Locomotor, LocomotorFrame, LocomotorState};
use crate::ik::foot_place::FootPlace;
use crate::library::locomotion::steady_place;
use crate::math::{FloorPose, Rigid, floor, quat, single, smoothstep, wrap_angle};
use glam::{Quat, Vec2, Vec3A, Vec4};

/// Legs that are elsewhere in their round than the pose by more than this are not stretched as it has them.
const ELSEWHERE: f32 = 0.08;
/// Steps shorter than this share of a clip's are lifted less, down to a share of its height.
const SHORT: f32 = 0.5;
const LEAST_LIFT: f32 = 0.7;
/// Feet of a character that stands are lifted by this much more, as a share of the leg's length.
const SLOW_LIFT: f32 = 0.05;
/// A foot keeps the turn of its clip only in the air, and comes to it within this share of its flight.
const TURNS_WITHIN: f32 = 0.25;
/// A foot that is raised by this share of the leg's length comes from over an edge; one that comes down by the second from there lands flat.
const OVER_EDGE: f32 = 0.04;
const DOWN: f32 = 0.1;
/// Toes may be this deep in the ground, as a share of the leg's length: feet are soft.
const TOES: f32 = 0.01;

/// Where a foot is to be in a frame, world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FootGoal {
    /// The ankle's place and turn.
    pub ankle: Rigid,
    /// The ground that it stands for, metres: its print, or between both.
    pub base: Vec3A,
    /// What is up from the ground there.
    pub up: Vec3A,
    /// How far it has flown, from 0 to 1; `None` while it stands.
    pub flown: Option<f32>,
    /// How much the blended pose tells how far the leg is stretched, from 0 to 1: not where the leg is elsewhere in its round.
    pub as_drawn: f32,
    /// Whether its leg waits.
    pub parked: bool,
    /// What is ahead of it along the floor, a unit vector.
    pub ahead: Vec3A,
    /// The print that it comes to; where that would be if the character went as its clips do, world; and in how many seconds.
    pub lands: Rigid,
    pub lands_drawn: FloorPose,
    pub left: f32,
}

/// A foot in the air.
pub(super) struct FootPath {
    /// Where its sole is, metres, world.
    pub place: Vec3A,
    /// How its sole is turned.
    pub turn: Quat,
    /// How it would be turned beside the print that it leaves, and the one that it comes to.
    pub from_turn: Quat,
    pub to_turn: Quat,
    /// Its heading, radians.
    pub yaw: f32,
    /// How far it has come from print to print.
    pub progress: f32,
    /// Where it comes down if the character goes as its clips do, in the character's frame.
    pub lands: FloorPose,
}

impl Locomotor {
    /// Where a foot is in a frame.
    pub(super) fn foot(&self, state: &LocomotorState, k: usize, rate: f32, frame: &LocomotorFrame) -> FootGoal {
        let stand = &self.character.stand.legs[k];
        let blended = &frame.blend.legs[k];
        let leg = &state.legs[k];
        let as_drawn = as_drawn(state, k, blended);
        let sole_turn = |turn: Quat| (turn * stand.sole_from_ankle.rotation).normalize();
        if leg.flying {
            let flown = flown(leg.phase, blended);
            let path = self.path(state, k, frame, flown);
            let ahead = quat::from_heading(path.yaw) * Vec3A::Z;
            let left = (blended.strike - leg.phase).max(0.0) / rate;
            let place = path.place + leg.residual * (1.0 - smoothstep(flown));
            let sole = Rigid { rotation: path.turn, translation: place };
            let ankle = sole * stand.sole_from_ankle;
            let base = leg.from.translation.lerp(leg.to.translation, path.progress);
            let up =
                (leg.from.rotation * Vec3A::Y).lerp(leg.to.rotation * Vec3A::Y, path.progress).normalize_or(Vec3A::Y);
            return FootGoal {
                ankle,
                base,
                up,
                flown: Some(flown),
                as_drawn,
                parked: false,
                ahead,
                lands: leg.to,
                lands_drawn: state.place.then(path.lands),
                left,
            };
        }
        let landed = leg.landed;
        let print = if landed { leg.to } else { leg.from };
        let turns = self.turns(state, k, frame);
        let turn = if landed {
            leg.to.rotation * self.flatter(k, turns[1], self.steps_down(leg, k))
        } else {
            leg.from.rotation * turns[0]
        };
        let turn = self.over_toes(k, turn, print.rotation, 0.0, as_drawn);
        let flat = smoothstep(leg.flat);
        let turn = if flat > 0.0 { turn.lerp(print.rotation, flat) } else { turn };
        let mut ankle = FootPlace::default().ankle(&stand.foot, print, sole_turn(turn));
        ankle.translation += leg.residual;
        let up = print.rotation * Vec3A::Y;
        let ahead = quat::from_heading(quat::heading(print.rotation).unwrap_or(0.0)) * Vec3A::Z;
        FootGoal {
            ankle,
            base: print.translation,
            up,
            flown: None,
            as_drawn,
            parked: leg.parked,
            ahead,
            lands: print,
            lands_drawn: FloorPose::ORIGIN,
            left: 0.0,
        }
    }

    /// Where a sole would be if it stood on a print, turned as in the air, metres.
    pub(super) fn stood(&self, k: usize, print: Rigid, turn: Quat) -> Vec3A {
        let stand = &self.character.stand.legs[k];
        let ankle_turn = (turn * stand.sole_from_ankle.rotation).normalize();
        let ankle = FootPlace::default().ankle(&stand.foot, print, ankle_turn);
        ankle.transform_point(stand.foot.ankle_from_sole().translation)
    }

    /// A sole's turn with less pitch where its toes would go into the ground: those that do not bend, or are bent for another
    /// time of the round. `print` is how its print is turned, `high` how far its middle is over that, metres.
    fn over_toes(&self, k: usize, turn: Quat, print: Quat, high: f32, as_drawn: f32) -> Quat {
        let stand = &self.character.stand.legs[k];
        let share = if stand.toe.is_some() { 1.0 - as_drawn } else { 1.0 };
        if share <= 0.0 || stand.foot.is_point() {
            return turn;
        }
        let up = print * Vec3A::Y;
        let low = |point: &Vec3A| (turn * *point).dot(up);
        let touches = stand.sole.iter().map(low).fold(f32::INFINITY, f32::min);
        let lowest = stand.outline.iter().map(low).fold(touches, f32::min);
        let allowed = TOES * stand.length + (high + touches).max(0.0);
        let depth = touches - lowest;
        if depth <= allowed {
            return turn;
        }
        turn.lerp(print, share * (1.0 - allowed / depth))
    }

    /// How much a foot lands flat rather than on its heel, from 0 to 1: where it comes down from an edge, which its heel would hit.
    fn steps_down(&self, leg: &LegState, k: usize) -> f32 {
        let length = self.character.stand.legs[k].length;
        let raised = leg.clearance[0].iter().copied().fold(0.0, f32::max);
        let down = leg.from.translation.y - leg.to.translation.y;
        smoothstep(raised / (OVER_EDGE * length)) * smoothstep(down / (DOWN * length))
    }

    /// Pitch and roll of a sole whose toes are up, as flat as that.
    fn flatter(&self, k: usize, turn: Quat, flat: f32) -> Quat {
        let [heel, ball] = self.character.stand.legs[k].sole.map(|point| (turn * point).y);
        if flat > 0.0 && heel < ball { turn.lerp(Quat::IDENTITY, flat) } else { turn }
    }

    /// How a foot is turned beside the print that it leaves, and beside the one that it comes to: pitch and roll only.
    fn turns(&self, state: &LocomotorState, k: usize, frame: &LocomotorFrame) -> [Quat; 2] {
        let (sole, prints) = self.drawn(state, k, state.legs[k].phase, frame);
        prints.map(|print| quat::split_heading(quat::from_heading(-print.heading) * sole.rotation, 0.0).1)
    }

    /// The sole as clips have it at a phase of the leg, and the prints that it leaves and comes to if the character goes as its
    /// clips do; all in the character's frame.
    pub(super) fn drawn(
        &self,
        state: &LocomotorState,
        k: usize,
        phase: f32,
        frame: &LocomotorFrame,
    ) -> (Rigid, [FloorPose; 2]) {
        let blended = &frame.blend.legs[k];
        let (mut turn, mut place) = (Vec4::ZERO, Vec3A::ZERO);
        for (clip, weight) in self.clips.clips().iter().zip(&state.weights).filter(|(_, weight)| **weight > 1e-3) {
            let sole = clip.sole(k, phase);
            let q = Vec4::from(sole.rotation);
            turn += if turn.dot(q) < 0.0 { -*weight } else { *weight } * q;
            place += *weight * sole.translation;
        }
        let sole = Rigid { rotation: turn.try_normalize().map_or(Quat::IDENTITY, Quat::from_vec4), translation: place };
        let stride = frame.blend.stride;
        (sole, [-phase, 1.0 - phase].map(|rounds| steady_place(stride, rounds).then(blended.place)))
    }

    /// How the ground under a foot rises between two prints, rise over run: as soles lie, or for points as one print lies to the
    /// other.
    pub(super) fn grade(&self, k: usize, prints: [Rigid; 2], progress: f32) -> Vec2 {
        let [from, to] = prints;
        if self.character.stand.legs[k].foot.is_point() {
            let step = to.translation - from.translation;
            let way = floor::of_point(step);
            return (way * step.y / way.length_squared().max(1e-6)).clamp_length_max(1.0);
        }
        let up = (from.rotation * Vec3A::Y).lerp(to.rotation * Vec3A::Y, progress);
        -floor::of_point(up) / up.y.max(0.5)
    }

    /// The way of a foot through the air: a straight line from print to print at the pace of the clips, with what the clips do
    /// beside it on top.
    pub(super) fn path(&self, state: &LocomotorState, k: usize, frame: &LocomotorFrame, flown: f32) -> FootPath {
        let leg = &state.legs[k];
        let (sole, drawn) = self.drawn(state, k, state.legs[k].phase, frame);
        let (own_progress, _) = self.drawn_flight(k, flown, frame);
        // Where there is an edge, it goes on later, or arrives before it goes down.
        let awaits = leg.awaits[0];
        let progress = if awaits == 0.0 { own_progress } else { self.drawn_flight(k, awaited(flown, awaits), frame).0 };
        let (from, to) = (leg.from.translation, leg.to.translation);
        let mut place = from.lerp(to, progress);
        // What the clip does beside the line between its own prints.
        let line = drawn[0].position.lerp(drawn[1].position, own_progress);
        let beside = sole.translation - Vec3A::from(floor::at_height(line, 0.0));
        let ahead = quat::from_heading(state.place.heading);
        let beside = ahead * beside;
        // Along slopes, not into them.
        place += beside + Vec3A::Y * self.grade(k, [leg.from, leg.to], progress).dot(floor::of_point(beside));
        // Short steps of a character that stands are lifted, too.
        let step = floor::of_point(to - from).length();
        let (mut high, mut low, mut usual) = (0.0, 0.0, 0.0);
        for ((clip, weight), own) in self.clips.clips().iter().zip(&frame.blend.stepping).zip(&state.weights) {
            if clip.moves() {
                let height = clip.legs[k].height(flown);
                high += weight * height;
                low += own * height;
                usual += weight * clip.stride().velocity.length();
            }
        }
        let share = (step / (SHORT * usual).max(1e-3)).clamp(LEAST_LIFT, 1.0);
        place.y += (share * high - low).max(0.0);
        place.y += raised(&leg.clearance[0], flown);
        // Where it goes slower than its clips do, feet are not dragged.
        let rests = 1.0
            - self.clips.clips().iter().zip(&state.weights).filter(|(c, _)| c.moves()).map(|(_, w)| *w).sum::<f32>();
        let swings = single::sin(std::f32::consts::PI * flown);
        place.y += SLOW_LIFT * self.character.stand.legs[k].length * rests.clamp(0.0, 1.0) * swings * swings;
        // Sideways it keeps to where it belongs under the body.
        let own = state.place.then(frame.blend.legs[k].place).position;
        let aside = own - floor::of_point(from.lerp(to, progress));
        let usual = floor::turned(frame.blend.legs[k].place.position - line, state.place.heading);
        let aside = aside - usual;
        let along = floor::of_point(to - from).normalize_or_zero();
        let aside = aside - along * aside.dot(along);
        let follow = single::sin(std::f32::consts::PI * flown).powi(2);
        place += Vec3A::from(floor::at_height(aside * follow, 0.0));

        let keeps = smoothstep(flown.min(1.0 - flown) / TURNS_WITHIN);
        let turn = |print: &Rigid, drawn: FloorPose, flat: f32| {
            let (yaw, rest) = quat::split_heading(quat::from_heading(-drawn.heading) * sole.rotation, 0.0);
            print.rotation * quat::from_heading(yaw * keeps) * self.flatter(k, rest, flat)
        };
        let as_drawn = as_drawn(state, k, &frame.blend.legs[k]);
        let high = place.y - (from.y + progress * (to.y - from.y)) + leg.residual.y * (1.0 - smoothstep(flown));
        let (from_turn, to_turn) = (turn(&leg.from, drawn[0], 0.0), turn(&leg.to, drawn[1], self.steps_down(leg, k)));
        let from_turn = self.over_toes(k, from_turn, leg.from.rotation, high, as_drawn);
        let to_turn = self.over_toes(k, to_turn, leg.to.rotation, high, as_drawn);
        // It turns with the body rather than the short way round.
        let beside = |print: Rigid| wrap_angle(quat::heading(print.rotation).unwrap_or(0.0) - state.place.heading);
        let (share, yaws) = (smoothstep(progress), [beside(leg.from), beside(leg.to)]);
        let own = |yaw: f32, turn: Quat| quat::from_heading(-(yaw + state.place.heading)) * turn;
        let yaw = state.place.heading + yaws[0] + share * (yaws[1] - yaws[0]);
        let turn = quat::from_heading(yaw) * own(yaws[0], from_turn).lerp(own(yaws[1], to_turn), share);
        FootPath { place, turn, from_turn, to_turn, yaw, progress, lands: drawn[1] }
    }
}

/// How much the blended pose shows a leg as it is now, from 0 to 1: not where the leg is elsewhere in its round.
fn as_drawn(state: &LocomotorState, k: usize, blended: &BlendedLeg) -> f32 {
    let nominal = (state.phase - blended.stance).rem_euclid(1.0);
    let apart = (nominal - state.legs[k].phase).abs();
    1.0 - smoothstep(apart.min(1.0 - apart) / ELSEWHERE)
}

/// The share of its flight that a leg has behind it.
pub(super) fn flown(phase: f32, blended: &BlendedLeg) -> f32 {
    ((phase - blended.off) / (blended.strike - blended.off).max(1e-3)).clamp(0.0, 1.0)
}
