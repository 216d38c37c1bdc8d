//! How far legs reach while a body walks, as far as is planned.

use super::course::CourseMoment;
use crate::character::{OVER_FEET, Stand, StandLeg};
use crate::math::floor;
use glam::{Vec2, Vec3A};

/// Legs are stretched so far at most, as a share of their length.
const STRETCH: f32 = 0.96;
/// Legs that stand are folded so far at most, as a share of how they stand in the idle pose.
const FOLDED: f32 = 0.5;
/// The body goes down by this share of the hips' height.
pub(super) const CROUCH: f32 = 0.15;

impl Stand {
    /// How far every foot may be ahead of and behind the middle of its stance, metres, on a slope (rise over run) along and
    /// across the direction of travel: as far as legs reach when the body goes down a little. More than `wish` is not
    /// asked for. `middle` tells where the middle of a leg's stance is, from the middle of all feet.
    pub(super) fn reach(&self, [slope, side]: [f32; 2], wish: f32, middle: impl Fn(&StandLeg) -> Vec2) -> f32 {
        let of_leg = |leg: &StandLeg| {
            let place = middle(leg);
            let aside = place - floor::of_point(leg.hip);
            let drop = leg.crouched() + place.x.abs() * side.abs();
            // (aside ahead + e)² + (drop + e slope)² = length² - aside², up or down, forwards or backwards, whichever is worse.
            let (a, b) = (1.0 + slope * slope, aside.y.abs() + drop.max(0.0) * slope.abs());
            let c = aside.length_squared() + drop * drop - leg.reach() * leg.reach();
            let stretched = ((b * b - a * c).max(0.0).sqrt() - b) / a;
            // Uphill a leg that hangs folds up.
            let folded = (leg.crouched() - place.x.abs() * side.abs() - FOLDED * leg.stands_at) / slope.abs().max(1e-3);
            let upright = if leg.hangs() { stretched.min(folded) } else { stretched };
            if self.legs.len() < 3 {
                return upright;
            }
            // A body that tilts with the ground has it level below it, as far as it does not stay over its feet.
            let off = [side, slope].map(|slope| OVER_FEET * self.hips_at * slope.abs() / (1.0 + slope * slope).sqrt());
            let (x, drop) = (aside.x.abs() + off[0], leg.crouched());
            let room = (leg.reach() * leg.reach() - x * x - drop * drop).max(0.0).sqrt();
            upright.max((room - aside.y.abs() - off[1]) / (1.0 + slope * slope).sqrt())
        };
        let least = self.legs.iter().map(of_leg).fold(wish, f32::min);
        least.max(0.1 * self.hip)
    }
}

impl StandLeg {
    /// As far as it is planned to reach, metres.
    pub(super) fn reach(&self) -> f32 {
        (STRETCH * self.length).max(self.stands_at)
    }

    /// Height of the hip over the leg's end when the body goes down as far as is planned, metres.
    fn crouched(&self) -> f32 {
        (1.0 - CROUCH) * (self.hip.y - self.end_height)
    }

    /// Where its sole should be in the middle of a stance during which it comes `far` ahead and behind, metres: at `place`, or
    /// nearer to its hip if the leg would not reach so far from there. Both from the middle of all feet.
    pub(super) fn under_way(&self, place: Vec2, far: f32) -> Vec2 {
        let hip = floor::of_point(self.hip);
        let aside = place - hip;
        let (reach, drop) = (self.reach(), self.crouched());
        let room = ((reach * reach - aside.x * aside.x - drop * drop).max(0.0).sqrt() - far).max(0.0);
        Vec2::new(place.x, hip.y + aside.y.clamp(-room, room))
    }
}

impl StandLeg {
    /// Where its hip is expected, metres, world.
    pub(super) fn hip_at(&self, moment: &CourseMoment) -> Vec3A {
        let at = moment.place.transform_point(floor::of_point(self.hip));
        let ahead = self.hip.z * moment.slope.clamp(-1.0, 1.0);
        floor::at_height(at, moment.height + ahead + self.hip.y).into()
    }
}
