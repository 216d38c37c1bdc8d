//! What a program that reads and writes motion starts with: `use surefoot_io::prelude::*;`, beside the engine's own prelude.

#[cfg(feature = "embedded")]
pub use crate::embedded;
pub use crate::gltf::{NewClip, WriteSettings};
pub use crate::{
    CharacterError, Import, ImportSettings, LoadCharacter, LoadedCharacter, bvh, glb, gltf, graph_file, load,
    load_character, scene,
};
