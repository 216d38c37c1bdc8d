//! The character's own file, as far as pages must know it.

use crate::page::Placing;
use surefoot::glam::Quat;
use surefoot::rig::JointId;

/// The file with the character's mesh that a page plays. Without one, pages play plain bones in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnFile {
    /// For each joint of the skeleton, the index of its node in the file.
    pub nodes: Vec<usize>,
    /// Metres per unit of the file.
    pub scale: f32,
    /// A turn, after the scale, that brings it to Y up, facing +Z.
    pub turn: Quat,
}

impl OwnFile {
    /// The node of a joint.
    pub(crate) fn node(&self, joint: JointId) -> usize {
        self.nodes[joint.index()]
    }
}

impl Placing {
    /// How a file (or bones in metres, without one) is placed so that ground at this height, metres, is at 0.
    #[must_use]
    pub fn of(file: Option<&OwnFile>, ground: f32) -> Self {
        let (scale, turn) = file.map_or((1.0, Quat::IDENTITY), |file| (file.scale, file.turn));
        Self { scale, turn: turn.to_array(), ground }
    }
}
