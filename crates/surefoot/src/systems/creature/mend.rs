//! What is mended in a plan: footholds that a leg does not reach, as only the whole pose tells, and flights through the ground.

use super::{Creature, CreatureFrame, CreatureMotion};
use crate::plan::steps::{StepPlan, Swing};
use crate::world::Ground;

/// Times of a stance that are looked at.
const LOOKS: usize = 6;
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

    /// Leads every flight over what lies between its prints, and lets legs fold as far as that asks for.
    pub(super) fn clear_swings(&self, motion: &mut CreatureMotion, ground: &dyn Ground) {
        let StepPlan { course, legs } = &mut motion.plan;
        for (leg, falls) in motion.character.stand.legs.iter().zip(legs) {
            for k in 1..falls.len() {
                let (from, to) = (falls[k - 1], falls[k]);
                let span = [from.stance.off(), to.stance.strike()];
                let swing = Swing { from: from.print(), to: to.print(), shape: to.swing };
                let shape = to.swing.over(leg, swing, 0.5 * (span[0] + span[1]), ground);
                falls[k].swing = shape.folding(leg, Swing { shape, ..swing }, span, course);
            }
        }
    }
}
