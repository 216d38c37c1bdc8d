//! Pictures: how the engine's types are drawn, whoever holds the pen.

mod draw;
mod print;
mod skeleton;

pub use draw::{Draw, Ink};
pub use print::print_outline;
pub use skeleton::{bones, draw_joints, draw_skeleton, leads_to_bone};
