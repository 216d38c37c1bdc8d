//! Carrying motion over to another body of the same structure.

use crate::math::Rigid;
use crate::motion::Clip;
use crate::rig::{Rig, Skeleton};

/// Why a clip cannot be carried over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransferError {
    /// The skeletons have different joints.
    #[error("the bodies are built differently: {0}")]
    Structure(String),
}

/// Carries a clip from one body to another with the same joints: rotations are copied, bones have the new body's
/// lengths, and the root's way is scaled by leg length, so that steps keep their proportion to the legs. Feet then need
/// cleaning, since hips and feet do not scale alike.
///
/// # Errors
/// If the two skeletons do not have the same joints in the same places of the tree; the first difference is named.
///
/// # Panics
/// If the clip was not made for `from`.
pub fn transfer(from: &Rig, clip: &Clip, to: &Rig) -> Result<Clip, TransferError> {
    assert_eq!(clip.skeleton(), from.skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
    if !from.skeleton.same_structure(&to.skeleton) {
        return Err(TransferError::Structure(difference(&from.skeleton, &to.skeleton)));
    }
    let scale = to.leg_length() / from.leg_length();
    let scaled = |rigid: Rigid| Rigid { translation: rigid.translation * scale, ..rigid };
    let (old_rest, new_rest) = (from.skeleton.rest(), to.skeleton.rest());
    let mut locals = Vec::with_capacity(clip.frames() * clip.joints());
    for frame in 0..clip.frames() {
        for (joint, local) in clip.frame(frame).iter().enumerate() {
            let root = to.skeleton.parents()[joint].is_none();
            let translation = if root {
                local.translation * scale
            } else {
                // What a joint moves against its parent it moves on the new body too, in proportion.
                new_rest[joint].translation + (local.translation - old_rest[joint].translation) * scale
            };
            locals.push(Rigid { translation, ..*local });
        }
    }
    let carried = Clip::new(&to.skeleton, clip.name(), clip.rate(), locals);
    let mut carried = carried.map_err(|error| TransferError::Structure(error.to_string()))?;
    for (new, old) in carried.roots_mut().iter_mut().zip(clip.roots()) {
        *new = scaled(*old);
    }
    Ok(carried.with_cycle(clip.cycle().map(scaled)))
}

/// The first difference between two skeletons, in words.
fn difference(a: &Skeleton, b: &Skeleton) -> String {
    if a.len() != b.len() {
        return format!("{} joints here, {} there", a.len(), b.len());
    }
    let differs = a.joints().find(|j| a.name(*j) != b.name(*j) || a.parent(*j) != b.parent(*j));
    differs.map_or_else(String::new, |j| format!("joint {} is {:?} here and {:?} there", j.0, a.name(j), b.name(j)))
}
