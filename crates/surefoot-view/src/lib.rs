//! How things are shown: models of pages, pictures and reports that serialise, and their drawing and wording.
//!
//! Nothing here reads or writes files: pictures are SVG text or PNG bytes, pages HTML text, reports text or JSON.
//!
//! # Features
//!
//! - `mesh`: walks through scenes ([`journey`]) and along paths ([`followed`]); with `png`, scenes from above.
//! - `png`: pictures as PNG besides SVG, and pictures that have pixels in them.

pub mod cleaned_page;
mod clip_page;
pub mod cycle_sheet;
#[cfg(feature = "mesh")]
pub mod followed;
mod foot_name;
#[cfg(all(feature = "mesh", feature = "png"))]
pub mod footstep_curves;
#[cfg(all(feature = "mesh", feature = "png"))]
pub mod footsteps;
pub mod ghost;
pub mod graph_picture;
pub mod graph_report;
pub mod ground_mesh;
#[cfg(feature = "mesh")]
pub mod journey;
pub mod map_picture;
#[cfg(feature = "mesh")]
pub mod near_mesh;
pub mod own_file;
pub mod page;
mod page_mover;
pub mod reach_picture;
pub mod report;
pub mod rig_picture;
#[cfg(all(feature = "mesh", feature = "png"))]
pub mod scene_picture;
pub mod sheet;
pub mod shown_clip;
pub mod shown_walk;
pub mod standing;
pub mod svg;
mod walk_page;
mod walk_picture;
pub mod walk_track;
