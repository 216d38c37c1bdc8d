//! Reads characters and writes every clip back into their documents, for a validator to look at:
//! `cargo run --example rewrite -- FOLDER FILE…`

use std::path::{Path, PathBuf};
use surefoot_io::gltf::{NewClip, RootMotion, WriteSettings, write_clips};
use surefoot_io::{ImportSettings, load};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().ok_or("a folder to write to is needed")?;
    for file in arguments {
        let import = load(&file, &ImportSettings::default())?;
        let Some(document) = &import.document else { continue };
        for warning in &import.warnings {
            println!("{}: {warning}", file.display());
        }
        let all: Vec<NewClip<'_>> = import.clips.iter().map(NewClip::of).collect();
        let first = all.first().cloned().map(|clip| NewClip { events: vec![(0.1, "left strike".into())], ..clip });
        let some: Vec<NewClip<'_>> = first.into_iter().collect();
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        for (name, clips, settings) in [
            ("all", &all, WriteSettings::default()),
            ("kept", &some, WriteSettings { keep_clips: true, ..WriteSettings::default() }),
            ("root", &all, WriteSettings { root_motion: RootMotion::Root, ..WriteSettings::default() }),
            ("hips", &all, WriteSettings { root_motion: RootMotion::Hips, ..WriteSettings::default() }),
        ] {
            let glb = write_clips(document, &import.skeleton, clips, &settings)?;
            std::fs::write(folder.join(Path::new(&format!("{stem}-{name}.glb"))), glb)?;
        }
    }
    Ok(())
}
