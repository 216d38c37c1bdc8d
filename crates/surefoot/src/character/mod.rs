//! Characters: a rig with all that follows from it, made once and shared by all who look like it.

mod body_plan;
mod drawn;
pub(crate) mod stand;

pub(crate) use body_plan::{BodyPlan, PlanBlade, PlanJoint, PlanTail};
pub(crate) use drawn::{smooth, supple};
pub use stand::StandError;
pub(crate) use stand::{LIMB, MOST_LEGS, OVER_FEET};
pub(crate) use stand::{LegOrder, Stand, StandLeg};

use crate::motion::Clip;
use crate::rig::{LegSkin, Pose, Rig, Scale, Skin};
use std::sync::Arc;

/// A body that can step: its rig, how it stands, and how large it is. Owned and unchanging; share it by [`Arc`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Character {
    /// The body and its legs.
    pub rig: Rig,
    /// Its idle pose, with the chain and length of every leg.
    pub stand: Stand,
    /// How large it is.
    pub scale: Scale,
    /// Mean leg length of the rig, metres.
    pub leg_length: f32,
    /// The skin of its legs, which stays out of the ground; `None` for bare bones.
    pub leg_skin: Option<LegSkin>,
    /// Its body beside the legs.
    pub(crate) body_plan: BodyPlan,
}

impl Character {
    /// A rig of bare bones that stands in an idle pose, which should face +Z. `clips` tell which joints of the legs bend.
    ///
    /// # Errors
    /// If there are too few or too many legs, or one that cannot be bent.
    ///
    /// # Panics
    /// If the pose was made for another number of joints.
    pub fn new(rig: Rig, idle: Pose, clips: &[&Clip]) -> Result<Arc<Self>, StandError> {
        Self::skinned(rig, idle, clips, None)
    }

    /// The same with a skin, which its walks keep out of the ground.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Panics
    /// If pose or skin were made for other joints.
    pub fn skinned(rig: Rig, idle: Pose, clips: &[&Clip], skin: Option<&Skin>) -> Result<Arc<Self>, StandError> {
        let mut stand = Stand::new(&rig, idle, clips)?;
        BodyPlan::new(&rig, &stand).hang_arms(&rig, &mut stand);
        let body_plan = BodyPlan::new(&rig, &stand);
        let leg_length = rig.leg_length();
        let leg_skin = skin.and_then(|skin| LegSkin::new(&rig, skin));
        if let Some(skin) = &leg_skin {
            stand.outline(&rig, skin);
        }
        Ok(Arc::new(Self { scale: Scale::of_leg(leg_length), leg_length, leg_skin, body_plan, rig, stand }))
    }
}
