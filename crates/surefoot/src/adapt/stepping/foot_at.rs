//! Where a foot is at a time: on its print, rolling over heel or ball, or on its flight.

use crate::math::{Rigid, single, smoothstep};
use crate::plan::steps::{Flight, Footfall, StandLeg};
use glam::{Quat, Vec3A};

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
    /// What of the ground it stands for, metres, world: its print, passing to the next during its flight.
    pub support: Vec3A,
}

impl FootAt {
    /// Where nothing is known yet.
    pub const NOWHERE: Self =
        Self { world_from_sole: Rigid::IDENTITY, pitch: 0.0, stands: 1.0, flight: None, support: Vec3A::ZERO };

    /// The foot of a leg at a time (seconds) of its plan.
    ///
    /// # Panics
    /// If the plan is empty.
    #[must_use]
    pub fn new(leg: &StandLeg, falls: &[Footfall], t: f32) -> Self {
        let now = falls.partition_point(|fall| fall.land <= t).max(1) - 1;
        let fall = &falls[now];
        let [heel, ball] = leg.sole;
        let next = falls.get(now + 1).filter(|_| t >= fall.lift);
        // How far the heel is up: it begins to rise before the foot leaves.
        let leaves = |air: f32| {
            let [most, before] = fall.heel_up;
            most * smoothstep((t - (fall.lift - before)) / (before + 0.15 * air).max(1e-4))
        };
        let Some(next) = next else {
            let air = falls.get(now + 1).map_or(1.0, |next| next.land - fall.lift);
            let [toes, after] = fall.toes_up;
            let toes = -toes * (1.0 - smoothstep((t - fall.land) / after.max(1e-4)));
            let (pitch, pivot) = if toes < 0.0 { (toes, heel) } else { (leaves(air), ball) };
            return Self {
                world_from_sole: pitched(fall.print, pitch, pivot),
                pitch,
                stands: 1.0,
                flight: None,
                support: fall.print.translation,
            };
        };
        let air = next.land - fall.lift;
        let x = ((t - fall.lift) / air.max(1e-4)).clamp(0.0, 1.0);
        let flight = Flight { from: fall.print, to: next.print, swing: next.swing };
        let over = smoothstep((x - 0.15) / 0.65);
        let pitch = leaves(air) * (1.0 - over) - next.toes_up[0] * over;
        // Neither heel nor ball dips under the way of the sole.
        let pivot = ball.lerp(heel, over);
        let sole = pitched(flight.at(x), pitch, pivot);
        let dip = if pitch > 0.0 { ball.z - pivot.z } else { heel.z - pivot.z } * single::sin(pitch);
        Self {
            world_from_sole: Rigid { translation: sole.translation + Vec3A::Y * dip.max(0.0), ..sole },
            pitch,
            stands: 1.0 - smoothstep(x / 0.3) * smoothstep((1.0 - x) / 0.3),
            flight: Some(x),
            support: fall.print.translation.lerp(next.print.translation, smoothstep(x)),
        }
    }
}

/// A sole turned about a point of it, heel up positive.
fn pitched(sole: Rigid, pitch: f32, pivot: Vec3A) -> Rigid {
    let turn = Quat::from_rotation_x(pitch);
    sole * Rigid { rotation: turn, translation: pivot - turn * pivot }
}
