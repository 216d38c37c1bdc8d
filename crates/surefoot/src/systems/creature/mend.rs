//! What only the whole pose tells of a plan: footholds that a leg does not reach, and flights through the ground.

use super::{Creature, CreatureFrame, CreatureMotion};
use crate::math::smoothstep;
use crate::world::Ground;
use glam::{Vec3, Vec3A};

/// Times of a stance that are looked at.
const LOOKS: usize = 6;
/// How often a second flights are looked at, Hz.
const RATE: f32 = 120.0;
/// A foot in the air passes over the ground by this share of the hips' height.
const MARGIN: f32 = 0.02;
/// Edges so near to a print, as a share of the flight's time, are waited for.
const NEAR: f32 = 0.16;
/// For so long then.
const WAIT: f32 = 0.24;

/// No flight folds a leg farther than this, as a share of how it stands.
const FOLDED: f32 = 0.1;

/// A place of a flight that is too low.
struct Low {
    leg: usize,
    fall: usize,
    /// The share of the flight's time.
    x: f32,
    /// By how much, metres.
    lacks: f32,
    /// The same for heel and ball alone.
    sole_lacks: f32,
    /// By how much the foot is lower there than it was sent, metres.
    held_down: f32,
}

impl Creature {
    /// Seeks other footholds for stances that are missed; whether there were any.
    pub(super) fn reach_footholds(&self, motion: &mut CreatureMotion, ground: &dyn Ground) -> bool {
        let mut frame = CreatureFrame::new(&motion.character.rig);
        let mut missed = Vec::new();
        for (i, falls) in motion.plan.legs.iter().enumerate() {
            for (k, fall) in falls.iter().enumerate() {
                let (from, to) = (fall.stance.strike().max(0.0), fall.stance.off().min(motion.seconds()));
                let (mut hips, mut most) = (Vec::new(), 0.0_f32);
                for look in 0..LOOKS {
                    motion.pose_at(from + (to - from) * look as f32 / (LOOKS - 1) as f32, &mut frame);
                    let hip = frame.model[motion.character.stand.legs[i].chain.joints[0]].translation;
                    hips.push(frame.pose.root.transform_point(hip));
                    most = most.max(frame.misses[i]);
                }
                if most > 0.5e-3 {
                    missed.push(([i, k], hips));
                }
            }
        }
        for (which, hips) in &missed {
            self.steps.mend(&motion.character.stand, &mut motion.plan, *which, hips, ground);
        }
        !missed.is_empty()
    }

    /// Raises flights that come too near to the ground between times (seconds), and gives the times to look at again.
    pub(super) fn clear_swings(
        &self,
        motion: &mut CreatureMotion,
        times: &[[f32; 2]],
        ground: &dyn Ground,
    ) -> Vec<[f32; 2]> {
        let low = too_low(motion, times, ground);
        let mut again: Vec<[f32; 2]> = Vec::new();
        for flight in low.chunk_by(|a, b| (a.leg, a.fall) == (b.leg, b.fall)) {
            let (leg, fall) = (flight[0].leg, flight[0].fall);
            let length = motion.character.stand.legs[leg].length;
            let falls = &mut motion.plan.legs[leg];
            again.push([falls[fall - 1].stance.off(), falls[fall].stance.strike()]);
            let way = &mut falls[fall].swing;
            let near = |x: f32| [x, 1.0 - x].map(|x| x < NEAR);
            let edge = |end: usize| flight.iter().any(|low| near(low.x)[end] && low.sole_lacks > 0.01 * length);
            let waits = [0, 1].map(|end| if edge(end) { WAIT } else { way.wait[end] });
            if waits != way.wait {
                // Go up before going on, and see what is too low then.
                way.wait = waits;
                way.clearance = crate::foot::Clearance::NONE;
                continue;
            }
            let folded = if motion.character.stand.legs[leg].hangs() { FOLDED } else { 0.35 };
            if way.folds > folded && flight.iter().any(|low| low.held_down > 0.3 * low.lacks) {
                // Better a leg that folds than one that goes through the ground.
                way.folds = (0.6 * way.folds).max(folded);
                continue;
            }
            let before = way.clearance;
            for low in flight {
                let height = before.at(low.x) + low.lacks;
                // A leg that is folded up is not raised by raising its foot.
                if low.held_down < low.lacks && height < 0.8 * length {
                    way.clearance.raise(low.x, height);
                }
            }
        }
        again.sort_by(|a, b| a[0].total_cmp(&b[0]));
        again
    }
}

/// Places of flights that are too low, in order of legs and flights.
fn too_low(motion: &CreatureMotion, times: &[[f32; 2]], ground: &dyn Ground) -> Vec<Low> {
    let mut frame = CreatureFrame::new(&motion.character.rig);
    let (hip, length) = (motion.character.stand.hip, motion.character.leg_length);
    let mut low = Vec::new();
    let mut looked = 0;
    for [from, to] in times {
        for tick in ((from * RATE) as usize).max(looked)..=(to.min(motion.seconds()) * RATE).ceil().max(0.0) as usize {
            looked = tick + 1;
            let t = tick as f32 / RATE;
            motion.pose_at(t, &mut frame);
            for (i, leg) in motion.character.rig.legs.iter().enumerate() {
                let Some(x) = frame.feet[i].flight else { continue };
                let ankle = frame.pose.root * frame.model[leg.ankle()];
                let lacks = |point: Vec3A, margin: f32| {
                    let above = Vec3::from(point) + 0.4 * length * Vec3::Y;
                    ground.below(above, 2.0 * length, t).map_or(0.0, |hit| hit.point.y + margin - point.y)
                };
                // Near its ends a foot is as near to the ground as it must be, and toes bend.
                let inside = smoothstep(5.0 * x.min(1.0 - x));
                let sole = [leg.foot.heel, leg.foot.ball].map(|p| ankle.transform_point(p));
                let sole_lacks = sole.map(|p| lacks(p, inside * MARGIN * hip)).into_iter().fold(0.0, f32::max);
                let mut most = sole_lacks;
                if let Some(tip) = leg.foot.tip {
                    let toes = frame.pose.root * frame.model[leg.toe.unwrap_or(leg.ankle())];
                    most = most.max(lacks(toes.transform_point(tip), (inside - 1.0) * 0.2 * hip));
                }
                if most > 1e-3 * hip * inside + 1e-4 {
                    let sent = frame.feet[i].world_from_sole.translation.y;
                    let is = 0.5 * (sole[0].y + sole[1].y);
                    let fall = motion.plan.legs[i].partition_point(|fall| fall.stance.strike() <= t);
                    low.push(Low { leg: i, fall, x, lacks: most, sole_lacks, held_down: sent - is });
                }
            }
        }
    }
    low.sort_by_key(|low| (low.leg, low.fall));
    low
}
