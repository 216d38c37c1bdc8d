//! A character as a game drives it: frame by frame over any ground, by its own clips, redirected at any moment.
//! `cargo run --release -p surefoot-io --example drive [CHARACTER.glb]`.

use std::path::PathBuf;
use surefoot::prelude::*;
use surefoot_io::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let own = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/characters/m2m_fox.glb").into();
    let file = std::env::args_os().nth(1).map_or_else(own, PathBuf::from);

    // Once, when it is loaded: its legs are found, and walks and runs among its clips made ready.
    let loaded = load_character(&file)?;
    let clips = PrepareClips::default().choose(&loaded.character, &loaded.clips, loaded.idle)?.clips;
    for clip in clips.clips() {
        println!("{}: {:.2} m/s", clip.name(), clip.motion.velocity.length());
    }
    let locomotor = Locomotor::new(&loaded.character, clips, Vec::new());

    // What an actor of a game keeps: plain data, which can be copied for a rollback. Ground is what you bring.
    let ground = Terrain::Rubble { height: 0.1, size: 0.5 };
    let mut state = locomotor.start(FloorPose::ORIGIN, &ground, 0.0);
    // Room to work, which actors of a kind can share.
    let mut frame = locomotor.frame();

    let dt = 1.0 / 60.0;
    for k in 0..240 {
        // The player pushes the stick ahead, then to the left, then lets it go.
        let (velocity, facing) = match k {
            0..120 => (Vec2::new(0.0, 1.2), Some(0.0)),
            120..200 => (Vec2::new(1.2, 0.0), Some(std::f32::consts::FRAC_PI_2)),
            _ => (Vec2::ZERO, None),
        };
        let wish = Intent { velocity, facing, ..Intent::default() };
        locomotor.step(&mut state, &wish, &ground, k as f32 * dt, dt, &mut frame);
        // `frame.pose` is what is drawn; `frame.events` is for the sound of steps.
        for event in &frame.events {
            let at = event.print.translation;
            println!("{:.2} s: leg {} {:?} at {:.2}, {:.2}", k as f32 * dt, event.leg.0, event.kind, at.x, at.z);
        }
    }
    Ok(())
}
