//! Bodies made of nodes, as scene formats (glTF, FBX) have them: scale taken in, joints, skins and standing up.
//!
//! A reader gives the nodes that are joints, their rest pose and sampled motions in the file's unit and axes; what is
//! here is the same for every such format.

mod body;
pub(crate) mod bound;
mod conventions;
mod face;
mod find;
mod rate;
mod similar;
mod skin;
mod unique;

pub(crate) use body::{Body, Joint, Motion, budget};
pub(crate) use conventions::Conventions;
pub(crate) use face::turn_round;
pub(crate) use find::Nodes;
pub(crate) use rate::shown_rate;
pub(crate) use similar::{EVEN, Signs, Similar, decompose, even, half_turn, mean_scale, turn_of, unit};
pub(crate) use skin::{Bones, Held, add_bones, held_by, hold, stand};
pub(crate) use unique::Unique;
