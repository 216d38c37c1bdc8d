//! Sends a character through a scene, by a graph of walks, and writes the walk as GLB:
//! `cargo run --release -p surefoot-io --example journey [FILE.scene.toml] [OUT.glb]`.

use std::path::PathBuf;
use surefoot::prelude::*;
use surefoot_io::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    // Without a scene, a garden labyrinth that is compiled in.
    let scene = match args.next() {
        Some(file) => scene::load(&file)?,
        None => embedded::labyrinth(),
    };
    let out = args.next().unwrap_or_else(|| std::env::temp_dir().join("journey.glb"));

    // Once: walks, starts, stops and turns of one person, joined where they are alike.
    let graph = embedded::graph();

    // For each journey: from where to where. A scene has its own start and goal; any other will do.
    let ends = JourneyEnds::of(&scene);
    let done = Journey::default().run(&scene, &graph, &ends)?;

    let (way, figures) = (&done.walk.report.way, &done.report.figures.after);
    println!("the shortest way is {:.1} m, the walk takes {:.1} s", done.report.shortest, done.take().clip.duration());
    println!("{:.1} mm from the goal, {} frames touch something", 1e3 * way.missed, way.collisions);
    println!("standing feet drift {:.2} mm at most", 1e3 * figures.drift.max);

    let clip = done.take().clip.clone();
    std::fs::write(&out, glb::write(&graph.rig.skeleton, &[clip]))?;
    println!("wrote {}", out.display());
    Ok(())
}
