//! How long footsteps take to plan: map, query, mending, for scenes that are named.
//!
//! `cargo run --release -p surefoot-io --features navmesh --example footstep_speed -- scenarios/jumps.scene.toml …`

use std::path::PathBuf;
use std::time::Instant;
use surefoot::library::strides::plain_strides;
use surefoot::plan::footsteps::{FootstepMap, FootstepSearch, FootstepWorld, PlanFootsteps};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("| scene | search | prints | strides | seconds of walk | map, ms | query, ms | mend, ms |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    for path in std::env::args().skip(1).map(PathBuf::from) {
        let scene = surefoot_io::scene::load(&path)?;
        let ms = |since: Instant| 1e3 * since.elapsed().as_secs_f64();
        let start = Instant::now();
        let world = FootstepWorld::of(&scene).ok_or("no mesh")?;
        let map = FootstepMap::new(world, plain_strides());
        let ready = ms(start);
        let map = map.with_graph(scene.seed);
        let graph = ms(start);
        for search in [FootstepSearch::Strides, FootstepSearch::Graph] {
            let ready = if search == FootstepSearch::Graph { graph } else { ready };
            let planner = PlanFootsteps { search, ..PlanFootsteps::default() };
            let start = Instant::now();
            let found = planner.through(&map, &scene);
            let query = ms(start);
            let plan = match found {
                Ok(plan) => plan,
                Err(why) => {
                    println!("| {} | {search:?} | {why} | | | {ready:.1} | {query:.1} | |", scene.name);
                    continue;
                }
            };
            // The goal half a metre back, half way through.
            let mut goal: surefoot::plan::footsteps::FootstepEnd = scene.goal.into();
            let back = 0.5 * surefoot::math::floor::direction(goal.heading.unwrap_or(0.0));
            goal.place -= surefoot::glam::Vec3::new(back.x, 0.0, back.y);
            let start = Instant::now();
            let mended = planner.mend(&map, &plan, plan.prints.len() / 2, goal, None);
            let mend = ms(start);
            let kept = mended.map_or_else(|why| why.to_string(), |mended| format!("{} kept", mended.kept));
            println!(
                "| {} | {search:?} | {} | {} | {:.1} | {ready:.1} | {query:.1} | {mend:.1} ({kept}) |",
                scene.name,
                plan.prints.len(),
                plan.strides.len(),
                plan.seconds
            );
        }
    }
    Ok(())
}
