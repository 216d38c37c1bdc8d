//! Writes a small graph file for `assets/graphs`, when the format has a new version:
//! `cargo run -p surefoot-io --example golden_graph -- version-N.graph`

#[path = "../src/graph_file/made.rs"]
mod made;

use std::error::Error;
use surefoot_io::graph_file;

fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::args_os().nth(1).ok_or("usage: golden_graph FILE")?;
    let graph = made::small();
    std::fs::write(out, graph_file::write(&graph))?;
    println!("the first take is {:#x}", graph.takes[0].clip.digest());
    Ok(())
}
