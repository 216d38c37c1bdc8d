//! The mirror image of a clip: a left turn becomes a right turn.

use super::Clip;
use crate::math::Rigid;
use crate::rig::{Mirror, Skeleton};

impl Clip {
    /// The clip as seen in a mirror (x → -x): left and right limbs exchange their motion, turns change direction.
    /// Bone lengths stay the body's own. Mirroring twice gives the motion back.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn mirrored(&self, skeleton: &Skeleton, mirror: &Mirror) -> Self {
        assert_eq!(self.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", self.name());
        let roots = self.roots().iter().map(|root| root.mirrored()).collect();
        let mut locals = vec![Rigid::IDENTITY; self.frames() * self.joints()];
        for (frame, out) in locals.chunks_exact_mut(self.joints()).enumerate() {
            mirror.locals(skeleton, self.frame(frame), out);
        }
        self.with_frames(self.rate(), roots, locals).with_cycle(self.cycle().map(Rigid::mirrored))
    }
}

#[cfg(test)]
mod tests {
    use super::super::clip::tests::{curve, walker};
    use super::*;
    use crate::math::quat;

    #[test]
    fn left_becomes_right_and_twice_is_the_identity() {
        let skeleton = walker();
        let mirror = Mirror::of(&skeleton).unwrap();
        let mut clip = curve(&skeleton, 61);
        let image = clip.mirrored(&skeleton, &mirror);
        assert_eq!(
            image.frame(20)[2].rotation,
            clip.frame(20)[1].mirrored().rotation,
            "the right leg does what the left did"
        );
        let twice = image.mirrored(&skeleton, &mirror);
        for frame in 0..61 {
            for (a, b) in twice.frame(frame).iter().zip(clip.frame(frame)) {
                assert!(
                    (a.translation - b.translation).length() < 1e-6
                        && quat::angle_between(a.rotation, b.rotation) < 1e-6,
                    "frame {frame}"
                );
            }
        }

        // Mirroring and taking the root out may come in either order.
        let mut image = image;
        image.extract_root(&skeleton);
        clip.extract_root(&skeleton);
        let (a, b) = (image.root_change(0.0, 1.0), clip.root_change(0.0, 1.0).mirrored());
        assert!(
            (a.translation - b.translation).length() < 1e-5 && quat::angle_between(a.rotation, b.rotation) < 1e-5,
            "{a:?} {b:?}"
        );
    }
}
