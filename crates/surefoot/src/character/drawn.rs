//! Drawn cycles made fit for legs that are bent to other places: legs that are never quite straight, and curves without corners.

use super::Stand;
use crate::ik::{BendLeg, LegChain, LegEnd, LegGoal};
use crate::math::{Rigid, quat, single, smoothstep};
use crate::motion::Clip;
use crate::rig::{ModelPose, Pose, Rig, Skeleton};
use glam::{Quat, Vec3A};

/// Legs of a clip are stretched as they are up to the first share of their length, and never beyond the second: feet of drawn
/// clips leave legs that are too short for them, and a straight knee has no side to bend to.
const STRETCHED: [f32; 2] = [0.94, 0.975];
/// A knee that lies less than the first before the line from hip to end, in leg lengths, is nearly straight, and bent by up to the
/// second, radians.
const STRAIGHT: [f32; 2] = [0.08, 0.35];
/// Poses of a clip are kept at so many a second at least, Hz.
const FINE: f32 = 120.0;

/// A clip whose legs are never quite straight, so that every knee has a side, and bends to it; feet that hang from elsewhere stay.
pub(crate) fn supple(rig: &Rig, stand: &Stand, clip: &Clip) -> Clip {
    let mut supple = clip.clone();
    let mut pose = Pose::rest(&rig.skeleton);
    let mut model = ModelPose::new(&rig.skeleton);
    for f in 0..clip.frames() {
        pose.locals.copy_from_slice(clip.frame(f));
        pose.to_model(&rig.skeleton, &mut model);
        for leg in &stand.legs {
            let (hip, end) = (model[leg.chain.joints[0]].translation, leg.chain.end(&model));
            let [exact, most] = STRETCHED.map(|share| share * leg.chain.length(&model));
            let (far, rest) = ((end - hip).length(), most - exact);
            if far <= exact || rest < 1e-6 {
                continue;
            }
            let near = most - rest * single::exp(-(far - exact) / rest);
            let target = hip + (end - hip) * (near / far);
            let mut ankle = model[leg.chain.ankle];
            if !matches!(leg.chain.end, LegEnd::Apart(_)) {
                ankle.translation += target - end;
            }
            bend_by_hinge(&rig.skeleton, &leg.chain, &mut pose, &mut model);
            let turn_over = against_hinge(&rig.skeleton, &leg.chain, &model);
            let goal = LegGoal { ankle, end: Some(target), turn_over };
            BendLeg::default().run(&rig.skeleton, &leg.chain, &mut pose, &mut model, goal);
        }
        supple.frame_mut(f).copy_from_slice(&pose.locals);
    }
    supple
}

/// Bends the knee of a leg of two bones about its hinge where that is nearly straight: bones that are drawn a little beside each
/// other leave a straight leg a knee to the side, which tells nothing of how it bends.
fn bend_by_hinge(skeleton: &Skeleton, chain: &LegChain, pose: &mut Pose, model: &mut ModelPose) {
    let ([hinge], [hip, knee]) = (&chain.hinges[..], &chain.joints[..]) else { return };
    let above = skeleton.parent(*knee).map_or(Quat::IDENTITY, |parent| model[parent].rotation);
    let [hip, at] = [hip, knee].map(|joint| model[*joint].translation);
    let line = (chain.end(model) - hip).normalize_or_zero();
    let Some(ahead) = line.cross(above * *hinge).try_normalize() else { return };
    let bent = (at - hip).dot(ahead) / chain.length(model).max(1e-6);
    let more = STRAIGHT[1] * (1.0 - smoothstep(bent / STRAIGHT[0]));
    if more > 0.0 {
        let local = &mut pose.locals[knee.index()].rotation;
        *local = (Quat::from_axis_angle((*hinge).into(), more) * *local).normalize();
        model.refresh(skeleton, pose, *knee);
    }
}

/// Whether the knee of a leg of two bones is stretched beyond straight.
fn against_hinge(skeleton: &Skeleton, chain: &LegChain, model: &ModelPose) -> bool {
    let ([hinge], [hip, knee]) = (&chain.hinges[..], &chain.joints[..]) else { return false };
    let above = skeleton.parent(*knee).map_or(Quat::IDENTITY, |parent| model[parent].rotation);
    let [hip, knee] = [hip, knee].map(|joint| model[*joint].translation);
    (knee - hip).cross(chain.end(model) - knee).dot(above * *hinge) < 0.0
}

/// A cycle as a smooth curve through the middle of its poses (a cubic B-spline over four of them), at [`FINE`] or more: drawn
/// clips of 24 poses a second have corners, which IK makes pops of. `None` if it is not a clip of this skeleton.
pub(crate) fn smooth(skeleton: &Skeleton, clip: &Clip) -> Option<Clip> {
    let count = clip.frames();
    let times = (FINE / clip.rate()).ceil().clamp(1.0, 16.0) as usize;
    let mut locals = Vec::with_capacity(count * times * skeleton.len());
    for k in 0..count * times {
        let (i, u) = (k / times, (k % times) as f32 / times as f32);
        let inner = |u: f32| (4.0 - 6.0 * u * u + 3.0 * u * u * u) / 6.0;
        let weights = [(1.0 - u).powi(3) / 6.0, inner(u), inner(1.0 - u), u * u * u / 6.0];
        let poses = [count - 1, 0, 1, 2].map(|step| clip.frame((i + step) % count));
        for joint in 0..skeleton.len() {
            let near = poses[1][joint].rotation;
            let (mut turn, mut place) = (glam::Vec4::ZERO, Vec3A::ZERO);
            for (pose, weight) in poses.iter().zip(weights) {
                turn += weight * glam::Vec4::from(quat::nearest_sign(near, pose[joint].rotation));
                place += weight * pose[joint].translation;
            }
            let rotation = turn.try_normalize().map_or(near, Quat::from_vec4);
            locals.push(Rigid { rotation, translation: place });
        }
    }
    let smooth = Clip::new(skeleton, clip.name(), clip.rate() * times as f32, locals).ok()?;
    Some(smooth.with_cycle(clip.cycle()))
}
