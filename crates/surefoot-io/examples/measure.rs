//! Measures how well the feet of any file's clips stand, on level ground or on one of your own:
//! `cargo run --release -p surefoot-io --example measure [FILE]`.

use std::path::PathBuf;
use surefoot::analyse::Study;
use surefoot::prelude::*;
use surefoot_io::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let own = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/characters/kaykit_Knight.glb").into();
    let file: PathBuf = std::env::args_os().nth(1).map_or_else(own, PathBuf::from);
    let import = load(&file, &ImportSettings::default())?;

    println!("{:32} {:>7} {:>9} {:>9} {:>9}", "clip, 95 of 100 in mm", "stances", "drift", "sinks in", "floats");
    for clip in import.clips.iter().take(12) {
        // When each foot stands is found first; a system's own takes know it already.
        let studied = Study::default().run_skinned(&import.skeleton, import.skin.as_ref(), clip)?;
        row(clip.name(), &measure_feet(&studied.rig, &studied.take, Footing::default()));
    }

    // The same figures of a walk over a ground that is known: every foot is held against it.
    let loaded = load_character(&file)?;
    let slope = Terrain::Slope { angle: 15.0_f32.to_radians() };
    let path = Path::new(vec![Vec3::ZERO, Vec3::new(0.0, 0.0, 5.0)]);
    let walk = Creature::default();
    let motion = walk.plan(&loaded.character, &path, None, &slope);
    let take = walk.take(&motion, "up a slope of 15°", &slope).take;
    row(take.clip.name(), &measure_feet(&loaded.character.rig, &take, Footing::Known(&slope)));
    Ok(())
}

fn row(name: &str, figures: &FootFigures) {
    let [drift, sinks, floats] = [figures.drift, figures.penetration, figures.float].map(|spread| 1e3 * spread.p95);
    println!("{name:32} {:7} {drift:9.2} {sinks:9.2} {floats:9.2}", figures.stances);
}
