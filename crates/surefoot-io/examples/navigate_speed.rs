//! How long it takes from "start here, go there" to a finished walk, stage by stage, on one core.
//!
//! `RAYON_NUM_THREADS=1 cargo run --release -p surefoot-io --example navigate_speed -- scenarios/[1-8]-*.toml`

use std::time::Instant;
use surefoot::adapt::Arrive;
use surefoot::glam::Vec2;
use surefoot::math::FloorPose;
use surefoot::plan::Ways;
use surefoot::plan::walk::{FindWalk, Goal, Moves, Start, Surroundings};
use surefoot::systems::{Navigate, WalkGraph};

fn main() {
    let start = Instant::now();
    let graph = surefoot_io::embedded::graph();
    let built = start.elapsed();
    let start = Instant::now();
    let moves = Moves::new(&graph);
    println!("graph {built:.0?}, moves {:.0?}", start.elapsed());
    for name in std::env::args().skip(1) {
        let scene = surefoot_io::scene::load(name.as_ref()).expect("a scene");
        let Some(floor) = scene.floor.clone() else { continue };
        let ways = Ways::new(floor, scene.body.radius, 0.08).expect("a radius");
        let map = ways.map();
        let [from, to] = [scene.start, scene.goal].map(|end| Vec2::new(end.place.x, end.place.z));
        let paths = ways.to_try(from, to);
        let Some(path) = paths.first() else {
            println!("{name}: no way");
            continue;
        };
        let heading = scene.start.heading.unwrap_or(path.heading(0.0));
        let errand = (
            Start::Standing(FloorPose::new(from, heading)),
            Goal { place: to, heading: scene.goal.heading, stop: true },
        );
        let around = Surroundings::still(map);
        let mut best = f64::MAX;
        for _ in 0..9 {
            let start = Instant::now();
            let found = Navigate::default().run(&graph, &moves, around, (&paths, path.length()), errand);
            best = best.min(start.elapsed().as_secs_f64());
            if let Err(e) = found {
                println!("{name}: {e}");
            }
        }
        let mut times = [f64::MAX; 8];
        let mut count = 0;
        for _ in 0..5 {
            let mut lap = Instant::now();
            let mut k = 0;
            let mut done = |times: &mut [f64; 8]| {
                times[k] = times[k].min(1e3 * lap.elapsed().as_secs_f64());
                k += 1;
                lap = Instant::now();
            };
            let found = FindWalk::default().run(&graph, &moves, around, path, errand).expect("a walk");
            count = found.moves;
            done(&mut times);
            let plan = &found.walks[0];
            let mut played = graph.play(plan.start, &plan.edges);
            done(&mut times);
            let mut stances = WalkGraph::default().stances(&graph, &played);
            let _ = Arrive::default().run(&mut played.clip, &mut stances, plan.end, 0);
            done(&mut times);
            let walk = WalkGraph::default();
            let stances = walk.stances.run_in(&graph.rig, &played.clip, &played.standing);
            done(&mut times);
            let found = surefoot::analyse::Found { stances, ground: 0.0 };
            let cleaned = walk.clean.run(&graph.rig, &played.clip, &found);
            done(&mut times);
            let _ = surefoot::metrics::measure_feet(&graph.rig, &cleaned.clip, &found, 0.1);
            done(&mut times);
            let _ = walk.hold(&graph, played);
            done(&mut times);
        }
        let walk = Navigate::default().run(&graph, &moves, around, (&paths, path.length()), errand);
        if let Ok(walk) = walk {
            println!(
                "{name}: {:.1} m, {:.1} s, quality {:.3}, missed {:.1} mm; all {:.1} ms; search {:.2} ({count} moves) play {:.2} arrive {:.2} stances {:.2} clean {:.2} measure {:.2}, hold {:.2}",
                path.length(),
                walk.plan.frames as f32 / 30.0,
                walk.way.quality,
                1e3 * walk.way.missed,
                1e3 * best,
                times[0],
                times[1],
                times[2],
                times[3],
                times[4],
                times[5],
                times[6]
            );
        }
    }
}
