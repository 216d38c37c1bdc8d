//! BVH: the text format that most motion capture is handed on in, as its many exporters really write it.
//!
//! Reading goes in two steps: the text becomes a [`Document`], which says what the file says; a document becomes
//! motion, which is where units, axes and dialects are decided. Writing goes straight from a clip to text.

mod document;
mod euler;
mod interpret;
mod parse;
mod rate;
mod write;

pub use document::{Channel, Document, Node};
pub use parse::parse;
pub use write::{BvhWriter, write};

use crate::{Import, ImportError, ImportSettings};

/// Reads a BVH file: its text, a name for its clip, and what the caller knows better than the file.
///
/// # Errors
/// If the text is no BVH file; the error names line and column. Never panics, whatever the bytes.
pub fn read(bytes: &[u8], name: &str, settings: &ImportSettings) -> Result<Import, ImportError> {
    let (document, warnings) = parse(bytes, settings.partial)?;
    interpret::interpret(&document, name, settings, warnings)
}
