//! Areas: parts of a world where something is dearer or forbidden.

use super::polygon;
use glam::Vec2;

/// A part of a world, seen from above, where strides cost more or where nobody runs.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Area {
    /// What a person calls it; may be empty.
    pub name: String,
    /// Its corners (x, z), metres; everywhere if there are none.
    pub outline: Vec<Vec2>,
    /// Whether one may run there.
    pub running: bool,
    /// How many times as dear a stride is there, ≥ 1.
    pub cost: f32,
}

impl Area {
    /// Whether a floor point (x, z) is in it.
    #[must_use]
    pub fn holds(&self, point: Vec2) -> bool {
        self.outline.is_empty() || polygon::contains(&self.outline, point)
    }
}
