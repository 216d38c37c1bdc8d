//! Root motion: moving a clip's travel between its hips and its root.

use super::Clip;
use crate::math::{FloorPose, Rigid, quat, wrap_angle};
use crate::rig::Skeleton;
use glam::{Vec2, Vec3A};

impl Clip {
    /// Takes the travel over the floor (place and heading, no height, no tilt) out of the pelvis and puts it on the
    /// root: afterwards the pelvis sways about the character's own origin, and the root says where that is.
    ///
    /// Nothing moves in the world. Where the heading is undefined (lying on a side) it keeps its last value.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    pub fn extract_root(&mut self, skeleton: &Skeleton) {
        self.check(skeleton);
        let old_start = self.roots()[0];
        let mut heading = 0.0;
        for frame in 0..self.frames() {
            let body = self.body(skeleton, frame);
            let below = FloorPose::below(body)
                .unwrap_or(FloorPose { position: crate::math::floor::of_point(body.translation), heading });
            heading = below.heading;
            self.move_root(skeleton, frame, below.to_rigid());
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
        for frame in 0..self.frames() {
            self.move_root(skeleton, frame, Rigid::IDENTITY);
        }
        self.set_cycle(None);
    }

    /// Drops the root's travel: the character walks on the spot where it started.
    pub fn stay_in_place(&mut self) {
        let start = self.roots()[0];
        self.roots_mut().fill(start);
        self.set_cycle(self.cycle().map(|_| Rigid::IDENTITY));
    }

    /// Lets a character that walks on the spot go: its root moves with these velocities, one for each frame, m/s, x to
    /// its left and y the way it faces at the start. A cycle goes on from where it comes to be.
    ///
    /// # Panics
    /// If there are not as many velocities as frames.
    pub fn go(&mut self, course: &[Vec2]) {
        assert_eq!(course.len(), self.frames(), "a velocity for each frame");
        let start = self.roots()[0];
        let dt = 1.0 / self.rate();
        let mut gone = Vec2::ZERO;
        for (root, velocity) in self.roots_mut().iter_mut().zip(course) {
            root.translation += start.transform_vector(Vec3A::new(gone.x, 0.0, gone.y));
            gone += *velocity * dt;
        }
        let step = Rigid::from_translation(Vec3A::new(gone.x, 0.0, gone.y));
        self.set_cycle(self.cycle().map(|cycle| step * cycle));
    }

    /// Where the body is in a frame and how it is turned from its rest pose: the pelvis' place in the world, and the
    /// rotation that took it there from rest. Its heading is the way the character faces.
    ///
    /// # Panics
    /// If there is no such frame.
    #[must_use]
    pub fn body(&self, skeleton: &Skeleton, frame: usize) -> Rigid {
        let locals = self.frame(frame);
        let pelvis = skeleton.ancestry(skeleton.pelvis()).fold(Rigid::IDENTITY, |below, j| locals[j.index()] * below);
        let world = self.roots()[frame] * pelvis;
        let rest = skeleton.rest_of(skeleton.pelvis()).rotation;
        Rigid { rotation: (world.rotation * rest.conjugate()).normalize(), ..world }
    }

    /// Net turn of the body over the clip, radians, left positive; whole turns are counted. Frames in which the
    /// heading is undefined are passed over.
    #[must_use]
    pub fn net_turn(&self, skeleton: &Skeleton) -> f32 {
        let headings = (0..self.frames()).filter_map(|frame| quat::heading(self.body(skeleton, frame).rotation));
        let mut last = None;
        headings.fold(0.0, |turn, heading| turn + wrap_angle(heading - last.replace(heading).unwrap_or(heading)))
    }

    /// Sets a frame's root and changes its root joints so that nothing moves in the world.
    fn move_root(&mut self, skeleton: &Skeleton, frame: usize, new_root: Rigid) {
        let new_from_old = new_root.inverse() * self.roots()[frame];
        for joint in skeleton.roots() {
            let local = &mut self.frame_mut(frame)[joint.index()];
            *local = new_from_old * *local;
        }
        self.roots_mut()[frame] = new_root;
    }

    fn check(&self, skeleton: &Skeleton) {
        assert_eq!(self.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", self.name());
    }
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
        assert!((clip.net_turn(&skeleton) - 0.8).abs() < 0.02, "{}", clip.net_turn(&skeleton));
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

    #[test]
    fn a_root_on_the_ground_and_a_turned_rest_pose_change_nothing() {
        use crate::rig::{Joint, JointId, Skeleton};
        // The pelvis hangs from a root that never moves, and its axes are turned at rest.
        let turned = Rigid::new(quat::from_heading(1.2), Vec3A::new(0.0, 0.9, 0.0));
        let skeleton =
            Skeleton::new(vec![Joint::new("Root", None, Rigid::IDENTITY), Joint::new("Hips", Some(0), turned)]);
        let skeleton = skeleton.unwrap().with_pelvis(JointId(1));
        let frames = (0..31).map(|i| {
            let t = i as f32 / 30.0;
            let walked = Rigid::new(quat::from_heading(0.5 * t), Vec3A::new(0.0, 0.0, t));
            [Rigid::IDENTITY, walked * turned]
        });
        let mut clip = crate::motion::Clip::new(&skeleton, "", 30.0, frames.flatten().collect()).unwrap();
        assert!((clip.net_turn(&skeleton) - 0.5).abs() < 1e-5, "{}", clip.net_turn(&skeleton));
        clip.extract_root(&skeleton);
        let change = clip.root_change(0.0, 1.0);
        assert!((change.translation - Vec3A::Z).length() < 1e-5, "it walks where it faces: {change:?}");
        assert!((quat::heading(change.rotation).unwrap() - 0.5).abs() < 1e-5, "{change:?}");
    }
}
