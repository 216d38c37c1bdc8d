//! Bytes to motion and back: the only place where foreign units, axes and file formats exist.
//!
//! Whatever comes in is brought to surefoot's conventions at this door (metres, seconds, radians, Y up, facing +Z),
//! and what was found or assumed on the way is reported, never guessed silently.
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
//! - `embedded` (default): a small library of walks, compiled in ([`embedded`]).
//! - `fbx` (default): FBX files are read, by C code that is compiled in.
//! - `mesh`, `navmesh` (default): scenes with meshes as ground and routes over them.
//! - `parallel` (default): [`load_many`] reads files on all cores.
//! - `png` (default): pictures as PNG besides SVG.

pub mod asf;
mod bone_mesh;
mod bounds;
pub mod bvh;
mod capture;
pub mod creature_picture;
#[cfg(feature = "embedded")]
pub mod embedded;
mod error;
#[cfg(feature = "fbx")]
pub mod fbx;
pub mod field_file;
pub mod files;
pub mod glb;
pub mod gltf;
pub mod graph_file;
pub mod graph_picture;
pub mod graph_report;
pub mod ground_mesh;
mod import;
mod infer;
mod lines;
pub mod map_picture;
mod nodes;
mod number;
pub mod page;
pub mod reach_picture;
mod remedy;
pub mod rig_file;
pub mod scene;
#[cfg(all(feature = "mesh", feature = "png"))]
pub mod scene_picture;
pub mod sheet;
pub mod svg;
mod unit;
pub mod walk_track;
mod warning;
pub mod world;

pub use error::{ImportError, Place};
pub use import::{
    Dialect, Found, Import, ImportSettings, LoadError, LoadErrorKind, RestPose, RestRow, Source, load, load_many,
};
pub use remedy::{Remedy, Severity};
pub use unit::{Axis, Unit};
pub use warning::Warning;

/// Compiles and runs the example of a chapter.
#[cfg(all(doctest, feature = "embedded", feature = "navmesh"))]
#[doc = include_str!("../../../docs/navigate.md")]
struct NavigateChapter;
