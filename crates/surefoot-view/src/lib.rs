//! How things are shown: models of pages, pictures and reports that serialise, and their drawing and wording.
//!
//! Nothing here reads or writes files: pictures are SVG text or PNG bytes, pages HTML text, reports text or JSON.
//!
//! # Features
//!
//! - `mesh`: scenes from above, with `png`.
//! - `png`: pictures as PNG besides SVG, and pictures that have pixels in them.

pub mod creature_picture;
pub mod graph_picture;
pub mod graph_report;
pub mod ground_mesh;
pub mod map_picture;
pub mod page;
pub mod reach_picture;
#[cfg(all(feature = "mesh", feature = "png"))]
pub mod scene_picture;
pub mod sheet;
pub mod svg;
pub mod walk_track;
