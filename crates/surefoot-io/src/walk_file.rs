//! Walks along drawn paths as files: which parts of a motion graph are played, from where and for how long.

use serde::{Deserialize, Serialize};
use surefoot::glam::Vec2;
use surefoot::math::FloorPose;
use surefoot::stages::EdgeId;
use surefoot::stages::PathWalk;

/// The version that is written and read.
const VERSION: u32 = 1;
/// The farthest that a walk may start from the origin, metres: farther off, places are not fine enough for feet.
const FAR: f32 = 1e4;
/// The most heading that a walk may start with, radians: turns are counted, but nobody turns a thousand times.
const MOST_HEADING: f32 = 1e4;
/// The most edges of a walk: an hour of it, half a gigabyte of poses.
const MOST_EDGES: usize = 10_000;

/// Why a text is no walk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WalkFileError {
    /// It is no JSON, or has unknown or missing entries; the message names the line.
    #[error(transparent)]
    Text(#[from] serde_json::Error),
    /// Another version of the format.
    #[error("version {found} of the format; this program reads version {VERSION}")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// A start that is no place to walk from.
    #[error("walk.start: places are within {FAR} m of the origin, headings within {MOST_HEADING} radians")]
    Start,
    /// Too much to hold.
    #[error("walk.edges: {found}; a walk has up to {MOST_EDGES}")]
    Edges {
        /// How many the file has.
        found: usize,
    },
    /// A sum of squares that is none.
    #[error("walk.{name} = {value}: give a finite number from 0 on, m²")]
    Error {
        /// Its name in the file.
        name: &'static str,
        /// What it is.
        value: f64,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    walk: Walk,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Walk {
    start: Start,
    edges: Vec<u32>,
    frames: usize,
    error: f64,
    bound: f64,
    moves: usize,
    complete: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    /// On the floor: x and z, metres.
    position: [f32; 2],
    /// Radians, left positive.
    heading: f32,
}

/// A walk as text that [`read`] takes back.
#[must_use]
pub fn write(walk: &PathWalk) -> String {
    let file = File {
        version: VERSION,
        walk: Walk {
            start: Start { position: walk.start.position.to_array(), heading: walk.start.heading },
            edges: walk.edges.iter().map(|edge| edge.0).collect(),
            frames: walk.frames,
            error: walk.error,
            bound: walk.bound,
            moves: walk.moves,
            complete: walk.complete,
        },
    };
    format!("{}\n", serde_json::to_string(&file).expect("plain numbers"))
}

/// Reads a walk; whether a graph has its edges is found out when it is played.
///
/// # Errors
/// If the text is no walk of this version, or its numbers are none to walk by.
pub fn read(text: &str) -> Result<PathWalk, WalkFileError> {
    let File { version, walk } = serde_json::from_str(text)?;
    if version != VERSION {
        return Err(WalkFileError::Version { found: version });
    }
    let start = FloorPose { position: Vec2::from(walk.start.position), heading: walk.start.heading };
    if !(start.position.abs().max_element() <= FAR && start.heading.abs() <= MOST_HEADING) {
        return Err(WalkFileError::Start);
    }
    if walk.edges.len() > MOST_EDGES {
        return Err(WalkFileError::Edges { found: walk.edges.len() });
    }
    for (name, value) in [("error", walk.error), ("bound", walk.bound)] {
        if !(0.0..f64::INFINITY).contains(&value) {
            return Err(WalkFileError::Error { name, value });
        }
    }
    let edges = walk.edges.into_iter().map(EdgeId).collect();
    let Walk { frames, error, bound, moves, complete, .. } = walk;
    Ok(PathWalk { start, edges, frames, error, bound, moves, complete })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALK: &str = r#"{"version":1,"walk":{"start":{"position":[0.5,-2],"heading":0.25},"edges":[3,4,9],"frames":57,"error":1.5,"bound":0,"moves":12,"complete":true}}"#;

    #[test]
    fn a_walk_that_was_written_is_read_again() {
        let walk = read(WALK).unwrap();
        assert_eq!((walk.edges.len(), walk.edges[2], walk.frames), (3, EdgeId(9), 57));
        assert_eq!(read(&write(&walk)).unwrap(), walk);
    }

    #[test]
    fn what_is_no_walk_is_told_by_name() {
        let told = |from: &str, to: &str| read(&WALK.replace(from, to)).unwrap_err().to_string();
        assert!(WALK.contains("\"version\":1"));
        assert!(told("\"version\":1", "\"version\":2").contains("version 2"));
        assert!(told("0.5,-2", "1e30,-2").contains("walk.start"));
        assert!(told("\"heading\":0.25", "\"heading\":1e9").contains("walk.start"));
        assert!(told("\"error\":1.5", "\"error\":-1").contains("walk.error = -1"));
        assert!(told("\"frames\":57", "\"frames\":-1").contains("frames") || told("57", "-1").contains("-1"));
        assert!(told("3,4,9", &vec!["7"; 10_001].join(",")).contains("10001"));
    }
}
