//! From where a foot should stand to where its ankle must be.

use crate::math::{Rigid, smoothstep};
use crate::rig::Foot;
use glam::Quat;

/// How the standing point passes from heel to ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootPlace {
    /// Half the difference in height between heel and ball over which it passes, metres, > 0.
    pub ease: f32,
}

impl Default for FootPlace {
    fn default() -> Self {
        Self { ease: 0.015 }
    }
}

impl FootPlace {
    /// The share of the ball in the point that a foot stands on, from 0 (heel) to 1: the lower of the two, passing
    /// smoothly. `rotation` is the ankle's in the space of `print`, whose +Y is up from the ground.
    #[must_use]
    pub fn ball_share(&self, foot: &Foot, print: Rigid, rotation: Quat) -> f32 {
        let up = print.rotation * glam::Vec3A::Y;
        let heel_over_ball = (rotation * (foot.heel - foot.ball)).dot(up);
        smoothstep(heel_over_ball / (2.0 * self.ease) + 0.5)
    }

    /// Where the ankle must be for a foot that is turned as `rotation` to stand on its print, `print` being where its sole's
    /// frame ([`Foot::ankle_from_sole`]) stands: the lower of heel and ball is where the print has it, without a jump
    /// when the foot rolls from one to the other.
    #[must_use]
    pub fn ankle(&self, foot: &Foot, print: Rigid, rotation: Quat) -> Rigid {
        let share = self.ball_share(foot, print, rotation);
        let point = foot.heel.lerp(foot.ball, share);
        let target = (print * foot.ankle_from_sole().inverse()).transform_point(point);
        Rigid { rotation, translation: target - rotation * point }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3A;

    fn foot() -> Foot {
        let (heel, ball) = (Vec3A::new(0.0, -0.08, -0.05), Vec3A::new(0.0, -0.08, 0.14));
        Foot { heel, ball, up: Vec3A::Y, tip: None, length: 0.25, width: 0.08 }
    }

    #[test]
    fn a_foot_rolls_over_heel_and_ball_without_a_jump() {
        let foot = foot();
        let print = Rigid::from_translation(Vec3A::new(0.3, 0.2, 1.0));
        let [heel, ball] =
            [foot.heel, foot.ball].map(|p| (print * foot.ankle_from_sole().inverse()).transform_point(p));
        let mut last: Option<Rigid> = None;
        for i in -600..=600 {
            // Toes up first, then heel up.
            let rotation = Quat::from_rotation_x(0.001 * i as f32);
            let ankle = FootPlace::default().ankle(&foot, print, rotation);
            if i < -150 {
                assert!((ankle.transform_point(foot.heel) - heel).length() < 1e-5, "on its heel");
            }
            if i > 150 {
                assert!((ankle.transform_point(foot.ball) - ball).length() < 1e-5, "on its ball");
            }
            let low = ankle.transform_point(foot.heel).y.min(ankle.transform_point(foot.ball).y);
            assert!((low - 0.2).abs() < 0.009, "no more than the ease under or over the ground: {low}");
            if let Some(last) = last {
                assert!((ankle.translation - last.translation).length() < 4e-4, "a jump at {i}");
            }
            last = Some(ankle);
        }
        let flat = FootPlace::default().ankle(&foot, print, Quat::IDENTITY);
        assert!((flat.transform_point(foot.heel) - heel).length() < 1e-6, "flat: both are where they should be");
    }
}
