//! Feet in the air go round feet that stand in their way, below legs that hang: legs that are spread are apart.

use super::CreatureMotion;
use crate::adapt::FootAt;
use crate::character::StandLeg;
use crate::math::floor;
use crate::plan::steps::Aside;
use glam::{Vec2, Vec3A};

/// How often a second feet are looked at, Hz.
const RATE: f32 = 50.0;
/// Feet keep this share of the least distance that legs have as they stand.
const KEPT: f32 = 0.6;
/// They go aside by this share of the leg at most.
const MOST: f32 = 0.12;
/// Nor by more than this share of their step: a short one has no time to.
const STRAYS: f32 = 0.12;
/// Not within this share of the flight's time from its ends.
const ENDS: f32 = 0.1;
/// How often flights are looked at: where two feet fly at once, the second goes round the first.
const LOOKS: usize = 2;

impl CreatureMotion {
    /// Leads flights round other feet that they come too near to; whether there were any.
    pub(super) fn part_legs(&mut self) -> bool {
        let keep = KEPT * self.character.stand.least_distance();
        if keep <= 0.0 {
            return false;
        }
        let mut some = false;
        let mut feet = vec![FootAt::NOWHERE; self.character.stand.legs.len()];
        for _ in 0..LOOKS {
            let mut ways: Vec<Vec<Aside>> = self.plan.legs.iter().map(|falls| vec![Aside::NONE; falls.len()]).collect();
            let mut any = false;
            let begins = self.earlier.as_ref().map_or(0.0, |earlier| earlier.until);
            for tick in (begins * RATE) as usize..(self.seconds() * RATE) as usize {
                let t = tick as f32 / RATE;
                self.feet_at(t, &mut feet);
                for i in 0..feet.len() {
                    let Some(x) = feet[i].flight.filter(|_| self.character.stand.legs[i].hangs()) else { continue };
                    let others = (0..feet.len()).filter(|j| *j != i);
                    let by = others.map(|j| self.aside([i, j], &feet, keep)).fold(0.0, most_of);
                    // At its ends it is where its prints are.
                    if by != 0.0 && (ENDS..1.0 - ENDS).contains(&x) {
                        let fall = self.plan.legs[i].partition_point(|fall| fall.stance.strike() <= t);
                        let along = self.plan.legs[i][fall].swing.along(x);
                        ways[i][fall].widen(along, by);
                        any = true;
                    }
                }
            }
            if !any {
                break;
            }
            some = true;
            let first: Vec<usize> = (0..ways.len()).map(|leg| self.first_fall(leg)).collect();
            for ((falls, ways), first) in self.plan.legs.iter_mut().zip(ways).zip(first) {
                for (k, way) in ways.into_iter().enumerate().skip(first.max(1)).filter(|(_, way)| way.by != 0.0) {
                    let long = (falls[k].print().translation - falls[k - 1].print().translation).length();
                    let aside = falls[k].swing.aside.and(way);
                    falls[k].swing.aside = Aside { by: aside.by.clamp(-STRAYS * long, STRAYS * long), ..aside };
                }
            }
        }
        some
    }

    /// How far a foot must go aside for another, metres, to its left positive.
    fn aside(&self, [i, j]: [usize; 2], feet: &[FootAt], keep: f32) -> f32 {
        let legs = &self.character.stand.legs;
        let (own, other) = (&feet[i].world_from_sole, &feet[j].world_from_sole);
        let between = own.translation - other.translation;
        if between.length_squared() > (keep + legs[i].long() + legs[j].long()).powi(2) {
            return 0.0;
        }
        let ahead = floor::of_point(own.rotation * Vec3A::Z).normalize_or(Vec2::Y);
        let flat = floor::of_point(between);
        let (along, left) = (flat.dot(ahead), floor::cross(ahead, flat));
        // Feet are as long as they are, and legs go up from them.
        let along = (along.abs() - 0.5 * (legs[i].long() + legs[j].long())).max(0.0);
        let up = (between.y.abs() - 0.5 * legs[i].length).max(0.0);
        let room = keep * keep - along * along - up * up;
        if room <= left * left {
            return 0.0;
        }
        let side = if legs[i].order.left == legs[j].order.left && left.abs() > 0.3 * keep {
            left.signum()
        } else {
            side_of(&legs[i])
        };
        (side * room.sqrt() - left).clamp(-MOST * legs[i].length, MOST * legs[i].length)
    }
}

fn most_of(a: f32, b: f32) -> f32 {
    if b.abs() > a.abs() { b } else { a }
}

fn side_of(leg: &StandLeg) -> f32 {
    if leg.order.left { 1.0 } else { -1.0 }
}
