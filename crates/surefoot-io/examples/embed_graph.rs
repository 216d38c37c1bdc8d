//! Makes the motion graph that is compiled in, from the clips that are: `cargo run --release -p surefoot-io --example embed_graph`

use std::error::Error;
use surefoot_io::{embedded, graph_file};

fn main() -> Result<(), Box<dyn Error>> {
    let graph = embedded::build_graph();
    let bytes = graph_file::write(&graph);
    let out = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/cmu/walks.graph");
    let is_new = std::fs::read(out).ok().as_ref() != Some(&bytes);
    std::fs::write(out, &bytes)?;
    let (blends, frames) = (graph.blend_poses() / (graph.settings.blend_frames() - 1), graph.frames());
    let changed = if is_new { "changed" } else { "as before" };
    println!(
        "{frames} frames, {} transitions, {blends} with ways: {} bytes, {changed}",
        graph.transitions.len(),
        bytes.len()
    );
    Ok(())
}
