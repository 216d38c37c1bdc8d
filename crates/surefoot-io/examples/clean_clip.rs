//! Cleans a captured clip, so that feet that stand stay where they are, and writes it as GLB:
//! `cargo run --release -p surefoot-io --example clean_clip [FILE.bvh] [OUT.glb]`.

use std::path::PathBuf;
use surefoot::prelude::*;
use surefoot_io::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let own = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/bvh/02_01.bvh").into();
    let file = args.next().unwrap_or_else(own);
    let out = args.next().unwrap_or_else(|| std::env::temp_dir().join("clean_clip.glb"));

    let import = load(&file, &ImportSettings::default())?;
    // Units, axes, rest rows: what was assumed is told, never guessed silently.
    import.warnings.iter().for_each(|warning| println!("warning: {warning}"));

    let done = CleanUp::default().run(&import.skeleton, &import.clips[0])?;
    let before = measure_feet(&done.before.rig, &done.before.take, Footing::default());
    let after = &done.report.figures;
    for (what, figures) in [("before", &before), ("after", after)] {
        let [drift, under] = [figures.drift, figures.penetration].map(|spread| 1e3 * spread.p95);
        println!("{what:6} {} stances: feet drift {drift:.2} mm, sink in {under:.2} mm (95 of 100)", figures.stances);
    }

    let clip = done.clip();
    std::fs::write(&out, glb::write(&import.skeleton, &[clip]))?;
    println!("wrote {}", out.display());
    Ok(())
}
