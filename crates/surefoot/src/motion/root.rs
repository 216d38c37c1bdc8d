//! Root motion: moving a clip's travel between its hips and its root.

use super::Clip;
use crate::math::{FloorPose, Rigid, quat, wrap_angle};
use crate::rig::Skeleton;

impl Clip {
    /// Takes the travel over the floor (place and heading, no height, no tilt) out of the first root joint and puts
    /// it on the root: afterwards the hips sway about the character's own origin, and the root says where that is.
    ///
    /// Nothing moves in the world. Where the hips' heading is undefined (lying on a side) it keeps its last value.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    pub fn extract_root(&mut self, skeleton: &Skeleton) {
        self.check(skeleton);
        let old_start = self.roots()[0];
        let mut heading = 0.0;
        for (root, locals) in self.frames_mut() {
            let world_from_hips = *root * locals[0];
            let below = FloorPose::below(world_from_hips)
                .unwrap_or(FloorPose { position: crate::math::floor::of_point(world_from_hips.translation), heading });
            heading = below.heading;
            move_root(skeleton, root, locals, below.to_rigid());
        }
        // One cycle moves the world as before; only the frame in which that is told has changed.
        let new_from_old = self.roots()[0].inverse() * old_start;
        self.set_cycle(self.cycle().map(|cycle| new_from_old * cycle * new_from_old.inverse()));
    }

    /// Puts the root's travel back into the root joints: afterwards the root stays at the origin.
    ///
    /// Nothing moves in the world. A cyclic clip plays once from then on, since hips that travel do not meet their start.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    pub fn absorb_root(&mut self, skeleton: &Skeleton) {
        self.check(skeleton);
        for (root, locals) in self.frames_mut() {
            move_root(skeleton, root, locals, Rigid::IDENTITY);
        }
        self.set_cycle(None);
    }

    /// Drops the root's travel: the character walks on the spot where it started.
    pub fn stay_in_place(&mut self) {
        let start = self.roots()[0];
        self.roots_mut().fill(start);
        self.set_cycle(self.cycle().map(|_| Rigid::IDENTITY));
    }

    /// `world_from_joint` of the first root joint (the hips, as a rule) in a frame.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn hips(&self, frame: usize) -> Rigid {
        self.roots()[frame] * self.frame(frame)[0]
    }

    /// Net turn of the hips over the clip, radians, left positive; whole turns are counted. Frames in which the
    /// heading is undefined are passed over.
    #[must_use]
    pub fn net_turn(&self) -> f32 {
        let headings = (0..self.frames()).filter_map(|frame| quat::heading(self.hips(frame).rotation));
        let mut last = None;
        headings.fold(0.0, |turn, heading| turn + wrap_angle(heading - last.replace(heading).unwrap_or(heading)))
    }

    fn check(&self, skeleton: &Skeleton) {
        assert_eq!(self.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", self.name());
    }
}

/// Sets a frame's root and changes its root joints so that nothing moves in the world.
fn move_root(skeleton: &Skeleton, root: &mut Rigid, locals: &mut [Rigid], new_root: Rigid) {
    let new_from_old = new_root.inverse() * *root;
    for joint in skeleton.roots() {
        locals[joint.index()] = new_from_old * locals[joint.index()];
    }
    *root = new_root;
}

#[cfg(test)]
mod tests {
    use super::super::clip::tests::{curve, walker};
    use crate::math::{FloorPose, Rigid, quat};
    use glam::Vec3A;

    #[test]
    fn out_and_in_again_moves_nothing() {
        let skeleton = walker();
        let clip = curve(&skeleton, 90);
        let mut out = clip.clone();
        out.extract_root(&skeleton);
        for frame in 0..90 {
            let world = out.roots()[frame] * out.frame(frame)[0];
            let before = clip.frame(frame)[0];
            assert!((world.translation - before.translation).length() < 1e-5, "frame {frame} moved");
            assert!(quat::angle_between(world.rotation, before.rotation) < 1e-5, "frame {frame} turned");
            // The hips are over the root and face its way.
            let hips = FloorPose::below(out.frame(frame)[0]).unwrap();
            assert!(hips.position.length() < 1e-5 && hips.heading.abs() < 1e-4, "{hips:?}");
        }
        let mut back = out.clone();
        back.absorb_root(&skeleton);
        assert!(back.roots().iter().all(|r| *r == Rigid::IDENTITY), "root at the origin");
        let off =
            (0..90).map(|f| (back.frame(f)[0].translation - clip.frame(f)[0].translation).length()).fold(0.0, f32::max);
        assert!(off < 1e-5, "{off} m");
    }

    #[test]
    fn the_root_turns_left_along_a_left_curve() {
        let skeleton = walker();
        let mut clip = curve(&skeleton, 61);
        clip.extract_root(&skeleton);
        let change = clip.root_change(0.0, 1.0);
        let turn = quat::heading(change.rotation).unwrap();
        assert!((clip.net_turn() - 0.8).abs() < 0.02, "{}", clip.net_turn());
        assert!((turn - 0.8).abs() < 0.02, "{turn} rad to the left");
        assert!(change.translation.x > 0.2 && change.translation.y.abs() < 1e-6, "{}", change.translation);
    }

    #[test]
    fn taking_the_root_out_of_a_cycle_keeps_its_travel() {
        let skeleton = walker();
        let step = Rigid::new(quat::from_heading(0.3), Vec3A::new(0.1, 0.0, 1.2));
        let mut clip = curve(&skeleton, 30).with_cycle(Some(step));
        let hips_after = |clip: &crate::motion::Clip, cycles: f32| {
            clip.roots()[0] * clip.root_change(0.0, 0.5 * cycles) * clip.frame(0)[0]
        };
        let before = hips_after(&clip, 3.0);
        clip.extract_root(&skeleton);
        let after = hips_after(&clip, 3.0);
        assert!((before.translation - after.translation).length() < 1e-5, "{before:?} {after:?}");
        assert!(quat::angle_between(before.rotation, after.rotation) < 1e-5, "{before:?} {after:?}");
    }

    #[test]
    fn staying_in_place_keeps_the_sway() {
        let skeleton = walker();
        let mut clip = curve(&skeleton, 61);
        clip.extract_root(&skeleton);
        let bob = clip.frame(30)[0].translation.y;
        clip.stay_in_place();
        assert_eq!(clip.root_change(0.0, 1.0).translation, Vec3A::ZERO);
        assert_eq!(clip.frame(30)[0].translation.y, bob);
    }

    #[test]
    fn lying_on_a_side_keeps_the_last_heading() {
        let skeleton = walker();
        let mut clip = curve(&skeleton, 3);
        clip.frame_mut(1)[0].rotation = glam::Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let mut out = clip.clone();
        out.extract_root(&skeleton);
        assert_eq!(out.roots()[1].rotation, out.roots()[0].rotation);
        assert!(out.roots().iter().all(|r| r.is_finite()), "no NaN");
    }
}
