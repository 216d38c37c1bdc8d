//! An ASF file as it says itself: bones in its own units and axes; and what they may do in ours.

use surefoot::glam::Vec3A;
use surefoot::rig::JointId;

/// What one number of a bone drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Translation along an axis (0 x, 1 y, 2 z) of the bone, file units.
    Position(usize),
    /// Rotation about an axis (0 x, 1 y, 2 z) of the bone, degrees or radians as the file says.
    Rotation(usize),
    /// Lengthening of the bone, file units. Read and left alone.
    Length,
}

/// One bone; the root is one without length.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Its name.
    pub name: String,
    /// The bone it hangs from, as an index into [`Document::bones`]; `None` for the root.
    pub parent: Option<usize>,
    /// From its near end to its far end at rest, file units; for the root its `position`.
    pub reach: [f32; 3],
    /// Angles that turn its axes, radians about x, y and z; for the root its `orientation`.
    pub axis: [f32; 3],
    /// The order in which these are applied (0 x, 1 y, 2 z).
    pub axis_order: [usize; 3],
    /// What its numbers in a frame drive, in the order written and applied.
    pub channels: Vec<Channel>,
    /// Least and greatest value of each channel, file units; infinite where the file says nothing.
    pub limits: Vec<[f32; 2]>,
}

/// An ASF file's content.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Bones, depth first; the first is the root.
    pub bones: Vec<Bone>,
    /// `length` of `:units`: inches times this are file units.
    pub length: f32,
    /// Whether angles are in radians and not in degrees.
    pub radians: bool,
}

impl Document {
    /// Numbers per frame.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.bones.iter().map(|bone| bone.channels.len()).sum()
    }

    /// The first column of each bone.
    #[must_use]
    pub fn first_columns(&self) -> Vec<usize> {
        let ends = self.bones.iter().scan(0, |column, bone| {
            *column += bone.channels.len();
            Some(*column)
        });
        std::iter::once(0).chain(ends).take(self.bones.len()).collect()
    }
}

/// How a degree of freedom moves its joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// It turns about the axis; limits in radians.
    Turn,
    /// It moves along the axis; limits in metres.
    Slide,
    /// It lengthens the bone along the axis; limits in metres. Not applied.
    Stretch,
}

/// One degree of freedom of a joint, in surefoot's units and axes.
///
/// A joint's rotation is the product of its turns, the first one applied first: `R(aₙ, θₙ) … R(a₁, θ₁)`. Limits are the
/// file's own; captures do not always keep them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Freedom {
    /// The joint.
    pub joint: JointId,
    /// What it does.
    pub movement: Movement,
    /// About or along which axis: unit length, in the space of the joint's parent.
    pub axis: Vec3A,
    /// The least value: radians or metres, -∞ where there is no limit.
    pub least: f32,
    /// The greatest value: radians or metres, +∞ where there is no limit.
    pub most: f32,
}
