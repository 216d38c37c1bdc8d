//! Where a foot is at a time: on its print, rolling over heel or ball, or on its flight.

use crate::character::StandLeg;
use crate::ik::LegEnd;
use crate::math::{Rigid, floor, quat, single, smoothstep};
use crate::plan::steps::{Course, Footfall, Roll, Stride, Swing, SwingShape};
use glam::{Quat, Vec3A};
use std::f32::consts::PI;

/// A foot at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootAt {
    /// The sole's frame, world.
    pub world_from_sole: Rigid,
    /// How far it is turned about its own left axis from lying on the ground, radians; heel up is positive.
    pub pitch: f32,
    /// 1 while it stands, fading to 0 in its flight and back.
    pub stands: f32,
    /// The share of its flight that is over; `None` while it stands.
    pub flight: Option<f32>,
    /// How near the leg's end may come to its hip in flight, as a share of how they stand.
    pub folds: f32,
    /// Where it is in its round: 0 in the middle of a stance, π in the middle of a flight, 2π in the middle of the next stance.
    pub round: f32,
    /// The step that it makes in this half of its round, from print to print, metres, world.
    pub step: Vec3A,
}

impl FootAt {
    /// Where nothing is known yet.
    pub const NOWHERE: Self = Self {
        world_from_sole: Rigid::IDENTITY,
        pitch: 0.0,
        stands: 1.0,
        flight: None,
        folds: 0.5,
        round: 0.0,
        step: Vec3A::ZERO,
    };

    /// The foot of a leg at a time (seconds) of its plan.
    ///
    /// # Panics
    /// If the plan is empty.
    #[must_use]
    pub fn new(leg: &StandLeg, falls: &[Footfall], t: f32) -> Self {
        Self::shaped(leg, falls, t, None)
    }

    /// The same with the flights and pitches of a clip: `shape` is the body's course, the clip and the leg's number in it.
    ///
    /// # Panics
    /// If the plan is empty, or there is no such leg.
    #[must_use]
    pub(crate) fn shaped(leg: &StandLeg, falls: &[Footfall], t: f32, shape: Option<(&Course, &Stride, usize)>) -> Self {
        let now = falls.partition_point(|fall| fall.stance.strike() <= t).max(1) - 1;
        let fall = &falls[now];
        let ([heel, _], leg_length, on_point) = (leg.sole, leg.length, leg.foot.is_point());
        let ball = fall.rolls_over;
        // Where no leg is as its clip has it, a foot that hangs outside it is pitched as is planned, too.
        let apart = matches!(leg.chain.end, LegEnd::Apart(_));
        let own_pitch = |own: f32| apart.then_some(own);
        let off = fall.stance.off();
        let next = falls.get(now + 1).filter(|_| t >= off);
        let air = falls.get(now + 1).map_or(1.0, |next| next.stance.strike() - off);
        let (round, step) = round(falls, now, t);
        // How far the heel is up: it begins to rise before the foot leaves.
        let Roll { angle: most, seconds: before } = fall.heel_up;
        let leaves = most * smoothstep((t - (off - before)) / (before + 0.15 * air).max(1e-4));
        let Some(next) = next else {
            let Roll { angle: toes, seconds: after } = fall.toes_up;
            let toes = -toes * (1.0 - smoothstep((t - fall.stance.strike()) / after.max(1e-4)));
            let own = if toes < 0.0 { toes } else { leaves };
            let pitch =
                shape.map_or(own, |(course, stride, leg)| clip_pitch(course, (stride, step), (leg, own_pitch(own)), t));
            // It rolls over its heel while toes are up, over its ball while the heel is.
            let pivot = if pitch < 0.0 { heel } else { ball };
            let mut sole = pitched(fall.print(), pitch, pivot);
            if leg.toes_bend() && pitch > 0.0 {
                // What rolls over a joint that is behind its ball comes up by what the ball would dip.
                sole.translation.y += dip(leg, pitch, pivot, fall.print().rotation);
            }
            return Self {
                world_from_sole: sole,
                pitch,
                stands: 1.0,
                flight: None,
                folds: fall.swing.folds,
                round,
                step,
            };
        };
        let x = ((t - off) / air.max(1e-4)).clamp(0.0, 1.0);
        let mut flat = Swing { from: fall.print(), to: next.print(), shape: next.swing }.at(x);
        let over = smoothstep((x - 0.1) / 0.8);
        let (mut pitch, mut pivot) = (leaves * (1.0 - over) - next.toes_up.angle * over, ball.lerp(heel, over));
        pitch += next.kicks * smoothstep(x / KICKED) * smoothstep((2.0 * KICKED - x) / KICKED);
        if let Some((course, stride, leg)) = shape {
            let mut way = clip_way(course, stride, leg, ([off, next.stance.strike()], next.swing), t);
            // Over what lies between it goes its own way, which is known to clear it.
            way = match next.swing.over {
                Some(_) => Vec3A::ZERO,
                None => {
                    // Up a slope it goes along the slope; steps may be a slope to the body, so down it does not.
                    let up = if on_point { moment_up(course, t) } else { flat.rotation * Vec3A::Y };
                    let climbs = -(up.x * way.x + up.z * way.z) / up.y.max(0.3);
                    let soft = 0.2 * way.with_y(0.0).length();
                    let climbs = 0.5 * (climbs + (climbs * climbs + soft * soft).sqrt());
                    way.with_y(upwards(way.y, 0.08 * leg_length) + climbs)
                }
            };
            flat.translation += way;
            pitch = clip_pitch(course, (stride, step), (leg, own_pitch(pitch)), t);
            let first = if clip_pitch(course, (stride, step), (leg, own_pitch(most)), off) < 0.0 { heel } else { ball };
            let landed =
                clip_pitch(course, (stride, step), (leg, own_pitch(-next.toes_up.angle)), next.stance.strike());
            let last = if landed < 0.0 { heel } else { ball };
            pivot = first.lerp(last, over);
        }
        // Neither heel nor ball dips under the way of the sole.
        let sole = pitched(flat, pitch, pivot);
        let up = Vec3A::Y * dip(leg, pitch, pivot, flat.rotation);
        Self {
            world_from_sole: Rigid { translation: sole.translation + up, ..sole },
            pitch,
            stands: 1.0 - smoothstep(x / 0.3) * smoothstep((1.0 - x) / 0.3),
            flight: Some(x),
            folds: next.swing.folds,
            round,
            step,
        }
    }
}

/// Heels are up highest after this share of a flight.
const KICKED: f32 = 0.35;

/// A round reaches into the stances before and after a flight by so many times as long as the flight takes, at most.
const REACHES: f32 = 1.2;

/// Where a foot is in its round at a time (seconds) at or after it struck last, and the step that belongs to it: its way from
/// print to print, passing smoothly into that of the next round. A round that has not begun, or has ended, is at 0 and steps
/// nowhere.
fn round(falls: &[Footfall], now: usize, t: f32) -> (f32, Vec3A) {
    let way = |from: usize| Some(falls.get(from + 1)?.print().translation - falls.get(from)?.print().translation);
    let middle_of = |from: usize| Some(0.5 * (falls.get(from)?.stance.off() + falls.get(from + 1)?.stance.strike()));
    let takes = |from: usize| Some(falls.get(from + 1)?.stance.strike() - falls.get(from)?.stance.off());
    // From the middle of the stance before a flight to the middle of the one after it.
    let flight = |from: usize| {
        let (fall, next) = (falls.get(from)?, falls.get(from + 1)?);
        let (off, strike, own) = (fall.stance.off(), next.stance.strike(), way(from)?);
        let reach = REACHES * (strike - off);
        let half = |stance: &Footfall| 0.5 * (stance.stance.off() - stance.stance.strike());
        let (begins, ends) = (off - half(fall).min(reach), strike + half(next).min(reach));
        if !(begins..ends).contains(&t) {
            return None;
        }
        // Where a round follows on another, as both reach into the stance between them, it has the mean of both steps there, else none.
        let joined = |stance: &Footfall, other: Option<usize>| {
            let other =
                other.filter(|other| takes(*other).is_some_and(|long| half(stance) <= reach.min(REACHES * long)));
            other.and_then(way).map_or(Vec3A::ZERO, |other| 0.5 * (own + other))
        };
        let middle = 0.5 * (off + strike);
        // Rounds pass the middles of stances and flights as fast as they go on either side of them.
        let whole = (ends - begins).max(1e-4);
        let [before, after] = [from.checked_sub(1), Some(from + 1)].map(|other| other.and_then(middle_of));
        Some(if t < middle {
            let takes = (middle - begins).max(1e-4);
            let x = (t - begins) / takes;
            let slopes = [before.map_or(1.0 / takes, |before| 2.0 / (middle - before)), 2.0 / whole];
            let step = joined(fall, from.checked_sub(1)).lerp(own, smoothstep(x));
            (PI * eased(x, slopes.map(|slope| takes * slope)), step)
        } else {
            let takes = (ends - middle).max(1e-4);
            let x = (t - middle) / takes;
            let slopes = [2.0 / whole, after.map_or(1.0 / takes, |after| 2.0 / (after - middle))];
            let step = own.lerp(joined(next, Some(from + 1)), smoothstep(x));
            (PI + PI * eased(x, slopes.map(|slope| takes * slope)), step)
        })
    };
    flight(now).or_else(|| now.checked_sub(1).and_then(flight)).unwrap_or((0.0, Vec3A::ZERO))
}

/// From 0 to 1 as x goes there, with slopes at both ends (1 is even) that are not more than it can go on with.
fn eased(x: f32, slopes: [f32; 2]) -> f32 {
    let [first, last] = slopes.map(|slope| slope.clamp(0.0, 2.5));
    let y = 1.0 - x;
    x * x * (1.0 + 2.0 * y) + first * x * y * y - last * x * x * y
}

/// What of the ground a foot stands for at a time (seconds), metres, world: its print, passing to the next during its flight.
///
/// # Panics
/// If the plan is empty.
#[must_use]
pub(crate) fn support(falls: &[Footfall], t: f32) -> Vec3A {
    let now = falls.partition_point(|fall| fall.stance.strike() <= t).max(1) - 1;
    let (at, off) = (falls[now].print().translation, falls[now].stance.off());
    falls.get(now + 1).map_or(at, |next| {
        let x = (t - off) / (next.stance.strike() - off).max(1e-4);
        at.lerp(next.print().translation, smoothstep(x))
    })
}

/// Over which share of a flight a clip's own way comes in, and goes out again: clips leave and land with a jerk where their feet
/// step at other times than these do.
const FADES: f32 = 0.4;

/// From this steepness on feet are pitched by themselves: steeper than stairs are to a body.
const OWN_PITCH: f32 = 0.6;

/// How far a clip pitches a foot at a time that makes a step (metres, world), radians: less on steps that are shorter than the clip's,
/// and by its own where there is one on steep ground.
fn clip_pitch(course: &Course, (stride, step): (&Stride, Vec3A), (leg, own): (usize, Option<f32>), t: f32) -> f32 {
    let moment = course.at(t);
    let long = floor::of_point(step).length() / (stride.speed * stride.clip.duration()).max(1e-3);
    // Feet that hang outside their legs turn by themselves.
    let long = if own.is_some() { 1.0 } else { smoothstep(long) };
    let share = stride.share(moment.speed) * long;
    let clip = stride.legs[leg].sole(moment.cycles).1 * share;
    let own = own.unwrap_or(clip);
    clip + (own - clip) * smoothstep((moment.steepness() - OWN_PITCH) / (1.0 - OWN_PITCH))
}

/// How far a clip's foot is off the straight line between where it leaves and where it lands, metres, world: nothing at both
/// ends, with speeds that fade there too.
fn clip_way(
    course: &Course,
    stride: &Stride,
    leg: usize,
    ([lift, land], way): ([f32; 2], SwingShape),
    t: f32,
) -> Vec3A {
    let at = |t: f32| {
        let moment = course.at(t);
        let place = Vec3A::from(floor::at_height(moment.place.position, 0.0));
        place + quat::from_heading(moment.place.heading) * stride.legs[leg].sole(moment.cycles).0
    };
    let x = ((t - lift) / (land - lift).max(1e-4)).clamp(0.0, 1.0);
    let (from, to) = (at(lift), at(land));
    let line = from + (to - from) * way.along(x);
    let fade = smoothstep(x / FADES) * smoothstep((0.97 - x) / FADES);
    // Steps that are shorter than the clip's leave their line by less; they are raised as far.
    let long = floor::of_point(to - from).length() / (stride.speed * stride.clip.duration()).max(1e-3);
    let aside = (long * long).min(1.0);
    (at(t) - line) * Vec3A::new(aside, 1.0, aside) * (fade * stride.share(course.at(t).speed))
}

/// The ground's normal at a time (seconds), as far as the body's course knows it; feet that stand on a point do not tell.
fn moment_up(course: &Course, t: f32) -> Vec3A {
    let moment = course.at(t);
    quat::from_heading(moment.place.heading) * Vec3A::new(-moment.side, 1.0, -moment.slope)
}

/// What of a height is up, without a corner where it begins: a height over `soft` is itself, one below 0 nothing.
fn upwards(height: f32, soft: f32) -> f32 {
    let x = (height / soft).clamp(0.0, 1.0);
    if x < 1.0 { soft * x * x * (2.0 - x) } else { height }
}

/// A ball that goes up with its heel may dip by this share of the leg: its toes are on the ground, not it.
const SOFT: f32 = 0.0007;

/// How far heel or ball of a sole that is turned about a point of it would dip under how it lies, metres, straight up.
fn dip(leg: &StandLeg, pitch: f32, pivot: Vec3A, lies: Quat) -> f32 {
    let (sin, cos) = single::sin_cos(pitch);
    let [heel, ball] = leg.sole;
    let low = if pitch > 0.0 { ball.z - pivot.z } else { heel.z - pivot.z } * sin - pivot.y * (1.0 - cos);
    let soft = if leg.toes_bend() { SOFT * leg.length } else { 0.0 };
    (low - soft).max(0.0) / (lies * Vec3A::Y).y.max(0.5)
}

/// A sole turned about a point of it, heel up positive.
fn pitched(sole: Rigid, pitch: f32, pivot: Vec3A) -> Rigid {
    if pitch == 0.0 {
        return sole;
    }
    let turn = Quat::from_rotation_x(pitch);
    sole * Rigid { rotation: turn, translation: pivot - turn * pivot }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Character;
    use crate::motion::Span;
    use crate::plan::Path;
    use crate::plan::steps::PlanSteps;
    use crate::rig::{ManyLegs, Pose};
    use crate::world::LevelGround;
    use glam::Vec3;

    #[test]
    fn heels_that_kick_do_so_in_the_air_only() {
        let rig = ManyLegs { pairs: 1, ..ManyLegs::default() }.run();
        let idle = Pose::rest(&rig.skeleton);
        let character = Character::new(rig, idle, &[]).unwrap();
        let stand = &character.stand;
        let path = Path::new(vec![Vec3::ZERO, Vec3::Z * 3.0]);
        let mut falls = PlanSteps::default().run(stand, &path, None, &LevelGround::default()).legs.swap_remove(0);
        let pitch = |falls: &[Footfall], t: f32| FootAt::new(&stand.legs[0], falls, t).pitch;
        let [off, strike] = [falls[1].stance.off(), falls[2].stance.strike()];
        let flight = Span { start: off, end: strike };
        let at = |x: f32| flight.start + x * (flight.end - flight.start);
        let before = [0.0, KICKED, 2.0 * KICKED, 1.0].map(|x| pitch(&falls, at(x)));
        falls[2].kicks = 0.5;
        let after = [0.0, KICKED, 2.0 * KICKED, 1.0].map(|x| pitch(&falls, at(x)));
        let more: Vec<f32> = before.iter().zip(after).map(|(before, after)| after - before).collect();
        assert!((more[1] - 0.5).abs() < 1e-4, "{more:?}");
        assert!([0, 2, 3].iter().all(|k| more[*k].abs() < 1e-4), "{more:?}");
    }
}
