//! Toes that stay out of the ground while their foot is turned to stand: they bend as far as they must.

use crate::math::{Rigid, floor, single};
use crate::motion::{Clip, FootTrack};
use crate::rig::{ModelPose, Pose, Rig};
use glam::{Quat, Vec3A};

/// Tips may be so much deeper than before, in leg lengths: a millimetre or two of a person.
const DEEPER: f32 = 0.002;
/// Toes bend up by no more than this for it, radians.
const MOST: f32 = 1.2;

/// Bends toes up in every frame in which their tip is deeper under level ground at `ground` (metres) than it was in the clip that
/// was `before`: a foot that is turned takes its toes with it.
pub(super) fn keep_out(rig: &Rig, before: &Clip, after: &mut Clip, ground: f32) {
    let skeleton = &rig.skeleton;
    let (were, are) = (FootTrack::of_all(rig, before), FootTrack::of_all(rig, after));
    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::new(skeleton);
    for (leg, (was, is)) in rig.legs.iter().zip(were.iter().zip(&are)) {
        let (Some(toe), Some(_)) = (leg.toe, leg.foot.tip) else { continue };
        let margin = DEEPER * leg.length(skeleton);
        for f in 0..after.frames() {
            let deep = |tip: Vec3A| (ground - tip.y).max(0.0);
            let lacks = deep(is.tips[f]) - deep(was.tips[f]) - margin;
            if lacks <= 0.0 {
                continue;
            }
            let root = after.roots()[f];
            pose.locals.copy_from_slice(after.frame(f));
            pose.to_model(skeleton, &mut model);
            let place = root * model[toe];
            let turn = up_by(is.tips[f] - place.translation, lacks);
            let above = skeleton.parent(toe).map_or(Rigid::IDENTITY, |parent| model[parent]);
            let above = (root * above).rotation;
            let local = &mut after.frame_mut(f)[toe.index()].rotation;
            *local = (above.conjugate() * turn * above * *local).normalize();
        }
    }
}

/// The turn that raises the end of a vector by so much, metres, as far as it can be.
fn up_by(along: Vec3A, by: f32) -> Quat {
    let (length, level) = (along.length(), floor::of_point(along).length());
    let Some(side) = along.cross(Vec3A::Y).try_normalize() else { return Quat::IDENTITY };
    let wanted = single::asin(((along.y + by) / length.max(1e-6)).clamp(-1.0, 1.0));
    let angle = (wanted - single::atan2(along.y, level)).clamp(0.0, MOST);
    Quat::from_axis_angle(side.into(), angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tip_rises_by_what_it_lacks() {
        for (along, by) in [(Vec3A::new(0.02, -0.05, 0.1), 0.04), (Vec3A::new(-0.06, 0.0, 0.05), 0.01)] {
            let turned = up_by(along, by) * along;
            assert!((turned.y - along.y - by).abs() < 1e-5, "{turned} of {along}");
            assert!((turned.length() - along.length()).abs() < 1e-5);
        }
        assert_eq!(up_by(Vec3A::Y, 0.1), Quat::IDENTITY, "nothing is higher than up");
        assert_eq!(up_by(Vec3A::ZERO, 0.1), Quat::IDENTITY);
    }
}
