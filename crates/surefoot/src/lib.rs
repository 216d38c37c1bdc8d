//! surefoot makes characters walk: it takes clips and a world, and gives back motion in which every foot lands
//! where it should and stays there.
//!
//! ```text
//! import → analyse → library → plan → adapt → clip → export / show
//! ```
//!
//! This crate is the engine: plain data and functions over it. It reads no files and prints nothing; bytes become
//! types in `surefoot-io`.
//!
//! # Units and axes
//!
//! Fixed once, for every function of this crate:
//!
//! | thing | rule |
//! |---|---|
//! | length, time, angle | metres, seconds, radians |
//! | axes | right-handed, **Y up, +Z forward**, so **+X is the character's left** |
//! | heading ψ | about +Y, from +Z towards +X: forward is `(sin ψ, 0, cos ψ)`; **a left turn is positive** |
//! | floor points | `Vec2` is always `(x, z)`; only [`math::floor`] converts |
//! | transforms | `a_from_b` takes b's coordinates to a's: `world_from_foot = world_from_model * model_from_foot` |
//! | spaces | *local* (of the parent joint), *model* (of the character), *world* |
//! | scale, shear | none: a transform is a [`math::Rigid`] |
//!
//! # Features
//!
//! None is on unless it is named:
//!
//! - `libm`: equal results on every platform; slower.
//! - `mesh`: ground, obstacles and walkable surfaces from triangle meshes.
//! - `navmesh`: shortest paths on a triangulation of the floor, and routes over meshes with several floors; has `mesh` in it.
//! - `parallel`: work that splits is done on all cores; results are the same without.
//! - `serde`: settings and reports can be stored; unknown keys of settings are refused.
//! - `stages`: single stages of the systems and what they hand to each other, for tools and research.
//!
//! # A creature in ten lines
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::rig::ManyLegs;
//!
//! // Six legs; `surefoot_io::load_character` takes a file instead.
//! let rig = ManyLegs::default().run();
//! let idle = Pose::rest(&rig.skeleton);
//! let character = Character::new(rig, idle, &[])?;
//!
//! let ground = Terrain::Rubble { height: 0.1, size: 0.4 };
//! let path = Path::new(vec![Vec3::ZERO, Vec3::new(0.0, 0.0, 3.0)]);
//! let motion = Creature::default().plan(&character, &path, None, &ground);
//!
//! // In a game: one frame of scratch, any time in any order, nothing allocated.
//! let mut frame = CreatureFrame::new(&character.rig);
//! motion.pose_at(1.25, &mut frame);
//! assert!(frame.missed < 0.001, "every standing foot is where it should be, to a millimetre");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Five minutes
//!
//! ```
//! use surefoot::math::Rigid;
//! use surefoot::motion::Clip;
//! use surefoot::rig::{Joint, ModelPose, Pose, Skeleton};
//! use surefoot::glam::Vec3A;
//!
//! // A leg of two bones, hanging from a hip one metre up.
//! let skeleton = Skeleton::new(vec![
//!     Joint::new("hip", None, Rigid::from_translation(Vec3A::new(0.0, 1.0, 0.0))),
//!     Joint::new("knee", Some(0), Rigid::from_translation(Vec3A::new(0.0, -0.5, 0.0))),
//!     Joint::new("ankle", Some(1), Rigid::from_translation(Vec3A::new(0.0, -0.4, 0.0))),
//! ])?;
//!
//! // A clip of two frames at 30 Hz that moves the hip 10 cm forward.
//! let start = skeleton.rest().to_vec();
//! let mut end = start.clone();
//! end[0].translation.z += 0.1;
//! let clip = Clip::new(&skeleton, "step", 30.0, [start, end].concat())?;
//!
//! // Sample it half way, and ask where the ankle is. Neither call allocates.
//! let mut pose = Pose::rest(&skeleton);
//! let mut model = ModelPose::new(&skeleton);
//! clip.sample(0.5 / 30.0, &mut pose);
//! pose.to_model(&skeleton, &mut model);
//! let ankle = model[skeleton.find("ankle").unwrap()].translation;
//! assert!((ankle - Vec3A::new(0.0, 0.1, 0.05)).length() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(feature = "stages"),
    allow(dead_code, unreachable_pub, unused_imports, reason = "without stages some of what they offer has no user")
)]

pub mod math;
pub mod random;
pub mod rig;
mod stage_times;
pub mod world;

pub mod motion;

pub mod ik;

pub mod foot;

pub mod character;

pub mod analyse;

pub mod library;

pub mod plan;

pub mod adapt;

pub mod metrics;

pub mod systems;

pub mod show;

#[cfg(feature = "stages")]
pub mod stages;

pub mod prelude;

/// The vector library of every signature here; the version is Bevy 0.19's.
pub use glam;
