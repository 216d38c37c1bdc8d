//! A character that goes to places of a scene live, around what moves, and is sent elsewhere on the way.
//! `cargo run --release -p surefoot-io --features navmesh --example go_to [SCENE.scene.toml]`.

use std::path::PathBuf;
use surefoot::plan::ScenePaths;
use surefoot::prelude::*;
use surefoot::systems::{GoTo, Going, GoingAround};
use surefoot_io::prelude::*;
use surefoot_io::scene;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = || root.join("scenarios/moving-crossing.scene.toml");
    let file = std::env::args_os().nth(1).map_or_else(own, PathBuf::from);
    let knight = load_character(root.join("assets/characters/kaykit_Knight.glb"))?;
    let clips = PrepareClips::default().choose(&knight.character, &knight.clips, knight.idle)?.clips;
    let locomotor = Locomotor::new(&knight.character, clips, Vec::new());

    // Once for a scene; obstacles that come and go change it (`ScenePaths::add`, `ScenePaths::remove`).
    let scene = scene::load(&file)?;
    let ways = ScenePaths::of(&scene)?;
    let world = scene.world();
    let around = GoingAround { movers: &world.obstacles, floor: ways.map() };
    let goes = GoTo { radius: scene.body.radius, ..GoTo::default() };

    let mut going = Going::along(ways.path(scene.start.place, scene.goal.place)?);
    let start = going.path().start();
    let place = FloorPose::new(Vec2::new(start.x, start.z), going.path().heading(0.0));
    let mut state = locomotor.start(place, &world, 0.0);
    let mut frame = locomotor.frame();
    let dt = 1.0 / 60.0;
    for k in 0..7200 {
        let time = k as f32 * dt;
        // Pushed off its way, or sent elsewhere: another path, at any time.
        if going.strayed {
            let here = Vec3::new(state.place.position.x, state.height, state.place.position.y);
            going.lead(ways.path(here, scene.goal.place)?);
        }
        let wish = goes.run(&mut going, around, &state, time, dt);
        locomotor.step(&mut state, &wish, &world, time, dt, &mut frame);
        if k % 120 == 0 || going.arrived() {
            println!("{time:5.1} s: at {:.2}, {:.2}", state.place.position.x, state.place.position.y);
        }
        if going.arrived() {
            break;
        }
    }
    Ok(())
}
