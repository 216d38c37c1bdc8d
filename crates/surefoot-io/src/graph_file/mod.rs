//! Graph files: a motion graph as bytes that say what they are, how long they are, and whether they are whole.
//!
//! ```text
//! offset  bytes
//!      0      8  "SFGRAPH" and a zero
//!      8      4  version of the format, little-endian
//!     12      8  length of what follows the head, little-endian
//!     20      4  CRC-32 of version, length and what follows the head
//!     24         the graph (`stored`), in postcard's format
//!                from version 2 on: where its blends go, likewise
//! ```
//!
//! Numbers come back bit for bit. What is quick to derive (topology, symmetry, keys) is not stored; where blends go is not, and is
//! what searches need. Bytes of any origin are safe to read: memory stays in proportion to them, and everything is checked
//! before a graph is made of it.

mod check;
#[cfg(test)]
mod made;
mod stored;
#[cfg(test)]
mod tests;

use std::path::Path;
use surefoot::library::graph::MotionGraph;

/// The version of the format that is written; older ones down to [`OLDEST`] are read, newer ones are refused.
pub const VERSION: u32 = 2;
/// The oldest version that is read. Graphs of version 1 have no moves with them and derive them when they are first searched.
pub const OLDEST: u32 = 1;

const MAGIC: [u8; 8] = *b"SFGRAPH\0";
/// Bytes before the graph.
const HEAD: usize = 24;

/// Why bytes are no graph.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GraphFileError {
    /// The file cannot be read.
    #[error("cannot read: {0}")]
    Read(#[source] std::io::Error),
    /// Something else.
    #[error("this is not a motion graph of surefoot; `surefoot graph build` makes one of clips")]
    NotAGraph,
    /// Written by a newer program.
    #[error("version {found} of the format is newer than this program, which reads up to {VERSION}")]
    Newer {
        /// The version in the file.
        found: u32,
    },
    /// A version that was never written, or is read no more.
    #[error("version {found} of the format is not read by this program, which reads {OLDEST} to {VERSION}")]
    Older {
        /// The version in the file.
        found: u32,
    },
    /// The end is missing.
    #[error("the file is cut short: it has {has} of {wants} bytes")]
    Truncated {
        /// Bytes that are there.
        has: u64,
        /// Bytes that there should be, at least.
        wants: u64,
    },
    /// Something follows the end.
    #[error("the file was altered: {extra} bytes follow its end")]
    Longer {
        /// How many.
        extra: u64,
    },
    /// The checksum does not fit.
    #[error("the file was altered: its checksum is {found:08x} and should be {told:08x}")]
    Altered {
        /// Of the bytes that are there.
        found: u32,
        /// As the file tells.
        told: u32,
    },
    /// The checksum fits, but its parts cannot be told apart.
    #[error("damaged: its sections cannot be read ({0})")]
    Parts(#[source] postcard::Error),
    /// The checksum fits, but what it says makes no graph.
    #[error("damaged: {what}")]
    Damaged {
        /// The thing and the numbers.
        what: String,
    },
}

impl GraphFileError {
    fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }
}

/// A graph as bytes that [`read`] takes back. Plays every blend to tell where it goes, which takes longer than the rest.
///
/// # Panics
/// Never: plain numbers and names can always be stored.
#[must_use]
pub fn write(graph: &MotionGraph) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend([0; HEAD - 12]);
    let limit = "memory is the only limit";
    let bytes = postcard::to_extend(&stored::Graph::of(graph), bytes).expect(limit);
    let bytes = postcard::to_extend(&stored::Moves::of(graph), bytes).expect(limit);
    resealed(bytes).expect("the head is there")
}

/// Reads a graph.
///
/// # Errors
/// If the bytes are no graph, of another version, cut short, altered or damaged: the error says which.
pub fn read(bytes: &[u8]) -> Result<MotionGraph, GraphFileError> {
    let has = bytes.len() as u64;
    if !bytes.starts_with(&MAGIC[..bytes.len().min(8)]) || bytes.is_empty() {
        return Err(GraphFileError::NotAGraph);
    }
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let short = GraphFileError::Truncated { has, wants: HEAD as u64 };
    // Asked first: what follows is this version's business.
    let version = match word(8) {
        None => return Err(short),
        Some(version @ OLDEST..=VERSION) => version,
        Some(found) if found > VERSION => return Err(GraphFileError::Newer { found }),
        Some(found) => return Err(GraphFileError::Older { found }),
    };
    let (Some(low), Some(high), Some(told)) = (word(12), word(16), word(20)) else { return Err(short) };
    let wants = (u64::from(high) << 32 | u64::from(low)).saturating_add(HEAD as u64);
    if has < wants {
        return Err(GraphFileError::Truncated { has, wants });
    }
    if has > wants {
        return Err(GraphFileError::Longer { extra: has - wants });
    }
    let found = checksum(bytes);
    if found != told {
        return Err(GraphFileError::Altered { found, told });
    }
    let (graph, rest) = part::<stored::Graph>(&bytes[HEAD..])?;
    let (moves, rest) =
        if version == 1 { (None, rest) } else { part(rest).map(|(moves, rest)| (Some(moves), rest))? };
    if !rest.is_empty() {
        return Err(GraphFileError::damaged(format!("{} bytes follow its last number", rest.len())));
    }
    let graph = check::graph(graph)?;
    match moves {
        Some(moves) => check::moves(graph, &moves),
        None => Ok(graph),
    }
}

/// A part, and the bytes that follow it.
fn part<'a, T: serde::Deserialize<'a>>(bytes: &'a [u8]) -> Result<(T, &'a [u8]), GraphFileError> {
    postcard::take_from_bytes(bytes).map_err(GraphFileError::Parts)
}

/// Reads a graph from a file.
///
/// # Errors
/// As [`read`], and if the file cannot be read.
pub fn load(path: &Path) -> Result<MotionGraph, GraphFileError> {
    let bytes = crate::import::read_file(path).map_err(GraphFileError::Read)?;
    read(&bytes)
}

/// The same bytes with the length and the checksum that they should have, for files changed on purpose; `None` if there is
/// no head. For tests and fuzzing.
#[doc(hidden)]
#[must_use]
pub fn resealed(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let length = bytes.len().checked_sub(HEAD)? as u64;
    bytes[12..20].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&bytes);
    bytes[20..24].copy_from_slice(&sum.to_le_bytes());
    Some(bytes)
}

/// Of everything but the mark and the checksum itself.
fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&bytes[8..20]);
    sum.update(&bytes[HEAD..]);
    sum.finalize()
}
