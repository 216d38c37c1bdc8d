//! Makes a character walk up stairs from its idle pose alone, and puts the walk into its own file, mesh and all:
//! `cargo run --release -p surefoot-io --example creature [CHARACTER.glb] [OUT.glb]`.

use std::path::PathBuf;
use surefoot::prelude::*;
use surefoot_io::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let own = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/characters/m2m_horse.glb").into();
    let file = args.next().unwrap_or_else(own);
    let out = args.next().unwrap_or_else(|| std::env::temp_dir().join("creature.glb"));

    // Legs, feet and the idle pose are found; two to sixteen legs will do.
    let loaded = load_character(&file)?;
    let leg = loaded.character.leg_length;
    println!("{} legs of {leg:.2} m", loaded.character.rig.legs.len());

    // Any ground: a formula, a height field, a mesh, or a closure `|x, z| y`.
    let stairs = Terrain::Stairs { rise: 0.15 * leg, tread: 0.4 * leg };
    let path = Path::new(vec![Vec3::ZERO, Vec3::new(0.0, 0.0, 6.0 * leg), Vec3::new(3.0 * leg, 0.0, 9.0 * leg)]);

    let walk = Creature::default();
    let motion = walk.plan(&loaded.character, &path, None, &stairs);
    let done = walk.take(&motion, "stairs", &stairs);

    let report = &done.report;
    println!("{:.1} s, {} stances", motion.seconds(), report.figures.stances);
    println!("standing feet drift {:.3} mm at most", 1e3 * report.figures.drift.max);
    // What could not be done is told.
    println!("{} steps beyond reach, {} without ground", report.beyond_reach, report.without_ground);

    std::fs::write(&out, loaded.glb(&[&done.take.clip])?)?;
    println!("wrote {}", out.display());
    Ok(())
}
