//! How long it takes from "start here, go there" to a finished walk on one core, beside the search of the thesis of 2005.
//!
//! `RAYON_NUM_THREADS=1 cargo run --release -p surefoot-io --example navigate_speed -- scenarios/[1-8]-*.toml`

use std::time::Instant;
use surefoot::glam::Vec2;
use surefoot::math::FloorPose;
use surefoot::plan::walk::{Goal, Start, Surroundings};
use surefoot::plan::{Path, PathChoices};
use surefoot::stages::FollowSubgoals;
use surefoot::systems::{Navigate, Trip};
use surefoot::world::Obstacle;

/// The least of several runs, milliseconds, and what the last gave.
fn least<T>(runs: usize, mut run: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::MAX;
    let mut last = None;
    for _ in 0..runs {
        let start = Instant::now();
        last = Some(run());
        best = best.min(1e3 * start.elapsed().as_secs_f64());
    }
    (best, last.expect("at least one run"))
}

fn main() {
    let (built, graph) = least(3, surefoot_io::embedded::graph);
    let (laid_out, ()) = least(1, || graph.lay_out());
    println!("graph read in {built:.0} ms, laid out in {laid_out:.0} ms");
    println!(
        "floor | walk s | quality | path ms | search + motion ms | all ms | after a wall drops ms | as in 2005 ms (quality)"
    );
    println!("--- | --- | --- | --- | --- | --- | --- | ---");
    for name in std::env::args().skip(1) {
        let scene = surefoot_io::scene::load(name.as_ref()).expect("a scene");
        let Some(floor) = scene.floor.clone() else { continue };
        let ways = PathChoices::new(floor, scene.body.radius, 0.08).expect("a radius");
        let [from, to] = [scene.start, scene.goal].map(|end| Vec2::new(end.place.x, end.place.z));
        let (path_ms, paths) = least(9, || ways.to_try(from, to));
        let Some(path) = paths.first() else {
            println!("{name} | no way");
            continue;
        };
        let shortest = paths.iter().map(Path::length).fold(f32::MAX, f32::min);
        let heading = scene.start.heading.unwrap_or(path.heading(0.0));
        let goal = Goal { place: to, heading: scene.goal.heading, stop: true };
        let start = Start::Standing(FloorPose::new(from, heading));
        let around = Surroundings::still(ways.map());
        let navigate = Navigate::default();
        let trip = Trip { shortest, ..Trip::on_floor(around, paths.clone(), start, goal) };
        let (walk_ms, walk) = least(9, || navigate.run(&graph, &trip));
        let walk = walk.expect("a walk");

        // A wall of half a metre across the way, three seconds ahead.
        let now = walk.walked.played.clip.frames() / 3;
        let ahead = walk.walked.played.clip.roots()[now + 90].translation;
        let place = FloorPose::new(Vec2::new(ahead.x, ahead.z), 0.4);
        let mut floors = vec![ways.clone(); 5];
        let (mend_ms, mended) = least(5, || {
            let later = floors.last_mut().expect("one for each run");
            later.add(Obstacle::rectangle("wall", place, Vec2::new(0.5, 0.2))).expect("it is on the floor");
            let resume = walk.resume_after(&graph, now).expect("it goes on");
            let here = resume.start.pose().position;
            let paths = later.to_try(here, to);
            let shortest = paths.iter().map(Path::length).fold(f32::MAX, f32::min);
            let around = Surroundings::still(later.map());
            let trip = Trip { shortest, ..Trip::on_floor(around, paths, resume.start, goal) };
            let mended = navigate.replan(&graph, &trip, &walk, now, resume);
            floors.pop();
            mended
        });
        let mended = mended.map_or_else(|_| "no way".into(), |_| format!("{mend_ms:.1}"));

        let (old_ms, old) = least(1, || navigate.run_reference(&FollowSubgoals::default(), &graph, &trip));
        let old = old.map_or_else(
            |_| format!("{old_ms:.0}, stuck"),
            |old| format!("{old_ms:.0} ({:.2})", old.report.way.quality),
        );
        println!(
            "{} | {:.1} | {:.3} | {path_ms:.2} | {walk_ms:.1} | {:.1} | {mended} | {old}",
            scene.name,
            walk.walked.played.clip.duration(),
            walk.report.way.quality,
            path_ms + walk_ms
        );
    }
}
