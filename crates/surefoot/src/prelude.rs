//! What a game programmer starts with, in one line: `use surefoot::prelude::*;`.
//!
//! Settings of single stages and what they report are where they belong: [`adapt`](crate::adapt), [`plan`](crate::plan),
//! [`metrics`](crate::metrics).

pub use crate::character::Character;
pub use crate::library::graph::{BuildGraph, MotionGraph};
pub use crate::math::{FloorPose, Rigid};
pub use crate::metrics::{FootFigures, Footing, measure_feet};
pub use crate::motion::{Clip, Take};
pub use crate::plan::Path;
pub use crate::plan::walk::{Driven, Start, Steer, Wish};
pub use crate::rig::{ModelPose, Pose, Rig, Skeleton};
pub use crate::systems::{
    CleanUp, Creature, CreatureFrame, CreatureMotion, FollowRoute, Intent, Journey, JourneyEnds, Locomotor,
    LocomotorFrame, LocomotorState, PrepareClips,
};
pub use crate::world::{Ground, LevelGround, Scene, Terrain};
pub use glam::{Quat, Vec2, Vec3, Vec3A};
