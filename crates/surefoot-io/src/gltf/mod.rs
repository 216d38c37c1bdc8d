//! glTF and GLB: bodies, clips and skins in, and clips back into the user's own document.
//!
//! Reading keeps the source document whole. Writing replaces its animations and nothing else: meshes, skins, materials,
//! images and whatever surefoot does not understand stay as they were, byte for byte.
//!
//! ```no_run
//! use surefoot_io::gltf::{NewClip, WriteSettings, write_clips};
//! use surefoot_io::{ImportSettings, load};
//!
//! let import = load("knight.glb".as_ref(), &ImportSettings::default())?;
//! let document = import.document.as_ref().expect("a glTF file keeps its document");
//! let clips: Vec<NewClip<'_>> = import.clips.iter().map(NewClip::of).collect();
//! let glb = write_clips(document, &import.skeleton, &clips, &WriteSettings::default())?;
//! std::fs::write("knight-out.glb", glb)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accessor;
mod body;
mod compact;
pub(crate) mod container;
mod document;
mod interpret;
mod mend;
mod mesh;
mod meshopt;
mod motion;
mod schema;
pub(crate) mod tips;
pub(crate) mod told;
mod tree;
mod uri;
mod vrm;
pub(crate) mod world;
mod write;

pub use container::is_gltf;
pub use document::{Document, JointNode, SourceClip};
pub use interpret::read;
pub(crate) use schema::{DRAWN_BONES, MARK};
pub use uri::Resolve;
pub use write::{NewClip, RootMotion, WriteError, WriteSettings, write_clips};
