//! Toes that would go into the ground bend up, as those of a shoe do.

use crate::foot::clear_swings;
use crate::math::{floor, single};
use crate::motion::{Clip, FootTrack, Take};
use crate::rig::{ModelPose, Pose, Rig};
use crate::world::GroundAlong;
use glam::{Quat, Vec3, Vec3A};

/// Tips may be so much deeper than they were, in leg lengths: a millimetre or two of a person.
const DEEPER: f32 = 0.002;

/// How toes bend up over a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BendToes {
    /// They bend by this much at most, radians: as far as a person's toes do when the heel is high.
    pub most: f32,
    /// Time in which they go up and down again, seconds.
    pub ease: f32,
}

impl Default for BendToes {
    fn default() -> Self {
        Self { most: 60.0_f32.to_radians(), ease: 0.05 }
    }
}

impl BendToes {
    /// Bends the toes of a take up where their tips are in the ground. Feet without a joint at their toes stay as they are.
    ///
    /// # Panics
    /// If the take was made for another skeleton.
    pub(crate) fn run(&self, rig: &Rig, take: &mut Take, below: &GroundAlong<'_>) {
        let rate = take.clip.rate();
        self.bend(rig, &mut take.clip, &|_, tip, f| {
            let ground = below.at(floor::of_point(tip), f as f32 / rate);
            ground.map_or(0.0, |hit| hit.point.y - tip.y)
        });
    }

    /// Bends toes up where their tips are deeper under level ground at a height (metres) than they were `before`: a foot that
    /// is turned to stand takes its toes with it.
    ///
    /// # Panics
    /// If a clip was made for another skeleton, or one has more frames than the other.
    pub(super) fn no_deeper(&self, rig: &Rig, before: &Clip, after: &mut Clip, ground: f32) {
        assert_eq!(before.frames(), after.frames(), "one and the same motion");
        let were = FootTrack::of_all(rig, before);
        let margin = DEEPER * rig.leg_length();
        let deep = |tip: Vec3A| (ground - tip.y).max(0.0);
        self.bend(rig, after, &|leg, tip, f| deep(tip) - deep(were[leg].tips[f]) - margin);
    }

    /// Bends toes up by what their tips lack, metres: `lacks` is told the leg, its tip and the frame.
    fn bend(&self, rig: &Rig, clip: &mut Clip, lacks: &dyn Fn(usize, Vec3A, usize) -> f32) {
        let skeleton = &rig.skeleton;
        let tracks = FootTrack::of_all(rig, clip);
        let (frames, rate) = (clip.frames(), clip.rate());
        let (mut pose, mut model) = (Pose::rest(skeleton), ModelPose::new(skeleton));
        for (i, (leg, track)) in rig.legs.iter().zip(&tracks).enumerate() {
            let Some(toe) = leg.toe.filter(|_| leg.foot.tip.is_some()) else { continue };
            let depths: Vec<f32> = (0..frames).map(|f| lacks(i, track.tips[f], f).max(0.0)).collect();
            let free = vec![false; frames];
            let rises = clear_swings(&depths, &free, (self.ease * rate).round() as usize);
            for (f, rise) in rises.into_iter().enumerate().filter(|(_, rise)| *rise > 0.0) {
                pose.locals.copy_from_slice(clip.frame(f));
                pose.to_model(skeleton, &mut model);
                let world_from_toe = clip.roots()[f] * model[toe];
                let turn = self.turn(track.tips[f] - world_from_toe.translation, rise);
                let rotation = &mut clip.frame_mut(f)[toe.index()].rotation;
                // A turn in world space is one of the toes' own space, before the joint's own.
                let own = world_from_toe.rotation.conjugate() * turn * world_from_toe.rotation;
                *rotation = (*rotation * own).normalize();
            }
        }
    }

    /// The turn that raises the end of a lever by `rise`, metres, in the upright plane through it.
    fn turn(&self, lever: Vec3A, rise: f32) -> Quat {
        let (length, axis) = (lever.length(), lever.cross(Vec3A::Y));
        let Some(axis) = axis.try_normalize() else { return Quat::IDENTITY };
        let steep = |y: f32| single::atan2(y, (length * length - y * y).max(0.0).sqrt());
        let angle = (steep(lever.y + rise) - steep(lever.y)).min(self.most);
        let (sin, cos) = single::sin_cos(0.5 * angle);
        let v = Vec3::from(axis) * sin;
        Quat::from_xyzw(v.x, v.y, v.z, cos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lever_is_raised_by_what_is_asked_and_keeps_its_length_and_its_direction() {
        let toes = BendToes::default();
        for (lever, rise) in [(Vec3A::new(0.0, -0.03, 0.07), 0.05), (Vec3A::new(0.05, 0.0, -0.03), 0.02)] {
            let turned = toes.turn(lever, rise) * lever;
            assert!((turned.y - lever.y - rise).abs() < 1e-6, "{turned}");
            assert!((turned.length() - lever.length()).abs() < 1e-6, "{turned}");
            assert!(turned.cross(lever).dot(Vec3A::Y).abs() < 1e-6, "no turn aside: {turned}");
        }
        let most = toes.turn(Vec3A::Z, 5.0) * Vec3A::Z;
        assert!((most.y - toes.most.sin()).abs() < 1e-6, "no farther than toes bend: {most}");
        assert_eq!(toes.turn(Vec3A::ZERO, 0.1), Quat::IDENTITY);
        assert_eq!(toes.turn(-Vec3A::Y, 0.1), Quat::IDENTITY);
    }
}
