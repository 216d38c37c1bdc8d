//! Refinements that can be left out of making motion of footprints, to see what each adds.

use super::Footsteps;

/// A refinement of planned footprints or of the motion over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Refinement {
    /// Right prints made smooth.
    Smooth,
    /// Prints refined by what is played.
    Refine,
    /// Strides blended by how much the way turns and how fast it is gone.
    Groups,
    /// The root led so that the foot that stands keeps its place.
    Anchor,
    /// The body moved over its feet.
    Body,
}

impl Refinement {
    /// All of them, in the order in which they are made.
    pub const ALL: [Self; 5] = [Self::Smooth, Self::Anchor, Self::Refine, Self::Groups, Self::Body];
}

impl Footsteps {
    /// The same without a refinement.
    #[must_use]
    pub fn without(mut self, refinement: Refinement) -> Self {
        match refinement {
            Refinement::Smooth => self.smooth.passes = 0,
            Refinement::Refine => self.refine.passes = 0,
            Refinement::Groups => self.groups = None,
            Refinement::Anchor => self.play.anchored = false,
            Refinement::Body => self.body = None,
        }
        self
    }
}
