//! How high a body goes that moves as another: so that its feet are over the ground as the other's are.

use super::Build;
use super::posture::IN_PLANE;
use crate::foot::{Settle, drop_to_reach};
use crate::math::{Rigid, smoothstep};
use crate::motion::{Clip, FootTrack, Take, stance};
use crate::rig::{LegId, ModelPose, Pose};
use glam::Vec3A;

/// How a body's height follows its feet. Lengths are shares of the leg.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default, deny_unknown_fields))]
pub struct Height {
    /// Hips this low sit or lie, and are as high as they were in proportion, whatever the feet do.
    pub sits: f32,
    /// From hips this high on, the body is over its feet.
    pub stands: f32,
    /// Time over which a foot that comes down or leaves begins to count, seconds.
    pub ease: f32,
    /// The body goes down by this much at most so that its legs reach.
    pub lower: f32,
}

impl Default for Height {
    fn default() -> Self {
        Self { sits: 0.25, stands: 0.45, ease: 0.15, lower: 0.15 }
    }
}

/// Legs reach what is within this share of their length.
const REACHED: f32 = 0.982;
/// How quickly a body goes down for legs that do not reach, seconds.
const SETTLES: f32 = 0.08;

/// How much feet in the air count beside those that stand: all that there is in a jump.
const IN_AIR: f32 = 0.02;

impl Height {
    /// Raises or lowers the body of a clip so that feet that stand are as high as the motion's in proportion, and bends its legs so
    /// that every foot is: soles that are longer beside their legs would be in the ground, or over it. The body goes down where
    /// legs would not reach.
    pub(super) fn run(
        &self,
        (from, take): (&Build, &Take),
        (to, clip): (&Build, &mut Clip),
        legs: &[LegId],
        scale: f32,
    ) {
        let theirs = FootTrack::of_all(&from.rig, &take.clip);
        let own = FootTrack::of_all(&to.rig, clip);
        let lacks = |leg: usize, f: usize| scale * theirs[legs[leg].index()].height(f) - own[leg].height(f);
        let weights: Vec<Vec<f32>> = legs.iter().map(|leg| self.weights(take, *leg)).collect();
        let mut rises: Vec<f32> = (0..clip.frames())
            .map(|f| {
                let (mut sum, mut whole) = (0.0, 0.0);
                for (leg, weights) in weights.iter().enumerate() {
                    sum += weights[f] * lacks(leg, f);
                    whole += weights[f];
                }
                let hips = (take.clip.body(&from.rig.skeleton, f).translation.y - take.ground) / from.leg_length;
                let over_feet = smoothstep((hips - self.sits) / (self.stands - self.sits).max(1e-3));
                over_feet * sum / whole.max(1e-6)
            })
            .collect();
        let end = |leg: usize, f: usize| {
            let ankle = own[leg].ankles[f];
            ankle.transform_point(to.limbs[leg].end_in_ankle()) + Vec3A::Y * lacks(leg, f)
        };
        let skeleton = &to.rig.skeleton;
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
        let needed: Vec<f32> = (0..clip.frames())
            .map(|f| {
                pose.locals.copy_from_slice(clip.frame(f));
                pose.to_model(skeleton, &mut model);
                let drop = |leg: usize| {
                    let limb = &to.limbs[leg];
                    let hip = clip.roots()[f].transform_point(model[limb.chain.joints[0]].translation);
                    drop_to_reach(hip + Vec3A::Y * rises[f], end(leg, f), REACHED * limb.length)
                };
                (0..legs.len()).map(drop).fold(0.0, f32::max).min(self.lower * to.leg_length)
            })
            .collect();
        let ease = ((SETTLES * clip.rate()).round() as usize).max(1);
        let drops = Settle { hold: 2 * ease, ease, means: 2 }.run(&needed);
        rises.iter_mut().zip(&drops).for_each(|(rise, drop)| *rise -= drop);

        let carriers = to.rig.carriers();
        for f in 0..clip.frames() {
            let model_from_world = clip.roots()[f].inverse();
            pose.locals.copy_from_slice(clip.frame(f));
            for joint in &carriers {
                pose.to_model(skeleton, &mut model);
                let above = skeleton.parent(*joint).map_or(Rigid::IDENTITY, |parent| model[parent]);
                let local = (above.inverse() * model_from_world).transform_vector(Vec3A::Y * rises[f]);
                pose.locals[joint.index()].translation += local;
            }
            pose.to_model(skeleton, &mut model);
            for (leg, limb) in to.limbs[..legs.len()].iter().enumerate() {
                let rotation = (model_from_world * own[leg].ankles[f]).rotation;
                let goal = limb.goal(rotation, model_from_world.transform_point(end(leg, f)));
                IN_PLANE.run(skeleton, &limb.chain, &mut pose, &mut model, goal);
            }
            clip.frame_mut(f).copy_from_slice(&pose.locals);
        }
    }

    /// How much a foot counts, by frame.
    fn weights(&self, take: &Take, leg: LegId) -> Vec<f32> {
        let clip = &take.clip;
        let mut weights = vec![IN_AIR; clip.frames()];
        for stance in stance::of_leg(&take.stances, leg) {
            let near = |t: f32| ((t.max(0.0) * clip.rate()) as usize).min(clip.frames() - 1);
            let [start, end] = [near(stance.time.start - self.ease), near(stance.time.end + self.ease)];
            for (f, weight) in weights.iter_mut().enumerate().take(end + 1).skip(start) {
                let t = f as f32 / clip.rate();
                let away = (stance.time.start - t).max(t - stance.time.end).max(0.0);
                *weight = weight.max(IN_AIR + smoothstep(1.0 - away / self.ease.max(1e-3)));
            }
        }
        weights
    }
}
