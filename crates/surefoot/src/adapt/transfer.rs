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
    same_build(&from.skeleton, &to.skeleton)?;
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

/// Refuses two skeletons that differ in more than lengths; the first difference is named.
///
/// # Errors
/// If they do not have the same joints in the same places of the tree.
pub fn same_build(a: &Skeleton, b: &Skeleton) -> Result<(), TransferError> {
    if a.same_structure(b) { Ok(()) } else { Err(TransferError::Structure(difference(a, b))) }
}

/// The first difference between two skeletons, in words.
fn difference(a: &Skeleton, b: &Skeleton) -> String {
    let count =
        if a.len() == b.len() { String::new() } else { format!("{} joints here, {} there; ", a.len(), b.len()) };
    let both = a.joints().zip(b.joints());
    let differs = both.map(|(j, _)| j).find(|j| a.name(*j) != b.name(*j) || a.parent(*j) != b.parent(*j));
    let Some(joint) = differs else {
        // One is the start of the other.
        let (longer, which) = if a.len() > b.len() { (a, "here") } else { (b, "there") };
        let name = &longer.names()[a.len().min(b.len())];
        return format!("{count}{name:?} is {which} only");
    };
    if a.name(joint) != b.name(joint) {
        return format!("{count}joint {} is {:?} here and {:?} there", joint.0, a.name(joint), b.name(joint));
    }
    let above = |s: &Skeleton| s.parent(joint).map_or("nothing".into(), |parent| format!("{:?}", s.name(parent)));
    format!("{count}{:?} hangs from {} here and from {} there", a.name(joint), above(a), above(b))
}
