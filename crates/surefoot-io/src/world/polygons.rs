//! What a file with polygons says, before it becomes triangles.

use crate::Warning;
use surefoot::glam::DVec3;

/// Polygons in the file's own unit and axes.
pub(crate) struct Polygons {
    /// The format they came in.
    pub(crate) format: &'static str,
    pub(crate) points: Vec<DVec3>,
    /// Corners of all faces, one after the other, as indices of points.
    pub(crate) corners: Vec<u32>,
    pub(crate) faces: Vec<Face>,
    /// Names, and the face from which on they hold.
    pub(crate) groups: Vec<(String, usize)>,
    /// Material files that it asks for.
    pub(crate) libraries: Vec<String>,
    pub(crate) warnings: Vec<Warning>,
}

/// One polygon.
#[derive(Clone, Copy)]
pub(crate) struct Face {
    /// The end of its corners.
    pub(crate) end: usize,
    /// Its line, in a text.
    pub(crate) line: Option<usize>,
}

impl Polygons {
    pub(crate) fn new(format: &'static str) -> Self {
        Self {
            format,
            points: Vec::new(),
            corners: Vec::new(),
            faces: Vec::new(),
            groups: Vec::new(),
            libraries: Vec::new(),
            warnings: Vec::new(),
        }
    }
}
