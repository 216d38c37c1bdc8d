//! What is mended in a plan: footholds that a leg does not reach, as only the whole pose tells, and flights through the ground.

use super::{Creature, CreatureFrame, CreatureMotion};
use crate::character::LegOrder;
use crate::motion::Span;
use crate::plan::steps::{Swing, SwingShape};
use crate::rig::GRAVITY;
use crate::world::Ground;

/// A foot that is farther than this from its place is sought another, metres: what drifts by less is not measured.
const MISSED: f32 = 2e-5;
/// Times of a stance that are looked at.
const LOOKS: usize = 6;
/// How long a flight over what lies between takes, in times that it takes to fall through the hips' height: at least, and for
/// every hip's height of its way.
const LONG_WAY: [f32; 2] = [0.5, 0.65];
/// The share of the time for which both feet of a pair stand that each of them may take for its flight.
const SHARED: f32 = 0.42;
/// The share of the time for which a foot stands that its flights may take at either end.
const TAKEN: f32 = 0.2;

impl Creature {
    /// Seeks other footholds for stances that are missed, each told by leg and number; whether there were any.
    pub(super) fn reach_footholds(&self, motion: &mut CreatureMotion, ground: &dyn Ground) -> bool {
        let mut frame = CreatureFrame::new(&motion.character.rig);
        let mut missed = Vec::new();
        for (i, falls) in motion.plan.legs.iter().enumerate() {
            for (k, fall) in falls.iter().enumerate().skip(motion.first_fall(i)) {
                let (from, to) = (fall.stance.strike().max(0.0), fall.stance.off().min(motion.seconds()));
                let (mut hips, mut most) = (Vec::new(), 0.0_f32);
                for look in 0..LOOKS {
                    motion.pose_at(from + (to - from) * look as f32 / (LOOKS - 1) as f32, &mut frame);
                    let hip = frame.model[motion.character.stand.legs[i].chain.joints[0]].translation;
                    hips.push(frame.pose.root.transform_point(hip));
                    most = most.max(frame.misses[i]);
                }
                if most > MISSED {
                    missed.push(([i, k], hips));
                }
            }
        }
        for (which, hips) in &missed {
            self.steps.mend(&motion.character.stand, &mut motion.plan, *which, hips, ground);
            let [leg, fall] = *which;
            let last = motion.plan.legs[leg].len() - 1;
            (fall.max(motion.first_fall(leg)).max(1)..=(fall + 1).min(last))
                .for_each(|fall| clear_swing(motion, [leg, fall], ground));
        }
        !missed.is_empty()
    }

    /// Gives flights that go a long way over what lies between their prints more time, of that for which both feet of a pair stand.
    pub(super) fn take_time(&self, motion: &mut CreatureMotion) {
        let stand = &motion.character.stand;
        let unit = (stand.hip / GRAVITY).sqrt();
        let plan = motion.plan.legs.clone();
        let first: Vec<usize> = (0..plan.len()).map(|leg| motion.first_fall(leg)).collect();
        for (i, falls) in motion.plan.legs.iter_mut().enumerate() {
            let order = stand.legs[i].order;
            let pair = |j: &usize| stand.legs[*j].order == LegOrder { left: !order.left, ..order };
            let partner = (0..plan.len()).find(pair).map_or(&[][..], |j| &plan[j][..]);
            // The first stance after a walk was led elsewhere has begun: when it ends is told.
            for k in (first[i] + usize::from(first[i] > 0)).max(1)..falls.len() {
                let Some(over) = falls[k].swing.over else { continue };
                let (off, strike) = (falls[k - 1].stance.off(), falls[k].stance.strike());
                let lacks = unit * (LONG_WAY[0] + LONG_WAY[1] * over.length / stand.hip) - (strike - off);
                if lacks <= 0.0 {
                    continue;
                }
                // Both feet of a pair, and this one before and after.
                let landed = partner.iter().map(|fall| fall.stance.strike()).filter(|t| *t < off).fold(0.0, f32::max);
                let leaves =
                    partner.iter().map(|fall| fall.stance.off()).filter(|t| *t > strike).fold(f32::INFINITY, f32::min);
                let stood = (off - plan[i][k - 1].stance.strike().max(0.0)).max(0.0);
                let stands = (plan[i][k].stance.off() - strike).max(0.0);
                let earlier = (0.5 * lacks).min(SHARED * (off - landed)).min(TAKEN * stood);
                let later = (0.5 * lacks).min(SHARED * (leaves - strike)).min(TAKEN * stands);
                let (before, after) = (falls[k - 1].stance.time, falls[k].stance.time);
                falls[k - 1].stand_during(Span { end: off - earlier.max(0.0), ..before });
                falls[k].stand_during(Span { start: strike + later.max(0.0), ..after });
            }
        }
    }

    /// Leads every flight that is asked for over what lies between its prints.
    pub(super) fn clear_swings(
        &self,
        motion: &mut CreatureMotion,
        ground: &dyn Ground,
        which: impl Fn(&SwingShape) -> bool,
    ) {
        for leg in 0..motion.plan.legs.len() {
            for fall in motion.first_fall(leg).max(1)..motion.plan.legs[leg].len() {
                if which(&motion.plan.legs[leg][fall].swing) {
                    clear_swing(motion, [leg, fall], ground);
                }
            }
        }
    }
}

/// Leads a flight over what lies between its prints.
fn clear_swing(motion: &mut CreatureMotion, [leg, fall]: [usize; 2], ground: &dyn Ground) {
    let (leg, falls) = (&motion.character.stand.legs[leg], &mut motion.plan.legs[leg]);
    let (from, to) = (falls[fall - 1], falls[fall]);
    let swing = Swing { from: from.print(), to: to.print(), shape: to.swing };
    let time = 0.5 * (from.stance.off() + to.stance.strike());
    falls[fall].swing = to.swing.over(leg, swing, time, ground);
}
