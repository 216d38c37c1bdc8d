//! Layers over walking: a clip on a part of the body, or added to it, that fades in and out while legs go on.

use super::{Intent, Locomotor, LocomotorState};
use crate::analyse::BodyParts;
use crate::character::Character;
use crate::library::locomotion::LocomotionClip;
use crate::math::{Rigid, quat, smoothstep};
use crate::rig::{JointId, ModelPose, Pose, Side, Skeleton};
use glam::Quat;

/// How many layers a character has at most.
pub const MOST_LAYERS: usize = 4;

/// How much of a layer each joint takes, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMask {
    shares: Vec<f32>,
}

/// A clip that is played over walking on a part of the body.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Its poses; in an added layer what they change of its first pose.
    clip: LocomotionClip,
    joints: Vec<MaskedJoint>,
    added: bool,
    repeats: bool,
}

/// A joint that a layer moves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MaskedJoint {
    joint: u16,
    share: f32,
}

/// A layer from frame to frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LayerState {
    /// For how long it has been played, seconds.
    pub time: f32,
    /// How much of it is in the pose, from 0 to 1.
    pub weight: f32,
}

impl JointMask {
    /// A joint and all that hangs from it.
    ///
    /// # Panics
    /// If the skeleton has no such joint.
    #[must_use]
    pub fn below(skeleton: &Skeleton, joint: JointId) -> Self {
        let mut shares = vec![0.0; skeleton.len()];
        shares[skeleton.subtree(joint)].fill(1.0);
        Self { shares }
    }

    /// All that legs do not hang from: spine, arms, head. Joints that hang from what carries the legs take half, so that the body
    /// bends over into the layer.
    #[must_use]
    pub fn upper_body(character: &Character) -> Self {
        let skeleton = &character.rig.skeleton;
        let mut shares = vec![1.0; skeleton.len()];
        for leg in &character.rig.legs {
            shares[skeleton.subtree(leg.hip())].fill(0.0);
            for joint in skeleton.ancestry(leg.hip()) {
                shares[joint.index()] = 0.0;
            }
        }
        let halves = |joint: &JointId| {
            shares[joint.index()] > 0.0 && skeleton.parent(*joint).is_none_or(|parent| shares[parent.index()] == 0.0)
        };
        let first: Vec<JointId> = skeleton.joints().filter(halves).collect();
        for joint in first {
            shares[joint.index()] = 0.5;
        }
        Self { shares }
    }

    /// The arm on a side with its hand; `None` if none was found there.
    #[must_use]
    pub fn arm(character: &Character, side: Side) -> Option<Self> {
        let mut model = ModelPose::new(&character.rig.skeleton);
        character.stand.pose.to_model(&character.rig.skeleton, &mut model);
        let parts = BodyParts::find(&character.rig, &model);
        let arm = parts.arms.iter().find(|arm| arm.side == side)?;
        Some(Self::below(&character.rig.skeleton, arm.upper))
    }

    /// By joint, from 0 to 1.
    #[must_use]
    pub fn shares(&self) -> &[f32] {
        &self.shares
    }

    /// By joint; what is not between 0 and 1 is brought there, and what is no number is 0.
    #[must_use]
    pub fn of_shares(shares: Vec<f32>) -> Self {
        let shares = shares.into_iter().map(|share| if share > 0.0 { share.min(1.0) } else { 0.0 });
        Self { shares: shares.collect() }
    }

    fn joints(&self) -> Vec<MaskedJoint> {
        let taken = self.shares.iter().enumerate().filter(|(_, share)| **share > 0.0);
        taken.map(|(joint, share)| MaskedJoint { joint: joint as u16, share: *share }).collect()
    }
}

impl Layer {
    /// A clip in place of walking on the joints of a mask, such as a wave or something that is carried. It goes round.
    ///
    /// # Panics
    /// If the mask is of another skeleton.
    #[must_use]
    pub fn over(clip: LocomotionClip, mask: &JointMask) -> Self {
        assert_eq!(mask.shares.len(), clip.joints(), "a mask for another number of joints");
        Self { clip, joints: mask.joints(), added: false, repeats: true }
    }

    /// What a clip changes of its first pose, on top of walking, such as breathing hard or aiming higher. It goes round.
    ///
    /// # Panics
    /// If the mask is of another skeleton.
    #[must_use]
    pub fn added(clip: LocomotionClip, mask: &JointMask) -> Self {
        assert_eq!(mask.shares.len(), clip.joints(), "a mask for another number of joints");
        let change = |first: &Rigid, local: &Rigid| Rigid {
            rotation: quat::nearest_sign(Quat::IDENTITY, first.rotation.conjugate() * local.rotation),
            translation: local.translation - first.translation,
        };
        Self { clip: clip.beside_first(change), joints: mask.joints(), added: true, repeats: true }
    }

    /// The same, played once and held in its last pose.
    #[must_use]
    pub fn once(self) -> Self {
        Self { repeats: false, ..self }
    }

    /// The name of its clip.
    #[must_use]
    pub fn name(&self) -> &str {
        self.clip.name()
    }

    /// Puts it on a pose with a weight from 0 to 1, `time` seconds after its start.
    fn put(&self, pose: &mut Pose, time: f32, weight: f32) {
        let phase = time / self.clip.seconds;
        let ([a, b], x, _) = self.clip.around(if self.repeats { phase } else { phase.min(0.9999) });
        for masked in &self.joints {
            let j = usize::from(masked.joint);
            let own = a[j].lerp(b[j], x);
            let (local, share) = (&mut pose.locals[j], weight * masked.share);
            *local = if self.added {
                let turn = quat::nlerp(Quat::IDENTITY, own.rotation, share);
                Rigid {
                    rotation: (local.rotation * turn).normalize(),
                    translation: local.translation + share * own.translation,
                }
            } else {
                local.lerp(own, share)
            };
        }
    }
}

impl Locomotor {
    /// The same with layers over walking, asked for by [`Intent::layers`]. Those beyond [`MOST_LAYERS`] are left out.
    #[must_use]
    pub fn with_layers(mut self, mut layers: Vec<Layer>) -> Self {
        layers.truncate(MOST_LAYERS);
        self.layers = layers;
        self
    }

    /// Layers fade in and out, and go on.
    pub(super) fn advance_layers(&self, state: &mut LocomotorState, intent: &Intent, dt: f32) {
        let fade = dt / self.settings.fade.max(1e-3);
        for (layer, wanted) in state.layers.iter_mut().zip(intent.layers).take(self.layers.len()) {
            if layer.weight <= 0.0 {
                layer.time = 0.0;
            }
            // What is no number is no wish: it goes on as it was.
            if wanted.is_finite() {
                layer.weight += (wanted.clamp(0.0, 1.0) - layer.weight).clamp(-fade, fade);
            }
            if layer.weight > 0.0 {
                // An hour is long enough, and keeps the clock exact.
                layer.time = if layer.time > 3600.0 { layer.time - 3600.0 } else { layer.time + dt };
            }
        }
    }

    /// Puts all layers on a pose.
    pub(super) fn put_layers(&self, state: &LocomotorState, pose: &mut Pose) {
        for (layer, own) in self.layers.iter().zip(&state.layers).filter(|(_, own)| own.weight > 0.0) {
            layer.put(pose, own.time, smoothstep(own.weight));
        }
    }
}
