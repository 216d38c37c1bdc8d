//! Feet of a body that are longer or wider than the motion's: raised where their toes or sides would swing through the ground.

use super::Build;
use super::posture::IN_PLANE;
use crate::adapt::clear_skin::lowest;
use crate::adapt::toes::{BendToes, levels};
use crate::foot::clear_swings;
use crate::motion::{FootTrack, Take, stance};
use crate::rig::{ModelPose, Pose};
use glam::Vec3A;

/// Toes bend by this much at most, radians: soles of a push-off stand as steep.
const MOST: f32 = 75.0_f32.to_radians();
/// Time in which a foot comes up for its toes and goes down again, seconds.
const EASE: f32 = 0.06;

/// Bends toes up that are in the ground, as far as toes do, and raises feet that swing by what is left.
pub(super) fn clear_feet(to: &Build, take: &mut Take) {
    BendToes { most: MOST, ..BendToes::default() }.over_prints(&to.rig, take);
    let skeleton = &to.rig.skeleton;
    let (frames, rate) = (take.clip.frames(), take.clip.rate());
    let tracks = FootTrack::of_all(&to.rig, &take.clip);
    let levels = levels(&to.rig, take);
    let lowest = lowest(&to.rig, &to.feet, &take.clip);
    let rises: Vec<Vec<f32>> = to
        .rig
        .legs()
        .map(|(id, _)| {
            let (mut held, mut down) = (vec![false; frames], vec![false; frames]);
            for stance in stance::of_leg(&take.stances, id) {
                let frames = stance.frames(&take.clip);
                held[frames.held()].fill(true);
                down[frames.whole].fill(true);
            }
            let reach = (EASE * rate).round() as usize;
            let rises = |height: &dyn Fn(usize) -> f32, kept: &[bool]| {
                let lacks = |f: usize| (levels[id.index()][f] - height(f)).max(0.0);
                clear_swings(&(0..frames).map(lacks).collect::<Vec<_>>(), kept, reach)
            };
            let tips = rises(&|f| tracks[id.index()].tips[f].y, &held);
            // Feet that come down or leave roll over the edges of their shoes.
            let skin = rises(&|f| if down[f] { f32::INFINITY } else { lowest[id.index()][f] }, &down);
            tips.into_iter().zip(skin).map(|(tips, skin)| tips.max(skin)).collect()
        })
        .collect();
    let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
    for f in (0..frames).filter(|f| rises.iter().any(|leg| leg[*f] > 0.0)) {
        pose.locals.copy_from_slice(take.clip.frame(f));
        pose.to_model(skeleton, &mut model);
        let model_from_world = take.clip.roots()[f].inverse();
        for (limb, rises) in to.limbs.iter().zip(&rises).filter(|(_, rises)| rises[f] > 0.0) {
            let ankle = model[limb.chain.ankle];
            let up = model_from_world.transform_vector(Vec3A::Y * rises[f]);
            let end = ankle.transform_point(limb.end_in_ankle()) + up;
            IN_PLANE.run(skeleton, &limb.chain, &mut pose, &mut model, limb.goal(ankle.rotation, end));
        }
        take.clip.frame_mut(f).copy_from_slice(&pose.locals);
    }
}
