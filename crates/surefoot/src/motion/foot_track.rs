//! Where feet are in every frame of a clip.

use super::Clip;
use crate::math::Rigid;
use crate::rig::{ModelPose, Rig};
use glam::Vec3A;

/// Where one foot is in every frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FootTrack {
    /// `world_from_ankle`.
    pub ankles: Vec<Rigid>,
    /// The heel, metres.
    pub heels: Vec<Vec3A>,
    /// The ball, metres.
    pub balls: Vec<Vec3A>,
    /// The toes' tip, metres; the ball again where there is none.
    pub tips: Vec<Vec3A>,
}

impl FootTrack {
    /// Follows every foot of a rig through a clip.
    ///
    /// # Panics
    /// If the clip was made for another skeleton.
    #[must_use]
    pub fn of_all(rig: &Rig, clip: &Clip) -> Vec<Self> {
        let skeleton = &rig.skeleton;
        assert_eq!(clip.skeleton(), skeleton.key(), "clip {:?} was made for another skeleton", clip.name());
        let empty = Self { ankles: Vec::new(), heels: Vec::new(), balls: Vec::new(), tips: Vec::new() };
        let mut tracks = vec![empty; rig.legs.len()];
        for track in &mut tracks {
            track.ankles.reserve(clip.frames());
            for points in [&mut track.heels, &mut track.balls, &mut track.tips] {
                points.reserve(clip.frames());
            }
        }
        let mut model = ModelPose::new(skeleton);
        let feet = skeleton.chains_to(rig.legs.iter().flat_map(|leg| [Some(leg.ankle()), leg.toe]).flatten());
        for frame in 0..clip.frames() {
            model.compose_some(skeleton, clip.frame(frame), &feet);
            for (leg, track) in rig.legs.iter().zip(&mut tracks) {
                let ankle = clip.roots()[frame] * model[leg.ankle()];
                track.ankles.push(ankle);
                track.heels.push(ankle.transform_point(leg.foot.heel));
                track.balls.push(ankle.transform_point(leg.foot.ball));
                let tip = leg.foot.tip.map(|tip| {
                    let joint = leg.toe.unwrap_or(leg.ankle());
                    (clip.roots()[frame] * model[joint]).transform_point(tip)
                });
                track.tips.push(tip.unwrap_or(track.balls[frame]));
            }
        }
        tracks
    }

    /// Height of the lower of heel and ball, metres.
    #[must_use]
    pub fn height(&self, frame: usize) -> f32 {
        self.heels[frame].y.min(self.balls[frame].y)
    }
}
