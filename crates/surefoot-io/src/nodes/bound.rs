//! Whether the pose in which a skin was bound tells a body better than the pose in which the file's nodes stand.

use super::body::{Body, Motion};
use surefoot::glam::Vec3;
use surefoot::math::Rigid;

/// Frames of the clips that are looked at, at most.
const LOOKS: usize = 24;
/// Poses are of one unit and size if they differ by less than this factor.
const SIZE: std::ops::Range<f32> = 0.5..2.0;
/// A pose that is this far from every frame of the clips is another than the body moves in: joints' mean distance, in its sizes.
const FAR: f32 = 0.25;
/// Beside it the other pose must be this much nearer.
const NEARER: f32 = 0.6;
/// A pose in the middle of a step is this near to the one the skin was bound in, in sizes of the body.
const STEP: f32 = 0.25;
/// The share of joints that others mirror, in a pose that is symmetric.
const SYMMETRIC: f32 = 0.8;
/// A pose that has this much less is in the middle of something.
const LESS: f32 = 0.4;

/// Whether `bound` is to be taken instead of `standing`: it is much nearer to what the clips show, as of files whose nodes lie
/// while their clips stand; or it is about the same and symmetric, and nodes stand in the middle of a step.
pub(crate) fn is_better(body: &Body, standing: &[Rigid], bound: &[Rigid], motions: &[Motion]) -> bool {
    let [own, other] = [standing, bound].map(|pose| places(body, pose));
    let size = extent(&own);
    if !SIZE.contains(&(extent(&other) / size)) {
        return false;
    }
    let apart =
        |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).sum::<f32>() / (a.len() as f32 * size);
    let joints = body.joints.len();
    let frames: Vec<&[Rigid]> = motions.iter().flat_map(|motion| motion.locals.chunks_exact(joints)).collect();
    let looks = frames.iter().step_by(frames.len().div_ceil(LOOKS).max(1));
    let (from_own, from_other) = looks.map(|frame| places(body, frame)).fold((f32::MAX, f32::MAX), |least, frame| {
        (least.0.min(apart(&frame, &own)), least.1.min(apart(&frame, &other)))
    });
    if from_own != f32::MAX && from_own > FAR && from_other < NEARER * from_own {
        return true;
    }
    let [symmetry, of_other] = [standing, bound].map(|pose| body.figure(pose, &[]).symmetry());
    apart(&own, &other) < STEP && of_other > SYMMETRIC && symmetry < of_other - LESS
}

/// Places of joints about their middle, file units.
fn places(body: &Body, pose: &[Rigid]) -> Vec<Vec3> {
    let mut model: Vec<Rigid> = Vec::with_capacity(pose.len());
    for (joint, local) in body.joints.iter().zip(pose) {
        model.push(joint.parent.map_or(*local, |parent| model[parent] * *local));
    }
    let middle = model.iter().map(|joint| Vec3::from(joint.translation)).sum::<Vec3>() / model.len().max(1) as f32;
    model.into_iter().map(|joint| Vec3::from(joint.translation) - middle).collect()
}

/// The greatest extent along an axis, never 0.
fn extent(places: &[Vec3]) -> f32 {
    let fold = |f: fn(Vec3, Vec3) -> Vec3| places.iter().copied().reduce(f).unwrap_or_default();
    (fold(Vec3::max) - fold(Vec3::min)).max_element().max(f32::MIN_POSITIVE)
}
