//! Pictures: how the engine's types are drawn, whoever holds the pen.

mod draw;
mod skeleton;

pub use draw::{Draw, Ink};
pub use skeleton::{bones, draw_joints, draw_skeleton};
