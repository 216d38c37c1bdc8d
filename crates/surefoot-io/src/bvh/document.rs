//! A BVH file as it says itself: joints, channels and rows, in its own units and axes.

/// What one column of a motion row drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Translation along an axis (0 x, 1 y, 2 z), file units.
    Position(usize),
    /// Rotation about an axis (0 x, 1 y, 2 z), degrees.
    Rotation(usize),
}

/// One joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// The joint it hangs from, as an index into [`Document::nodes`]; `None` for a ROOT.
    pub parent: Option<usize>,
    /// OFFSET, file units.
    pub offset: [f32; 3],
    /// Its columns in each row, in the order written; rotations apply in that order, the first outermost.
    pub channels: Vec<Channel>,
    /// OFFSETs of its End Sites, file units.
    pub ends: Vec<[f32; 3]>,
}

impl Node {
    /// Whether a channel moves the joint.
    #[must_use]
    pub fn has_positions(&self) -> bool {
        self.channels.iter().any(|c| matches!(c, Channel::Position(_)))
    }
}

/// A BVH file's content.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Joints, depth first.
    pub nodes: Vec<Node>,
    /// Seconds between rows, as printed.
    pub frame_time: f64,
    /// Digits after the point with which the frame time was printed; `None` if it had an exponent.
    pub frame_time_decimals: Option<u32>,
    /// Columns per row.
    pub columns: usize,
    /// Rows, one after the other.
    pub values: Vec<f32>,
}

impl Document {
    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }

    /// One row.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// Each joint with its first column.
    pub fn columns_by_node(&self) -> impl Iterator<Item = (&Node, usize)> {
        self.nodes.iter().scan(0, |column, node| {
            let first = *column;
            *column += node.channels.len();
            Some((node, first))
        })
    }
}
