//! Bodies that differ in lengths only: turns are copied.

use crate::math::Rigid;
use crate::motion::Clip;
use crate::rig::Rig;

/// Carries a clip from one body to another with the same joints in the same places of the tree: rotations are copied, bones have
/// the new body's lengths, and the root's way is scaled by leg length, so that steps keep their proportion to the legs. Feet then
/// need cleaning, since hips and feet do not scale alike. `None` for bodies that are built differently.
///
/// # Panics
/// If the clip was not made for `from`.
pub(crate) fn copied(from: &Rig, clip: &Clip, to: &Rig) -> Option<Clip> {
    assert_eq!(clip.skeleton(), from.skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
    if !from.skeleton.same_structure(&to.skeleton) {
        return None;
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
    let mut carried = Clip::new(&to.skeleton, clip.name(), clip.rate(), locals).ok()?;
    for (new, old) in carried.roots_mut().iter_mut().zip(clip.roots()) {
        *new = scaled(*old);
    }
    Some(carried.with_cycle(clip.cycle().map(scaled)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::ManyLegs;

    #[test]
    fn turns_are_the_same_and_lengths_the_other_bodys() {
        let own = ManyLegs::default().run();
        let other = ManyLegs { leg: 2.0 * ManyLegs::default().leg, ..ManyLegs::default() }.run();
        let clip = Clip::new(&own.skeleton, "still", 30.0, own.skeleton.rest().repeat(3)).unwrap();
        let carried = copied(&own, &clip, &other).expect("the same build");
        assert_eq!(carried.skeleton(), other.skeleton.key());
        for (a, b) in carried.frame(1).iter().zip(other.skeleton.rest()) {
            assert!((a.translation - b.translation).length() < 1e-5 && a.rotation == b.rotation);
        }
        // Onto itself nothing changes, and other joints are another build.
        assert_eq!(copied(&own, &clip, &own).unwrap().frame(1), clip.frame(1));
        assert!(copied(&own, &clip, &ManyLegs { pairs: 2, ..ManyLegs::default() }.run()).is_none());
    }
}
