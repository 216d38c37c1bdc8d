//! How far legs reach while a body walks, as far as is planned.

use super::course::CourseMoment;
use crate::character::{OVER_FEET, Stand, StandLeg};
use crate::math::{floor, single, smoothstep};
use glam::{Vec2, Vec3A};

/// Legs are stretched so far at most, as a share of their length.
const STRETCH: f32 = 0.96;
/// Legs that stand are folded so far at most, as a share of how they stand in the idle pose.
const FOLDED: f32 = 0.5;
/// Bodies go down by this share of the hips' height: as a rule, and at most.
const CROUCH: [f32; 2] = [0.03, 0.15];
/// Across a slope bodies go down for the foot that is low by this share of how high their hips are over it.
const LEANS_TO: f32 = 0.15;
/// Ground is a slope to it from here on, rise over run.
const SLOPE: f32 = 0.2;
/// Steps are small whose feet come this far ahead and behind, as a share of the hips' height.
const SMALL_STEP: f32 = 0.25;
/// Feet so long roll wholly, as a share of the leg.
const LONG_FOOT: f32 = 0.22;
/// Heels of all others rise by this share of it.
const LEAST_ROLL: f32 = 0.4;
/// Feet come down uphill by this share of the hips' height at most: what the lean of a body keeps in balance.
const UPHILL: f32 = 0.12;

/// What a foot that rolls does to its leg's end: how far that goes up and on, metres, from where it is over a foot that lies flat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rolled {
    pub up: f32,
    pub on: f32,
}

/// The same as a foot lands, over its heel, and as it leaves, over its ball.
pub(super) type LandsAndLeaves = [Rolled; 2];

/// How far the foot of a leg may be behind and ahead of a place, metres; below 0 it is always farther on.
#[derive(Clone, Copy, Debug)]
struct Room {
    behind: f32,
    ahead: f32,
}

impl Room {
    /// How far the foot may be both ahead and behind.
    fn both(self) -> f32 {
        self.behind.min(self.ahead)
    }

    /// How far ahead the middle should be for the foot to come `wish` ahead and behind, metres, or as far as may be.
    fn shift(self, wish: f32) -> f32 {
        let even = 0.5 * (self.ahead - self.behind);
        let lacks = if even > 0.0 { wish - self.behind } else { wish - self.ahead };
        even.signum() * lacks.clamp(0.0, even.abs())
    }
}

impl Stand {
    /// How far every foot may be ahead of and behind the middle of its stance, metres, on a slope (rise over run) along and
    /// across the direction of travel: as far as legs reach when the body goes down a little. More than `wish` is not
    /// asked for; `drawn` is whether it goes by a clip. `middle` tells where the middle of a leg's stance is, from the middle of all
    /// feet, and how its foot rolls.
    pub(super) fn reach(
        &self,
        lie: [f32; 2],
        (wish, drawn): (f32, bool),
        middle: impl Fn(&StandLeg) -> (Vec2, LandsAndLeaves),
    ) -> f32 {
        let of_leg = |leg: &StandLeg| {
            let (place, rolled) = middle(leg);
            let upright = leg.upright_room(lie, (place, rolled), drawn).both();
            if self.legs.len() < 3 { upright } else { upright.max(self.tilted_room(leg, lie, (place, rolled)).both()) }
        };
        let least = self.legs.iter().map(of_leg).fold(wish, f32::min);
        least.max(0.1 * self.hip)
    }

    /// How far ahead of where they would be on the level feet should come down on a slope, metres: uphill, where legs reach
    /// farther, as far as steps of `wish` ahead and behind ask for it.
    pub(super) fn uphill(&self, [slope, side]: [f32; 2], wish: f32, middle: impl Fn(&StandLeg) -> Vec2) -> f32 {
        if slope == 0.0 {
            return 0.0;
        }
        let shift = |lie: [f32; 2]| {
            let of_leg = |leg: &StandLeg| {
                let place = (middle(leg), LandsAndLeaves::default());
                let room = if self.legs.len() < 3 {
                    leg.upright_room(lie, place, true)
                } else {
                    self.tilted_room(leg, lie, place)
                };
                room.shift(wish)
            };
            self.legs.iter().map(of_leg).sum::<f32>() / self.legs.len() as f32
        };
        let most = UPHILL * self.hip;
        let more = shift([slope, side]) - shift([0.0, side]);
        slope.signum() * (slope.signum() * more).clamp(0.0, most)
    }

    /// The room of a leg whose body tilts with the ground and has it level below it, as far as it does not stay over its feet.
    fn tilted_room(
        &self,
        leg: &StandLeg,
        [slope, side]: [f32; 2],
        (place, [lands, leaves]): (Vec2, LandsAndLeaves),
    ) -> Room {
        let aside = place - floor::of_point(leg.hip);
        let off = [side.abs(), slope].map(|slope| OVER_FEET * self.hips_at * slope / (1.0 + slope * slope).sqrt());
        let (x, drop) = (aside.x.abs() + off[0], leg.crouched_on(slope));
        let room = |up: f32| {
            let down = (drop - up).max(0.0);
            (leg.reach() * leg.reach() - x * x - down * down).max(0.0).sqrt()
        };
        let along = (1.0 + slope * slope).sqrt();
        Room {
            behind: (room(leaves.up) - off[1] + aside.y + leaves.on) / along,
            ahead: (room(lands.up) + off[1] - aside.y - lands.on) / along,
        }
    }
}

impl StandLeg {
    /// As far as it is planned to reach, metres.
    pub(super) fn reach(&self) -> f32 {
        (STRETCH * self.length).max(self.stands_at)
    }

    /// Its room under a body that stays upright.
    fn upright_room(
        &self,
        [slope, side]: [f32; 2],
        (place, [lands, leaves]): (Vec2, LandsAndLeaves),
        drawn: bool,
    ) -> Room {
        let aside = place - floor::of_point(self.hip);
        let low = self.crouched_on(slope);
        // A clip shows by itself how far legs reach.
        let leans = if drawn { 0.0 } else { LEANS_TO * low };
        let drop = low + (place.x.abs() * side.abs() - leans).max(0.0);
        // An end y ahead of the hip: y² + (drop - y slope)² = length² - aside²; by how much it is on from its foot the foot is behind it.
        let a = 1.0 + slope * slope;
        let end = |way: f32, rolled: Rolled| {
            let drop = drop - rolled.up + rolled.on * slope;
            let (b, c) = (drop.max(0.0) * slope, aside.x * aside.x + drop * drop - self.reach() * self.reach());
            (b + way * (b * b - a * c).max(0.0).sqrt()) / a - rolled.on
        };
        let (mut back, mut front) = (end(-1.0, leaves), end(1.0, lands));
        if self.hangs() && slope != 0.0 {
            // Uphill a leg that hangs folds up.
            let folded = (low - place.x.abs() * side.abs() - FOLDED * self.stands_at) / slope;
            if slope > 0.0 { front = front.min(folded) } else { back = back.max(folded) }
        }
        Room { behind: aside.y - back, ahead: front - aside.y }
    }

    /// How far its heel comes up as it leaves for a long step, and its toes before it lands, as shares of how far people's do: a flat
    /// foot that is long for its leg rolls, hooves and paws mostly do not.
    pub(super) fn rolls(&self) -> [f32; 2] {
        let rolls = (self.foot.length / (LONG_FOOT * self.length)).min(1.0);
        if self.foot.is_point() { [0.0; 2] } else { [LEAST_ROLL + (1.0 - LEAST_ROLL) * rolls, rolls] }
    }

    /// What its foot does to its end as it is pitched about a place in the sole's own frame, metres; heel up positive, radians.
    pub(super) fn rolled(&self, pitch: f32, pivot: Vec3A) -> Rolled {
        let (sin, cos) = single::sin_cos(pitch);
        let off = self.sole_from_ankle.transform_point(self.end_from_ankle) - pivot;
        let (up, on) = (off.y, off.z);
        Rolled { up: up * cos - on * sin - up, on: up * sin + on * cos - on }
    }

    /// How far ahead of a place its foot should stand on level ground to come so far ahead and behind (metres), metres.
    pub(super) fn shift(&self, at: (Vec2, LandsAndLeaves), wish: f32) -> f32 {
        let most = UPHILL * self.drop();
        self.upright_room([0.0; 2], at, false).shift(wish).clamp(-most, most)
    }

    /// How far the body goes down over it, as a share of the hips' height: as far as small steps on the level ask for.
    pub(super) fn crouches(&self) -> f32 {
        let (aside, step) = (self.anchor.position.x - self.hip.x, SMALL_STEP * self.drop());
        let low = (self.reach() * self.reach() - aside * aside - step * step).max(0.0).sqrt();
        (1.0 - low / self.drop().max(1e-3)).clamp(CROUCH[0], CROUCH[1])
    }

    /// Height of the hip over the leg's end when the body goes down as far as is planned, metres.
    fn crouched(&self) -> f32 {
        (1.0 - self.crouches()) * self.drop()
    }

    /// The same on a slope (rise over run), and on the level for who hurries: there it goes down farther rather than being slow.
    fn crouched_on(&self, slope: f32) -> f32 {
        let share = CROUCH[1] + smoothstep(slope.abs() / SLOPE) * (self.crouches() - CROUCH[1]);
        (1.0 - share) * self.drop()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Character;
    use crate::rig::{ManyLegs, Pose};

    #[test]
    fn legs_reach_across_a_slope_of_a_body_that_goes_down_for_the_low_foot() {
        let rig = ManyLegs { pairs: 1, ..ManyLegs::default() }.run();
        let idle = Pose::rest(&rig.skeleton);
        let character = Character::new(rig, idle, &[]).unwrap();
        let stand = &character.stand;
        let reach = |drawn: bool| {
            stand.reach([0.0, 0.45], (1.0, drawn), |leg| (leg.anchor.position, LandsAndLeaves::default()))
        };
        assert!(reach(false) > 1.1 * reach(true), "{} and {} m", reach(false), reach(true));
    }

    #[test]
    fn a_foot_that_rolls_lets_its_leg_reach_farther() {
        let rig = ManyLegs { pairs: 1, ..ManyLegs::default() }.run();
        let idle = Pose::rest(&rig.skeleton);
        let character = Character::new(rig, idle, &[]).unwrap();
        let leg = &character.stand.legs[0];
        // A foot half as long as its leg, whose end is over its heel: over its tip the end goes up and on, over its heel up and back.
        let end = leg.sole_from_ankle.transform_point(leg.end_from_ankle);
        let long = 0.5 * leg.length;
        let [lands, leaves] = [leg.rolled(-0.3, end.with_y(0.0)), leg.rolled(0.6, end.with_y(0.0) + long * Vec3A::Z)];
        assert!(leaves.up > 0.4 * long && leaves.on > 0.1 * long, "{leaves:?}");
        assert!(lands.on <= 0.0 && lands.up.abs() < 0.1 * long, "{lands:?}");
        let reach = |rolled: LandsAndLeaves| leg.upright_room([0.0; 2], (floor::of_point(leg.hip), rolled), false);
        let (flat, rolls) = (reach(LandsAndLeaves::default()), reach([lands, leaves]));
        assert!(
            rolls.behind > 1.1 * flat.behind && rolls.ahead > 0.97 * flat.ahead,
            "{} and {} m",
            flat.behind,
            rolls.behind
        );
        assert!(
            leg.shift((floor::of_point(leg.hip), [lands, leaves]), 2.0 * flat.behind) < 0.0,
            "it stands farther back"
        );
    }
}
