//! Bytes to motion and back: the only place where foreign units, axes and file formats exist.
//!
//! Whatever comes in is brought to surefoot's conventions at this door (metres, seconds, radians, Y up, facing +Z),
//! and what was found or assumed on the way is reported, never guessed silently.
//!
//! A character that walks, in ten lines:
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot_io::prelude::*;
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/characters/khronos_Fox.glb");
//! # let out = std::env::temp_dir().join("surefoot-doc-fox.glb");
//! let fox = load_character(file)?;
//! let stairs = Terrain::Stairs { rise: 0.1, tread: 0.3 };
//! let path = Path::new(vec![Vec3::ZERO, Vec3::new(0.0, 0.0, 4.0)]);
//! let walk = Creature::default();
//! let motion = walk.plan(&fox.character, &path, None, &stairs);
//! let done = walk.take(&motion, "stairs", &stairs);
//! assert!(done.report.figures.drift.max < 0.001, "no foot slides by a millimetre");
//! std::fs::write(out, fox.glb(&[&done.take.clip])?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A clip as it is:
//!
//! ```
//! use surefoot_io::{ImportSettings, bvh};
//!
//! let text = b"HIERARCHY
//! ROOT Hips
//! {
//!   OFFSET 0 0 0
//!   CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
//!   End Site
//!   { OFFSET 0 10 0 }
//! }
//! MOTION
//! Frames: 2
//! Frame Time: .0083333
//! 0 90 0 0 0 0
//! 0 90 1 0 5 0
//! ";
//! let import = bvh::read(text, "turn", &ImportSettings::default())?;
//! let clip = &import.clips[0];
//! assert_eq!((clip.frames(), clip.rate()), (2, 120.0));
//! for warning in &import.warnings {
//!     println!("{warning}");
//! }
//! # Ok::<(), surefoot_io::ImportError>(())
//! ```
//!
//! # Features
//!
//! None is on unless it is named:
//!
//! - `embedded`: a small library of walks, a motion graph of them and a scene, compiled in (5.5 MB, `embedded`).
//! - `fbx`: FBX files are read, by C code that is compiled in.
//! - `libm`: equal results on every platform, as the engine's feature.
//! - `mesh`: scenes with meshes become worlds.
//! - `navmesh`: and routes are found over them; planning on floors is exact and quick.
//! - `parallel`: [`load_many`] reads files on all cores, and the engine works on all.

pub mod asf;
mod bone_mesh;
mod bounds;
pub mod bvh;
mod capture;
mod character;
#[cfg(feature = "embedded")]
pub mod embedded;
mod error;
pub mod exported;
#[cfg(feature = "fbx")]
pub mod fbx;
pub mod field_file;
pub mod files;
pub mod glb;
pub mod gltf;
pub mod graph_file;
mod import;
mod infer;
pub mod input_file;
mod lines;
pub mod map_file;
mod names;
mod nodes;
pub mod notes_file;
mod number;
pub mod path_file;
mod pieces;
pub mod prelude;
mod remedy;
pub mod rig_file;
pub mod scene;
mod skin_mesh;
pub mod strides_file;
mod unit;
mod upright;
pub mod walk_file;
mod warning;
pub mod world;

pub use character::{CharacterError, LoadCharacter, LoadedCharacter, load_character};
pub use error::{ImportError, TextPlace};
pub use import::{
    Dialect, Import, ImportSettings, Inferred, LoadError, LoadErrorKind, RestPose, RestRow, Source, load, load_many,
};
pub use remedy::{Remedy, Severity};
pub use unit::{Axis, Unit};
pub use warning::Warning;

/// Compiles and runs the example of a chapter.
#[cfg(all(doctest, feature = "embedded", feature = "navmesh"))]
#[doc = include_str!("../../../docs/navigate.md")]
struct NavigateChapter;
