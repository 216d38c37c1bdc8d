//! Carrying motion over to another body of the same structure.

use crate::math::Rigid;
use crate::motion::{Clip, ClipError};
use crate::rig::{Rig, Skeleton};

/// Why a clip cannot be carried over: the first difference between two skeletons, one here and one there.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TransferError {
    /// One skeleton is the start of the other.
    #[error(
        "the bodies are built differently: {}{name:?} is {} only",
        counted(*joints),
        if joints[0] > joints[1] { "here" } else { "there" }
    )]
    Missing {
        /// How many joints the skeletons have.
        joints: [usize; 2],
        /// The first joint that only the larger one has.
        name: String,
    },
    /// A joint has another name.
    #[error(
        "the bodies are built differently: {}joint {joint} is {:?} here and {:?} there", counted(*joints), names[0], names[1]
    )]
    Name {
        /// How many joints the skeletons have.
        joints: [usize; 2],
        /// The joint's index.
        joint: usize,
        /// Its names.
        names: [String; 2],
    },
    /// A joint hangs from another one.
    #[error(
        "the bodies are built differently: {}{name:?} hangs from {} here and from {} there",
        counted(*joints),
        above(parents[0].as_deref()),
        above(parents[1].as_deref())
    )]
    Parent {
        /// How many joints the skeletons have.
        joints: [usize; 2],
        /// The joint's name.
        name: String,
        /// The names of what it hangs from, if anything.
        parents: [Option<String>; 2],
    },
    /// What was carried over is no clip of the other body.
    #[error("the bodies are built differently: {0}")]
    Clip(#[from] ClipError),
}

/// How many joints there are where that differs, for the start of a message.
fn counted([here, there]: [usize; 2]) -> String {
    if here == there { String::new() } else { format!("{here} joints here, {there} there; ") }
}

fn above(parent: Option<&str>) -> String {
    parent.map_or("nothing".into(), |name| format!("{name:?}"))
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
    let mut carried = Clip::new(&to.skeleton, clip.name(), clip.rate(), locals)?;
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
    if a.same_structure(b) { Ok(()) } else { Err(difference(a, b)) }
}

/// The first difference between two skeletons.
fn difference(a: &Skeleton, b: &Skeleton) -> TransferError {
    let joints = [a.len(), b.len()];
    let both = a.joints().zip(b.joints());
    let differs = both.map(|(j, _)| j).find(|j| a.name(*j) != b.name(*j) || a.parent(*j) != b.parent(*j));
    let Some(joint) = differs else {
        // One is the start of the other.
        let longer = if a.len() > b.len() { a } else { b };
        return TransferError::Missing { joints, name: longer.names()[a.len().min(b.len())].clone() };
    };
    if a.name(joint) != b.name(joint) {
        let names = [a, b].map(|skeleton| skeleton.name(joint).to_owned());
        return TransferError::Name { joints, joint: joint.index(), names };
    }
    let parents = [a, b].map(|skeleton| skeleton.parent(joint).map(|parent| skeleton.name(parent).to_owned()));
    TransferError::Parent { joints, name: a.name(joint).to_owned(), parents }
}
