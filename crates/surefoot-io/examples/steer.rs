//! Drives a character on a graph of walks as a stick is held, move by move, and writes what came of it as GLB:
//! `cargo run --release -p surefoot-io --example steer [OUT.glb]`.

use std::path::PathBuf;
use surefoot::prelude::*;
use surefoot::systems::WalkGraph;
use surefoot_io::prelude::*;

/// What a player wants at a time: ahead, then in a bend to the left, then to stand.
fn stick(seconds: f32) -> Wish {
    let velocity = match seconds {
        t if t < 3.0 => Vec2::new(0.0, 1.3),
        t if t < 7.0 => 1.3 * Vec2::new((0.6 * (t - 3.0)).sin(), (0.6 * (t - 3.0)).cos()),
        _ => Vec2::ZERO,
    };
    Wish { velocity, heading: None }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::args_os().nth(1).map_or_else(|| std::env::temp_dir().join("steer.glb"), PathBuf::from);
    let graph = embedded::graph();
    // Laid out for searching before the game starts, not at the first move.
    graph.lay_out();

    let start = FloorPose::ORIGIN;
    let mut driven = Driven::new(&graph, Start::Standing(start));
    let mut edges = Vec::new();
    while driven.time < 10.0 {
        // A fixed amount of work; give it surroundings, and it keeps clear of them.
        let wish = stick(driven.time);
        let decided = Steer::default().run(&graph, None, &mut driven, &wish);
        if decided.edges.is_empty() {
            break;
        }
        edges.extend_from_slice(decided.edges);
        let at = driven.pose;
        println!(
            "{:5.2} s: at {:5.2} {:5.2} m, {:4.0}°",
            driven.time,
            at.position.x,
            at.position.y,
            at.heading.to_degrees()
        );
    }

    // What was decided, played from the start, with every foot held where it stands.
    let walked = WalkGraph::default().run(&graph, start, &edges);
    let figures = walked.measure(&graph, Footing::default());
    println!("{} blends; standing feet drift {:.2} mm at most", walked.seams.len(), 1e3 * figures.after.drift.max);
    std::fs::write(&out, glb::write(&graph.rig.skeleton, &[walked.take.clip]))?;
    println!("wrote {}", out.display());
    Ok(())
}
