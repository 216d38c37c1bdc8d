//! t
use std::path::PathBuf;
use surefoot_io::*;
fn main() {
    let paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let t = std::time::Instant::now();
    let all = load_many(&paths, &ImportSettings::default(), || ());
    let t = t.elapsed();
    for (p, r) in paths.iter().zip(all) {
        match r {
            Ok(i) => {
                let c = &i.clips[0];
                println!(
                    "{:28} {:3}j {:4}f {:7.3}Hz {:4} up{} fwd{} {:?} rest{} leg{:?} [{}]",
                    p.file_name().unwrap().to_string_lossy(),
                    i.skeleton.len(),
                    c.frames(),
                    c.rate(),
                    i.source.unit.value,
                    i.source.up.value,
                    i.source.forward.value,
                    i.source.positions.value,
                    i.source.rest_row,
                    i.source.leg,
                    i.source.unit.reason
                );
                for w in &i.warnings {
                    println!("      {w}");
                }
            }
            Err(e) => println!("{e}"),
        }
    }
    println!("{t:?}");
}
