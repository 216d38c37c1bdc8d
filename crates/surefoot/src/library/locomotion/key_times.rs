//! When a leg strikes, lands, lifts and leaves in a round, told by how high its foot is: drawn feet slide while they stand.

use super::BandSample;
use super::baked::Baked;
use super::clip::Round;
use crate::character::Character;
use crate::math::{Rigid, floor};
use glam::{Vec2, Vec3A};

/// A foot higher than this over the level at which it stands is in the air, as shares of the leg's length and of how high it flies,
/// whichever is lower.
const HIGH: [f32; 2] = [0.05, 0.2];
/// The whole sole is down while both its ends are lower than this over that level, as a share of the leg's length.
const FLAT: f32 = 0.02;
/// A foot on the ground goes ahead over it by no more than this share of how fast the character goes: it was drawn for another
/// speed, or it skids as it comes. One that swings is faster. The second is that of feet that were not drawn, which stand still.
const SKIDS: [f32; 2] = [1.25, 0.25];
/// A foot that is about to leave goes ahead over the ground by no more than this share: one that is faster drags its toes.
const DRAGS: f32 = 0.6;
/// The same of a character that hardly goes anywhere, leg lengths a second.
const SHUFFLES: [f32; 2] = [0.3, 0.1];
/// How finely a round is looked at.
const FINE: f32 = 1.0 / 240.0;
/// Heights that the level of a stance is the middle of.
const LOOKS: usize = 17;
/// A stance reaches no farther than this from its middle either way, rounds, and lasts no shorter in all.
const REACHES: f32 = 0.46;
const SHORTEST: f32 = 0.04;
/// A foot is near the ground where it is lower than this over the level at which it stands, as a share of the leg's length.
const NEAR: f32 = 0.015;
/// Heights that differ by less than this are one, as a share of the leg's length.
const SAME: f32 = 0.001;
/// A foot whose stance ends lower than this has skidded out of it, not risen, as a share of the leg's length.
const GROUNDED: f32 = 0.01;

/// Phases of a clip; they may be below 0 and above 1, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KeyTimes {
    pub(super) strike: f32,
    pub(super) land: f32,
    pub(super) lift: f32,
    pub(super) off: f32,
}

impl KeyTimes {
    /// The same to a fraction of a frame, from times that are near: those at which the foot is seen to touch and to leave.
    pub(super) fn refined(self, character: &Character, baked: &Baked, leg: usize, round: &Round) -> Self {
        let stand = &character.stand.legs[leg];
        let Round { motion, seconds, drawn, .. } = *round;
        let heights = |phase: f32| {
            let sole = baked.sole(leg, phase);
            stand.sole.map(|point| sole.transform_point(point).y)
        };
        let low = |phase: f32| heights(phase).into_iter().fold(f32::INFINITY, f32::min);
        let mut levels: [f32; LOOKS] =
            std::array::from_fn(|k| low(self.strike + (self.off - self.strike) * k as f32 / (LOOKS - 1) as f32));
        levels.sort_by(f32::total_cmp);
        let level = levels[LOOKS / 2];
        let highest = (0..50).map(|k| low(0.02 * k as f32)).fold(f32::NEG_INFINITY, f32::max);
        let high = level + (HIGH[0] * stand.length).min(HIGH[1] * (highest - level));
        let i = usize::from(!drawn);
        let most = SKIDS[i] * motion.velocity.length() + SHUFFLES[i] * stand.length;
        let sole = |phase: f32| baked.sole(leg, phase);
        let way_ahead = motion.velocity.normalize_or_zero();
        let drags = DRAGS * motion.velocity.length() + SHUFFLES[i] * stand.length;
        let stands = |phase: f32, leaves: bool| {
            let over = over_ground(&sole, stand.sole, phase, motion, seconds);
            low(phase) < high && over.length() < most && !(leaves && over.dot(way_ahead) > drags)
        };
        let middle = 0.5 * (self.strike + self.off);
        if !stands(middle, false) {
            return self;
        }
        let end = |middle: f32, way: f32| {
            let at = |k: usize| middle + way * k as f32 * FINE;
            let last = (1..=(REACHES / FINE) as usize).take_while(|k| stands(at(*k), way > 0.0)).last().unwrap_or(0);
            // Where it bends upwards: farthest under the line from the middle of the stance to where it is in the air.
            let rises = (low(at(last)) - level).max(0.0) / last.max(1) as f32;
            let under = |k: &usize| *k as f32 * rises - (low(at(*k)) - level).max(0.0);
            let most = (0..=last).map(|k| under(&k)).fold(0.0, f32::max) - SAME * stand.length;
            let knee = (0..=last).rev().find(|k| under(k) >= most).unwrap_or(last);
            let end = if rises * last as f32 > GROUNDED * stand.length { knee } else { last };
            // One that comes down or rises slowly touches no sooner, and no longer, than it is near.
            at((0..=end).rev().find(|k| low(at(*k)) < level + NEAR * stand.length).unwrap_or(end))
        };
        // Told from the middle of what is seen: what was found may be one end of it.
        let middle = 0.5 * (end(middle, -1.0) + end(middle, 1.0));
        let (strike, off) = (end(middle, -1.0), end(middle, 1.0));
        if off - strike < SHORTEST {
            return self;
        }
        let flat =
            |phase: &f32| heights(*phase).into_iter().fold(f32::NEG_INFINITY, f32::max) < level + FLAT * stand.length;
        let count = ((off - strike) / FINE) as usize;
        let phases = || (0..=count).map(|k| strike + k as f32 * FINE);
        let land = phases().find(flat).unwrap_or(strike);
        let lift = phases().rev().find(flat).unwrap_or(off);
        Self { strike, land, lift, off }
    }
}

/// How the lower of heel and ball goes over the ground in the character's frame, m/s.
fn over_ground(sole: &dyn Fn(f32) -> Rigid, points: [Vec3A; 2], phase: f32, motion: BandSample, seconds: f32) -> Vec2 {
    let half = 0.5 / 60.0 / seconds.max(1e-3);
    let [a, b] = [sole(phase - half), sole(phase + half)];
    let at = sole(phase);
    let lower = points.into_iter().min_by(|p, q| at.transform_point(*p).y.total_cmp(&at.transform_point(*q).y));
    let point = lower.unwrap_or(Vec3A::ZERO);
    let own = floor::of_point(b.transform_point(point) - a.transform_point(point)) / (2.0 * half * seconds);
    let place = floor::of_point(at.transform_point(point));
    let carried = motion.velocity + motion.turn_rate * Vec2::new(place.y, -place.x);
    own + carried
}
