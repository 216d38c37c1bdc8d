//! Feet that are held by their soles and swing through the ground with their skin: raised by what they lack.

use super::clean::end_at;
use super::toes::levels;
use crate::foot::clear_swings;
use crate::ik::{BendLeg, LegChain, LegGoal, TwoBone};
use crate::motion::{Clip, Take, stance};
use crate::rig::{FootSkin, LegId, ModelPose, Pose, Rig};
use glam::Vec3A;

/// Time in which a foot comes up for its skin and goes down again, seconds.
const EASE: f32 = 0.06;
/// Legs that keep their plane.
const IN_PLANE: BendLeg = BendLeg { stretch: TwoBone { soft: 0.992 }, hip_weight: 0.0, ankle_weight: 0.0 };

/// Raises free feet of a take whose feet are held on level prints, where their skin is in the ground that they come from or go to: toes
/// that are wide or round reach farther than the points that feet are held by.
///
/// # Panics
/// If the take was made for another skeleton.
pub(crate) fn clear_skin(rig: &Rig, feet: &FootSkin, take: &mut Take) {
    let (frames, rate) = (take.clip.frames(), take.clip.rate());
    let (levels, lowest) = (levels(rig, take), lowest(rig, feet, &take.clip));
    let reach = (EASE * rate).round() as usize;
    let rises: Vec<Vec<f32>> = rig
        .legs()
        .map(|(id, _)| {
            let mut held = vec![false; frames];
            stance::of_leg(&take.stances, id).for_each(|stance| held[stance.frames(&take.clip).held()].fill(true));
            let lacks = |f: usize| {
                let lacks = levels[id.index()][f] - lowest[id.index()][f];
                if held[f] { 0.0 } else { lacks.max(0.0) }
            };
            clear_swings(&(0..frames).map(lacks).collect::<Vec<_>>(), &held, reach)
        })
        .collect();
    let limbs: Vec<LegChain> = rig.legs.iter().map(LegChain::of_rig).collect();
    let (mut pose, mut model) = (Pose::rest(&rig.skeleton), ModelPose::new(&rig.skeleton));
    for f in (0..frames).filter(|f| rises.iter().any(|leg| leg[*f] > 0.0)) {
        pose.locals.copy_from_slice(take.clip.frame(f));
        pose.to_model(&rig.skeleton, &mut model);
        let up = take.clip.roots()[f].inverse().transform_vector(Vec3A::Y);
        for (limb, rises) in limbs.iter().zip(&rises).filter(|(_, rises)| rises[f] > 0.0) {
            let mut ankle = model[limb.ankle];
            let gap = limb.end(&model) - ankle.translation;
            ankle.translation += up * rises[f];
            let goal = LegGoal { ankle, end: Some(end_at(limb, ankle, gap)), turn_over: false };
            let _ = IN_PLANE.run(&rig.skeleton, limb, &mut pose, &mut model, goal);
        }
        take.clip.frame_mut(f).copy_from_slice(&pose.locals);
    }
}

/// Skin may be this deep in the ground before a foot is raised for it, in lengths of the leg: a foot that is put down and shifted, as in
/// sitting down, is not lifted for the edge of its shoe.
const SHALLOW: f32 = 0.01;

/// How high the lowest skin of each foot is, by leg and frame, metres, world; what is under a sole that stands does not count, and no more
/// does what is so little deep that nobody sees it.
///
/// # Panics
/// If the clip was made for another skeleton.
pub(super) fn lowest(rig: &Rig, feet: &FootSkin, clip: &Clip) -> Vec<Vec<f32>> {
    let (mut pose, mut model) = (Pose::rest(&rig.skeleton), ModelPose::new(&rig.skeleton));
    let shallow = SHALLOW * rig.leg_length();
    let mut heights = vec![Vec::with_capacity(clip.frames()); rig.legs.len()];
    for f in 0..clip.frames() {
        pose.locals.copy_from_slice(clip.frame(f));
        pose.to_model(&rig.skeleton, &mut model);
        let root = clip.roots()[f];
        let up = root.rotation.conjugate() * Vec3A::Y;
        for (leg, heights) in heights.iter_mut().enumerate() {
            let low = feet.skin.lowest_of_foot(LegId(leg as u8), &model, up);
            heights.push(low.map_or(f32::INFINITY, |low| low + root.translation.y + feet.under_sole[leg] + shallow));
        }
    }
    heights
}
