//! Characters: a rig with all that follows from it, made once and shared by all who look like it.

pub(crate) mod stand;

pub use stand::StandError;
pub(crate) use stand::{LegOrder, Stand, StandLeg};
pub(crate) use stand::{MOST_LEGS, OVER_FEET};

use crate::motion::Clip;
use crate::rig::{Pose, Rig, Scale};
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
}

impl Character {
    /// A rig that stands in an idle pose, which should face +Z. `clips` tell which joints of the legs bend.
    ///
    /// # Errors
    /// If there are too few or too many legs, or one that cannot be bent.
    ///
    /// # Panics
    /// If the pose was made for another number of joints.
    pub fn new(rig: Rig, idle: Pose, clips: &[&Clip]) -> Result<Arc<Self>, StandError> {
        let stand = Stand::new(&rig, idle, clips)?;
        let leg_length = rig.leg_length();
        Ok(Arc::new(Self { scale: Scale::of_leg(leg_length), leg_length, rig, stand }))
    }
}
